"""The operations of each thread, one by one, as the kernel saw them: what a trace of the POSIX layer must have.

From strace's output, by the rules of kernel_view.py, for files below one folder. Where an operation fell follows from the
calls before it, so what happens to these files must all be in the output, and by calls that are handled here.
"""
import re
from dataclasses import dataclass, field

from kernel_view import DUPLICATES, FORKS, ON_DESCRIPTOR, ON_PATH
from strace_output import read_calls

NOT_OPENED = "<not opened>"  # the file of calls by path that failed
KIND_OF = {"reads": "read", "writes": "write", "opens": "open", "closes": "close", "seeks": "seek", "stats": "stat", "syncs": "sync",
           "truncates": "truncate", "unlinks": "unlink", "renames": "rename", "links": "link", "attributes": "attribute",
           "directory_changes": "directory_change", "advices": "advice", "locks": "lock"}
FAILED = {"read": "failed_read", "write": "failed_write", "sync": "failed_write"}
AT_OFFSET = {"pread64": 3, "pwrite64": 3}
SHARE_FILES = "CLONE_FILES"


@dataclass(frozen=True)
class Operation:
    kind: str
    path: str
    size: int
    offset: int | None = None  # only reads, writes, seeks and truncations have one

    def __str__(self):
        where = "" if self.offset is None else f" at {self.offset}"
        return f"{self.kind} of {self.path}: {self.size} bytes{where}"


@dataclass
class Description:
    """What an open made: descriptors may share it."""

    path: str
    appends: bool
    position: int = 0


@dataclass
class Process:
    recorded: bool = False
    open: dict = field(default_factory=dict)  # descriptor: Description

    def forked(self):
        return Process(self.recorded, dict(self.open))


class KernelOperations:
    def __init__(self, trace, folder):
        self.folder = folder
        self.threads = {}  # tid: [Operation]
        self.sizes = {}  # of files that are written to
        self.processes = {}
        calls = list(read_calls(trace))
        parents = {call.result: call for call in calls if call.name in FORKS and call.result > 0}
        for call in calls:
            self.step(self.process_of(call.pid, parents), call)

    def process_of(self, tid, parents):
        if tid not in self.processes:
            made_by = parents.get(tid)
            if made_by is None:
                self.processes[tid] = Process()
            else:
                parent = self.process_of(made_by.pid, parents)
                shares = SHARE_FILES in " ".join(made_by.arguments)
                self.processes[tid] = parent if shares else parent.forked()
        return self.processes[tid]

    def step(self, process, call):
        if call.name == "execve" and call.result == 0:
            process.recorded = False
        elif call.name == "openat" and call.opened.endswith("/libfathom.so"):
            process.recorded = True
        elif call.name in DUPLICATES and call.path_of_descriptor(0).startswith(self.folder + "/"):
            raise ValueError(f"{call.name}: positions would not be known")
        elif process.recorded and call.name in ON_PATH:
            self.by_path(process, call)
        elif process.recorded and call.name in ON_DESCRIPTOR:
            self.on_descriptor(process, call)

    def add(self, call, kind, path, size=0, offset=None):
        self.threads.setdefault(call.pid, []).append(Operation(kind, path, size, offset))

    def by_path(self, process, call):
        counter, folder, at = ON_PATH[call.name]
        path = call.text(at)
        if folder is not None and not path:  # fstat
            path = call.path_of_descriptor(folder)
        if not path or not path.startswith(self.folder + "/"):
            return
        if call.result < 0:
            return self.add(call, "failed", NOT_OPENED)
        self.add(call, KIND_OF[counter], path)
        if counter == "opens":
            flags = " ".join(call.arguments)
            process.open[call.result] = Description(path, "O_APPEND" in flags)
            if "O_TRUNC" in flags:
                self.sizes[path] = 0

    def on_descriptor(self, process, call):
        counter, at, _ = ON_DESCRIPTOR[call.name]
        path, kind = call.path_of_descriptor(at), KIND_OF[counter]
        if not path.startswith(self.folder + "/"):
            return
        if call.result < 0:
            return self.add(call, FAILED.get(kind, "failed"), path)
        description = process.open[call.descriptor(at)]
        if kind in ("read", "write"):
            self.transfer(call, kind, description)
        elif kind == "seek":
            description.position = call.result
            self.add(call, kind, path, 0, call.result)
        elif call.name == "ftruncate":
            self.sizes[path] = int(call.arguments[1])
            self.add(call, kind, path, 0, self.sizes[path])
        else:
            self.add(call, kind, path)
        if kind == "close":
            del process.open[call.descriptor(at)]

    def transfer(self, call, kind, description):
        path, size = description.path, call.result
        appends = kind == "write" and description.appends
        if appends:
            offset = self.sizes.get(path, 0)
        elif call.name in AT_OFFSET:
            offset = int(call.arguments[AT_OFFSET[call.name]])
        else:
            offset = description.position
        if call.name not in AT_OFFSET:
            description.position = offset + size
        if kind == "write":
            self.sizes[path] = max(self.sizes.get(path, 0), offset + size)
        self.add(call, kind, path, size, offset)
