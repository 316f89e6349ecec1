#!/usr/bin/env python3
"""Slices of time and histograms of durations, beside what programs say of their own calls and beside the counters.

usage: run_timings.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_timings.py --list
Exit status 77: something that the test needs is not here.
"""
import fcntl
import os
import random
import signal
import subprocess
import sys
import time

import cases
import paced
from cases import Skip, case, timed
from fathom_view import FathomView
from mpis import MPICH, OPEN_MPI
from timing_view import (differences_to_counters, differences_to_histograms, differences_to_totals, mistakes_in_grid, quantile,
                         quantile_of_bins)
from trace_view import slices_of, trace_of

# A program's clock readings lie a little outside of ours, and ours are ticks that were converted.
CLOCKS_AGREE_WITHIN = 300_000  # ns
QUANTILES = (0.5, 0.9, 0.99)


class Place(cases.Place):
    def expect_whole(self, log, operations_within=0, bytes_within=0):
        """Slices, histograms and counters of the log tell the same. Gives the time bins and the tables."""
        slices, view = slices_of(self.fathom, log), FathomView(self.fathom, log)
        self.found += [f"problem in the log: {problem}" for problem in view.problems]
        self.found += mistakes_in_grid(slices)
        self.found += differences_to_totals(slices, view.tables, operations_within, bytes_within)
        if operations_within == 0:
            self.found += differences_to_histograms(slices, view.tables)
            self.found += differences_to_counters(view.tables)
        untimed = sum(process["untimed"] for process in view.tables["processes"])
        self.expect(untimed == 0, f"{untimed} operations were not timed")
        self.expect(slices, "there are no time bins")
        return slices, view.tables


def coarsened(slices, length, names):
    """{start: {name: sum}} in time bins of that length."""
    sums = {}
    for row in slices:
        into = sums.setdefault(row.start - row.start % length, dict.fromkeys(names, 0))
        for name in names:
            into[name] += getattr(row, name)
    return sums


def expect_at_their_times(place, calls, sums, length, name):
    """Up to each boundary between slices as many bytes and operations as the program says: calls that were under way
    then may be on either side."""
    first = calls[0].begin - calls[0].begin % length
    for boundary in range(first, calls[-1].end + 2 * length, length):
        before = [one for start, one in sums.items() if start < boundary]
        surely = [call for call in calls if call.end < boundary - CLOCKS_AGREE_WITHIN]
        perhaps = [call for call in calls if call.begin < boundary + CLOCKS_AGREE_WITHIN]
        done = sum(one["bytes_written"] for one in before)
        place.expect(sum(call.result for call in surely) <= done <= sum(call.result for call in perhaps),
                     f"{name}: {done} bytes before {boundary}; at least {len(surely)}, at most {len(perhaps)} calls were made")
        began = sum(one["writes"] for one in before)
        place.expect(len(surely) <= began <= len(perhaps), f"{name}: {began} writes before {boundary}: {len(surely)} to {len(perhaps)}")


@timed("time bins of two jobs at the same time coincide, and have what was written then")
def _(place):
    one, log_of_one = paced.start(place, "write", "one", 45, 5000, 50)
    time.sleep(1)
    two, log_of_two = paced.start(place, "write", "two", 40, 300, 55)
    calls = {"one": paced.calls_of(place, one), "two": paced.calls_of(place, two)}
    slices = {"one": place.expect_whole(log_of_one)[0], "two": place.expect_whole(log_of_two)[0]}
    files = {name: [row for row in rows if row.layer == "posix" and row.streams == 0] for name, rows in slices.items()}
    length = max(row.length for rows in files.values() for row in rows)
    sums = {name: coarsened(rows, length, ("bytes_written", "writes")) for name, rows in files.items()}
    for name, of_file in sums.items():
        expect_at_their_times(place, calls[name], of_file, length, name)
    both = range(max(calls[name][0].begin for name in calls), min(calls[name][-1].begin for name in calls) - length, length)
    shared = {at - at % length for at in both[1:]}
    place.expect(len(both) >= 4, f"the jobs met in {len(both)} time bins of {length} ns")
    for name, of_file in sums.items():
        missing = [at for at in shared if of_file.get(at, {"writes": 0})["writes"] == 0]
        place.expect(not missing, f"{name} has nothing in the time bins {missing}")


def expect_shared_out(place, calls, slices, time_name, bytes_name=None):
    """Each time bin has the time and the bytes of the calls' parts that lie in it."""
    tolerance = 2_000_000  # ns: other processes run too between a call and the reading of the clock beside it
    place.expect(len(slices) > len(calls), f"{len(calls)} calls in {len(slices)} time bins")
    for row in slices:
        wanted = sum(call.within(row.start, row.end) for call in calls)
        got = getattr(row, time_name)
        place.expect(abs(got - wanted) <= tolerance, f"time bin {row.start} of {row.length}: {time_name} is {got}, not {wanted}")
        if bytes_name is None:
            continue
        wanted = sum(call.result * call.within(row.start, row.end) / max(call.length, 1) for call in calls)
        slack = 1 + sum(call.result * tolerance / max(call.length, 1) for call in calls if call.within(row.start, row.end))
        place.expect(abs(getattr(row, bytes_name) - wanted) <= slack,
                     f"time bin {row.start} of {row.length}: {getattr(row, bytes_name)} bytes, not {wanted}")


@timed("a read that waits is shared out over the time bins that it lasts")
def _(place):
    os.mkfifo(place.path("fifo"))
    job, log = paced.start(place, "read", "fifo", 4, 100000, 0)
    with open(place.path("fifo"), "wb", buffering=0) as fifo:
        for size in (50000, 1000, 60000, 7):
            time.sleep(0.5)
            fifo.write(bytes(size))
    calls = paced.calls_of(place, job)
    slices, _ = place.expect_whole(log)
    of_fifo = [row for row in slices if row.layer == "posix" and row.streams == 1]
    place.expect(sum(row.bytes_read for row in of_fifo) == 111007, "not all bytes are there")
    place.expect(sum(row.reads for row in of_fifo) == 4, "not four reads")
    expect_shared_out(place, calls, [row for row in of_fifo if row.bytes_read > 0 or row.read_time > 0], "read_time", "bytes_read")


@timed("a wait for a lock is shared out over the time bins that it lasts")
def _(place):
    with open(place.path("locked"), "w", encoding="ascii") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        job, log = paced.start(place, "lock", "locked", 1, 0, 0)
        time.sleep(1.2)
        fcntl.flock(file, fcntl.LOCK_UN)
        calls = paced.calls_of(place, job)
    place.expect(calls[0].length > 10**9, "the program did not wait")
    slices, _ = place.expect_whole(log)
    expect_shared_out(place, calls, [row for row in slices if row.layer == "posix" and row.streams == 0], "metadata_time")


def expect_quantiles(place, what, bins, durations):
    for share in QUANTILES:
        got, wanted = quantile_of_bins(bins, share), quantile(durations, share)
        print(f"{what}: {share:.0%} of {len(durations)}: {got:.0f} ns, exactly {wanted} ns, {got / wanted - 1:+.1%}")
        place.expect(abs(got - wanted) <= 0.05 * wanted, f"{what}: quantile {share}: {got} ns, not {wanted} ns")


@timed("quantiles of the histograms are those of durations that a program measured itself")
def _(place):
    os.mkfifo(place.path("fifo"))
    job, log = paced.start(place, "read", "fifo", 100, 100, 0)
    pauses = random.Random(1)
    with open(place.path("fifo"), "wb", buffering=0) as fifo:
        for _ in range(100):
            time.sleep(0.004 * 10 ** pauses.random())
            fifo.write(b"x")
    calls = paced.calls_of(place, job)
    _, tables = place.expect_whole(log)
    bins = [row for row in tables["durations"] if (row["layer"], row["streams"], row["kind"]) == (0, 1, 0)]
    place.expect(sum(row["operations"] for row in bins) == 100, "not a hundred reads in the histogram")
    expect_quantiles(place, "reads", bins, [call.length for call in calls])


@case("quantiles of the histograms are those of the trace")
def _(place):
    log = place.path("x.fathom")
    result = place.record(place.program("patterns"), "mixed", place.folder, "--operations", "30000", options=("-q", "--trace", "-o", log))
    place.expect_status(result, 0)
    _, tables = place.expect_whole(log)
    rows = trace_of(place.fathom, log)
    for kind, name in enumerate(("read", "write")):
        bins = [row for row in tables["durations"] if (row["layer"], row["streams"], row["kind"]) == (0, 0, kind)]
        expect_quantiles(place, name, bins, [row.duration for row in rows if row.kind == name])


def whole_log(name, command, mpi=None):
    @case(f"{name}: time bins, histograms and counters tell the same")
    def _(place):
        if mpi is not None and not mpi.has(place.programs, "checkpoint"):
            raise Skip(f"{mpi.name} is not here")
        log = place.path("x.fathom")
        words = [word.format(bin=place.programs, folder=place.folder) for word in command]
        place.expect_status(place.record(*words, options=("-q", "-o", log)), 0)
        _, tables = place.expect_whole(log)
        place.expect(sum(row["operations"] for row in tables["operations"]) > 20, "hardly an operation was timed")


whole_log("every call of POSIX", ("{bin}/posix_calls",))
whole_log("every call of stdio", ("{bin}/stdio_calls",))
whole_log("processes and threads", ("{bin}/patterns", "mixed", "{folder}", "--processes", "3", "--threads", "3"))
whole_log("many files", ("{bin}/patterns", "many_files", "{folder}", "--operations", "9000"))
whole_log("a shell and what it starts",
          ("sh", "-c", "seq 1 20000 > lines; sort -r lines | head -n 100 > few; dd if=few of=copy bs=1 status=none"))
for mpi in (OPEN_MPI, MPICH):
    for mode in ("N-1", "N-M", "1-1"):
        whole_log(f"checkpoint {mode}, {mpi.name}",
                  (*mpi.run(4), "{bin}/checkpoint" + mpi.suffix, "--mode", mode, "--mib-per-rank", "2", "--transfer", "64K",
                   "--compute-ms", "50", "--read-back", "--sync"), mpi)


@case("what a process did before it was killed is in its time bins")
def _(place):
    log = place.path("x.fathom")
    block, threads = 4096, 3
    command = (place.fathom, "record", "-q", "-o", log, "--", place.program("patterns"), "mixed", place.folder, "--operations", "500000000",
               "--threads", str(threads), "--block", str(block))
    with subprocess.Popen(command, cwd=place.folder) as recorder:
        time.sleep(1)
        with open(f"/proc/{recorder.pid}/task/{recorder.pid}/children", encoding="ascii") as children:
            os.kill(int(children.read().split()[0]), signal.SIGKILL)  # the second is the witness of signals
        recorder.wait(timeout=60)
    slices, _ = place.expect_whole(log, operations_within=threads, bytes_within=threads * block)
    place.expect(len({row.start for row in slices}) > 1, "all in one time bin")


@case("--no-timings: counters alone")
def _(place):
    for options, variables, wanted in ((("--no-timings",), {}, False), ((), {"FATHOM_NO_TIMINGS": "1"}, False),
                                       ((), {"FATHOM_NO_TIMINGS": "0"}, True), ((), {}, True)):
        log = place.path("x.fathom")
        result = place.record(place.program("patterns"), "contiguous", place.folder, "--operations", "50",
                              options=("-q", "-o", log, *options), env={**os.environ, **variables})
        place.expect_status(result, 0)
        tables = FathomView(place.fathom, log).tables
        for table in ("operations", "durations", "time_bins"):
            place.expect(bool(tables[table]) == wanted, f"{options} {variables}: {len(tables[table])} rows of {table}")
        reads = sum(record["reads"] for record in tables["posix"])
        place.expect(reads == 25, f"{options} {variables}: {reads} reads")


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
