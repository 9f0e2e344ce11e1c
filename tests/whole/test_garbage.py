"""Garbage for an answer, where several threads are under way: recorded as a failure, and the debate goes on to its end.

The asks that belong to many threads: how two cruxes bear on each other, what everybody shares, whether the crux
represents one. Each kind of garbage is given by everybody, by one, and at random.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

from bench.many import many
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import run_starts, seats
from cruxfinder.crux.asks import AskProbe, Credence, First, FixedReading, Judged, Probed, Related
from cruxfinder.crux.events import ProbeAnswered, RelationAnswered
from cruxfinder.errors import DebaterFault
from cruxfinder.kernel.run_facts import AskFailed, DebateComplete, Failed, Silence
from cruxfinder.kernel.vocabulary import AgentId, CandidateId, Phase, Side, TopSide
from cruxfinder.ports import Debater
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk
from cruxfinder.protocols.any_run import Finished
from tests.kernel.runs import lines, replayed
from tests.whole.crowd_oracle import faults

pytestmark = pytest.mark.slow  # hundreds of whole debates

AGENTS = 4
KINDS = ("relate", "ground", "judge")
WAIT_S = 60
NAN, INFINITE = float("nan"), float("inf")
LONE = "\ud800"  # half a character: no file can hold it

Made = Callable[[Any, Any], Any]  # of an ask and the answer to it


def kind_of(ask: AnyAsk) -> str:
    return "ground" if isinstance(ask, AskProbe) and ask.phase is Phase.GROUND else ask.kind


class Garbling:
    """Another debater, some of whose answers are garbled."""

    def __init__(self, debater: Debater, garble: Callable[[AnyAsk, AnyAnswer], Any], *, paid: bool) -> None:
        self._debater = debater
        self._garble = garble
        self.is_paid = paid

    async def answer(self, ask: AnyAsk, record: Any) -> AnyAnswer:
        return self._garble(ask, await self._debater.answer(ask, record))


def fails(ask: AnyAsk, answer: AnyAnswer) -> Any:
    raise DebaterFault("the line broke")


ANY: dict[str, Made] = {
    "nothing": lambda ask, answer: None,
    "a number": lambda ask, answer: 0.5,
    "a text": lambda ask, answer: "yes",
    "a type": lambda ask, answer: Probed,
    "silence": lambda ask, answer: Silence(),
    "a first position": lambda ask, answer: First(p_top=0.5, side=TopSide.YES, reason="x"),
    "a failure": lambda ask, answer: Failed(reason="no"),
    "a long failure": lambda ask, answer: Failed(reason="no" * 500),
    "a fault": fails,
}
FIELDS: dict[str, dict[str, Made]] = {
    "relate": {
        "not a number": lambda ask, answer: replace(answer, second_if_yes=NAN),
        "infinite": lambda ask, answer: replace(answer, first_if_no=INFINITE),
        "below zero": lambda ask, answer: replace(answer, second_if_no=-0.01),
        "above one": lambda ask, answer: replace(answer, first_if_yes=1.01),
        "a text for a chance": lambda ask, answer: replace(answer, first_if_yes="0.5"),
        "no chance": lambda ask, answer: replace(answer, first_if_yes=None),
        "no sketch": lambda ask, answer: replace(answer, sketch=None),
        "a number for a sketch": lambda ask, answer: replace(answer, back=7),
        "half a character": lambda ask, answer: replace(answer, sketch=LONE * 30),
    },
    "ground": {
        "not a number": lambda ask, answer: replace(answer, p_top=NAN),
        "above one": lambda ask, answer: replace(answer, p_top=2.0),
        "a text for a chance": lambda ask, answer: replace(answer, p_top="0.5"),
        "a bad row": lambda ask, answer: replace(answer, credences=(Credence(ask.questions[0].id, 2.0, 0.5, 0.5),)),
        "a short row": lambda ask, answer: replace(answer, credences=(("g1", 0.5),)),
        "no rows": lambda ask, answer: replace(answer, credences=None),
        "a number for rows": lambda ask, answer: replace(answer, credences=3),
        "numbers for rows": lambda ask, answer: replace(answer, credences=(1, 2)),
        "another side": lambda ask, answer: replace(answer, public_side="MAYBE"),
    },
    "judge": {
        "no objection": lambda ask, answer: replace(answer, objection=None),
        "a number for an objection": lambda ask, answer: replace(answer, objection=3),
        "another side": lambda ask, answer: replace(answer, objection="No.", side="MAYBE"),
        "no statement": lambda ask, answer: replace(answer, objection="No.", statement=None),
        "half a character": lambda ask, answer: replace(answer, objection=f"No {LONE}"),
    },
}
ODD: dict[str, dict[str, Made]] = {
    "relate": {
        "certain": lambda ask, answer: Related(second_if_yes=1, second_if_no=0, first_if_yes=1, first_if_no=0),
        "a long sketch": lambda ask, answer: replace(answer, sketch="so " * 2_000, back="\n" * 40),
    },
    "ground": {
        "no answers": lambda ask, answer: replace(answer, credences=()),
        "other questions": lambda ask, answer: replace(
            answer, credences=(Credence(CandidateId("zz"), 0.5, 0.5, 0.5),) * 3
        ),
        "answers twice": lambda ask, answer: replace(answer, credences=answer.credences * 2),
        "wordings": lambda ask, answer: replace(answer, fixed=(FixedReading(CandidateId("g1"), 0.5, 0.5),)),
        "a side": lambda ask, answer: replace(answer, public_side=TopSide.NO),
    },
    "judge": {
        "a blank": lambda ask, answer: Judged(objection="  ", side=Side.NO),
        "without a side": lambda ask, answer: Judged(objection="That is not me."),
        "a long one": lambda ask, answer: Judged(objection="No! " * 1_000, side=Side.UNCERTAIN, statement="x" * 5_000),
    },
}
UNUSABLE = [
    pytest.param(kind, made, id=f"{kind}: {name}")
    for kind in FIELDS
    for name, made in {**ANY, **FIELDS[kind]}.items()
    if not (kind == "judge" and name == "silence")
]


@cache
def seed() -> int:
    """One with two threads that lock and converge, so that all three kinds of asks come up."""
    for found in range(200):
        asked: Counter[str] = Counter()

        def noted(ask: AnyAsk, answer: AnyAnswer, asked: Counter[str] = asked) -> AnyAnswer:
            asked[kind_of(ask)] += 1
            return answer

        run(noted, found, paid=False, store=MemoryStore())
        if all(asked[kind] for kind in KINDS):
            return found
    raise AssertionError("no seed brings up all kinds of asks")


def debated(garble: Callable[[AnyAsk, AnyAnswer], Any], *, paid: bool, store: MemoryStore | None = None) -> Finished:
    return run(garble, seed(), paid=paid, store=MemoryStore() if store is None else store)


def run(garble: Callable[[AnyAsk, AnyAnswer], Any], seed: int, *, paid: bool, store: MemoryStore) -> Finished:
    pack = many(AGENTS, seed)
    table = {a: Garbling(d, garble, paid=paid) for a, d in seats.simulated_debaters(pack, seed).items()}
    return asyncio.run(asyncio.wait_for(run_starts.start(pack, store, seed=seed, debaters=table, run="r1"), WAIT_S))


def ended_well(finished: Finished) -> None:
    assert isinstance(finished.events[-1], DebateComplete)
    assert faults(finished.events) == []


@pytest.mark.parametrize("paid", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["free", "paid"])
@pytest.mark.parametrize(("kind", "made"), UNUSABLE)
def test_an_answer_nobody_can_use_is_recorded_as_a_failure(kind: str, made: Made, paid: bool) -> None:
    """By everybody, for all asks of the kind."""
    garbled = 0

    def garble(ask: AnyAsk, answer: AnyAnswer) -> Any:
        nonlocal garbled
        if kind_of(ask) != kind:
            return answer
        garbled += 1
        return made(ask, answer)

    finished = debated(garble, paid=paid)
    ended_well(finished)
    recorded = [e for e in finished.events if isinstance(e, AskFailed)]
    assert garbled and len(recorded) == garbled
    assert all(e.reason and len(e.reason) <= 200 for e in recorded)
    assert {e.ask for e in recorded} == {"probe" if kind == "ground" else kind}


@pytest.mark.parametrize("paid", [False, True], ids=["free", "paid"])
@pytest.mark.parametrize(
    ("kind", "made"), [pytest.param(k, m, id=f"{k}: {name}") for k in ODD for name, m in ODD[k].items()]
)
def test_an_odd_answer_is_taken(kind: str, made: Made, paid: bool) -> None:
    finished = debated(lambda ask, answer: made(ask, answer) if kind_of(ask) == kind else answer, paid=paid)
    ended_well(finished)
    assert not [e for e in finished.events if isinstance(e, AskFailed)]


@pytest.mark.parametrize("paid", [False, True], ids=["free", "paid"])
def test_a_plain_tuple_in_the_place_of_a_row_stops_nothing(paid: bool) -> None:
    """Taken as the row it spells, or turned away: but the same as a replay would have it."""
    store = MemoryStore()

    def plainly(ask: AnyAsk, answer: AnyAnswer) -> Any:
        if kind_of(ask) != "ground" or not isinstance(answer, Probed):
            return answer
        return replace(answer, credences=tuple(tuple(row) for row in answer.credences))

    finished = debated(plainly, paid=paid, store=store)
    ended_well(finished)
    table = {
        a: Garbling(d, plainly, paid=paid) for a, d in seats.simulated_debaters(many(AGENTS, seed()), seed()).items()
    }
    assert lines(replayed(store, debaters=table).events) == lines(finished.events)


def at_random(chance: int, share: float) -> Callable[[AnyAsk, AnyAnswer], Any]:
    """Garbage of every kind that is turned away for what it is, now and then, for any ask."""
    rng = Random(chance)
    tame = {
        "relate": ("not a number", "infinite", "below zero", "above one", "a text for a chance", "no chance"),
        "ground": ("not a number", "above one", "a text for a chance", "a bad row"),
        "judge": (),
    }

    def garble(ask: AnyAsk, answer: AnyAnswer) -> Any:
        kind = kind_of(ask)
        if rng.random() >= share:
            return answer
        own = [FIELDS[kind][name] for name in tame[kind]] + [*ODD[kind].values()] if kind in FIELDS else []
        usual = [
            m for name, m in ANY.items() if not (kind in ("draft", "first") and name in ("silence", "a first position"))
        ]
        return rng.choice([*own, *usual])(ask, answer)

    return garble


@pytest.mark.parametrize("chance", range(6))
def test_garbage_at_random_never_stops_a_debate(chance: int) -> None:
    store = MemoryStore()
    finished = debated(at_random(chance, 0.1 + 0.15 * chance), paid=True, store=store)
    ended_well(finished)
    assert any(isinstance(e, AskFailed) for e in finished.events)
    nobody: dict[AgentId, Debater] = dict(seats.simulated_debaters(many(AGENTS, seed()), seed()))
    again = replayed(store, debaters={a: Garbling(d, fails, paid=True) for a, d in nobody.items()})
    assert lines(again.events) == lines(finished.events), "a replay meets the same failures"


@pytest.mark.slow
@pytest.mark.parametrize("chance", range(100, 200))
def test_much_garbage_at_random_never_stops_a_debate(chance: int) -> None:
    ended_well(debated(at_random(chance, (chance % 10) / 10), paid=chance % 2 == 0))


def test_failed_private_answers_stand_in_the_log_as_failed() -> None:
    finished = debated(lambda ask, a: None if kind_of(ask) in ("ground", "relate") else a, paid=False)
    ground = [e for e in finished.events if isinstance(e, ProbeAnswered) and e.phase is Phase.GROUND]
    related = [e for e in finished.events if isinstance(e, RelationAnswered)]
    assert ground and all(e.failed for e in ground)
    assert related and all(e.failed for e in related)
    assert finished.result.dependencies == ()
