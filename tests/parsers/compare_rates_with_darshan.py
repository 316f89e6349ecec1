#!/usr/bin/env python3
"""Compares the rates in reports with what Darshan's own tool prints of them.

compare_rates_with_darshan.py FATHOM FOLDER [--made]: for each X.darshan in FOLDER with X.darshan.parser.txt.gz beside it."""
import gzip
import json
import re
import subprocess
import sys
from pathlib import Path

LAYERS = {"POSIX": "POSIX", "MPI-IO": "MPI-IO", "STDIO": "stdio"}
NUMBERS = {
    "total_bytes": "bytes",
    "unique files: slowest_rank_io_time": "unique",
    "shared files: time_by_slowest": "shared",
    "agg_time_by_slowest": "time",
    "agg_perf_by_slowest": "rate",
}


def expected_of(text_path):
    """By module: what the tool prints under "performance". And the number of processes."""
    modules, module, processes, impossible = {}, None, 0, set()
    with gzip.open(text_path, "rt", encoding="utf-8", errors="replace") as text:
        for line in text:
            if not line.startswith("#"):
                if "_TIME\t-" in line:  # a time below 0: the tool adds it up, we leave it out and say so
                    impossible.add(module)
                continue
            if found := re.match(r"# (.*) module data$", line):
                module = found[1]
            elif found := re.match(r"# nprocs: (\d+)", line):
                processes = int(found[1])
            elif found := re.match(r"# (.+?): ([-0-9.eE]+)(?: #.*)?$", line):
                if module in LAYERS and found[1] in NUMBERS:
                    modules.setdefault(module, {})[NUMBERS[found[1]]] = float(found[2])
    return {name: numbers for name, numbers in modules.items() if name not in impossible}, processes


def table_of(fathom, log):
    done = subprocess.run([fathom, "report", log, "--format", "json"], capture_output=True, check=False)
    if done.returncode != 0:
        return None
    document = json.loads(done.stdout)
    for section in document["sections"]:
        for block in section["blocks"]:
            if block.get("id") == "rate_by_layer":
                return {row["layer"]: row for row in block["rows"]}
    return {}


# Times are whole nanoseconds in our records, each rounded; the tool prints six digits.
RECORDS_ROUNDED = 4
NANOSECOND = 1e-9


def close(name, ours, theirs, time):
    allowed = 1.5e-6 + 1e-6 * abs(theirs)
    if name == "rate" and time:
        allowed += theirs * RECORDS_ROUNDED * NANOSECOND / time
    return abs((ours or 0) - theirs) <= allowed


def main():
    fathom, folder = sys.argv[1], Path(sys.argv[2])
    logs = sorted(folder.glob("*.darshan"))
    if not logs:
        print(f"skipped: there are no logs in {folder}")
        return 77
    wrong, compared = [], 0
    for log in logs:
        text_path = Path(str(log) + ".parser.txt.gz")
        if not text_path.exists():
            continue
        expected, processes = expected_of(text_path)
        if "ppc64" in log.name:  # of the other byte order: the tool leaves some times of POSIX unswapped
            expected.pop("POSIX", None)
        table = table_of(fathom, str(log))
        if table is None:
            if expected:
                wrong.append(f"{log.name}: no report")
            continue
        for module, numbers in expected.items():
            row = table.get(LAYERS[module])
            if row is None:
                if any(numbers.values()):
                    wrong.append(f"{log.name}, {module}: no row, {numbers}")
                continue
            # Of one process all files are its own; the tool takes some for shared, whose slowest rank has no
            # time in some versions.
            if processes == 1 and numbers["time"] == 0:
                continue
            names = ["bytes", "time", "rate"] if processes == 1 else list(NUMBERS.values())
            for name in names:
                if name not in numbers:
                    continue
                compared += 1
                if not close(name, row[name], numbers[name], row["time"]):
                    wrong.append(f"{log.name}, {module}: {name} is {row[name]}, the tool prints {numbers[name]}")
    print(f"{compared} numbers of {len(logs)} logs compared, {len(wrong)} wrong")
    for line in wrong:
        print(line)
    return 1 if wrong or compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
