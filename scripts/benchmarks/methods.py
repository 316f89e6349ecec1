#!/usr/bin/env python3
"""How long the statistical methods take on a million samples.

Runs the tests of the methods that are marked for it, in the release build, and prints the seconds of the processor that each call took:
the median over the rounds with [lowest..highest]. Each should stay under 2 s.
"""

import argparse
import re
import statistics
import subprocess
from pathlib import Path

TEST = "analyzer_tests"
CASE = re.compile(r"^(?=\S).*million")
TOOK = re.compile(r"^\s*([0-9.e+-]+) < 40(\.0)?$")


def calls_of(program):
    """(name of the test, number of the call in it) -> seconds."""
    said = subprocess.run([program, "[million]", "-s"], capture_output=True, text=True, check=True).stdout
    took, name, number = {}, "", 0
    for line in said.splitlines():
        if CASE.match(line):
            name, number = line, 0
        elif found := TOOK.match(line):
            number += 1
            took[name, number] = float(found[1])
    if not took:
        raise SystemExit(f"{program}: no test told a time")
    return took


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    subprocess.run(["cmake", "--build", arguments.build, "--target", TEST], check=True, stdout=subprocess.DEVNULL)
    all_of = {}
    for _ in range(arguments.rounds):
        for call, seconds in calls_of(arguments.build / "tests" / "analyzer" / TEST).items():
            all_of.setdefault(call, []).append(seconds)
    for (name, number), seconds in all_of.items():
        print(f"{statistics.median(seconds):7.3f} s [{min(seconds):.3f}..{max(seconds):.3f}]  {name}, call {number}")


if __name__ == "__main__":
    main()
