#!/usr/bin/env python3
"""What calls cost more under a preload library than without.

Loops of calls (overhead.c) run without any library, under Fathom, and under another library if one is given; they
take turns within each round. A figure is the median over the rounds of the difference to the same round's run
without, with [2nd lowest..2nd highest]. Above its limit it is marked: with ! where the 2nd lowest is above it too, else
with ?. Instructions are counted by valgrind and do not depend on the machine's mood.
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Calls to tell of, with the most that each may cost: nanoseconds, instructions.
LIMITS = {
    "rdtsc": (None, None), "clock_gettime": (None, None),
    "pwrite": (45, 150), "pread": (45, 150), "write": (45, 150), "read": (45, 150),
    "fwrite": (20, None), "fread": (20, None), "fputc": (20, None),
    "stat": (45, None), "fstat": (45, None), "lseek": (45, None),
    "open+close": (200, None), "open+close-relative": (200, None),
    "untracked-write": (8, None),
}  # fmt: skip
FLOORS = ("rdtsc", "clock_gettime")
SHARED = ("shared-pwrite", "shared-pread", "shared-write")
MORE_THREADS = 1.1  # times one thread's cost, each with a file of its own
ONE_DESCRIPTOR = 2.0  # times one thread's cost, several threads on one descriptor
PROCESS_LIMIT_US = 1000
MPI_LIMIT = 1.08


@dataclass(frozen=True)
class Library:
    """A preload library, or none, and how a program is told to use it."""

    name: str
    path: str = ""

    def environment(self, scratch):
        if not self.path:
            return dict(os.environ)
        variables = {"LD_PRELOAD": self.path}
        if self.name == "Fathom":
            variables["FATHOM_SPOOL"] = str(scratch)
        else:  # what Darshan needs; others ignore it
            variables |= {"DARSHAN_ENABLE_NONMPI": "1", "DARSHAN_LOGPATH": str(scratch), "DARSHAN_LOGDIR_PATH": str(scratch)}
        return {**os.environ, **variables}


class Bench:
    def __init__(self, options, folder):
        self.options = options
        self.files = folder / "files"
        self.spool = folder / "spool"
        for made in (self.files, self.spool):
            made.mkdir()
        self.loops = self.compiled("gcc", folder, "overhead", "-pthread")
        self.folder = folder
        self.libraries = [Library("none"), Library("Fathom", str(options.library))]
        if options.against:
            self.libraries.append(Library(Path(options.against).name, str(Path(options.against).resolve())))

    @staticmethod
    def compiled(compiler, folder, name, *flags):
        program = folder / name
        subprocess.run([compiler, "-O2", "-o", program, HERE / f"{name}.c", *flags], check=True)
        return program

    def run(self, library, command, **more):
        done = subprocess.run(command, env=library.environment(self.spool), capture_output=True, text=True, check=False, **more)
        if done.returncode != 0:
            sys.exit(f"overhead: {' '.join(map(str, command))} failed under {library.name}:\n{done.stderr}")
        self.sweep()
        return done

    def sweep(self):
        """Parts and logs would pile up."""
        for left in self.spool.iterdir():
            left.unlink()

    def rounds(self, what):
        for round_ in range(self.options.rounds):
            if sys.stderr.isatty():
                print(f"\r{what}: round {round_ + 1} of {self.options.rounds} ", end="", file=sys.stderr, flush=True)
            yield from self.libraries
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def loop_times(self, threads):
        """{case: {library: [nanoseconds, one a round]}}"""
        times = defaultdict(lambda: defaultdict(list))
        command = [self.loops, self.files, "--threads", str(threads), "--calls", str(self.options.calls)]
        for library in self.rounds(f"{threads} thread{'s' if threads > 1 else ''}"):
            for line in self.run(library, command).stdout.splitlines():
                case, _, nanoseconds = line.split()
                times[case][library].append(float(nanoseconds))
        return times

    def process_times(self):
        """{library: [microseconds]} of a process that does nothing."""
        times = defaultdict(list)
        for library in self.rounds("start and end of a process"):
            environment = library.environment(self.spool)
            for _ in range(20):
                start = time.perf_counter()
                os.waitpid(os.posix_spawn(self.loops, [self.loops, self.files, "--nothing"], environment), 0)
                times[library].append((time.perf_counter() - start) * 1e6)
            self.sweep()
        return times

    def mpi_times(self, direction):
        """{library: [seconds of the whole job]}"""
        times = defaultdict(list)
        program = self.folder / "mpi_transfers"
        data = self.files / "mpi"
        for library in self.rounds(f"MPI_File_{direction} of 64 bytes"):
            start = time.perf_counter()
            self.run(library, ["mpirun", "--oversubscribe", "-np", "2", program, data, direction, "64",
                               str(self.options.mpi_calls)])
            times[library].append(time.perf_counter() - start)
        return times

    def instructions(self, case, library):
        """Per call: what twice as many calls take more."""
        counted = [self.count_instructions(case, library, calls) for calls in (4000, 24000)]
        share = {"stat": 2, "open+close": 4, "open+close-relative": 4}.get(case, 1)
        warm_up = 1 / 20
        return (counted[1] - counted[0]) * share / ((24000 - 4000) * (1 + warm_up))

    def count_instructions(self, case, library, calls):
        done = self.run(library, ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", self.loops, self.files,
                                  "--only", case, "--calls", str(calls)])
        return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


def spread(values):
    """Median and [2nd lowest..2nd highest]."""
    ordered = sorted(values)
    inner = ordered[1:-1] if len(ordered) > 3 else ordered
    return statistics.median(ordered), inner[0], inner[-1]


def added(times, library, none):
    return spread([with_it - without for with_it, without in zip(times[library], times[none])])


def shown(figures, limit=None):
    median, low, high = figures
    mark = " " if limit is None or median <= limit else "!" if low > limit else "?"
    return f"{median:+8.0f}{mark}[{low:+.0f}..{high:+.0f}]"


def print_loops(bench, threads, times, one_thread):
    none, *libraries = bench.libraries
    print(f"\n{threads} thread{'s, a file each' if threads > 1 else ''}: added ns a call; limits in ns and instructions\n")
    columns = "".join(f"{library.name:<28}" for library in libraries)
    print(f"{'call':<21}{'without':>8}  {'limit':<9}{columns}{'instructions' if threads == 1 else ''}")
    for case, (limit, most) in LIMITS.items():
        without = statistics.median(times[case][none])
        if case in FLOORS:
            print(f"{'two ' + case:<21}{without:8.0f}  floor")
            continue
        if threads > 1:
            limit = max(MORE_THREADS * one_thread[case][libraries[0]], 1)
        row = "".join(f"{shown(added(times[case], library, none), limit if library is libraries[0] else None):<28}" for library in libraries)
        print(f"{case:<21}{without:8.0f}  {f'{limit:.0f}':<4}{f'{most}' if most and threads == 1 else '':<5}{row}", end="")
        if threads == 1 and bench.options.instructions:
            bare = bench.instructions(case, none)
            counts = [bench.instructions(case, library) - bare for library in libraries]
            print("  ".join(f"{count:+5.0f}{'!' if most and library is libraries[0] and count > most else ''}"
                            for library, count in zip(libraries, counts)), end="", flush=True)
        print()
    if threads > 1:
        print_shared(bench, threads, times, one_thread)


def print_shared(bench, threads, times, one_thread):
    none, *libraries = bench.libraries
    print(f"\n{threads} threads on one descriptor; the limit is {ONE_DESCRIPTOR:.0f} times one thread's cost\n")
    for case in SHARED:
        limit = ONE_DESCRIPTOR * max(one_thread[case.removeprefix("shared-")][libraries[0]], 1)
        row = "".join(f"{shown(added(times[case], library, none), limit if library is libraries[0] else None):<28}" for library in libraries)
        print(f"{case:<21}{statistics.median(times[case][none]):8.0f}  {limit:<9.0f}{row}")


def print_process(bench, times):
    none, *libraries = bench.libraries
    print(f"\nStart and end of a process, added us: limit {PROCESS_LIMIT_US}")
    for library in libraries:
        print(f"  {library.name:<20}{shown(added(times, library, none), PROCESS_LIMIT_US)}  without {statistics.median(times[none]):.0f}")


def print_mpi(bench, direction, times):
    none, *libraries = bench.libraries
    print(f"\nMPI_File_{direction} of 64 bytes, 2 ranks, {bench.options.mpi_calls} calls each: time of the job over that without; "
          f"limit {MPI_LIMIT}")
    for library in libraries:
        ratio, low, high = spread([with_it / without for with_it, without in zip(times[library], times[none])])
        print(f"  {library.name:<20}{ratio:.3f}{'!' if ratio > MPI_LIMIT else ' '} [{low:.3f}..{high:.3f}]  "
              f"without {statistics.median(times[none]):.2f} s")


def parse():
    parser = argparse.ArgumentParser(prog="scripts/bench overhead", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--against", metavar="PATH", help="another preload library to measure beside, such as libdarshan.so")
    parser.add_argument("--rounds", type=int, default=20, help="how often everything is run (default: %(default)s)")
    parser.add_argument("--calls", type=int, default=100_000, help="calls in a loop (default: %(default)s)")
    parser.add_argument("--mpi-calls", type=int, default=1_000_000, help="MPI-IO calls of a rank (default: %(default)s)")
    parser.add_argument("--threads", type=int, default=2, help="threads in the second table (default: %(default)s)")
    parser.add_argument("--no-instructions", dest="instructions", action="store_false", help="do not run valgrind")
    parser.add_argument("--no-mpi", dest="mpi", action="store_false", help="leave MPI-IO out")
    options = parser.parse_args()
    options.library = options.build / "lib" / "libfathom.so"
    for path in filter(None, (options.library, options.against)):
        if not Path(path).is_file():
            parser.error(f"{path}: there is no such library")
    return options


def main():
    options = parse()
    folder = Path(tempfile.mkdtemp(prefix="fathom-overhead-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
    try:
        bench = Bench(options, folder)
        none, *libraries = bench.libraries
        print(f"{options.rounds} rounds of {options.calls} calls, files in {folder.parent}")
        times = bench.loop_times(1)
        one_thread = {case: {library: added(by_library, library, none)[0] for library in libraries}
                      for case, by_library in times.items()}
        print_loops(bench, 1, times, one_thread)
        if options.threads > 1:
            print_loops(bench, options.threads, bench.loop_times(options.threads), one_thread)
        print_process(bench, bench.process_times())
        if options.mpi and shutil.which("mpicc"):
            bench.compiled("mpicc", folder, "mpi_transfers")
            for direction in ("write", "read"):
                print_mpi(bench, direction, bench.mpi_times(direction))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
