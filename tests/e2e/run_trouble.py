#!/usr/bin/env python3
"""What happens when things go wrong around a recorded program: a clear message, the right status, the program unharmed.

usage: run_trouble.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_trouble.py --list
Exit status 77: the case cannot be set up here.
"""
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import cases
from cases import Skip, case
from fathom_view import FathomView
from programs import MPIRUN

# A program that does some I/O and says so: unharmed means that both of its lines and its file are there.
PROGRAM = ("sh", "-c", "echo first; dd if=/dev/zero of=data bs=1000 count=30 status=none; echo last")


class Place(cases.Place):
    """Also knows what the program above does, and what it must have left."""

    def expect_unharmed(self, result):
        self.expect(result.stdout == "first\nlast\n", f"the program's output is {result.stdout!r}; errors {result.stderr!r}")
        data = self.path("data")
        self.expect(os.path.exists(data) and os.path.getsize(data) == 30000, "the program's file is not whole")

    def expect_no_files(self, pattern):
        left = glob.glob(self.path(pattern)) + glob.glob(self.path("." + pattern))
        self.expect(not left, f"left behind: {left}")

    def spool_named_by(self, result):
        found = re.search(r"fathom recover (\S+)", result.stderr)
        self.expect(found, f"the message names no way to recover: {result.stderr!r}")
        return found.group(1) if found else None

    def expect_recoverable(self, result):
        """What was recorded is kept, and becomes a log elsewhere."""
        spool = self.spool_named_by(result)
        if spool is None:
            return
        again = self.run(self.fathom, "recover", spool, "-o", self.path("recovered.fathom"))
        self.expect_status(again, 0)
        if again.returncode == 0:
            self.expect_log("recovered.fathom", 30000)
        self.expect(not os.path.exists(spool), f"recover leaves {spool} behind")

    def expect_log(self, name, bytes_written):
        if not os.path.exists(self.path(name)):
            self.found.append(f"{name}: no such log")
            return
        view = FathomView(self.fathom, self.path(name))
        got = sum(counts["bytes_written"] for path, counts in view.layers["posix"].items() if path.startswith(self.folder))
        self.expect(got == bytes_written, f"{name} has {got} bytes written instead of {bytes_written}")

    def mounted(self, options):
        folder = self.path("mounted")
        os.makedirs(folder, exist_ok=True)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", folder], capture_output=True).returncode != 0:
            raise Skip("mounting needs root")
        return folder


# ---- commands that cannot be run ----


@case("a command that is not there gives 127, as in a shell")
def _(place):
    result = place.record("./none")
    place.expect_status(result, 127)
    place.expect_message(result, r"^fathom: \./none: .*not found")
    place.expect_no_files("*.fathom*")


@case("a command that may not be executed gives 126, as in a shell")
def _(place):
    with open(place.path("text"), "w", encoding="utf-8") as file:
        file.write("just text\n")
    for command in ("./text", "."):
        result = place.record(command)
        place.expect_status(result, 126)
        place.expect_message(result, r"^fathom: \.\S*: ")
    place.expect_no_files("*.fathom*")


@case("mpirun that is not installed is named, with the package")
def _(place):
    result = place.record("mpirun", "-np", "4", "./app", env={"PATH": "/nonexistent"})
    place.expect_status(result, 127)
    place.expect_message(result, "mpirun", "openmpi-bin")


@case("no command at all is bad usage")
def _(place):
    for options in ((), ("-o", "x.fathom")):
        result = place.record(options=options)
        place.expect_status(result, 2)
        place.expect_message(result, "command")


@case("a preload library that is missing is named")
def _(place):
    os.makedirs(place.path("bin"))
    shutil.copy(place.fathom, place.path("bin/fathom"))
    result = place.run(place.path("bin/fathom"), "record", "--", *PROGRAM)
    place.expect(result.returncode != 0, "the exit status is 0")
    place.expect_message(result, "libfathom.so")


# ---- programs that the library does not get into ----


def expect_named(place, result, why, log="x.fathom", lines=2):
    """One line before the program runs says why, and the log says so too."""
    place.expect(re.match(rf"fathom: .*{why}.*cannot be recorded", result.stderr), f"not said: {why}: {result.stderr!r}")
    place.expect(result.stderr.count("\n") == lines, f"{lines} lines are enough: {result.stderr!r}")
    facts = {fact["name"]: fact["value"] for fact in FathomView(place.fathom, place.path(log)).tables["job"]}
    place.expect(why in facts.get("note", ""), f"the log does not say: {why}")


def program_of(place, name):
    path = os.path.join(place.programs, name)
    if not os.path.exists(path):
        raise Skip(f"{name} cannot be built here")
    return path


@case("a program that is linked statically runs, and is named")
def _(place):
    for name in ("stacked_static", "stacked_static_pie"):
        result = place.record(program_of(place, name), options=("-o", "x.fathom"))
        place.expect_status(result, 0)
        expect_named(place, result, "is linked statically")
        place.expect(os.path.getsize(place.path("stream")) == 100, "the program's file is not whole")


@case("a script whose interpreter is linked statically is named, and what that starts is recorded")
def _(place):
    shell = shutil.which("busybox")
    if shell is None or "statically" not in place.run("ldd", shell).stderr + place.run("ldd", shell).stdout:
        shell = program_of(place, "stacked_static")
    with open(place.path("script"), "w", encoding="utf-8") as file:
        file.write(f"#!{shell}\n")
    os.chmod(place.path("script"), 0o755)
    result = place.record("./script", options=("-o", "x.fathom"))
    place.expect_status(result, 0)
    expect_named(place, result, f"is run by {shell}, which is linked statically")


@case("a program that is setuid, setgid or has capabilities runs, and is named")
def _(place):
    if os.geteuid() != 0:
        raise Skip("needs root")
    os.chmod(place.folder, 0o777)
    for mode, why in ((0o4755, "is setuid"), (0o2755, "is setgid")):
        shutil.copy(shutil.which("dd"), place.path("dd"))
        os.chown(place.path("dd"), 65534, 65534)
        os.chmod(place.path("dd"), mode)
        result = place.record("./dd", "if=/dev/zero", "of=data", "bs=10", "count=3", "status=none", options=("-o", "x.fathom"))
        place.expect_status(result, 0)
        expect_named(place, result, why)
        place.expect(os.path.getsize(place.path("data")) == 30, "the program's file is not whole")
        os.remove(place.path("data"))
        os.remove(place.path("dd"))
    shutil.copy(shutil.which("true"), place.path("true"))
    if not shutil.which("setcap") or place.run("setcap", "cap_net_raw+p", "true").returncode != 0:
        raise Skip("no capabilities of files")
    user = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
    if place.run(*user, place.fathom, "--help").returncode != 0:
        raise Skip("another user may not run fathom here")
    result = place.run(*user, place.fathom, "record", "-o", "y.fathom", "--", "./true")
    place.expect_status(result, 0)
    expect_named(place, result, "has capabilities", "y.fathom")


@case("a program for another libc runs without the library, which it could not load")
def _(place):
    program = program_of(place, "stacked_musl")
    place.expect(place.run(program).returncode == 0, "it does not run without us either")
    result = place.record(program, options=("-o", "x.fathom"))
    place.expect_status(result, 0)
    expect_named(place, result, "is built for musl")


@case("a program for another processor is named as such, and fails as it does without us")
def _(place):
    with open(place.fathom, "rb") as file:
        header = bytearray(file.read(4096))
    for at, value, why in ((4, 1, "is a 32-bit program"), (18, 0xb7, "is built for another processor")):
        changed = bytearray(header)
        changed[at] = value
        with open(place.path("program"), "wb") as file:
            file.write(changed)
        os.chmod(place.path("program"), 0o755)
        result = place.record("./program")
        place.expect_status(result, place.run("env", "./program").returncode)
        place.expect_message(result, why)


@case("the dynamic linker as a command, and a script, hinder nothing")
def _(place):
    with open(place.path("script"), "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\n" + PROGRAM[2] + "\n")
    os.chmod(place.path("script"), 0o755)
    for command in (("./script",), ("/lib64/ld-linux-x86-64.so.2", shutil.which("dd"), "if=/dev/zero", "of=data", "bs=1000", "count=30",
                                    "status=none")):
        result = place.record(*command, options=("-o", "x.fathom"))
        place.expect_status(result, 0)
        place.expect("cannot be recorded" not in result.stderr, f"named without need: {result.stderr!r}")
        place.expect_log("x.fathom", 30000)


# ---- endings of the command ----


@case("the command's own failure passes through")
def _(place):
    for status in (1, 7, 125, 255):
        result = place.record("sh", "-c", f"echo out; echo err >&2; exit {status}", options=("--quiet",))
        place.expect_status(result, status)
        place.expect((result.stdout, result.stderr) == ("out\n", "err\n"), f"output changed: {result}")


@case("a command that a signal ended has its log, and the same signal ends fathom record")
def _(place):
    for number in (signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM, signal.SIGINT, signal.SIGABRT):
        log = f"{number.value}.fathom"
        script = f"dd if=/dev/zero of=data bs=1000 count=30 status=none; kill -{number.value} $$"
        result = place.record("sh", "-c", script, options=("-o", log, "--quiet"))
        place.expect_status(result, -number)
        place.expect_log(log, 30000)
    result = place.run("sh", "-c", '"$@"; echo $?', "sh", place.fathom, "record", "--quiet", "-o", "x.fathom", "--",
                       "sh", "-c", "kill -9 $$")
    place.expect(result.stdout == "137\n", f"a shell's $? is {result.stdout!r}")
    place.expect(not glob.glob(place.path("core*")), "a core was left")


@case("SIGINT for all, as of ^C, stops the command, its log is written, and the script around it stops")
def _(place):
    script = (f"'{place.fathom}' record --quiet -o x.fathom -- sh -c 'dd if=/dev/zero of=data bs=1000 count=30 status=none; "
              "echo ready; exec sleep 60'; echo went on")
    running = subprocess.Popen(["bash", "-c", script], cwd=place.folder, stdout=subprocess.PIPE, text=True, start_new_session=True)
    running.stdout.readline()
    os.killpg(running.pid, signal.SIGINT)
    rest = running.communicate(timeout=30)[0]
    place.expect(running.returncode == -signal.SIGINT and rest == "", f"status {running.returncode}, output {rest!r}")
    place.expect_log("x.fathom", 30000)


@case("a termination signal reaches the command, and the log is written")
def _(place):
    running = subprocess.Popen([place.fathom, "record", "--quiet", "-o", "x.fathom", "--", "sh", "-c",
                                "dd if=/dev/zero of=data bs=1000 count=30 status=none; echo ready; exec sleep 60"],
                               cwd=place.folder, stdout=subprocess.PIPE, text=True)
    running.stdout.readline()
    running.terminate()
    place.expect(running.wait(30) == -signal.SIGTERM, f"exit status {running.returncode}")
    place.expect_log("x.fathom", 30000)


@case("a rank that is killed leaves what it did, and mpirun's status passes through")
def _(place):
    if shutil.which("mpirun") is None:
        raise Skip("no mpirun")
    script = ("dd if=/dev/zero of=data.$OMPI_COMM_WORLD_RANK bs=1000 count=10 status=none; "
              "[ $OMPI_COMM_WORLD_RANK != 1 ] || kill -9 $$; sleep 1")
    alone = place.run(*MPIRUN, "sh", "-c", script)
    result = place.record(*MPIRUN, "sh", "-c", script, options=("-o", "x.fathom", "--quiet"))
    place.expect_status(result, alone.returncode)
    place.expect_log("x.fathom", 40000)


@case("a failing MPI program fails in the same way")
def _(place):
    program = os.path.join(place.programs, "checkpoint")
    if not os.path.exists(program):
        raise Skip("no MPI program was built")
    for options in (("--dir", "/nonexistent"), ("--mode", "N-7")):
        alone = place.run(*MPIRUN, program, *options)
        result = place.record(*MPIRUN, program, *options, options=("-o", "x.fathom", "--quiet"))
        place.expect_status(result, alone.returncode)
        place.expect(alone.stdout == result.stdout, f"output changed: {alone.stdout!r} to {result.stdout!r}")


# ---- logs that cannot be written ----


@case("an output folder that is not there: the program runs, 125 follows, and the recording can be recovered")
def _(place):
    result = place.record(*PROGRAM, options=("-o", "none/x.fathom"))
    place.expect_unharmed(result)
    place.expect_status(result, 125)
    place.expect_message(result, "none/x.fathom", "No such file")
    place.expect_recoverable(result)


@case("an output folder that may not be written: the program runs, 125 follows, and the recording can be recovered")
def _(place):
    folder = place.mounted("ro,size=64k")
    try:
        result = place.record(*PROGRAM, options=("-o", os.path.join(folder, "x.fathom")))
    finally:
        subprocess.run(["umount", folder], check=True)
    place.expect_unharmed(result)
    place.expect_status(result, 125)
    place.expect_message(result, "mounted/x.fathom", "Read-only")
    place.expect_recoverable(result)


@case("a disk that is full when the log is written: nothing is left on it, and the recording can be recovered")
def _(place):
    folder = place.mounted("size=8k")
    try:
        with open(os.path.join(folder, "filler"), "wb") as file:
            file.write(b"x" * 4096)
        result = place.record(*PROGRAM, options=("-o", os.path.join(folder, "x.fathom")))
        left = os.listdir(folder)
    finally:
        subprocess.run(["umount", folder], check=True)
    place.expect(left == ["filler"], f"left on the full disk: {left}")
    place.expect_unharmed(result)
    place.expect_status(result, 125)
    place.expect_message(result, "mounted/x.fathom", "No space left")
    place.expect_recoverable(result)


@case("a failed command's status outranks a log that could not be written")
def _(place):
    result = place.record("sh", "-c", "exit 3", options=("-o", "none/x.fathom"))
    place.expect_status(result, 3)
    place.expect_message(result, "none/x.fathom")
    shutil.rmtree(place.spool_named_by(result) or "", ignore_errors=True)


# ---- what outlives the command, or fathom record ----


def writes_to(place, log, name):
    return FathomView(place.fathom, place.path(log)).layers["posix"][place.path(name)]["writes"]


def endings(place, log):
    return sorted(row["ending"] for row in FathomView(place.fathom, place.path(log)).tables["processes"])


def wait_until(condition, seconds=10):
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.02)
    return condition()


@case("a daemon that outlives the command: the log says so, and recover makes the whole one")
def _(place):
    result = place.record(os.path.join(place.programs, "ends"), "daemonized", options=("-o", "x.fathom", "--quiet"))
    place.expect_status(result, 0)
    place.expect_message(result, r"still running: ends \(pid \d+\)")
    place.expect(result.stderr.count("\n") == 1, f"one line is enough: {result.stderr!r}")
    place.expect((writes_to(place, "x.fathom", "parent"), writes_to(place, "x.fathom", "daemon")) == (1, 2), "the log lacks writes")
    place.expect(endings(place, "x.fathom") == [1, 3], f"ended by {endings(place, 'x.fathom')}, not 1 exit and 3 running")
    report = place.run(place.fathom, "report", "x.fathom")
    place.expect("Still running" in report.stdout, "the report does not say that something still ran")
    spool = place.spool_named_by(result)
    removed = place.run(place.fathom, "recover", "--remove", spool)
    place.expect_status(removed, 1)
    place.expect_message(removed, "not removed: processes of the job still run")
    early = place.run(place.fathom, "recover", spool, "-o", "early.fathom")
    place.expect_status(early, 0)
    place.expect(os.path.exists(spool) and writes_to(place, "early.fathom", "daemon") == 2, "recover did not wait for the daemon")
    with open(place.path("go"), "w", encoding="utf-8"):
        pass
    place.expect(wait_until(lambda: "left behind" in listed(place, spool)), f"listed as {listed(place, spool)!r}")
    place.expect_status(place.run(place.fathom, "recover", spool, "-o", "all.fathom"), 0)
    place.expect(writes_to(place, "all.fathom", "daemon") == 5, "the later writes are missing")
    place.expect(endings(place, "all.fathom") == [1, 1], f"ended by {endings(place, 'all.fathom')}")
    place.expect(not os.path.exists(spool), f"recover leaves {spool} behind")


def listed(place, spool):
    lines = place.run(place.fathom, "recover").stdout.splitlines()
    return next((line for line in lines if line.startswith(spool + " ")), "")


@case("fathom record that is killed: everything can be recovered, also of many processes that had ended")
def _(place):
    # At the end a part lies there again that has been folded already: as if fathom record had died in between.
    write = "dd if=/dev/zero of=data bs=10 count=1 status=none; i=$((i+1))"
    script = (f"echo $FATHOM_SPOOL; i=0; {write}; mkdir folded; cp $FATHOM_SPOOL/part.* folded; while [ $i -lt 250 ]; do {write}; done; "
              "until [ $(ls $FATHOM_SPOOL | wc -l) -lt 150 ]; do sleep 0.1; done; cp -n folded/* $FATHOM_SPOOL; echo ready; exec sleep 60")
    running = subprocess.Popen([place.fathom, "record", "-o", "x.fathom", "--", "sh", "-c", script], cwd=place.folder,
                               stdout=subprocess.PIPE, text=True, start_new_session=True)
    spool = running.stdout.readline().strip()
    place.expect("in use" in listed(place, spool), f"listed as {listed(place, spool)!r}")
    running.stdout.readline()
    place.expect(glob.glob(spool + "/folded.*"), "parts of processes that ended were not folded")
    running.kill()
    running.wait()
    os.killpg(running.pid, signal.SIGKILL)
    running.stdout.close()
    place.expect(wait_until(lambda: "left behind" in listed(place, spool)), f"listed as {listed(place, spool)!r}")
    line = listed(place, spool)
    place.expect("sh -c" in line and time.strftime("%Y-") in line, f"the list does not tell of the job: {line!r}")
    place.expect_status(place.run(place.fathom, "recover", spool, "-o", "x.fathom"), 0)
    place.expect(writes_to(place, "x.fathom", "data") == 250, f"{writes_to(place, 'x.fathom', 'data')} of 250 writes recovered")
    view = FathomView(place.fathom, place.path("x.fathom"))
    dds = [row for row in view.tables["processes"] if os.path.basename(row["program"]) == "dd"]
    place.expect(len(dds) == 250 and {row["ending"] for row in dds} == {1}, f"{len(dds)} processes recovered")
    place.expect([row["process"] for row in view.tables["processes"]] == list(range(len(view.tables["processes"]))), "numbers have holes")
    place.expect(not os.path.exists(spool), f"recover leaves {spool} behind")


@case("folding leaves processes alone that live, also without their main thread")
def _(place):
    script = ("$0 goes_on_without_main & i=0; while [ $i -lt 250 ]; do dd if=/dev/zero of=data bs=10 count=1 status=none; i=$((i+1)); "
              "done; until ls $FATHOM_SPOOL/folded.* >/dev/null 2>&1; do sleep 0.1; done; touch go; wait")
    result = place.record("sh", "-c", script, os.path.join(place.programs, "ends"), options=("-o", "x.fathom", "--quiet"))
    place.expect_status(result, 0)
    place.expect(writes_to(place, "x.fathom", "data") == 250, "writes of folded processes are missing")
    place.expect((writes_to(place, "x.fathom", "file"), writes_to(place, "x.fathom", "thread")) == (1, 5), "writes are missing")


@case("recover --remove-all removes what nobody uses, and nothing else")
def _(place):
    script = r"""
        mount -t tmpfs -o size=16m none /dev/shm || exit 77
        "$0" record --quiet -o none/x.fathom -- true 2>/dev/null
        "$0" record --quiet -o y.fathom -- "$1" daemonized 2>/dev/null
        mkdir /dev/shm/fathom-$(id -u)-ranks-0123 && touch -d '1 hour ago' /dev/shm/fathom-$(id -u)-ranks-0123
        "$0" recover
        "$0" recover --remove-all
        ls -d /dev/shm/fathom-* | wc -l
        touch go
        while "$0" recover | grep -q running; do sleep 0.05; done
        "$0" recover --remove-all
        ls /dev/shm | wc -l
    """
    result = place.run("unshare", "-m", "sh", "-c", script, place.fathom, os.path.join(place.programs, "ends"))
    if result.returncode == 77 or "unshare" in result.stderr:
        raise Skip("unshare and mount need root")
    lines = result.stdout.splitlines()
    states = sorted(state for line in lines for state in ("running", "left behind", "in use") if f"  {state}  " in line)
    place.expect(states == ["left behind", "left behind", "running"], f"listed: {result.stdout!r}")
    place.expect(lines[-2:] == ["1", "0"], f"folders left: {lines[-2:]}")
    place.expect_message(result, "not removed: processes of the job still run", "2 folders removed", "1 folder removed")


@case("ranks that a launcher kills together with fathom record are in the log")
def _(place):
    program = os.path.join(place.programs, "mpi_ends")
    if not os.path.exists(program):
        raise Skip("no MPI program was built")
    place.run("mpirun", "--oversubscribe", "-np", "3", place.fathom, "record", "--quiet", "-o", "x.fathom", "--", program, "is_killed")

    def ranks():
        if not os.path.exists(place.path("x.fathom")):
            return {}
        rows = FathomView(place.fathom, place.path("x.fathom")).tables["processes"]
        return {row["rank"]: (row["ending"], row["status"]) for row in rows}

    killed, terminated = (5, 9), (5, 15)
    wait_until(lambda: len(ranks()) == 3, 5)
    place.expect(ranks().get(1) == killed and terminated in (ranks().get(0), ranks().get(2)) and len(ranks()) == 3,
                 f"the log says of the ranks: {ranks()}")


# ---- tight places ----


@case("a limit on the size of files harms neither the program nor us")
def _(place):
    limited = 'ulimit -f 64; exec "$@"'  # 32 KiB in dash, 64 KiB in bash: enough for the program's file
    result = place.run("sh", "-c", limited, "sh", place.fathom, "record", "-o", "x.fathom", "--", *PROGRAM)
    place.expect_unharmed(result)
    place.expect(result.returncode in (0, 125), f"exit status {result.returncode}: {result.stderr!r}")
    place.expect_message(result)


@case("a limit on the size of files that the program itself sets harms it no more than without us")
def _(place):
    result = place.record("sh", "-c", 'ulimit -f 64; exec "$@"', "sh", *PROGRAM, options=("-o", "x.fathom", "--quiet"))
    place.expect_status(result, 0)
    place.expect_unharmed(result)


@case("no room in /dev/shm: the program runs unharmed")
def _(place):
    for size in ("4k", "64k", "1m"):
        script = f'mount -t tmpfs -o size={size} none /dev/shm && exec "$@"'
        result = place.run("unshare", "-m", "sh", "-c", script, "sh", place.fathom, "record", "-o", "x.fathom", "--", *PROGRAM)
        if "unshare" in result.stderr or "mount:" in result.stderr:
            raise Skip("unshare and mount need root")
        place.expect_unharmed(result)
        place.expect(result.returncode in (0, 125), f"{size}: exit status {result.returncode}: {result.stderr!r}")
        place.expect_message(result)


@case("a /dev/shm that cannot be written: everything is recorded elsewhere")
def _(place):
    script = 'mount -t tmpfs -o ro none /dev/shm && exec "$@"'
    result = place.run("unshare", "-m", "sh", "-c", script, "sh", place.fathom, "record", "-o", "x.fathom", "--", *PROGRAM)
    if "unshare" in result.stderr or "mount:" in result.stderr:
        raise Skip("unshare and mount need root")
    place.expect_status(result, 0)
    place.expect_unharmed(result)
    place.expect_log("x.fathom", 30000)


@case("nowhere to keep what is recorded: the program runs all the same, and 125 follows")
def _(place):
    script = 'mount -t tmpfs -o ro none /dev/shm && mount --bind /tmp /tmp && mount -o remount,ro,bind /tmp && exec "$@"'
    result = place.run("unshare", "-m", "sh", "-c", script, "sh", place.fathom, "record", "-o", "x.fathom", "--", "echo", "first",
                       env={**os.environ, "TMPDIR": "/nonexistent"})
    if "unshare" in result.stderr or "mount:" in result.stderr:
        raise Skip("unshare and mount need root")
    place.expect_status(result, 125)
    place.expect(result.stdout == "first\n", f"the program's output is {result.stdout!r}")
    place.expect_message(result, "nowhere to keep what is recorded.*run without being recorded")


@case("a spool that fills up while the program runs")
def _(place):
    script = 'mount -t tmpfs -o size=8m none /dev/shm && exec "$@"'
    fill = "dd if=/dev/zero of=/dev/shm/filler bs=1M status=none 2>/dev/null; " + PROGRAM[2]
    result = place.run("unshare", "-m", "sh", "-c", script, "sh", place.fathom, "record", "-o", "x.fathom", "--", "sh", "-c", fill)
    if "unshare" in result.stderr or "mount:" in result.stderr:
        raise Skip("unshare and mount need root")
    place.expect_status(result, 0)
    place.expect_unharmed(result)
    place.expect_message(result)


@case("no descriptors to spare: the program runs unharmed")
def _(place):
    for limit in (4, 5, 6, 8):
        limited = f'ulimit -n {limit}; exec "$@"'
        alone = place.run("sh", "-c", limited, "sh", *PROGRAM)
        result = place.record("sh", "-c", limited, "sh", *PROGRAM, options=("-o", "x.fathom", "--quiet"))
        place.expect((alone.stdout, alone.returncode) == (result.stdout, result.returncode),
                     f"{limit} descriptors: without us {alone}, with us {result}")


@case("an empty environment and a closed standard input, output and error are no trouble")
def _(place):
    result = place.record("env", "-i", "/bin/sh", "-c", PROGRAM[2], options=("-o", "x.fathom", "--quiet"))
    place.expect_unharmed(result)
    place.expect_status(result, 0)
    result = place.run("sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", place.fathom, "record", "-o", "y.fathom", "--",
                       "dd", "if=/dev/zero", "of=data", "bs=1000", "count=30", "status=none")
    place.expect_status(result, 0)
    place.expect_log("y.fathom", 30000)


@case("a folder and a program with blanks and other letters in their names")
def _(place):
    folder = place.path("a folder: with ünusual 'letters'")
    os.makedirs(folder)
    result = place.record(*PROGRAM, options=("-o", "job log.fathom", "--quiet"), cwd=folder)
    place.expect_status(result, 0)
    view = FathomView(place.fathom, os.path.join(folder, "job log.fathom"))
    place.expect(view.layers["posix"][os.path.join(folder, "data")]["bytes_written"] == 30000, "the file's record is not there")


@case("an MPI of an unknown kind: its processes are recorded one by one, and the log and the report say why")
def _(place):
    why = "this MPI library is of no kind that Fathom knows"
    for program in ("unknown_mpi_job", "unknown_mpi_abi_job"):
        result = place.record(os.path.join(place.programs, program), options=("-o", "x.fathom", "--quiet"))
        place.expect_status(result, 0)
        place.expect(result.stdout == "first\nlast\n" and result.stderr == "", f"the program said {result.stdout!r}, {result.stderr!r}")
        view = FathomView(place.fathom, place.path("x.fathom"))
        counts = view.layers["mpiio"][place.path("data")]
        place.expect((counts["opens"], counts["writes"], counts["bytes_written"], counts["closes"]) == (1, 30, 300, 1),
                     f"MPI-IO has {dict(counts)}")
        place.expect([row["value"] for row in view.tables["job"] if row["name"] == "not_gathered"] == [why], "the log does not say why")
        report = place.run(place.fathom, "report", "x.fathom")
        place.expect(why in " ".join(report.stdout.split()), f"the report does not say why: {report.stdout}")


# ---- names and summaries ----


@case("the log's name is the program's and the time where none was given")
def _(place):
    before = time.strftime("%Y%m%d-%H%M%S")
    result = place.record(*PROGRAM)
    after = time.strftime("%Y%m%d-%H%M%S")
    place.expect_status(result, 0)
    logs = [os.path.basename(path) for path in glob.glob(place.path("*.fathom"))]
    place.expect(len(logs) == 1, f"logs: {logs}")
    found = re.fullmatch(r"sh-(\d{8}-\d{6})\.fathom", logs[0]) if logs else None
    place.expect(found and before <= found.group(1) <= after, f"the log is called {logs}")
    place.expect(result.stderr.startswith("fathom: ") and result.stderr.count("\n") == 1 and logs and logs[0] in result.stderr,
                 f"the summary is {result.stderr!r}")


@case("without fathom record each process leaves a log of its own in FATHOM_LOGDIR")
def _(place):
    library = os.path.join(os.path.dirname(os.path.dirname(place.fathom)), "lib", "libfathom.so")
    logs = place.path("logs")
    os.makedirs(logs)
    result = place.run("dd", "if=/dev/zero", "of=data", "bs=1000", "count=30", "status=none",
                       env={**os.environ, "LD_PRELOAD": library, "FATHOM_LOGDIR": logs})
    place.expect_status(result, 0)
    names = os.listdir(logs)
    place.expect(len(names) == 1 and re.fullmatch(r"dd-\d{8}-\d{6}-.*-\d+\.fathom", names[0]), f"the folder holds {names}")
    place.expect_log(os.path.join("logs", names[0]), 30000)


@case("without fathom record a site's own spool keeps what killed processes did")
def _(place):
    library = os.path.join(os.path.dirname(os.path.dirname(place.fathom)), "lib", "libfathom.so")
    spool = place.path("spool")
    os.makedirs(spool)
    result = place.run("sh", "-c", "dd if=/dev/zero of=data bs=1000 count=30 status=none; kill -9 $$",
                       env={**os.environ, "LD_PRELOAD": library, "FATHOM_SPOOL": spool})
    place.expect_status(result, -signal.SIGKILL)
    result = place.run(place.fathom, "recover", spool, "-o", "site.fathom")
    place.expect_status(result, 0)
    place.expect_log("site.fathom", 30000)
    place.expect(not os.path.exists(spool), "the folder was not removed")


# ---- options ----


# Writes a byte each to files in two folders, reads one of the system's, and looks for what is not there.
TOUCHES = ("sh", "-c", "mkdir -p kept left; for file in kept/a left/a kept/b.tmp left/keep; do echo > $file; done; "
           "cat $PWD/left/none none.tmp 2>/dev/null; cat /usr/bin/env > /dev/null; exit 0")


def recorded(place, log):
    view = FathomView(place.fathom, place.path(log))
    files = {path for path in view.files - view.folders if view.layers["posix"][path]["opens"]}
    failed = sum(row["failed"] for row in view.tables["posix"])
    facts = [(row["name"], row["value"]) for row in view.tables["job"]]
    return {os.path.relpath(path, place.folder) if path.startswith(place.folder) else path for path in files}, failed, facts


@case("files are left out and included by options and by variables, and the log and the report say so")
def _(place):
    left, system = place.path("left"), "/usr/bin/env"
    everything, of_shell = {"kept/a", "left/a", "kept/b.tmp", "left/keep"}, None
    included = {"kept/a", "kept/b.tmp", "left/keep", system}
    # Of the two calls that fail, those on files that are left out are not counted.
    for number, (options, variables, files, failed) in enumerate((
            ((), {}, everything, 2),
            (("--exclude", f"{left}:*.tmp"), {}, {"kept/a"}, 0),
            (("--exclude", left, "--exclude", "*.tmp"), {}, {"kept/a"}, 0),
            ((), {"FATHOM_EXCLUDE": f"{left}:*.tmp"}, {"kept/a"}, 0),
            (("--exclude", left), {"FATHOM_EXCLUDE": "*.tmp"}, {"kept/a", "kept/b.tmp"}, 1),
            (("--exclude", ""), {"FATHOM_EXCLUDE": "*.tmp"}, everything, 2),
            (("--exclude", left, "--include", f"{left}/k*:{system}"), {}, included, 1),
            (("--exclude", left), {"FATHOM_INCLUDE": f"{left}/k*:{system}"}, included, 1))):
        log = f"{number}.fathom"
        for folder in ("kept", "left"):
            shutil.rmtree(place.path(folder), ignore_errors=True)
        result = place.record(*TOUCHES, options=("-q", "-o", log, *options), env={**os.environ, **variables})
        place.expect_status(result, 0)
        got, misses, facts = recorded(place, log)
        of_shell = misses - failed if of_shell is None else of_shell
        place.expect(got == files, f"{options} {variables}: recorded {got}")
        place.expect(misses == of_shell + failed, f"{options} {variables}: {misses} failed calls, not {of_shell + failed}")
        report = place.run(place.fathom, "report", log).stdout
        for name, flag in (("excluded", "--exclude"), ("included", "--include")):
            said = [value for fact, value in facts if fact == name]
            given = [value for option, value in zip(options, options[1:]) if option == flag]
            wanted = ":".join(given) if given else variables.get(f"FATHOM_{flag[2:].upper()}", "")
            place.expect(said[1:] == ([wanted] if wanted else []), f"{log}: {name}: {said}")
            wrapped = "".join(report.split())
            place.expect(all("".join(value.split()) in wrapped for value in said), f"{log}: the report lacks {said}")


@case("options with values that mean nothing are refused before anything runs")
def _(place):
    for options, variables, pattern in (
            (("--memory", "12"), {}, "--memory 12: .*KiB"), (("--memory", "1x"), {}, "--memory 1x"),
            ((), {"FATHOM_MEMORY": "lots"}, "FATHOM_MEMORY=lots: .*KiB"), ((), {"FATHOM_QUIET": "yes"}, "FATHOM_QUIET=yes: .*1 nor 0"),
            ((), {"FATHOM_EVERY_RANK": "yes"}, "FATHOM_EVERY_RANK=yes"), (("--exclude", "a/b"), {}, "--exclude a/b: .*slash"),
            (("--include", "/a:../b"), {}, r"--include /a:\.\./b: \.\./b: .*slash"), ((), {"FATHOM_EXCLUDE": "/a/./b"}, "FATHOM_EXCLUDE=/a/./b: ")):
        result = place.record(*PROGRAM, options=options, env={**os.environ, **variables})
        place.expect_status(result, 2)
        place.expect_message(result, "^fathom: record: " + pattern)
        place.expect(result.stdout == "" and not os.path.exists(place.path("data")), f"{options} {variables}: the program ran")
    result = place.record(*PROGRAM, options=("-q", "-o", "x.fathom", "--memory", "512"), env={**os.environ, "FATHOM_MEMORY": "lots"})
    place.expect_status(result, 0)  # the option counts


@case("output, quiet and library can be said by variables, and a recording inside another does not inherit the output")
def _(place):
    library = os.path.join(os.path.dirname(os.path.dirname(place.fathom)), "lib", "libfathom.so")
    inner = f"{PROGRAM[2]}; '{place.fathom}' record -- true"
    result = place.record("sh", "-c", inner, env={**os.environ, "FATHOM_OUTPUT": "x.fathom", "FATHOM_QUIET": "1", "FATHOM_LIBRARY": library})
    place.expect_status(result, 0)
    place.expect(result.stderr == "", f"errors {result.stderr!r}")
    place.expect(writes_to(place, "x.fathom", "data") == 30, "the log is not the outer one's")
    place.expect(len(glob.glob(place.path("true-*.fathom"))) == 1, f"the inner log is not where it belongs: {os.listdir(place.folder)}")
    result = place.record("true", env={**os.environ, "FATHOM_LIBRARY": "none.so"})
    place.expect_message(result, "none.so: .*missing")


@case("without fathom record a value that means nothing is noted in the log, and patterns count")
def _(place):
    library = os.path.join(os.path.dirname(os.path.dirname(place.fathom)), "lib", "libfathom.so")
    os.makedirs(place.path("logs"))
    for name in ("data", "data.tmp"):
        result = place.run("dd", "if=/dev/zero", f"of={name}", "bs=1000", "count=30", "status=none",
                           env={**os.environ, "LD_PRELOAD": library, "FATHOM_LOGDIR": place.path("logs"), "FATHOM_MEMORY": "lots",
                                "FATHOM_EXCLUDE": "*.tmp", "FATHOM_INCLUDE": "a/b"})
        place.expect(result.stderr == "", f"errors {result.stderr!r}")
    all_files = set()
    for log in glob.glob(place.path("logs/*.fathom")):
        files, _, facts = recorded(place, log)
        all_files |= files
        notes = [value for name, value in facts if name == "note"]
        place.expect(len(notes) == 1 and all(part in notes[0] for part in ("FATHOM_MEMORY", "lots", "FATHOM_INCLUDE", "a/b")), f"notes: {notes}")
        place.expect(("excluded", "*.tmp") in facts, f"facts: {facts}")
        report = place.run(place.fathom, "report", log).stdout
        place.expect("FATHOM_MEMORY" in report and "*.tmp" in report, "the report does not say so")
    place.expect(all_files == {"data"}, f"recorded {all_files}")


@case("one line tells of the log, and none with --quiet")
def _(place):
    for options, lines in (((), 1), (("--quiet",), 0), (("-q",), 0)):
        result = place.record(*PROGRAM, options=("-o", "x.fathom", *options))
        place.expect_status(result, 0)
        place.expect_unharmed(result)
        place.expect(result.stderr.count("\n") == lines, f"{options}: {result.stderr!r}")
    os.makedirs(place.path("folder"))
    place.record(*PROGRAM, options=("-q", "-o", "folder"))
    place.expect(len(glob.glob(place.path("folder/sh-*.fathom"))) == 1, "a folder given with -o holds no log")


@case("nothing but the log stays behind")
def _(place):
    before = set(os.listdir(place.folder))
    result = place.record("sh", "-c", PROGRAM[2] + "; echo $FATHOM_SPOOL", options=("-o", "x.fathom"))
    spool = result.stdout.split()[-1]
    place.expect(spool.startswith("/") and not os.path.exists(spool), f"the spool {spool} is left")
    place.expect(set(os.listdir(place.folder)) - before == {"x.fathom", "data"}, f"left: {os.listdir(place.folder)}")


# ---- reading ----


@case("what is no log is named")
def _(place):
    with open(place.path("text.fathom"), "w", encoding="utf-8") as file:
        file.write("dear diary\n" * 100)
    with open(place.path("empty.fathom"), "w", encoding="utf-8"):
        pass
    for command in ("dump", "report"):
        for log, pattern in (("text.fathom", "text.fathom: "), ("empty.fathom", "empty.fathom: .*empty"),
                             ("none.fathom", "none.fathom: .*No such file"),
                             (".", r"\.: .*folder" if command == "dump" else "text.fathom: .*\n.*no log that could be read")):
            result = place.run(place.fathom, command, log)
            place.expect_status(result, 1)
            place.expect_message(result, pattern)
            place.expect(result.stdout == "", f"{command} {log} printed {result.stdout!r}")


@case("a log that was cut off is read as far as it goes, and says so")
def _(place):
    place.record(*PROGRAM, options=("-o", "x.fathom", "-q"))
    with open(place.path("x.fathom"), "rb") as file:
        content = file.read()
    with open(place.path("cut.fathom"), "wb") as file:
        file.write(content[:-60])
    for command in ("dump", "report"):
        result = place.run(place.fathom, command, "cut.fathom")
        place.expect("cut off" in result.stdout + result.stderr, f"{command} says nothing of the damage: {result}")
        place.expect_message(result)


@case("output that cannot be written is an error")
def _(place):
    place.record(*PROGRAM, options=("-o", "x.fathom", "-q"))
    with open("/dev/full", "w", encoding="utf-8") as full:
        for command in ("dump", "report"):
            result = subprocess.run([place.fathom, command, "x.fathom"], cwd=place.folder, stdout=full, stderr=subprocess.PIPE,
                                    text=True, timeout=60)
            result.stdout = ""
            place.expect_status(result, 1)
            place.expect_message(result, "No space left")
    for name in ("none/x.pdf", "none/x.html", "none/x.json"):
        result = place.run(place.fathom, "report", "x.fathom", "-o", name)
        place.expect_status(result, 1)
        place.expect_message(result, name)


@case("unknown options and commands are bad usage")
def _(place):
    for words in (("dump", "--sideways"), ("report", "--sideways"), ("record", "--sideways", "--", "true"), ("sing",), ()):
        result = place.run(place.fathom, *words)
        place.expect_status(result, 2)


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
