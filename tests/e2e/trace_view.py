"""What a log says was done when: its trace and its time bins, as `fathom dump` prints them, and sums of them."""
import csv
import io
import subprocess
from collections import Counter, defaultdict
from dataclasses import dataclass

from kernel_operations import KIND_OF, Operation

COUNTER_OF = {kind: counter for counter, kind in KIND_OF.items()} | {"dup": "dups", "map": "maps", "directory_read": "directory_reads"}
FAILURES = ("failed_read", "failed_write", "failed")
READS, WRITES = ("read", "failed_read"), ("write", "sync", "failed_write")
WITH_OFFSET = ("read", "write", "seek", "truncate")


def nanoseconds(text):
    """Of seconds with nine decimals, exactly."""
    whole, decimals = text.split(".")
    if len(decimals) != 9:
        raise ValueError(f"{text}: not nine decimals")
    return int(whole + decimals)


@dataclass
class TraceRow:
    process: int
    rank: str
    thread: int
    layer: str
    kind: str
    path: str
    offset: int | None
    size: int
    start: int  # ns since the job's start
    duration: int

    @property
    def end(self):
        return self.start + self.duration

    def operation(self):
        return Operation(self.kind, self.path, self.size, self.offset if self.kind in WITH_OFFSET else None)


@dataclass
class SliceRow:
    process: int
    rank: str
    layer: str
    streams: int
    start: int  # ns of UNIX time
    length: int
    reads: int
    writes: int
    metadata: int
    bytes_read: int
    bytes_written: int
    read_time: int
    write_time: int
    metadata_time: int

    @property
    def end(self):
        return self.start + self.length


def dumped(fathom, log, option, row_type):
    text = subprocess.run([fathom, "dump", option, log], check=True, capture_output=True, text=True).stdout
    rows = csv.reader(io.StringIO(text, newline=""))
    header, fields = next(rows), row_type.__dataclass_fields__
    if header != list(fields):
        raise ValueError(f"{option}: the header is {','.join(header)}")

    def read(name, value):
        if "time" in name or name in ("start", "duration", "length"):
            return nanoseconds(value)
        if fields[name].type is str:
            return value
        return None if value == "" and name == "offset" else int(value)

    return [row_type(*(read(name, value) for name, value in zip(fields, row))) for row in rows]


def trace_of(fathom, log):
    return dumped(fathom, log, "--trace", TraceRow)


def slices_of(fathom, log):
    return dumped(fathom, log, "--time-bins", SliceRow)


def by_thread(rows):
    threads = defaultdict(list)
    for row in rows:
        threads[row.thread].append(row)
    return threads


def time_counter(kind):
    return "read_time" if kind in READS else "write_time" if kind in WRITES else "metadata_time"


def sums_of_trace(rows):
    """{(layer, path): Counter} with the names of the log's counters; times in ns."""
    sums = defaultdict(Counter)
    for row in rows:
        counter = sums[row.layer, row.path]
        counter["failed" if row.kind in FAILURES else COUNTER_OF.get(row.kind, row.kind)] += 1
        counter[time_counter(row.kind)] += row.duration
        if row.kind in ("read", "write"):
            counter["bytes_read" if row.kind == "read" else "bytes_written"] += row.size
    return sums


def sums_of_records(tables):
    """The same of the log's records."""
    wanted = set(COUNTER_OF.values()) | {"failed", "bytes_read", "bytes_written"}
    sums = defaultdict(Counter)
    for layer in ("posix", "stdio", "mpiio"):
        for record in tables[layer]:
            counter = sums[layer, record["path"]]
            counter.update({name: record[name] or 0 for name in wanted if name in record})
            counter.update({name: round((record[name] or 0) * 1e9) for name in ("read_time", "write_time", "metadata_time")})
    return sums


def differences_to_records(rows, tables, time_within=0.05):
    """Sentences, empty where the trace has all that the counters of the same log tell, and no more."""
    found = []
    traced, recorded = sums_of_trace(rows), sums_of_records(tables)
    for at in sorted(set(traced) | set(recorded)):
        for name in sorted(set(traced[at]) | set(recorded[at])):
            got, wanted = traced[at][name], recorded[at][name]
            if name.endswith("_time"):
                agrees = abs(got - wanted) <= max(time_within * wanted, 2000)
            elif name == "maps":  # the end of a mapping is traced as such, and not counted
                agrees = got >= wanted
            else:
                agrees = got == wanted or name == "other"
            if not agrees:
                found.append(f"{at[1]} ({at[0]}): {name}: the trace has {got}, the record {wanted}")
    return found


def disorder(rows):
    """Sentences on threads whose operations are not in the order in which they ended, or begin before others of them end.

    Durations and pauses are kept to 1.6 % and 3.2 %, so neighbours may seem to overlap by so much. What a signal handler writes
    into a pipe lies within the call that it interrupted.
    """
    found = []
    threads = defaultdict(list)  # by process too: one that executes another program has a row in the log for each
    for row in rows:
        if row.layer == "posix" and row.path != "<pipe>":
            threads[row.process, row.thread].append(row)
    for (_, thread), mine in threads.items():
        for before, after in zip(mine, mine[1:]):
            slack = 0.05 * (before.duration + after.duration) + 100
            if after.end < before.end - slack or after.start < before.end - slack:
                found.append(f"thread {thread}: {after.operation()} from {after.start} to {after.end} ns, after {before.operation()} "
                             f"from {before.start} to {before.end} ns")
                break
    return found


def first_difference(got, wanted):
    """A sentence on where two lists of operations part, or nothing."""
    for at, (one, other) in enumerate(zip(got, wanted)):
        if one != other:
            return f"operation {at} is '{one}', not '{other}'"
    if len(got) != len(wanted):
        return f"{len(got)} operations, not {len(wanted)}"
    return None
