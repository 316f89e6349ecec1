#!/usr/bin/env python3
"""Root records where another user may write, and has prepared the place: nothing of root's is harmed, nothing hangs.

usage: run_hostile.py --fathom FATHOM --bin FOLDER --work FOLDER CASE
       run_hostile.py --list                           the names of the cases
"""
import fcntl
import os
import re
import shutil
import sys
import time

import cases
from cases import case, Skip
from mpis import MPICH, OPEN_MPI

OTHER = 65534
SECRET = "what must stay as it is\n"
WRITER = ("dd", "if=/dev/zero", "of=data", "bs=1000", "count=30", "status=none")


class Place(cases.Place):
    """A folder that all may write, and a file of root's beside it."""

    def prepare(self):
        if os.geteuid() != 0:
            raise Skip("needs root")
        if not shutil.which("strace") or self.run("strace", "true").returncode != 0:
            raise Skip("strace may not trace here")
        self.library = os.path.join(os.path.dirname(self.fathom), "../lib/libfathom.so")
        self.secret, self.shared = self.path("secret"), self.path("shared")
        with open(self.secret, "w", encoding="utf-8") as file:
            file.write(SECRET)
        os.mkdir(self.shared)
        os.chmod(self.shared, 0o777)
        if not self.as_other(lambda: os.access(self.shared, os.W_OK, effective_ids=True)):
            raise Skip("another user cannot come here")

    def as_other(self, action, *arguments):
        """Calls a function as the other user."""
        os.seteuid(OTHER)
        try:
            return action(*arguments)
        finally:
            os.seteuid(0)

    def plant(self, name, target=None):
        """A symbolic link of the other user's in the shared folder."""
        link = os.path.join(self.shared, name)
        self.as_other(os.symlink, target or self.secret, link)
        return link

    def expect_secret(self, after):
        with open(self.secret, encoding="utf-8") as file:
            self.expect(file.read() == SECRET, f"after {after} the secret is another")
        self.expect(not os.path.islink(self.secret), "the secret is a link")

    def expect_new_files(self, *command):
        """The command makes files in the shared folder, none of them under a name that may be there."""
        result = self.run("strace", "-f", "-o", self.path("calls"), "-e", "trace=open,openat,creat,mkdir,mkdirat", *command)
        with open(self.path("calls"), encoding="utf-8", errors="replace") as file:
            made = [line for line in file if ("O_CREAT" in line or "creat(" in line) and (self.shared in line or '".fathom-' in line)]
        self.expect(made, f"{command[:2]} makes no file: {result.stderr!r}")
        for line in made:
            self.expect("O_EXCL" in line, f"{command[:2]}: {line}")

    def log(self, path, *options, **others):
        result = self.record(*WRITER, options=("-o", path, *options), **others)
        self.expect_status(result, 0)
        return result


def hostile(name):
    """A case in a place that is prepared."""
    def register(function):
        @case(name)
        def _(place):
            place.prepare()
            function(place)
        return function
    return register


@hostile("a link of another user where a file is to be written is not followed")
def _(place):
    place.log("own.fathom")
    log = place.path("own.fathom")
    place.log("other.fathom")
    commands = {"report": ("report", log), "html": ("report", "--format", "html", log), "merge": ("merge", log, place.path("other.fathom")),
                "convert": ("convert", "--anonymize", log), "measure": ("measure", "--overwrite"), "probe": ("probe", place.folder)}
    endings = {"report": "txt", "html": "html", "merge": "fathom", "convert": "fathom"}
    for name, words in commands.items():
        link = place.plant(f"{name}.{endings.get(name, 'csv')}")
        result = place.run(place.fathom, *words, *(() if name == "convert" else ("-o",)), link)
        place.expect(result.returncode != 0 and "symbolic link of another user" in result.stderr, f"{name}: {result.stderr!r}")
        place.expect_secret(name)
    link = place.plant("x.fathom")
    result = place.record(*WRITER, options=("-o", link))
    place.expect(re.search("symbolic link of another user.*run all the same", result.stderr), f"record: {result.stderr!r}")
    place.expect_secret("record")
    os.mkdir(place.path("private"))
    for link, log in ((place.plant("folder", place.path("private")), ""), (place.plant("way", place.path("private")), "/y.fathom")):
        result = place.record(*WRITER, options=("-o", link + log))
        place.expect("symbolic link of another user" in result.stderr, f"{link}{log}: {result.stderr!r}")
        place.expect(not os.listdir(place.path("private")), f"{link}{log}: {os.listdir(place.path('private'))}")
    os.symlink(place.path("mine"), os.path.join(place.shared, "mine.fathom"))
    place.log(os.path.join(place.shared, "mine.fathom"))
    place.expect(os.path.isfile(place.path("mine")), "a link of one's own is not followed")


@hostile("whatever is made in a folder that others may write is new, and leaves nothing")
def _(place):
    log = os.path.join(place.shared, "x.fathom")
    place.log("own.fathom")
    place.log("other.fathom")
    for words in (("record", "-o", log, "--", *WRITER), ("record", "-o", log, "--", *WRITER), ("report", log, "-o", log + ".html"),
                  ("merge", place.path("own.fathom"), place.path("other.fathom"), "-o", log), ("convert", "--anonymize", log, log + ".darshan")):
        place.expect_new_files(place.fathom, *words)
    place.expect(sorted(os.listdir(place.shared)) == ["x.fathom", "x.fathom.darshan", "x.fathom.html"], f"left: {os.listdir(place.shared)}")


@hostile("a log of a process alone, and of ranks, is a new file")
def _(place):
    environment = {"LD_PRELOAD": place.library, "FATHOM_LOGDIR": place.shared}
    alone = ["env", *(f"{name}={value}" for name, value in environment.items())]
    place.expect_new_files(*alone, *WRITER)
    os.makedirs(place.path("d"))
    for mpi in (OPEN_MPI, MPICH):
        if mpi.has(place.programs, "checkpoint"):
            place.expect_new_files(*mpi.run(2), *alone, place.program("checkpoint" + mpi.suffix), "--dir", place.path("d"), "--mode", "N-1",
                                   "--transfer", "64K", "--mib-per-rank", "1")
    place.expect(not [name for name in os.listdir(place.shared) if name.endswith(".tmp")], f"left: {os.listdir(place.shared)}")


@hostile("recover lists no folder of another user, and reads none that is named")
def _(place):
    folder = f"/dev/shm/fathom-0-{os.path.basename(place.folder)[:20]}"
    shutil.rmtree(folder, ignore_errors=True)
    place.as_other(os.mkdir, folder)
    link = folder + ".link"
    place.as_other(os.symlink, place.folder, link)
    try:
        os.seteuid(OTHER)
        os.mkfifo(folder + "/part.1.1")
        os.mkfifo(folder + "/job.fathom")
        os.seteuid(0)
        result = place.run(place.fathom, "recover", timeout=20)
        place.expect(folder not in result.stdout, f"listed: {result.stdout!r}")
        for words in (("-o", "x.fathom"), ("--into", "."), ("--remove",)):
            result = place.run(place.fathom, "recover", folder, *words, timeout=20)
            place.expect(result.returncode != 0 and "of another user" in result.stderr, f"{words}: {result.stderr!r}")
        result = place.run(place.fathom, "recover", "--remove", link, timeout=20)
        place.expect(result.returncode != 0, f"a link: {result.stderr!r}")
        place.expect(os.path.exists(folder + "/part.1.1"), "removed")
    finally:
        os.seteuid(0)
        shutil.rmtree(folder, ignore_errors=True)
        os.unlink(link)


@hostile("a FIFO and links among the parts of a spool are passed over")
def _(place):
    spool = place.path("spool")
    os.mkdir(spool, 0o700)
    environment = {**os.environ, "LD_PRELOAD": place.library,
                   "FATHOM_SPOOL": spool}
    place.run(*WRITER, env=environment)
    part = os.listdir(spool)[0]
    shutil.copy(os.path.join(spool, part), place.path("copy"))
    os.mkfifo(os.path.join(spool, "part.2.2"))
    os.symlink(place.path("copy"), os.path.join(spool, "part.3.3"))
    shutil.copy(os.path.join(spool, part), os.path.join(spool, "part.4.4"))
    os.chown(os.path.join(spool, "part.4.4"), OTHER, OTHER)
    os.mkfifo(os.path.join(spool, "job.fathom"))
    os.mkfifo(os.path.join(spool, "folded.000001.fathom"))
    result = place.run(place.fathom, "recover", spool, "-o", "x.fathom", timeout=20)
    place.expect_status(result, 0)
    place.expect("30,000 B" in result.stderr or "29.3 KiB" in result.stderr, f"said {result.stderr!r}")


@hostile("names and arguments cannot steer the terminal")
def _(place):
    ugly, steering = "\x1b]0;owned\x07\x1b[2J\x9b1m\u202e\x7f", "[\x1b\x07\x7f\x80-\x9f\u202e]"
    place.log("x.fathom")
    for words in (("recover", ugly), ("report", ugly), ("recover", "--into", place.folder, ugly),
                  ("report", "x.fathom", "--format", ugly)):
        result = place.run(place.fathom, *words)
        place.expect(not re.search(steering, result.stderr + result.stdout), f"{words[0]}: {result.stderr!r}")
    result = place.record("sh", "-c", f": '{ugly}'; echo > '{place.path('a' + ugly)}'", options=("--trace", "-o", "y.fathom"))
    place.expect(not re.search(steering, result.stderr), f"record: {result.stderr!r}")
    for words in (("report", "y.fathom"), ("dump", "y.fathom"), ("report", "--format", "html", "y.fathom"), ("compare", "x.fathom", "y.fathom"),
                  ("report", "--format", "json", "y.fathom"), ("dump", "--json", "y.fathom"), ("dump", "--chrome-trace", "y.fathom")):
        result = place.run(place.fathom, *words)
        place.expect(not re.search(steering, result.stdout + result.stderr), f"{words}: it is there")
    # A spool whose command says so, as the list shows it.
    spool = "/dev/shm/fathom-0-" + re.sub("[^a-z]", "", os.path.basename(place.folder))[:12]
    shutil.rmtree(spool, ignore_errors=True)
    os.mkdir(spool, 0o700)
    try:
        place.run("sh", "-c", f": '{ugly}'; echo > {place.path('b')}",
                  env={**os.environ, "FATHOM_SPOOL": spool, "LD_PRELOAD": place.library})
        result = place.run(place.fathom, "recover")
        place.expect(spool in result.stdout and not re.search(steering, result.stdout), f"listed: {result.stdout!r}")
    finally:
        shutil.rmtree(spool)


def make_sparse(path):
    with open(path, "wb") as file:
        file.truncate(1 << 43)


def as_rank(**more):
    """What a launcher gives a rank, the same each time."""
    return {**os.environ, "OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "1", "OMPI_MCA_orte_hnp_uri": "of this test", **more}


@hostile("folders in which the recorders of a launch meet are not taken from another user")
def _(place):
    os.chmod(place.shared, 0o1777)
    log = os.path.join(place.shared, "x.fathom")
    command = (place.fathom, "record", "-q", "-o", log, "--", *WRITER)
    place.run("strace", "-f", "-o", place.path("calls"), "-e", "trace=mkdir", *command, env=as_rank())
    os.remove(log)
    with open(place.path("calls"), encoding="utf-8") as file:
        made = re.findall(r'mkdir\("([^"]*)"', file.read())
    ranks, meeting = (next(name for name in made if start in name) for start in ("/fathom-0-ranks-", "/.fathom-"))
    spool = place.path("spool")
    os.mkdir(spool)
    with open(os.path.join(spool, "part.1.1"), "w", encoding="utf-8") as file:
        file.write(SECRET)
    try:
        os.seteuid(OTHER)
        os.makedirs(meeting + "/nodes")
        os.symlink(place.secret, meeting + "/output")
        os.symlink(place.secret, meeting + "/lock")
        os.mkfifo(meeting + "/share.x.fathom")
        os.mkdir(ranks)
        for name, text in (("beginning", f"{place.secret}\n{meeting}/nodes/mark\n"), ("ended.x", f"0 0 0\n{spool}\n")):
            with open(f"{ranks}/{name}", "w", encoding="utf-8") as file:
                file.write(text)
        os.seteuid(0)
        result = place.run(*command, env=as_rank(), timeout=30)
        place.expect(os.path.isfile(log), f"no log: {result.stderr!r}")
        place.expect(os.path.exists(os.path.join(spool, "part.1.1")), "a file of root's was removed")
        place.expect_secret("a launch")
    finally:
        os.seteuid(0)
        shutil.rmtree(ranks, ignore_errors=True)


@hostile("a folder that another user keeps locked delays a log by seconds, no more")
def _(place):
    log = os.path.join(place.shared, "x.fathom")
    folder = place.as_other(os.open, place.shared, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    for environment in (dict(os.environ), as_rank()):
        place.log(log, env=environment, timeout=40)
        place.expect(os.path.isfile(log), f"no log: {os.listdir(place.shared)}")
        os.remove(log)
    os.close(folder)


@hostile("a site's folder of logs leads nowhere else")
def _(place):
    os.chmod(place.shared, 0o1777)
    spool, private = place.path("spool"), place.path("private")
    os.mkdir(spool, 0o700)
    os.mkdir(private, 0o700)
    place.run(*WRITER, env={**os.environ, "LD_PRELOAD": place.library, "FATHOM_SPOOL": spool})
    place.plant(time.strftime("%Y"), private)
    result = place.run(place.fathom, "recover", "--into", place.shared, spool)
    place.expect(result.returncode != 0 and os.path.isdir(spool), f"said {result.stderr!r}")
    place.expect(not os.listdir(private) and os.stat(private).st_mode & 0o777 == 0o700, f"in root's folder: {os.listdir(private)}")


@hostile("logs of root that links name do not get into a log that others read")
def _(place):
    private, log = place.path("private.fathom"), os.path.join(place.shared, "x.fathom")
    place.run(place.fathom, "record", "-q", "-o", private, "--", "sh", "-c", ": only for root; echo > data")
    os.chmod(private, 0o600)
    spool = place.path("spool")
    os.mkdir(spool, 0o700)
    place.run(*WRITER, env={**os.environ, "LD_PRELOAD": place.library, "FATHOM_SPOOL": spool})
    for name in ("folded.000001.fathom", "job.fathom"):
        os.rename(place.plant(name, private), os.path.join(spool, name))
    place.expect_status(place.run(place.fathom, "recover", spool, "-o", log), 0)
    place.expect("only for root" not in place.run(place.fathom, "dump", log).stdout, "what is root's is in a log for all")
    # The mode of a log that is replaced stays.
    os.chmod(log, 0o600)
    place.log(log)
    place.expect(os.stat(log).st_mode & 0o777 == 0o600, f"mode {oct(os.stat(log).st_mode)}")


@hostile("files of any size and kind at the place of a log do not hold it up")
def _(place):
    for number, prepare in enumerate((make_sparse, os.mkfifo)):
        log = os.path.join(place.shared, f"x{number}.fathom")
        place.as_other(prepare, log)
        result = place.record(*WRITER, options=("-o", log), timeout=20)
        place.expect("run all the same" in result.stderr if number == 1 else result.returncode == 0, f"said {result.stderr!r}")
    place.log("own.fathom")
    for words in (("report", place.path("own.fathom"), "--format", "text", "-o"), ("measure", "--overwrite", place.folder, "-o")):
        fifo = os.path.join(place.shared, words[0] + ".csv")
        place.as_other(os.mkfifo, fifo)
        result = place.run(place.fathom, *words, fifo, timeout=20)
        place.expect("another user" in result.stderr, f"{words[0]}: {result.stderr!r}")


@hostile("a log of another user is not added to")
def _(place):
    log = os.path.join(place.shared, "x.fathom")
    place.log(log, env=as_rank())
    os.chown(log, OTHER, OTHER)
    place.log(log, env=as_rank())
    logs = [os.path.join(place.shared, name) for name in os.listdir(place.shared) if name.endswith(".fathom")]
    for one in logs:
        processes = len(re.findall("^processes\t", place.run(place.fathom, "dump", one).stdout, re.MULTILINE))
        place.expect(os.stat(one).st_uid == OTHER or processes > 0, f"{one}: {processes}")
    mine = [one for one in logs if os.stat(one).st_uid == 0]
    place.expect(len(mine) == 1, f"logs {logs}")
    dump = place.run(place.fathom, "dump", mine[0]).stdout if mine else ""
    place.expect(len(set(re.findall(r"^processes\t(\d+)\tpid\t", dump, re.MULTILINE))) == 1, "processes of both runs")


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
