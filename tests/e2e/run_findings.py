#!/usr/bin/env python3
"""Runs with a known fault are found to have it, at medium strength and nothing else; runs that do well have no finding.

usage: run_findings.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_findings.py --list
Exit status 77: something that the workload needs is not here.
"""
import sys

import cases
from cases import Skip, case
from findings_view import Trouble, outcome_of
from workloads import WORKLOADS

SECONDS = 1.5


def strength_of(workload):
    if not workload.planted:
        return ""
    # Bursts must take 15 % of the run, and in a run as short as this a third is the start of MPI.
    return "strong" if workload.planted == "bursts" else "medium"


def judge(place, workload, outcome):
    found = ", ".join(f"{one.id} ({'?' if one.cost is None else f'{one.cost:.3f} s'})" for one in outcome.found) or "nothing"
    print(f"found: {found}; the program said {outcome.said}")
    if workload.planted:
        place.expect(workload.planted in outcome.ids, f"{workload.planted} was planted and is not found")
    for one in outcome.wrong(workload):
        place.expect(False, f"{one} is found and was not planted")


def add(workload):
    @case(f"{workload.planted or 'nothing'} in {workload.name}")
    def _(place):
        absent = workload.missing(place.programs)
        if absent:
            raise Skip(f"not here: {', '.join(absent)}")
        try:
            judge(place, workload, outcome_of(workload, strength_of(workload), 1, SECONDS, place.fathom, place.programs, place.folder))
        except Trouble as trouble:
            place.expect(False, str(trouble))


for each in WORKLOADS:
    add(each)

if __name__ == "__main__":
    sys.exit(cases.main(__doc__))
