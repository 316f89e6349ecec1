"""Datasets written by all ranks: collective, independent, chunked; then looked at by one."""

import h5py
import numpy
from mpi4py import MPI

world = MPI.COMM_WORLD
rows = 20_000
with h5py.File("data.h5", "w", driver="mpio", comm=world) as file:
    whole = file.create_dataset("whole", (world.size * rows, 4), "f8")
    chunked = file.create_dataset("group/chunked", (world.size * rows,), "i4", chunks=(1000,))
    mine = slice(world.rank * rows, (world.rank + 1) * rows)
    with whole.collective:
        whole[mine] = numpy.arange(4 * rows).reshape(rows, 4) + world.rank
    chunked[mine] = world.rank
    for step in range(20):
        file.attrs[f"step{step}"] = numpy.arange(step + 1)
        file.flush()
world.Barrier()
if world.rank == 0:
    with h5py.File("data.h5") as file:
        print(file["whole"][:].sum(), file["group/chunked"][:].sum(), len(file.attrs))
