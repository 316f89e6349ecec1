"""A place for cases around a small program: what it must have done, and what must be in its log."""
import glob
import os
import re
import subprocess

import cases
from cases import Skip
from fathom_view import FathomView

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


def writes_to(place, log, name):
    return FathomView(place.fathom, place.path(log)).layers["posix"][place.path(name)]["writes"]


def recorded(place, log):
    """The files that programs opened, how many calls failed, and what is said of the job: name and value."""
    view = FathomView(place.fathom, place.path(log))
    files = {path for path in view.files - view.folders if view.layers["posix"][path]["opens"]}
    failed = sum(row["failed"] for row in view.tables["posix"])
    facts = [(row["name"], row["value"]) for row in view.tables["job"]]
    return {os.path.relpath(path, place.folder) if path.startswith(place.folder) else path for path in files}, failed, facts
