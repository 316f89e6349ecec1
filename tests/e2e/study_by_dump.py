"""A site's study once more, from what `fathom dump` prints of each log, by code that shares nothing with the database."""
import json
import subprocess
from collections import Counter, defaultdict

SIZES = ("0_100", "100_1K", "1K_10K", "10K_100K", "100K_1M", "1M_4M", "4M_10M", "10M_100M", "100M_1G", "1G_plus")
FILES = (0, 4)  # kinds of names: a regular file; the rest of those below a folder


class Run:
    """One log: who, how many ranks, and records by file."""

    def __init__(self, fathom, log):
        dump = json.loads(subprocess.run([fathom, "dump", "--json", log], check=True, capture_output=True, text=True).stdout)
        self.tables = tables = dump["tables"]
        facts = {row["name"]: row["value"] for row in tables["job"]}
        self.user = facts.get("user_name") or facts.get("user") or ""
        ranks = [row for row in tables["processes"] if (row["rank"] if row["rank"] is not None else -1) >= 0]
        self.ranks = len(ranks) or len(tables["processes"])
        kinds = {row["path"]: row["kind"] for row in tables["names"]}
        self.files = defaultdict(lambda: defaultdict(list))  # path: layer: records
        for layer in ("posix", "stdio", "mpiio"):
            for record in tables[layer]:
                if kinds.get(record["path"], 0) in FILES:
                    self.files[record["path"]][layer].append(record)

    def of(self, counter, layers=("posix", "stdio")):
        return sum(record.get(counter) or 0 for file in self.files.values() for layer in layers for record in file[layer])

    def application(self):
        """The records of each file at the level where the program used it."""
        for path, layers in self.files.items():
            yield path, layers["mpiio"] or layers["posix"] + layers["stdio"]

    def moved(self, counter):
        return sum(record[counter] or 0 for _, records in self.application() for record in records)

    def movers(self, records, counter):
        """Ranks that moved data of a file. Of what all ranks did together it is all of them, unless the slowest moved all of it."""
        some = [record for record in records if record[counter]]
        shared = [record for record in some if record["process"] == -1]
        if shared:
            one = len(some) == 1 and some[0]["slowest_process_bytes"] == some[0]["bytes_read"] + some[0]["bytes_written"]
            return 1 if one else self.ranks
        return len({record["process"] for record in some})

    def shared(self, counter):
        """{class: [files, bytes]} of the files with data in that direction."""
        sums = defaultdict(lambda: [0, 0])
        for _, records in self.application():
            movers = self.movers(records, counter)
            if movers:
                kind = "unique" if movers == 1 or self.ranks == 1 else "shared" if movers == self.ranks else "partly shared"
                sums[kind][0] += 1
                sums[kind][1] += sum(record[counter] or 0 for record in records)
        return sums


def volumes(runs):
    """{user: (runs, bytes read, bytes written)}"""
    sums = defaultdict(Counter)
    for run in runs:
        sums[run.user].update(runs=1, read=run.moved("bytes_read"), written=run.moved("bytes_written"))
    return {user: (one["runs"], one["read"], one["written"]) for user, one in sums.items()}


def access_sizes(runs):
    """[(share of reads up to that size, of writes)]"""
    counts = [(sum(run.of("read_size_" + size) for run in runs), sum(run.of("write_size_" + size) for run in runs)) for size in SIZES]
    sums = [sum(column) or 1 for column in zip(*counts)]
    return [tuple(sum(row[side] for row in counts[:at + 1]) / sums[side] for side in (0, 1)) for at in range(len(SIZES))]


def bytes_by_sharing(runs):
    """{class: (bytes read, bytes written)} over all runs."""
    sums = defaultdict(lambda: [0, 0])
    for run in runs:
        for side, counter in enumerate(("bytes_read", "bytes_written")):
            for kind, (_, moved) in run.shared(counter).items():
                sums[kind][side] += moved
    return sums


def sequential(run):
    accesses = run.of("reads", ["posix"]) + run.of("writes", ["posix"])
    kinds = ("sequential_reads", "consecutive_reads", "sequential_writes", "consecutive_writes")
    return sum(run.of(kind, ["posix"]) for kind in kinds) / accesses if accesses else None


def mib_per_process(run):
    return (run.moved("bytes_read") + run.moved("bytes_written")) / 2**20 / run.ranks


def mean(values):
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
