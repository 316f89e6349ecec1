#!/usr/bin/env python3
"""The preload library exports the hooks of its tables and nothing else, and needs nothing but libc and zlib, of which an old
one will do.

usage: check_exports.py LIBRARY SOURCE_FOLDER
"""
import re
import subprocess
import sys
from pathlib import Path

# The C library of RHEL 9 and Debian 12; the first in which threads and dlsym are part of it.
NEWEST_LIBC = (2, 34)
ALLOWED = {"libc.so.6", "libz.so.1", "ld-linux-x86-64.so.2"}


# Of PnetCDF, whose calls that move data have a name for each type and manner.
NUMBERS = [f"_{sign}{number}" for number in ("short", "int", "long", "longlong") for sign in ("", "u") if number != "long" or not sign]
NUMBERS += ["_schar", "_uchar", "_float", "_double"]


def pnetcdf_hooks(folder):
    names = set(re.findall(r"^PNETCDF\((\w+),", (folder / "pnetcdf_hooks.inc").read_text(), re.M))
    names |= {f"{which}_att{number}" for which in ("put", "get") for number in NUMBERS}
    forms = set(re.findall(r"^PNETCDF_FORM\((\w+),", (folder / "pnetcdf_transfer_hooks.inc").read_text(), re.M))
    for form in forms:
        for kind in ("", "_text", *NUMBERS):
            names |= {f"{which}_{form}{kind}{end}" for which in ("put", "get") for end in ("", "_all")}
            names |= {f"{which}_{form}{kind}" for which in ("iput", "bput", "iget")}
    for form in re.findall(r"^PNETCDF_FORM\((\w+),", (folder / "pnetcdf_several_hooks.inc").read_text(), re.M):
        names |= {f"{which}_{form}{kind}{end}" for which in ("mput", "mget") for kind in ("", "_text", *NUMBERS)
                  for end in ("", "_all")}
    names |= {f"{which}_vard{end}" for which in ("put", "get") for end in ("", "_all")}
    return {f"ncmpi_{name}" for name in names}


def hooks_of(library):
    names = set()
    folder = library / "hooks"
    for table in ("posix_hooks.inc", "stdio_hooks.inc", "aio_hooks.inc", "libaio_hooks.inc", "uring_hooks.inc"):
        for twin, name in re.findall(r"^HOOK(64|_OF_LIBRARY|_BYTES?|_TEXT|_BACK)?\([^,]+, (\w+),", (folder / table).read_text(), re.M):
            names |= {name, name + "64"} if twin == "64" else {name}
    for name in re.findall(r"^HOOK_MPI\((\w+),", (folder / "mpiio_hooks.inc").read_text(), re.M):
        names |= {f"MPI_{name}", f"PMPI_{name}"}
    for name in re.findall(r"^HOOK_MPI_TRANSFER\((\w+),", (folder / "mpiio_transfer_hooks.inc").read_text(), re.M):
        names |= {f"{prefix}_File_{name}{form}" for prefix in ("MPI", "PMPI") for form in ("", "_c")}
    for table in ("hdf5_hooks.inc", "hdf5_async_hooks.inc"):
        names |= set(re.findall(r"^HDF5\w*\(\w+, (\w+),", (folder / table).read_text(), re.M))
    names |= pnetcdf_hooks(folder)
    special = "".join(file.read_text() for file in folder.glob("*.cpp"))
    names |= set(re.findall(r"^(?:FATHOM_HOOK|FATHOM_BARE_HOOK|FATHOM_LIBRARY_ROW|FATHOM_LIBRARY_UNTIMED_ROW|HOOK_EARLY)\(\w+\*?, (\w+),", special, re.M))
    names |= set(re.findall(r"^FORTRAN_(?:BEGINS|ENDS)\((\w+)\)", special, re.M))
    names |= set(re.findall(r"^(?:OPEN|OPENAT|FCNTL|FINALIZE|END|ABORT)\((\w+)[,)]", special, re.M))
    for row in re.findall(r"^(?:CHECKED_)?FAMILY\(\w+, \w+, ((?:\w+, ){4})", special, re.M):
        names |= set(row.removesuffix(", ").split(", "))
    for row in re.findall(r"^TO_DESCRIPTOR\((\w+, \w+)", special, re.M):
        names |= set(row.split(", "))
    names |= set(re.findall(r"^(?:INITIALIZE|EXEC)\((\w+),", special, re.M))
    names |= set(re.findall(r'^extern "C" __attribute__\(\(visibility\("default"\)\)\) .*?(\w+)\(', special, re.M))
    assembly = special + (library / "system" / "vfork.cpp").read_text()
    names |= set(re.findall(r"^ *\.globl (\w+)", assembly, re.M))
    return names


def main():
    library, folder = sys.argv[1], Path(sys.argv[2])
    symbols = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    exported = {line.split()[-1] for line in symbols.splitlines()}
    hooks = hooks_of(folder)
    dynamic = subprocess.run(["readelf", "-d", library], check=True, capture_output=True, text=True).stdout
    needed = set(re.findall(r"NEEDED.*\[(.+)\]", dynamic))
    versions = subprocess.run(["readelf", "-VW", library], check=True, capture_output=True, text=True).stdout
    asked = {tuple(map(int, found.split("."))) for found in re.findall(r"Name: GLIBC_([0-9.]+)", versions)}
    newer = {f"GLIBC_{'.'.join(map(str, version))}" for version in asked if version > NEWEST_LIBC}
    for what, names in (("exported without a row", exported - hooks), ("a row that is not exported", hooks - exported),
                        ("needed", needed - ALLOWED), ("needed of a newer C library", newer)):
        for name in sorted(names):
            print(f"{what}: {name}")
    return 0 if exported == hooks and needed <= ALLOWED and asked and not newer else 1


if __name__ == "__main__":
    sys.exit(main())
