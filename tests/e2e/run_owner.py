#!/usr/bin/env python3
"""Who ran a program, which build of it, and which job of a batch system it was: in logs of every way of recording, and in what is made of them.

usage: run_owner.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_owner.py --list
Exit status 77: something that the test needs is not here.
"""
import csv
import grp
import io
import json
import os
import pwd
import shutil
import sys

import cases
from cases import Skip, case
from fathom_view import FathomView
from mpis import OPEN_MPI
from small_program import Place

# What batch systems put into the environment of a job, and the facts that are to come of it.
SYSTEMS = {
    "Slurm": (("job_id", "SLURM_JOB_ID", "1234"), ("job_step", "SLURM_STEP_ID", "0"), ("array_job", "SLURM_ARRAY_JOB_ID", "1230"),
              ("array_index", "SLURM_ARRAY_TASK_ID", "4"), ("job_name", "SLURM_JOB_NAME", "relax"),
              ("account", "SLURM_JOB_ACCOUNT", "bio42"), ("queue", "SLURM_JOB_PARTITION", "fast"), ("job_nodes", "SLURM_JOB_NUM_NODES", "2"),
              ("node_list", "SLURM_JOB_NODELIST", "n[1-2]")),
    "LSF": (("job_id", "LSB_JOBID", "55"), ("array_index", "LSB_JOBINDEX", "3"), ("job_name", "LSB_JOBNAME", "relax[3]"),
            ("account", "LSB_PROJECT_NAME", "bio42"), ("queue", "LSB_QUEUE", "normal")),
    "PBS": (("job_id", "PBS_JOBID", "77[5].srv"), ("array_job", "PBS_ARRAY_ID", "77[].srv"), ("array_index", "PBS_ARRAY_INDEX", "5"),
            ("job_name", "PBS_JOBNAME", "relax"), ("queue", "PBS_QUEUE", "workq"), ("job_nodes", "PBS_NUM_NODES", "3")),
    "Flux": (("job_id", "FLUX_JOB_ID", "ƒ3dSybfQ3"), ("job_nodes", "FLUX_JOB_NNODES", "2")),
}
WRITER = ("dd", "if=/dev/zero", "of=data", "bs=1000", "count=30", "status=none")
OF_BATCH = ("SLURM_", "LSB_", "PBS_", "FLUX_")


def environment(system, **more):
    plain = {name: value for name, value in os.environ.items() if not name.startswith(OF_BATCH)}
    return {**plain, "USER": "somebody-else", "LOGNAME": "somebody-else", **{variable: value for _, variable, value in SYSTEMS.get(system, ())}, **more}


def facts_of_job(system):
    return {"batch_system": system, **{fact: value for fact, _, value in SYSTEMS[system]}} if system in SYSTEMS else {}


def by_number():
    return {"user": str(os.getuid()), "group": str(os.getgid())}


def by_name():
    found = by_number()
    for fact, look_up, number in (("user_name", lambda n: pwd.getpwuid(n).pw_name, os.getuid()),
                                  ("group_name", lambda n: grp.getgrgid(n).gr_name, os.getgid())):
        try:
            found[fact] = look_up(number)
        except KeyError:
            pass
    return found


ALL_FACTS = {"user", "user_name", "group", "group_name", "batch_system"} | {fact for rows in SYSTEMS.values() for fact, _, _ in rows}


def expect_facts(place, log, expected):
    rows = [(row["name"], row["value"]) for row in FathomView(place.fathom, place.path(log)).tables["job"] if row["name"] in ALL_FACTS]
    place.expect(dict(rows) == expected and len(rows) == len(expected), f"{log}: {rows} instead of {expected}")


def library(place):
    return os.path.join(os.path.dirname(os.path.dirname(place.fathom)), "lib", "libfathom.so")


def only_log(place, folder):
    names = os.listdir(place.path(folder))
    place.expect(len(names) == 1, f"{folder} holds {names}")
    return os.path.join(folder, names[0])


@case("fathom record says who ran it and the job of each batch system")
def _(place):
    for system in (*SYSTEMS, None):
        log = f"{system}.fathom"
        place.expect_status(place.record(*WRITER, options=("-q", "-o", log), env=environment(system)), 0)
        expect_facts(place, log, {**by_name(), **facts_of_job(system)})


@case("so do logs that processes leave in FATHOM_LOGDIR, and what fathom recover makes of a site's spool")
def _(place):
    for system in (*SYSTEMS, None):
        logs, spool = f"logs-{system}", f"spool-{system}"
        for folder, variable in ((logs, "FATHOM_LOGDIR"), (spool, "FATHOM_SPOOL")):
            os.makedirs(place.path(folder))
            result = place.run(*WRITER, env=environment(system, LD_PRELOAD=library(place), **{variable: place.path(folder)}))
            place.expect_status(result, 0)
        expect_facts(place, only_log(place, logs), {**by_number(), **facts_of_job(system)})
        place.expect_status(place.run(place.fathom, "recover", place.path(spool), "-o", "recovered.fathom"), 0)
        expect_facts(place, "recovered.fathom", {**by_name(), **facts_of_job(system)})


@case("Torque's array, a job of LSF without one, and a shell of Slurm without a step")
def _(place):
    for number, (variables, expected) in enumerate((
            ({"PBS_JOBID": "9-2.srv", "PBS_ARRAYID": "2"}, {"batch_system": "PBS", "job_id": "9-2.srv", "array_index": "2"}),
            ({"LSB_JOBID": "9", "LSB_JOBINDEX": "0"}, {"batch_system": "LSF", "job_id": "9"}),
            ({"SLURM_JOB_ID": "9"}, {"batch_system": "Slurm", "job_id": "9"}))):
        place.record("true", options=("-q", "-o", f"{number}.fathom"), env=environment(None, **variables))
        expect_facts(place, f"{number}.fathom", {**by_name(), **expected})


@case("a job that a recording starts is that of the log, its first where there are several")
def _(place):
    step = "SLURM_JOB_ID=7 SLURM_STEP_ID=%d dd if=/dev/zero of=data bs=10 count=1 status=none; "
    for script, expected in ((step % 0, "0"), (step % 0 + step % 1, "several")):
        place.record("sh", "-c", script + "true", options=("-q", "-o", "x.fathom"), env=environment(None))
        expect_facts(place, "x.fathom", {**by_name(), "batch_system": "Slurm", "job_id": "7", "job_step": expected})


@case("ranks' log has them too, around a launcher and inside it")
def _(place):
    if not OPEN_MPI.has(place.programs, "checkpoint"):
        raise Skip("no Open MPI here")
    # mpirun itself would take the variables for its own; its ranks have them as in a step.
    ranks = (*OPEN_MPI.run(2), "env", *(f"{variable}={value}" for _, variable, value in SYSTEMS["PBS"]))
    program = (place.program("checkpoint"), "--mode", "N-1", "--mib-per-rank", "1", "--dir", place.folder)
    fathom = (place.fathom, "record", "-q", "-o")
    for log, command in (("around.fathom", (*fathom, "around.fathom", "--", *ranks, *program)),
                         ("inside.fathom", (*ranks, *fathom, "inside.fathom", "--", *program))):
        place.expect_status(place.run(*command, env=environment(None)), 0)
        expect_facts(place, log, {**by_name(), **facts_of_job("PBS")})


@case("report, JSON, CSV and Darshan's record of the job say the same")
def _(place):
    place.record(*WRITER, options=("-q", "-o", "x.fathom"), env=environment("Slurm", SLURM_JOB_NAME='re\nlax <b>"x",y'))
    known = {**by_name(), **facts_of_job("Slurm"), "job_name": 're?lax <b>"x",y'}
    text = " ".join(place.run(place.fathom, "report", "x.fathom").stdout.split())
    said = ('batch job Slurm 1234 step 0, index 4 of array 1230, "re?lax <b>"x",y", account bio42, partition fast, 2 nodes allocated',
            f"{known.get('user_name', '')} ({known['user']})" if "user_name" in known else f"user {known['user']}")
    for words in said:
        place.expect(words in text, f"the report lacks {words!r}")
    values = json.loads(place.run(place.fathom, "report", "--format", "json", "x.fathom").stdout)["values"]
    place.expect({fact: values.get(f"job.{fact}") for fact in known} == known, f"JSON: {values}")
    page = place.run(place.fathom, "report", "--format", "html", "x.fathom").stdout
    place.expect("re?lax &lt;b&gt;" in page and "<b>\"x\"" not in page, "HTML has the name as markup")
    row = next(csv.DictReader(io.StringIO(place.run(place.fathom, "report", "x.fathom", "--csv").stdout)))
    columns = {"job": "job_id", "job_step": "job_step", "array_job": "array_job", "array_index": "array_index", "job_name": "job_name",
               "account": "account", "queue": "queue", "job_nodes": "job_nodes", "batch_system": "batch_system"}
    place.expect({column: row[column] for column in columns} == {column: known[fact] for column, fact in columns.items()}, f"CSV: {row}")
    place.expect(row["user"] == known.get("user_name", known["user"]), f"CSV: user {row['user']}")
    for source, target in (("x.fathom", "x.darshan"), ("x.darshan", "back.fathom")):
        place.expect_status(place.run(place.fathom, "convert", source, target), 0)
    expect_facts(place, "back.fathom", known)


@case("none of it is left in an anonymous log, of either form")
def _(place):
    names = {"SLURM_JOB_ID": "987654", "SLURM_ARRAY_JOB_ID": "987650", "SLURM_JOB_NAME": "secret_name", "SLURM_JOB_ACCOUNT": "secret_account",
             "SLURM_JOB_PARTITION": "secret_queue"}
    place.record(*WRITER, options=("-q", "-o", "x.fathom"), env=environment("Slurm", **names))
    for target in ("a.fathom", "a.darshan"):
        place.expect_status(place.run(place.fathom, "convert", "--anonymize", "x.fathom", target), 0)
        place.expect_status(place.run(place.fathom, "convert", target, "plain.fathom"), 0)
        dump = place.run(place.fathom, "dump", "--table", "job", "plain.fathom").stdout
        values = dict(line.split("\t")[2:4] for line in dump.splitlines() if line.startswith("job\t"))
        for secret in (*names.values(), by_name().get("user_name", "secret")):
            place.expect(secret not in values.values(), f"{target} tells {secret}: {values}")
        for fact, value in (("job_step", "0"), ("array_index", "4"), ("job_nodes", "2"), ("batch_system", "Slurm")):
            place.expect(values.get(fact) == value, f"{target}: {fact} is {values.get(fact)}")


@case("the build of a program is its build id, or else its size and when it was changed")
def _(place):
    if not shutil.which("objcopy") or not shutil.which("readelf"):
        raise Skip("no objcopy or readelf")

    def build(program):
        place.expect_status(place.record(program, "if=/dev/zero", f"of={place.path('data')}", "bs=1000", "count=30", "status=none",
                                         options=("-q", "-o", "x.fathom")), 0)
        return {row["build"] for row in FathomView(place.fathom, place.path("x.fathom")).tables["processes"]}

    notes = place.run("readelf", "-n", shutil.which("dd")).stdout
    place.expect(build("dd") == {notes.split("Build ID: ")[1].split()[0]}, f"{build('dd')} beside {notes}")
    for name in ("without", "relinked"):
        place.expect_status(place.run("objcopy", "--remove-section=.note.gnu.build-id", shutil.which("dd"), place.path(name)), 0)
        changed = 1_790_000_000 + len(name)
        os.utime(place.path(name), (0, changed))
        size = os.stat(place.path(name)).st_size
        place.expect(build(place.path(name)) == {f"{size} bytes, changed at {changed}"}, f"{name}: {build(place.path(name))}")


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
