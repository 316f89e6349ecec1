"""A made-up job of four ranks: records of every module, in which each counter has a value of its own."""
from dataclasses import dataclass, field

from counters import COUNTERS

WORD = (1 << 64) - 1


def record_id(name):
    """The 64-bit number that Darshan makes of a path: 24 bytes at a time into three words, which are mixed after each."""
    words = [0, 0, 0x9E3779B97F4A7C13]

    def mix():
        for right_43, left, right in ((43, 9, 8), (38, 23, 5), (35, 49, 11), (12, 18, 22)):
            a, b, c = words
            a = (a - b - c & WORD) ^ c >> right_43
            b = (b - c - a & WORD) ^ (a << left & WORD)
            words[:] = a, b, (c - a - b & WORD) ^ b >> right

    text = name.encode()
    whole = len(text) // 24 * 24
    for at in range(0, whole, 24):
        for word in range(3):
            words[word] = words[word] + int.from_bytes(text[at + 8 * word:at + 8 * word + 8], "little") & WORD
        mix()
    rest = text[whole:]
    words[0] = words[0] + int.from_bytes(rest[:8], "little") & WORD
    words[1] = words[1] + int.from_bytes(rest[8:16], "little") & WORD
    words[2] = words[2] + len(text) + (int.from_bytes(rest[16:], "little") << 8) & WORD
    mix()
    return words[2]


@dataclass
class Record:
    id: int
    rank: int
    container: int
    values: dict
    of_stdio: tuple = (0, 0, 0, 0)  # what version 1 of POSIX counted; the record is no POSIX record if the first is above 0


@dataclass
class Component:
    stripe_size: int
    servers: list
    pattern: int = 0
    flags: int = 0
    begins: int = 0
    ends: int = -1
    mirror: int = 0
    pool: str = ""


@dataclass
class Layout:
    id: int
    rank: int
    components: list


@dataclass
class Heatmap:
    id: int
    rank: int
    bin_seconds: float
    writes: list
    reads: list


@dataclass
class Trace:
    id: int
    rank: int
    host: str
    writes: list  # of (offset, length, start, end, thread)
    reads: list


@dataclass
class Job:
    uid: int = 4242
    job_id: int = 987654
    start: int = 1_700_000_000
    start_ns: int = 250_000_000
    end: int = 1_700_000_040
    end_ns: int = 750_000_000
    processes: int = 4
    command: str = "/home/ada/bin/heat -n 4 --out /scratch/run 7"
    metadata: list = field(default_factory=lambda: [("lib_ver", "3.9.9"), ("h", "romio_no_indep_rw=true;cb_nodes=2")])
    mounts: list = field(default_factory=lambda: [("/scratch", "lustre"), ("/home", "nfs4"), ("/", "ext4")])
    names: dict = field(default_factory=dict)
    records: dict = field(default_factory=dict)
    layouts: list = field(default_factory=list)
    heatmaps: list = field(default_factory=list)
    traces: dict = field(default_factory=dict)
    partial: set = field(default_factory=set)

    def name(self, text):
        number = record_id(text)
        self.names[number] = text
        return number


def filled(module, name, number, rank, container=0):
    """Each value tells its counter and record; but a job must be able to have them."""
    _, numbers, times = COUNTERS[module]
    values = {one: 1000 * number + 7 * at + 1 for at, one in enumerate(numbers)}
    values |= {one: number + (at + 1) / 64 for at, one in enumerate(times)}
    if module == "POSIX":  # dup and fileno count as opens too; what is mapped is not known
        values |= {"OPENS": values["FILENOS"] + values["DUPS"] + 5, "MMAPS": -1}
    if module == "STDIO":  # so does fdopen
        values |= {"OPENS": values["FDOPENS"] + 5}
    if "FASTEST_RANK" in values:
        values |= {"FASTEST_RANK": 2, "SLOWEST_RANK": 1} if rank < 0 else {one: 0 for one in values if "EST_RANK" in one}
    if rank >= 0:
        values |= {one: 0.0 for one in times if "RANK" in one}
    return Record(record_id(name), rank, container, values)


def traced(number, rank, host, threads):
    def operations(count, begin):
        return [(rank * 65536 + at * 4096, 4096 + at, begin + at / 8, begin + at / 8 + 1 / 32, 500 + at % threads)
                for at in range(count)]

    return Trace(number, rank, host, operations(6, 1.5 + rank / 16), operations(5, 20.25))


def made_job():
    job = Job()
    field_file, pair, own = "/scratch/run 7/field.dat", "/scratch/run 7/pair.dat", "/scratch/run 7/out.{}"
    cube, net = "/scratch/run 7/cube.h5", "/scratch/run 7/sea.nc"
    for name in [field_file, pair, cube, net, cube + ":/temperature", net + ":salt", "<STDERR>", "/home/ada/settings.txt",
                 "heatmap:POSIX", "heatmap:STDIO"] + [own.format(rank) for rank in range(4)]:
        job.name(name)
    for length in range(24):  # paths of every length, for the numbers that are made of them
        job.name("/etc/" + "n" * length)
    posix = [filled("POSIX", field_file, 1, -1), filled("POSIX", pair, 2, 0), filled("POSIX", pair, 3, 2)]
    posix += [filled("POSIX", own.format(rank), 4 + rank, rank) for rank in range(4)]
    posix[3].values |= {"BYTES_READ": 0, "READS": 0}
    posix[4].values |= {"BYTES_WRITTEN": 0, "WRITES": 0}
    job.records["POSIX"] = posix
    job.records["MPI-IO"] = [filled("MPI-IO", field_file, 1, -1), filled("MPI-IO", pair, 2, 0), filled("MPI-IO", pair, 3, 2)]
    job.records["STDIO"] = [filled("STDIO", "<STDERR>", 1, 3), filled("STDIO", "/home/ada/settings.txt", 2, -1)]
    job.records["H5F"] = [filled("H5F", cube, 1, -1)]
    job.records["H5D"] = [filled("H5D", cube + ":/temperature", 1, -1, record_id(cube))]
    job.records["PNETCDF_FILE"] = [filled("PNETCDF_FILE", net, 1, -1), filled("PNETCDF_FILE", net, 2, 1)]
    job.records["PNETCDF_VAR"] = [filled("PNETCDF_VAR", net + ":salt", 1, -1, record_id(net))]
    job.records["BG/Q"] = [filled("BG/Q", "darshan-bgq-record", 1, -1)]
    # Only layouts of one component on as many servers as it has stripes are alike in both versions of the module.
    job.layouts = [Layout(record_id(field_file), -1, [Component(1 << 20, [3, 7, 11])]),
                   Layout(record_id(pair), 0, [Component(1 << 16, [5])])]
    for rank in range(3):
        job.heatmaps.append(Heatmap(record_id("heatmap:POSIX"), rank, 0.5, [64 * rank, 0, 3, 4 + rank], [0, 0, 1, 9]))
    job.heatmaps.append(Heatmap(record_id("heatmap:STDIO"), 3, 0.5, [1, 0, 0, 2], [0, 5, 0, 0]))
    for module in ("DXT_POSIX", "DXT_MPIIO"):
        job.traces[module] = [traced(record_id(field_file), rank, f"node{rank // 2}", 1) for rank in range(4)]
    job.partial = {"STDIO"}
    return job
