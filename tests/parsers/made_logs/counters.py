"""The counters of Darshan's modules, in the order in which records hold them, and what older versions lack.

Written down from the description of the format, beside the tables that the reader has: two accounts of one thing."""

CLASSES = ["0_100", "100_1K", "1K_10K", "10K_100K", "100K_1M", "1M_4M", "4M_10M", "10M_100M", "100M_1G", "1G_PLUS"]
RANKS = ["FASTEST_RANK", "FASTEST_RANK_BYTES", "SLOWEST_RANK", "SLOWEST_RANK_BYTES"]


def sizes(prefix):
    return [f"{prefix}_{name}" for name in CLASSES]


def four(form):
    return [form.format(number) for number in range(1, 5)]


COMMON = four("ACCESS{}_ACCESS") + four("ACCESS{}_COUNT")
# Of selections and variables with up to five dimensions.
SHAPES = [name for number in range(1, 5)
          for name in [f"ACCESS{number}_ACCESS"] + [f"ACCESS{number}_{what}_D{dimension}" for what in ("LENGTH", "STRIDE")
                                                    for dimension in range(1, 6)]] + four("ACCESS{}_COUNT")
MOMENTS = [f"{what}_{end}_TIMESTAMP" for end in ("START", "END") for what in ("OPEN", "READ", "WRITE", "CLOSE")]
EXTREMES = ["FASTEST_RANK_TIME", "SLOWEST_RANK_TIME", "VARIANCE_RANK_TIME", "VARIANCE_RANK_BYTES"]
TRANSFER_TIMES = MOMENTS + ["READ_TIME", "WRITE_TIME", "META_TIME", "MAX_READ_TIME", "MAX_WRITE_TIME"] + EXTREMES


def variable_calls():
    kinds = ["", "1", "A", "S", "M", "N", "D"]
    names = [f"{call}_VAR{kind}" for call in ("PUT", "GET") for kind in kinds]
    return names + [f"{call}_VAR{kind}" for call in ("IPUT", "IGET", "BPUT") for kind in kinds[:-1]]


# Module: (prefix of the names, whole numbers, times).
COUNTERS = {
    "POSIX": ("POSIX_", """OPENS FILENOS DUPS READS WRITES SEEKS STATS MMAPS FSYNCS FDSYNCS RENAME_SOURCES RENAME_TARGETS
        RENAMED_FROM MODE BYTES_READ BYTES_WRITTEN MAX_BYTE_READ MAX_BYTE_WRITTEN CONSEC_READS CONSEC_WRITES SEQ_READS
        SEQ_WRITES RW_SWITCHES MEM_NOT_ALIGNED MEM_ALIGNMENT FILE_NOT_ALIGNED FILE_ALIGNMENT MAX_READ_TIME_SIZE
        MAX_WRITE_TIME_SIZE""".split() + sizes("SIZE_READ") + sizes("SIZE_WRITE") + four("STRIDE{}_STRIDE")
              + four("STRIDE{}_COUNT") + COMMON + RANKS, TRANSFER_TIMES),
    "MPI-IO": ("MPIIO_", """INDEP_OPENS COLL_OPENS INDEP_READS INDEP_WRITES COLL_READS COLL_WRITES SPLIT_READS SPLIT_WRITES
        NB_READS NB_WRITES SYNCS HINTS VIEWS MODE BYTES_READ BYTES_WRITTEN RW_SWITCHES MAX_READ_TIME_SIZE
        MAX_WRITE_TIME_SIZE""".split() + sizes("SIZE_READ_AGG") + sizes("SIZE_WRITE_AGG") + COMMON + RANKS, TRANSFER_TIMES),
    "H5F": ("H5F_", ["OPENS", "FLUSHES", "USE_MPIIO"],
            ["OPEN_START_TIMESTAMP", "CLOSE_START_TIMESTAMP", "OPEN_END_TIMESTAMP", "CLOSE_END_TIMESTAMP", "META_TIME"]),
    "H5D": ("H5D_", """OPENS READS WRITES FLUSHES BYTES_READ BYTES_WRITTEN RW_SWITCHES REGULAR_HYPERSLAB_SELECTS
        IRREGULAR_HYPERSLAB_SELECTS POINT_SELECTS MAX_READ_TIME_SIZE MAX_WRITE_TIME_SIZE""".split() + sizes("SIZE_READ_AGG")
            + sizes("SIZE_WRITE_AGG") + SHAPES + ["DATASPACE_NDIMS", "DATASPACE_NPOINTS", "DATATYPE_SIZE"]
            + [f"CHUNK_SIZE_D{dimension}" for dimension in range(1, 6)] + ["USE_MPIIO_COLLECTIVE", "USE_DEPRECATED"] + RANKS,
            TRANSFER_TIMES),
    "PNETCDF_FILE": ("PNETCDF_FILE_", """CREATES OPENS REDEFS INDEP_WAITS COLL_WAITS SYNCS BYTES_READ BYTES_WRITTEN
        WAIT_FAILURES""".split(), [f"{what}_{end}_TIMESTAMP" for end in ("START", "END") for what in ("OPEN", "CLOSE", "WAIT")]
                     + ["META_TIME", "WAIT_TIME"]),
    "PNETCDF_VAR": ("PNETCDF_VAR_", """OPENS INDEP_READS INDEP_WRITES COLL_READS COLL_WRITES NB_READS NB_WRITES BYTES_READ
        BYTES_WRITTEN RW_SWITCHES""".split() + variable_calls() + ["MAX_READ_TIME_SIZE", "MAX_WRITE_TIME_SIZE"]
                    + sizes("SIZE_READ_AGG") + sizes("SIZE_WRITE_AGG") + SHAPES
                    + ["NDIMS", "NPOINTS", "DATATYPE_SIZE", "IS_RECORD_VAR"] + RANKS, TRANSFER_TIMES),
    "BG/Q": ("BGQ_", """CSJOBID NNODES RANKSPERNODE DDRPERNODE INODES ANODES BNODES CNODES DNODES ENODES
        TORUSENABLED""".split(), ["TIMESTAMP"]),
    "STDIO": ("STDIO_", """OPENS FDOPENS READS WRITES SEEKS FLUSHES BYTES_WRITTEN BYTES_READ MAX_BYTE_READ
        MAX_BYTE_WRITTEN""".split() + RANKS, ["META_TIME", "WRITE_TIME", "READ_TIME"] +
              [f"{what}_{end}_TIMESTAMP" for end in ("START", "END") for what in ("OPEN", "CLOSE", "WRITE", "READ")] + EXTREMES),
}

# What a record begins with besides its id and rank: the id of the file that an object is in.
IN_A_FILE = {("H5D", 2), ("PNETCDF_VAR", 1)}

FIVE_NUMBERS = {"FILENOS", "DUPS", "RENAME_SOURCES", "RENAME_TARGETS", "RENAMED_FROM"}
TWO_TIMES = {"CLOSE_START_TIMESTAMP", "OPEN_END_TIMESTAMP"}
NEW_IN_PNETCDF_3 = {"CREATES", "REDEFS", "INDEP_WAITS", "COLL_WAITS", "SYNCS", "BYTES_READ", "BYTES_WRITTEN", "WAIT_FAILURES",
                    "WAIT_START_TIMESTAMP", "WAIT_END_TIMESTAMP", "META_TIME", "WAIT_TIME"}
# (Module, version): the names that it does not have yet. They read as "not recorded", -1, but the id of a file renamed: 0.
LACKING = {
    ("POSIX", 1): FIVE_NUMBERS | TWO_TIMES,
    ("POSIX", 2): FIVE_NUMBERS | TWO_TIMES,
    ("POSIX", 3): FIVE_NUMBERS,
    ("STDIO", 1): {"FDOPENS"},
    ("MPI-IO", 1): TWO_TIMES,
    ("MPI-IO", 2): TWO_TIMES,
    ("H5F", 1): {"FLUSHES", "USE_MPIIO", "META_TIME"} | TWO_TIMES,
    ("H5F", 2): {"FLUSHES", "USE_MPIIO", "META_TIME"},
    ("PNETCDF_FILE", 1): NEW_IN_PNETCDF_3 | TWO_TIMES,
    ("PNETCDF_FILE", 2): NEW_IN_PNETCDF_3,
}


def unknown(name):
    return 0 if name == "RENAMED_FROM" else -1
