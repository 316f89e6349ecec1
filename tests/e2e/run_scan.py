#!/usr/bin/env python3
"""`fathom scan` and `fathom files` beside a walk of the same tree by os.scandir, also where scans are killed.

usage: run_scan.py --fathom FATHOM --bin FOLDER --work FOLDER NAME
       run_scan.py --list
Exit status 77: the case cannot be set up here.
"""
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import cases
import tree_view
from cases import Skip, case, timed

DAY = 86400
KILLS = 8


class Place(cases.Place):
    """Also makes trees, scans them, and reads what a document says of a scan."""

    def make_file(self, path, size=0, age=0, allocate=False, unread=None):
        with open(path, "wb") as file:
            if allocate:
                file.write(b"x" * size)
            else:
                file.truncate(size)
        now = time.time()
        os.utime(path, (now - (age if unread is None else unread) * DAY - 60, now - age * DAY - 60))

    def make_tree(self, name, folders=40, files=20, seed=1):
        """Sizes and ages at both sides of every class."""
        chance, root = random.Random(seed), self.path(name)
        for at in range(folders):
            folder = os.path.join(root, f"top{at % 5}", *(f"sub{at >> bit & 1}" for bit in range(at % 4)), f"run{at}")
            os.makedirs(folder)
            for number in range(chance.randrange(2 * files)):
                size = chance.choice((0, 1, 2 ** chance.randrange(36) - chance.randrange(2), chance.randrange(9000)))
                suffix = chance.choice((".nc", ".H5", ".001", "", ".tar.gz", ".much-too-long-for-one", ".c++", ".no way"))
                self.make_file(os.path.join(folder, f"f{number}{suffix}"), size, chance.choice(tree_view.DAYS), size < 9000,
                               unread=chance.choice(tree_view.DAYS))
        return root

    def scan(self, root, name, *options, status=0, **others):
        result = self.run(self.fathom, "scan", root, "-o", self.path(name), *options, **others)
        self.expect_status(result, status)
        return result

    def document(self, *words):
        result = self.run(self.fathom, "files", *words, "--format", "json", "--top", "100000")
        self.expect_status(result, 0)
        return json.loads(result.stdout)

    def expect_same(self, what, got, expected):
        if got != expected:
            if isinstance(got, dict) and isinstance(expected, dict):
                got, expected = ({key: value for key, value in one.items() if other.get(key) != value}
                                 for one, other in ((got, expected), (expected, got)))
            self.expect(False, f"{what}: {str(got)[:500]} instead of {str(expected)[:500]}")

    def expect_tree(self, document, inodes):
        """All numbers of the document, beside those of a walk of ours."""
        values, total = document["values"], tree_view.sums(inodes)
        for name, value in total.items():
            section = "sparse" if name.startswith(("sparse", "linked")) else "held"
            self.expect_same(name, values[f"{section}.{name}"], value)
        user = {str(number): name for number, name in names("/etc/passwd")}
        group = {str(number): name for number, name in names("/etc/group")}
        for table, key in (("by_user", lambda inode: user.get(str(inode.about.st_uid), str(inode.about.st_uid))),
                           ("by_group", lambda inode: group.get(str(inode.about.st_gid), str(inode.about.st_gid))),
                           ("by_top", lambda inode: shown(inode.top)), ("by_depth", lambda inode: str(inode.depth)),
                           ("by_suffix", lambda inode: inode.suffix if inode.kind == "regular" else None),
                           ("kinds", lambda inode: inode.kind)):
            expected = tree_view.groups(inodes, key)
            expected.pop(None, None)
            rows = {row.get("name", row.get("kind")): row for row in rows_of(document, table)}
            self.expect_same(f"{table}: names", sorted(rows), sorted(expected))
            for name in rows.keys() & expected.keys():
                for column, member in (("inodes", "inodes"), ("files", "files"), ("bytes", "bytes"), ("largest", "largest"),
                                       ("allocated", "allocated" if table == "kinds" else "file_allocated")):
                    if column in rows[name]:
                        self.expect_same(f"{table}, {name}: {column}", rows[name][column], expected[name][member])
        self.expect_figures(document, inodes, total)

    def expect_figures(self, document, inodes, total):
        sizes = tree_view.sizes(inodes)
        self.expect_same("figure 8", {int(row["below"]): (row["files"], row["bytes"]) for row in rows_of(document, "sizes")}, sizes)
        share = 0
        for row in rows_of(document, "sizes"):
            share += sizes[int(row["below"])][0] / total["files"]
            self.expect(abs(row["files_below"] - share) < 1e-9, f"figure 8, below {row['below']}: {row['files_below']}, not {share}")
        plot = block_of(document, "size_distribution")["series"][0]
        self.expect(abs(plot["y"][-1] - 1) < 1e-9 and plot["x"][-1] == max(sizes), f"figure 8 ends at {plot['x'][-1]}, {plot['y'][-1]}")
        for table, instant in (("access_ages", lambda about: about.st_atime), ("change_ages", lambda about: about.st_mtime)):
            expected = tree_view.younger(inodes, began_of(document), instant)
            files = volume = 0
            for row in rows_of(document, table):
                files, volume = files + row["files"], volume + row["bytes"]
                if row["days"] is not None:
                    self.expect_same(f"{table}, {row['days']} days", (files, volume), expected[int(row["days"])])
                    self.expect(abs(row["files_younger"] - files / total["files"]) < 1e-9, f"{table}: share {row['files_younger']}")
            self.expect_same(table, (files, volume), (total["files"], total["bytes"]))


def names(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split(":")
            yield int(words[2]), words[0]


def shown(path):
    """As paths are in JSON: bytes that are no UTF-8 are \\xNN."""
    return path.decode("utf-8", "backslashreplace")


def block_of(document, name):
    return next(block for section in document["sections"] for block in section["blocks"] if block.get("id") == name)


def rows_of(document, table):
    return block_of(document, table)["rows"]


def began_of(document):
    import calendar  # pylint: disable=import-outside-toplevel
    return calendar.timegm(time.strptime(document["values"]["whole.began"], "%Y-%m-%d %H:%M:%S UTC"))


def without_times(document):
    """What two scans of one tree must have in common."""
    return [section for section in document["sections"] if section["id"] != "whole"]


@case("totals, tables and figures are those of a walk by Python: hard links, sparse files, odd names")
def _(place):
    root = place.make_tree("tree")
    odd = Path(os.fsencode(root).decode(), "odd")
    odd.mkdir()
    for name in (b"new\nline.txt", b"\xff\xfe.bin", b"-rf", b".hidden", b"dot.", b"..x", "ä.Ü".encode(), b"a b", b"\x1b[31m.red"):
        with open(os.path.join(os.fsencode(odd), name), "wb") as file:
            file.write(b"abc")
    os.mkdir(os.path.join(os.fsencode(root), b"\xc3\x28 top"))
    place.make_file(os.path.join(os.fsencode(root), b"\xc3\x28 top", b"x.dat"), 5000)
    place.make_file(odd / "sparse", 1 << 40, age=400)
    place.make_file(odd / "huge", (1 << 43), age=400)
    place.make_file(odd / "whole", 100_000, allocate=True)
    place.make_file(odd / "ahead", 10, age=-3)
    os.utime(odd / "whole", (-5 * 10**8, -5 * 10**8))
    place.make_file(odd / "linked.one", 7000, allocate=True)
    os.mkdir(odd / "below")
    os.link(odd / "linked.one", odd / "below/linked.two")
    os.link(odd / "linked.one", odd / "below/linked.three")
    place.make_file(place.path("outside"), 300, allocate=True)
    os.link(place.path("outside"), odd / "also-outside.txt")
    os.symlink(root, odd / "loop")
    os.symlink("nowhere", odd / "dangling")
    os.link(odd / "dangling", odd / "below/dangling", follow_symlinks=False)
    os.mkfifo(odd / "fifo")
    place.scan(root, "x.scan")
    document = place.document("x.scan")
    place.expect_tree(document, tree_view.inodes_below(root))
    place.expect(document["values"]["whole.unreadable_directories"] == 0 and "not whole" not in document["subtitle"], "it is whole")
    place.expect(sorted(os.listdir(place.folder)) == ["outside", "tree", "x.scan"], f"left behind: {os.listdir(place.folder)}")
    for form in ("txt", "html", "pdf"):
        place.expect_status(place.run(place.fathom, "files", "x.scan", "-o", place.path("x." + form)), 0)
    text = Path(place.path("x.txt")).read_text(encoding="utf-8")
    place.expect("\x1b" not in text and "hold" in text, "the text")
    try:
        import jsonschema  # pylint: disable=import-outside-toplevel
    except ImportError as error:
        raise Skip("no jsonschema for Python") from error
    schema = json.loads((Path(__file__).parent / "../../docs/report.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, schema)


@case("several paths, projects by rules, and a path within another")
def _(place):
    one, two = place.make_tree("one", folders=10), place.make_tree("two", folders=10, seed=2)
    Path(place.path("rules")).write_text(f"path */two/top1/* second\npath {one}/* first\n", encoding="utf-8")
    place.scan(one, "x.scan", two, "--projects", "rules")
    inodes = tree_view.inodes_below(one) + tree_view.inodes_below(two)
    document = place.document("x.scan")
    place.expect_tree(document, inodes)
    # A folder counts for the project of the one that it is in, a root for its own.
    first = tree_view.sums(tree_view.inodes_below(one))
    second = tree_view.sums([inode for inode in inodes if inode.top == os.fsencode(two + "/top1")])
    rows = {row["name"]: row for row in rows_of(document, "by_project")}
    place.expect_same("projects", sorted(rows), ["(none)", "first", "second"])
    place.expect_same("first", rows["first"]["bytes"], first["bytes"])
    place.expect_same("first, inodes", rows["first"]["inodes"], first["inodes"])
    place.expect_same("second", rows["second"]["bytes"], second["bytes"])
    within = place.scan(one, "y.scan", one + "/top1", status=2)
    place.expect_message(within, "lies in .*: name the one or the other")
    place.expect_message(place.scan(place.path("rules"), "y.scan", status=2), "is no directory")
    place.expect_message(place.scan(place.path("nothing"), "y.scan", status=1), "No such file")


def await_checkpoints(process, path, count):
    """Until that many of them have been written, or the scan has ended."""
    seen = None
    while process.poll() is None and count >= 0:
        written = os.stat(path).st_mtime_ns if os.path.exists(path) else 0
        seen, count = written, count - (written != seen)
        time.sleep(0.001)


@case("a scan that is killed again and again gives what an uninterrupted one gives")
def _(place):
    root = place.make_tree("tree", folders=300, files=10)
    wide = os.path.join(root, "wide")
    os.mkdir(wide)
    for number in range(1500):
        Path(wide, f"{number:05}.out").touch()
        if number % 10 == 0:
            os.link(os.path.join(wide, f"{number:05}.out"), os.path.join(root, f"{number}.link"))
    place.scan(root, "whole.scan")
    whole = place.document("whole.scan")
    place.expect_tree(whole, tree_view.inodes_below(root))
    chance, kills, done, wait, kept = random.Random(7), 0, [], 1, place.path("x.scan.unfinished")
    command = [place.fathom, "scan", root, "-o", place.path("x.scan"), "--checkpoint", "0.01", "--limit", "2000"]
    for sitting in range(200):
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            # Most are killed at some moment after a checkpoint of theirs, some at any.
            await_checkpoints(process, kept, wait if sitting % 3 else 0)
            try:
                said = process.communicate(timeout=chance.uniform(0, 0.1))[1]
                place.expect(process.returncode == 0, f"exit status {process.returncode}: {said}")
                break
            except subprocess.TimeoutExpired:
                process.kill()
                said, kills = process.communicate()[1], kills + 1
        if os.path.exists(place.path("x.scan")) and not os.path.exists(kept):
            break  # killed when all was done
        if "going on with" in said:
            done.append(int(said.split(": ")[2].split(" ")[0].replace(",", "")))
            # A folder is done as a whole, the large one after many checkpoints.
            wait = wait * 2 if done[-2:-1] == done[-1:] else 1
    place.expect(kills >= KILLS, f"only {kills} kills, at {done}")
    place.expect(done == sorted(done) and len(set(done)) >= KILLS / 2, f"what is done does not become more: {done}")
    again = place.document("x.scan")
    place.expect_same("what was killed says", without_times(again), without_times(whole))
    place.expect(again["values"]["whole.sittings"] > KILLS / 2, f"{again['values']['whole.sittings']} sittings")
    left = [name for name in os.listdir(place.folder) if name.startswith("x.scan.")]
    place.expect(not left, f"left behind: {left}")


@case("Ctrl-C keeps what is done, and other options do not go on with it")
def _(place):
    root = place.make_tree("tree")
    place.scan(root, "whole.scan")
    command = [place.fathom, "scan", root, "-o", place.path("x.scan"), "--limit", "500"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(0.7)
        rival = place.scan(root, "x.scan", status=1)
        place.expect_message(rival, "another fathom scan is writing it")
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=20)[1]
    place.expect(process.returncode == -signal.SIGINT, f"it ended with {process.returncode}")
    place.expect("the same command goes on with" in said, said)
    place.expect(not os.path.exists(place.path("x.scan")), "a scan that has not ended has the name of one that has")
    partial = place.document("x.scan.unfinished")
    place.expect(0 < partial["values"]["held.inodes"] < place.document("whole.scan")["values"]["held.inodes"], "a part of it")
    place.expect(any(block["type"] == "warning" for section in partial["sections"] for block in section["blocks"]), "it does not say so")
    other = place.scan(root, "x.scan", "--other-mounts", status=2)
    place.expect_message(other, "of other paths, mounts or projects", "--restart")
    place.scan(root, "x.scan")
    place.expect(without_times(place.document("x.scan")) == without_times(place.document("whole.scan")), "it went on to something else")
    place.scan(root, "x.scan", "--restart")
    place.expect(place.document("x.scan")["values"]["whole.sittings"] == 1, "--restart goes on")


@case("what cannot be read is counted and named")
def _(place):
    root = place.make_tree("tree", folders=12)
    for name in ("secret", "listed"):
        os.makedirs(os.path.join(root, name, "below"))
        Path(root, name, "below/file").touch()
        Path(root, name, "file").touch()
    os.chmod(os.path.join(root, "secret"), 0o700)
    os.chmod(os.path.join(root, "listed"), 0o744)
    nobody = {}
    if os.geteuid() == 0:
        nobody = {"user": 65534, "group": 65534, "extra_groups": []}
        os.chmod(place.folder, 0o777)
        if place.run("test", "-x", place.fathom, "-a", "-x", root, **nobody).returncode != 0:
            raise Skip("another user cannot reach the programs")
    else:
        os.chmod(os.path.join(root, "secret"), 0)
        os.chmod(os.path.join(root, "listed"), 0o444)
    result = place.scan(root, "x.scan", **nobody)
    place.expect_message(result, "not whole: 1 directory and 2 inodes could not be read, such as .*/tree/listed/below")
    document = place.document("x.scan")
    values = document["values"]
    place.expect((values["whole.unreadable_directories"], values["whole.unreadable_inodes"]) == (1, 2), f"{values}")
    place.expect_same("named", [row["path"] for row in rows_of(document, "unreadable")],
                      [os.path.join(root, name) for name in ("listed/below", "listed/file", "secret")])
    place.expect("not whole" in document["subtitle"], document["subtitle"])
    if nobody:
        left_out = {os.fsencode(os.path.join(root, name)) for name in ("secret/file", "secret/below", "listed/file", "listed/below")}
        place.expect_tree(document, tree_view.inodes_below(root, left_out))
        place.expect(values["whole.touched_directories"] > 12, f"{values['whole.touched_directories']} directories of another user")
    for name in ("secret", "listed"):
        os.chmod(os.path.join(root, name), 0o755)


@case("what is mounted below is left out, or counted with --other-mounts")
def _(place):
    root = place.make_tree("tree", folders=8)
    for name in ("mounted", "bound"):
        os.mkdir(os.path.join(root, name))
    script = """mount -t tmpfs none "$1/mounted" && mount --bind "$1/top1" "$1/bound" && mkdir "$1/mounted/in" && head -c 5000 /dev/zero >"$1/mounted/in/file" &&
shift && exec "$@" """
    if place.run("unshare", "-m", "sh", "-c", script, "sh", root, "true").returncode != 0:
        raise Skip("nothing can be mounted here")
    inside = ("unshare", "-m", "sh", "-c", script, "sh", root, place.fathom, "scan", root, "-o")
    place.expect_status(place.run(*inside, "x.scan"), 0)
    document = place.document("x.scan")
    left_out = {os.fsencode(os.path.join(root, name)) for name in ("mounted", "bound")}
    place.expect_tree(document, tree_view.inodes_below(root, left_out))
    place.expect_same("mounts", [row["path"] for row in rows_of(document, "mounts")], sorted(os.fsdecode(path) for path in left_out))
    place.expect_status(place.run(*inside, "y.scan", "--other-mounts"), 0)
    both = place.document("y.scan")["values"]
    twice = tree_view.sums([inode for inode in tree_view.inodes_below(root) if inode.top == os.fsencode(root + "/top1")])
    place.expect_same("bytes", both["held.bytes"], document["values"]["held.bytes"] + 5000 + twice["bytes"])


@case("access times stay, those of directories too")
def _(place):
    if os.geteuid() != 0:
        raise Skip("needs root to read directories without a trace")
    root = place.make_tree("tree", folders=10)
    folders = [folder for folder, _, _ in os.walk(root)]
    files = [os.path.join(folder, name) for folder, _, some in os.walk(root) for name in some]
    long_ago = time.time() - 100 * DAY
    for folder in folders:
        os.utime(folder, (long_ago, time.time()))
    before = {path: os.lstat(path).st_atime_ns for path in folders + files}
    place.scan(root, "x.scan")
    after = {path: os.lstat(path).st_atime_ns for path in folders + files}
    changed = [path for path in before if before[path] != after[path]]
    place.expect(not changed, f"changed: {changed[:5]}")
    place.expect(place.document("x.scan")["values"]["whole.touched_directories"] == 0, "it says that it changed some")
    os.listdir(root)
    if os.lstat(root).st_atime_ns == before[root]:
        raise Skip("nothing changes access times here: noatime")


@timed("the limit of calls holds")
def _(place):
    root = place.make_tree("tree", folders=30)
    place.scan(root, "x.scan", "--limit", "600")
    values = place.document("x.scan")["values"]
    inodes = tree_view.inodes_below(root)
    # Each inode is looked at; a directory is opened, and read until nothing more comes.
    calls = len(inodes) - 1 + 3 * sum(inode.kind == "directory" for inode in inodes)
    place.expect_tree(place.document("x.scan"), inodes)
    place.expect(values["whole.seconds"] >= (calls - 40) / 600, f"{calls} calls in {values['whole.seconds']} s")
    place.expect(values["whole.seconds"] < 2 * calls / 600 + 3, f"{calls} calls took {values['whole.seconds']} s")


@case("a tree of one file is told in sentences")
def _(place):
    root = place.path("tree")
    os.makedirs(root)
    place.make_file(os.path.join(root, "empty"))
    for size, sentences in ((0, ("1 file holds 0 B, and takes 0 B on the device.", "Most files, 1, are empty.", "accessed in the last 64 days.")),
                            (1, ("1 file holds 1 B, and takes ", "there is 1 user.", "Most files, 1, are of 1 B.", "; they hold 100 % of all bytes."))):
        place.make_file(os.path.join(root, "empty"), size)
        place.scan(root, f"{size}.scan")
        text = " ".join(place.run(place.fathom, "files", f"{size}.scan").stdout.split())
        for sentence in sentences:
            place.expect(sentence in text, f"{sentence!r} is not in {text}")
        place.expect("150 %" not in text and " - of all" not in text, text)


@case("growth between two scans: table V")
def _(place):
    root = place.make_tree("tree", folders=20)
    place.scan(root, "early.scan")
    before = tree_view.inodes_below(root)
    grown = os.path.join(root, "top2")
    for number in range(300):
        place.make_file(os.path.join(grown, f"new{number}"), number * 100)
    shutil.rmtree(os.path.join(root, "top3"))
    time.sleep(1.1)
    place.scan(root, "late.scan")
    after = tree_view.inodes_below(root)
    document = place.document("late.scan", "early.scan", "--by", "top")
    place.expect_tree(document, after)
    for table, names_of_rows in (("growth", ["total", grown]), ("growth_by_top", None)):
        rows = {row["name"]: row for row in rows_of(document, table)}
        if names_of_rows:
            place.expect_same(table, list(rows), names_of_rows)
        for name, row in rows.items():
            here = [tree_view.sums([inode for inode in some if name == "total" or shown(inode.top) == name]) for some in (before, after)]
            place.expect_same(f"{table}: {name}", [row["bytes_before"], row["bytes_after"], row["files_before"], row["files_after"]],
                              [here[0]["bytes"], here[1]["bytes"], here[0]["files"], here[1]["files"]])
            for what in ("bytes", "files"):
                change = here[1][what] / here[0][what] - 1 if here[0][what] else None
                got = row[f"{what}_change"]
                place.expect(got is None if change is None else abs(got - change) < 1e-9, f"{name}: {what} changed by {got}, not {change}")
    turned = place.run(place.fathom, "files", "early.scan", "late.scan")
    place.expect_status(turned, 2)
    place.expect_message(turned, "is the later one")


@case("paths of any length, and a directory that changes meanwhile")
def _(place):
    root = place.path("tree")
    os.mkdir(root)
    descriptor = os.open(root, os.O_RDONLY)
    for depth in range(400):
        name = f"{depth:03}" + "x" * 40
        os.mkdir(name, dir_fd=descriptor)
        os.mkdir("beside", dir_fd=descriptor)
        below = os.open(name, os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = below
    os.close(os.open("end", os.O_CREAT | os.O_WRONLY, dir_fd=descriptor))
    os.close(descriptor)
    # With so few descriptors most directories are opened from far above.
    few = place.run("sh", "-c", 'ulimit -n 60 && exec "$@"', "sh", place.fathom, "scan", root, "-o", "few.scan", "--threads", "64")
    place.expect_status(few, 0)
    for name in ("few.scan", "x.scan"):
        if name == "x.scan":
            place.scan(root, name)
        values = place.document(name)["values"]
        place.expect_same(name, (values["held.inodes"], values["held.files"]), (802, 1))
        place.expect_same("unreadable", values["whole.unreadable_directories"], 0)
    place.run("rm", "-rf", root)

    root = place.make_tree("busy", folders=20)
    steady, stop = len(tree_view.inodes_below(root)), threading.Event()

    def change():
        chance = random.Random(3)
        while not stop.is_set():
            here, there = (os.path.join(root, "top1", f"coming{chance.randrange(20)}") for _ in range(2))
            try:
                os.mkdir(here)
                Path(here, "file").touch()
                os.rename(here, there)
            except OSError:
                shutil.rmtree(here, ignore_errors=True)

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(5):
            place.scan(root, "x.scan")
            values = place.document("x.scan")["values"]
            place.expect(steady <= values["held.inodes"] <= steady + 80, f"{values['held.inodes']} inodes, {steady} of them steady")
            place.expect_same("unreadable", values["whole.unreadable_directories"], 0)
    finally:
        stop.set()
        thread.join()


@case("files that are no scans, or damaged ones, are named")
def _(place):
    root = place.make_tree("tree", folders=5)
    place.scan(root, "x.scan")
    good = Path(place.path("x.scan")).read_bytes()
    chance = random.Random(5)
    damaged = [b"", b"FATHSCAN", good[:-1], good + b"x", good[:40]]
    for _ in range(25):
        at = chance.randrange(len(good))
        damaged.append(good[:at] + bytes([good[at] ^ 1 << chance.randrange(8)]) + good[at + 1:])
    for content in damaged:
        Path(place.path("bad.scan")).write_bytes(content)
        result = place.run(place.fathom, "files", "bad.scan")
        place.expect_status(result, 1)
        place.expect_message(result, "bad.scan: (not a scan|it is|its beginning|made by a newer)")
    Path(place.path("y.scan.unfinished")).write_bytes(good[:-1])
    place.expect_message(place.scan(root, "y.scan", status=1), "y.scan.unfinished: it is cut off")


if __name__ == "__main__":
    sys.exit(cases.main(__doc__, Place))
