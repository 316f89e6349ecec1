#!/usr/bin/env python3
"""Whether every rank is in the log, however a job of four ends: `mpirun fathom record` of a program whose ranks write
a file each.

Ends are drawn by chance: by itself, MPI_Abort, an exit without MPI_Finalize, SIGSEGV or SIGKILL in one rank, the others
deaf to SIGTERM or not; and mpirun gets SIGTERM, SIGINT or SIGKILL at any moment. Of each rank the log must have as many
bytes as are in its file, but for the one call that a kill may have cut short. Prints each job that lacks more, is not
over after a minute, or leaves something in the folder of its log or in /dev/shm; then the sums.
"""

import argparse
import collections
import glob
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from shutdown import MPIS, environment

HERE = Path(__file__).resolve().parent
RANKS, CALL = 4, 1000
ENDS = ("plain", "after", "slow", "slow-deaf", "abort", *(f"{end}{deaf}-wait" for end in ("abort", "exit", "segv", "kill")
                                                        for deaf in ("", "-deaf")))
SIGNALS = (None, None, signal.SIGTERM, signal.SIGINT, signal.SIGKILL)
PATIENCE = 10  # seconds after mpirun, for what collects


def written_in(fathom, log):
    """Bytes by rank, as the log tells."""
    dump = subprocess.run((fathom, "dump", log), capture_output=True, text=True, check=False).stdout
    written = collections.Counter()
    for number, rank in re.findall(r"^posix\t-?\d+\tbytes_written\t(\d+)\t.*/rank\.(\d)$", dump, re.MULTILINE):
        written[rank] += int(number)
    return written


def run_job(fathom, program, mpi, end, with_signal, folder):
    """What went wrong, in words; whether the log came after mpirun had returned; and whether it was said that it would."""
    folder.mkdir()
    log = folder / "x.fathom"
    said = folder / "said"
    with said.open("wb") as errors:
        job = subprocess.Popen((*mpi.launcher, "-np", str(RANKS), fathom, "record", "-o", log, "--", program, end, folder),
                               stdout=subprocess.DEVNULL, stderr=errors, stdin=subprocess.DEVNULL, start_new_session=True,
                               env=environment())
    if with_signal:
        time.sleep(random.uniform(0.2, 0.9))
        job.send_signal(with_signal)
    try:
        job.wait(timeout=60)
    except subprocess.TimeoutExpired:
        os.killpg(job.pid, signal.SIGKILL)
        return "is not over after a minute", False, False
    until, looks = time.monotonic() + PATIENCE, 0
    while True:
        looks += 1
        files = {path[-1]: os.path.getsize(path) for path in glob.glob(f"{folder}/rank.?")}
        written = written_in(fathom, log)
        lacking = {rank: size - written[rank] for rank, size in files.items() if size - written[rank] > CALL}
        left = [name for name in os.listdir(folder) if name.startswith(".fathom") or name.endswith(".tmp")]
        if (not lacking and not left) or time.monotonic() > until:
            break
        time.sleep(0.2)
    if lacking:
        return f"lacks bytes by rank: {lacking}", False, False
    return f"leaves {left}" if left else "", looks > 1, "the log follows" in said.read_text()


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench endings", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--jobs", type=int, default=1000, help="how many (default: 1000; about 12 minutes)")
    options = parser.parse_args()
    fathom = options.build.resolve() / "bin/fathom"
    mpis = {name: mpi for name, mpi in MPIS.items() if name != "default" and shutil.which(mpi.compiler) and shutil.which(mpi.launcher[0])}
    if not mpis:
        parser.error("Open MPI or MPICH is needed; on Debian: apt-get install libopenmpi-dev openmpi-bin")
    spools = set(glob.glob("/dev/shm/fathom-*"))
    late, bad, done, unsaid = 0, 0, collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory(prefix="fathom-endings-") as name, ThreadPoolExecutor(2) as pool:
        folder = Path(name)
        for mpi_name, mpi in mpis.items():
            subprocess.run((mpi.compiler, "-O2", "-o", folder / mpi_name, HERE / "endings.c"), check=True)

        def one(number):
            mpi_name, end = random.choice(sorted(mpis)), random.choice(ENDS)
            with_signal = random.choice(SIGNALS) if "slow" in end or "wait" in end else None
            what = f"{mpi_name}, {end}{', ' + with_signal.name if with_signal else ''}"
            place = folder / str(number)
            wrong, came_late, said = run_job(fathom, folder / mpi_name, mpis[mpi_name], end, with_signal, place)
            shutil.rmtree(place)
            return what, wrong, came_late, said

        for what, wrong, came_late, said in pool.map(one, range(options.jobs)):
            done[what] += 1
            late += came_late
            if came_late and not said:
                unsaid["mpirun was killed" if "SIGKILL" in what else what.partition(",")[0]] += 1
            bad += bool(wrong)
            if wrong:
                print(f"{what}: {wrong}", flush=True)
    time.sleep(2)
    left = sorted(set(glob.glob("/dev/shm/fathom-*")) - spools)
    print(f"{sum(done.values())} jobs of {len(done)} kinds: {bad} lacked a rank, hung or left something; "
          f"{late} logs were whole only after mpirun had returned, not announced: {dict(unsaid) or 'none'}; left in /dev/shm: {left or 'nothing'}")
    return 1 if bad or left else 0


if __name__ == "__main__":
    sys.exit(main())
