#!/usr/bin/env python3
"""Checks that docs/FINDINGS.md has a row for each rule of the findings, and for no other."""
import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
table = (root / "analyzer/findings/findings.cpp").read_text(encoding="utf-8")
rules = re.findall(r'\.id = "([a-z_]+)"', table)
rows = (root / "docs/FINDINGS.md").read_text(encoding="utf-8").split("## How it was measured")[0]
described = re.findall(r"^\| `([a-z_]+)` \|", rows, re.MULTILINE)
if not rules or sorted(rules) != sorted(described):
    print(f"rules: {rules}\nin docs/FINDINGS.md: {described}")
    sys.exit(1)
