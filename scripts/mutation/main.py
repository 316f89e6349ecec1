"""Makes mutants, changes of one place of our own C++, and counts those that the tests notice.

Prints a table: a file, how many of its mutants were built, how many of these the tests killed, and those that survived.
Nothing in the tree is touched: changed copies, objects and results lie in the folder of --work. What a run has
found is kept there; one that was interrupted goes on where it was, as long as file, tests and libraries are the same.
"""
import argparse
import fnmatch
import hashlib
import json
import os
import sys
import tempfile
import threading
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from operators import in_random_order, mutants_of
from rooms import ROOMS
from workshop import Trouble, Workshop

ROOT = Path(__file__).resolve().parent.parent.parent


class Results:
    """What became of mutants, a line each in a file that survives interruptions."""

    def __init__(self, path):
        self.path, self.lock = path, threading.Lock()
        self.known = {}
        if path.exists():
            for line in path.read_text().splitlines():
                try:
                    one = json.loads(line)
                except ValueError:
                    continue  # the last line of a run that was killed
                self.known[one["mutant"]] = one

    def of(self, mutant, fingerprint):
        one = self.known.get(mutant.key)
        return one["outcome"] if one and one["of"] == fingerprint else None

    def unless_survived(self, mutant, source):
        """What became of it with whatever tests, where it did not survive and the file is the same."""
        one = self.known.get(mutant.key)
        return one["outcome"] if one and one["source"] == source and one["outcome"] != "survived" else None

    def add(self, mutant, source, fingerprint, outcome):
        with self.lock, self.path.open("a") as file:
            self.known[mutant.key] = {"mutant": mutant.key, "source": source, "of": fingerprint, "outcome": outcome}
            file.write(json.dumps(self.known[mutant.key]) + "\n")


def fingerprint_of(workshop, source):
    """Changes with the file, the tests of its room and the libraries."""
    digest = hashlib.sha256(source.encode())
    for test in workshop.tests:
        digest.update(test.read_bytes())
    for library in workshop.libraries():
        digest.update(str(library.stat().st_mtime_ns).encode())
    return digest.hexdigest()[:16]


def files_of(room, pattern):
    paths = sorted({str(path.relative_to(ROOT)) for one in room.mutated for path in ROOT.glob(one)})
    return [path for path in paths if fnmatch.fnmatch(path, pattern) and mutants_of(path, (ROOT / path).read_text())]


def judge_file(workshop, path, options, results, seconds, folder):
    """Outcomes of as many mutants of a file as were asked for."""
    judged, text = [], (ROOT / path).read_text()
    source = hashlib.sha256(text.encode()).hexdigest()[:16]
    fingerprint = fingerprint_of(workshop, source)
    for mutant in in_random_order(mutants_of(path, text), options.seed):
        if options.sample and len(judged) == options.sample:
            break
        outcome = results.of(mutant, fingerprint)
        if outcome is None and options.survivors:
            outcome = results.unless_survived(mutant, source)
        if outcome is None:
            outcome, took = workshop.try_mutant(mutant, text, folder, seconds)
            results.add(mutant, source, fingerprint, outcome)
            if outcome != "no program":
                print(f"{outcome:12} {took:5.1f} s  {path}:{mutant.line}  {mutant.operator}: {mutant.change}", file=sys.stderr,
                      flush=True)
        if outcome != "no program":
            judged.append((mutant, outcome))
    return judged


def judge_room(room, paths, options, results):
    workshop = Workshop(ROOT, options.build, options.work, room, options.jobs)
    if options.build_first:
        workshop.build_libraries()
    seconds = workshop.prepare()
    free = [options.work / room.name / f"worker{at}" for at in range(options.jobs)]
    for folder in free:
        folder.mkdir(exist_ok=True)

    def judge(path):
        folder = free.pop()
        try:
            return path, judge_file(workshop, path, options, results, seconds, folder)
        finally:
            free.append(folder)
    with ThreadPoolExecutor(options.jobs) as pool:
        return dict(pool.map(judge, paths))


def percent(killed, of):
    return f"{100 * killed / of:.0f} %" if of else "-"


def print_table(judged):
    width = max(map(len, judged), default=4)
    print(f"{'file':{width}}  mutants  killed  score")
    everything = defaultdict(int)
    for path, mutants in sorted(judged.items()):
        killed = sum(outcome != "survived" for _, outcome in mutants)
        everything["mutants"] += len(mutants)
        everything["killed"] += killed
        print(f"{path:{width}}  {len(mutants):7}  {killed:6}  {percent(killed, len(mutants)):>5}")
        for mutant, outcome in mutants:
            if outcome == "survived":
                print(f"    {mutant.line}: {mutant.operator}: {mutant.change}")
    print(f"{'all':{width}}  {everything['mutants']:7}  {everything['killed']:6}  "
          f"{percent(everything['killed'], everything['mutants']):>5}")


def options_of(arguments):
    parser = argparse.ArgumentParser(prog="scripts/mutate", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", metavar="GLOB", default="*", help="only files whose path from the root matches")
    parser.add_argument("--sample", metavar="N", type=int, default=5, help="so many mutants of each file, 0: all (%(default)s)")
    parser.add_argument("--seed", default="1", help="which mutants are taken first (%(default)s)")
    parser.add_argument("--list", action="store_true", help="print all mutants of the files and build none")
    parser.add_argument("--survivors", action="store_true",
                        help="try again those that survived before; believe earlier runs of the others unless the file has changed")
    parser.add_argument("--jobs", metavar="N", type=int, default=os.cpu_count() or 1, help="mutants at a time (%(default)s)")
    parser.add_argument("--build", metavar="FOLDER", type=Path, default=ROOT / "build" / "dev",
                        help="a configured build with tests, for flags and libraries (build/dev)")
    parser.add_argument("--as-built", dest="build_first", action="store_false", help="take the libraries as they are")
    name = "fathom-mutants-" + hashlib.sha256(str(ROOT).encode()).hexdigest()[:8]
    parser.add_argument("--work", metavar="FOLDER", type=Path, default=Path(tempfile.gettempdir()) / name,
                        help="for copies, objects and results, outside the tree (%(default)s)")
    return parser.parse_args(arguments)


def main(arguments):
    options = options_of(arguments)
    options.build, options.work = options.build.resolve(), options.work.resolve()
    rooms = [(room, paths) for room in ROOMS if (paths := files_of(room, options.files))]
    if not rooms:
        raise Trouble(f"no file that gets mutants matches {options.files}; --list shows those that do")
    if options.list:
        for _, paths in rooms:
            for path in paths:
                for mutant in mutants_of(path, (ROOT / path).read_text()):
                    print(f"{path}:{mutant.line}: {mutant.operator}: {mutant.change}")
        return
    if options.work.is_relative_to(ROOT):
        raise Trouble(f"{options.work} is in the tree: name a folder outside it with --work")
    if not (options.build / "build.ninja").exists():
        raise Trouble(f"{options.build} is no build configured for Ninja: run cmake --preset dev -G Ninja, or name "
                      "one with --build")
    options.work.mkdir(parents=True, exist_ok=True)
    results = Results(options.work / "results.jsonl")
    judged = {}
    for room, paths in rooms:
        judged.update(judge_room(room, paths, options, results))
    print_table(judged)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Trouble as trouble:
        sys.exit(f"scripts/mutate: {trouble}")
    except KeyboardInterrupt:
        sys.exit("scripts/mutate: interrupted; the same command goes on from here")
