#!/usr/bin/env python3
"""Whether `fathom convert` writes the counters of HDF5 and PnetCDF that Darshan itself has for the same programs.

PREFIX is where Darshan 3.5 was installed: darshan-runtime configured with CC=mpicc, --enable-hdf5-mod, --enable-pnetcdf-mod and
--with-log-path-by-env=DARSHAN_LOGPATH, and darshan-util, both with --prefix=PREFIX. The programs are those of tests/coverage, which make every
call that is hooked, but for those of PnetCDF on several variables at once, which Darshan does not count, with Open MPI and 1 and 2 ranks. Numbers
are compared, of times only whether there is one. Counters that we leave out (-1) are listed by name, and records that only one has. Darshan
names datasets by how they were opened: sums over all of a file are compared of those.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

COVERAGE = Path(__file__).resolve().parents[2] / "tests" / "coverage"
PROGRAMS = {"hdf5_calls": ("hdf5-openmpi",), "pnetcdf_calls": ("pnetcdf", "one-by-one")}  # package, arguments
ADDED_UP = re.compile("OPENS|READS|WRITES|FLUSHES|BYTES_READ|BYTES_WRITTEN|SELECTS|SWITCHES|SIZE_.*AGG")
NOT_COMPARED = re.compile("FASTEST|SLOWEST|REC_ID|MAX_.*_TIME|VARIANCE")  # of the moment


def records_of(parser, log):
    """{(module, name): {counter: value}}, of all ranks together or of the only one."""
    text = subprocess.run([parser, "--base", "--show-incomplete", log], capture_output=True, text=True, check=False).stdout
    records = defaultdict(dict)
    for line in text.splitlines():
        if line.startswith(("H5", "PNETCDF")):
            module, _, _, counter, value, name = line.split("\t")[:6]
            records[module, re.sub(r"^.*/(?=calls\.)", "", name)][counter] = float(value)
    return records


def run(command, folder, **environment):
    folder.mkdir()
    subprocess.run(command, cwd=folder, env={**os.environ, **environment}, capture_output=True, check=True)


def both(options, command, ranks, folder):
    mpirun = ["mpirun.openmpi", "--oversubscribe", "-np", str(ranks)]
    preload = ["-x", f"LD_PRELOAD={options.prefix / 'lib' / 'libdarshan.so'}", "-x", f"DARSHAN_LOGPATH={folder}"]
    run([*mpirun, *preload, *command], folder / "theirs", DARSHAN_LOGPATH=str(folder))
    log, = folder.glob("*.darshan")
    fathom, ours = options.build.resolve() / "bin" / "fathom", folder / "ours.fathom"
    run([fathom, "record", "-q", "-o", ours, "--", *mpirun, *command], folder / "ours")
    subprocess.run([fathom, "convert", ours, folder / "ours.darshan"], capture_output=True, check=True)
    parser = options.prefix / "bin" / "darshan-parser"
    return records_of(parser, log), records_of(parser, folder / "ours.darshan")


def summed(records):
    sums = Counter()
    for (module, _), counters in records.items():
        if module == "H5D":
            sums.update({name: value for name, value in counters.items()
                         if ADDED_UP.search(name) and "_F_" not in name and not NOT_COMPARED.search(name)})
    return dict(sums)


def compare(title, theirs, ours):
    same, missing, different = 0, set(), defaultdict(list)
    pairs = [(key[1], theirs[key], ours[key]) for key in sorted(set(theirs) & set(ours))]
    for name, their, our in [*pairs, ("all datasets", summed(theirs), summed(ours))]:
        for counter, value in their.items():
            own = our.get(counter, -1)
            if NOT_COMPARED.search(counter):
                continue
            if own == value or ("_F_" in counter and (own != 0) == (value != 0)):
                same += 1
            elif own == -1:
                missing.add(counter)
            else:
                different[counter].append(f"{name}: {value:g}, ours {own:g}")
    print(f"\n{title}: {same} numbers are the same, {sum(map(len, different.values()))} are not, {len(missing)} counters are left out")
    for counter, where in sorted(different.items()):
        print(f"  {counter}: {'; '.join(where[:3])}{f'; {len(where) - 3} more' if len(where) > 3 else ''}")
    print("  left out:", *sorted(missing))
    print("  only Darshan's:", *sorted(f"{name} ({module})" for module, name in set(theirs) - set(ours)))
    print("  only ours:", *sorted(f"{name} ({module})" for module, name in set(ours) - set(theirs)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("prefix", type=Path)
    options = parser.parse_args()
    options.prefix = options.prefix.resolve()
    for name, (package, *arguments) in PROGRAMS.items():
        with tempfile.TemporaryDirectory() as scratch:
            program = Path(scratch) / name
            flags = subprocess.run(["pkg-config", "--cflags", "--libs", package], capture_output=True, text=True, check=False).stdout.split()
            subprocess.run(["mpicc.openmpi", "-std=gnu11", COVERAGE / f"{name}.c", "-o", program, *(flags or ["-lpnetcdf"])], check=True)
            for ranks in (1, 2):
                folder = Path(scratch) / f"{ranks}"
                folder.mkdir()
                compare(f"{name}, {ranks} rank{'s' if ranks > 1 else ''}", *both(options, [program, *arguments], ranks, folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
