"""A study's document beside what it has to say: every number of every block."""
import re

from .blocks import SECTIONS, Mean

NEAR = 1e-9  # of a double
ROUNDED = 0.501e-9  # how far a mean of values rounded to billionths may be off
UNITS = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40, "%": 0.01, "K": 1e3, "M": 1e6, "MB": 1e6}
PRINTED = re.compile(r"(?<![\w.])(\d[\d,]*)(\.\d+)?(?: ?(KiB|MiB|GiB|TiB|MB|B|K|M|%)(?!\w|/))?")


def alike(got, wanted):
    if isinstance(wanted, float) and isinstance(got, (int, float)) and not isinstance(got, bool):
        return abs(got - wanted) <= max(NEAR * abs(wanted), ROUNDED if isinstance(wanted, Mean) else 0)
    return got == wanted and isinstance(got, str) == isinstance(wanted, str)


def differences(where, got, wanted):
    """A sentence for each number or text that is another one."""
    if isinstance(wanted, (list, tuple)) and isinstance(got, (list, tuple)):
        if len(got) != len(wanted):
            yield f"{where}: {len(got)} instead of {len(wanted)}: {got} instead of {wanted}"
        for at, pair in enumerate(zip(got, wanted)):
            yield from differences(f"{where}, {at}", *pair)
    elif isinstance(wanted, dict) and isinstance(got, dict):
        if list(got) != list(wanted):
            yield f"{where}: {list(got)} instead of {list(wanted)}"
        for name in wanted.keys() & got.keys():
            yield from differences(f"{where}, {name}", got[name], wanted[name])
    elif not alike(got, wanted):
        yield f"{where}: {got!r} instead of {wanted!r}"


def said_otherwise(where, text, numbers):
    """The numbers of a sentence, each as exact as it is printed."""
    printed = [(float(whole.replace(",", "") + part), len(part[1:]), UNITS.get(unit, 1)) for whole, part, unit in PRINTED.findall(text)]
    if len(printed) != len(numbers):
        yield f"{where}: {len(numbers)} numbers are due in {text!r}"
    for (value, digits, unit), number in zip(printed, numbers):
        if abs(value - number / unit) > 0.5000001 * 10**-digits:
            yield f"{where}: {value} instead of {number / unit} in {text!r}"


def parts_of(section):
    """The same shape as that of the sections of `blocks`."""
    blocks = section["blocks"]
    of_type = {kind: [block for block in blocks if block["type"] == kind] for kind in ("table", "chart", "plot")}
    return {"tables": {block["id"]: block["rows"] for block in of_type["table"]},
            "charts": {block["id"]: (block["categories"], {one["name"]: one["values"] for one in block["series"]}) for block in of_type["chart"]},
            "plots": {block["id"]: [(one["name"], one["x"], one["y"]) for one in block["series"]] for block in of_type["plot"]}}


def differences_of_study(document, site):
    sections = {section["id"]: section for section in document["sections"]}
    yield from differences("sections", list(sections), list(SECTIONS))
    for name in sections.keys() & SECTIONS.keys():
        wanted = SECTIONS[name](site)
        for kind, got in parts_of(sections[name]).items():
            yield from differences(f"{name}, {kind}", got, wanted.get(kind, {}))
        if wanted.get("said"):
            first = next(block["text"] for block in sections[name]["blocks"] if block["type"] == "paragraph")
            yield from said_otherwise(name, first.removeprefix(wanted.get("named", "")), wanted["said"])
