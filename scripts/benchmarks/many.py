#!/usr/bin/env python3
"""How long `fathom report --csv` takes for very many logs, and how much memory.

The logs are copies of those in FOLDER (*.fathom and *.darshan), in turn, until there are --logs of them; those that no
parser reads are left out first. They have been read once when the clock starts, so that the device does not count. Times
and peaks are medians over the rounds with [lowest..highest]. Exits with 1 where the rounds' median is more than --most
seconds, if that is given.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ENDINGS = (".fathom", ".darshan")


def is_readable(fathom, log):
    result = subprocess.run([fathom, "report", "--csv", log], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if result.returncode != 0:
        print(f"left out: {result.stderr.splitlines()[0]}")
    return result.returncode == 0


def copy_in_turn(logs, count, folder):
    """A file with the names of the copies, a line each, and how many bytes they have."""
    names, size = folder / "names.txt", 0
    with open(names, "w", encoding="utf-8") as out:
        for number in range(count):
            log = logs[number % len(logs)]
            place = folder / str(number // 1000)
            place.mkdir(exist_ok=True)
            copy = place / f"{number}-{log.name}"
            shutil.copyfile(log, copy)
            size += copy.stat().st_size
            out.write(f"{copy}\n")
    return names, size


def run(command, output):
    """Seconds on the clock, seconds of CPU and the peak of memory in MiB of a command that must succeed."""
    start = time.monotonic()
    with open(output, "wb") as out:
        process = subprocess.Popen(command, stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {process.returncode}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def spread(values, digits):
    return f"{statistics.median(values):.{digits}f} [{min(values):.{digits}f}..{max(values):.{digits}f}]"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help="folder of the build")
    parser.add_argument("--logs", type=int, default=10_000, metavar="N", help="how many copies (default 10000)")
    parser.add_argument("--rounds", type=int, default=3, help="how often the table is made (default 3)")
    parser.add_argument("--work", type=Path, metavar="FOLDER", help="where the copies go (default: the usual temporary folder)")
    parser.add_argument("--most", type=float, metavar="SECONDS", help="exit with 1 where it takes longer")
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the logs to copy")
    options = parser.parse_args()
    if options.logs < 1 or options.rounds < 1:
        parser.error("--logs and --rounds: at least 1")

    fathom = options.build / "bin" / "fathom"
    found = sorted(path for path in options.folder.rglob("*") if path.suffix in ENDINGS and path.is_file())
    logs = [log for log in found if is_readable(fathom, log)]
    if not logs:
        sys.exit(f"{options.folder}: no log in it that fathom reads")
    if options.work:
        os.makedirs(options.work, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=options.work) as name:
        folder = Path(name)
        names, size = copy_in_turn(logs, options.logs, folder)
        table = folder / "table.csv"
        print(f"{options.logs:,} logs, copies of {len(logs)}, {size / 2**20:,.0f} MiB, {options.rounds} rounds, "
              f"{len(os.sched_getaffinity(0))} processors")
        measured = [run([fathom, "report", "--csv", "--list", names], table) for _ in range(options.rounds)]
        with open(table, "rb") as lines:
            rows = sum(1 for _ in lines) - 1
    if rows != options.logs:
        sys.exit(f"the table has {rows:,} rows")
    seconds, cpu, peak = zip(*measured)
    print(f"{'seconds':>22} {'CPU seconds':>22} {'CPU ms a log':>20} {'logs a second':>14} {'peak MiB':>18}")
    per_log = [1000 * one / options.logs for one in cpu]
    print(f"{spread(seconds, 2):>22} {spread(cpu, 2):>22} {spread(per_log, 3):>20} "
          f"{options.logs / statistics.median(seconds):14,.0f} {spread(peak, 0):>18}")
    if options.most is not None and statistics.median(seconds) > options.most:
        sys.exit(f"more than {options.most:g} s")


if __name__ == "__main__":
    main()
