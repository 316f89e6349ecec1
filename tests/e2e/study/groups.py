"""Whose the runs of a site are: groups of them, and what the batch system's accounting has."""
from collections import namedtuple

# Of the batch system: who, when (seconds of UNIX time), and the cores it was given.
Allocation = namedtuple("Allocation", "job user account start end cores")

# What a study is asked for.
Choice = namedtuple("Choice", "by top large_processes large_bytes", defaults=("project", 10, 1024, 500 << 20))

WORDS = {"user": ("user", "users"), "project": ("project", "projects"), "program": ("program", "programs")}


def name_of(run, by):
    return {"user": run.user, "project": run.project, "program": run.program}[by]


def core_milliseconds(allocation):
    return (allocation.cores or 0) * (allocation.end - allocation.start) * 1000


class Group:
    def __init__(self, name):
        self.name, self.runs, self.allocations = name, [], []

    @property
    def read(self):
        return sum(run.read for run in self.runs)

    @property
    def written(self):
        return sum(run.written for run in self.runs)

    @property
    def bytes(self):
        return self.read + self.written

    @property
    def letters(self):
        """H,M,S,P: the APIs of all its runs"""
        return ",".join(letter for letter in "HNMSP" if any(letter in run.apis for run in self.runs))


class Site:
    """Runs with a log, and allocations; runs know theirs."""

    def __init__(self, runs, allocations, choice):
        self.runs, self.allocations, self.choice = runs, allocations, choice
        self.word, self.words = WORDS[choice.by]
        self.groups = self.groups_by(choice.by)
        self.shown = [group for group in self.groups if group.runs][:choice.top]
        self.large = [run for run in runs if run.processes >= choice.large_processes and run.bytes >= choice.large_bytes]
        with_large = {name_of(run, choice.by) for run in self.large}
        self.large_groups = [group for group in self.groups if group.name in with_large][:choice.top]
        self.all_large_groups = len(with_large)

    def groups_by(self, by):
        """Those that moved most first; those without runs last, by what they were given."""
        groups = {}
        for run in self.runs:
            groups.setdefault(name_of(run, by), Group(name_of(run, by))).runs.append(run)
        for allocation in self.allocations if by != "program" else ():
            name = allocation.user if by == "user" else allocation.account
            groups.setdefault(name, Group(name)).allocations.append(allocation)
        return sorted(groups.values(), key=lambda one: (
            -one.bytes, -len(one.runs), 0 if one.runs else -sum(map(core_milliseconds, one.allocations)), one.name.encode()))

    def large_of(self, name, by=None):
        return [run for run in self.large if name_of(run, by or self.choice.by) == name]

    def label(self, name, by=None):
        return name or f"(no {by or self.word})"


def accounting_of(runs):
    """Made up: of most runs the allocation that they ran in, of some it has no cores, and of a few jobs there is no log."""
    jobs = {}
    for run in runs:
        jobs.setdefault((run.user, run.job), []).append(run)
    allocations = []
    for at, ((user, job), of) in enumerate(sorted(jobs.items())):
        if at % 5 == 4 or not job:
            continue
        start, end = min(run.start for run in of) // 10**9 - 60, max(run.start + run.time for run in of) // 10**9 + 61
        allocations.append(Allocation(job, user, f"account{at % 3}", start, end, None if at % 7 == 6 else 96 * (at % 4 + 1)))
        for run in of:
            run.allocation, run.project = allocations[-1], allocations[-1].account
    start = 1_700_000_000
    return allocations + [Allocation(f"9{at}", f"without{at % 2}", f"account{at}", start, start + 1000 * at, 48 * at) for at in range(2, 6)]


def as_sacct_prints(allocations):
    lines = ["JobID|User|Account|Cluster|State|Start|End|AllocNodes|AllocCPUS"]
    lines += [f"{one.job}|{one.user}|{one.account}|levante|COMPLETED|{one.start}|{one.end}||{one.cores or ''}" for one in allocations]
    return "".join(line + "\n" for line in lines)
