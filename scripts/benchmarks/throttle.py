#!/usr/bin/env python3
"""Whether `fathom states` finds the states of a device whose speed is changed under it.

A file becomes a loop device with an ext4 file system; `fathom probe` writes and reads 1 MiB on it again and again, in a
control group whose bytes per second on that device (cgroup v1, blkio.throttle) are switched between no limit and two limits
by a seeded schedule. Then `fathom states` gets the latencies alone, and what it finds is laid beside what was set when
each operation began. Needs root, loop devices and the blkio controller of cgroup v1; says what is missing and ends with 77.
Device, mount and group are removed in the end, also after Ctrl-C and SIGTERM.

The kernel hands out bytes by slices of 100 ms, so that 1 MiB waits for nothing where the limit is above 10 MiB/s: limits
below are what makes a difference.
"""

import argparse
import csv
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup/blkio")
LIMITS = ("blkio.throttle.write_bps_device", "blkio.throttle.read_bps_device")
CANNOT = 77


def cannot(why):
    print(f"this trial cannot run here: {why}")
    sys.exit(CANNOT)


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


class Device:
    """A mounted loop device and a control group that limits it; all of it is gone afterwards."""

    def __init__(self, folder, mebibytes):
        self.folder, self.loop, self.mounted = folder, None, False
        self.image, self.mount = folder / "device", folder / "mount"
        self.group = GROUPS / f"fathom-throttle-{os.getpid()}"
        self.mebibytes = mebibytes

    def __enter__(self):
        try:
            with open(self.image, "wb") as image:
                image.truncate(self.mebibytes << 20)
            self.loop = run("losetup", "--find", "--show", str(self.image))
            run("mkfs.ext4", "-q", self.loop)
            self.mount.mkdir()
            run("mount", self.loop, str(self.mount))
            self.mounted = True
            self.group.mkdir()
            number = os.stat(self.loop).st_rdev
            self.number = f"{os.major(number)}:{os.minor(number)}"
            self.limit(0)
        except (OSError, subprocess.CalledProcessError) as error:
            self.__exit__()
            cannot(error)
        return self

    def limit(self, mib_per_second):
        """0 lifts the limit."""
        for name in LIMITS:
            (self.group / name).write_text(f"{self.number} {int(mib_per_second * 2**20)}\n", encoding="ascii")

    def __exit__(self, *_):
        for attempt in range(50):
            try:
                if self.mounted:
                    run("umount", str(self.mount))
                    self.mounted = False
                if self.loop:
                    run("losetup", "--detach", self.loop)
                    self.loop = None
                if self.group.is_dir():
                    self.group.rmdir()
                return
            except (OSError, subprocess.CalledProcessError) as error:
                trouble = error
                time.sleep(0.1)
        print(f"left behind: {self.mount}, {self.loop}, {self.group}: {trouble}", file=sys.stderr)


class Schedule(threading.Thread):
    """Switches the limit after times without memory; remembers when."""

    def __init__(self, device, limits, stay, seed):
        super().__init__(daemon=True)
        self.device, self.limits, self.stay = device, limits, stay
        self.chance, self.over = random.Random(seed), threading.Event()
        self.changes = []  # (UNIX time, number of the limit)

    def run(self):
        now = 0
        while not self.over.is_set():
            self.device.limit(self.limits[now])
            self.changes.append((time.time(), now))
            self.over.wait(self.chance.expovariate(1 / self.stay))
            now = self.chance.choice([other for other in range(len(self.limits)) if other != now])

    def at(self, instant):
        return next((number for since, number in reversed(self.changes) if since <= instant), None)

    def changed_between(self, begin, end):
        return any(begin < since <= end for since, _ in self.changes[1:])


def with_truth(source, target, schedule, names):
    """Adds what was set when each operation began; counts operations that a change came upon."""
    rows = struck = 0
    with open(source, encoding="utf-8", newline="") as before, open(target, "w", encoding="utf-8", newline="") as after:
        reader = csv.DictReader(before)
        writer = csv.DictWriter(after, [*reader.fieldnames, "set"])
        writer.writeheader()
        for row in reader:
            begin = float(row["time_s"])
            number = schedule.at(begin)
            if number is None:
                continue
            rows += 1
            if row["latency_s"] and schedule.changed_between(begin, begin + float(row["latency_s"])):
                struck += 1
            writer.writerow({**row, "set": names[number]})
    return rows, struck


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--minutes", type=float, default=8, help="how long to probe (default 8)")
    parser.add_argument("--every", default="0.2s", help="between probes (default 0.2s)")
    parser.add_argument("--limits", default="8,4", metavar="MIB", help="MiB/s beside no limit (default 8,4)")
    parser.add_argument("--stay", type=float, default=10, metavar="SECONDS", help="mean time at a limit (default 10)")
    parser.add_argument("--seed", type=int, default=1, help="of the schedule (default 1)")
    parser.add_argument("--work", type=Path, help="where the device's file goes (default: the usual temporary folder)")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="keep the latencies with what was set")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="also write this report: .html, .pdf, .json")
    options = parser.parse_args()
    limits = [0.0, *map(float, options.limits.split(","))]
    names = ["no limit", *(f"{limit:g} MiB/s" for limit in limits[1:])]
    if os.geteuid() != 0:
        cannot("it needs root, to make a device and limit it")
    if not (GROUPS / LIMITS[0]).exists():
        cannot(f"there is no {GROUPS / LIMITS[0]}: the blkio controller of cgroup v1 is not mounted there")
    for tool in ("losetup", "mkfs.ext4", "mount", "umount"):
        if not shutil.which(tool):
            cannot(f"{tool} is missing")
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))

    fathom = options.build / "bin" / "fathom"
    with tempfile.TemporaryDirectory(prefix="fathom-throttle-", dir=options.work) as name:
        folder = Path(name)
        probed, told = folder / "probe.csv", folder / "told.csv"
        with Device(folder, 64) as device:
            schedule = Schedule(device, limits, options.stay, options.seed)
            schedule.start()
            enter = lambda: (device.group / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")
            probe = subprocess.Popen([fathom, "probe", device.mount, "--every", options.every,
                                      "--for", f"{options.minutes * 60:g}s", "-o", probed], preexec_fn=enter)
            try:
                probe.wait()
            finally:
                schedule.over.set()
                schedule.join()
                device.limit(0)
                if probe.poll() is None:
                    probe.terminate()
                    probe.wait()
        if probe.returncode != 0:
            sys.exit(f"fathom probe: exit status {probe.returncode}")
        rows, struck = with_truth(probed, told, schedule, names)
        print(f"{rows:,} operations, {len(schedule.changes)} settings; the setting changed during {struck} operations")
        command = [fathom, "states", told, "--states", str(len(limits)), "--true-state", "set"]
        subprocess.run([*command, *(["-o", "-", "-o", options.output] if options.output else [])], check=True)
        if options.csv:
            shutil.copyfile(told, options.csv)


if __name__ == "__main__":
    main()
