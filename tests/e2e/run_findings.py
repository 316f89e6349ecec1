#!/usr/bin/env python3
"""Runs with a known fault are found to have it, at medium strength and nothing else; runs that do well have no finding.

usage: run_findings.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_findings.py --list
Exit status 77: something that the workload needs is not here.
"""
import os
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


def faults_of(workload, outcome):
    """What is wrong with this outcome, a sentence each."""
    found = ", ".join(f"{one.id} ({'?' if one.cost is None else f'{one.cost:.3f} s'})" for one in outcome.found) or "nothing"
    print(f"found: {found}; the program said {outcome.said}")
    if workload.planted and workload.planted not in outcome.ids:
        yield f"{workload.planted} was planted and is not found"
    for one in outcome.wrong(workload):
        yield f"{one} is found and was not planted"


def first_of_each_rule():
    """A workload for each rule, and of those that do well the ones that are like no other."""
    planted = {workload.planted: workload for workload in reversed(WORKLOADS) if workload.planted}
    well = ("posix_well", "stdio_well", "segments_well, Open MPI", "collective_well, MPICH", "true", "cp", "fio, libaio",
            "Python, loader with workers", "LAMMPS")
    return [*planted.values(), *(workload for workload in WORKLOADS if workload.name in well)]


def add(workload):
    @case(f"{workload.planted or 'nothing'} in {workload.name}")
    def _(place):
        absent = workload.missing(place.programs)
        if absent:
            raise Skip(f"not here: {', '.join(absent)}")
        # Seconds are at stake, and the machine may be busy with something else: once more, if need be.
        faults = []
        for seed in (1, 2):
            folder = place.path(str(seed))
            os.mkdir(folder)
            try:
                outcome = outcome_of(workload, strength_of(workload), seed, SECONDS, place.fathom, place.programs, folder)
                faults = list(faults_of(workload, outcome))
            except Trouble as trouble:
                faults = [str(trouble)]
            if not faults:
                return
        for fault in faults:
            place.expect(False, fault)


for each in first_of_each_rule():
    add(each)

if __name__ == "__main__":
    sys.exit(cases.main(__doc__))
