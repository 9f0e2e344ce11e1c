"""The fields of a reply as values: a number however it is written, a choice in any case, a text on one line."""

import re
from collections.abc import Sequence
from typing import Final, cast

from cruxfinder.crux.law.blind import Labels
from cruxfinder.debaters.known_fields import is_asked, is_needed
from cruxfinder.debaters.modelled import reply_shapes
from cruxfinder.kernel.field_meanings import CONTENT_MAX, FIELD_MAX, MeantField
from cruxfinder.language.json_replies import Reply
from cruxfinder.ports import UnreadableReply

NUMBER: Final = re.compile(r"-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
COUNT: Final = re.compile(r"\d{1,9}", re.ASCII)


def read_fields(reply: Reply, fields: Sequence[MeantField], labels: Labels | None = None) -> dict[str, object]:
    """The fields of a shape out of a reply, each as its kind is written in a log."""
    found: dict[str, object] = {}
    missing: list[str] = []
    for field in fields:
        if not is_asked(field, found):
            continue
        value = reply.get(field.reply_name)
        is_lacking = (
            value is None
            or value == ""
            or (field.kind == "group" and field.may_lack and not is_nested(value) and not is_told_in_one(field))
        )
        if not is_lacking:
            found[field.name] = read_value(field, value, labels)
        elif is_needed(field, found):
            missing.append(field.reply_name)
    if missing:
        raise UnreadableReply(f"it lacks {', '.join(missing)}")
    return found


def read_value(field: MeantField, value: object, labels: Labels | None) -> object:
    name = field.reply_name
    if is_nested(value) and field.kind not in {"text", "group"}:
        raise UnreadableReply(f"{name} must be a plain value: {reply_shapes.describe_field(field)}")
    match field.kind:
        case "text":
            return read_line(name, value)
        case "chance":
            return read_chance(name, value)
        case "message" | "turn":
            letter = "m" if field.kind == "message" else "n"
            number = COUNT.search(str(value))
            if number is None:
                raise UnreadableReply(f"{name} must be a {field.kind} such as {letter}12, not {str(value)[:40]!r}")
            return f"{letter}{int(number[0])}"
        case "agent":
            return read_line(name, value) if labels is None else str(labels.agent_of(read_line(name, value)))
        case "count":
            number = COUNT.search(str(value))
            return 1 if number is None else int(number[0])
        case "flag":
            return value if isinstance(value, bool) else str(value).strip().casefold() in {"true", "yes", "1"}
        case "choice":
            return read_choice(field, value)
        case "group":
            if isinstance(value, str) and is_told_in_one(field):
                return {field.parts[0].name: read_line(name, value)}
            if not isinstance(value, dict):
                raise UnreadableReply(f"{name} must be an object with {' and '.join(p.name for p in field.parts)}")
            return read_fields(cast("dict[str, object]", value), field.parts)


def is_told_in_one(field: MeantField) -> bool:
    """Its first part may say it all."""
    first, *rest = field.parts
    return first.kind == "text" and not first.may_lack and bool(rest) and all(part.may_lack for part in rest)


def is_nested(value: object) -> bool:
    return isinstance(value, dict | list)


def read_line(name: str, value: object) -> str:
    """A text on one line; what a field cannot hold is cut at a word."""
    if is_nested(value):
        raise UnreadableReply(f"{name} must be a text")
    text = " ".join(str(value).encode(errors="replace").decode().split())
    most = CONTENT_MAX if name == "content" else FIELD_MAX
    if len(text) <= most or name == "content":
        return text
    return text[: most - 1].rsplit(" ", 1)[0] + "…"


def read_chance(name: str, value: object) -> float:
    """A share of 1; a percentage is taken as one."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise UnreadableReply(f"{name} must be a number between 0 and 1")
    written = str(value).replace(",", ".")
    number = NUMBER.search(written)
    if number is None:
        raise UnreadableReply(f"{name} must be a number between 0 and 1, not {str(value)[:40]!r}")
    found = float(number[0])
    if found > 2 or "%" in written:
        found /= 100
    if not 0 <= found <= 1:
        raise UnreadableReply(f"{name} must be a number between 0 and 1, not {str(value)[:40]!r}")
    return found


def read_choice(field: MeantField, value: object) -> str:
    wanted = read_line(field.reply_name, value).casefold().replace(" ", "_")
    for choice in field.choices:
        if wanted in {choice.casefold(), choice.casefold().replace("-", "_")}:
            return choice.value
    raise UnreadableReply(f"{field.reply_name} must be one of {', '.join(field.choices)}, not {str(value)[:40]!r}")
