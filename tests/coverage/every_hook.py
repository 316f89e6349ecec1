#!/usr/bin/env python3
"""Every function that the library hooks is called by some test program: their undefined symbols are looked through.

usage: every_hook.py LIBRARY FOLDER...
"""
import os
import subprocess
import sys

ASKED_BY_LIBRARIES = {"__asan_default_options"}
# What a library calls of its own, and what a program calls for it.
CALLED_THROUGH = {"NC3_get_vara": "nc_get_vara_double", "NC3_put_vara": "nc_put_vara_double", "NC3_close": "nc_close", "NC3_abort": "nc_abort"}


def symbols(file, *options):
    result = subprocess.run(["nm", "-D", *options, file], capture_output=True, text=True)
    return {line.split()[-1].split("@")[0] for line in result.stdout.splitlines() if line.strip()}


def main():
    library, folders = sys.argv[1], sys.argv[2:]
    hooks = symbols(library, "--defined-only") - ASKED_BY_LIBRARIES
    called = set()
    for folder in folders:
        for parent, _, files in os.walk(folder):
            for name in files:
                path = os.path.join(parent, name)
                if os.access(path, os.X_OK):
                    called |= symbols(path, "--undefined-only")
    called |= {name for name, through in CALLED_THROUGH.items() if through in called}
    for name in sorted(hooks - called):
        print(f"hooked, but no test program calls it: {name}")
    return 1 if hooks - called else 0


if __name__ == "__main__":
    sys.exit(main())
