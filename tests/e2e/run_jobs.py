#!/usr/bin/env python3
"""The job database: SQLite and PostgreSQL, many writers, ends of every kind, what goes wrong.

usage: run_jobs.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_jobs.py --list
Exit status 77: the case cannot be set up here.
"""
import contextlib
import csv
import io
import json
import os
import random
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import cases
import postgres
import study
from cases import Skip, case
from darshan_copies import Log
from mpis import OPEN_MPI

KILLS = int(os.environ.get("FATHOM_KILLS", "20"))  # 200 take a minute
LOGS = 520  # two commits, and a rest


class Place(cases.Place):
    """Has logs, and asks databases."""

    def kinds(self):
        made = Path(self.programs).parent / "tests/made_logs"
        kinds = [Log(path) for path in sorted(made.glob("3.41-*little.darshan"))[:4]]
        if not kinds:
            raise Skip("there are no logs of Darshan")
        return kinds

    def logs(self, count, name="logs", level=1):
        """A folder of Darshan logs, each of a job of its own."""
        kinds = self.kinds()
        folder = self.path(name)
        for number in range(count):
            os.makedirs(f"{folder}/{number // 100}", exist_ok=True)
            with open(f"{folder}/{number // 100}/{number}.darshan", "wb") as file:
                file.write(kinds[number % len(kinds)].copy(number, level))
        return folder

    def jobs(self, *words, **options):
        return self.run(self.fathom, "jobs", *words, **options)

    def add(self, url, *named, status=0, **options):
        result = self.jobs("add", *named, "--db", url, **options)
        self.expect_status(result, status)
        return result.stderr

    def rows(self, url, *words):
        result = self.jobs("list", "--db", url, "--csv", *words)
        self.expect_status(result, 0)
        return list(csv.DictReader(io.StringIO(result.stdout)))

    def expect_whole(self, counts, logs, why):
        """`counts`: how many jobs, jobs with details, jobs with a log, logs, and layers of no job there are."""
        jobs, details, recorded, files, loose = counts
        self.expect(jobs == details == recorded == files and loose == 0 and jobs <= logs,
                    f"{why}: {jobs} jobs, {details} with details, {recorded} with a log, {files} logs of {logs}, {loose} loose rows")
        return jobs


COUNTS = ("select (select count(*) from jobs), (select count(*) from job_details), (select count(distinct job) from logs), "
          "(select count(*) from logs), (select count(*) from job_layers where job not in (select id from jobs))")


def sqlite_counts(path):
    with contextlib.closing(sqlite3.connect(path, timeout=60)) as database:
        return database.execute(COUNTS).fetchone()


def postgres_counts(server):
    return tuple(map(int, server.sql("jobs", COUNTS).split("|")))


def a_server():
    if postgres.programs() is None:
        raise Skip("no server of PostgreSQL")
    return postgres.Postgres()


@case("SQLite and PostgreSQL have the same, and know it again")
def _(place):
    folder, packed = place.logs(120), place.logs(120, "packed", 9)
    with a_server() as server:
        lists, pages = [], []
        urls = (place.path("jobs.db"), server.url("jobs"))
        for url in urls:
            place.expect("120 new jobs" in place.add(url, folder), "the first time")
            said = place.add(url, folder)
            place.expect("0 new jobs, 120 logs as before" in said, said)
            os.rename(folder, folder + "2")
            said = place.add(url, folder + "2")
            place.expect("0 new jobs, 120 copies" in said, said)
            os.rename(folder + "2", folder)
            said = place.add(url, packed)
            place.expect("0 new jobs, 120 copies" in said, f"packed anew: {said}")
            lists.append(place.jobs("list", "--db", url, "--csv", "--sort", "job", "--columns",
                                    "job,user,program,run_time,bytes_read,bytes_written,rate,io_share,cost,finding,worst_finding").stdout)
            job = place.rows(url, "--job", "10000007")[0]["id"]
            pages.append(re.sub("(id in the database|log) .*", "", place.jobs("show", job, "--db", url).stdout))
        place.expect(lists[0] == lists[1] and lists[0].count("\n") == 121, f"the lists differ: {lists[0][:300]} {lists[1][:300]}")
        place.expect(pages[0] == pages[1] and len(pages[0]) > 500, f"the pages differ: {pages}")
        studies = [place.run(place.fathom, "study", "--db", url, "--large-processes", "1", "--large-bytes", "1", "--format", form).stdout
                   for url in urls for form in ("text", "json", "html")]
        place.expect(studies[:3] == studies[3:] and all(len(study) > 3000 for study in studies), "the studies differ")


@case("logs of Fathom and of Darshan of one run are one job")
def _(place):
    for first in ("fathom", "darshan"):
        url = place.path(first + ".db")
        log = place.path(first + "-x.fathom")
        command = ["dd", "if=/dev/zero", f"of={place.path('data')}", "bs=1000", "count=100", "status=none"]
        if OPEN_MPI.has(place.programs, "checkpoint"):
            os.makedirs(place.path("ranks"), exist_ok=True)
            command = [*OPEN_MPI.run(2), place.program("checkpoint" + OPEN_MPI.suffix), "--dir", place.path("ranks"), "--mode", "N-N",
                       "--transfer", "64K", "--mib-per-rank", "1"]
        place.expect_status(place.record(*command, options=("-o", log, "-q")), 0)
        place.expect_status(place.run(place.fathom, "convert", log, place.path(first + "-x.darshan")), 0)
        kinds = [log, place.path(first + "-x.darshan")]
        for path in kinds if first == "fathom" else reversed(kinds):
            place.add(url, path)
        rows = place.rows(url)
        place.expect(len(rows) == 1, f"{first} first: {len(rows)} jobs")
        with contextlib.closing(sqlite3.connect(url)) as database:
            place.expect(database.execute("select tool, (select count(*) from logs) from jobs").fetchall() == [("fathom", 2)],
                         "Fathom's numbers, two logs")


def kill_while_adding(place, url, folder, kills, counts, logs, empty):
    """Kills `jobs add` at least so often, at any moment, and until that was between two commits; begins anew once all is there."""
    begin = time.monotonic()
    place.add(url, folder)
    longest, parts, number = time.monotonic() - begin, 0, 0
    empty()
    while number < kills or (parts == 0 and number < 10 * kills):
        number += 1
        process = subprocess.Popen([place.fathom, "jobs", "add", folder, "--db", url, "-j", "2"], stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0, longest))
        process.kill()
        process.wait()
        try:
            there = place.expect_whole(counts(), logs, f"kill {number}")
        except (sqlite3.OperationalError, subprocess.CalledProcessError):
            there = 0  # it had not come to make the tables
        parts += 0 < there < logs
        longest *= 1.1 if there == 0 else 0.95  # others may use the machine too
        if there == logs:
            empty()
    place.expect(parts > 0, "never killed between two commits")


@case("killed at any moment: what was committed stays, and no job is there in part")
def _(place):
    folder, url = place.logs(LOGS), place.path("jobs.db")
    random.seed(1)
    kill_while_adding(place, url, folder, KILLS, lambda: sqlite_counts(url), LOGS, lambda: os.remove(url))
    place.add(url, folder)
    place.expect(place.expect_whole(sqlite_counts(url), LOGS, "at the end") == LOGS, "not all of them")


@case("PostgreSQL: adding is killed, its server is killed: what was committed stays")
def _(place):
    folder = place.logs(LOGS)
    random.seed(2)
    with a_server() as server:
        url = server.url("jobs")

        def empty():
            server.sql("jobs", "drop schema public cascade; create schema public")

        kill_while_adding(place, url, folder, KILLS // 5, lambda: postgres_counts(server), LOGS, empty)
        for number in range(KILLS // 10):
            empty()
            process = subprocess.Popen([place.fathom, "jobs", "add", folder, "--db", url], stderr=subprocess.PIPE, text=True)
            time.sleep(random.uniform(0.1, 0.6))
            server.kill()
            said = process.communicate(timeout=60)[1]
            if process.returncode != 0:
                place.expect(process.returncode == 1 and "run this again" in said, f"status {process.returncode}: {said}")
            server.start()
            place.add(url, folder)
            place.expect(place.expect_whole(postgres_counts(server), LOGS, f"server killed, {number}") == LOGS, "not all of them")


@case("PostgreSQL: a database of an older version is read once `jobs add` has brought it to this one, by whichever of two comes first")
def _(place):
    folder = place.logs(5)
    with a_server() as server:
        url = server.url("jobs")
        place.add(url, folder)
        indexes = "select indexdef from pg_indexes where indexname like '%\\_by\\_%' order by 1"
        version, all_of_them = int(server.sql("jobs", "select version from fathom_schema")), server.sql("jobs", indexes)
        place.expect("jobs_by_array_job" in all_of_them, f"indexes: {all_of_them}")
        for name in ("group", "batch_system", "step", "job_name", "account", "array_job", "array_index", "ranks_missing", "problems", "user_start",
                     "user_bytes"):
            server.sql("jobs", f"drop index jobs_by_{name}")
        server.sql("jobs", "update fathom_schema set version = 4")
        before = place.jobs("list", "--db", url)
        place.expect(before.returncode == 1 and "an older Fathom made this database" in before.stderr, before.stderr)
        some = [subprocess.Popen([place.fathom, "jobs", "add", folder, "--db", url], stderr=subprocess.PIPE, text=True) for _ in range(2)]
        for process in some:
            said = process.communicate(timeout=100)[1]
            place.expect(process.returncode == 0 and "0 new jobs, 5 logs as before" in said, said)
        place.expect(int(server.sql("jobs", "select version from fathom_schema")) == version, "the version")
        place.expect(server.sql("jobs", indexes) == all_of_them, "the indexes differ")
        place.expect(len(place.rows(url, "--sort", "array_job")) == 5, "a list by a column that nobody has")


@case("four at once add the same logs: each is there once")
def _(place):
    logs = 400
    folder = place.logs(logs)

    def four_at_once(url):
        some = [subprocess.Popen([place.fathom, "jobs", "add", folder, "--db", url], stderr=subprocess.PIPE, text=True) for _ in range(4)]
        for process in some:
            said = process.communicate(timeout=200)[1]
            place.expect(process.returncode == 0, f"status {process.returncode}: {said}")

    url = place.path("jobs.db")
    four_at_once(url)
    place.expect(place.expect_whole(sqlite_counts(url), logs, "SQLite") == logs, "SQLite: not all")
    if postgres.programs():
        with a_server() as server:
            four_at_once(server.url("jobs"))
            place.expect(place.expect_whole(postgres_counts(server), logs, "PostgreSQL") == logs, "PostgreSQL: not all")


def own_logs(place):
    """Logs of Fathom, of programs that make, empty, overwrite and read files."""
    commands = (("sh", "-c", "seq 20000 > made; cat made >> more; dd if=made of=more bs=5000 conv=notrunc status=none; cat made more > all"),
                ("dd", "if=/dev/zero", "of=zeros", "bs=300000", "count=20", "status=none"),
                ("dd", "if=zeros", "of=more", "bs=7000", "conv=notrunc", "status=none"))
    logs = [place.path(f"{at}.fathom") for at in range(len(commands))]
    for command, log in zip(commands, logs):
        place.expect_status(place.record(*command, options=("-o", log, "-q")), 0)
    return logs


@case("each number of a study is the one that an independent script has from `fathom dump`")
def _(place):
    logs = sorted(str(path) for path in Path(place.logs(12)).rglob("*.darshan")) + own_logs(place)
    real = Path(__file__).parent / "../../../shared/darshan-logs"
    logs += sorted(str(path) for path in real.glob("*.darshan")) if real.is_dir() else []
    runs = study.runs_of(place.fathom, logs)
    url = place.path("jobs.db")

    def expect_alike(allocations, choices):
        for choice in choices:
            result = place.run(place.fathom, "study", "--db", url, "--by", choice.by, "--top", str(choice.top), "--large-processes",
                               str(choice.large_processes), "--large-bytes", str(choice.large_bytes), "--format", "json")
            place.expect_status(result, 0)
            for sentence in study.differences_of_study(json.loads(result.stdout), study.Site(runs, allocations, choice)):
                place.expect(False, f"{choice}: {sentence}")

    place.add(url, *logs)
    expect_alike([], (study.Choice("user", 1000, 1, 1), study.Choice("program", 3, 2, 1000)))
    allocations = study.accounting_of(runs)
    with open(place.path("sacct.txt"), "w", encoding="utf-8") as file:
        file.write(study.as_sacct_prints(allocations))
    place.add(url, place.path("sacct.txt"))
    expect_alike(allocations, (study.Choice("project", 2, 4, 1 << 20), study.Choice("user", 5, 1, 1), study.Choice("program", 4, 1, 1),
                               study.Choice()))


@case("a log from a clock in the future, and one of no processes, have the row that they tell of")
def _(place):
    url, kind = place.path("jobs.db"), place.kinds()[0]
    later, none, usual = (place.path(name) for name in ("later.darshan", "none.darshan", "usual.darshan"))
    for path, number, options in ((later, 2_000_000_000, {}), (none, 1, {"processes": 0}), (usual, 2, {})):
        with open(path, "wb") as file:
            file.write(kind.copy(number, **options))
    said = place.add(url, later, none, usual)
    place.expect(re.search("later.darshan: it began 2087-04-01 .*, which is still to come: a clock was wrong", said), said)
    place.expect(said.count("still to come") == 1 and "3 new jobs" in said, said)
    place.expect("still to come" not in place.add(url, later, none, usual), "the clock is named at each run")
    rows = {Path(row["log"]).stem: row for row in place.rows(url)}
    place.expect([rows[name]["start_unix_seconds"][:10] for name in ("later", "none", "usual")] == ["3700000000", "1700000001", "1700000002"],
                 f"the start of each: {rows}")
    place.expect(int(rows["none"]["processes"]) == int(rows["usual"]["processes"]) > 0, f"those that its records name: {rows['none']}")
    for words, names in ((("--since", "now"), {"later"}), (("--until", "today"), {"none", "usual"})):
        chosen = {Path(row["log"]).stem for row in place.rows(url, *words)}
        place.expect(chosen == names, f"{words}: {chosen}")
    for words in (("study", "--large-processes", "1", "--large-bytes", "1"), ("study", "--until", "today"), ("history", "--all"),
                  ("jobs", "show", rows["later"]["id"]), ("jobs", "show", rows["none"]["id"]), ("neighbours", rows["later"]["id"])):
        result = place.run(place.fathom, *words, "--db", url)
        place.expect_status(result, 0)
        place.expect(not re.search(r"\b(nan|inf)\b", result.stdout), f"{words}: {result.stdout}")


@case("a log that is broken is named once, and read again when it has changed")
def _(place):
    folder, url = place.logs(3), place.path("jobs.db")
    broken = os.path.join(folder, "0/1.darshan")
    with open(broken, "rb") as file:
        whole = file.read()
    with open(broken, "wb") as file:
        file.write(whole[:400])
    said = place.add(url, folder, status=1)
    place.expect(broken in said and "2 new jobs, 1 that cannot be read" in said, said)
    said = place.add(url, folder)
    place.expect(broken not in said and "1 as broken as before" in said, said)
    said = place.add(url, folder, "--again", status=1)
    place.expect(broken in said, said)
    with open(broken, "wb") as file:
        file.write(whole)
    place.expect("1 new job" in place.add(url, folder), "it is whole now")
    for _ in range(2):
        said = place.add(url, place.path("nothing"), status=1)
        place.expect("nothing: cannot open: No such file" in said, said)


@case("jobs are found by filters, reported while their log is there, shown when it is gone, and removed")
def _(place):
    folder, url = place.logs(20), place.path("jobs.db")
    place.add(url, folder)
    place.expect(len(place.rows(url)) == 20, "20 jobs")
    one = place.rows(url, "--job", "10000005")
    place.expect(len(one) == 1 and one[0]["log"].endswith("/5.darshan"), f"one job: {one}")
    both = [place.jobs("report", "--job", "10000005", "--db", url), place.run(place.fathom, "report", one[0]["log"], "--db", url)]
    place.expect(both[0].stdout == both[1].stdout and len(both[0].stdout) > 1000, "the report of its log")
    os.remove(one[0]["log"])
    gone = place.jobs("report", one[0]["id"], "--db", url)
    place.expect("its log is gone" in gone.stderr and gone.stdout == place.jobs("show", one[0]["id"], "--db", url).stdout, gone.stdout)
    try:
        import jsonschema  # pylint: disable=import-outside-toplevel
    except ImportError as error:
        raise Skip("no jsonschema for Python") from error
    schema = json.loads((Path(__file__).parent / "../../docs/report.schema.json").read_text(encoding="utf-8"))
    for words in (("jobs", "list"), ("jobs", "show", one[0]["id"]), ("study",)):
        jsonschema.validate(json.loads(place.run(place.fathom, *words, "--db", url, "--format", "json").stdout), schema)
    for form in ("html", "pdf", "json"):
        place.expect_status(place.jobs("show", one[0]["id"], "--db", url, "-o", place.path("x." + form)), 0)
        place.expect_status(place.jobs("list", "--db", url, "-o", place.path("list." + form)), 0)
    several = place.jobs("show", "--program", "*", "--db", url)
    place.expect_status(several, 1)
    place.expect_message(several, "20 jobs fit: name one by its id")
    asked = place.jobs("remove", "--job", "1000000*", "--db", url)
    place.expect_status(asked, 1)
    place.expect_message(asked, "10 jobs would be removed; say --yes")
    place.expect(len(place.rows(url)) == 20, "nothing is removed without --yes")
    place.expect_status(place.jobs("remove", "--job", "1000000*", "--yes", "--db", url), 0)
    place.expect(len(place.rows(url)) == 10, "ten are left")
    place.expect_status(place.jobs("remove", place.rows(url)[0]["id"], "--db", url), 0)
    place.expect(len(place.rows(url)) == 9, "nine are left")


@case("a database that cannot be written, or read, is an error with what to do")
def _(place):
    folder, url = place.logs(300), place.path("jobs.db")
    for words, message in ((("list", "--db", url), "there is no such database"),
                           (("list", "--db", place.path("logs/0/0.darshan")), "not a database"),
                           (("add", folder, "--db", place.path("no/x.db")), "its folder must be there"),
                           (("add", folder, "--db", "oracle://x/y"), "no database of this kind"),
                           (("add", folder, "--db", "mysql://x/y"), "its own tables go into SQLite or PostgreSQL"),
                           (("add", folder, "--db", "postgresql://127.0.0.1:9/x"), "see that the server runs"),
                           (("list", "--db", "postgresql://anna:secret@127.0.0.1:9/x"), "anna:\\.\\.\\.@")):
        result = place.jobs(*words)
        place.expect_status(result, 1)
        place.expect_message(result, message)
        place.expect("secret" not in result.stderr, f"a password shows: {result.stderr}")
    own = place.path("own.db")
    place.add(own, folder + "/0/0.darshan")
    for words in (("jobs", "list", "--csv", "-o", own), ("jobs", "show", "1", "--format", "html", "-o", "./own.db"),
                  ("study", "--format", "text", "-o", own), ("jobs", "list", "--csv", "-o", own + "-journal")):
        result = place.run(place.fathom, *words, "--db", own)
        place.expect_status(result, 2)
        place.expect_message(result, "this is read, and -o would write over it")
    place.expect(len(place.rows(own)) == 1, "an output was written over the database")
    log = folder + "/0/0.darshan"
    size = os.path.getsize(log)
    for words in (("report", log, "-o", log, "--format", "text"), ("jobs", "report", "1", "--db", own, "-o", log, "--format", "json"),
                  ("report", log, log, "--csv", "-o", log)):
        result = place.run(place.fathom, *words)
        place.expect_status(result, 2)
        place.expect_message(result, "would write over it")
    place.expect(os.path.getsize(log) == size, "a log was written over")
    for words in (("list", "--finding", "slow_*,none"), ("list", "--csv", "-o", place.path("x.html"))):
        result = place.jobs(*words, "--db", own)
        place.expect_status(result, 2)
        place.expect_message(result, "no rule has this name; there are .*, slow_storage|leave one of them out")
    place.expect_status(place.jobs("list", "--finding", "slow_*,stragglers", "--db", own), 0)
    with open(place.path("own.rules"), "w", encoding="utf-8") as rules:
        rules.write("user a b\n")
    for words in (("remove", "1"), ("add", "--projects", place.path("own.rules"))):
        place.expect_message(place.jobs(*words, "--db", place.path("absent.db")), "there is no such database")
    place.expect(not os.path.exists(place.path("absent.db")), "a wrong path has become a database")
    place.expect_status(place.jobs("add", folder + "/0/0.darshan", "--db", ":memory:"), 0)
    place.expect(len(place.rows(":memory:")) == 1, "a file is called :memory:")
    for words in (("add",), ("list", "--nodes", "x"), ("list", "--sort", "x"), ("list", "--columns", "x"), ("show",), ("show", "x"), ("remove",)):
        place.expect_status(place.jobs(*words, "--db", url), 2)
    if os.geteuid() != 0:
        return
    small = place.path("small")
    os.makedirs(small)
    mounted = place.run("mount", "-t", "tmpfs", "-o", "size=300k", "none", small)
    if mounted.returncode != 0:
        return
    try:
        full = f"{small}/jobs.db"
        said = place.add(full, folder, status=1)
        place.expect("full" in said and "what was committed is safe" in said, said)
        place.expect_status(place.run("mount", "-o", "remount,size=50m", small), 0)
        place.add(full, folder)
        place.expect(place.expect_whole(sqlite_counts(full), 300, "after a full disk") == 300, "not all")
        place.expect_status(place.run("mount", "-o", "remount,ro", small), 0)
        place.expect_message(place.jobs("remove", "1", "--db", full), "must be writable for you")
        place.expect(len(place.rows(full)) == 300, "it can be read")
    finally:
        place.run("umount", small)


@case("a password on the command line is not in the list of processes")
def _(place):
    with socket.socket() as listener:  # a server that never answers
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        url = f"postgresql://anna:secret@127.0.0.1:{listener.getsockname()[1]}/x"
        process = subprocess.Popen([place.fathom, "jobs", "list", "--db", url], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            listener.settimeout(30)
            with listener.accept()[0]:  # it has the password, and waits
                with open(f"/proc/{process.pid}/cmdline", "rb") as file:
                    words = file.read()
                place.expect(b"secret" not in words and b"anna:xxxxxx@127" in words, f"its words: {words}")
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()


@case("PostgreSQL: a password is asked for, and one who may read views alone sees no paths")
def _(place):
    folder = place.logs(5)
    with a_server() as server:
        url = server.url("jobs")
        place.add(url, folder)
        page = (Path(__file__).parent / "../../docs/DATABASE.md").read_text(encoding="utf-8")
        grant = re.search(r"grant select on [^;]*? to reader", page, re.DOTALL)[0]
        server.sql("jobs", f"create role reader login password 'secret'; {grant}; create role writer login")
        reader = server.url("jobs").replace("user=" + server.user, "user=reader")
        place.expect("permission denied" in place.jobs("list", "--db", reader).stderr, "tables are not for readers")

        def asked(statement):
            return subprocess.run([*server.as_user, os.path.join(server.bin, "psql"), "-h", server.sockets, "-U", "reader", "-d", "jobs",
                                   "-AtX", "-c", statement], cwd="/", capture_output=True, text=True)

        views = re.findall(r"fathom_\w+", grant)
        for view in views:
            rows = asked(f"select * from {view}")
            place.expect(rows.returncode == 0, rows.stderr)
            place.expect("/" not in re.sub(r"[A-Za-z0-9+/=]{40,}", "", rows.stdout.replace("|/|", "||")) or view == "fathom_job_mounts",
                         f"{view} has paths: {rows.stdout[:500]}")
        for table in ("jobs", "job_files", "job_details", "logs"):
            place.expect(asked(f"select * from {table}").returncode != 0, f"a reader can read {table}")
        with open(os.path.join(server.data(), "pg_hba.conf"), "w", encoding="utf-8") as file:
            file.write("local all all scram-sha-256\n")
        server.run("pg_ctl", "-D", server.data(), "reload")
        time.sleep(0.5)
        wrong = place.jobs("list", "--db", reader.replace("?", "?password=wrongone&"))
        place.expect_status(wrong, 1)
        place.expect_message(wrong, "password authentication failed", "~/.pgpass")
        place.expect("wrongone" not in wrong.stderr, wrong.stderr)
        with open(os.path.join(server.data(), "pg_hba.conf"), "w", encoding="utf-8") as file:
            file.write("local all all trust\n")
        server.run("pg_ctl", "-D", server.data(), "reload")


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
