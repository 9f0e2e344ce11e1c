"""Reads a shell's text into words and operators as the shell would: quotes, escapes, variables, here-documents.

What cannot be known without running something stays as it is written: `$HOME`, `$(date)`, `*.log`.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

from cruxfinder.gate.shell.expansions import VALUE_MAX, find_closing_brace, spread_range, unescape
from cruxfinder.gate.shell.parameters import (
    OPERATION,
    PARAMETER,
    Expansion,
    as_text,
    operation,
    operation_cost,
    slice_list,
    value_of,
)
from cruxfinder.gate.shell.variables import Variables

_REDIRECT: Final = re.compile(r"\d*(?:&>>|&>|>>|>\||>&|<<<|<<-|<<|<>|<&|>(?!\()|<(?!\())")
_OPERATOR: Final = re.compile(r"&&|\|\||;;&?|;&|\|&|[;&|()\n]")
_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_SPECIAL: Final = frozenset("@*#?$!-0123456789")
_SPECIAL_IN_PATTERNS: Final = re.compile(r"[*?\[\]\\]")
_PLAIN_OPERAND: Final = re.compile(r"[^'\"\\$`]+")
_LIST_NAME: Final = re.compile(r"([A-Za-z_]\w*)(\+?)=")
_ITEM: Final = re.compile(r"\[([^\[\]]{1,200})\]=(.*)", re.DOTALL)
_INNER: Final = re.compile(r"\$\(|`")
_UNKNOWN: Final = re.compile(r"\$(?:\w+|\{\w+\})")
_SIGNED: Final = re.compile(r"-|\+\w")
_ARITHMETIC: Final = re.compile(r"\(\([^;\n()]{0,400}(?:\([^;\n()]{0,400}\)[^;\n()]{0,400}){0,4}\)\)")
_BRACES: Final = re.compile(r"(?<!\$)\{(?:([^{}\s,]*,[^{}\s]*)|[\w-]{1,10}\.\.[\w.-]{1,20})\}")
_SPACES: Final = re.compile(r"\s+")
_SPACES_OUTSIDE: Final = re.compile(r"(?:\$\((?:[^()]|\([^()]*+\))*+\)|\S)++")
_BLANKS: Final = re.compile(r"[ \t\r]+")
_PLAIN: Final = re.compile(r"[^ \t\r\n;&|()<>'\"\\$`]+")
_SIMPLE: Final = re.compile(r"[^ \t\r\n;&|()<>'\"\\$`{]++(?=[ \t\r\n;&|()]|$)")
_PLAIN_QUOTED: Final = re.compile(r"[^\"\\$`]+")
_PLAIN_BODY: Final = re.compile(r"[^\\$`]+")

DEPTH_MAX: Final = 20
EXPANDED_MAX: Final = 400_000  # characters that expansions may add
UNKNOWN_MAX: Final = 1_000  # characters of a value in which what is not known is told from what is
SPREAD_MAX: Final = 32  # lists in braces that are spread out in one word
SPLIT_AT_MAX: Final = 16  # characters of IFS


@dataclass(slots=True)
class ExpansionBudget:
    """How many characters expansions may still add: `$a$a$a` makes far more text than it is long."""

    left: int

    def spend(self, characters: int) -> bool:
        self.left -= characters
        return self.left >= 0


@dataclass(frozen=True, slots=True)
class ShellWord:
    """The fields one word comes to, and how it was written."""

    fields: tuple[str, ...]
    raw: str
    items: tuple[tuple[str, str], ...] | None = None  # of the list that it sets: `a=(…)`


@dataclass(frozen=True, slots=True)
class Redirect:
    """Where output goes, where input comes from; `text` is the input itself where it stands in the text."""

    kind: Literal["in", "out", "text", "lost"]
    target: str
    errors: bool = False  # only what is written as an error goes there
    adds: bool = False


@dataclass(frozen=True, slots=True)
class Operator:
    sign: str


OPERATORS: Final = {sign: Operator(sign) for sign in (*"&& || ;;& ;; ;& |& ; & | ( )".split(), "\n")}

Token = ShellWord | Redirect | Operator
Substitute = Callable[[str], str | None]  # what a command in $(…) prints, where it can be known


@dataclass(slots=True)
class ShellTokenizer:
    """One text, read from its beginning to its end. Variables may change between two words."""

    text: str
    variables: Variables
    substitute: Substitute
    at: int = 0
    skipped: dict[int, int] = field(default_factory=dict[int, int])  # ends of lines behind which a here-document stands
    files: dict[str, str] = field(default_factory=dict[str, str])  # what a command in <(…) prints, by how it is written
    depth: int = 0
    broken: bool = False  # a bracket or a here-document has no end: what was read may not be what is meant
    cut: bool = False  # too deep or too much to be followed: some of it was not read
    scanning: bool = False  # only where a bracket closes is asked: nothing is expanded
    budget: ExpansionBudget = field(default_factory=lambda: ExpansionBudget(EXPANDED_MAX))
    line_end: int = -1
    listing: bool = False  # within `a=(…)`

    def tokens(self) -> Iterator[Token]:
        while self.at < len(self.text):
            letter = self.text[self.at]
            if letter in " \t\r":
                blanks = _BLANKS.match(self.text, self.at)
                self.at = blanks.end() if blanks else self.at + 1
            elif letter == "#":
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            elif self.text.startswith("\\\n", self.at):
                self.at += 2
            elif letter == "(" and (sum_ := _ARITHMETIC.match(self.text, self.at)) is not None:
                self._look_into(sum_.group())
                self.at = sum_.end()
            elif letter in "0123456789&<>" and (found := _REDIRECT.match(self.text, self.at)) is not None:
                self.at = found.end()
                yield from self._redirect(found.group().lstrip("0123456789"), found.group()[0] == "2")
            elif letter in ";&|()\n" and (found := _OPERATOR.match(self.text, self.at)) is not None:
                self.at = self.skipped.get(found.start(), found.end())
                yield OPERATORS[found.group()]
            else:
                yield self._word()

    def _redirect(self, sign: str, errors: bool) -> Iterator[Token]:
        while self.text[self.at : self.at + 1] in (" ", "\t"):
            self.at += 1
        begin = self.at
        word = self._word()
        target = " ".join(word.fields)
        if sign in ("<<", "<<-"):
            raw = self.text[begin : self.at]
            quoted = any(mark in raw for mark in "'\"\\")
            body = self._body(re.sub(r"['\"\\]", "", raw), dashed=sign == "<<-")
            yield Redirect("text", body if quoted or self.scanning else self.expand(body))
        elif sign == "<<<":
            yield Redirect("text", f"{target}\n")
        elif sign == "<":
            yield Redirect("in", target)
        elif sign == ">&" and target == "2":
            yield Redirect("lost", "/dev/stderr", errors=errors)
        elif not (sign in (">&", "<&") and (target.isdigit() or target == "-")):
            yield Redirect("out", target, errors=errors, adds=">>" in sign)

    def _body(self, delimiter: str, *, dashed: bool) -> str:
        """The here-document that begins behind this line, or behind the one before it."""
        if self.line_end < self.at:  # many here-documents may begin in one line
            found = self.text.find("\n", self.at)
            self.line_end = len(self.text) if found < 0 else found
        end = self.line_end
        if end >= len(self.text):
            self.broken = True
            return ""
        at, lines = self.skipped.get(end, end + 1), list[str]()
        while at < len(self.text):
            stop = self.text.find("\n", at)
            stop = len(self.text) if stop < 0 else stop
            line, at = self.text[at:stop], min(len(self.text), stop + 1)
            if (line.lstrip("\t") if dashed else line).rstrip("\r") == delimiter:
                break
            lines.append(line)
        else:
            self.broken = True
        self.skipped[end] = at
        return "".join(f"{line}\n" for line in lines)

    def expand(self, text: str) -> str:
        """A text as it would come out between double quotes."""
        if self.depth >= DEPTH_MAX:
            self.cut = True
            return text
        inner = ShellTokenizer(text, self.variables, self.substitute, depth=self.depth + 1, budget=self.budget)
        made: list[str] = []
        while inner.at < len(text):
            inner._double_piece(made, _PLAIN_BODY)
        self.broken, self.cut = self.broken or inner.broken, self.cut or inner.cut
        return "".join(made)

    def _look_into(self, text: str) -> None:
        """Find the commands in a text that is no command itself: a sum, an index, a default."""
        if not self.scanning and _INNER.search(text):
            self.expand(text)

    # ---- one word

    def _word(self) -> ShellWord:
        begin, text = self.at, self.text
        simple = _SIMPLE.match(text, begin)
        if simple is not None:  # most words are
            self.at = simple.end()
            return self._list_of(simple.group()) or ShellWord((simple.group(),), simple.group())
        fields: list[list[str]] = [[]]  # each in pieces: a long word is put together once
        quoted = False
        while self.at < len(text):
            if (plain := _PLAIN.match(text, self.at)) is not None:
                fields[-1].append(plain.group())
                self.at = plain.end()
                continue
            letter = text[self.at]
            if letter in " \t\r\n;&|()":
                break
            if letter in "<>" and text[self.at + 1 : self.at + 2] != "(":
                break
            if letter in "<>":
                fields[-1].append(self._process(letter))
            elif letter == "'":
                fields[-1].append(self._single())
                quoted = True
            elif letter == '"':
                quoted = self._double(fields) or quoted
            elif letter == "\\":
                fields[-1].append(text[self.at + 1 : self.at + 2].replace("\n", ""))
                self.at += 2
            else:
                quoted = self._split_in(fields) or quoted
        if self.at == begin:  # a sign that begins no word: step over it
            self.at += 1
        raw = text[begin : self.at]
        if self.scanning:
            return ShellWord((raw,), raw)
        made = ["".join(pieces) for pieces in fields]
        if _BRACES.search(raw):
            made = [one for held in made for one in self._spread(held)]
        made = [bare if _SIGNED.match(bare := _UNKNOWN.sub("", one)) else one for one in made]  # unset, so nothing
        return ShellWord(tuple(made) if quoted else tuple(f for f in made if f), raw)

    def _list_of(self, raw: str) -> ShellWord | None:
        """The list that begins here, behind `name=`."""
        if self.listing or not raw.endswith("=") or self.text[self.at : self.at + 1] != "(":
            return None
        if _LIST_NAME.fullmatch(raw) is None:
            return None
        self.at += 1
        self.listing, items = True, list[tuple[str, str]]()
        while self.at < len(self.text) and self.text[self.at] != ")":
            if self.text[self.at] in " \t\r\n;&|(":
                self.at += 1
            elif self.text[self.at] == "#":
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            else:
                word = self._word()
                keyed = _ITEM.fullmatch(" ".join(word.fields)) if word.raw.startswith("[") else None
                items.extend([(keyed[1], keyed[2])] if keyed else [("", one) for one in word.fields])
        self.broken = self.broken or self.at >= len(self.text)
        self.at, self.listing = self.at + 1, False
        return ShellWord((raw,), raw, tuple(items))

    def _process(self, letter: str) -> str:
        """`<(…)` or `>(…)`: the commands in it are found, and what they print is kept as a file."""
        inner = self._read_brackets(self.at + 1)
        written = f"{letter}({inner})"
        if not self.scanning and (fed := self.substitute(inner)) is not None:
            self.files[written] = fed
        return written

    def _spread(self, word: str) -> list[str]:
        """`a{b,c}` as `ab` and `ac`."""
        waiting, made, left = [word], list[str](), SPREAD_MAX
        while waiting:
            one = waiting.pop()
            found = _BRACES.search(one)
            if found is None:
                made.append(one)
                continue
            head, parts, tail = one[: found.start()], (found[1] or "").split(","), one[found.end() :]
            if found[1] is None:
                spread = spread_range(one)
                if spread is None:
                    made.append(one)
                    continue
                head, parts, tail = spread
            left -= 1
            if left < 0 or not self.budget.spend(len(parts) * len(one)):
                self.cut = True
                return [word]
            waiting.extend(f"{head}{part}{tail}" for part in reversed(parts))
        return made

    def _split_in(self, fields: list[list[str]]) -> bool:
        """Add what an expansion comes to, split at blanks as outside of quotes; was it a quoted text after all?"""
        if self.text.startswith(("$'", '$"'), self.at):
            self.at += 1
            if self.text[self.at] == '"':
                return self._double(fields)
            fields[-1].append(self._ansi())
            return True
        value, marks = self._expansion(), self.variables.get("IFS")
        parts = [part for one in (value if isinstance(value, tuple) else (value,)) for part in split_at(marks, one)]
        add_fields(fields, parts)
        return False

    def _single(self) -> str:
        end = self.text.find("'", self.at + 1)
        end = len(self.text) if end < 0 else end
        found = self.text[self.at + 1 : end]
        self.at = end + 1
        return found

    def _ansi(self) -> str:
        begin = self.at = self.at + 1
        while self.at < len(self.text) and self.text[self.at] != "'":
            self.at += 2 if self.text[self.at] == "\\" else 1
        found = self.text[begin : self.at]
        self.at += 1
        return unescape(found)

    def _double(self, fields: list[list[str]]) -> bool:
        """Add what stands in double quotes; is it a word, be it an empty one? A list without items is none."""
        self.at += 1
        nothing = False
        while self.at < len(self.text) and self.text[self.at] != '"':
            if self.text[self.at] in "$`":
                value = self._expansion(quoted=True)
                nothing = nothing or value == ()
                add_fields(fields, (value,) if isinstance(value, str) else value)
            else:
                self._double_piece(fields[-1], _PLAIN_QUOTED)
        self.at += 1
        return not nothing

    def _double_piece(self, made: list[str], plain: re.Pattern[str]) -> None:
        if (run := plain.match(self.text, self.at)) is not None:
            made.append(run.group())
            self.at = run.end()
            return
        letter = self.text[self.at]
        if letter == "\\" and self.text[self.at + 1 : self.at + 2] in ("$", "`", '"', "\\", "\n"):
            made.append(self.text[self.at + 1].replace("\n", ""))
            self.at += 2
        elif letter in "$`":
            made.append(as_text(self._expansion(quoted=True)))
        else:
            made.append(letter)
            self.at += 1

    # ---- expansions

    def _expansion(self, *, quoted: bool = False) -> Expansion:
        begin = self.at
        made = self._expand_here(quoted=quoted)
        length = len(made) if isinstance(made, str) else sum(map(len, made)) + len(made)
        if length > self.at - begin and not self.budget.spend(length):
            self.cut = True
            return self.text[begin : self.at]
        return made

    def _expand_here(self, *, quoted: bool) -> Expansion:
        text = self.text
        if text[self.at] == "`":
            end = text.find("`", self.at + 1)
            end = len(text) if end < 0 else end
            inner = text[self.at + 1 : end]
            self.at = end + 1
            return self._command_output(inner)
        if text.startswith("$((", self.at):
            inner = self._read_brackets(self.at + 1)
            self._look_into(inner)
            return f"$({inner})"
        if text.startswith("$(", self.at):
            return self._command_output(self._read_brackets(self.at + 1))
        if text.startswith("${", self.at):
            end = find_closing_brace(text, self.at + 2)
            self.broken = self.broken or end == len(text)
            inner = text[self.at + 2 : end]
            self.at = end + 1
            return "" if self.scanning else self._expand_parameter(inner, quoted=quoted)
        name = _NAME.match(text, self.at + 1)
        if name is not None:
            self.at = name.end()
            value = self.variables.get(name.group())
            return value if value is not None else " " if name.group() == "IFS" else f"${name.group()}"
        if text[self.at + 1 : self.at + 2] in _SPECIAL and self.at + 1 < len(text):
            self.at += 2
            sign = text[self.at - 1]
            known = self.variables.positions if sign == "@" else self.variables.get(sign)
            return f"${sign}" if known is None else known
        self.at += 1
        return "$"

    def _command_output(self, inner: str) -> str:
        if self.scanning or not inner or inner.isspace():
            return ""
        found = self.substitute(inner)
        return f"$({inner})" if found is None else found.rstrip("\n")

    def _read_brackets(self, at: int) -> str:
        """What stands in the brackets that open here, read as the shell would; reading goes on behind them."""
        if self.depth >= DEPTH_MAX:
            self.cut, self.at = True, len(self.text)
            return self.text[at + 1 :]
        inner = ShellTokenizer(self.text, self.variables, lambda _: "", at=at + 1, depth=self.depth + 1, scanning=True)
        depth = 1
        for token in inner.tokens():
            if isinstance(token, Operator):
                depth += {"(": 1, ")": -1}.get(token.sign, 0)
            if depth == 0:
                break
        else:
            self.broken = True
        self.cut = self.cut or inner.cut
        self.at = inner.at
        return self.text[at + 1 : inner.at - (depth == 0)]

    def _expand_parameter(self, inner: str, *, quoted: bool) -> Expansion:
        """`${…}`: a value, or what an operation makes of it; as it is written where that cannot be told."""
        found = PARAMETER.match(inner)
        sign = OPERATION.match(inner, found.end()) if found is not None else None
        if found is None or (sign is None and found.end() < len(inner)):
            self._look_into(inner)
            return f"${{{inner}}}"
        value, how = value_of(self.variables, found, self._operand), sign.group() if sign else ""
        rest = inner[sign.end() :] if sign else ""
        if how[-1:] in ("-", "=", "+", "?") and how:
            return self._alternative(inner, found[2], value, how, rest, quoted=quoted)
        if value is None:
            self._look_into(inner)
            return " " if found[2] == "IFS" else f"${{{inner}}}"
        if not how:
            return value
        if isinstance(value, tuple) and how == ":":
            return slice_list(self.variables, found[2], value, rest, self._operand)
        given = value if isinstance(value, tuple) else (value,)
        if not self.budget.spend(sum(operation_cost(how, rest, one) for one in given)):
            self.cut = True
            return f"${{{inner}}}"
        operate = operation(self.variables, how, rest, self._operand)
        made = [operate(one) for one in given]
        told = tuple(one for one in made if one is not None)
        if len(told) < len(made):
            return f"${{{inner}}}"
        return told if isinstance(value, tuple) else told[0]

    def _alternative(
        self, inner: str, name: str, value: Expansion | None, how: str, other: str, *, quoted: bool
    ) -> Expansion:
        """`${x:-w}` and its like; where the environment may hold a value or not, the word that is written here."""
        missing = value is None or (how[0] == ":" and not as_text(value))
        if name == "IFS" and value is None:
            self._look_into(other)
            return " "
        if how[-1] in "-=" and missing:
            made = self._operand(other, quoted=quoted)
            if how[-1] == "=" and len(made) <= VALUE_MAX:
                self.variables.set(name, made)
            return made
        if how[-1] == "+" and (value is None or not missing):
            return self._operand(other, quoted=quoted)
        self._look_into(other)
        if how[-1] == "+":
            return ""
        return f"${{{inner}}}" if value is None else value

    def _operand(self, text: str, *, quoted: bool = False, pattern: bool = False) -> str:
        """A word within `${…}`, without its quotes; what they hold stands for itself in a pattern."""
        if self.depth >= DEPTH_MAX:
            self.cut = True
            return text
        inner = ShellTokenizer(
            text, self.variables, self.substitute, files=self.files, depth=self.depth + 1, budget=self.budget
        )
        made: list[str] = []
        while inner.at < len(text):
            letter, held = text[inner.at], [list[str]()]
            if (plain := _PLAIN_OPERAND.match(text, inner.at)) is not None:
                made.append(plain.group())
                inner.at = plain.end()
            elif letter in "'\"" and not (letter == "'" and quoted):
                if letter == "'":
                    held[0].append(inner._single())
                else:
                    inner._double(held)
                said = " ".join("".join(pieces) for pieces in held)
                made.append(_SPECIAL_IN_PATTERNS.sub(r"\\\g<0>", said) if pattern else said)
            elif letter == "\\":
                kept = pattern or (quoted and text[inner.at + 1 : inner.at + 2] not in ("$", "`", '"', "\\", "}"))
                made.append(text[inner.at + (not kept) : inner.at + 2])
                inner.at += 2
            elif letter in "$`":
                made.append(as_text(inner._expansion(quoted=quoted)))
            else:
                made.append(letter)
                inner.at += 1
        self.broken, self.cut = self.broken or inner.broken, self.cut or inner.cut
        return "".join(made)


def add_fields(fields: list[list[str]], parts: "tuple[str, ...] | list[str]") -> None:
    """The first part belongs to the word that is being read, each other one begins its own."""
    if parts:
        fields[-1].append(parts[0])
        fields.extend([part] for part in parts[1:])


def split_at(marks: str | None, value: str) -> list[str]:
    """A value as the words it is split into outside of quotes."""
    if not marks and "$(" in value:
        if len(value) <= UNKNOWN_MAX and value.count("(") == value.count(")"):
            return _SPACES_OUTSIDE.findall(value) or [""]
        if value.startswith("$("):
            return [value]
    if not marks:
        return _SPACES.split(value)
    return re.split(rf"[{re.escape(marks[:SPLIT_AT_MAX])}]+", value)
