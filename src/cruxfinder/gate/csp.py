"""CSP/1 (DIA-1): the text of the gate's forms, read strictly and written so that it reads back.

A field is `NAME:value`; a synthesis has one field a line and may leave the colon out. A value is a quoted text with the
escapes of JSON, a list in brackets whose items are texts, or bare text up to the next field or the line's end. What
begins with a quote or a bracket, holds a line break or looks like a field is quoted; so is an item with a comma.
A bare `none` stands for nothing where nothing may be said.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from cruxfinder.gate.forms import (
    LIMITS,
    ROUNDS_MAX,
    AdvocateClaim,
    CriticObjection,
    Diagnosis,
    FailureRequest,
    Form,
    GateResolution,
    Pattern,
    PlanRequest,
    Severity,
    Stakes,
    Synthesis,
)

LENGTH_MAX: Final = 200_000  # characters
ITEMS_MAX: Final = 1_000
NONE: Final = "none"

PLAN, FAILURE, SYNTHESIS = "DEBATE", "DEBATE_FAILURE", "RESOLUTION"
FIELDS: Final[dict[str, tuple[str, ...]]] = {
    PLAN: ("REQ", "ROUNDS", "STAKES"),
    FAILURE: ("REQ", "ATTEMPTS", "ERRORS"),
    "CLAIM": ("CLAIM", "SUPPORTS", "CONFIDENCE"),
    "OBJECTION": ("OBJECTION", "RISKS", "COUNTER", "SEVERITY"),
    "DIAGNOSIS": ("DIAGNOSIS", "FIX", "DIFF_FROM_PREVIOUS"),
    "PATTERN": ("PATTERN", "BLIND_SPOT", "SHOULD_ESCALATE"),
    SYNTHESIS: ("RESOLUTION", "RATIONALE", "MODIFICATIONS", "NEXT_APPROACH", "ESCALATE_TO", "NEXT_ATTEMPT_LIMIT"),
}
OPTIONAL: Final = frozenset({"COUNTER", "PATTERN", "BLIND_SPOT"})
LISTS: Final = frozenset({"ATTEMPTS", "ERRORS", "SUPPORTS", "RISKS", "MODIFICATIONS"})
CARRIED: Final = {  # what a resolution must carry; nothing else may be there
    GateResolution.PROCEED: (),
    GateResolution.MODIFY: ("MODIFICATIONS", "NEXT_ATTEMPT_LIMIT"),
    GateResolution.RETRY: ("NEXT_APPROACH", "NEXT_ATTEMPT_LIMIT"),
    GateResolution.PIVOT: ("NEXT_APPROACH",),
    GateResolution.ESCALATE: ("ESCALATE_TO",),
}

_WORD: Final = re.compile(r"[A-Z][A-Z_]*")
_FIELD: Final = re.compile(r"(?<!\S)([A-Z][A-Z_]*):")
_LINE: Final = re.compile(r"([A-Z][A-Z_]*)(?=[:\s]|$):?")
_QUOTED: Final = re.compile(r'"(?:[^"\\\n]|\\["\\/bfnrt]|\\u[0-9A-Fa-f]{4})*"')
_DELIMITER: Final = re.compile(r'["\[\]\n]')
_BARE_ITEM: Final = re.compile(r'[^",\[\]\n]*')
_NUMBER: Final = re.compile(r"(?:0|1)(?:\.[0-9]{1,6})?")
_UNPRINTED: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_SPACE: Final = re.compile(r"\s*")

Value = str | tuple[str, ...]


class BadText(Exception):
    """What was expected, and where: line and column from 1."""

    def __init__(self, told: str, text: str, at: int) -> None:
        self.line = text.count("\n", 0, at) + 1
        self.column = at - (text.rfind("\n", 0, at) + 1) + 1
        self.told = told
        super().__init__(f"line {self.line}, column {self.column}: {told}")


# ---- reading


def read(text: str) -> Form:
    """The one form the text holds. Raise BadText."""
    if len(text) > LENGTH_MAX:
        raise BadText(f"expected at most {LENGTH_MAX} characters", text, LENGTH_MAX)
    at = _skip(text, 0)
    word = _WORD.match(text, at)
    if word is None or word.group() not in FIELDS:
        raise BadText(f"expected one of {', '.join(FIELDS)}", text, at)
    head = word.group()
    if head in (PLAN, FAILURE) and not text[word.end() : word.end() + 1].isspace():
        raise BadText(f"expected a space and REQ: after {head}", text, word.end())
    start = word.end() if head in (PLAN, FAILURE) else at
    fields = _lines(text, start) if head == SYNTHESIS else _fields(text, start, FIELDS[head])
    return _form(head, fields)


@dataclass(frozen=True, slots=True)
class Fields:
    """What was found, and where it stands, for what is wrong with it."""

    text: str
    end: int
    values: dict[str, tuple[Value, int]]

    def missing(self, name: str) -> BadText:
        return BadText(f"expected {name}", self.text, self.end)

    def wrong(self, name: str, expected: str) -> BadText:
        return BadText(f"expected {name} to be {expected}", self.text, self.values[name][1])

    def text_of(self, name: str) -> str:
        if name not in self.values:
            raise self.missing(name)
        value = self.values[name][0]
        if not isinstance(value, str):
            raise self.wrong(name, "a text, not a list")
        return value

    def nonempty_text_of(self, name: str) -> str:
        value = self.text_of(name)
        if not value.strip():
            raise self.wrong(name, "a text that is not empty")
        return value

    def items(self, name: str) -> tuple[str, ...]:
        if name not in self.values:
            raise self.missing(name)
        value = self.values[name][0]
        if isinstance(value, str):
            raise self.wrong(name, "a list in brackets")
        return value

    def whole(self, name: str, least: int, most: int) -> int:
        value = self.text_of(name)
        if not (value.isascii() and value.isdigit() and len(value) <= 3 and least <= int(value) <= most):
            raise self.wrong(name, f"a whole number from {least} to {most}")
        return int(value)

    def share(self, name: str) -> float:
        value = self.text_of(name)
        if _NUMBER.fullmatch(value) is None or float(value) > 1:
            raise self.wrong(name, "a number from 0 to 1, such as 0.85")
        return float(value)

    def flag(self, name: str) -> bool:
        value = self.text_of(name)
        if value not in ("true", "false"):
            raise self.wrong(name, "true or false")
        return value == "true"

    def level(self, name: str) -> str:
        value = self.text_of(name)
        if value not in ("low", "medium", "high"):
            raise self.wrong(name, "low, medium or high")
        return value


def _form(head: str, found: Fields) -> Form:
    match head:
        case "DEBATE":
            return PlanRequest(
                proposal=found.nonempty_text_of("REQ"),
                rounds=found.whole("ROUNDS", 1, ROUNDS_MAX),
                stakes=Stakes(found.level("STAKES")),
            )
        case "DEBATE_FAILURE":
            return FailureRequest(
                task=found.nonempty_text_of("REQ"), attempts=found.items("ATTEMPTS"), errors=found.items("ERRORS")
            )
        case "CLAIM":
            return AdvocateClaim(
                claim=found.nonempty_text_of("CLAIM"),
                supports=found.items("SUPPORTS"),
                confidence=found.share("CONFIDENCE"),
            )
        case "OBJECTION":
            return CriticObjection(
                objection=found.nonempty_text_of("OBJECTION"),
                risks=found.items("RISKS"),
                counter=found.text_of("COUNTER"),
                severity=Severity(found.level("SEVERITY")),
            )
        case "DIAGNOSIS":
            return Diagnosis(
                diagnosis=found.nonempty_text_of("DIAGNOSIS"),
                fix=found.nonempty_text_of("FIX"),
                difference=found.text_of("DIFF_FROM_PREVIOUS"),
            )
        case "PATTERN":
            return Pattern(
                pattern=found.text_of("PATTERN"),
                blind_spot=found.text_of("BLIND_SPOT"),
                should_escalate=found.flag("SHOULD_ESCALATE"),
            )
        case _:
            return _synthesis(found)


def _synthesis(found: Fields) -> Synthesis:
    word = found.text_of("RESOLUTION")
    if word not in {r.value for r in GateResolution}:
        raise found.wrong("RESOLUTION", "PROCEED, MODIFY, RETRY, PIVOT or ESCALATE")
    resolution = GateResolution(word)
    rationale = found.nonempty_text_of("RATIONALE")
    carried = CARRIED[resolution]
    empty = found.values.get("MODIFICATIONS", (None, 0))[0] == ()
    for name in FIELDS[SYNTHESIS][2:]:
        if name in carried and name not in found.values:
            raise BadText(f"expected {name}, as the resolution is {resolution}", found.text, found.end)
        if name not in carried and name in found.values and not (name == "MODIFICATIONS" and empty):
            allowed = " and ".join(carried) or "nothing more"
            raise BadText(f"expected {allowed} with {resolution}, not {name}", found.text, found.values[name][1])
    if "MODIFICATIONS" in carried and empty:
        raise found.wrong("MODIFICATIONS", "a list with at least one change, as the resolution is MODIFY")
    return Synthesis(
        resolution=resolution,
        rationale=rationale,
        modifications=found.items("MODIFICATIONS") if "MODIFICATIONS" in carried else (),
        next_approach=found.nonempty_text_of("NEXT_APPROACH") if "NEXT_APPROACH" in carried else "",
        escalate_to=found.nonempty_text_of("ESCALATE_TO") if "ESCALATE_TO" in carried else "",
        attempt_limit=found.whole("NEXT_ATTEMPT_LIMIT", *LIMITS) if "NEXT_ATTEMPT_LIMIT" in carried else 0,
    )


def _fields(text: str, at: int, known: tuple[str, ...]) -> Fields:
    """Fields with colons, on one line or several, in any order."""
    values: dict[str, tuple[Value, int]] = {}
    at = _skip(text, at)
    while at < len(text):
        field = _FIELD.match(text, at)
        if field is None or field[1] not in known:
            raise BadText(f"expected {_or(n for n in known if n not in values)}", text, at)
        if field[1] in values:
            raise BadText(f"expected {field[1]} only once; a text that holds a field's name is quoted", text, at)
        begin = at = _blank(text, field.end())
        value, at = _value(text, at, field[1])
        values[field[1]] = (value, begin)
        at = _skip(text, at)
    return Fields(text, len(text), values)


def _lines(text: str, at: int) -> Fields:
    """A field a line; a text in quotes or a list may be followed by nothing else."""
    known = FIELDS[SYNTHESIS]
    values: dict[str, tuple[Value, int]] = {}
    while at < len(text):
        field = _LINE.match(text, at)
        if field is None or field[1] not in known:
            raise BadText(f"expected {_or(n for n in known if n not in values)}", text, at)
        if field[1] in values:
            raise BadText(f"expected {field[1]} only once", text, at)
        begin = at = _blank(text, field.end())
        value, at = _value(text, at, field[1], whole_line=True)
        values[field[1]] = (value, begin)
        at = _blank(text, at)
        if at < len(text) and text[at] not in "\r\n":
            raise BadText("expected the end of the line", text, at)
        at = _skip(text, at)
    return Fields(text, len(text), values)


def _value(text: str, at: int, name: str, *, whole_line: bool = False) -> tuple[Value, int]:
    if name in LISTS:
        return _list(text, at, name)
    if text[at : at + 1] == '"':
        return _read_quoted(text, at)
    return _bare(text, at, name, whole_line=whole_line)


def _bare(text: str, at: int, name: str, *, whole_line: bool) -> tuple[str, int]:
    line = text.find("\n", at)
    end = len(text) if line < 0 else line
    if not whole_line and (field := _FIELD.search(text, at, end)) is not None:
        end = field.start()
    if text[at : at + 1] == "[":
        raise BadText(f"expected {name} to be a text; one that begins with a bracket is quoted", text, at)
    found = text[at:end].strip()
    return ("" if name in OPTIONAL and found.lower() == NONE else found), end


def _read_quoted(text: str, at: int) -> tuple[str, int]:
    found = _QUOTED.match(text, at)
    if found is None:
        raise BadText('expected a closing quote on this line; inside, write \\" \\\\ and \\n', text, at)
    if found.end() < len(text) and not text[found.end()].isspace() and text[found.end()] not in ",]":
        raise BadText("expected a space after the closing quote", text, found.end())
    return json.loads(found.group(), strict=False), found.end()  # a tab is read as it stands


def _list(text: str, at: int, name: str) -> tuple[tuple[str, ...], int]:
    if text[at : at + 1] != "[":
        raise BadText(f"expected {name} to be a list in brackets", text, at)
    at = _skip(text, at + 1)
    items: list[str] = []
    if text[at : at + 1] == "]":
        return (), at + 1
    while len(items) < ITEMS_MAX:
        item, at = _item(text, at, name)
        items.append(item)
        at = _skip(text, at)
        match text[at : at + 1]:
            case "]":
                return tuple(items), at + 1
            case ",":
                at = _skip(text, at + 1)
            case _:
                raise BadText(f"expected , or ] in the list {name}", text, at)
    raise BadText(f"expected at most {ITEMS_MAX} items in the list {name}", text, at)


def _item(text: str, at: int, name: str) -> tuple[str, int]:
    if text[at : at + 1] == '"':
        return _read_quoted(text, at)
    found = _BARE_ITEM.match(text, at)
    assert found is not None
    if not found.group().strip():
        raise BadText(f"expected an item in the list {name}; an empty one is written as two quotes", text, at)
    return found.group().strip(), found.end()


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    assert found is not None
    return found.end()


def _blank(text: str, at: int) -> int:
    while text[at : at + 1] in (" ", "\t"):
        at += 1
    return at


def _or(names: Iterable[str]) -> str:
    found = list(names)
    return f"{', '.join(found[:-1])} or {found[-1]}" if len(found) > 1 else "".join(found) or "the end of the text"


# ---- writing


def write(form: Form) -> str:
    """The form's text, without a line break at its end; a request is one line."""
    match form:
        case PlanRequest():
            return f"{PLAN} REQ:{_text(form.proposal)} ROUNDS:{form.rounds} STAKES:{form.stakes}"
        case FailureRequest():
            return (
                f"{FAILURE} REQ:{_text(form.task)} ATTEMPTS:{_write_list(form.attempts)} "
                f"ERRORS:{_write_list(form.errors)}"
            )
        case AdvocateClaim():
            supports, confidence = _write_list(form.supports), _share(form.confidence)
            return f"CLAIM:{_text(form.claim)}\nSUPPORTS:{supports}\nCONFIDENCE:{confidence}"
        case CriticObjection():
            return (
                f"OBJECTION:{_text(form.objection)}\nRISKS:{_write_list(form.risks)}\n"
                f"COUNTER:{_or_none(form.counter)}\nSEVERITY:{form.severity}"
            )
        case Diagnosis():
            return (
                f"DIAGNOSIS:{_text(form.diagnosis)}\nFIX:{_text(form.fix)}\nDIFF_FROM_PREVIOUS:{_text(form.difference)}"
            )
        case Pattern():
            return (
                f"PATTERN:{_or_none(form.pattern)}\nBLIND_SPOT:{_or_none(form.blind_spot)}\n"
                f"SHOULD_ESCALATE:{'true' if form.should_escalate else 'false'}"
            )
        case Synthesis():
            return _write_synthesis(form)


def _write_synthesis(form: Synthesis) -> str:
    values = {
        "MODIFICATIONS": _write_list(form.modifications),
        "NEXT_APPROACH": _text(form.next_approach),
        "ESCALATE_TO": _text(form.escalate_to),
        "NEXT_ATTEMPT_LIMIT": str(form.attempt_limit),
    }
    carried = "".join(f"\n{name} {values[name]}" for name in CARRIED[form.resolution])
    return f"RESOLUTION {form.resolution}\nRATIONALE {_text(form.rationale)}{carried}"


def _share(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")


def _or_none(text: str) -> str:
    return _text(text) if text else NONE


def _text(text: str) -> str:
    bare = text == text.strip() and not any(odd.search(text) for odd in (_DELIMITER, _FIELD, _UNPRINTED))
    return text if text and bare and text.lower() != NONE else _quote(text)


def _write_list(items: tuple[str, ...]) -> str:
    return f"[{', '.join(_write_item(item) for item in items)}]"


def _write_item(item: str) -> str:
    return _quote(item) if "," in item else _text(item)


def _quote(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return _UNPRINTED.sub(lambda found: f"\\u{ord(found.group()):04x}", quoted)
