"""The scenario of the seed's sample run, with archetypes: every number is recomputed here from the specification."""

import asyncio
from collections.abc import Mapping
from statistics import mean
from typing import Literal, TypeVar

import pytest

from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import run_starts
from cruxfinder.crux.events import (
    CoalitionDetected,
    CruxPromoted,
    LockFailed,
    LockSucceeded,
    MessagePosted,
    MessageRefused,
    ModeratorIntervention,
    StageTransition,
    SteelmanGraded,
    ThreadCreated,
    ThreadProposed,
)
from cruxfinder.crux.moves import Commit
from cruxfinder.crux.result import ThreadResult
from cruxfinder.kernel.vocabulary import AgentId, Ending, Grade, Horizon, Relation, Side, Status, Trigger, Verdict
from cruxfinder.protocols.any_run import AnyEvent, Finished
from tests.whole.sample import (
    ADOPTION,
    AGENTS,
    BUILDER,
    CONFIDENCE,
    GOLD,
    HOLDER,
    ODDS,
    P_TOP,
    PROBES,
    RISK,
    SIDES,
    SUPPLY,
    TRADER,
    debaters,
    pack,
)

E = TypeVar("E", bound=AnyEvent)
SEED = 1
CAMP_YES, CAMP_NO = (HOLDER, BUILDER), (TRADER, GOLD, ODDS)


@pytest.fixture(scope="module")
def run() -> Finished:
    return asyncio.run(run_starts.start(pack(), MemoryStore(), seed=SEED, debaters=debaters(), run="sample"))


def of(run: Finished, kind: type[E]) -> list[E]:
    return [e for e in run.events if isinstance(e, kind)]


def thread(run: Finished, question: str) -> ThreadResult:
    return next(t for t in run.result.threads if t.crux is not None and t.crux.question == question)


# ---- the table, from SPEC and BELIEFS alone


def camp_mean(values: Mapping[AgentId, float], camp: tuple[AgentId, ...]) -> float:
    return mean(values[a] for a in camp)


def gap() -> float:
    return camp_mean(P_TOP, CAMP_YES) - camp_mean(P_TOP, CAMP_NO)


def column(question: str, place: Literal[0, 1, 2]) -> dict[AgentId, float]:
    return {a: row[place] for a, row in PROBES[question].items()}


def share(question: str) -> float:
    c = column(question, 0)
    slope = {a: p1 - p0 for a, (_, p1, p0) in PROBES[question].items()}
    apart = camp_mean(c, CAMP_YES) - camp_mean(c, CAMP_NO)
    return apart * (camp_mean(slope, CAMP_YES) + camp_mean(slope, CAMP_NO)) / 2 / gap()


def gap_closed(question: str) -> float:
    c, p1, p0 = (column(question, n) for n in (0, 1, 2))
    settled = (camp_mean(c, CAMP_YES) + camp_mean(c, CAMP_NO)) / 2
    if_yes = abs(camp_mean(p1, CAMP_YES) - camp_mean(p1, CAMP_NO))
    if_no = abs(camp_mean(p0, CAMP_YES) - camp_mean(p0, CAMP_NO))
    return 1 - (settled * if_yes + (1 - settled) * if_no) / abs(gap())


def flips(question: str) -> set[AgentId]:
    """Committed to YES or NO, and one answer above .55, the other below .45."""
    return {
        a
        for a, (_, p1, p0) in PROBES[question].items()
        if SIDES[question][a] is not Side.UNCERTAIN and max(p1, p0) > 0.55 and min(p1, p0) < 0.45
    }


def dcg(question: str) -> tuple[float, float, float, float]:
    sides = list(SIDES[question].values())
    yes, no = sides.count(Side.YES), sides.count(Side.NO)
    coverage = len(flips(question)) / len(AGENTS)
    polarity = 2 * min(yes, no) / (yes + no)
    impact = mean(CONFIDENCE[question][a] for a in flips(question))
    return coverage, polarity, impact, coverage * polarity * impact


def rank(question: str) -> float:
    return max(-1.0, min(2.0, share(question))) + dcg(question)[3] / 2


# ---- what happened


def test_five_agents_and_two_threads_the_second_taken_up_by_another(run: Finished) -> None:
    assert len(run.result.agents) == 5
    first, second = of(run, ThreadCreated)
    assert (first.thread, first.parent, first.question) == ("t1", None, "")
    assert (second.parent, second.trigger, second.question) == ("t1", Trigger.FRAMING, ADOPTION)
    told = [p for p in of(run, ThreadProposed) if p.proposal == second.proposal][-1]
    assert {HOLDER, BUILDER, GOLD} >= set(told.supporters) >= {BUILDER, GOLD}
    assert len(told.mentions) >= 2
    assert second.distance is not None and second.distance >= 0.3


def test_the_first_lock_fails_and_a_retried_steelman_mends_it(run: Finished) -> None:
    failed = of(run, LockFailed)
    assert [f.thread for f in failed] == ["t1"]
    assert {m.rule for m in failed[0].missing} == {"LOCK-3"}
    assert failed[0].granted == max(4, 2 * len(failed[0].missing))
    grades = [g for g in of(run, SteelmanGraded) if g.thread == "t1"]
    assert [g.grade for g in grades].count(Grade.INCOMPLETE) == 6
    assert [g.grade for g in grades].count(Grade.ACCURATE) == 8
    assert {lock.thread for lock in of(run, LockSucceeded)} == {"t1", "t2"}
    later = [s.at_ms for s in of(run, LockSucceeded) if s.thread == "t1"]
    assert later[0] > failed[0].at_ms


def test_horizons_are_aligned_before_the_lock(run: Finished) -> None:
    (aligned,) = [i for i in of(run, ModeratorIntervention) if i.cause == "MOD-6"]
    entered = next(s for s in of(run, StageTransition) if s.thread == "t1" and s.entered == "CRUX_LOCK")
    assert aligned.horizon is Horizon.DECADE and aligned.at_ms <= entered.at_ms
    committed = [m.move for m in of(run, MessagePosted) if m.thread == "t1" and isinstance(m.move, Commit)]
    assert {c.horizon for c in committed} == {Horizon.DECADE}
    assert thread(run, RISK).horizon is Horizon.DECADE


def test_the_crux_ranked_higher_is_promoted_and_primary(run: Finished) -> None:
    promoted = {p.thread: p.rank for p in of(run, CruxPromoted)}
    one, two = thread(run, RISK), thread(run, ADOPTION)
    assert set(promoted) == {one.id, two.id}
    assert one.crux is not None and two.crux is not None
    assert one.crux.rank > two.crux.rank
    assert run.result.primary_crux == one.crux.id
    assert run.result.primary_crux_question == RISK
    assert f"{round(rank(RISK), 4):.2f}" in run.result.primary_crux_reason


@pytest.mark.parametrize("question", [RISK, ADOPTION])
def test_every_number_of_a_crux_is_that_of_the_table(run: Finished, question: str) -> None:
    found = thread(run, question)
    assert found.crux is not None
    crux = found.crux
    coverage, polarity, impact, score = dcg(question)
    assert crux.dcg.coverage == pytest.approx(coverage, abs=1e-4)
    assert crux.dcg.polarity == pytest.approx(polarity, abs=1e-4)
    assert crux.dcg.impact == pytest.approx(impact, abs=1e-4)
    assert crux.dcg.score == pytest.approx(score, abs=1e-4)
    assert crux.explained_share == pytest.approx(share(question), abs=1e-4)
    assert crux.gap_closed == pytest.approx(gap_closed(question), abs=1e-4)
    assert crux.rank == pytest.approx(rank(question), abs=1e-4)
    assert found.gap_before == pytest.approx(gap(), abs=1e-4)
    assert found.gap_after == pytest.approx(gap(), abs=1e-4)
    assert {a: p.side for a, p in crux.positions.items()} == SIDES[question]
    assert {a: p.confidence for a, p in crux.positions.items()} == CONFIDENCE[question]
    flipping = {a for a, c in crux.counterfactual.items() if c.would_flip}
    assert {a for a in flipping if SIDES[question][AgentId(a)] is not Side.UNCERTAIN} == flips(question)
    firm = [c for a, c in CONFIDENCE[question].items() if SIDES[question][a] is not Side.UNCERTAIN]
    assert crux.confidence == pytest.approx(mean(firm), abs=1e-4)
    assert len(crux.resolution_criteria) == 4 and crux.validated
    assert (found.status, found.verdict, found.changes) == (Status.CONVERGED, Verdict.CRUX, ())


def test_the_samples_own_numbers_do_not_follow_from_its_rules() -> None:
    """It prints polarity 1.0 for one YES against two NO; with everybody committed it is two against two here."""
    assert dcg(RISK)[:2] == (0.6, 1.0)
    assert 2 * min(1, 2) / 3 == pytest.approx(0.667, abs=1e-3)


def test_camps_coalitions_and_common_ground(run: Finished) -> None:
    assert (set(run.result.camps.yes), set(run.result.camps.no)) == (set(CAMP_YES), set(CAMP_NO))
    one, two = thread(run, RISK).crux, thread(run, ADOPTION).crux
    assert one is not None and two is not None
    found = {frozenset(c.members): c.positions for c in run.result.coalitions}
    assert found == {
        frozenset({HOLDER, BUILDER}): {one.id: "NO", two.id: "YES"},
        frozenset({TRADER, GOLD}): {one.id: "YES", two.id: "NO"},
    }
    assert all(c.preliminary and c.label.startswith(('YES on "', 'NO on "')) for c in run.result.coalitions)
    assert all(c.label.endswith('?"') for c in run.result.coalitions)
    assert of(run, CoalitionDetected)[-1].cruxes == 2
    assert [(g.statement, set(g.agrees), g.type) for g in run.result.common_ground] == [
        (f"{SUPPLY}.", set(AGENTS), "factual")
    ]


def test_how_the_cruxes_hang_together(run: Finished) -> None:
    one, two = thread(run, RISK).crux, thread(run, ADOPTION).crux
    assert one is not None and two is not None
    (edge,) = run.result.dependencies
    assert {edge.from_, edge.to} == {one.id, two.id}
    assert (edge.type, edge.validated, edge.confidence) == (Relation.CONTRADICTS, True, 0.9)
    assert edge.by != edge.second_opinion and len(edge.entailment_sketch) >= 20
    assert run.result.contradictions == ()
    assert set(run.result.irreducible_cruxes) <= {one.id, two.id} and run.result.irreducible_cruxes
    assert run.result.recommended_next_questions


def test_it_ends_polarised(run: Finished) -> None:
    result = run.result
    assert (result.ending, result.verdict, result.regime) == (Ending.NATURAL, Verdict.CRUX, "polarized")
    assert result.confidence == "HIGH"


def test_the_metrics_are_counts_over_the_log(run: Finished) -> None:
    metrics = run.result.system_metrics
    posted = of(run, MessagePosted)
    blocked = [r for r in of(run, MessageRefused) if r.outcome != "held"]
    assert metrics.messages_blocked == len(blocked)
    assert (metrics.crux_lock_attempts, metrics.crux_lock_successes, metrics.crux_lock_failures) == (3, 2, 1)
    assert metrics.failure_reasons == {"LOCK-3": len(of(run, LockFailed)[0].missing)}
    assert metrics.steelman_attempts == 22  # eight pairs in each thread, six of the first thread's tried again
    assert metrics.steelman_retries == 6
    assert metrics.steelman_accuracy_rate == pytest.approx(10 / 16)
    assert metrics.dcg_promotions == len(of(run, CruxPromoted)) == 2
    assert (metrics.horizon_mismatches, metrics.horizon_alignments, metrics.horizon_splits) == (1, 1, 0)
    assert (metrics.threads_opened, metrics.threads_merged, metrics.threads_stale) == (2, 0, 0)
    assert run.result.total_messages == len(posted)
    aims = [m.attention for m in posted if m.attention is not None]
    assert metrics.replies == len(aims)
    assert metrics.replies_well_aimed == pytest.approx(mean(a >= 0.7 for a in aims) if aims else 0, abs=1e-4)
    assert run.result.cost == 0
