"""Reads a shell's text into words and operators as the shell would: quotes, escapes, variables, here-documents.

What cannot be known without running something stays as it is written: `$HOME`, `$(date)`, `*.log`.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

_REDIRECT: Final = re.compile(r"\d*(?:&>>|&>|>>|>\||>&|<<<|<<-|<<|<>|<&|>(?!\()|<(?!\())")
_OPERATOR: Final = re.compile(r"&&|\|\||;;&?|;&|\|&|[;&|()\n]")
_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_SPECIAL: Final = frozenset("@*#?$!-0123456789")
_ANSI: Final = re.compile(r"\\(x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|0?[0-7]{1,3}|.)", re.DOTALL)
_ANSI_LETTERS: Final = {"n": "\n", "t": "\t", "r": "\r", "a": "", "b": "", "e": "\x1b", "f": "", "v": ""}
_BRACED: Final = re.compile(
    r"(!?)([A-Za-z_]\w*|[@*0-9])"
    r"(?:(:?[-=+?])(.*)|:(-?\d{1,6})(?::(\d{1,6}))?|(//?)([^/]*)/?(.*)|(##?|%%?)(.*)|.*)?",
    re.DOTALL,
)
_INNER: Final = re.compile(r"\$\(|`")
_UNKNOWN: Final = re.compile(r"\$(?:\w+|\{\w+\})")
_ARITHMETIC: Final = re.compile(r"\(\([^;\n()]{0,400}(?:\([^;\n()]{0,400}\)[^;\n()]{0,400}){0,4}\)\)")
_BRACES: Final = re.compile(r"\{([^{}\s]*,[^{}\s]*)\}")
_ALWAYS_SET: Final = frozenset("HOME PATH PWD USER SHELL IFS".split())

CODE_POINT_MAX: Final = 0x10FFFF
VALUE_MAX: Final = 10_000  # characters a variable may hold
DEPTH_MAX: Final = 20
SPREAD_MAX: Final = 32  # words that braces make of one


@dataclass(frozen=True, slots=True)
class Word:
    """The fields one word comes to, and how it was written."""

    fields: tuple[str, ...]
    raw: str


@dataclass(frozen=True, slots=True)
class Redirect:
    """Where output goes, where input comes from; `text` is the input itself where it stands in the text."""

    kind: Literal["in", "out", "text"]
    target: str


@dataclass(frozen=True, slots=True)
class Operator:
    sign: str


Token = Word | Redirect | Operator
Substitute = Callable[[str], str | None]  # what a command in $(…) prints, where it can be known


@dataclass(slots=True)
class Words:
    """One text, read from its beginning to its end. Variables may change between two words."""

    text: str
    variables: dict[str, str]
    substitute: Substitute
    at: int = 0
    skipped: dict[int, int] = field(default_factory=dict[int, int])  # ends of lines behind which a here-document stands
    files: dict[str, str] = field(default_factory=dict[str, str])  # what a command in <(…) prints, by how it is written
    depth: int = 0
    broken: bool = False  # a bracket or a here-document has no end: what was read may not be what is meant

    def tokens(self) -> Iterator[Token]:
        while self.at < len(self.text):
            letter = self.text[self.at]
            if letter in " \t\r":
                self.at += 1
            elif letter == "#":
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            elif self.text.startswith("\\\n", self.at):
                self.at += 2
            elif letter == "(" and (sum_ := _ARITHMETIC.match(self.text, self.at)) is not None:
                self._look_into(sum_.group())
                self.at = sum_.end()
            elif (found := _REDIRECT.match(self.text, self.at)) is not None:
                self.at = found.end()
                yield from self._redirect(found.group().lstrip("0123456789"))
            elif (found := _OPERATOR.match(self.text, self.at)) is not None:
                self.at = self.skipped.get(found.start(), found.end())
                yield Operator(found.group())
            else:
                yield self._word()

    def _redirect(self, sign: str) -> Iterator[Token]:
        while self.text[self.at : self.at + 1] in (" ", "\t"):
            self.at += 1
        begin = self.at
        word = self._word()
        target = " ".join(word.fields)
        if sign in ("<<", "<<-"):
            raw = self.text[begin : self.at]
            quoted = any(mark in raw for mark in "'\"\\")
            body = self._body(re.sub(r"['\"\\]", "", raw), dashed=sign == "<<-")
            yield Redirect("text", body if quoted else self.expanded(body))
        elif sign == "<<<":
            yield Redirect("text", f"{target}\n")
        elif sign == "<":
            yield Redirect("in", target)
        elif not (sign in (">&", "<&") and (target.isdigit() or target == "-")):
            yield Redirect("out", target)

    def _body(self, delimiter: str, *, dashed: bool) -> str:
        """The here-document that begins behind this line, or behind the one before it."""
        end = self.text.find("\n", self.at)
        if end < 0:
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

    def expanded(self, text: str) -> str:
        """A text as it would come out between double quotes."""
        if self.depth >= DEPTH_MAX:
            self.broken = True
            return text
        inner = Words(text, self.variables, self.substitute, depth=self.depth + 1)
        made: list[str] = []
        while inner.at < len(text):
            inner._double_piece(made)
        self.broken = self.broken or inner.broken
        return "".join(made)

    def _look_into(self, text: str) -> None:
        """Find the commands in a text that is no command itself: a sum, an index, a default."""
        if _INNER.search(text):
            self.expanded(text)

    # ---- one word

    def _word(self) -> Word:
        begin = self.at
        fields, quoted = [""], False
        while self.at < len(self.text):
            letter = self.text[self.at]
            if letter in " \t\r\n;&|()":
                break
            if letter in "<>" and self.text[self.at + 1 : self.at + 2] != "(":
                break
            if letter in "<>":
                inner = self._balanced(self.at + 1)
                fed = self.substitute(inner)
                fields[-1] += f"{letter}({inner})"
                if fed is not None:
                    self.files[f"{letter}({inner})"] = fed
            elif letter == "'":
                fields[-1] += self._single()
                quoted = True
            elif self.text.startswith(('"$@"', '"${@}"'), self.at):
                self.at += 1
                self._split_in(fields)
                self.at += 1
            elif letter == '"':
                fields[-1] += self._double()
                quoted = True
            elif letter == "\\":
                fields[-1] += self.text[self.at + 1 : self.at + 2].replace("\n", "")
                self.at += 2
            elif letter in "$`":
                quoted = self._split_in(fields) or quoted
            else:
                fields[-1] += letter
                self.at += 1
        if self.at == begin:  # a sign that begins no word: step over it
            self.at += 1
        raw = self.text[begin : self.at]
        made = [one for held in fields for one in spread(held)] if _BRACES.search(raw) else fields
        made = [bare if (bare := _UNKNOWN.sub("", one)).startswith("-") else one for one in made]  # unset, so nothing
        return Word(tuple(made) if quoted else tuple(f for f in made if f), raw)

    def _split_in(self, fields: list[str]) -> bool:
        """Add what an expansion comes to, split at blanks as outside of quotes; was it a quoted text after all?"""
        if self.text.startswith(("$'", '$"'), self.at):
            self.at += 1
            fields[-1] += self._ansi() if self.text[self.at] == "'" else self._double()
            return True
        value = self._expansion()
        apart = rf"[{re.escape(ifs)}]+" if (ifs := self.variables.get("IFS")) else r"\s+"
        pieces = [value] if value.startswith("$(") else re.split(apart, value)
        fields[-1] += pieces[0]
        fields.extend(pieces[1:])
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
        return unescaped(found)

    def _double(self) -> str:
        self.at += 1
        made: list[str] = []
        while self.at < len(self.text) and self.text[self.at] != '"':
            self._double_piece(made)
        self.at += 1
        return "".join(made)

    def _double_piece(self, made: list[str]) -> None:
        letter = self.text[self.at]
        if letter == "\\" and self.text[self.at + 1 : self.at + 2] in ("$", "`", '"', "\\", "\n"):
            made.append(self.text[self.at + 1].replace("\n", ""))
            self.at += 2
        elif letter in "$`":
            made.append(self._expansion())
        else:
            made.append(letter)
            self.at += 1

    # ---- expansions

    def _expansion(self) -> str:
        text = self.text
        if text[self.at] == "`":
            end = text.find("`", self.at + 1)
            end = len(text) if end < 0 else end
            inner = text[self.at + 1 : end]
            self.at = end + 1
            return self._printed(inner)
        if text.startswith("$((", self.at):
            inner = self._balanced(self.at + 1)
            self._look_into(inner)
            return f"$({inner})"
        if text.startswith("$(", self.at):
            return self._printed(self._balanced(self.at + 1))
        if text.startswith("${", self.at):
            end = closing(text, self.at + 2)
            self.broken = self.broken or end == len(text)
            inner = text[self.at + 2 : end]
            self.at = end + 1
            return self._braced(inner)
        name = _NAME.match(text, self.at + 1)
        if name is not None:
            self.at = name.end()
            unset = " " if name.group() == "IFS" else f"${name.group()}"
            return self.variables.get(name.group(), unset)
        if text[self.at + 1 : self.at + 2] in _SPECIAL and self.at + 1 < len(text):
            self.at += 2
            return self.variables.get(text[self.at - 1], text[self.at - 2 : self.at])
        self.at += 1
        return "$"

    def _printed(self, inner: str) -> str:
        found = self.substitute(inner)
        return f"$({inner})" if found is None else found.rstrip("\n")

    def _balanced(self, at: int) -> str:
        """What stands in the brackets that open here, read as the shell would; reading goes on behind them."""
        if self.depth >= DEPTH_MAX:
            self.broken, self.at = True, len(self.text)
            return self.text[at + 1 :]
        inner = Words(self.text, self.variables, lambda _: "", at=at + 1, depth=self.depth + 1)
        depth = 1
        for token in inner.tokens():
            if isinstance(token, Operator):
                depth += {"(": 1, ")": -1}.get(token.sign, 0)
            if depth == 0:
                break
        else:
            self.broken = True
        self.at = inner.at
        return self.text[at + 1 : inner.at - (depth == 0)]

    def _braced(self, inner: str) -> str:
        self._look_into(inner)
        found = _BRACED.fullmatch(inner)
        if found is None:
            return f"${{{inner}}}"
        points, name, how, other, start, length, _, old, new, end, cut = found.groups()
        value = self.variables.get(name)
        if points and value is not None:
            value = self.variables.get(value)
        if name == "IFS" and value is None:
            return " "
        if how and how[-1] in "-=" and (value is None or (how[0] == ":" and not value)):
            return self.expanded(other)
        if how and how[-1] == "+":
            return "" if value is None and name not in _ALWAYS_SET else self.expanded(other)
        if value is None:
            return f"${{{inner}}}"
        if start is not None:
            begin = int(start)
            return value[begin : begin + int(length)] if length else value[begin:]
        if old:
            return value.replace(old, new)[:VALUE_MAX]
        if end:
            return value.removeprefix(cut) if end[0] == "#" else value.removesuffix(cut)
        return value


def unescaped(text: str) -> str:
    r"""What `$'…'`, `echo -e` and `printf` make of `\x72`, `\162` and `\n`."""

    def letter(found: re.Match[str]) -> str:
        code = found[1]
        if code[0] in "xuU" and len(code) > 1:
            return character(int(code[1:], 16))
        if code[0] in "01234567":
            return character(int(code, 8) & 0xFF)
        return _ANSI_LETTERS.get(code, code)

    return _ANSI.sub(letter, text)


def character(code: int) -> str:
    return chr(code) if code <= CODE_POINT_MAX else ""


def closing(text: str, at: int) -> int:
    """Where the brace that is open here closes; the end of the text if it does not."""
    depth = 1
    while at < len(text):
        letter = text[at]
        if letter == "\\":
            at += 1
        elif letter in "'\"":
            end = text.find(letter, at + 1)
            at = len(text) if end < 0 else end
        elif letter == "{":
            depth += 1
        elif letter == "}":
            depth -= 1
            if depth == 0:
                return at
        at += 1
    return len(text)


def spread(word: str) -> list[str]:
    """`a{b,c}` as `ab` and `ac`."""
    made, left = [word], SPREAD_MAX
    while left and (place := next((n for n, one in enumerate(made) if _BRACES.search(one)), None)) is not None:
        found = _BRACES.search(made[place])
        assert found is not None
        head, tail = made[place][: found.start()], made[place][found.end() :]
        made[place : place + 1] = [f"{head}{part}{tail}" for part in found[1].split(",")]
        left -= 1
    return made
