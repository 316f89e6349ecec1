"""The place of a case on several nodes: starts jobs there, and knows what the log of one must have."""
import glob
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CLUSTER = os.path.join(HERE, "../../scripts/cluster")
sys.path.insert(0, os.path.join(HERE, "../e2e"))
import cases  # noqa: E402
from cases import Skip  # noqa: E402
from fathom_view import FathomView  # noqa: E402
from mpis import OPEN_MPI  # noqa: E402

NODES, RANKS = 3, 6
OVER_ETH0 = "--mca oob_tcp_if_include eth0 --mca btl_tcp_if_include eth0 --mca btl self,vader,tcp --oversubscribe"
CHECKPOINT = "--mode N-1 --transfer 256K --mib-per-rank 1"
DD_BYTES = 300_000


class Place(cases.Place):
    """Starts jobs, and knows what the log of one must have."""

    nodes = [f"node{number + 1}" for number in range(NODES)]

    def cluster(self, *words):
        """Gives what the command prints, and what it says beside that."""
        result = self.run(CLUSTER, *words, stdin=subprocess.DEVNULL)
        self.expect_status(result, 0)
        return result.stdout + result.stderr

    def batch(self, *lines):
        """Runs a script as a batch job on all nodes, gives what it prints."""
        done = self.path("done")
        with open(self.path("job.sh"), "w", encoding="utf-8") as file:
            file.write("\n".join(("#!/bin/bash", *lines, f"echo $? >{done}.new; mv {done}.new {done}", "")))
        self.cluster("run", "1", "sbatch", f"-N{NODES}", "--ntasks-per-node=2", "-o", self.path("output"), self.path("job.sh"))
        self.wait_until(lambda: os.path.exists(done))
        with open(self.path("output"), encoding="utf-8") as file:
            output = file.read()
        self.expect(os.path.exists(done) and open(done, encoding="utf-8").read() == "0\n", f"the job failed: {output!r}")
        return output

    def wait_until(self, condition, seconds=60):
        until = time.monotonic() + seconds
        while not condition() and time.monotonic() < until:
            time.sleep(0.1)
        self.expect(condition(), f"not within {seconds} s")

    def checkpoint(self, mpi, log="x.fathom"):
        """The command line of a rank that is recorded."""
        name = "checkpoint" if mpi is OPEN_MPI else "checkpoint_hasty"
        if not mpi.has(self.programs, name):
            raise Skip(f"no {mpi.name}")
        os.makedirs(self.path("data"), exist_ok=True)
        program = self.program(name + mpi.suffix)
        return f"{self.fathom} record -o {self.path(log)} -- {program} --dir {self.path('data')} {CHECKPOINT}"

    def view(self, log):
        if not os.path.exists(log):
            self.found.append(f"{log}: no such log")
            return None
        view = FathomView(self.fathom, log)
        self.expect(not view.problems, f"problems: {view.problems}")
        hosts = sorted({process["host"] for process in view.tables["processes"]})
        self.expect(hosts == self.nodes, f"hosts {hosts}")
        return view

    def expect_one_line(self, output):
        """One recorder says where the log is, and nothing but the log is left."""
        lines = re.findall(r"^fathom: log: .*", output, re.MULTILINE)
        self.expect(len(lines) == 1, f"one line with the log expected: {output!r}")
        left = glob.glob(self.path(".fathom*"))
        self.expect(not left, f"left in the folder of the log: {left}")
        for node in range(1, NODES + 1):
            left = [name for name in self.cluster("run", str(node), "ls", "/dev/shm").split() if name.startswith("fathom")]
            self.expect(not left, f"left on node{node}: {left}")

    def expect_ranks(self, output, log="x.fathom", gathered=True):
        """All ranks are in the log, with the bytes that the program says it wrote."""
        self.expect_one_line(output)
        view = self.view(self.path(log))
        said = re.search(r"^write bytes=(\d+)", output, re.MULTILINE)
        self.expect(said, f"the program failed: {output!r}")
        if view is None or not said:
            return
        ranks = sorted(process["rank"] for process in view.tables["processes"])
        self.expect(ranks == list(range(RANKS)), f"ranks {ranks}")
        alone = [fact["value"] for fact in view.tables["job"] if fact["name"] == "not_gathered"]
        self.expect(bool(alone) != gathered, f"gathered at MPI_Finalize: {alone or 'yes'}")
        for layer in ("posix", "mpiio"):
            written = sum(counts["bytes_written"] for path, counts in view.layers[layer].items()
                          if re.search(r"/data/checkpoint\.\d+$", path))
            self.expect(written == int(said[1]), f"{layer}: {written} bytes written instead of {said[1]}")

    def expect_processes(self, log, output):
        """All tasks of dd are in the log, with the bytes that each wrote."""
        self.expect_one_line(output)
        self.expect_dd(log)

    def expect_dd(self, log):
        view = self.view(log)
        if view is None:
            return
        tasks = sorted((process["task"], process["tasks"]) for process in view.tables["processes"])
        self.expect(tasks == [(task, RANKS) for task in range(RANKS)], f"tasks {tasks}")
        written = sum(counts["bytes_written"] for path, counts in view.layers["posix"].items() if path.startswith(self.folder))
        self.expect(written == RANKS * DD_BYTES, f"{written} bytes written instead of {RANKS * DD_BYTES}")

    def dd(self, log):
        """The command line of a task that is recorded, and is no MPI program."""
        return f"{self.fathom} record -o {log} -- dd if=/dev/zero of={self.path('data')} bs={DD_BYTES // 10} count=10 status=none"


def srun(mpi):
    return f"srun -N{NODES} --ntasks-per-node=2 --mpi={mpi}"
