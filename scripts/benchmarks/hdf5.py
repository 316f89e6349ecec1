#!/usr/bin/env python3
"""What calls of HDF5 cost more when they are recorded; and whether the counts are right with other versions of it than the one that
tests run with.

Without PREFIX: which functions of ours a program runs that loads no HDF5 (by valgrind), and writes of 64 bytes to a dataset,
whole and after H5Sselect_hyperslab, with Debian's HDF5 (libhdf5-dev). Processor time,
the runs without and with the library taking turns; the median of the rounds' differences with [2nd lowest..2nd highest].

Each PREFIX is an HDF5 that was installed there, of any version from 1.8 on, with shared libraries, or a PnetCDF; one that was built with
MPI needs that MPI's mpicc and mpirun. tests/coverage/hdf5_calls.c, or pnetcdf_calls.c, is built for it: it makes every call that is hooked
and that this version has, in C, and says what it did. That is compared with the log, counter by counter. With MPI it runs with 1, 2 and 4
ranks.

From source: cmake -DCMAKE_INSTALL_PREFIX=PREFIX -DBUILD_SHARED_LIBS=ON -DHDF5_BUILD_TOOLS=OFF -DBUILD_TESTING=OFF, with MPI
CC=mpicc and -DHDF5_ENABLE_PARALLEL=ON. PnetCDF: configure --prefix=PREFIX --enable-shared MPICC=mpicc.
"""
import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COVERAGE = ROOT / "tests" / "coverage"


class Library:
    """One that was installed somewhere."""

    def __init__(self, prefix):
        found = sorted([*prefix.glob("lib*/libhdf5.so"), *prefix.glob("lib*/libpnetcdf.so")])
        if not found:
            sys.exit(f"hdf5: {prefix} has neither lib/libhdf5.so nor lib/libpnetcdf.so")
        self.folder, self.name = found[0].parent, found[0].stem.removeprefix("lib")
        self.headers = prefix / "include"
        is_hdf5 = self.name == "hdf5"
        start = "H5_VERS" if is_hdf5 else "PNETCDF_VERSION"
        header = (self.headers / ("H5public.h" if is_hdf5 else "pnetcdf.h")).read_text()
        last = "RELEASE" if is_hdf5 else "SUB"
        self.version = ".".join(re.search(rf"^#define {start}_{part}\s+(\d+)", header, re.M)[1] for part in ("MAJOR", "MINOR", last))
        self.is_parallel = not is_hdf5 or "#define H5_HAVE_PARALLEL" in (self.headers / "H5pubconf.h").read_text()

    def build(self, compiler, program):
        subprocess.run([compiler, "-std=gnu11", f"-I{self.headers}", COVERAGE / f"{self.name}_calls.c", "-o", program, f"-L{self.folder}",
                        f"-l{self.name}", f"-Wl,-rpath,{self.folder}"], check=True)


def differences(fathom, folder, command):
    """Lines, of what the program did and the log has not, or the other way round."""
    done = subprocess.run([sys.executable, "-B", COVERAGE / "run_coverage.py", "--fathom", fathom, "--work", folder / "run", "--layers",
                           "data_files", "datasets", "--", *command], capture_output=True, text=True, check=False)
    lines = (done.stdout + done.stderr).split("\n")
    return [line for line in lines if line.strip()] or (["failed"] if done.returncode else [])


def claims(folder, command):
    """How many counters the program tells of."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return len({tuple(line.split()[:-1]) for line in done.stdout.splitlines() if line.startswith("did ")})


def round_of(program, kind, calls, folder, library):
    spool = folder / "spool"
    spool.mkdir()
    environment = {**os.environ, "LD_PRELOAD": str(library), "FATHOM_SPOOL": str(spool)} if library else None
    done = subprocess.run([program, kind, str(calls)], cwd=folder, env=environment, capture_output=True, text=True, check=True)
    shutil.rmtree(spool)
    return float(done.stdout)


def costs(library, rounds, calls):
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "hdf5-serial"], capture_output=True, text=True, check=True).stdout.split()
    print(f"{'call':<22}{'ns without':>11}  added, %")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        program = folder / "hdf5_writes"
        subprocess.run(["gcc", "-O2", "-std=gnu11", Path(__file__).with_name("hdf5_writes.c"), "-o", program, *flags], check=True)
        for kind, name in (("whole", "H5Dwrite, 64 B"), ("select", "select, H5Dwrite 64 B")):
            without, added = [], []
            for number in range(rounds):
                ways = (None, library) if number % 2 else (library, None)
                took = {way: round_of(program, kind, calls, folder, way) for way in ways}
                without.append(took[None])
                added.append(100 * (took[library] / took[None] - 1))
            added.sort()
            print(f"{name:<22}{statistics.median(without):>11.0f}  {statistics.median(added):+.1f} [{added[1]:+.1f}..{added[-2]:+.1f}]")


def functions_without_it(library):
    """How many functions of ours a program runs that loads no HDF5, and those of them that are for HDF5 and PnetCDF."""
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "callgrind"
        subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "dd", "if=/dev/zero", "of=data", "bs=64", "count=1000"],
                       cwd=scratch, env={**os.environ, "LD_PRELOAD": str(library), "FATHOM_SPOOL": scratch}, capture_output=True, check=True)
        ours = set(re.findall(r"^c?fn=\(\d+\) (.*fathom::.*)$", out.read_text(), re.M))
    return len(ours), sorted(name for name in ours if re.search("fathom::(hdf5|pnetcdf|libraries)::", name))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--mpi", default="", metavar="SUFFIX", help="of mpicc and mpirun: .openmpi, .mpich")
    parser.add_argument("--rounds", type=int, default=25, help="of the costs; 3 or more")
    parser.add_argument("--calls", type=int, default=150_000, help="of a round")
    parser.add_argument("prefix", type=Path, nargs="*")
    options = parser.parse_args()
    if not options.prefix:
        library = options.build.resolve() / "lib" / "libfathom.so"
        costs(library, options.rounds, options.calls)
        number, of_libraries = functions_without_it(library)
        print(f"\ndd, which loads no HDF5, runs {number} functions of ours, {len(of_libraries)} of them for HDF5 and PnetCDF", *of_libraries)
        return 1 if of_libraries or number == 0 else 0
    os.environ["OMPI_MCA_rmaps_base_oversubscribe"] = "1"
    fathom, wrong = options.build.resolve() / "bin" / "fathom", 0
    print(f"{'library':<16}{'ranks':<8}{'counters':>10}{'different':>11}")
    for prefix in map(Path.resolve, options.prefix):
        with tempfile.TemporaryDirectory() as scratch:
            folder, library = Path(scratch), Library(prefix)
            program = folder / "calls"
            library.build(f"mpicc{options.mpi}" if library.is_parallel else "gcc", program)
            for ranks in (1, 2, 4) if library.is_parallel else (0,):
                launcher = [shutil.which(f"mpirun{options.mpi}"), "-np", str(ranks)] if ranks else []
                command = [*launcher, program]
                told, found = claims(folder, command), differences(fathom, folder, command)
                print(f"{library.name + ' ' + library.version:<16}{ranks or 'serial':<8}{told:>10}{len(found):>11}", flush=True)
                print(*found, sep="\n", end="\n" if found else "")
                wrong += len(found)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
