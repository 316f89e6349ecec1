"""A dataset that grows by chunks of 4 MiB, and is read again as a whole."""
import h5py
import numpy

ROWS, COLUMNS = 64, 524288
with h5py.File("chunks.h5", "w") as file:
    data = file.create_dataset("data", (ROWS, COLUMNS), dtype="f8", chunks=(1, COLUMNS))
    for row in range(ROWS):
        data[row] = numpy.full(COLUMNS, row, dtype="f8")
