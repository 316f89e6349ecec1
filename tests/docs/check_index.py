#!/usr/bin/env python3
"""Checks that docs/README.md has a line for each page, that links between pages lead somewhere, and that README.md begins as it must."""
import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
docs = root / "docs"
wrong = []
index = (docs / "README.md").read_text(encoding="utf-8")
listed = re.findall(r"^\| \[([\w.]+)\]\(([\w.]+)\) \| .+\? \|$", index, re.MULTILINE)
pages = {page.name for page in docs.glob("*.md")} - {"README.md"}
wrong += [f"docs/README.md: no line says what {page} answers" for page in sorted(pages - {name for name, _ in listed})]
wrong += [f"docs/README.md: {name} is listed twice" for name in {name for name, _ in listed} if [n for n, _ in listed].count(name) > 1]
for page in [*docs.glob("*.md"), root / "README.md", root / "CONTRIBUTING.md"]:
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", text)
    links += re.findall(r"(?<![\w./])docs/[\w.]+\.(?:md|json|png)", text) if page.parent == root else []
    wrong += [f"{page.name}: no {link}" for link in links if not (page.parent / link).exists()]
picture = docs / "page1.png"
if picture.stat().st_size >= 200000:
    wrong.append(f"{picture}: larger than 200 KB")
commands = re.findall(r"^    (scripts/\w+) ", (root / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
if commands[:2] != ["scripts/demo", "scripts/test"]:
    wrong.append(f"README.md: its first commands are {commands[:2]}")
print("\n".join(wrong))
sys.exit(1 if wrong else 0)
