"""Slices and histograms of a log: whether they are whole, and what can be told from them."""
import math
from collections import Counter, defaultdict

from trace_view import COUNTER_OF, FAILURES, READS, WRITES

LAYERS = ("posix", "stdio", "mpiio")
KINDS = ("read", "write", "open", "close", "seek", "stat", "sync", "failed_read", "failed_write", "failed", "other")
SIZES = ("0_100", "100_1K", "1K_10K", "10K_100K", "100K_1M", "1M_4M", "4M_10M", "10M_100M", "100M_1G", "1G_plus")
SHORTEST_SLICE = 62_500_000
SUMS = ("reads", "writes", "metadata", "bytes_read", "bytes_written", "read_time", "write_time", "metadata_time")
OF_STREAMS = 2  # the scope of totals
STREAM_KINDS = (2, 3)  # of names


def ns(seconds):
    return round(seconds * 1e9)


# Durations fall into a bin of ticks, and those of one bin are spread over the bins of nanoseconds that it covers: a bin is at
# most 1/32 of a duration wide.
def lowest(bin_):
    return ns(bin_["at_least"]) / 1.032 - 2


def highest(bin_):
    return ns(bin_["below"]) * 1.032 + 2


def mistakes_in_grid(slices):
    """Sentences: each time bin begins at a multiple of its length, which is 1/16 s doubled some times and one for a process."""
    found, seen, lengths = [], set(), defaultdict(set)
    for row in slices:
        times, rest = divmod(row.length, SHORTEST_SLICE)
        if rest != 0 or times & (times - 1) != 0 or row.start % row.length != 0:
            found.append(f"a time bin from {row.start} of {row.length} ns")
        at = (row.process, row.layer, row.streams, row.start)
        if at in seen:
            found.append(f"two time bins {at}")
        if not any(getattr(row, name) for name in SUMS):
            found.append(f"time bin {at} has nothing in it")
        seen.add(at)
        lengths[row.process].add(row.length)
    return found + [f"process {process} has time bins of {some} ns" for process, some in lengths.items() if len(some) > 1]


def sums_of_slices(slices):
    """{(process, layer, streams): Counter}; its `time bins` says how many there were."""
    sums = defaultdict(Counter)
    for row in slices:
        sums[row.process, row.layer, row.streams].update({name: getattr(row, name) for name in SUMS} | {"time_bins": 1})
    return sums


def sums_of_totals(tables):
    sums = defaultdict(Counter)
    for row in tables["totals"]:
        at = (row["process"], LAYERS[row["layer"]], int(row["scope"] == OF_STREAMS))
        sums[at].update({"reads": row["reads"], "writes": row["writes"] + row["syncs"], "failed": row["failed"],
                         "bytes_read": row["bytes_read"], "bytes_written": row["bytes_written"]})
        sums[at].update({name: ns(row[name]) for name in SUMS if name.endswith("_time")})
    return sums


def differences_to_totals(slices, tables, operations_within=0, bytes_within=0):
    """Sentences, empty where all time bins together are what each process did. Totals do not tell what kind a failed call was."""
    found = []
    sliced, totals = sums_of_slices(slices), sums_of_totals(tables)
    for at in sorted(set(sliced) | set(totals)):
        got, wanted = sliced[at], totals[at]
        for name in ("reads", "writes"):
            if not -operations_within <= got[name] - wanted[name] <= wanted["failed"] + operations_within:
                found.append(f"{at}: {name}: the time bins have {got[name]}, the totals {wanted[name]}")
        for name in ("bytes_read", "bytes_written"):
            if abs(got[name] - wanted[name]) > bytes_within:
                found.append(f"{at}: {name}: the time bins have {got[name]}, the totals {wanted[name]}")
        for name in ("read_time", "write_time", "metadata_time"):
            if abs(got[name] - wanted[name]) > 1000 * max(got["time_bins"], 1):
                found.append(f"{at}: {name}: the time bins have {got[name]} ns, the totals {wanted[name]} ns")
    return found


def differences_to_histograms(slices, tables):
    """Sentences, empty where as many operations are in time bins as in histograms, and each histogram is whole."""
    found = []
    by_class = {}
    for row in tables["operations"]:
        by_class[row["layer"], row["streams"], row["kind"], row["size_class"]] = row
    bins = defaultdict(list)
    for row in tables["durations"]:
        bins[row["layer"], row["streams"], row["kind"], row["size_class"]].append(row)
    for at in sorted(set(by_class) | set(bins)):
        row, own = by_class.get(at), sorted(bins[at], key=lambda one: one["at_least"])
        if row is None or sum(one["operations"] for one in own) != row["operations"]:
            found.append(f"{at}: bins of {sum(one['operations'] for one in own)} operations, of {row and row['operations']}")
            continue
        least = sum(lowest(one) * one["operations"] for one in own)
        most = sum(highest(one) * one["operations"] for one in own)
        if not least <= ns(row["time"]) <= most:
            found.append(f"{at}: {ns(row['time'])} ns in all, by its bins {least} to {most}")
        if not lowest(own[-1]) <= ns(row["longest"]) <= highest(own[-1]):
            found.append(f"{at}: the longest took {ns(row['longest'])} ns, by its bins {own[-1]}")
        if any(one["below"] <= one["at_least"] for one in own):
            found.append(f"{at}: an empty bin")

    counted, sliced = defaultdict(Counter), defaultdict(Counter)
    for (layer, streams, kind, _), row in by_class.items():
        name = KINDS[kind]
        which = "reads" if name in READS else "writes" if name in WRITES else "metadata"
        counted[LAYERS[layer], streams][which] += row["operations"]
    for row in slices:
        sliced[row.layer, row.streams].update({name: getattr(row, name) for name in ("reads", "writes", "metadata")})
    for at in sorted(set(counted) | set(sliced)):
        if +counted[at] != +sliced[at]:
            found.append(f"{at}: {dict(counted[at])} in histograms, {dict(sliced[at])} in time bins")
    return found


def differences_to_counters(tables):
    """Sentences, empty where each histogram has as many operations as the records of files count."""
    streams = {name["path"] for name in tables["names"] if name["kind"] in STREAM_KINDS}
    wanted, got = Counter(), Counter()
    for number, layer in enumerate(LAYERS):
        for record in tables[layer]:
            place = (number, int(record["path"] in streams))
            for kind in ("open", "close", "seek", "stat", "sync"):
                wanted[*place, kind, 0] += record.get(COUNTER_OF[kind]) or 0
            wanted[*place, "any failed", 0] += record["failed"] or 0
            for size_class, name in enumerate(SIZES):
                for kind in ("read", "write"):
                    wanted[*place, kind, size_class] += record[f"{kind}_size_{name}"] or 0
    for row in tables["operations"]:
        kind = KINDS[row["kind"]]
        if kind != "other":
            got[row["layer"], row["streams"], "any failed" if kind in FAILURES else kind, row["size_class"]] += row["operations"]
    return [f"{at}: {got[at]} operations in histograms, {wanted[at]} by the counters"
            for at in sorted(set(got) | set(wanted), key=str) if got[at] != wanted[at]]


def quantile_of_bins(bins, share):
    """Of rows of the table `durations`, in ns: the middle of the bin where that share of the operations is reached."""
    rank = math.ceil(share * sum(row["operations"] for row in bins))
    for row in sorted(bins, key=lambda one: one["at_least"]):
        rank -= row["operations"]
        if rank <= 0:
            return (ns(row["at_least"]) + ns(row["below"])) / 2
    raise ValueError("nothing in the bins")


def quantile(durations, share):
    return sorted(durations)[math.ceil(share * len(durations)) - 1]
