#!/usr/bin/env python3
"""Logs of programs that were run, converted to Darshan's format and back: what it can hold comes back as it was.

usage: run_convert.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_convert.py --list
Exit status 77: something that the test needs is not here.
"""
import csv
import io
import re
import subprocess
import sys
from collections import Counter

import cases
from cases import Skip, case
from mpis import OPEN_MPI

# What Darshan tells of a file that some processes shared is as if all had, and it has four common sizes of our eight.
OTHERWISE = re.compile(r"^(processes|readers|writers|common_size_.*|\w+_process(_.*)?|file|process)$")
# Darshan writes standard streams in capitals.
STREAM = re.compile(r"<std(in|out|err)>")


class Place(cases.Place):
    def dump(self, log, *options):
        return subprocess.run([self.fathom, "dump", *options, log], check=True, capture_output=True, text=True).stdout

    def values_of(self, log, table):
        """How often each (process, counter, value, subject) is in a table, without what is not recorded."""
        rows = Counter()
        for line in self.dump(log, "--table", table).splitlines():
            fields = line.split("\t")
            if line.startswith("#") or fields[3] == "not-recorded" or OTHERWISE.match(fields[2]):
                continue
            fields[4] = STREAM.sub(lambda found: found.group().upper(), fields[4])
            rows[tuple(fields[1:])] += 1
        return rows

    def operations_of(self, log):
        """Reads and writes of POSIX and MPI-IO by process, file, offset and size."""
        rows = csv.DictReader(io.StringIO(self.dump(log, "--trace")))
        return Counter((row["process"], row["layer"], row["kind"], STREAM.sub(lambda at: at.group().upper(), row["path"]),
                        row["offset"], row["size"])
                       for row in rows if row["kind"] in ("read", "write") and row["layer"] != "stdio")

    def expect_same_after_darshan(self, log, trace=False):
        theirs, back = self.path("there.darshan"), self.path("back.fathom")
        for source, target in ((log, theirs), (theirs, back)):
            subprocess.run([self.fathom, "convert", source, target], check=True, stderr=subprocess.DEVNULL)
        compared = 0
        for table in ("posix", "stdio", "mpiio"):
            was, now = self.values_of(log, table), self.values_of(back, table)
            invented = now - was
            self.expect(not invented, f"{table}: {len(invented)} values were not in the log: {list(invented)[:5]}")
            compared += sum(now.values())
        self.expect(compared > 100, f"only {compared} values were compared")
        if trace:
            was, now = self.operations_of(log), self.operations_of(back)
            self.expect(was == now, f"operations differ: {list((was - now) + (now - was))[:5]}")
            self.expect(sum(now.values()) > 0, "no operation was traced")


@case("ranks that write one file together, traced")
def _(place):
    if not OPEN_MPI.has(place.programs, "checkpoint"):
        raise Skip("Open MPI is not here")
    log = place.path("x.fathom")
    place.expect_status(place.record(*OPEN_MPI.run(4), place.program("checkpoint"), "--mode", "N-1", "--mib-per-rank", "1",
                                     options=("-q", "--trace", "-o", log)), 0)
    place.expect_same_after_darshan(log, trace=True)


@case("processes with threads, traced")
def _(place):
    log = place.path("x.fathom")
    place.expect_status(place.record(place.program("patterns"), "mixed", place.folder, "--processes", "3", "--threads", "3",
                                     options=("-q", "--trace", "-o", log)), 0)
    place.expect_same_after_darshan(log, trace=True)


@case("workers of Python")
def _(place):
    log = place.path("x.fathom")
    work = "import multiprocessing as m\ndef w(n): open(f'f{n}', 'wb', 0).write(b'x' * 1000 * (n + 1))\n" \
           "m.get_context('fork').Pool(3).map(w, range(9))"
    place.expect_status(place.record(sys.executable, "-c", work, options=("-q", "-o", log)), 0)
    place.expect_same_after_darshan(log)


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
