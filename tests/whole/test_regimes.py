"""The regime a result names, on any disagreement at all. CRY-3: a polarised debate is never reported as consensus.

Whether a debate is polarised is computed here from the private answers in its log: two camps by first position, and
the latest that each agent said in private keeps them .15 apart. Nothing is asked of the rules.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from bench import worlds
from bench.many import many
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import run_starts
from cruxfinder.crux.asks import AskProbe, Probed
from cruxfinder.crux.events import FirstPosition, MessagePosted, ProbeAnswered
from cruxfinder.crux.result import result_of
from cruxfinder.exports.schemas import result_schema
from cruxfinder.kernel import wire
from cruxfinder.kernel.pack import Belief, Pack, Persona
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, Horizon, Phase, Side, ThreadId, TopSide
from cruxfinder.protocols.any_run import AnyEvent, Finished
from cruxfinder.protocols.registry import read_event
from tests.golden.puppets import ANN, BOB, Mind, pack_for
from tests.slices import crux_events
from tests.whole.flooders import Flooder, spawning

pytestmark = pytest.mark.slow

GAP = 0.15
SLACK = 0.0002  # events keep four digits
EARLY = (0, 0, 0, 5, 12, 25, 40, 60)


@dataclass(frozen=True)
class Setting:
    """A disagreement drawn at random, its seed, and how many messages it gets (0: as many as the rules allow)."""

    pack: Pack
    seed: int
    max_messages: int


def mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found)


# ---- what the log says


def camps(events: Sequence[AnyEvent]) -> tuple[list[str], list[str]]:
    firsts = {e.agent: e.p_top for e in events if isinstance(e, FirstPosition)}
    return [a for a, p in firsts.items() if p > 0.5], [a for a, p in firsts.items() if p < 0.5]


def latest(events: Sequence[AnyEvent]) -> dict[str, float]:
    """What each agent said of the topic in private, the last time it was asked."""
    found: dict[str, float] = {e.agent: e.p_top for e in events if isinstance(e, FirstPosition)}
    found.update((e.agent, e.p_top) for e in events if isinstance(e, ProbeAnswered) and not e.failed)
    return found


def gap(events: Sequence[AnyEvent]) -> float | None:
    """How far the camps of the start stand apart by the latest private answers; None without two camps."""
    yes, no = camps(events)
    said = latest(events)
    return abs(mean(said[a] for a in yes) - mean(said[a] for a in no)) if yes and no else None


def wrong(events: Sequence[AnyEvent], regime: str) -> str:
    apart = gap(events)
    if apart is not None and apart >= GAP + SLACK and regime == "consensus":
        return f"consensus, and the camps are {apart:.3f} apart"
    if apart is None and regime == "polarized":
        return "polarized, and all stand on one side"
    return ""


# ---- random disagreements


@st.composite
def disagreements(draw: st.DrawFn) -> Setting:
    rng = Random(draw(st.integers(0, 10**9)))
    agents, count = draw(st.integers(2, 8)), draw(st.integers(3, 6))
    kind = draw(st.sampled_from(("any", "any", "camps", "unanimous", "close")))
    return Setting(drawn(rng, agents, count, kind), rng.randrange(1000), draw(st.sampled_from(EARLY)))


def drawn(rng: Random, agents: int, count: int, kind: str) -> Pack:
    span = {"any": 3.0, "camps": 2.0, "unanimous": 0.4, "close": 0.6}[kind]
    herd = rng.choice((0.0, 1.0, 3.0))
    open_ = rng.choice((0.0, 0.3, 1.0))
    return Pack(
        name="drawn",
        title="Drawn",
        topic="The plan works",
        summary="Generated.",
        propositions=tuple(worlds.proposition(n, meanings=False) for n in range(count)),
        personas=tuple(
            Persona(
                id=AgentId(worlds.PEOPLE[n]),
                name=worlds.PEOPLE[n].capitalize(),
                about="",
                bias={"camps": (-1) ** n * rng.uniform(0, 2.5), "unanimous": 2.0}.get(kind, rng.uniform(-span, span)),
                openness=min(1.0, open_ * rng.uniform(0.5, 1.5)),
                conformity=herd * rng.uniform(0.5, 1.0),
                trust=rng.uniform(0.2, 1.0),
                horizon=rng.choice(list(Horizon)),
                beliefs=tuple(
                    Belief(
                        proposition=worlds.NAMES[p],
                        credence=rng.uniform(0.02, 0.98),
                        weight=rng.uniform(-span, span),
                        links=((worlds.NAMES[p - 1], rng.uniform(-1.5, 1.5)),) if p and rng.random() < 0.2 else (),
                    )
                    for p in range(count)
                ),
            )
            for n in range(agents)
        ),
    )


def debated(setting: Setting) -> Finished:
    limits = Settings(max_messages=setting.max_messages)
    return asyncio.run(run_starts.start(setting.pack, MemoryStore(), seed=setting.seed, settings=limits, run="r1"))


@cache
def validator() -> Draft202012Validator:
    return Draft202012Validator(json.loads(result_schema()))


def checked(finished: Finished) -> None:
    """Everything that holds of any result."""
    assert wrong(finished.events, finished.result.regime) == ""
    as_json = json.loads(json.dumps(wire.camel(finished.result), allow_nan=False))
    assert [f"{e.json_path}: {e.message}" for e in validator().iter_errors(as_json)] == []
    assert result_of(crux_events(finished.events), run_id="r1") == finished.result
    read = crux_events(read_event(wire.dumps(e)) for e in finished.events)
    assert result_of(read, run_id="r1") == finished.result, "and so does the log as it is stored"


@pytest.mark.rule("CRY-3")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(disagreements())
def test_any_disagreement_gets_the_regime_its_private_answers_allow(setting: Setting) -> None:
    checked(debated(setting))


@pytest.mark.rule("CRY-3")
@settings(max_examples=1500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(disagreements())
def test_very_many_disagreements_get_the_regime_their_private_answers_allow(setting: Setting) -> None:
    checked(debated(setting))


@pytest.mark.rule("CRY-3")
@pytest.mark.parametrize(
    ("agents", "seed", "max_messages"),
    [(12, 53, 0), (12, 53, 120), (12, 6, 0), (8, 2, 0), (8, 5, 90), (5, 1, 0), (4, 3, 60)],
)
def test_debates_in_several_threads_get_the_regime_their_private_answers_allow(
    agents: int, seed: int, max_messages: int
) -> None:
    checked(debated(Setting(many(agents, seed), seed, max_messages)))


@pytest.mark.parametrize("agents", range(4, 13))
def test_very_many_debates_in_several_threads_do_so_too(agents: int) -> None:
    for seed in range(15):
        for max_messages in (0, 40 + 10 * seed):
            checked(debated(Setting(many(agents, seed), seed, max_messages)))


def test_the_sample_has_every_regime_and_every_kind_of_gap() -> None:
    """So that the property above is not an empty one."""
    regimes: Counter[str] = Counter()
    gaps: Counter[str] = Counter()
    for n in range(60):
        rng = Random(f"sample/{n}")
        kind = ("any", "camps", "unanimous", "close")[n % 4]
        finished = debated(Setting(drawn(rng, rng.randint(2, 8), rng.randint(3, 6), kind), n, 0))
        apart = gap(finished.events)
        regimes[finished.result.regime] += 1
        gaps["one side" if apart is None else "apart" if apart >= GAP else "close"] += 1
        assert any(isinstance(e, MessagePosted) for e in finished.events)
    assert {"consensus", "mixed", "polarized"} <= set(regimes), regimes
    assert min(gaps[k] for k in ("one side", "apart", "close")) >= 3, gaps


def test_first_positions_are_those_of_the_networks() -> None:
    """What the log calls private is what the believers' own networks say, before anybody has spoken."""
    for n in range(20):
        rng = Random(f"first/{n}")
        pack = drawn(rng, rng.randint(2, 8), rng.randint(3, 6), "any")
        known, _ = worlds.exact(pack)
        events = debated(Setting(pack, n, 1)).events
        firsts = {str(e.agent): e.p_top for e in events if isinstance(e, FirstPosition)}
        assert firsts == {a: pytest.approx(k.p_top, abs=SLACK) for a, k in known.items()}


@pytest.mark.parametrize(
    ("firsts", "last", "regime", "fault"),
    [
        ((0.9, 0.1), (0.9, 0.1), "polarized", ""),
        ((0.9, 0.1), (0.9, 0.1), "consensus", "consensus"),
        ((0.9, 0.1), (0.6, 0.5), "consensus", ""),
        ((0.9, 0.1), (0.1, 0.9), "consensus", "consensus"),
        ((0.9, 0.8), (0.9, 0.1), "polarized", "polarized"),
        ((0.9, 0.8), (0.9, 0.8), "consensus", ""),
        ((0.9, 0.5), (0.9, 0.5), "polarized", "polarized"),
    ],
)
def test_the_judge_of_these_tests_is_right(
    firsts: tuple[float, ...], last: tuple[float, ...], regime: str, fault: str
) -> None:
    log: list[AnyEvent] = [
        FirstPosition(at_ms=0, agent=AgentId(f"a{n}"), p_top=p, side=TopSide.NUANCED, reason="")
        for n, p in enumerate(firsts)
    ]
    log += [
        ProbeAnswered(at_ms=1, thread=ThreadId("t1"), phase=Phase.AFTER, round=1, agent=AgentId(f"a{n}"), p_top=p)
        for n, p in enumerate(last)
    ]
    assert wrong(log, regime).startswith(fault) and bool(wrong(log, regime)) == bool(fault)


# ---- a gap that closes and opens again


class Wavering(Flooder):
    """Answers in private as told for a thread and a phase, and otherwise as its side would."""

    def __init__(self, id: AgentId, side: Side, minds: dict[tuple[str, Phase], Mind]) -> None:
        super().__init__(id, side, spawning)
        self._minds = minds

    def _probed(self, ask: AskProbe) -> Probed:
        kept = self._mind, self._after
        self._mind = self._after = self._minds.get((ask.thread, ask.phase), self._mind)
        try:
            return super()._probed(ask)
        finally:
            self._mind, self._after = kept


NEAR = Mind(0.5, 0.6, 0.4)  # both hold the same


def apart(p_top: float) -> Mind:
    """Sure of the topic, whatever the answer to the question: values."""
    return Mind(0.5, p_top, p_top, p_top)


def wavering(minds: dict[tuple[str, Phase], tuple[Mind, Mind]], max_ms: int) -> Finished:
    table = {
        ANN: Wavering(ANN, Side.YES, {key: pair[0] for key, pair in minds.items()}),
        BOB: Wavering(BOB, Side.NO, {key: pair[1] for key, pair in minds.items()}),
    }
    pack = pack_for(list(table.values()))
    return asyncio.run(
        run_starts.start(pack, MemoryStore(), settings=Settings(max_ms=max_ms), debaters=table, run="r1")
    )


@pytest.mark.rule("CRY-3")
@pytest.mark.parametrize(
    ("minds", "max_ms"),
    [
        pytest.param(
            {("t1", Phase.AFTER): (NEAR, NEAR), ("t2", Phase.BEFORE): (apart(0.9), apart(0.1))},
            400_000,
            id="resolved in one thread, values in the next",
        ),
        pytest.param(
            {("t1", Phase.AFTER): (NEAR, NEAR)},
            420_000,
            id="resolved in one thread, apart in the next, which is open when time is up",
        ),
        pytest.param(
            {("t1", Phase.BEFORE): (NEAR, NEAR)},
            230_000,
            id="nothing to disagree about in one thread, apart in the next, which is open when time is up",
        ),
        pytest.param(
            {("t1", Phase.AFTER): (NEAR, NEAR)},
            300_000,
            id="resolved, and apart when asked what everybody shares",
        ),
    ],
)
def test_a_gap_that_opens_again_is_no_consensus(minds: dict[tuple[str, Phase], tuple[Mind, Mind]], max_ms: int) -> None:
    finished = wavering(minds, max_ms)
    found = gap(finished.events)
    assert found is not None and found >= 0.6, "the last private answers are far apart"
    checked(finished)
