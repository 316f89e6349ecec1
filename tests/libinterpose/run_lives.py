#!/usr/bin/env python3
"""Runs a program that lives and ends in its own way, and compares the log with what it is known to have done.

usage: run_lives.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_lives.py --list
"""
import argparse
import os
import shutil
import subprocess
import sys
from collections import namedtuple

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from fathom_view import FathomView  # noqa: E402

FURTHER = "/<further files>"
MPIRUN = ["mpirun", "--oversubscribe", "-np", "3"]

# status: the program's; layer and writes: how often each file was written to, in that layer; check: more to hold.
Life = namedtuple("Life", "command status layer writes check", defaults=(0, "posix", {}, None))


def overflow_holds_the_rest(view):
    files = {path: counts for path, counts in view.layers["posix"].items() if counts["writes"]}
    assert sum(counts["writes"] for counts in files.values()) == 5000, "writes are missing"
    further = {path: counts for path, counts in files.items() if path.endswith(FURTHER)}
    assert len(further) == 1, "5000 files on one file system cannot all have fitted"
    (mount, counts), = further.items()
    assert os.path.ismount(mount[:-len(FURTHER)] or "/"), f"{mount} is no mount"
    names = {row["path"]: row["files"] for row in view.tables["names"]}
    assert abs(names[mount] - counts["writes"]) < 0.15 * counts["writes"], f"about {names[mount]} files, {counts['writes']} writes"
    totals = sum(row["writes"] for row in view.tables["totals"])
    assert totals == 5000, f"the totals say {totals} writes"


def ranks_are_told_apart(view):
    processes = view.tables["processes"]
    assert sorted(row["rank"] for row in processes if row["rank"] >= 0) == [0, 1, 2], "three ranks, each once"
    by_number = {row["process"]: row for row in processes}
    for record in view.tables["stdio"]:
        if record["writes"] and "/child." in record["path"]:
            assert by_number[record["process"]]["rank"] == -1, "a forked child is no rank"
        if record["writes"] and "/after." in record["path"]:
            assert by_number[record["process"]]["rank"] == int(record["path"][-1]), "the rank that wrote it"


def one_rank_was_recorded(view):
    ranks = [row for row in view.tables["processes"] if row["rank"] >= 0]
    assert len(ranks) == 1, "one of the two ranks was not recorded"


LIVES = {
    "threads": Life(["lives", "threads"], writes={"shared": 4000, "own.0": 1000, "own.1": 1000, "own.2": 1000, "own.3": 1000}),
    "three thousand short threads": Life(["lives", "short_threads"], writes={"shared": 3000}),
    "a forked child": Life(["lives", "forked"], status=7, writes={"inherited": 18, "own": 20}),
    "SIGKILL": Life(["lives", "killed"], status=137, writes={"file": 100}),
    "more files than fit": Life(["lives", "many_files"], check=overflow_holds_the_rest),
    "writes at exit": Life(["lives", "at_exit"], writes={"early": 2, "late": 4}),
    "errno stays": Life(["lives", "errno_stays"], writes={"file": 1}),
    "closes every descriptor": Life(["lives", "closes_everything"], writes={"file": 6}),
    "a cancelled thread": Life(["lives", "cancelled"], writes={"file": 8}),
    "exec": Life(["lives", "execs"], writes={"before": 9, "early": 2, "late": 4}),
    "bad pointers": Life(["lives", "bad_pointers"], writes={"file": 1}),
    "vfork": Life(["lives", "vforks"], writes={"parent": 3, "child": 4}),
    "working folders": Life(["lives", "working_folders"],
                            writes={"file": 7, "a/file": 3, "a/b/file": 1, "a/visited": 1, "a/b/visited": 1, "a/walked": 1,
                                    "a/b/walked": 1, "a/b/of_thread": 1}),
    "a small signal stack": Life(["lives", "small_stack"], writes={"handler": 2}),
    "crowds of threads": Life(["lives", "crowds"], writes={"shared": 4000, "own.0": 100, "own.39": 100}),
    "handlers that write": Life(["lives", "handlers"], writes={"file": 1000000}),
    "handlers that jump out": Life(["lives", "jumps"], writes={"after": 20}),
    "no descriptor left to grow by": Life(["lives", "few_descriptors"], writes={"file.0": 1, "file.499": 1}),
    "a program under ThreadSanitizer": Life(["lives_tsan", "threads"], writes={"shared": 4000, "own.0": 1000, "own.3": 1000}),
    "a rank that is not recorded": Life(["mpirun", "--oversubscribe", "-np", "1", "after_finalize", ":", "-np", "1", "env", "-u",
                                         "LD_PRELOAD", "after_finalize"], layer="stdio", check=one_rank_was_recorded,
                                        writes={"before.0": 5, "after.0": 3}),
    "after MPI_Finalize": Life(MPIRUN + ["after_finalize"], layer="stdio", check=ranks_are_told_apart,
                               writes={f"{name}.{rank}": times for rank in range(3)
                                       for name, times in (("before", 5), ("child", 7), ("after", 3))}),
}


def run(life, options, folder):
    command = [os.path.join(options.bin, word) if os.path.exists(os.path.join(options.bin, word)) else word
               for word in life.command]
    log = os.path.join(folder, "log.fathom")
    inside = os.path.join(folder, "inside")
    os.makedirs(inside)
    # The smallest arena, so that filling it takes little.
    done = subprocess.run([options.fathom, "record", "--quiet", "--memory", "1024", "-o", log, "--"] + command, cwd=inside, timeout=120)
    assert done.returncode == life.status, f"exit status {done.returncode}, expected {life.status}"
    view = FathomView(options.fathom, log)
    assert not view.problems, view.problems
    assert view.missed() == 0, f"{view.missed()} calls were not counted"
    for name, expected in life.writes.items():
        found = view.layers[life.layer][os.path.join(inside, name)]["writes"]
        assert found == expected, f"{name}: {found} writes in the log, {expected} made"
    if life.check:
        life.check(view)


def main():
    if sys.argv[1:] == ["--list"]:
        print(";".join(LIVES), end="")
        return 0
    parser = argparse.ArgumentParser()
    for option in ("--fathom", "--bin", "--work"):
        parser.add_argument(option, required=True)
    parser.add_argument("name")
    options = parser.parse_args()
    life = LIVES[options.name]
    if "mpirun" in life.command and not (shutil.which("mpirun") and os.path.exists(os.path.join(options.bin, "after_finalize"))):
        print("skipped: no MPI")
        return 77
    if life.command[0] == "lives_tsan" and not os.path.exists(os.path.join(options.bin, "lives_tsan")):
        print("skipped: no ThreadSanitizer")
        return 77
    folder = os.path.join(options.work, options.name.replace(" ", "-"))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    run(life, options, os.path.realpath(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
