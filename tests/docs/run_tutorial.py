#!/usr/bin/env python3
"""Runs the ten commands of docs/TUTORIAL.md in an empty folder and looks for the words that the page shows below each.

usage: run_tutorial.py SOURCES FOLDER-WITH-FATHOM WORK
Numbers and their units, times and the user's name differ from run to run. Exit status 77: what a command needs is missing.
"""
import getpass
import os
import re
import shutil
import subprocess
import sys

SKIPPED = 77


def commands_of(page):
    """The commands, each with its exit status and the pieces of output that are shown below it."""
    commands = []
    for line in re.findall(r"^    (.*)$", page, re.MULTILINE):
        if line.startswith("$ "):
            command, _, status = line[2:].partition("    # status ")
            commands.append((command, int(status or 0), [""]))
        elif line == "...":
            commands[-1][2].append("")
        else:
            commands[-1][2][-1] += " " + line
    return commands


def plain(text):
    return " ".join(text.split())


def pattern_of(piece):
    """Any number where a number stands, in any unit of its kind."""
    escaped = re.escape(plain(piece).replace("root", getpass.getuser()))
    number = r"[\\d.,]+"
    escaped = re.sub(r"\d[\d,]*(?:\\\.\d+)?\\ (?:[KMGT]iB|B)(?=/s|\\ |$)", number + r"\\ (?:[KMGT]iB|B)", escaped)
    return re.sub(r"(?<![\[\\\w-])\d[\d,]*(?:\\\.\d+)?(?![\w-])", number, escaped)


def main():
    sources, programs, work = (os.path.abspath(word) for word in sys.argv[1:])
    for program in ("mpicc", "mpirun"):
        if shutil.which(program) is None:
            print(f"skipped: {program} is missing")
            return SKIPPED
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(os.path.join(work, "empty"))
    os.symlink(sources, os.path.join(work, "fathom"))
    with open(os.path.join(sources, "docs/TUTORIAL.md"), encoding="utf-8") as file:
        commands = commands_of(file.read())
    wrong = [] if len(commands) == 10 else [f"{len(commands)} commands instead of ten"]
    environment = {**os.environ, "HOME": work, "PATH": programs + ":" + os.environ["PATH"]}
    for command, status, pieces in commands:
        result = subprocess.run(["bash", "-c", command], cwd=os.path.join(work, "empty"), env=environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=240)
        if result.returncode != status:
            wrong.append(f"{command}: status {result.returncode} instead of {status}: {result.stdout}")
            continue
        output, at = plain(result.stdout), 0
        for piece in pieces:
            found = re.compile(pattern_of(piece)).search(output, at)
            if found is None:
                wrong.append(f"{command}: does not print {plain(piece)!r}, or not there; it prints:\n{result.stdout}")
                break
            at = found.end()
    print("\n".join(wrong))
    if not wrong:
        shutil.rmtree(work)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
