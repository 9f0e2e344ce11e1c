"""How the cruxes of a debate hang together: CRY-3 of SPEC §13."""

from collections.abc import Mapping, Sequence
from itertools import count, permutations

import pytest

from cruxfinder.crux.crux_graph import acyclic_edges, graph_of
from cruxfinder.crux.events import (
    CandidateFigures,
    CruxesRelated,
    CruxExtracted,
    DcgCalculated,
    Dependency,
)
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Candidate, Thread
from cruxfinder.kernel.frozen_copies import copy_with
from cruxfinder.kernel.vocabulary import AgentId, MessageId, Phase, Relation, Side, Stage, Status, ThreadId, Verdict
from tests.law.build import ANN, BOB, C1, CAT, DAN, T1, T2, T3, Play

T4 = ThreadId("t4")
ENTAILS, CONTRADICTS, SUPPORTS = Relation
SPLIT: Mapping[AgentId, Side] = {ANN: Side.YES, BOB: Side.NO}


def crux(
    id: ThreadId,
    rank: float = 1.0,
    sides: Mapping[AgentId, Side] = SPLIT,
    outcome: Verdict = Verdict.CRUX,
    status: Status = Status.CONVERGED,
) -> Thread:
    """A thread that ended with its question locked and a crux extracted."""
    row = CandidateFigures(
        candidate=C1, share=rank, gap_closed=0.5, coverage=1.0, polarity=1.0, impact=0.0, dcg=0.0, rank=rank
    )
    asked = Candidate(id=C1, question=f"Is {id} so?", yes_means="Yes.", no_means="No.", by=ANN, message=MessageId("m1"))
    return Thread(
        id=id,
        topic="any",
        created_ms=0,
        stage=Stage.EVIDENCE,
        status=status,
        candidates=(asked,),
        crux=C1,
        figures={
            Phase.BEFORE: DcgCalculated(at_ms=0, thread=id, phase=Phase.BEFORE, gap=0.6, noise=0.0, figures=(row,))
        },
        sides=sides,
        extracted=CruxExtracted(at_ms=0, thread=id, candidate=C1, version=1, validated=True),
        outcome=outcome,
    )


def edge(from_: ThreadId, to: ThreadId, relation: Relation = ENTAILS, confidence: float = 0.9) -> Dependency:
    return Dependency(
        from_crux=from_, to_crux=to, relation=relation, confidence=confidence, sketch="so it is", by=ANN, second=BOB
    )


def related(
    *edges: Dependency, same: Sequence[tuple[ThreadId, ThreadId]] = (), behind: Mapping[ThreadId, ThreadId] = {}
) -> list[CruxesRelated]:
    """What was found of pairs; `behind` names the root of each crux that has one."""
    found = [
        CruxesRelated(at_ms=0, first=e.from_crux, second=e.to_crux, distance=0.6, dependencies=(e,)) for e in edges
    ]
    found += [CruxesRelated(at_ms=0, first=a, second=b, distance=0.05, same=True) for a, b in same]
    found += [CruxesRelated(at_ms=0, first=a, second=root, distance=0.6, root=root) for a, root in behind.items()]
    return found


def debate_of(threads: Sequence[Thread], found: Sequence[CruxesRelated] = ()) -> Debate:
    play = Play(yes=(ANN, CAT), no=(BOB, DAN))
    number = count()
    return copy_with(
        play.debate,
        threads={t.id: t for t in threads},
        related={(r.first, r.second) if r.same or r.root else (r.first, next(number)): r for r in found},
    )


def names(*threads: ThreadId) -> tuple[str, ...]:
    return tuple(f"{t}.c1" for t in threads)


THREE = (crux(T1, 1.4), crux(T2, 1.2), crux(T3, 1.0))


# ---- the graph


@pytest.mark.rule("CRY-3")
def test_without_dependencies_every_crux_is_a_root_by_rank() -> None:
    graph = graph_of(debate_of((crux(T1, 1.0), crux(T2, 1.4), crux(T3, 1.2))))
    assert graph.roots == graph.irreducible == names(T2, T3, T1)
    assert graph.implications == dict.fromkeys(names(T2, T3, T1), ())
    assert graph.dependencies == () and graph.contradictions == ()


@pytest.mark.rule("CRY-3")
def test_what_another_crux_entails_is_an_implication_and_no_root() -> None:
    graph = graph_of(debate_of(THREE, related(edge(T1, T2), edge(T2, T3, CONTRADICTS))))
    assert graph.roots == names(T1)
    assert graph.implications == {"t1.c1": names(T2, T3)}, "what follows from what follows, too"
    assert graph.irreducible == names(T1)
    assert [(d.from_, d.to, d.type, d.validated) for d in graph.dependencies] == [
        ("t1.c1", "t2.c1", ENTAILS, True),
        ("t2.c1", "t3.c1", CONTRADICTS, True),
    ]


@pytest.mark.rule("CRY-3")
def test_what_another_crux_merely_supports_stays_a_root() -> None:
    graph = graph_of(debate_of(THREE, related(edge(T1, T2, SUPPORTS))))
    assert graph.roots == names(T1, T2, T3) and len(graph.dependencies) == 1


@pytest.mark.rule("CRY-3")
def test_what_another_crux_lies_behind_is_no_root() -> None:
    graph = graph_of(debate_of(THREE, related(behind={T1: T2})))
    assert graph.roots == names(T2, T3) and graph.implications["t2.c1"] == names(T1)


@pytest.mark.rule("CRY-3")
def test_a_crux_may_follow_from_two() -> None:
    graph = graph_of(debate_of(THREE, related(edge(T1, T3), edge(T2, T3))))
    assert graph.roots == names(T1, T2)
    assert graph.implications == {"t1.c1": names(T3), "t2.c1": names(T3)}


@pytest.mark.rule("CRY-3")
def test_only_threads_that_ended_with_a_crux_are_on_the_map() -> None:
    lost = copy_with(crux(T2, 1.9), status=Status.FAILED_LOCK)
    graph = graph_of(debate_of((crux(T1), lost), related(edge(T2, T1))))
    assert graph.roots == names(T1) and graph.dependencies == ()


# ---- circles


@pytest.mark.rule("CRY-3")
def test_of_two_directions_the_surer_one_is_kept() -> None:
    kept = acyclic_edges([edge(T1, T2, confidence=0.85), edge(T2, T1, confidence=0.9)])
    assert [(e.from_crux, e.to_crux) for e in kept] == [(T2, T1)]


@pytest.mark.rule("CRY-3")
@pytest.mark.parametrize("order", [pytest.param(p, id=f"{n}") for n, p in enumerate(permutations(range(4)))])
def test_an_edge_that_would_close_a_circle_is_left_out_whatever_the_order(order: tuple[int, ...]) -> None:
    ring = (edge(T1, T2), edge(T2, T3, confidence=0.95), edge(T3, T4), edge(T4, T1, confidence=0.85))
    kept = acyclic_edges([ring[n] for n in order])
    assert {(e.from_crux, e.to_crux) for e in kept} == {(T1, T2), (T2, T3), (T3, T4)}, "the least sure one is out"


@pytest.mark.rule("CRY-3")
def test_two_ways_to_one_crux_are_no_circle() -> None:
    edges = [edge(T1, T2), edge(T1, T3), edge(T2, T4), edge(T3, T4)]
    assert len(acyclic_edges(edges)) == 4


@pytest.mark.rule("CRY-3")
def test_a_root_is_left_even_where_cruxes_lie_behind_each_other_in_a_circle() -> None:
    graph = graph_of(debate_of(THREE, related(edge(T1, T2), behind={T1: T2})))
    assert graph.roots == names(T1, T3)
    graph = graph_of(debate_of(THREE, related(behind={T1: T2, T2: T3, T3: T1})))
    assert len(graph.roots) == 1


# ---- duplicates


@pytest.mark.rule("CRY-3")
def test_of_two_cruxes_that_ask_the_same_the_one_ranked_higher_stays() -> None:
    graph = graph_of(debate_of((crux(T1, 0.9), crux(T2, 1.4)), related(same=((T1, T2),))))
    assert [(d.kept, d.copy) for d in graph.duplicates] == [("t2.c1", "t1.c1")]
    assert graph.roots == graph.irreducible == names(T2)


@pytest.mark.rule("CRY-3")
def test_what_a_duplicate_bears_on_is_left_out_with_it() -> None:
    graph = graph_of(debate_of(THREE, related(edge(T2, T3), same=((T1, T2),))))
    assert graph.roots == names(T1, T3) and graph.dependencies == ()


# ---- irreducible


@pytest.mark.rule("CRY-3")
@pytest.mark.parametrize(
    ("sides", "outcome", "irreducible"),
    [
        pytest.param(SPLIT, Verdict.CRUX, True, id="somebody on each side of a crux"),
        pytest.param(SPLIT, Verdict.PARTIAL, True, id="or of a partial one"),
        pytest.param({ANN: Side.YES, BOB: Side.YES}, Verdict.CRUX, False, id="all on one side"),
        pytest.param({ANN: Side.YES, BOB: Side.UNCERTAIN}, Verdict.CRUX, False, id="one side and the uncertain"),
        pytest.param(SPLIT, Verdict.RESOLVED, False, id="the gap has closed"),
        pytest.param(SPLIT, Verdict.HOLLOW, False, id="or seems to have"),
    ],
)
def test_a_root_is_irreducible_while_it_divides(
    sides: Mapping[AgentId, Side], outcome: Verdict, irreducible: bool
) -> None:
    graph = graph_of(debate_of((crux(T1, sides=sides, outcome=outcome),)))
    assert graph.roots == names(T1)
    assert graph.irreducible == (names(T1) if irreducible else ())


# ---- contradictions


@pytest.mark.rule("CRY-3")
@pytest.mark.parametrize(
    ("relation", "first", "second", "contradicts"),
    [
        pytest.param(ENTAILS, Side.YES, Side.NO, True, id="YES entails YES, and it says NO"),
        pytest.param(ENTAILS, Side.YES, Side.YES, False, id="YES entails YES, and it says YES"),
        pytest.param(ENTAILS, Side.YES, Side.UNCERTAIN, False, id="YES entails YES, and it is uncertain"),
        pytest.param(ENTAILS, Side.NO, Side.YES, False, id="NO entails nothing"),
        pytest.param(CONTRADICTS, Side.YES, Side.YES, True, id="YES rules YES out, and it says YES to both"),
        pytest.param(CONTRADICTS, Side.YES, Side.NO, False, id="YES rules YES out, and it says NO"),
        pytest.param(SUPPORTS, Side.YES, Side.NO, False, id="support binds nobody"),
    ],
)
def test_an_agent_on_sides_that_do_not_go_together_contradicts_itself(
    relation: Relation, first: Side, second: Side, contradicts: bool
) -> None:
    threads = (crux(T1, 1.4, {ANN: first, BOB: Side.NO}), crux(T2, 1.2, {ANN: second, BOB: Side.NO}))
    found = graph_of(debate_of(threads, related(edge(T1, T2, relation)))).contradictions
    assert [(c.agent, c.first, c.second) for c in found] == ([("ann", "t1.c1", "t2.c1")] if contradicts else [])
    assert all("so it is" in c.why for c in found)


@pytest.mark.rule("CRY-3")
def test_who_took_no_side_on_one_of_them_contradicts_nothing() -> None:
    threads = (crux(T1, 1.4, {ANN: Side.YES}), crux(T2, 1.2, {BOB: Side.NO}))
    assert graph_of(debate_of(threads, related(edge(T1, T2)))).contradictions == ()
