"""What a reply looks like, made from what its fields mean, for three readers: a prompt, a JSON Schema and a grammar."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from cruxfinder.crux.asks import Credence, First, FixedReading, Graded, Judged, Probed, Question, QuestionLink, Related
from cruxfinder.crux.moves import MOVE_TYPES, Draft
from cruxfinder.kernel.field_meanings import CONTENT_MAX, Meaning, MeantField, meant_fields
from cruxfinder.kernel.vocabulary import MoveKind
from cruxfinder.ports import JsonSchema
from cruxfinder.talk.asks import Consent
from cruxfinder.talk.turns import TurnDraft

SILENT: Final = "SILENCE"


def asked_fields(owner: type, *, known: Collection[str] = ()) -> tuple[MeantField, ...]:
    """The fields a model has to write: neither what the record has, nor what is known from what is owed."""
    return tuple(f for f in meant_fields(owner) if not f.meaning.recorded and f.name not in known)


def named_fields(owner: type, *names: str) -> tuple[MeantField, ...]:
    return tuple(f for f in meant_fields(owner) if f.name in names)


def plain_text(name: str) -> MeantField:
    return MeantField(name=name, kind="text", meaning=Meaning("", ""))


def plain_choice(name: str, choices: Sequence[StrEnum]) -> MeantField:
    return MeantField(name=name, kind="choice", meaning=Meaning("", ""), choices=tuple(choices))


FIRST: Final = asked_fields(First)
TOP: Final = named_fields(Probed, "p_top")
PUBLIC: Final = tuple(replace(f, may_lack=False) for f in named_fields(Probed, "public_side"))
PROBE: Final = asked_fields(Credence)
WORDED: Final = asked_fields(FixedReading)
LINK: Final = asked_fields(QuestionLink)
JUDGE: Final = asked_fields(Judged)
OBJECTION: Final = JUDGE[:1]
RELATE: Final = asked_fields(Related)
GRADE: Final = asked_fields(Graded)
CONSENT: Final = asked_fields(Consent)
TURN_FIELDS: Final = {field.name: field for field in meant_fields(TurnDraft)}


def pair_name(first: Question, second: Question) -> str:
    """What an answer about two questions is called in a reply."""
    return f"{first.id}_{second.id}"


def move_fields(move: MoveKind, *, known: Collection[str] = ()) -> tuple[MeantField, ...]:
    return (*asked_fields(Draft), *asked_fields(MOVE_TYPES[move], known=known))


@dataclass(frozen=True, slots=True)
class ReplyVariant:
    """One object a reply may be: what marks it, and its fields in order."""

    tags: tuple[tuple[str, str | bool], ...]
    fields: tuple[MeantField, ...]
    sentence: str = ""


def plain_variant(*fields: MeantField) -> ReplyVariant:
    return ReplyVariant((), fields)


def move_variant(move: MoveKind, *, known: Collection[str] = ()) -> ReplyVariant:
    return ReplyVariant((("move", move.value),), move_fields(move, known=known), MOVE_TYPES[move].words.sentence)


SILENCE: Final = ReplyVariant((("move", SILENT),), (), "nothing new to say")


# ---- in a prompt


def describe_field(field: MeantField) -> str:
    name = f"{field.reply_name}{'?' if field.is_optional else ''}"
    means = f" ({field.meaning.means})" if field.meaning.means else ""
    match field.kind:
        case "text" | "agent":
            return f"{name}{means}"
        case "chance":
            return f"{name} 0-1{means}"
        case "message":
            return f"{name} mN{means}"
        case "turn":
            return f"{name} nN{means}"
        case "count":
            return f"{name} N{means}"
        case "flag":
            return f"{name} true|false{means}"
        case "choice":
            return f"{name} {'|'.join(field.choices)}{means}"
        case "group":
            return f"{name} {{{describe_fields(field.parts)}}}{means}"


def describe_fields(fields: Sequence[MeantField]) -> str:
    return ", ".join(describe_field(field) for field in fields)


def describe_variant(variant: ReplyVariant) -> str:
    tags = [f'"{name}": {json_constant(value)}' for name, value in variant.tags]
    return f"{{{', '.join((*tags, *(describe_field(f) for f in variant.fields)))}}}"


def json_constant(value: str | bool) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def describe_reply(variant: ReplyVariant) -> str:
    return f"JSON: {describe_variant(variant)}"


def any_move(variants: Sequence[ReplyVariant]) -> str:
    """What all moves have in common stands in the first line."""
    common = asked_fields(Draft)
    lines = [f"{v.tags[0][1]}: {describe_fields(v.fields[len(common) :]) or v.sentence}" for v in variants]
    head = f'JSON: {{"move": …, {describe_fields(common)}, and the fields of that move}}'
    return "\n".join((head, *lines))


# ---- as a JSON Schema, for providers that hold a model to one


def schema_of(variants: Sequence[ReplyVariant], agents: Sequence[str] = ()) -> JsonSchema:
    shapes = [variant_schema(variant, agents) for variant in variants]
    return shapes[0] if len(shapes) == 1 else {"oneOf": shapes}


def variant_schema(variant: ReplyVariant, agents: Sequence[str] = ()) -> JsonSchema:
    shape = object_schema(variant.fields, agents, variant.tags)
    return {**shape, "description": variant.sentence} if variant.sentence else shape


def object_schema(
    fields: Sequence[MeantField], agents: Sequence[str] = (), tags: Sequence[tuple[str, str | bool]] = ()
) -> JsonSchema:
    return {
        "type": "object",
        "properties": {
            **{name: {"const": value} for name, value in tags},
            **{f.reply_name: field_schema(f, agents) for f in fields},
        },
        "required": [*(name for name, _ in tags), *(f.reply_name for f in fields if not f.is_optional)],
        "additionalProperties": False,
    }


def field_schema(field: MeantField, agents: Sequence[str]) -> JsonSchema:
    shape = type_schema(field, agents)
    return {**shape, "description": field.meaning.means} if field.meaning.means else shape


def type_schema(field: MeantField, agents: Sequence[str]) -> JsonSchema:
    match field.kind:
        case "text":
            return {"type": "string", "minLength": 0 if field.may_lack else 1, "maxLength": field.meaning.most}
        case "chance":
            return {"type": "number", "minimum": 0, "maximum": 1}
        case "count":
            return {"type": "integer", "minimum": 1}
        case "flag":
            return {"type": "boolean"}
        case "message":
            return {"type": "string", "pattern": "^m[1-9][0-9]*$"}
        case "turn":
            return {"type": "string", "pattern": "^n[1-9][0-9]*$"}
        case "agent":
            return {"type": "string", "enum": list(agents)} if agents else {"type": "string"}
        case "choice":
            return {"type": "string", "enum": [choice.value for choice in field.choices]}
        case "group":
            return object_schema(field.parts, agents)


# ---- as a grammar (GBNF), for servers that hold a model to one: no free white space, texts of bounded length

TEXT: Final = 'text ::= "\\"" [^"\\\\\\x00-\\x1F]{1,160} "\\""'
SPEECH: Final = 'speech ::= "\\"" [^"\\\\\\x00-\\x1F]{1,900} "\\""'
EMPTY_OR_TEXT: Final = '("\\"\\"" | text)'
CHANCE: Final = 'chance ::= "0." [0-9]{1,2} | "1"'
MESSAGE: Final = 'message ::= "\\"m" [1-9] [0-9]{0,2} "\\""'
TURN: Final = 'turn ::= "\\"n" [1-9] [0-9]{0,3} "\\""'
COUNT: Final = "count ::= [1-9]"
FLAG: Final = 'flag ::= "true" | "false"'


def grammar(root: str, rules: Sequence[str] = ()) -> str:
    return "\n".join((f"root ::= {root}", *rules, TEXT, SPEECH, CHANCE, MESSAGE, TURN, COUNT, FLAG))


def grammar_of(variants: Sequence[ReplyVariant], agents: Sequence[str] = ()) -> str:
    return grammar(" | ".join(object_rule(v.fields, agents, v.tags) for v in variants))


def grammar_literal(text: str) -> str:
    """A text, word for word."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def value_rule(field: MeantField, agents: Sequence[str]) -> str:
    match field.kind:
        case "choice":
            return f"({' | '.join(grammar_literal(json_constant(c.value)) for c in field.choices)})"
        case "agent":
            return f"({' | '.join(grammar_literal(json_constant(a)) for a in agents)})"
        case "group":
            return object_rule(field.parts, agents)
        case "text" if field.may_lack:
            return EMPTY_OR_TEXT
        case "text" if field.meaning.most > CONTENT_MAX:
            return "speech"
        case "text" | "chance" | "message" | "turn" | "count" | "flag":
            return field.kind


def object_rule(
    fields: Sequence[MeantField], agents: Sequence[str] = (), tags: Sequence[tuple[str, str | bool]] = ()
) -> str:
    """An object with all of its fields, in order."""
    head = ",".join(f"{json_constant(name)}:{json_constant(value)}" for name, value in tags)
    parts = [f"{grammar_literal(json_constant(f.reply_name) + ':')} {value_rule(f, agents)}" for f in fields]
    inner = ' "," '.join([grammar_literal(head), *parts] if head else parts)
    return f'"{{" {inner} "}}"'
