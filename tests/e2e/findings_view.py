"""One run of a workload: what it says of itself, and what the report finds in its log."""
import json
import os
import subprocess
from dataclasses import dataclass

import workloads


@dataclass(frozen=True)
class Found:
    id: str
    cost: float | None  # seconds, None where none can be told
    confidence: str  # low, medium, high


@dataclass(frozen=True)
class Outcome:
    said: dict  # by our own programs: run, in_fault, lost (seconds), bytes, operations; by others nothing
    found: list  # of Found, in the order of the report

    @property
    def ids(self):
        return [one.id for one in self.found]

    def cost_of(self, finding):
        return next((one.cost for one in self.found if one.id == finding), None)

    def wrong(self, workload):
        """Ids that are neither planted nor true."""
        return [one for one in self.ids if one != workload.planted and one not in workload.also]


class Trouble(Exception):
    """A run that tells nothing: the program failed, or the log or the report are not whole."""


def run(command, folder):
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    if result.returncode != 0:
        raise Trouble(f"{' '.join(map(str, command))}: exit status {result.returncode}: {result.stderr[-1000:]}")
    return result.stdout


def findings_of(fathom, log, folder):
    document = json.loads(run([fathom, "report", "--format", "json", log], folder))
    for section in document["sections"]:
        if section["id"] == "findings":
            return [Found(block["id"], block["cost"], block["confidence"]) for block in section["blocks"] if block["type"] == "finding"]
    raise Trouble("the report has no section of findings")


def rows_of_table(fathom, log, folder, table):
    """Of the report, by column."""
    document = json.loads(run([fathom, "report", "--format", "json", log], folder))
    return next(block["rows"] for section in document["sections"] for block in section["blocks"] if block.get("id") == table)


def recorded(workload, strength, seed, seconds, fathom, programs, folder):
    """Runs it in that folder, which is new; without a strength those that do well. Gives the log's path, and what the program said."""
    if workload.prepare:
        workload.prepare(folder)
    log = os.path.join(folder, "x.fathom")
    words = {"bin": programs, "inputs": workloads.INPUTS, "share": workloads.STRENGTHS.get(strength, workloads.WELL_SHARE), "seconds": seconds, "seed": seed}
    command = [word.format(**words) for word in workload.command]
    printed = run([fathom, "record", "-q", "-o", log, "--", *command], folder)
    ours = "faults" in " ".join(workload.needs)
    return log, json.loads(next(line for line in printed.splitlines() if line.startswith("{"))) if ours else {}


def command_of(twins, kind, programs):
    """Of one of a pair (twins.py)."""
    words = {"bin": programs, "inputs": workloads.INPUTS, "kind": kind}
    return [word.format(**words) for word in getattr(twins, kind)]


def wrong_of(twins, kind, found):
    """Ids that are neither planted nor true."""
    true = (twins.planted, *twins.also) if kind == "faulty" else twins.in_repaired
    return [one.id for one in found if one.id not in true]


def outcome_of(workload, strength, seed, seconds, fathom, programs, folder):
    log, said = recorded(workload, strength, seed, seconds, fathom, programs, folder)
    return Outcome(said, findings_of(fathom, log, folder))
