#!/usr/bin/env python3
"""How long `fathom serve` takes to answer many clients at once, with very many jobs in PostgreSQL.

The jobs are those that `scripts/bench jobs` makes up; the last of them ran just now. 1,000,000 of them take some minutes. PostgreSQL's server, the clients and `fathom serve` share the
machine. Each client asks for one page after the other, drawn by chance: nine of ten clients are users with their own jobs, one is staff. Pages
that are being made (503 with Retry-After) are asked for again, and the whole of it counts as one answer. The distribution of
times stands beside what Yang et al. (Beacon, figure 13) say of theirs. --minutes 60 tells what an hour leaves behind.
"""

import argparse
import collections
import contextlib
import http.client
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from pathlib import Path

import jobs as made_jobs

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "tests/e2e"))
from postgres import Postgres  # noqa: E402
from served import Server  # noqa: E402

MOUNT = "mount=/scratch&type=lustre&source="

# What is asked for, and how often: {job} a job, {user}, {program}, {project} by chance, {moment} within the last day.
VIEWS = (
    ("jobs", 20, "/jobs"), ("jobs of a program", 8, "/jobs?program={program}"), ("jobs of some hours", 8, "/jobs?since=@{moment}&until=@{later}"),
    ("jobs by cost", 5, "/jobs?sort=cost"), ("jobs by bytes", 5, "/jobs?sort=bytes"), ("large jobs of a project", 4, "/jobs?project={project}&nodes=>64"),
    ("jobs with a finding", 4, "/jobs?finding=stragglers&cost=>10min"), ("page 5 of jobs", 3, "/jobs?page=5"), ("jobs as CSV", 2, "/jobs.csv?top=500"),
    ("a job", 20, "/jobs/{job}"), ("a job as JSON", 5, "/jobs/{job}.json"), ("its history", 4, "/jobs/{job}/history"),
    ("its neighbours", 3, "/jobs/{job}/neighbours"), ("a program", 2, "/program?name={program}"), ("a user", 2, "/user?name={user}"),
    ("programs", 1, "/programs"), ("users", 1, "/users"), ("file systems", 1, "/file-systems"), ("load of one", 1, "/file-system?" + MOUNT),
    ("a minute of it", 1, "/minute?" + MOUNT + "&at=@{moment}"), ("the site", 1, "/site?since=7 days ago"),
)
KEPT = {"a program", "a user", "programs", "users", "file systems", "load of one", "a minute of it", "the site"}


class Client:
    """Asks on one connection, as a browser does."""

    def __init__(self, number, port, site, staff):
        self.chance, self.port, self.site, self.staff = random.Random(number), port, site, staff
        self.connection = None

    def address(self, view):
        jobs, chance = self.site["jobs"], self.chance
        user = "staff" if self.staff else f"user{self.number_of_user}"
        moment = int(time.time()) - chance.randrange(3600, 86400)
        job = chance.randrange(jobs // 2, jobs) if self.staff else chance.choice(self.site["of_user"][user])
        program = f"program{chance.randrange(made_jobs.PROGRAMS)}"
        if not self.staff:
            program = self.site["program_of"][job]
        named = f"user{chance.randrange(made_jobs.USERS)}" if self.staff else user
        address = view.format(job=job, user=named, program=program, project=f"project{chance.randrange(made_jobs.PROJECTS)}", moment=moment, later=moment + 7200)
        path, mark, query = address.partition("?")
        return path + mark + urllib.parse.quote(query, safe="=&@/"), user

    def ask(self, view):
        self.number_of_user = self.chance.randrange(20)
        address, user = self.address(view)
        start, waited = time.monotonic(), False
        while True:
            try:
                if self.connection is None:
                    self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
                self.connection.request("GET", address, headers={"X-Remote-User": user})
                answer = self.connection.getresponse()
                answer.read()
            except (http.client.HTTPException, ConnectionError):
                self.connection = None
                continue
            if answer.status != 503:
                return time.monotonic() - start, answer.status, waited
            waited = True
            time.sleep(float(answer.headers.get("Retry-After", 1)))


def load(port, site, options, seconds):
    """(view, seconds, status, whether it had to be made) of each answer."""
    answers, deadline = [], time.monotonic() + seconds
    lock = threading.Lock()

    def run(number):
        client = Client(number, port, site, staff=number % 10 == 0)
        views, weights = [view for view in VIEWS], [view[1] for view in VIEWS]
        while time.monotonic() < deadline:
            name, _, view = client.chance.choices(views, weights)[0]
            took, status, waited = client.ask(view)
            with lock:
                answers.append((name, took, status, waited))
            if options.pause:
                time.sleep(client.chance.expovariate(1 / options.pause))

    clients = [threading.Thread(target=run, args=(number,)) for number in range(options.clients)]
    for one in clients:
        one.start()
    for one in clients:
        one.join()
    return answers


def quantile(values, share):
    values = sorted(values)
    return values[min(int(share * len(values)), len(values) - 1)]


def cpu_of(process):
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cpu_of_server(server):
    """Of PostgreSQL's main process and of those that it has started."""
    with open(Path(server.data()) / "postmaster.pid", encoding="utf-8") as file:
        main = int(file.readline())
    children = subprocess.run(["pgrep", "-P", str(main)], capture_output=True, text=True).stdout.split()
    seconds = 0
    for process in (main, *map(int, children)):
        with contextlib.suppress(OSError):
            seconds += cpu_of(process)
    return seconds


def tell(answers, seconds):
    by_view = collections.defaultdict(list)
    for name, took, status, _ in answers:
        by_view[name].append(took)
        if status not in (200, 404):
            print(f"{name}: status {status}")
    print(f"{'page':26} {'answers':>8} {'median':>9} {'95 %':>9} {'most':>9}   (ms)")
    for name, _, _ in VIEWS:
        times = [1000 * took for took in by_view[name]]
        if times:
            print(f"{name:26} {len(times):8} {statistics.median(times):9.1f} {quantile(times, 0.95):9.1f} {max(times):9.1f}")
    times = [1000 * took for _, took, _, _ in answers]
    print(f"{'all':26} {len(times):8} {statistics.median(times):9.1f} {quantile(times, 0.95):9.1f} {max(times):9.1f}   {len(times) / seconds:.0f} a second")
    kept = [1000 * took for name, took, _, _ in answers if name not in KEPT]
    print(f"{'asked of the database':26} {len(kept):8} {statistics.median(kept):9.1f} {quantile(kept, 0.95):9.1f} {max(kept):9.1f}")
    print(f"had to wait for a page on many jobs: {sum(waited for *_, waited in answers) / len(answers):.1%}")
    print("share of answers within   " + "  ".join(f"{most:g} s: {sum(one <= 1000 * most for one in times) / len(times):.1%}" for most in (0.01, 0.05, 0.15, 0.5, 1, 10)))
    print("Beacon, figure 13:        most within 1 s, 95.6% within 10 s (2,000 queries)")


def site_of(server, jobs):
    rows = server.sql("jobs", "select user_name, id, program from jobs where user_name in (" + ",".join(f"'user{number}'" for number in range(20)) + ") order by id desc limit 20000")
    site = {"jobs": jobs, "of_user": collections.defaultdict(list), "program_of": {}}
    for row in rows.splitlines():
        user, job, program = row.split("|")
        site["of_user"][user].append(int(job))
        site["program_of"][int(job)] = program
    return site


def measure(fathom, server, url, options):
    site = site_of(server, options.jobs)
    with Server(fathom, url, "--staff", "staff", "--threads", str(options.threads)) as web:
        load(web.port, site, options, options.warm_up)
        before, cpu = (web.memory(), web.descriptors(), web.threads()), (cpu_of(web.process.pid), cpu_of_server(server))
        start = time.monotonic()
        answers = load(web.port, site, options, options.minutes * 60)
        seconds = time.monotonic() - start
        after = web.memory(), web.descriptors(), web.threads()
        print(f"{options.jobs} jobs in PostgreSQL, {options.clients} clients at once{f', {options.pause:g} s between two of their questions' if options.pause else ''}, "
              f"{seconds:.0f} s; load average {os.getloadavg()[0]:.1f} of {os.cpu_count()} processors")
        tell(answers, seconds)
        used = cpu_of(web.process.pid) - cpu[0], cpu_of_server(server) - cpu[1]
        print(f"CPU an answer: fathom serve {1000 * used[0] / len(answers):.1f} ms, PostgreSQL {1000 * used[1] / len(answers):.1f} ms")
        print(f"fathom serve: {before[0] >> 20} MiB, {before[1]} descriptors, "
              f"{before[2]} threads before, {after[0] >> 20} MiB, {after[1]}, {after[2]} afterwards")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help="folder of the build")
    parser.add_argument("--jobs", type=int, default=1_000_000, help="(default: 1000000)")
    parser.add_argument("--clients", type=int, default=20, help="at once (default: 20)")
    parser.add_argument("--pause", type=float, default=0, help="mean seconds between a client's answer and its next question (default: 0)")
    parser.add_argument("--threads", type=int, default=4, help="of fathom serve (default: 4)")
    parser.add_argument("--minutes", type=float, default=1, help="how long (default: 1)")
    parser.add_argument("--warm-up", type=float, default=20, help="seconds before that (default: 20)")
    parser.add_argument("--work", type=Path, help="folder for the database (default: a temporary one)")
    options = parser.parse_args()
    fathom = options.build / "bin" / "fathom"
    scratch = Path(tempfile.mkdtemp(dir=options.work))
    try:
        scratch.chmod(0o755)
        made_jobs.START = int(time.time() - options.jobs * 10) * 10**9
        with Postgres(scratch, "-c shared_buffers=1GB -c max_wal_size=4GB") as server:
            start = time.monotonic()
            made_jobs.make_site_in(fathom, server, options.jobs, scratch)
            print(f"{options.jobs} jobs made up in {time.monotonic() - start:.0f} s", flush=True)
            measure(fathom, server, server.url("jobs"), options)
    finally:
        shutil.rmtree(scratch)


if __name__ == "__main__":
    main()
