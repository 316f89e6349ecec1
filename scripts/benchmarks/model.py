#!/usr/bin/env python3
"""How often models of operation times are right about what served an operation.

Measures with `fathom measure`, trains with `fathom model train --file all`, then measures afresh with other seeds, and
classifies what it is known of whether nothing, the page cache or a device was behind it. Reads and writes, of buffers that
lie always in one place and anywhere. By each rule, and with and without being told where the buffer lay.
The table is of the first fresh measurement, by the nearest model of the buffer's layout; shares are medians over the rounds
with [lowest..highest]. Exits with 1 where one of the three states is found less often than --least by that.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

STATES = ("discard", "cached", "uncached")
# The rule, and whether it is told where the buffer lay; the first one decides.
WAYS = (("nearest", True), ("nearest", False), ("limit", True), ("limit", False))


def run(*command):
    result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {result.returncode}")
    return result.stdout


def measure(fathom, options, folder, name, seed):
    """The CSV of a measurement."""
    path = folder / name
    run(fathom, "measure", folder, "-o", path, "--seed", seed, "--sizes", options.sizes, "--memory", "off0,rnd", "--file",
        options.file, "--repeats", options.repeats, "--count", options.count)
    return path


def classify(fathom, model, fresh, rule, told):
    words = ["--memory", "given"] if told else []
    return json.loads(run(fathom, "model", "classify", fresh, "--model", model, "--rule", rule, *words, "--format", "json"))


def block(document, name):
    return next(one for section in document["sections"] for one in section["blocks"] if one.get("id") == name)


def print_confusion(document):
    print(f"{'known to be':>12} {'operations':>11} " + " ".join(f"{'found ' + state:>15}" for state in STATES))
    for row in block(document, "confusion")["rows"]:
        shares = " ".join(f"{100 * row['found_' + state]:13.1f} %" for state in STATES)
        print(f"{row['known']:>12} {row['operations']:11,} {shares}")


def print_worst(document, most):
    rows = sorted(block(document, "groups")["rows"], key=lambda row: row["right"])[:most]
    print("least often right: " + ", ".join(f"{row['group']} {100 * row['right']:.0f} %" for row in rows))


def spread(shares):
    return f"{100 * statistics.median(shares):.1f} [{100 * min(shares):.1f}..{100 * max(shares):.1f}]"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--work", type=Path, metavar="FOLDER", help="where files are measured (default: the current folder)")
    parser.add_argument("--rounds", type=int, default=3, help="how often it is measured afresh (default 3)")
    parser.add_argument("--sizes", default="1,64,1K,4K,16K,64K,256K,1M", help="of accesses (default %(default)s)")
    parser.add_argument("--file", default="off0", help="layouts of the file (default %(default)s, as in the paper)")
    parser.add_argument("--repeats", type=int, default=4, help="runs of each configuration (default 4)")
    parser.add_argument("--count", type=int, default=400, help="operations a run (default 400)")
    parser.add_argument("--least", type=float, default=0.9, help="share of each state that must be found (default 0.9)")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds: at least 1")

    fathom = options.build / "bin" / "fathom"
    found = {way: {state: [] for state in (*STATES, "all")} for way in WAYS}
    with tempfile.TemporaryDirectory(dir=options.work or Path.cwd(), prefix="fathom-bench-") as name:
        folder = Path(name)
        model = folder / "model.json"
        run(fathom, "model", "train", measure(fathom, options, folder, "training.csv", 1), "-o", model, "--file", "all")
        for number in range(options.rounds):
            fresh = measure(fathom, options, folder, f"fresh-{number}.csv", 2 + number)
            for way in WAYS:
                document = classify(fathom, model, fresh, *way)
                values = document["values"]
                for state in STATES:
                    found[way][state].append(values[f"served_from.right_{state}"])
                found[way]["all"].append(values["served_from.right"])
                if number == 0 and way == WAYS[0]:
                    print_confusion(document)
                    print_worst(document, 3)
    print(f"\nfound right, in %, of {options.rounds} fresh measurements")
    print(f"{'rule':>8} {'buffer':>8} " + " ".join(f"{name:>22}" for name in (*STATES, "all")))
    for rule, told in WAYS:
        shares = " ".join(f"{spread(found[rule, told][name]):>22}" for name in (*STATES, "all"))
        print(f"{rule:>8} {'known' if told else 'unknown':>8} {shares}")
    least = min(statistics.median(found[WAYS[0]][state]) for state in STATES)
    return 0 if least >= options.least else 1


if __name__ == "__main__":
    sys.exit(main())
