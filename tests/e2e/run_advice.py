#!/usr/bin/env python3
"""A report's advice is in the language of the program that was recorded.

usage: run_advice.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_advice.py --list
Exit status 77: something that the test needs is not here.
"""
import json
import shutil
import sys

import cases
from cases import Skip, case
from fathom_view import FathomView

PYTHON = "/usr/bin/python3"


class Place(cases.Place):
    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def libraries(self):
        return " ".join(row["libraries"] for row in FathomView(self.fathom, self.path("x.fathom")).tables["processes"]).split()

    def advice_on(self, finding, *command, libraries=()):
        """The lines to copy of what is found in a run of that program, which must have loaded these libraries."""
        self.expect_status(self.record(*command, options=("-q", "-o", "x.fathom")), 0)
        loaded = self.libraries()
        for library in libraries:
            self.expect(library in loaded, f"{library} is not among the libraries {loaded}")
        self.expect_status(self.run(self.fathom, "report", "x.fathom", "-o", "x.json"), 0)
        with open(self.path("x.json"), encoding="utf-8") as file:
            sections = json.load(file)["sections"]
        found = {block["id"]: block for section in sections for block in section["blocks"] if "advice" in block}
        self.expect(finding in found, f"{finding} is not among the findings {list(found)}")
        return "\n".join(line for one in found.get(finding, {"advice": ()})["advice"] for line in one["lines"])


SMALL_WRITES = 'with open("out", "wb", buffering=0) as file:\n    for at in range(400000): file.write(b"0123456789")\n'


@case("Python")
def _(place):
    if shutil.which(PYTHON) is None:
        raise Skip(f"{PYTHON} is not here")
    place.write("small.py", SMALL_WRITES)
    lines = place.advice_on("small_requests", PYTHON, "-S", "small.py")
    place.expect("buffering=4 << 20" in lines and "setvbuf" not in lines, f"the advice is {lines!r}")


@case("Python with h5py, in a program with threads")
def _(place):
    if place.run(PYTHON, "-c", "import h5py").returncode != 0:
        raise Skip("h5py is not here")
    place.write("small.py", "import h5py, threading\nthread = threading.Thread(target=print)\nthread.start()\n"
                + SMALL_WRITES.replace('"out"', '"out.h5"') + "thread.join()\n")
    lines = place.advice_on("small_requests", PYTHON, "small.py", libraries=("libc", "libhdf5"))
    place.expect("dataset[...] = array" in lines and "setvbuf" not in lines, f"the advice is {lines!r}")


@case("a shell script")
def _(place):
    place.write("small.sh", 'at=0\nwhile [ "$at" -lt 40000 ]; do echo "$at" >> out; at=$((at + 1)); done\n')
    lines = place.advice_on("open_close_churn", "sh", "small.sh")
    place.expect("done > FILE" in lines and "fflush" not in lines, f"the advice is {lines!r}")


def compiled(place, compiler, name, source):
    if shutil.which(compiler) is None:
        raise Skip(f"{compiler} is not here")
    place.write(name, source)
    built = place.run(compiler, name, "-o", "small")
    if built.returncode != 0:
        raise Skip(f"{compiler} does not work: {built.stderr}")
    return place.path("small")


@case("Fortran")
def _(place):
    program = compiled(place, "gfortran", "small.f90", """program small
  integer :: at
  open(10, file='out', form='unformatted', access='stream')
  do at = 1, 400000
    write(10) at
    flush(10)
  end do
end program
""")
    lines = place.advice_on("small_requests", program, libraries=("libc", "libgfortran"))
    place.expect("flush(unit)" in lines and "setvbuf" not in lines, f"the advice is {lines!r}")


@case("C++")
def _(place):
    program = compiled(place, "g++", "small.cpp", """#include <fstream>
int main()
{
    std::ofstream file("out");
    for (int at = 0; at < 400000; ++at) file << at << std::endl;
}
""")
    lines = place.advice_on("small_requests", program, libraries=("libc", "libstdc++"))
    place.expect("pubsetbuf" in lines and "setvbuf" not in lines, f"the advice is {lines!r}")


@case("C++, in pieces that its streams pass on by themselves")
def _(place):
    source = """#include <cstdio>
#include <fstream>
#include <string>
int main()
{
    {
        std::ofstream file("out");
        const std::string record(1100, 'x');
        std::string block;
        for (int at = 0; at < 100000; ++at) EACH
        LAST
    }
    std::string word;
    long writes = 0;
    std::ifstream io("/proc/self/io");
    while (io >> word && word != "syscw:") {}
    io >> writes;
    std::printf("%ld", writes);
}
"""
    program = compiled(place, "g++", "pieces.cpp", source.replace("EACH", "file << record;").replace("LAST", ""))
    lines = place.advice_on("small_requests", program, libraries=("libc", "libstdc++")).splitlines()
    place.expect(len(lines) == 2, f"the advice is {lines!r}")
    add, write = (line.split("//")[0] for line in lines)
    each = f"{{ {add} if (block.size() >= 4 << 20) {{ {write} block.clear(); }} }}"
    writes = place.run(compiled(place, "g++", "pieces.cpp", source.replace("EACH", each).replace("LAST", write))).stdout
    place.expect(0 < int(writes) < 40, f"{writes} writes of 105 MiB once {lines} is followed")


@case("a large buffer for a stream of C, which is then as large as the advice says")
def _(place):
    source = """#include <stdio.h>
int main(void)
{
    FILE* file = fopen("out", "w");
    BUFFER
    for (int at = 0; at < 400000; ++at) fputs("0123456789\\n", file);
    fclose(file);
    unsigned long writes = 0;
    char line[64];
    for (file = fopen("/proc/self/io", "r"); fgets(line, sizeof line, file) != NULL;) sscanf(line, "syscw: %lu", &writes);
    printf("%lu", writes);
}
"""
    lines = place.advice_on("stdio_bulk", compiled(place, "gcc", "small.c", source.replace("BUFFER", "setbuf(file, NULL);")))
    followed = [line for line in lines.splitlines() if "buffer" in line]
    place.write("followed.c", source.replace("BUFFER", "\n".join(followed)))
    built = place.run("gcc", "followed.c", "-o", "followed")
    place.expect(built.returncode == 0, f"{followed} does not compile: {built.stderr}")
    writes = place.run(place.path("followed")).stdout if built.returncode == 0 else ""
    place.expect(followed and writes == "2", f"{writes} writes of 4.2 MiB once {followed} is followed")


@case("HDF5 linked statically")
def _(place):
    program = compiled(place, "h5cc", "small.c", """#include <hdf5.h>
int main(void)
{
    const hsize_t size = 1000;
    static double values[1000];
    const hid_t file = H5Fcreate("out.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), space = H5Screate_simple(1, &size, NULL);
    const hid_t set = H5Dcreate2(file, "u", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    return H5Fclose(file) < 0;
}
""")
    if "libhdf5" in place.run("ldd", program).stdout:
        raise Skip("h5cc links HDF5 dynamically")
    place.expect_status(place.record(program, options=("-q", "-o", "x.fathom")), 0)
    loaded = place.libraries()
    place.expect("libhdf5.a" in loaded and "libhdf5" not in loaded, f"the libraries are {loaded}")
    page = place.run(place.fathom, "report", "--brief", "x.fathom").stdout
    place.expect("linked statically" in page.replace("\n", " "), f"the first page does not say so: {page}")


@case("a tool that came with the system")
def _(place):
    lines = place.advice_on("small_requests", "dd", "if=/dev/zero", "of=out", "bs=512", "count=400000", libraries=("libc",))
    place.expect(lines.startswith("dd if=INPUT of=OUTPUT bs=1M\n"), f"the advice is {lines!r}")


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
