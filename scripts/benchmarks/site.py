#!/usr/bin/env python3
"""What recording every job of a centre costs a node: CPU time of Prolog, TaskProlog and Epilog (share/slurm), for a job with one
step. Runs them in the order in which Slurm does, with its variables; needs root, but no Slurm."""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent.parent / "share" / "slurm"


def cpu_of(command, environment):
    """CPU seconds of a command with all that it started, and its output."""
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = used()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return used() - before, done.stdout


def run_job(folder, number, tasks):
    """CPU seconds of each script."""
    environment = {"PATH": os.environ["PATH"], "SLURM_JOB_ID": str(number), "SLURM_JOB_USER": "root", "SLURM_JOB_UID": "0",
                   "SLURM_JOB_GID": "0", "SLURM_STEP_ID": "0", "SLURM_RESTART_COUNT": "0"}
    spent = {"Prolog": cpu_of([folder / "prolog.sh"], environment)[0], "TaskProlog": 0.0}
    for task in range(tasks):
        seconds, output = cpu_of([folder / "task-prolog.sh"], environment)
        spent["TaskProlog"] += seconds
        exports = dict(line.removeprefix("export ").split("=", 1) for line in output.splitlines())
        subprocess.run(["dd", "if=/dev/zero", f"of={folder}/data.{task}", "bs=4096", "count=100", "status=none"],
                       env={**environment, **exports}, check=True)
    spent["Epilog"] = cpu_of([folder / "epilog.sh"], environment)[0]
    return spent


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench site", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=20, help="how many jobs (default: 20)")
    parser.add_argument("--tasks", type=int, nargs="+", default=[2, 64], help="tasks of the step on the node")
    options = parser.parse_args()
    if os.geteuid() != 0:
        parser.error("Prolog and Epilog run as root, and so must this")
    with tempfile.TemporaryDirectory(prefix="fathom-site-", dir="/dev/shm") as name:
        folder = Path(name)
        shutil.copytree(SCRIPTS, folder, dirs_exist_ok=True)
        (folder / "site.conf").write_text(f"prefix={options.build.resolve()}\nlogs={folder}/logs\nspools={folder}/spools\n")
        print("tasks  script      CPU ms, median [least..most]")
        for count, tasks in enumerate(options.tasks):
            rounds = [run_job(folder, 1000 * count + number, tasks) for number in range(options.rounds)]
            for script in rounds[0]:
                values = [1e3 * spent[script] for spent in rounds]
                print(f"{tasks:5}  {script:10}  {statistics.median(values):.1f} [{min(values):.1f}..{max(values):.1f}]")
            total = [1e3 * sum(spent.values()) for spent in rounds]
            print(f"{tasks:5}  {'all':10}  {statistics.median(total):.1f} [{min(total):.1f}..{max(total):.1f}]")
        logs = len(list(folder.glob("logs/*/*/*/*.fathom")))
        if logs != options.rounds * len(options.tasks):
            sys.exit(f"{logs} logs were filed instead of {options.rounds * len(options.tasks)}")


if __name__ == "__main__":
    main()
