#!/usr/bin/env python3
"""Programs of HDF5 and NetCDF, from C, Fortran and Python: what they did to which dataset, whatever becomes of them.

usage: run_hdf5.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_hdf5.py --list
Exit status 77: something that the test needs is not here.
"""
import json
import os
import re
import shutil
import signal
import sys
from collections import Counter

import cases
from cases import Place, Skip, case
from compare_with_strace import run_traced
from fathom_view import FathomView
from kernel_view import KernelView
from mpis import OPEN_MPI
from strace_output import read_calls

PYTHON = "/usr/bin/python3"
CALLS = ("opens", "creates", "closes", "reads", "writes", "failed", "bytes_read", "bytes_written")


def record(place, *command, status=0, stdin=None, log="log.fathom"):
    result = place.run(place.fathom, "record", "-q", "-o", log, "--", *command, input=stdin)
    place.expect_status(result, status)
    return result


def datasets(place, log="log.fathom", table="datasets"):
    """Counters by what is left of the path in this folder, summed over rows."""
    sums = {}
    for row in FathomView(place.fathom, place.path(log)).tables[table]:
        name = os.path.relpath(row["path"], place.folder)
        sums.setdefault(name, Counter()).update({key: value for key, value in row.items() if isinstance(value, int)})
    return sums


def expect(place, found, name, **wanted):
    row = found.get(name, {})
    got = {key: row.get(key) for key in wanted}
    place.expect(got == wanted, f"{name}: {got} instead of {wanted}; there is {sorted(found)}")


def program(place):
    path = place.program("hdf5_lives")
    if not os.path.exists(path):
        raise Skip("HDF5 is missing (Debian package libhdf5-dev)")
    return path


@case("20,000 datasets lose none of their totals")
def many_datasets(place):
    n = 20000
    record(place, program(place), "many", str(n))
    found = datasets(place)
    of_all = sum(found.values(), Counter())
    for counter, wanted in (("creates", n), ("writes", n), ("closes", n), ("bytes_written", 16 * n)):
        place.expect(of_all[counter] == wanted, f"{counter}: {of_all[counter]} instead of {wanted}")
    others = found.get("many.h5:<other datasets>", {})
    place.expect(0 < others.get("writes", 0) < n and len(found) > 500, f"{len(found)} rows, others: {others}")
    names = {row["path"]: row["files"] for row in FathomView(place.fathom, place.path("log.fathom")).tables["names"]}
    told = names[place.path("many.h5:<other datasets>")]
    place.expect(abs(told - others["writes"]) < 0.15 * n, f"stands for about {told} datasets, {others['writes']} writes")


@case("a killed program keeps what it wrote")
def killed(place):
    record(place, program(place), "killed", "777", status=-signal.SIGKILL)
    expect(place, datasets(place), "killed.h5:/data", creates=1, writes=777, bytes_written=16 * 777, closes=0)


@case("datasets that are left open, and those that are closed too early")
def left_open(place):
    result = record(place, program(place), "left_open")
    place.expect(result.stderr == "", f"errors {result.stderr!r}")
    found = datasets(place)
    expect(place, found, "left.h5:/left", creates=1, writes=1, closes=0)
    expect(place, found, "left.h5:/closed", creates=1, writes=1, closes=1)


@case("HDF5 begins again after its end")
def again(place):
    record(place, program(place), "again_after_the_end")
    expect(place, datasets(place), "again.h5:/data", creates=3, writes=6, bytes_written=96)


@case("what callbacks of HDF5 do is no call of the program's own")
def callbacks(place):
    record(place, program(place), "in_callbacks")
    found = datasets(place)
    expect(place, found, "callbacks.h5:/data", reads=1, writes=1)
    expect(place, found, "callbacks.h5:/other", writes=2)


@case("threads that write to datasets of their own and to one together")
def threads(place):
    record(place, program(place), "threads", "500")
    found = datasets(place)
    for one in range(4):
        expect(place, found, f"threads.h5:/own.{one}", creates=1, writes=500, closes=1, bytes_written=8000)
    expect(place, found, "threads.h5:/all", creates=1, writes=2000, closes=1, bytes_written=32000)


@case("a version whose ids are ints (1.8)")
def narrow_ids(place):
    record(place, place.program("user_of_hdf5_1_8"))
    expect(place, datasets(place), "other.h5:/data", creates=1, writes=3, closes=1, whole=3, element_bytes=4, bytes_written=120, failed=0)
    expect(place, datasets(place, table="data_files"), "other.h5", creates=1, closes=1, version=1008000)


@case("a connector that opens files later is asked nothing (1.14)")
def later(place):
    record(place, place.program("user_of_hdf5_1_14"))
    expect(place, datasets(place), "other.h5:/data", creates=1, writes=3, closes=1, unknown_selections=3, bytes_written=0, failed=0)
    expect(place, datasets(place, table="data_files"), "other.h5", creates=1, closes=1, version=1014000)


H5PY = """
import h5py, numpy, sys
with h5py.File("data.h5", "w") as f:
    x = f.create_dataset("group/x", (100, 50), dtype="f8", chunks=(10, 50), compression="gzip", shuffle=True)
    for i in range(10):
        x[10 * i:10 * (i + 1), :] = i
    f["named later"] = numpy.arange(10, dtype="i4")
    f.attrs["of the file"] = 3
    f["group"].attrs["of the group"] = 4
with h5py.File("data.h5") as f:
    x = f["group/x"]
    assert x[:].sum() == 22500 and x[::2, 3].sum() == 225
    x[numpy.array([1, 2, 5]), :]
    assert f["named later"][3] == 3 and f.attrs["of the file"] == 3
"""


@case("h5py")
def h5py(place):
    if place.run(PYTHON, "-c", "import h5py").returncode != 0:
        raise Skip("h5py is missing (Debian package python3-h5py)")
    record(place, PYTHON, "-", stdin=H5PY)
    found, files = datasets(place), datasets(place, table="data_files")
    expect(place, found, "data.h5:/group/x", creates=1, opens=1, writes=10, bytes_written=40000, reads=3,
           bytes_read=8 * (5000 + 50 + 150), regular=12, irregular=1, layout=3, filters=6, chunk_1=10, chunk_2=50)
    expect(place, found, "data.h5:/named later", creates=1, writes=1, bytes_written=40, opens=1, reads=1, bytes_read=4)
    expect(place, files, "data.h5", creates=1, opens=1, closes=2, attribute_creates=2, attribute_writes=2, attribute_reads=1)


PARALLEL = """
from mpi4py import MPI
import h5py, numpy
comm = MPI.COMM_WORLD
with h5py.File("data.h5", "w", driver="mpio", comm=comm) as f:
    x = f.create_dataset("x", (4 * comm.size, 8), dtype="f8")
    mine = slice(4 * comm.rank, 4 * comm.rank + 4)
    with x.collective:
        x[mine, :] = numpy.ones((4, 8))
    x[mine, :] = numpy.ones((4, 8))
"""


@case("h5py with MPI")
def h5py_with_mpi(place):
    if not shutil.which(OPEN_MPI.launcher) or place.run(PYTHON, "-c", "import mpi4py, h5py; assert h5py.get_config().mpi",
                                                        env={**os.environ, "OMPI_COMM_WORLD_SIZE": "1"}).returncode != 0:
        raise Skip("h5py with MPI is missing (Debian packages python3-h5py-mpi, python3-mpi4py)")
    with open(place.path("program.py"), "w") as file:
        file.write(PARALLEL)
    record(place, *OPEN_MPI.run(2), PYTHON, "program.py")
    expect(place, datasets(place), "data.h5:/x", creates=2, writes=4, collective_writes=2, bytes_written=4 * 4 * 8 * 8,
           mpiio_writes=4, mpiio_collective_writes=2, mpiio_bytes_written=4 * 4 * 8 * 8, processes=2)
    expect(place, datasets(place, table="data_files"), "data.h5", creates=2, collective_opens=2, driver=6)


FORTRAN = """
program writes
  use hdf5
  integer(hid_t) :: file, space, dataset
  integer(hsize_t) :: extent(2) = (/6, 4/)
  integer :: error, values(6, 4) = 7, i
  call h5open_f(error)
  call h5fcreate_f("data.h5", H5F_ACC_TRUNC_F, file, error)
  call h5screate_simple_f(2, extent, space, error)
  call h5dcreate_f(file, "x", H5T_NATIVE_INTEGER, space, dataset, error)
  do i = 1, 5
    call h5dwrite_f(dataset, H5T_NATIVE_INTEGER, values, extent, error)
  end do
  call h5dread_f(dataset, H5T_NATIVE_INTEGER, values, extent, error)
  call h5dclose_f(dataset, error)
  call h5sclose_f(space, error)
  call h5fclose_f(file, error)
  call h5close_f(error)
end program
"""


@case("Fortran")
def fortran(place):
    if not shutil.which("h5fc") or not shutil.which("gfortran"):
        raise Skip("HDF5's Fortran compiler is missing (Debian packages libhdf5-dev, gfortran)")
    with open(place.path("writes.f90"), "w") as file:
        file.write(FORTRAN)
    place.expect_status(place.run("h5fc", "-shlib", "-o", "writes", "writes.f90"), 0)
    record(place, "./writes")
    expect(place, datasets(place), "data.h5:/x", creates=1, writes=5, reads=1, closes=1, whole=6, bytes_written=5 * 96,
           bytes_read=96, dimensions_1=4, dimensions_2=6)


@case("an HDF5 that is linked into the program")
def static(place):
    if not shutil.which("h5fc") or not shutil.which("gfortran"):
        raise Skip("HDF5's Fortran compiler is missing (Debian packages libhdf5-dev, gfortran)")
    with open(place.path("writes.f90"), "w") as file:
        file.write(FORTRAN)
    place.expect_status(place.run("h5fc", "-noshlib", "-o", "writes", "writes.f90"), 0)
    result = record(place, "./writes")
    view = FathomView(place.fathom, place.path("log.fathom"))
    place.expect(result.stderr == "" and view.layers["posix"][place.path("data.h5")]["writes"] > 0, "the program wrote nothing")
    place.expect(view.tables["datasets"] == [], "calls that nobody could see")


NETCDF = """
import netCDF4, numpy
with netCDF4.Dataset("data.nc", "w") as f:
    f.createDimension("t", None)
    f.createDimension("x", 6)
    v = f.createVariable("v", "f8", ("t", "x"), chunksizes=(2, 6), zlib=True)
    for step in range(4):
        v[step, :] = numpy.arange(6.0)
with netCDF4.Dataset("data.nc") as f:
    assert f["v"][:].sum() == 60
"""


@case("NetCDF-4 by what it does in HDF5")
def netcdf(place):
    if place.run(PYTHON, "-c", "import netCDF4").returncode != 0:
        raise Skip("netCDF4-python is missing (Debian package python3-netcdf4)")
    record(place, PYTHON, "-", stdin=NETCDF)
    expect(place, datasets(place), "data.nc:/v", creates=1, writes=4, extensions=4, bytes_written=4 * 48, reads=1, bytes_read=4 * 48,
           opens=1, layout=3, filters=6, chunk_1=2, chunk_2=6, dimensions_1=4, dimensions_2=6)


@case("layouts are those that h5dump shows")
def layouts(place):
    if not shutil.which("h5dump") or place.run(PYTHON, "-c", "import h5py").returncode != 0:
        raise Skip("h5dump or h5py is missing (Debian packages hdf5-tools, python3-h5py)")
    record(place, PYTHON, "-", stdin=H5PY)
    text = place.run("h5dump", "-p", "-H", "-d", "/group/x", "data.h5").stdout
    chunk = [int(n) for n in re.search(r"CHUNKED \( ([\d, ]+) \)", text)[1].split(",")]
    extent = [int(n) for n in re.search(r"SIMPLE \{ \( ([\d, ]+) \)", text)[1].split(",")]
    place.expect("SHUFFLE" in text and "DEFLATE" in text, text)
    expect(place, datasets(place), "data.h5:/group/x", layout=3, chunk_rank=len(chunk), chunk_1=chunk[0], chunk_2=chunk[1],
           dimensions_rank=len(extent), dimensions_1=extent[0], dimensions_2=extent[1], filters=2 + 4)


# Requests larger than HDF5's buffers, so that each goes on as it is, while the dataset is open.
BENEATH = """
import h5py
with h5py.File("beneath.h5", "w") as file:
    plain = file.create_dataset("plain", (1 << 18,), "f8")
    chunked = file.create_dataset("chunked", (16, 1 << 17), "f8", chunks=(2, 1 << 17))
    for at in range(0, 1 << 18, 1 << 16):
        plain[at:at + (1 << 16)] = at
    for row in range(0, 16, 2):
        chunked[row:row + 2] = row
with h5py.File("beneath.h5") as file:
    for at in range(0, 1 << 18, 1 << 15):
        file["plain"][at:at + (1 << 15)]
    file["chunked"][3:9]
"""
WHERE = """
import h5py, json
with h5py.File("beneath.h5") as file:
    chunks = file["chunked"].id
    stored = [chunks.get_chunk_info(at) for at in range(chunks.get_num_chunks())]
    print(json.dumps({"plain": [[file["plain"].id.get_offset(), file["plain"].id.get_storage_size()]],
                      "chunked": [[chunk.byte_offset, chunk.size] for chunk in stored]}))
"""
REQUESTS = {"pread64": "read", "pwrite64": "write"}


def requests_within(trace, path, areas):
    """What the kernel saw of reads and writes of a file that lie in areas of it: (offset, bytes)."""
    sums = Counter()
    for call in read_calls(trace):
        if call.name not in REQUESTS or call.result <= 0 or call.path_of_descriptor(0) != path:
            continue
        if any(offset <= int(call.arguments[3]) < offset + size for offset, size in areas):
            sums[f"posix_{REQUESTS[call.name]}s"] += 1
            sums["posix_bytes_" + ("read" if call.name == "pread64" else "written")] += call.result
    return sums


@case("requests beneath each dataset are those that strace saw in its part of the file")
def beneath(place):
    if shutil.which("strace") is None or place.run("strace", "-o", "/dev/null", "true").returncode != 0:
        raise Skip("strace is not installed, or may not trace here")
    if place.run(PYTHON, "-c", "import h5py").returncode != 0:
        raise Skip("h5py is missing (Debian package python3-h5py)")
    result, log, trace = run_traced(place.fathom, place.folder, [PYTHON, "-c", BENEATH], cwd=place.folder)
    place.expect(result.returncode == 0, f"exit status {result.returncode}")
    path = place.path("beneath.h5")
    rows, files = datasets(place, log), datasets(place, log, "data_files")
    seen = KernelView(trace, place.folder, own_files=[log]).counts[path]
    for counter in ("reads", "writes", "bytes_read", "bytes_written"):
        beneath_all = sum(row["posix_" + counter] for row in (*rows.values(), *files.values()))
        place.expect(beneath_all == seen[counter] > 0, f"{counter}: the kernel saw {seen[counter]}, beneath datasets and file are {beneath_all}")
    for name, areas in json.loads(place.run(PYTHON, "-c", WHERE).stdout).items():
        within, row = requests_within(trace, path, areas), rows[f"beneath.h5:/{name}"]
        for counter in ("posix_writes", "posix_bytes_written"):
            place.expect(row[counter] == within[counter] > 0, f"{name}: {counter}: the kernel saw {within[counter]}, the log has {row[counter]}")
        # A dataset's calls read what describes it, too: some small requests elsewhere.
        for counter, more in (("posix_reads", 40), ("posix_bytes_read", 64 << 10)):
            place.expect(0 < within[counter] <= row[counter] < within[counter] + more,
                         f"{name}: {counter}: the kernel saw {within[counter]} of its data, the log has {row[counter]}")


@case("logs without names, of one file, and merged")
def conversions(place):
    for name in ("first", "second"):
        record(place, program(place), "threads", "10", log=f"{name}.fathom")
    place.expect_status(place.run(place.fathom, "convert", "--anonymize", "first.fathom", "hidden.fathom"), 0)
    view = FathomView(place.fathom, place.path("hidden.fathom"))
    rows = view.tables["datasets"]
    place.expect(len(rows) == 5 and sum(row["writes"] for row in rows) == 80, f"rows without names: {rows}")
    text = place.run(place.fathom, "dump", "hidden.fathom").stdout
    place.expect("own.1" not in text and "threads.h5" not in text, "names are left")
    files = {row["file"] for row in view.tables["data_files"]}
    place.expect({row["container"] for row in rows} == files, f"datasets of {files}: {rows}")
    place.expect_status(place.run(place.fathom, "convert", "--only", "threads.h5:/own.1", "first.fathom", "one.fathom"), 0)
    place.expect(set(datasets(place, "one.fathom")) == {"threads.h5:/own.1"}, f"{set(datasets(place, 'one.fathom'))}")
    place.expect_status(place.run(place.fathom, "convert", "--only", place.path("threads.h5"), "first.fathom", "file.fathom"), 0)
    place.expect(len(datasets(place, "file.fathom")) == 5, f"{set(datasets(place, 'file.fathom'))}")
    place.expect_status(place.run(place.fathom, "merge", "-o", "both.fathom", "first.fathom", "second.fathom"), 0)
    both = datasets(place, "both.fathom")
    expect(place, both, "threads.h5:/all", writes=80, bytes_written=1280)
    expect(place, datasets(place, "both.fathom", "data_files"), "threads.h5", creates=2, closes=2)


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
