#!/usr/bin/env python3
"""Whether real programs behave the same under Fathom, and how long they take.

Each program (real_programs/table.py) is run without Fathom and under `fathom record` in turns, in a folder of the same
name and content. Output, errors, exit status and all files that are left are compared but for what differs between two
runs without Fathom. The log must be whole, and `fathom report` must read it. The time is that of the run with Fathom
over the one without: median over the rounds with [2nd lowest..2nd highest], marked with ! where the 2nd lowest is above
1.10 too, with ? where the median is. `fathom record` itself takes some 15 ms. The CPU time depends less on what else
the machine does.

Exit status 1 when a program differs, or varies without Fathom too, or its log is not whole; 77 when none is here.
"""

import argparse
import difflib
import fnmatch
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from overhead import spread
from real_programs.table import INPUTS, PROGRAMS, missing

LIMIT = 1.10
NOT_HERE = 77  # exit status when nothing could be run
SECONDS = 120  # a program that takes longer hangs
HANGS = f"none: killed after {SECONDS} s"


@dataclass(frozen=True)
class Outcome:
    """What one run left, masked."""

    seconds: float
    cpu: float  # seconds, of all its processes that somebody waited for
    status: object
    output: str
    errors: str
    files: dict  # {name: (kind and mode, content)}

    def differences(self, other):
        """Sentences on what is different in the other."""
        found = []
        if self.status != other.status:
            found.append(f"exit status {self.status}, then {other.status}")
        for what in ("output", "errors"):
            one, two = getattr(self, what), getattr(other, what)
            if one != two:
                lines = difflib.unified_diff(one.splitlines(), two.splitlines(), "without", "then", lineterm="", n=0)
                found.append(f"{what}:\n" + "\n".join(f"        {line[:300]}" for line in list(lines)[:12]))
        for name in sorted(self.files.keys() | other.files.keys()):
            one, two = self.files.get(name), other.files.get(name)
            if one != two:
                found.append(f"{name}: " + ("left only by the first" if two is None else "not left by the first" if one is None
                                            else f"{one[0]}, then {two[0]}" if one[0] != two[0] else "content differs"))
        return found


class Log:
    """What `fathom` says of a log."""

    def __init__(self, fathom, path):
        self.troubles = []
        self.processes = self.bytes = self.missed = 0
        if not path.exists():
            self.troubles.append("no log was written")
            return
        dump = subprocess.run([fathom, "dump", "--json", path], capture_output=True, text=True, check=False)
        if dump.returncode != 0:
            self.troubles.append(f"fathom dump: {dump.stderr}")
            return
        said = json.loads(dump.stdout)
        self.troubles += said["problems"]
        tables = said["tables"]
        self.processes = len(tables["processes"])
        self.missed = sum(process["missed"] for process in tables["processes"])
        self.bytes = sum(total["bytes_read"] + total["bytes_written"] for total in tables["totals"] if total["layer"] < 2)
        report = subprocess.run([fathom, "report", "--format", "text", path], capture_output=True, text=True, check=False)
        if report.returncode != 0 or report.stderr or not report.stdout:
            self.troubles.append(f"fathom report: exit status {report.returncode}: {report.stderr}")


class Place:
    """Where a program is run: always in the same folder, so that paths in its output and files are the same."""

    def __init__(self, program, folder, build):
        self.program = program
        self.user = "nobody" if program.as_nobody and os.geteuid() == 0 else None
        self.input, self.run_in, self.results = folder / "input", folder / "run", folder / "results"
        self.log = self.results / "log.fathom"
        # In a home that only its owner may enter nobody else could run it.
        for made in ("bin/fathom", "bin/fathom-commands", "lib/libfathom.so"):
            (folder / made).parent.mkdir(exist_ok=True)
            shutil.copy(build / made, folder / made)
        self.fathom = folder / "bin/fathom"
        self.input.mkdir()
        if program.prepare:
            program.prepare(self.input)

    def command(self, recorded):
        words = []
        for word in self.program.command:
            if word == "{record}":
                words += [self.fathom, "record", "--quiet", "-o", self.log, "--"] if recorded else []
            else:
                words.append(word.replace("{inputs}", str(INPUTS)))
        if self.user:
            words = ["setpriv", f"--reuid={self.user}", "--regid=nogroup", "--clear-groups", "--", *words]
        return words

    def run(self, recorded):
        for folder in (self.run_in, self.results):
            shutil.rmtree(folder, ignore_errors=True)
        subprocess.run(["cp", "-a", self.input, self.run_in], check=True)
        self.results.mkdir()
        if self.user:
            for folder in (self.run_in, self.results):
                shutil.chown(folder, self.user, "nogroup")
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1", "HOME": str(self.run_in),
                       "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        with open(self.results / "output", "wb") as output, open(self.results / "errors", "wb") as errors:
            start = time.perf_counter()
            running = subprocess.Popen(self.command(recorded), cwd=self.run_in, stdin=subprocess.DEVNULL, stdout=output,
                                       stderr=errors, env=environment, start_new_session=True)
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            try:
                status = running.wait(SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, signal.SIGKILL)
                running.wait()
                status = HANGS
            seconds = time.perf_counter() - start
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return Outcome(seconds, cpu, status, self.masked("output"), self.masked("errors"), self.left())

    def masked(self, name):
        text = self.without_masked((self.results / name).read_text(encoding="utf-8", errors="replace"))
        return "\n".join(sorted(text.splitlines())) if self.program.unordered else text

    def without_masked(self, text):
        for mask in self.program.masks:
            text = re.sub(mask, "…", text, flags=re.MULTILINE)
        return text

    def left(self):
        found = {}
        for parent, folders, files in os.walk(self.run_in):
            inside = os.path.relpath(parent, self.run_in)
            for name in folders + files:
                relative = os.path.normpath(os.path.join(inside, name))
                if not any(fnmatch.fnmatch(relative, pattern) for pattern in self.program.left_out):
                    found[relative] = self.described(os.path.join(parent, name), relative)
                elif name in folders:
                    folders.remove(name)
        return found

    def described(self, path, relative):
        about = os.lstat(path)
        kind = f"mode {about.st_mode:o} of user {about.st_uid}"
        if os.path.islink(path):
            return kind, os.readlink(path)
        if not os.path.isfile(path) or any(fnmatch.fnmatch(relative, pattern) for pattern in self.program.contents):
            return kind, None
        content = Path(path).read_bytes()
        if self.program.masks and b"\0" not in content:
            content = self.without_masked(content.decode("latin-1")).encode()
        return kind, hashlib.sha256(content).hexdigest()


@dataclass
class Result:
    """What the rounds of one program gave."""

    differences: list  # with us
    of_itself: list  # without
    troubles: list  # of the log
    times: list  # with us over without
    cpu: list
    without: list  # seconds
    log: Log

    @property
    def verdict(self):
        return "differs" if self.differences else "log" if self.troubles else "varies" if self.of_itself else "same"


def measured(program, options, folder, progress):
    place = Place(program, folder, options.build)
    progress("warming up")
    first = place.run(recorded=False)
    result = Result([], [], [], [], [], [], None)
    if first.status != program.status:
        result.of_itself.append(f"exit status {first.status} instead of {program.status}: {first.errors[-1000:]}")
    for round_ in range(options.rounds):
        progress(f"round {round_ + 1} of {options.rounds}")
        alone = place.run(recorded=False)
        recorded = place.run(recorded=True)
        result.log = Log(place.fathom, place.log)
        result.times.append(recorded.seconds / alone.seconds)
        result.cpu.append(recorded.cpu / max(alone.cpu, 0.01))
        result.without.append(alone.seconds)
        result.of_itself += first.differences(alone)
        result.differences += first.differences(recorded)
        result.troubles += result.log.troubles
        if HANGS in (first.status, alone.status, recorded.status):
            break
    return result


def size(count):
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.0f} {unit}"
        count /= 1024
    return f"{count:.1f} GiB"


def shown(program, result):
    ratio, low, high = spread(result.times)
    mark = " " if ratio <= LIMIT else "!" if low > LIMIT else "?"
    log = result.log
    return (f"{program.name:<39} {result.verdict:<8}{ratio:5.2f}{mark} [{low:.2f}..{high:.2f}] {statistics.median(result.cpu):5.2f} "
            f"{statistics.median(result.without):7.2f} {log.processes:9} {size(log.bytes):>9} {log.missed:7}")


def outcome(program, options, folder):
    """Runs and prints one program; the verdict, or "" if it is not here."""

    def progress(what):
        if sys.stderr.isatty():
            print(f"\r\033[K{what}", end="", file=sys.stderr, flush=True)

    absent = [need for need in program.needs if missing(need)]
    if absent or (program.needs_root and os.geteuid() != 0):
        why = f"not here: {', '.join(absent)} (packages {' '.join(program.packages)})" if absent else "needs root"
        print(f"{program.name:<39} {why}", flush=True)
        return ""
    inner = folder / re.sub(r"\W+", "-", program.name)
    inner.mkdir()
    result = measured(program, options, inner, lambda what: progress(f"{program.name}: {what}"))
    progress("")
    print(shown(program, result), flush=True)
    for where, sentences in (("with Fathom", result.differences), ("the log", result.troubles),
                             ("without Fathom too", result.of_itself)):
        for sentence in list(dict.fromkeys(sentences))[:12]:
            print(f"    {where}: {sentence}", flush=True)
    if not options.keep or result.verdict == "same":
        shutil.rmtree(inner)
    return result.verdict


def parse():
    parser = argparse.ArgumentParser(prog="scripts/bench real", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--only", nargs="+", metavar="NAME", default=[], help="these programs alone")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is run in either way (default: %(default)s)")
    parser.add_argument("--folder", type=Path, help="where to run them (default: in /dev/shm, so that no disk is timed)")
    parser.add_argument("--keep", action="store_true", help="leave the folders of programs that differ")
    parser.add_argument("--install", action="store_true", help="install the Debian packages that are missing")
    parser.add_argument("--list", action="store_true", help="name the programs")
    parser.add_argument("--packages", action="store_true", help="name the Debian packages they are in")
    options = parser.parse_args()
    names = {program.name for program in PROGRAMS}
    for name in options.only:
        if name not in names:
            parser.error(f"no program of this name: {name}; --list names them")
    if options.rounds < 1:
        parser.error("at least one round is needed")
    return options


def main():
    options = parse()
    chosen = [program for program in PROGRAMS if not options.only or program.name in options.only]
    if options.list:
        print("\n".join(program.name for program in chosen))
        return 0
    if options.packages:
        print("\n".join(sorted({package for program in chosen for package in program.packages})))
        return 0
    where = options.folder or ("/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    folder = Path(tempfile.mkdtemp(prefix="fathom-real-", dir=where))
    folder.chmod(0o755)
    print(f"{'program':<39} {'outcome':<8}{'time':>5}  {'[spread]':<12} {'CPU':>5} {'without':>7} {'processes':>9} {'bytes':>9} {'missed':>7}")
    try:
        outcomes = [outcome(program, options, folder) for program in chosen]
    finally:
        if options.keep and any(folder.iterdir()):
            print(f"kept: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    if not any(outcomes):
        return NOT_HERE
    return 1 if any(one not in ("", "same") for one in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
