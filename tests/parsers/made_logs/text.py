"""What Darshan's own tools would print of a made-up job: known from what was written, not from a reader."""
import time

from counters import COUNTERS, LACKING, unknown

ADDED_UP = ("OPENS", "READS", "WRITES", "SEEKS", "STATS", "SYNCS", "FLUSHES", "DUPS", "FILENOS", "VIEWS", "HINTS", "SWITCHES",
            "_NOT_ALIGNED", "BYTES_READ", "BYTES_WRITTEN", "RENAME_SOURCES", "RENAME_TARGETS", "MMAPS")
PACKINGS = ["ZLIB", "BZIP2", "NONE"]


def as_read(record, module, version):
    """By name, with what the version lacks."""
    lacking = LACKING.get((module, version), set())
    return {name: unknown(name) if name in lacking else value for name, value in record.values.items()}


def kept(records, module, version):
    return [record for record in records if not (module == "POSIX" and version == 1 and record.of_stdio[0] > 0)]


def head(job, log_format, packing, regions):
    new = log_format == "3.41"
    run_time = job.end - job.start + ((job.end_ns - job.start_ns) / 1e9 if new else 1)

    def moment(seconds):
        return time.strftime("%a %b %e %H:%M:%S %Y", time.gmtime(seconds))

    yield f"# darshan log version: {log_format}"
    yield f"# compression method: {PACKINGS[packing]}"
    yield f"# exe: {job.command}"
    yield f"# uid: {job.uid}"
    yield f"# jobid: {job.job_id}"
    yield f"# start_time: {job.start}"
    yield f"# start_time_asci: {moment(job.start)}"
    yield f"# end_time: {job.end}"
    yield f"# end_time_asci: {moment(job.end)}"
    yield f"# nprocs: {job.processes}"
    yield f"# run time: {run_time:.4f}"
    for key, value in job.metadata:
        yield f"# metadata: {key} = {value}"
    yield f"# header: {1328 if new else 360} bytes (uncompressed)"
    for name, length, version in regions:
        about = f"{name}: {length} bytes (compressed)" if version is None else f"{name} module: {length} bytes (compressed), ver={version}"
        yield f"# {about}"


class Lines:
    """A line for each value of a record."""

    def __init__(self, job, module):
        self.job, self.module = job, module

    def __call__(self, number, rank, counter, value):
        name = self.job.names.get(number, "darshan-bgq-record" if self.module == "BG/Q" else "")
        mount, kind = next((mount for mount in self.job.mounts if name.startswith("/") and name.startswith(mount[0])),
                           ("UNKNOWN", "UNKNOWN"))
        shown = f"{value:f}" if isinstance(value, float) else str(value)
        return f"{self.module}\t{rank}\t{number}\t{counter}\t{shown}\t{name}\t{mount}\t{kind}"


def counters(job, module, version):
    line = Lines(job, module)
    prefix, numbers, times = COUNTERS[module]
    for record in kept(job.records[module], module, version):
        values = as_read(record, module, version)
        for name in numbers:
            yield line(record.id, record.rank, prefix + name, values[name])
        for name in times:
            yield line(record.id, record.rank, prefix + "F_" + name, float(values[name]))
        if module in ("H5D", "PNETCDF_VAR"):
            yield line(record.id, record.rank, prefix + "FILE_REC_ID", 0 if (module, version) == ("H5D", 1) else record.container)


def totals(job, module, version):
    """Of what is added up over records."""
    prefix, numbers, times = COUNTERS[module]
    records = [as_read(record, module, version) for record in kept(job.records[module], module, version)]
    for name in numbers:
        if (name.endswith(ADDED_UP) or name.startswith("SIZE_")) and not name.startswith("MAX_"):
            added = sum(values[name] for values in records)
            yield f"total_{prefix}{name}: {max(-1, added) if module == 'POSIX' else added}"
    for name in ("READ_TIME", "WRITE_TIME", "META_TIME"):
        yield f"total_{prefix}F_{name}: {sum(values[name] for values in records):f}"


def categories_and_rates(job, module, version):
    files, by_rank, moved, shared = {}, {}, 0, 0.0
    for record in kept(job.records[module], module, version):
        values = as_read(record, module, version)
        read, written = values["BYTES_READ"], values["BYTES_WRITTEN"]
        last = max(values.get("MAX_BYTE_READ", -1), values.get("MAX_BYTE_WRITTEN", -1))
        file = files.setdefault(record.id, [0, 0, -1 if module == "MPI-IO" else 0])
        file[:] = file[0] + read, file[1] + written, max(file[2], last)
        moved += read + written
        if record.rank < 0:
            shared += values["SLOWEST_RANK_TIME"]
        else:
            by_rank[record.rank] = by_rank.get(record.rank, 0) + sum(values[f"{what}_TIME"] for what in ("READ", "WRITE", "META"))
    for name, is_one in (("total", lambda r, w: True), ("read_only", lambda r, w: r and not w),
                         ("write_only", lambda r, w: w and not r), ("read_write", lambda r, w: r and w)):
        those = [file for file in files.values() if is_one(file[0], file[1])]
        last = max([file[2] for file in those] + ([] if module == "MPI-IO" and those else [0]))
        yield f"# {name}: {len(those)} {sum(file[0] + file[1] for file in those)} {last}"
    slowest = max(by_rank.values(), default=0)
    yield f"# total_bytes: {moved}"
    yield f"# unique files: slowest_rank_io_time: {slowest:f}"
    yield f"# unique files: slowest_rank: {max(by_rank, key=by_rank.get, default=0)}"
    yield f"# shared files: time_by_slowest: {shared:f}"
    yield f"# agg_time_by_slowest: {slowest + shared:f} # seconds"
    yield f"# agg_perf_by_slowest: {moved / 1048576 / (slowest + shared):f} # MiB/s"


def layouts(job, version):
    line = Lines(job, "LUSTRE")
    for layout in job.layouts:
        def value(name, what):
            return line(layout.id, layout.rank, "LUSTRE_" + name, what)

        yield value("NUM_COMPONENTS", len(layout.components))
        yield value("NUM_STRIPES", sum(len(one.servers) for one in layout.components))
        for at, one in enumerate(layout.components, 1):
            pattern, flags, mirror = "raid0", {0: "0", 16: "init"}[one.flags], one.mirror
            if version == 1:
                pattern, flags, mirror = "N/A", "N/A", -1
            for name, what in (("STRIPE_SIZE", one.stripe_size), ("STRIPE_COUNT", len(one.servers)), ("STRIPE_PATTERN", pattern),
                               ("FLAGS", flags), ("EXT_START", one.begins), ("EXT_END", one.ends), ("MIRROR_ID", mirror),
                               ("POOL_NAME", one.pool or "N/A")):
                yield value(f"COMP{at}_{name}", what)
            for stripe, server in enumerate(one.servers):
                yield value(f"COMP{at}_OST_ID_{stripe}", server)


def heatmaps(job):
    line = Lines(job, "HEATMAP")
    for one in job.heatmaps:
        yield line(one.id, one.rank, "HEATMAP_F_BIN_WIDTH_SECONDS", one.bin_seconds)
        for name, bins in (("READ", one.reads), ("WRITE", one.writes)):
            for at, moved in enumerate(bins):
                yield line(one.id, one.rank, f"HEATMAP_{name}_BIN_{at}", moved)


def parser_text(job, log_format, packing, versions, regions):
    """What `darshan-parser --all` prints of the values, without its explanations."""
    lines = list(head(job, log_format, packing, regions))
    for module, _, version in regions:
        if version is None or module.startswith("DXT"):
            continue
        lines.append(f"# {module} module data")
        if module == "LUSTRE":
            lines += layouts(job, version)
        elif module == "HEATMAP":
            lines += heatmaps(job)
        elif module in COUNTERS:
            lines += counters(job, module, versions[module])
        if module in ("POSIX", "MPI-IO", "STDIO"):
            lines += totals(job, module, version)
            lines += categories_and_rates(job, module, version)
    return "\n".join(lines) + "\n"


def servers_of(layout, offset, length):
    """Of the first component that the operation begins in, in the order of its bytes."""
    for one in layout.components:
        if one.begins <= offset and (one.ends == -1 or offset < one.ends):
            first, last = offset // one.stripe_size, (offset + length - 1) // one.stripe_size
            stripes = range(first, min(last, first + len(one.servers) - 1) + 1)
            return " ".join(f"[{one.servers[stripe % len(one.servers)]}]" for stripe in stripes)
    return ""


def trace_text(job, versions):
    """What `darshan-dxt-parser` prints."""
    lines = []
    for module, label, without in (("DXT_POSIX", "X_POSIX", 1), ("DXT_MPIIO", "X_MPIIO", 2)):
        if module not in versions:
            continue
        lines.append(f"# {module} module data")
        with_threads = versions[module] > without
        for trace in job.traces[module]:
            shows_servers = "LUSTRE" in versions and module == "DXT_POSIX"
            layout = next((one for one in job.layouts if one.id == trace.id and shows_servers), None)
            mount = next(mount for mount in job.mounts if job.names[trace.id].startswith(mount[0]))
            threads = {operation[4] for operation in trace.writes + trace.reads}
            lines += [f"# DXT, file_id: {trace.id}, file_name: {job.names[trace.id]}",
                      f"# DXT, rank: {trace.rank}, hostname: {trace.host}",
                      f"# DXT, number of threads: {len(threads) if with_threads else 1}",
                      f"# DXT, write_count: {len(trace.writes)}, read_count: {len(trace.reads)}",
                      f"# DXT, mnt_pt: {mount[0]}, fs_type: {mount[1]}"]
            if layout:
                lines.append("# DXT, Lustre stripe components:")
                for at, one in enumerate(layout.components, 1):
                    end = "EOF" if one.ends == -1 else one.ends
                    lines.append(f"#\t[Component {at}] stripe_ext: {one.begins} - {end}, stripe_size: {one.stripe_size}, "
                                 f"stripe_count: {len(one.servers)}, OSTs: {' '.join(map(str, one.servers))}")
            for what, operations in (("write", trace.writes), ("read", trace.reads)):
                for at, (offset, length, start, end, thread) in enumerate(operations):
                    offset_shown = -1 if (module, versions[module]) == ("DXT_MPIIO", 1) else offset
                    servers = servers_of(layout, offset, length) + " " if layout else ""
                    lines.append(f" {label} {trace.rank} {what} {at} {offset_shown} {length} {start:.4f} {end:.4f} {servers}"
                                 f"{thread if with_threads else 'N/A'}")
    return "\n".join(lines) + "\n"
