#!/usr/bin/env python3
"""Runs with a known fault are found to have it, at medium strength and nothing else; runs that do well have no finding, nor have
those in which the advice was followed.

usage: run_findings.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_findings.py --list
Exit status 77: something that the workload needs is not here.
"""
import os
import sys

import cases
from cases import Skip, case, timed
from findings_view import Trouble, command_of, findings_of, outcome_of, run, wrong_of
from twins import KINDS, TWINS
from workloads import WORKLOADS

SECONDS = 1.5


def strength_of(workload):
    if not workload.planted:
        return ""
    # Bursts must take 15 % of the run, and in a run as short as this a third is the start of MPI.
    return "strong" if workload.planted == "bursts" else "medium"


def cost_nothing(workload, outcome):
    """By the program's own account: other programs slowed its large requests down as much as the planted ones."""
    worthy = 0.04
    said = outcome.said or {}
    return bool(workload.planted) and "lost" in said and said["lost"] < worthy * said["run"]


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
        faults, idle = [], False
        for seed in (1, 2, 3):
            folder = place.path(str(seed))
            os.mkdir(folder)
            try:
                outcome = outcome_of(workload, strength_of(workload), seed, SECONDS, place.fathom, place.programs, folder)
                faults, idle = list(faults_of(workload, outcome)), cost_nothing(workload, outcome)
            except Trouble as trouble:
                faults, idle = [str(trouble)], False
            if not faults:
                return
        if idle and all(fault.endswith("is not found") for fault in faults):
            raise Skip("the machine is too busy: what was planted cost nothing")
        for fault in faults:
            place.expect(False, fault)


def add_twins(twins):
    @timed(f"{twins.planted or 'nothing'} in {twins.name}, and nothing once the advice is followed")
    def _(place):
        if absent := twins.missing(place.programs):
            raise Skip(f"not here: {', '.join(absent)}")
        for kind in KINDS:
            folder = place.path(kind)
            os.mkdir(folder)
            if twins.prepare:
                twins.prepare(folder)
            log = os.path.join(folder, "x.fathom")
            run([place.fathom, "record", "-q", "-o", log, "--", *command_of(twins, kind, place.programs)], folder)
            found = findings_of(place.fathom, log, folder)
            print(f"{kind}: {found}")
            place.expect(not wrong_of(twins, kind, found), f"{kind}: {wrong_of(twins, kind, found)} is found and was not planted")
            if kind == "faulty" and twins.planted:
                place.expect(twins.planted in [one.id for one in found], f"{twins.planted} was planted and is not found")


for each in first_of_each_rule():
    add(each)
for each in TWINS:
    if each.name in ("looked_up", "Fortran, opened_each_time", "Fortran, element_statements", "Python, row_by_row", "backward_reads", "written_again", "mapped_random_reads", "formatted_numbers", "o_sync", "rwf_dsync", "synced_files",
                     "synced_mapping", "Python, exists", "Python, copied_to_name", "HDF5, small_chunks", "HDF5, chunks_again", "HDF5, series", "HDF5, flushes", "HDF5, attributes",
                     "HDF5, filters", "HDF5, conversions", "HDF5, fill_values", "state_each_step", "tried_lock", "Fortran, text_restarts", "sed in a loop", "rsync", "gzip between steps", "gzip's best level", "Python, rows_by_list", "sleep until a file is there", "shells by turns", "HDF5, collective_metadata, Open MPI"):
        add_twins(each)

if __name__ == "__main__":
    sys.exit(cases.main(__doc__))
