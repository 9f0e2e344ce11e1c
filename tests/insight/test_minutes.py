"""What a conversation came to: minutes as JSON keep to their schema, and every figure is a count over the log."""

import json

import pytest
from jsonschema import Draft202012Validator

from cruxfinder import wire
from cruxfinder.debate.evolve import fold
from cruxfinder.insight.checklist import checklist
from cruxfinder.insight.minutes import Minutes, minutes_of
from cruxfinder.model.turn_events import TurnRefused, TurnSpoken
from cruxfinder.model.turns import CHAIRS
from cruxfinder.model.words import Ending, Verdict
from cruxfinder.rules.text import keywords
from cruxfinder.schema import minutes_schema
from tests.golden.logs import events_of
from tests.golden.talks import SCENES
from tests.insight.test_result import compared


@pytest.mark.parametrize("name", SCENES)
def test_minutes_keep_to_their_schema(name: str) -> None:
    found = json.loads(json.dumps(wire.camel(minutes_of(events_of(name), run_id=name))))
    Draft202012Validator(json.loads(minutes_schema())).validate(found)


def test_the_schema_has_the_fields_and_types_of_the_minutes() -> None:
    root = json.loads(minutes_schema())
    Draft202012Validator.check_schema(root)
    checked = list(compared(Minutes, root, root, "$"))
    assert len(checked) > 80 and [where for where in checked if where] == []


@pytest.mark.parametrize("name", SCENES)
def test_metrics_are_counts_over_the_log(name: str) -> None:
    events = events_of(name)
    told = minutes_of(events)
    refused = [e for e in events if isinstance(e, TurnRefused)]
    spoken = [e for e in events if isinstance(e, TurnSpoken)]
    assert told.total_turns == len(spoken) == len(told.turns)
    assert told.system_metrics.turns_refused == len(refused)
    assert sum(told.system_metrics.reasons_refused.values()) == sum(len(e.refusals) for e in refused)
    assert told.system_metrics.turns_flagged == sum(bool(e.flags) for e in spoken)
    words = [word for e in spoken for word in keywords(e.turn.content)]
    assert told.system_metrics.compression == round(len(set(words)) / len(words), 3)


def test_a_conversation_that_is_not_over_has_minutes_too() -> None:
    told = minutes_of(events_of("talk-roundtable")[:30])
    assert told.ending is Ending.UNFINISHED and told.verdict is Verdict.UNDECIDED and told.confidence == "LOW"


@pytest.mark.parametrize("name", SCENES)
def test_the_checklist_says_what_the_log_shows(name: str) -> None:
    """Told by an oracle that reads the raw log."""
    events = events_of(name)
    debate = fold(events)
    checks = {check.line: check for check in checklist(debate)}
    spoken = [e for e in events if isinstance(e, TurnSpoken)]
    by_speakers = [e for e in spoken if e.part not in CHAIRS]
    tagged = [e for e in by_speakers if e.entailments]
    added = checks["Every turn adds an entailment"]
    assert added.holds == (len(tagged) == len(by_speakers))
    assert added.figure == f"{len(tagged)} of {len(by_speakers)}"
    cap = 48 if debate.settings.redundancy is None else debate.settings.redundancy.max_total_turns
    assert checks[f"At most {cap} turns"].figure == str(len(spoken))


def test_the_roundtable_of_the_pack_keeps_to_the_checklist() -> None:
    told = minutes_of(events_of("talk-roundtable"))
    held = {check.line: check.holds for check in told.checklist}
    assert len(held) == 6
    assert [line for line, holds in held.items() if not holds] in ([], ["Every turn adds an entailment"])
