"""Where groups, loops and functions begin and end in a shell's text, so that they can be read once more."""

from dataclasses import dataclass, field
from typing import Final

CLOSES: Final = {
    "{": "}",
    "(": ")",
    "if": "fi",
    "case": "esac",
    **dict.fromkeys(("while", "until", "for", "select"), "done"),
}


@dataclass(frozen=True, slots=True)
class Body:
    """A stretch of a text: copied only where it is read."""

    text: str
    begin: int
    end: int

    @property
    def source(self) -> str:
        return self.text[self.begin : self.end]


@dataclass(frozen=True, slots=True)
class OpenBlock:
    closes: str
    begin: int
    names: str


@dataclass(slots=True)
class Blocks:
    text: str
    open: list[OpenBlock] = field(default_factory=list[OpenBlock])
    last: Body | None = None  # the one that was closed just now
    naming: str = ""  # the function whose body comes next
    functions: int = 0  # that are open here

    def note_sign(self, sign: str, end: int) -> tuple[str, Body] | None:
        """Take note of a word or a bracket that ends here; a function that is whole by now."""
        begin = end - len(sign)
        if sign in CLOSES:
            self.open.append(OpenBlock(CLOSES[sign], begin, self.naming))
            self.functions += bool(self.naming)
            self.naming = ""
        elif self.open and self.open[-1].closes == sign:
            opened = self.open.pop()
            self.functions -= bool(opened.names)
            self.last = Body(self.text, opened.begin, end)
            return (opened.names, self.last) if opened.names else None
        return None
