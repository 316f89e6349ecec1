#!/usr/bin/env python3
"""Logs of programs that were run, converted to Darshan's format and back: what it can hold comes back as it was.

usage: run_convert.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_convert.py --list
Exit status 77: something that the test needs is not here.
"""
import csv
import io
import os
import re
import subprocess
import sys
from collections import Counter
from decimal import Decimal

import cases
from cases import Skip, case
from mpis import OPEN_MPI

# What Darshan tells of a file that some processes shared is as if all had, and it has four common sizes of our eight.
OTHERWISE = re.compile(r"^(processes|readers|writers|common_size_.*|\w+_process(_.*)?|file|process)$")
AT_START = "0.000000001"  # what was at the very start, since 0 means never there
INSTANT = re.compile(r"^(first|last)_(open|read|write|close)$")


def numbered(rows):
    """How often each row is there; the processes that come first in them are numbered from 0, several are -1."""
    rows = [tuple(row) for row in rows]
    processes = sorted({int(row[0]) for row in rows} - {-1})
    return Counter((processes.index(int(row[0])) if row[0] != "-1" else -1, *row[1:]) for row in rows)


class Place(cases.Place):
    def dump(self, log, *options):
        return subprocess.run([self.fathom, "dump", *options, log], check=True, capture_output=True, text=True).stdout

    def values_of(self, log, table):
        """How often each (process, counter, value, subject) is in a table of what is in the folder, without what is not
        recorded. Processes are numbered by what of them is there, instants are those of UNIX time: Darshan's job begins with
        its ranks, and has no other processes."""
        text = self.dump(log, "--table", table)
        start = Decimal(re.search(r"^# job start: .* = (\S+) s", text, re.MULTILINE).group(1))
        found = []
        for line in text.splitlines():
            fields = line.split("\t")
            if line.startswith("#") or fields[3] == "not-recorded" or OTHERWISE.match(fields[2]) or \
                    not fields[4].startswith(self.folder + os.sep):
                continue
            if INSTANT.match(fields[2]) and fields[3] == AT_START:
                continue
            if INSTANT.match(fields[2]) and fields[3] != "-":
                fields[3] = str(Decimal(fields[3]) + start)
            found.append(fields[1:])
        return numbered(found)

    def operations_of(self, log):
        """Reads and writes of POSIX and MPI-IO in the folder by process, file, offset and size."""
        rows = csv.DictReader(io.StringIO(self.dump(log, "--trace")))
        return numbered([row["process"], row["layer"], row["kind"], row["path"], row["offset"], row["size"]]
                        for row in rows if row["kind"] in ("read", "write") and row["layer"] != "stdio"
                        and row["path"].startswith(self.folder + os.sep))

    def job_of(self, log):
        """What the head of Darshan's text says of a job, by name."""
        return dict(re.findall(r"^# (\w[\w ]*): (.*)$", self.dump(log, "--darshan-text"), re.MULTILINE))

    def records_of(self, log):
        """(module, rank, id) of each record, with its path."""
        lines = (line.split("\t") for line in self.dump(log, "--darshan-text").splitlines() if line[:1] not in ("#", ""))
        return {tuple(fields[:3]): fields[5] for fields in lines if len(fields) > 5}

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
    job = place.job_of(place.path("there.darshan"))
    place.expect(job["nprocs"] == "4", f"{job['nprocs']} ranks instead of 4")
    place.expect(job["uid"] == str(os.getuid()), f"uid {job['uid']}")
    place.expect("checkpoint" in job["exe"].split()[0], f"the program is told as {job['exe']}")
    pid_of_rank_0 = re.search(r"\t0\tpid\t(\d+)", place.dump(log, "--table", "processes")).group(1)
    place.expect(job["jobid"] == pid_of_rank_0, f"job id {job['jobid']} instead of {pid_of_rank_0}")


@case("ranks that write after MPI_Finalize, and their children")
def _(place):
    if not OPEN_MPI.has(place.programs, "after_finalize"):
        raise Skip("Open MPI is not here")
    log, theirs = place.path("x.fathom"), place.path("x.darshan")
    place.expect_status(place.record(*OPEN_MPI.run(2), place.program("after_finalize"), options=("-q", "-o", log)), 0)
    place.expect_message(place.run(place.fathom, "convert", log, theirs), r"\d+ processes that are no MPI ranks",
                         "by a path that opened nothing")
    records = place.records_of(theirs)
    ranks = {}
    for module, rank, number in records:
        ranks.setdefault((module, number), set()).add(rank)
    several = [record for record, those in ranks.items() if "-1" in those and len(those) > 1]
    place.expect(not several, f"{len(several)} files have records of all ranks and of one: {several[:5]}")
    lines = [line for line in place.dump(theirs, "--darshan-text").splitlines() if "\tSTDIO_OPENS\t" in line]
    written = sorted(line.split("\t")[5].rsplit("/")[-1] for line in lines if line.split("\t")[5].startswith(place.folder))
    place.expect(written == ["after.0", "after.1", "before.0", "before.1"], f"files of stdio: {written}")
    place.expect("<not opened>" not in records.values(), "calls that opened nothing have a record")


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
    place.expect_status(place.record(sys.executable, "-c", work, options=("-q", "-o", log),
                                     env={**os.environ, "SLURM_JOB_ID": "4711"}), 0)
    place.expect_same_after_darshan(log)
    job = place.job_of(place.path("there.darshan"))
    place.expect(job["jobid"] == "4711", f"job id {job['jobid']}")


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
