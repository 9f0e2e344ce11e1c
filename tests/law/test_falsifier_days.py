"""A debate has a day, and no deadline lies before it: FALS-4."""

import asyncio
from dataclasses import replace

import pytest

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import run_starts
from cruxfinder.app.debate_plan import plan_debate
from cruxfinder.app.debate_request import DebateRequest
from cruxfinder.app.resumption import fork
from cruxfinder.crux.events import FalsifierDeclared, MessageRefused
from cruxfinder.debaters.modelled.briefing import add_day
from cruxfinder.errors import BadOption
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.run_facts import DebateStarted
from cruxfinder.kernel.vocabulary import Side
from tests.law.build import ANN, FALSIFIER, Play, commit, declare, of, only, refused
from tests.law.read_falsifiers import faults, is_open_ended, read

DAY = "2027-03-15"


def due(deadline: str, day: str = DAY) -> str:
    return read(replace(FALSIFIER, deadline=deadline), day).due


def locking(day: str) -> Play:
    play = Play(day=day)
    play.to_lock()
    return play


@pytest.mark.rule("FALS-4")
@pytest.mark.parametrize(
    "deadline", ["by 2026", "in Q4 2026", "by 14 March 2027", "before March 2027", "winter 2025/26"]
)
def test_a_deadline_before_the_day_is_refused(deadline: str) -> None:
    (told,) = faults(replace(FALSIFIER, deadline=deadline), DAY)
    assert told.rule == "FALS-4"
    assert due(deadline) in told.reason
    assert DAY in told.remedy


@pytest.mark.rule("FALS-4")
@pytest.mark.parametrize(
    "deadline", ["by 15 March 2027", "in March 2027", "in 2027", "by Q1", "within a week", "by 2030"]
)
def test_a_deadline_that_is_not_over_is_taken(deadline: str) -> None:
    assert list(faults(replace(FALSIFIER, deadline=deadline), DAY)) == []
    assert due(deadline) >= DAY


@pytest.mark.rule("FALS-4")
def test_where_no_day_is_known_none_has_passed() -> None:
    assert list(faults(replace(FALSIFIER, deadline="by 2019"))) == []


@pytest.mark.rule("FALS-4")
@pytest.mark.parametrize(
    ("deadline", "day"),
    [
        ("within eighteen months", "2028-09-15"),
        ("by the end of the decade", "2029-12-31"),
        ("in the third quarter", "2027-09-30"),
        ("by summer 2027", "2027-09-21"),
        ("before autumn 2029", "2029-09-21"),
        ("in the winter of 2027/28", "2028-03-19"),
        ("in the school year 2027/28", "2028-12-31"),
        ("before her term ends in 2029", "2029-12-31"),
        ("by Friday", "2027-03-19"),
        ("on Monday", "2027-03-15"),
        ("next Monday", "2027-03-22"),
    ],
)
def test_a_deadline_is_resolved_to_its_last_possible_day(deadline: str, day: str) -> None:
    assert due(deadline) == day


@pytest.mark.rule("FALS-4")
@pytest.mark.parametrize(
    "deadline",
    [
        "within 90 days of launch",
        "three months after the suite runs in under 15 minutes",
        "no later than two years from approval",
        "before the last patient is enrolled",
        "at the next general election",
    ],
)
def test_what_hangs_on_an_event_without_a_day_is_open_ended(deadline: str) -> None:
    falsifier = replace(FALSIFIER, deadline=deadline)
    assert due(deadline) == ""
    assert is_open_ended(falsifier)
    assert list(faults(falsifier, DAY)) == []


@pytest.mark.rule("FALS-4")
def test_a_commitment_loses_a_falsifier_whose_day_is_over_and_keeps_one_that_comes() -> None:
    past = replace(FALSIFIER, deadline="by the end of 2026")
    back = locking(DAY).say(ANN, commit(ANN, Side.YES, past))
    assert (only(back, MessageRefused).outcome, refused(back)) == ("stripped", {"FALS-4"})
    kept = locking("2026-12-31").say(ANN, commit(ANN, Side.YES, past))
    assert (refused(kept), len(of(kept, FalsifierDeclared))) == (set(), 1)


@pytest.mark.rule("FALS-4")
def test_a_declared_falsifier_whose_day_is_over_goes_back() -> None:
    play = locking(DAY)
    play.post(ANN, commit(ANN, Side.YES, None))
    assert refused(play.say(ANN, declare(replace(FALSIFIER, deadline="by March 2026")))) == {"FALS-4"}


@pytest.mark.rule("FALS-4")
def test_the_first_event_carries_the_day_and_forks_keep_it() -> None:
    pack, store = pack_finder.find("bitcoin")[0], MemoryStore()

    async def hold() -> tuple[object, object]:
        run = await run_starts.start(pack, store, run="one", day=DAY)
        branched = await fork("one", 5, ("max-messages=12",), store)
        return run.events[0], branched.events[0]

    for first in asyncio.run(hold()):
        assert isinstance(first, DebateStarted) and first.day == DAY


@pytest.mark.rule("FALS-4")
def test_the_day_is_the_one_asked_for_else_that_of_the_pack() -> None:
    assert plan_debate(DebateRequest("bitcoin", day=DAY)).day == DAY
    pack = pack_finder.find("bitcoin")[0]
    assert plan_debate(DebateRequest(pack)).day == pack.day != ""
    assert plan_debate(DebateRequest(replace(pack, day=""))).day > pack.day
    with pytest.raises(BadOption):
        DebateRequest("bitcoin", day="2027-02-30")


@pytest.mark.rule("FALS-4")
def test_prompts_state_the_day() -> None:
    assert add_day("You are Ann.", DAY) == "You are Ann. Today is 2027-03-15."
    assert add_day("You are Ann.", "") == "You are Ann."


@pytest.mark.rule("FALS-4")
def test_the_shipped_falsifiers_come_after_the_day_of_their_pack() -> None:
    for name in pack_finder.names():
        pack = pack_finder.find(name)[0]
        lines = [belief.lines.falsifier for persona in pack.personas for belief in persona.beliefs]
        told: list[Falsifier] = [falsifier for falsifier in lines if falsifier is not None]
        assert pack.day and told
        assert [falsifier for falsifier in told if any(faults(falsifier, pack.day))] == []
