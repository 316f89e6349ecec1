#!/usr/bin/env python3
"""`fathom history`: runs that were recorded, and databases of runs that were made up, beside what Python makes of them.

usage: run_history.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_history.py --list
Exit status 77: the case cannot be set up here.
"""
import contextlib
import difflib
import json
import math
import os
import random
import re
import sqlite3
import statistics
import sys
from pathlib import Path

import cases
import postgres
from cases import Skip, case
from darshan_copies import Log

DAY = 86400 * 10**9
FIRST = 1_790_000_000 * 10**9
SECTIONS = ["summary", "kind", "variance", "today", "over_time", "changes", "phases"]


class Place(cases.Place):
    def history(self, *words, status=0, **options):
        result = self.run(self.fathom, "history", *words, **options)
        self.expect_status(result, status)
        return result

    def document(self, *words, status=0):
        """Values, blocks by id, sections and all texts of the JSON."""
        made = json.loads(self.history(*words, "--format", "json", status=status).stdout)
        blocks = {block["id"]: block for section in made["sections"] for block in section["blocks"] if "id" in block}
        texts = " ".join(block["text"] for section in made["sections"] for block in section["blocks"] if "text" in block)
        return made["values"], blocks, [section["id"] for section in made["sections"]], texts

    def empty_database(self, name):
        """A database without jobs, in the version of this Fathom."""
        self.expect_status(self.record("true", options=("--quiet", "-o", self.path("none.fathom"))), 0)
        url = self.path(name)
        self.expect_status(self.run(self.fathom, "jobs", "add", "--db", url, self.path("none.fathom")), 0)
        with contextlib.closing(sqlite3.connect(url)) as database, database:
            for (table,) in database.execute("select name from sqlite_master where type = 'table' and name <> 'fathom_schema'").fetchall():
                database.execute(f"delete from {table}")
        return url


def add_runs(url, program, seconds, **more):
    """A run a day; the ids follow those that are there."""
    with contextlib.closing(sqlite3.connect(url)) as database, database:
        columns = database.execute("pragma table_info(jobs)").fetchall()
        first = (database.execute("select max(id) from jobs").fetchone()[0] or 0) + 1
        for at, time in enumerate(seconds):
            row = {"id": first + at, "recorded": 1, "tool": "fathom", "program": program, "user_name": "anna", "processes": 64, "files": 3,
                   "bytes": 2**31, "bytes_read": 2**30, "bytes_written": 2**30, "start_ns": FIRST + at * DAY,
                   "end_ns": FIRST + at * DAY + 3600 * 10**9, "run_ns": 3600 * 10**9, "slowest_ns": round(time * 1e9), **more}
            database.execute(f"insert into jobs values ({','.join('?' * len(columns))})",
                             [row.get(name, None if not required else "" if kind == "text" else 0)
                              for _, name, kind, required, *_ in columns])
    return first


def noisy(number, count, sigma=0.05, level=100):
    made = random.Random(number)
    return [level * math.exp(made.gauss(0, sigma)) for _ in range(count)]


@case("recorded runs of one program are a history")
def _(place):
    url = place.path("jobs.db")
    for number in range(9):
        size = 3 if number == 8 else 2
        place.expect_status(place.record("sh", "-c", f"dd if=/dev/zero of=out bs=1M count={size} 2>/dev/null",
                                         options=("--quiet", "-o", place.path(f"{number}.fathom"))), 0)
    for number in range(2):
        place.expect_status(place.record("sh", "-c", "head -c 4096 /dev/zero > small",
                                         options=("--quiet", "-o", place.path(f"small{number}.fathom"))), 0)
    place.expect_status(place.run(place.fathom, "jobs", "add", "--db", url, place.folder), 0)
    with contextlib.closing(sqlite3.connect(url)) as database:
        kernels = set(database.execute("select kernel from job_environment").fetchall())
        storage = database.execute("select storage from job_environment order by job").fetchall()
        times = [time / 1e9 for (time,) in database.execute(
            "select slowest_ns from jobs where program = 'dd' and bytes_written = 2097152 order by start_ns")]
        larger, = database.execute("select id from jobs where program = 'dd' and bytes_written = 3145728").fetchone()
        older, = database.execute("select min(id) from jobs where program = 'dd' and bytes_written = 2097152").fetchone()
    place.expect(kernels == {(os.uname().release,)}, f"the kernel is {kernels}")
    place.expect(all(words for (words,) in storage), f"the file systems are {storage}")
    values, blocks, sections, texts = place.document("dd", "--db", url)
    place.expect(values["kind.runs"] == 1, f"the newest kind has {values['kind.runs']} runs")
    place.expect("1 run is no history" in texts, texts)
    place.expect([row["samples"] for row in blocks["variance"]["rows"]] == [1, 8], f"kinds of dd: {blocks['variance']['rows']}")
    place.expect(blocks["variance"]["rows"][0]["job"] == str(larger), "the newest job is another one")
    values, blocks, sections, texts = place.document(str(older), "--db", url)
    sections.remove("slowdown") if "slowdown" in sections else None  # the oldest may have been slow
    place.expect(sections == SECTIONS, f"the sections are {sections}")
    row = blocks["variance"]["rows"][0]
    for name, expected in (("mean", statistics.fmean(times)), ("min", min(times)), ("max", max(times)),
                           ("stddev", statistics.stdev(times)), ("cv", statistics.stdev(times) / statistics.fmean(times))):
        place.expect(math.isclose(row[name], expected, rel_tol=1e-9), f"{name}: {row[name]} instead of {expected}")
    values, blocks, sections, texts = place.document("head", "--db", url)
    place.expect("2 runs are no history" in texts and "over_time" not in sections, f"two runs are a history: {texts}")
    values, *_ = place.document("dd", "--db", url, "--match", "program,user")
    place.expect(values["kind.runs"] == 9, f"by program and user the kind has {values['kind.runs']} runs")
    values, *_ = place.document("dd", "--db", url, "--within", "40%")
    place.expect(values["kind.runs"] == 9, f"within 40 % the kind has {values['kind.runs']} runs")


@case("a report says how its job is beside others of its kind, where the database has its log")
def _(place):
    url = place.path("jobs.db")
    logs = [place.path(f"{number}.fathom") for number in range(10)]
    for log in logs:
        place.expect_status(place.record("dd", "if=/dev/zero", "of=out", "bs=1M", "count=2", "conv=fsync", options=("--quiet", "-o", log)), 0)
    add = [place.fathom, "jobs", "add", "--db", url]
    place.expect_status(place.run(*add, *logs[:9]), 0)
    said = place.run(place.fathom, "report", logs[9], "--db", url)
    place.expect_status(said, 0)
    place.expect("does not have this log; `fathom jobs add` puts it there" in " ".join(said.stdout.split()), said.stdout)
    place.expect_status(place.run(*add, logs[9]), 0)
    for words in (("report", logs[9]), ("jobs", "report", "10")):
        said = place.run(place.fathom, *words, "--db", url, "--format", "json")
        place.expect_status(said, 0)
        document = json.loads(said.stdout)
        section, = [one for one in document["sections"] if one["id"] == "slowdown"]
        sentence = next(note["text"] for note in document["first_page"]["notes"] if note["text"].startswith("Job "))
        place.expect(sentence.startswith("Job 10 ") and " runs like it" in sentence, sentence)  # all 9, or those of its level on a busy machine
        rows = [row for block in section["blocks"] if block.get("id") == "slowdown_parts" for row in block["rows"]]
        if rows:  # it was slow
            sums = sum(row["seconds"] for row in rows), document["values"]["slowdown.difference"]
            place.expect(math.isclose(*sums, rel_tol=1e-6, abs_tol=1e-9), f"the parts are {sums[0]} of {sums[1]}")
    place.expect(sentence in place.document("10", "--db", url)[3], "the history has another sentence")
    said = place.run(place.fathom, "report", *logs, "--db", url)
    place.expect(said.returncode == 2 and "--db is for the report of one log" in said.stderr, said.stderr)
    said = place.run(place.fathom, "report", logs[0], "--db", place.path("none.db"))
    place.expect(said.returncode == 1 and "none.db" in said.stderr, said.stderr)


@case("a nightly job ends with status 3 where a program became slower")
def _(place):
    url = place.empty_database("jobs.db")
    for number in range(10):
        add_runs(url, f"quiet{number}", noisy(number, 40), files=number)
    said = place.history("--all", "--db", url, "--fail-if", "slower=20%")
    place.expect("slower" not in said.stderr, f"an alarm of quiet programs: {said.stderr}")
    slow = add_runs(url, "stepped", noisy(1, 20) + noisy(2, 20, level=130))
    with contextlib.closing(sqlite3.connect(url)) as database, database:
        for at in range(40):
            database.execute("insert into job_environment (job, mpi, kernel, recorder, node_names, storage, striping, metadata_calls, build) "
                             "values (?, 'Open MPI 4', ?, '', '', '', '', 0, '')", (slow + at, "6.1.0" if at < 20 else "6.12.0"))
    add_runs(url, "one", noisy(3, 39, 0.03) + [150])
    said = place.history("--all", "--db", url, "--fail-if", "slower=20%", "--width", "80", status=3)
    lines = [line for line in said.stderr.splitlines() if "history: slower: " in line]
    place.expect(len(lines) == 2, f"the alarms are {said.stderr}")
    place.expect(any(f"job {slow + 79} of one took 150 s" in line for line in lines), f"no alarm of one run: {lines}")
    place.expect(any("of stepped take" in line and "kernel: 6.12.0, before 6.1.0" in line for line in lines), f"no alarm of a step: {lines}")
    place.expect(max(map(len, said.stdout.splitlines())) <= 80, "lines are wider than 80")
    values, blocks, sections, texts = place.document("--all", "--db", url, "--fail-if", "slower=20%", status=3)
    place.expect(sections == ["summary", "slower", "variance"], f"the sections are {sections}")
    place.expect(values["summary.slower"] == 2 and values["summary.judged"] == 12, f"{values}")
    place.expect(" ".join(said.stdout.split()).count("false alarms a month: from the spread") == 1 and "month false" not in said.stdout, said.stdout[:2000])
    place.expect(0 <= values["summary.false_alarms_a_month"] < 3, f"false alarms a month: {values}")
    rows = {row["program"]: row for row in blocks["slower"]["rows"]}
    place.expect(1.2 < rows["stepped"]["ratio"] < 1.4 and rows["stepped"]["confidence"] > 0.99, f"{rows}")
    place.expect(abs(int(rows["stepped"]["job"]) - slow - 20) <= 2, f"the step is at {rows['stepped']}")
    place.expect(math.isclose(rows["one"]["confidence"], 1 - 1 / 40), f"{rows}")
    # Twenty nights later only what is new then counts.
    date = "2026-10-25"
    said = place.history("--all", "--db", url, "--fail-if", "slower=20%", "--since", date, status=3)
    place.expect("stepped" not in said.stderr and "of one took" in said.stderr, f"since {date}: {said.stderr}")
    place.history("--all", "--db", url, "--fail-if", "slower=60%")
    place.history("--all", "--db", url, "--fail-if", "slower=20%", "--until", "2026-10-09")
    place.history("stepped", "--db", url, "--fail-if", "slower=20%", status=3)
    place.history("quiet3", "--db", url, "--fail-if", "slower=20%")
    place.history("--all", "--db", url)  # says the same, and fails nobody
    for ending in ("html", "pdf", "json", "txt"):
        place.history("stepped", "--db", url, "-o", place.path(f"x.{ending}"))
        place.expect(os.path.getsize(place.path(f"x.{ending}")) > 2000, f"x.{ending} is small")


@case("SQLite and PostgreSQL have the same history")
def _(place):
    if postgres.programs() is None:
        raise Skip("no server of PostgreSQL")
    logs = sorted((Path(place.programs).parent / "tests/made_logs").glob("3.41-*little.darshan"))[:2]
    if not logs:
        raise Skip("there are no logs of Darshan")
    kinds = [Log(path) for path in logs]
    os.makedirs(place.path("logs"))
    for number in range(60):
        Path(place.path(f"logs/{number}.darshan")).write_bytes(kinds[number % len(kinds)].copy(number, 1))
    with postgres.Postgres() as server:
        urls = (place.path("jobs.db"), server.url("jobs"))
        said = []
        for url in urls:
            place.expect_status(place.run(place.fathom, "jobs", "add", "--db", url, place.path("logs")), 0)
            all_kinds = place.history("--all", "--db", url, "--format", "json").stdout
            job = json.loads(all_kinds)["sections"][-1]["blocks"][0]["rows"][0]["job"]
            said.append(re.sub("([Jj]ob +|%  |\"job\": ?\")[0-9]+", "", all_kinds + place.history(job, "--db", url).stdout))
        place.expect(said[0] == said[1] and len(said[0]) > 2000, "they differ: " + "\n".join(difflib.unified_diff(said[0].splitlines(), said[1].splitlines(), lineterm="")))


@case("what cannot be asked is said in a sentence")
def _(place):
    url = place.empty_database("jobs.db")
    add_runs(url, "a", noisy(1, 9))
    add_runs(url, "timeless", noisy(1, 1), start_ns=0)
    for words, status, message in (
            ((), 2, "name a program or the id of a job, or say --all"),
            (("a", "--all"), 2, "name a program or the id of a job, or say --all"),
            (("a", "--fail-if", "faster=2%"), 2, "--fail-if faster=2%: say by how many percent"),
            (("a", "--fail-if", "slower=nan"), 2, "say by how many percent"),
            (("a", "--fail-if", "slower=-2%"), 2, "say by how many percent"),
            (("a", "--match", "programs"), 2, "--match programs: runs can agree in these: program, user"),
            (("a", "--within", "100%"), 2, "--within 100%: say by how many percent"),
            (("a", "--since", "soon"), 2, "--since soon"),
            (("a", "--until", "soon"), 2, "--until soon"),
            (("a", "--top", "0"), 2, "--top"),
            (("a", "-o", url), 2, "jobs.db"),
            (("b",), 1, "no run of b with a log"),
            (("77",), 1, "no run of 77 with a log"),
            (("a", "--user", "bob"), 1, "no run of a by bob"),
            (("10",), 1, "when job 10 ran is not known"),
            (("5", "--user", "bob"), 1, "job 5 is none of the runs that were asked for")):
        result = place.history(*words, "--db", url, status=status)
        place.expect_message(result, re.escape(message))
        place.expect(result.stdout == "", f"{words}: {result.stdout}")
    result = place.history("a", "--db", place.path("none.db"), status=1)
    place.expect_message(result, "none.db")
    place.expect("1,2" not in place.history("9", "--db", url).stderr, "an id is no program")
    place.history("a*", "--db", url)
    nothing = place.empty_database("nothing.db")
    said = place.history("--all", "--db", nothing)
    place.expect("no run with a log" in said.stdout, said.stdout)


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
