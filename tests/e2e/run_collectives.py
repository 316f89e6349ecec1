#!/usr/bin/env python3
"""Where the time of collective MPI-IO goes: ranks that come late by a known time, writes that are slow by one.

usage: run_collectives.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_collectives.py --list
Exit status 77: something that the test needs is not here.
"""
import re
import shutil
import sys

import cases
from cases import Skip, timed
from findings_view import rows_of_table
from mpis import MPICH, OPEN_MPI
from small_program import Place

RANKS, CALLS = 4, 40


def parts_of(place, mpi, late=0, before=()):
    """What the program says that a rank spent in the calls and waited there for the last one, and the report's row; seconds."""
    if not mpi.has(place.programs, "collectives"):
        raise Skip(f"no {mpi.name} here")
    program = (place.program("collectives" + mpi.suffix), place.path("out"), str(CALLS), "64", str(late))
    result = place.run(*before, place.fathom, "record", "-q", "-o", "x.fathom", "--", *mpi.run(RANKS), *program)
    place.expect_status(result, 0)
    row = rows_of_table(place.fathom, "x.fathom", place.path("."), "collective_times")[0]
    place.expect(row["calls"] == CALLS and row["ranks"] == RANKS, f"row {row}")
    in_calls, waited = (float(said) for said in re.findall(r"([\d.]+) s a rank", result.stdout))
    return in_calls, waited, row


for of_mpi in (OPEN_MPI, MPICH):
    def check(place, mpi=of_mpi):
        _, waited, row = parts_of(place, mpi, late=25)
        place.expect(waited > 0.5 * CALLS * 0.025 * (RANKS - 1) / RANKS, f"waited {waited} s")
        place.expect(0.95 * waited < row["waiting"] < 1.05 * waited, f"waiting {waited} s: {row}")

    timed(f"ranks of {of_mpi.name} take turns in coming late: that is waiting, not exchange")(check)


@timed("writes that are slow by a known time are the file system's")
def _(place):
    if shutil.which("strace") is None:
        raise Skip("strace is missing")
    delay = 0.02
    said, _, row = parts_of(place, OPEN_MPI, before=(
        "strace", "-f", "-o", "/dev/null", "-e", "trace=pwrite64,pwritev", "-e", f"inject=pwrite64,pwritev:delay_enter={delay * 1e6:.0f}"))
    expected = CALLS * delay
    place.expect(0.95 * expected < row["file_system"] < 1.2 * expected, f"file system {expected} s: {row}")
    place.expect(row["exchange"] + row["waiting"] < 1.1 * said - expected, f"of {said} s: {row}")


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
