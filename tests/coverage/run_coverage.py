#!/usr/bin/env python3
"""Runs a program that says what it did (did.h), and compares that with what the log says, counter by counter.

usage: run_coverage.py --fathom FATHOM --work FOLDER [--environment NAME=VALUE]... [--layers LAYER...] -- COMMAND...
Exit status 77: this machine has not what the program needs (it said so and exited with 77).
"""
import argparse
import os
import shutil
import subprocess
import sys
from collections import Counter

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from fathom_view import FathomView  # noqa: E402

SKIPPED = 77

# What is compared: of each layer, the counters that tell of calls and bytes. Estimates are compared where they are claimed.
BOTH = ("opens closes reads writes failed bytes_read bytes_written syncs").split()
COMPARED = {
    "posix": BOTH + ("seeks stats dups truncates unlinks renames renames_elsewhere links attributes directory_changes "
                     "directory_reads advices random_advices locks async_reads async_writes maps mapped_bytes").split(),
    "stdio": BOTH + ["seeks"],
    "mpiio": BOTH + ("seeks truncates unlinks views collective_opens collective_reads collective_writes nonblocking_reads "
                     "nonblocking_writes split_reads split_writes shared_pointer").split(),
    "data_files": ("opens creates collective_opens closes flushes redefinitions waits groups attribute_opens attribute_creates "
                   "attribute_reads attribute_writes failed").split(),
    "datasets": ("opens creates closes reads writes flushes extensions failed bytes_read bytes_written collective_reads "
                 "collective_writes nonblocking_reads nonblocking_writes chunk_reads chunk_writes whole points regular irregular "
                 "nothing unknown_selections").split(),
}


def absolute(folder, path):
    return path if path.startswith(("/", "<")) else os.path.normpath(os.path.join(folder, path))


def claims_of(output, folder):
    """Sums of what the program says that it did: exactly, at least, and at most."""
    claims = {"did": Counter(), "did-at-least": Counter(), "did-at-most": Counter()}
    for line in output.splitlines():
        words = line.split()
        if words and words[0] in claims:
            layer, path, counter, n = words[1], " ".join(words[2:-2]), *words[-2:]
            claims[words[0]][layer, absolute(folder, path), counter] += int(n)
    return claims.values()


def counted_in(view):
    counts = Counter()
    for layer in COMPARED:
        for record in view.tables[layer]:
            for counter, value in record.items():
                if isinstance(value, int):
                    counts[layer, record["path"], counter] += value
                elif isinstance(value, float) and counter.endswith("_time"):
                    counts[layer, record["path"], counter] += round(value * 1e9)
    for layout in view.tables["layouts"]:
        for counter, value in layout.items():
            if isinstance(value, int):
                counts["layouts", layout["path"], counter] += value
        counts["layouts", layout["path"], "rows"] += 1
    for process in view.tables["processes"]:
        for counter in ("polls", "poll_time", "poll_failed_time"):
            counts["processes", "<all>", counter] += round(process[counter] * (1e9 if counter.endswith("_time") else 1))
    for name in view.tables["names"]:
        counts["names", name["path"], "kind"] = name["kind"]
    return counts


def differences(exactly, least, most, counted, folder, layers):
    """Sentences. Files of which the program says nothing are compared too, if they lie in its folder."""
    files = {(layer, path) for layer, path, _ in exactly}
    files |= {(layer, path) for layer, path, _ in counted if layer in layers and path.startswith(folder + "/")}
    found = []
    for layer, path in sorted(files):
        named = {counter for at, name, counter in exactly if (at, name) == (layer, path)}
        flexible = {counter for at, name, counter in least if (at, name) == (layer, path)}
        for counter in sorted((set(COMPARED.get(layer, ())) | named) - flexible):
            did, logged = exactly[layer, path, counter], counted[layer, path, counter]
            if did != logged:
                found.append(f"{layer} {path}: {counter}: the program did {did}, the log has {logged}")
    for (layer, path, counter), n in sorted(least.items()):
        if counted[layer, path, counter] < n:
            found.append(f"{layer} {path}: {counter}: at least {n}, the log has {counted[layer, path, counter]}")
    for (layer, path, counter), n in sorted(most.items()):
        if counted[layer, path, counter] > n:
            found.append(f"{layer} {path}: {counter}: at most {n}, the log has {counted[layer, path, counter]}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fathom", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--environment", action="append", default=[])
    parser.add_argument("--layers", nargs="+", default=list(COMPARED), help="those that the program speaks of")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    folder = os.path.abspath(options.work)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    log = folder + ".fathom"
    environment = {**os.environ, **dict(pair.split("=", 1) for pair in options.environment)}
    result = subprocess.run([options.fathom, "record", "--quiet", "-o", log, "--", *options.command], cwd=folder, env=environment,
                            capture_output=True, text=True)
    if result.returncode == SKIPPED:
        print(result.stdout, result.stderr)
        return SKIPPED
    view = FathomView(options.fathom, log)
    exactly, least, most = claims_of(result.stdout, folder)
    found = differences(exactly, least, most, counted_in(view), folder, options.layers)
    if result.returncode != 0:
        found.insert(0, f"exit status {result.returncode}: {result.stderr}")
    if not exactly:
        found.append("the program says that it did nothing")
    if result.stderr:
        found.append(f"on standard error: {result.stderr}")
    found += [f"problem in the log: {problem}" for problem in view.problems]
    print(*found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
