#!/usr/bin/env python3
"""Every system call that the library knows by number is made by a test program: their sources are looked through.

usage: every_number.py TABLE FOLDER...
"""
import re
import sys
from pathlib import Path


def main():
    table, *folders = (Path(argument) for argument in sys.argv[1:])
    rows = set(re.findall(r"^BY_NUMBER\((\w+),", table.read_text(), re.M))
    sources = "".join(source.read_text() for folder in folders for source in folder.glob("*.c"))
    called = set(re.findall(r"\bsyscall\(SYS_(\w+)", sources))
    for name in sorted(rows - called):
        print(f"in the table, but no test program calls it: {name}")
    return 0 if rows and rows <= called else 1


if __name__ == "__main__":
    sys.exit(main())
