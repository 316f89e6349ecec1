#!/usr/bin/env python3
"""Jobs side by side: what `fathom neighbours` says, beside what follows from `fathom dump --time-bins` alone.

usage: run_neighbours.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_neighbours.py --list
Exit status 77: the case cannot be set up here.
"""
import contextlib
import csv
import io
import json
import sqlite3
import subprocess
import sys

import cases
import postgres
from cases import Skip, case, timed


class Place(cases.Place):
    """Records programs that write side by side, and asks for their neighbours."""

    def writer(self, name, writes):
        """Begins one that writes 64 KiB after the other, each to the disk."""
        return subprocess.Popen([self.fathom, "record", "-q", "-o", self.path(name + ".fathom"), "--", "dd", "if=/dev/zero", f"of={self.path(name)}",
                                 "bs=64K", f"count={writes}", "oflag=dsync", "status=none"], cwd=self.folder)

    def add(self, url, *names):
        for name in names:
            self.expect_status(self.run(self.fathom, "jobs", "add", self.path(name + ".fathom"), "--db", url), 0)

    def neighbours(self, url, *words):
        """{id of a table, or of an entry: its rows, or its value}"""
        result = self.run(self.fathom, "neighbours", *words, "--db", url, "--format", "json")
        self.expect_status(result, 0)
        found = {}
        for section in json.loads(result.stdout)["sections"]:
            for block in section["blocks"]:
                if "rows" in block:
                    found[block["id"]] = block["rows"]
                for entry in block.get("entries", ()):
                    found[entry["id"]] = entry["value"]
        return found

    def bins(self, name):
        """{start: bytes} of the time bins in which the program moved data of files or was in a read, write or sync; their length."""
        result = self.run(self.fathom, "dump", "--time-bins", self.path(name + ".fathom"))
        self.expect_status(result, 0)
        bins, length = {}, 0
        for row in csv.DictReader(io.StringIO(result.stdout)):
            row = {key: value if key == "layer" else int(value.replace(".", "")) for key, value in row.items()}  # times have nine digits
            length = max(length, row["length"])
            if row["streams"] != 0 or row["layer"] not in ("posix", "stdio"):
                continue
            if row["bytes_read"] + row["bytes_written"] + row["read_time"] + row["write_time"] > 0:
                bins[row["start"]] = bins.get(row["start"], 0) + row["bytes_read"] + row["bytes_written"]
        return bins, length


@timed("two programs that write side by side are each other's neighbours, as their time bins have it")
def _(place):
    first, second = place.writer("one", 800), place.writer("two", 800)
    place.expect(first.wait(100) == 0 and second.wait(100) == 0, "a program failed")
    url = place.path("jobs.db")
    place.add(url, "one", "two")
    (one, length), (two, other_length) = place.bins("one"), place.bins("two")
    if length != other_length:
        raise Skip("one of the two was so slow that its time bins are longer")
    both = sorted(one.keys() & two.keys())
    if not both:
        raise Skip("the two were not active at the same time")
    said = place.neighbours(url, "1")
    seconds = length / 1e9
    rows = said.get("neighbours", [])
    place.expect(len(rows) == 1 and rows[0]["job"].startswith("2"), f"the neighbours: {rows}")
    place.expect(abs(said["active_alone"] + said["active_beside"] - len(one) * seconds) < 1e-6, f"active {said}, and by the log {len(one)} bins")
    place.expect(rows and rows[0]["both_active"] <= len(both) * seconds + 1e-6, f"both active {rows}, and by the logs in {len(both)} bins")
    # Windows of a second in which the other one moved next to nothing do not count: so bytes are those of the bins, or a little less.
    moved = sum(two[at] for at in both)
    place.expect(rows and 0.9 * moved <= rows[0]["bytes"] <= moved, f"moved {rows} meanwhile, and by the log {moved}")
    rates = {row["side"]: row for row in said["rates"]}
    for side, bins in (("this job's", one), ("its", two)):
        together = sum(bins[at] for at in both) / (len(both) * seconds) / 2**20
        place.expect(abs(rates[side]["together"] - together) <= 1e-6 * together, f"{side} rate {rates[side]}, and by the log {together}")


@case("a file system of a node is not shared by jobs on another one")
def _(place):
    first, second = place.writer("one", 300), place.writer("two", 300)
    place.expect(first.wait(100) == 0 and second.wait(100) == 0, "a program failed")
    url = place.path("jobs.db")
    place.add(url, "one", "two")
    if not place.bins("one")[0].keys() & place.bins("two")[0].keys():
        raise Skip("the two were not active at the same time")
    with contextlib.closing(sqlite3.connect(url)) as database:
        names = [row[0] for row in database.execute("select node_names from job_environment")]
        types = {row[0] for row in database.execute("select type from job_mounts where bytes_written > 0")}
        place.expect(all(names) and len(set(names)) == 1, f"the names of the nodes: {names}")
        if types & {"lustre", "nfs", "nfs4", "gpfs", "9p", "virtiofs", "fuse.glusterfs", "ceph", "beegfs"}:
            raise Skip("the build lies on a file system that nodes share")
        place.expect(len(place.neighbours(url, "1").get("neighbours", [])) == 1, "the neighbour on this node is not there")
        database.execute("update job_environment set node_names = 'elsewhere' where job = 2")
        database.commit()
        place.expect("neighbours" not in place.neighbours(url, "1"), "a job on another node is a neighbour")
        database.execute("update job_environment set node_names = '' where job = 2")
        database.commit()
        text = place.run(place.fathom, "neighbours", "1", "--db", url).stdout
        place.expect("it is not known whether it used the same file" in " ".join(text.split()), f"nodes that are not known: {text}")


@case("what if gives the times of the equations")
def _(place):
    url = place.path("jobs.db")
    folder = place.path("none")
    subprocess.run(["mkdir", folder], check=True)
    place.expect_status(place.run(place.fathom, "jobs", "add", folder, "--db", url), 0)
    # Tables 1 and 3 of the LWM2 study, private: 60 beside 12 processes; (1) and (2) by hand.
    rows = place.neighbours(url, "--what-if", "60:16000MiB:93.5MiB", "12:16000MiB:95.5MiB")["what_if"]
    for row, alone, together in zip(rows, (16000 / 93.5, 16000 / 95.5), (16000 / 93.5 * 72 / 60, 16000 / 93.5 + 16000 / 95.5)):
        place.expect(abs(row["alone"] - alone) < 1e-6 and abs(row["together"] - together) < 1e-6, f"{row} instead of {alone}, {together}")


@case("what is asked wrongly is refused in one sentence")
def _(place):
    url = place.path("jobs.db")
    folder = place.path("none")
    subprocess.run(["mkdir", folder], check=True)
    place.expect_status(place.run(place.fathom, "jobs", "add", folder, "--db", url), 0)
    for status, words, sentence in ((2, [], "name one job by its id"), (2, ["x"], "x: no id"), (2, ["1", "2"], "name one job"),
                                    (2, ["--site", "1"], "name none"), (2, ["--what-if", "1"], "name two jobs"),
                                    (2, ["--what-if", "1:2", "3"], "say PROCESSES:BYTES:RATE"), (2, ["--what-if", "0.5:1G:1M", "1:1G:1M"], "say PROCESSES"),
                                    (2, ["--what-if", "4:1G:0", "1:1G:1M"], "say PROCESSES"), (2, ["1", "--since", "today"], "go with --site"),
                                    (2, ["--site", "--since", "soon"], "--since"), (2, ["--site", "--what-if", "1", "2"], "one of them"),
                                    (1, ["1"], "no job has the id 1"), (1, ["--what-if", "7", "1:1G:1M"], "no job has the id 7")):
        result = place.run(place.fathom, "neighbours", *words, "--db", url)
        place.expect_status(result, status)
        place.expect_message(result, sentence)
    result = place.run(place.fathom, "neighbours", "--site", "--db", url)
    place.expect_status(result, 0)
    place.expect("No two jobs were active" in result.stdout, f"a site without jobs: {result.stdout}")


@case("SQLite and PostgreSQL have the same neighbours")
def _(place):
    if postgres.programs() is None:
        raise Skip("no server of PostgreSQL")
    writers = [place.writer(name, 300) for name in ("one", "two", "three")]
    place.expect(all(writer.wait(100) == 0 for writer in writers), "a program failed")
    with postgres.Postgres() as server:
        said = []
        for url in (place.path("jobs.db"), server.url("jobs")):
            place.add(url, "one", "two", "three")
            said.append([place.run(place.fathom, "neighbours", word, "--db", url, "--format", "json").stdout for word in ("1", "2", "3", "--site")])
        place.expect(said[0] == said[1] and all(len(one) > 500 for one in said[0]), f"the documents differ: {said}")


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
