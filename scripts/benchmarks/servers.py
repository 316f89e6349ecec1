"""Whether `fathom report --system` names a server that is ill, and none where all are well.

Brings up four nodes of a test cluster (scripts/cluster): node1 mounts a volume of GlusterFS with a brick on each of the others, whose links carry
--rate. In every other run tc limits the link of one of them, by chance, to one of --ill parts of that. Eight shells on node1 write files and
read them back, under `fathom record`; `fathom monitor` counts on all nodes. Prints for each run whether the report names the right server, and the
cost that it says beside the time that the run took longer than the median of the well ones, and how well
bytes and times of the bricks agree with those of the job. Needs root; runs of the one kind and the other take
turns.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NODES, BRICKS = 4, (2, 3, 4)
SHELLS, FILES = 8, 6
CANNOT = 77


class Cluster:
    def __init__(self, state, sees):
        self.environment = {**os.environ, "FATHOM_CLUSTER": str(state), "FATHOM_CLUSTER_SEES": ":".join(map(str, sees))}

    def call(self, *words, check=True, **others):
        return subprocess.run([ROOT / "scripts/cluster", *map(str, words)], env=self.environment, check=check, **others)

    def start(self, node, *words):
        return subprocess.Popen([ROOT / "scripts/cluster", "run", str(node), *map(str, words)], env=self.environment)

    def limit(self, node, rate):
        """Both ends of its link."""
        limit = ("root", "tbf", "rate", f"{rate}mbit", "burst", "256kb", "latency", "50ms")
        self.call("run", node, "tc", "qdisc", "replace", "dev", "eth0", *limit)
        subprocess.run(["tc", "qdisc", "replace", "dev", f"fathom-{node}", *limit], check=True)


def job(folder, mebibytes, reads):
    """A shell script: shells beside one another, each with its files."""
    step = f"dd if=/dev/zero of=/shared/f-$w-$f bs=1M count={mebibytes} conv=fsync status=none"
    back = "for f in $files; do dd if=/shared/f-$w-$f of=/dev/null bs=1M iflag=direct status=none; done" if reads else "true"
    text = (f"files='{' '.join(map(str, range(FILES)))}'\nfor w in {' '.join(map(str, range(SHELLS)))}; do\n"
            f"  ( for f in $files; do {step}; done; {back} ) &\ndone\nwait\n")
    path = folder / "job.sh"
    path.write_text(text, encoding="utf-8")
    return path


def agreement(document):
    """How far the bytes of the bricks, by their monitors, are from those of the job, as a share of these; by how many bins the first and the last
    one with two hundredths of the highest rate differ at most."""
    chart = next(block for section in document["sections"] if section["id"] == "system" for block in section["blocks"]
                 if block["type"] == "time_chart" and "brick" in block["title"])
    lines = {line["name"]: [value or 0 for value in line["values"]] for line in chart["series"]}
    apart = bins = 0
    for what in ("read", "written"):
        if ours := lines.get(f"this job, {what}"):
            theirs = lines[f"there, {what}"]
            apart = max(apart, abs(sum(theirs) / sum(ours) - 1))
            active = [[at for at, value in enumerate(one) if value > 0.02 * max(one)] for one in (ours, theirs)]
            bins = max([bins, *(abs(active[0][end] - active[1][end]) for end in (0, -1))])
    return apart, bins


def one_run(cluster, options, folder, number, ill, rate):
    """How long the job took, how far its bytes are from those of its servers, and its findings."""
    for node in BRICKS:
        cluster.limit(node, rate if node == ill else options.rate)
    series, log, report = (folder / f"{name}{number}{suffix}" for name, suffix in (("series", ""), ("run", ".fathom"), ("report", ".json")))
    monitors = [cluster.start(node, options.fathom, "monitor", "-o", series, "--every", "1s", "--for", "1h") for node in range(1, NODES + 1)]
    time.sleep(2.5)
    script = job(folder, options.size, number % 4 >= 2)
    begin = time.monotonic()
    cluster.call("run", 1, options.fathom, "record", "-q", "-o", log, "--", "sh", script)
    seconds = time.monotonic() - begin
    time.sleep(2)
    subprocess.run(["pkill", "-TERM", "-f", f"fathom-monitor {series} "], check=False)
    for monitor in monitors:
        monitor.wait()
    cluster.call("run", 1, "sh", "-c", "rm -f /shared/f-*")
    subprocess.run([options.fathom, "report", log, "--system", series, "-o", report], check=True, stdout=subprocess.DEVNULL)
    document = json.loads(report.read_text(encoding="utf-8"))
    return seconds, agreement(document), [block for section in document["sections"] for block in section["blocks"] if block["type"] == "finding"]


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
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="keep logs and series in this folder, for another look")
    options = parser.parse_args()
    options.fathom = options.build / "bin/fathom"
    if os.geteuid() != 0:
        print("this needs root, for nodes that are namespaces")
        return CANNOT
    chance = random.Random(options.seed)
    named = false = 0
    well, rows, ill_of, agreed = {False: [], True: []}, [], {}, []
    with tempfile.TemporaryDirectory(prefix="fathom-servers-", dir="/tmp") as name:
        folder = Path(name)
        cluster = Cluster(folder / "cluster", (ROOT, options.build, folder))
        try:
            cluster.call("up", NODES)
            cluster.call("gluster", f"{options.rate}mbit")
            print("run  ill server  rate of its link  took     named            cost says", flush=True)
            for number in range(2 * options.runs):
                ill = chance.choice(BRICKS) if number % 2 else None
                part = chance.choice(options.ill)
                seconds, apart, findings = one_run(cluster, options, folder, number, ill, max(1, round(options.rate * part)))
                agreed.append(apart)
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
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                for path in [*folder.glob("run*.fathom"), *folder.glob("series*")]:
                    shutil.move(path, options.keep / path.name)
    print(f"\nthe ill server was named in {named} of {options.runs} runs, a server that was well in {false} of {2 * options.runs}")
    print(f"bytes of the bricks and of the job are apart by {max(apart for apart, _ in agreed):.1%} at most, when both began and ended by "
          f"{max(bins for _, bins in agreed)} bins of a second")
    ratios = sorted(cost / (seconds - statistics.median(well[number % 4 >= 2])) for number, seconds, cost in rows if cost is not None)
    if ratios:
        print(f"cost over what these runs took longer than the median of the well ones: median {statistics.median(ratios):.2f} [{ratios[0]:.2f}..{ratios[-1]:.2f}]")
    print(f"beside well runs of its kind the ill server was the main cause in {sum(part > 0 for part in parts)} of {len(parts)}; it had within 25 % of the "
          f"difference in {sum(0.75 <= part <= 1.25 for part in parts)}")
    return 0 if named == options.runs and false == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
