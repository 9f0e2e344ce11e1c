"""From a model's reply to an answer: lenient about dress, strict about content; what is wrong is told the model."""

import json
from collections.abc import Mapping
from typing import assert_never, cast

from cruxfinder.crux import asks
from cruxfinder.crux.law import crux_quality
from cruxfinder.crux.law.blind import Labels
from cruxfinder.crux.moves import MOVE_TYPES, Draft
from cruxfinder.crux.state import Debate
from cruxfinder.debaters.known_fields import is_asked, known_fields
from cruxfinder.debaters.modelled import reply_shapes
from cruxfinder.debaters.modelled.field_reading import read_chance, read_choice, read_fields, read_line
from cruxfinder.debaters.modelled.turn_reading import read_turn
from cruxfinder.errors import LogFault
from cruxfinder.kernel.field_meanings import meant_fields
from cruxfinder.kernel.run_facts import Silence
from cruxfinder.kernel.vocabulary import AgentId, MoveKind, Phase, Side, TopSide
from cruxfinder.language.json_replies import REPLY_MAX, Reply, find_object
from cruxfinder.ports import UnreadableReply
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk, AnyRecord, conversation_in, debate_in, read_answer
from cruxfinder.talk.asks import AskConsent, AskTurn, AskUser


def read(text: str, ask: AnyAsk, record: AnyRecord, labels: Labels) -> AnyAnswer:
    """The answer in a reply; Unreadable with the reason if there is none."""
    if isinstance(ask, AskTurn):
        return read_turn(text[:REPLY_MAX], ask, conversation_in(record), labels)
    reply = find_object(text)
    match ask:
        case asks.AskFirst():
            return as_answer({"kind": "first", **read_fields(reply, reply_shapes.FIRST)})
        case asks.AskDraft():
            return read_draft(reply, ask, debate_in(record), labels)
        case asks.AskProbe():
            return read_probe(reply, ask, debate_in(record))
        case asks.AskJudge():
            if "objection" not in reply:
                raise UnreadableReply('it lacks objection, which is "" where there is none')
            return read_judgement(reply, ask.side)
        case asks.AskRelate():
            return as_answer({"kind": "related", **read_fields(reply, reply_shapes.RELATE)})
        case asks.AskGrade():
            return as_answer({"kind": "graded", **read_fields(reply, reply_shapes.GRADE)})
        case AskConsent():
            return as_answer({"kind": "consented", **read_fields(reply, reply_shapes.CONSENT)})
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


# ---- drafts


def read_draft(reply: Reply, ask: asks.AskDraft, record: Debate, labels: Labels) -> AnyAnswer:
    owed = ask.duty is not None or len(ask.allowed) == 1
    named = read_line("move", reply.get("move") or (ask.allowed[0] if owed else "")).upper().replace(" ", "_")
    if named == reply_shapes.SILENT and not owed:
        return Silence(why="nothing new to say")
    move = next((m for m in ask.allowed if m.value == named), None)
    if move is None:
        raise UnreadableReply(f"move must be one of {', '.join(ask.allowed)}, not {named[:40]!r}")
    content = read_fields(reply, reply_shapes.asked_fields(Draft))["content"]
    known = known_fields(move, ask, record)
    fields = meant_fields(MOVE_TYPES[move])
    given = read_fields(reply, [f for f in fields if f.name not in known], labels)
    body = {**given, **{f.name: known[f.name] for f in fields if f.name in known and is_asked(f, given)}}
    answers = body.get("target") if move is not MoveKind.STEELMAN else None
    caught = ask.answers if ask.attempt == 1 else None  # a draft sent back may have been one reply too many
    reply_to = answers or body.get("moved_by") or caught or (ask.duty.message if ask.duty else None)
    drafted: dict[str, object] = {"move": {"kind": move.value, **body}, "content": content}
    if reply_to:
        drafted["reply_to"] = reply_to
    return as_answer({"kind": "drafted", "draft": drafted})


# ---- private answers


def read_probe(reply: Reply, ask: asks.AskProbe, record: Debate) -> AnyAnswer:
    worded = ask.phase in {Phase.BEFORE, Phase.WORDING}
    p_top = read_chance("p_top", reply.get("p_top"))
    if ask.phase is Phase.LINKS:
        return asks.Probed(p_top=p_top, links=tuple(read_link(reply, *pair) for pair in ask.pairs))
    credences: list[asks.Credence] = []
    fixed: list[asks.FixedReading] = []
    for question in ask.questions:
        given = read_group(reply, str(question.id))
        fields = reply_shapes.PROBE[:1] if ask.phase is Phase.GROUND else reply_shapes.PROBE
        row = read_fields(given, fields)
        yes, if_yes, if_no = (float(cast("float", row.get(f.name, p_top))) for f in reply_shapes.PROBE)
        credences.append(asks.Credence(question.id, yes, if_yes, if_no))
        if worded:
            exact = [read_chance(f.reply_name, given.get(f.reply_name, yes)) for f in reply_shapes.WORDED]
            fixed.append(asks.FixedReading(question.id, exact[0], exact[1]))
    side = None
    if ask.phase is Phase.CHANGE:
        side = TopSide(str(read_fields(reply, reply_shapes.PUBLIC)["public_side"]))
    return asks.Probed(
        p_top=p_top,
        credences=tuple(credences),
        fixed=tuple(fixed),
        public_side=side,
        judged=read_probe_judgement(reply, ask.agent, ask, record),
    )


def read_link(reply: Reply, first: asks.Question, second: asks.Question) -> asks.QuestionLink:
    row = read_fields(read_group(reply, reply_shapes.pair_name(first, second)), reply_shapes.LINK)
    if_yes, if_no = (float(cast("float", row[f.name])) for f in reply_shapes.LINK)
    return asks.QuestionLink(first.id, second.id, if_yes, if_no)


def read_group(reply: Reply, name: str) -> dict[str, object]:
    given = reply.get(name)
    if not isinstance(given, dict):
        raise UnreadableReply(f"it lacks the object {name}")
    return cast("dict[str, object]", given)


def read_probe_judgement(reply: Reply, agent: AgentId, ask: asks.AskProbe, record: Debate) -> asks.Judged | None:
    if ask.phase is not Phase.AFTER or "objection" not in reply:
        return None
    side = crux_quality.positions_now(record.threads[ask.thread]).get(agent, Side.UNCERTAIN)
    return read_judgement({"objection": reply["objection"]}, side)


def read_judgement(reply: Reply, side: Side) -> asks.Judged:
    """An objection with what the record should say instead; without one the record stands."""
    objection = read_line("objection", reply.get("objection") or "")
    if not objection or objection.strip('". ').casefold() in {"", "none", "no", "n/a", "no objection", "null"}:
        return asks.Judged()
    given = reply.get("side")
    meant = Side(read_choice(reply_shapes.JUDGE[1], given)) if given else side
    statement = read_line("statement", reply.get("statement") or "")
    return asks.Judged(objection=objection, side=meant, statement=statement)
