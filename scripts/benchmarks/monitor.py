"""What `fathom monitor` takes with 24 devices, beside collectd and sysstat doing the same.

Makes --devices loop devices, which are written to all the while, and lets each program look at them every --every seconds for --for seconds, one after
the other, --rounds times in turns: CPU time of the program (/proc/PID/schedstat), its greatest memory, bytes that it leaves. Shares are of one core, at
an interval of 10 s. collectd has its plugins cpu, memory, disk, interface and csv; sysstat is sadc with -S XDISK, whose files have the same and more.
Needs root.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

CANNOT = 77
COLLECTD = """Hostname "node"
FQDNLookup false
BaseDir "{folder}"
PIDFile "{folder}/pid"
PluginDir "/usr/lib/collectd"
TypesDB "/usr/share/collectd/types.db"
Interval {every}
LoadPlugin cpu
LoadPlugin memory
LoadPlugin disk
LoadPlugin interface
LoadPlugin csv
<Plugin csv>
  DataDir "{folder}/csv"
</Plugin>
"""


class Devices:
    """Loop devices, each written to now and then."""

    def __init__(self, folder, count):
        self.paths, self.stop = [], threading.Event()
        for at in range(count):
            image = folder / f"image{at}"
            image.write_bytes(b"")
            os.truncate(image, 1 << 20)
            self.paths.append(subprocess.run(["losetup", "--find", "--show", image], capture_output=True, text=True, check=True).stdout.strip())
        self.writer = threading.Thread(target=self.write)

    def write(self):
        while not self.stop.wait(0.5):
            for path in self.paths:
                with open(path, "r+b", buffering=0) as file:
                    file.write(os.urandom(4096))
                    os.fsync(file.fileno())

    def __enter__(self):
        self.writer.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        self.writer.join()
        for path in self.paths:
            subprocess.run(["losetup", "-d", path], check=False)


def programs(options, folder):
    """Name, words to start it, what it leaves."""
    every = f"{options.every:g}"
    (folder / "collectd.conf").write_text(COLLECTD.format(folder=folder, every=every), encoding="utf-8")
    yield "fathom monitor", [options.build / "bin/fathom", "monitor", "-o", folder / "monitor", "--every", f"{every}s"], folder / "monitor"
    yield "collectd", ["collectd", "-f", "-C", folder / "collectd.conf"], folder / "csv"
    yield "sysstat (sadc)", ["/usr/lib/sysstat/sadc", "-S", "XDISK", every, str(10**6), folder / "sa"], folder / "sa"


def cpu_of(pid):
    """Nanoseconds of all threads."""
    return sum(int(Path(f"/proc/{pid}/task/{thread}/schedstat").read_text(encoding="ascii").split()[0]) for thread in os.listdir(f"/proc/{pid}/task"))


def size_of(place):
    if place.is_dir():
        return sum(path.stat().st_size for path in place.rglob("*") if path.is_file())
    return place.stat().st_size


def measure(options, words, leaves):
    process = subprocess.Popen(list(map(str, words)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(2 * options.every)  # starting is no part of it
        before, begin = cpu_of(process.pid), size_of(leaves)
        time.sleep(options.length)
        cpu, size = cpu_of(process.pid) - before, size_of(leaves) - begin
        status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
        memory = int(status.split("VmHWM:")[1].split()[0])
    finally:
        process.terminate()
        process.wait()
    rounds = options.length / options.every
    return cpu / rounds / 1e6, memory / 1024, size / rounds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--devices", type=int, default=24)
    parser.add_argument("--every", type=float, default=1, help="s; shorter than in use, to see more of them (default: 1)")
    parser.add_argument("--for", type=float, default=20, dest="length", help="s (default: 20)")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    if os.geteuid() != 0:
        print("this needs root, for loop devices")
        return CANNOT
    results = {}
    with tempfile.TemporaryDirectory(prefix="fathom-monitor-") as name:
        folder = Path(name)
        with Devices(folder, options.devices):
            for turn in range(options.rounds):
                place = folder / f"turn{turn}"
                place.mkdir()
                for title, words, leaves in programs(options, place):
                    if shutil.which(words[0]):
                        results.setdefault(title, []).append(measure(options, words, leaves))
                    else:
                        print(f"{title} is not installed and is left out")
    print(f"{options.devices} devices, {options.rounds} times {options.length:g} s; median [least..greatest]")
    print(f"{'':16} {'CPU a look, ms':>22} {'of a core at 10 s':>18} {'memory, MiB':>12} {'bytes a look':>13}")
    for title, all_of in results.items():
        cpu, memory, size = ([row[at] for row in all_of] for at in range(3))
        spread = f"{statistics.median(cpu):.2f} [{min(cpu):.2f}..{max(cpu):.2f}]"
        print(f"{title:16} {spread:>22} {statistics.median(cpu) / 1e4:>18.4%} {max(memory):>12.1f} {statistics.median(size):>13,.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
