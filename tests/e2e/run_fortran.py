#!/usr/bin/env python3
"""Reads and writes of Fortran are counted as the program executes them, and the line with most of their time is named.

usage: run_fortran.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_fortran.py --list
Exit status 77: something that the test needs is not here.
"""
import shutil
import signal
import sys

import cases
from cases import Skip, case
from fathom_view import FathomView

# 1,000 and 500 without a format, 20 with one; those of internal files, terminals, and all that is within another are not counted.
SOURCE = """module parts
contains
    function counted(unit) result(value)
        integer, intent(in) :: unit
        real(8) :: value
        write (unit) 1d0
        value = 2
    end function
end module
program statements
    use parts
    implicit none
    integer :: unit, text, at
    real(8) :: value
    character(len=20) :: words
    open (newunit=unit, file="numbers", form="unformatted", access="stream")
    open (newunit=text, file="text")
    do at = 1, 1000
        write (unit) at*1d0
    end do
    rewind (unit)
    do at = 1, 500
        read (unit) value
    end do
    do at = 1, 20
        write (text, *) at
        write (words, "(i6)") at
    end do
    print *, words
    write (*, "(f4.1)") counted(unit)
    write (text, *) counted(unit)
    read (unit, iostat=at, pos=100000) value
    print *, at
    {end}
end program
"""


def processes_of(place, end=""):
    """Its process in the log, and the result."""
    if shutil.which("gfortran") is None:
        raise Skip("gfortran is not here")
    with open(place.path("statements.f90"), "w", encoding="utf-8") as file:
        file.write(SOURCE.replace("{end}", end))
    built = place.run("gfortran", "statements.f90", "-o", "statements")
    place.expect_status(built, 0)
    result = place.record(place.path("statements"), options=("-q", "-o", "x.fathom"))
    return FathomView(place.fathom, place.path("x.fathom")).tables["processes"], result


def expect_counts(place, rows):
    place.expect(len(rows) == 1, f"processes: {rows}")
    one = rows[0]
    # The write within print is counted, that within another of a file is not; the read that fails is.
    expected = {"fortran_statements": 1000 + 500 + 20 + 1 + 1 + 1, "fortran_formatted": 20 + 1}
    for counter, number in expected.items():
        place.expect(int(one[counter]) == number, f"{counter} is {one[counter]}, not {number}")
    place.expect(one["fortran_source"].endswith("statements.f90"), f"the source is {one['fortran_source']!r}")
    place.expect(0 < float(one["fortran_formatted_time"]) < float(one["fortran_time"]) < 10, f"times: {one}")


@case("statements of files are counted, but for those within others")
def _(place):
    rows, result = processes_of(place)
    place.expect_status(result, 0)
    place.expect(result.stdout.split() == ["20", "2.0", "-1"], f"the program printed {result.stdout!r}")
    expect_counts(place, rows)


@case("statements of a program that is killed are counted")
def _(place):
    rows, result = processes_of(place, "call execute_command_line('kill -9 $PPID')")
    place.expect_status(result, -signal.SIGKILL)
    expect_counts(place, [row for row in rows if row["program"].endswith("/statements")])


@case("statements of ranks are counted in MPI_Finalize, each rank's line")
def _(place):
    if shutil.which("mpif90.openmpi") is None:
        raise Skip("Open MPI's Fortran compiler is not here")
    with open(place.path("ranks.f90"), "w", encoding="utf-8") as file:
        file.write("""program ranks
    use mpi
    implicit none
    integer :: unit, at, rank, error
    character(len=8) :: name
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    write (name, "(a, i1)") "part", rank
    open (newunit=unit, file=name, form="unformatted")
    do at = 1, 30000
        if (rank == 0) write (unit) at
        if (rank == 1) write (unit) at, at
    end do
    close (unit)
    call MPI_Finalize(error)
end program
""")
    place.expect_status(place.run("mpif90.openmpi", "ranks.f90", "-o", "ranks"), 0)
    result = place.record("mpirun.openmpi", "--oversubscribe", "-np", "2", place.path("ranks"), options=("-q", "-o", "x.fathom"))
    place.expect_status(result, 0)
    rows = sorted((row for row in FathomView(place.fathom, place.path("x.fathom")).tables["processes"] if int(row["rank"]) >= 0),
                  key=lambda row: int(row["rank"]))
    place.expect([int(row["fortran_statements"]) for row in rows] == [30000, 30000], f"statements: {rows}")
    place.expect([int(row["fortran_line"]) for row in rows] == [11, 12], f"lines: {[row['fortran_line'] for row in rows]}")
    place.expect([int(row["fortran_line_statements"]) for row in rows] == [30000, 30000], f"statements of the lines: {rows}")


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, cases.Place))
