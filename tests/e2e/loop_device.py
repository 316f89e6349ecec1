"""A block device of one's own: a file, as a loop device; with a file system, and as slow as one likes."""
import mmap
import os
import subprocess
import time

from cases import Skip

GROUPS = "/sys/fs/cgroup/blkio"  # of control groups of version 1


class LoopDevice:
    """A block device of its own."""

    def __init__(self, place, mib):
        self.image, self.size = place.path("image"), mib << 20
        with open(self.image, "wb") as file:
            file.write(b"\1" * self.size)
        found = subprocess.run(["losetup", "--find", "--show", self.image], capture_output=True, text=True)
        if found.returncode != 0:
            raise Skip("no loop device can be made here")
        self.path = found.stdout.strip()
        self.name = os.path.basename(self.path)
        self.folder = self.group = None

    def __enter__(self):
        time.sleep(0.5)  # who looks at new devices has read this one
        # Not all programs show a device that nothing was ever read from.
        fd = os.open(self.path, os.O_RDONLY | os.O_DIRECT)
        os.preadv(fd, [mmap.mmap(-1, 4096)], 0)
        os.close(fd)
        return self

    def __exit__(self, *_):
        if self.folder:
            subprocess.run(["umount", self.folder], check=False)
        if self.group:
            os.rmdir(self.group)
        subprocess.run(["losetup", "-d", self.path], check=False)

    def use(self, written, read, seconds):
        """So many MiB to it and from it, past the page cache, spread over that time."""
        buffer = mmap.mmap(-1, 1 << 20)
        fd = os.open(self.path, os.O_RDWR | os.O_DIRECT)
        steps = max(written, read)
        for step in range(steps):
            offset = (step << 20) % self.size
            if step < written:
                os.pwrite(fd, buffer, offset)
            if step < read:
                os.preadv(fd, [buffer], offset)
            time.sleep(seconds / steps)
        os.close(fd)

    def make_file_system(self):
        """One that writes nothing of its own: no journal, nothing put off."""
        self._must("mkfs.ext4", "-q", "-O", "^has_journal", "-E", "lazy_itable_init=0,nodiscard", self.path)

    def mount(self):
        self.make_file_system()
        self.folder = self.image + ".mounted"
        os.makedirs(self.folder, exist_ok=True)
        self._must("mount", self.path, self.folder)
        return self.folder

    def _must(self, *words):
        if subprocess.run(words, capture_output=True, check=False).returncode != 0:
            raise Skip(f"no file system can be made and mounted here ({words[0]})")

    def limit(self, read, written):
        """Bytes a second, for processes that enter the group, which is given back."""
        group = os.path.join(GROUPS, "fathom-" + self.name)
        number = open(f"/sys/block/{self.name}/dev", encoding="ascii").read().strip()
        try:
            os.makedirs(group, exist_ok=True)
            self.group = group
            for name, rate in (("read", read), ("write", written)):
                with open(f"{group}/blkio.throttle.{name}_bps_device", "w", encoding="ascii") as file:
                    file.write(f"{number} {rate}")
        except OSError as error:
            raise Skip("no control group can limit a device here") from error
        return group
