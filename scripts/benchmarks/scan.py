#!/usr/bin/env python3
"""How long `fathom scan` takes, beside find and the walkers that Debian packages and that look at every inode.

Makes a tree of --files files in a tenth as many directories or fewer, as home directories have them, one of them with a tenth of all files; it stays
for the next time. With a cold cache (echo 3 >/proc/sys/vm/drop_caches before each run, as root) and with a warm one, programs take
turns; a ratio is that of two neighbours in one round. Prints the median, and the least and greatest of all rounds.

--latency asks a file system of FUSE instead, which answers each call so many milliseconds late, as a metadata server on a network does, and
caches nothing; there --files is 20,000 unless it is said. It needs libfuse3-dev and fuse3.

--ways asks instead what the kernel alone takes, by a program that walks on one thread and does nothing with what it learns: names alone, statx in the
order of the folder or of inodes, with a larger buffer, by io_uring. It needs liburing-dev.

Walkers that are missing are left out: apt-get install bfs ncdu gdu duc fd-find.
"""

import argparse
import contextlib
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# What looks at each inode once, and prints or keeps what it finds.
WALKERS = {
    "find": ("find", "{tree}", "-printf", "%s %a\n"),
    "bfs": ("bfs", "{tree}", "-printf", "%s %a\n"),
    "du": ("du", "-s", "{tree}"),
    "ncdu": ("ncdu", "-0", "-o", "/dev/null", "{tree}"),
    "gdu": ("gdu", "--non-interactive", "--no-progress", "--no-color", "{tree}"),
    "duc": ("duc", "index", "-d", "{scratch}/duc.db", "{tree}"),
    "fdfind": ("fdfind", "--unrestricted", "--unrestricted", "--size", "+1b", ".", "{tree}"),
}

# What plain_walk.c asks of each name, and with how large a buffer.
WAYS = {
    "names alone": ("names", 32 << 10),
    "statx": ("folder", 32 << 10),
    "by inode": ("inode", 32 << 10),
    "256 KiB": ("inode", 256 << 10),
    "io_uring": ("ring", 256 << 10),
}


def make_tree(folder, files):
    """Empty files and sparse ones, directory by directory."""
    chance = random.Random(1)
    made = number = 0
    while made < files:
        want = min(files // 10 if number == 0 else int(10 ** chance.uniform(0, 2.3)), files - made)
        place = f"{folder}/user{number % 50}/run{number // 50 % 40}/step{number}"
        os.makedirs(place)
        descriptor = os.open(place, os.O_RDONLY)
        for at in range(want):
            name = f"{chance.choice(('out', 'rank', 'field'))}.{at:06}{chance.choice(('.nc', '.h5', '.txt', ''))}"
            file = os.open(name, os.O_CREAT | os.O_WRONLY, dir_fd=descriptor)
            if at % 8 == 0:
                os.ftruncate(file, int(2 ** chance.uniform(0, 40)))
            os.close(file)
        os.close(descriptor)
        made += want
        number += 1


def tree_of(folder, files):
    tree, done = folder / f"tree-{files}", folder / f"tree-{files}.done"
    if not done.exists():
        shutil.rmtree(tree, ignore_errors=True)
        print(f"making {files:,} files below {tree}", flush=True)
        make_tree(tree, files)
        done.touch()
    return tree


@contextlib.contextmanager
def slow_tree(folder, files, milliseconds):
    """A hundred files in each of its folders."""
    program, mounted = folder / "slow_tree", folder / "slow"
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "fuse3"], capture_output=True, text=True, check=True).stdout.split()
    subprocess.run(["cc", "-O1", Path(__file__).with_name("slow_tree.c"), *flags, "-o", program], check=True)
    mounted.mkdir(exist_ok=True)
    with subprocess.Popen([program, str(files // 100), "100", str(round(milliseconds * 1000)), mounted, "-f", "-o", "max_threads=64"],
                          stderr=subprocess.DEVNULL) as server:
        while not os.path.ismount(mounted) and server.poll() is None:
            time.sleep(0.05)
        try:
            yield mounted
        finally:
            subprocess.run(["fusermount3", "-u", mounted], check=True)


def timed(command, cold):
    """Seconds on the clock, and of CPU."""
    if cold:
        os.sync()
        Path("/proc/sys/vm/drop_caches").write_text("3", encoding="ascii")
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{command[0]}: exit status {done.returncode}: {done.stderr[-500:]}")
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def words_of(values):
    return f"{statistics.median(values):7.2f} ({min(values):.2f} to {max(values):.2f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="where fathom is built")
    parser.add_argument("--files", type=int, help="2,000,000 unless it is said")
    parser.add_argument("--latency", type=float, help="milliseconds that each call of the file system takes")
    parser.add_argument("--ways", action="store_true", help="what the kernel alone takes, for each way to ask it")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp/fathom-bench-scan"), help="where the tree is, and stays")
    parser.add_argument("--threads", help="of fathom scan")
    parser.add_argument("--only", help="walkers, with commas between")
    parser.add_argument("--cache", choices=("cold", "warm", "both"), default="both")
    options = parser.parse_args()
    if options.latency is None and options.cache != "warm" and os.geteuid() != 0:
        sys.exit("dropping caches needs root; --cache warm does without")
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.latency is None:
        compare(options, tree_of(options.folder, options.files or 2_000_000))
        return
    with slow_tree(options.folder, options.files or 20_000, options.latency) as tree:
        options.cache = "warm"
        compare(options, tree)


def compare(options, tree):
    chosen = options.only.split(",") if options.only else [] if options.ways else list(WALKERS)
    with tempfile.TemporaryDirectory() as scratch:
        fathom, scan = Path(options.build, "bin/fathom"), f"{scratch}/x.scan"
        commands = {"fathom": [fathom, "scan", tree, "-o", scan] + (["--threads", options.threads] if options.threads else [])}
        for name in chosen:
            if shutil.which(WALKERS[name][0]) is None:
                print(f"left out: {name} is not installed")
                continue
            commands[name] = [word.format(tree=tree, scratch=scratch) for word in WALKERS[name]]
        if options.ways:
            program = f"{scratch}/plain_walk"
            subprocess.run(["cc", "-O2", Path(__file__).with_name("plain_walk.c"), "-o", program, "-luring"], check=True)
            commands.update({name: [program, way, str(size), tree] for name, (way, size) in WAYS.items()})
        for cache in ("cold", "warm") if options.cache == "both" else (options.cache,):
            measure(commands, cache == "cold", options.rounds)
        said = json.loads(subprocess.run([fathom, "files", scan, "--format", "json"], capture_output=True, text=True, check=True).stdout)
        print(f"{said['values']['held.inodes']:,} inodes; the scan has {os.path.getsize(scan):,} bytes")


def measure(commands, cold, rounds):
    took = {name: [] for name in commands}
    cpu = {name: [] for name in commands}
    if not cold:
        for command in commands.values():
            timed(command, False)
    for _ in range(rounds):
        for name, command in commands.items():
            seconds, of_cpu = timed(command, cold)
            took[name].append(seconds)
            cpu[name].append(of_cpu)
    print(f"\n{'cold cache' if cold else 'nothing dropped'}, {rounds} rounds, median (least to greatest)")
    print(f"{'':12} {'seconds':24} {'CPU seconds':24} times fathom's seconds")
    for name in commands:
        ratios = [its / ours for its, ours in zip(took[name], took["fathom"])]
        print(f"{name:12} {words_of(took[name]):24} {words_of(cpu[name]):24} {words_of(ratios)}", flush=True)


if __name__ == "__main__":
    main()
