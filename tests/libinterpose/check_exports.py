#!/usr/bin/env python3
"""The preload library exports the hooks of its tables and nothing else, and needs nothing but libc and zlib.

usage: check_exports.py LIBRARY SOURCE_FOLDER
"""
import re
import subprocess
import sys
from pathlib import Path

SPECIAL = ("async_hooks.cpp", "map_hooks.cpp", "mpi_hooks.cpp", "process_hooks.cpp", "special_hooks.cpp", "syscall_hook.cpp")
ALLOWED = {"libc.so.6", "libz.so.1", "ld-linux-x86-64.so.2"}


def hooks_of(folder):
    names = set()
    for table in ("posix_hooks.inc", "stdio_hooks.inc", "aio_hooks.inc", "libaio_hooks.inc", "uring_hooks.inc"):
        for twin, name in re.findall(r"^HOOK(64|_OF_LIBRARY)?\([^,]+, (\w+),", (folder / table).read_text(), re.M):
            names |= {name, name + "64"} if twin == "64" else {name}
    for name in re.findall(r"^HOOK_MPI\((\w+),", (folder / "mpiio_hooks.inc").read_text(), re.M):
        names |= {f"MPI_File_{name}", f"PMPI_File_{name}"}
    special = "".join((folder / name).read_text() for name in SPECIAL)
    names |= set(re.findall(r"^(?:FATHOM_HOOK|HOOK_EARLY)\(\w+\*?, (\w+),", special, re.M))
    names |= set(re.findall(r"^(?:OPEN|OPENAT|FCNTL|FINALIZE|END|ABORT)\((\w+)[,)]", special, re.M))
    names |= set(re.findall(r"^(?:INITIALIZE|EXEC)\((\w+),", special, re.M))
    names |= set(re.findall(r"^ *\.globl (\w+)", (folder / "vfork.cpp").read_text(), re.M))
    return names


def main():
    library, folder = sys.argv[1], Path(sys.argv[2])
    symbols = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    exported = {line.split()[-1] for line in symbols.splitlines()}
    hooks = hooks_of(folder)
    dynamic = subprocess.run(["readelf", "-d", library], check=True, capture_output=True, text=True).stdout
    needed = set(re.findall(r"NEEDED.*\[(.+)\]", dynamic))
    for what, names in (("exported without a row", exported - hooks), ("a row that is not exported", hooks - exported),
                        ("needed", needed - ALLOWED)):
        for name in sorted(names):
            print(f"{what}: {name}")
    return 0 if exported == hooks and needed <= ALLOWED else 1


if __name__ == "__main__":
    sys.exit(main())
