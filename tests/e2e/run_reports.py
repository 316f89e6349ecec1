#!/usr/bin/env python3
"""What reports say of programs that were run: phases of those that pause, and that every log agrees with itself.

usage: run_reports.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_reports.py --list
Exit status 77: something that the test needs is not here.
"""
import json
import shutil
import subprocess
import sys

import cases
import paced
from cases import Skip, case, timed
from mpis import MPICH, OPEN_MPI


class Place(cases.Place):
    def report_of(self, log):
        """The report's values, and its sections by id."""
        written = self.path("report.json")
        subprocess.run([self.fathom, "report", log, "-o", written], check=True, stdout=subprocess.DEVNULL)
        with open(written, encoding="utf-8") as file:
            report = json.load(file)
        return report["values"], {section["id"]: section["blocks"] for section in report["sections"]}

    def expect_all_held(self, log, least_rules=10):
        values, sections = self.report_of(log)
        checked, held = values["invariants.checked"], values["invariants.held"]
        self.expect(checked >= least_rules, f"only {checked} rules were checked")
        self.expect(held == checked, f"{held} of {checked} rules held: {sections['invariants']}")


@timed("a program that pauses has its phases, with their period")
def _(place):
    job, log = paced.start(place, "write", "out", 8, 1 << 22, 500)
    calls = paced.calls_of(place, job)
    values, sections = place.report_of(log)
    place.expect(values["phases.count"] == 8, f"{values['phases.count']} phases")
    starts = [call.begin for call in calls]
    apart = sorted(after - before for before, after in zip(starts, starts[1:]))[3] / 1e9
    period = values.get("phases.period", 0)
    place.expect(abs(period - apart) < 0.02 * apart, f"one every {period} s rather than {apart}")
    table = next(block for block in sections["phases"] if block.get("id") == "phases")
    # A call that the machine held up is shared out among slices, the last of which may be too little for the phase.
    place.expect(all(0.95 * (1 << 22) <= row["bytes_written"] <= 1 << 22 for row in table["rows"]), f"not 4 MiB a phase: {table['rows']}")
    # The first and the last one have the file's open and close too; a busy machine may have had other work to do between
    # a call and its measuring.
    off = sorted(abs(row["duration"] - call.length / 1e9) for row, call in list(zip(table["rows"], calls))[1:-1])
    place.expect(off[len(off) // 2] < 0.02 * apart, f"phases are {off} s longer or shorter than the calls in them")


def agrees(name, command, status=0, needs=None, mpi=None):
    @case(f"{name}: the log agrees with itself")
    def _(place):
        if needs is not None and shutil.which(needs) is None:
            raise Skip(f"{needs} is not here")
        if mpi is not None and not mpi.has(place.programs, "checkpoint"):
            raise Skip(f"{mpi.name} is not here")
        log = place.path("x.fathom")
        words = [word.format(bin=place.programs, folder=place.folder) for word in command]
        place.expect_status(place.record(*words, options=("-q", "-o", log)), status)
        place.expect_all_held(log)


agrees("processes and threads", ("{bin}/patterns", "mixed", "{folder}", "--processes", "3", "--threads", "3"))
agrees("more files than there is room for", ("{bin}/patterns", "many_files", "{folder}", "--operations", "6000"))
agrees("every call of POSIX", ("{bin}/posix_calls",))
agrees("every call of stdio", ("{bin}/stdio_calls",))
agrees("shells, pipes and compressors", ("sh", "-c", "seq 1 20000 > lines; gzip -k lines; zcat lines.gz | sort -r > down; cat < down > up"))
agrees("Python, which puts back what it looked at first", ("sh", "-c", "echo 'print(1)' > one.py; python3 one.py"))
agrees("a process that kills itself", ("sh", "-c", "seq 1 20000 > lines; sort lines > up; kill -9 $$"), status=-9)
for engine in ("psync", "libaio", "io_uring", "posixaio", "mmap"):
    agrees(f"fio, {engine}", ("fio", "--name=job", f"--ioengine={engine}", "--rw=randrw", "--size=2m", "--bs=16k", "--iodepth=8",
                              "--numjobs=2", "--minimal"), needs="fio")
for mpi in (OPEN_MPI, MPICH):
    agrees(f"checkpoint N-1, {mpi.name}", (*mpi.run(3), "{bin}/checkpoint" + mpi.suffix, "--mode", "N-1", "--mib-per-rank", "2",
                                           "--compute-ms", "50", "--read-back"), mpi=mpi)


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
