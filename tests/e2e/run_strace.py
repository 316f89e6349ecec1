#!/usr/bin/env python3
"""What fathom makes of strace's output, beside what other readers of it count, and beside what it records itself.

usage: run_strace.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_strace.py --list
Exit status 77: something that the test needs is not here.
"""
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict

import cases
from cases import Skip, case
from fathom_view import FathomView
from kernel_view import KernelView, is_excluded

# Not: seeks, of which KernelView leaves out those that our library makes, and looks at folders, which libc makes.
COUNTERS = ("opens", "closes", "reads", "writes", "bytes_read", "bytes_written", "syncs", "truncates", "unlinks", "renames", "links",
            "directory_changes", "attributes", "advices", "locks")
# Some are opened with O_PATH, which KernelView takes to be libc's doing.
OF_FOLDERS = ("opens", "closes")
# What no two runs, or the two recorders, tell alike.
DIFFERENT = re.compile("time|slowest|first_|last_|file|process|unaligned|async|map|looks|readers|writers")
TIMES = re.compile(r"^(\d+ +)\d+\.\d+ (.*?)( <\d+\.\d+>)?$")


class EveryCall(KernelView):
    """Counts for all processes, from their first call on."""

    def process_of(self, pid, parents, folder):
        process = super().process_of(pid, parents, folder)
        process.recorded, process.spawning = True, False
        return process


class Place(cases.Place):
    def trace(self, *command, options=("-y",)):
        """Runs a command under strace; gives the path of what it wrote."""
        if shutil.which("strace") is None:
            raise Skip("strace is not here")
        trace = self.path("trace.txt")
        result = self.run("strace", "-f", "-ttt", "-T", *options, "-o", trace, *command)
        if "PTRACE" in result.stderr:
            raise Skip("strace may not trace here")
        self.expect_status(result, 0)
        return trace

    def expect_counts(self, trace, least_files):
        """Each file has what strace_output.py counts, from the same lines without their times."""
        plain = self.path("plain.txt")
        with open(trace, encoding="latin-1") as timed, open(plain, "w", encoding="latin-1") as file:
            file.writelines(TIMES.sub(r"\1\2", line.rstrip("\n")) + "\n" for line in timed)
        kernel, ours = EveryCall(plain, self.folder), FathomView(self.fathom, trace)
        self.expect(not ours.problems, f"problems: {ours.problems}")
        files = {path for path in set(kernel.counts) | ours.files if path.startswith("/") and not is_excluded(path)}
        self.expect(len(files) >= least_files, f"only {len(files)} files: {files}")
        for path in sorted(files):
            seen, read = kernel.counts[path], ours.layers["posix"][path]
            for counter in COUNTERS:
                if path in kernel.folders and counter in OF_FOLDERS:
                    continue
                self.expect(seen[counter] == read[counter], f"{path}: {counter}: {read[counter]} instead of {seen[counter]}")
        return ours

    def file(self, name, size):
        with open(self.path(name), "wb") as file:
            file.write(os.urandom(size))
        return name

    def report(self, log):
        result = self.run(self.fathom, "report", "--format", "json", log)
        self.expect_status(result, 0)
        text = self.run(self.fathom, "report", log).stdout
        self.expect("Darshan" not in text and "darshan" not in text, "the report speaks of Darshan")
        self.expect("strace" in text, "the report does not say what recorded the log")
        return json.loads(result.stdout)


@case("dd: as many calls and bytes as it was asked for")
def _(place):
    trace = place.trace("dd", f"if={place.file('in', 50_000)}", "of=out", "bs=1000", "status=none")
    ours = place.expect_counts(trace, 2)
    read, written = ours.layers["posix"][place.path("in")], ours.layers["posix"][place.path("out")]
    place.expect((read["reads"], read["bytes_read"]) == (51, 50_000), f"read: {read}")
    place.expect((written["writes"], written["bytes_written"]) == (50, 50_000), f"written: {written}")
    place.report(trace)


@case("as many system calls as strace itself sums up")
def _(place):
    summary = place.path("summary")
    place.file("in", 50_000)
    command = ("dd", "if=in", "of=out", "bs=1000", "status=none", "conv=fsync")
    trace = place.trace(*command, options=("-y", "-P", place.path("in"), "-P", place.path("out")))
    place.expect_status(place.run("strace", "-f", "-c", "-U", "calls,name", "-P", place.path("in"), "-P", place.path("out"), "-o", summary,
                                  *command), 0)
    with open(summary, encoding="latin-1") as lines:
        sums = dict(reversed(line.split()) for line in lines if re.match(r"^ *\d+ \w+$", line))
    ours = FathomView(place.fathom, trace)
    counts = sum(ours.layers["posix"].values(), Counter())
    for call, counter in {"read": "reads", "write": "writes", "fsync": "syncs"}.items():
        place.expect(int(sums[call]) == counts[counter], f"{call}: {counts[counter]} instead of {sums[call]}")


@case("a shell with pipes, redirections and children")
def _(place):
    for number in range(3):
        place.file(f"in{number}", 10_000 * (number + 1))
    trace = place.trace("sh", "-c", "for i in 0 1 2; do cat in$i >> all; done; sort all | uniq > some; wc -c < some > count; "
                                    "mkdir d; mv some d/; rm -r d; ln -s in0 link; chmod 600 in0; exit 0")
    place.expect_counts(trace, 6)
    place.report(trace)


@case("threads and processes of Python")
def _(place):
    # A number that one thread is given while another one closes it may be either's in the trace: one at a time.
    work = ("import multiprocessing as m, os, threading\n"
            "one = threading.Lock()\n"
            "def w(n):\n"
            "    with one: fd = os.open(f'f{n}', os.O_RDWR | os.O_CREAT | os.O_TRUNC)\n"
            "    for at in range(20): os.pwrite(fd, b'x' * 100, at * 200)\n"
            "    os.fsync(fd); os.ftruncate(fd, 10)\n"
            "    with one: os.close(os.dup(fd)); os.close(fd)\n"
            "t = [threading.Thread(target=w, args=(n,)) for n in range(4)]\n"
            "[each.start() for each in t]; [each.join() for each in t]\n"
            "m.get_context('fork').Pool(3).map(w, range(4, 10))\n")
    trace = place.trace(sys.executable, "-c", work)
    ours = place.expect_counts(trace, 10)
    place.expect(sum(ours.layers["posix"][place.path(f"f{n}")]["bytes_written"] for n in range(10)) == 20_000, "bytes are missing")
    place.report(trace)


@case("without paths, with -yy and packed it is the same")
def _(place):
    place.file("in", 30_000)
    sums = []
    for options in ((), ("-y",), ("-yy",)):
        trace = place.trace("cp", "in", "out", options=options)
        layer = FathomView(place.fathom, trace).layers["posix"]
        sums.append({path: dict(layer[place.path(path)]) for path in ("in", "out")} if options
                    else {path: dict(layer[path]) for path in ("in", "out")})
        subprocess.run(["gzip", "-kf", trace], check=True)
        packed = FathomView(place.fathom, trace + ".gz").layers["posix"]
        place.expect(packed == layer, "packed it is not the same")
        os.unlink(place.path("out"))
    place.expect(sums[0]["in"]["bytes_read"] == 30_000, f"without paths: {sums[0]}")
    place.expect(sums[0] == sums[1] == sums[2], f"they differ: {sums}")


@case("files have what fathom record counts")
def _(place):
    place.file("in", 100_000)
    work = ("import os\nfrom pathlib import Path\n"
            "fd = os.open('in', os.O_RDONLY)\n"
            "while os.read(fd, 777): pass\n"
            "os.close(fd)\nout = os.open('out', os.O_WRONLY | os.O_CREAT | os.O_TRUNC)\n"
            "for n in range(50): os.pwrite(out, b'x' * n, 4096 * n)\n"
            "os.fsync(out); os.close(out); os.rename('out', 'there'); os.stat('there'); os.unlink('there')\n")
    command = (sys.executable, "-S", "-c", work)
    trace, log = place.trace(*command), place.path("x.fathom")
    place.expect_status(place.record(*command, options=("-q", "-o", log)), 0)
    both = []
    for view in (trace, log):
        records = defaultdict(Counter)
        for record in FathomView(place.fathom, view).tables["posix"]:
            if record["path"] in (place.path(name) for name in ("in", "out", "there")):
                records[record["path"]] += Counter({name: number for name, number in record.items() if isinstance(number, int)
                                                    and not DIFFERENT.search(name)})
        both.append(records)
    place.expect(len(both[0]) == 3, f"files: {list(both[0])}")
    place.expect(both[0] == both[1], f"they differ: {both}")


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
