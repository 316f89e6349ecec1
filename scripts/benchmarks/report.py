#!/usr/bin/env python3
"""How long `fathom report` takes for the logs of large jobs, and how much memory, in each of its forms.

The logs are made up: 10,000 ranks with 100,000 records, totals of each rank and layer, histograms and as many slices as
a log holds; and a million files of 1,000 ranks. Forms take turns. Times and peaks are medians over the rounds with
[lowest..highest]. Exits with 1 where the first log takes more than 3 s or 300 MiB, unless --no-limits is given.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

FORMS = (".txt", ".json", ".html", ".pdf")
MOST_SECONDS, MOST_MIB = 3.0, 300.0


@dataclass(frozen=True)
class Case:
    """A job to make up."""

    ranks: int
    records: int
    limited: bool  # the limits are for it

    @property
    def label(self):
        return f"{self.ranks:,} ranks, {self.records:,} records"


CASES = (Case(10_000, 100_000, True), Case(1_000, 1_000_000, False))


@dataclass
class Measured:
    """What the rounds of one form gave."""

    seconds: list = field(default_factory=list)
    cpu: list = field(default_factory=list)
    peak: list = field(default_factory=list)  # MiB
    size: int = 0  # of the report, bytes


def run(command):
    """Seconds on the clock, seconds of CPU and the peak of memory in MiB of a command that must succeed."""
    start = time.monotonic()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {process.returncode}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def spread(values, digits):
    return f"{statistics.median(values):.{digits}f} [{min(values):.{digits}f}..{max(values):.{digits}f}]"


def measure(fathom, log, rounds, folder):
    measured = {form: Measured() for form in FORMS}
    for _ in range(rounds):
        for form, one in measured.items():
            report = folder / f"report{form}"
            seconds, cpu, peak = run([fathom, "report", log, "-o", report])
            one.seconds.append(seconds)
            one.cpu.append(cpu)
            one.peak.append(peak)
            one.size = report.stat().st_size
    return measured


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help="folder of the build")
    parser.add_argument("--rounds", type=int, default=5, help="how often each form is made (default 5)")
    parser.add_argument("--no-limits", action="store_true", help="exit with 0 whatever it takes")
    options = parser.parse_args()

    subprocess.run(["cmake", "--build", options.build, "--target", "large_log"], check=True, stdout=subprocess.DEVNULL)
    fathom, maker = options.build / "bin" / "fathom", options.build / "tests" / "analyzer" / "large_log"
    over = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for case in CASES:
            log = folder / "large.fathom"
            subprocess.run([maker, str(case.ranks), str(case.records), log], check=True)
            print(f"\n{case.label}: a log of {log.stat().st_size / 2**20:.1f} MiB, {options.rounds} rounds")
            print(f"{'form':6} {'seconds':>20} {'CPU seconds':>20} {'peak MiB':>22} {'report KiB':>11}")
            for form, one in measure(fathom, log, options.rounds, folder).items():
                print(
                    f"{form[1:]:6} {spread(one.seconds, 2):>20} {spread(one.cpu, 2):>20} {spread(one.peak, 0):>22} "
                    f"{one.size / 1024:11,.0f}"
                )
                slow = statistics.median(one.seconds) > MOST_SECONDS or statistics.median(one.peak) > MOST_MIB
                over = over or (case.limited and slow)
    if over and not options.no_limits:
        sys.exit(f"more than {MOST_SECONDS:.0f} s or {MOST_MIB:.0f} MiB")


if __name__ == "__main__":
    main()
