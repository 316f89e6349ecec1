#!/usr/bin/env python3
"""Traces of programs beside what the kernel saw, and beside the counters of the same log.

usage: run_traces.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_traces.py --list
Exit status 77: something that the test needs is not here.
"""
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import cases
import paced
from cases import Skip, case, timed
from compare_with_strace import run_traced
from fathom_view import FathomView
from kernel_operations import NOT_OPENED, KernelOperations
from mpis import MPICH, OPEN_MPI
from trace_view import by_thread, differences_to_records, disorder, first_difference, trace_of

ALONE = ("contiguous", "strided", "random", "append", "many_files", "mixed")
TOGETHER = ("segmented", "interleaved")  # on one file
MPIS = (OPEN_MPI, MPICH)


class Place(cases.Place):
    """Knows where the programs do their I/O, and reads logs."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.files = self.path("files")
        os.makedirs(self.files)
        self.log = self.path("traced.fathom")

    def patterns(self, pattern, *options, mpi=None):
        program = self.program("patterns" if mpi is None else "mpi_patterns" + mpi.suffix)
        return (program, pattern, self.files, *options)

    def under_strace(self, command, unopened=True):
        """Runs the command under strace and fathom, and expects the same operations of each thread from both. `unopened`: also
        those on files that could not be opened; nothing but the command fails at that.
        """
        if shutil.which("strace") is None or self.run("strace", "-o", "/dev/null", "true").returncode != 0:
            raise Skip("strace is not installed, or may not trace here")
        result, log, output = run_traced(self.fathom, self.folder, command, recording=("--trace",), cwd=self.folder,
                                         capture_output=True, text=True, timeout=240)
        self.expect_status(result, 0)
        kernel = KernelOperations(output, self.files).threads
        rows = [row for row in trace_of(self.fathom, log) if row.layer == "posix" and self.is_ours(row.path, unopened)]
        ours = by_thread(rows)
        self.expect(kernel, "strace saw nothing")
        self.expect(set(ours) == set(kernel), f"threads {sorted(ours)} are in the trace, not {sorted(kernel)}")
        for thread, operations in kernel.items():
            parted = first_difference([row.operation() for row in ours[thread]],
                                      [one for one in operations if self.is_ours(one.path, unopened)])
            self.expect(parted is None, f"thread {thread}: {parted}")
        print(f"{len(rows)} operations of {len(ours)} threads compared")
        return log

    def is_ours(self, path, unopened=True):
        return (unopened and path == NOT_OPENED) or path.startswith(self.files + "/")

    def expect_as_counted(self, log=None, some_untraced=False):
        """The trace has all that was counted, in order; gives its rows and the log's tables."""
        log = log or self.log
        rows, view = trace_of(self.fathom, log), FathomView(self.fathom, log)
        self.found += [f"problem in the log: {problem}" for problem in view.problems]
        self.found += disorder(rows)
        if not some_untraced:
            self.found += differences_to_records(rows, view.tables)
        for process in view.tables["processes"]:
            mine = sum(row.process == process["process"] for row in rows)
            self.expect(process["traced"] == mine,
                        f"process {process['process']} says {process['traced']} operations were traced; {mine} are in the dump")
            self.expect(some_untraced or process["untraced"] == 0, f"process {process['process']}: {process['untraced']} untraced")
        self.expect(rows, "the trace is empty")
        return rows, view.tables

    def traced(self, *command, options=(), **others):
        """Records a trace of the command and reads it."""
        result = self.record(*command, options=("-q", "--trace", *options, "-o", self.log), **others)
        self.expect_status(result, 0)
        return trace_of(self.fathom, self.log)


def of_pattern(name, *options):
    @case(name)
    def _(place):
        log = place.under_strace(place.patterns(name, *options))
        place.expect_as_counted(log)


for pattern in ALONE:
    of_pattern(pattern)
for pattern in TOGETHER:
    of_pattern(pattern, "--processes", "4")


@case("four threads in each of two processes")
def _(place):
    log = place.under_strace(place.patterns("mixed", "--processes", "2", "--threads", "4"))
    rows, _ = place.expect_as_counted(log)
    place.expect(len({row.thread for row in rows if row.path.startswith(place.files)}) == 8, "not eight threads")


def of_every_call(program, layer):
    @case(f"as many operations as were counted, of {program}")
    def _(place):
        place.traced(place.program(program), cwd=place.files)
        rows, _ = place.expect_as_counted()
        place.expect(any(row.layer == layer for row in rows), f"nothing of {layer}")


of_every_call("posix_calls", "posix")
of_every_call("stdio_calls", "stdio")


@case("as many operations as were counted, of a shell and what it starts")
def _(place):
    rows = place.traced("sh", "-c", "seq 1 10000 > lines; sort -r lines | tail -n 100 > sorted; cp lines copy; rm lines copy; "
                        "(dd if=sorted of=again bs=7 status=none; exec dd if=sorted of=more bs=100 status=none)")
    place.expect_as_counted()
    place.expect(len({row.process for row in rows}) >= 5, "not every process is in the trace")
    copied = sorted(row.size for row in rows if row.path.endswith("/more") and row.kind == "write")
    place.expect(sum(copied) == os.path.getsize(place.path("sorted")) and copied[-1] == 100, f"writes of {copied} bytes to more")


def of_mpi(mpi, program, *options):
    @case(f"four ranks of {mpi.name}, {' '.join((program, *options))}")
    def _(place):
        if not mpi.has(place.programs, "mpi_patterns"):
            raise Skip(f"{mpi.name} is not here")
        log = place.under_strace((*mpi.run(4), *place.patterns(program, *options, mpi=mpi)), unopened=False)
        rows, tables = place.expect_as_counted(log)
        mine = {row.rank for row in rows if row.path.startswith(place.files)}
        place.expect(mine == {"0", "1", "2", "3"}, f"ranks {mine}")
        place.expect(len({row["shape"] for row in tables["trace"]}) == len(tables["trace_shapes"]), "a shape without pieces, or twice")


for mpi in MPIS:
    of_mpi(mpi, "interleaved")
    of_mpi(mpi, "mixed", "--threads", "2")


def of_mpiio(mpi):
    @case(f"MPI-IO and POSIX beneath it, {mpi.name}")
    def _(place):
        if not mpi.has(place.programs, "checkpoint"):
            raise Skip(f"{mpi.name} is not here")
        place.traced(*mpi.run(4), place.program("checkpoint" + mpi.suffix), "--mode", "N-1", "--mib-per-rank", "1", "--transfer", "64K",
                     "--compute-ms", "0", "--read-back", "--sync", "--dir", place.files)
        rows, _ = place.expect_as_counted()
        writes = [row for row in rows if row.layer == "mpiio" and row.kind == "write"]
        place.expect(len(writes) == 4 * 3 * 16, f"{len(writes)} writes through MPI-IO")
        place.expect({row.size for row in writes} == {64 << 10}, f"of {({row.size for row in writes})} bytes")


for mpi in MPIS:
    of_mpiio(mpi)


def child_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return int(file.read().split()[0])


@case("what was traced before a process was killed is there")
def _(place):
    """One that waits has all; one in the midst of it what it had done by then."""
    complete = place.traced(*place.patterns("mixed", "--operations", "20000"))
    wanted = [row.operation() for row in complete if place.is_ours(row.path)]
    for operations, all_of_it in (("20000", True), ("500000000", False)):
        command = (place.fathom, "record", "-q", "--trace", "-o", place.log, "--",
                   *place.patterns("mixed", "--operations", operations, "--wait"))
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=place.folder, text=True) as recorder:
            if all_of_it:
                place.expect(recorder.stdout.readline() == "done\n", "the program does not say that it is done")
            else:
                time.sleep(1)
            os.kill(child_of(recorder.pid), signal.SIGKILL)
            recorder.communicate(timeout=60)
        rows, tables = place.expect_as_counted(some_untraced=True)
        got = [row.operation() for row in rows if place.is_ours(row.path)]
        if not all_of_it:  # wanted ends with closing the files
            common = min(len(got), len(wanted) - 2)
            place.expect(common > 1000, f"{len(got)} operations only")
            got, wanted = got[:common], wanted[:common]
        parted = first_difference(got, wanted)
        place.expect(parted is None, f"{operations} operations: {parted}")
        process = tables["processes"][0]
        place.expect(process["status"] == signal.SIGKILL, f"it ended with {process['status']}")


@case("--trace-files: those files and no others")
def _(place):
    command = place.patterns("many_files", "--operations", "300")
    everything = [row.operation() for row in place.traced(*command) if place.is_ours(row.path)]
    for given, wanted in (("many.7:many.2*", lambda name: name == "many.7" or name.startswith("many.2")),
                          (os.path.join(place.files, "many.?"), lambda name: len(name) == 6)):
        rows = place.traced(*command, options=("--trace-files", given))
        got = [row.operation() for row in rows]
        expected = [one for one in everything if wanted(os.path.basename(one.path))]
        parted = first_difference(got, expected)
        place.expect(parted is None and expected, f"--trace-files {given}: {parted}")
        process = FathomView(place.fathom, place.log).tables["processes"][0]
        place.expect((process["traced"], process["untraced"]) == (len(expected), 0), f"{process['traced']} and {process['untraced']}")


def of_some_ranks(mpi):
    @case(f"--trace-ranks: those ranks of {mpi.name} and no others")
    def _(place):
        if not mpi.has(place.programs, "mpi_patterns"):
            raise Skip(f"{mpi.name} is not here")
        rows = place.traced(*mpi.run(4), *place.patterns("segmented", "--operations", "20", mpi=mpi), options=("--trace-ranks", "0,2-3"))
        of_files = [row for row in rows if row.path.startswith(place.files)]
        place.expect({row.rank for row in of_files} == {"0", "2", "3"}, f"ranks {({row.rank for row in of_files})}")
        place.expect(len(of_files) == 3 * 22, f"{len(of_files)} operations")
        for process in FathomView(place.fathom, place.log).tables["processes"]:
            place.expect(process["rank"] != 1 or (process["traced"], process["untraced"]) == (0, 0),
                         f"rank 1 has {process['traced']} operations traced and {process['untraced']} not")


for mpi in MPIS:
    of_some_ranks(mpi)


@case("--trace-memory: what has no room is counted, and what was traced before is there")
def _(place):
    operations = 300000
    command = place.patterns("random", "--operations", str(operations))
    wanted = [row.operation() for row in place.traced(*place.patterns("random", "--operations", "1000")) if place.is_ours(row.path)]
    place.traced(*command, options=("--trace-memory", "256"))
    rows, tables = place.expect_as_counted(some_untraced=True)
    process = next(process for process in tables["processes"] if process["traced"])
    counted = sum(row["operations"] for row in tables["operations"])
    place.expect(process["traced"] + process["untraced"] == counted >= operations,
                 f"{process['traced']} operations traced and {process['untraced']} not: together not {counted}")
    place.expect(process["untraced"] > 0 and process["traced"] > 1000, f"{process['traced']} traced, {process['untraced']} not")
    parted = first_difference([row.operation() for row in rows][:1000], wanted[:1000])
    place.expect(parted is None, f"of those that were traced: {parted}")
    size = os.path.getsize(place.log)
    place.expect(size < 512 << 10, f"the log has {size} bytes")


@case("a trace is made when asked for, by option or variable, and not otherwise")
def _(place):
    command = place.patterns("contiguous", "--operations", "10")
    for options, variables, traced in (((), {}, False), (("--trace",), {}, True), ((), {"FATHOM_TRACE": "1"}, True),
                                       ((), {"FATHOM_TRACE": "0"}, False)):
        result = place.record(*command, options=("-q", "-o", place.log, *options), env={**os.environ, **variables})
        place.expect_status(result, 0)
        process = FathomView(place.fathom, place.log).tables["processes"][0]
        place.expect(bool(process["traced"]) == traced, f"{options} {variables}: {process['traced']} operations")
        result = place.run(place.fathom, "dump", "--trace", place.log)
        if traced:
            place.expect(len(result.stdout.splitlines()) == 1 + process["traced"], f"{options} {variables}: {result.stdout!r}")
        else:
            place.expect_message(result, "no trace")


@timed("starts and durations are those that a program measured itself")
def _(place):
    """A pause is kept to 3.2 %, and so is the start after it; what is lost at one operation is made up for at the next."""
    os.mkfifo(place.path("fifo"))
    job, log = paced.start(place, "read", "fifo", 40, 100, 7, ("--trace",))
    pauses = random.Random(1)
    with open(place.path("fifo"), "wb", buffering=0) as fifo:
        for _ in range(40):
            time.sleep(0.009 + 0.002 * 10 ** pauses.random())
            fifo.write(b"x")
    calls = paced.calls_of(place, job)
    rows, _ = place.expect_as_counted(log)
    rows = [row for row in rows if row.layer == "posix" and row.kind == "read"]
    place.expect(len(rows) == len(calls), f"{len(rows)} reads, not {len(calls)}")
    job_start = round(FathomView(place.fathom, log).dump["job_start_unix_seconds"] * 1e9)
    before = None
    for row, call in zip(rows, calls):
        start = row.start + job_start
        lost = 0.04 * (call.begin - before.end + before.length if before else call.length) + 500_000
        place.expect(abs(start - call.begin) <= lost, f"a read began at {start} ns, the program says {call.begin}")
        place.expect(abs(row.duration - call.length) <= 0.04 * call.length + 100_000, f"it took {row.duration} ns, the program says {call.length}")
        before = call


@case("Chrome's form has the same operations")
def _(place):
    rows = place.traced(*place.patterns("mixed", "--threads", "2"))
    text = place.run(place.fathom, "dump", "--chrome-trace", place.log).stdout
    document = json.loads(text)
    events = document["traceEvents"] if isinstance(document, dict) else document
    complete = [event for event in events if event["ph"] == "X"]
    place.expect(len(complete) == len(rows), f"{len(complete)} events, {len(rows)} operations")
    place.expect({event["tid"] for event in complete} == {row.thread for row in rows}, "other threads")
    spent, wanted = sum(event["dur"] for event in complete) * 1000, sum(row.duration for row in rows)
    place.expect(abs(spent - wanted) <= 0.02 * wanted, f"they took {spent} ns, not {wanted}")  # none may overlap the next


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
