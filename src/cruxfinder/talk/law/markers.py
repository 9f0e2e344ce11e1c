"""How turns are written down. TURN-4: the block people see, and the hidden markers a model's reply may hold.

A marker counts only if it stands alone on its line and says agent, role and a known type; anything else that looks like
one is part of what was said, and is taken out before it is shown.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from cruxfinder.talk.turns import TurnType

REPLY_MAX: Final = 40_000  # characters; more is not looked at
TURNS_MAX: Final = 48

START: Final = re.compile(r"[ \t]*<!--[ \t]*TURN_START:([^\n]{0,400})-->[ \t]*")
END: Final = re.compile(r"[ \t]*<!--[ \t]*TURN_END[ \t]*-->[ \t]*")
ATTRIBUTE: Final = re.compile(r"([a-z_]{1,20})[ \t]*=[ \t]*(?:\"([^\"\n]*)\"|'([^'\n]*)')")
COMMENT: Final = re.compile(r"<!--[ \t]*TURN_(?:START|END)")
INLINE: Final = re.compile(r"<!--[ \t]{0,9}TURN_(?:START:[^\n<>]{0,400}|END[ \t]{0,9})-->")
BLOCK: Final = re.compile(r"\[(/?TURN(?=[\]:])[^\[\]\n]*)(\]?)")
MARKERS: Final = ("<!--TURN_START", "<!--TURN_END")  # as COMMENT has them, without blanks
BEGINNINGS: Final = {marker[:n]: marker[:n] for marker in MARKERS for n in range(1, len(marker) + 1)}
TYPES: Final = frozenset(TurnType)


@dataclass(frozen=True, slots=True)
class MarkedTurn:
    """A turn as a reply holds it; `agent` and `role` are what the reply says."""

    agent: str
    role: str
    type: TurnType
    content: str


def wrap_in_markers(turn: MarkedTurn) -> str:
    """A turn between its markers."""
    return f"{head(turn.agent, turn.role, turn.type)}\n{strip_markers(turn.content)}\n<!-- TURN_END -->"


def head(agent: str, role: str, type: TurnType) -> str:
    agent, role = (value.replace('"', "'") for value in (agent, role))
    return f'<!-- TURN_START: agent="{agent}" role="{role}" type="{type}" -->'


def block(name: str, role: str, type: TurnType, content: str, icon: str = "") -> str:
    """A turn as people see it."""
    who = f"{icon} **{plain_label(name)}** ({plain_label(role)}):".strip()
    return f"[TURN: {plain_label(name)} | {plain_label(role)} | {type}]\n\n{who}\n\n{strip_markers(content)}\n\n[/TURN]"


def plain_label(label: str) -> str:
    """A name that cannot end the head of a block or start another field of it."""
    return strip_markers(" ".join(label.replace("|", "/").replace("]", ")").replace("[", "(").split()))


def strip_markers(text: str) -> str:
    """Content in which nothing looks like the beginning or end of a turn."""
    if "<" not in text and "[" not in text:  # hardly any text has one
        return text.strip()
    plain = "\n".join(without_markers(line) for line in text.split("\n"))
    return BLOCK.sub(lambda found: f"({found[1]}{')' if found[2] else ''}", plain).strip()


def without_markers(line: str) -> str:
    """Taking one out may join the ends of another, which goes too; one that does not end takes the rest."""
    found = COMMENT.search(line)
    if found is None:
        return line
    if line.find("<", found.end()) < 0 and line.find("<", 0, found.start()) < 0:  # nothing can be joined to another
        end = line.find("-->", found.end())
        return (line[: found.start()] + (line[end + 3 :] if end >= 0 else "")).replace("-->", "")
    pieces = [Piece(begun=None)]  # what stands before the first <, then from each < to the next
    at = 0
    while at < len(line):
        if line[at] == "<":
            pieces.append(Piece())
        following = line.find("<", at + 1)
        end = following if following >= 0 else len(line)
        if (behind := pieces[-1].take(line, at, end)) is None:
            at = end
            continue
        pieces.pop()
        closed = line.find("-->", behind)
        at = closed + 3 if closed >= 0 else len(line)
    plain = "".join(part for piece in pieces for part in piece.parts)
    plain = plain.replace("-->", "")  # of one that held another, its end is left
    return plain if COMMENT.search(plain) is None else plain.replace("<", "")


@dataclass(slots=True)
class Piece:
    """Text from a < on, in the parts that were joined. No character is looked at twice, however often it is joined."""

    parts: list[str] = field(default_factory=list[str])
    begun: str | None = ""  # as much of a marker as it begins with; None once it begins with none

    def take(self, line: str, start: int, end: int) -> int | None:
        """Add a part of the line; where the beginning of a marker ends in it, if it does."""
        for at in range(start, end):
            if self.begun is None:
                break
            if self.begun == "<!--" and line[at] in " \t":
                continue
            self.begun = BEGINNINGS.get(self.begun + line[at])
            if self.begun in MARKERS:
                return at + 1
        self.parts.append(line[start:end])
        return None


def parse(text: str) -> tuple[MarkedTurn, ...]:
    """The turns in a reply, in order. One that is not closed ends where the next one begins, or the text does."""
    found: list[MarkedTurn] = []
    head: tuple[str, str, TurnType] | None = None
    lines: list[str] = []
    for line in text[:REPLY_MAX].splitlines():
        start = START.fullmatch(line)
        opened = None if start is None else parse_attributes(start[1].strip())
        if opened is None and END.fullmatch(line) is None:
            lines.append(line)
            continue
        if head is not None:
            found.append(MarkedTurn(*head, strip_markers("\n".join(lines))))
        head, lines = opened, []
    if head is not None:
        found.append(MarkedTurn(*head, strip_markers("\n".join(lines))))
    return tuple(turn for turn in found if turn.content)[:TURNS_MAX]


def separate_markers(text: str) -> str:
    """A reply that begins with a marker, with each of its markers on a line of its own; any other as it is."""
    if INLINE.match(text.lstrip()) is None:
        return text
    return INLINE.sub(lambda found: f"\n{found[0]}\n", text[:REPLY_MAX])


def parse_attributes(text: str) -> tuple[str, str, TurnType] | None:
    """Who speaks, as what, which type; nothing if any of it is missing, twice there or unknown."""
    pairs = [(name, double or single) for name, double, single in ATTRIBUTE.findall(text)]
    said = dict(pairs)
    if len(said) != len(pairs) or set(said) != {"agent", "role", "type"} or ATTRIBUTE.sub("", text).strip():
        return None
    kind = said["type"].strip().lower()
    if kind not in TYPES or not said["agent"].strip():
        return None
    return said["agent"].strip(), said["role"].strip(), TurnType(kind)
