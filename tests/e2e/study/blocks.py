"""What a study has to say: of each section the numbers of its first sentence, tables as rows, drawings as series.

Each is a dictionary: "said", a list of numbers, behind "named"; "tables", {id: rows}; "charts", {id: (categories, {series: values})};
"plots", {id: [(series, xs, ys)]}. Where there is nothing to show, a section is empty.
"""
import math
from collections import Counter, defaultdict

from .run import BOUNDS, MEBIBYTE, SECOND, SIZES, share
from .groups import core_milliseconds, name_of

TRIVIAL = 200_000_000  # bytes; more is more than trivial I/O (Beacon)
GIGABYTE = 10**9
HOUR = 3_600_000  # milliseconds
JOB_SIZES = (1, 16, 64, 256, 1024, 4096, 16384, 65536)  # processes
CLASS_NAMES = ("up to 100 B", "100 B to 1 KiB", "1 KiB to 10 KiB", "10 KiB to 100 KiB", "100 KiB to 1 MiB", "1 MiB to 4 MiB",
               "4 MiB to 10 MiB", "10 MiB to 100 MiB", "100 MiB to 1 GiB", "over 1 GiB")
SIZE_RANGES = (("to 10 KiB", 0, 3), ("to 1 MiB", 3, 5), ("to 10 MiB", 5, 7), ("more", 7, 10))


def drawn(part, whole):
    return part / whole if whole else 0.0


class Mean(float):
    """Of values rounded to billionths."""

    @staticmethod
    def of(values):
        known = [value for value in values if value is not None]
        return Mean(math.fsum(known) / len(known)) if known else None


def quartile(values, part):
    """Type 7 of Hyndman and Fan: in proportion between the two nearest."""
    values = sorted(values)
    place = (len(values) - 1) * part
    low = math.floor(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


def job_size(processes):
    return sum(bound < processes for bound in JOB_SIZES)


def job_size_name(at):
    if at == 0:
        return "1"
    return f"over {JOB_SIZES[-1]:,}" if at == len(JOB_SIZES) else f"{JOB_SIZES[at - 1] + 1:,} to {JOB_SIZES[at]:,}"


# ---- coverage ----

def apis(site):
    return {"tables": {"apis": [{"name": site.label(group.name), "runs": len(group.runs), "apis": group.letters} for group in site.shown]}}


def coverage(site):
    """By project, where programs are asked for: accounting knows none."""
    if not site.allocations:
        return apis(site)
    by = "user" if site.choice.by == "user" else "project"
    logged = defaultdict(set)  # the projects of each allocation that has a log
    for run in site.runs:
        if run.allocation:
            logged[run.allocation].add(run.project)
    covered = defaultdict(lambda: [0, 0, 0, 0])  # jobs with a log, jobs, milliseconds with a log, milliseconds
    for allocation in site.allocations:
        projects = logged.get(allocation, set())
        name = allocation.user if by == "user" else next(iter(projects)) if len(projects) == 1 else allocation.account
        time = core_milliseconds(allocation)
        covered[name] = [a + b for a, b in zip(covered[name], (bool(projects), 1, time if projects else 0, time))]
    everything = [sum(column) for column in zip(*covered.values())]
    groups, top = site.groups_by(by), site.choice.top
    rows = [(site.label(group.name, by), covered[group.name], group.letters) for group in groups[:top]]
    if groups[top:]:
        rows.append((f"{len(groups) - top} others", [sum(column) for column in zip(*(covered[group.name] for group in groups[top:]))], ""))
    largest = max(time for _, (_, _, _, time), _ in rows) / HOUR
    scale, unit = (1e6, " M") if largest >= 1e5 else (1e3, " K") if largest >= 1e3 else (1, "")
    return {
        "said": [everything[0], everything[1], everything[0] / everything[1], everything[2] / HOUR, everything[3] / HOUR,
                 everything[2] / everything[3]],
        "tables": {
            "coverage": [{"name": name, "jobs": f"{jobs_with}/{jobs}",
                          "core_hours": f"{time_with / HOUR / scale:.1f}/{time / HOUR / scale:.1f}{unit}",
                          "share": share(time_with, time), "apis": letters} for name, (jobs_with, jobs, time_with, time), letters in rows],
            "coverage_numbers": [{"name": name, "jobs_with_log": jobs_with, "jobs": jobs, "core_hours_with_log": time_with / HOUR,
                                  "core_hours": time / HOUR} for name, (jobs_with, jobs, time_with, time), _ in rows]}}


# ---- by size of runs ----

def split_by_size(name, kinds, split):
    """`split`: {size: (runs, sums of the whole, {kind: (runs, files, bytes read, bytes written)})}; `kinds` are those drawn."""
    rows, names, series = [], [], {kind: [] for kind in kinds}
    for size, (runs, whole, parts) in sorted(split.items()):
        for kind, part in parts.items():
            if any(part):
                rows.append({"processes": job_size_name(size), "runs": runs, "kind": kind, "runs_share": share(part[0], runs),
                             **{column: share(a, b) for column, a, b in zip(("files_share", "read_share", "written_share"), part[1:], whole)}})
        if sum(whole[1:]):
            names.append(job_size_name(size))
            for kind in kinds:
                series[kind].append(sum(parts[kind][2:]) / sum(whole[1:]))
    return {"tables": {name: rows}, "charts": {name + "_chart": (names, series)}}


def by_size(site):
    sizes = defaultdict(list)
    for run in site.runs:
        sizes[job_size(run.processes)].append(run)
    return sizes.items()


def interfaces(site):
    split = {}
    for size, runs in by_size(site):
        def amounts(letter, layer):
            return (sum(letter in run.apis for run in runs), *(sum(run.layers[layer][what] for run in runs) for what in ("files", "read", "written")))

        whole = [sum(run.files for run in runs), sum(run.read for run in runs), sum(run.written for run in runs)]
        stdio, mpiio, posix = amounts("S", "stdio"), amounts("M", "mpiio"), sum("P" in run.apis for run in runs)
        high = [run for run in runs if set("HN") & set(run.apis)]
        rest = [max(all_ - a - b, 0) if posix else 0 for all_, a, b in zip(whole, stdio[1:], mpiio[1:])]
        split[size] = (len(runs), whole, {
            "POSIX": (posix, *rest), "stdio": stdio, "MPI-IO": mpiio,
            "HDF5, PnetCDF": (len(high), *(sum(getattr(run, what) for run in high) for what in ("files", "read", "written")))})
    return split_by_size("interfaces", ("POSIX", "stdio", "MPI-IO"), split)


def sharing(site):
    kinds = ("unique", "partly shared", "shared")
    split = {}
    for size, runs in by_size(site):
        parts = {}
        for kind in kinds:
            own = [run.sharing[kind] for run in runs if kind in run.sharing]
            parts[kind] = (len(own), *(sum(column) for column in zip(*((one[0] + one[2], one[1], one[3]) for one in own)))) if own else (0,) * 4
        split[size] = (len(runs), [sum(column) for column in zip(*(part[1:] for part in parts.values()))], parts)
    return split_by_size("sharing", kinds, split)


# ---- all runs ----

def volumes(site):
    def row(name, runs):
        read, written = sum(run.read for run in runs), sum(run.written for run in runs)
        return {"name": name, "runs": len(runs), "bytes_read": read, "bytes_written": written, "read_share": share(read, read + written),
                "share": share(read + written, sum(run.bytes for run in site.runs))}

    groups = [group for group in site.groups if group.runs]
    rows = [row(site.label(group.name), group.runs) for group in site.shown]
    hidden = groups[len(site.shown):]
    said = [len(site.runs), len(groups), sum(run.read for run in site.runs), sum(run.written for run in site.runs), len(rows),
            sum(group.read > group.written for group in site.shown)]
    chart = ([one["name"] for one in rows], {"read": [one["bytes_read"] for one in rows], "written": [one["bytes_written"] for one in rows]})
    if hidden:
        rows.append(row(f"{len(hidden):,} others", [run for group in hidden for run in group.runs]))
    return {"said": said, "tables": {"volumes": rows}, "charts": {"volumes_chart": chart}}


def file_counts(site):
    rows, plot = [], []
    for group in site.shown:
        runs = group.runs
        rows.append({"name": site.label(group.name), "runs": len(runs),
                     "none": sum(run.files == 0 for run in runs) / len(runs),
                     "one": sum(run.files == 1 < run.processes for run in runs) / len(runs),
                     "fewer": sum(1 < run.files < run.processes for run in runs) / len(runs),
                     "each": sum(run.files >= max(run.processes, 1) for run in runs) / len(runs),
                     "files": sum(run.files for run in runs)})
        places = {}  # ten to a doubling; the first of the runs at a place stands for all
        for point in sorted((run.processes, run.files) for run in runs if run.files):
            places.setdefault(tuple(math.floor(math.log2(value) * 10 + 0.5) for value in point), point)
        if places:
            points = [places[place] for place in sorted(places)]
            plot.append((site.label(group.name), *map(list, zip(*points))))
    none = sum(run.files == 0 for run in site.runs)
    return {"said": [none, len(site.runs), none / len(site.runs)], "tables": {"file_counts": rows}, "plots": {"file_counts_plot": plot}}


def sizes_of(runs):
    """Reads and writes in each class of sizes."""
    return [[sum(column) for column in zip([0] * len(SIZES), *(getattr(run, way) for run in runs))] for way in ("read_sizes", "write_sizes")]


def dominant(site):
    """At most two groups, those with most accesses, and never all."""
    everything = sizes_of(site.runs)
    found = []
    for group in site.groups:
        own = sizes_of(group.runs)
        if any(a and 2 * a >= b and 10 * b >= sum(all_) for mine, all_ in zip(own, everything) for a, b in zip(mine, all_)):
            found.append((-sum(map(sum, own)), group.name))
    users = sum(any(run.layers["posix"]["files"] or run.layers["stdio"]["files"] for run in group.runs) for group in site.groups)
    return [name for _, name in sorted(found)][:min(2, users - 1)]


def access_sizes(site):
    names = dominant(site)
    curves = dict(zip((("reads", "reads"), ("writes", "writes")), sizes_of(site.runs)))
    if names:
        without = " w/o " + " and ".join(map(site.label, names))
        rest = sizes_of([run for run in site.runs if name_of(run, site.choice.by) not in names])
        curves.update(zip((("reads_without", "reads" + without), ("writes_without", "writes" + without)), rest))
    curves = {curve: [sum(sizes[:at + 1]) / sum(sizes) for at in range(len(sizes))] for curve, sizes in curves.items() if sum(sizes)}
    return {"tables": {"access_sizes": [{"size": name, **{column: parts[at] for (column, _), parts in curves.items()}}
                                        for at, name in enumerate(CLASS_NAMES)]},
            "plots": {"access_sizes_plot": [(name, list(BOUNDS), parts[:len(BOUNDS)]) for (_, name), parts in curves.items()]}}


def created_files(site):
    runs = [run for run in site.runs if run.files_created is not None]

    def row(name, of):
        written, created = sum(run.files_written for run in of), sum(run.files_created for run in of)
        return {"name": name, "written": written, "created": created, "share": share(created, written)}

    everything = row("all", runs)
    if not everything["written"]:
        return {}
    rows = [row(site.label(group.name), [run for run in group.runs if run.files_created is not None]) for group in site.shown]
    return {"said": [everything["written"], everything["share"]],
            "tables": {"created_files": [one for one in rows if one["written"]] + [everything]}}


# ---- large runs ----

def large_said(site):
    """Nothing where there is no large run."""
    return [len(site.large), site.all_large_groups, site.choice.large_processes, site.choice.large_bytes] if site.large else []


def rates(site):
    rows, lines, bodies, medians = [], [], [], []
    for group in site.large_groups:
        known = [run.rate for run in site.large_of(group.name) if run.rate is not None]
        if not known:
            continue
        q1, median, q3 = (quartile(known, part) for part in (0.25, 0.5, 0.75))
        y = len(rows) + 1
        rows.append({"number": y, "name": site.label(group.name), "runs": len(known), "min": min(known), "q1": q1, "median": median, "q3": q3,
                     "max": max(known), "iqr": q3 - q1})
        lines.append([(min(known), y), (max(known), y)])
        bodies.append([(q1, y - 0.2), (q3, y - 0.2), (q3, y + 0.2), (q1, y + 0.2), (q1, y - 0.2)])
        medians.append([(median, y - 0.3), (median, y), (median, y + 0.3)])

    def joined(strokes):
        points = [point for stroke in strokes for point in [(None, None), *stroke]][1:]
        return [list(column) for column in zip(*points)]

    if not rows:
        return {"said": large_said(site)}
    return {"said": large_said(site), "tables": {"rates": rows}, "plots": {"rates_plot": [
        ("minimum to maximum", *joined(lines)), ("Q1 to Q3", *joined(bodies)), ("median", *joined(medians))]}}


def large_jobs(site):
    if not site.large:
        return {}
    columns = {"rate": lambda run: run.rate, "io_share": lambda run: run.share, "metadata": lambda run: run.metadata_share,
               "files": lambda run: run.files / run.processes,
               "creates": lambda run: None if run.files_created is None else run.files_created / run.processes,
               "sequential": lambda run: share(run.sequential, run.accesses),
               "aligned": lambda run: None if run.aligned is None else share(run.aligned, run.accesses),
               "volume": lambda run: run.bytes / MEBIBYTE / run.processes}
    rows = []
    for group in site.large_groups:
        runs = site.large_of(group.name)
        rows.append({"name": site.label(group.name), "runs": len(runs), **{column: Mean.of(map(of, runs)) for column, of in columns.items()}})
    return {"said": large_said(site), "tables": {"large_jobs": rows}}


def large_sizes(site):
    tables, charts = {}, {}
    for side, way in enumerate(("reads", "writes")):
        rows = [(site.label(group.name), sizes) for group in site.large_groups if sum(sizes := sizes_of(site.large_of(group.name))[side])]
        if rows:
            tables[f"large_{way}"] = [{"name": name, "accesses": sum(sizes), **{f"size_{size}": one / sum(sizes) for size, one in zip(SIZES, sizes)}}
                                      for name, sizes in rows]
            charts[f"large_{way}_chart"] = ([name for name, _ in rows], {
                name: [sum(sizes[first:end]) / sum(sizes) for _, sizes in rows] for name, first, end in SIZE_RANGES})
    return {"tables": tables, "charts": charts}


def by_performance(site):
    """Of the group whose rates spread most from Q1 to Q3; fewer than four have no spread."""
    widest = None
    for group in site.groups:
        known = [run.rate for run in site.large_of(group.name) if run.rate is not None]
        spread = quartile(known, 0.75) - quartile(known, 0.25) if len(known) > 3 else 0
        if known and (widest is None or spread > widest[0]):
            widest = (spread, group.name)
    if widest is None:
        return {}
    runs = sorted((run for run in site.large_of(widest[1]) if run.rate is not None), key=lambda run: (
        -run.rate, -run.bytes, -run.processes, run.start, run.program, run.job, run.step))
    many = min(len(runs), site.choice.top)
    rows = []
    for at in range(many):
        run = runs[at * (len(runs) - 1) // (many - 1) if many > 1 else 0]
        rows.append({"run": chr(ord("A") + at) if at < 26 else str(at + 1), "job": run.job or None, "program": site.label(run.program, "program"),
                     "processes": run.processes, "rate": run.rate, "metadata": run.metadata_share, "key_size": run.key_size,
                     "key_direction": run.key_direction})
    return {"named": site.label(widest[1]), "said": [widest[0], len(runs)], "tables": {"by_performance": rows}}


def by_job_size(site):
    """Of the program that ran on most numbers of nodes, then the one with most runs."""
    programs = defaultdict(lambda: defaultdict(list))
    for run in site.large:
        if run.rate is not None:
            programs[run.program][run.nodes].append(run.rate)
    if not programs:
        return {}
    _, _, program = min((-len(nodes), -sum(map(len, nodes.values())), program.encode()) for program, nodes in programs.items())
    nodes = programs[program.decode()]
    return {"named": site.label(program.decode(), "program"), "said": [len(nodes)],
            "tables": {"by_job_size": [{"nodes": many, "runs": len(known), "rate": Mean.of(known)} for many, known in sorted(nodes.items())]}}


# ---- jobs that moved more than a trivial amount ----

def core_hours(site):
    jobs = defaultdict(lambda: [0, 0, 0])  # core milliseconds of its runs, bytes read, bytes written
    for number, run in enumerate(site.runs):
        sums = jobs[run.allocation or number]
        jobs[run.allocation or number] = [a + b for a, b in zip(sums, (run.core_milliseconds, run.read, run.written))]
    classes, leased = defaultdict(list), 0
    for job, (time, read, written) in jobs.items():
        if read + written <= TRIVIAL:
            continue
        if not isinstance(job, int) and core_milliseconds(job):
            time = core_milliseconds(job)
            leased += 1
        classes[0 if time <= 0 else 1 + sum(bound * 1000 * HOUR < time for bound in (1, 10, 100, 1000))].append((read, written))
    if not classes:
        return {}
    names = ("not known", "(0,1K]", "(1K,10K]", "(10K,100K]", "(100K,1000K]", "(1000K,∞)")
    many = sum(map(len, classes.values()))
    return {"said": [many, TRIVIAL, leased, many - leased], "tables": {"core_hours": [
        {"core_hours": names[at], "jobs": len(of), "read_gb": sum(read for read, _ in of) / len(of) / GIGABYTE,
         "written_gb": sum(written for _, written in of) / len(of) / GIGABYTE} for at, of in sorted(classes.items())]}}


def io_modes(site):
    sums = {}
    for mode in ("N-N", "N-M", "N-1", "1-1"):
        own = [run.modes[mode] for run in site.runs if run.bytes > TRIVIAL and mode in run.modes]
        if own:
            sums[mode] = (len(own), sum(one[1] for one in own), sum(one[3] for one in own))
    read, written = sum(one[1] for one in sums.values()), sum(one[2] for one in sums.values())
    if not sums:
        return {}
    return {"tables": {"io_modes": [{"mode": mode, "read_gb": data[0] / runs / GIGABYTE, "written_gb": data[1] / runs / GIGABYTE, "runs": runs,
                                     "read_share": share(data[0], read), "written_share": share(data[1], written)}
                                    for mode, (runs, *data) in sums.items()]},
            "charts": {"io_modes_chart": (list(sums), {"of bytes read": [drawn(one[1], read) for one in sums.values()],
                                                       "of bytes written": [drawn(one[2], written) for one in sums.values()]})}}


# ---- what findings cost ----

def words(rule):
    return rule.replace("_", " ")


def findings(site):
    everything = sum(run.core_milliseconds for run in site.runs)
    lost = defaultdict(lambda: [set(), 0, 0])  # runs, core milliseconds, node milliseconds
    for run in site.runs:
        for rule, cost in run.findings:
            sums, milliseconds = lost[rule], (cost or 0) // 10**6
            sums[0].add(run.log)
            sums[1] += run.processes * milliseconds
            sums[2] += (run.nodes or 0) * milliseconds
    rows = sorted(((rule, len(runs), core, node) for rule, (runs, core, node) in lost.items()), key=lambda one: (-one[2], -one[1], one[0]))
    if not rows:
        return {}
    return {"said": [everything / HOUR], "tables": {"findings": [
        {"finding": words(rule), "runs": runs, "core_hours": core / HOUR, "share": share(core, everything), "node_hours": node / HOUR}
        for rule, runs, core, node in rows]}}


def repairs(site):
    top, runs = site.choice.top, [run for run in site.runs if run.lost]
    programs = defaultdict(lambda: [0, Counter()])
    for run in runs:
        sums = programs[run.program]
        sums[0] += 1
        sums[1][run.lost[0]] += run.processes * (run.lost[1] // 10**6)
    rows = sorted(((program, many, by_rule.total(), min((-time, rule) for rule, time in by_rule.items())[1])
                   for program, (many, by_rule) in programs.items()), key=lambda one: (-one[2], -one[1], one[0]))
    if not rows:
        return {}
    largest = sorted((run for run in runs if run.processes * (run.lost[1] // 10**6)), key=lambda run: (
        -run.processes * (run.lost[1] // 10**6), -run.lost[1], run.processes, run.start, run.program, run.user, run.lost[0], run.job))
    return {"tables": {
        "repair_programs": [{"program": site.label(program, "program"), "runs": many, "core_hours": time / HOUR, "finding": words(rule)}
                            for program, many, time, rule in rows[:top]],
        "repair_runs": [{"job": run.job or None, "program": site.label(run.program, "program"), "user": site.label(run.user, "user"),
                         "processes": run.processes, "run_time": run.time / SECOND, "cost": run.lost[1] / SECOND,
                         "core_hours": run.processes * (run.lost[1] // 10**6) / HOUR, "finding": words(run.lost[0])}
                        for run in largest[:top]]}}


SECTIONS = {section.__name__: section for section in (
    coverage, interfaces, sharing, volumes, file_counts, access_sizes, created_files, rates, large_jobs, large_sizes, by_performance, by_job_size,
    core_hours, io_modes, findings, repairs)}
