"""What Slurm's own accounting prints of jobs, and what the job database makes of it beside their logs."""
import contextlib
import json
import os
import sqlite3

from cases import Skip, case
from nodes_place import CLUSTER

FIELDS = "JobID,JobIDRaw,User,Account,Cluster,State,Start,End,ElapsedRaw,AllocNodes,AllocCPUS,NTasks,Partition,JobName"
ALLOCATIONS = "select job, cluster, name, user_name, account, queue, state, start_ns, end_ns, nodes, cores from allocations"
STEPS = ("select job, step, recorded, array_job, array_index, job_name, account, queue, user_name, program, start_ns, end_ns, run_ns, "
         "processes, nodes, cores, (select job from allocations where id = allocation) from jobs")


def ask(path, statement):
    with contextlib.closing(sqlite3.connect(path)) as database:
        return sorted(database.execute(statement).fetchall(), key=str)


class Accounting:
    """Jobs of a case, and what sacct has of them."""

    def __init__(self, place):
        self.place, self.jobs = place, []

    def submit(self, name, script, *options):
        """The number of the job that runs the script."""
        path = self.place.path(name + ".sh")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/bash\n{script}\n")
        said = self.place.cluster("run", "1", "sbatch", "--parsable", "-J", name, "-o", "/dev/null", *options, path)
        self.jobs.append(said.strip())
        return self.jobs[-1]

    def sacct(self, *words, variables=()):
        return self.place.run(CLUSTER, "run", "1", "env", *variables, "sacct", "-j", ",".join(self.jobs) or "0", *words)

    def states(self):
        return sorted(line.split()[0] for line in self.sacct("-nXP", "-o", "State").stdout.splitlines())

    def keep(self, name, *words, variables=()):
        with open(self.place.path(name), "w", encoding="utf-8") as file:
            file.write(self.sacct(*words, variables=variables).stdout)


@case("what sacct prints as text and as JSON gives the same jobs, and their logs find them before and after")
def _(place):
    slurm = Accounting(place)
    if slurm.sacct().returncode != 0:
        raise Skip("Slurm keeps no accounting here")
    os.makedirs(place.path("logs"))
    logged = slurm.submit("ocean", f"srun {place.dd(place.path('logs'))}\nsrun -n1 -N1 true", "-N2", "-n4")
    slurm.submit("many", "srun true", "--array=3,5")
    slurm.submit("fails", "false")
    running = slurm.submit("runs", "sleep 300")
    try:
        place.wait_until(lambda: slurm.states() == ["COMPLETED"] * 3 + ["FAILED", "RUNNING"])
        slurm.keep("accounting.text", "-P", "-o", FIELDS, variables=("SLURM_TIME_FORMAT=%s",))
        slurm.keep("refused.json", "--json", variables=("SLURM_TIME_FORMAT=%s",))
        slurm.keep("accounting.json", "--json")
    finally:
        place.cluster("run", "1", "scancel", running)
    with open(place.path("accounting.json"), encoding="utf-8") as file:
        place.expect(len(json.load(file)["jobs"]) == 5, "JSON has five jobs")
    databases = []
    for order in (("accounting.text", "logs"), ("logs", "accounting.text"), ("accounting.json", "logs"), ("logs", "accounting.json")):
        databases.append(place.path("-".join(order) + ".db"))
        for name in order * 2:  # the second time all of it is there
            place.expect_status(place.run(place.fathom, "jobs", "add", place.path(name), "--db", databases[-1]), 0)
        answers = [ask(databases[-1], statement) for statement in (ALLOCATIONS, STEPS)]
        place.expect(list(map(len, answers)) == [5, 9], f"{order}: five jobs of nine steps, not {answers}")
        row = ask(databases[-1], "select job, step, program, cluster, nodes, cores, processes from jobs where recorded = 1")
        place.expect(row == [(logged, "0", "dd", "fathom", 2, 4, 4)], f"{order}: the step with a log is {row}")
        place.expect(answers == [ask(databases[0], statement) for statement in (ALLOCATIONS, STEPS)], f"{order} gives other rows: {answers}")
    refused = place.run(place.fathom, "jobs", "add", place.path("refused.json"), "--db", databases[0])
    place.expect_status(refused, 1)
    place.expect_message(refused, "run sacct --json without SLURM_TIME_FORMAT")
    row = ask(databases[0], "select job, step from jobs where end_ns = 0")
    place.expect(row == [(running, "batch")], f"what has no end is {row}")
