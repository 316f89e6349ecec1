"""Twins: a program with one fault, and the same work with the change that the report advises for it.

What is planted in the first must be found, with the seconds that the second is faster; in the second nothing may be
found. See workloads.py for what `also` is.
"""
import array
import os
import subprocess
import wave
from dataclasses import dataclass, field

from mpis import MPICH, OPEN_MPI
from workloads import INPUTS, MIB, PYTHON, missing

KINDS = ("faulty", "repaired")


@dataclass(frozen=True)
class Twins:
    name: str
    faulty: tuple  # commands, as in Workload
    repaired: tuple
    planted: str = ""  # none: nothing is wrong with either
    also: dict = field(default_factory=dict)
    in_repaired: dict = field(default_factory=dict)  # what is true of the repaired one as well
    needs: tuple = ()
    prepare: object = None

    def missing(self, programs):
        return missing(self.needs, programs)


def zeros(folder, name, size):
    with open(os.path.join(folder, name), "wb") as file:
        file.truncate(size)


def make_input(folder):
    """In the cache, where it was just written."""
    for name, size in (("input", 64), ("constants", 16)):
        with open(os.path.join(folder, name), "wb") as file:
            for _ in range(size):
                file.write(bytes(MIB))


def make_scattered(folder):
    """On the disk, and not in the cache."""
    with open(os.path.join(folder, "scattered"), "wb") as file:
        for _ in range(128):
            file.write(os.urandom(MIB))
        file.flush()
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def make_cases(folder):
    make_input(folder)
    os.mkdir(os.path.join(folder, "lib"))
    for number in range(200):
        zeros(folder, f"case.{number}", 0)


def make_numbers(folder):
    with open(os.path.join(folder, "numbers"), "w", encoding="ascii") as file:
        file.writelines(f"{number / 7:.12f}\n" for number in range(1000000))


def make_short_numbers(folder):
    with open(os.path.join(folder, "numbers"), "w", encoding="ascii") as file:
        file.writelines(f"{number}\n" for number in range(100))


def make_samples(folder):
    os.mkdir(os.path.join(folder, "samples"))
    for number in range(3000):
        zeros(folder, os.path.join("samples", str(number)), 8192)
    zeros(folder, "samples.bin", 3000 * 8192)


def make_copies(folder):
    for name in ("samples", os.path.join("copies", "samples")):
        os.makedirs(os.path.join(folder, name))
        for number in range(20):
            zeros(folder, os.path.join(name, str(number)), 10 * MIB)
            os.utime(os.path.join(folder, name, str(number)), (number, number))


# Of cgroup v1, which limits the bytes that its processes write to a device past the system's cache.
GROUP = "/sys/fs/cgroup/blkio/fathom-twins"
GROUP_LIMIT = "file:/sys/fs/cgroup/blkio/blkio.throttle.write_bps_device"
SLOW = 40 * MIB  # bytes a second


def make_tone(folder):
    with wave.open(os.path.join(folder, "tone.wav"), "wb") as file:
        file.setparams((1, 2, 48000, 0, "NONE", ""))
        file.writeframes(array.array("h", (number * 7919 % 20011 - 10000 for number in range(4800000))).tobytes())


def make_slow_group(folder):
    os.makedirs(GROUP, exist_ok=True)
    device = os.stat(folder).st_dev
    with open(os.path.join(GROUP, "blkio.throttle.write_bps_device"), "w", encoding="ascii") as file:
        file.write(f"{os.major(device)}:{os.minor(device)} {SLOW}\n")
    os.symlink(os.path.join(GROUP, "cgroup.procs"), os.path.join(folder, "group"))


def make_text(folder):
    with open(os.path.join(folder, "text"), "w", encoding="ascii") as file:
        file.writelines(f"{number * 7919 % 1000003:09d} some words of a line\n" for number in range(1500000))


def ours(name, planted, prepare=make_input, scale=1, **more):
    command = ("{bin}/twins", name, "{kind}", str(scale))
    return Twins(name, command, command, planted, needs=("{bin}/twins",), prepare=prepare, **more)


def job(name, planted, prepare=make_cases, scale=1, mpi=OPEN_MPI, ranks=4, needs=(), **more):
    program = "{bin}/mpi_twins" + mpi.suffix
    command = (*mpi.run(ranks), program, name, "{kind}", str(scale))
    return Twins(f"{name}, {mpi.name}", command, command, planted, needs=(mpi.launcher, program, *needs), prepare=prepare,
                 **more)


def hdf5(name, planted, scale=1, **more):
    command = ("{bin}/hdf5_twins", name, "{kind}", str(scale))
    return Twins(f"HDF5, {name}", command, command, planted, needs=("{bin}/hdf5_twins",), **more)


def hdf5_inside(name, planted, scale=1, **more):
    command = ("{bin}/hdf5_twins_static", name, "{kind}", str(scale))
    return Twins(f"HDF5 inside, {name}", command, command, planted, needs=("{bin}/hdf5_twins_static",), **more)


def hdf5_of_ranks(name, planted, scale=1, mpi=OPEN_MPI, ranks=4, **more):
    program = "{bin}/hdf5_mpi_twins" + mpi.suffix
    command = (*mpi.run(ranks), program, name, "{kind}", str(scale))
    return Twins(f"HDF5, {name}, {mpi.name}", command, command, planted, needs=(mpi.launcher, program), **more)


def pnetcdf(name, planted, scale=1, mpi=OPEN_MPI, ranks=2, **more):
    program = "{bin}/pnetcdf_twins" + mpi.suffix
    command = (*mpi.run(ranks), program, name, "{kind}", str(scale))
    return Twins(f"PnetCDF, {name}, {mpi.name}", command, command, planted, needs=(mpi.launcher, program), **more)


def fortran(name, planted, **more):
    command = ("{bin}/fortran_twins", name, "{kind}")
    return Twins(f"Fortran, {name}", command, command, planted, needs=("{bin}/fortran_twins",), **more)


def python(name, planted, prepare=None, needs=(), **more):
    command = (PYTHON, "{inputs}/twins.py", name, "{kind}")
    return Twins(f"Python, {name}", command, command, planted, needs=needs, prepare=prepare, **more)


def ranks_in_python(name, planted, needs, mpi=OPEN_MPI, ranks=2):
    command = (*mpi.run(ranks), PYTHON, "{inputs}/twins.py", name, "{kind}")
    return Twins(f"Python, {name}, {mpi.name}", command, command, planted, needs=(mpi.launcher, *needs))


def shell(name, planted, faulty, repaired, prepare=None, needs=(), **more):
    return Twins(name, ("sh", "-c", faulty), ("sh", "-c", repaired), planted, needs=needs, prepare=prepare, **more)


PIECES = "its pieces are small, and a larger buffer would help as well"
MADE = "it makes many small files"
OPENED = "it has as many small datasets as before"
ONE_FOR_ALL = "one rank still reads for all, by small requests of which each takes a while there"
EXCHANGE = "on one node the exchange takes longer than it saves"

SUMS = "import asyncio, decimal, email.message, json, sys, unittest, urllib.request, xml.dom.minidom\nfor path in sys.argv[1:]: print(sum(map(int, open(path))))"
INSERTS = "i=0; while [ $i -lt 300 ]; do echo \"insert into t values($i);\"; i=$((i+1)); done"

TWINS = [
    ours("small_writes", "small_requests"),
    ours("small_reads", "small_requests"),
    ours("small_direct_writes", "small_requests", scale=2),
    ours("looked_up", "small_requests"),
    ours("random_reads", "random_access", make_scattered),
    ours("off_blocks", "misaligned", make_scattered, also={"random_access": "in no order, too"}),
    ours("fields_changed", "updates_in_place", make_scattered),
    ours("backward_reads", "random_access", make_scattered),
    ours("read_again", "redundant_reads", scale=4),
    ours("parsed_again", "redundant_reads", make_numbers),
    ours("written_again", "written_again", scale=3),
    ours("updated_in_place", "read_modify_write", scale=3, in_repaired={"written_again": "it still writes all of it in each turn"}),
    ours("through_a_file", "temporary_files"),
    ours("stats", "metadata_bound", make_cases),
    ours("failed_opens", "metadata_bound", make_cases),
    ours("appends", "open_close_churn", scale=2, also={"small_requests": PIECES}, in_repaired={"small_requests": PIECES}),
    ours("many_files", "many_files"),
    ours("characters_got", "stdio_bulk"),
    ours("characters_put", "stdio_bulk", scale=3),
    ours("unbuffered_lines", "stdio_bulk"),
    ours("flushed_lines", "frequent_syncs"),
    ours("messages", "small_messages"),
    ours("random_numbers", "small_messages"),
    ours("seeks_and_reads", ""),
    ours("formatted_numbers", "text_data", in_repaired={"text_data": "its numbers are text as before"}),
    ours("scanned_numbers", "", make_numbers, also={"text_data": "its input is text"}, in_repaired={"text_data": "its input is text"}),
    ours("synced_writes", "frequent_syncs", scale=5),
    ours("o_sync", "frequent_syncs", scale=5),
    ours("o_dsync", "frequent_syncs", scale=5),
    ours("rwf_dsync", "frequent_syncs", scale=5),
    ours("synced_files", "frequent_syncs", scale=3, also={"many_files": MADE}, in_repaired={"many_files": MADE}),
    ours("synced_folder", "frequent_syncs", scale=5, also={"many_files": MADE}, in_repaired={"many_files": MADE}),
    ours("mapped_random_reads", "mapped_faults", make_scattered, scale=2),
    ours("synced_mapping", "frequent_syncs", scale=5),
    ours("small_writes_of_threads", "small_requests", scale=2),
    ours("thread_writes", ""),
    ours("contended_lock", "lock_waits", scale=2),
    ours("waited_for_files", "polling"),
    ours("tried_lock", "polling", scale=3, in_repaired={"lock_waits": "it waits for as long as the other has the lock"}),
    ours("state_each_step", "replaced_unread"),
    ours("asked_to_stop", "metadata_bound", scale=2),
    ours("lengths_set", "metadata_bound", also={"small_requests": PIECES}),
    job("first_rank_looks", "metadata_bound"),
    job("first_rank_reads", "small_requests"),
    job("first_rank_writes", "single_process"),
    job("uneven_bytes", "byte_imbalance", scale=3),
    job("one_rank_in_pieces", "small_requests", scale=4),
    job("one_rank_syncs", "frequent_syncs"),
    job("independent_pieces", "no_collectives", in_repaired={"collective_exchange": EXCHANGE}),
    job("independent_pieces", "no_collectives", mpi=MPICH, in_repaired={"collective_exchange": EXCHANGE}),
    job("preallocated", "preallocated", ranks=2),
    job("preallocated", "preallocated", mpi=MPICH, ranks=2),
    job("views", "many_views", ranks=2),
    job("views", "many_views", mpi=MPICH, ranks=2),
    job("small_collectives", "collective_exchange"),
    job("small_collectives", "aggregators", mpi=MPICH),
    job("all_read_the_same", "redundant_reads"),
    job("opened_together", "opened_together"),
    job("merged_parts", "merged_parts"),
    job("shared_pointer", "no_collectives", ranks=2),
    job("bursts", "bursts"),
    job("turns", "small_requests"),
    job("short_turns", "small_requests"),
    job("pieces_by_turns", "small_requests"),
    job("uneven_by_turns", "byte_imbalance", also={"ranks_by_turns": "while one writes most, the others wait"}),
    job("slow_device", "stragglers", make_slow_group, needs=(GROUP_LIMIT,)),
    job("uneven_computing", ""),
    fortran("flushed_elements", "small_requests"),
    fortran("element_statements", "small_statements"),
    fortran("opened_each_time", "open_close_churn", also={"small_requests": PIECES}),
    fortran("table_again", "redundant_reads"),
    fortran("text_restarts", "text_data"),
    python("unbuffered_writes", "small_requests"),
    python("append_each", "open_close_churn"),
    python("sample_files", "many_files", make_samples, also={"redundant_reads": "it reads all of it in each epoch"}, in_repaired={"redundant_reads": "it reads all of it in each epoch"}),
    python("flushed_log", "small_requests"),
    python("temporary_copies", "temporary_files"),
    python("tasks_of_pool", "small_messages"),
    python("messages", "small_messages"),
    python("exists", "metadata_bound", make_samples),
    python("checkpoints", "frequent_syncs"),
    hdf5("small_chunks", "small_chunks"),
    hdf5("chunks_again", "chunks_again"),
    hdf5("series", "unfit_chunks", scale=2),
    hdf5("flushes", "library_flushes"),
    hdf5("attributes", "many_attributes", scale=2),
    hdf5("filters", "costly_filters"),
    hdf5("conversions", "converted_values"),
    hdf5("fill_values", "fill_values", scale=4),
    hdf5_inside("chunks_again", "redundant_reads"),
    hdf5_inside("flushes", "unseen_chunks"),
    hdf5_of_ranks("collective_metadata", "metadata_by_all", also={"many_datasets": OPENED}, in_repaired={"no_collectives": ONE_FOR_ALL, "small_requests": ONE_FOR_ALL, "many_datasets": OPENED}),
    pnetcdf("moved_header", "moved_header"),
    python("small_chunks", "", needs=("python:h5py",), also={"small_chunks": "8 MiB in chunks of 512 B cost little, but something"}),
    python("archive_each", "open_close_churn"),
    python("database_each", "open_close_churn", also={"metadata_bound": "each close renames the index"}),
    python("checksum_after", "read_back"),
    python("copied_to_name", "copied_not_renamed"),
    python("datasets_each", "many_datasets", needs=("python:h5py",)),
    python("samples_of_hdf5", "open_close_churn", needs=("python:h5py",)),
    python("variables_later", "moved_header", needs=("python:netCDF4",)),
    python("values_of_netcdf", "small_selections", needs=("python:netCDF4",)),
    python("slow_level", "deflate_level", needs=("python:h5py",)),
    python("archive_of_noise", "compressed_in_vain"),
    ranks_in_python("rows_of_ranks", "small_selections", needs=("python:h5py", "python:mpi4py")),
    python("row_by_row", "small_selections", needs=("python:h5py",)),
    python("rows_by_list", "fancy_selection", needs=("python:h5py",)),
    python("core_driver", "loaded_whole", needs=("python:h5py",)),
    shell("dd", "small_requests", "dd if=input of=out bs=256 status=none", "dd if=input of=out bs=1M status=none", make_input),
    shell("dd of zeros", "small_requests", "dd if=/dev/zero of=out bs=64 count=1000000 status=none", "dd if=/dev/zero of=out bs=1M count=61 status=none"),
    shell("sqlite3", "frequent_syncs", f"(echo 'create table t(a);'; {INSERTS}) | sqlite3 x.db",
          f"(echo 'create table t(a); begin;'; {INSERTS}; echo 'commit;') | sqlite3 x.db", needs=("sqlite3",)),
    shell("shell appends", "open_close_churn", "i=0; while [ $i -lt 60000 ]; do echo $i >> out; i=$((i+1)); done",
          "i=0; while [ $i -lt 60000 ]; do echo $i; i=$((i+1)); done > out", also={"small_requests": PIECES},
          in_repaired={"small_requests": PIECES}),
    shell("part by part", "temporary_files",
          "i=0; while [ $i -lt 12 ]; do grep -v 99$i text > part; cat part >> out; rm part; i=$((i+1)); done",
          "i=0; while [ $i -lt 12 ]; do grep -v 99$i text >> out; i=$((i+1)); done", make_text,
          also={"redundant_reads": "each reads the text again"}, in_repaired={"redundant_reads": "each reads the text again"}),
    shell("sed in a loop", "rewritten_by_tool", "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sed -i \"s/999$i/x/\" text; done",
          "sed -i $(for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo \"-e s/999$i/x/\"; done) text", make_text),
    shell("rsync", "compared_by_reading", "for i in 1 2 3 4; do rsync -ac samples copies; done",
          "for i in 1 2 3 4; do rsync -a samples copies; done", make_copies, needs=("rsync",)),
    shell("gzip between steps", "compressed_between", "for i in 1 2; do head -500000 text > part$i; gzip part$i; done; for i in 1 2; do gunzip part$i.gz; wc -l < part$i; done",
          "for i in 1 2; do head -500000 text > part$i; done; for i in 1 2; do wc -l < part$i; done", make_text),
    shell("gzip's best level", "best_compression", "gzip -9 -c text > text.gz", "gzip -1 -c text > text.gz", make_text),
    shell("xz", "best_compression", "head -200000 numbers > part; xz -c part > part.xz", "head -200000 numbers > part; xz -1 -c part > part.xz", make_numbers),
    shell("zip of noise", "compressed_in_vain", f"{PYTHON} -m zipfile -c noise.zip scattered", "cp scattered noise.zip", make_scattered),
    shell("filters one by one", "steps_by_files",
          "cut -c2- text > a; tr 0-8 1-9 < a > b; grep -v 99 b > c; sed s/some/any/ c > d; wc d; rm a b c d", "cut -c2- text | tr 0-8 1-9 | grep -v 99 | sed s/some/any/ | wc", make_text),
    shell("effects one by one", "chained_steps",
          "sox tone.wav a.wav norm -1; sox a.wav b.wav highpass 80; sox b.wav out.wav rate 16000; rm a.wav b.wav",
          "sox tone.wav out.wav norm -1 highpass 80 rate 16000", make_tone, needs=("sox",)),
    shell("python in a loop", "many_processes", f"for i in 1 2 3 4 5 6 7 8 9 10 11 12; do {PYTHON} -c '{SUMS}' numbers; done > sums",
          f"{PYTHON} -c '{SUMS}' $(yes numbers | head -12) > sums", make_short_numbers),
    shell("grep in a loop", "redundant_reads", "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do grep -c \"99$i\" text; done > counts || true",
          "seq 1 16 | sed 's/^/99/' > patterns; grep -c -f patterns text > counts", make_text),
    shell("sleep until a file is there", "polled_by_shell",
          "(head -200000 text > part; mv part found) & while [ ! -e found ]; do sleep 3; done; wc -l found",
          "(head -200000 text > part; mv part found) & wait; wc -l found", make_text),
    shell("shells by turns", "locked_by_shell",
          "for n in 1 2 3 4; do (for i in 1 2 3; do until mkdir lock 2> /dev/null; do sleep 0.4; done; seq 1 900000 | tail -1 >> all; rmdir lock; done) & done; wait",
          "for n in 1 2 3 4; do (for i in 1 2 3; do seq 1 900000 | tail -1 >> all.$n; done) & done; wait"),
    shell("sort again", "repeated_runs", "for i in 1 2 3 4; do LC_ALL=C sort -S 1G -o sorted text; done", "LC_ALL=C sort -S 1G -o sorted text", make_text),
    shell("sort", "", "sort text > sorted", "sort -S 1G text > sorted", make_text),
    shell("gzip", "", "gzip -1 -k text", "gzip -1 -k text", make_text),
    shell("awk", "", "awk '{{ n += $1 }} END {{ print n }}' text", "awk '{{ n += $1 }} END {{ print n }}' text", make_text),
]
