"""From a model's reply to an answer: lenient about dress, strict about content; what is wrong is told the model."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final, assert_never, cast

from cruxfinder.crux.asks import (
    AskDraft,
    AskFirst,
    AskGrade,
    AskJudge,
    AskProbe,
    AskRelate,
    Credence,
    FixedReading,
    Judged,
    Probed,
)
from cruxfinder.crux.law import crux_quality
from cruxfinder.crux.law.blind import Labels
from cruxfinder.crux.law.messages import CONTENT_MAX, FIELD_MAX
from cruxfinder.crux.state import Debate
from cruxfinder.debaters.modelled import reply_shapes
from cruxfinder.debaters.modelled.turn_prompts import CONSENT, read_turn
from cruxfinder.errors import LogFault
from cruxfinder.kernel.run_facts import Silence
from cruxfinder.kernel.vocabulary import AgentId, MoveKind, Phase, Side, TopSide
from cruxfinder.language.json_replies import REPLY_MAX, Reply, find_object
from cruxfinder.ports import UnreadableReply
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk, AnyRecord, conversation_in, debate_in, read_answer
from cruxfinder.talk.asks import AskConsent, AskTurn, AskUser

NUMBER: Final = re.compile(r"-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
COUNT: Final = re.compile(r"\d{1,9}", re.ASCII)
TEXTS: Final = {"text"}


def read(text: str, ask: AnyAsk, record: AnyRecord, labels: Labels) -> AnyAnswer:
    """The answer in a reply; Unreadable with the reason if there is none."""
    if isinstance(ask, AskTurn):
        return read_turn(text[:REPLY_MAX], ask, conversation_in(record), labels)
    reply = find_object(text)
    match ask:
        case AskFirst():
            return as_answer({"kind": "first", **read_fields(reply, reply_shapes.FIRST)})
        case AskDraft():
            return read_draft(reply, ask, debate_in(record), labels)
        case AskProbe():
            return read_probe(reply, ask, debate_in(record))
        case AskJudge():
            if "objection" not in reply:
                raise UnreadableReply('it lacks objection, which is "" where there is none')
            return read_judgement(reply, ask.side)
        case AskRelate():
            return as_answer({"kind": "related", **read_fields(reply, reply_shapes.RELATE)})
        case AskGrade():
            return as_answer({"kind": "graded", **read_fields(reply, reply_shapes.MOVES[MoveKind.GRADE_STEELMAN])})
        case AskConsent():
            return as_answer({"kind": "consented", **read_fields(reply, CONSENT)})
        case AskUser():
            raise AssertionError("a model is not the user")
        case _:
            assert_never(ask)


def as_answer(body: Mapping[str, object]) -> AnyAnswer:
    """Typed by the same strict reader that reads logs."""
    try:
        return read_answer(json.dumps(body))
    except (LogFault, ValueError, TypeError) as fault:
        raise UnreadableReply(str(fault).partition(": ")[2] or str(fault)) from None


# ---- fields


def read_fields(
    reply: Reply, fields: Sequence[reply_shapes.ReplyField], labels: Labels | None = None
) -> dict[str, object]:
    """The fields of a shape out of a reply, each as its kind is written in a log."""
    found: dict[str, object] = {}
    missing: list[str] = []
    for field in fields:
        value = reply.get(field.name)
        if value is None or value == "":
            if not field.optional:
                missing.append(field.name)
            continue
        found[field.name] = read_value(field, value, labels)
    if missing:
        raise UnreadableReply(f"it lacks {', '.join(missing)}")
    return found


def read_value(field: reply_shapes.ReplyField, value: object, labels: Labels | None) -> object:
    if is_nested(value) and field.kind not in {"text", "falsifier"}:
        raise UnreadableReply(f"{field.name} must be a plain value: {field.describe()}")
    match field.kind:
        case "text":
            return read_line(field.name, value)
        case "chance":
            return read_chance(field.name, value)
        case "message":
            number = COUNT.search(str(value))
            if number is None:
                raise UnreadableReply(f"{field.name} must be a message such as m12, not {str(value)[:40]!r}")
            return f"m{int(number[0])}"
        case "agent":
            return (
                read_line(field.name, value) if labels is None else str(labels.agent_of(read_line(field.name, value)))
            )
        case "count":
            number = COUNT.search(str(value))
            return 1 if number is None else int(number[0])
        case "flag":
            return value if isinstance(value, bool) else str(value).strip().casefold() in {"true", "yes", "1"}
        case "choice":
            return read_choice(field, value)
        case "falsifier":
            return read_falsifier(value)


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


def read_choice(field: reply_shapes.ReplyField, value: object) -> str:
    wanted = read_line(field.name, value).casefold().replace(" ", "_")
    for choice in field.choices:
        if wanted in {choice.casefold(), choice.casefold().replace("-", "_")}:
            return choice
    raise UnreadableReply(f"{field.name} must be one of {', '.join(field.choices)}, not {str(value)[:40]!r}")


def read_falsifier(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise UnreadableReply("falsifier must be an object with metric, threshold and deadline")
    fields = tuple(reply_shapes.ReplyField(name) for name in ("metric", "threshold", "deadline"))
    return read_fields(cast("dict[str, object]", value), fields)


# ---- drafts


def read_draft(reply: Reply, ask: AskDraft, record: Debate, labels: Labels) -> AnyAnswer:
    owed = ask.duty is not None or len(ask.allowed) == 1
    named = read_line("move", reply.get("move") or (ask.allowed[0] if owed else "")).upper().replace(" ", "_")
    if named == reply_shapes.SILENT and not owed:
        return Silence(why="nothing new to say")
    move = next((m for m in ask.allowed if m.value == named), None)
    if move is None:
        raise UnreadableReply(f"move must be one of {', '.join(ask.allowed)}, not {named[:40]!r}")
    content = read_fields(reply, (reply_shapes.CONTENT,))["content"]
    fields = read_fields(reply, without_optional_falsifier(move, reply, owed), labels)
    body = complete_fields(move, fields, ask, record)
    answers = body.get("target") if move is not MoveKind.STEELMAN else None
    caught = ask.answers if ask.attempt == 1 else None  # a draft sent back may have been one reply too many
    reply_to = answers or body.get("moved_by") or caught or (ask.duty.message if ask.duty else None)
    drafted: dict[str, object] = {"move": {"kind": move.value, **body}, "content": content}
    if reply_to:
        drafted["reply_to"] = reply_to
    return as_answer({"kind": "drafted", "draft": drafted})


def without_optional_falsifier(move: MoveKind, reply: Reply, owed: bool) -> tuple[reply_shapes.ReplyField, ...]:
    """Who commits to UNCERTAIN owes no falsifier, and one left out is asked for later."""
    fields = reply_shapes.move_fields(move, owed=owed)
    if move is MoveKind.COMMIT_POSITION and not isinstance(reply.get("falsifier"), dict):
        return tuple(f for f in fields if f.name != "falsifier")
    if move is MoveKind.STEELMAN and not reply.get("falsifier"):
        return tuple(f for f in fields if f.name != "falsifier")
    return fields


def complete_fields(move: MoveKind, fields: dict[str, object], ask: AskDraft, record: Debate) -> dict[str, object]:
    """What the engine knows need not be written by a model: targets that are owed, positions as they stand."""
    thread = record.threads[ask.thread]
    duty = ask.duty
    if move is MoveKind.STEELMAN and duty is not None and duty.about is not None:
        return {**fields, "target": str(duty.about)}
    if move is MoveKind.STEELMAN and isinstance(fields.get("falsifier"), dict):
        return fields
    if move is MoveKind.GRADE_STEELMAN and duty is not None and duty.message is not None:
        return {**fields, "target": str(duty.message)}
    if move is MoveKind.CLARIFY and duty is not None and duty.message is not None:
        return {**fields, "target": str(duty.message)}
    if move is MoveKind.UPDATE_POSITION:
        before = thread.commitments.get(ask.agent)
        side = crux_quality.positions_now(thread).get(ask.agent, Side.UNCERTAIN)
        return {**fields, "side_before": side.value, "confidence_before": 0.5 if before is None else before.confidence}
    if move is MoveKind.CONCEDE and fields.get("top_changed"):
        top = record.tops.get(ask.agent)
        return {**fields, "side_before": (TopSide.NUANCED if top is None else top.side).value}
    if move is MoveKind.CONCEDE:
        return {name: value for name, value in fields.items() if name != "side_after"}
    return fields


# ---- private answers


def read_probe(reply: Reply, ask: AskProbe, record: Debate) -> AnyAnswer:
    worded = ask.phase in {Phase.BEFORE, Phase.WORDING}
    p_top = read_chance("p_top", reply.get("p_top"))
    credences: list[Credence] = []
    fixed: list[FixedReading] = []
    for question in ask.questions:
        given = reply.get(str(question.id))
        if not isinstance(given, dict):
            raise UnreadableReply(f"it lacks the object {question.id}")
        fields = reply_shapes.PROBE[:1] if ask.phase is Phase.GROUND else reply_shapes.PROBE
        row = read_fields(cast("dict[str, object]", given), fields)
        yes, if_yes, if_no = (float(cast("float", row.get(f.name, p_top))) for f in reply_shapes.PROBE)
        credences.append(Credence(question.id, yes, if_yes, if_no))
        if worded:
            exact = [
                read_chance(f.name, cast("dict[str, object]", given).get(f.name, yes)) for f in reply_shapes.WORDED
            ]
            fixed.append(FixedReading(question.id, exact[0], exact[1]))
    side = None
    if ask.phase is Phase.CHANGE:
        side = TopSide(str(read_fields(reply, reply_shapes.PUBLIC)["public_side"]))
    return Probed(
        p_top=p_top,
        credences=tuple(credences),
        fixed=tuple(fixed),
        public_side=side,
        judged=read_probe_judgement(reply, ask.agent, ask, record),
    )


def read_probe_judgement(reply: Reply, agent: AgentId, ask: AskProbe, record: Debate) -> Judged | None:
    if ask.phase is not Phase.AFTER or "objection" not in reply:
        return None
    side = crux_quality.positions_now(record.threads[ask.thread]).get(agent, Side.UNCERTAIN)
    return read_judgement({"objection": reply["objection"]}, side)


def read_judgement(reply: Reply, side: Side) -> Judged:
    """An objection with what the record should say instead; without one the record stands."""
    objection = read_line("objection", reply.get("objection") or "")
    if not objection or objection.strip('". ').casefold() in {"", "none", "no", "n/a", "no objection", "null"}:
        return Judged()
    given = reply.get("side")
    meant = Side(read_choice(reply_shapes.JUDGE[1], given)) if given else side
    statement = read_line("statement", reply.get("statement") or "")
    return Judged(objection=objection, side=meant, statement=statement)
