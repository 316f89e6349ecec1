#!/usr/bin/env python3
"""Makes Darshan logs of every format and byte order, and beside each what Darshan's own tools would print of it.

usage: make_logs.py FOLDER

For X.darshan, X.darshan.parser.txt.gz has the values, and X.darshan.dxt.txt.gz the operations of its trace."""
import gzip
import sys
from pathlib import Path

from formats import BZIP2, PLAIN, ZLIB, log_of
from job import Component, Job, filled, made_job, record_id, traced
from text import parser_text, trace_text

OLD_TRACES = {"DXT_POSIX": 1, "DXT_MPIIO": 1}
# Name: format and the versions of its modules.
KINDS = {
    "first": ("3.00", {"POSIX": 1, "MPI-IO": 1, "H5F": 1, "PNETCDF_FILE": 1, "BG/Q": 2, "LUSTRE": 1}),
    "old": ("3.10", {"POSIX": 2, "MPI-IO": 2, "H5F": 2, "PNETCDF_FILE": 2, "BG/Q": 2, "LUSTRE": 1, "STDIO": 1}),
    "traced": ("3.10", {"POSIX": 3, "MPI-IO": 2, "STDIO": 1, **OLD_TRACES}),
    "objects": ("3.20", {"POSIX": 4, "MPI-IO": 3, "H5F": 3, "H5D": 1, "STDIO": 2, "DXT_POSIX": 1, "DXT_MPIIO": 2}),
    "heatmaps": ("3.21", {"POSIX": 4, "MPI-IO": 3, "H5F": 3, "H5D": 2, "PNETCDF_FILE": 2, "LUSTRE": 1, "STDIO": 2, "HEATMAP": 1}),
    "new": ("3.41", {"POSIX": 4, "MPI-IO": 3, "H5F": 3, "H5D": 2, "PNETCDF_FILE": 3, "PNETCDF_VAR": 1, "LUSTRE": 2, "STDIO": 2,
                     "DXT_POSIX": 1, "DXT_MPIIO": 2, "HEATMAP": 1}),
    "threads": ("3.41", {"POSIX": 4, "MPI-IO": 3, "LUSTRE": 2, "STDIO": 2, "DXT_POSIX": 2, "DXT_MPIIO": 3, "DFS": 1}),
}


def job_for(kind):
    job = made_job()
    if kind == "first":  # a stream, which version 1 of POSIX counted among its files
        job.records["POSIX"].append(filled("POSIX", "/home/ada/settings.txt", 8, 0))
        job.records["POSIX"][-1].of_stdio = (2, 3, 4, 5)
    if kind == "threads":
        for module, traces in job.traces.items():
            job.traces[module] = [traced(trace.id, trace.rank, trace.host, 3) for trace in traces]
        layout = next(one for one in job.layouts if one.id == record_id("/scratch/run 7/field.dat"))
        layout.components = [Component(4096, [1, 2], ends=65536, flags=16, pool="fast"),
                             Component(8192, [4, 5, 6], begins=65536, mirror=1)]
    return job


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)

    def write(name, job, log_format, order, versions, packing=ZLIB):
        content, regions = log_of(job, log_format, order, versions, packing)
        log = folder / f"{name}.darshan"
        log.write_bytes(content)
        texts = {".parser.txt.gz": parser_text(job, log_format, packing, versions, regions)}
        if "DXT_POSIX" in versions:
            texts[".dxt.txt.gz"] = trace_text(job, versions)
        for suffix, text in texts.items():
            Path(str(log) + suffix).write_bytes(gzip.compress(text.encode(), mtime=0))

    for kind, (log_format, versions) in KINDS.items():
        for order, order_name in (("<", "little"), (">", "big")):
            write(f"{log_format}-{kind}-{order_name}", job_for(kind), log_format, order, versions)
    for kind, order, packing, name in (("new", "<", BZIP2, "bzip2"), ("old", ">", BZIP2, "bzip2"), ("new", "<", PLAIN, "plain")):
        log_format, versions = KINDS[kind]
        write(f"{log_format}-{kind}-{name}", job_for(kind), log_format, order, versions, packing)
    write("3.41-nothing", Job(), "3.41", "<", {})


if __name__ == "__main__":
    main()
