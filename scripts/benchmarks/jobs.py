#!/usr/bin/env python3
"""How long `fathom jobs` takes: adding very many logs to SQLite and PostgreSQL, and looking at a million jobs.

The logs are copies of the Darshan logs in FOLDER, in turn, until there are --logs of them, each with an id and a start of its
own; those that no parser reads are left out. They have been read once when the clock starts. PostgreSQL's server runs in a
folder of its own on the same machine.
"""

import argparse
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib
import bz2
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "tests/e2e"))
from postgres import Postgres  # noqa: E402

MAGIC = 6567223


class Log:
    """A Darshan log whose job can be given another id and start."""

    def __init__(self, path):
        self.name, self.data = path.name, path.read_bytes()
        order = "<" if struct.unpack_from("<q", self.data, 8)[0] == MAGIC else ">"
        self.new = self.data[:4] == b"3.41"
        self.order, self.maps = order, (32, 65) if self.new else (24, 17)
        self.header = 1328 if self.new else 360
        offsets = [self.offset(at) for at in range(self.maps[1])]
        self.end = min([offset for offset in offsets if offset] or [len(self.data)])
        self.packer = {0: (zlib.decompressobj, lambda job: zlib.compress(job, 1)),
                       1: (bz2.BZ2Decompressor, lambda job: bz2.compress(job, 1)), 2: (None, lambda job: job)}[self.data[16]]
        packed = self.data[self.header:self.end]
        self.job = packed if self.packer[0] is None else self.packer[0]().decompress(packed)

    def offset(self, at):
        return struct.unpack_from(self.order + "Q", self.data, self.maps[0] + 16 * at)[0]

    def copy(self, number):
        job = bytearray(self.job)
        numbers = struct.Struct(self.order + ("7q" if self.new else "5q"))
        fields = list(numbers.unpack_from(job))
        fields[-1] = 10_000_000 + number
        for at in (1, 3) if self.new else (1, 2):
            fields[at] += number
        numbers.pack_into(job, 0, *fields)
        packed = self.packer[1](bytes(job))
        data = bytearray(self.data[:self.header] + packed + self.data[self.end:])
        for at in range(self.maps[1]):
            if offset := self.offset(at):
                struct.pack_into(self.order + "Q", data, self.maps[0] + 16 * at, offset + self.header + len(packed) - self.end)
        return data


def readable(fathom, path, scratch):
    try:
        log = Log(path)
        copy = scratch / "copy.darshan"
        copy.write_bytes(log.copy(1))
    except (KeyError, struct.error, zlib.error, OSError) as error:
        print(f"left out: {path.name}: {error}")
        return None
    said = subprocess.run([fathom, "dump", copy], capture_output=True, text=True)
    if said.returncode != 0 or "job_id\t10000001" not in said.stdout:
        print(f"left out: {path.name}: {said.stderr.strip()[:100]}")
        return None
    return log


def copies(fathom, folder, count, scratch):
    logs = [log for path in sorted(folder.glob("*.darshan")) if (log := readable(fathom, path, scratch))]
    for number in range(count):
        place = scratch / "logs" / str(number // 1000)
        place.mkdir(parents=True, exist_ok=True)
        log = logs[number % len(logs)]
        (place / f"{number}-{log.name}").write_bytes(log.copy(number))
    return scratch / "logs"


def timed(command):
    """Seconds on the clock, of CPU, peak in MiB."""
    start = time.monotonic()
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {process.returncode}: {said[-500:]}")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, said.strip().splitlines()[-1]


def add_logs(fathom, folder, count, url, name, size):
    seconds, cpu, peak, said = timed([fathom, "jobs", "add", folder, "--db", url])
    again = timed([fathom, "jobs", "add", folder, "--db", url])
    print(f"{name}: {count} logs in {seconds:.1f} s ({cpu:.1f} s of CPU, {peak:.0f} MiB), again in {again[0]:.2f} s, "
          f"{size() / count:.0f} bytes a job; {said}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="of Darshan logs")
    parser.add_argument("--fathom", default="build/release/bin/fathom")
    parser.add_argument("--logs", type=int, default=100_000)
    parser.add_argument("--work", type=Path, help="folder for the copies (default: a temporary one)")
    options = parser.parse_args()
    scratch = Path(tempfile.mkdtemp(dir=options.work))
    try:
        folder = copies(options.fathom, options.folder, options.logs, scratch)
        file = scratch / "jobs.db"
        add_logs(options.fathom, folder, options.logs, str(file), "SQLite", lambda: file.stat().st_size)
        with Postgres(scratch / "postgres") as server:
            add_logs(options.fathom, folder, options.logs, server.url("jobs"), "PostgreSQL",
                     lambda: int(server.sql("jobs", "select pg_database_size('jobs')")))
    finally:
        shutil.rmtree(scratch)


if __name__ == "__main__":
    main()
