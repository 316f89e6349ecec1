"""The tokens of a C++ file, as far as mutants need them: which are code, which brackets belong together, what to leave alone."""
import bisect
import re
from dataclasses import dataclass
from functools import cached_property

TOKEN = re.compile(r"""
    (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<directive>^[ \t]*\#(?:\\\n|[^\n])*)
  | (?P<string>R"(?P<mark>[^()\\\s]*)\(.*?\)(?P=mark)"|"(?:[^"\\\n]|\\.)*")
  | (?P<character>'(?:[^'\\\n]|\\.)+')
  | (?P<number>(?:0[xX][0-9a-fA-F.']+(?:[pP][+-]?\d+)?|(?:\d[\d']*\.?[\d']*|\.\d+)(?:[eE][+-]?\d+)?)[uUlLfF]*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<operator><=>|<<=|>>=|->\*|\.\.\.|::|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[^\s\w])
""", re.VERBOSE | re.DOTALL | re.MULTILINE)

CLOSING = {"(": ")", "[": "]", "{": "}"}
# What is declared rather than done: from this word to the end of its statement.
DECLARATIONS = {"using", "static_assert", "friend", "typedef", "concept"}


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    start: int
    end: int


class Source:
    """A file and its tokens without comments and directives."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.tokens = [Token(one.lastgroup if one.lastgroup != "mark" else "string", one.group(), one.start(), one.end())
                       for one in TOKEN.finditer(text) if one.lastgroup not in ("comment", "directive")]

    def line_of(self, offset):
        return bisect.bisect_right(self.line_starts, offset)

    def line_text(self, line):
        return self.text.split("\n")[line - 1].strip()

    @cached_property
    def line_starts(self):
        return [0] + [one.end() for one in re.finditer("\n", self.text)]

    @cached_property
    def partners(self):
        """Of each bracket, by its place among the tokens: the place of the one that belongs to it."""
        found, open_ = {}, []
        for at, token in enumerate(self.tokens):
            if token.kind != "operator":
                continue
            if token.text in CLOSING:
                open_.append(at)
            elif token.text in CLOSING.values() and open_:
                found[at] = open_.pop()
                found[found[at]] = at
        return found

    @cached_property
    def left_alone(self):
        """Places of tokens that are declarations, arguments of templates or first values of members."""
        places = set()
        for at, token in enumerate(self.tokens):
            if token.text in DECLARATIONS:
                places.update(range(at, self.end_of_statement(at)))
            elif token.text == "enum":
                body = next(place for place in range(at, len(self.tokens)) if self.tokens[place].text in "{;")
                places.update(range(at, self.partners.get(body, body) + 1))
            elif token.text == "operator" and token.kind == "name":
                places.update((at + 1, at + 2))
            elif token.text == "<" and self.opens_angle(at):
                places.update(range(at, self.end_of_angle(at) + 1))
            elif self.is_first_value(at):
                places.add(at)
        return places

    def spaced(self, at):
        """Whether blanks stand on both sides, as clang-format puts them around an operator of two operands."""
        token = self.tokens[at]
        return self.text[token.start - 1].isspace() and self.text[token.end:token.end + 1].isspace()

    def opens_angle(self, at):
        return at > 0 and (self.tokens[at - 1].text == "template" or
                           (self.tokens[at - 1].kind == "name" and self.tokens[at - 1].end == self.tokens[at].start))

    def end_of_angle(self, at):
        depth = 0
        for place in range(at, len(self.tokens)):
            text = self.tokens[place].text
            depth += text == "<"
            depth -= text.count(">") if text in (">", ">>") else 0
            if depth <= 0:
                return place
            if text in ";{":
                break
        return at

    def end_of_statement(self, at):
        """The place of the semicolon that ends the statement of this token."""
        while at < len(self.tokens) and self.tokens[at].text != ";":
            at = self.partners.get(at, at) + 1 if self.tokens[at].text in CLOSING else at + 1
        return at

    def start_of_statement(self, at):
        """The place of its first token; none for one within brackets, as in the head of a loop."""
        while at > 0:
            before = self.tokens[at - 1]
            if before.text in (";", "{", "}", "else", "do") and not (before.text == "}" and self.is_value(at - 1)):
                return at
            if before.text in (")", "]", "}"):
                opening = self.partners[at - 1]
                if before.text == ")" and self.heads_statement(opening):
                    return at
                at = opening
            elif before.text in "([" or before.text == ":":
                return None
            else:
                at -= 1
        return None

    def heads_statement(self, opening):
        word = self.tokens[opening - 1].text
        return word in ("if", "for", "while") or (word == "constexpr" and self.tokens[opening - 2].text == "if")

    def is_value(self, closing):
        """Whether this brace ends a value, Type{...}, rather than a block."""
        return self.tokens[self.partners[closing] - 1].kind == "name"

    @cached_property
    def record_bodies(self):
        """Places of the braces in which members are declared."""
        bodies = set()
        for at, token in enumerate(self.tokens):
            if token.text != "{":
                continue
            first = at
            while first > 0 and self.tokens[first - 1].text not in (";", "{", "}", ")", "="):
                first -= 1
            if any(one.text in ("struct", "class", "union") for one in self.tokens[first:at]):
                bodies.add(at)
        return bodies

    @cached_property
    def enclosing(self):
        """Of each token: the place of the bracket around it, or None."""
        around, open_ = [], []
        for at, token in enumerate(self.tokens):
            if open_ and self.partners.get(open_[-1]) == at:
                open_.pop()
            around.append(open_[-1] if open_ else None)
            if token.text in CLOSING and token.kind == "operator" and at in self.partners:
                open_.append(at)
        return around

    def is_first_value(self, at):
        """A number or truth that a member has until it gets another one; constants are not meant."""
        token = self.tokens[at]
        if not (token.kind == "number" or token.text in ("true", "false")) or self.enclosing[at] not in self.record_bodies:
            return False
        start = at
        while start > 0 and self.tokens[start - 1].text not in (";", "{", "}"):
            start -= 1
        return all(one.text != "constexpr" for one in self.tokens[start:at])
