"""Copies of Darshan's logs with jobs of their own."""
import bz2
import struct
import zlib

MAGIC = 6567223


class Log:
    """A Darshan log whose job can be given another id and start."""

    def __init__(self, path):
        self.name, self.data = path.name, path.read_bytes()
        order = "<" if struct.unpack_from("<q", self.data, 8)[0] == MAGIC else ">"
        self.new = self.data[:4] == b"3.41"
        self.order, self.maps = order, (32, 65) if self.new else (24, 17)
        self.header = 1328 if self.new else 360
        offsets = [self.offset(at) for at in range(self.maps[1])]
        self.end = min([offset for offset in offsets if offset] or [len(self.data)])
        self.packer = {0: (zlib.decompressobj, zlib.compress),
                       1: (bz2.BZ2Decompressor, bz2.compress), 2: (None, lambda job, level: job)}[self.data[16]]
        packed = self.data[self.header:self.end]
        self.job = packed if self.packer[0] is None else self.packer[0]().decompress(packed)

    def offset(self, at):
        return struct.unpack_from(self.order + "Q", self.data, self.maps[0] + 16 * at)[0]

    def copy(self, number, level=1, processes=None):
        """`level` is that of the compression of what is changed; each starts `number` seconds later."""
        job = bytearray(self.job)
        numbers = struct.Struct(self.order + ("7q" if self.new else "5q"))
        fields = list(numbers.unpack_from(job))
        fields[-1] = 10_000_000 + number
        if processes is not None:
            fields[-2] = processes
        for at in (1, 3) if self.new else (1, 2):
            fields[at] += number
        numbers.pack_into(job, 0, *fields)
        packed = self.packer[1](bytes(job), level)
        data = bytearray(self.data[:self.header] + packed + self.data[self.end:])
        for at in range(self.maps[1]):
            if offset := self.offset(at):
                struct.pack_into(self.order + "Q", data, self.maps[0] + 16 * at, offset + self.header + len(packed) - self.end)
        return data
