#!/usr/bin/env python3
"""How long `fathom serve` takes to answer many clients at once, with very many jobs in PostgreSQL.

The jobs are those that `scripts/bench jobs` makes up; the last of them ran just now. 1,000,000 of them take some minutes. PostgreSQL's server, the clients and `fathom serve` share the
machine. Each client asks for one page after the other, drawn by chance: nine of ten clients are users with their own jobs, one is staff. Pages
that are being made (503 with Retry-After) are asked for again, and the whole of it counts as one answer. The distribution of
times stands beside what Yang et al. (Beacon, figure 13) say of theirs. It is measured twice: with clients that ask again at once, and with clients that
pause as people do (--think). Memory, descriptors and threads are told once a minute: --minutes 60 tells what an hour does to them.
"""

import argparse
import collections
import contextlib
import heapq
import os
import random
import re
import selectors
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
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
WEIGHTS = [view[1] for view in VIEWS]
KEPT = {"a program", "a user", "programs", "users", "file systems", "load of one", "a minute of it", "the site"}


class Client:
    """Asks on one connection, as a browser does. It is a state of the loop in load(), since twenty threads of Python would wait for each other."""

    def __init__(self, number, port, site, staff, think):
        self.chance, self.port, self.site, self.staff, self.think = random.Random(number), port, site, staff, think
        self.connection, self.received, self.ready = None, b"", 0
        self.choose()

    def address(self, view):
        jobs, chance = self.site["jobs"], self.chance
        user = "staff" if self.staff else f"user{self.chance.randrange(20)}"
        moment = int(time.time()) - chance.randrange(3600, 86400)
        job = chance.randrange(jobs // 2, jobs) if self.staff else chance.choice(self.site["of_user"][user])
        program = f"program{chance.randrange(made_jobs.PROGRAMS)}"
        if not self.staff:
            program = self.site["program_of"][job]
        named = f"user{chance.randrange(made_jobs.USERS)}" if self.staff else user
        address = view.format(job=job, user=named, program=program, project=f"project{chance.randrange(made_jobs.PROJECTS)}", moment=moment, later=moment + 7200)
        path, mark, query = address.partition("?")
        return path + mark + urllib.parse.quote(query, safe="=&@/"), user, job

    def choose(self):
        self.name, _, view = self.chance.choices(VIEWS, WEIGHTS)[0]
        self.path, self.user, self.job = self.address(view)
        self.begun, self.waited = None, False

    def send(self):
        """The question, on a new connection where the server has closed the last one."""
        self.begun = self.begun or time.monotonic()
        words = f"GET {self.path} HTTP/1.1\r\nHost: localhost\r\nX-Remote-User: {self.user}\r\n\r\n".encode()
        for _ in range(3):
            if self.connection is None:
                self.connection = socket.create_connection(("127.0.0.1", self.port))
            self.received = b""
            with contextlib.suppress(ConnectionError):
                self.connection.sendall(words)
                return
            self.connection = None
        raise ConnectionError("the server takes no question")

    def receive(self):
        """Status, headers and body; None: not all of it is there yet."""
        some = self.connection.recv(1 << 20)
        self.received += some
        head, end, body = self.received.partition(b"\r\n\r\n")
        if not some:
            raise ConnectionError("the server closed a connection before its answer")
        if not end:
            return None
        headers = head.decode("latin-1")
        length = int(re.search(r"\r\nContent-Length: (\d+)", headers, re.IGNORECASE).group(1))
        return (int(headers.split(" ", 2)[1]), headers, body) if len(body) == length else None

    def wrong(self, status, body):
        """What is wrong with an answer, in words: a whole page, about the job that was asked for, with no other user's jobs in it."""
        if status not in (200, 404):
            return f"status {status}"
        if status == 404:
            return "" if self.staff else "not there"
        if "/jobs/" in self.path:
            if f"{self.job}".encode() not in body:
                return "not of this job"
        elif not self.staff and self.name not in KEPT and set(re.findall(rb"\buser\d+\b", body)) - {self.user.encode()}:
            return "another user's jobs"
        whole = b"}" if ".json" in self.path else b"" if ".csv" in self.path else b"</html>"
        return "" if body.rstrip().endswith(whole) else "not a whole page"


def load(port, site, options, seconds, think=0, each_minute=None):
    """(view, seconds, what is wrong with it, whether it had to be made) of each answer. Calls each_minute() so often."""
    answers, now = [], time.monotonic()
    deadline, minute = now + seconds, now + 60
    clients = [Client(number, port, site, number % 10 == 0, think) for number in range(options.clients)]
    selector, waiting, left = selectors.DefaultSelector(), [], len(clients)
    for client in clients:
        heapq.heappush(waiting, (now + (client.chance.random() * think if think else 0), id(client), client))
    while left:
        now = time.monotonic()
        if each_minute and now > minute:
            each_minute()
            minute += 60
        while waiting and waiting[0][0] <= now:
            client = heapq.heappop(waiting)[2]
            if now > deadline and client.begun is None:
                left -= 1
                continue
            client.send()
            selector.register(client.connection, selectors.EVENT_READ, client)
        for key, _ in selector.select(max(waiting[0][0] - now, 0) if waiting else 1):
            client = key.data
            try:
                answer = client.receive()
            except ConnectionError:  # it is asked again
                selector.unregister(client.connection)
                client.connection = None
                heapq.heappush(waiting, (now, id(client), client))
                continue
            if answer is None:
                continue
            selector.unregister(client.connection)
            status, headers, body = answer
            now = time.monotonic()
            if status == 503:
                again = re.search(r"\r\nRetry-After: (\d+)", headers, re.IGNORECASE)
                client.waited = True
                heapq.heappush(waiting, (now + float(again.group(1) if again else 1), id(client), client))
                continue
            answers.append((client.name, now - client.begun, client.wrong(status, body), client.waited))
            client.choose()
            heapq.heappush(waiting, (now + (client.chance.expovariate(1 / think) if think else 0), id(client), client))
    for client in clients:
        if client.connection:
            client.connection.close()
    return answers


def quantile(values, share):
    values = sorted(values)
    return values[min(int(share * len(values)), len(values) - 1)]


def cpu_of(process):
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def processes_of_server(server):
    """PostgreSQL's main process and those that it has started."""
    with open(Path(server.data()) / "postmaster.pid", encoding="utf-8") as file:
        main = int(file.readline())
    return [main, *map(int, subprocess.run(["pgrep", "-P", str(main)], capture_output=True, text=True).stdout.split())]


def cpu_of_server(server):
    seconds = 0
    for process in processes_of_server(server):
        with contextlib.suppress(OSError):
            seconds += cpu_of(process)
    return seconds


def row_of(name, answers, seconds=None):
    times = [1000 * took for _, took, _, _ in answers]
    if times:
        rate = f"   {len(times) / seconds:.0f} a second" if seconds else ""
        print(f"{name:26} {len(times):8} {statistics.median(times):9.1f} {quantile(times, 0.95):9.1f} {max(times):9.1f}{rate}")
    return times


def tell(answers, seconds):
    for (name, wrong), times in collections.Counter((name, wrong) for name, _, wrong, _ in answers if wrong).items():
        print(f"WRONG: {name}: {wrong}, {times} times")
    print(f"{'page':26} {'answers':>8} {'median':>9} {'95 %':>9} {'most':>9}   (ms)")
    for view, _, _ in VIEWS:
        row_of(view, [one for one in answers if one[0] == view])
    times = row_of("all", answers, seconds)
    row_of("asked of the database", [one for one in answers if one[0] not in KEPT])
    print(f"had to wait for a page on many jobs: {sum(waited for *_, waited in answers) / len(answers):.1%}")
    print("share of answers within   " + "  ".join(f"{most:g} s: {sum(one <= 1000 * most for one in times) / len(times):.1%}" for most in (0.01, 0.05, 0.15, 0.5, 1, 10)))


def site_of(server, jobs):
    rows = server.sql("jobs", "select user_name, id, program from jobs where user_name in (" + ",".join(f"'user{number}'" for number in range(20)) + ") order by id desc limit 20000")
    site = {"jobs": jobs, "of_user": collections.defaultdict(list), "program_of": {}}
    for row in rows.splitlines():
        user, job, program = row.split("|")
        site["of_user"][user].append(int(job))
        site["program_of"][int(job)] = program
    return site


def resident_of_server(server):
    """Bytes that the processes of PostgreSQL's sessions have for themselves."""
    sum_of = 0
    for status in processes_of_server(server):
        with contextlib.suppress(OSError), open(f"/proc/{status}/status", encoding="ascii") as file:
            sum_of += int(re.search(r"RssAnon:\s+(\d+)", file.read()).group(1)) * 1024
    return sum_of


class Samples:
    """What the server holds, each minute."""

    def __init__(self, web, server):
        self.web, self.server, self.start, self.rows = web, server, time.monotonic(), []

    def take(self):
        self.rows.append((self.web.memory() >> 20, self.web.descriptors(), self.web.threads(), resident_of_server(self.server) >> 20))
        print("after {:5.1f} min: fathom serve {} MiB, {} descriptors, {} threads; PostgreSQL's processes {} MiB of their own".format(
            (time.monotonic() - self.start) / 60, *self.rows[-1]), flush=True)

    def tell(self):
        spans = [f"{min(column)} to {max(column)}" for column in zip(*self.rows)]
        print("in all: fathom serve {} MiB, {} descriptors, {} threads; PostgreSQL {} MiB".format(*spans))


def measure_load(web, server, site, options, think):
    samples = Samples(web, server)
    print(f"\n{options.jobs} jobs in PostgreSQL, {options.clients} clients at once, " + (f"{think:g} s between an answer and the next question" if think else "who ask again at once"), flush=True)
    samples.take()
    cpu = cpu_of(web.process.pid), cpu_of_server(server), cpu_of("self")
    start = time.monotonic()
    answers = load(web.port, site, options, options.minutes * 60, think, samples.take)
    seconds = time.monotonic() - start
    used = cpu_of(web.process.pid) - cpu[0], cpu_of_server(server) - cpu[1], cpu_of("self") - cpu[2]
    samples.take()
    samples.tell()
    print(f"{seconds:.0f} s; load average {os.getloadavg()[0]:.1f} of {os.cpu_count()} processors")
    tell(answers, seconds)
    print("CPU an answer: fathom serve {:.1f} ms, PostgreSQL {:.1f} ms, these clients {:.1f} ms".format(*(1000 * one / len(answers) for one in used)), flush=True)


def measure(fathom, server, url, options):
    site = site_of(server, options.jobs)
    with Server(fathom, url, "--staff", "staff", "--threads", str(options.threads)) as web:
        load(web.port, site, options, options.warm_up)
        measure_load(web, server, site, options, 0)
        if options.think:
            measure_load(web, server, site, options, options.think)
        print("\nBeacon, figure 13:        most within 1 s, 95.6% within 10 s (2,000 queries)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help="folder of the build")
    parser.add_argument("--jobs", type=int, default=1_000_000, help="(default: 1000000)")
    parser.add_argument("--clients", type=int, default=20, help="at once (default: 20)")
    parser.add_argument("--think", type=float, default=2, metavar="SECONDS",
                        help="measure again with clients that pause so long on average between an answer and their next question; 0: do not (default: 2)")
    parser.add_argument("--threads", type=int, default=4, help="of fathom serve (default: 4)")
    parser.add_argument("--minutes", type=float, default=1, help="how long each measurement takes (default: 1)")
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
