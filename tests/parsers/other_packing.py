#!/usr/bin/env python3
"""Packs logs of format 3.41 by bzip2, and not at all: both must tell what the log told.

usage: other_packing.py FATHOM FOLDER [--made]     exit status 77: there are no logs
"""
import bz2
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

HEADER, MAGIC, COMPRESSION, NAMES, MODULES, SLOTS = 1328, 8, 16, 32, 48, 64
PACKERS = {1: bz2.compress, 2: lambda plain: plain}


def inflate(packed):
    plain = b""
    while packed:
        stream = zlib.decompressobj()
        plain += stream.decompress(packed) + stream.flush()
        packed = stream.unused_data
    return plain


def packed_otherwise(log, kind):
    header, rest = bytearray(log[:HEADER]), b""
    header[COMPRESSION] = kind
    pair = ("<" if struct.unpack_from("<q", log, MAGIC)[0] == 6567223 else ">") + "QQ"
    names = struct.unpack_from(pair, log, NAMES)
    rest += PACKERS[kind](inflate(log[HEADER:names[0] or len(log)]))
    for place in [NAMES] + [MODULES + 16 * slot for slot in range(SLOTS)]:
        offset, length = struct.unpack_from(pair, log, place)
        if length:
            piece = PACKERS[kind](inflate(log[offset:offset + length]))
            struct.pack_into(pair, header, place, HEADER + len(rest), len(piece))
            rest += piece
    return bytes(header) + rest


def text_of(fathom, log):
    made = subprocess.run([fathom, "dump", "--darshan-text", log], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return [line for line in made.stdout.split(b"\n") if b"compress" not in line]


def main():
    fathom, logs = sys.argv[1], sorted(Path(sys.argv[2]).glob("*.darshan"))
    compared = differ = 0
    with tempfile.TemporaryDirectory() as folder:
        for log in logs:
            content = log.read_bytes()
            if not content.startswith(b"3.41") or content[COMPRESSION] != 0:
                continue
            for kind in PACKERS:
                other = Path(folder) / "other.darshan"
                other.write_bytes(packed_otherwise(content, kind))
                compared += 1
                if text_of(fathom, log) != text_of(fathom, other):
                    differ += 1
                    print(f"{log.name}: compression {kind} tells something else")
    print(f"{compared} logs compared, {differ} differ" if compared else f"skipped: there are no logs of format 3.41 in {sys.argv[2]}")
    return 77 if compared == 0 else min(differ, 1)


if __name__ == "__main__":
    sys.exit(main())
