"""Writes one HDF5 dataset from all ranks together, reads it back and checks it."""
import sys

import h5py
import numpy
from mpi4py import MPI

world = MPI.COMM_WORLD
rows = 50_000
with h5py.File(sys.argv[1], "w", driver="mpio", comm=world) as file:
    data = file.create_dataset("temperature", (world.size * rows,), dtype="f8")
    mine = slice(world.rank * rows, (world.rank + 1) * rows)
    with data.collective:
        data[mine] = numpy.arange(rows) + world.rank * rows
    file.attrs["steps"] = 1
world.Barrier()
with h5py.File(sys.argv[1], "r", driver="mpio", comm=world) as file:
    total = world.allreduce(int(file["temperature"][mine].sum()))
if world.rank == 0:
    print("sum", total)
    assert total == world.size * rows * (world.size * rows - 1) // 2
