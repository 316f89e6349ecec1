#!/usr/bin/env python3
"""What building and testing take: CPU seconds of all processes beside wall time, in a fresh clone of the last commit.

  demo      scripts/demo, nothing built before
  ci        .ci/run, nothing built before
  section   a file of analyzer/sections changes: its tests are built and run (preset dev)
  counters  logformat/counters.h changes: `fathom` and its library are built (preset dev)
  tests     …and all tests and programs for tests after that

Packages are installed already, or their installation counts too. Changes are made in the clone, which is removed.
"""

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

# Where the changed file is, and what is then run.
SECTION = "analyzer/sections/files/file_tables.cpp"
SECTION_TEST = ("analyzer_tests", "tests/analyzer/analyzer_tests", "*file*")
COUNTERS = "logformat/counters.h"


class Clone:
    """A fresh clone, and the time that commands in it take."""

    def __init__(self, folder, output):
        self.root, self.output = folder / "fathom", output
        subprocess.run(["git", "clone", "--quiet", ROOT, self.root], check=True)
        shared = ROOT.parent / "shared"
        if shared.is_dir():
            (folder / "shared").symlink_to(shared)

    def run(self, *command):
        done = subprocess.run(command, cwd=self.root, stdin=subprocess.DEVNULL, stdout=self.output, stderr=self.output, check=False)
        if done.returncode != 0:
            sys.exit(f"build: {' '.join(map(str, command))} ended with {done.returncode}; its output is in {self.output.name}")

    def timed(self, *commands):
        """CPU and wall seconds of commands, one after the other."""
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        for command in commands:
            self.run(*command)
        wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall

    def change(self, file):
        """A comment at the end: the file's time changes, what it says does not."""
        with open(self.root / file, "a", encoding="utf-8") as text:
            text.write("// changed\n")


def demo(clone):
    return clone.timed(["scripts/demo", clone.root.parent / "out"])


def ci(clone):
    return clone.timed(["bash", ".ci/run"])


def dev(*targets):
    return ["cmake", "--build", "--preset", "dev", *(["--target", *targets] if targets else [])]


def configured(clone, *targets):
    clone.run("cmake", "--preset", "dev")
    clone.run(*dev(*targets))


def section(clone):
    target, program, cases = SECTION_TEST
    configured(clone, target)
    clone.change(SECTION)
    return clone.timed(dev(target), [clone.root / "build/dev" / program, cases])


def counters(clone):
    configured(clone, "fathom", "fathom_preload")
    clone.change(COUNTERS)
    return clone.timed(dev("fathom", "fathom_preload"))


def tests(clone):
    configured(clone)
    clone.change(COUNTERS)
    clone.run(*dev("fathom", "fathom_preload"))
    return clone.timed(dev())


# What is measured, and the most that it should take: CPU seconds, wall seconds.
STEPS = {"demo": (demo, 300, 210), "section": (section, None, 20), "counters": (counters, None, 120), "tests": (tests, None, None),
         "ci": (ci, None, 840)}


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench build", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", help=argparse.SUPPRESS)
    parser.add_argument("--only", nargs="+", choices=STEPS, default=list(STEPS), help="some of them")
    options = parser.parse_args()
    with open(Path(tempfile.gettempdir(), "fathom-build.log"), "w", encoding="utf-8") as output:
        print(f"output of the builds: {output.name}; load of the machine before: {os.getloadavg()[0]:.1f}")
        print(f"{'':<10}{'CPU s':>8}{'wall s':>8}   at most")
        for name in options.only:
            step, most_cpu, most_wall = STEPS[name]
            folder = Path(tempfile.mkdtemp(prefix="fathom-build."))
            try:
                cpu, wall = step(Clone(folder, output))
            finally:
                shutil.rmtree(folder, ignore_errors=True)
            limits = " ".join(f"{value} s {what}" for value, what in ((most_cpu, "CPU"), (most_wall, "wall")) if value)
            print(f"{name:<10}{cpu:8.0f}{wall:8.0f}   {limits}", flush=True)


if __name__ == "__main__":
    main()
