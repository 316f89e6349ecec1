#!/usr/bin/env python3
"""MPI-IO hints (MPI_Info): which a program set, which the MPI library has, and for which file.

usage: run_hints.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_hints.py --list
Exit status 77: something that the test needs is not here.
"""
import os
import sys

import cases
from cases import Skip, case
from fathom_view import FathomView
from mpis import MPICH, OPEN_MPI
from small_program import Place

# What tests/programs/mpi_hints.c sets. Of a file of many hints and of the last of many sets there is no room.
LATER = "made_up_later=yes"
HINTED = "cb_buffer_size=2097152;cb_nodes=1;made_up?hint=a=b?c?"


def hints_of(list_of_them):
    return dict(hint.split("=", 1) for hint in list_of_them.split(";") if hint)


def expect_hints(place, mpi, log):
    view = FathomView(place.fathom, place.path(log))
    rows = {os.path.relpath(row["path"], place.path("files")): row for row in view.tables["hints"]}
    place.expect(len(rows) == len(view.tables["hints"]), f"{log}: a file is told of twice")
    for name, asked in (("hinted", HINTED), ("later", LATER), *((f"own.{rank}", f"made_up_rank={rank + 1}") for rank in range(2)),
                        *((f"many.{one:03}", f"made_up_number={one}") for one in range(50))):
        row = rows.get(name, {})
        place.expect(row.get("asked") == asked and row.get("left_out") == 0, f"{log}: {name}: {row}")
    for name, row in rows.items():
        if row["left_out"] == 0:
            used = hints_of(row["used"])
            # Open MPI tells what it was given when the file was opened, ROMIO what it knows.
            wanted = {"cb_nodes": "1"} if name == "hinted" else {}
            place.expect(all(used.get(key) == value for key, value in wanted.items()), f"{log}: {name} uses {used}")
            if mpi is MPICH:
                place.expect("romio_cb_write" in used and not any(key.startswith("made_up") for key in used), f"{log}: {name} uses {used}")
    if mpi is MPICH:
        place.expect(hints_of(rows["hinted"]["used"]).get("cb_buffer_size") == "2097152", f"{log}: the last value is not in use")
        place.expect(rows["plain"]["asked"] == "", f"{log}: hints of a file that has none: {rows['plain']}")
    else:
        place.expect("plain" not in rows, f"{log}: a row without hints")
    asked = hints_of(rows["long"]["asked"])
    place.expect(20 <= len(asked) < 100 and rows["long"]["left_out"] >= 100 - len(asked), f"{log}: {len(asked)} hints, {rows['long']['left_out']} left out")
    last = rows["many.069"]
    place.expect(last["asked"] == "" and last["left_out"] == 1, f"{log}: there is room for endless sets: {last}")


for of_mpi in (OPEN_MPI, MPICH):
    def check(place, mpi=of_mpi):
        if not mpi.has(place.programs, "mpi_hints"):
            raise Skip(f"no {mpi.name} here")
        program = (place.program("mpi_hints" + mpi.suffix), place.path("files"))
        fathom = (place.fathom, "record", "-q", "-o")
        for log, command in (("around.fathom", (*fathom, "around.fathom", "--", *mpi.run(2), *program)),
                             ("inside.fathom", (*mpi.run(2), *fathom, "inside.fathom", "--", *program))):
            os.makedirs(place.path("files"), exist_ok=True)
            place.expect_status(place.run(*command), 0)
            expect_hints(place, mpi, log)
        report = " ".join(place.run(place.fathom, "report", "around.fathom").stdout.split())
        place.expect("MPI-IO hints" in report and "made_up_later yes not in use" in report, "the report does not say what was not taken")
        # Parts that were not gathered tell the same.
        spool = place.path("spool")
        os.makedirs(spool)
        library = os.path.join(os.path.dirname(os.path.dirname(place.fathom)), "lib", "libfathom.so")
        result = place.run(*mpi.run(2), "env", f"LD_PRELOAD={library}", f"FATHOM_SPOOL={spool}", *program)
        place.expect_status(result, 0)
        place.expect_status(place.run(place.fathom, "recover", spool, "-o", "recovered.fathom"), 0)
        expect_hints(place, mpi, "recovered.fathom")

    case(f"hints that a program sets, and what {of_mpi.name} makes of them")(check)


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
