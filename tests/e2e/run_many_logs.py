#!/usr/bin/env python3
"""Commands that take several logs (merge, compare, report), and the bar that long work shows on a terminal.

usage: run_many_logs.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_many_logs.py --list
Exit status 77: the case cannot be set up here.
"""
import csv
import fcntl
import io
import json
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections import Counter

import cases
from cases import Skip, case
from fathom_view import FathomView
from mpis import OPEN_MPI

WORKERS = 24


class Place(cases.Place):
    """Also records small runs, each to a log of its own."""

    def dd(self, log, blocks, size=1000):
        result = self.record("dd", "if=/dev/zero", f"of={self.path('data')}", f"bs={size}", f"count={blocks}", "status=none",
                             options=("-o", log, "-q"))
        self.expect_status(result, 0)

    def merge(self, *words):
        result = self.run(self.fathom, "merge", *words)
        self.expect_status(result, 0)
        return result

    def dump_lines(self, log):
        return sorted(self.run(self.fathom, "dump", log).stdout.splitlines())


def need_mpi(place):
    if not OPEN_MPI.has(place.programs, "checkpoint"):
        raise Skip("no Open MPI")


def sums_of(view):
    """Every number of records and totals that adds up."""
    sums = Counter()
    for table in ("totals", "operations", "durations", "time_bins", "posix", "stdio", "mpiio"):
        for row in view.tables[table]:
            for name in ("opens", "reads", "writes", "bytes_read", "bytes_written", "read_time", "write_time",
                         "metadata_time", "operations", "time", "metadata"):
                if isinstance(row.get(name), (int, float)):
                    sums[table, name] += row[name]
    return sums


def expect_sums(place, merged, logs, what):
    expected = Counter()
    for log in logs:
        expected.update(sums_of(FathomView(place.fathom, log)))
    got = sums_of(FathomView(place.fathom, merged))
    for name, value in expected.items():
        place.expect(abs(got[name] - value) < 1e-6, f"{what}: {name} is {got[name]} instead of {value}")


@case("24 workers, recorded one by one, are one job")
def _(place):
    logs = [place.path(f"worker-{number}.fathom") for number in range(WORKERS)]
    for number, log in enumerate(logs):
        place.dd(log, number + 1)
    merged = place.path("all.fathom")
    place.merge(*logs, "-o", merged)
    expect_sums(place, merged, logs, "merged")
    view = FathomView(place.fathom, merged)
    place.expect(len(view.tables["processes"]) == WORKERS, f"{len(view.tables['processes'])} processes")
    written = view.layers["posix"][place.path("data")]["bytes_written"]
    place.expect(written == 1000 * WORKERS * (WORKERS + 1) / 2, f"{written} bytes written")
    backwards = place.path("backwards.fathom")
    place.merge(*reversed(logs), "-o", backwards)
    expect_sums(place, backwards, logs, "merged backwards")
    report = json.loads(place.run(place.fathom, "report", merged, "--format", "json").stdout)
    place.expect(report["values"]["modes.application_writes"] == "N-1", "all of them wrote one file")


@case("a log that is merged alone is as it was")
def _(place):
    need_mpi(place)
    log, same = place.path("x.fathom"), place.path("same.fathom")
    result = place.record(*OPEN_MPI.run(3), place.program("checkpoint"), "--mode", "N-1", "--mib-per-rank", "1",
                          options=("-o", log, "-q"))
    place.expect_status(result, 0)
    place.merge(log, "-o", same)
    place.expect(place.dump_lines(log) == place.dump_lines(same), "the dumps differ")


@case("two runs of an MPI job are one of twice as many ranks")
def _(place):
    need_mpi(place)
    logs = [place.path("a.fathom"), place.path("b.fathom")]
    for log in logs:
        result = place.record(*OPEN_MPI.run(3), place.program("checkpoint"), "--mode", "N-1", "--mib-per-rank", "1",
                              options=("-o", log, "-q"))
        place.expect_status(result, 0)
    merged = place.path("ab.fathom")
    place.merge(*logs, "-o", merged)
    expect_sums(place, merged, logs, "merged")
    ranks = [process["rank"] for process in FathomView(place.fathom, merged).tables["processes"] if process["rank"] >= 0]
    place.expect(ranks == list(range(6)), f"ranks {ranks}")
    values = json.loads(place.run(place.fathom, "report", merged, "--format", "json").stdout)["values"]
    alone = json.loads(place.run(place.fathom, "report", logs[0], "--format", "json").stdout)["values"]
    place.expect(values["job.ranks"] == 6 and values["summary.bytes_written"] == 2 * alone["summary.bytes_written"],
                 "the report is not of both")
    place.expect(values["modes.application_writes"] == alone["modes.application_writes"] == "N-1",
                 f"modes {values['modes.application_writes']}, alone {alone['modes.application_writes']}")


@case("merge refuses what would harm or count twice, and takes what it can read")
def _(place):
    a, b = place.path("a.fathom"), place.path("b.fathom")
    place.dd(a, 10)
    place.dd(b, 20)
    before = place.dump_lines(a)
    for words, status, pattern in ((("a.fathom", "b.fathom", "-o", "./a.fathom"), 2, "one of the logs to merge"),
                                   (("a.fathom", "a.fathom", "-o", "x.fathom"), 1, "counted twice"),
                                   (("a.fathom", "none.fathom", "-o", "x.fathom"), 1, "none.fathom: .*No such file"),
                                   (("a.fathom", "b.fathom", "-o", "none/x.fathom"), 1, "none/x.fathom"),
                                   (("-o", "x.fathom"), 2, "LOG")):
        result = place.run(place.fathom, "merge", *words)
        place.expect_status(result, status)
        place.expect_message(result, pattern)
        place.expect(not os.path.exists(place.path("x.fathom")), f"{words} left a log")
    place.expect(place.dump_lines(a) == before, "an input has changed")

    with open(b, "rb") as file:
        content = file.read()
    with open(place.path("cut.fathom"), "wb") as file:
        file.write(content[:-60])
    result = place.merge("a.fathom", "cut.fathom")
    place.expect("cut.fathom: at byte" in result.stderr and "could be read" in result.stderr, f"nothing said of damage: {result.stderr!r}")
    merged = FathomView(place.fathom, place.path("dd-merged.fathom"))
    place.expect(any("cut.fathom: at byte" in problem for problem in merged.problems), f"problems {merged.problems}")


@case("compare finds what was changed on purpose, and fails where it is asked to")
def _(place):
    base, again, small = (place.path(name + ".fathom") for name in ("base", "again", "small"))
    # In memory, and mostly asleep: a device would vary by more than what is looked for.
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        for log, blocks, size in ((base, 4, 1 << 20), (again, 4, 1 << 20), (small, 1 << 20, 4)):
            result = place.record("sh", "-c", f"sleep 1; exec dd if=/dev/zero of={folder}/data bs={size} count={blocks} status=none",
                                  options=("-o", log, "-q"))
            place.expect_status(result, 0)
    values = json.loads(place.run(place.fathom, "compare", base, again, "--format", "json").stdout)["values"]
    place.expect(values["verdict.verdict"] in ("same", "inconclusive"), f"two like runs: {values}")
    values = json.loads(place.run(place.fathom, "compare", base, small, "--format", "json").stdout)["values"]
    place.expect(values["verdict.verdict"] == "slower", f"small writes: {values}")
    place.expect(values.get("causes.write_size", 0) > 0, f"small writes: {values}")
    for words, status, lines in ((("--fail-if", "slower=10%"), 3, 1), (("--fail-if", "bytes=100%"), 0, 0),
                                 (("--fail-if", "slower=10%", "--fail-if", "bytes=1000%", "--fail-if", "io_time=1"), 3, 2),
                                 (("--fail-if", "quicker=10%"), 2, 1), (("--fail-if", "slower"), 2, 1),
                                 (("--noise", "x"), 2, 1), (("--format", "odt"), 2, 1)):
        result = place.run(place.fathom, "compare", base, small, *words)
        place.expect_status(result, status)
        place.expect(len(result.stderr.splitlines()) == lines, f"{words}: {result.stderr!r}")
    result = place.run(place.fathom, "compare", base, base, small, "--fail-if", "slower=10%")
    place.expect_status(result, 3)
    result = place.run(place.fathom, "compare", base)
    place.expect_status(result, 2)
    place.expect_message(result, "at least two")


def rows_of(result):
    """The rows of a table in CSV, by the names of the columns."""
    return list(csv.DictReader(io.StringIO(result.stdout)))


def several_logs(place):
    """Four that can be read, one of them cut short, and three that cannot; their names."""
    for name, blocks, size in (("small", 10, 1000), ("large", 40, 1 << 20), ("pieces", 20000, 8)):
        place.dd(place.path(name + ".fathom"), blocks, size)
    with open(place.path("large.fathom"), "rb") as file:
        content = file.read()
    for name, what in (("cut", content[:-60]), ("garbage", b"\0\1\2\3" * 100), ("empty", b""), ("text", b"a line\n")):
        with open(place.path(name + ".fathom"), "wb") as file:
            file.write(what)
    os.mkfifo(place.path("pipe.fathom"))
    return ["small.fathom", "large.fathom", "pieces.fathom", "cut.fathom"], ["garbage.fathom", "empty.fathom", "text.fathom", "pipe.fathom"]


@case("a table of several logs has a row for each that can be read, and names the others")
def _(place):
    good, bad = several_logs(place)
    bad.append("gone.fathom")
    result = place.run(place.fathom, "report", "--csv", *good, *bad)
    place.expect_status(result, 0)
    lines = result.stderr.splitlines()
    place.expect(len(lines) == len(bad), f"{len(lines)} lines for {len(bad)} logs: {result.stderr!r}")
    for line, name in zip(lines, bad):
        place.expect(line.startswith(f"fathom: {name}: "), f"of {name}: {line!r}")
    rows = {row["log"]: row for row in rows_of(result)}
    place.expect(sorted(rows) == sorted(good), f"rows of {sorted(rows)}")
    place.expect([name for name in good if rows[name]["state"] == "partial"] == ["cut.fathom"], "the one that was cut is not marked")
    place.expect("at byte" in rows["cut.fathom"]["problem"], f"the problem is {rows['cut.fathom']['problem']!r}")
    place.expect(rows["large.fathom"]["bytes_written"] == str(40 << 20), f"bytes {rows['large.fathom']['bytes_written']}")

    table = place.run(place.fathom, "report", *good, *bad)
    place.expect_status(table, 0)
    for words in (*good, "partial", "empty.fathom: the file is empty", "could not be read"):
        place.expect(words in table.stdout, f"the text lacks {words!r}: {table.stdout}")
    for words, status in ((bad, 1), (("--list", "gone.txt"), 1), (("--csv",), 2), ((*good, "--sort", "speed"), 2), ((*good, "--csv", "--format", "pdf"), 2),
                          ((*good, "--files", "3"), 2)):
        result = place.run(place.fathom, "report", *words)
        place.expect_status(result, status)
        place.expect(result.stdout == "", f"{words}: {result.stdout!r}")
        place.expect_message(result, "fathom: ")


@case("the rows of a table agree with the reports of the logs")
def _(place):
    good, _ = several_logs(place)
    if OPEN_MPI.has(place.programs, "checkpoint"):
        result = place.record(*OPEN_MPI.run(3), place.program("checkpoint"), "--mode", "N-1", "--mib-per-rank", "1",
                              options=("-o", place.path("mpi.fathom"), "-q"))
        place.expect_status(result, 0)
        good.append("mpi.fathom")
    rows = {row["log"]: row for row in rows_of(place.run(place.fathom, "report", "--csv", *good))}
    for name in good:
        values = json.loads(place.run(place.fathom, "report", name, "--format", "json").stdout)["values"]
        for reported, column in (("job.run_time", "run_time_seconds"), ("rate.bytes", "bytes"), ("summary.bytes_read", "bytes_read"),
                                 ("summary.bytes_written", "bytes_written"), ("rate.rate_window", "rate_window_mib_per_second"),
                                 ("rate.rate_per_node", "rate_per_node_mib_per_second"), ("summary.io_share", "io_share"),
                                 ("modes.application_reads", "read_mode"), ("modes.application_writes", "write_mode"),
                                 ("findings.count", "findings"), ("job.program", "executable")):
            got, value = rows[name][column], values[reported]
            same = got == "" if value is None else float(got) == value if isinstance(value, (int, float)) else got == value
            place.expect(same, f"{name}: {column} is {got}, the report has {value}")
        costs = [value for key, value in values.items() if key.startswith("findings.") and key.endswith(".cost")]
        got = rows[name]["cost_seconds"]
        place.expect(got == "" if not costs else float(got) == max(costs), f"{name}: cost {got} of {costs}")


@case("a table comes from folders and lists, in the order that was asked for, in every form")
def _(place):
    good, bad = several_logs(place)
    os.makedirs(place.path("logs/below"))
    os.mkdir(place.path("none"))
    os.rename(place.path("small.fathom"), place.path("logs/small.fathom"))
    os.rename(place.path("large.fathom"), place.path("logs/below/a, \"b\"\n.fathom"))
    odd = "logs/below/a, \"b\"\\n.fathom"  # as CSV has it
    result = place.run(place.fathom, "report", "--csv", "logs", "none", "--sort", "bytes")
    place.expect_status(result, 0)
    place.expect([row["log"] for row in rows_of(result)] == [odd, "logs/small.fathom"], f"rows {rows_of(result)}")
    place.expect(re.fullmatch("fathom: none: no file .*\n", result.stderr), f"of the folder without logs: {result.stderr!r}")
    for order, first in (("bytes:asc", "logs/small.fathom"), ("log:desc", "pieces.fathom"), ("log", odd), ("start", "pieces.fathom"),
                         ("bytes_written:desc", odd)):
        result = place.run(place.fathom, "report", "logs", "--list", "-", "--csv", "--sort", order, "--top", "1", input="pieces.fathom\n\n")
        place.expect_status(result, 0)
        place.expect([row["log"] for row in rows_of(result)] == [first], f"--sort {order}: {result.stdout!r}")
    outputs = [place.path("table" + ending) for ending in (".csv", ".json", ".html", ".pdf", ".txt")]
    result = place.run(place.fathom, "report", "logs", *(word for path in outputs for word in ("-o", path)))
    place.expect_status(result, 0)
    place.expect(result.stdout == "", f"printed as well: {result.stdout!r}")
    for path in outputs:
        place.expect(os.path.getsize(path) > 100, f"{path} is missing")
    with open(outputs[1], encoding="utf-8") as file:
        table = json.load(file)["sections"][0]["blocks"][-1]
    with open(outputs[0], encoding="utf-8", newline="") as file:
        names = next(csv.reader(file))
    place.expect(len(table["rows"]) == 2 and len(table["columns"]) == len(names), f"JSON has {len(table['rows'])} rows of {len(table['columns'])}")
    one = place.run(place.fathom, "report", "pieces.fathom", "--csv")
    place.expect(len(rows_of(one)) == 1, f"a table of one log: {one.stdout!r}")
    one = place.run(place.fathom, "report", "pieces.fathom")
    place.expect("I/O took" in one.stdout, "one log alone has its report")


def many_files(place):
    """A log that takes a moment to read."""
    log = place.path("many.fathom")
    place.expect_status(place.record(place.program("patterns"), "many_files", place.folder, "--operations", "60000",
                                     options=("-o", log, "-q", "--memory", "131072", "--no-timings")), 0)
    return log


def on_terminal(place, words, stop_after):
    """Runs fathom on a terminal of its own, and stops it for more than a second; what it wrote there."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(place.folder)
        os.execv(place.fathom, [place.fathom, *words])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    time.sleep(stop_after)
    os.kill(pid, signal.SIGSTOP)
    time.sleep(1.2)
    os.kill(pid, signal.SIGCONT)
    written = b""
    while True:
        try:
            some = os.read(terminal, 65536)
        except OSError:
            some = b""
        if not some:
            break
        written += some
    os.close(terminal)
    os.waitpid(pid, 0)
    return written.decode()


@case("a bar comes up on a terminal once work takes a second, and nothing of it stays")
def _(place):
    log = many_files(place)
    out = place.path("out.txt")
    words = ("report", log, "-o", out)
    slow = ""
    for stop_after in (0.1, 0.05, 0.2, 0.03, 0.4, 0.8):  # somewhere within its work
        slow = slow or on_terminal(place, words, stop_after)
    place.expect("[" in slow and " %" in slow, f"no bar: {slow!r}")
    place.expect(slow.endswith("\r\x1b[K"), f"something stays: {slow[-100:]!r}")
    place.expect("\n" not in slow, f"more than a line: {slow!r}")
    place.expect(all(len(line.replace("\x1b[K", "")) < 60 for line in slow.split("\r")), f"too wide: {slow!r}")
    result = place.run(place.fathom, *words)
    place.expect_status(result, 0)
    place.expect(result.stderr == "", f"without a terminal: {result.stderr!r}")


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
