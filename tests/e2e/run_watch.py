#!/usr/bin/env python3
"""`fathom watch`, and the report of what still runs: what is shown of a running program, beside its log.

usage: run_watch.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_watch.py --list
Exit status 77: something that the test needs is not here.
"""
import fcntl
import json
import os
import pty
import re
import select
import signal
import sqlite3
import struct
import subprocess
import sys
import termios
import time

import cases
import postgres
from cases import Skip, case

# Writes 1,000 bytes again and again until a test has seen enough of it, is quiet until it has seen that too, and ends with a status of its own.
PROGRAM = """
import os, sys, time
until = time.monotonic() + 120
with open("out.bin", "wb", buffering=0) as file:
    while not os.path.exists("quiet") and time.monotonic() < until:
        file.write(b"x" * 1000)
        time.sleep(0.001)
while not os.path.exists("end") and time.monotonic() < until:
    time.sleep(0.05)
sys.exit(7)
"""
PYTHON = "/usr/bin/python3"
LAST_LINES = 24, 80


class Place(cases.Place):
    def start(self, log="x.fathom"):
        """A recorded program, once it is at work."""
        with open(self.path("program.py"), "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        run = subprocess.Popen([self.fathom, "record", "--quiet", "-o", self.path(log), "--", PYTHON, self.path("program.py")], cwd=self.folder)
        self.wait_for("the program's file", lambda: os.path.exists(self.path("out.bin")))
        return run

    def wait_for(self, what, seen):
        """Until seen() is true, however slow the machine is."""
        deadline = time.monotonic() + 60
        while not seen():
            self.expect(time.monotonic() < deadline, f"{what}: not seen within a minute")
            time.sleep(0.05)

    def tell(self, what):
        """The program to be "quiet", or to "end"."""
        with open(self.path(what), "w", encoding="utf-8"):
            pass

    def end(self, run):
        self.tell("quiet")
        self.tell("end")
        self.expect(run.wait() == 7, f"the program ended with {run.returncode}")

    def spool_of(self, run):
        shown = self.json_lines(self.run(self.fathom, "watch", str(run.pid), "--count", "1", "--every", "0.1s", "--json"))
        return shown[0]["recordings"][0]["spool"]

    def json_lines(self, result):
        self.expect_status(result, 0)
        return [json.loads(line) for line in result.stdout.splitlines()]


@case("what is shown of a program comes to what its log has, and is never less than before")
def _(place):
    run = place.start()
    shown = []
    with subprocess.Popen([place.fathom, "watch", str(run.pid), "--every", "0.2s", "--json"], stdout=subprocess.PIPE, text=True) as watch:
        for line in watch.stdout:
            shown.append(json.loads(line))
            rates = [look["recordings"][0]["write_rate"] for look in shown]
            if sum(rate > 0 for rate in rates) == 3:
                place.tell("quiet")
            if max(rates) > 0 and rates[-1] == 0:
                place.tell("end")
    place.expect(watch.returncode == 0, f"the watch ended with {watch.returncode}")
    place.end(run)
    before = {"written": 0, "writes": 0, "metadata_calls": 0, "io_seconds": 0}
    for look in shown:
        recording, = look["recordings"]
        for name in before:
            place.expect(recording[name] >= before[name] * (1 - 1e-6), f"{name} was {before[name]}, and is {recording[name]}")
            before[name] = recording[name]
            for parts in ("processes", "files"):
                total = sum(part[name] for part in recording[parts])
                place.expect(abs(total - recording[name]) <= 1e-9 * max(total, 1), f"{name} of {parts} are {total}, of all {recording[name]}")
    size = os.path.getsize(place.path("out.bin"))
    place.expect(before["written"] == size and before["writes"] == size // 1000, f"{before}, and the file has {size} bytes")
    values = json.loads(place.run(place.fathom, "report", place.path("x.fathom"), "--format", "json").stdout)["values"]
    place.expect(any(value == size for value in values.values()), f"no value of the report is {size}")


@case("watchers that are killed or stopped change nothing")
def _(place):
    run = place.start()
    looks = [place.path(f"looks-{watcher}") for watcher in range(4)]
    watchers = [subprocess.Popen([place.fathom, "watch", str(run.pid), "--every", "0.1s", "--json", "--to", to]) for to in looks]
    for to in looks:
        place.wait_for(to, lambda to=to: os.path.exists(to) and os.path.getsize(to) > 0)
    watchers[0].send_signal(signal.SIGSTOP)
    time.sleep(0.3)
    for watcher in watchers[:2]:
        watcher.kill()
    watchers[2].send_signal(signal.SIGINT)
    place.expect(watchers[2].wait() == 0, f"after Ctrl-C a watch ended with {watchers[2].returncode}")
    place.end(run)
    place.expect(watchers[3].wait(30) == 0, f"a watch of what has ended ended with {watchers[3].returncode}")
    for watcher in watchers:
        watcher.wait()
    said = place.run(place.fathom, "report", place.path("x.fathom"), "--format", "json").stdout
    size = os.path.getsize(place.path("out.bin"))
    place.expect(any(value == size for value in json.loads(said)["values"].values()), "the log lacks bytes")


@case("the report of a spool is that of what was done so far, and says so")
def _(place):
    run = place.start()
    place.tell("quiet")
    size = -1
    while size != os.path.getsize(place.path("out.bin")):
        size = os.path.getsize(place.path("out.bin"))
        time.sleep(0.5)
    spool = place.spool_of(run)
    said = place.run(place.fathom, "report", spool, "--format", "json")
    place.expect_status(said, 0)
    report = json.loads(said.stdout)
    place.expect("Still running" in json.dumps(report["first_page"]["notes"]), f"{report['first_page']['notes']}")
    place.expect(any(value == size for value in report["values"].values()), f"no value is {size}")
    place.end(run)
    place.expect(not os.path.exists(spool), "the spool stays")
    for what in ("report", "watch"):
        said = place.run(place.fathom, what, spool)
        place.expect(said.returncode == 1 and spool in said.stderr, f"{what} of a spool that is gone: {said}")


def screen_after(place, words, first, keys):
    """What a watch on a terminal wrote at first and after each key, which has what is waited for beside it; and how it ended."""
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(place.folder)
        os.execve(place.fathom, [place.fathom, "watch", "--every", "0.2s", *words], {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8"})
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", *LAST_LINES, 0, 0))
    written = []

    def read(seconds, wanted=b""):
        """For so long; on a busy machine until that is there."""
        data, until = b"", time.monotonic() + seconds
        while time.monotonic() < until or (wanted not in data and time.monotonic() < until + 15):
            if select.select([fd], [], [], 0.05)[0]:
                try:
                    data += os.read(fd, 65536)
                except OSError:
                    break
        written.append(data.decode("utf-8", "replace"))

    read(1, first.encode())
    for key, wanted in keys:
        os.write(fd, key.encode())
        read(0.6, wanted.encode())
    while select.select([fd], [], [], 20)[0]:
        try:
            written[-1] += os.read(fd, 65536).decode("utf-8", "replace")
        except OSError:
            break
    status = os.waitpid(pid, 0)[1]
    os.close(fd)
    return written, status


@case("on a terminal keys choose what is shown, and the screen is as before")
def _(place):
    run = place.start()
    written, status = screen_after(place, [str(run.pid)], "program.py",
                                   [("f", "out.bin"), ("p", "(pid "), ("/", "only names with"), ("no such name\n", ""), ("q", "")])
    place.expect(status == 0, f"it ended with {status}")
    place.expect("recordings" in written[0] and "program.py" in written[0], f"first {written[0]!r}")
    place.expect("out.bin" in written[1], f"files: {written[1]!r}")
    place.expect("(pid " in written[2], f"processes: {written[2]!r}")
    place.expect("only names with" in written[3], f"a question: {written[3]!r}")
    place.expect("\x1b[?1049l" in written[-1], "the screen stays")
    place.end(run)


@case("the ranks of an MPI program are shown by their numbers")
def _(place):
    run = subprocess.Popen([place.fathom, "record", "--quiet", "-o", place.path("x.fathom"), "--", "mpirun", "--oversubscribe", "-np", "4",
                            place.program("checkpoint"), "--mode", "N-N", "--api", "posix", "--mib-per-rank", "16", "--transfer", "64K", "--compute-ms", "300",
                            "--steps", "8"], cwd=place.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    watch = None
    while run.poll() is None and (watch is None or watch.returncode != 0):  # until it has begun
        watch = place.run(place.fathom, "watch", str(run.pid), "--every", "0.2s", "--json")
    shown = place.json_lines(watch)
    said = run.communicate()[0]
    place.expect(run.returncode == 0, said)
    names = {part["name"] for look in shown for recording in look["recordings"] for part in recording["processes"]}
    place.expect({f"rank {rank} checkpoint" for rank in range(4)} <= names, f"the names are {names}")


# Says something at its beginning and at its end, and what it was told. It ends when what watches it has left two looks in the file that it names.
TALKER = """
import os, sys, time
def looks():
    with open(sys.argv[1]) as file:
        return len(file.readlines())
print("begins", flush=True)
with open("out.bin", "wb", buffering=0) as file:
    for _ in range(150):
        file.write(b"x" * 1000)
        time.sleep(0.01)
while len(sys.argv) > 1 and (not os.path.exists(sys.argv[1]) or looks() < 2):
    time.sleep(0.05)
print("was told", repr(sys.stdin.read()))
print("ends", file=sys.stderr)
sys.exit(7)
"""


@case("a program that a watch starts has its output, status and log")
def _(place):
    said = place.run(place.fathom, "watch", "--json", "--every", "0.2s", "--to", "looks.json", "-o", "x.fathom", "--", PYTHON, "-c", TALKER, "looks.json",
                     cwd=place.folder, input="a word")
    place.expect(said.returncode == 7, f"it ended with {said.returncode}: {said.stderr}")
    place.expect(said.stdout == "begins\nwas told 'a word'\n", f"its output was {said.stdout!r}")
    place.expect(said.stderr.startswith("ends\n"), f"its errors were {said.stderr!r}")
    with open(place.path("looks.json"), encoding="utf-8") as file:
        written = [json.loads(line)["recordings"][0]["written"] for line in file]
    place.expect(len(written) >= 2 and written == sorted(written) and 0 < written[-1] <= 150000, f"looks: {written}")
    report = json.loads(place.run(place.fathom, "report", place.path("x.fathom"), "--format", "json").stdout)
    place.expect(150000 in report["values"].values(), "the log lacks bytes")
    said = place.run(place.fathom, "watch", "--every", "0.2s", "--", PYTHON, "-c", TALKER, cwd=place.folder, input="")
    place.expect("out.bin" not in said.stdout and said.stdout.startswith("begins\n"), f"its output was {said.stdout!r}")
    place.expect("writes" in said.stderr, f"no table: {said.stderr!r}")


@case("on a terminal a program that a watch starts speaks when the screen has ended")
def _(place):
    for keys in ([], [("f", ""), ("q", "")]):
        written, status = screen_after(place, ["--", PYTHON, "-c", TALKER], "", keys)
        place.expect(os.waitstatus_to_exitcode(status) == 7, f"it ended with {status}")
        place.expect("begins" not in written[0] or not keys, f"first {written[0]!r}")
        place.expect("\x1b[?1049l" in "".join(written), "the screen stays")
        after = "".join(written).split("\x1b[?1049l")[1].replace("\r", "")
        at = [after.find(word) for word in ("begins\n", "was told ''\n", "ends\n")]
        place.expect(-1 < at[0] < at[1] < at[2], f"after the screen: {after!r}")


@case("a signal to a watch goes to the program that it started")
def _(place):
    for sent in signal.SIGTERM, signal.SIGINT:
        run = subprocess.Popen([place.fathom, "watch", "--to", "looks", "--", "sleep", "20"], cwd=place.folder)
        while not os.path.exists(place.path("looks")) or not os.path.getsize(place.path("looks")):
            time.sleep(0.05)
        run.send_signal(sent)
        place.expect(run.wait(10) == -sent, f"it ended with {run.returncode}")
        os.unlink(place.path("looks"))


@case("a job on several nodes is seen as what a watch on each leaves, within two of its looks")
def _(place):
    if os.geteuid() != 0:
        raise Skip("names of nodes need root")
    os.mkdir(place.path("left"))
    program = "import time\nf = open('out-%s.bin', 'wb', buffering=0)\nwhile True:\n    f.write(b'x' * 100000)\n    time.sleep(0.05)\n"
    nodes = {}
    try:
        for node, job in (("node1", "4711"), ("node2", "4711"), ("node3", "47110")):
            with open(place.path(f"{node}.py"), "w", encoding="utf-8") as file:
                file.write(program % node)
            # A spool that others do not see, as on a node of its own.
            nodes[node] = subprocess.Popen(
                ["unshare", "--uts", "--mount", "sh", "-c", f"hostname {node}; mount -t tmpfs none /dev/shm; "
                 f"'{place.fathom}' record -q -o {node}.fathom -- {PYTHON} {node}.py & exec '{place.fathom}' watch --leave left --every 0.5s"],
                cwd=place.folder, env={**os.environ, "SLURM_JOB_ID": job}, start_new_session=True, stdout=subprocess.DEVNULL)
        with open(place.path("left/4711.evil.x.watch"), "w", encoding="utf-8") as file:
            file.write('{"job": "4711", "host": "evil"}')
        os.symlink("/etc/passwd", place.path("left/4711.link.x.watch"))

        def seen():
            said = place.run(place.fathom, "watch", "--from", "left", "--job", "4711", "--json", "--count", "1", "--every", "0.1s", cwd=place.folder)
            place.expect_status(said, 0)
            return json.loads(said.stdout)["recordings"]

        deadline = time.monotonic() + 60
        rows = []
        while time.monotonic() < deadline and not (len(rows) == 2 and all(row["write_rate"] > 0 and row["written"] > 10**6 for row in rows)):
            time.sleep(0.2)
            rows = seen()
        place.expect([row["node"] for row in rows] == ["node1", "node2"], f"nodes: {rows}")
        # Whatever else the machine does, it writes no more than 2 MB/s.
        place.expect(all(10**4 < row["write_rate"] < 2.2e6 and row["processes_running"] == 1 for row in rows), f"rates: {rows}")
        for name in os.listdir(place.path("left")):
            place.expect(os.path.getsize(place.path(f"left/{name}")) < 1000 or "link" in name, f"{name} is large")
        at_once = {row["node"]: row["written"] for row in seen()}
        place.expect(all(at_once[node] <= os.path.getsize(place.path(f"out-{node}.bin")) for node in ("node1", "node2")), f"more than there is: {at_once}")
        os.killpg(nodes["node2"].pid, signal.SIGSTOP)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not any("no news" in row["name"] for row in rows):
            time.sleep(0.5)
            rows = seen()
        place.expect(sum("no news" in row["name"] for row in rows) == 1, f"a silent node is not marked: {[row['name'] for row in rows]}")
    finally:
        for node in nodes.values():
            os.killpg(node.pid, signal.SIGKILL)
            node.wait()
    for words, text in ((("--from", "left"), "goes together"), (("--job", "1"), "goes together"), (("--from", "left", "--job", "1", "4"), "no recording"),
                        (("--db", "jobs.db"), "goes together"), (("--db", "jobs.db", "--from", "left", "--job", "1"), "name one"), (("--user", "anna"), "whose job")):
        said = place.run(place.fathom, "watch", *words, cwd=place.folder, env={name: value for name, value in os.environ.items() if name != "FATHOM_DB"})
        place.expect(said.returncode == 2 and text in said.stderr, f"{words}: {said.returncode}, {said.stderr}")


def in_its_own_node(place, name, job, *commands, step="0", nodes=2):
    """Commands of one user on a node whose spools others do not see; the first one is recorded, as a step of a job."""
    os.makedirs(place.path(name), exist_ok=True)
    lines = [f"hostname {name}", "mount -t tmpfs -o mode=1777 none /dev/shm", *commands, "wait"]
    return subprocess.Popen(["unshare", "--uts", "--mount", "sh", "-c", "\n".join(lines)], cwd=place.folder, start_new_session=True, stdout=subprocess.DEVNULL,
                            env={**os.environ, "SLURM_JOB_ID": job, "SLURM_STEP_ID": step, "SLURM_JOB_NUM_NODES": str(nodes), "SLURM_JOB_ACCOUNT": "climate"})


def end_nodes(nodes):
    for node in nodes:
        os.killpg(node.pid, signal.SIGKILL)
        node.wait()


# Writes so many pieces of 100,000 bytes, and is quiet until a file is there.
QUIET = """
import os, sys, time
with open(sys.argv[1], "wb", buffering=0) as file:
    for _ in range(int(sys.argv[2])):
        file.write(b"x" * 100000)
        time.sleep(0.01)
    while not os.path.exists("enough"):
        time.sleep(0.1)
"""


class Database:
    """What a watch of job 4711 in it shows."""

    def __init__(self, place, url, environment=None):
        self.place, self.url, self.environment = place, url, environment

    def seen(self, job="4711", *words):
        said = self.place.run(self.place.fathom, "watch", "--db", self.url, "--job", job, "--json", "--count", "1", "--every", "0.1s", *words,
                              cwd=self.place.folder, env={**os.environ, **(self.environment or {})})
        self.place.expect_status(said, 0)
        return json.loads(said.stdout)

    def wait_for(self, condition, what, job="4711", seconds=60):
        deadline = time.monotonic() + seconds
        while not condition(seen := self.seen(job)):
            if time.monotonic() > deadline:
                self.place.expect(False, f"{what}: not within {seconds} s: {seen}")
                return seen
            time.sleep(0.2)
        return seen


def watch_nodes(place, url, monitor_environment=None):
    """Two nodes with monitors, a job on both; a third one has one of another job."""
    with open(place.path("quiet.py"), "w", encoding="utf-8") as file:
        file.write(QUIET)
    monitor = f"exec '{place.fathom}' monitor --every 0.5s --jobs --db '{url}' -o"
    exports = "".join(f"export {name}='{value}'; " for name, value in (monitor_environment or {}).items())
    record = f"'{place.fathom}' record -q -o {{0}}.fathom -- {PYTHON} quiet.py {{0}}.bin {{1}}"
    return [in_its_own_node(place, node, job, f"{record.format(node, pieces)} &", f"({exports}{monitor} {node}) &")
            for node, job, pieces in (("node1", "4711", 50), ("node2", "4711", 80), ("node3", "47110", 10))]


@case("a job on several nodes is seen in the database that their monitors write to, with all of its nodes and bytes")
def _(place):
    if os.geteuid() != 0:
        raise Skip("names of nodes need root")
    place.expect_status(place.run(place.fathom, "jobs", "add", "--db", "jobs.db", place.folder), 0)
    database, nodes = Database(place, "jobs.db"), watch_nodes(place, "jobs.db")
    try:
        wanted = {"node1": 50 * 10**5, "node2": 80 * 10**5}
        # Beside other tests a node may be silent for a while.
        seen = database.wait_for(lambda seen: {row["node"]: row["written"] for row in seen["recordings"] if not row["silent"]} == wanted, "all bytes of both nodes")
        place.expect(seen["nodes_at_work"] == 2 and seen["nodes"] == 2 and seen["user"] == "root", f"seen: {seen}")
        place.expect(seen["all"]["written"] == 130 * 10**5, f"in all: {seen['all']}")
        place.expect(all(0 <= row["age_seconds"] < 15 and row["step"] == "0" and row["start_ns"] > 0 and not row["silent"] for row in seen["recordings"]), f"rows: {seen}")
        place.expect([row["node"] for row in database.seen("47110")["recordings"]] == ["node3"], "another job has other nodes")
        place.expect(database.seen("4711.1")["recordings"] == [] and len(database.seen("4711.0")["recordings"]) == 2, "steps")
        for _ in range(10):
            text = place.run(place.fathom, "watch", "--db", "jobs.db", "--job", "4711", "--count", "1", "--every", "0.1s", cwd=place.folder).stdout
            if "no news" not in text:
                break
            time.sleep(1)
        place.expect("job 4711 of root: 2 of 2 nodes, 2 processes" in text and "all nodes" in text, f"the screen says {text!r}")
        rows = sqlite3.connect(place.path("jobs.db")).execute("select * from fathom_running_jobs").fetchall()
        place.expect(len(rows) == 3 and all(sum(len(str(value)) for value in row) < 600 for row in rows), f"rows: {rows}")
        # A monitor that is gone: what its node told is marked as old, and is not of now.
        os.killpg(nodes[1].pid, signal.SIGSTOP)
        seen = database.wait_for(lambda seen: [row["node"] for row in seen["recordings"] if row["silent"]] == ["node2"],
                                 "a node without news is marked, and no other one")
        place.expect(seen["nodes_at_work"] == 1 and seen["nodes"] == 2 and seen["all"]["written"] == 130 * 10**5, f"with a silent node: {seen}")
        silent = next(row for row in seen["recordings"] if row["silent"])
        place.expect(silent["node"] == "node2" and silent["processes_running"] == 0 and silent["write_rate"] == 0 and silent["age_seconds"] > 10, f"{silent}")
        os.killpg(nodes[1].pid, signal.SIGCONT)
        database.wait_for(lambda seen: seen["nodes_at_work"] == 2, "it is back")
        with open(place.path("enough"), "w", encoding="utf-8"):
            pass
        seen = database.wait_for(lambda seen: not any(row["running"] for row in seen["recordings"]), "the end is seen")
        place.expect(seen["all"]["written"] == 130 * 10**5 and seen["nodes_at_work"] == 0, f"at the end: {seen}")
        for node, size in wanted.items():
            values = json.loads(place.run(place.fathom, "report", f"{node}.fathom", "--format", "json", cwd=place.folder).stdout)["values"]
            place.expect(os.path.getsize(place.path(f"{node}.bin")) == size and size in values.values(), f"the log of {node} has other bytes: {values}")
    finally:
        end_nodes(nodes)


@case("a monitor of root tells jobs of all users, whatever one of them leaves where it looks")
def _(place):
    if os.geteuid() != 0:
        raise Skip("jobs of several users need root")
    os.chmod(place.folder, 0o777)
    for name, text in (("quiet.py", QUIET), ("evil.sh", "mkdir -m 700 $1 && cd $1 && ln -s /etc/shadow part.1 && mkfifo part.2 job.fathom && echo x > part.3\n")):
        with open(place.path(name), "w", encoding="utf-8") as file:
            file.write(text)
    place.expect_status(place.run(place.fathom, "jobs", "add", "--db", "jobs.db", place.folder), 0)
    nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups"
    record = f"'{place.fathom}' record -q -o {{0}}.fathom -- {PYTHON} quiet.py {{0}}.bin {{1}} &"
    nodes = [in_its_own_node(place, "node1", "4711", record.format("root", 10), f"SLURM_JOB_ID=4712 {nobody} {record.format('nobody', 20)}",
                             f"{nobody} sh evil.sh /dev/shm/fathom-65534-evil", f"(sleep 1; exec '{place.fathom}' monitor -o series --every 0.5s --jobs --db jobs.db) &")]
    try:
        database = Database(place, "jobs.db")
        seen = database.wait_for(lambda seen: seen["all"]["written"] == 10**6, "root's job")
        place.expect(seen["user"] == "root", f"it is of {seen['user']}")
        seen = database.wait_for(lambda seen: seen["all"]["written"] == 2 * 10**6, "nobody's job", job="4712")
        place.expect(seen["user"] == "nobody", f"it is of {seen['user']}")
        rows = sqlite3.connect(place.path("jobs.db")).execute("select user_name, job, project from running_jobs order by job").fetchall()
        place.expect(rows == [("root", "4711", "climate"), ("nobody", "4712", "climate")], f"rows: {rows}")
    finally:
        end_nodes(nodes)


@case("in PostgreSQL a monitor may write what runs and nothing else, and users see rows of their own")
def _(place):
    if os.geteuid() != 0 or postgres.programs() is None:
        raise Skip("names of nodes need root, and this needs PostgreSQL")
    with postgres.Postgres() as server:
        url = server.url("jobs")
        place.expect_status(place.run(place.fathom, "jobs", "add", "--db", url, place.folder), 0)
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/WATCH.md"), encoding="utf-8") as file:
            rights = re.search(r"^    create role fathom_monitor.*?(?=\n\n)", file.read(), re.MULTILINE | re.DOTALL)[0]
        for line in ("create role root login", "create role anna login", rights):
            server.sql("jobs", line)

        def of(user):
            return url.replace(f"user={server.user}", f"user={user}")

        nodes = watch_nodes(place, of("fathom_monitor"))
        try:
            seen = Database(place, of("root")).wait_for(lambda seen: seen["all"]["written"] == 130 * 10**5, "all bytes")
            place.expect(seen["nodes_at_work"] == 2, f"seen: {seen}")
            place.expect(Database(place, of("anna")).seen()["recordings"] == [], "anna sees the job of root")
            for user, statement in (("fathom_monitor", "select * from jobs"), ("fathom_monitor", "drop table running_jobs"), ("anna", "select * from jobs"),
                                    ("anna", "delete from running_jobs"), ("root", "update running_jobs set job = '1'")):
                try:
                    server.sql("jobs", statement, user=user)
                    place.expect(False, f"{user} may: {statement}")
                except subprocess.CalledProcessError:
                    pass
        finally:
            end_nodes(nodes)


@case("what cannot be watched is said in a sentence")
def _(place):
    for words, status, text in ((("1",), 1, "process 1: no `fathom record`"), (("/tmp",), 1, "/tmp"), (("--by", "threads"), 2, "recordings, processes or files"),
                                (("-o", "x", "1"), 2, "--output"), (("./nothing", "here"), 1, "./nothing"), (("--every", "0"), 2, "a length of time"), (("--count", "0"), 2, "--count")):
        said = place.run(place.fathom, "watch", *words)
        place.expect(said.returncode == status and text in said.stderr, f"{words}: {said.returncode}, {said.stderr}")
        place.expect(len(said.stderr.splitlines()) <= 2, f"{words}: {said.stderr}")


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
