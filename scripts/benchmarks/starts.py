#!/usr/bin/env python3
"""What a process that does nothing takes more under the preload library: CPU time, instructions, page faults and system calls.

Processes of one program run without a library, with an empty one, and with Fathom's, in turns; the log that is made of them later is not
part of it. Instructions are valgrind's, in user mode, the dynamic linker's included; page faults and system calls are the kernel's count.
"""
import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path


class Way:
    def __init__(self, name, library, spool):
        self.name, self.library = name, library
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith("FATHOM_")}
        if library:
            self.environment |= {"LD_PRELOAD": str(library), "FATHOM_SPOOL": str(spool), "FATHOM_COLLECT": "1"}


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (usage.ru_utime + usage.ru_stime) * 1e6, usage.ru_minflt


def run(program, way, times):
    """Microseconds of CPU and page faults of one."""
    before = used()
    for _ in range(times):
        os.waitpid(os.posix_spawn(program, [program], way.environment), 0)
    return [(now - then) / times for now, then in zip(used(), before)]


def instructions(program, way):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program], env=way.environment, capture_output=True, text=True,
                          check=True)
    return int(re.search(r"refs: +([\d,]+)", done.stderr)[1].replace(",", ""))


def system_calls(program, way):
    settings = [f"-E{key}={value}" for key, value in way.environment.items() if key == "LD_PRELOAD" or key.startswith("FATHOM_")]
    done = subprocess.run(["strace", *settings, program], capture_output=True, text=True, check=True)
    return sum(re.match(r"\w+\(", line) is not None for line in done.stderr.splitlines())


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench starts", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--against", metavar="PATH", help="another preload library, such as that of a version before")
    parser.add_argument("--program", default="/bin/true", help="default: %(default)s")
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--processes", type=int, default=40, help="in a round (default: %(default)s)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        empty = Path(folder) / "empty.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-xc", "-", "-o", empty], input="int nothing_at_all;", text=True, check=True)
        spool = Path(folder) / "spool"
        ways = [Way("without", None, spool), Way("an empty library", empty, spool),
                *([Way(options.against, options.against, spool)] if options.against else []),
                Way("fathom", options.build / "lib/libfathom.so", spool)]
        cpu, faults = {way: [] for way in ways}, {}
        for _ in range(options.rounds):
            for way in ways:
                shutil.rmtree(spool, ignore_errors=True)
                spool.mkdir()
                one, faults[way] = run(options.program, way, options.processes)
                cpu[way].append(one)
        print(f"{options.program}, {options.rounds} rounds of {options.processes}: CPU us, the quietest round and the median")
        print(f"{'':20} {'quietest':>9} {'median':>8} {'instructions':>13} {'page faults':>12} {'system calls':>13}")
        for way in ways:
            print(f"{way.name[-20:]:20} {min(cpu[way]):9.0f} {statistics.median(cpu[way]):8.0f} {instructions(options.program, way):13,} {faults[way]:12.1f} "
                  f"{system_calls(options.program, way) if shutil.which('strace') else '':>13}")


if __name__ == "__main__":
    main()
