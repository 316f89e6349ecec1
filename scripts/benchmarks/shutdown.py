#!/usr/bin/env python3
"""What recording adds to MPI_Finalize: time, memory, and the size of the log.

Each job uses its files, waits for all ranks, and times its own MPI_Finalize: the slowest rank counts. Jobs with
and without the library take turns. Times are medians over the rounds with [2nd lowest..2nd highest]. Where there
are enough cases, a model is fitted to the CPU time and says what it means for 65,536 ranks.
"""

import argparse
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Case:
    """One kind of job: which files its ranks use, and how many of them."""

    sharing: str  # "shared": all ranks use the same files; "own": each uses its own
    files: int  # per rank
    ranks: int

    @property
    def label(self):
        files = "1 file" if self.files == 1 else f"{self.files:,} files"
        return f"{files} {'shared' if self.sharing == 'shared' else 'a rank'}"

    @property
    def records(self):
        return self.files * (1 if self.sharing == "shared" else self.ranks)

    @property
    def received(self):
        """Files that a rank gets from its partners: of shared files one rank in two keeps its half in each round;
        of its own files each rank passes on half of what it has."""
        if self.sharing == "shared":
            return self.files * (1 - 1 / self.ranks)
        return self.files * math.log2(self.ranks) / 2

    @property
    def arena_kib(self):
        """Room for a record of each file, so that none goes uncounted."""
        return max(2048, self.files * 3 // 2)


@dataclass
class Run:
    """What one job said of its end."""

    seconds: float = 0.0  # of the slowest rank
    cpu: float = 0.0  # of all ranks
    grown_first: int = 0  # KiB, of rank 0
    grown_most: int = 0  # KiB, of the rank that grew most
    log_bytes: int = 0


@dataclass
class Measured:
    """What the rounds of one case gave."""

    bare: list = field(default_factory=list)  # seconds of the slowest rank
    recorded: list = field(default_factory=list)
    cpu: list = field(default_factory=list)  # CPU seconds of all ranks, beyond those of the bare job
    log_bytes: list = field(default_factory=list)
    grown_first: list = field(default_factory=list)  # KiB on rank 0, beyond what the bare job grows
    grown_most: list = field(default_factory=list)  # KiB on the rank where it is most

    @property
    def added(self):
        return [with_it - without for with_it, without in zip(self.recorded, self.bare)]


def environment():
    """Open MPI runs as root only if told so; more ranks than cores must not spin."""
    return {
        **os.environ,
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_mpi_yield_when_idle": "1",
    }


@dataclass(frozen=True)
class Mpi:
    """What compiles for an MPI, and what starts its jobs."""

    compiler: str
    launcher: tuple


MPIS = {
    "default": Mpi("mpicc", ("mpirun", "--oversubscribe")),
    "openmpi": Mpi("mpicc.openmpi", ("mpirun.openmpi", "--oversubscribe")),
    "mpich": Mpi("mpicc.mpich", ("mpirun.mpich",)),
}


def compile_program(mpi, folder):
    program = folder / "shutdown"
    subprocess.run([mpi.compiler, "-O2", "-o", program, HERE / "shutdown.c"], check=True)
    return program


def finalized(recorder, log):
    """How many processes the log has from MPI_Finalize rather than from what they left behind."""
    dump = subprocess.run([recorder, "dump", "--table", "processes", log], check=True, capture_output=True, text=True)
    values = [line.split("\t")[2:4] for line in dump.stdout.splitlines() if not line.startswith("#")]
    return sum(value == ["ending", "2"] for value in values)


def fetch(log, folder):
    """What this node remembers of a folder that nodes share may be seconds old."""
    for _ in range(100):
        try:
            return Path(shutil.move(log, folder))
        except OSError:
            subprocess.run(["ls", "-l", log.parent], capture_output=True)  # asks the server about each file
            time.sleep(0.6)
    sys.exit(f"{log}: cannot be read")


def run_job(launcher, program, case, data, recorder=None, logs=None):
    """Runs one job, under the library if there is a recorder; where there is a folder for logs, that of several nodes, each rank
    has a recorder of its own."""
    folder = Path(tempfile.mkdtemp(dir=data))
    try:
        results, log, files = folder / "result", (logs or folder) / f"{folder.name}.fathom", folder / "files"
        files.mkdir()
        start, job = [*launcher, "-np", str(case.ranks)], [program, case.sharing, str(case.files), files, results]
        record = [recorder, "record", "-q", "--memory", str(case.arena_kib), "-o", log, "--"] if recorder else []
        job = [*start, *record, *job] if logs else [*record, *start, *job]
        done = subprocess.run(job, env=environment(), capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"the job failed: {case}\n{done.stdout}{done.stderr}")
        if recorder and logs:
            log = fetch(log, folder)
        run = Run(log_bytes=log.stat().st_size if recorder else 0)
        if recorder and (count := finalized(recorder, log)) != case.ranks:
            sys.exit(f"only {count} of the {case.ranks} ranks had their records written by MPI_Finalize: {case}")
        for rank in range(case.ranks):
            seconds, cpu, before, after = (folder / f"result.{rank}").read_text().split()
            grown = int(after) - int(before)
            run.seconds = max(run.seconds, float(seconds))
            run.cpu += float(cpu)
            run.grown_first = grown if rank == 0 else run.grown_first
            run.grown_most = max(run.grown_most, grown)
        return run
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def measure(launcher, program, cases, rounds, data, recorder, logs):
    measured = {case: Measured() for case in cases}
    for number in range(rounds):
        for case in cases:
            print(f"\rround {number + 1} of {rounds}: {case.ranks} ranks, {case.label}   ", end="", file=sys.stderr)
            bare, recorded = run_job(launcher, program, case, data), run_job(launcher, program, case, data, recorder, logs)
            one = measured[case]
            one.bare.append(bare.seconds)
            one.recorded.append(recorded.seconds)
            one.cpu.append(recorded.cpu - bare.cpu)
            one.grown_first.append(recorded.grown_first - bare.grown_first)
            one.grown_most.append(recorded.grown_most - bare.grown_most)
            one.log_bytes.append(recorded.log_bytes)
    print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
    return measured


def spread(values):
    """Second lowest and second highest: one bad round on a shared machine says nothing."""
    ordered = sorted(values)
    inner = ordered[1:-1] if len(ordered) >= 4 else ordered
    return inner[0], inner[-1]


def milliseconds(values):
    low, high = spread(values)
    return f"{statistics.median(values) * 1e3:.1f} [{low * 1e3:.0f}..{high * 1e3:.0f}]"


def print_table(measured):
    header = ("files", "ranks", "without ms", "with ms", "added ms", "CPU ms", "log KB", "B/record", "rank 0 MB", "any rank MB")
    rows = []
    for case, one in measured.items():
        log = statistics.median(one.log_bytes)
        rows.append((
            case.label, str(case.ranks), milliseconds(one.bare), milliseconds(one.recorded), milliseconds(one.added),
            f"{statistics.median(one.cpu) * 1e3:.0f}", f"{log / 1e3:.1f}", f"{log / case.records:.1f}" if case.records >= 1000 else "-",
            f"{statistics.median(one.grown_first) / 1024:.1f}", f"{statistics.median(one.grown_most) / 1024:.1f}"))
    widths = [max(len(row[at]) for row in [header, *rows]) for at in range(len(header))]
    for row in [header, *rows]:
        print("  ".join(cell.ljust(width) if at == 0 else cell.rjust(width)
                        for at, (cell, width) in enumerate(zip(row, widths))).rstrip())
    print("\nwith, without: MPI_Finalize of the slowest rank. CPU: added, over all ranks, waiting included. B/record: the whole log over the files in it.\n"
          "MB: growth of the resident memory's peak in MPI_Finalize, less that of the job without the library.")


def solve(matrix, right):
    """Gauss's elimination, for the handful of equations of a fit."""
    rows = [row + [value] for row, value in zip(matrix, right)]
    for at in range(len(rows)):
        pivot = max(range(at, len(rows)), key=lambda row: abs(rows[row][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        rows[at] = [value / rows[at][at] for value in rows[at]]
        for row in range(len(rows)):
            if row != at:
                rows[row] = [a - rows[row][at] * b for a, b in zip(rows[row], rows[at])]
    return [row[-1] for row in rows]


def terms(case):
    return [1.0, math.log2(case.ranks), float(case.files), case.received]


def fit(measured):
    """CPU seconds of a rank as a + b log2(ranks) + c files + d files received; errors count in proportion.

    Work cannot be negative: a term that comes out so does not show in the measurements, and is left out.
    """
    points = [(terms(case), statistics.median(one.cpu) / case.ranks) for case, one in measured.items()]
    points = [[term / value for term in row] for row, value in points if value > 0]
    used = list(range(len(points[0])))
    while True:
        normal = [[sum(row[i] * row[j] for row in points) for j in used] for i in used]
        factors = dict(zip(used, solve(normal, [sum(row[i] for row in points) for i in used])))
        if min(factors.values()) >= 0:
            return [factors.get(at, 0.0) for at in range(len(points[0]))]
        used.remove(min(used, key=factors.get))


def print_fit(measured):
    factors = fit(measured)
    print("\nCPU time of a rank = %.2f ms + %.3f ms x log2(ranks) + %.2f us x its files + %.2f us x files received"
          % (factors[0] * 1e3, factors[1] * 1e3, factors[2] * 1e6, factors[3] * 1e6))
    errors = sorted(abs(sum(f * t for f, t in zip(factors, terms(case))) * case.ranks / statistics.median(one.cpu) - 1)
                    for case, one in measured.items() if statistics.median(one.cpu) > 0)
    print(f"off by {statistics.median(errors):.0%} in the median, {errors[-1]:.0%} at most; "
          "with a core to each rank that would be")
    for case in (Case("shared", 1, 65536), Case("shared", 1024, 65536), Case("own", 1, 65536), Case("own", 1024, 65536)):
        seconds = sum(factor * term for factor, term in zip(factors, terms(case)))
        print(f"  {seconds * 1e3:6.1f} ms  {case.ranks:,} ranks, {case.label}")


def choose_cases(ranks):
    cases = []
    for sharing, files in (("shared", 1), ("shared", 1024), ("own", 1), ("own", 1024)):
        cases += [Case(sharing, files, count) for count in ranks]
    return cases


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench shutdown", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--mpi", choices=MPIS, default="default", help="which MPI, where several are installed")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 4, 8, 16, 32, 64], help="numbers of ranks")
    parser.add_argument("--rounds", type=int, default=7, help="how often each job runs, with and without")
    parser.add_argument("--data", type=Path, default=Path("/dev/shm"), help="where the files go (default: /dev/shm)")
    parser.add_argument("--launcher", type=str.split, help="what starts ranks on several nodes, before -np")
    parser.add_argument("--logs", type=Path, help="where these nodes write the log; needed with --launcher")
    parser.add_argument("--files", metavar="KIND:N", nargs="+", help="shared:10000 own:1000, in place of the usual cases")
    parser.add_argument("--large", type=int, default=100_000, help="shared files of the large job; 0: none")
    parser.add_argument("--only-large", action="store_true", help="only the large job, on 4 ranks")
    parser.add_argument("--quick", action="store_true", help="few ranks, few rounds: does it work?")
    options = parser.parse_args()
    fathom = options.build.resolve() / "bin" / "fathom"
    if not fathom.is_file():
        parser.error(f"{fathom}: there is no such program")
    mpi = MPIS[options.mpi]
    if not (shutil.which(mpi.compiler) and shutil.which(mpi.launcher[0])):
        parser.error(f"{mpi.compiler} and {mpi.launcher[0]} are needed; on Debian: apt-get install libopenmpi-dev openmpi-bin, "
                     "or libmpich-dev mpich")
    if options.quick:
        options.ranks, options.rounds, options.large = [1, 4], 2, min(options.large, 10_000)

    if bool(options.launcher) != bool(options.logs):
        parser.error("--launcher and --logs go together")

    cases = [] if options.only_large else choose_cases(options.ranks)
    if options.files:
        kinds = [kind.split(":") for kind in options.files]
        cases, options.large = [Case(kind, int(files), ranks) for kind, files in kinds for ranks in options.ranks], 0
    if options.large:
        cases.append(Case("shared", options.large, 4))
    with tempfile.TemporaryDirectory(prefix="fathom-shutdown-", dir=options.data) as folder:
        program = compile_program(mpi, Path(folder))
        measured = measure(options.launcher or mpi.launcher, program, cases, options.rounds, Path(folder), fathom, options.logs)
    print_table(measured)
    if len(measured) >= 8:
        print_fit(measured)


if __name__ == "__main__":
    main()
