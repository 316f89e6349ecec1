"""Programs in Python with one fault each, and the same work with the change that the report advises.

usage: twins.py NAME faulty|repaired      (in a folder with its inputs; see tests/e2e/twins.py)
"""
import dbm.dumb
import json
import os
import pathlib
import shutil
import sys
import time
import zipfile

REPAIRED = sys.argv[2:] == ["repaired"]


def compute(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def unbuffered_writes():
    with open("out", "wb", buffering=1 << 20 if REPAIRED else 0) as file:
        for number in range(300000):
            file.write(b"value %d\n" % number)


def append_each():
    file = open("journal", "a", encoding="utf-8") if REPAIRED else None
    for number in range(30000):
        if REPAIRED:
            file.write(f"epoch {number}\n")
            continue
        with open("journal", "a", encoding="utf-8") as file:
            file.write(f"epoch {number}\n")


def sample_files():
    """A data set of a file a sample, read in every epoch; or one file."""
    for _ in range(5):
        if REPAIRED:
            pathlib.Path("samples.bin").read_bytes()
            continue
        for number in range(3000):
            pathlib.Path(f"samples/{number}").read_bytes()


def flushed_log():
    with open("log", "w", encoding="utf-8") as file:
        for number in range(300000):
            print(number, file=file, flush=not REPAIRED)


def doubled(number):
    return 2 * number


def tasks_of_pool():
    """A message for each number; or for a thousand."""
    import multiprocessing

    with multiprocessing.Pool(2) as pool:
        total = sum(pool.imap(doubled, range(50000), chunksize=1000 if REPAIRED else 1))
    assert total == 50000 * 49999


def answer(connection):
    while (numbers := connection.recv()) is not None:
        connection.send([doubled(number) for number in numbers])


def messages():
    """Two processes that take turns, by a number each or by many."""
    import multiprocessing

    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=answer, args=(theirs,))
    process.start()
    step = 1000 if REPAIRED else 1
    for first in range(0, 30000, step):
        ours.send(list(range(first, first + step)))
        ours.recv()
    ours.send(None)
    process.join()


def temporary_copies():
    """Parts that are written to a temporary file and copied into the result; or kept in memory."""
    import io
    import shutil
    import tempfile

    part = bytes(range(256)) * 4096
    with open("result", "wb") as result:
        for _ in range(300):
            with io.BytesIO() if REPAIRED else tempfile.NamedTemporaryFile(dir=".") as file:
                file.write(part)
                file.seek(0)
                if REPAIRED:
                    result.write(file.getbuffer())
                else:
                    shutil.copyfileobj(file, result)


def exists():
    names = set(os.listdir("samples")) if REPAIRED else ()
    for _ in range(100):
        for number in range(3000):
            if not (str(number) in names if REPAIRED else os.path.exists(f"samples/{number}")):
                raise SystemExit("it is gone")


def checkpoints():
    state = {str(at): at for at in range(100)}
    with open("states", "w", encoding="utf-8") as file:
        for number in range(1000):
            json.dump(state, file)
            file.flush()
            if not REPAIRED or number == 999:
                os.fsync(file.fileno())


def small_chunks():
    import h5py
    import numpy

    data = numpy.random.default_rng(1).random((1024, 1024))
    with h5py.File("field.h5", "w") as file:
        field = file.create_dataset("field", data.shape, dtype="f8", chunks=(512, 512) if REPAIRED else (8, 8))
        field[...] = data


def rows_of_ranks():
    from mpi4py import MPI
    import h5py
    import numpy

    ranks, rank, each = MPI.COMM_WORLD.size, MPI.COMM_WORLD.rank, 12000
    data = numpy.random.default_rng(rank).random((each, 16))
    with h5py.File("rows.h5", "w", driver="mpio", comm=MPI.COMM_WORLD) as file:
        rows = file.create_dataset("rows", (ranks * each, 16), dtype="f8")
        if REPAIRED:
            rows[rank * each:(rank + 1) * each] = data
        else:
            for number, row in enumerate(data):
                rows[rank * each + number] = row


def row_by_row():
    import h5py
    import numpy

    data = numpy.random.default_rng(1).random((30000, 16))
    with h5py.File("rows.h5", "w") as file:
        rows = file.create_dataset("rows", data.shape, dtype="f8")
        if REPAIRED:
            rows[...] = data
        else:
            for number, row in enumerate(data):
                rows[number] = row


def rows_by_list():
    """A selection of HDF5 is joined of the places one by one."""
    import h5py
    import numpy

    with h5py.File("rows.h5", "w") as file:
        file["rows"] = numpy.zeros((100000, 16))
    rows = numpy.sort(numpy.random.default_rng(1).choice(100000, 10000, replace=False))
    with h5py.File("rows.h5", "r") as file:
        part = file["rows"][:][rows] if REPAIRED else file["rows"][rows]
    assert len(part) == len(rows)


def core_driver():
    """HDF5's core driver reads the whole file at each open, for a row of it."""
    import h5py
    import numpy

    with h5py.File("years.h5", "w") as file:
        file["t2m"] = numpy.zeros((4000, 2920), dtype="f4")
    rows = [0, 0]
    for number in range(15):
        with h5py.File("years.h5", "r") if REPAIRED else h5py.File("years.h5", "r", driver="core") as file:
            rows[number % 2] = file["t2m"][number]
    compute(0.5)


def archive_each():
    """An archive that is opened for each member: its directory is read, and written anew."""
    archive = zipfile.ZipFile("members.zip", "w") if REPAIRED else None
    for number in range(900):
        name, data = f"members/a_long_name_{number:06d}", bytes(2048)
        if REPAIRED:
            archive.writestr(name, data)
            continue
        with zipfile.ZipFile("members.zip", "a") as archive:
            archive.writestr(name, data)
    archive.close()


def database_each():
    """A small database whose index is read at each open, and written at each close."""
    database = dbm.dumb.open("results", "c") if REPAIRED else None
    for number in range(500):
        if not REPAIRED:
            database = dbm.dumb.open("results", "c")
        database[f"{number:06d}"] = str(number / 7)
        if not REPAIRED:
            database.close()
    database.close()


def checksum_after():
    """Three files of 100 MiB that are on the disk, which are read back for a sum of what was written."""
    block = bytes(range(256)) * 4096
    for number in range(3):
        total = 0
        with open(f"result.{number}", "w+b", buffering=0) as file:
            for _ in range(100):
                file.write(block)
                if REPAIRED:
                    total += block[17]
            os.fsync(file.fileno())
            if REPAIRED:
                continue
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            file.seek(0)
            while piece := file.read(1 << 20):
                total += piece[17]


def copied_to_name():
    """A checkpoint of 60 MiB that is kept under another name before the next is written."""
    block = bytes(range(256)) * 4096
    for number in range(6):
        if number > 0:
            if REPAIRED:
                os.replace("state", "state.before")
            else:
                shutil.copyfile("state", "state.before")
        with open("state", "wb", buffering=0) as file:
            for _ in range(60):
                file.write(block)


def datasets_each():
    """A dataset a time step, of ten values; or one of all."""
    import h5py
    import numpy

    data = numpy.random.default_rng(1).random((4000, 10))
    with h5py.File("steps.h5", "w") as file:
        if REPAIRED:
            file["steps"] = data
            return
        for number, row in enumerate(data):
            file.create_dataset(f"step{number:06d}", data=row)


def samples_of_hdf5():
    """A file of HDF5 that is opened for each sample."""
    import h5py
    import numpy

    with h5py.File("samples.h5", "w") as file:
        file["x"] = numpy.zeros((4000, 256))
    dataset = h5py.File("samples.h5", "r")["x"] if REPAIRED else None
    for number in range(2000):
        if REPAIRED:
            dataset[number]
            continue
        with h5py.File("samples.h5", "r") as file:
            file["x"][number]


def variables_later():
    """Classic NetCDF moves its data when variables are added; NetCDF-4 does not."""
    import netCDF4
    import numpy

    data = numpy.zeros(131072)
    with netCDF4.Dataset("result.nc", "w", format="NETCDF4" if REPAIRED else "NETCDF3_CLASSIC") as dataset:
        dataset.createDimension("n", len(data))
        for number in range(40):
            variable = dataset.createVariable(f"v{number}", "f8", ("n",))
            variable.setncattr("long_name", "x" * 200)
            variable[:] = data


def values_of_netcdf():
    """Of the classic format, which is no HDF5."""
    import netCDF4
    import numpy

    data = numpy.arange(20000.0)
    with netCDF4.Dataset("values.nc", "w", format="NETCDF3_CLASSIC") as dataset:
        dataset.createDimension("n", len(data))
        values = dataset.createVariable("values", "f8", ("n",))
        if REPAIRED:
            values[:] = data
        else:
            for number, value in enumerate(data):
                values[number] = value


def slow_level():
    import h5py
    import numpy

    data = numpy.round(numpy.random.default_rng(1).standard_normal(1000000), 2)
    with h5py.File("level.h5", "w") as file:
        file.create_dataset("data", data=data, chunks=(100000,), compression="gzip", compression_opts=1 if REPAIRED else 9)


def archive_of_noise():
    import numpy

    data = numpy.random.default_rng(1).standard_normal(2000000)
    (numpy.savez if REPAIRED else numpy.savez_compressed)("noise.npz", data=data)


compute(0.2)
globals()[sys.argv[1]]()
compute(0.2)
