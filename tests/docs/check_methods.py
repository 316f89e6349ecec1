#!/usr/bin/env python3
"""Checks that docs/METHODS.md names each file of analyzer/methods, and that the files and tests that it names are there."""
import re
import sys
from pathlib import Path

NO_METHODS = {"analyzer/methods/not_finite.h"}  # what several of them share

root = Path(sys.argv[1])
text = (root / "docs/METHODS.md").read_text(encoding="utf-8")
flowing = " ".join(text.split())
sources = " ".join(path.read_text(encoding="utf-8") for path in sorted((root / "tests").rglob("*_test.cpp")))
tests = set(re.findall(r'TEST_CASE\(\s*"([^"]+)"', sources))

named = set(re.findall(r"`((?:analyzer|tests)/[\w/.]+)`", text))
quoted = re.findall(r'"([a-zA-Z][^"]{20,})"', flowing)
wrong = [f"{path} is named and not there" for path in sorted(named) if not (root / path).exists()]
wrong += [f'"{name}" is named and no test' for name in quoted if name not in tests]
headers = {str(path.relative_to(root)) for path in (root / "analyzer/methods").glob("*.h")}
wrong += [f"{path} is not named" for path in sorted(headers - named - NO_METHODS)]
for line in wrong:
    print(f"docs/METHODS.md: {line}")
sys.exit(1 if wrong or not quoted or not headers else 0)
