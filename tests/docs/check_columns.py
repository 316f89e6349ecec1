#!/usr/bin/env python3
"""Checks that docs/REPORT.md has a row for each column of the table of many logs, and for no other."""
import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
table = (root / "analyzer/many/columns.cpp").read_text(encoding="utf-8")
columns = re.findall(r'^    \{"(\w+)",\s*"(\w+)",', table, re.MULTILINE)
section = (root / "docs/REPORT.md").read_text(encoding="utf-8").split("## Many logs")[1].split("\n## ")[0]
described = re.findall(r"^\| `(\w+)` \| `(\w+)` \|", section, re.MULTILINE)
if not columns or columns != described:
    print(f"columns: {columns}\nin docs/REPORT.md: {described}")
    sys.exit(1)
