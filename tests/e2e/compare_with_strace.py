#!/usr/bin/env python3
"""Runs a command under strace and fathom at once, and says where the log differs from what the kernel saw.

usage: compare_with_strace.py --fathom FATHOM --work FOLDER [--verbose] -- COMMAND...
See kernel_view.py for what is left out of the comparison, and why.
"""
import argparse
import os
import subprocess
import sys
from collections import Counter

from fathom_view import COUNTERS, FathomView
from kernel_view import TRACED, KernelView, is_excluded

# A file that was used through stdio has its calls counted at stdio's interface, and the kernel sees the buffers: these
# agree nevertheless, as sums over both layers. (fflush is a sync of stdio's own, so syncs are those of POSIX alone.)
# stdio reads ahead, and getc_unlocked is a macro that takes from the buffer: a program reads what the kernel saw or less.
WITH_STDIO = ("opens", "closes", "bytes_read", "bytes_written")
POSIX_ALONE = ("syncs", "truncates", "unlinks", "renames", "links", "directory_changes", "attributes", "advices", "locks")
# Of folders: opendir asks what it has opened, and readdir reads ahead, inside of libc.
INSIDE_OPENDIR = ("stats",)


def joined(names, pairs):
    """For each name, the one that stands for all names that renames join with it."""
    head = {name: name for name in names}
    for pair in pairs:
        for name in pair:
            head.setdefault(name, name)

    def find(name):
        while head[name] != name:
            name = head[name]
        return name

    for one, other in pairs:
        head[find(one)] = find(other)
    return {name: find(name) for name in head}


def grouped(counts, head):
    sums = {}
    for path, counter in counts.items():
        sums.setdefault(head.get(path, path), Counter()).update(counter)
    return sums


def differences(kernel, ours, reads_ahead=False):
    """Sentences; empty when log and kernel agree. `reads_ahead`: the program may leave stdio's buffers half read."""
    names = set(kernel.counts) | ours.files
    head = joined(names, kernel.renames)
    folders = {head.get(path, path) for path in kernel.folders | ours.folders}
    seen, posix, stdio = (grouped(counts, head) for counts in (kernel.counts, ours.layers["posix"], ours.layers["stdio"]))
    found = []
    for path in sorted(set(seen) | set(posix) | set(stdio)):
        if not path.startswith("/") or is_excluded(path):
            continue
        kernel_counts, posix_counts = seen.get(path, Counter()), posix.get(path, Counter())
        stdio_counts = stdio.get(path)
        for counter in COUNTERS:
            if path in folders and counter in INSIDE_OPENDIR:
                continue
            wanted = kernel_counts[counter]
            if stdio_counts is None or counter in POSIX_ALONE:
                got = posix_counts[counter]
            elif counter in WITH_STDIO:
                got = posix_counts[counter] + stdio_counts[counter]
            else:
                continue
            less = stdio_counts is not None and counter == "bytes_read" and 0 < got < wanted
            if got != wanted and not (less and reads_ahead):
                layer = "posix" if stdio_counts is None else "posix+stdio"
                found.append(f"{path}: {counter}: the kernel saw {wanted}, {layer} has {got}")
    return found + [f"problem in the log: {problem}" for problem in ours.problems]


def run_traced(fathom, work, command, environment=None, record=True, recording=(), **options):
    """Runs the command under both; `recording`: options of fathom record. `record` False: the command calls fathom itself.

    Gives the result, log and trace.
    """
    log, trace = os.path.join(work, "traced.fathom"), os.path.join(work, "trace.txt")
    recorder = [fathom, "record", "--quiet", *recording, "-o", log, "--"] if record else []
    result = subprocess.run(["strace", "-f", "-y", "-s", "0", "--seccomp-bpf", "-e", "trace=" + TRACED, "-e", "signal=none",
                             "-o", trace, *recorder, *command], env=environment, **options)
    return result, log, trace


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fathom", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    result, log, trace = run_traced(os.path.abspath(options.fathom), os.path.abspath(options.work), options.command)
    kernel = KernelView(trace, os.getcwd(), own_files=(log,))
    ours = FathomView(options.fathom, log)
    found = differences(kernel, ours, reads_ahead=True)
    for sentence in found:
        print(sentence)
    if options.verbose:
        for path, counts in sorted(kernel.counts.items()):
            print(path, dict(counts))
    print(f"exit status {result.returncode}; {len(kernel.counts)} files compared, {len(found)} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
