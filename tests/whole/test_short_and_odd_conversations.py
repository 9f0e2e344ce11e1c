"""What is said at the end of a conversation is true of it, however short it is and whoever takes which part."""

import asyncio
import re

import pytest

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import run_starts
from cruxfinder.app.roles import assign_roles
from cruxfinder.debaters.simulated.open_points import unanswered_points
from cruxfinder.kernel.redundancy_limits import Entailment, Redundancy
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, Ending, ProtocolName, Role, TopSide, Verdict
from cruxfinder.protocols.any_run import Finished
from cruxfinder.protocols.protocol_list import protocol_named
from cruxfinder.talk.checklist import checklist
from cruxfinder.talk.evolve import fold
from cruxfinder.talk.state import Talk
from cruxfinder.talk.turns import CHAIRS, CONSENSUS, DEBATE, DISCUSSION, ROUNDTABLE, TurnType
from tests.slices import talk_events

BARON, SCOT = AgentId("baron"), AgentId("scot")


def held(
    protocol: ProtocolName, *, seed: int = 0, settings: Settings = Settings(), parts: dict[Role, AgentId] | None = None
) -> Finished:
    pack = assign_roles(pack_finder.find("free-will")[0], protocol_named(protocol), parts or {})
    return asyncio.run(run_starts.start(pack, MemoryStore(), seed=seed, settings=settings, protocol=protocol))


def talk(finished: Finished) -> Talk:
    return fold(talk_events(finished.events)).talk


def limited(turns: int, interval: int = 12, *wanted: Entailment) -> Settings:
    limits = Redundancy(max_total_turns=turns, synthesis_interval=interval)
    if wanted:
        limits = Redundancy(max_total_turns=turns, synthesis_interval=interval, entailment_types=wanted)
    return Settings(redundancy=limits)


@pytest.mark.parametrize("seed", range(4))
def test_a_ruling_calls_unanswered_what_nobody_answered(seed: int) -> None:
    record = fold(talk_events(held(DEBATE, seed=seed).events))
    ruling = record.talk.turns[-1]
    assert ruling.type is TurnType.RULING
    left = {turn.agent for turn in unanswered_points(record)}
    assert ("unanswered" in ruling.content) <= bool(left)


@pytest.mark.parametrize("seed", range(4))
def test_whoever_takes_which_part_the_claim_is_carried_by_who_argued_for_it(seed: int) -> None:
    """The Baron denies free will; as its proponent he still does."""
    said = talk(held(DEBATE, seed=seed, parts={Role.PROPONENT: BARON, Role.OPPONENT: SCOT}))
    ruling = said.turns[-1]
    taken = {turn.agent: turn.draft.side for turn in said.speaker_turns}
    assert taken == {BARON: TopSide.NO, SCOT: TopSide.YES}
    won = re.search(r"met, (.+) stands at", ruling.content)
    assert won is not None and ruling.draft.side is (TopSide.NO if won[1] == "Baron Corvin" else TopSide.YES)


@pytest.mark.parametrize(("messages", "unheard"), [(1, "Mr Ross and Baron Corvin"), (2, "Baron Corvin")])
def test_where_a_side_was_not_heard_nothing_is_ruled(messages: int, unheard: str) -> None:
    told = held(DEBATE, settings=Settings(max_messages=messages)).minutes
    assert (told.verdict, told.ending, told.total_turns) == (Verdict.UNDECIDED, Ending.MESSAGES, messages - 1)
    assert told.why == f"{unheard} never spoke, so there is nothing to rule on"


def test_nobody_stands_below_nought_and_a_ruling_is_the_last_word() -> None:
    said = talk(held(DEBATE, seed=596, settings=limited(13, 4, Entailment.TEST)))
    assert said.turns[-1].type is TurnType.RULING
    assert re.search(r"-\d", said.turns[-1].content) is None


def test_a_ruling_is_not_counted_as_a_synthesis() -> None:
    events = talk_events(held(DEBATE, settings=limited(8, 4)).events)
    (line,) = (check for check in checklist(events, fold(events)) if "synthesis" in check.line)
    assert (line.holds, line.figure) == (True, "1 of 1")


@pytest.mark.parametrize("turns", [4, 5])
def test_the_shortest_discussion_has_an_answer(turns: int) -> None:
    said = talk(held(DISCUSSION, settings=limited(turns)))
    assert len(said.turns) <= turns
    assert any(turn.role not in CHAIRS for turn in said.turns)


def test_a_consensus_cut_short_says_so() -> None:
    finished = held(CONSENSUS, settings=limited(5))
    assert finished.minutes.ending is Ending.MESSAGES
    assert "the turns ran out before anybody was asked to concede" in finished.minutes.why


@pytest.mark.rule("RED-9")
def test_even_among_the_shortest_acts_something_to_think_about_comes_up() -> None:
    """In each it cannot: what is brought up in one is answered in the next."""
    said = talk(held(ROUNDTABLE, seed=21, settings=limited(24, 3)))
    assert len([pivot for pivot in said.pivots if pivot.cause == "RED-9"]) >= 2


@pytest.mark.parametrize("protocol", [CONSENSUS, DISCUSSION, ROUNDTABLE])
def test_one_message_is_one_turn(protocol: ProtocolName) -> None:
    assert len(talk(held(protocol, settings=Settings(max_messages=1))).turns) == 1
