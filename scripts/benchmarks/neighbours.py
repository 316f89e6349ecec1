#!/usr/bin/env python3
"""How well `fathom neighbours` foretells how long the I/O of two jobs takes side by side.

On a cluster of four namespaces (scripts/cluster) with GlusterFS on one of them, behind a link of limited rate, jobs of 1, 2, 4 and 8
ranks move as many bytes each, alone and in all ten pairs, to files of their own and to one file, with writes and with reads. The
larger job has its ranks on two nodes, the smaller one on a third. Each run is recorded and added to a database; of each pair `fathom neighbours
--what-if` foretells the times from the runs alone, and the programs' own clocks say how long it took. *To expect* is what it says to be right here, by
pairs that are in the database already, from the second one of which both models differ on. The document of the pair,
`fathom neighbours ID`, must name the other job. With --device all of it is on this machine, on a loop device whose bytes a second
are limited for both jobs together (cgroup v1). Needs root; ends with 77 where there can be no cluster, or no such device.
"""

import argparse
import itertools
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
CLUSTER = HERE.parent / "cluster"
SIZES = (1, 2, 4, 8)
LEAD = 3.0  # seconds from the launch to the moment at which ranks begin
CANNOT = 77


class Jobs:
    """Runs jobs, keeps them in a database, and asks it."""

    shared = Path("/shared")

    def __init__(self, work, fathom, rate):
        self.work, self.fathom, self.rate = work, fathom, rate
        self.database = work / "jobs.db"

    def recorded(self, name):
        return [self.fathom, "record", "-q", "-o", f"{self.work}/{name}.fathom", "--"]

    def end(self, job):
        """Seconds from the common start, and of the run itself, by the program's own clock."""
        said = job.communicate(timeout=300)[0]
        if job.returncode != 0:
            sys.exit(f"a job ended with {job.returncode}: {said}")
        late, seconds = map(float, said.split())
        return late, seconds

    def run(self, jobs, recorded=True):
        """(name, ranks, place, words) each, all from one moment on: (seconds late, seconds of I/O) of each."""
        moment = time.time() + LEAD
        return [self.end(job) for job in [self.start(name, ranks, self.places[place], words, moment, recorded)
                                          for name, ranks, place, words in jobs]]

    def add(self, name):
        """The id of a log's job in the database."""
        subprocess.run([self.fathom, "jobs", "add", self.work / f"{name}.fathom", "--db", self.database], check=True, stderr=subprocess.DEVNULL)
        rows = subprocess.run([self.fathom, "jobs", "list", "--db", self.database, "--csv", "--sort", "id", "--columns", "id"], check=True, text=True,
                              stdout=subprocess.PIPE).stdout.split()
        return rows[1]  # the last one comes first

    def ask(self, *words):
        said = subprocess.run([self.fathom, "neighbours", *words, "--db", self.database, "--format", "json"], check=True, text=True,
                              stdout=subprocess.PIPE).stdout
        return {block["id"]: block for section in json.loads(said)["sections"] for block in section["blocks"] if "id" in block}


class Nodes(Jobs):
    """On the cluster, which is gone afterwards."""

    places = (("node1", "node3"), ("node4",))  # of the larger job, of the smaller one; node2 is the server

    def cluster(self, *words, **options):
        return subprocess.run([CLUSTER, *words], text=True, stdout=subprocess.PIPE, **options)

    def __enter__(self):
        os.environ.setdefault("FATHOM_CLUSTER", str(self.work / "cluster"))
        sees = os.environ.get("FATHOM_CLUSTER_SEES", f"{HERE.parent.parent}")
        os.environ["FATHOM_CLUSTER_SEES"] = f"{sees}:{self.work}:{Path(self.fathom).resolve().parent.parent}"
        try:
            for words in (("up", "4"), ("gluster", self.rate)):
                done = self.cluster(*words)
                if done.returncode != 0:
                    print(f"scripts/cluster {words[0]} ended with {done.returncode}: {done.stdout}")
                    sys.exit(CANNOT if done.returncode == CANNOT else 1)
            folder = f"{os.environ['FATHOM_CLUSTER']}/gluster"
            others = [f"node{node}:{folder}/node{node}/brick" for node in (3, 4)]
            self.cluster("run", "2", "gluster", "--mode=script", "volume", "remove-brick", "data", *others, "force", check=True)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.cluster("down")

    def start(self, name, ranks, places, words, moment, recorded=True):
        """Begins a job whose ranks are spread over nodes."""
        hosts = ",".join(f"{node}:{-(-ranks // len(places))}" for node in places)
        record = self.recorded(name) if recorded else []
        return subprocess.Popen([CLUSTER, "run", places[0], "mpirun.openmpi", "--mca", "oob_tcp_if_include", "eth0", "--mca", "btl_tcp_if_include",
                                 "eth0", "--mca", "btl", "self,vader,tcp", "--oversubscribe", "--host", hosts, "-np", str(ranks), *record,
                                 self.work / "side_by_side", *map(str, words), str(moment)], text=True, stdout=subprocess.PIPE, cwd=self.work)


class OneDevice(Jobs):
    """On a loop device of this machine, limited for all jobs together."""

    places = ((), ())

    def __enter__(self):
        self.device = Device(self.work, 2048)
        self.device.__enter__()
        self.device.limit(self.rate)
        self.shared = self.device.mount
        return self

    def __exit__(self, *_):
        self.device.__exit__()

    def start(self, name, ranks, places, words, moment, recorded=True):
        group = self.device.group / "cgroup.procs"
        return subprocess.Popen(["mpirun.openmpi", "--oversubscribe", "-np", str(ranks), *(self.recorded(name) if recorded else []),
                                 self.work / "side_by_side", *map(str, words), str(moment)], text=True, stdout=subprocess.PIPE, cwd=self.work,
                                preexec_fn=lambda: group.write_text(str(os.getpid())))


def trial(nodes, direction, mode, mib, rounds):
    """Rows (ranks of both; seconds of both alone, foretold by processes, by nodes and to expect, observed; whether the document names the other
    job; how far apart they began)."""
    kind = f"{direction}-{mode}"

    def words(place, ranks):
        return direction, mode, mib, f"{nodes.shared}/{kind}-{place}-{ranks}"

    pairs = [(large, small) for small, large in itertools.combinations_with_replacement(SIZES, 2)]
    needed = sorted({(0, large) for large, _ in pairs} | {(1, small) for _, small in pairs})
    if direction == "read" or isinstance(nodes, OneDevice):  # there, so that fsync has no blocks of others to wait for
        for place, ranks in needed:
            nodes.run([(f"{kind}-make", ranks, 1 - place, ("write", *words(place, ranks)[1:]))], recorded=False)
    alone = {}
    for (place, ranks), number in itertools.product(needed, range(rounds)):
        name = f"{kind}-alone-{place}-{ranks}-{number}"
        (_, seconds), = nodes.run([(name, ranks, place, words(place, ranks))])
        alone.setdefault((place, ranks), []).append((seconds, nodes.add(name)))
    rows = []
    for large, small in pairs:
        names = [f"{kind}-{large}-{small}-{which}" for which in ("large", "small")]
        runs = [sorted(alone[place, ranks])[rounds // 2] for place, ranks in enumerate((large, small))]
        foretold = nodes.ask("--what-if", *(identity for _, identity in runs))["what_if"]["rows"]
        seen = nodes.run([(names[place], ranks, place, words(place, ranks)) for place, ranks in enumerate((large, small))])
        ids = [nodes.add(name) for name in names]
        document = nodes.ask(ids[0])
        named = any(row["job"].split()[0] == ids[1] for row in document.get("neighbours", {}).get("rows", ()))
        last = max(late for late, _ in seen)
        rows.append(((large, small), [seconds for seconds, _ in runs], [row["together"] for row in foretold], [row["by_nodes"] for row in foretold],
                     [row["expected"] for row in foretold], [seconds for _, seconds in seen], named, last - min(late for late, _ in seen)))
        print_row(mode, direction, rows[-1])
    return rows


def print_row(mode, direction, row):
    (large, small), alone, predicted, by_nodes, expected, observed, named, apart = row

    def errors(foretold):
        if None in foretold:
            return "-"
        return ", ".join(f"{one / seen - 1:+.0%}" for one, seen in zip(foretold, observed))

    print(f"| {mode} | {direction}s | {large}, {small} | " + " | ".join(f"{one:.1f}, {two:.1f}" for one, two in (alone, predicted, observed)) +
          f" | {errors(predicted)} | {errors(by_nodes)} | {errors(expected)} |" + ("" if named else " the document does not name the other job") +
          (f" began {apart:.1f} s apart" if apart > 0.3 else ""), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default="build/release")
    parser.add_argument("--rate", default="200mbit", help="of the links of nodes with a brick (default: 200mbit)")
    parser.add_argument("--device", type=float, metavar="RATE", help="on a loop device of this machine, of so many MiB a second (try 8)")
    parser.add_argument("--mib", type=int, default=64, help="that each job moves (default: 64)")
    parser.add_argument("--rounds", type=int, default=3, help="runs alone, of which the median counts (default: 3)")
    parser.add_argument("--only", action="append", help="write-private, write-shared, read-private or read-shared (again for several)")
    parser.add_argument("--work", type=Path, help="folder for logs (default: a temporary one)")
    options = parser.parse_args()
    work = Path(tempfile.mkdtemp(dir=options.work))
    try:
        subprocess.run(["mpicc.openmpi", "-O2", "-o", work / "side_by_side", HERE / "side_by_side.c"], check=True)
        kinds = options.only or ["write-private", "write-shared", "read-private", "read-shared"]
        print("| files | what | ranks | s alone | foretold | observed | error | by nodes | to expect |\n|---|---|---|---|---|---|---|---|---|", flush=True)
        named, errors = [], {}
        fathom = str(Path(options.build).resolve() / "bin/fathom")
        with OneDevice(work, fathom, options.device) if options.device else Nodes(work, fathom, options.rate) as nodes:
            for kind in kinds:
                direction, mode = kind.split("-")
                for (large, small), _, predicted, by_nodes, expected, observed, is_named, _ in trial(nodes, direction, mode, options.mib, options.rounds):
                    named.append(is_named)
                    claimed = "where the paper claims 12 % (private files, no job of one rank)" if mode == "private" and small > 1 else "elsewhere"
                    for way, foretold in (("by processes", predicted), ("by nodes", by_nodes), ("to expect", expected)):
                        if None in foretold:
                            continue
                        errors.setdefault((claimed, way), []).append(max(abs(one / two - 1) for one, two in zip(foretold, observed)))
        for (where, way), some in sorted(errors.items()):
            print(f"{where}, {way}: {sum(error <= 0.12 for error in some)} of {len(some)} pairs within 12 %, median of the larger error "
                  f"{statistics.median(some):.0%}, highest {max(some):.0%}")
        print(f"documents that name the other job: {sum(named)} of {len(named)}")
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
