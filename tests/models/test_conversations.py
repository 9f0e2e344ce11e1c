"""Models hold conversations in turns: every protocol, several turns in a reply, questions to the user, bad replies."""

import asyncio
import json
import re
from collections.abc import Callable
from typing import Any, Final

import pytest

from bench.fake.brain import believer
from cruxfinder.app.people import Participation
from cruxfinder.kernel.pack import Pack
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import Ending, ProtocolName, Role, Verdict
from cruxfinder.talk.asks import AskUser
from cruxfinder.talk.events import (
    TurnRefused,
    TurnSpoken,
    UserAnswered,
    UserQuestion,
)
from cruxfinder.talk.law import markers
from cruxfinder.talk.turns import CHAIRS, CONSENSUS, DEBATE, DISCUSSION, ROUNDTABLE, TurnType
from tests import clock
from tests.models.models import Held, Provider, check, table_of
from tests.models.models import held as held_with
from tests.models.models import hold as hold_with

TALKS: Final = [DEBATE, CONSENSUS, DISCUSSION, ROUNDTABLE]
Brain = Callable[[str, str], str]


async def hold(provider: Provider, pack: Pack, settings: Settings = Settings(), **rest: Any) -> Held:
    return await hold_with(provider, pack, settings=settings, **rest)


def held(provider: Provider, pack: Pack, settings: Settings = Settings(), **rest: Any) -> Held:
    return held_with(provider, pack, settings=settings, **rest)


def spoken(found: Held) -> list[TurnSpoken]:
    return [e for e in found.finished.events if isinstance(e, TurnSpoken)]


def first_drafts(found: Held) -> int:
    return sum("Your last draft was refused" not in call.user for call in found.provider.calls)


@pytest.mark.parametrize("protocol", TALKS)
def test_models_hold_it_to_the_end_and_it_replays(protocol: ProtocolName) -> None:
    async def scenario() -> None:
        found = await hold(Provider(), table_of(2 if protocol == DEBATE else 4), protocol=protocol)
        told = found.finished.minutes
        assert told.ending is Ending.NATURAL and told.verdict is not Verdict.UNDECIDED
        assert told.system_metrics.calls == found.provider.count
        assert told.system_metrics.turns_flagged <= 2
        await check(found)

    clock.run(scenario())


def test_a_prompt_does_not_grow_with_the_conversation() -> None:
    found = held(Provider(), table_of(4), protocol=ROUNDTABLE)
    sizes = [call.characters for call in found.provider.calls]
    late = sizes[len(sizes) // 2 :]
    assert len(sizes) >= 40
    assert max(late) <= 1.25 * max(sizes[8:20])
    assert all("We should split the monolith" in call.system for call in found.provider.calls)


def test_several_turns_in_one_reply_are_all_taken() -> None:
    alone = held(Provider(), table_of(2), protocol=DEBATE)
    found = held(Provider(), table_of(2), protocol=DEBATE, settings=Settings(together=True))
    assert [t.turn.type for t in spoken(found)] == [t.turn.type for t in spoken(alone)]
    assert first_drafts(alone) == 9 and first_drafts(found) == 3  # a round in one reply


def test_words_put_into_the_mouth_of_others_are_left_out() -> None:
    brain = believer()

    def talkative(system: str, user: str) -> str:
        said = json.loads(brain(system, user))
        if "You are Agent 0," not in user:
            return json.dumps(said)
        own = {"agent": "Agent 0", **said}
        other = {**own, "agent": "Agent 1", "content": said["content"].replace("If the", "If no")}
        return json.dumps({"turns": [own, other]})

    found = held(Provider(brain=talkative), table_of(2), protocol=DEBATE)
    assert len(spoken(found)) == 9 and first_drafts(found) == 9
    assert not any("If no" in t.turn.content for t in spoken(found))


def with_markers(reply: str, user: str) -> str:
    """A turn as models wrote it before they were asked for an object."""
    turn = json.loads(reply)
    name, role = WHO.findall(user)[-1]
    lines = [turn["content"], *(f"{LINES[key]}: {value}" for key, value in turn.items() if key in LINES)]
    marked = markers.MarkedTurn(name, role, TurnType(turn["type"]), "\n".join(lines))
    return markers.wrap_in_markers(marked)


WHO: Final = re.compile(r"^You are (.+?), ([a-z ]+)\.", re.MULTILINE)
LINES: Final = {"side": "SIDE", "concedes": "CONCEDES", "next_step": "NEXT"}


@pytest.mark.parametrize(
    "dressed",
    [
        pytest.param(lambda said, _: f"```json\n{said}\n```", id="in a fence"),
        pytest.param(lambda said, _: f"Sure! Here it is:\n\n{said}\n\nAnything else?", id="with small talk around it"),
        pytest.param(lambda said, _: json.dumps(json.loads(said), indent=2).replace("\n", "\r\n"), id="over lines"),
        pytest.param(with_markers, id="between markers"),
        pytest.param(lambda s, u: with_markers(s, u).rpartition("<!-- TURN_END -->")[0], id="a marker not closed"),
        pytest.param(lambda s, u: f"Sure! Here it is:\n\n{with_markers(s, u)}\n\nMore?", id="markers in small talk"),
        pytest.param(lambda s, u: "\n".join(with_markers(s, u).split("\n")[1:-1]), id="without any marker"),
        pytest.param(lambda s, u: with_markers(s, u).replace("\n", "\r\n"), id="markers with other line ends"),
    ],
)
def test_a_turn_is_read_from_a_reply(dressed: Callable[[str, str], str]) -> None:
    brain = believer()
    found = held(Provider(brain=lambda s, u: dressed(brain(s, u), u)), table_of(2), protocol=DEBATE)
    assert [t.turn.type for t in spoken(found)][:2] == [TurnType.PROPOSITION, TurnType.PROPOSITION]
    assert len(spoken(found)) == 9
    assert not any("TURN" in t.turn.content or "SIDE" in t.turn.content for t in spoken(found))


def test_a_model_that_repeats_itself_is_asked_again_and_then_flagged() -> None:
    brain = believer()

    def stubborn(system: str, user: str) -> str:
        if "against the split" not in system:
            return brain(system, user)
        return json.dumps({"content": "I agree with Agent 0, and that remains my view."})

    found = held(Provider(brain=stubborn), table_of(2), protocol=DEBATE)
    flagged = [t for t in spoken(found) if t.flags]
    assert {t.agent for t in flagged} == {"a1"} and len(flagged) == 3
    assert sum(isinstance(e, TurnRefused) for e in found.finished.events) == 9
    assert found.finished.minutes.system_metrics.reasons_refused["RED-2"] == 9


def test_a_speaker_that_passes_is_passed_over() -> None:
    brain = believer()

    def shy(system: str, user: str) -> str:
        return '{"type": "PASS"}' if "against the split" in system and '"PASS"' in user else brain(system, user)

    found = held(Provider(brain=shy), table_of(3), protocol=DISCUSSION)
    assert {t.agent for t in spoken(found) if t.role not in CHAIRS} == {"a0", "a2"}
    assert found.finished.minutes.ending is Ending.NATURAL


def test_nobody_agrees_out_of_politeness() -> None:
    """The merged position is put to everybody in private, and who cannot sign it is named."""
    found = held(Provider(), table_of(4), protocol=CONSENSUS)
    told = found.finished.minutes
    assert told.verdict is Verdict.NO_CONSENSUS
    assert {d.agent for d in told.syntheses[-1].dissent} == {"a1", "a3"}
    assert "Still dissenting: Agent 1, Agent 3." in told.syntheses[-1].text


def asking(question: str) -> Brain:
    """A brain whose first speaker asks the user once."""
    brain, asked = believer(), list[str]()

    def think(system: str, user: str) -> str:
        if "Or a question to the user" in user and ", proponent." in user and not asked:
            asked.append(question)
            return json.dumps({"type": "question", "to_user": True, "content": question})
        return brain(system, user)

    return think


def test_a_question_to_the_user_ends_the_round_and_waits() -> None:
    async def scenario() -> None:
        put: list[AskUser] = []

        async def answer(ask: AskUser) -> str:
            put.append(ask)
            return "two years at most"

        user = Participation(answer, wait_s=5)
        settings = Settings(asks_user=True)
        provider = Provider(brain=asking("How long may the split take?"))
        found = await hold(provider, table_of(2), protocol=DEBATE, settings=settings, user=user)
        events = found.finished.events
        asked = next(n for n, e in enumerate(events) if isinstance(e, UserQuestion))
        assert [p.question for p in put] == ["How long may the split take?"]
        told, after = events[asked + 1 : asked + 3]
        assert isinstance(told, UserAnswered) and told.answer == "two years at most"
        assert isinstance(after, TurnSpoken) and after.role is Role.PROPONENT  # the round is taken up again
        heard = [c for c in found.provider.calls if "The user answered: «two years at most»" in c.user]
        assert heard
        assert found.finished.minutes.questions[0].answer == "two years at most"
        await check(found)

    clock.run(scenario())


def test_unattended_the_question_is_recorded_and_it_goes_on_after_a_while() -> None:
    async def never(ask: AskUser) -> str:
        await asyncio.sleep(60)
        return "too late"

    found = held(
        Provider(brain=asking("How long?")),
        table_of(2),
        protocol=DEBATE,
        settings=Settings(asks_user=True),
        user=Participation(never, wait_s=0.05),
    )
    told = found.finished.minutes
    assert [(q.question, q.answer) for q in told.questions] == [("How long?", "")]
    assert told.verdict is Verdict.RULED
