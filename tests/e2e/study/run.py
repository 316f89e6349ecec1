"""The numbers of one log, as docs/METHODS.md and docs/DATABASE.md define them, by code that shares nothing with the database."""
import json
import os
import subprocess
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor

SIZES = ("0_100", "100_1K", "1K_10K", "10K_100K", "100K_1M", "1M_4M", "4M_10M", "10M_100M", "100M_1G", "1G_plus")
BOUNDS = (100, 1 << 10, 10 << 10, 100 << 10, 1 << 20, 4 << 20, 10 << 20, 100 << 20, 1 << 30)  # included; the last class has none
FILES = (0, 4)  # kinds of names: a regular file; the rest of those below a folder
LAYERS = ("posix", "stdio", "mpiio")
TABLES = ("job", "processes", "totals", "names", "data_files", "datasets", *LAYERS)
MEBIBYTE = 1 << 20
SECOND = 10**9
ALL = -1  # the process of a record of all ranks together
REPLACED = 4  # how a process ends that exec makes another program of, which has a row of its own
SHELLS = ("sh", "dash", "bash")
TIMES = ("read_time", "write_time", "metadata_time")
DIRECT = 0  # of totals: calls that the program made itself, on no standard stream


def nanoseconds(seconds):
    return round((seconds or 0) * SECOND)


def share(part, whole):
    return part / whole if whole else None


def of(records, *counters):
    """Their sum over the records; what is not recorded is none."""
    return sum(record.get(counter) or 0 for record in records for counter in counters)


class File:
    """A regular file: its records by layer."""

    def __init__(self, layers):
        self.layers = layers
        # As the program used it, and as the system had it.
        self.asked = layers["mpiio"] or layers["posix"] + layers["stdio"]
        self.beneath = layers["posix"] + layers["stdio"] or layers["mpiio"]

    def movers(self, counter, ranks):
        """Numbers of the processes that moved its data in a direction. Of what all ranks did together it is all of them, unless the
        slowest or the fastest moved all of it."""
        some = [record for record in self.asked if record[counter]]
        shared = [record for record in some if record["process"] == ALL]
        if not shared:
            return {record["process"] for record in some}
        for rank in ("slowest_process", "fastest_process"):
            if len(some) == 1 and shared[0][rank] is not None and shared[0][rank + "_bytes"] == of(shared, "bytes_read", "bytes_written"):
                return {shared[0][rank]}
        return set(ranks)


class Run:
    """One log: who, how long, on what, and what it did."""

    def __init__(self, fathom, log):
        def said(*words):
            return json.loads(subprocess.run([fathom, *words, log], check=True, capture_output=True, text=True).stdout)

        dump = said("dump", "--json", *(word for table in TABLES for word in ("--table", table)))
        tables = dump["tables"]
        self.log, self.known = log, bool(tables["processes"])
        if not self.known:
            return
        self.facts = {row["name"]: row["value"] for row in tables["job"]}
        self.user = self.facts.get("user_name") or self.facts.get("user") or ""
        self.project, self.allocation = "", None  # accounting gives them
        self.job, self.step = self.facts.get("job_id", ""), self.facts.get("job_step", "")
        self.start = round(dump["job_start_unix_seconds"] * SECOND)
        self._add_processes(tables["processes"], tables["totals"])
        files = self._files(tables)
        self._add_bytes(files)
        self._add_rate(files)
        self._add_accesses(files)
        self._add_modes(files)
        self._add_interfaces(files, tables["data_files"] + tables["datasets"])
        self._add_findings(said("report", "--format", "json"))

    def _add_processes(self, rows, totals):
        """MPI ranks, or all processes; the program is that of rank 0, or of the one longest in I/O that starts no others."""
        direct = [row for row in totals if row["scope"] == DIRECT]
        self.read_time, self.write_time, self.metadata_time = (sum(nanoseconds(row[kind]) for row in direct) for kind in TIMES)
        self.own = Counter()  # time in I/O of each process, on files that are not shared
        for row in direct:
            if row["process"] != ALL:
                self.own[row["process"]] += sum(nanoseconds(row[kind]) for kind in TIMES)
        ranks = [row for row in rows if (row["rank"] if row["rank"] is not None else -1) >= 0]
        rows = ranks or rows
        self.processes = len(ranks) or sum(row["ending"] != REPLACED for row in rows)
        self.ranks = [row["process"] for row in rows]
        self.time = nanoseconds(max(row["end"] for row in rows)) - nanoseconds(min(row["start"] for row in rows))
        self.lives = sum(nanoseconds(row["end"]) - nanoseconds(row["start"]) for row in rows)
        hosts = {row["host"] for row in rows}
        self.nodes = None if None in hosts or "" in hosts else len(hosts)
        main = max(rows, key=lambda row: (row["rank"] == 0, os.path.basename(row["program"] or "") not in SHELLS, self.own[row["process"]]))
        self.program = os.path.basename(main["program"] or self.facts.get("command", "").split(" ")[0])

    @staticmethod
    def _files(tables):
        kinds = {row["path"]: row["kind"] for row in tables["names"]}
        files = defaultdict(lambda: defaultdict(list))
        for layer in LAYERS:
            for record in tables[layer]:
                if kinds.get(record["path"], 0) in FILES:
                    files[record["path"]][layer].append(record)
        return [File(layers) for layers in files.values()]

    def _add_bytes(self, files):
        asked = [record for file in files for record in file.asked]
        self.read, self.written = of(asked, "bytes_read"), of(asked, "bytes_written")
        self.moved = of([record for file in files for record in file.beneath], "bytes_read", "bytes_written")
        self.files = len(files)
        written = [file for file in files if of(file.asked, "bytes_written")]
        creates = [record["creates"] for file in files for record in file.layers["posix"] + file.layers["stdio"]]
        self.files_written = len(written)
        self.files_created = None if all(one is None for one in creates) else sum(
            of(file.layers["posix"] + file.layers["stdio"], "creates") > 0 for file in written)

    def _add_rate(self, files):
        """What all ranks did together took the slowest of them longest."""
        shared = sum(nanoseconds(record["slowest_process_time"]) for file in files for record in file.asked if record["process"] == ALL)
        self.slowest = max(self.own.values(), default=0) + shared
        self.rate = None
        if self.moved and self.slowest and self.nodes:
            self.rate = self.moved / MEBIBYTE / (self.slowest / SECOND) / self.nodes

    def _add_accesses(self, files):
        layers = {layer: [record for file in files for record in file.layers[layer]] for layer in LAYERS}
        posix, both = layers["posix"], layers["posix"] + layers["stdio"]
        self.accesses = of(posix, "reads", "writes")
        self.sequential = of(posix, *(f"{kind}_{way}" for kind in ("sequential", "consecutive") for way in ("reads", "writes")))
        told = any(record["file_unaligned"] is not None for record in posix)
        self.aligned = self.accesses - of(posix, "file_unaligned") if told else None
        self.read_sizes, self.write_sizes = ([of(both, f"{way}_size_{size}") for size in SIZES] for way in ("read", "write"))
        commonest = Counter()
        for record in both:
            for place in range(1, 9):
                sure = (record[f"common_size_{place}_count"] or 0) - (record[f"common_size_{place}_error"] or 0)
                if sure:
                    commonest[record[f"common_size_{place}"]] += sure
        self.key_size = self.key_direction = None
        if commonest:
            self.key_size = max(commonest, key=lambda size: (commonest[size], size))
            at = sum(bound < self.key_size for bound in BOUNDS)
            self.key_direction = "+".join(word for word, sizes in (("r", self.read_sizes), ("w", self.write_sizes)) if sizes[at])
        self.layers = {layer: {"files": sum(bool(file.layers[layer]) for file in files), "read": of(records, "bytes_read"),
                               "written": of(records, "bytes_written")} for layer, records in layers.items()}

    def _add_modes(self, files):
        """How many processes share files, and the modes made of that: {kind: [files read, bytes read, files written, bytes written]}"""
        self.sharing, self.modes = {}, {}
        for side, counter in enumerate(("bytes_read", "bytes_written")):
            moved = [(who, of(file.asked, counter)) for file in files if (who := file.movers(counter, self.ranks))]
            active = set().union(*(who for who, _ in moved))
            owners = set().union(*(who for who, _ in moved if len(who) == 1))
            for who, data in moved:
                kind = "unique" if len(who) == 1 else "shared" if len(who) == self.processes else "partly shared"
                of_unique = "1-1" if len(owners) == 1 else "N-N" if len(owners) == self.processes else "N-M"
                mode = "1-1" if len(active) == 1 else {"unique": of_unique, "shared": "N-1", "partly shared": "N-M"}[kind]
                for sums in (self.sharing.setdefault(kind, [0] * 4), self.modes.setdefault(mode, [0] * 4)):
                    sums[2 * side] += 1
                    sums[2 * side + 1] += data

    def _add_interfaces(self, files, objects):
        """Which APIs the program called itself, on regular files; of HDF5 and PnetCDF anything."""
        called = {layer: any(of(file.layers[layer], "opens", "reads", "writes") for file in files if layer == "mpiio" or not file.layers["mpiio"])
                  for layer in LAYERS}
        libraries = self.facts.get("modules", "") + "".join({1: " hdf5", 2: " pnetcdf"}.get(row["library"], "") for row in objects)
        self.apis = "".join(letter for letter, used in (
            ("H", "H5" in libraries or "hdf5" in libraries), ("N", "PNETCDF" in libraries or "pnetcdf" in libraries),
            ("M", called["mpiio"]), ("S", called["stdio"]), ("P", called["posix"])) if used)

    def _add_findings(self, report):
        """[(rule, cost or None)], the costliest first."""
        self.findings = [(block["id"], None if block["cost"] is None else nanoseconds(block["cost"]))
                         for section in report["sections"] for block in section["blocks"] if block["type"] == "finding"]

    # ---- what sections ask for ----

    @property
    def bytes(self):
        return self.read + self.written

    @property
    def core_milliseconds(self):
        return self.processes * (self.time // 10**6)

    @property
    def io_time(self):
        return self.read_time + self.write_time + self.metadata_time

    @property
    def share(self):
        """Of the run times of all processes, in I/O."""
        return share(self.io_time, self.lives)

    @property
    def metadata_share(self):
        return share(self.metadata_time, self.io_time)

    @property
    def lost(self):
        """(rule, cost) of the costliest finding whose cost is known and above 0"""
        return self.findings[0] if self.findings and self.findings[0][1] else None


def runs_of(fathom, logs):
    """Two logs at a time."""
    with ProcessPoolExecutor(2) as two:
        return [run for run in two.map(Run, [fathom] * len(logs), logs) if run.known]
