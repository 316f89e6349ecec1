#!/usr/bin/env python3
"""Compares `fathom dump --darshan-text` and --darshan-dxt-text with what Darshan's own tools print for the same logs.

usage: compare_with_darshan.py FATHOM FOLDER [--made]

FOLDER holds logs X.darshan with X.darshan.parser.txt.gz (`darshan-parser --all --show-incomplete X`) and, where a log has a
trace, X.darshan.dxt.txt.gz (`darshan-dxt-parser --show-incomplete X`). All values of all records, the totals, categories of
files and rates must be equal, but for what Darshan's tool gets wrong (WRONG below). There the value must be the one in the
bytes of the log, which are read here once more, and differ from the tool's somewhere. --made: the logs and the texts beside
them are made up (made_logs/), so that the texts are right throughout.
"""
import gzip
import itertools
import os
import struct
import subprocess
import sys
import zlib
from pathlib import Path

NO_FOLDER = 77
NOT_DECODED = {"DFS", "DAOS", "APMPI", "APXC", "MDHIM"}

# While it brings POSIX records of versions 2 and 3 to its own, the tool loses the last two numbers; of those before 4 it
# leaves three of the times of logs in the other byte order as they are.
LOST = ["POSIX_F_VARIANCE_RANK_TIME", "POSIX_F_VARIANCE_RANK_BYTES"]
UNSWAPPED = ["POSIX_F_META_TIME", "POSIX_F_MAX_READ_TIME", "POSIX_F_MAX_WRITE_TIME"]
# Where these are among the 17 times of a record (counted from the end, which versions 1 to 3 have in common).
FROM_THE_END = {"POSIX_F_META_TIME": 7, "POSIX_F_MAX_READ_TIME": 6, "POSIX_F_MAX_WRITE_TIME": 5,
                "POSIX_F_VARIANCE_RANK_TIME": 2, "POSIX_F_VARIANCE_RANK_BYTES": 1}
RECORD_BYTES = {1: 680, 2: 648, 3: 664}

SUMS = tuple(f"# {name}: " for name in ("total", "read_only", "write_only", "read_write", "unique", "shared", "total_bytes",
                                        "unique files", "shared files", "agg_time_by_slowest", "agg_perf_by_slowest"))


class Text:
    """What one of the texts says, by what it is about."""

    def __init__(self, text):
        self.values, self.totals, self.sums, self.head, self.operations = {}, {}, {}, [], []
        module = ""
        for line in text.split("\n"):
            if line.startswith("# ") and line.endswith(" module data"):
                module = line[2:-len(" module data")]
            elif line.startswith("total_"):
                name, value = line.split(": ")
                self.totals[name] = value
            elif line.startswith(" X_") or line.startswith(("# DXT, ", "#\t[Component")):
                self.operations.append((module, " ".join(line.split())))
            elif line.startswith(SUMS) and module:
                name, value = line[2:].rsplit(": ", 1)
                self.sums[module, name] = value
            elif line.startswith("# ") and not line.startswith("# WARNING") and not module and ": " in line and not line.startswith("#   "):
                self.head.append(line)
            elif line and line[0] not in "#\t " and line.count("\t") >= 7:
                where, rank, number, counter, value, rest = line.split("\t", 5)
                self.values.setdefault((where, rank, number, counter), []).append((value, rest))


def numbers_in_the_bytes(log):
    """{(rank, id, counter): value as printed}, of the counters above, from the bytes of a log of format 3.0 or 3.1."""
    data = log.read_bytes()
    order = "<" if struct.unpack_from("<q", data, 8)[0] == 6567223 else ">"
    offset, length = struct.unpack_from(order + "QQ", data, 40 + 16)
    version = struct.unpack_from(order + "I", data, 296 + 4)[0]
    packed, records = data[offset:offset + length], b""
    while packed:
        unpacker = zlib.decompressobj()
        records += unpacker.decompress(packed) + unpacker.flush()
        packed = unpacker.unused_data
    size = RECORD_BYTES[version]
    found = {}
    for at in range(0, len(records), size):
        number, rank = struct.unpack_from(order + "Qq", records, at)
        for counter, back in FROM_THE_END.items():
            value = struct.unpack_from(order + "d", records, at + size - 8 * back)[0]
            found[str(rank), str(number), counter] = "%f" % value
    return order, version, found


def posix_version(text):
    for line in text.head:
        if line.startswith("# POSIX module:"):
            return int(line.split("ver=")[1])
    return 0


def compare(log, ours, theirs, made):
    """Yields what differs and must not."""
    wrong = {}
    version = posix_version(theirs)
    if 0 < version < 4 and not made:
        order, version, in_bytes = numbers_in_the_bytes(log)
        names = (LOST if version > 1 else []) + (UNSWAPPED if order == ">" else [])
        wrong = {key: value for key, value in in_bytes.items() if key[2] in names}
        if not any(theirs.values.get(("POSIX", *key), [(None,)])[0][0] != value for key, value in wrong.items()):
            # Files of one rank have no variance: there is nothing to lose in such a log.
            if any(float(value) != 0 for value in wrong.values()):
                yield "Darshan's tool has it right now: take the exception out"
    for key, (module, rank, number, counter) in ((key, key) for key in theirs.values):
        if module in NOT_DECODED:
            continue
        expected = theirs.values[key]
        if (rank, number, counter) in wrong and module == "POSIX":
            expected = [(wrong[rank, number, counter], expected[0][1])]
        if ours.values.get(key) != expected:
            yield f"{key}: ours {ours.values.get(key)}, Darshan's {expected}"
    for key in ours.values.keys() - theirs.values.keys():
        yield f"{key}: ours alone"
    wrong_totals = {"total_" + name for name in UNSWAPPED + ["POSIX_MAX_READ_TIME_SIZE", "POSIX_MAX_WRITE_TIME_SIZE"]} if any(key[2] in UNSWAPPED for key in wrong) else set()
    for name, value in theirs.totals.items():
        if name.split("_")[1] not in NOT_DECODED and name not in wrong_totals and ours.totals.get(name) != value:
            yield f"{name}: ours {ours.totals.get(name)}, Darshan's {value}"
    for (module, name), value in theirs.sums.items():
        if module not in NOT_DECODED and ours.sums.get((module, name)) != value:
            yield f"{module}, {name}: ours {ours.sums.get((module, name))}, Darshan's {value}"
    for mine, other in itertools.zip_longest(ours.head, theirs.head):
        # It tells the size of its own header for all versions, and no command that fills its place to the end.
        if mine != other and not other.startswith("# header:") and other != "# exe: ":
            yield f"ours {mine!r}, Darshan's {other!r}"


def compare_operations(ours, theirs):
    if len(ours.operations) != len(theirs.operations):
        yield f"{len(ours.operations)} lines of operations, Darshan's tool {len(theirs.operations)}"
    for mine, other in zip(ours.operations, theirs.operations):
        if mine != other:
            yield f"ours {mine}, Darshan's {other}"


def main():
    fathom, folder, made = sys.argv[1], Path(sys.argv[2]), sys.argv[3:] == ["--made"]
    logs = sorted(folder.glob("*.darshan"))
    if not logs:
        print(f"skipped: there are no logs in {folder}")
        return NO_FOLDER
    failures, compared = [], 0

    def text_of(log, option):
        done = subprocess.run([fathom, "dump", option, log], capture_output=True, check=False,
                              env=dict(os.environ, TZ="UTC"))
        if done.returncode != 0:
            failures.append(f"{log.name}: {done.stderr.decode()}")
        return Text(done.stdout.decode(errors="surrogateescape"))

    for log in logs:
        for option, suffix, check in (("--darshan-text", ".parser.txt.gz", lambda a, b: compare(log, a, b, made)),
                                      ("--darshan-dxt-text", ".dxt.txt.gz", compare_operations)):
            expected = Path(str(log) + suffix)
            if not expected.exists():
                continue
            theirs = Text(gzip.open(expected, "rt", errors="surrogateescape").read())
            differences = list(itertools.islice(check(text_of(log, option), theirs), 5))
            failures += [f"{log.name}: {difference}" for difference in differences]
            compared += len(theirs.values) + len(theirs.totals) + len(theirs.sums) + len(theirs.operations)
    for failure in failures:
        print(failure)
    print(f"{compared} values of {len(logs)} logs, {len(failures)} differences")
    return 1 if failures or compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
