"""A server of PostgreSQL in a folder of its own, for as long as it lives; it listens on a socket alone."""
import glob
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time


def programs():
    """The folder of initdb and pg_ctl; None where there is no server."""
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    return folders[-1] if folders else None


class Postgres:
    """In a new folder, within the given one, which its user must be able to reach; by default /tmp."""

    def __init__(self, within=None, options=""):
        self.folder, self.options = tempfile.mkdtemp(prefix="fathom-pg-", dir=within or "/tmp"), options
        self.sockets = tempfile.mkdtemp(prefix="fathom-pg-", dir="/tmp")  # a socket's path has 107 bytes at most
        self.bin = programs()
        # The server does not run as root.
        self.as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
        self.user = "postgres" if self.as_user else pwd.getpwuid(os.geteuid()).pw_name

    def run(self, program, *words):
        return subprocess.run([*self.as_user, os.path.join(self.bin, program), *words], cwd="/", check=True, capture_output=True,
                              text=True, env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout

    def __enter__(self):
        for folder in (self.folder, self.sockets):
            if self.as_user:
                shutil.chown(folder, "postgres")
        os.chmod(self.sockets, 0o755)
        self.run("initdb", "-D", self.data(), "-A", "trust", "-U", self.user, "--no-sync")
        self.start()
        return self

    def __exit__(self, *_):
        try:
            self.run("pg_ctl", "-D", self.data(), "-m", "immediate", "stop")
        finally:
            for folder in (self.folder, self.sockets):
                shutil.rmtree(folder, ignore_errors=True)

    def data(self):
        return os.path.join(self.folder, "data")

    def start(self):
        """Again after kill() too, as soon as its processes are gone."""
        for _ in range(40):
            try:
                return self.start_once()
            except subprocess.CalledProcessError:
                time.sleep(0.25)
        with open(os.path.join(self.folder, "log"), encoding="utf-8") as file:
            raise RuntimeError(f"PostgreSQL does not start: {file.read()[-1000:]}")

    def start_once(self):
        self.run("pg_ctl", "-D", self.data(), "-w", "-l", os.path.join(self.folder, "log"), "-o",
                 f"-F -k {self.sockets} -h '' {self.options}", "start")

    def kill(self):
        """As by the system: all processes at once, nothing is said."""
        with open(os.path.join(self.data(), "postmaster.pid"), encoding="utf-8") as file:
            main = int(file.readline())
        children = subprocess.run(["pgrep", "-P", str(main)], capture_output=True, text=True).stdout.split()
        for process in (main, *map(int, children)):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def url(self, database):
        """Makes the database where it is not there."""
        if not self.sql("postgres", f"select 1 from pg_database where datname = '{database}'"):
            self.sql("postgres", f"create database {database}")
        return f"postgresql:///{database}?host={self.sockets}&user={self.user}"

    def sql(self, database, statement, user=None):
        return self.run("psql", "-h", self.sockets, "-U", user or self.user, "-d", database, "-AtX", "-c", statement).strip()
