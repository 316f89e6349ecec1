"""Whether `fathom report --system` names a server that is ill, and none where all are well.

Brings up four nodes of a test cluster (scripts/cluster): node1 mounts a volume of GlusterFS with a brick on each of the others, whose links carry
--rate. In every other run tc limits the link of one of them, by chance, to one of --ill parts of that. Eight shells on node1 write files and
read them back, under `fathom record`; `fathom monitor` counts on all nodes. Prints for each run whether the report names the right server, and the
cost that it says beside the time that the run took longer than the median of the well ones, and how well
bytes and times of the bricks agree with those of the job. With --disks each brick lies on a loop device, and
iostat says what it saw of these. Needs root; runs of the one kind and the other take turns.
"""

import argparse
import collections
import csv
import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/e2e"))
from loop_device import LoopDevice  # noqa: E402
NODES, BRICKS = 4, (2, 3, 4)
SHELLS, FILES = 8, 6
CANNOT = 77


class Cluster:
    def __init__(self, state, sees, bricks):
        self.environment = {**os.environ, "FATHOM_CLUSTER": str(state), "FATHOM_CLUSTER_SEES": ":".join(map(str, sees)),
                            "FATHOM_CLUSTER_BRICKS": str(bricks)}

    def call(self, *words, check=True, **others):
        return subprocess.run([ROOT / "scripts/cluster", *map(str, words)], env=self.environment, check=check, **others)

    def start(self, node, *words):
        return subprocess.Popen([ROOT / "scripts/cluster", "run", str(node), *map(str, words)], env=self.environment)

    def limit(self, node, rate):
        """Both ends of its link."""
        limit = ("root", "tbf", "rate", f"{rate}mbit", "burst", "256kb", "latency", "50ms")
        self.call("run", node, "tc", "qdisc", "replace", "dev", "eth0", *limit)
        subprocess.run(["tc", "qdisc", "replace", "dev", f"fathom-{node}", *limit], check=True)


class Disks:
    """A loop device a brick, with a file system that writes nothing of its own, and iostat beside them."""

    def __init__(self, folder, bricks, mebibytes):
        self.devices, self.bricks = {}, bricks
        for node in BRICKS:
            self.devices[node] = LoopDevice(SimpleNamespace(path=lambda name, node=node: str(folder / f"disk{node}-{name}")), mebibytes)
            self.devices[node].make_file_system()

    def mount(self, cluster):
        """Where the nodes have their bricks; before the volume is made."""
        for node, device in self.devices.items():
            (self.bricks / f"node{node}").mkdir(parents=True)
            cluster.call("run", node, "mount", device.path, self.bricks / f"node{node}")

    def start(self, out):
        return subprocess.Popen(["iostat", "-x", "-t", "1"], stdout=out, env={**os.environ, "LC_ALL": "C", "S_TIME_FORMAT": "ISO", "TZ": "UTC"})

    def close(self):
        for device in self.devices.values():
            device.__exit__()


def job(folder, mebibytes, reads):
    """A shell script: shells beside one another, each with its files."""
    step = f"dd if=/dev/zero of=/shared/f-$w-$f bs=1M count={mebibytes} conv=fsync status=none"
    back = "for f in $files; do dd if=/shared/f-$w-$f of=/dev/null bs=1M iflag=direct status=none; done" if reads else "true"
    text = (f"files='{' '.join(map(str, range(FILES)))}'\nfor w in {' '.join(map(str, range(SHELLS)))}; do\n"
            f"  ( for f in $files; do {step}; done; {back} ) &\ndone\nwait\n")
    path = folder / "job.sh"
    path.write_text(text, encoding="utf-8")
    return path


def start_of(fathom, log):
    """Of the job, s of UNIX time."""
    said = subprocess.run([fathom, "report", log, "--csv"], check=True, text=True, stdout=subprocess.PIPE).stdout
    return float(next(csv.DictReader(said.splitlines()))["start_unix_seconds"])


def ends(values):
    """The first and the last bin with two hundredths of the highest rate."""
    active = [at for at, value in enumerate(values) if value > 0.02 * max(values)]
    return active[0], active[-1]


def agreement(document, start, iostat):
    """How far the bytes of the bricks, by their monitors, are from those of the job, as a share of these; by how many bins the first and the last
    one differ at most. The same of iostat's seconds, where there are any, for what was written: what is read back comes from the servers' memory."""
    chart = next(block for section in document["sections"] if section["id"] == "system" for block in section["blocks"]
                 if block["type"] == "time_chart" and "brick" in block["title"])
    lines = {line["name"]: [value or 0 for value in line["values"]] for line in chart["series"]}
    apart = bins = disks_apart = disks_bins = 0
    for what in ("read", "written"):
        if ours := lines.get(f"this job, {what}"):
            theirs = lines[f"there, {what}"]
            apart = max(apart, abs(sum(theirs) / sum(ours) - 1))
            bins = max(bins, *(abs(a - b) for a, b in zip(ends(ours), ends(theirs))))
            if what == "written" and iostat:
                length = chart["time"]["length"]
                begin = start + chart["time"]["first"]
                disks = [0] * len(ours)
                for second, value in iostat.items():  # the bin in which that second's middle lies
                    disks[min(max(int((second - 0.5 - begin) / length), 0), len(ours) - 1)] += value
                disks_apart = abs(sum(disks) / (sum(ours) * length * 2**20) - 1)
                disks_bins = max(abs(a - b) for a, b in zip(ends(ours), ends(disks)))
    return apart, bins, disks_apart, disks_bins


def written_by_iostat(fathom, file, devices):
    """Seconds of UNIX time to the bytes that were written to these devices in the second before."""
    seconds = collections.Counter()
    table = file.with_suffix(".csv")
    subprocess.run([fathom, "devices", "--time-zone", "UTC", "--quantity", "bytes_written", file, "-o", table], check=True, stderr=subprocess.DEVNULL)
    with open(table, encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            if row["component"] in devices:
                seconds[round(float(row["end"]))] += float(row["value"])
    return seconds


def one_run(cluster, options, folder, number, ill, rate, disks):
    """How long the job took, how far its bytes are from those of its servers, and its findings."""
    for node in BRICKS:
        cluster.limit(node, rate if node == ill else options.rate)
    series, log, report = (folder / f"{name}{number}{suffix}" for name, suffix in (("series", ""), ("run", ".fathom"), ("report", ".json")))
    monitors = [cluster.start(node, options.fathom, "monitor", "-o", series, "--every", "1s", "--for", "1h") for node in range(1, NODES + 1)]
    with open(folder / f"iostat{number}.txt", "w", encoding="ascii") as out:
        beside = disks.start(out) if disks else None
    time.sleep(2.5)
    script = job(folder, options.size, number % 4 >= 2)
    begin = time.monotonic()
    cluster.call("run", 1, options.fathom, "record", "-q", "-o", log, "--", "sh", script)
    seconds = time.monotonic() - begin
    time.sleep(2)
    subprocess.run(["pkill", "-TERM", "-f", f"fathom-monitor {series} "], check=False)
    for monitor in monitors:
        monitor.wait()
    iostat = {}
    if beside:
        beside.send_signal(signal.SIGINT)
        beside.wait()
        iostat = written_by_iostat(options.fathom, folder / f"iostat{number}.txt", [device.name for device in disks.devices.values()])
    cluster.call("run", 1, "sh", "-c", "rm -f /shared/f-*")
    subprocess.run([options.fathom, "report", log, "--system", series, "-o", report], check=True, stdout=subprocess.DEVNULL)
    document = json.loads(report.read_text(encoding="utf-8"))
    return seconds, agreement(document, start_of(options.fathom, log), iostat), [block for section in document["sections"] for block in section["blocks"] if block["type"] == "finding"]


def beside_well_runs(fathom, folder, runs):
    """Of each run with an ill server, beside all that were well: the server's part of the difference by `fathom report --db`; 0: it has none,
    or another part is larger. `runs`: number to the ill server."""
    well, parts = folder / "well.db", []
    subprocess.run([fathom, "jobs", "add", "--db", well, *(folder / f"run{number}.fathom" for number in range(0, 2 * len(runs), 2))],
                   check=True, stderr=subprocess.DEVNULL)
    for number, server in runs.items():
        copy, log = folder / "copy.db", folder / f"run{number}.fathom"
        shutil.copy(well, copy)
        subprocess.run([fathom, "jobs", "add", "--db", copy, log], check=True, stderr=subprocess.DEVNULL)
        said = subprocess.run([fathom, "report", log, "--db", copy, "--system", folder / f"series{number}", "--format", "json"], check=True, text=True,
                              stdout=subprocess.PIPE).stdout
        rows = [row for section in json.loads(said)["sections"] for block in section["blocks"] if block.get("id") == "slowdown_parts"
                for row in block["rows"]]
        right = rows and rows[0]["cause"] == "server" and f"node{server}" in rows[0]["words"]
        parts.append(rows[0]["seconds"] / sum(row["seconds"] for row in rows) if right else 0)
    return parts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--runs", type=int, default=20, help="of each kind (default: 20)")
    parser.add_argument("--rate", type=int, default=400, help="Mbit/s that a server's link carries (default: 400)")
    parser.add_argument("--ill", type=float, nargs="+", default=[0.05, 0.1, 0.2], help="parts of that which ill ones carry (default: 0.05 0.1 0.2)")
    parser.add_argument("--size", type=int, default=6, help=f"MiB of each of {SHELLS * FILES} files (default: 6)")
    parser.add_argument("--disks", action="store_true", help="bricks on loop devices, with iostat beside them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="keep logs and series in this folder, for another look")
    options = parser.parse_args()
    options.fathom = options.build / "bin/fathom"
    if os.geteuid() != 0:
        print("this needs root, for nodes that are namespaces")
        return CANNOT
    chance = random.Random(options.seed)
    named = false = 0
    well, rows, ill_of, agreed = {False: [], True: []}, [], {}, {False: [], True: []}
    with tempfile.TemporaryDirectory(prefix="fathom-servers-", dir="/tmp") as name:
        folder = Path(name)
        cluster = Cluster(folder / "cluster", (ROOT, options.build, folder), folder / "bricks")
        disks = None
        try:
            disks = Disks(folder, folder / "bricks", 256) if options.disks else None
            cluster.call("up", NODES)
            if disks:
                disks.mount(cluster)
            cluster.call("gluster", f"{options.rate}mbit")
            print("run  ill server  rate of its link  took     named            cost says", flush=True)
            for number in range(2 * options.runs):
                ill = chance.choice(BRICKS) if number % 2 else None
                part = chance.choice(options.ill)
                seconds, apart, findings = one_run(cluster, options, folder, number, ill, max(1, round(options.rate * part)), disks)
                agreed[ill is not None].append(apart)
                found = next((finding for finding in findings if finding["id"] == "ill_server"), None)
                member = found["evidence"][0]["label"] if found else "none"
                right = member == (f"node{ill}" if ill else "none")
                named += right and ill is not None
                false += found is not None and not right
                if ill is not None:
                    ill_of[number] = ill
                if ill is None:
                    well[number % 4 >= 2].append(seconds)
                else:
                    rows.append((number, seconds, found["cost"] if found and right else None))
                print(f"{number:3}  {f'node{ill}' if ill else 'none':10}  {f'{part:.0%}' if ill else '':16}  {seconds:5.1f} s  {member:10}"
                      f" {'' if right else 'WRONG':5} {format(found['cost'], '.1f') + ' s' if found else ''}", flush=True)
            parts = beside_well_runs(options.fathom, folder, ill_of)
        finally:
            cluster.call("down", check=False)
            if disks:
                disks.close()
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                for path in [*folder.glob("run*.fathom"), *folder.glob("series*")]:
                    shutil.move(path, options.keep / path.name)
    print(f"\nthe ill server was named in {named} of {options.runs} runs, a server that was well in {false} of {2 * options.runs}")
    for name, some in (("all are well", agreed[False]), ("one is ill", agreed[True])):
        apart, bins, disks_apart, disks_bins = (max(values) for values in zip(*some))
        print(f"where {name}, bytes of the bricks and of the job are apart by {apart:.1%} at most, when they began and ended by {bins} bins of a second")
        if options.disks:
            print(f"  bytes written to their devices, by iostat, and those of the job by {disks_apart:.1%} at most, when by {disks_bins} bins")
    ratios = sorted(cost / (seconds - statistics.median(well[number % 4 >= 2])) for number, seconds, cost in rows if cost is not None)
    if ratios:
        print(f"cost over what these runs took longer than the median of the well ones: median {statistics.median(ratios):.2f} [{ratios[0]:.2f}..{ratios[-1]:.2f}]")
    print(f"beside well runs of its kind the ill server was the main cause in {sum(part > 0 for part in parts)} of {len(parts)}; it had within 25 % of the "
          f"difference in {sum(0.75 <= part <= 1.25 for part in parts)}")
    return 0 if named == options.runs and false == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
