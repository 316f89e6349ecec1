#!/usr/bin/env python3
"""Jobs on several nodes, over ssh and under Slurm: one log of all ranks, whatever starts them.

usage: run_cluster.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_cluster.py --list
       run_cluster.py --up | --down    brings up the nodes that the cases need (scripts/cluster), takes them down
Exit status 77: the case cannot be set up here.
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys

from nodes_place import CLUSTER, DD_BYTES, NODES, OVER_ETH0, RANKS, Place, srun
import cases
from cases import SKIPPED, Skip, case
from fathom_view import FathomView
from findings_view import findings_of, rows_of_table
from mpis import MPICH, OPEN_MPI
import accounting_cases  # noqa: F401
import site_cases  # noqa: F401


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


@case("collective writes over a slow network: the time is that of passing data")
def _(place):
    if not OPEN_MPI.has(place.programs, "collectives"):
        raise Skip("no Open MPI")
    calls, kib = 6, 1024
    program = (place.program("collectives"), place.path("out"), str(calls), str(kib), "0")
    def on_each(words):
        for node in place.nodes:
            place.cluster("run", node, "tc", "qdisc", *words.split())

    on_each("add dev eth0 root tbf rate 100mbit burst 64kb latency 200ms")
    try:
        place.cluster("mpirun", "-np", str(RANKS), place.fathom, "record", "-q", "-o", place.path("x.fathom"), "--", *program)
    finally:
        on_each("del dev eth0 root")
    row = rows_of_table(place.fathom, "x.fathom", place.path("."), "collective_times")[0]
    # The ranks of a node send theirs to another one, over its link.
    least = calls * RANKS / NODES * kib * 1024 * 8 / 100e6
    place.expect(least < row["exchange"] < row["mean"] and row["exchange"] > 0.8 * (row["mean"] - row["file_system"]), f"{least} s at least: {row}")
    findings = findings_of(place.fathom, "x.fathom", place.path("."))
    place.expect(findings and findings[0].id == "collective_exchange", f"findings: {findings}")


@case("mpirun, a node whose clock is five seconds ahead: the report says by how much")
def _(place):
    record, program = place.checkpoint(OPEN_MPI).split(" -- ")
    ahead = "export WRONG_BY=5 LD_PRELOAD=$LD_PRELOAD:" + place.program("libwrong_clock.so")
    place.cluster("mpirun", "-np", str(RANKS), *record.split(), "--", "sh", "-c",
                  f'case $OMPI_COMM_WORLD_RANK in 2|3) {ahead};; esac; exec {program}')
    report = place.run(place.fathom, "report", "--format", "json", place.path("x.fathom")).stdout
    apart = json.loads(report)["values"].get("job.clocks_apart", 0)
    place.expect(abs(apart - 5) < 0.5, f"{apart} s apart")
    text = " ".join(place.run(place.fathom, "report", place.path("x.fathom")).stdout.split())
    place.expect("; node2 is ahead of node" in text and "The clocks of the nodes are " in text, text[:3000])


# ---- srun ----


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


@case("srun, not MPI, a node of which nothing is recorded: its tasks are missing")
def _(place):
    command = place.dd(place.path("x.fathom"))
    output = place.cluster("run", "1", *srun("pmi2").split(), "sh", "-c",
                           f"[ $SLURM_NODEID = 1 ] && exec {command.split(' -- ')[1]}; exec {command}")
    place.expect("4 of 6 tasks recorded" in output, f"said {output!r}")
    report = " ".join(place.run(place.fathom, "report", place.path("x.fathom")).stdout.split())
    for words in ("4 of 6 tasks were recorded; missing: tasks 2, 3.", "the log has nothing of node2"):
        place.expect(words in report, report[:3000])


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
    place.expect(len(logs) == 1, f"logs: {logs}; said {output!r}")
    if logs:
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
        # Where one task ends before the other begins, each of their recorders is the last one of the node.
        spools = re.findall("what was recorded is kept; to try again: fathom recover (.*) -o FILE", output)
        place.expect(output.count("cannot write a log there") == len(spools) > 0, f"said {output!r}")
        if spools:
            place.cluster("run", "2", place.fathom, "recover", *" ".join(spools).split(), "-o", place.path("rest.fathom"))
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


# ---- how little it takes ----


@case("what the shared file system is asked grows with nodes, not with ranks")
def _(place):
    def asked_with(tasks, attempt):
        folder = place.path(f"{tasks}-{attempt}")
        os.makedirs(folder)
        place.cluster("run", "1", "srun", f"-N{NODES}", f"--ntasks-per-node={tasks}", "--overcommit", "sh", "-c",
                      f"exec strace -f -qq -y -e trace=%file,flock,write -o {folder}/trace.$SLURM_PROCID "
                      f"{place.fathom} record -q -o {folder}/x.fathom -- sleep 2")
        view = FathomView(place.fathom, f"{folder}/x.fathom")
        place.expect(len(view.tables["processes"]) == NODES * tasks, f"{tasks} tasks a node: {len(view.tables['processes'])}")
        calls = 0
        for trace in glob.glob(f"{folder}/trace.*"):
            with open(trace, encoding="utf-8") as file:
                calls += sum(1 for line in file if f"{folder}/" in line and "execve" not in line)
        return calls

    # A node that waits for another one looks again every 20 ms: the fewest calls of some runs are those without waiting.
    asked = {1: [], 8: []}
    for attempt in range(4):
        for tasks, calls in asked.items():
            calls.append(asked_with(tasks, attempt))
        if 0 < min(asked[8]) <= min(asked[1]) + 8 * NODES:
            return
    place.expect(False, f"system calls on the log's folder: {asked}")


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
    for words in (("up", "--own-pids", str(NODES)), ("slurm", "--accounting")):
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
