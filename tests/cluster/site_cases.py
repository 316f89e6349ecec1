"""A site records every job (share/slurm): what its folder of logs must have, however jobs end."""
import glob
import json
import os
import re
import shutil
import subprocess
import time

from cases import case
from fathom_view import FathomView
from mpis import OPEN_MPI
from nodes_place import CLUSTER, DD_BYTES, HERE, NODES, RANKS, srun


class Site:
    """What a site has of share/slurm in the configuration of Slurm, for as long as it lives."""

    def __init__(self, place):
        self.place, self.logs = place, place.path("logs")
        os.makedirs(self.logs)
        os.chmod(self.logs, 0o1777)
        self.scripts = os.path.join(os.environ["FATHOM_CLUSTER"], "site")
        self.nothing = place.path("nothing")
        shutil.copytree(self.scripts, self.nothing)
        with open(os.path.join(self.scripts, "site.conf"), "w", encoding="utf-8") as file:
            file.write(f"prefix={os.path.dirname(os.path.dirname(place.fathom))}\nlogs={self.logs}\nspools=/run/fathom-site\n")

    def install(self, folder):
        """Slurm may run one of them right now: each is a new file."""
        for script in ("prolog.sh", "task-prolog.sh", "epilog.sh"):
            new = os.path.join(self.scripts, script + ".new")
            shutil.copy(os.path.join(folder, script), new)
            os.rename(new, os.path.join(self.scripts, script))

    def __enter__(self):
        self.install(os.path.join(HERE, "../../share/slurm"))
        return self

    def __exit__(self, *_):
        self.install(self.nothing)

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
    # Each task is one process: this Slurm finds those to kill by their parents, and may lose a child of a killed one.
    def endless(name):
        return f"{plain_dd(place, name + '.$SLURM_PROCID')}; : >{place.path(name)}.$SLURM_PROCID.written; exec sleep 100"

    def all_have_written(name):
        return lambda: len(glob.glob(place.path(name + ".*.written"))) == RANKS

    with Site(place) as site:
        cancelled = site.submit(f"exec {srun('pmi2')} sh -c '{endless('data')}'")
        place.wait_until(all_have_written("data"))
        place.cluster("run", "1", "scancel", cancelled)
        # Deaf to SIGTERM, as at the end of its time: SIGKILL for all, a few seconds later.
        deaf = site.submit(f"exec srun -n{RANKS} sh -c 'trap \"\" TERM; {endless('deaf')}'")
        place.wait_until(all_have_written("deaf"))
        place.cluster("run", "1", "scancel", "--full", "--signal=KILL", deaf)
        requeued = site.submit(f"{srun('pmi2')} {plain_dd(place, 'again')}", "[ -z $SLURM_RESTART_COUNT ] && "
                               "scontrol requeue $SLURM_JOB_ID && exec sleep 100", options=("--requeue",))
        place.wait_until(lambda: any(f"{requeued}.0.fathom" in log for log in site.files()))

        def started_again():
            place.run(CLUSTER, "run", "1", "scontrol", "update", f"JobId={requeued}", "StartTime=now")
            return any(f"{requeued}.0-restart1" in log for log in site.files())

        time.sleep(2)  # this Slurm starts no job in the second in which it revoked its permission
        place.wait_until(started_again)
        site.wait_for(8)
        logs = {os.path.basename(log)[5:-7]: log for log in site.files()}
        for name, data in ((f"{cancelled}.0", r"data\.\d"), (f"{deaf}.0", r"deaf\.\d"), (f"{requeued}.0", "again"),
                           (f"{requeued}.0-restart1", "again")):
            place.expect(name in logs, f"no log of {name}: {sorted(logs)}")
            if name in logs:
                expect_written(place, logs[name], place.path(data), DD_BYTES, RANKS)


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


# Writes, says so, and waits until it may end.
WRITER = """
import os, sys, time
name = sys.argv[1] + "." + os.environ["SLURM_PROCID"]
with open(name, "wb", buffering=0) as file:
    for _ in range(10):
        file.write(b"x" * (int(sys.argv[2]) // 10))
open(name + ".written", "w").close()
while not os.path.exists(sys.argv[1] + ".enough"):
    time.sleep(0.1)
"""


@case("a site's job on three nodes is seen from elsewhere within 30 s, with all of its nodes and bytes")
def _(place):
    database, nothing, program = place.path("jobs.db"), place.path("no-logs"), place.path("writer.py")
    os.makedirs(nothing)
    place.expect_status(place.run(place.fathom, "jobs", "add", nothing, "--db", database), 0)
    with open(program, "w", encoding="utf-8") as file:
        file.write(WRITER)

    def seen(job):
        said = place.run(place.fathom, "watch", "--db", database, "--job", job, "--json", "--count", "1", "--every", "0.1s")
        place.expect_status(said, 0)
        return json.loads(said.stdout)

    with Site(place) as site:
        command = f"echo $$ >'{{0}}'; exec '{place.fathom}' monitor -o '{place.path('series')}' --for 100s --jobs --db '{database}'"
        monitors = [subprocess.Popen([CLUSTER, "run", str(node), "sh", "-c", command.format(place.path(f"pid{node}"))], stdin=subprocess.DEVNULL,
                                     stderr=subprocess.PIPE, text=True) for node in range(1, NODES + 1)]
        try:
            job = site.submit(f"{srun('pmi2')} /usr/bin/python3 {program} {place.path('data')} {DD_BYTES}")
            place.wait_until(lambda: len(glob.glob(place.path("data.*.written"))) == RANKS)
            wanted = {f"node{node}": RANKS // NODES * DD_BYTES for node in range(1, NODES + 1)}

            def shown():
                return {row["node"]: row["written"] for row in seen(f"{job}.0")["recordings"]}

            place.wait_until(lambda: shown() == wanted, 30)
            look = seen(f"{job}.0")
            place.expect(look["nodes_at_work"] == NODES and look["nodes"] == NODES, f"{look['nodes_at_work']} of {look['nodes']} nodes")
            place.expect(look["all"]["written"] == RANKS * DD_BYTES, f"{look['all']['written']} bytes in all")
            place.expect(all(row["age_seconds"] < 30 and row["processes_running"] >= RANKS // NODES for row in look["recordings"]), f"rows: {look['recordings']}")
            with open(place.path("data.enough"), "w", encoding="utf-8"):
                pass
            logs = [log for log in site.wait_for(2) if log.endswith(f"{job}.0.fathom")]
            place.expect(len(logs) == 1, f"logs {logs}")
            if logs:
                expect_written(place, logs[0], place.path(r"data\.\d"), DD_BYTES, RANKS)
            place.wait_until(lambda: not any(row["running"] for row in seen(f"{job}.0")["recordings"]), 30)
            place.expect(seen(f"{job}.0")["all"]["written"] == RANKS * DD_BYTES, "bytes are missing at its end")
        finally:
            for node, monitor in enumerate(monitors, 1):
                with open(place.path(f"pid{node}"), encoding="ascii") as file:
                    place.cluster("run", str(node), "kill", file.read().strip())
                said = monitor.communicate()[1]
                place.expect("fathom" not in said, f"a monitor says {said!r}")
