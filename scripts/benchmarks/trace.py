#!/usr/bin/env python3
"""What a trace takes: bytes an operation, in memory and in the log, and time a call.

Runs a program that does I/O in eight known patterns (tests/programs/patterns.c). Bytes are those of a job of several
processes. "memory" is what the processes keep after the first pass, by which operations that continue a pattern become
one entry: what they were, where, and when. "log" is what the trace adds to the log: there what several threads and
processes did alike is stored once, and all of it packed. Ratios: of 48 bytes an operation (8 each for file, offset, size,
start and duration, 4 each for kind and thread) to memory; of memory to the same with shapes stored once; to the log.
Time is CPU time of one process with and without its trace, which take turns: the median over the rounds of the difference,
a call, with [2nd lowest..2nd highest]. Figures above their limits are marked with !.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "tests" / "programs" / "patterns.c"
PLAIN_BYTES = 48  # of an operation that is not compressed
PLACE_BYTES = 16  # of a file and an offset
REGULAR_BYTES, RANDOM_BYTES = 2, 8  # an operation in the log
CALL_NS = 40
PAPER = ("5.4 to 34.6", "2.1 to 4.4")  # the first pass, the second one


@dataclass(frozen=True)
class Pattern:
    name: str
    limit: int  # bytes an operation
    block: int = 512
    share: int = 1  # of the operations: files take longer


PATTERNS = (
    Pattern("contiguous", REGULAR_BYTES), Pattern("strided", REGULAR_BYTES), Pattern("segmented", REGULAR_BYTES),
    Pattern("interleaved", REGULAR_BYTES), Pattern("many_files", REGULAR_BYTES, 512, 5), Pattern("append", RANDOM_BYTES),
    Pattern("random", RANDOM_BYTES, 4096), Pattern("mixed", RANDOM_BYTES, 4096),
)  # fmt: skip


@dataclass
class Sizes:
    """What a trace of one job takes, in bytes."""

    operations: int
    what: int  # in memory, by each thread
    what_once: int  # what is left where equal shapes are stored once
    where: int
    when: int
    log: int

    @property
    def memory(self):
        return self.what + self.where + self.when

    @property
    def merged(self):
        return self.what_once + self.where + self.when


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.fathom = options.build.resolve() / "bin" / "fathom"
        self.program = folder / "patterns"
        subprocess.run(["gcc", "-O2", "-std=gnu11", "-pthread", "-o", self.program, PROGRAM], check=True)

    def record(self, pattern, processes, trace):
        """Runs the pattern in a folder of its own. Gives the log, and the seconds that the program printed."""
        files, log = self.folder / "files", self.folder / ("with.fathom" if trace else "without.fathom")
        files.mkdir()
        program = [self.program, pattern.name, files, "--operations", str(self.options.operations // pattern.share), "--block",
                   str(pattern.block), "--processes", str(processes), "--time"]
        recorder = [self.fathom, "record", "-q", "--memory", str(self.options.memory), "-o", log]
        more = ["--trace", "--trace-memory", str(self.options.memory)] if trace else []
        done = subprocess.run([*recorder, *more, "--", *program], capture_output=True, text=True)
        shutil.rmtree(files)
        if done.returncode != 0:
            sys.exit(f"trace: {pattern.name} failed:\n{done.stderr}")
        return log, float(done.stdout)

    def tables(self, log, *names):
        words = [word for name in names for word in ("--table", name)]
        dump = subprocess.run([self.fathom, "dump", "--json", *words, log], check=True, capture_output=True, text=True).stdout
        return json.loads(dump)["tables"]

    def traced(self, pattern, log):
        """How many operations are in the log's trace, which must be all."""
        processes = self.tables(log, "processes")["processes"]
        untraced = sum(process["untraced"] for process in processes)
        if untraced or any(process["untimed"] for process in processes):
            sys.exit(f"trace: {pattern.name}: {untraced} operations were not traced: --memory {self.options.memory} is too little")
        return sum(process["traced"] for process in processes)

    def sizes(self, pattern):
        without = self.record(pattern, self.options.processes, False)[0].stat().st_size
        log = self.record(pattern, self.options.processes, True)[0]
        tables = self.tables(log, "trace", "trace_shapes", "trace_places", "trace_times")
        length = {row["shape"]: len(row["code"]) // 2 for row in tables["trace_shapes"]}
        return Sizes(
            operations=self.traced(pattern, log),
            what=sum(length[row["shape"]] for row in tables["trace"]),
            what_once=sum(length.values()),
            where=PLACE_BYTES * len(tables["trace_places"]),
            when=sum(len(row["code"]) // 2 for row in tables["trace_times"]),
            log=log.stat().st_size - without)

    def added_ns(self, pattern):
        """What the trace adds to a call, one figure a round."""
        added = []
        for _ in range(self.options.rounds):
            _, without = self.record(pattern, 1, False)
            log, with_it = self.record(pattern, 1, True)
            added.append((with_it - without) * 1e9 / self.traced(pattern, log))
        return added


def spread(values):
    """Median and [2nd lowest..2nd highest]."""
    ordered = sorted(values)
    inner = ordered[1:-1] if len(ordered) > 3 else ordered
    return statistics.median(ordered), inner[0], inner[-1]


def print_head(options):
    print(f"{options.operations} operations of each of {options.processes} processes (many_files: a fifth); {options.rounds} rounds; "
          f"files in {options.data}\n")
    print(f"{'':<13}{'':>11}  {'bytes an operation in memory':<32}{'1st':>7}{'2nd':>7}{'in all':>8}  bytes in the log  added ns a call, limit {CALL_NS}")
    print(f"{'pattern':<13}{'operations':>11}  {'what':>6}{'where':>7}{'when':>7}{'all':>8}    {'pass':>7}{'pass':>7}{'to log':>8}  "
          f"{'each':>7}  {'limit':>5}  ")


def print_row(pattern, sizes, added):
    n = sizes.operations
    log = sizes.log / n
    median, low, high = spread(added)
    print(f"{pattern.name:<13}{n:>11}  {sizes.what / n:>6.2f}{sizes.where / n:>7.2f}{sizes.when / n:>7.2f}{sizes.memory / n:>8.2f}    "
          f"{PLAIN_BYTES * n / sizes.memory:>7.1f}{sizes.memory / sizes.merged:>7.2f}{PLAIN_BYTES / log:>8.1f}  "
          f"{log:>7.2f}{'!' if log > pattern.limit else ' '} {pattern.limit:>5}   "
          f"{median:+.0f}{'!' if median > CALL_NS else ' '}[{low:+.0f}..{high:+.0f}]", flush=True)


def parse():
    parser = argparse.ArgumentParser(prog="scripts/bench trace", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--operations", type=int, default=100_000, help="of each process (default: %(default)s)")
    parser.add_argument("--processes", type=int, default=4, help="of the jobs whose bytes are told (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=9, help="how often each pattern is timed (default: %(default)s)")
    parser.add_argument("--memory", type=int, default=65536, help="KiB of a process for records, and for its trace (default: %(default)s)")
    parser.add_argument("--only", choices=[pattern.name for pattern in PATTERNS], help="one pattern alone")
    parser.add_argument("--data", type=Path, default=Path("/dev/shm" if os.access("/dev/shm", os.W_OK) else tempfile.gettempdir()),
                        help="where the files go (default: %(default)s)")
    options = parser.parse_args()
    if not (options.build / "bin" / "fathom").is_file():
        parser.error(f"{options.build}: there is no fathom")
    return options


def main():
    options = parse()
    with tempfile.TemporaryDirectory(prefix="fathom-trace-", dir=options.data) as folder:
        bench = Bench(options, Path(folder))
        print_head(options)
        for pattern in PATTERNS:
            if options.only in (None, pattern.name):
                print_row(pattern, bench.sizes(pattern), bench.added_ns(pattern))
    print(f"\nThe paper's passes, of traces of its own: the first {PAPER[0]}, the second {PAPER[1]}.")


if __name__ == "__main__":
    main()
