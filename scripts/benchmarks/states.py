#!/usr/bin/env python3
"""How long `fathom states` takes to find a hidden Markov model of latencies, beside R's package msm.

Both find a model of three states for the same samples and the likeliest path, in turn, round by round; R starts from
rates and latencies that are close to the right ones, Fathom from the samples alone. Times are medians over the rounds
with [lowest..highest]: of the whole process, and of R also of msm() and viterbi.msm() alone, without R's start. Data are
hmm-regular.csv and hmm-irregular.csv of --reference, where they are; else as many samples made up from --seed. Without
Rscript and msm (Debian: r-base-core, r-cran-msm) Fathom is timed alone. Exits with 1 where it is not --least times as fast
as msm() and viterbi.msm() alone.
"""

import argparse
import json
import math
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

NAMES = ("hmm-regular", "hmm-irregular")
RATES = ((-1 / 40, 1 / 50, 1 / 200), (1 / 15, -1 / 10, 1 / 30), (1 / 60, 1 / 20, -1 / 15))
MEDIANS, SIGMAS = (0.0038, 0.0062, 0.0125), (0.14, 0.13, 0.33)

WITH_MSM = r"""
suppressMessages(library(msm))
file <- commandArgs(trailingOnly=TRUE)[1]
d <- read.csv(file)
Q <- rbind(c(-1/40, 1/50, 1/200), c(1/15, -1/10, 1/30), c(1/60, 1/20, -1/15))
taken <- system.time({
  fit <- msm(latency_s ~ t_min, data=d, qmatrix=Q*0.8,
             hmodel=list(hmmLNorm(meanlog=-5.62, sdlog=.2), hmmLNorm(meanlog=-5.08, sdlog=.2), hmmLNorm(meanlog=-4.28, sdlog=.3)),
             control=list(fnscale=5000, maxit=5000, reltol=1e-10))
  path <- viterbi.msm(fit)$fitted })
cat(sprintf("%.6f %.6f %.6f\n", taken[["elapsed"]], -fit$minus2loglik/2, mean(path == d$true_state)))
"""


def make_up(path, seed, irregular):
    """A CSV like those of the reference: the state changes by its rates, in steps of a hundredth of a minute."""
    chance = random.Random(seed)
    lengths = [chance.choice((0.5, 1, 1, 1, 2, 5)) if irregular else 1 for _ in range(2000 if irregular else 2880)]
    state, now = 0, 0.0
    with open(path, "w", encoding="utf-8") as out:
        out.write("t_min,latency_s,true_state\n")
        for length in lengths:
            latency = chance.lognormvariate(math.log(MEDIANS[state]), SIGMAS[state])
            out.write(f"{now:g},{latency:.15g},{state + 1}\n")
            now += length
            left = length
            while (stay := chance.expovariate(-RATES[state][state])) < left:
                left -= stay
                others = [other for other in range(3) if other != state]
                state = chance.choices(others, [RATES[state][other] for other in others])[0]


def timed(command):
    started = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    taken = time.perf_counter() - started
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stderr}")
    return taken, done.stdout


def has_msm():
    return shutil.which("Rscript") and subprocess.run(
        ["Rscript", "-e", "library(msm)"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def spread(values):
    return f"{1000 * statistics.median(values):8.1f} [{1000 * min(values):.1f}..{1000 * max(values):.1f}]"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    root = Path(__file__).resolve().parents[2]
    parser.add_argument("--reference", type=Path, metavar="FOLDER", default=root.parent / "shared" / "reference",
                        help="where hmm-regular.csv is (default: ../shared/reference)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1, help="of samples that are made up")
    parser.add_argument("--least", type=float, default=20, metavar="TIMES", help="exit with 1 below (default 20)")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds: at least 1")
    with_r = has_msm()
    if not with_r:
        print("Rscript with msm is not here (Debian: apt-get install r-base-core r-cran-msm): Fathom alone")

    worst = math.inf
    print(f"{options.rounds} rounds, {len(os.sched_getaffinity(0))} processors; milliseconds")
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "msm.R")
        script.write_text(WITH_MSM, encoding="utf-8")
        for name in NAMES:
            csv = options.reference / f"{name}.csv"
            if not csv.is_file():
                csv = Path(folder, f"{name}.csv")
                make_up(csv, options.seed, name == "hmm-irregular")
            with open(csv, encoding="utf-8") as lines:
                samples = sum(1 for _ in lines) - 1
            fathom = [options.build / "bin" / "fathom", "states", csv, "--true-state", "true_state", "--format", "json"]
            ours, whole, inner = [], [], []
            for _ in range(options.rounds):
                taken, said = timed(fathom)
                ours.append(taken)
                values = json.loads(said)["values"]
                if with_r:
                    taken, said = timed(["Rscript", "--vanilla", script, csv])
                    alone, likelihood, agreement = map(float, said.split()[-3:])
                    whole.append(taken)
                    inner.append(alone)
            print(f"\n{csv}: {samples:,} samples")
            print(f"  fathom states, the whole process  {spread(ours):>28}   log-likelihood "
                  f"{values['states_1.log_likelihood']:.3f}, path right {100 * values['states_1.agreement']:.2f} %")
            if with_r:
                ratios = [r / f for r, f in zip(inner, ours)]
                worst = min(worst, statistics.median(ratios))
                print(f"  Rscript, the whole process        {spread(whole):>28}")
                print(f"  msm() and viterbi.msm() alone     {spread(inner):>28}   log-likelihood {likelihood:.3f}, "
                      f"path right {100 * agreement:.2f} %")
                print(f"  msm alone / whole fathom          {statistics.median(ratios):8.1f} "
                      f"[{min(ratios):.1f}..{max(ratios):.1f}]")
    if worst < options.least:
        sys.exit(f"\nless than {options.least:g} times as fast")


if __name__ == "__main__":
    main()
