"""A `fathom serve` on a made-up site, for as long as a test needs it, and what it answers."""
import http.client
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts/benchmarks"))
import jobs as made_jobs  # noqa: E402

JOBS = 180
HOSTILE = "<script>document.title='stolen'</script>\"'&<img src=x onerror=alert(1)>"
RUNNING = {"anna": "471100", "ben": "471200", HOSTILE: "471300"}  # a job of each runs on two of its three nodes
MOUNT = "mount=/scratch&type=lustre&source=mds1:/scratch"


def make_site(fathom, folder):
    """A database of 180 jobs of the last day: of anna, of ben, and of a user and a program with hostile names. The path, and when it began."""
    made_jobs.START = int(time.time() - 86400) * 10**9
    path = Path(folder) / "site.db"
    made_jobs.make_site(fathom, path, JOBS)
    database = sqlite3.connect(path)
    database.executescript("""
        update jobs set user_name = case id % 3 when 0 then 'anna' when 1 then 'ben' else 'carl' end;
        update jobs set program = 'wrf.exe', processes = 64, nodes = 4, files = 10, bytes_read = 1073741824, bytes_written = 2147483648,
            bytes = 3221225472, project = 'climate', slowest_ns = (case when id < 90 then 10 else 20 end) * 1000000000 + id * 1000000
            where user_name = 'anna' and id <= 150;
        update jobs set project = 'secret-project', program = 'secret-program', job_name = 'secret-name' where user_name = 'ben';
        update job_mounts set type = 'lustre', source = 'mds1:/scratch';
    """)
    environment = made_jobs.Rows(database, "job_environment")
    environment.insert(database, [environment(job=job, node_names=f"node{job}, node{job + 1000}") for job in range(1, JOBS + 1)])
    told = made_jobs.Rows(database, "running_jobs")
    now = time.time_ns()
    told.insert(database, [told(row_key=f"{user}/{node}", node=f"{user}-node{node}", user_name=user, project=f"{user}s-secret-project", job=RUNNING[user], step="0",
                                program=program, start_ns=now - 10**12, from_ns=now - 10**10, until_ns=now, written_ns=now - node * 10**9, processes=8, nodes=3,
                                bytes_written=node * 10**10, writes=10**4 * node, write_ns=10**11, lately_bytes_written=10**9 * node, lately_writes=1000,
                                lately_write_ns=10**10)
                           for user, program in (("anna", "wrf.exe"), ("ben", "secret-program"), (HOSTILE, HOSTILE)) for node in (1, 2)])
    database.execute("update jobs set user_name = ?, program = ?, project = ?, job_name = ? where user_name = 'carl'", (HOSTILE,) * 4)
    database.execute("update job_details set command = ?, verdict = ? where job in (select id from jobs where user_name = ?)", (HOSTILE,) * 3)
    database.execute("update job_files set path = '/scratch/' || ? where job in (select id from jobs where user_name = ?)", (HOSTILE,) * 2)
    database.execute("update job_findings set title = ? where job in (select id from jobs where user_name = ?)", (HOSTILE,) * 2)
    database.commit()
    database.close()
    return str(path)


class Server:
    """Started by what is in front of its port: asks are of the user that the header names, or of whoever runs this."""

    def __init__(self, fathom, url, *options, header="X-Remote-User", proxy=True, log=None):
        self.header = header if proxy else None
        words = ("--user-header", header, "--proxy", "127.0.0.1") if proxy else ()
        self.log = open(log, "w+", encoding="utf-8") if log else None
        self.process = subprocess.Popen([fathom, "serve", "--db", url, "--listen", "127.0.0.1:0", *words, *options], stderr=subprocess.PIPE,
                                        text=True)
        line = self.process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        if not found:
            raise RuntimeError(f"serve says {line + self.process.stderr.read()!r}")
        self.port = int(found.group(1))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        """What it said, and its exit status."""
        if self.process.poll() is None:
            self.process.terminate()
        said = self.process.communicate(timeout=60)[1]
        return said, self.process.returncode

    def ask(self, address, user=None, method="GET", headers=None, timeout=60):
        """Status, headers and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, address, headers={**({self.header: user} if self.header and user else {}), **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode()
        finally:
            connection.close()

    def made(self, address, user=None):
        """The same, once it is made: some pages take a while."""
        deadline = time.monotonic() + 60
        while True:
            answer = self.ask(address, user)
            if answer[0] != 503 or time.monotonic() > deadline:
                return answer
            time.sleep(0.2)

    def memory(self):
        """Resident bytes."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) * 1024

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def threads(self):
        return len(os.listdir(f"/proc/{self.process.pid}/task"))


# Of every route, as docs/API.md lists them; {id} a job, {user} and {program} its user and program.
ADDRESSES = ("/", "/jobs", "/jobs/{id}", "/jobs/{id}/report", "/jobs/{id}/history", "/jobs/{id}/neighbours", "/jobs/{id}/servers", "/running", "/running?job={job}", "/programs?since=3 days ago",
             "/program?name={program}", "/users?since=3 days ago", "/user?name={user}", "/site?since=3 days ago", "/file-systems?since=3 days ago",
             f"/file-system?{MOUNT}", f"/minute?{MOUNT}")


def routes_of(fathom):
    """Path and forms of each route of the program."""
    said = subprocess.run([fathom, "serve", "--list-routes"], capture_output=True, text=True, check=True).stdout
    rows = re.findall(r"^\| `(/[^`]*)` \| (.*?) \|", said, re.MULTILINE)
    return [(path, ["", *re.findall(r"`(\.\w+)`", forms)]) for path, forms in rows]


def with_form(address, form):
    path, _, query = address.partition("?")
    return (path + form + ("?" + query if query else "")).replace(" ", "%20")


def curl():
    return shutil.which("curl")
