"""One table of moves: a model, a person at a terminal and one at the page give exactly the same fields."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

import pytest
from pydantic import TypeAdapter

from cruxfinder.crux.asks import AskDraft, Duty, First, Graded, Judged, Probed, Related
from cruxfinder.crux.moves import MOVE_TYPES, Draft
from cruxfinder.crux.thread import Thread
from cruxfinder.debaters.known_fields import recorded_fields
from cruxfinder.debaters.modelled.debate_prompts import PromptContext, prompt_for
from cruxfinder.debaters.modelled.reply_shapes import ReplyVariant, grammar_of, move_variant, schema_of
from cruxfinder.debaters.people.form_answers import answer_from
from cruxfinder.debaters.people.seat_form import FormField, Place, SeatForm, form_for
from cruxfinder.kernel.field_meanings import MeantField, meant_fields
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.vocabulary import Grade, MessageId, MoveKind, Side
from cruxfinder.protocols.any_ask import read_answer
from cruxfinder.talk.asks import Consent
from cruxfinder.talk.turns import TurnDraft
from tests.models.test_replies import LABELS, ME, RECORD, T1, YOU, draft_of

ALL: Final = tuple(MoveKind)
OWNERS: Final = (*MOVE_TYPES.values(), Draft, Falsifier, First, Probed, Judged, Related, Graded, Consent, TurnDraft)
SERVED: Final[TypeAdapter[SeatForm]] = TypeAdapter(SeatForm)


def leaves(fields: Sequence[MeantField], within: Place = ()) -> Iterator[tuple[Place, MeantField]]:
    """Each field where it stands in the move, those of a group one by one."""
    for field in fields:
        place = (*within, field.name)
        if field.parts:
            yield from leaves(field.parts, place)
        else:
            yield place, field


def form_places(kind: MoveKind) -> tuple[set[Place], set[Place]]:
    """Where the values of a person go, and what is there without being asked for."""
    form = form_for(draft_of(*ALL), RECORD)
    group = next(g for g in form.groups if g.shown is not None and kind.value in g.shown.values)
    asked: list[FormField] = [part for field in group.fields for part in (field.parts or (field,))]
    return {p[2:] for f in asked for p in f.places if p[:2] == ("draft", "move")}, {f.place[2:] for f in group.fixed}


def schema_places(shape: Mapping[str, Any], within: Place = ()) -> Iterator[Place]:
    for name, inner in shape["properties"].items():
        if name in {"move", "content"}:
            continue
        if "properties" in inner:
            yield from schema_places(inner, (*within, name))
        else:
            yield (*within, name)


@pytest.mark.parametrize("kind", ALL)
def test_every_field_of_every_move_is_asked_of_everybody_alike(kind: MoveKind) -> None:
    variant = move_variant(kind, known=recorded_fields(kind, draft_of(*ALL), RECORD))
    all_of_it = dict(leaves(meant_fields(MOVE_TYPES[kind])))
    recorded = {place for place, field in all_of_it.items() if field.meaning.recorded}
    told = prompt_for(draft_of(kind), PromptContext("s", RECORD, LABELS))
    places, fixed = form_places(kind)
    assert places == set(all_of_it) - recorded, "a person gives what the record does not have"
    assert recorded <= fixed
    assert set(schema_places(cast("Mapping[str, Any]", schema_of([variant])))) == places, "a model gives the same"
    for place, field in all_of_it.items():
        if place in places:
            assert field.reply_name in told.user and field.meaning.means in told.user, place
            assert f'\\"{field.reply_name}\\":' in told.grammar, place
    served = json.dumps(SERVED.dump_python(form_for(draft_of(kind), RECORD), mode="json", exclude_defaults=True))
    assert all(json.dumps(list(place))[1:-1] in served for place in places), "the page is sent each of them"


def test_a_claim_has_its_time_and_a_falsifier_its_reason_for_everybody() -> None:
    assert ("horizon",) in form_places(MoveKind.CLAIM)[0]
    for kind in (MoveKind.COMMIT_POSITION, MoveKind.DECLARE_FALSIFIER):
        assert ("falsifier", "reasoning") in form_places(kind)[0]


@pytest.mark.parametrize("owner", OWNERS)
def test_meanings_are_short_and_questions_are_questions(owner: type) -> None:
    """About eight words for a model; for a person a question that ends in a question mark, without a code word."""
    for _, field in leaves(meant_fields(owner)):
        means, asks = field.meaning.means, field.meaning.asks
        assert 0 < len(means.split()) <= 12, means
        assert asks.endswith("?") and asks[0].isupper() and "_" not in asks, asks
        assert not asks.isupper() and len(asks) <= 80, asks


def test_one_question_is_never_asked_twice_in_one_move() -> None:
    for kind in ALL:
        asked = [field.meaning.asks for _, field in leaves(meant_fields(MOVE_TYPES[kind]))]
        assert len(asked) == len(set(asked)), kind


# ---- a schema a provider can hold a model to


def test_the_schema_of_a_free_draft_is_one_object_of_several() -> None:
    schema: Any = prompt_for(draft_of(*ALL), PromptContext("s", RECORD, LABELS)).schema
    moves = [shape["properties"]["move"]["const"] for shape in schema["oneOf"]]
    assert moves == [*(k.value for k in ALL if k is not MoveKind.GRADE_STEELMAN), "SILENCE"]
    claim = schema["oneOf"][0]
    assert claim["additionalProperties"] is False and "horizon" not in claim["required"]
    assert claim["properties"]["confidence"] == {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "how sure you are of it",
    }
    assert claim["properties"]["top_side"]["enum"] == ["YES", "NO", "NUANCED"]
    evidence = next(s for s in schema["oneOf"] if s["properties"]["move"]["const"] == "PROVIDE_EVIDENCE")
    assert evidence["properties"]["falsifier_of"]["enum"] == ["bob"]
    assert json.loads(json.dumps(schema)) == schema


def test_what_is_owed_is_one_object_without_what_is_known() -> None:
    ask = draft_of(MoveKind.STEELMAN, duty=Duty(move=MoveKind.STEELMAN, thread=T1, about=YOU))
    prompt = prompt_for(ask, PromptContext("s", RECORD, LABELS))
    shape: Any = prompt.schema
    assert set(shape["properties"]) == {"move", "content", "claim", "reason", "falsifier"}
    assert shape["required"] == ["move", "content", "claim", "reason"]
    assert grammar_of([ReplyVariant((("move", "STEELMAN"),), ())]).startswith('root ::= "{')
    form = form_for(ask, RECORD)
    assert not [f for g in form.groups for f in g.fields if f.refers], "whom it is about is known to a person too"
    values = {"move": "STEELMAN", "STEELMAN.claim": "a", "STEELMAN.reason": "b", "STEELMAN.content": "c"}
    answer: Any = answer_from(form, values)
    assert answer["draft"]["move"] == {"kind": "STEELMAN", "target": "bob", "claim": "a", "reason": "b"}


# ---- conditions


def answered(values: dict[str, str], ask: AskDraft | None = None) -> Any:
    return answer_from(form_for(ask or draft_of(*ALL), RECORD), values)


def test_what_was_typed_for_another_move_is_no_part_of_the_answer() -> None:
    values = {
        "move": "CLARIFY",
        "CLARIFY.target": "m3",
        "CLARIFY.asks": "false",
        "CLARIFY.content": "It means  this.\nThat.",
        "CONCEDE.top_changed": "true",
        "CONCEDE.side_after": "NO",
        "CLAIM.proposition": "left over",
    }
    assert answered(values) == {
        "kind": "drafted",
        "draft": {
            "move": {"kind": "CLARIFY", "target": "m3", "asks": False},
            "content": "It means this. That.",
            "reply_to": "m3",
        },
    }
    read_answer(json.dumps(answered(values)))


@pytest.mark.parametrize("changed", ["true", "false"])
def test_sides_belong_to_a_concession_exactly_if_it_changed_one(changed: str) -> None:
    values = {
        "move": "CONCEDE",
        "CONCEDE.proposition": "p",
        "CONCEDE.top_changed": changed,
        "CONCEDE.side_after": "NO",
        "CONCEDE.content": "c",
    }
    move = answered(values)["draft"]["move"]
    assert ({"side_before", "side_after"} <= set(move)) == (changed == "true")


def test_a_falsifier_that_was_drafted_is_there_to_be_taken_and_a_question_owed_is_answered() -> None:
    drafted = Falsifier(metric="lead time", threshold="below a day", deadline="2027")
    thread = Thread(id=T1, topic="It works", created_ms=0, drafted={ME: drafted})
    record = RECORD.__class__(
        started=RECORD.started, settings=RECORD.settings, seats=RECORD.seats, threads={T1: thread}
    )
    duty = Duty(move=MoveKind.CLARIFY, thread=T1, message=MessageId("m3"))
    form = form_for(draft_of(MoveKind.DECLARE_FALSIFIER, MoveKind.CLARIFY, duty=duty), record)
    starts = {part.key: part.start for g in form.groups for f in g.fields for part in (f.parts or (f,)) if part.start}
    assert starts == {
        "DECLARE_FALSIFIER.metric": "lead time",
        "DECLARE_FALSIFIER.threshold": "below a day",
        "DECLARE_FALSIFIER.deadline": "2027",
        "CLARIFY.asks": "false",
    }


def test_grades_that_are_pending_are_nobodys_choice() -> None:
    choices = {field.name: field.choices for _, field in leaves(meant_fields(Graded))}
    assert Grade.PENDING not in choices["grade"]
    sides = {field.name: field.choices for _, field in leaves(meant_fields(MOVE_TYPES[MoveKind.COMMIT_POSITION]))}
    assert sides["side"] == tuple(Side)
