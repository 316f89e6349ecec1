"""A server of MariaDB in a folder of its own, for as long as it lives; it listens on a socket alone."""
import os
import shutil
import subprocess
import tempfile
import time


def is_here():
    return bool(shutil.which("mariadbd") and shutil.which("mariadb-install-db"))


class MariaDb:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="fathom-my-", dir="/tmp")
        self.socket = os.path.join(self.folder, "socket")
        self.user = ["--user=mysql"] if os.geteuid() == 0 else []
        self.server = None

    def __enter__(self):
        data = os.path.join(self.folder, "data")
        os.mkdir(data)
        if self.user:
            for folder in (self.folder, data):
                shutil.chown(folder, "mysql")
        os.chmod(self.folder, 0o755)
        subprocess.run(["mariadb-install-db", "--no-defaults", *self.user, f"--datadir={data}", "--auth-root-authentication-method=normal",
                        "--skip-test-db"], check=True, capture_output=True)
        self.server = subprocess.Popen(["mariadbd", "--no-defaults", *self.user, f"--datadir={data}", f"--socket={self.socket}",
                                        "--skip-networking", f"--pid-file={self.folder}/pid", "--innodb-flush-log-at-trx-commit=0"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            if os.path.exists(self.socket):
                return self
            time.sleep(0.1)
        raise RuntimeError("MariaDB does not start")

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def sql(self, statements, database="mysql"):
        return subprocess.run(["mariadb", "--no-defaults", f"--socket={self.socket}", "-u", "root", "-N", "-B", database], input=statements,
                              check=True, capture_output=True, text=True).stdout

    def url(self, user, password, database):
        return f"mysql://{user}:{password}@localhost/{database}?unix_socket={self.socket}"
