"""Reads what `strace -f -y` wrote: one Call for each finished system call, with its arguments taken apart."""
import re
from dataclasses import dataclass

LINE = re.compile(r"^(\d+) +(.*)$")
UNFINISHED = re.compile(r"^(.*?)\s*<unfinished \.\.\.>$")
RESUMED = re.compile(r"^<\.\.\. (\w+) resumed>(.*)$")
CALL = re.compile(r"^(\w+)\((.*)\)\s+= (-?\d+|\?|0x[0-9a-f]+)(.*)$", re.DOTALL)
DESCRIPTOR = re.compile(r"^(-?\d+|AT_FDCWD)<(.*)>(\(deleted\))?$", re.DOTALL)
ESCAPE = re.compile(r"\\(x[0-9a-f]{2}|[0-7]{1,3}|.)", re.DOTALL)
LETTERS = {"n": "\n", "t": "\t", "r": "\r", "v": "\v", "f": "\f"}


@dataclass
class Call:
    pid: int
    name: str
    arguments: list
    result: int
    opened: str  # the path of the descriptor that the call returned, or ''

    def path_of_descriptor(self, at):
        """The path behind a descriptor argument, or '' where it is none (a pipe, a socket)."""
        found = DESCRIPTOR.match(self.arguments[at]) if at < len(self.arguments) else None
        return found.group(2) if found and found.group(2).startswith("/") else ""

    def descriptor(self, at):
        """The number of a descriptor argument, or -1."""
        found = re.match(r"\d+", self.arguments[at])
        return int(found.group()) if found else -1

    def is_working_folder(self, at):
        return self.arguments[at].startswith("AT_FDCWD")

    def text(self, at):
        """A string argument, unquoted; None where it is no string (NULL, a pointer)."""
        raw = self.arguments[at] if at < len(self.arguments) else ""
        if not raw.startswith('"'):
            return None
        return ESCAPE.sub(unescape, raw[1:raw.rindex('"')])


def unescape(match):
    code = match.group(1)
    if code[0] == "x":
        return chr(int(code[1:], 16))
    if code[0].isdigit():
        return chr(int(code, 8))
    return LETTERS.get(code, code)


def split_arguments(text):
    """Cuts at commas outside of quotes, brackets and the <path> of a descriptor."""
    parts, start, depth, quoted, at = [], 0, 0, False, 0
    while at < len(text):
        letter = text[at]
        if quoted:
            if letter == "\\":
                at += 1
            elif letter == '"':
                quoted = False
        elif letter == '"':
            quoted = True
        elif letter == "<" and re.match(r"(\d+|AT_FDCWD)$", text[start:at].strip(" [")):
            at = text.index(">", at)
        elif letter in "[{(":
            depth += 1
        elif letter in "]})":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
        at += 1
    last = text[start:].strip()
    return parts + [last] if last else parts


def parse_call(pid, text):
    found = CALL.match(text)
    if not found:
        return None
    name, arguments, result, rest = found.groups()
    opened = re.match(r"<(/.*)>(\(deleted\))?$", rest.strip(), re.DOTALL)
    value = -1 if result == "?" else int(result, 16 if result.startswith("0x") else 10)
    return Call(pid, name, split_arguments(arguments), value, opened.group(1) if opened else "")


def read_calls(path):
    """All finished calls in the order in which they ended."""
    begun = {}
    with open(path, encoding="latin-1") as file:
        for line in file:
            found = LINE.match(line.rstrip("\n"))
            if not found:
                continue
            pid, text = int(found.group(1)), found.group(2)
            if cut := UNFINISHED.match(text):
                begun[pid] = cut.group(1)
                continue
            if again := RESUMED.match(text):
                text = begun.pop(pid, "") + again.group(2)
            call = parse_call(pid, text)
            if call is not None:
                yield call
