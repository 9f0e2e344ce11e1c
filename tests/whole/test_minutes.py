"""What a conversation came to: minutes as JSON keep to their schema, and every figure is a count over the log."""

import json
from collections.abc import Sequence
from typing import Literal

import pytest
from jsonschema import Draft202012Validator

from cruxfinder.exports.schemas import minutes_schema
from cruxfinder.kernel import wire
from cruxfinder.kernel.run_facts import NoteFailure
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, Ending, Role, RuleId, TopSide, Verdict
from cruxfinder.language.english.texts import keywords
from cruxfinder.talk.checklist import checklist
from cruxfinder.talk.events import TalkEvent, TurnRefused, TurnSpoken
from cruxfinder.talk.evolve import fold
from cruxfinder.talk.minutes import Minutes, count_revised, minutes_of
from cruxfinder.talk.turns import CHAIRS, CONSENSUS, TurnDraft, TurnId, TurnType
from tests.golden.logs import events_of
from tests.golden.talks import SCENES
from tests.law.build import ANN, BOB, CAT, DAN
from tests.law.talk import Talking
from tests.slices import talk_events
from tests.whole.test_result import compared


@pytest.mark.parametrize("name", SCENES)
def test_minutes_keep_to_their_schema(name: str) -> None:
    found = json.loads(json.dumps(wire.camel(minutes_of(talk_events(events_of(name)), run_id=name))))
    Draft202012Validator(json.loads(minutes_schema())).validate(found)


def test_the_schema_has_the_fields_and_types_of_the_minutes() -> None:
    root = json.loads(minutes_schema())
    Draft202012Validator.check_schema(root)
    checked = list(compared(Minutes, root, root, "$"))
    assert len(checked) > 80 and [where for where in checked if where] == []


@pytest.mark.parametrize("name", SCENES)
def test_metrics_are_counts_over_the_log(name: str) -> None:
    events = talk_events(events_of(name))
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
    told = minutes_of(talk_events(events_of("talk-roundtable")[:30]))
    assert told.ending is Ending.UNFINISHED and told.verdict is Verdict.UNDECIDED and told.confidence == "LOW"


@pytest.mark.parametrize("name", SCENES)
def test_the_checklist_says_what_the_log_shows(name: str) -> None:
    """Told by an oracle that reads the raw log."""
    events = talk_events(events_of(name))
    debate = fold(events)
    checks = {check.line: check for check in checklist(events, debate)}
    spoken = [e for e in events if isinstance(e, TurnSpoken)]
    by_speakers = [e for e in spoken if e.role not in CHAIRS]
    tagged = [e for e in by_speakers if e.entailments]
    added = checks["Every turn adds an entailment"]
    assert added.holds == (len(tagged) == len(by_speakers))
    assert added.figure == f"{len(tagged)} of {len(by_speakers)}"
    cap = 48 if debate.settings.redundancy is None else debate.settings.redundancy.max_total_turns
    assert checks[f"At most {cap} turns"].figure == str(len(spoken))


def test_the_roundtable_of_the_pack_keeps_to_the_checklist() -> None:
    told = minutes_of(talk_events(events_of("talk-roundtable")))
    held = {check.line: check.holds for check in told.checklist}
    assert len(held) == 6
    assert [line for line, holds in held.items() if not holds] in ([], ["Every turn adds an entailment"])


# ---- turns that were revised

Outcome = Literal["revise", "weighed", "dropped"]


def said(agent: AgentId) -> TurnSpoken:
    turn = TurnDraft(type=TurnType.REACTION, content="If quays crumble, then ferries wait.")
    return TurnSpoken(at_ms=0, id=TurnId("n1"), agent=agent, role=Role.SPEAKER, turn=turn)


def sent_back(agent: AgentId, outcome: Outcome = "revise") -> TurnRefused:
    return TurnRefused(at_ms=0, agent=agent, type=TurnType.REACTION, refusals=(), outcome=outcome)


@pytest.mark.parametrize(
    ("log", "count"),
    [
        pytest.param((said(ANN), said(BOB)), 0, id="nothing was sent back"),
        pytest.param((sent_back(ANN), said(ANN)), 1, id="one draft"),
        pytest.param((sent_back(ANN), sent_back(ANN), sent_back(ANN, "weighed"), said(ANN)), 1, id="all drafts of one"),
        pytest.param((sent_back(ANN), said(ANN), sent_back(BOB), said(BOB)), 2, id="one each"),
        pytest.param((sent_back(ANN), said(ANN), said(BOB), said(ANN)), 1, id="the next turn is another one"),
        pytest.param((sent_back(ANN, "dropped"), said(BOB)), 0, id="dropped, and somebody else speaks"),
        pytest.param((sent_back(ANN), sent_back(ANN, "dropped"), said(ANN)), 0, id="dropped, and a later one is said"),
        pytest.param((sent_back(ANN), said(BOB)), 0, id="somebody else speaks"),
    ],
)
def test_a_turn_is_revised_if_its_own_speaker_says_it_after_a_refusal(log: Sequence[TalkEvent], count: int) -> None:
    assert count_revised(log) == count


# ---- rounds between two

ROUND = (ANN, BOB)
LOST = "lost"  # whoever of them sits last


@pytest.mark.rule("RED-1")
@pytest.mark.parametrize(
    ("speakers", "happens", "holds", "figure"),
    [
        pytest.param((ANN, BOB), 4 * ROUND, True, "only two speak", id="two"),
        pytest.param((ANN, BOB, CAT), 2 * ROUND, True, "2 at most", id="three"),
        pytest.param((ANN, BOB, CAT), 3 * ROUND, False, "3 at most", id="three, and two go on"),
        pytest.param(
            (ANN, BOB, CAT), (*2 * ROUND, LOST, *3 * ROUND), True, "2 at most while others could speak", id="lost"
        ),
        pytest.param(
            (ANN, BOB, CAT), (*3 * ROUND, LOST, *ROUND), False, "3 at most while others could speak", id="lost too late"
        ),
        pytest.param(
            (ANN, BOB, CAT), (LOST, *3 * ROUND), True, "0 at most while others could speak", id="lost before all turns"
        ),
        pytest.param((ANN, BOB, CAT, DAN), (LOST, *3 * ROUND), False, "3 at most", id="one of four is lost"),
    ],
)
def test_rounds_between_two_count_while_others_could_speak(
    speakers: tuple[AgentId, ...], happens: tuple[AgentId, ...], holds: bool, figure: str
) -> None:
    """The rule itself is left out, so that somebody may break it."""
    talk = Talking(*speakers, settings=Settings(off=(RuleId("RED-1"),)))
    log: list[TalkEvent] = [talk.debate.started]
    for step in happens:
        if step != LOST:
            log += talk.say(step)
            continue
        for _ in range(3):
            log += talk.do(NoteFailure(agent=speakers[-1], ask="turn", reason="the line broke"))
    check = checklist(log, talk.debate)[0]
    assert (check.holds, check.figure) == (holds, figure)


# ---- what everybody came to


def test_minutes_tell_what_was_conceded_and_where_each_stood_last() -> None:
    talk = Talking(protocol=CONSENSUS)
    log: list[TalkEvent] = [talk.debate.started]
    log += talk.say(ANN, side=TopSide.YES)
    log += talk.say(BOB, side=TopSide.NO)
    log += talk.say(ANN, type=TurnType.CONCESSION, side=TopSide.NUANCED, concedes="quays cost money")
    log += talk.say(BOB, type=TurnType.CONCESSION, concedes=" ")
    log += talk.say(CAT, type=TurnType.EXPLORATION, concedes="asked for nothing of the kind")
    told = minutes_of(log)
    assert told.conceded == {"ann": "quays cost money"}
    assert {a.id: a.side for a in told.agents if a.role is Role.SPEAKER} == {
        ANN: TopSide.NUANCED,
        BOB: TopSide.NO,
        CAT: None,
    }
