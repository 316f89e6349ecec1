"""Tests that are functions: each gets a place, which is a folder of its own, and says there what it finds wrong."""
import argparse
import os
import re
import shutil
import subprocess
import sys

SKIPPED = 77
CASES = {}


class Skip(Exception):
    pass


def case(name):
    def add(function):
        CASES[name] = function
        return function

    return add


def timed(name):
    """A case that compares times, with another clock's or with one another: a program that loses its core meanwhile is late, whatever we do. What is wrong
    in three attempts fails."""
    def add(function):
        function.attempts = 3
        return case(name)(function)

    return add


class Place:
    """A folder for one case, and what was found wrong in it."""

    def __init__(self, fathom, programs, folder):
        self.fathom, self.programs, self.folder, self.found = fathom, programs, folder, []

    def path(self, name):
        return os.path.join(self.folder, name)

    def program(self, name):
        return os.path.join(self.programs, name)

    def run(self, *command, **options):
        options = {"cwd": self.folder, "capture_output": True, "text": True, "timeout": 120, **options}
        return subprocess.run(command, **options)

    def record(self, *command, options=(), **others):
        return self.run(self.fathom, "record", *options, "--", *command, **others)

    def expect(self, condition, sentence):
        if not condition:
            self.found.append(sentence)

    def expect_status(self, result, status):
        self.expect(result.returncode == status,
                    f"exit status {result.returncode} instead of {status}; output {result.stdout!r}; errors {result.stderr!r}")

    def expect_message(self, result, *patterns):
        for pattern in patterns:
            self.expect(re.search(pattern, result.stderr), f"the message lacks /{pattern}/: {result.stderr!r}")
        for ugly in ("terminate called", "what():", "Segmentation", "core dumped", "std::"):
            self.expect(ugly not in result.stderr, f"an unhandled error shows: {result.stderr!r}")


def main(about, place_type=Place):
    """Runs the case that the command line names, or lists all. Gives the exit status."""
    if sys.argv[1:] == ["--list"]:
        print(";".join(CASES))
        return 0
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("--fathom", "--bin", "--work"):
        parser.add_argument(option, required=True)
    parser.add_argument("name", choices=CASES)
    options = parser.parse_args()
    folder = os.path.join(os.path.abspath(options.work), re.sub(r"\W+", "-", options.name)[:60])
    function = CASES[options.name]
    for _ in range(getattr(function, "attempts", 1)):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        place = place_type(os.path.abspath(options.fathom), os.path.abspath(options.bin), folder)
        try:
            function(place)
        except Skip as reason:
            print(f"skipped: {reason}")
            return SKIPPED
        print("\n".join(place.found))
        if not place.found:
            shutil.rmtree(folder)
            return 0
    return 1
