#!/usr/bin/env python3
"""Checks that docs/FINDINGS.md has a row for each rule of the findings, and for no other: of what it looks at, and of where it is wrong."""
import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
table = (root / "analyzer/findings/findings.cpp").read_text(encoding="utf-8")
rules = sorted(re.findall(r'\.id = "([a-z_]+)"', table))
sections = re.split(r"^## (.*)\n", (root / "docs/FINDINGS.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
wrong = not rules
for title in ("The rules", "Where a finding is wrong"):
    text = sections[sections.index(title) + 1] if title in sections else ""
    described = sorted(re.findall(r"^\| `([a-z_]+)` \|", text, re.MULTILINE))
    if rules != described:
        print(f"rules: {rules}\nin docs/FINDINGS.md, {title}: {described}")
        wrong = True
sys.exit(wrong)
