#!/usr/bin/env python3
"""Runs a program that lives and ends in its own way, and compares the log with what it is known to have done.

usage: run_lives.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_lives.py --list
"""
import argparse
import errno
import os
import re
import shutil
import subprocess
import sys
from collections import namedtuple

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from fathom_view import FathomView  # noqa: E402
from mpis import MPICH, OPEN_MPI  # noqa: E402

FURTHER = "/<further files>"
NOT_OPENED = "/<files that were not opened>"
RANKS = 3

PYTHON = "/usr/bin/python3"
PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs")
ENDINGS = ("not seen", "exit", "MPI_Finalize", "running", "exec", "signal", "MPI_Abort")

# command: @bin and @library stand for the folder of the programs and for the preload library. status: the program's, as a shell's
# $?; layer and writes: how often each file was written to, in that layer (programs add lines "wrote NAME N" of their own);
# ends: how the processes of each program ended, sorted; check: more to hold; missed: calls that could not be counted, None: any;
# prints: a line of the output; environment: added to that of `fathom record`.
Life = namedtuple("Life", "command status layer writes ends check missed prints environment",
                  defaults=(0, "posix", {}, {}, None, 0, "", {}))


def ending_of(process):
    name = ENDINGS[process["ending"]]
    return name if process["status"] == -1 or name == "MPI_Finalize" and process["status"] == 0 else f"{name} {process['status']}"


def endings_of(view, program):
    return sorted(ending_of(row) for row in view.tables["processes"] if os.path.basename(row["program"]) == program)


def overflow_holds_the_rest(view):
    files = {path: counts for path, counts in view.layers["posix"].items() if counts["writes"]}
    assert sum(counts["writes"] for counts in files.values()) == 5000, "writes are missing"
    further = {path: counts for path, counts in files.items() if path.endswith(FURTHER)}
    assert len(further) == 1, "5000 files on one file system cannot all have fitted"
    (mount, counts), = further.items()
    assert os.path.ismount(mount[:-len(FURTHER)] or "/"), f"{mount} is no mount"
    names = {row["path"]: row["files"] for row in view.tables["names"]}
    assert abs(names[mount] - counts["writes"]) < 0.15 * counts["writes"], f"about {names[mount]} files, {counts['writes']} writes"
    totals = sum(row["writes"] for row in view.tables["totals"])
    assert totals == 5000, f"the totals say {totals} writes"


def programs_have_the_names_of_proc(view):
    """Programs of the system are known by how they were started: through links, for a script, by a relative path."""
    named = {row["program"] for row in view.tables["processes"]}
    expected = {os.path.realpath(path) for path in ("/bin/sh", "/bin/cat", "/bin/bash", "/bin/true", PYTHON)}
    assert named == expected, f"{named} instead of {expected}"


def all_is_counted(view):
    """Each call on files is in the record of its file, or in that of the further ones."""
    made = {kind: sum(int(times) for times in re.findall(rf"{kind} (\d+)", view.printed)) for kind in ("opens", "writes", "closes")}
    records = [record for layer in ("posix", "stdio") for record in view.tables[layer]
               if "/file." in record["path"] or record["path"].endswith(FURTHER)]
    found = {kind: sum(record[kind] for record in records) for kind in made}
    assert found == made, f"made {made}, found {found}"
    assert all(record["opens"] for record in records if "/file." in record["path"]), "a record of nothing"


def heavy_ones_are_kept(view):
    all_is_counted(view)
    streams = {os.path.basename(path): counts["writes"] for path, counts in view.layers["stdio"].items() if "/file." in path}
    assert streams == {"file.stream": 20000}, f"streams: {streams}"


def those_of_many_uses_are_kept(view):
    all_is_counted(view)
    kept = [os.path.basename(path) for path in view.layers["posix"] if "/file.all." in path]
    assert kept, "of three files that were opened 8,000 times no one has a record"


def those_not_opened_are_together(view):
    files = view.layers["posix"]
    assert sum(counts["stats"] for counts in files.values()) == 3051, "stats are missing"
    assert sum(counts["unlinks"] for counts in files.values()) == 3000, "unlinks are missing"
    together = {path: counts for path, counts in files.items() if path.endswith(NOT_OPENED)}
    assert len(together) == 1, f"counted together: {list(together)}"
    (mount, counts), = together.items()
    assert os.path.ismount(mount[:-len(NOT_OPENED)] or "/"), f"{mount} is no mount"
    row, = (row for row in view.tables["names"] if row["path"] == mount)
    assert row["kind"] == 7 and abs(row["files"] - 2750) < 0.15 * 2750, f"the row of {mount}: {row}"
    assert 240 <= len(files) <= 280, f"{len(files)} records"  # in a quarter of the room
    own = {name: files.get(os.path.join(view.inside, name)) for name in ("file.0", "file.2998", "file.2999", "folder")}
    assert None not in own.values(), f"records of their own: {own}"
    assert own["file.2998"]["stats"] >= 40 and own["file.2998"]["unlinks"] == 1, f"what is looked at often: {own['file.2998']}"
    assert own["file.2999"]["opens"] == own["file.2999"]["writes"] == 1, f"what was opened: {own['file.2999']}"


def failed_paths_are_told(view):
    told = {row["path"]: (row["calls"], row["error"], row["cause"]) for row in view.tables["failed_paths"]}
    made = {"missing/often": (100, 0, errno.ENOENT), "missing/stat": (40, 0, errno.ENOENT), "folder/stream": (10, 0, errno.ENOENT),
            "folder/below": (5, 0, errno.ENOENT), "file/below": (1, 0, errno.ENOTDIR)}
    assert told == {os.path.join(view.inside, path): row for path, row in made.items()}, f"failed paths: {told}"


def every_call_is_counted_or_missed(view):
    made = {kind: int(times) for kind, times in re.findall(r"(\w+) (\d+)", view.printed)}
    records = [record for layer in ("posix", "stdio") for record in view.tables[layer]
               if "/file." in record["path"] or record["path"].endswith(FURTHER)]
    found = {kind: sum(record.get(kind) or 0 for record in records) for kind in made}
    assert all(found[kind] <= made[kind] for kind in made), f"made {made}, found {found}"
    assert sum(found.values()) + view.missed() == sum(made.values()), f"made {made}, found {found}, missed {view.missed()}"


def first_open_is_in_its_time(view):
    """A call that is under way when there is no part yet, and after which nothing comes for a while."""
    opened, = (record for record in view.tables["posix"] if record["path"] == os.path.join(view.inside, "out"))
    process, = (row for row in view.tables["processes"] if row["process"] == opened["process"])
    assert process["start"] <= opened["first_open"], f"began at {process['start']}, opened at {opened['first_open']}"


def first_look_is_in_its_time(view):
    """The same of a call that has no time of its own in the log, with a pause and further calls behind it."""
    looked, = (record for record in view.tables["posix"] if record["path"] == os.path.join(view.inside, "out") and record["stats"])
    process, = (row for row in view.tables["processes"] if row["process"] == looked["process"])
    lived = process["end"] - process["start"]
    assert looked["metadata_time"] <= lived, f"{looked['metadata_time']} s in calls of a process that lived for {lived} s"


def nearly_all_are_counted(view):
    every_call_is_counted_or_missed(view)
    assert view.missed() < 2000, f"{view.missed()} calls were missed"


def crowds_are_counted(view):
    """A thread that was joined may be there for a moment yet, and has its place: what one of those after it does may be missed."""
    writes = sum(record["writes"] for record in view.tables["posix"])
    assert view.missed() < 80 and 8000 - view.missed() <= writes <= 8000, f"{writes} writes are counted, {view.missed()} calls missed"


def ranks_are_told_apart(view):
    processes = view.tables["processes"]
    assert sorted(row["rank"] for row in processes if row["rank"] >= 0) == [0, 1, 2], "three ranks, each once"
    by_number = {row["process"]: row for row in processes}
    for record in view.tables["stdio"]:
        if record["writes"] and "/child." in record["path"]:
            assert by_number[record["process"]]["rank"] == -1, "a forked child is no rank"
        if record["writes"] and "/after." in record["path"]:
            assert by_number[record["process"]]["rank"] == int(record["path"][-1]), "the rank that wrote it"


def why_not_gathered(view):
    return next((row["value"] for row in view.tables["job"] if row["name"] == "not_gathered"), None)


def every_end_tells_of_libraries(view):
    mute = [row["pid"] for row in view.tables["processes"] if "libc" not in row["libraries"].split()]
    assert not mute, f"no libraries are known of the processes {mute}"


def one_rank_was_recorded(view):
    ranks = [row for row in view.tables["processes"] if row["rank"] >= 0]
    assert len(ranks) == 1, "one of the two ranks was not recorded"
    assert why_not_gathered(view) == "it is not certain that every rank was recorded", why_not_gathered(view)


def a_rank_is_not_recorded(mpi):
    program = "after_finalize" + mpi.suffix
    return Life([*mpi.run(1), program, ":", "-np", "1", "env", "-u", "LD_PRELOAD", program], layer="stdio",
                check=one_rank_was_recorded, writes={"before.0": 5, "after.0": 3})


def python_ends_by(view, expected):
    found = sorted(ending_of(row) for row in view.tables["processes"] if "python" in os.path.basename(row["program"]))
    assert found == expected, f"Python ended by {found}, not {expected}"


def a_python_worker_was_killed(view):
    killed = [row for row in view.tables["processes"] if ending_of(row) == "signal 9"]
    wrote = {record["process"] for record in view.tables["posix"] if record["path"].endswith("worker.1") and record["writes"]}
    assert {row["process"] for row in killed} == wrote, f"killed: {killed}, wrote worker.1: {wrote}"


MISSING_PROGRAM = """
import subprocess
with open("out", "wb", buffering=0) as file:
    file.write(b"before")
    try:
        subprocess.run(["/nonexistent"])
    except FileNotFoundError:
        file.write(b"after")
        raise SystemExit(5)
"""

# Way to end: how the table says that it ended, and the exit status as a shell sees it.
WAYS = {"returns": ("exit 3", 3), "exit": ("exit 3", 3), "_exit": ("exit 3", 3), "_Exit": ("exit 3", 3), "quick_exit": ("exit 3", 3),
        "exit_group": ("exit 3", 3), "abort": ("signal 6", 134), "SIGTERM": ("signal 15", 143), "SIGINT": ("signal 2", 130),
        "SIGKILL": ("signal 9", 137), "SIGSEGV": ("signal 11", 139), "leaves_main": ("exit 0", 0)}


def ends_of_ways():
    for way, (ending, status) in WAYS.items():
        thread = {"thread": 5} if way == "leaves_main" else {}
        yield f"ends by {way}", Life(["ends", way], status, writes={"file": 10, **thread}, ends={"ends": [ending]})
        yield f"a forked child ends by {way}", Life(["ends", "forked", way], writes={"inherited": 18, "file": 20, **thread},
                                                    ends={"ends": sorted(["exit 0", ending])})


def goes_on_after_finalize(mpi):
    return Life([*mpi.run(RANKS), "after_finalize" + mpi.suffix], layer="stdio", check=ranks_are_told_apart,
                writes={f"{name}.{rank}": times for rank in range(RANKS)
                        for name, times in (("before", 5), ("child", 7), ("after", 3))})


def deletes_failed(view):
    failed = [record["failed"] for record in view.tables["mpiio"]]
    assert sum(failed) == RANKS, f"failed calls of MPI-IO: {failed}"
    beneath = [row["calls"] for row in view.tables["failed_paths"] if row["path"] == os.path.join(view.inside, "nothing")]
    assert beneath == [RANKS], f"calls that failed on it: {beneath}"


def a_rank_ends(way, status, *endings, writes=None, ends=None, mpi=OPEN_MPI):
    """Three ranks, of which rank 1 ends in its own way; endings: those of ranks 0 to 2, None where it may be any."""

    def check(view):
        ranks = sorted((row for row in view.tables["processes"] if row["rank"] >= 0), key=lambda row: row["rank"])
        assert [row["rank"] for row in ranks] == [0, 1, 2], f"ranks: {ranks}"
        for row, ending in zip(ranks, endings):
            assert ending in (None, ending_of(row)), f"rank {row['rank']} ended by {ending_of(row)}, not {ending}"

    return Life([*mpi.run(RANKS), "mpi_ends" + mpi.suffix, way], status, layer="stdio", check=check, ends=ends or {},
                writes={**{f"before.{rank}": 5 + rank for rank in range(3)}, **(writes or {})})


DESTRUCTORS = {"thread": 200, "key": 600, "thread_local": 201, "static": 2, "atexit": 4, "on_exit": 5}


def stacked_lives():
    """Another preload library on either side of ours: both see the same."""
    both = {"writes": {"file": 7}, "prints": "between: 2 opens 3 reads 7 writes 1 streams\n"}
    yield "another library before ours", Life(["env", "LD_PRELOAD=@bin/libbetween.so:@library", "@bin/stacked"], **both)
    yield "another library behind ours", Life(["env", "LD_PRELOAD=@library:@bin/libbetween.so", "@bin/stacked"], **both)
    yield "a library that was preloaded before", Life(["stacked"], environment={"LD_PRELOAD": "@bin/libbetween.so"}, **both)


NO_ZLIB = """
mount --bind /dev/null $(ldconfig -p | sed -n 's/.*libz.so.1 (.*x86-64.* => //p') || exit 77
exec "$@"
"""


def hidden(folder, *command):
    """The command where an empty file system lies over a folder."""
    return ["unshare", "-m", "sh", "-c", f"mount -t tmpfs none {folder} || exit 77; exec \"$@\"", "sh", *command]


# Started by a child that did nothing else, by one that did, in the place of a recorded program, and not at all.
UNSEEN = """
"$1/stacked"
(exec env -u LD_PRELOAD "$1/stacked")
sh -c 'dd if=/dev/zero of=out bs=1 count=1 status=none; exec env -i "$0/lives" at_exit' "$1"
env -u LD_PRELOAD sh -c 'exec /bin/true'
"$1/no such program" 2>/dev/null
exec 3>out
cat </dev/null >&3
env -i true
"""


def all_were_recorded(view):
    facts = {fact["name"]: fact["value"] for fact in view.tables["job"]}
    assert "not_recorded" not in facts, f"not recorded: {facts['not_recorded']}"


def the_unseen_are_named(view):
    facts = {fact["name"]: fact["value"] for fact in view.tables["job"]}
    assert facts.get("not_recorded") == "lives, sh, stacked, true", f"not recorded: {facts.get('not_recorded')}"
    assert "start" not in facts, "facts are left that were for us"


def there_is_another_log(view):
    logs = [name for name in os.listdir(view.inside) if name.startswith("hazards-") and name.endswith(".fathom")]
    assert len(logs) == 1, f"logs: {logs}"
    layers = FathomView(view.fathom, os.path.join(view.inside, logs[0])).layers
    assert layers["posix"][os.path.join(view.inside, "file")]["writes"] == 3, "the log lacks writes"


def streams_are_counted(view):
    found = {os.path.basename(path): counts["writes"] for path, counts in view.layers["stdio"].items()}
    assert found.get("unflushed") == 1, f"streams: {found}"


def name_is_as_made(view):
    found = [counts["writes"] for path, counts in view.layers["posix"].items()
             if re.fullmatch(r"made\.\w{6}", os.path.basename(path)) and "XXXXXX" not in path]
    assert found == [5], f"the file of mkstemp: {found}"


THREADS = {"shared": 4000, "own.0": 1000, "own.1": 1000, "own.2": 1000, "own.3": 1000}

LIVES = {
    "threads": Life(["lives", "threads"], writes=THREADS),
    "three thousand short threads": Life(["lives", "short_threads"], writes={"shared": 3000}),
    "a forked child": Life(["lives", "forked"], status=7, writes={"inherited": 18, "own": 20}, ends={"lives": ["exit 7", "exit 7"]}),
    "SIGKILL": Life(["lives", "killed"], status=137, writes={"file": 100}, ends={"lives": ["signal 9"]}),
    "programs of the system": Life(["sh", "-c", f"/bin/cat /dev/null; {PYTHON} -c pass; /usr/bin/ldd --version > /dev/null; cd /bin; ./true; exit 0"],
                                   check=programs_have_the_names_of_proc, missed=None),
    "more files than fit": Life(["lives", "many_files"], check=overflow_holds_the_rest),
    "heavy files without room": Life(["further", "heavy"], writes={"file.heavy": 13}, check=heavy_ones_are_kept),
    "files without room, several at once": Life(["further", "at_once"], writes={"file.twice": 12}, check=all_is_counted),
    "files without room, by threads": Life(["further", "by_threads"], check=those_of_many_uses_are_kept),
    "files without room, inherited": Life(["further", "inherited"], writes={"file.childs": 4}, check=all_is_counted),
    "files without room, mapped": Life(["further", "mapped"], check=all_is_counted),
    "files without room, SIGKILL": Life(["further", "killed"], 137, writes={"file.open": 7}, check=all_is_counted),
    "many files that are not opened": Life(["lives", "many_not_opened"], writes={"file.2999": 1}, check=those_not_opened_are_together),
    "writes at exit": Life(["lives", "at_exit"], writes={"early": 2, "late": 4}),
    "errno stays": Life(["lives", "errno_stays"], writes={"file": 1}),
    "paths of calls that failed": Life(["lives", "failed_calls"], status=137, writes={"file": 1}, check=failed_paths_are_told,
                                       environment={"FATHOM_EXCLUDE": "*.told"}),
    "closes every descriptor": Life(["lives", "closes_everything"], writes={"file": 6}),
    "a cancelled thread": Life(["lives", "cancelled"], writes={"file": 8}),
    "exec": Life(["lives", "execs"], writes={"before": 9, "early": 2, "late": 4}, ends={"lives": ["exec", "exit 0"]}),
    "bad pointers": Life(["lives", "bad_pointers"], writes={"file": 1}),
    "paths in memory that may go": Life(["lives", "paths_in_mapped_memory"], writes={"at_end": 2, "across": 3, "far": 4},
                                        check=name_is_as_made, missed=3),  # the three of which nobody can read the path
    "arguments that nobody reads": Life(["lives", "unread_arguments"], writes={"file": 3}),
    "vfork": Life(["lives", "vforks"], writes={"parent": 3, "child": 4}),
    "working folders": Life(["lives", "working_folders"],
                            writes={"file": 7, "a/file": 3, "a/b/file": 1, "a/visited": 1, "a/b/visited": 1, "a/walked": 1,
                                    "a/b/walked": 1, "a/b/of_thread": 1}),
    "a small signal stack": Life(["lives", "small_stack"], writes={"handler": 2}),
    "crowds of threads": Life(["lives", "crowds"], missed=None, check=crowds_are_counted),
    "handlers that write": Life(["lives", "handlers"], writes={"file": 1000000}),
    "handlers that jump out": Life(["lives", "jumps"], writes={"after": 20}),
    "no descriptor left to grow by": Life(["lives", "few_descriptors"], writes={"file.0": 1, "file.499": 1}),
    "descriptors that threads contend for": Life(["lives", "contested_descriptors"], missed=None, check=nearly_all_are_counted),
    "more threads at once than fit": Life(["lives", "waiting_crowd"], missed=None, check=every_call_is_counted_or_missed),
    "a program under ThreadSanitizer": Life(["lives_tsan", "threads"], writes=THREADS),
    "a program under AddressSanitizer": Life(["lives_asan", "threads"], writes=THREADS),
    "a program under AddressSanitizer that a script starts": Life(["sh", "-c", "\"$@\"; exit $?", "sh", "@bin/lives_asan_with_options",
                                                                   "threads"], writes=THREADS),
    "a program under AddressSanitizer without our environment": Life(["env", "-u", "ASAN_OPTIONS", "@bin/lives_asan", "threads"],
                                                                      writes=THREADS),
    "a rank that is not recorded": a_rank_is_not_recorded(OPEN_MPI),
    "forks among threads": Life(["hazards", "forks_among_threads"], writes={"inherited": 6000, "child": 6000},
                                ends={"hazards": ["exit 0"] * 3001}),
    **{f"memory that goes before {call} returns": Life(["vanishing", call], missed=None, prints="all went")
       for call in ("open", "fputs", "fputws", "writev")},
    "streams that daemon replaces": Life(["replaced", "daemon"], writes={"file": 15}),
    "streams that login_tty replaces": Life(["replaced", "login_tty"], writes={"file": 17}),
    "streams that forkpty replaces": Life(["replaced", "forkpty"], writes={"file": 17}),
    "fork handlers": Life(["hazards", "fork_handlers"], writes={"before fork": 20, "in parent": 20, "in child": 20}),
    "threads that are cancelled anywhere": Life(["hazards", "cancelled_often"], writes={"file": 600}),
    "exit on a small stack": Life(["hazards", "exit_on_small_stack"], writes={"file": 3}, ends={"hazards": ["exit 0"]}),
    "exit on a small stack, with a log of its own": Life(
        ["env", "-u", "FATHOM_SPOOL", "FATHOM_LOGDIR=.", "@bin/hazards", "exit_on_small_stack"], check=there_is_another_log),
    "handlers that open, write and close": Life(["hazards", "handlers_that_open"]),
    "a malloc of the program's own": Life(["own_malloc", "works"], ends={"own_malloc": ["exit 0"] * 2}),
    "a malloc on mmap": Life(["own_malloc_on_mmap", "works"], ends={"own_malloc_on_mmap": ["exit 0"] * 2}),
    "a malloc that fails": Life(["own_malloc", "fails"], writes={"file.0": 1, "file.199": 1}),
    **dict(stacked_lives()),
    "libraries that come and go": Life(["hazards", "libraries_come_and_go"], writes={"plugin": 8000}),
    "two HDF5s that come and go": Life(["hazards", "two_hdf5s"], writes={"file": 1}),
    "libraries are unloaded while it ends": Life(["hazards", "libraries_are_unloaded_at_the_end"], writes={"child": 200},
                                                 check=every_end_tells_of_libraries),
    "a library that waits for its thread": Life(["hazards", "library_that_waits"], writes={"of thread": 2}),
    "a ring that goes while a thread waits": Life(["hazards", "ring_that_goes"], writes={"after": 2}),
    "a ring that is closed and still mapped": Life(["hazards", "ring_of_the_same_number"], writes={"after": 2}),
    "a library bound deeply": Life(["hazards", "deep_binding"], writes={"plugin": 0, "main": 3}),
    "a library with a libc of its own": Life(["hazards", "another_namespace"], writes={"plugin": 0, "main": 5}),
    "the library opened by hand": Life(["hazards", "opens_the_recorder"], writes={"file": 4}),
    "the library opened late": Life(["env", "-u", "LD_PRELOAD", "FATHOM_LIBRARY_BY_HAND=@library", "@bin/hazards",
                                     "opens_the_recorder_late"], writes={"file": 0}),
    "before main": Life(["early"], writes={"preinit": 1, "kept": 5, "library": 3, "constructor": 3, "library destructor": 2}),
    "destructors": Life(["destructors"], writes=DESTRUCTORS, check=streams_are_counted),
    "a libstdc++ of the program's own": Life(["destructors_alone"], writes=DESTRUCTORS, check=streams_are_counted),
    **{f"a program that is {form.replace('_', ' ')}": Life([f"stacked_{form}"], writes={"file": 7})
       for form in ("fixed", "bound_at_start", "bound_late", "bound_to_itself")},
    "a chroot": Life(["hazards", "in_a_chroot"], writes={"before": 2, "/absolute": 3, "/relative": 4}, missed=None),
    "no /proc": Life(hidden("/proc", "@bin/lives", "threads"), writes={"shared": 4000, "own.0": 1000, "own.3": 1000}),
    "no /proc, and children": Life(hidden("/proc", "@bin/lives", "forked"), 7, writes={"inherited": 18, "own": 20}),
    "another PID namespace": Life(["unshare", "-p", "-f", "sh", "-c", '"$0" forked; exit $?', "@bin/lives"], 7, writes={"inherited": 18, "own": 20},
                                  ends={"lives": ["exit 7", "exit 7"]}),
    "no zlib": Life(["unshare", "-m", "sh", "-c", NO_ZLIB, "sh", "@bin/lives", "forked"], 7, writes={"inherited": 18, "own": 20}),
    "no /dev/shm": Life(hidden("/dev/shm", "@bin/lives", "threads"), ends={"lives": []}),
    "no descriptors at all": Life(["hazards", "no_descriptors"], writes={"file": 3}, missed=None),
    "no address space": Life(["hazards", "no_address_space"], writes={"file": 1, "file.0": 1, "file.99": 1}),
    "memory that is locked, and little of it": Life(["hazards", "locked_memory"], writes={"file.0": 1, "file.499": 1}),
    "a stack that grows into a hole": Life(["hazards", "growing_stack"], writes={"file": 1}),
    "no processes": Life(["hazards", "no_processes"], writes={"file": 1}),
    "another user": Life(["hazards", "another_user"], writes={"file": 3}),
    "a strict sandbox": Life(["sandboxes", "strict_sandbox"], writes={"file.0": 3, "file.1": 4}),
    "a sandbox that kills": Life(["sandboxes", "sandbox_that_kills"], writes={"file.0": 3, "file.1": 4}),
    "a sandbox that is set up by number": Life(["sandboxes", "sandbox_by_number"], writes={"file.0": 3, "file.1": 4}),
    "a sandbox that refuses": Life(["sandboxes", "sandbox_that_refuses"], writes={"file.0": 3, "file.1": 4}),
    "a sandbox until exit": Life(["sandboxes", "sandbox_until_exit"], missed=1,
                                 writes={"file.0": 3, "file.1": 4, "file.2": 3, "new file": 0}),
    "threads and children in a sandbox": Life(["sandboxes", "sandbox_with_threads"], writes={"file.0": 3, "file.1": 4, "file.2": 30}),
    "a rank in a sandbox": Life([*OPEN_MPI.run(RANKS), "mpi_sandbox"], layer="stdio", writes={f"file.{rank}": 2 for rank in range(3)}),
    "a sandbox that fails": Life(["sandboxes", "sandbox_that_fails"], writes={"new file": 3}),
    "without a clock": Life(["sandboxes", "without_a_clock"], writes={"file": 3, "new file": 3}),
    "little address space": Life(["sh", "-c", "ulimit -v 6000; exec \"$@\"", "sh", "@bin/stacked"], writes={"file": 7}),
    **dict(ends_of_ways()),
    "a first open that takes long": Life(
        ["strace", "-f", "-qq", "-o", "/dev/null", "-P", "out", "-e", "inject=openat,dup2:delay_enter=100000", "bash", "-c",
         "(exec true > out); exit 0"], check=first_open_is_in_its_time, missed=None),
    "a first look that takes long": Life(
        ["strace", "-f", "-qq", "-o", "/dev/null", "-P", "out", "-e", "inject=newfstatat:delay_enter=100000", "bash", "-c",
         "> out; (test -e out; read -t 0.02 < <(sleep 1); exec true > other); exit 0"], check=first_look_is_in_its_time, missed=None),
    "programs that are not recorded": Life(["sh", "-c", UNSEEN, "sh", "@bin"], check=the_unseen_are_named, missed=None),
    "every exec": Life(["ends", "execs"], writes={"before": 9, "after": 18}, ends={"ends": ["exec"] * 9 + ["exit 0"] * 10},
                       check=all_were_recorded),
    "exec that fails": Life(["ends", "exec_fails"], writes={"file": 9}, ends={"ends": ["exit 0"]}),
    "vfork with exec, a failed exec and _exit": Life(["ends", "vforks"], 137, writes={"parent": 5, "after": 2}, check=all_were_recorded,
                                                     ends={"ends": ["exit 0", "signal 9"]}),
    "posix_spawn": Life(["ends", "spawns"], writes={"parent": 3, "after": 2}, ends={"ends": ["exit 0", "exit 0"]}),
    "system()": Life(["ends", "runs_shell"], writes={"parent": 3, "child": 6}, ends={"ends": ["exit 0"], "dd": ["exit 0"]}),
    "every wait": Life(["ends", "waits"], writes={"child": 5},
                       ends={"ends": ["exit 0"] + [f"signal {number}" for number in (10, 12, 14, 15, 2)]}),
    "many children": Life(["ends", "many_children"], writes={"child": 1}, ends={"ends": ["exit 0", "signal 9"]}),
    "a daemon that ends with its parent": Life(["ends", "short_daemon"], writes={"parent": 1, "daemon": 5},
                                               ends={"ends": ["exit 0", "exit 6"]}),
    "many programs": Life(["sh", "-c", "i=0; while [ $i -lt 230 ]; do /bin/true; i=$((i + 1)); done"], check=all_were_recorded),
    "a shell pipeline": Life(["sh", "-c", "dd if=/dev/zero bs=10 count=5 status=none | dd of=out bs=10 status=none; (exit 3)"], 3,
                             writes={"out": 5}, ends={"dd": ["exit 0", "exit 0"]}),
    "timeout -s KILL": Life(["timeout", "--foreground", "-s", "KILL", "0.2", "sh", "-c",
                             "dd if=/dev/zero of=out bs=10 count=5 status=none; exec sleep 60"], 137, writes={"out": 5},
                            ends={"sleep": ["signal 9"], "dd": ["exit 0"]}),
    "Python's multiprocessing with fork": Life([PYTHON, os.path.join(PROGRAMS, "workers.py"), "fork"],
                                               writes={"worker.0": 4, "worker.1": 5}, check=a_python_worker_was_killed),
    "Python's multiprocessing with spawn": Life([PYTHON, os.path.join(PROGRAMS, "workers.py"), "spawn"],
                                                writes={"worker.0": 4, "worker.1": 5}, check=a_python_worker_was_killed),
    "Python's subprocess of a missing program": Life([PYTHON, "-c", MISSING_PROGRAM], 5, writes={"out": 2},
                                                     check=lambda view: python_ends_by(view, ["exit 5"])),
    "MPI_Abort": a_rank_ends("aborts", 3, None, "MPI_Abort 3"),
    "a file that MPI-IO cannot delete": a_rank_ends("deletes_nothing", 0)._replace(check=deletes_failed),
    "a rank that is killed": a_rank_ends("is_killed", 137, None, "signal 9"),
    "a rank without MPI_Finalize": a_rank_ends("skips_finalize", 4, None, "exit 4"),
    "a rank that fails after MPI_Finalize": a_rank_ends("fails_late", 5, "MPI_Finalize", "MPI_Finalize 5", "MPI_Finalize"),
    "a rank that crashes after MPI_Finalize": a_rank_ends("crashes_late", 139, "MPI_Finalize", "signal 11", "MPI_Finalize"),
    "children of ranks": a_rank_ends("has_children", 0, *["MPI_Finalize"] * 3,
                                     writes={f"killed.{rank}": 3 for rank in range(3)},
                                     ends={"mpi_ends": ["MPI_Finalize"] * 3 + ["signal 9"] * 3, "dd": ["exit 0"] * 3}),
    "after MPI_Finalize": goes_on_after_finalize(OPEN_MPI),
    "a rank that is not recorded, MPICH": a_rank_is_not_recorded(MPICH),
    "a rank that fails after MPI_Finalize, MPICH": a_rank_ends("fails_late", 5, "MPI_Finalize", "MPI_Finalize 5", "MPI_Finalize",
                                                              mpi=MPICH),
    "PMPI_Abort, MPICH": a_rank_ends("aborts_by_pmpi", 3, None, "MPI_Abort 3", mpi=MPICH),
    "after MPI_Finalize, MPICH": goes_on_after_finalize(MPICH),
}


class Skip(Exception):
    pass


def run(life, options, folder):
    library = os.path.join(os.path.dirname(os.path.dirname(options.fathom)), "lib", "libfathom.so")
    place = lambda word: word.replace("@bin", options.bin).replace("@library", library)  # noqa: E731
    command = [os.path.join(options.bin, word) if os.path.exists(os.path.join(options.bin, word)) else place(word)
               for word in life.command]
    log = os.path.join(folder, "log.fathom")
    inside = os.path.join(folder, "inside")
    os.makedirs(inside)
    # The smallest arena, so that filling it takes little.
    environment = {**os.environ, **{name: place(value) for name, value in life.environment.items()}}
    done = subprocess.run([options.fathom, "record", "--quiet", "--memory", "1024", "-o", log, "--"] + command, cwd=inside, timeout=120,
                          stdout=subprocess.PIPE, text=True, env=environment)
    print(done.stdout, end="")
    status = done.returncode if done.returncode >= 0 else 128 - done.returncode
    if status == 77 and life.status != 77:
        raise Skip("this system does not allow it")
    assert status == life.status, f"exit status {status}, expected {life.status}"
    view = FathomView(options.fathom, log)
    assert not view.problems, view.problems
    assert life.missed in (None, view.missed()), f"{view.missed()} calls were not counted"
    assert life.prints in done.stdout, f"not printed: {life.prints}"
    told = {name: int(times) for name, times in re.findall(r"^wrote (.+) (\d+)$", done.stdout, re.M)}
    for name, expected in {**life.writes, **told}.items():
        found = view.layers[life.layer][os.path.join(inside, name)]["writes"]
        assert found == expected, f"{name}: {found} writes in the log, {expected} made"
    for program, expected in life.ends.items():
        found = endings_of(view, program)
        assert found == expected, f"{program} ended by {found}, not {expected}"
    if life.check:
        view.fathom, view.inside, view.printed = options.fathom, inside, done.stdout
        life.check(view)


def main():
    if sys.argv[1:] == ["--list"]:
        print(";".join(LIVES), end="")
        return 0
    parser = argparse.ArgumentParser()
    for option in ("--fathom", "--bin", "--work"):
        parser.add_argument(option, required=True)
    parser.add_argument("name")
    options = parser.parse_args()
    life = LIVES[options.name]
    for mpi in (OPEN_MPI, MPICH):
        if mpi.launcher in life.command and not mpi.has(options.bin, "after_finalize"):
            print(f"skipped: no {mpi.name}")
            return 77
    for sanitized in ("lives_tsan", "lives_asan", "lives_asan_with_options"):
        if {sanitized, "@bin/" + sanitized} & set(life.command) and not os.path.exists(os.path.join(options.bin, sanitized)):
            print(f"skipped: the C compiler has not the sanitizer of {sanitized}")
            return 77
    folder = os.path.join(options.work, options.name.replace(" ", "-"))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    try:
        run(life, options, os.path.realpath(folder))
    except Skip as reason:
        print(f"skipped: {reason}")
        return 77
    return 0


if __name__ == "__main__":
    sys.exit(main())
