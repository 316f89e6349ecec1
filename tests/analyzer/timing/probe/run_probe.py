#!/usr/bin/env python3
"""Runs `fathom probe` for a few seconds: to its end, stopped, killed, and on with a CSV that is there."""
import csv
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HEADER = ["time_s", "target", "operation", "size", "latency_s", "mode", "error"]
MODES = {"direct", "buffered+fdatasync", "buffered+dontneed"}


def check(holds, what):
    if not holds:
        sys.exit(f"failed: {what}")


def rows_of(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    check(rows and rows[0] == HEADER, f"header of {path}")
    check(all(len(row) == len(HEADER) for row in rows), f"rows of {path} are whole")
    return [dict(zip(HEADER, row)) for row in rows[1:]]


def start(fathom, *arguments):
    return subprocess.Popen([fathom, "probe", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_rows(path, number):
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if path.exists() and path.read_bytes().count(b"\n") > number:
            return
        time.sleep(0.01)
    sys.exit(f"failed: {path} has no {number} rows after a minute")


def to_the_end(fathom, folder, table):
    probe = start(fathom, folder, "--every", "50ms", "--for", "1s", "-o", table)
    said = probe.communicate(timeout=120)[1]
    check(probe.returncode == 0, f"exit status {probe.returncode}: {said}")
    rows = rows_of(table)
    writes = [row for row in rows if row["operation"] == "write" and row["latency_s"]]
    check(1 <= len(writes) <= 20, f"{len(writes)} probes in a second")
    check(all(row["mode"] in MODES and float(row["latency_s"]) > 0 for row in rows if not row["error"]), "modes and latencies")
    times = [float(row["time_s"]) for row in writes]
    check(abs(times[0] - time.time()) < 120, "times are UNIX times")
    check("write: median" in said and str(folder) in said, f"summary: {said}")
    check(os.listdir(folder) == [], "nothing is left behind")


def stopped(fathom, folder, table, number):
    before = len(rows_of(table))
    probe = start(fathom, folder, "--every", "20ms", "-o", table)
    wait_for_rows(table, before + 5)
    probe.send_signal(number)
    said = probe.communicate(timeout=60)[1]
    check(probe.returncode == 0, f"exit status {probe.returncode} after {number}: {said}")
    check("going on with the rows" in said and "probes;" in said, f"what it says: {said}")
    check(len(rows_of(table)) > before + 4, "rows were added")
    check(os.listdir(folder) == [], "nothing is left behind when it is stopped")


def killed(fathom, folder, table):
    before = len(rows_of(table))
    probe = start(fathom, folder, "--every", "20ms", "-o", table)
    wait_for_rows(table, before + 5)
    probe.kill()
    probe.communicate(timeout=60)
    check(len(os.listdir(folder)) == 1, "a file is left behind when it is killed")
    with open(table, "ab") as file:
        file.write(b"1795325339.240686,torn")
    probe = start(fathom, folder, "--every", "20ms", "--for", "100ms", "-o", table)
    said = probe.communicate(timeout=60)[1]
    check(probe.returncode == 0, f"exit status {probe.returncode}: {said}")
    check("cut off 22 bytes" in said, f"what it says of the torn line: {said}")
    check(len(rows_of(table)) > before + 5, "rows were added")
    check(not any("torn" in row["target"] for row in rows_of(table)), "the torn line is gone")
    check(os.listdir(folder) == [], "what the killed one left is removed")


def refused(fathom, folder):
    table = Path(folder, "other.csv")
    table.write_text("year,sum\n2026,3\n")
    probe = start(fathom, folder, "--every", "20ms", "--for", "100ms", "-o", table)
    said = probe.communicate(timeout=60)[1]
    check(probe.returncode == 1 and "is not that of a probe" in said, f"another header: {said}")
    check(table.read_text() == "year,sum\n2026,3\n", "nothing of it changed")
    probe = start(fathom, folder, "--every", "soon")
    check(probe.wait(timeout=60) == 2, "a time that is none is bad usage")


def reader_goes(fathom, folder):
    probe = start(fathom, folder, "--every", "20ms")
    check(probe.stdout.readline().strip() == ",".join(HEADER), "rows go to standard output")
    probe.stdout.close()
    check(probe.wait(timeout=60) == 0, "it ends once nobody reads")
    probe.stderr.close()


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: run_probe.py FATHOM")
    fathom = sys.argv[1]
    for parent in (None, "/dev/shm"):
        with tempfile.TemporaryDirectory(dir=parent) as top:
            folder, table = Path(top, "probed"), Path(top, "probe.csv")
            folder.mkdir()
            to_the_end(fathom, folder, table)
            stopped(fathom, folder, table, signal.SIGINT)
            stopped(fathom, folder, table, signal.SIGTERM)
            killed(fathom, folder, table)
            reader_goes(fathom, folder)
            refused(fathom, top)


if __name__ == "__main__":
    main()
