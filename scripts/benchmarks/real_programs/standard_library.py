"""What Python's own library does with files, processes and threads."""

import asyncio
import compileall
import json
import mmap
import multiprocessing
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from py_compile import PycInvalidationMode


def modules():
    package = Path("package")
    package.mkdir()
    for number in range(40):
        functions = "".join(f"def f{at}(x):\n    return x * {at} + {number}\n\n" for at in range(40))
        (package / f"module{number}.py").write_text(functions)
    print(compileall.compile_dir("package", quiet=1, workers=2, invalidation_mode=PycInvalidationMode.CHECKED_HASH))
    sys.path.insert(0, ".")
    print(sum(__import__(f"package.module{number}", fromlist=["f3"]).f3(number) for number in range(40)))


def data():
    rows = [{"number": at, "text": "é" * (at % 9)} for at in range(20_000)]
    with open("rows.json", "w", encoding="utf-8") as file:
        json.dump(rows, file)
    with open("rows.json", encoding="utf-8") as file:
        print(json.load(file) == rows)
    with sqlite3.connect("rows.db") as base:
        base.execute("create table rows(number integer, text text)")
        base.executemany("insert into rows values (:number, :text)", rows)
    print(base.execute("select count(*), sum(number) from rows").fetchone())
    with zipfile.ZipFile("rows.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(zipfile.ZipInfo("rows.json"), Path("rows.json").read_bytes(), zipfile.ZIP_DEFLATED)
    print(zipfile.ZipFile("rows.zip").testzip())


def files():
    shutil.copytree("tree", "copy")
    print(sorted((one.name, one.stat().st_size) for one in os.scandir("copy")))
    with open("mapped", "w+b") as file:
        file.truncate(1 << 20)
        with mmap.mmap(file.fileno(), 0) as view:
            view[4096:4100] = b"four"
            view.flush()
        os.pwrite(file.fileno(), b"here", 10)
        print(os.preadv(file.fileno(), [bytearray(2), bytearray(9)], 8))
    with open("mapped", "rb") as source, open("sent", "wb") as sink:
        print(os.sendfile(sink.fileno(), source.fileno(), 0, 1 << 20))
    with tempfile.TemporaryFile() as file, tempfile.TemporaryDirectory(dir=".") as folder:
        file.write(b"gone")
        Path(folder, "gone").touch()
    try:
        open("nowhere/at/all")
    except OSError as error:
        print(error.errno, error)
    shutil.rmtree("copy")


def square(number):
    with open(f"square{number % 4}", "a", encoding="utf-8"):
        pass
    return number * number


async def several():
    programs = [await asyncio.create_subprocess_exec("echo", str(at), stdout=subprocess.PIPE) for at in range(8)]
    return [(await one.communicate())[0] for one in programs]


def processes():
    print(subprocess.run(["sort", "-r"], input="a\nb\n", capture_output=True, text=True, check=True).stdout)
    print(subprocess.run("exit 5", shell=True, check=False).returncode)
    for way in ("fork", "spawn", "forkserver"):
        with multiprocessing.get_context(way).Pool(2) as pool:
            print(way, sum(pool.map(square, range(200))))
    print(asyncio.run(several()))
    with ThreadPoolExecutor(4) as pool:
        print(sum(pool.map(lambda at: Path(f"square{at % 4}").stat().st_size, range(400))))
    child = os.fork()
    if child == 0:
        os.write(1, b"")
        os._exit(7)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), threading.active_count())


if __name__ == "__main__":
    for part in (modules, data, files, processes):
        part()
        sys.stdout.flush()
