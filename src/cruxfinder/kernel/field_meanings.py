"""What a field means, said once beside its type. Prompts, schemas, checks, forms and docs are made from it.

A field is `Annotated[type, Meaning(...)]`. Its kind follows from the type: a `float` is a chance, a `MessageId` a
message, an enumeration a choice, a dataclass a group of fields. A field with a default may be left out.
"""

from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import UnionType
from typing import Annotated, Final, Literal, Union, cast, get_args, get_origin, get_type_hints

FieldKind = Literal["text", "chance", "count", "flag", "choice", "message", "turn", "agent", "group"]
CONTENT_MAX: Final = 600  # characters of what is said to everybody
FIELD_MAX: Final = 400


class Refers(StrEnum):
    """What a reference may point to, as the agent who makes the move sees it."""

    MESSAGES = "messages"
    OTHERS = "others"  # messages of somebody else
    STEELMANS = "steelmans"  # messages that put the position of this agent
    EVIDENCE = "evidence"  # findings that somebody else brought
    AGENTS = "agents"  # somebody else
    FALSIFIERS = "falsifiers"  # of anybody: whose it is, and its number


@dataclass(frozen=True, slots=True)
class When:
    """A field of the same move has one of these values."""

    field: str
    values: tuple[StrEnum | bool, ...]


@dataclass(frozen=True, slots=True)
class Meaning:
    means: str  # for a model, in about eight words
    asks: str  # the question to a person
    hint: str = ""  # what helps a person to answer it
    called: str = ""  # in a model's reply, where the wire has a shorter name
    refers: Refers | None = None
    words: tuple[str, str] = ("Yes", "No")  # what the two answers to a flag are called
    ends: tuple[str, str] = ("never", "surely")  # what a chance of 0 and of 1 is called
    without: tuple[StrEnum, ...] = ()  # values nobody may choose
    needed_if: When | None = None  # a field with a default may not be left out then
    asked_if: When | None = None  # otherwise it is neither asked for nor taken
    may_be_empty: bool = False  # an empty text is an answer, and a model has to give it
    recorded: bool = False  # the record has it, so nobody is asked
    most: int = FIELD_MAX  # characters
    rows: int = 2  # of a box to write in


@dataclass(frozen=True, slots=True)
class MoveWords:
    """What a move is called, and what one does with it."""

    title: str
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MeantField:
    """A field with all that is said of it."""

    name: str  # on the wire
    kind: FieldKind
    meaning: Meaning
    choices: tuple[StrEnum, ...] = ()
    may_lack: bool = False
    parts: tuple["MeantField", ...] = ()  # of a group

    @property
    def reply_name(self) -> str:
        return self.meaning.called or self.name

    @property
    def is_optional(self) -> bool:
        """May a model leave it out?"""
        return self.may_lack and not self.meaning.may_be_empty


@cache
def meant_fields(owner: type) -> tuple[MeantField, ...]:
    """The fields of a value that mean something to whoever gives them, in order."""
    lacking = defaulted_names(owner)
    found: list[MeantField] = []
    for name, hint in get_type_hints(owner, include_extras=True).items():
        if get_origin(hint) is not Annotated:
            continue
        inner, *marks = get_args(hint)
        meaning = next((m for m in marks if isinstance(m, Meaning)), None)
        if meaning is not None:
            found.append(describe_type(name, inner, meaning, may_lack=name in lacking))
    return tuple(found)


def defaulted_names(owner: type) -> frozenset[str]:
    """Of a dataclass; no named tuple of ours has defaults."""
    return frozenset(f.name for f in fields(owner) if f.default is not MISSING) if is_dataclass(owner) else frozenset()


def describe_type(name: str, annotated: object, meaning: Meaning, *, may_lack: bool) -> MeantField:
    members: tuple[object, ...] = get_args(annotated) if get_origin(annotated) in (Union, UnionType) else (annotated,)
    held = next(part for part in members if part is not type(None))
    if (kind := KINDS.get(str(getattr(held, "__name__", "")))) is not None:
        return MeantField(name=name, kind=kind, meaning=meaning, may_lack=may_lack)
    if isinstance(held, type) and issubclass(held, StrEnum):
        choices = tuple(value for value in held if value not in meaning.without)
        return MeantField(name=name, kind="choice", meaning=meaning, choices=choices, may_lack=may_lack)
    parts = meant_fields(cast("type", held))
    return MeantField(name=name, kind="group", meaning=meaning, may_lack=may_lack, parts=parts)


KINDS: Final[dict[str, FieldKind]] = {
    "str": "text",
    "float": "chance",
    "int": "count",
    "bool": "flag",
    "MessageId": "message",
    "TurnId": "turn",
    "AgentId": "agent",
}


SURE: Final = ("a guess", "certain")


# ---- values in words

CHOICE_WORDS: Final = {
    "YES": "Yes",
    "NO": "No",
    "UNCERTAIN": "Not sure",
    "NUANCED": "In between",
    "1-3mo": "1–3 months",
    "12-18mo": "12–18 months",
    "5y": "5 years",
    "10y+": "10 years or more",
    "ACCURATE": "Accurate: I would sign it",
    "INCOMPLETE": "Incomplete: something is missing",
    "WRONG": "Wrong: not what I hold",
    "FOR": "It speaks for the test being met",
    "AGAINST": "It speaks against it",
    "MEASUREMENT": "What it measures",
    "CAUSAL_LINK": "What follows from it",
}


def choice_words(value: StrEnum) -> str:
    return CHOICE_WORDS.get(value.value, value.value)
