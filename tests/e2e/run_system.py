#!/usr/bin/env python3
"""`fathom monitor`, and a job beside the device that it used: what the job says, what the monitor says and what iostat says.

usage: run_system.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_system.py --list
Exit status 77: the case cannot be set up here.
"""
import collections
import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import cases
from cases import Skip, case, timed
from lmt_of_ior import ILL_SECONDS, WELL_SECONDS, lmt_of_ior
from loop_device import LoopDevice

MIB = 1 << 20
SAVED = 48  # MiB written, and read back
# Direct, so that the device has it when the program does.
JOB = """
import mmap, os, sys, time
piece = mmap.mmap(-1, 1 << 20)
fd = os.open(sys.argv[1], os.O_CREAT | os.O_RDWR | os.O_DIRECT)
count = int(sys.argv[2])
time.sleep(1.2)
for at in range(count): os.pwrite(fd, piece, at << 20)
time.sleep(3)
for at in range(count): os.preadv(fd, [piece], at << 20)
os.close(fd)
time.sleep(1.2)
"""


class Place(cases.Place):
    def start_monitor(self, folder, *words):
        os.makedirs(self.path(folder), exist_ok=True)
        monitor = subprocess.Popen([self.fathom, "monitor", "-o", self.path(folder), *words], stderr=subprocess.PIPE, text=True)
        until = time.monotonic() + 10
        while time.monotonic() < until and not any(name.endswith(".monitor") for name in os.listdir(self.path(folder))):
            time.sleep(0.05)
        return monitor

    def samples(self, source, *words):
        self.expect_status(self.run(self.fathom, "devices", "--time-zone", "UTC", self.path(source), *words, "-o", "x.csv"), 0)
        with open(self.path("x.csv"), encoding="utf-8", newline="") as file:
            return [{**row, **{name: float(row[name]) for name in ("begin", "end", "value")}} for row in csv.DictReader(file)]

    def expect_close(self, name, got, wanted, part):
        self.expect(abs(got - wanted) <= part * wanted, f"{name}: {got} instead of {wanted}")


def end_of(process, number=signal.SIGTERM):
    process.send_signal(number)
    return process.communicate(timeout=20)[1]


def active(samples, quantity):
    """From when to when something was moved, s of UNIX time."""
    some = [row for row in samples if row["quantity"] == quantity and row["value"] > 0.05 * MIB]
    return min(row["begin"] for row in some), max(row["end"] for row in some)


@timed("a throttled device: the monitor, iostat and the job agree on bytes within 1 %, on when within a bin")
def _(place):
    iostat = shutil.which("iostat")
    if not iostat:
        raise Skip("no iostat")
    with LoopDevice(place, 128) as device:
        folder, group = device.mount(), device.limit(read=12 * MIB, written=8 * MIB)
        os.sync()
        time.sleep(0.5)
        monitor = place.start_monitor("series", "--every", "1s")
        with open(place.path("iostat.txt"), "w", encoding="utf-8") as out:
            beside = subprocess.Popen([iostat, "-x", "-t", "1"], stdout=out, env={**os.environ, "LC_ALL": "C", "S_TIME_FORMAT": "ISO", "TZ": "UTC"})
        time.sleep(2)

        def enter():
            with open(os.path.join(group, "cgroup.procs"), "w", encoding="ascii") as file:
                file.write(str(os.getpid()))

        result = place.run(place.fathom, "record", "-o", "x.fathom", "--", sys.executable, "-c", JOB, os.path.join(folder, "file"), str(SAVED),
                           preexec_fn=enter)
        place.expect_status(result, 0)
        time.sleep(2.5)
        end_of(beside, signal.SIGINT)
        said = end_of(monitor)
        place.expect(said == "", f"the monitor says {said!r}")
        name = device.name
    place.expect_status(place.run(place.fathom, "report", "x.fathom", "--system", "series", "-o", "x.json"), 0)
    with open(place.path("x.json"), encoding="utf-8") as file:
        document = json.load(file)
    section = next(section for section in document["sections"] if section["id"] == "system")
    chart = next(block for block in section["blocks"] if block["type"] == "time_chart" and f"device {name}" in block["title"])
    lines = {line["name"]: line["values"] for line in chart["series"]}
    length = chart["time"]["length"]
    place.expect(length == 1, f"bins are {length} s long")
    shares = [entry["value"] for block in section["blocks"] if block["type"] == "entries" for entry in block["entries"]
              if entry["id"] in ("job_share_read", "job_share_written")][:2]
    place.expect(len(shares) == 2 and min(shares) > 0.99, f"the job's part is {shares}")
    for source in ("series", "iostat.txt"):
        rows = [row for row in place.samples(source) if row["component"] == name]
        # iostat says when it looked in whole seconds: where it was late, a second of the device's rate more or less is not known.
        late = sum(round(row["end"] - row["begin"]) != 1 for row in rows if row["quantity"] == "bytes_written") if source == "iostat.txt" else 0
        sums = collections.Counter()
        for row in rows:
            sums[row["quantity"]] += row["value"]
        for quantity, ours, there in (("bytes_written", "this job, written", "there, written"), ("bytes_read", "this job, read", "there, read")):
            duration = SAVED / (8 if quantity == "bytes_written" else 12)
            place.expect_close(f"{source}: {quantity}", sums[quantity], SAVED * MIB, 0.01 + late / duration)
            place.expect_close(f"the job: {quantity}", sum(lines[ours]) * MIB * length, SAVED * MIB, 0.01)
            place.expect_close(f"there: {quantity}", sum(lines[there]) * MIB * length, SAVED * MIB, 0.01)
            bins = {line: [at for at, value in enumerate(lines[line]) if value > 0.15 * max(lines[line])] for line in (ours, there)}
            for edge in (0, -1):
                place.expect(abs(bins[ours][edge] - bins[there][edge]) <= 1, f"{quantity}: {bins}")
            begin, end = active(rows, quantity)
            place.expect(duration - 1 <= end - begin <= duration + 2 + late, f"{source}: {quantity} took {end - begin} s instead of {duration}")


@case("a log of IOR on Lustre beside LMT: the server that was ill is named, and none where all were well")
def _(place):
    log = os.path.join(os.environ.get("FATHOM_DARSHAN_LOGS", ""), "sample-badost.darshan")
    if not os.path.exists(log):
        raise Skip("no logs of Darshan (FATHOM_DARSHAN_LOGS names the folder)")
    for ill in (True, False):
        lmt_of_ior(place.path(f"{ill}.sqlite3"), ill)
        place.expect_status(place.run(place.fathom, "report", log, "--system", f"{ill}.sqlite3", "--time-zone", "UTC", "-o", "x.json"), 0)
        with open(place.path("x.json"), encoding="utf-8") as file:
            sections = {section["id"]: section["blocks"] for section in json.load(file)["sections"]}
        found = [block for block in sections["findings"] if block["type"] == "finding" and block["id"] == "ill_server"]
        place.expect(len(found) == ill, f"{len(found)} findings of an ill server where {int(ill)} is")
        if found:
            place.expect("OST000e" in found[0]["title"], found[0]["title"])
            place.expect_close("cost", found[0]["cost"], ILL_SECONDS - WELL_SECONDS, 0.1)
        texts = " ".join(block.get("text", "") for block in sections["system"])
        place.expect("24 OSTs" in texts, f"{texts!r}")


@case("series of several files are named behind --system, as a shell's * gives them")
def _(place):
    place.expect_status(place.run(place.fathom, "record", "-q", "-o", "x.fathom", "--", "true"), 0)
    for number in (1, 2, 3):
        with open(place.path(f"{number}.txt"), "w", encoding="utf-8") as file:
            file.write(f'1500000000\nnode_disk_read_bytes_total{{device="sd{number}"}} 1\n')
    texts = []
    for words in (("x.fathom", "--system", "1.txt", "2.txt", "3.txt"), ("--system", "1.txt", "2.txt", "3.txt", "x.fathom"),
                  ("x.fathom", "--system", "1.txt", "--system", "2.txt", "--system", "3.txt")):
        result = place.run(place.fathom, "report", *words, "--format", "json")
        place.expect_status(result, 0)
        texts.append(next(section for section in json.loads(result.stdout)["sections"] if section["id"] == "system"))
    place.expect(texts[0] == texts[1] == texts[2], "the order of the words matters")
    for words, message in ((("x.fathom", "x.fathom", "--system", "1.txt"), "these are several: x.fathom, x.fathom"),
                           (("--system", "1.txt", "2.txt", "3.txt"), "none of these is one: 2.txt, 3.txt")):
        result = place.run(place.fathom, "report", *words)
        place.expect_status(result, 2)
        place.expect_message(result, message)


@case("a monitor that is killed goes on in the same file, and loses the interval that was under way alone")
def _(place):
    for number in (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM):
        monitor = place.start_monitor("series", "--every", "0.2s")
        time.sleep(1.3)
        said = end_of(monitor, number)
        place.expect(said == "", f"it says {said!r}")
    files = [name for name in os.listdir(place.path("series")) if name.endswith(".monitor")]
    place.expect(len(files) <= 2, f"files are {files}")  # two where the day ended meanwhile
    rows = [row for row in place.samples("series") if row["quantity"] == "cpu_idle"]
    place.expect(len(rows) >= 15, f"{len(rows)} intervals of three times 1.3 s")
    place.expect(all(row["begin"] < row["end"] for row in rows) and all(a["end"] <= b["begin"] + 1e-9 for a, b in zip(rows, rows[1:])),
                 "intervals overlap")
    processors = os.cpu_count()
    total = sum(row["value"] for row in place.samples("series") if row["quantity"].startswith("cpu_") and row["quantity"] != "cpu_pressure" and row["type"] == "host")
    known = rows[-1]["end"] - rows[0]["begin"]
    place.expect(0.5 * known * processors < total < 1.2 * known * processors, f"processors were {total} s in {known} s")


@case("one monitor a host and folder")
def _(place):
    first = place.start_monitor("series", "--every", "0.2s")
    second = place.run(place.fathom, "monitor", "-o", "series", "--every", "1s", "--for", "2s")
    place.expect_status(second, 1)
    place.expect_message(second, "series", "another")
    end_of(first)


@case("a full disk costs intervals, and nothing that was written before")
def _(place):
    with LoopDevice(place, 16) as device:
        folder = device.mount()
        monitor = subprocess.Popen([place.fathom, "monitor", "-o", os.path.join(folder, "series"), "--every", "0.1s"], stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        filler = os.path.join(folder, "filler")
        with open(filler, "wb", buffering=0) as file:
            for size in (MIB, 4096, 1):
                try:
                    while True:
                        file.write(b"x" * size)
                except OSError:
                    continue
        time.sleep(3)
        os.unlink(filler)
        time.sleep(1)
        said = end_of(monitor)
        place.expect("No space left" in said and "writes again" in said and said.count("No space") == 1, f"it says {said!r}")
        rows = [row for row in place.samples(os.path.join(folder, "series")) if row["quantity"] == "cpu_idle"]
        lengths = sorted(row["end"] - row["begin"] for row in rows)
        place.expect(len(rows) > 10 and lengths[-1] > 0.3 and lengths[len(lengths) // 2] < 0.15, f"{len(rows)} intervals, {lengths[-3:]}")


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
