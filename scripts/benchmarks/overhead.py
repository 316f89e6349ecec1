#!/usr/bin/env python3
"""What calls cost more under a preload library than without.

Loops of calls (overhead.c) run without any library; under Fathom in three ways (with counters alone, with histograms
and slices of time as it is used, with a trace too); under a control that only reads the clock twice around calls of stdio
(stamps.c); under Fathom while several `fathom watch` look at it, if --watchers says so; and under another library if one is given. They
take turns within each round. A figure is the median over the rounds of the difference to the same round's run without (of the trace and the watchers: to
that with histograms and slices), with [2nd lowest..2nd highest]. Above its limit it is marked: with ! where the 2nd
lowest is above it too, else with ?. Instructions are counted by valgrind and do not depend on the machine's mood.
"""

import argparse
import contextlib
import json
import os
import re
import resource
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

# Calls to tell of, with the most that each may cost where only counters are kept: nanoseconds, instructions.
LIMITS = {
    "rdtsc": (None, None), "clock_gettime": (None, None),
    "pwrite": (45, 150), "pread": (45, 150), "write": (45, 150), "read": (45, 150),
    "fputc": (2, 11), "fgetc": (2, 11), "getc": (2, 11),
    "fwrite": (3, None), "fread": (3, None), "fwrite-8": (3, None), "fread-8": (3, None),
    "fgets": (5, None), "getline": (5, None), "fputs": (5, None), "fprintf": (5, None), "fscanf": (45, None),
    "stat": (35, None), "fstat": (45, None), "lseek": (45, None),
    "open+close": (120, None), "open+close-relative": (150, None), "open+close-new": (600, None),
    "append": (45, None), "mixed": (45, None),
    "untracked-write": (8, None), "pipe": (90, None),
}  # fmt: skip
FLOORS = ("rdtsc", "clock_gettime")
SHARED = ("shared-pwrite", "shared-pread", "shared-write")
MORE_THREADS = 1.1  # times one thread's cost, each with a file of its own
ONE_DESCRIPTOR = 2.0  # times one thread's cost, several threads on one descriptor
PROCESS_LIMIT_US = 1000
MPI_LIMIT = 1.08


OPERATIONS = {"open+close": 2, "open+close-relative": 2, "open+close-new": 2, "untracked-write": 0, "pipe": 2}  # that a round of the loop records; others: 1
TIMINGS_NS = 8  # what histograms and slices may add for an operation
TRACE_NS = 40  # what a trace may add to that
TRACE_KIB = 512 << 10  # for the operations of all loops


@dataclass(frozen=True)
class Way:
    """A preload library, or none, and how a program is told to use it."""

    name: str
    path: str = ""
    variables: tuple = ()
    over: int = 0  # the number of the way that it is compared with
    watchers: int = 0
    allowance: int | None = None  # ns that an operation may take longer than with counters alone, or than the way compared with

    def environment(self, scratch):
        if not self.path:
            return dict(os.environ)
        return {**os.environ, "LD_PRELOAD": self.path, **{name: value.format(scratch=scratch) for name, value in self.variables}}

    def limit(self, case):
        """The most that a round of this loop may cost more, in ns."""
        if self.allowance is None:
            return None
        return (0 if self.over else LIMITS[case.removeprefix("shared-")][0]) + self.allowance * OPERATIONS.get(case, 1)


SPOOL = ("FATHOM_SPOOL", "{scratch}")
NO_TIMINGS = ("FATHOM_NO_TIMINGS", "1")
TRACE = (("FATHOM_TRACE", "1"), ("FATHOM_TRACE_MEMORY", str(TRACE_KIB)))


def ways_of(library, control, against, watchers):
    ways = [
        Way("none"),
        Way("counters", library, (SPOOL, NO_TIMINGS), 0, allowance=0),
        Way("with timings", library, (SPOOL,), 0, allowance=TIMINGS_NS),
        Way("trace, over that", library, (SPOOL, *TRACE), 2, allowance=TRACE_NS),
        Way("two stamps", control),  # around the calls of stdio, and nothing else
    ]
    if watchers:
        ways.append(Way("watched, over timings", library, (SPOOL,), 2, watchers))
    if against:  # the variables are what Darshan needs; others ignore them
        ways.append(Way(Path(against).name, str(Path(against).resolve()), (("DARSHAN_ENABLE_NONMPI", "1"),
                        ("DARSHAN_LOGPATH", "{scratch}"), ("DARSHAN_LOGDIR_PATH", "{scratch}"))))
    return ways


class Bench:
    def __init__(self, options, folder):
        self.options = options
        self.files = folder / "files"
        self.spool = folder / "spool"
        for made in (self.files, self.spool):
            made.mkdir()
        self.loops = self.compiled("gcc", folder, "overhead", "-pthread")
        self.folder = folder
        self.compiled("gcc", folder, "stamps", "-shared", "-fPIC")
        self.ways = ways_of(str(options.library), str(folder / "stamps"), options.against, options.watchers)

    @staticmethod
    def compiled(compiler, folder, name, *flags):
        program = folder / name
        subprocess.run([compiler, "-O2", "-o", program, HERE / f"{name}.c", *flags], check=True)
        return program

    def run(self, way, command, **more):
        with contextlib.ExitStack() as watched:
            process = subprocess.Popen(command, env=way.environment(self.spool), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
            for _ in range(way.watchers):
                watched.enter_context(self.watcher())
            done = subprocess.CompletedProcess(command, 0, *process.communicate())
        if process.returncode != 0:
            sys.exit(f"overhead: {' '.join(map(str, command))} failed with {way.name}:\n{done.stderr}")
        return done

    @contextlib.contextmanager
    def watcher(self):
        looks = self.folder / "looks"
        with open(looks, "wb") as file:
            process = subprocess.Popen([self.options.build / "bin" / "fathom", "watch", self.spool, "--every", "0.1s", "--json"], stdout=file)
            yield
            process.kill()
            process.wait()

    def sweep(self):
        """Parts and logs would pile up."""
        for left in self.spool.iterdir():
            left.unlink()

    def check_trace(self):
        """All that was to be traced had room: otherwise the loops measured something else."""
        fathom, log = self.options.build / "bin" / "fathom", self.folder / "log.fathom"
        subprocess.run([fathom, "recover", self.spool, "-o", log], check=True, capture_output=True)
        self.spool.mkdir(exist_ok=True)
        dump = subprocess.run([fathom, "dump", "--json", "--table", "processes", log], check=True, capture_output=True, text=True).stdout
        log.unlink()
        for process in json.loads(dump)["tables"]["processes"]:
            if process["untraced"] or not process["traced"] or process["untimed"]:
                sys.exit(f"overhead: {process['traced']} operations were traced, {process['untraced']} were not; {process['untimed']} "
                         "were not timed")

    def rounds(self, what, checked=True):
        """Each way in turn, and what it left is swept away; `checked`: the first trace must be whole."""
        for round_ in range(self.options.rounds):
            if sys.stderr.isatty():
                print(f"\r{what}: round {round_ + 1} of {self.options.rounds} ", end="", file=sys.stderr, flush=True)
            for way in self.ways:
                yield way
                if round_ == 0 and "FATHOM_TRACE" in dict(way.variables) and checked:
                    self.check_trace()
                self.sweep()
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def loop_times(self, threads):
        """{case: {way: [nanoseconds, one a round]}}"""
        times = defaultdict(lambda: defaultdict(list))
        command = [self.loops, self.files, "--threads", str(threads), "--calls", str(self.options.calls),
                   *(["--cpu"] if self.options.cpu else [])]
        for way in self.rounds(f"{threads} thread{'s' if threads > 1 else ''}"):
            for line in self.run(way, command).stdout.splitlines():
                case, _, nanoseconds = line.split()
                times[case][way].append(float(nanoseconds))
        return times

    def process_times(self):
        """{way: [microseconds]} of a process that does nothing."""
        times = defaultdict(list)
        for way in self.rounds("start and end of a process", checked=False):
            environment = way.environment(self.spool)
            for _ in range(20):
                start = time.perf_counter()
                os.waitpid(os.posix_spawn(self.loops, [self.loops, self.files, "--nothing"], environment), 0)
                times[way].append((time.perf_counter() - start) * 1e6)
        return times

    def mpi_times(self, direction):
        """{way: [seconds of the whole job]}; with --cpu, of its processes, which wait by looking again and again."""
        times = defaultdict(list)
        program = self.folder / "mpi_transfers"
        data = self.files / "mpi"
        for way in self.rounds(f"MPI_File_{direction} of 64 bytes", checked=False):
            start = self.now()
            self.run(way, ["mpirun", "--oversubscribe", "-np", "2", program, data, direction, "64", str(self.options.mpi_calls)])
            times[way].append(self.now() - start)
        return times

    def now(self):
        """Seconds on the clock; with --cpu, those that processes of this program which ended took."""
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        return ended.ru_utime + ended.ru_stime if self.options.cpu else time.perf_counter()

    def instructions(self, case, way):
        """Per call: what twice as many calls take more."""
        counted = [self.count_instructions(case, way, calls) for calls in (4000, 24000)]
        share = {"stat": 2, "pipe": 2, "open+close": 4, "open+close-relative": 4, "open+close-new": 25}.get(case, 1)
        warm_up = 1 / 20
        return (counted[1] - counted[0]) * share / ((24000 - 4000) * (1 + warm_up))

    def count_instructions(self, case, way, calls):
        done = self.run(way, ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", self.loops, self.files,
                              "--only", case, "--calls", str(calls)])
        self.sweep()
        return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


def spread(values):
    """Median and [2nd lowest..2nd highest]."""
    ordered = sorted(values)
    inner = ordered[1:-1] if len(ordered) > 3 else ordered
    return statistics.median(ordered), inner[0], inner[-1]


def added(times, way, over):
    return spread([with_it - without for with_it, without in zip(times[way], times[over])])


def shown(figures, limit=None):
    median, low, high = figures
    mark = " " if limit is None or median <= limit else "!" if low > limit else "?"
    return f"{median:+.0f}{mark}[{low:+.0f}..{high:+.0f}]"


def print_figures(ways, case, times, limits):
    """A row: what each way adds, beside its limit."""
    print(f"{case:<21}{statistics.median(times[ways[0]]):8.0f}", end="")
    for way, limit in zip(ways[1:], limits):
        print(f"{'' if limit is None else f'{limit:.0f}':>6} {shown(added(times, way, ways[way.over]), limit):<20}", end="")
    print()


def print_loops(ways, threads, times, one_thread):
    print(f"\n{threads} thread{'s, a file each' if threads > 1 else ''}: added ns a call, beside the limits\n")
    print(f"{'call':<21}{'without':>8}" + "".join(f"{'':>7}{way.name:<20}" for way in ways[1:]))
    for case in LIMITS:
        if case in FLOORS:
            print(f"{'two ' + case:<21}{statistics.median(times[case][ways[0]]):8.0f}       floor")
            continue
        limits = [way.limit(case) if threads == 1 or way.over else max(MORE_THREADS * one_thread[case][way], 1) for way in ways[1:]]
        print_figures(ways, case, times[case], limits)
    if threads > 1:
        print(f"\n{threads} threads on one descriptor; the limit is {ONE_DESCRIPTOR:.0f} times one thread's cost\n")
        for case in SHARED:
            alone = one_thread[case.removeprefix("shared-")]
            print_figures(ways, case, times[case],
                          [way.limit(case) if way.over else ONE_DESCRIPTOR * max(alone[way], 1) for way in ways[1:]])


def print_instructions(bench):
    none, *ways = bench.ways
    print("\nAdded instructions a call, beside the limit for counters alone\n")
    print(f"{'call':<21}{'limit':>8}" + "".join(f"  {way.name:<16}" for way in ways))
    for case, (_, limit) in LIMITS.items():
        if case in FLOORS:
            continue
        counts = [bench.instructions(case, way) for way in bench.ways]
        print(f"{case:<21}{'' if limit is None else limit:>8}", end="")
        for way, count in zip(ways, counts[1:]):
            figure = count - counts[way.over]
            print(f"  {f'{figure:+.0f}' + ('!' if limit and way is ways[0] and figure > limit else ''):<16}", end="", flush=True)
        print()


def print_process(ways, times):
    none = ways[0]
    print(f"\nStart and end of a process, added us: limit {PROCESS_LIMIT_US}; without {statistics.median(times[none]):.0f}")
    for way in ways[1:]:
        print(f"  {way.name:<20}{shown(added(times, way, ways[way.over]), PROCESS_LIMIT_US)}")


def print_mpi(bench, direction, times):
    none, *ways = bench.ways
    print(f"\nMPI_File_{direction} of 64 bytes, 2 ranks, {bench.options.mpi_calls} calls each: time of the job over that without "
          f"({statistics.median(times[none]):.2f} s); limit {MPI_LIMIT}")
    for way in ways:
        ratio, low, high = spread([with_it / without for with_it, without in zip(times[way], times[bench.ways[way.over]])])
        print(f"  {way.name:<20}{ratio:.3f}{'!' if ratio > MPI_LIMIT else ' '} [{low:.3f}..{high:.3f}]")


def parse():
    parser = argparse.ArgumentParser(prog="scripts/bench overhead", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--against", metavar="PATH", help="another preload library to measure beside, such as libdarshan.so")
    parser.add_argument("--rounds", type=int, default=20, help="how often everything is run (default: %(default)s)")
    parser.add_argument("--calls", type=int, default=100_000, help="calls in a loop (default: %(default)s)")
    parser.add_argument("--mpi-calls", type=int, default=1_000_000, help="MPI-IO calls of a rank (default: %(default)s)")
    parser.add_argument("--threads", type=int, default=2, help="threads in the second table (default: %(default)s)")
    parser.add_argument("--cpu", action="store_true", help="take the threads' CPU time, where other programs run too")
    parser.add_argument("--no-instructions", dest="instructions", action="store_false", help="do not run valgrind")
    parser.add_argument("--watchers", type=int, default=0, help="how many `fathom watch` look at a process ten times a second (default: none)")
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
        print(f"{options.rounds} rounds of {options.calls} calls, files in {folder.parent}{'; CPU time' if options.cpu else ''}")
        times = bench.loop_times(1)
        one_thread = {case: {way: added(by_way, way, bench.ways[0])[0] for way in bench.ways} for case, by_way in times.items()}
        print_loops(bench.ways, 1, times, one_thread)
        if options.threads > 1:
            print_loops(bench.ways, options.threads, bench.loop_times(options.threads), one_thread)
        if options.instructions:
            print_instructions(bench)
        print_process(bench.ways, bench.process_times())
        if options.mpi and shutil.which("mpicc"):
            bench.compiled("mpicc", folder, "mpi_transfers")
            for direction in ("write", "read"):
                print_mpi(bench, direction, bench.mpi_times(direction))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
