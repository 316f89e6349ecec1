"""MPI-IO from Python: collective, independent, nonblocking, by a shared pointer."""

import numpy
from mpi4py import MPI

world = MPI.COMM_WORLD
values = numpy.full(100_000, world.rank, "i4")
again = numpy.empty_like(values)
file = MPI.File.Open(world, "shared", MPI.MODE_CREATE | MPI.MODE_RDWR)
file.Write_at_all(world.rank * values.nbytes, values)
file.Sync()
world.Barrier()
file.Iread_at((world.size - 1 - world.rank) * values.nbytes, again).Wait()
said = [(again[0] == world.size - 1 - world.rank, file.Get_size())]
file.Set_view(0, MPI.INT)
file.Seek(values.size * world.size)
world.Barrier()
file.Write_ordered(values[:1000])
file.Close()
world.Barrier()
if world.rank == 0:
    whole = numpy.fromfile("shared", "i4")
    said.append((whole.size, int(whole.sum())))
try:
    MPI.File.Open(MPI.COMM_SELF, "nowhere/at/all", MPI.MODE_RDONLY)
except MPI.Exception as error:
    said.append(error.Get_error_class() == MPI.ERR_NO_SUCH_FILE)
said = world.gather(said)
if world.rank == 0:
    print(said)
