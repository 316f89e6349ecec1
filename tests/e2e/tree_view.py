"""What lies below a folder, found by os.scandir, and the numbers that a document on it must have: nothing of Fathom is used."""
import os
import stat
from collections import Counter, defaultdict

DAYS = (0, 1, 2, 4, 7, 8, 16, 30, 32, 64, 90, 128, 180, 256, 365, 512, 730, 1024, 2048)


def kind_of(mode):
    return {stat.S_IFREG: "regular", stat.S_IFDIR: "directory", stat.S_IFLNK: "symlink"}.get(stat.S_IFMT(mode), "other")


def suffix_of(name):
    dot = name.rfind(b".")
    suffix = name[dot:].lower()
    good = b"abcdefghijklmnopqrstuvwxyz0123456789._-+~"
    if dot <= 0 or len(suffix) < 2 or len(suffix) > 13 or any(letter not in good for letter in suffix):
        return "(none)"
    return suffix.decode() if any(97 <= letter <= 122 for letter in suffix) else "(number)"


class Inode:
    def __init__(self, about, name, depth, top):
        self.about, self.depth, self.top = about, depth, top
        self.kind, self.suffix = kind_of(about.st_mode), suffix_of(name)
        self.size, self.allocated = about.st_size, about.st_blocks * 512


def inodes_below(root, leave_out=()):
    """Each inode once, by its shallowest name; folders in `leave_out` (paths) are not looked at."""
    root = os.fsencode(root)
    found, linked = [Inode(os.lstat(root), b"", 0, root)], {}

    def walk(folder, path, depth, top):
        with os.scandir(folder) as entries:
            for name in [os.fsencode(entry.name) for entry in entries]:
                here = path + b"/" + name
                if here in leave_out:
                    continue
                about = os.lstat(name, dir_fd=folder)
                is_folder = stat.S_ISDIR(about.st_mode)
                inode = Inode(about, name, depth, top or (here if is_folder else root))
                if is_folder:
                    found.append(inode)
                    try:
                        below = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
                    except PermissionError:
                        continue
                    walk(below, here, depth + 1, top or here)
                    os.close(below)
                elif about.st_nlink > 1:
                    known = linked.get((about.st_dev, about.st_ino))
                    if known is None or inode.depth < known.depth:
                        linked[about.st_dev, about.st_ino] = inode
                else:
                    found.append(inode)

    descriptor = os.open(root, os.O_RDONLY)
    walk(descriptor, root, 1, None)
    os.close(descriptor)
    return found + list(linked.values())


def sums(inodes):
    files = [inode for inode in inodes if inode.kind == "regular"]
    sparse = [file for file in files if file.allocated < file.size]
    return {"inodes": len(inodes), "files": len(files), "bytes": sum(file.size for file in files),
            "file_allocated": sum(file.allocated for file in files), "allocated": sum(inode.allocated for inode in inodes),
            "largest": max((file.size for file in files), default=0),
            "sparse_files": len(sparse), "sparse_bytes": sum(file.size for file in sparse),
            "sparse_allocated": sum(file.allocated for file in sparse),
            "linked_files": sum(file.about.st_nlink > 1 for file in files)}


def groups(inodes, key):
    parts = defaultdict(list)
    for inode in inodes:
        parts[key(inode)].append(inode)
    return {name: sums(part) for name, part in parts.items()}


def sizes(inodes):
    """Carns et al. 2011, figure 8: {end of a power of two: (files, bytes)} of regular files."""
    files, volume = Counter(), Counter()
    for inode in inodes:
        if inode.kind == "regular":
            end = 1
            while inode.size >= end:
                end *= 2
            files[end] += 1
            volume[end] += inode.size
    return {end: (files[end], volume[end]) for end in files}


def younger(inodes, now, instant):
    """Figure 9: {days: (files, bytes)} of regular files whose age is less than that."""
    ages = [(now - int(instant(inode.about) // 1), inode.size) for inode in inodes if inode.kind == "regular"]
    result = {}
    for days in DAYS:
        those = [size for age, size in ages if (age < days * 86400 if days > 0 else age < 0)]
        result[days] = (len(those), sum(those))
    return result
