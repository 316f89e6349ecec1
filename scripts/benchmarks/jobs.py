#!/usr/bin/env python3
"""How long `fathom jobs` takes: adding very many logs to SQLite and PostgreSQL, and looking at a million jobs.

The logs are copies of the Darshan logs in FOLDER, in turn, until there are --logs of them, each with an id and a start of its
own; those that no parser reads are left out. They have been read once when the clock starts. The jobs are drawn by chance, with
sums that the study must find again. PostgreSQL's server runs in a folder of its own on the same machine.
"""

import argparse
import base64
import csv
import json
import multiprocessing
import os
import random
import shutil
import sqlite3
import statistics
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
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, said.strip().split("\n")[-1]


def add_logs(fathom, folder, count, url, name, size):
    seconds, cpu, peak, said = timed([fathom, "jobs", "add", folder, "--db", url])
    again = timed([fathom, "jobs", "add", folder, "--db", url])
    print(f"{name}: {count} logs in {seconds:.1f} s ({cpu:.1f} s of CPU, {peak:.0f} MiB), again in {again[0]:.2f} s, "
          f"{size() / count:.0f} bytes a job; {said}")


PROJECTS, USERS, PROGRAMS = 60, 500, 200
FINDINGS = ("small_requests", "metadata_bound", "stragglers", "no_collectives", "random_access")
START = 1_790_000_000 * 10**9


class Rows:
    """Rows of a table, whose columns are 0 or empty where nothing is said, or NULL where that may be."""

    def __init__(self, database, table):
        self.table, self.usual = table, {row[1]: (None if not row[3] else "" if row[2].lower() == "text" else 0)
                                         for row in database.execute(f"pragma table_info({table})")}

    def __call__(self, **values):
        return tuple({**self.usual, **values}.values())

    def insert(self, database, rows):
        database.executemany(f"insert into {self.table} values ({','.join('?' * len(self.usual))})", rows)


FILLED = ("jobs", "job_details", "job_layers", "job_modes", "job_sharing", "job_phases", "job_findings", "job_files", "job_mounts", "logs")
AT_ONCE = 20_000  # jobs


def bins(start, run, written, chance):
    """As docs/DATABASE.md has them: their length, and up to 40 of them between start and end."""
    length = 625 * 10**5
    while run // length >= 1000:
        length *= 2
    first, last = start // length, (start + run) // length
    numbers = sorted(chance.sample(range(first, last + 1), min(40, last + 1 - first)))
    lines = "".join(f"{number - before} 0 {written // len(numbers)} 0 {chance.randrange(1, 9)}\n" for before, number in zip([0, *numbers], numbers))
    return {"bin_ns": length, "bins": base64.b64encode(zlib.compress(lines.encode(), 1)).decode()}


def make_tables(fathom, url, scratch):
    nothing = scratch / "no logs"
    nothing.mkdir(exist_ok=True)
    subprocess.run([fathom, "jobs", "add", nothing, "--db", url], check=True, stderr=subprocess.DEVNULL)


def some_jobs(tables, first, last, start):
    """Rows of jobs first to last, drawn by chance: {table: rows}, and the sums {project: [runs, read, written]}."""
    job, details, layer, mode, sharing, phase, found, file, mount, log = (tables[name] for name in FILLED)
    chance, truth, rows = random.Random(first), {}, {name: [] for name in FILLED}
    hour = 3600 * 10**9
    for number in range(first, last + 1):
        project = f"project{int(PROJECTS * chance.random() ** 2)}"
        processes, run = 2 ** chance.randrange(15), int(hour * chance.expovariate(1))
        read, written = int(2**20 * chance.lognormvariate(5, 4)), int(2**20 * chance.lognormvariate(6, 4))
        accesses, files = (read + written) // 2**18 + 1, min(processes * chance.randrange(1, 4), 10**5)
        one = chance.random() < 0.5
        sums = truth.setdefault(project, [0, 0, 0])
        for at, more in enumerate((1, read, written)):
            sums[at] += more
        cost = int(run * chance.random() / 2) if chance.random() < 0.3 else None
        finding = chance.choice(FINDINGS) if cost is not None else ""
        reads, writes = int(run * processes * 0.01), int(run * processes * 0.02)
        rows["jobs"].append(job(
            id=number, recorded=1, tool="darshan", match_key=f"{number}/x", job=str(number), user_name=f"user{chance.randrange(USERS)}",
            project=project, program=f"program{chance.randrange(PROGRAMS)}", start_ns=start + number * 10**10,
            end_ns=start + number * 10**10 + run, run_ns=run, processes=processes, nodes=max(processes // 32, 1), posix=1, mpiio=int(not one),
            bytes=read + written, bytes_read=read, bytes_written=written, read_ns=reads, write_ns=writes, metadata_ns=reads // 2,
            slowest_ns=run // 20, rate=float((read + written) / 2**20), rate_per_node=chance.lognormvariate(3, 1), io_share=0.035,
            files=files, files_read=files // 2, files_written=files // 2, accesses=accesses, sequential=accesses // 2,
            aligned=accesses // 3, reads_mode="N-1", writes_mode="N-N", key_size=2**20, key_direction="w", findings=int(cost is not None),
            finding=finding, finding_cost_ns=cost))
        rows["job_details"].append(details(job=number, program_path=f"/apps/bin/program{number % PROGRAMS}", command=f"program --input {number}",
                                     verdict="I/O took 3.5 % of the run.",
                                     **bins(start + number * 10**10, run, written, chance)))
        rows["job_layers"].append(layer(job=number, layer="posix", files=files, reads=accesses // 2, writes=accesses // 2, bytes_read=read,
                                 bytes_written=written, read_ns=reads, write_ns=writes, reads_1M_4M=accesses // 2, writes_1M_4M=accesses // 2))
        rows["job_modes"] += [mode(job=number, direction="reads", mode="N-1", files=1, bytes=read),
                       mode(job=number, direction="writes", mode="N-N", files=files, bytes=written)]
        rows["job_sharing"] += [sharing(job=number, sharing="shared", files_read=1, bytes_read=read),
                          sharing(job=number, sharing="unique", files_written=files, bytes_written=written)]
        rows["job_phases"] += [phase(job=number, start_ns=at * hour // 4, length_ns=hour // 9, bytes_written=written // 3) for at in range(3)]
        if cost is not None:
            rows["job_findings"].append(found(job=number, finding=finding, cost_ns=cost, confidence="high", title=f"{finding} in this run"))
        rows["job_files"] += [file(job=number, path=f"/scratch/{project}/run{number}/file{at}", bytes_written=written // 3) for at in range(3)]
        rows["job_mounts"].append(mount(job=number, mount="/scratch", type="lustre", files=files, bytes_read=read, bytes_written=written))
        rows["logs"].append(log(path=f"/logs/{number // 1000}/{number}.darshan", tool="darshan", identity=f"{number:032x}", size=1, job=number))
    return rows, truth


def add_up(truth, more):
    for project, sums in more.items():
        truth[project] = tuple(a + b for a, b in zip(truth.get(project, (0, 0, 0)), sums))


def make_site(fathom, path, jobs):
    """A database of so many jobs; gives what a study of it must say: {project: (runs, read, written)}."""
    make_tables(fathom, path, path.parent)
    database = sqlite3.connect(path)
    database.execute("pragma synchronous = off")
    tables, truth = {name: Rows(database, name) for name in FILLED}, {}
    for first in range(1, jobs + 1, AT_ONCE):
        rows, sums = some_jobs(tables, first, min(first + AT_ONCE - 1, jobs), START)
        add_up(truth, sums)
        for name, some in rows.items():
            tables[name].insert(database, some)
        database.commit()
    database.close()
    return truth


def write_csv(file, rows):
    with open(file, "w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows([["\\N" if value is None else value for value in row] for row in rows])
    os.chmod(file, 0o644)


def csv_of_jobs(work):
    """In a process of its own: files of the rows of some jobs."""
    tables, first, last, start, scratch = work
    rows, truth = some_jobs(tables, first, last, start)
    files = [(name, os.path.join(scratch, f"{name}-{first}.csv")) for name in FILLED]
    for name, file in files:
        write_csv(file, rows[name])
    return files, truth


def make_site_in(fathom, server, jobs, scratch):
    """The same jobs in PostgreSQL, as quickly as that can be: made by all processors, copied in while there is no index."""
    url = server.url("jobs")
    make_tables(fathom, url, scratch)
    empty = scratch / "empty.db"
    make_tables(fathom, empty, scratch)
    database = sqlite3.connect(empty)
    tables = {name: Rows(database, name) for name in FILLED}
    database.close()
    empty.unlink()
    indexes = server.sql("jobs", "select indexname, indexdef from pg_indexes where schemaname = 'public' and indexname like '%\\_by\\_%'").splitlines()
    for line in indexes:
        server.sql("jobs", f"drop index {line.split('|', 1)[0]}")
    truth = {}
    work = [(tables, first, min(first + AT_ONCE - 1, jobs), START, str(scratch)) for first in range(1, jobs + 1, AT_ONCE)]
    with multiprocessing.Pool(os.cpu_count()) as pool:
        for files, sums in pool.imap(csv_of_jobs, work):
            add_up(truth, sums)
            for name, file in files:
                server.sql("jobs", f"\\copy {name} from '{file}' with (format csv, null '\\N')")
                os.unlink(file)
    for line in indexes:
        server.sql("jobs", "set maintenance_work_mem = '512MB'; " + line.split("|", 1)[1])
    server.sql("jobs", "vacuum analyze")
    return truth


def copy_to(server, path, scratch):
    """The same rows in PostgreSQL."""
    database = sqlite3.connect(path)
    for (table,) in database.execute("select name from sqlite_master where type = 'table' and name <> 'fathom_schema'").fetchall():
        file = scratch / "table.csv"
        write_csv(file, database.execute(f"select * from {table}"))
        server.sql("jobs", f"\\copy {table} from '{file}' with (format csv, null '\\N')")
        file.unlink()
    server.sql("jobs", "analyze")


QUESTIONS = (("list",), ("list", "--user", "user7"), ("list", "--since", "@1790500000", "--until", "@1790600000"), ("list", "--project", "project3", "--nodes", ">64"),
             ("list", "--cost", ">10min", "--nodes", ">64"), ("list", "--finding", "stragglers"), ("list", "--program", "program9", "--bytes", ">1TiB"),
             ("list", "--nodes", ">5000"), ("list", "--user", "user7", "--sort", "bytes"), ("list", "--sort", "rate"),
             ("list", "--sort", "rate_per_node"), ("list", "--sort", "worst_finding"), ("list", "--sort", "group"),
             ("list", "--sort", "job_step"), ("list", "--sort", "ranks_missing"), ("list", "--sort", "state"), ("show", "{half}"), ("show", "--job", "{half}"))


def ask(fathom, url, jobs, truth, name):
    for question in QUESTIONS:
        words = [word.format(half=jobs // 2) for word in question]
        times = [timed([fathom, "jobs", *words, "--db", url, "-o", os.devnull, "--format", "text"])[0] for _ in range(5)]
        print(f"{name}: {' '.join(words):44} {statistics.median(times) * 1000:5.0f} ms [{min(times) * 1000:.0f}..{max(times) * 1000:.0f}]")
    for words in (("history", str(jobs // 2)), ("neighbours", str(jobs // 2)), ("neighbours", "--what-if", "64:1TiB:2GiB", "512:4TiB:8GiB")):
        times = [timed([fathom, *words, "--db", url, "-o", os.devnull, "--format", "text"])[0] for _ in range(5)]
        print(f"{name}: {' '.join(words):44} {statistics.median(times) * 1000:5.0f} ms [{min(times) * 1000:.0f}..{max(times) * 1000:.0f}]")
    some = min(jobs, 20_000)  # of all it takes very long
    since = f"@{(START + (jobs - some) * 10**10) // 10**9}"
    seconds, _, peak, _ = timed([fathom, "neighbours", "--site", "--since", since, "--db", url, "-o", os.devnull, "--format", "text"])
    print(f"{name}: neighbours --site of {some} jobs {seconds:.1f} s, {peak:.0f} MiB")
    start = time.monotonic()
    study = subprocess.run([fathom, "study", "--db", url, "--top", "1000", "--format", "json"], check=True, capture_output=True, text=True).stdout
    seconds = time.monotonic() - start
    table = next(block["rows"] for section in json.loads(study)["sections"] for block in section["blocks"] if block.get("id") == "volumes")
    right = sum(truth.get(row["name"]) == (row["runs"], row["bytes_read"], row["bytes_written"]) for row in table)
    print(f"{name}: study of {jobs} jobs {seconds:.1f} s; {right} of {len(truth)} projects as planted")
    return study


def million(fathom, jobs, scratch):
    path = scratch / "site.db"
    truth = make_site(fathom, path, jobs)
    print(f"SQLite: {path.stat().st_size / jobs:.0f} bytes a job")
    ours = ask(fathom, str(path), jobs, truth, "SQLite")
    with Postgres(scratch) as server:
        url = server.url("jobs")
        make_tables(fathom, url, scratch)
        copy_to(server, path, scratch)
        print(f"PostgreSQL: {int(server.sql('jobs', 'select pg_database_size(current_database())')) / jobs:.0f} bytes a job")
        theirs = ask(fathom, url, jobs, truth, "PostgreSQL")
    print(f"The two studies are {'the same' if ours == theirs else 'DIFFERENT'}.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="of Darshan logs")
    parser.add_argument("--build", type=Path, required=True, help="folder of the build")
    parser.add_argument("--logs", type=int, default=100_000, help="copies to add (default: 100000; 0: none)")
    parser.add_argument("--jobs", type=int, default=1_000_000, help="jobs of the site that is made up (default: 1000000; 0: none)")
    parser.add_argument("--work", type=Path, help="folder for the copies (default: a temporary one)")
    options = parser.parse_args()
    fathom = options.build / "bin" / "fathom"
    scratch = Path(tempfile.mkdtemp(dir=options.work))
    try:
        scratch.chmod(0o755)
        if options.logs:  # first: a child's peak of memory is no less than what this process has when it starts it
            folder = copies(fathom, options.folder, options.logs, scratch)
            file = scratch / "jobs.db"
            add_logs(fathom, folder, options.logs, str(file), "SQLite", lambda: file.stat().st_size)
            with Postgres(scratch) as server:
                add_logs(fathom, folder, options.logs, server.url("jobs"), "PostgreSQL",
                         lambda: int(server.sql("jobs", "select pg_database_size('jobs')")))
            shutil.rmtree(folder)
        if options.jobs:
            million(fathom, options.jobs, scratch)
    finally:
        shutil.rmtree(scratch)


if __name__ == "__main__":
    main()
