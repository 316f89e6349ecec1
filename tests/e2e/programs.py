"""The programs that are run with and without us: one row each."""
import os
import re
import shutil
import subprocess
from dataclasses import dataclass

from mpis import MPICH, OPEN_MPI

MPIRUN = OPEN_MPI.run(4)
INPUTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "inputs")
PYTHON = "/usr/bin/python3"
MIB = 1 << 20


@dataclass
class Program:
    name: str
    command: tuple  # {bin}: folder of our test programs, {inputs}: of the inputs, {record}: fathom record and its options
    prepare: object = None  # makes what the program needs in a new folder
    needs: tuple = ()  # programs, or Python modules as "python:NAME", without which the test is skipped
    mask: tuple = ()  # regular expressions: lines of output and of text files that differ from run to run
    check: object = None  # gives sentences on what is wrong beyond the comparison with strace
    reads_ahead: bool = False  # it may leave what stdio read ahead in the buffer
    expected_status: int = 0


def make_files(folder):
    """Some files with content and times that are the same in every run."""
    os.makedirs(os.path.join(folder, "tree", "deeper"))
    for name, size in (("tree/empty", 0), ("tree/small", 10), ("tree/page", 4096), ("tree/deeper/large", 3 * MIB + 17)):
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(bytes(at * 7 % 251 for at in range(min(size, 5000))) * (size // 5000 + 1))
            file.truncate(size)
    for parent, folders, files in os.walk(folder):
        for name in folders + files:
            os.utime(os.path.join(parent, name), (1_600_000_000, 1_600_000_000))


def make_archive(folder):
    make_files(folder)
    for option, name in (("-cf", "tree.tar"), ("-czf", "tree.tar.gz")):
        subprocess.run(["tar", "-C", folder, option, os.path.join(folder, name), "tree"], check=True)
    shutil.rmtree(os.path.join(folder, "tree"))


def bytes_below(view, layer, folder, counter):
    return sum(counts[counter] for path, counts in view.layers[layer].items() if path.startswith(folder + "/"))


def check_checkpoint(layer, mode):
    """The bytes that the program printed are those of the log, and the report names its mode."""

    def check(run):
        found = []
        printed = dict(re.findall(r"^(write|read) bytes=(\d+)", run.stdout, re.MULTILINE))
        for phase, counter in (("write", "bytes_written"), ("read", "bytes_read")):
            got = bytes_below(run.view, layer, run.folder, counter)
            if got != int(printed[phase]):
                found.append(f"the program printed {printed[phase]} bytes in {phase}, the log's {layer} layer has {got}")
        for counter, got in run.modes().items():
            if got != mode:
                found.append(f"the report says that {counter} was {got}; it was {mode}")
        return found

    return check


def checkpoint(mode, layer, *options, inside=False, mpi=OPEN_MPI):
    program = ("{bin}/checkpoint" + mpi.suffix, "--mode", mode, "--mib-per-rank", "2", "--transfer", "256K", "--compute-ms", "0",
               "--quiet-times", "--read-back", "--sync", *options)
    where = "inside mpirun" if inside else "outside mpirun"
    where += "" if mpi is OPEN_MPI else f" of {mpi.name}"
    command = (*mpi.run(4), "{record}", *program) if inside else ("{record}", *mpi.run(4), *program)
    extra = " ".join(options).replace("--", "")
    return Program(f"checkpoint {mode}{' ' + extra if extra else ''}, fathom {where}", command,
                   needs=(mpi.launcher, "{bin}/checkpoint" + mpi.suffix), check=check_checkpoint(layer, mode))


LAMMPS_TIMES = (r"Loop time", r"^Performance", r"CPU", r"^(Pair|Neigh|Comm|Output|Modify|Other) ", r"wall time")

PROGRAMS = [
    checkpoint("N-N", "posix"),
    checkpoint("N-M", "posix"),
    checkpoint("N-1", "mpiio"),
    checkpoint("1-1", "stdio"),
    checkpoint("N-1", "posix", "--api", "posix"),
    checkpoint("N-N", "stdio", "--api", "stdio"),
    checkpoint("N-N", "mpiio", "--api", "mpiio"),
    checkpoint("N-N", "posix", inside=True),
    checkpoint("N-1", "mpiio", inside=True),
    checkpoint("N-M", "posix", mpi=MPICH),
    checkpoint("N-1", "mpiio", mpi=MPICH),
    checkpoint("N-1", "mpiio", inside=True, mpi=MPICH),
    Program("every POSIX call", ("{record}", "{bin}/posix_calls")),
    Program("every way through stdio", ("{record}", "{bin}/stdio_calls")),
    Program("dd with fsync", ("{record}", "dd", "if=/dev/zero", "of=out", "bs=64K", "count=20", "conv=fsync", "status=none")),
    Program("dd that appends", ("{record}", "sh", "-c", "dd if=tree/deeper/large of=out bs=10000 status=none && "
                                "dd if=tree/small of=out oflag=append conv=notrunc status=none"), make_files),
    Program("dd with seek and skip", ("{record}", "dd", "if=tree/deeper/large", "of=out", "bs=4K", "skip=3", "seek=5", "count=9",
                                      "conv=fdatasync", "status=none"), make_files),
    Program("cp of a tree", ("{record}", "cp", "-r", "tree", "copy"), make_files),
    Program("cp without copies by the kernel", ("{record}", "sh", "-c", "cat tree/deeper/large | cat > out; cp --sparse=always "
                                                "tree/deeper/large sparse"), make_files),
    Program("mv, ln and rm", ("{record}", "sh", "-c", "mv tree/small moved; ln moved linked; rm moved; rm -r tree"), make_files),
    Program("find, ls, chmod, touch and flock",
            ("{record}", "sh", "-c", "ln -s page tree/symbolic; ls -lR tree > /dev/null; find tree -name 's*' | sort; "
             "chmod -R u+x tree; touch -c tree/page; flock lock rmdir tree/none; cp -a tree copy"), make_files,
            needs=("find", "flock")),
    Program("tar that creates", ("{record}", "tar", "-cf", "tree.tar", "tree"), make_files, needs=("tar",)),
    Program("tar that creates and compresses", ("{record}", "tar", "-czf", "tree.tar.gz", "tree"), make_files,
            needs=("tar", "gzip")),
    Program("tar that extracts", ("{record}", "tar", "-xf", "tree.tar"), make_archive, needs=("tar",)),
    Program("tar that extracts what was compressed", ("{record}", "tar", "-xzf", "tree.tar.gz"), make_archive,
            needs=("tar", "gzip")),
    Program("a shell pipeline", ("{record}", "sh", "-c", "cat tree/page | sort > sorted; wc -c < sorted; grep -c . tree/small"),
            make_files),
    Program("text tools that use stdio's buffers by themselves",
            ("{record}", "sh", "-c", "seq 1 5000 > lines; cut -c2- lines > out; uniq lines >> out; expand lines >> out; "
             "paste lines out > pasted; (fold -w2 lines; printf x; unexpand lines; cat lines) >> pasted"),
            needs=("paste", "uniq")),
    Program("sqlite3 that fills a table",
            ("{record}", "sqlite3", "table.db", "create table t(a integer primary key, b text); begin; "
             "with recursive n(i) as (select 1 union all select i+1 from n where i<20000) "
             "insert into t select i, hex(i*i) from n; commit; update t set b='x' where a%100=0; "
             "select count(*), sum(length(b)) from t;"), needs=("sqlite3",)),
    Program("Python that reads and writes",
            ("{record}", PYTHON, "-c", "import os; f=open('text','w'); f.write('line\\n'*10000); f.close(); "
             "print(sum(1 for line in open('text'))); os.replace('text','moved'); print(os.stat('moved').st_size)"),
            needs=(PYTHON,)),
    Program("Python with worker processes",
            ("{record}", PYTHON, "{inputs}/workers.py"), needs=(PYTHON,), reads_ahead=True),
    Program("LAMMPS with dump and restart files", ("{record}", *MPIRUN, "lmp", "-in", "{inputs}/melt.in"),
            needs=(MPIRUN[0], "lmp"), mask=LAMMPS_TIMES, reads_ahead=True),
    Program("h5py with MPI", ("{record}", *MPIRUN, PYTHON, "{inputs}/shared_dataset.py", "shared.h5"),
            needs=(MPIRUN[0], "python:h5py._debian_h5py_mpi"), reads_ahead=True),
    Program("a command that fails", ("{record}", "sh", "-c", "echo before; echo trouble >&2; exit 7"), expected_status=7),
]
