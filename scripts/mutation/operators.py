"""What can be changed in a file: an operator a row. Each yields mutants: the stretch of text, and what stands there instead."""
import random
from dataclasses import dataclass

from source import CLOSING, Source

SWAPS = {
    "comparison": {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="},
    "arithmetic": {"+": "-", "-": "+", "*": "/", "/": "*"},
    "logic": {"&&": "||", "||": "&&"},
}
EXTREMES = {"min": "max", "max": "min", "min_element": "max_element", "max_element": "min_element"}
# What stands before the condition of a ternary, and is not of it.
BEFORE_CONDITION = {"(", "[", "{", ",", ";", "?", ":", "return", "=", "+=", "-=", "<<"}


@dataclass(frozen=True)
class Mutant:
    path: str
    start: int
    end: int
    replacement: str
    operator: str
    line: int
    change: str  # for people: "a < b  ->  a <= b", of the line

    @property
    def key(self):
        return f"{self.path}:{self.start}-{self.end}:{self.replacement}"

    def applied_to(self, text):
        return text[:self.start] + self.replacement + text[self.end:]


def swapped_operators(source):
    for at, token in enumerate(source.tokens):
        for name, swaps in SWAPS.items():
            if token.kind == "operator" and token.text in swaps and source.spaced(at):
                yield name, at, at, swaps[token.text]


def changed_constants(source):
    for at, token in enumerate(source.tokens):
        if token.kind == "number" and (changed := other_number(token.text)):
            yield "constant", at, at, changed
        elif token.text in ("true", "false"):
            yield "constant", at, at, "false" if token.text == "true" else "true"


def other_number(text):
    """Half as much again; 1 for 0."""
    digits = text.rstrip("uUlLfF") if not text[:2].lower() == "0x" else text.rstrip("uUlL")
    suffix, digits = text[len(digits):], digits.replace("'", "")
    try:
        if digits.lower().startswith("0x"):
            return hex(-(-int(digits, 16) * 3 // 2)) + suffix
        if digits.isdigit():
            return str(-(-int(digits) * 3 // 2) or 1) + suffix
        return repr(float(digits) * 1.5 or 1.0) + suffix
    except ValueError:
        return None  # a fraction in hexadecimal


def negated_conditions(source):
    for at, token in enumerate(source.tokens):
        if token.text == "if" and source.tokens[at + 1].text == "(":
            first, last = at + 2, source.partners[at + 1] - 1
            inner = [place for place in range(first, last + 1) if source.enclosing[place] == at + 1]
            first = next((place + 1 for place in inner if source.tokens[place].text == ";"), first)
            if not any(source.tokens[place].text == "=" for place in inner if place >= first):
                yield "condition", first, last, "!({})"
        elif token.text == "?" and source.tokens[at + 1].kind != "string":  # which of two texts is a matter of words
            first = start_of_condition(source, at)
            yield "condition", first, at - 1, "!({})"
        elif token.text == "!" and token.kind == "operator":
            yield "condition", at, at, ""


def start_of_condition(source, at):
    while at > 0 and source.tokens[at - 1].text not in BEFORE_CONDITION:
        at = source.partners[at - 1] if source.tokens[at - 1].text in CLOSING.values() else at - 1
    return at


def replaced_returns(source):
    for at, token in enumerate(source.tokens):
        if token.text != "return":
            continue
        end = source.end_of_statement(at)
        value = [one.text for one in source.tokens[at + 1:end]]
        if len(value) > 1 and value != ["{", "}"]:
            yield "return", at + 1, end - 1, "{{}}"


def dropped_statements(source):
    for at, token in enumerate(source.tokens):
        if token.text not in ("+=", "-=", "|=", "*=", "++", "--"):
            continue
        start = source.start_of_statement(at)
        if start is not None and source.tokens[start].text not in ("return", "const", "for", "case"):
            yield "statement", start, source.end_of_statement(at) - 1, "(void)0"


def swapped_extremes(source):
    for at, token in enumerate(source.tokens):
        if token.text in EXTREMES and source.tokens[at - 1].text == "::" and source.tokens[at + 1].text in "(<" \
                and source.tokens[at + 2].text != ")":
            yield "extreme", at, at, EXTREMES[token.text]


OPERATORS = (swapped_operators, changed_constants, negated_conditions, replaced_returns, dropped_statements,
             swapped_extremes)


def mutants_of(path, text):
    """All mutants of a file, in the order of its text."""
    source = Source(path, text)
    found = {}
    for operator in OPERATORS:
        for name, first, last, form in operator(source):
            if first in source.left_alone or first > last:
                continue
            start, end = source.tokens[first].start, source.tokens[last].end
            replacement = form.format(text[start:end]) if "{" in form else form
            line = source.line_of(start)
            change = f"{shortened(text[start:end])} -> {shortened(replacement) or 'nothing'}"
            mutant = Mutant(path, start, end, replacement, name, line, f"{change}   in: {source.line_text(line)}")
            found[mutant.key] = mutant
    return sorted(found.values(), key=lambda one: (one.start, one.end, one.replacement))


def shortened(text, most=60):
    text = " ".join(text.split())
    return text if len(text) <= most else text[:most - 3] + "..."


def in_random_order(mutants, seed):
    """The same order for the same seed and file, whatever other files there are."""
    mutants = list(mutants)
    random.Random(f"{seed}/{mutants[0].path}" if mutants else seed).shuffle(mutants)
    return mutants
