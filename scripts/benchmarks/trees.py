#!/usr/bin/env python3
"""What programs that go through trees of small files take under `fathom record`: CPU time and wall time of the whole command, the log included.

Each program runs alone and recorded in turns; ratios are of the medians. Files lie in memory. git and rsync are left out where they are missing.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FOLDERS = 500
SHELL = "i=0; while [ $i -lt 600 ]; do /bin/true; i=$((i+1)); done"


def make_tree(tree, files):
    for number in range(files):
        folder = tree / f"folder{number % FOLDERS:03}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"a_file_of_some_name_{number // FOLDERS:03}.txt").write_bytes(b"x" * 2000)


def workloads(place):
    """Name, command, and the folder that is empty when it begins."""
    tree, archive, copy = place / "tree", place / "tree.tar", place / "copy"
    return (("tar, making an archive", ["tar", "cf", archive, "-C", place, "tree"], None),
            ("tar, unpacking it", ["tar", "xf", archive, "-C", copy], copy),
            ("rsync -a", ["rsync", "-a", f"{tree}/", f"{copy}/"], copy),
            ("git status", ["git", "-C", tree, "status"], None),
            ("find -size", ["find", tree, "-size", "+1M"], None),
            ("a shell that starts 600 programs", ["sh", "-c", SHELL], None))


def timed(command, empty, log=None):
    if log:
        log.unlink(missing_ok=True)  # names of logs are new ones
    if empty:
        shutil.rmtree(empty, ignore_errors=True)
        empty.mkdir()
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {process.returncode}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help="folder of the build")
    parser.add_argument("--files", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", help="the program whose name begins so")
    parser.add_argument("--against", metavar="PATH", type=Path, help="the fathom of another version, in turns with this one")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        place = Path(name)
        make_tree(place / "tree", options.files)
        if shutil.which("git"):
            git = ["git", "-C", place / "tree", "-c", "user.name=a", "-c", "user.email=a@b"]
            for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "all"]):
                subprocess.run([*git, *words], check=True)
        fathoms = [options.build / "bin" / "fathom", *([options.against] if options.against else [])]
        print(f"{options.files:,} files in {FOLDERS} folders, {options.rounds} rounds")
        print(f"{'':34} {'CPU s':>7} {'recorded':>20} {'wall s':>7} {'recorded':>9}")
        for what, command, empty in workloads(place):
            if not shutil.which(command[0]):
                print(f"{what:34} is not here")
                continue
            if options.only and not what.startswith(options.only):
                continue
            alone, recorded = [], {fathom: [] for fathom in fathoms}
            for _ in range(options.rounds):
                alone.append(timed(command, empty))
                for fathom, times in recorded.items():
                    times.append(timed([fathom, "record", "--quiet", "--output", place / "x.fathom", "--", *command], empty, place / "x.fathom"))
            cpu, wall = (statistics.median(column) for column in zip(*alone))
            for fathom, times in recorded.items():
                more = [statistics.median(column) for column in zip(*times)]
                spread = sorted(one / cpu for one, _ in times)
                print(f"{what:34} {cpu:7.2f} {more[0] / cpu:6.2f} [{spread[0]:.2f}..{spread[-1]:.2f}] {wall:7.2f} {more[1] / wall:9.2f}"
                      f"{f'  {fathom}' if options.against else ''}", flush=True)
                what = ""


if __name__ == "__main__":
    main()
