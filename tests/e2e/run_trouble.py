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
from small_program import PROGRAM, Place, writes_to


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
        result = place.record("./program", errors="replace")  # a shell may have tried it as a script
        place.expect_status(result, place.run("env", "./program", errors="replace").returncode)
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


@case("signals reach the command once, whether they are sent to fathom record or to all")
def _(place):
    counts = "import signal, sys, time; got = []; n = int(sys.argv[1]); signal.signal(n, lambda *_: got.append(n)); print(flush=True); "
    counts += "end = time.time() + 0.4\nwhile time.time() < end: time.sleep(0.05)\nprint(len(got))"
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGALRM, signal.SIGXCPU, signal.SIGRTMIN + 3, signal.SIGPIPE):
        for send in (os.kill, os.killpg):
            running = subprocess.Popen([place.fathom, "record", "-q", "-o", "x.fathom", "--", "/usr/bin/python3", "-c", counts, str(int(number))],
                                       cwd=place.folder, stdout=subprocess.PIPE, text=True, start_new_session=True)
            running.stdout.readline()
            send(running.pid, number)
            output = running.communicate(timeout=30)[0]
            place.expect((running.returncode, output) == (0, "1\n"), f"{number} by {send.__name__}: {running.returncode}, {output!r}")
    # An alarm that was set before, and a program that has stopped itself.
    result = place.run("perl", "-e", "alarm 1; exec @ARGV", place.fathom, "record", "-q", "-o", "x.fathom", "--", "sh", "-c", "sleep 2; echo went on")
    place.expect(result.returncode == -signal.SIGALRM and result.stdout == "", f"an alarm: {result}")
    running = subprocess.Popen([place.fathom, "record", "-q", "-o", "x.fathom", "--", "sh", "-c", "echo; kill -STOP $$; echo went on"],
                               cwd=place.folder, stdout=subprocess.PIPE, text=True)
    running.stdout.readline()
    time.sleep(0.2)
    running.send_signal(signal.SIGCONT)
    place.expect(running.communicate(timeout=30)[0] == "went on\n", "a stopped program does not go on")


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


@case("calls that do not say how far they read ask the kernel for the position once a buffer")
def _(place):
    if shutil.which("strace") is None or place.run("strace", "-o", "/dev/null", "true").returncode != 0:
        raise Skip("strace is not installed, or may not trace here")
    program = os.path.join(place.programs, "positions")

    def asked(call, *before):
        """How often lseek was called, and the file read, by the program alone."""
        result = place.run("strace", "-f", "-o", "calls", "-e", "trace=read,lseek", "-e", "status=successful", *before, program, call)
        place.expect_status(result, 0)
        with open(place.path("calls"), encoding="utf-8") as file:
            calls = file.read()
        return calls.count("lseek("), calls.count(" read(")

    calls = place.run(program).stdout.split()
    place.expect(len(calls) > 10, f"the program has {calls}")
    for call in calls:
        (alone, reads), (recorded, _) = asked(call), asked(call, place.fathom, "record", "-q", "-o", "x.fathom", "--")
        place.expect(recorded <= alone + reads + 20, f"{call}: {recorded} instead of {alone}, {reads} reads")


@case("a failed command's status outranks a log that could not be written")
def _(place):
    result = place.record("sh", "-c", "exit 3", options=("-o", "none/x.fathom"))
    place.expect_status(result, 3)
    place.expect_message(result, "none/x.fathom")
    shutil.rmtree(place.spool_named_by(result) or "", ignore_errors=True)


# ---- what outlives the command, or fathom record ----

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


@case("recover --into leaves a folder alone that is no spool, and goes on with the next")
def _(place):
    os.makedirs(place.path("source"))
    for name in ("part.c", "beginning"):
        with open(place.path(f"source/{name}"), "w", encoding="utf-8") as file:
            file.write("a user's own\n")
    result = place.run(place.fathom, "recover", "--into", place.folder, "source", "nowhere")
    place.expect_status(result, 1)
    place.expect_message(result, "source: no recorded process in this folder", "nowhere: cannot read this spool folder")
    place.expect(sorted(os.listdir(place.path("source"))) == ["beginning", "part.c"], f"left: {os.listdir(place.path('source'))}")


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


@case("ranks that a launcher kills together with fathom record are in the log, and it is said that it follows")
def _(place):
    program = os.path.join(place.programs, "mpi_ends")
    if not os.path.exists(program):
        raise Skip("no MPI program was built")
    result = place.run("mpirun", "--oversubscribe", "-np", "3", place.fathom, "record", "-o", "x.fathom", "--", program, "is_killed")
    place.expect_message(result, f"asked to end; the log follows within seconds: {place.path('x.fathom')}")

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


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
