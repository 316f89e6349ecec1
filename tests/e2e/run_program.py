#!/usr/bin/env python3
"""Runs one program with and without us: output, exit status and files must be the same, and the log what strace saw.

usage: run_program.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_program.py --list
Exit status 77: something that the program needs is not installed.
"""
import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

from compare_with_strace import differences, run_traced
from fathom_view import FathomView
from kernel_view import KernelView
from programs import INPUTS, PROGRAMS, PYTHON

SKIPPED = 77


def missing(need):
    if need.startswith("python:"):
        module = need.removeprefix("python:")
        return subprocess.run([PYTHON, "-c", f"import {module}"], capture_output=True).returncode != 0
    return shutil.which(need) is None


def masked(text, patterns):
    return "\n".join(line for line in text.splitlines() if not any(re.search(pattern, line) for pattern in patterns))


def files_of(folder, patterns):
    """Each file's name with a digest of what must be the same."""
    found = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            with open(path, "rb") as file:
                content = file.read()
            if patterns and b"\0" not in content:
                content = masked(content.decode("latin-1"), patterns).encode("latin-1")
            found[os.path.relpath(path, folder)] = hashlib.sha256(content).hexdigest()
    return found


class Run:
    """What one traced run left, for checks of a program's own."""

    def __init__(self, fathom, folder, log, stdout):
        self.fathom, self.folder, self.log, self.stdout = fathom, folder, log, stdout
        self.view = FathomView(fathom, log)

    def modes(self):
        """The I/O modes that the report names, of the application's layer: {"writes": "N-1", "reads": ...}."""
        report = self.log + ".json"
        subprocess.run([self.fathom, "report", self.log, "-o", report], check=True, capture_output=True)
        with open(report, encoding="utf-8") as file:
            return application_modes(json.load(file))


def application_modes(report):
    """By direction, from the first object of the report that names them by "modes.application_reads" and "…_writes"."""
    key = "modes.application_"
    numbers = next(part for part in report.values() if isinstance(part, dict) and key + "reads" in part)
    return {direction: numbers[key + direction] for direction in ("reads", "writes")}


def prepared(program, folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    if program.prepare:
        program.prepare(folder)


def run(program, fathom, programs, work):
    values = {"bin": programs, "inputs": INPUTS}
    inside = program.command[0] != "{record}"

    def command(recorder):
        words = []
        for word in program.command:
            words += recorder if word == "{record}" else [word.format(**values) if word.startswith("{") else word]
        return words

    folder, results = os.path.join(work, "run"), os.path.join(work, "results")
    prepared(program, results)
    prepared(program, folder)
    options = {"cwd": folder, "capture_output": True, "text": True, "timeout": 240}
    alone = subprocess.run(command([]), **options)
    alone_files = files_of(folder, program.mask)
    prepared(program, folder)
    recorder = [fathom, "record", "--quiet", "-o", os.path.join(results, "traced.fathom"), "--"] if inside else []
    recorded, log, trace = run_traced(fathom, results, command(recorder), record=not inside, **options)
    recorded_files = files_of(folder, program.mask)

    found = []
    if alone.returncode != program.expected_status:
        found.append(f"without us: exit status {alone.returncode}: {alone.stderr}")
    for what, one, other in (("exit status", alone.returncode, recorded.returncode),
                             ("output", masked(alone.stdout, program.mask), masked(recorded.stdout, program.mask)),
                             ("error output", masked(alone.stderr, program.mask), masked(recorded.stderr, program.mask))):
        if one != other:
            found.append(f"{what} differs: without us {one!r}, with us {other!r}")
    for name in sorted(set(alone_files) | set(recorded_files)):
        if alone_files.get(name) != recorded_files.get(name):
            found.append(f"{name}: the file differs with us")
    if not os.path.exists(log):
        return found + ["no log was written"]
    kernel = KernelView(trace, folder, own_files=(log,))
    traced = Run(fathom, folder, log, recorded.stdout)
    found += differences(kernel, traced.view, program.reads_ahead)
    if program.check:
        found += program.check(traced)
    print(f"{len(kernel.counts)} files compared")
    return found


def main():
    if sys.argv[1:] == ["--list"]:
        print(";".join(program.name for program in PROGRAMS))
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("--fathom", "--bin", "--work"):
        parser.add_argument(option, required=True)
    parser.add_argument("name")
    options = parser.parse_args()
    program = next((one for one in PROGRAMS if one.name == options.name), None)
    if program is None:
        parser.error(f"no program of this name: {options.name}")
    absent = [need for need in ("strace", *program.needs) if missing(need.replace("{bin}", os.path.abspath(options.bin)))]
    if absent:
        print(f"skipped: not installed: {', '.join(absent)}")
        return SKIPPED
    if subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode != 0:
        print("skipped: strace may not trace here (a container without ptrace?)")
        return SKIPPED
    work = os.path.join(os.path.abspath(options.work), re.sub(r"\W+", "-", options.name))
    found = run(program, os.path.abspath(options.fathom), os.path.abspath(options.bin), work)
    for sentence in found:
        print(sentence)
    if not found:
        shutil.rmtree(work)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
