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
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "tests/e2e"))
from darshan_copies import Log  # noqa: E402
from postgres import Postgres  # noqa: E402

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
