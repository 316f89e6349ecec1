#!/usr/bin/env python3
"""What CMake looks for is in the recipe for Spack, in docs/INSTALL.md and among the packages that scripts install.

usage: check_recipe.py SOURCES
"""
import re
import sys
from pathlib import Path

# What CMake looks for: its name in Spack, in the documentation and in Debian.
NAMES = {
    "fmt": ("fmt", "fmt", "libfmt-dev"), "nlohmann_json": ("nlohmann-json", "nlohmann-json", "nlohmann-json3-dev"),
    "ZLIB": ("zlib-api", "zlib", "zlib1g-dev"), "BZip2": ("bzip2", "bzip2", "libbz2-dev"), "libdeflate": ("libdeflate", "libdeflate", "libdeflate-dev"),
    "CLI11": ("cli11", "CLI11", "libcli11-dev"), "Eigen3": ("eigen", "Eigen", "libeigen3-dev"), "pangocairo": ("pango", "Pango", "libpango1.0-dev"),
    "cairo-svg": ("cairo", "Cairo", "libcairo2-dev"), "cairo-pdf": ("cairo", "Cairo", "libcairo2-dev"),
    "libpng": ("libpng", "libpng", "libpng-dev"), "cpp-httplib": ("cpp-httplib", "cpp-httplib", "libcpp-httplib-dev"),
    "libsodium": ("libsodium", "libsodium", "libsodium-dev"), "ncursesw": ("ncurses", "ncurses", "libncurses-dev"),
    "soci_${part}": ("soci", "SOCI", "libsoci-dev"), "PkgConfig": ("pkgconfig", "", "pkg-config"),
}
# By which a library is looked for, and what is looked for to other ends.
SEARCHES = (r"find_package\((\w+)", r"find_library\(\w*SOCI_\S+ (\S+)", r"pkg_check_modules\(\w+ REQUIRED (?:IMPORTED_TARGET |GLOBAL )*([^)]+)\)")
OTHERS = {"Threads", "Python3", "MPI", "Catch2"}


def sought(sources):
    for folder in ("", "logformat", "libinterpose", "parsers", "analyzer"):
        text = (sources / folder / "CMakeLists.txt").read_text(encoding="utf-8")
        for search in SEARCHES:
            for names in re.findall(search, text):
                yield from (name for name in names.split() if name not in OTHERS)


def main():
    sources = Path(sys.argv[1])
    recipe = (sources / "share/spack/spack_repo/fathom/packages/fathom/package.py").read_text(encoding="utf-8")
    asked = {re.split("[@+ ]", name)[0] for name in re.findall(r'depends_on\("([^"]+)"', recipe)}
    needs = re.search(r"Needs .*?;", (sources / "docs/INSTALL.md").read_text(encoding="utf-8"), re.DOTALL)[0]
    packages = re.search(r"packages_to_build=\((.*?)\)", (sources / "scripts/lib.sh").read_text(encoding="utf-8"), re.DOTALL)[1].split()
    found = set(sought(sources))
    wrong = [f"{name}: say in this script what it is called elsewhere" for name in sorted(found - NAMES.keys())]
    for name in sorted(found & NAMES.keys()):
        spack, words, debian = NAMES[name]
        wrong += [f"{name}: the recipe for Spack does not depend on {spack}"] * (spack not in asked)
        wrong += [f"{name}: docs/INSTALL.md does not name {words}"] * (words not in needs)
        wrong += [f"{name}: scripts/lib.sh does not install {debian}"] * (debian not in packages)
    if len(found) < 10:
        wrong.append(f"CMake looks for nothing but {sorted(found)}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
