#!/usr/bin/env python3
"""How long `fathom dump --darshan-text` takes for logs of Darshan, beside a darshan-parser.

--against PATH names a darshan-parser; it prints the same (`--all --show-incomplete`), the two take turns, and ratios are of
the pair. Without it Fathom is timed alone. With --dxt the traces are printed instead, and PATH is a darshan-dxt-parser.
Output goes to /dev/null. Times are of the processors, which other programs disturb less than the clock on the wall; the
latter is in brackets. Times and peaks are medians over the rounds with [2nd lowest..2nd highest].
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("logs", nargs="+", type=Path, help="logs, or folders of logs: their largest ones")
    parser.add_argument("--against", type=Path, help="the tool to compare with")
    parser.add_argument("--dxt", action="store_true", help="traces rather than counters")
    parser.add_argument("--largest", type=int, default=4, help="so many of the largest logs of a folder (default 4)")
    parser.add_argument("--rounds", type=int, default=11)
    arguments = parser.parse_args()
    if arguments.against and not os.access(arguments.against, os.X_OK):
        parser.error(f"--against {arguments.against}: there is no such program")
    return arguments


def logs_of(paths, largest):
    for path in paths:
        if path.is_dir():
            yield from sorted(path.glob("*.darshan"), key=lambda log: -log.stat().st_size)[:largest]
        else:
            yield path


def run(command):
    """Seconds of processors and of wall clock, and MiB at the peak."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    taken = time.perf_counter() - started
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: exit status {process.returncode}")
    return usage.ru_utime + usage.ru_stime, taken, usage.ru_maxrss / 1024


def count_lines(command):
    # Not kept here: a child's peak begins with what its parent has.
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        return sum(piece.count(10) for piece in iter(lambda: process.stdout.read(1 << 16), b""))


def middle(values, form):
    ordered = sorted(values)
    low, high = (ordered[1], ordered[-2]) if len(ordered) > 3 else (ordered[0], ordered[-1])
    return f"{form(statistics.median(ordered))} [{form(low)}..{form(high)}]"


def milliseconds(seconds):
    return f"{seconds * 1e3:.1f}"


def described(runs):
    processors, wall, peaks = zip(*runs)
    return (f"{middle(processors, milliseconds)} ms (wall {milliseconds(statistics.median(wall))}), "
            f"{statistics.median(peaks):.0f} MiB")


def main():
    arguments = parse_arguments()
    option = "--darshan-dxt-text" if arguments.dxt else "--darshan-text"
    theirs = [arguments.against] + (["--show-incomplete"] if arguments.dxt else ["--all", "--show-incomplete"])
    for log in logs_of(arguments.logs, arguments.largest):
        ours = [arguments.build / "bin" / "fathom", "dump", option, log]
        lines = count_lines(ours)
        mine, others = [], []
        for _ in range(arguments.rounds):
            mine.append(run(ours))
            if arguments.against:
                others.append(run(theirs + [log]))
        print(f"{log.name[:40]}: {log.stat().st_size:,} bytes, {lines:,} lines")
        print(f"  fathom: {described(mine)}")
        if arguments.against:
            ratios = [other[0] / one[0] for one, other in zip(mine, others)]
            print(f"  {arguments.against.name}: {described(others)}; {middle(ratios, '{:.2f}'.format)} times as long")
    return 0


if __name__ == "__main__":
    sys.exit(main())
