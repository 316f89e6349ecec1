"""Compiles and links a room's tests with one file changed, outside the tree: a mutant costs one compilation and one link.

A room's own files and its tests are compiled once. The linker takes those before the libraries, so that nothing of the room
comes out of these. A copy with the mutant in it lies in a folder of its own that is searched before the tree.
"""
import json
import re
import resource
import shlex
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

INCLUDE = re.compile(r'^#include ([<"])([^>"]+)[>"]', re.MULTILINE)
MEMORY = 6 << 30   # bytes of address space for a mutant
PATIENCE = 5       # times the processor time of the tests without a mutant
LEAST_SECONDS = 5
# The flags that the workshop chooses itself: among them the library's checks of indices, since a mutant may read beyond an array.
NOT_OURS = re.compile(r"-O.*|-g.*|-W(?!l,).*|-Winvalid-pch")


class Trouble(Exception):
    """Something that the person who called has to see to."""


def is_fresh(output):
    """Whether a file that a compiler made is younger than all that it was made from, by the compiler's own account."""
    account = Path(f"{output}.d")
    if not output.exists() or not account.exists():
        return False
    sources = account.read_text().replace("\\\n", " ").split()[1:]
    made = output.stat().st_mtime
    return all(Path(one).exists() and Path(one).stat().st_mtime < made for one in sources)


class Workshop:
    def __init__(self, root, build, work, room, jobs):
        self.root, self.build, self.room, self.jobs = root, build, room, jobs
        self.work = work / room.name
        self.work.mkdir(parents=True, exist_ok=True)
        self.empty = self.work / "unchanged"
        self.empty.mkdir(exist_ok=True)
        self.tests = sorted(path for pattern in room.tests for path in root.glob(pattern))
        self.beside = sorted(path for pattern in room.beside for path in root.glob(pattern))
        self.flags = {room.library: self.flags_of(room.library), room.program: self.flags_of(room.program)}
        self.forget_other_flags()
        self.link = self.link_command()
        mutated = {str(path.relative_to(root)) for pattern in room.mutated for path in root.glob(pattern)}
        self.mutated_headers = {path for path in mutated if not path.endswith(".cpp")}

    def target_of(self, path):
        return self.room.program if "tests" in path.relative_to(self.root).parts else self.room.library

    def flags_of(self, target):
        for entry in json.loads((self.build / "compile_commands.json").read_text()):
            words = shlex.split(entry["command"])
            output = words[words.index("-o") + 1]
            if f"/{target}.dir/" not in f"/{output}" or "cmake_pch" in output:
                continue
            for name in ("-o", "-c", "-include"):
                if name in words:
                    del words[words.index(name):words.index(name) + 2]
            kept = [word for word in words if not NOT_OURS.fullmatch(word)]
            return [*kept, "-w", "-g0", "-D_GLIBCXX_ASSERTIONS", self.room.optimize if target == self.room.library else "-O0"]
        raise Trouble(f"{self.build}/compile_commands.json tells nothing of {target}: configure it with BUILD_TESTING=ON")

    def forget_other_flags(self):
        """What was compiled with other flags does not go with what will be."""
        stamp, flags = self.work / "flags", json.dumps(self.flags)
        if not stamp.exists() or stamp.read_text() != flags:
            shutil.rmtree(self.work)
            self.empty.mkdir(parents=True)
            stamp.write_text(flags)

    def link_command(self):
        told = subprocess.run(["ninja", "-C", self.build, "-t", "commands", self.room.program],
                              capture_output=True, text=True, check=True).stdout.strip().split("\n")[-1]
        words = shlex.split(told.split(" && ")[1])
        after = words[words.index("-o") + 2:]
        linker = ["-fuse-ld=mold"] if shutil.which("mold") else []
        return [words[0], *linker], after

    def libraries(self):
        return [self.build / word for word in self.link[1] if word.endswith(".a") and not word.startswith("/")]

    def build_libraries(self):
        """Builds what the program of the room is linked with, and not the program."""
        names = [library.relative_to(self.build) for library in self.libraries()]
        subprocess.run(["ninja", "-C", self.build, f"-j{self.jobs}", *names], check=True, stdout=sys.stderr)

    def compile(self, path, output, changed=None, extra=()):
        """Compiles a file of the tree; `changed` is a folder with copies that take precedence."""
        target = self.target_of(path)
        folder = changed or self.empty
        copy = folder / path.relative_to(self.root)
        command = [self.flags[target][0], f"-I{folder}", *self.flags[target][1:], "-include", self.work / f"{target}.h", *extra]
        return subprocess.run([*command, "-o", output, "-c", copy if copy.exists() else path], cwd=self.build,
                              capture_output=True, text=True, check=False)

    def compile_once(self, path):
        """Compiles a file of the room as it stands, unless that was done before and nothing of it has changed since."""
        output = self.object_of(path)
        if not is_fresh(output):
            return self.compile(path, output, extra=["-MMD", "-MF", f"{output}.d"])
        return None

    def precompile(self, target, files):
        """The headers of these files, but for those that get mutants, those that include them, and tables (.inc)."""
        names = {}
        for path in files:
            for mark, name in INCLUDE.findall(path.read_text()):
                if mark == "<" or (name.endswith(".h") and not self.reaches_mutated(name)):
                    names[f"#include {'<' + name + '>' if mark == '<' else chr(34) + name + chr(34)}"] = True
        header, text = self.work / f"{target}.h", "\n".join(sorted(names, reverse=True)) + "\n"
        if header.exists() and header.read_text() == text and is_fresh(Path(f"{header}.gch")):
            return
        header.write_text(text)
        command = [self.flags[target][0], f"-I{self.empty}", *self.flags[target][1:], "-x", "c++-header", header,
                   "-MMD", "-MF", f"{header}.gch.d", "-o", f"{header}.gch"]
        done = subprocess.run(command, cwd=self.build, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Trouble(f"the headers of room {self.room.name} do not compile:\n{done.stderr[:2000]}")

    def reaches_mutated(self, name, seen=None):
        """Whether this header is, or includes, one that gets mutants."""
        seen = set() if seen is None else seen
        if name in self.mutated_headers:
            return True
        if name in seen or not (self.root / name).exists():
            return False
        seen.add(name)
        return any(self.reaches_mutated(one, seen) for mark, one in INCLUDE.findall((self.root / name).read_text())
                   if mark == '"')

    def includes(self, path, header):
        """Whether a file includes a header, itself or through others."""
        seen, left = set(), [path]
        while left:
            for mark, name in INCLUDE.findall(left.pop().read_text()):
                if name == header:
                    return True
                if mark == '"' and name not in seen and (self.root / name).exists():
                    seen.add(name)
                    left.append(self.root / name)
        return False

    def object_of(self, path, folder=None):
        return (folder or self.work) / (str(path.relative_to(self.root)).replace("/", "_") + ".o")

    def prepare(self):
        """Compiles the room as it stands, and times its tests, which must pass."""
        self.precompile(self.room.library, self.beside)
        self.precompile(self.room.program, self.tests)
        with ThreadPoolExecutor(self.jobs) as pool:
            for path, done in zip(self.beside + self.tests, pool.map(
                    self.compile_once, self.beside + self.tests)):
                if done is not None and done.returncode != 0:
                    raise Trouble(f"{path} does not compile:\n{done.stderr[:2000]}")
        program = self.work / "tests"
        linked = self.link_with({}, program)
        if linked.returncode != 0:
            raise Trouble(f"the tests of {self.room.name} do not link:\n{linked.stderr[:2000]}")
        began = resource.getrusage(resource.RUSAGE_CHILDREN)
        outcome, said = self.run(program, self.work, 600)
        if outcome != "survived":
            raise Trouble(f"the tests of {self.room.name} fail without any mutant:\n{said[-3000:]}")
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        return max(LEAST_SECONDS, round(PATIENCE * (ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime)))

    def link_with(self, instead, program):
        """Links all objects of the room but for those that others stand in for; new ones come first."""
        compiler, after = self.link
        objects = [instead.get(path, self.object_of(path)) for path in self.beside + self.tests]
        objects = [path for path in instead.values()] + [path for path in objects if path not in instead.values()]
        return subprocess.run([*compiler, *objects, "-o", program, *after], cwd=self.build, capture_output=True, text=True,
                              check=False)

    def run(self, program, folder, seconds):
        """Runs the tests, but those of how long a million takes, up to the first that fails: killed, survived or out of time,
        and what they said."""
        def bound():
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        try:
            done = subprocess.run([program, "--abort", "~[million]"], cwd=folder, preexec_fn=bound, capture_output=True,
                                  check=False, timeout=20 * seconds)
        except subprocess.TimeoutExpired:
            return "out of time", ""
        if done.returncode == 0:
            return "survived", ""
        return ("out of time" if done.returncode in (-24, -9) else "killed"), done.stdout.decode(errors="replace")

    def try_mutant(self, mutant, text, folder, seconds):
        """What becomes of a mutant of a file of this text: killed, survived, out of time, or no program."""
        path = self.root / mutant.path
        changed = folder / "changed"
        shutil.rmtree(changed, ignore_errors=True)
        copy = changed / mutant.path
        copy.parent.mkdir(parents=True)
        copy.write_text(mutant.applied_to(text))
        affected = [path] if path.suffix == ".cpp" else \
            [one for one in self.beside + self.tests if self.includes(one, mutant.path)]
        instead = {}
        for one in affected:
            instead[one] = self.object_of(one, folder)
            if self.compile(one, instead[one], changed).returncode != 0:
                return "no program", 0
        if all(new.read_bytes() == self.object_of(one).read_bytes() for one, new in instead.items()):
            return "no program", 0  # the compiler makes the same of it
        program = folder / "tests"
        if self.link_with(instead, program).returncode != 0:
            return "no program", 0
        began = time.monotonic()
        outcome, _ = self.run(program, folder, seconds)
        return outcome, time.monotonic() - began
