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
import shutil
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
        """One recorder tells of the log, and nothing but the log is left."""
        lines = re.findall(r"^fathom: .*", output, re.MULTILINE)
        self.expect(len(lines) == 1 and "log: " in lines[0], f"one line expected: {lines}")
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


@case("mpirun of two programs: one log of both")
def _(place):
    program = place.checkpoint(OPEN_MPI)
    place.expect_ranks(place.cluster("mpirun", *f"-np 4 {program} : -np 2 {program}".split()))


@case("mpirun, no name for the log: the nodes agree on one")
def _(place):
    command = place.checkpoint(OPEN_MPI).split()
    output = place.cluster("mpirun", "-np", str(RANKS), *command[:2], *command[4:])
    logs = glob.glob(place.path("*.fathom"))
    place.expect(len(logs) == 1, f"logs: {logs}")
    place.expect_ranks(output, logs[0])


@case("mpirun, a rank that is not recorded: nobody waits for it")
def _(place):
    record, program = place.checkpoint(OPEN_MPI).split(" -- ")
    output = place.cluster("mpirun", "-np", str(RANKS), *record.split(), "--", "sh", "-c",
                           f'[ $OMPI_COMM_WORLD_RANK = 5 ] && unset LD_PRELOAD; exec timeout 60 {program}')
    place.expect("5 of 6 MPI ranks recorded" in output, f"said {output!r}")
    place.expect_one_line(output)


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
    place.nodes = ["node1"]
    place.expect_ranks(place.cluster("run", "1", "srun", "-N1", f"-n{RANKS}", "--mpi=pmix_v4", *command))


@case("srun --mpi=pmix_v4, not MPI")
def _(place):
    place.expect_processes(place.path("x.fathom"), place.batch(f"{srun('pmix_v4')} {place.dd(place.path('x.fathom'))}"))


@case("srun --mpi=pmi2, not MPI")
def _(place):
    place.expect_processes(place.path("x.fathom"), place.batch(f"{srun('pmi2')} {place.dd(place.path('x.fathom'))}"))


@case("two steps of one job, one folder for logs")
def _(place):
    os.makedirs(place.path("logs"))
    step = f"{srun('pmix_v4')} {place.dd(place.path('logs'))}"
    outputs = place.batch(step, "echo between", step).split("between")
    logs = sorted(glob.glob(place.path("logs/*.fathom")))
    place.expect([log[-9:] for log in logs] == [".0.fathom", ".1.fathom"], f"logs of two steps: {logs}")
    for log, output in zip(logs, outputs):
        place.expect_processes(log, output)


@case("two jobs at once on the same nodes: a log each, also under one name")
def _(place):
    steps = [f"{srun('pmi2')} --overlap {place.dd(place.path('x.fathom'))} &" for _ in range(2)]
    output = place.batch(*steps, "wait")
    lines = re.findall("^fathom: .*log: (.*)", output, re.MULTILINE)
    place.expect(sorted(lines) == [place.path("x-2.fathom"), place.path("x.fathom")], f"said {output!r}")
    for log in lines:
        place.expect_dd(log)
    place.expect(not glob.glob(place.path(".fathom*")), "left")


@case("two tasks of an array of jobs: a log each")
def _(place):
    os.makedirs(place.path("logs"))
    step = f"srun {place.dd(place.path('logs'))}"
    done = place.path("done")
    with open(place.path("job.sh"), "w", encoding="utf-8") as file:
        file.write(f"#!/bin/bash\n{step}\ntouch {done}.$SLURM_ARRAY_TASK_ID\n")
    place.cluster("run", "1", "sbatch", "--array=1-2", f"-N{NODES}", "--ntasks-per-node=2", "-o", place.path("output.%a"),
                  place.path("job.sh"))
    place.wait_until(lambda: all(os.path.exists(f"{done}.{task}") for task in (1, 2)))
    logs = glob.glob(place.path("logs/*.fathom"))
    place.expect(len(logs) == 2, f"logs of two tasks: {logs}")
    for log in logs:
        place.expect_dd(log)


def two_programs(place, record):
    """Two recorded ranks of one program and four of another, started by srun as one job of Open MPI."""
    program = place.checkpoint(OPEN_MPI).split("-- ", 1)[1]
    shutil.copy(program.split()[0], place.path("second"))
    second = " ".join((record, place.path("second"), *program.split()[1:]))
    with open(place.path("programs"), "w", encoding="utf-8") as file:
        file.write(f"0-1 {place.fathom} record -- {program}\n2-5 {second}\n")
    return place.cluster("run", "1", "timeout", "60", *srun("pmix_v4").split(), "--multi-prog", place.path("programs"))


@case("srun --multi-prog: one log of both programs")
def _(place):
    output = two_programs(place, f"{place.fathom} record --")
    logs = glob.glob(place.path("*.fathom"))
    place.expect(len(logs) == 1, f"logs: {logs}")
    place.expect_ranks(output, logs[0])


@case("srun --multi-prog, one program recorded: nobody waits for the other")
def _(place):
    output = two_programs(place, "")
    place.expect("2 of 6 MPI ranks recorded" in output, f"said {output!r}")
    place.expect_one_line(output)


# ---- what goes wrong ----


@case("a recorder is killed on one node")
def _(place):
    # The collector is a process of its own. It waits for the program, which goes on.
    data = place.path("data")
    script = f"dd if=/dev/zero of={data} bs={DD_BYTES // 2} count=1 status=none; [ $SLURM_PROCID = 2 ] && kill -9 $PPID; sleep 1; " \
             f"dd if=/dev/zero of={data} bs={DD_BYTES // 2} count=1 status=none"
    result = place.run(CLUSTER, "run", "1", *srun("pmix_v4").split(), "--kill-on-bad-exit=0", place.fathom, "record", "-o",
                       place.path("x.fathom"), "--", "sh", "-c", script, stdin=subprocess.DEVNULL)
    place.expect(result.returncode != 0, "srun takes a killed recorder for a success")
    log = place.path("x.fathom")
    written = re.compile(re.escape(data))

    def is_whole():
        return sum(counts["bytes_written"] for path, counts in FathomView(place.fathom, log).layers["posix"].items()
                   if written.match(path)) == RANKS * DD_BYTES

    place.wait_until(lambda: os.path.exists(log))
    place.wait_until(is_whole, 20)


@case("a node starts long after the others ended")
def _(place):
    record = place.dd(place.path("x.fathom"))
    output = place.cluster("run", "1", *srun("pmi2").split(), "sh", "-c", f"[ $SLURM_NODEID = 2 ] && sleep 2; exec {record}")
    place.expect_dd(place.path("x.fathom"))
    lines = re.findall("^fathom: .*log: .*", output, re.MULTILINE)
    place.expect(len(lines) == 2, f"a line from those that were there, and one from the late: {lines}")


@case("ranks start seconds apart")
def _(place):
    record = place.checkpoint(OPEN_MPI)
    place.expect_ranks(place.cluster("run", "1", *srun("pmix_v4").split(), "sh", "-c",
                                     f"[ $SLURM_PROCID = 3 ] && sleep 3; exec {record}"))


@case("one rank never calls MPI_Init")
def _(place):
    record, program = place.checkpoint(OPEN_MPI).split(" -- ")
    script = f"[ $SLURM_PROCID = 4 ] && exec sh -c 'sleep 1; exit 5'; exec {program}"
    result = place.run(CLUSTER, "run", "1", "timeout", "60", *srun("pmix_v4").split(), "--kill-on-bad-exit=1", *record.split(), "--",
                       "sh", "-c", script, stdin=subprocess.DEVNULL)
    place.expect(result.returncode not in (0, 124), f"exit status {result.returncode}")
    view = place.view(place.path("x.fathom"))
    place.expect(view and len(view.tables["processes"]) >= RANKS, "all tasks are in the log")


@case("the log's folder cannot be written on one node")
def _(place):
    folder = place.path("logs")
    os.makedirs(folder)
    place.cluster("run", "2", "mount", "--bind", "-o", "ro", folder, folder)
    place.cluster("run", "2", "mount", "-o", "remount,ro,bind", folder)
    try:
        record = place.dd(os.path.join(folder, "x.fathom"))
        output = place.cluster("run", "1", *srun("pmix_v4").split(), *record.split())
        place.nodes = ["node1", "node3"]
        view = place.view(os.path.join(folder, "x.fathom"))
        place.expect(view and len(view.tables["processes"]) == 4, "the other nodes have their log")
        spools = re.search("what was recorded is kept; to try again: fathom recover (.*) -o FILE", output)
        place.expect(output.count("cannot write a log there") == 1 and spools, f"said {output!r}")
        if spools:
            place.cluster("run", "2", place.fathom, "recover", *spools[1].split(), "-o", place.path("rest.fathom"))
            place.nodes = ["node2"]
            view = place.view(place.path("rest.fathom"))
            place.expect(view and len(view.tables["processes"]) == 2, "and what was recorded on this one is not lost")
    finally:
        place.cluster("run", "2", "umount", folder)


@case("all nodes have one host name")
def _(place):
    for node in (2, 3):
        place.cluster("run", str(node), "hostname", "node1")
    try:
        place.nodes = ["node1"]
        place.expect_ranks(place.cluster("mpirun", "-np", str(RANKS), *place.checkpoint(OPEN_MPI).split()))
    finally:
        for node in (2, 3):
            place.cluster("run", str(node), "hostname", f"node{node}")


# ---- a site records every job ----


class Site:
    """The files of share/slurm in Slurm's configuration, for as long as it lives."""

    def __init__(self, place):
        self.place, self.logs = place, place.path("logs")
        os.makedirs(self.logs)
        os.chmod(self.logs, 0o1777)
        self.scripts = place.path("slurm")
        shutil.copytree(os.path.join(HERE, "../../share/slurm"), self.scripts)
        with open(os.path.join(self.scripts, "site.conf"), "w", encoding="utf-8") as file:
            file.write(f"prefix={os.path.dirname(os.path.dirname(place.fathom))}\nlogs={self.logs}\nspools=/run/fathom-site\n")
        self.conf = os.path.join(os.environ["FATHOM_CLUSTER"], "slurm.conf")
        with open(self.conf, encoding="utf-8") as file:
            self.before = file.read()
        self.configure("".join(f"{name}={self.scripts}/{script}.sh\n" for name, script in
                               (("Prolog", "prolog"), ("TaskProlog", "task-prolog"), ("Epilog", "epilog"))))

    def configure(self, more):
        with open(self.conf, "w", encoding="utf-8") as file:
            file.write(self.before + more)
        self.place.cluster("run", "1", "scontrol", "reconfigure")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.configure("")

    def files(self):
        return sorted(glob.glob(f"{self.logs}/[0-9]*/[0-9]*/[0-9]*/*.fathom"))

    def wait_for(self, number):
        self.place.wait_until(lambda: len(self.files()) >= number and not self.spools())
        time.sleep(0.5)
        return self.files()

    def spools(self):
        return [f"node{node}: {name}" for node in range(1, NODES + 1)
                for name in self.place.cluster("run", str(node), "sh", "-c", "ls /run/fathom-site 2>/dev/null || true").split()]

    def submit(self, *lines, options=()):
        script = self.place.path("site-job.sh")
        with open(script, "w", encoding="utf-8") as file:
            file.write("\n".join(("#!/bin/bash", *lines, "")))
        return self.place.cluster("run", "1", "sbatch", "--parsable", f"-N{NODES}", "--ntasks-per-node=2", "-o",
                                  self.place.path("site-output"), *options, script).strip()

    def output(self):
        with open(self.place.path("site-output"), encoding="utf-8") as file:
            return file.read()


def expect_written(place, log, data, each, tasks):
    view = FathomView(place.fathom, log)
    place.expect(not view.problems, f"{log}: problems {view.problems}")
    written = sum(counts["bytes_written"] for path, counts in view.layers["posix"].items() if re.fullmatch(data, path))
    place.expect(written == tasks * each, f"{log}: {written} bytes written instead of {tasks * each}")
    return view


def plain_dd(place, name="data"):
    return f"dd if=/dev/zero of={place.path(name)} bs={DD_BYTES // 10} count=10 status=none"


@case("a site's job of several steps, MPI and not: a log each, and users see nothing of it")
def _(place):
    program = place.checkpoint(OPEN_MPI).split("-- ", 1)[1]
    with Site(place) as site:
        job = site.submit(plain_dd(place, "alone"), f"{srun('pmix_v4')} {program}", f"{srun('pmi2')} {plain_dd(place, 'other')}")
        logs = site.wait_for(3)
        names = [os.path.basename(log) for log in logs]
        place.expect(names == [f"root-{job}.{step}.fathom" for step in ("0", "1", "batch")], f"logs {names}")
        place.expect("fathom" not in site.output(), f"the job says {site.output()!r}")
        if len(logs) == 3:
            said = re.search(r"^write bytes=(\d+)", site.output(), re.MULTILINE)
            view = FathomView(place.fathom, logs[0])
            place.expect(sorted(row["rank"] for row in view.tables["processes"]) == list(range(RANKS)), "the ranks of step 0")
            expect_written(place, logs[0], place.path(r"data/checkpoint\.\d+"), int(said[1]), 1)
            expect_written(place, logs[1], place.path("other"), DD_BYTES, RANKS)
            expect_written(place, logs[2], place.path("alone"), DD_BYTES, 1)
            facts = {row["name"]: row["value"] for row in view.tables["job"]}
            for name, value in (("user_name", "root"), ("batch_system", "Slurm"), ("job_id", job), ("job_step", "0"),
                                ("job_name", "site-job.sh"), ("queue", "main"), ("job_nodes", str(NODES))):
                place.expect(facts.get(name) == value, f"{name} is {facts.get(name)!r} instead of {value!r}")


@case("a site's jobs that are cancelled, killed or started again: all that they did is filed")
def _(place):
    endless = plain_dd(place) + "; sleep 100"
    with Site(place) as site:
        cancelled = site.submit(f"{srun('pmi2')} sh -c '{endless}'")
        place.wait_until(lambda: os.path.exists(place.path("data")))
        time.sleep(1)
        place.cluster("run", "1", "scancel", cancelled)
        # Deaf to SIGTERM, as at the end of its time: SIGKILL for all, a few seconds later.
        deaf = site.submit(f"srun -n{RANKS} sh -c 'trap \"\" TERM; {plain_dd(place, 'deaf')}; exec sleep 100'")
        place.wait_until(lambda: os.path.exists(place.path("deaf")))
        time.sleep(1)
        place.cluster("run", "1", "scancel", "--full", "--signal=KILL", deaf)
        requeued = site.submit(f"{srun('pmi2')} {plain_dd(place, 'again')}", "[ -z $SLURM_RESTART_COUNT ] && "
                               "scontrol requeue $SLURM_JOB_ID && sleep 100", options=("--requeue",))
        place.wait_until(lambda: any(f"{requeued}.0.fathom" in log for log in site.files()))


        def started_again():
            place.run(CLUSTER, "run", "1", "scontrol", "update", f"JobId={requeued}", "StartTime=now")
            return any(f"{requeued}.0-restart1" in log for log in site.files())

        place.wait_until(started_again)
        site.wait_for(8)
        logs = {os.path.basename(log)[5:-7]: log for log in site.files()}
        for name, data, tasks in ((f"{cancelled}.0", "data", RANKS), (f"{deaf}.0", "deaf", RANKS), (f"{requeued}.0", "again", RANKS),
                                  (f"{requeued}.0-restart1", "again", RANKS)):
            place.expect(name in logs, f"no log of {name}: {sorted(logs)}")
            if name in logs:
                expect_written(place, logs[name], place.path(data), DD_BYTES, tasks)


@case("a site's folder that is full or read-only harms no job, and what was recorded is filed later")
def _(place):
    with Site(place) as site:
        for node in range(1, NODES + 1):
            place.cluster("run", str(node), "mount", "-t", "tmpfs", "-o", "size=4k,mode=1777", "none", site.logs)
        first = site.submit(f"{srun('pmi2')} {plain_dd(place)}", f"touch {place.path('done')}")
        place.wait_until(lambda: os.path.exists(place.path("done")))
        place.wait_until(lambda: place.cluster("run", "1", "squeue", "-h").strip() == "")
        time.sleep(1)
        place.expect(len(site.spools()) >= NODES, f"what could not be filed waits: {site.spools()}")
        for node in range(1, NODES + 1):
            place.cluster("run", str(node), "umount", site.logs)
        second = site.submit(f"{srun('pmi2')} {plain_dd(place)}")
        logs = {os.path.basename(log)[5:-7]: log for log in site.wait_for(4)}
        place.expect("error" not in site.output() and "fathom" not in site.output(), site.output())
        for job in (first, second):
            place.expect(f"{job}.0" in logs, f"no log of {job}.0: {sorted(logs)}")
            if f"{job}.0" in logs:
                expect_written(place, logs[f"{job}.0"], place.path("data"), DD_BYTES, RANKS)


@case("a site's job in a container, and one whose user wants no recording")
def _(place):
    inside = f"unshare --mount --pid --fork --mount-proc {plain_dd(place)}"
    with Site(place) as site:
        site.submit(f"{srun('pmi2')} {inside}")
        logs = [log for log in site.wait_for(2) if log.endswith(".0.fathom")]
        place.expect(len(logs) == 1, f"logs {logs}")
        if logs:
            expect_written(place, logs[0], place.path("data"), DD_BYTES, RANKS)
        before = site.files()
        site.submit(f"{srun('pmi2')} {plain_dd(place)}; touch {place.path('off')}", options=("--export=ALL,FATHOM_OFF=1",))
        place.wait_until(lambda: os.path.exists(place.path("off")))
        place.wait_until(lambda: place.cluster("run", "1", "squeue", "-h").strip() == "")
        place.expect(site.files() == before and not site.spools(), f"recorded all the same: {site.files()} {site.spools()}")


# ---- how little it takes ----


@case("what the shared file system is asked grows with nodes, not with ranks")
def _(place):
    asked = {}
    for tasks in (1, 8):
        folder = place.path(f"{tasks}")
        os.makedirs(folder)
        place.cluster("run", "1", "srun", f"-N{NODES}", f"--ntasks-per-node={tasks}", "--overcommit", "sh", "-c",
                      f"exec strace -f -qq -y -e trace=%file,flock,write -o {folder}/trace.$SLURM_PROCID "
                      f"{place.fathom} record -q -o {folder}/x.fathom -- sleep 2")
        asked[tasks] = 0
        for trace in glob.glob(f"{folder}/trace.*"):
            with open(trace, encoding="utf-8") as file:
                asked[tasks] += sum(1 for line in file if f"{folder}/" in line and "execve" not in line)
        view = FathomView(place.fathom, f"{folder}/x.fathom")
        place.expect(len(view.tables["processes"]) == NODES * tasks, f"{tasks} tasks a node: {len(view.tables['processes'])}")
    place.expect(0 < asked[8] <= asked[1] + 8 * NODES, f"system calls on the log's folder: {asked}")


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
    # As on real nodes, the numbers of processes come again on the next one.
    for words in (("up", "--own-pids", str(NODES)), ("slurm",)):
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
