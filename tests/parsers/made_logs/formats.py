"""Formats 3.00 to 3.41 of Darshan's logs, in either byte order: made-up jobs to bytes."""
import bz2
import struct
import zlib

from counters import COUNTERS, IN_A_FILE, LACKING

# As format 3.41 numbers them.
SLOTS = ["none", "POSIX", "MPI-IO", "H5F", "H5D", "PNETCDF_FILE", "PNETCDF_VAR", "BG/Q", "LUSTRE", "STDIO", "DXT_POSIX",
         "DXT_MPIIO", "MDHIM", "APXC", "APMPI", "HEATMAP", "DFS", "DAOS"]
# Format: the modules that it has no slot for yet.
FORMATS = {"3.00": ["H5D", "PNETCDF_VAR"], "3.10": ["H5D", "PNETCDF_VAR"], "3.20": ["PNETCDF_VAR"], "3.21": ["PNETCDF_VAR"],
           "3.41": []}
MAGIC = 6567223
ZLIB, BZIP2, PLAIN = 0, 1, 2
PACKERS = {ZLIB: zlib.compress, BZIP2: bz2.compress, PLAIN: lambda plain: plain}


def packed(plain, how):
    """Two pieces, packed one by one, as if two ranks had written them; the first ends in the middle of a record."""
    cut = len(plain) // 2 - 3
    return PACKERS[how](plain[:cut]) + PACKERS[how](plain[cut:]) if cut > 0 else PACKERS[how](plain)


class Bytes:
    """What a log of one format and byte order ("<" or ">") consists of."""

    def __init__(self, log_format, order):
        self.format, self.order = log_format, order
        self.new = log_format == "3.41"

    def words(self, kind, *values):
        return struct.pack(f"{self.order}{len(values)}{kind}", *values)

    def job(self, job):
        numbers = [job.uid, job.start] + ([job.start_ns] if self.new else []) + [job.end] + ([job.end_ns] if self.new else [])
        metadata = "".join(f"{key}={value}\n" for key, value in job.metadata).encode()
        mounts = "".join(f"\n{kind}\t{path}" for path, kind in job.mounts)
        return (self.words("q", *numbers, job.processes, job.job_id) + metadata.ljust(1024, b"\0")
                + (job.command + mounts).encode() + b"\0")

    def names(self, names):
        content = b""
        for number, name in names.items():
            text = name.encode() + b"\0"
            content += self.words("Q", number) + (self.words("I", len(text)) if self.format == "3.00" else b"") + text
        return content

    def counters(self, module, version, records):
        _, numbers, times = COUNTERS[module]
        lacking = LACKING.get((module, version), set())
        content = b""
        for record in records:
            content += self.words("Q", record.id) + self.words("q", record.rank)
            if (module, version) in IN_A_FILE:
                content += self.words("Q", record.container)
            there = [record.values[name] for name in numbers if name not in lacking]
            if module == "POSIX" and version == 1:  # four calls of stdio
                there[6:6] = record.of_stdio
            if module == "PNETCDF_FILE" and version < 3:  # independent opens; the others are collective ones
                independent = record.values["OPENS"] // 3
                there = [independent, record.values["OPENS"] - independent]
            content += self.words("q", *there)
            content += self.words("d", *[record.values[name] for name in times if name not in lacking])
        return content

    def lustre(self, version, layouts):
        content = b""
        for layout in layouts:
            head = self.words("Q", layout.id) + self.words("q", layout.rank)
            servers = [server for component in layout.components for server in component.servers]
            if version == 1:
                component = layout.components[0]
                content += head + self.words("q", 90, 4, component.servers[0], component.stripe_size, len(servers))
            else:
                content += head + self.words("q", len(layout.components), len(servers))
                for one in layout.components:
                    content += self.words("q", one.stripe_size, len(one.servers), one.pattern, one.flags, one.begins, one.ends,
                                          one.mirror) + one.pool.encode().ljust(16, b"\0")
            content += self.words("q", *servers)
        return content

    def heatmaps(self, heatmaps):
        content = b""
        for one in heatmaps:
            content += self.words("Q", one.id) + self.words("q", one.rank) + self.words("d", one.bin_seconds)
            content += self.words("q", len(one.writes)) + bytes(16) + self.words("q", *one.writes, *one.reads)
        return content

    def traces(self, module, version, traces):
        has_thread = (module, version) in {("DXT_POSIX", 2), ("DXT_MPIIO", 3)}
        content = b""
        for trace in traces:
            content += self.words("Q", trace.id) + self.words("q", trace.rank, 0) + trace.host.encode().ljust(64, b"\0")
            content += self.words("q", len(trace.writes), len(trace.reads))
            for offset, length, start, end, thread in trace.writes + trace.reads:
                content += self.words("q", offset, length) + self.words("d", start, end)
                content += self.words("Q", thread) if has_thread else b""
        return content

    def region(self, job, module, version):
        if module == "LUSTRE":
            return self.lustre(version, job.layouts)
        if module == "HEATMAP":
            return self.heatmaps(job.heatmaps)
        if module.startswith("DXT"):
            return self.traces(module, version, job.traces[module])
        if module not in COUNTERS:
            return bytes(range(200))
        return self.counters(module, version, job.records[module])

    def slot(self, module):
        return SLOTS.index(module) - sum(SLOTS.index(absent) < SLOTS.index(module) for absent in FORMATS[self.format])


def log_of(job, log_format, order, versions, packing=ZLIB):
    """The bytes of a log with the modules that `versions` names, and (name, packed bytes, version) of its regions."""
    to = Bytes(log_format, order)
    slots, header_bytes = (64, 1328) if to.new else (16, 360)
    places, numbers, partial = [(0, 0)] * slots, [0] * slots, 0
    content, regions = packed(to.job(job), packing), []
    regions.append(("job data", len(content), None))
    names = packed(to.names(job.names), packing) if job.names else b""
    name_place = (header_bytes + len(content) if names else 0, len(names))
    content += names
    regions.append(("record table", len(names), None))
    for module in sorted(versions, key=SLOTS.index):
        slot, piece = to.slot(module), packed(to.region(job, module, versions[module]), packing)
        places[slot], numbers[slot] = (header_bytes + len(content), len(piece)), versions[module]
        partial |= (module in job.partial) << slot
        content += piece
        regions.append((module, len(piece), versions[module]))
    header = log_format.encode().ljust(8, b"\0") + to.words("q", MAGIC) + bytes([packing])
    header = header.ljust(24, b"\0") + to.words("Q", partial) if to.new else header.ljust(20, b"\0") + to.words("I", partial)
    header += to.words("Q", *name_place) + to.words("Q", *[word for place in places for word in place])
    header += to.words("I", *numbers)
    assert len(header) == header_bytes, len(header)
    return header + content, regions
