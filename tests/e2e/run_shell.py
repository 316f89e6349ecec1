#!/usr/bin/env python3
"""At home in a shell: pages for man, completion in real shells, the pager, words that are wrong.

usage: run_shell.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_shell.py --list
Exit status 77: the case cannot be set up here.
"""
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import termios
import time

import cases
from cases import Skip, case
from small_program import PROGRAM, Place


def needed(program):
    if shutil.which(program) is None:
        raise Skip(f"{program} is missing")


def manual(place):
    """The folder with the manual and the completion."""
    result = place.run(place.fathom, "manual", "manual")
    place.expect_status(result, 0)
    return place.path("manual")


def listed_commands(place, *words):
    """Names and sentences below "Subcommands:" in a help."""
    text = place.run(place.fathom, *words, "--help").stdout
    below = text.split("Subcommands:\n", 1)[1].split("\n\n")[0] if "Subcommands:" in text else ""
    return dict(re.findall(r"^  (\S+) +(\S.*)$", below, re.MULTILINE))


class Terminal:
    """A program on a terminal of its own, to which one types."""

    def __init__(self, command, rows=24, columns=100, **options):
        self.master, slave = pty.openpty()
        import fcntl
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
                                        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0), **options)
        os.close(slave)
        self.text = ""

    def type(self, text):
        os.write(self.master, text.encode())

    def wait_for(self, pattern, seconds=30):
        """Whether the pattern comes to stand on the screen in time."""
        end = time.monotonic() + seconds
        while not re.search(pattern, self.text, re.DOTALL):
            if not self.read(end - time.monotonic()):
                return re.search(pattern, self.text, re.DOTALL) is not None
        return True

    def read(self, seconds):
        ready, _, _ = select.select([self.master], [], [], max(0, seconds))
        if not ready:
            return False
        try:
            got = os.read(self.master, 65536)
        except OSError:  # the other end is closed
            return False
        self.text += got.decode(errors="replace")
        return bool(got)

    def end(self):
        """Reads all that is left; gives the exit status."""
        end = time.monotonic() + 30
        while self.read(end - time.monotonic()):
            pass
        status = self.process.wait(timeout=30)
        os.close(self.master)
        return status


# ---- pages for man ----


@case("each command has a page for man, which groff sets without a warning and which has its options")
def _(place):
    needed("groff")
    pages = os.path.join(manual(place), "man1")
    expected = {"fathom.1": ()}
    for command in listed_commands(place):
        expected[f"fathom-{command}.1"] = (command,)
        for below in listed_commands(place, command):
            expected[f"fathom-{command}-{below}.1"] = (command, below)
    place.expect(len(expected) > 20 and set(os.listdir(pages)) == set(expected), f"pages {os.listdir(pages)}")
    for page, words in expected.items():
        result = place.run("groff", "-man", "-ww", "-Tutf8", "-P-cbou", "-rLL=200n", os.path.join(pages, page))
        place.expect(result.returncode == 0 and result.stderr == "", f"{page}: {result.stderr}")
        text = " ".join(result.stdout.replace("‐\n", "").split())
        said = place.run(place.fathom, *words, "--help").stdout
        for option in re.findall(r"^  (-\S+)", said, re.MULTILINE):
            place.expect(option.replace(",", ", ") in text, f"{page}: no {option}")
        for heading in re.findall(r"^[A-Z][A-Z ]+$", said, re.MULTILINE):
            place.expect(heading.startswith("WHAT") or heading in text, f"{page}: no {heading}")
        if shutil.which("mandoc"):
            result = place.run("mandoc", "-Tlint", "-W", "warning", os.path.join(pages, page))
            wrong = [line for line in result.stdout.splitlines() if "missing date" not in line]
            place.expect(not wrong, f"mandoc: {wrong}")


# ---- completion ----

# What stands before TAB is pressed, and after that.
COMPLETED = (("fathom repo", "fathom report "), ("fathom help repo", "fathom help report "), ("fathom jobs li", "fathom jobs list "),
             ("fathom report --bri", "fathom report --brief "), ("fathom states --waiting lab", "fathom states --waiting labels "),
             ("fathom report --format ht", "fathom report --format html "), ("fathom report -o a.pdf ru", "fathom report -o a.pdf run.fathom "),
             ("fathom jobs list --finding small_r", "fathom jobs list --finding small_requests"),
             ("fathom jobs list --finding small_requests,strag", "fathom jobs list --finding small_requests,stragglers"),
             ("fathom jobs list --columns id,user,run_t", "fathom jobs list --columns id,user,run_time"),
             ("fathom jobs list --db run.f", "fathom jobs list --db run.fathom "),
             ("fathom jobs list --sort run_t", "fathom jobs list --sort run_time "), 
             ("fathom report --nosuch", "fathom report --nosuch"), ("fathom report --output cl", "fathom report --output climate.csv "),
             ("fathom recover --into log", "fathom recover --into logs/"), ("fathom record -o x.fathom mkfi", "fathom record -o x.fathom mkfifo "))


def files_to_complete(place):
    os.makedirs(place.path("logs"))
    for name in ("run.fathom", "run.pdf", "climate.csv"):
        with open(place.path(name), "w", encoding="utf-8"):
            pass


def completes(place, terminal, prompt, line):
    """What a line editor makes of the line when TAB is pressed: Ctrl-A and a command in front print it."""
    terminal.text = ""
    terminal.type(line + "\t")
    time.sleep(0.4)
    # At its end (Ctrl-E) and its begin (Ctrl-A) quotes, so that the shell prints it as it stands.
    terminal.type("\x05>'\x01echo '<\n")
    if not terminal.wait_for(r"\n<([^\r\n]*)>\r?\n.*" + prompt):
        place.expect(False, f"{line!r}: the shell says {terminal.text!r}")
        return None
    return re.search(r"\n<([^\r\n]*)>\r?\n", terminal.text).group(1)


def check_completed(place, terminal, prompt, keeps=lambda line: line):
    for line, expected in COMPLETED:
        got = completes(place, terminal, prompt, line)
        place.expect(got == keeps(expected), f"{line!r} becomes {got!r}, not {expected!r}")


@case("bash completes commands, options, values, logs and programs")
def _(place):
    needed("bash")
    files_to_complete(place)
    script = os.path.join(manual(place), "bash", "fathom")
    environment = {**os.environ, "PS1": "ready> ", "TERM": "dumb", "INPUTRC": "/dev/null", "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    terminal = Terminal(["bash", "--norc", "--noprofile", "-i"], cwd=place.folder, env=environment)
    terminal.type(f"bind 'set enable-bracketed-paste off'; source '{script}'; PS1='done''> '\n")
    place.expect(terminal.wait_for("done> $"), f"bash does not start: {terminal.text!r}")
    check_completed(place, terminal, "done> $")
    got = completes(place, terminal, "done> $", "fathom report --format=js")
    place.expect(got == "fathom report --format=json ", f"with an equals sign {got!r}")
    terminal.type("exit\n")
    terminal.end()


@case("zsh completes commands, options, values, logs and programs")
def _(place):
    needed("zsh")
    files_to_complete(place)
    folder = os.path.join(manual(place), "zsh")
    environment = {**os.environ, "TERM": "dumb", "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "ZDOTDIR": place.folder}
    terminal = Terminal(["zsh", "-f", "-i"], cwd=place.folder, env=environment)
    terminal.type(f"bindkey -e; fpath=('{folder}' $fpath); autoload -Uz compinit; compinit -u -D; unset zle_bracketed_paste; unsetopt prompt_sp; PS1='done''> '\n")
    place.expect(terminal.wait_for("[\r\n]done> "), f"zsh does not start: {terminal.text!r}")
    time.sleep(0.5)
    # What it puts behind a word goes when a letter follows that it does not fit.
    check_completed(place, terminal, "done> ", lambda line: line.rstrip(" /"))
    terminal.type("exit\n")
    terminal.end()


@case("fish completes commands, options, values, logs and programs")
def _(place):
    needed("fish")
    files_to_complete(place)
    script = os.path.join(manual(place), "fish", "fathom.fish")
    environment = {**os.environ, "HOME": place.folder, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    for line, expected in COMPLETED:
        result = place.run("fish", "--no-config", "-c", f"source '{script}'; complete -C '{line}'", env=environment)
        place.expect(result.returncode == 0 and result.stderr == "", f"{line!r}: {result.stderr!r}")
        got = [row.split("\t")[0] for row in result.stdout.splitlines()]
        place.expect(got == ([] if expected == line else [expected.split()[-1]]), f"{line!r} becomes {got}, not {expected!r}")


@case("all commands are offered, and no file of another kind where a log is wanted")
def _(place):
    needed("bash")
    files_to_complete(place)
    script = os.path.join(manual(place), "bash", "fathom")
    def offered(*words):
        line = " ".join(f"'{word}'" for word in words)
        result = place.run("bash", "--norc", "-c", f"compopt() {{ :; }}; source '{script}'; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _fathom; "
                           "printf '%s\\n' \"${COMPREPLY[@]}\"")
        place.expect(result.stderr == "", f"{words}: {result.stderr!r}")
        return set(result.stdout.split())
    place.expect(offered("fathom", "") == set(listed_commands(place)) | {"help"}, f"offered: {offered('fathom', '')}")
    place.expect(offered("fathom", "report", "") == {"run.fathom", "logs", "manual"}, f"logs: {offered('fathom', 'report', '')}")
    place.expect(offered("fathom", "dump", "run.p") == {"run.pdf"}, "a log of any name is not offered where nothing else fits")
    if shutil.which("shellcheck"):
        result = place.run("shellcheck", script)
        place.expect(result.returncode == 0, f"shellcheck: {result.stdout}")


# ---- words ----


@case("a program to record needs no dashes before it, and its options are its own")
def _(place):
    result = place.run(place.fathom, "record", "-o", "x.fathom", "sh", "-c", "echo out; echo > data; exit 7")
    place.expect_status(result, 7)
    place.expect(result.stdout == "out\n" and os.path.exists(place.path("x.fathom")), f"{result}")
    result = place.run(place.fathom, "record", "-qo", "y.fathom", "ls", "--version")
    place.expect_status(result, 0)
    place.expect("coreutils" in result.stdout and result.stderr == "" and os.path.exists(place.path("y.fathom")), f"{result}")


@case("help COMMAND is COMMAND --help, and -V is --version")
def _(place):
    for words in ((), ("report",), ("jobs", "list")):
        asked, helped = place.run(place.fathom, "help", *words), place.run(place.fathom, *words, "--help")
        place.expect_status(asked, 0)
        place.expect(asked.stdout == helped.stdout and asked.stdout.count("\n") > 5, f"{words}: {asked.stdout!r}")
    for option in ("-V", "--version"):
        result = place.run(place.fathom, option)
        place.expect(result.returncode == 0 and re.fullmatch(r"fathom \d+\.\d+\.\d+\n", result.stdout), f"{option}: {result}")


@case("what is wrong in the words is said in a sentence, with a guess and the help to read")
def _(place):
    place.record(*PROGRAM, options=("-q", "-o", "x.fathom"))
    for words, sentence in (
            (("reprot",), r"unknown command reprot; did you mean report\? see fathom --help"),
            (("jobs", "lits"), r"jobs: unknown command lits; did you mean list\? see fathom jobs --help"),
            (("jobs",), r"jobs: name a command: add, list, .*; see fathom jobs --help"),
            (("report", "x.fathom", "--outptu", "x.pdf"), r"report: unknown option --outptu; did you mean --output\? see fathom report --help"),
            (("record", "--quite", "true"), r"record: unknown option --quite; did you mean --quiet\?"),
            (("dump", "x.fathom", "y.fathom"), "dump: y.fathom is too much; it takes LOG; see fathom dump --help"),
            (("scan", "."), "scan: --output is missing: the scan; see fathom scan --help"),
            (("dump", "--json", "--trace", "x.fathom"), "dump: --json and --trace do not go together"),
            (("states", "x.fathom"), "states: x.fathom: this is a Fathom log; .*fathom probe"),
            (("model", "train", "x.fathom", "-o", "m.json"), "train: x.fathom: this is a Fathom log; .*fathom measure"),
            (("report", "--list", "x.fathom"), "--list x.fathom: this is a Fathom log itself")):
        result = place.run(place.fathom, *words)
        place.expect_status(result, 2)
        place.expect_message(result, "^fathom: " + sentence)
        place.expect(result.stderr.count("\n") == 1, f"{words}: {result.stderr!r}")


# ---- what is read ----


@case("standard input is a log where - is said, for each command that reads logs")
def _(place):
    place.record(*PROGRAM, options=("-q", "-o", "x.fathom"))
    for words in (("report",), ("report", "--brief"), ("dump",), ("dump", "--time-bins")):
        by_name = place.run(place.fathom, *words, "x.fathom")
        place.expect(by_name.returncode == 0 and by_name.stdout != "", f"{words}: {by_name}")
        piped = place.run("sh", "-c", 'fathom=$1; shift; cat x.fathom | "$fathom" "$@" -', "sh", place.fathom, *words)
        place.expect(piped.stdout == by_name.stdout and piped.stderr == by_name.stderr, f"{words}: {piped}")
    result = place.run(place.fathom, "report", "-", input="dear diary\n")
    place.expect_status(result, 1)
    place.expect_message(result, "^fathom: standard input: this looks like a text file; fathom reads: Fathom log, Darshan log")
    result = place.run(place.fathom, "report", "-", stdin=subprocess.DEVNULL)
    place.expect_status(result, 1)
    place.expect_message(result, "^fathom: standard input: .*empty")


@case("report without a log takes the newest in the folder, and says which")
def _(place):
    result = place.run(place.fathom, "report")
    place.expect_status(result, 2)
    place.expect_message(result, "LOG is missing, and none is here")
    for name, age in (("old.fathom", 50), ("newest.fathom", 0), ("older.fathom", 100), ("newer-but.txt", -50)):
        place.record(*PROGRAM, options=("-q", "-o", name))
        when = time.time() - age
        os.utime(place.path(name), (when, when))
    os.makedirs(place.path("folder.fathom"))
    result = place.run(place.fathom, "report")
    place.expect_status(result, 0)
    place.expect(result.stderr == "fathom: report: of newest.fathom, the newest log here\n", f"{result.stderr!r}")
    place.expect(result.stdout == place.run(place.fathom, "report", "newest.fathom").stdout, "this is the report of another log")


# ---- where it goes ----


def on_terminal(place, *command, rows=24, env=(), keys="", wait=None):
    environment = {name: value for name, value in os.environ.items() if name not in ("PAGER", "FATHOM_PAGER", "LESS")}
    terminal = Terminal(command, rows=rows, cwd=place.folder, env={**environment, "TERM": "xterm", **dict(env)})
    if wait:
        place.expect(terminal.wait_for(wait), f"{command}: the terminal shows {terminal.text!r}")
        terminal.type(keys)
    return terminal.end(), terminal.text.replace("\r\n", "\n")


@case("on a terminal long text goes through the pager, short text does not")
def _(place):
    place.record(*PROGRAM, options=("-q", "-o", "x.fathom"))
    with open(place.path("pager"), "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\necho paged $# $LESS\ncat > shown\n")
    os.chmod(place.path("pager"), 0o755)
    pager = place.path("pager")
    dump = place.run(place.fathom, "dump", "x.fathom").stdout
    for env, begins in (({"PAGER": pager}, "paged 0 FRX"), ({"FATHOM_PAGER": pager + " -a", "PAGER": "cat"}, "paged 1 FRX"),
                        ({"FATHOM_PAGER": "", "PAGER": pager}, None), ({"PAGER": "cat"}, None), ({"PAGER": "no-such-pager"}, None),
                        ({"PAGER": pager, "TERM": "dumb"}, None), ({"PAGER": pager, "LESS": "X"}, "paged 0 X")):
        if os.path.exists(place.path("shown")):
            os.remove(place.path("shown"))
        status, text = on_terminal(place, place.fathom, "dump", "x.fathom", env=env)
        place.expect(status == 0, f"{env}: exit status {status}")
        if begins:
            place.expect(text == begins + "\n", f"{env}: the terminal shows {text[:200]!r}")
            with open(place.path("shown"), encoding="utf-8") as file:
                place.expect(file.read() == dump, f"{env}: the pager got something else")
        else:
            place.expect(text == dump and not os.path.exists(place.path("shown")), f"{env}: the terminal shows {text[:200]!r}")
    status, text = on_terminal(place, place.fathom, "--version", env={"PAGER": pager})
    place.expect(status == 0 and re.fullmatch(r"fathom [\d.]+\n", text), f"the version: {text!r}")
    status, text = on_terminal(place, place.fathom, "help", "report", rows=200, env={"PAGER": pager})
    place.expect(status == 0 and "OPTIONS" in text.upper() and "paged" not in text, f"a help that fits: {text[:200]!r}")
    result = place.run(place.fathom, "dump", "x.fathom", env={**os.environ, "PAGER": pager})
    place.expect(result.stdout == dump, "a pager where output is no terminal")


@case("less shows the first page and ends with q, and the exit status is that of the command")
def _(place):
    needed("less")
    place.record(*PROGRAM, options=("-q", "-o", "x.fathom"))
    status, text = on_terminal(place, place.fathom, "dump", "x.fathom", wait=r":\x1b\[K$|:$|\(END\)", keys="q")
    place.expect(status == 0 and "# fathom dump 1" in text and text.count("\n") < 60, f"status {status}, {text!r}")


@case("PDF does not go to a terminal, and does go to a pipe")
def _(place):
    place.record(*PROGRAM, options=("-q", "-o", "x.fathom"))
    for words in (("--format", "pdf"), ("--format", "pdf", "-o", "-"), ("--format", "pdf", "-o", "x.pdf", "-o", "-")):
        status, text = on_terminal(place, place.fathom, "report", "x.fathom", *words)
        place.expect(status == 2 and "PDF" in text and "-o report.pdf" in text and text.count("\n") == 1, f"{words}: {status} {text[:300]!r}")
    place.expect(not os.path.exists(place.path("x.pdf")), "a file was written even so")
    result = place.run(place.fathom, "report", "x.fathom", "--format", "pdf", text=False)
    place.expect(result.returncode == 0 and result.stdout.startswith(b"%PDF"), "no PDF in the pipe")


@case("who reads may go at any time: no message, status 0")
def _(place):
    place.record(*PROGRAM, options=("-q", "-o", "x.fathom"))
    for words in ("report x.fathom", "dump x.fathom", "dump --json x.fathom", "report --csv x.fathom", "report x.fathom --format html",
                  "report x.fathom --format pdf", "help report", "jobs schema", "devices --list-quantities"):
        # The reader has gone before anything is written.
        result = place.run("bash", "-c", f'set -o pipefail; (sleep 0.3; "$1" {words}; echo "$?" > status) | true', "bash", place.fathom)
        with open(place.path("status"), encoding="utf-8") as file:
            status = file.read().strip()
        place.expect(status == "0" and result.stderr == "", f"{words}: status {status}, {result.stderr!r}")


# ---- where it is installed ----


@case("an installed tree works wherever it is moved, and says which version it is")
def _(place):
    needed("cmake")
    build = os.path.dirname(place.programs)
    result = place.run("cmake", "--install", build, "--prefix", place.path("here"), "--component", "fathom")
    place.expect_status(result, 0)
    os.makedirs(place.path("far"))
    os.rename(place.path("here"), place.path("far/off place"))
    tree = place.path("far/off place")
    os.symlink(os.path.join(tree, "bin/fathom"), place.path("fathom"))
    for fathom in (os.path.join(tree, "bin/fathom"), place.path("fathom")):
        result = place.run(fathom, "record", "-q", "-o", "x.fathom", *PROGRAM)
        place.expect_unharmed(result)
        place.expect_log("x.fathom", 30000)
        os.remove(place.path("x.fathom"))
        result = place.run(fathom, "monitor", "-o", "series", "--every", "0.1s", "--for", "0.2s")
        place.expect_status(result, 0)
    place.record(*PROGRAM, options=("-q", "-o", "x.fathom"))
    result = place.run(place.path("fathom"), "report", "x.fathom", "--model", "mistral-lustre")
    place.expect_status(result, 0)
    place.expect("mistral-lustre" in result.stdout, "the report names no model")
    result = place.run(place.path("fathom"), "report", "x.fathom", "--model", "no-such-model")
    place.expect_status(result, 1)
    version = place.run(place.fathom, "--version").stdout.split()[-1]
    found = set(os.listdir(os.path.join(tree, "share/fathom/modulefiles/fathom")))
    place.expect(found == {version, version + ".lua"}, f"modules {found} of version {version}")
    with open(os.path.join(tree, "share/man/man1/fathom-report.1"), encoding="utf-8") as file:
        place.expect(f"fathom {version}" in file.read(), "the page of man has another version")
    with open(os.path.join(tree, "share/fathom/slurm/site.conf"), encoding="utf-8") as file:
        place.expect(f"prefix={place.path('here')} " in file.read(), "the site's scripts look elsewhere")
    for library, _, files in os.walk(tree):
        if "libfathom.so" in files:
            os.remove(os.path.join(library, "libfathom.so"))
    result = place.run(place.path("fathom"), "record", *PROGRAM)
    place.expect_status(result, 125)
    place.expect(result.stdout == "first\nlast\n", "the program was not run")
    place.expect_message(result, "libfathom.so: the preload library is missing; install Fathom whole")


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
