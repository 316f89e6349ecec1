#!/usr/bin/env python3
"""Whether following the report's advice saves what a finding says that its fault costs.

Each of tests/e2e/twins.py is a program with one fault, and the same work with the change that is advised for it. A round
runs both, without recording and with it. Prints Markdown, as it stands in docs/FINDINGS.md:

  found     in how many runs the fault is reported
  cost      seconds of the run that its finding claims: median
  saved     seconds that the repaired twin is faster, neither being recorded: median and range
  cost/saved
  wrong     what else is reported of the faulty one, and anything of the repaired one: neither planted nor true

Exit status 77 when no twin could be run.
"""
import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "e2e"))

from findings_view import Trouble, command_of, findings_of, wrong_of  # noqa: E402
from twins import KINDS, TWINS  # noqa: E402
from workloads import those_here  # noqa: E402

NOT_HERE = 77
FACTOR = 1.5  # cost and what was saved shall be within
MEASURABLE = 0.1  # s that was saved at least: else the ratio is noise


@dataclass
class Runs:
    seconds: dict = field(default_factory=lambda: defaultdict(list))  # by kind, not recorded
    found: dict = field(default_factory=lambda: defaultdict(list))  # by kind: lists of Found

    def costs(self, planted):
        return [one.cost for found in self.found["faulty"] for one in found if one.id == planted]

    @property
    def saved(self):
        return [faulty - repaired for faulty, repaired in zip(*(self.seconds[kind] for kind in KINDS))]

    def wrong(self, twins):
        """{what: number of runs}"""
        return Counter(f"{what}{' (repaired)' if kind == 'repaired' else ''}"
                       for kind in KINDS for found in self.found[kind] for what in wrong_of(twins, kind, found))


def ran(twins, kind, recorded, options, folder):
    """Seconds, or findings."""
    inner = folder / re.sub(r"\W+", "-", f"{twins.name}-{kind}")
    inner.mkdir()
    try:
        if twins.prepare:
            twins.prepare(inner)
        command = command_of(twins, kind, options.programs)
        log = inner / "x.fathom"
        if recorded:
            command = [options.fathom, "record", "-q", "-o", log, "--", *command]
        os.sync()  # what was made and removed before would slow this one down
        start = time.monotonic()
        result = subprocess.run(command, cwd=inner, capture_output=True, text=True, timeout=300, check=False)
        took = time.monotonic() - start
        if result.returncode != 0:
            raise Trouble(f"exit status {result.returncode}: {result.stderr[-1000:]}")
        if not recorded:
            return took
        if options.keep:
            shutil.copy(log, options.keep / f"{inner.name}.fathom")
        return findings_of(options.fathom, str(log), inner)
    finally:
        shutil.rmtree(inner)


def measured(chosen, options, folder):
    runs, troubles = {twins.name: Runs() for twins in chosen}, []
    for number in range(options.rounds):
        for twins in chosen:
            if sys.stderr.isatty():
                print(f"\r\033[Kround {number + 1} of {options.rounds}: {twins.name}", end="", file=sys.stderr, flush=True)
            try:
                ran(twins, KINDS[0], False, options, folder)  # not counted: memory that a virtual machine had given back is slow to come
            except Trouble:
                pass  # the next run fails as well, and is reported
            for kind in KINDS:
                try:
                    runs[twins.name].seconds[kind].append(ran(twins, kind, False, options, folder))
                    runs[twins.name].found[kind].append(ran(twins, kind, True, options, folder))
                except Trouble as trouble:
                    troubles.append(f"{twins.name} {kind}: {trouble}")
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    return runs, troubles


def ratio_of(twins, runs):
    costs, saved = runs.costs(twins.planted), statistics.median(runs.saved) if runs.saved else 0
    return statistics.median(costs) / saved if costs and saved >= MEASURABLE else None


def print_runs(chosen, runs):
    print("| twins | planted | found | cost | saved | cost/saved | wrong |\n|---|---|---|---|---|---|---|")
    for twins in chosen:
        of = runs[twins.name]
        if not of.saved:
            print(f"| {twins.name} | no result |  |  |  |  |  |")
            continue
        costs, saved, ratio = of.costs(twins.planted), of.saved, ratio_of(twins, of)
        wrong = ", ".join(f"{what} {times}" for what, times in sorted(of.wrong(twins).items())) or "–"
        print(f"| {twins.name} | {f'`{twins.planted}`' if twins.planted else 'nothing'} "
              f"| {f'{len(costs)} of {len(of.found[KINDS[0]])}' if twins.planted else ''} "
              f"| {format(statistics.median(costs), '.2f') if costs else ''} "
              f"| {statistics.median(saved):.2f} [{min(saved):.2f}..{max(saved):.2f}] "
              f"| {'' if ratio is None else format(ratio, '.2f')} | {wrong} |")


def print_sums(chosen, runs):
    planted = [twins for twins in chosen if twins.planted]
    found = sum(len(runs[one.name].costs(one.planted)) for one in planted)
    of = sum(len(runs[one.name].found["faulty"]) for one in planted)
    wrong_faulty = sum(times for one in chosen for what, times in runs[one.name].wrong(one).items() if "(" not in what)
    wrong_repaired = sum(times for one in chosen for what, times in runs[one.name].wrong(one).items() if "(" in what)
    ratios = [ratio for one in planted if (ratio := ratio_of(one, runs[one.name])) is not None]
    print(f"\nFound: {found} of {of}. Wrong: {wrong_faulty} in faulty ones, {wrong_repaired} in {sum(len(runs[one.name].found['repaired']) for one in chosen)} runs of repaired ones.")
    if ratios:
        within = sum(1 / FACTOR <= ratio <= FACTOR for ratio in ratios)
        print(f"Cost over what was saved: {statistics.median(ratios):.2f} [{min(ratios):.2f}..{max(ratios):.2f}], "
              f"within a factor {FACTOR} for {within} of {len(ratios)} whose repair saves {MEASURABLE} s.")


def print_confidence(chosen, runs):
    """Of the findings of each confidence, how many are right, and how many say within the factor what was saved."""
    print("\n| confidence | findings | right | cost within the factor |\n|---|---|---|---|")
    for level in ("high", "medium", "low"):
        said = [(one, twins, kind) for twins in chosen for kind in KINDS for found in runs[twins.name].found[kind] for one in found
                if one.confidence == level]
        right = [one for one, twins, kind in said if not wrong_of(twins, kind, [one])]
        costs = [one.cost / saved for one, twins, kind in said
                 if one.id == twins.planted and kind == "faulty" and runs[twins.name].saved and (saved := statistics.median(runs[twins.name].saved)) >= MEASURABLE]
        within = sum(1 / FACTOR <= ratio <= FACTOR for ratio in costs)
        print(f"| {level} | {len(said)} | {len(right)} | {within} of {len(costs)} |")


def parse():
    parser = argparse.ArgumentParser(prog="scripts/bench twins", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=3, help="how often each is run (default: %(default)s)")
    parser.add_argument("--only", nargs="+", metavar="NAME", default=[], help="twins, or what is planted in them")
    parser.add_argument("--folder", type=Path, help="where to run them (default: $TMPDIR or /tmp)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="put the logs of the last round there")
    options = parser.parse_args()
    known = {twins.name for twins in TWINS} | {twins.planted for twins in TWINS if twins.planted}
    for name in options.only:
        if name not in known:
            parser.error(f"no twins, and nothing planted, are called {name}; there are: {', '.join(sorted(known))}")
    if options.rounds < 1:
        parser.error("at least one round is needed")
    return options


def main():
    options = parse()
    options.fathom, options.programs = str(options.build.resolve() / "bin" / "fathom"), str(options.build.resolve() / "bin")
    wanted = [twins for twins in TWINS if not options.only or twins.name in options.only or twins.planted in options.only]
    chosen = those_here(wanted, options.programs)
    if not chosen:
        return NOT_HERE
    if options.keep:
        options.keep.mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="fathom-twins-", dir=options.folder))
    try:
        runs, troubles = measured(chosen, options, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print_runs(chosen, runs)
    print_sums(chosen, runs)
    print_confidence(chosen, runs)
    for trouble in troubles:
        print(f"no result: {trouble}", file=sys.stderr)
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
