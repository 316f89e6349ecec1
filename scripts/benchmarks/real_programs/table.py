"""The programs that `scripts/bench real` runs, one row each."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

INPUTS = Path(__file__).resolve().parent
PYTHON = "/usr/bin/python3"  # Debian's own, which has Debian's modules
MPIRUN = ("mpirun", "--oversubscribe", "-np", "2")
ADDRESS = r"\b0x[0-9a-f]+"


@dataclass(frozen=True)
class Program:
    """Output, exit status, and all files with their modes and contents are compared but for what is named to vary."""

    name: str
    packages: tuple  # Debian's
    needs: tuple  # programs, or Python's modules as "python:NAME"
    command: tuple  # {inputs}: this folder, {record}: fathom record and its options
    prepare: object = None  # makes what the program needs in a new folder
    status: int = 0  # what it exits with
    # What differs between two runs without us:
    masks: tuple = ()  # regular expressions: parts of the output and of text files
    unordered: bool = False  # the lines of its output come in any order
    contents: tuple = ()  # patterns of files whose contents vary
    left_out: tuple = ()  # patterns of files that may be there or not; what is below such a folder too
    as_nobody: bool = False  # refuses to be run by root, or is less careful then
    needs_root: bool = False


def tree(folder):
    """Text files in folders, a few megabytes, with the same times in every run."""
    for number in range(12):
        inner = folder / "tree" / f"a{number}"
        inner.mkdir(parents=True)
        for name in range(25):
            lines = (f"line {(at * 7919 + number) % 10007} of {name}\n" for at in range(20 + 37 * name))
            (inner / f"b{name}").write_text("".join(lines))
    for parent, folders, files in os.walk(folder):
        for name in folders + files:
            os.utime(os.path.join(parent, name), (1_600_000_000, 1_600_000_000))


def tree_with_hole(folder):
    tree(folder)
    with open(folder / "hole", "wb") as file:
        for at in (0, 3_000_000, 9_000_000):
            file.seek(at)
            file.write(b"data")


def data(folder):
    (folder / "data").write_bytes(bytes(at * 7 % 251 for at in range(4096)) * 2048)


def sources(folder):
    """A program in C of some files, for make and for CMake."""
    parts = range(12)
    for part in parts:
        functions = "".join(
            f"long part{part}_{at}(long n)\n{{\n    long sum = {at};\n    for (long i = 0; i < n; ++i) sum += i * {at + 1};\n"
            f'    if (n == -{at + 1}) printf("%ld %s\\n", sum, strerror((int)n));\n    return sum;\n}}\n' for at in range(40))
        (folder / f"part{part}.c").write_text(f"#include <stdio.h>\n#include <string.h>\n#include <stdlib.h>\n{functions}")
    declared = "".join(f"long part{part}_3(long n);\n" for part in parts)
    added = " + ".join(f"part{part}_3({part})" for part in parts)
    (folder / "sum.c").write_text(f'#include <stdio.h>\n{declared}int main(void)\n{{\n    printf("%ld\\n", {added});\n}}\n')
    (folder / "broken.c_").write_text("int f( { return 1; }\n")
    objects = " ".join(f"part{part}.o" for part in parts)
    (folder / "Makefile").write_text(
        f"CFLAGS = -O2 -g -pipe\nsum: sum.o libparts.a\n\t$(CC) -o $@ $^\nlibparts.a: {objects}\n\tar rcs $@ $^\n")
    names = " ".join(f"part{part}.c" for part in parts)
    (folder / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.20)\nproject(sum C)\nadd_library(parts SHARED {names})\nadd_executable(sum sum.c)\n"
        "target_link_libraries(sum parts)\nenable_testing()\nadd_test(NAME sum COMMAND sum)\n")


def compiled(compiler, source, output, *flags):
    def prepare(folder):
        subprocess.run([compiler, "-O1", "-g", "-o", folder / output, INPUTS / source, *flags], check=True)

    return prepare


def page(folder):
    items = "".join(f"<li>item {at}</li>" for at in range(500))
    (folder / "other.txt").write_text("fetched\n" * 1000)
    (folder / "page.html").write_text(
        f"<!DOCTYPE html><title>page</title><ul>{items}</ul><p id=p></p><script>\n"
        "let sum = 0; for (const one of document.querySelectorAll('li')) sum += one.textContent.length;\n"
        "document.getElementById('p').textContent = sum + ' ' + new Date(0).toISOString();\n</script>\n")


def hpcc_input(folder):
    """A small problem on a grid of one process: more of them wait for each other by spinning."""
    text = Path("/usr/share/doc/hpcc/examples/_hpccinf.txt").read_text(encoding="utf-8")
    (folder / "hpccinf.txt").write_text(re.sub("^2( +[PQ]s)", r"1\1", text.replace("\n1000 ", "\n300 ", 1), flags=re.MULTILINE))


def fio(engine, *options):
    return Program(
        f"fio, {engine}", ("fio",), ("fio",),
        ("{record}", "fio", "--name=job", "--filename=data", f"--ioengine={engine}", "--rw=randrw", "--bs=4k-64k", "--size=48M",
         "--verify=crc32c", "--do_verify=1", "--verify_fatal=1", "--allrandrepeat=1", "--fsync=200", "--iodepth=8", "--loops=2",
         "--output=figures", "--thread", *options), left_out=("figures", "*.state"), contents=("data",))  # fmt: skip


def stress(name, *stressors):
    words = [word for one in stressors for word in (f"--{one.split()[0]}", "1", f"--{one.split()[0]}-ops", one.split()[1])]
    return Program(f"stress-ng, {name}", ("stress-ng",), ("stress-ng",),
                   ("{record}", "stress-ng", "--verify", "--oomable", "--temp-path", ".", "--timeout", "60", "--hdd-bytes", "16M",
                    "--iomix-bytes", "8M", "--fallocate-bytes", "4M", "--sync-file-bytes", "4M", "--mmap-bytes", "8M",
                    "--mremap-bytes", "8M", *words),
                   masks=(r"\[\d+\]", r"in \d+\.\d+s", r"\d+\.\d+ secs"), unordered=True)  # fmt: skip


PROGRAMS = [
    Program("bash", ("bash",), ("bash",), ("{record}", "bash", "{inputs}/shell.sh"), tree, status=3),
    Program("Python", ("python3",), (PYTHON,), ("{record}", PYTHON, "{inputs}/standard_library.py"), tree),
    Program("NumPy", ("python3-numpy",), ("python:numpy",), ("{record}", PYTHON, "{inputs}/numpy_files.py")),
    # An index keeps the times and inode numbers of files.
    Program("git", ("git",), ("git",), ("{record}", "bash", "{inputs}/repository.sh"), tree, contents=("*.git/index",)),
    Program("make and gcc", ("make", "gcc"), ("make", "gcc"), ("{record}", "bash", "{inputs}/build.sh"), sources,
            masks=(r"/tmp/cc\w+",), contents=("sum_lto",)),
    Program("CMake and Ninja", ("cmake", "ninja-build", "gcc"), ("cmake", "ninja", "gcc"),
            ("{record}", "sh", "-c", "cmake -G Ninja -B build . && ninja -C build -j2 && ninja -C build test"), sources,
            masks=(r"\d+\.\d+ ?s(ec)?\b", r"^\[\d+/\d+\].*\n", r"cmTC_\w+", r"CMakeTmp/\w+", r"\(\d+\.\d+s\)"), unordered=True,
            left_out=("*/.ninja_*", "*/Testing/*", "*/CMakeFiles/CMakeScratch*", "*.log", "*.yaml")),
    Program("tar, gzip, bzip2, xz, zstd", ("tar", "gzip", "bzip2", "xz-utils", "zstd"), ("tar", "gzip", "bzip2", "xz", "zstd"),
            ("{record}", "bash", "{inputs}/compressors.sh"), tree_with_hole, contents=("snapshot", "level?.tar")),
    Program("rsync", ("rsync",), ("rsync",),
            ("{record}", "sh", "-c", "rsync -ai tree/ copy && rsync -ai tree/ copy && cp -r tree other && rm -r other/a3 && "
             "rsync -ai --checksum --delete other/ copy && rsync -aiS --inplace --link-dest=../copy tree/ linked | sort | cksum; "
             "rsync -a nowhere copy"), tree, status=23, masks=(r"\d+(?= bytes)",)),
    Program("sqlite3", ("sqlite3",), ("sqlite3",), ("{record}", "sqlite3", "-batch", "base.db", ".read {inputs}/database.sql")),
    Program("Perl", ("perl",), ("perl",), ("{record}", "perl", "{inputs}/files.pl"), tree),
    Program("Node", ("nodejs",), ("node",), ("{record}", "node", "{inputs}/files.js"), tree, status=2),
    Program("Java", ("openjdk-17-jdk-headless",), ("java", "javac"),
            ("{record}", "sh", "-c", "javac -d . {inputs}/Files.java && java -Xshare:auto Files"), tree, status=5),
    Program("find, grep, sort and the like", ("findutils", "grep", "coreutils", "diffutils", "sed", "mawk"), ("find", "awk"),
            ("{record}", "bash", "{inputs}/trees.sh"), tree),
    fio("psync"),
    fio("pvsync2"),
    fio("mmap"),
    fio("posixaio"),
    fio("libaio"),
    fio("io_uring"),
    Program("LAMMPS", ("lammps", "openmpi-bin"), ("mpirun", "lmp"),
            ("{record}", *MPIRUN, "lmp", "-in", "{inputs}/crystal.in"),
            masks=(r"^(Loop time|Performance|.*CPU|Pair|Neigh|Comm|Output|Modify|Other|.*wall time).*\n",)),
    Program("LAMMPS that starts each rank recorded", ("lammps", "openmpi-bin"), ("mpirun", "lmp"),
            (*MPIRUN, "{record}", "lmp", "-in", "{inputs}/crystal.in"),
            masks=(r"^(Loop time|Performance|.*CPU|Pair|Neigh|Comm|Output|Modify|Other|.*wall time).*\n",)),
    Program("HPCC", ("hpcc",), ("hpcc",),
            ("{record}", "sh", "-c", "hpcc && grep -E '^(Success|CommWorldProcs|HPL_N|sizeof_\\w+)=' hpccoutf.txt"),
            hpcc_input, left_out=("hpccoutf.txt",)),
    Program("MPI-IO from C, Open MPI", ("openmpi-bin", "libopenmpi-dev"), ("mpirun.openmpi", "mpicc.openmpi"),
            ("{record}", "mpirun.openmpi", *MPIRUN[1:], "./mpi_files"), compiled("mpicc.openmpi", "mpi_files.c", "mpi_files")),
    Program("MPI-IO from C, MPICH", ("mpich", "libmpich-dev"), ("mpirun.mpich", "mpicc.mpich"),
            ("{record}", "mpirun.mpich", "-np", "2", "./mpi_files"), compiled("mpicc.mpich", "mpi_files.c", "mpi_files")),
    Program("mpi4py", ("python3-mpi4py", "python3-numpy", "openmpi-bin"), ("mpirun", "python:mpi4py"),
            ("{record}", *MPIRUN, PYTHON, "{inputs}/mpi_files.py")),
    Program("h5py", ("python3-h5py-mpi", "openmpi-bin"), ("mpirun", "python:h5py._debian_h5py_mpi"),
            ("{record}", *MPIRUN, PYTHON, "{inputs}/datasets.py")),
    Program("HDF5's tools", ("hdf5-tools",), ("h5dump", "h5repack"), ("{record}", "bash", "{inputs}/hdf5_tools.sh"),
            contents=("*.h5",)),
    stress("files", "hdd 400", "iomix 300", "sendfile 400", "copy-file 100", "dir 3000", "rename 5000", "link 1", "symlink 1",
           "seek 2000", "utime 5000", "getdent 500", "fcntl 3000", "lockf 5000", "flock 5000", "fallocate 20", "sync-file 3"),
    stress("mappings and AIO", "mmap 3", "msync 2000", "aio 5000", "io-uring 5000", "readahead 50", "mremap 3"),
    stress("processes", "fork 300", "vfork 300", "clone 50", "pipe 5000", "sock 20", "splice 3000", "tee 500", "vm-splice 1000",
           "dup 20", "exec 30", "spawn 30", "daemon 30", "close 20", "pthread 50", "eventfd 1000", "poll 500"),
    Program("PostgreSQL", ("postgresql",), ("runuser", "psql"), ("{record}", "bash", "{inputs}/postgres.sh"), as_nobody=True,
            left_out=("data", "server.log"), masks=(r"restrict \w+",), contents=("kept.dump",)),
    Program("openssl, ssh-keygen, curl", ("openssl", "openssh-client", "curl"), ("openssl", "ssh-keygen", "curl"),
            ("{record}", "bash", "{inputs}/crypto.sh"), data, 
            contents=("*.pem", "signature", "login*", "text.sig", "allowed"), masks=(r"SHA256:\S+",)),
    Program("Chromium", ("chromium",), ("chromium",),
            ("{record}", "chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--user-data-dir=profile", "--dump-dom",
             "page.html"), page, masks=(r"(^\[\d+:.*\n)+", r"\d{9,}"), left_out=("profile", ".*")),
    Program("Chromium in its sandbox", ("chromium",), ("chromium",),
            ("{record}", "chromium", "--headless=new", "--disable-gpu", "--user-data-dir=profile", "--dump-dom", "page.html"),
            page, masks=(r"(^\[\d+:.*\n)+", r"\d{9,}"), left_out=("profile", ".*"), as_nobody=True),
    Program("sudo and su", ("sudo", "util-linux", "passwd"), ("sudo", "su", "passwd"), ("{record}", "bash", "{inputs}/setuid.sh"),
            lambda folder: folder.chmod(0o777), needs_root=True),
    Program("a static program", ("gcc", "libc6-dev"), ("gcc",), ("{record}", "sh", "-c", "./small; echo $?"),
            compiled("gcc", "small.c", "small", "-static", "-pthread")),
    Program("Valgrind", ("valgrind", "gcc"), ("valgrind", "gcc"), ("{record}", "bash", "{inputs}/debuggers.sh", "valgrind"),
            compiled("gcc", "small.c", "small", "-pthread"), status=3, masks=(r"==\d+==", ADDRESS, r"[\d,]+ bytes allocated")),
    Program("gdb", ("gdb", "gcc"), ("gdb", "gcc"), ("{record}", "bash", "{inputs}/debuggers.sh", "gdb"),
            compiled("gcc", "small.c", "small", "-pthread"), masks=(r"(LWP|process) \d+", ADDRESS)),
    Program("strace", ("strace", "gcc"), ("strace", "gcc"), ("{record}", "bash", "{inputs}/debuggers.sh", "strace"),
            compiled("gcc", "small.c", "small", "-pthread")),
]


def missing(need):
    if need.startswith("python:"):
        command = [PYTHON, "-c", f"import {need.removeprefix('python:')}"]
        return not shutil.which(PYTHON) or subprocess.run(command, capture_output=True, check=False).returncode != 0
    return shutil.which(need) is None
