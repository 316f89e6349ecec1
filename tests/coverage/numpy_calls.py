"""numpy's tofile and fromfile: stdio on a copy of the file's descriptor, between Python's own calls.
Exit status 77: there is no numpy."""
import sys

try:
    import numpy
except ImportError:
    sys.exit(77)

PATH, HEADER, TRAILER, NUMBERS = "array", b"header--", b"trailer", 100000
BUFFER = 4096  # of which Python reads whole ones


def did(layer, counter, n):
    print("did", layer, PATH, counter, n)


def main():
    array = numpy.arange(NUMBERS, dtype=numpy.float64)
    with open(PATH, "wb") as file:
        file.write(HEADER)
        array.tofile(file)
        file.write(TRAILER)
    with open(PATH, "rb", buffering=BUFFER) as file:
        assert file.read(len(HEADER)) == HEADER
        again = numpy.concatenate([numpy.fromfile(file, count=NUMBERS // 4), numpy.fromfile(file, count=NUMBERS - NUMBERS // 4)])
        assert file.read() == TRAILER
    assert (again == array).all()
    for counter, n in (("writes", 1), ("bytes_written", array.nbytes), ("reads", 2), ("bytes_read", array.nbytes), ("opens", 0),
                       ("closes", 3), ("highest_written", len(HEADER) + array.nbytes), ("highest_read", len(HEADER) + array.nbytes),
                       ("consecutive_reads", 1)):
        did("stdio", counter, n)
    for counter, n in (("opens", 2), ("closes", 2), ("writes", 2), ("bytes_written", len(HEADER + TRAILER)),
                       ("bytes_read", BUFFER + len(TRAILER)), ("highest_written", len(HEADER + TRAILER) + array.nbytes),
                       ("highest_read", len(HEADER + TRAILER) + array.nbytes)):
        did("posix", counter, n)
    # How numpy and Python find their way about is their own business.
    for layer, counter, n in (("stdio", "seeks", 3), ("posix", "seeks", 3), ("posix", "dups", 3), ("posix", "stats", 1), ("posix", "reads", 2)):
        print("did-at-least", layer, PATH, counter, n)


main()
