#!/usr/bin/env python3
"""Options, names and messages: how a log is named, what is left out of it, and what is said to people.

usage: run_options.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_options.py --list
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
from cases import case
from fathom_view import FathomView
from small_program import PROGRAM, Place, recorded, writes_to


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
    place.expect(result.stderr.startswith("fathom: ") and result.stderr.count("\n") == 3 and logs and logs[0] in result.stderr,
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
           "cat $PWD/left/none none.tmp 2>/dev/null; cd left; cat within 2>/dev/null; cat /usr/bin/env > /dev/null; exit 0")


@case("files are left out and included by options and by variables, and the log and the report say so")
def _(place):
    left, system = place.path("left"), "/usr/bin/env"
    everything, of_shell = {"kept/a", "left/a", "kept/b.tmp", "left/keep"}, None
    included = {"kept/a", "kept/b.tmp", "left/keep", system}
    # Of the first two calls that fail, those on files that are left out are not counted. The third is, by a path that is relative,
    # but what it is below is left out of the log.
    paths = {2: {"left/none", "left/within", "none.tmp"}, 1: {"none.tmp"}, 0: set()}
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
        told = {row["path"] for row in FathomView(place.fathom, place.path(log)).tables["failed_paths"]}
        told = {os.path.relpath(path, place.folder) for path in told if path.startswith(place.folder)}
        place.expect(told == paths[failed], f"{options} {variables}: calls failed on {told}")
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


@case("secrets among arguments are not in the log, and with --no-arguments no argument is")
def _(place):
    program = ("sh", "-c", "echo > data", "--password=hunter2", "--api-key", "hunter2", "https://alice:hunter2@host/")
    for options, environment, said in (((), {}, "https://alice:***@host/"), (("--no-arguments",), {}, ""),
                                       ((), {"FATHOM_NO_ARGUMENTS": "1"}, "")):
        result = place.record(*program, options=("-o", "x.fathom", *options), env={**os.environ, **environment})
        place.expect_status(result, 0)
        dump = place.run(place.fathom, "dump", "x.fathom").stdout
        commands = re.findall(r"^(?:job|processes)\t\S+\tcommand\t(.*)\t", dump, re.MULTILINE)
        place.expect(len(commands) == 2, f"commands {commands}")
        place.expect("hunter2" not in dump, f"{options}: it is in the log")
        for command in commands:
            place.expect(said in command if said else command == "sh", f"{options}: {command!r}")


@case("the mode of a log is what its user asks for")
def _(place):
    for options, environment, umask, mode in ((("--mode", "0640"), {}, 0o077, 0o640), ((), {"FATHOM_MODE": "600"}, 0o022, 0o600),
                                              ((), {}, 0o027, 0o640)):
        place.record(*PROGRAM, options=("-q", "-o", "x.fathom", *options), env={**os.environ, **environment}, umask=umask)
        place.expect(os.stat(place.path("x.fathom")).st_mode & 0o777 == mode, f"{options}: mode {os.stat(place.path('x.fathom')).st_mode:o}")
        os.remove(place.path("x.fathom"))
    for wrong in ("66", "0888", "0440", "1777"):
        result = place.record(*PROGRAM, options=("--mode", wrong))
        place.expect_status(result, 2)
        place.expect_message(result, f"--mode {wrong}: .*0640")


@case("three lines at the end, verdict, bytes and log, and none with --quiet")
def _(place):
    for options, lines in (((), 3), (("--quiet",), 0), (("-q",), 0)):
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


@case("a FIFO in place of a log is refused at once")
def _(place):
    os.mkfifo(place.path("fifo"))
    for words in (("report", "fifo"), ("dump", "fifo"), ("dump", "--darshan-text", "fifo"), ("convert", "fifo", "x.darshan"),
                  ("compare", "fifo", "fifo")):
        result = place.run(place.fathom, *words, timeout=10)
        place.expect_status(result, 1)
        place.expect_message(result, "regular file")


@case("unknown options and commands are bad usage")
def _(place):
    for words in (("dump", "--sideways"), ("report", "--sideways"), ("record", "--sideways", "--", "true"), ("sing",), ()):
        result = place.run(place.fathom, *words)
        place.expect_status(result, 2)


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
