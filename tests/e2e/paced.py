"""Recordings of tests/programs/paced.c, which says itself when each of its calls began and ended."""
import subprocess
from dataclasses import dataclass


@dataclass
class Call:
    begin: int  # ns of UNIX time
    end: int
    result: int

    @property
    def length(self):
        return self.end - self.begin

    def within(self, start, end):
        """How much of it lies there, in ns."""
        return max(0, min(self.end, end) - max(self.begin, start))


def start(place, what, file, calls, size, pause, options=()):
    """Starts a recording. Gives the job, and its log, which is named after what it does and the file."""
    log = place.path(f"{what}-{file}.fathom")
    command = (place.fathom, "record", "-q", *options, "-o", log, "--", place.program("paced"), what, place.path(file), str(calls),
               str(size), str(pause))
    return subprocess.Popen(command, stdout=subprocess.PIPE, cwd=place.folder, text=True), log


def calls_of(place, job):
    """Waits for the job's end. Gives what it said."""
    calls = [Call(*map(int, line.split())) for line in job.communicate(timeout=60)[0].splitlines()]
    place.expect(job.returncode == 0 and calls, f"exit status {job.returncode}, {len(calls)} calls")
    return calls
