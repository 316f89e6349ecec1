#!/usr/bin/env python3
"""`fathom devices`: the document of made-up records beside what Python makes of them.

usage: run_devices.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_devices.py --list
Exit status 77: the case cannot be set up here.
"""
import csv
import json
import math
import os
import re
import statistics
import sys

import cases
import device_records as made
from cases import Skip, case

FACILITY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "shared", "facility")


class Place(cases.Place):
    def devices(self, *words):
        """The document as JSON, its blocks by their id."""
        result = self.run(self.fathom, "devices", *words, "--format", "json")
        self.expect_status(result, 0)
        document = json.loads(result.stdout)
        self.sections = [section["id"] for section in document["sections"]]
        self.texts = {section["id"]: [block["text"] for block in section["blocks"] if "text" in block]
                      for section in document["sections"]}
        return {block["id"]: block for section in document["sections"] for block in section["blocks"] if "id" in block}

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def expect_close(self, what, ours, theirs, tolerance=1e-6):
        self.expect(ours is not None and math.isclose(ours, theirs, rel_tol=tolerance, abs_tol=1e-9),
                    f"{what}: {ours} instead of {theirs}")


def made_records(place):
    servers = made.made_servers()
    for number, samples in enumerate(servers):
        place.write(f"disk{number}.json", made.as_iostat_json(f"io{number}", {"sda": samples}))
    return servers, [f"disk{number}.json" for number in range(len(servers))] + ["--system", "scratch", "--time-zone", "UTC"]


@case("idle periods, rates and their distribution are those of Python")
def _(place):
    servers, words = made_records(place)
    blocks = place.devices(*words)
    rates = made.sum_of_rates(servers)
    known = sorted(rate for rate in rates if rate is not None)
    peak = known[-1]
    unknown = rates.count(None)
    place.expect(unknown > 300 and len(known) > 3000, "the records have no gaps, or nothing else")

    for names, belongs in ((("periods", "total", "share"), lambda rate: rate < 0.05 * peak),
                           (("still_periods", "still_total", "still_share"), lambda rate: rate == 0)):
        expected = made.table_three(rates, belongs)
        place.expect(sum(count > 0 for count, _ in expected.values()) > 5, "few classes of idle periods are tried")
        for row in blocks["idle_0"]["rows"][:-1]:
            count, minutes = expected[row["minutes"]]
            place.expect(row[names[0]] == count, f"{names[0]} of {row['minutes']}: {row[names[0]]} instead of {count}")
            place.expect_close(f"{names[1]} of {row['minutes']}", row[names[1]], minutes * 60)
            place.expect_close(f"{names[2]} of {row['minutes']}", row[names[2]], minutes / len(known))

    row = blocks["distribution"]["rows"][0]
    place.expect(row["bins"] == len(known), f"{row['bins']} bins instead of {len(known)}")
    place.expect_close("mean", row["mean"], statistics.fmean(known) / made.MIB)
    place.expect_close("peak", row["peak"], peak / made.MIB)
    place.expect_close("below 33 %", row["low"], sum(rate < 0.33 * peak for rate in known) / len(known))
    for name, p in (("p50", 0.5), ("p90", 0.9), ("p99", 0.99)):
        place.expect_close(name, row[name], known[math.ceil(p * len(known)) - 1] / made.MIB)
    curve = blocks["distribution_plot"]["series"][0]
    place.expect(len(curve["x"]) > 100, "the curve has few points")
    for x, y in zip(curve["x"], curve["y"]):
        place.expect_close(f"share of time up to {x}", y,
                           sum(rate <= x * peak * (1 + 1e-12) for rate in known) / len(known), 1e-3)

    chart = blocks["throughput_0"]
    bins = round(chart["time"]["length"] / 60)
    for at, value in enumerate(chart["series"][2]["values"]):
        some = [rate for rate in rates[at * bins:(at + 1) * bins] if rate is not None]
        if some:
            place.expect_close(f"highest rate in column {at}", value, max(some) / made.MIB)
        else:
            place.expect(value is None, f"column {at} of a gap has {value}")
    place.expect(None in chart["series"][2]["values"], "no gap is open in the chart")
    gaps = [(row["begin"][11:16], row["duration"], row["lacking"]) for row in blocks["gaps"]["rows"]]
    place.expect(gaps == [("20:00", 5 * 3600.0, "io3 sda"), ("04:00", 1200.0, "io2 sda")], f"gaps are {gaps}")
    row = blocks["systems"]["rows"][0]
    place.expect_close("known", row["known"], len(known) / len(rates))


@case("totals and days are those of Python, with what lies in gaps")
def _(place):
    servers, words = made_records(place)
    blocks = place.devices(*words)
    read = sum(sample[2] for samples in servers for sample in samples)
    written = sum(sample[3] for samples in servers for sample in samples)
    row = blocks["systems"]["rows"][0]
    place.expect_close("read", row["bytes_read"], read)
    place.expect_close("written", row["bytes_written"], written)
    days, undated = made.days(servers)
    place.expect(undated > 0 and any("in gaps across days" in words for words in place.texts["days"]),
                 "the gap across midnight is not told")
    rates = made.sum_of_rates(servers)
    place.expect([row["day"] for row in blocks["days_0"]["rows"]] == sorted(days), "days differ")
    for row in blocks["days_0"]["rows"]:
        place.expect_close("read on " + row["day"], row["bytes_read"], days[row["day"]][0])
        place.expect_close("written on " + row["day"], row["bytes_written"], days[row["day"]][1])
    known = [sum(rate is not None for minute, rate in enumerate(rates)
                 if (made.BEGIN + minute * 60) // made.DAY == made.BEGIN // made.DAY + day) / 1440
             for day in range(len(days))]
    for row, share in zip(blocks["days_0"]["rows"], known):
        place.expect_close("known of " + row["day"], row["known"], share)


@case("the server that lags is found, for as long as it does, and neither the others nor one without work")
def _(place):
    servers, words = made_records(place)
    for options, arguments in (((), {}), (("--lag-below", "15%"), {"share": 0.15}), (("--lag-for", "200min"), {"least": 200}),
                               (("--peak", "200MiB"), {"peak": 200.0 * made.MIB}), (("--lag-for", "20min"), {"least": 20})):
        blocks = place.devices(*words, *options)
        expected = made.lags(servers, **arguments)
        rows = blocks.get("lags", {"rows": []})["rows"]
        ours = sorted((row["name"], round(row["duration"] / 60), round(row["served"] / 60)) for row in rows)
        theirs = sorted((f"io{server} sda", minutes, served) for server, _, minutes, served in expected)
        place.expect(ours == theirs, f"{options}: {ours} instead of {theirs}")
        quiet = {f"io{server} sda" for server, *_ in made.lags(servers, quiet=True, **arguments)}
        told = " ".join(text for text in place.texts["lags"] if "next to nothing" in text)
        place.expect(set(re.findall(r"io\d sda", told)) == quiet, f"{options}: quiet are {told!r} instead of {quiet}")
        if not options:
            place.expect([name for name, *_ in ours] == [f"io{made.ILL} sda"], f"{ours} lag")
            place.expect(quiet == {f"io{made.UNUSED} sda"}, f"{quiet} are quiet")
            place.expect(any(f"io{made.ILL} sda of scratch lags" in text for text in place.texts["overview"]),
                         "the first section does not name the server that lags")
            hours = {row["hours"]: row["times_0"] for row in blocks["lag_durations"]["rows"]}
            place.expect(sum(hours.values()) == 1 and hours["4 to 12"] == 1, f"durations are {hours}")


@case("bytes and hours of each server are those of Python")
def _(place):
    servers, words = made_records(place)
    blocks = place.devices(*words, "--peak", "90MiB")
    sums = [sum(sample[2] + sample[3] for sample in samples) for samples in servers]
    mean = statistics.fmean(sums)
    rows = {row["name"]: row for row in blocks["servers_0"]["rows"]}
    for number, bytes_of in enumerate(sums):
        row = rows[f"io{number} sda"]
        place.expect_close(f"bytes of {number}", row["bytes_read"] + row["bytes_written"], bytes_of)
        place.expect_close(f"bytes of {number} to the mean", row["times_mean"], bytes_of / mean)
        highest = max(rate for rate in made.minute_rates(servers[number]) if rate is not None)
        place.expect_close(f"highest rate of {number}", row["highest_rate"], highest / made.MIB)
        place.expect_close(f"of the peak, {number}", row["of_peak"], highest / (90 * made.MIB))
    words = " ".join(place.texts["servers"])
    variation = statistics.pstdev(sums) / mean
    place.expect(f"{max(sums) / mean:.2f} times the mean; the coefficient of variation is {variation:.2f}" in words,
                 f"{variation} is not in {words!r}")
    counts = made.hour_classes(servers, 90.0 * made.MIB)
    place.expect(all(counts), f"not all classes are tried: {counts}")
    said = [float(part) for part in re.search(
        r"cells ([\d.]+) % are high, ([\d.]+) % are mid, ([\d.]+) % are low, ([\d.]+) % are idle", words).groups()]
    for part, count in zip(said, reversed(counts)):
        place.expect(abs(part - 100 * count / sum(counts)) < 0.051, f"cells are {said}, and {counts} in Python")


@case("partitions, volumes and clients' bytes are not added to those below them")
def _(place):
    samples = [(made.BEGIN + 60 * at, made.BEGIN + 60 * (at + 1), 60.0 * made.MIB, 0.0) for at in range(30)]
    place.write("all.json", made.as_iostat_json("node7", {name: samples for name in (
        "sda", "sda1", "nvme0n1", "nvme0n1p2", "dm-0", "md127", "loop3")}))
    row = place.devices("all.json", "--time-zone", "UTC")["systems"]["rows"]
    place.expect([(one["type"], one["members"], one["bytes_read"]) for one in row] == [("devices", 2, 2 * 30 * 60 * made.MIB)],
                 f"added up: {row}")
    place.write("volume.json", made.as_iostat_json("node8", {"dm-0": samples}))
    row = place.devices("volume.json", "--time-zone", "UTC")["systems"]["rows"]
    place.expect([(one["type"], one["members"]) for one in row] == [("volumes", 1)], f"a volume alone: {row}")


@case("bins are no shorter than samples are apart, and as long as one asks for")
def _(place):
    samples = [(made.BEGIN + 300 * at, made.BEGIN + 300 * (at + 1), 300.0 * made.MIB * (at % 3), 0.0) for at in range(48)]
    place.write("slow.json", made.as_iostat_json("node7", {"sda": samples}))
    for option, length in (("60s", 300), ("10min", 600), ("2min", 360), ("1h", 3600)):
        blocks = place.devices("slow.json", "--time-zone", "UTC", "--bin", option)
        time = blocks["throughput_0"]["time"]
        place.expect(time["length"] == length, f"--bin {option}: bins of {time['length']} s instead of {length}")
        place.expect(time["began"] == "2026-03-02 18:00:00 UTC", f"begins at {time['began']}")


@case("samples are in the CSV, the document is in the other forms, and bad options are refused")
def _(place):
    servers, words = made_records(place)
    result = place.run(place.fathom, "devices", *words, "-o", "all.csv", "-o", "all.html", "-o", "all.json", "-o", "all.pdf")
    place.expect_status(result, 0)
    with open(place.path("all.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    place.expect(len(rows) == 2 * sum(map(len, servers)), f"{len(rows)} rows in the CSV")
    place.expect_close("bytes in the CSV", sum(float(row["value"]) for row in rows),
                       sum(sample[2] + sample[3] for samples in servers for sample in samples))
    with open(place.path("all.json"), encoding="utf-8") as file:
        place.expect("fathom_report" in json.load(file), "x.json is no document")
    for name, first in (("all.html", b"<!DOCTYPE html"), ("all.pdf", b"%PDF")):
        with open(place.path(name), "rb") as file:
            place.expect(file.read(len(first)).lower() == first.lower(), f"{name} is something else")
    result = place.run(place.fathom, "devices", *words, "-o", "only.csv")
    place.expect(result.stdout == "", "the document comes although samples alone were asked for")
    result = place.run(place.fathom, "devices", *words, "--list", "--quantity", "bytes_read")
    place.expect(len(re.findall("bytes_read .*samples", result.stdout)) == len(servers), f"--list: {result.stdout!r}")
    result = place.run(place.fathom, "devices", *words, "--list", "-o", "beside.txt")
    place.expect("samples" in result.stdout and os.path.exists(place.path("beside.txt")), "--list leaves out a document that was asked for")
    for bad in (("--bin", "0s"), ("--bin", "5 parsecs"), ("--idle", "0"), ("--idle", "101%"), ("--lag-below", "x"),
                ("--lag-for", "-1h"), ("--peak", "0"), ("-o", "disk0.json"), ("-o", "x.doc")):
        place.expect_status(place.run(place.fathom, "devices", *words, *bad), 2)


@case("records of real servers make sane documents")
def _(place):
    if not os.path.isdir(FACILITY):
        raise Skip("no records of real servers beside the sources")
    blocks = place.devices(os.path.join(FACILITY, "snx11025_2018-01-28.sqlite3"))
    place.expect(place.sections == ["overview", "throughput", "distribution", "idle", "days", "servers", "metadata", "space", "read"],
                 f"sections are {place.sections}")
    row = blocks["systems"]["rows"][0]
    place.expect((row["members"], row["known"]) == (24, 1), f"OSTs: {row}")
    place.expect_close("bytes are the rate times five minutes", (row["bytes_read"] + row["bytes_written"]) / made.MIB,
                       row["mean_rate"] * 300, 1e-3)
    place.expect(len(blocks["load_map_0"]["rows"]) == 24, "the map has other servers")
    blocks = place.devices(os.path.join(FACILITY, "lmtdb-reset.sqlite3"))
    row = blocks["systems"]["rows"][0]
    place.expect(0.3 < row["known"] < 0.7, f"the time in which it was reset is known: {row}")
    place.expect(row["peak_rate"] < 1000, f"a total that fell back is a rate: {row}")
    place.devices(os.path.join(FACILITY, "lfs-df.txt.gz"))
    place.expect(place.sections == ["overview", "space", "read"], f"sections of space alone are {place.sections}")


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
