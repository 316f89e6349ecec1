#!/usr/bin/env python3
"""What a site sets in /etc/fathom.conf holds whatever its users say.

usage: run_site_settings.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_site_settings.py --list
Exit status 77: the case cannot be set up here.
"""
import glob
import os
import re
import sys

import cases
from cases import case, Skip
from small_program import PROGRAM, Place, recorded


def with_site(place, settings, *command, mode=0o644, **options):
    """Runs a command where /etc is a copy with that settings file."""
    if os.geteuid() != 0 or place.run("unshare", "-m", "true").returncode != 0:
        raise Skip("needs root and namespaces")
    copy = place.path("etc")
    if not os.path.exists(copy):
        place.run("cp", "-a", "/etc", copy)
    with open(os.path.join(copy, "fathom.conf"), "w", encoding="utf-8") as file:
        file.write(settings)
    os.chmod(os.path.join(copy, "fathom.conf"), mode)
    return place.run("unshare", "-m", "sh", "-c", 'mount --bind "$0" /etc && exec "$@"', copy, *command, **options)


SITE = """
# What users of this site may not loosen.
FATHOM_EXCLUDE = *.key:/*/private
FATHOM_NO_ARGUMENTS = 1
FATHOM_NO_TIMINGS=1
FATHOM_TRACE = 0
FATHOM_MODE = 0640
"""
WISHES = {"FATHOM_INCLUDE": "*.key", "FATHOM_NO_ARGUMENTS": "0", "FATHOM_NO_TIMINGS": "0", "FATHOM_TRACE": "1", "FATHOM_MODE": "0666"}


def expect_site_obeyed(place, log):
    dump = place.run(place.fathom, "dump", log).stdout
    files, _, facts = recorded(place, log)
    place.expect(files == {"data"}, f"recorded {files}")
    place.expect("if=/dev/zero" not in dump, "arguments are in the log")
    place.expect(("excluded", "*.key:/*/private") in facts, f"facts {facts}")
    place.expect(any(name == "note" and "/etc/fathom.conf allows no trace" in text for name, text in facts), f"facts {facts}")
    for rows in ("trace", "durations", "time_bins"):
        place.expect(not re.search(rf"^{rows}\t", dump, re.MULTILINE), f"the log has {rows}")
    place.expect(os.stat(log).st_mode & 0o777 == 0o640, f"mode {os.stat(log).st_mode:o}")


@case("what a site sets holds whatever users say, with fathom record and without")
def _(place):
    library = os.path.join(os.path.dirname(os.path.dirname(place.fathom)), "lib", "libfathom.so")
    program = ("dd", "if=/dev/zero", "of=data", "bs=1000", "count=3", "status=none")
    both = ("sh", "-c", f"{' '.join(program)}; {' '.join(program)} of=a.key")
    result = with_site(place, SITE, place.fathom, "record", "-q", "-o", "x.fathom", "--trace", "--include", "*.key", "--", *both,
                       env={**os.environ, **WISHES})
    place.expect_status(result, 0)
    place.expect(result.stderr == "fathom: /etc/fathom.conf allows no trace\n", f"errors {result.stderr!r}")
    expect_site_obeyed(place, place.path("x.fathom"))
    os.mkdir(place.path("logs"))
    with_site(place, SITE, *program, env={**os.environ, **WISHES, "LD_PRELOAD": library, "FATHOM_LOGDIR": place.path("logs")})
    logs = glob.glob(place.path("logs/*.fathom"))
    place.expect(len(logs) >= 1, f"logs {logs}")
    for log in logs:
        if "dd-" in log:
            expect_site_obeyed(place, log)
    # An old log that others may read is replaced by one that they may not.
    os.chmod(place.path("x.fathom"), 0o666)
    with_site(place, "FATHOM_MODE = 0600", place.fathom, "record", "-q", "-o", "x.fathom", "--", "true")
    place.expect(os.stat(place.path("x.fathom")).st_mode & 0o777 == 0o600, "the log that is replaced keeps a mode that the site forbids")


@case("lines of a site's settings that cannot be obeyed are named, and the others hold")
def _(place):
    lines = {"FATHOM_TRACE = 1": "0 only", "FATHOM_MODE = rw": "octal", "FATHOM_OUTPUT = x": "cannot set", "secret": "NAME = VALUE",
             "FATHOM_MEMORY = lots": "KiB", "FATHOM_EXCLUDE = a/b": "slash", "FATHOM_EXCLUDE = *.b": "set above"}
    *wrong, again = lines
    result = with_site(place, "\n".join((*wrong, "FATHOM_EXCLUDE = *.a", again, "FATHOM_NO_ARGUMENTS = 1")), place.fathom, "record", "-q", "-o", "x.fathom", "--", *PROGRAM)
    place.expect_status(result, 0)
    place.expect(result.stderr.count("\n") == len(lines), f"errors {result.stderr!r}")
    notes = " ".join(text for name, text in recorded(place, "x.fathom")[2] if name == "note")
    for line, why in lines.items():
        place.expect_message(result, rf"/etc/fathom.conf: {re.escape(line)}: .*{why}")
        place.expect(f"{line}: " in notes, f"the log's note lacks {line}: {notes}")
    place.expect("echo" not in place.run(place.fathom, "dump", "x.fathom").stdout, "arguments are in the log")
    result = with_site(place, SITE, place.fathom, "record", "-q", "-o", "x.fathom", "--", *PROGRAM, mode=0o666)
    place.expect_message(result, "all may write")


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
