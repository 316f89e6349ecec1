"""Arrays to files and back: tofile and fromfile go through C's stdio on a duplicate of Python's descriptor."""

import numpy

values = numpy.arange(1_000_000, dtype="f8")
with open("values.raw", "wb") as file:
    file.write(b"header--")
    values.tofile(file)
    file.write(b"trailer")
    print(file.tell())
with open("values.raw", "rb") as file:
    print(file.read(8))
    again = numpy.fromfile(file, "f8", count=values.size)
    print(numpy.array_equal(values, again), file.read())
values[:2000].tofile("values.txt", sep=" ", format="%.3f")
print(numpy.fromfile("values.txt", sep=" ").sum())

numpy.save("values.npy", values.reshape(1000, 1000))
mapped = numpy.load("values.npy", mmap_mode="r+")
mapped[10] = -1
mapped.flush()
print(numpy.load("values.npy")[9:12, 0])
shared = numpy.memmap("shared.raw", "i4", "w+", shape=(512, 1024))
shared[:, ::7] = 3
del shared
print(numpy.fromfile("shared.raw", "i4").sum())
numpy.savetxt("table.csv", values[:30000].reshape(-1, 3), delimiter=",")
print(numpy.loadtxt("table.csv", delimiter=",").sum(), numpy.genfromtxt("table.csv", delimiter=",", max_rows=9).shape)
