"""What the kernel saw a program do to each file, from strace's output, less what a preload library cannot see.

Left out, by rule:
 1. Calls of processes into which libfathom.so was not loaded: `fathom` itself, and a child between fork and exec.
    A process is compared from the moment its dynamic loader opened libfathom.so.
 2. What the dynamic loader does: shared objects (*.so, *.so.N).
 3. What happens inside of libc: opendir's fstat, and so all stats of folders; descriptors with O_PATH (fchmodat);
    POSIX semaphores (/dev/shm/sem.*); a stat of / (the name service looks whether it was moved to another root);
    freopen, which opens the new file elsewhere, moves it over the old one by dup3 and closes the first.
 4. A child of vfork or posix_spawn until it executes a program: its calls happen inside of libc.
 5. Our own work: files under /dev/shm/fathom-*, the log and its temporary files; `fstat` and `stat` by their old
    numbers, which our library uses and glibc 2.36 does not (it calls newfstatat); the first look at the position of a
    descriptor that a program was given when it was executed (lseek by 0 from SEEK_CUR).
 6. Open MPI's session folder (/tmp/ompi.*): a thread of its own may close a file there while the ranks gather, when nothing
    is recorded.
 7. Paths that are not recorded by default: /proc /sys /dev /etc /usr /lib /lib32 /lib64 /bin /sbin /run, but not /dev/shm,
    of which only the memory by which MPIs pass messages is left out.
Names that a rename joins are one file here: strace names a descriptor by its newest name, we by the one it was opened by.
"""
import os
import re
from collections import Counter, defaultdict

from strace_output import read_calls

TRACED = ("open,openat,openat2,creat,close,read,pread64,readv,preadv,preadv2,write,pwrite64,writev,pwritev,pwritev2,lseek,"
          "newfstatat,statx,access,faccessat,faccessat2,fsync,fdatasync,sync_file_range,truncate,ftruncate,fallocate,"
          "unlink,unlinkat,rename,renameat,renameat2,copy_file_range,sendfile,chdir,fchdir,execve,fork,vfork,clone,clone3,"
          "getdents64,dup,dup2,dup3,fcntl,link,linkat,symlink,symlinkat,readlink,readlinkat,mkdir,mkdirat,rmdir,chmod,fchmod,"
          "fchmodat,chown,lchown,fchown,fchownat,utime,utimes,futimesat,utimensat,getxattr,lgetxattr,fgetxattr,setxattr,"
          "lsetxattr,fsetxattr,listxattr,llistxattr,flistxattr,removexattr,lremovexattr,fremovexattr,flock,fadvise64,readahead,"
          "syncfs,splice")

EXCLUDED = ("proc", "sys", "dev", "etc", "usr", "lib", "lib32", "lib64", "bin", "sbin", "run")
MESSAGES = ("ucx_shm_posix_", "mpich_shar_", "vader_segment.")  # by which the ranks of a node pass them
SHARED_OBJECT = re.compile(r"\.so(\.\d+)*$")


def is_excluded(path):
    parts = path.split("/")
    if path == "/" or parts[-1].startswith((".fathom-", "sem.")) or path.startswith("/tmp/ompi."):
        return True
    if parts[1:3] == ["dev", "shm"]:
        return len(parts) > 3 and parts[3].startswith(("fathom-", *MESSAGES))
    return parts[1] in EXCLUDED or SHARED_OBJECT.search(path) is not None


# System call: (counter, argument that is the descriptor, counter of its bytes).
ON_DESCRIPTOR = {
    "close": ("closes", 0, None), "lseek": ("seeks", 0, None),
    "read": ("reads", 0, "bytes_read"), "pread64": ("reads", 0, "bytes_read"), "readv": ("reads", 0, "bytes_read"),
    "preadv": ("reads", 0, "bytes_read"), "preadv2": ("reads", 0, "bytes_read"),
    "write": ("writes", 0, "bytes_written"), "pwrite64": ("writes", 0, "bytes_written"),
    "writev": ("writes", 0, "bytes_written"), "pwritev": ("writes", 0, "bytes_written"),
    "pwritev2": ("writes", 0, "bytes_written"),
    "fsync": ("syncs", 0, None), "fdatasync": ("syncs", 0, None), "sync_file_range": ("syncs", 0, None),
    "ftruncate": ("truncates", 0, None), "fallocate": ("truncates", 0, None), "syncfs": ("syncs", 0, None),
    "fchmod": ("attributes", 0, None), "fchown": ("attributes", 0, None), "fgetxattr": ("attributes", 0, None),
    "fsetxattr": ("attributes", 0, None), "flistxattr": ("attributes", 0, None), "fremovexattr": ("attributes", 0, None),
    "flock": ("locks", 0, None), "fadvise64": ("advices", 0, None), "readahead": ("advices", 0, None),
}
# System call: (counter, argument that is the folder or None, argument that is the path).
ON_PATH = {
    "open": ("opens", None, 0), "creat": ("opens", None, 0), "openat": ("opens", 0, 1), "openat2": ("opens", 0, 1),
    "access": ("stats", None, 0), "newfstatat": ("stats", 0, 1), "statx": ("stats", 0, 1),
    "faccessat": ("stats", 0, 1), "faccessat2": ("stats", 0, 1),
    "truncate": ("truncates", None, 0), "unlink": ("unlinks", None, 0), "unlinkat": ("unlinks", 0, 1),
    "rename": ("renames", None, 0), "renameat": ("renames", 0, 1), "renameat2": ("renames", 0, 1),
    "link": ("links", None, 0), "linkat": ("links", 0, 1), "symlink": ("links", None, 1), "symlinkat": ("links", 1, 2),
    "readlink": ("links", None, 0), "readlinkat": ("links", 0, 1),
    "mkdir": ("directory_changes", None, 0), "mkdirat": ("directory_changes", 0, 1), "rmdir": ("directory_changes", None, 0),
    "chmod": ("attributes", None, 0), "chown": ("attributes", None, 0), "lchown": ("attributes", None, 0),
    "fchmodat": ("attributes", 0, 1), "fchownat": ("attributes", 0, 1), "utime": ("attributes", None, 0),
    "utimes": ("attributes", None, 0), "futimesat": ("attributes", 0, 1), "utimensat": ("attributes", 0, 1),
    "getxattr": ("attributes", None, 0), "lgetxattr": ("attributes", None, 0), "setxattr": ("attributes", None, 0),
    "lsetxattr": ("attributes", None, 0), "listxattr": ("attributes", None, 0), "llistxattr": ("attributes", None, 0),
    "removexattr": ("attributes", None, 0), "lremovexattr": ("attributes", None, 0),
}
COPIES = {"copy_file_range": (0, 2), "splice": (0, 2), "sendfile": (1, 0)}  # descriptors: from, to
DUPLICATES = ("dup", "dup2", "dup3")
FORKS = ("fork", "vfork", "clone", "clone3")


class Process:
    def __init__(self, folder, recorded=False, spawning=False):
        self.folder, self.recorded, self.spawning = folder, recorded, spawning
        self.known = set()  # descriptors that it used or opened since it was executed
        self.inner = {}  # those that libc uses for itself, with their paths
        self.moved = None  # the descriptor that the last call, a dup3, moved over another

    def child(self, spawning):
        child = Process(self.folder, self.recorded, spawning)
        child.known, child.inner = set(self.known), dict(self.inner)
        return child

    def execute(self):
        self.recorded = self.spawning = False
        self.known, self.inner = set(), {}


class KernelView:
    def __init__(self, trace, folder, own_files=()):
        """`folder`: where strace was started. `own_files`: what belongs to us, such as the log."""
        self.counts = defaultdict(Counter)
        self.folders = set()
        self.renames = []
        self.own_names = tuple(os.path.basename(own) for own in own_files)
        calls = list(read_calls(trace))
        parents = {call.result: call for call in calls if call.name in FORKS and call.result > 0}
        self.processes = {}
        for call in calls:
            process = self.process_of(call.pid, parents, folder)
            self.step(process, call)

    def process_of(self, pid, parents, folder):
        if pid not in self.processes:
            fork = parents.get(pid)
            if fork is None:
                self.processes[pid] = Process(folder)
            else:
                spawning = fork.name == "vfork" or "CLONE_VFORK" in " ".join(fork.arguments)
                self.processes[pid] = self.process_of(fork.pid, parents, folder).child(spawning)
        return self.processes[pid]

    def step(self, process, call):
        if call.result < 0:
            return
        if call.name == "execve":
            process.execute()
        elif call.name == "chdir":
            process.folder = os.path.normpath(os.path.join(process.folder, call.text(0)))
        elif call.name == "fchdir":
            process.folder = call.path_of_descriptor(0)
        elif call.name == "getdents64":
            self.folders.add(call.path_of_descriptor(0))
        elif call.name == "openat" and call.opened.endswith("/libfathom.so"):
            process.recorded = True
        elif process.recorded and not process.spawning:
            self.count(process, call)

    def count(self, process, call):
        moved, process.moved = process.moved, None
        if call.name in COPIES:
            source, target = COPIES[call.name]
            self.add(call.path_of_descriptor(source), "reads", "bytes_read", call.result)
            self.add(call.path_of_descriptor(target), "writes", "bytes_written", call.result)
        elif call.name in DUPLICATES or (call.name == "fcntl" and call.arguments[1].startswith("F_DUPFD")):
            process.known.add(call.result)
            process.moved = call.descriptor(0) if call.name == "dup3" else None
        elif call.name == "fcntl":
            if call.arguments[1].endswith(("LK", "LKW")):  # F_SETLK, F_OFD_GETLK and so on
                self.add(call.path_of_descriptor(0), "locks")
        elif call.name in ON_DESCRIPTOR:
            self.count_on_descriptor(process, call, moved)
        elif call.name in ON_PATH:
            self.count_on_path(process, call)

    def count_on_descriptor(self, process, call, moved):
        counter, at, of_bytes = ON_DESCRIPTOR[call.name]
        descriptor = call.descriptor(at)
        first = descriptor not in process.known
        process.known.add(descriptor)
        if first and call.name == "lseek" and call.arguments[1:] == ["0", "SEEK_CUR"]:
            return  # our own look
        inner = descriptor in process.inner
        if call.name == "close":
            process.known.discard(descriptor)
            process.inner.pop(descriptor, None)
            inner = inner or descriptor == moved  # freopen's
        if not inner:
            self.add(call.path_of_descriptor(at), counter, of_bytes, call.result)

    def count_on_path(self, process, call):
        counter, folder, path = ON_PATH[call.name]
        full = self.resolve(process, call, folder, path)
        if any("O_DIRECTORY" in argument for argument in call.arguments):
            self.folders.add(full)
        if counter == "opens":
            process.known.add(call.result)
            if any("O_PATH" in argument for argument in call.arguments):
                process.inner[call.result] = full
                return
        if "AT_REMOVEDIR" in call.arguments[-1]:
            counter = "directory_changes"
        if of_inner := re.fullmatch(r"/proc/self/fd/(\d+)", full):  # fchmodat's, where it follows no link
            full = process.inner.get(int(of_inner.group(1)), full)
        if counter == "directory_changes":
            self.folders.add(full)
        if folder is not None and not call.text(path) and call.descriptor(folder) in process.inner:
            return
        if call.name.startswith("rename"):
            target = self.resolve(process, call, 2, 3) if folder is not None else self.resolve(process, call, None, 1)
            self.renames.append((full, target))
        self.add(full, counter)

    def resolve(self, process, call, folder, path):
        """The absolute form of a path argument; symbolic links stay, as they do in our records."""
        name = call.text(path)
        if not name:  # NULL or "" with AT_EMPTY_PATH: the descriptor itself
            return call.path_of_descriptor(folder) if folder is not None else ""
        within = folder is None or call.is_working_folder(folder)
        return os.path.normpath(os.path.join(process.folder if within else call.path_of_descriptor(folder), name))

    def add(self, path, counter, of_bytes=None, result=0):
        if not path.startswith("/") or path.startswith("/memfd:") or is_excluded(path):
            return
        if os.path.basename(path).startswith(self.own_names):
            return
        self.counts[path][counter] += 1
        if of_bytes is not None:
            self.counts[path][of_bytes] += result
