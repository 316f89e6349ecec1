"""MPI-IO from Python: mpi4py loads the MPI library with local scope. All ranks do the same; rank 0 says what (did.h)."""
import sys
import time

try:
    from mpi4py import MPI
except ImportError:
    sys.exit(77)

PAUSE = 0.03
world = MPI.COMM_WORLD
rank, ranks = world.rank, world.size
block = bytes(at * (rank + 3) % 256 for at in range(200))
again = bytearray(len(block))


def place(group):
    return (group * ranks + rank) * len(block)


file = MPI.File.Open(world, "data", MPI.MODE_CREATE | MPI.MODE_RDWR)
file.Set_view(0, MPI.BYTE)
file.Write_at_all(place(0), block)
file.Seek(place(1))
file.Write(block)
request = file.Iwrite_at(place(2), block)
time.sleep(PAUSE)
request.Wait()
requests = [file.Iwrite_at(place(3 + at), block) for at in range(2)]
time.sleep(PAUSE)
MPI.Request.Waitall(requests)
file.Sync()
file.Read_at_all(place(4), again)
assert again == block
request = file.Iread_at(place(2), again)
time.sleep(PAUSE)
while not request.Test():
    pass
file.Preallocate(place(9) - rank * len(block))
file.Close()
world.Barrier()
if rank == 0:
    MPI.File.Delete("data")
    done = {"opens": 1, "collective_opens": 1, "closes": 1, "views": 1, "seeks": 1, "syncs": 1, "truncates": 1,
            "writes": 5, "bytes_written": 5 * len(block), "collective_writes": 1, "nonblocking_writes": 3,
            "reads": 2, "bytes_read": 2 * len(block), "collective_reads": 1, "nonblocking_reads": 1}
    for counter, times in done.items():
        print("did mpiio data", counter, times * ranks)
    print("did mpiio data unlinks 1")
    print("did-at-least mpiio data nonblocking_time", int(4 * PAUSE * ranks * 1e9))
