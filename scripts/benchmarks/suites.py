#!/usr/bin/env python3
"""Whether other people's tests end the same when they are recorded: each runs without and with `fathom record`, and must
end with the same exit status, and as many steps that passed, failed and were skipped.

A test that ends otherwise is run again, five times each way. It differs where no recorded run ended like any run without;
else it is flaky. The suites are not part of Fathom: LTP is built by its own Makefile
(`make -C testcases/kernel/syscalls`), CPython's is the package libpython3.11-testsuite, ROMIO's are in MPICH's source (src/mpi/romio/test), perl's in its own
(t, with perl's modules in a folder lib beside it).
"""

import argparse
import collections
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

# Of LTP's folders those about files, memory and processes; others set clocks, swap, keys, mount.
LTP_FOLDERS = """
access chdir chmod chown chroot clone close close_range copy_file_range creat dup dup2 dup3 execl execle execlp execv
execve execveat execvp exit exit_group faccessat fallocate fadvise fchdir fchmod fchmodat fchown fchownat fcntl fdatasync
fgetxattr flistxattr flock fork fpathconf fsetxattr fstat fstatat fstatfs fsync ftruncate futimesat getcwd getdents
getrusage getxattr io_cancel io_destroy io_getevents io_setup io_submit io_uring kill lchown link linkat lseek lstat
madvise mincore mkdir mkdirat mknod mlock mlock2 mlockall mmap mprotect mremap msync munlock munlockall munmap nftw open
openat openat2 pathconf pause pipe pipe2 posix_fadvise prctl pread preadv preadv2 pwrite pwritev pwritev2 read readahead
readdir readlink readlinkat readv rename renameat renameat2 rmdir sbrk seccomp select sendfile setfsuid setrlimit setuid
splice stat statfs statvfs statx symlink symlinkat sync sync_file_range syncfs tee truncate umask unlink unlinkat utime
utimensat utimes vfork vmsplice wait wait4 waitid waitpid write writev
""".split()
PYTHON_TESTS = """
test_aifc test_argparse test_asyncgen test_atexit test_bz2 test_codecs test_compileall test_configparser test_contextlib
test_csv test_dbm test_dbm_dumb test_dbm_gnu test_dbm_ndbm test_devpoll test_dis test_epoll test_eof test_fcntl test_file
test_file_eintr test_filecmp test_fileinput test_fileio test_fork1 test_ftplib test_glob test_gzip test_httpservers
test_import test_interpreters test_io test_ioctl test_json test_largefile test_linecache test_locale test_logging test_lzma
test_mailbox test_mmap test_multiprocessing_fork test_multiprocessing_spawn test_openpty test_ordered_dict test_os
test_pathlib test_pickle test_pipes test_pkg test_pkgutil test_poll test_popen test_posix test_posixpath test_pty
test_py_compile test_queue test_resource test_runpy test_select test_selectors test_shelve test_shutil test_signal
test_socket test_socketserver test_sqlite3 test_stat test_subprocess test_sys test_sysconfig test_tarfile test_tempfile
test_thread test_threadedtempfile test_threading test_tokenize test_tracemalloc test_unicode_file test_univnewlines
test_venv test_wait3 test_wait4 test_wave test_xml_etree test_zipapp test_zipfile test_zipimport test_zlib
""".split()

# home: where it is started, and what is added to PATH; None: in a new folder
Test = collections.namedtuple("Test", "name command home", defaults=(None,))
# What a test says of its steps: LTP's, Python's, perl's and MPICH's ways.
STEPS = {"passed": r"\bTPASS\b|\.\.\. ok$|^ok \d|No Errors", "failed": r"\bTFAIL\b|\bTBROK\b|\.\.\. (?:FAIL|ERROR)$|^not ok \d",
         "skipped": r"\bTCONF\b|\.\.\. skipped"}


def outcome_of(test, recorded_by, patience):
    with tempfile.TemporaryDirectory(prefix="suites-", ignore_cleanup_errors=True) as folder:
        work = Path(folder, "work")
        work.mkdir()
        work.chmod(0o777)  # some become another user
        Path(folder).chmod(0o755)
        # Either way a process stands between, so that the test leads no session.
        recorder = ([recorded_by, "record", "-q", "-o", f"{folder}/log.fathom", "--"] if recorded_by
                    else ["sh", "-c", '"$@"; exit $?', "sh"])
        environment = {**os.environ, "PATH": f"{test.home or '/'}:{os.environ['PATH']}", "TMPDIR": str(work), "LC_ALL": "C.UTF-8",
                       "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        # What a test of root's mounts is gone with it.
        alone = ("unshare", "--mount") if os.geteuid() == 0 else ()
        run = subprocess.Popen((*alone, *recorder, *test.command), cwd=test.home or work, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            output, _ = run.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            for sign in (signal.SIGTERM, signal.SIGKILL):  # LTP ends its processes, which are no group of ours, at the first
                os.killpg(run.pid, sign)
                time.sleep(1)
            run.communicate()
            return "takes too long"
    text = output.decode(errors="replace")
    steps = ", ".join(f"{len(re.findall(pattern, text, re.MULTILINE))} {name}" for name, pattern in STEPS.items())
    status = run.returncode if run.returncode >= 0 else 128 - run.returncode
    return f"status {status}, {steps}"


def judge(test, fathom, patience):
    """What is printed of it, if anything, and what it is counted as."""
    without, recorded = ({outcome_of(test, by, patience)} for by in (None, fathom))
    again = 5
    while without != recorded and again > 0:
        without.add(outcome_of(test, None, patience))
        recorded.add(outcome_of(test, fathom, patience))
        again -= 1
    if len(without) == len(recorded) == 1 and without == recorded:
        outcome, = without
        works = outcome.startswith("status 0,") or " 0 passed" not in outcome
        return None, "the same" if works else "the same, and no step passes here"
    if without & recorded:
        return None, "flaky"
    return f"{' or '.join(sorted(without))}; recorded {' or '.join(sorted(recorded))}", "differ"


def tests_of(options, programs):
    if options.ltp:
        for folder in LTP_FOLDERS:
            place = options.ltp / "testcases/kernel/syscalls" / folder
            for program in sorted(place.glob("*[0-9]")):
                if os.access(program, os.X_OK):
                    yield Test(f"ltp {program.name}", (program,), place)
    for program in sorted(options.programs.iterdir()) if options.programs else ():
        if program.is_file() and os.access(program, os.X_OK):
            yield Test(program.name, (program,))
    for script in sorted(options.perl.rglob("*.t")) if options.perl else ():
        yield Test(f"perl {script.relative_to(options.perl)}", ("perl", script), options.perl)
    for source in sorted(options.romio.glob("*.c")) if options.romio else ():
        program = programs / source.stem
        if subprocess.run(("mpicc", "-w", "-o", program, source), capture_output=True, check=False).returncode == 0:
            yield Test(f"romio {source.stem}", ("mpirun", "--oversubscribe", "-np", "4", program, "-fname", "data"))
    for name in PYTHON_TESTS if options.cpython else ():
        yield Test(f"cpython {name}", ("/usr/bin/python3", "-m", "test", "-v", name))


def run_all(tests, options):
    if not tests:
        sys.exit("suites: no tests: name a suite (--ltp, --programs, --perl, --romio, --cpython)")
    sums = collections.Counter()
    with ThreadPoolExecutor(options.jobs) as pool:
        running = {pool.submit(judge, test, options.build / "bin/fathom", options.patience): test for test in tests}
        for done in as_completed(running):
            difference, kind = done.result()
            sums[kind] += 1
            if difference or kind == "flaky":
                print(f"{running[done].name}: {difference or kind}", flush=True)
    print(f"{len(tests)} tests: " + ", ".join(f"{number} {kind}" for kind, number in sums.most_common()))
    return 1 if sums["differ"] else 0


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench suites", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--ltp", type=Path, metavar="FOLDER", help="where LTP was built")
    parser.add_argument("--programs", type=Path, metavar="FOLDER", help="test programs that need no arguments")
    parser.add_argument("--perl", type=Path, metavar="FOLDER", help="tests in perl, *.t")
    parser.add_argument("--romio", type=Path, metavar="FOLDER", help="ROMIO's tests, *.c; built with mpicc")
    parser.add_argument("--cpython", action="store_true", help="CPython's tests of files, processes and threads")
    parser.add_argument("--only", metavar="REGEX", default="", help="those whose name matches")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="so many at once (default: %(default)s)")
    parser.add_argument("--patience", type=int, default=120, metavar="SECONDS", help="for one test (default: %(default)s)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="suites-programs-") as programs:
        return run_all([test for test in tests_of(options, Path(programs)) if re.search(options.only, test.name)], options)


if __name__ == "__main__":
    sys.exit(main())
