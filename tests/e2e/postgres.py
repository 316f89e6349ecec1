"""A server of PostgreSQL in a folder of its own, for as long as it lives; it listens on a socket in that folder alone."""
import glob
import os
import pwd
import shutil
import signal
import subprocess
import time


def programs():
    """The folder of initdb and pg_ctl; None where there is no server."""
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    return folders[-1] if folders else None


class Postgres:
    def __init__(self, folder, options=""):
        self.folder, self.options = os.path.abspath(folder), options
        self.bin = programs()
        # The server does not run as root.
        self.as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
        self.user = "postgres" if self.as_user else pwd.getpwuid(os.geteuid()).pw_name

    def run(self, program, *words):
        return subprocess.run([*self.as_user, os.path.join(self.bin, program), *words], cwd="/", check=True, capture_output=True,
                              text=True, env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout

    def __enter__(self):
        os.makedirs(self.folder)
        if self.as_user:
            shutil.chown(self.folder, "postgres")
            # Folders above it may be root's alone.
            above = self.folder
            while (above := os.path.dirname(above)) != "/":
                if not os.stat(above).st_mode & 0o001:
                    os.chmod(above, os.stat(above).st_mode | 0o011)
        self.run("initdb", "-D", self.data(), "-A", "trust", "-U", self.user, "--no-sync")
        self.start()
        return self

    def __exit__(self, *_):
        self.run("pg_ctl", "-D", self.data(), "-m", "immediate", "stop")

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
                 f"-F -k {self.folder} -h '' {self.options}", "start")

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
        return f"postgresql:///{database}?host={self.folder}&user={self.user}"

    def sql(self, database, statement):
        return self.run("psql", "-h", self.folder, "-U", self.user, "-d", database, "-AtX", "-c", statement).strip()
