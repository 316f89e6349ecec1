#!/usr/bin/env python3
"""Whether the report finds what was planted in programs, and nothing in those that do well.

Each workload of tests/e2e/workloads.py that has a fault loses 5, 20 and 50 % of its time to it: weak, medium, strong. A
round runs each at each strength, and those that do well once. Prints Markdown, as it stands in docs/FINDINGS.md:

  found      in how many runs the fault that was planted is reported (recall)
  wrongly    in how many runs it is reported though neither planted nor true as a consequence of what was
  precision  runs that it was planted and reported in, over those and the wrong ones
  first      of the runs that report it, in how many nothing is ranked above it but its own consequences
  cost       what is reported over what the program lost by its own clock: median and range, medium and strong

Exit status 77 when no workload could be run.
"""
import argparse
import json
import re
import shutil
import statistics
import sys
import tempfile
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "e2e"))

from findings_view import Outcome, Trouble, findings_of, recorded  # noqa: E402
from workloads import PLANTED, STRENGTHS, Workload, WORKLOADS, those_here  # noqa: E402

NOT_HERE = 77
RATIO_STRENGTHS = ("medium", "strong")
MEASURABLE = 0.1  # of the time in the fault: what is lost beyond that is told apart from noise


@dataclass(frozen=True)
class Run:
    workload: Workload
    strength: str  # empty for those that do well
    outcome: Outcome

    @property
    def found(self):
        return self.workload.planted in self.outcome.ids

    @property
    def first(self):
        """Whether it is the first, but for what follows from it."""
        return next(one for one in self.outcome.ids if one not in self.workload.also) == self.workload.planted

    @property
    def ratio(self):
        cost, said = self.outcome.cost_of(self.workload.planted), self.outcome.said
        if cost is None or said["lost"] < MEASURABLE * said["in_fault"]:
            return None
        return cost / said["lost"]


def share(count, of):
    return "–" if of == 0 else f"{100 * count / of:.0f} %"


def spread(values):
    if not values:
        return "–"
    return f"{statistics.median(values):.2f} [{min(values):.2f}..{max(values):.2f}]"


def row_of(name, runs, wrong):
    found = [run for run in runs if run.found]
    recall = [share(sum(run.found for run in runs if run.strength == one), sum(run.strength == one for run in runs))
              for one in STRENGTHS]
    ratios = [run.ratio for run in found if run.strength in RATIO_STRENGTHS and run.ratio is not None]
    return (name, *recall, str(wrong), share(len(found), len(found) + wrong), share(sum(run.first for run in found), len(found)),
            spread(ratios))


def print_table(header, rows):
    print("| " + " | ".join(header) + " |")
    print("|---" * len(header) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def print_findings(runs):
    wrong = Counter(one for run in runs for one in set(run.outcome.wrong(run.workload)))
    of = defaultdict(list)
    for run in runs:
        if run.workload.planted:
            of[run.workload.planted].append(run)
    names = list(dict.fromkeys(workload.planted for workload in PLANTED)) + sorted(set(wrong) - set(of))
    planted = [run for run in runs if run.workload.planted]
    header = ("finding", *(f"found, {one} ({100 * part:.0f} %)" for one, part in STRENGTHS.items()), "wrongly", "precision", "first", "cost")
    rows = [row_of(f"`{name}`", of[name], wrong[name]) for name in names if name in of or wrong[name]]
    rows.append(row_of("all", planted, sum(wrong.values())))
    print_table(header, rows)


def print_workloads(runs):
    """Each workload: what was found of it, and what was found wrongly."""
    of = defaultdict(list)
    for run in runs:
        of[run.workload.name].append(run)
    rows = []
    for workload in WORKLOADS:
        here = of[workload.name]
        if not here:
            continue
        wrong = Counter(f"{one}{f' ({run.strength})' if run.strength else ''}" for run in here for one in run.outcome.wrong(workload))
        said = ", ".join(f"{name} {times} of {len([run for run in here if not run.strength or f'({run.strength})' in name])}"
                         for name, times in sorted(wrong.items())) or "–"
        found = [share(sum(run.found for run in here if run.strength == one), sum(run.strength == one for run in here))
                 if workload.planted else "" for one in STRENGTHS]
        ratios = [run.ratio for run in here if run.found and run.strength in RATIO_STRENGTHS and run.ratio is not None]
        rows.append((workload.name, f"`{workload.planted}`" if workload.planted else "nothing", *found,
                     spread(ratios) if workload.planted else "", said))
    print_table(("workload", "planted", *STRENGTHS, "cost", "found wrongly"), rows)


def print_each(runs):
    print()
    for run in runs:
        said = run.outcome.said
        lost = f"lost {said['lost']:.3f} of {said['in_fault']:.3f} in the fault, of {said['run']:.2f} s" if said else ""
        found = ", ".join(f"{one.id} {'?' if one.cost is None else format(one.cost, '.3f')}" for one in run.outcome.found)
        print(f"{run.workload.name} {run.strength}: {lost}: {found or 'nothing'}")


def ran(workload, strength, seed, options, folder):
    """One run, in a folder of its own that is removed again."""
    name = re.sub(r"\W+", "-", f"{workload.name}-{strength}-{seed}")
    inner = folder / name
    inner.mkdir()
    try:
        log, said = recorded(workload, strength, seed, options.seconds, options.fathom, options.programs, inner)
        if options.keep:
            shutil.copy(log, options.keep / f"{name}.fathom")
            with open(options.keep / "runs", "a", encoding="utf-8") as runs:
                runs.write(json.dumps([workload.name, strength, f"{name}.fathom", said]) + "\n")
        return Run(workload, strength, Outcome(said, findings_of(options.fathom, log, inner)))
    finally:
        shutil.rmtree(inner)


def progress(what):
    if sys.stderr.isatty():
        print(f"\r\033[K{what}", end="", file=sys.stderr, flush=True)


def measured(options, chosen, folder):
    runs, troubles = [], []
    for seed in range(1, options.rounds + 1):
        for workload in chosen:
            for strength in STRENGTHS if workload.planted else ("",):
                progress(f"round {seed} of {options.rounds}: {workload.name} {strength}")
                try:
                    runs.append(ran(workload, strength, seed, options, folder))
                except Trouble as trouble:
                    troubles.append(f"{workload.name} {strength}: {trouble}")
    progress("")
    return runs, troubles


def judged_again(options, chosen):
    """The runs whose logs were kept."""
    of = {workload.name: workload for workload in chosen}
    runs, troubles = [], []
    for line in (options.again / "runs").read_text(encoding="utf-8").splitlines():
        name, strength, log, said = json.loads(line)
        if name not in of:
            continue
        try:
            runs.append(Run(of[name], strength, Outcome(said, findings_of(options.fathom, options.again / log, options.again))))
        except Trouble as trouble:
            troubles.append(f"{name} {strength}: {trouble}")
    return runs, troubles


def parse():
    parser = argparse.ArgumentParser(prog="scripts/bench findings", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=3, help="how often each workload is run (default: %(default)s)")
    parser.add_argument("--only", nargs="+", metavar="NAME", default=[], help="workloads, or what is planted in them")
    parser.add_argument("--folder", type=Path, help="where to run them (default: $TMPDIR or /tmp)")
    parser.add_argument("--seconds", type=float, default=3, help="that our own programs run for (default: %(default)s)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="put the logs there")
    parser.add_argument("--again", type=Path, metavar="FOLDER", help="run nothing: judge the logs that --keep put there")
    parser.add_argument("--each", action="store_true", help="say of each run what was found, with its cost")
    options = parser.parse_args()
    known = {workload.name for workload in WORKLOADS} | {workload.planted for workload in PLANTED}
    for name in options.only:
        if name not in known:
            parser.error(f"no workload, and nothing planted, is called {name}; there are: {', '.join(sorted(known))}")
    if options.rounds < 1:
        parser.error("at least one round is needed")
    return options


def main():
    options = parse()
    options.fathom, options.programs = str(options.build.resolve() / "bin" / "fathom"), str(options.build.resolve() / "bin")
    wanted = [workload for workload in WORKLOADS
              if not options.only or workload.name in options.only or workload.planted in options.only]
    chosen = wanted if options.again else those_here(wanted, options.programs)
    if not chosen:
        return NOT_HERE
    if options.again:
        runs, troubles = judged_again(options, chosen)
    else:
        if options.keep:
            options.keep.mkdir(exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix="fathom-findings-", dir=options.folder))
        try:
            runs, troubles = measured(options, chosen, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    print_findings(runs)
    print_workloads(runs)
    well = [run for run in runs if not run.workload.planted]
    print(f"{len(well)} runs of {len({run.workload.name for run in well})} programs that do well, "
          f"{sum(bool(run.outcome.wrong(run.workload)) for run in well)} of them with a wrong finding.")
    if options.each:
        print_each(runs)
    for trouble in troubles:
        print(f"no result: {trouble}", file=sys.stderr)
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
