#!/usr/bin/env python3
"""How often `fathom history JOB` names the right cause of a slow run, and how well its seconds hold.

On a loop device whose bytes and requests a second are limited (cgroup v1), a program that computes and writes runs --runs times: that is a history.
Then it runs once more with a cause planted: more bytes, smaller requests, another job beside it on the device, a device that is slower (an ill one;
`fathom monitor` runs meanwhile), a node busy with other work, another file system, two of these at once, or nothing. Each planted run is added to a
database of its own beside the same earlier runs. Named right is the cause if no other one in the verdict is larger; its seconds are compared with
what the run computed or wrote longer by its own clock: a busy node is planted in the one, all else in the other. What two causes at once take of the
writing is divided by what each takes by itself. Where nothing is planted, --quiet more runs are each the last of a history of the runs before it, as
many as above: an alarm is one that is said to be slow. Needs root; ends with 77 where there is no such device.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from throttle import Device

HERE = Path(__file__).resolve().parent
MIB = 1 << 20
RATE, REQUESTS = 8, 64  # MiB and requests a second
BYTES, REQUEST, UNITS = 16 * MIB, MIB // 4, 100

# What is planted, and which parts of the verdict are right.
CAUSES = {
    "nothing": (),
    "bytes": ("bytes",),
    "requests": ("requests",),
    "neighbour": ("neighbour",),
    "ill device": ("storage",),
    "busy node": ("cores",),
    "file system": ("circumstance",),
    "bytes and neighbour": ("bytes", "neighbour"),
    "bytes and busy node": ("bytes", "cores"),
    "requests and busy node": ("requests", "cores"),
}


class Trial:
    def __init__(self, work, fathom, devices):
        self.work, self.fathom, self.devices = work, fathom, devices
        self.number = 0

    def start(self, bytes=BYTES, request=REQUEST, units=UNITS, device=0, name="mine", program="compute_and_write"):
        self.number += 1
        log = self.work / f"{self.number}.fathom"
        group = self.devices[device].group / "cgroup.procs"
        run = subprocess.Popen([self.fathom, "record", "-q", "-o", log, "--", self.work / program, self.devices[device].mount / name, str(bytes),
                                str(request), str(units)], stdout=subprocess.PIPE, text=True, preexec_fn=lambda: group.write_text(str(os.getpid())))
        return log, run

    def end(self, started):
        said = started[1].communicate(timeout=300)[0]
        if started[1].returncode != 0:
            sys.exit(f"a program ended with {started[1].returncode}")
        return started[0], tuple(map(float, said.split()))

    def run(self, **how):
        return self.end(self.start(**how))

    def add(self, database, *logs):
        subprocess.run([self.fathom, "jobs", "add", "--db", database, *logs], check=True, stderr=subprocess.DEVNULL)

    def limit(self, rate, device=0):
        one = self.devices[device]
        one.limit(rate)
        for direction in ("read", "write"):
            (one.group / f"blkio.throttle.{direction}_iops_device").write_text(f"{one.number} {REQUESTS}\n")

    def planted(self, cause):
        """Its log, its seconds of computing and of writing, and logs of others."""
        how, others = {}, []
        if "bytes" in cause:
            how["bytes"] = BYTES * 3 // 2
        if "requests" in cause:
            how["request"] = REQUEST // 16
        if "file system" in cause:
            how["device"] = 1
        if "ill device" in cause:
            self.limit(RATE / 2)
        if "neighbour" in cause:
            others.append(self.start(bytes=4 * BYTES, units=0, name="other", program="other_program"))
        hogs = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(4)] if "busy node" in cause else []
        try:
            log, seconds = self.run(**how)
        finally:
            for hog in hogs:
                hog.kill()
                hog.wait()
            self.limit(RATE)
        return log, seconds, [self.end(other)[0] for other in others]

    def quiet(self, logs, more, say):
        """Of each of so many more runs, whether it is said to be like those before it."""
        found, length = [], len(logs)
        for _ in range(more):
            log, seconds = self.run()
            database = self.work / "quiet.db"
            database.unlink(missing_ok=True)
            self.add(database, *logs[-length:])
            self.add(database, log)
            parts, sentence = self.verdict(database, log)
            if say and parts:
                print(f"nothing, {sum(seconds):.2f} s: WRONG: {sentence}", flush=True)
            found.append((not parts, []))
            logs.append(log)
        return found

    def verdict(self, database, log):
        """The parts: cause to seconds; and the sentence."""
        said = subprocess.run([self.fathom, "report", log, "--db", database, "--system", self.work / "series", "--format", "json"], check=True, text=True, stdout=subprocess.PIPE).stdout
        document = json.loads(said)
        blocks = [block for section in document["sections"] if section["id"] == "slowdown" for block in section["blocks"]]
        parts = {}
        for block in blocks:
            if block.get("id") == "slowdown_parts":
                for row in block["rows"]:
                    parts[row["cause"]] = parts.get(row["cause"], 0) + row["seconds"]
        return parts, next(note["text"] for note in document["first_page"]["notes"] if note["text"].startswith("Job "))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default="build/release")
    parser.add_argument("--runs", type=int, default=39, help="of a history, before the planted one (default: 39)")
    parser.add_argument("--rounds", type=int, default=3, help="histories (default: 3)")
    parser.add_argument("--quiet", type=int, default=20, help="runs in each round to which nothing happens (default: 20)")
    parser.add_argument("--only", action="append", choices=CAUSES, help="this cause alone (again for several)")
    parser.add_argument("--say", action="store_true", help="print each verdict")
    parser.add_argument("--work", type=Path, help="folder for the device and logs (default: a temporary one)")
    options = parser.parse_args()
    work = Path(tempfile.mkdtemp(dir=options.work))
    fathom = Path(options.build).resolve() / "bin/fathom"
    monitor = None
    results = {cause: [] for cause in options.only or CAUSES}
    try:
        subprocess.run(["cc", "-O1", "-o", work / "compute_and_write", HERE / "compute_and_write.c"], check=True)
        shutil.copy(work / "compute_and_write", work / "other_program")
        folders = [work / "first", work / "second"]
        for folder in folders:
            folder.mkdir()
        with Device(folders[0], 256) as first, SecondDevice(folders[1], 256) as second:
            trial = Trial(work, fathom, (first, second))
            monitor = subprocess.Popen([fathom, "monitor", "-o", work / "series", "--every", "1s"])
            trial.limit(RATE)
            trial.limit(RATE / 2, device=1)
            for _ in range(options.rounds):
                logs, times = zip(*(trial.run() for _ in range(options.runs)))
                usual = tuple(map(statistics.median, zip(*times)))  # of computing, of writing
                database = work / f"{trial.number}.db"
                trial.add(database, *logs)
                alone = {}
                for cause, found in results.items():
                    if cause == "nothing":
                        continue
                    log, seconds, others = trial.planted(cause)
                    copy = work / "copy.db"
                    shutil.copy(database, copy)
                    trial.add(copy, log, *others)
                    parts, sentence = trial.verdict(copy, log)
                    expected = CAUSES[cause]
                    computing, writing = (one - by for one, by in zip(seconds, usual))
                    alone[cause] = computing if expected == ("cores",) else writing
                    named = sorted(parts.keys() - {"usual"}, key=parts.get, reverse=True)[:len(expected)]
                    right = set(named) == set(expected)
                    truth = dict.fromkeys(expected, writing)
                    if "cores" in truth:
                        truth["cores"] = computing
                    elif len(expected) == 2:
                        truth[expected[0]] = alone.get(expected[0])
                        truth[expected[1]] = truth[expected[0]] and writing - truth[expected[0]]
                    errors = [parts.get(one, 0) / true - 1 for one, true in truth.items() if true]
                    found.append((right, errors))
                    if options.say:
                        print(f"{cause}, {computing:+.2f} and {writing:+.2f} s: {'right' if right else 'WRONG'}: {' '.join(f'{one:+.0%}' for one in errors)}: {sentence}", flush=True)
                if "nothing" in results:
                    results["nothing"] += trial.quiet(list(logs), options.quiet, options.say)
        print("| planted | named | seconds: median error | within 25 % |\n|---|---|---|---|")
        for cause, found in results.items():
            errors = [abs(one) for _, some in found for one in some]
            words = f"{statistics.median(errors):.0%} | {sum(one <= 0.25 for one in errors)} of {len(errors)}" if errors else "- | -"
            print(f"| {cause} | {sum(right for right, _ in found)} of {len(found)} | {words} |")
    finally:
        if monitor:
            monitor.terminate()
            monitor.wait()
        shutil.rmtree(work, ignore_errors=True)


class SecondDevice(Device):
    """With a control group of its own."""

    def __init__(self, *words):
        super().__init__(*words)
        self.group = self.group.with_name(self.group.name + "-second")


if __name__ == "__main__":
    main()
