#!/usr/bin/env python3
"""Jobs on several nodes, over ssh and under Slurm: one log of all ranks, whatever starts them.

usage: run_cluster.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_cluster.py --list
       run_cluster.py --up | --down    brings up the nodes that the cases need (scripts/cluster), takes them down
Exit status 77: the case cannot be set up here.
"""
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
from cases import SKIPPED, Skip, case  # noqa: E402
from fathom_view import FathomView  # noqa: E402
from mpis import MPICH, OPEN_MPI  # noqa: E402

NODES, RANKS = 3, 6
OVER_ETH0 = "--mca oob_tcp_if_include eth0 --mca btl_tcp_if_include eth0 --mca btl self,vader,tcp --oversubscribe"
CHECKPOINT = "--mode N-1 --transfer 256K --mib-per-rank 1"
DD_BYTES = 300_000


class Place(cases.Place):
    """Starts jobs, and knows what the log of one must have."""

    def cluster(self, *words):
        result = self.run(CLUSTER, *words, stdin=subprocess.DEVNULL)
        self.expect_status(result, 0)
        return result.stdout

    def batch(self, *lines):
        """Runs a script as a batch job on all nodes, gives what it prints."""
        done = self.path("done")
        with open(self.path("job.sh"), "w", encoding="utf-8") as file:
            file.write("\n".join(("#!/bin/bash", *lines, f"echo $? >{done}.new; mv {done}.new {done}", "")))
        self.cluster("run", "1", "sbatch", f"-N{NODES}", "--ntasks-per-node=2", "-o", self.path("output"), self.path("job.sh"))
        until = time.monotonic() + 60
        while not os.path.exists(done) and time.monotonic() < until:
            time.sleep(0.1)
        with open(self.path("output"), encoding="utf-8") as file:
            output = file.read()
        self.expect(os.path.exists(done) and open(done, encoding="utf-8").read() == "0\n", f"the job failed: {output!r}")
        return output

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
        hosts = {process["host"] for process in view.tables["processes"]}
        self.expect(hosts == {f"node{number + 1}" for number in range(NODES)}, f"hosts {sorted(hosts)}")
        return view

    def expect_ranks(self, output, log="x.fathom"):
        """All ranks are in the log, with the bytes that the program says it wrote."""
        view = self.view(self.path(log))
        said = re.search(r"^write bytes=(\d+)", output, re.MULTILINE)
        self.expect(said, f"the program failed: {output!r}")
        if view is None or not said:
            return
        ranks = sorted(process["rank"] for process in view.tables["processes"])
        self.expect(ranks == list(range(RANKS)), f"ranks {ranks}")
        for layer in ("posix", "mpiio"):
            written = sum(counts["bytes_written"] for path, counts in view.layers[layer].items()
                          if re.search(r"/data/checkpoint\.\d+$", path))
            self.expect(written == int(said[1]), f"{layer}: {written} bytes written instead of {said[1]}")

    def expect_processes(self, log):
        """All tasks of dd are in the log, with the bytes that each wrote."""
        view = self.view(log)
        if view is None:
            return
        processes = len(view.tables["processes"])
        self.expect(processes == RANKS, f"{processes} processes")
        written = sum(counts["bytes_written"] for path, counts in view.layers["posix"].items() if path.startswith(self.folder))
        self.expect(written == RANKS * DD_BYTES, f"{written} bytes written instead of {RANKS * DD_BYTES}")

    def dd(self, log):
        """The command line of a task that is recorded, and is no MPI program."""
        return f"{self.fathom} record -o {log} -- dd if=/dev/zero of={self.path('data')} bs={DD_BYTES // 10} count=10 status=none"


# ---- Open MPI ----


@case("mpirun in a batch job of Slurm, fathom record within")
def _(place):
    place.expect_ranks(place.batch(f"mpirun.openmpi {OVER_ETH0} {place.checkpoint(OPEN_MPI)}"))


@case("mpirun over ssh, fathom record within")
def _(place):
    place.expect_ranks(place.cluster("mpirun", "-np", str(RANKS), *place.checkpoint(OPEN_MPI).split()))


@case("fathom record around an mpirun of several nodes says which ranks are missing")
def _(place):
    command = place.checkpoint(OPEN_MPI).split()
    record, program = command[: command.index("--") + 1], command[command.index("--") + 1 :]
    hosts = ",".join(f"node{number + 1}:{RANKS // NODES}" for number in range(NODES))
    result = place.run(CLUSTER, "run", "1", *record, "mpirun.openmpi", "--allow-run-as-root", *OVER_ETH0.split(), "--host", hosts,
                       "-np", str(RANKS), *program, stdin=subprocess.DEVNULL)
    place.expect("2 of 6 MPI ranks recorded" in result.stderr, f"said {result.stderr!r}")
    report = place.run(place.fathom, "report", place.path("x.fathom"))
    place.expect("2 of 6 MPI ranks were recorded; missing: ranks 2-5." in " ".join(report.stdout.split()), report.stdout[:2000])


# ---- srun ----


def srun(mpi):
    return f"srun -N{NODES} --ntasks-per-node=2 --mpi={mpi}"


@case("srun --mpi=pmix_v4, Open MPI")
def _(place):
    place.expect_ranks(place.cluster("run", "1", *srun("pmix_v4").split(), *place.checkpoint(OPEN_MPI).split()))


@case("srun --mpi=pmi2, MPICH")
def _(place):
    place.expect_ranks(place.cluster("run", "1", *srun("pmi2").split(), *place.checkpoint(MPICH).split()))


@case("srun on one node: the ranks write the log together")
def _(place):
    command = place.checkpoint(OPEN_MPI).split()
    result = place.run(CLUSTER, "run", "1", "srun", "-N1", f"-n{RANKS}", "--mpi=pmix_v4", *command, stdin=subprocess.DEVNULL)
    place.expect_status(result, 0)
    place.expect(result.stderr.count("log: ") == 1, f"one line: {result.stderr!r}")
    view = FathomView(place.fathom, place.path("x.fathom"))
    place.expect(sorted(process["rank"] for process in view.tables["processes"]) == list(range(RANKS)), "all ranks")
    place.expect(all(fact["name"] != "not_gathered" for fact in view.tables["job"]), "gathered at MPI_Finalize")


@case("srun --mpi=pmix_v4, not MPI")
def _(place):
    place.batch(f"{srun('pmix_v4')} {place.dd(place.path('x.fathom'))}")
    place.expect_processes(place.path("x.fathom"))


@case("srun --mpi=pmi2, not MPI")
def _(place):
    place.batch(f"{srun('pmi2')} {place.dd(place.path('x.fathom'))}")
    place.expect_processes(place.path("x.fathom"))


@case("two steps of one job, one folder for logs")
def _(place):
    os.makedirs(place.path("logs"))
    step = f"{srun('pmix_v4')} {place.dd(place.path('logs'))}"
    place.batch(step, step)
    logs = glob.glob(place.path("logs/*.fathom"))
    place.expect(len(logs) == 2, f"logs of two steps: {logs}")
    for log in logs:
        place.expect_processes(log)


# ---- MPICH ----


@case("mpiexec.hydra over ssh")
def _(place):
    place.expect_ranks(place.cluster("mpiexec", "-np", str(RANKS), *place.checkpoint(MPICH).split()))


@case("mpiexec.hydra in a batch job of Slurm")
def _(place):
    place.expect_ranks(place.batch(f"mpiexec.hydra {place.checkpoint(MPICH)}"))


# ---- the nodes ----


def up():
    down()  # what a run that was killed has left
    for words in (("up", str(NODES)), ("slurm",)):
        result = subprocess.run([CLUSTER, *words, "--no-install"], capture_output=True, text=True)
        if result.returncode != 0:
            print("skipped: " * (result.returncode == SKIPPED) + result.stderr.strip())
            return result.returncode
    return 0


def down():
    return subprocess.run([CLUSTER, "down"]).returncode


def main():
    if sys.argv[1:] in (["--up"], ["--down"]):
        return up() if sys.argv[1] == "--up" else down()
    if sys.argv[1:] != ["--list"] and subprocess.run([CLUSTER, "run", "1", "sinfo"], capture_output=True).returncode != 0:
        print("skipped: no nodes are up")
        return SKIPPED
    return cases.main(__doc__, Place)


if __name__ == "__main__":
    sys.exit(main())
