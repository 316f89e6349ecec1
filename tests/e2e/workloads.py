"""Workloads whose faults are known: what was planted in each, what else is then equally true, and what does well.

Rules are tested with them (run_findings.py) and measured (scripts/bench findings). A finding that is neither planted nor
in `also` is wrong, so whatever stands in `also` says why it is true.
"""
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field

from mpis import MPICH, OPEN_MPI

INPUTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "inputs")
PYTHON = "/usr/bin/python3"
MIB = 1 << 20
WELL_SHARE = 0.1  # of the run, in I/O that does well in its own way
STRENGTHS = {"weak": 0.05, "medium": 0.2, "strong": 0.5}  # shares of the run that are lost


def missing(needs, programs):
    """Those that are not here."""
    absent = []
    for need in needs:
        if need.startswith("python:"):
            command = [PYTHON, "-c", f"import {need.removeprefix('python:')}"]
            if subprocess.run(command, capture_output=True, check=False).returncode != 0:
                absent.append(need)
        elif need.startswith("file:"):
            path = need.removeprefix("file:")
            if not os.access(path, os.W_OK):
                absent.append(path)
        elif shutil.which(need.format(bin=programs)) is None:
            absent.append(need)
    return absent


@dataclass(frozen=True)
class Workload:
    name: str
    command: tuple  # {bin}: folder of our test programs, {inputs}: of the inputs, {share}, {seconds}, {seed}; runs in its folder
    planted: str = ""  # id of the rule that must find something; none: nothing is wrong
    also: dict = field(default_factory=dict)  # {id: why that is true too}
    needs: tuple = ()  # programs, or Python modules as "python:NAME"
    prepare: object = None  # makes what the program needs in its folder

    def missing(self, programs):
        return missing(self.needs, programs)


def those_here(wanted, programs):
    """Of workloads, or twins, those that lack nothing; says which ones do."""
    present = []
    for one in wanted:
        if absent := one.missing(programs):
            print(f"not here, left out: {one.name} needs {', '.join(absent)}", file=sys.stderr)
        else:
            present.append(one)
    return present


# Files without content take no time to make, and are read as others are that the kernel has in its cache.
def make_inputs(folder):
    for name, size in (("input", 168 * MIB), ("large", 16384 * MIB), ("constants", 8 * MIB)):
        with open(os.path.join(folder, name), "wb") as file:
            file.truncate(size)


# One that is in the cache already: else the rank that comes first would be slower than the others.
def make_common(folder):
    make_inputs(folder)
    with open(os.path.join(folder, "common"), "w+b") as file:
        file.truncate(256 * MIB)
        while file.read(4 * MIB):
            pass


def make_tree(folder):
    make_inputs(folder)
    for number in range(200):
        open(os.path.join(folder, f"case.{number}"), "wb").close()


# One that is on the disk, and not in the cache.
def make_scattered(folder):
    make_inputs(folder)
    with open(os.path.join(folder, "scattered"), "wb") as file:
        for _ in range(128):
            file.write(os.urandom(MIB) * 4)
        file.flush()
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def make_large(folder):
    with open(os.path.join(folder, "large"), "wb") as file:
        for number in range(64):
            file.write(bytes((number * at) % 251 for at in range(4096)) * (MIB // 4096))


def make_arrays(folder):
    """By the Python that has the module: this one may be another."""
    script = "import numpy\nfor n in range(8): numpy.save(f'part{n}.npy', numpy.full((1024, 1024), n, dtype=numpy.float64))"
    subprocess.run((PYTHON, "-c", script), cwd=folder, check=True)


def faulty(fault, planted, also=None, prepare=make_inputs):
    return Workload(fault, ("{bin}/faults", fault, "{share}", "{seconds}", ".", "{seed}"), planted, also or {},
                    ("{bin}/faults",), prepare)


def faulty_job(fault, planted, also=None, mpis=(OPEN_MPI,), prepare=make_inputs):
    return [Workload(f"{fault}, {mpi.name}",
                     (*mpi.run(4), "{bin}/mpi_faults" + mpi.suffix, fault, "{share}", "{seconds}", ".", "{seed}"), planted,
                     also or {}, (mpi.launcher, "{bin}/mpi_faults" + mpi.suffix), prepare)
            for mpi in mpis]


BOTH = (OPEN_MPI, MPICH)

SMALL = "each request is of some KiB at most, and larger ones would help as well"

PLANTED = [
    faulty("small_writes", "small_requests"),
    faulty("small_reads", "small_requests"),
    faulty("random_reads", "random_access", {"small_requests": "of 4 to 16 KiB each: larger ones would help as well"}, make_scattered),
    faulty("read_again", "redundant_reads"),
    *faulty_job("every_rank_reads", "redundant_reads", prepare=make_common),
    faulty("stats", "metadata_bound", prepare=make_tree),
    faulty("name_storm", "metadata_bound", {"open_close_churn": "the marker is created, closed and removed for each case"},
           make_tree),
    faulty("many_files", "many_files", {"metadata_bound": "creating them is where the time goes"}),
    faulty("appends", "open_close_churn", {"metadata_bound": "opening and closing is where the time goes", "small_requests": SMALL}),
    *faulty_job("one_rank_syncs", "frequent_syncs", {"stragglers": "that rank takes longer than the others"}),
    *faulty_job("one_rank_writes_pieces", "small_requests", {"stragglers": "that rank takes longer than the others"}),
    *faulty_job("one_rank_writes_more", "byte_imbalance", {"stragglers": "it takes longer than the others, for its bytes"}),
    *faulty_job("one_rank_writes_all", "single_process", {"byte_imbalance": "the extreme of it: one rank has all bytes",
                                                          "stragglers": "nobody else takes any time"}, BOTH),
    *faulty_job("independent_writes", "no_collectives", {"small_requests": SMALL}, BOTH),
    *faulty_job("independent_reads", "no_collectives", {"small_requests": SMALL}, BOTH),
    # One aggregator for many nodes cannot be had on one machine. What can: aggregators that all write little at a time.
    *faulty_job("small_buffers", "aggregators", {"small_requests": "what aggregators write is of 32 KiB each"}, (MPICH,)),
    faulty("characters_put", "stdio_bulk"),
    faulty("characters_got", "stdio_bulk"),
    faulty("numbers_put", "stdio_bulk"),
    faulty("unbuffered_puts", "stdio_bulk", {"small_requests": "without a buffer each is a request of some 100 bytes"}),
    faulty("syncs", "frequent_syncs"),
    faulty("data_syncs", "frequent_syncs"),
    faulty("flock_waits", "lock_waits"),
    faulty("record_lock_waits", "lock_waits"),
    faulty("updates", "read_modify_write"),
    *faulty_job("holes", "read_modify_write", {"no_collectives": "independent calls, though a collective one would fill the holes",
                                               "lock_waits": "ROMIO locks what it reads, changes and writes"}, (MPICH,)),
    *faulty_job("bursts", "bursts"),
]

def checkpoint(mode, mpi):
    program = "{bin}/checkpoint" + mpi.suffix
    return Workload(f"checkpoint {mode}, {mpi.name}",
                    (*mpi.run(4), program, "--mode", mode, "--steps", "4", "--mib-per-rank", "4", "--transfer", "2M", "--compute-ms", "500"),
                    needs=(mpi.launcher, program))


BULK = ("create table t(a integer primary key, b text); begin; with recursive n(i) as (select 1 union all select i+1 from n "
        "where i<300000) insert into t select i, hex(i*i) from n; commit; select count(*) from t;")


def fio(name, *options):
    return Workload(f"fio, {name}", ("fio", "--name=well", "--filename=data", "--size=128M", "--bs=1M", "--rw=write", *options),
                    needs=("fio",))


WELL = [
    faulty("posix_well", ""),
    faulty("stdio_well", ""),
    faulty("reads_well", ""),
    faulty("log_lines", ""),
    faulty("processes_well", ""),
    *faulty_job("own_files_well", "", mpis=BOTH),
    *faulty_job("segments_well", ""),
    *faulty_job("collective_well", "", mpis=BOTH),
    *faulty_job("independent_well", ""),
    # On a local file system, with the blocks in memory, that costs nothing: the right answer is that nothing was lost.
    *faulty_job("misaligned", "", {"misaligned": "they are so, if only for other file systems"}),
    checkpoint("N-N", OPEN_MPI),
    checkpoint("N-M", MPICH),
    checkpoint("N-1", OPEN_MPI),
    checkpoint("N-1", MPICH),
    Workload("true", ("true",)),
    Workload("dd", ("dd", "if=/dev/zero", "of=out", "bs=1M", "count=256", "status=none")),
    Workload("cp", ("cp", "--reflink=never", "large", "copy"), prepare=make_large),
    Workload("gzip", ("gzip", "-1", "large"), needs=("gzip",), prepare=make_large),
    Workload("tar", ("tar", "-b", "2048", "-cf", "large.tar", "large"), needs=("tar",), prepare=make_large),
    Workload("tar with its usual records", ("tar", "-cf", "large.tar", "large"), needs=("tar",), prepare=make_large,
             also={"small_requests": "its records are of 10 KiB: true, and --blocking-factor helps"}),
    fio("one after the other", "--ioengine=psync"),
    fio("libaio", "--ioengine=libaio", "--iodepth=8", "--direct=1"),
    Workload("sqlite3, one transaction", ("sqlite3", "table.db", BULK), needs=("sqlite3",),
             also={"small_requests": "it writes pages of 4 KiB: true, and PRAGMA page_size helps"}),
    Workload("Python's modules", (PYTHON, "-c", "import numpy"), needs=("python:numpy",)),
    Workload("Python, loader with workers", (PYTHON, "{inputs}/loader.py"), needs=("python:numpy",), prepare=make_arrays),
    Workload("h5py, large chunks", (PYTHON, "{inputs}/large_chunks.py"), needs=("python:h5py",)),
    Workload("LAMMPS", (*OPEN_MPI.run(2), "lmp", "-in", "{inputs}/melt.in"), needs=(OPEN_MPI.launcher, "lmp")),
]

WORKLOADS = PLANTED + WELL
