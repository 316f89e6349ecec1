#!/usr/bin/env python3
"""Clusters of a real program's reads: from its trace, from the histograms of the same run, and of a run without a trace.

usage: run_clusters.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_clusters.py --list
"""
import json
import math
import subprocess
import sys

import cases
from cases import Place, case

# Reads of one class of sizes that take very different times, whatever the machine: a tenth of its upper end, and all of it;
# of so many sizes that they are not told one by one.
READS, SIZES = 3000, 40
PROGRAM = f"""
import os
fd = os.open("data", os.O_RDWR | os.O_CREAT)
os.truncate(fd, 1 << 21)
os.pread(fd, 1 << 21, 0)
for at in range({READS}):
    os.pread(fd, 1_048_000 + at % {SIZES}, 0) if at % 3 == 0 else os.pread(fd, 102_500 + at % {SIZES}, 0)
"""
# Of the operations that a cluster must have to be compared: those of few are what else the machine did, and may be told
# apart in one run and not in another.
LARGE = 0.1
RESOLUTION = 2 * math.log10(33 / 32)


def groups_of(place, log, *options):
    """The rows of the clusters of the reads of that class, and whether there is a timeline."""
    command = (place.fathom, "clusters", log, "--layer", "posix", "--operation", "read", "--size", "1048000", "--format", "json")
    report = json.loads(subprocess.run([*command, *options], check=True, capture_output=True, text=True).stdout)
    blocks = {block.get("id"): block for section in report["sections"] for block in section["blocks"]}
    return blocks["clusters_1"]["rows"], "timeline_1" in blocks


def large_of(rows):
    return [row for row in rows if row["group"].startswith("cluster") and row["operations"] > LARGE * rows[-1]["operations"]]


def compare(place, one, other, within, about):
    place.expect(len(one) == len(other) and len(one) >= 2, f"{about}: {len(one)} and {len(other)} large clusters")
    for a, b in zip(one, other):
        apart = abs(math.log10(a["peak"] / b["peak"]))
        place.expect(apart <= within, f"{about}: peaks at {a['peak']} s and {b['peak']} s")


@case("clusters of reads from a trace and from histograms are the same")
def _(place):
    logs = {name: place.path(f"{name}.fathom") for name in ("traced", "counted")}
    for name, options in (("traced", ("--trace",)), ("counted", ())):
        result = place.record(sys.executable, "-c", PROGRAM, options=("-q", "-o", logs[name], *options))
        place.expect_status(result, 0)
    raw, drawn = groups_of(place, logs["traced"])
    place.expect(drawn, "there is no timeline of a trace")
    binned, drawn = groups_of(place, logs["traced"], "--from", "histograms")
    place.expect(not drawn, "there is a timeline of histograms")
    place.expect(raw[-1]["operations"] == binned[-1]["operations"] == READS,
                 f"{raw[-1]['operations']} and {binned[-1]['operations']} of {READS} reads")
    compare(place, large_of(raw), large_of(binned), RESOLUTION, "one run")
    for a, b in zip(large_of(raw), large_of(binned)):
        place.expect(abs(a["operations"] - b["operations"]) <= 0.05 * READS,
                     f"clusters of {a['operations']} and {b['operations']} operations")
    other, drawn = groups_of(place, logs["counted"])
    place.expect(not drawn, "there is a timeline without a trace")
    # Another run: the machine may be half or twice as fast.
    place.expect(len(large_of(other)) >= 2, f"{len(large_of(other))} large clusters without a trace")
    place.expect(other[-1]["operations"] == READS, f"{other[-1]['operations']} of {READS} reads without a trace")


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
