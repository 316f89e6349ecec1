#!/usr/bin/env python3
"""Runs fio with one of its engines, and compares what it says it did with what the log says of its file.

usage: run_fio.py --fathom FATHOM --work FOLDER ENGINE
Exit status 77: there is no fio, or the engine does not work here without Fathom either.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from fathom_view import FathomView  # noqa: E402

SKIPPED = 77
SIZE, BLOCK = 256 << 10, 4096
RUNS = [(rw, depth, threads) for rw in ("read", "randread", "write", "randwrite") for depth, threads in ((1, False), (8, True))]


def fio_of(engine, rw, depth, threads, file):
    return ["fio", "--name=job", f"--ioengine={engine}", f"--rw={rw}", f"--iodepth={depth}", f"--size={SIZE}", f"--bs={BLOCK}",
            "--direct=0", f"--filename={file}", "--output-format=json", *(["--thread"] if threads else [])]


def counted(view, file):
    records = [record for record in view.tables["posix"] if record["path"] == file]
    return lambda counter: sum(record[counter] or 0 for record in records)


def expected(engine, side, calls, size, of, missed):
    """Sentences about what is not as it should be; `of` gives the counters of the file."""
    reading = side == "read"
    transfers = (of("reads"), of("bytes_read")) if reading else (of("writes"), of("bytes_written"))
    asynchronous = of("async_reads") if reading else of("async_writes")
    if engine == "mmap":
        mapped = (of("maps"), of("mapped_bytes"), of("map_bytes_read"), of("map_bytes_written"))
        want = (1, size, size, 0) if reading else (1, size, 0, size)
        return [] if mapped == want and transfers == (0, 0) else [f"mapped {mapped}, which should be {want}; transfers {transfers}"]
    found = []
    if transfers != (calls, size):
        found.append(f"fio did {(calls, size)}, the log has {transfers}")
    if asynchronous != (0 if engine == "psync" else calls):
        found.append(f"{asynchronous} of {calls} are asynchronous")
    # fio enters its rings in assembler, where no library sees it: what went through them is known, when it did is not.
    unseen = of("async_unseen")
    if unseen not in ((0, calls) if engine == "io_uring" else (0,)):
        found.append(f"{unseen} of {calls} were not seen")
    if (of("async_time") > 0) != (engine != "psync" and unseen == 0):
        found.append(f"their time is {of('async_time')}")
    return found + ([f"{missed} missed"] if missed else [])


def lost_by_a_sync(fathom, folder, file, log):
    """A sync at the end takes the last write's place in a ring of one entry: then the writes are missed, and the log says so."""
    command = fio_of("io_uring", "write", 1, False, file) + ["--end_fsync=1"]
    result = subprocess.run([fathom, "record", "--quiet", "-o", log, "--", *command], cwd=folder, capture_output=True, text=True)
    calls = json.loads(result.stdout[result.stdout.index("{"):])["jobs"][0]["write"]["total_ios"]
    view = FathomView(fathom, log)
    known = counted(view, file)("writes") + view.missed()
    return [] if known >= calls else [f"with a sync at the end: of {calls} writes {known} are counted or missed"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fathom", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("engine")
    options = parser.parse_args()
    if shutil.which("fio") is None:
        print("there is no fio")
        return SKIPPED
    folder = os.path.abspath(options.work)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    file, log = os.path.join(folder, "file"), os.path.join(folder, "log.fathom")
    found = []
    for rw, depth, threads in RUNS:
        with open(file, "wb") as out:
            out.write(os.urandom(SIZE))
        command = fio_of(options.engine, rw, depth, threads, file)
        result = subprocess.run([options.fathom, "record", "--quiet", "-o", log, "--", *command], cwd=folder, capture_output=True,
                                text=True)
        if result.returncode != 0:
            if subprocess.run(command, cwd=folder, capture_output=True).returncode != 0:
                print("fio fails without Fathom too:", result.stdout, result.stderr)
                return SKIPPED
            found.append(f"{rw}: exit status {result.returncode}: {result.stderr}")
            continue
        job = json.loads(result.stdout[result.stdout.index("{"):])["jobs"][0]
        side = "read" if rw.endswith("read") else "write"
        view = FathomView(options.fathom, log)
        sentences = expected(options.engine, side, job[side]["total_ios"], job[side]["io_bytes"], counted(view, file), view.missed())
        report = subprocess.run([options.fathom, "report", log], capture_output=True, text=True).stdout
        if ("could not be counted" in report) != (view.missed() > 0):
            sentences.append(f"{view.missed()} calls were missed, and the report {'says' if view.missed() == 0 else 'does not say'} so")
        found += [f"{rw}, depth {depth}{', threads' if threads else ''}: {sentence}" for sentence in sentences + view.problems]
    if options.engine == "io_uring" and not found:
        found += lost_by_a_sync(options.fathom, folder, file, log)
    print(*found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
