"""How the cruxes hang together. SPEC §13, CRY-3: dependency graph, roots, implications, irreducible cruxes.

Bearing is symmetric in chances, so that two cruxes may each support the other: the surer direction is kept, and an
edge that would close a circle is left out.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cruxfinder.crux.events import Dependency
from cruxfinder.crux.law import agenda, crux_quality, dependencies
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread
from cruxfinder.crux.thread_crux import locked_id
from cruxfinder.kernel.vocabulary import Relation, Side, ThreadId, Verdict

FOUND: Final = frozenset({Verdict.CRUX, Verdict.PARTIAL})
DECIDES: Final = frozenset({Relation.ENTAILS, Relation.CONTRADICTS})


@dataclass(frozen=True, slots=True, kw_only=True)
class CruxDependency:
    from_: str
    to: str
    type: Relation
    entailment_sketch: str
    confidence: float
    validated: bool  # a second agent holds it too
    by: str
    second_opinion: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """An agent on sides of two cruxes that do not go together."""

    agent: str
    first: str
    second: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicate:
    """Two cruxes that ask the same; the one ranked higher is kept."""

    kept: str
    copy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CruxGraph:
    dependencies: tuple[CruxDependency, ...]
    contradictions: tuple[Contradiction, ...]
    duplicates: tuple[Duplicate, ...]
    roots: tuple[str, ...]
    implications: dict[str, tuple[str, ...]]
    irreducible: tuple[str, ...]


def graph_of(debate: Debate) -> CruxGraph:
    """The map of a debate's cruxes; threads stand for the cruxes they locked."""
    found = agenda.sort_by_rank(dependencies.crystallised_threads(debate))
    copies = duplicates(debate, found)
    kept = [t for t in found if t.id not in {second for _, second in copies}]
    ids = [t.id for t in kept]
    edges = acyclic_edges(
        [d for r in debate.related.values() for d in r.dependencies if {d.from_crux, d.to_crux} <= set(ids)]
    )
    above = parents(debate, ids, edges)
    roots = [id for id in ids if not above[id]]
    named = {t.id: locked_id(t) for t in found}
    return CruxGraph(
        dependencies=tuple(crux_dependency(d, named) for d in edges),
        contradictions=tuple(contradictions(kept, edges, named)),
        duplicates=tuple(Duplicate(kept=named[a], copy=named[b]) for a, b in copies),
        roots=tuple(named[id] for id in roots),
        implications={named[root]: tuple(named[id] for id in ids if id in downstream(root, above)) for root in roots},
        irreducible=tuple(named[t.id] for t in kept if t.id in roots and is_split(t)),
    )


def crux_dependency(d: Dependency, named: Mapping[ThreadId, str]) -> CruxDependency:
    return CruxDependency(
        from_=named[d.from_crux],
        to=named[d.to_crux],
        type=d.relation,
        entailment_sketch=d.sketch,
        confidence=d.confidence,
        validated=True,
        by=d.by,
        second_opinion=d.second,
    )


def duplicates(debate: Debate, found: Sequence[Thread]) -> list[tuple[ThreadId, ThreadId]]:
    """Pairs that ask the same, the one ranked higher first."""
    order = {t.id: n for n, t in enumerate(found)}
    pairs = [(r.first, r.second) for r in debate.related.values() if r.same and {r.first, r.second} <= set(order)]
    return [(a, b) if order[a] < order[b] else (b, a) for a, b in pairs]


def acyclic_edges(edges: Iterable[Dependency]) -> list[Dependency]:
    """The surest edges that close no circle."""
    kept: list[Dependency] = []
    for edge in sorted(edges, key=lambda d: (-d.confidence, d.from_crux, d.to_crux)):
        if edge.from_crux not in reachable_threads(edge.to_crux, kept):
            kept.append(edge)
    return kept


def reachable_threads(start: ThreadId, edges: Sequence[Dependency]) -> set[ThreadId]:
    seen, border = {start}, [start]
    while border:
        here = border.pop()
        for edge in edges:
            if edge.from_crux == here and edge.to_crux not in seen:
                seen.add(edge.to_crux)
                border.append(edge.to_crux)
    return seen


def parents(debate: Debate, ids: Sequence[ThreadId], edges: Sequence[Dependency]) -> dict[ThreadId, set[ThreadId]]:
    """What decides each crux: one that entails or contradicts it, or that lies behind it."""
    above: dict[ThreadId, set[ThreadId]] = {id: set() for id in ids}
    for edge in edges:
        if edge.relation in DECIDES:
            above[edge.to_crux].add(edge.from_crux)
    for r in debate.related.values():
        if r.root is not None and {r.first, r.second} <= set(ids):
            other = r.second if r.root == r.first else r.first
            if other not in ancestors(r.root, above):
                above[other].add(r.root)
    return above


def ancestors(id: ThreadId, above: Mapping[ThreadId, set[ThreadId]]) -> set[ThreadId]:
    seen: set[ThreadId] = set()
    border = [id]
    while border:
        for parent in above[border.pop()] - seen:
            seen.add(parent)
            border.append(parent)
    return seen


def downstream(root: ThreadId, above: Mapping[ThreadId, set[ThreadId]]) -> set[ThreadId]:
    return {id for id in above if root in ancestors(id, above)}


def is_split(thread: Thread) -> bool:
    """Does somebody still stand on each side of a crux that was found?"""
    sides = crux_quality.positions_now(thread).values()
    return thread.outcome in FOUND and Side.YES in sides and Side.NO in sides


def contradictions(
    kept: Sequence[Thread], edges: Sequence[Dependency], named: Mapping[ThreadId, str]
) -> Iterable[Contradiction]:
    sides = {t.id: crux_quality.positions_now(t) for t in kept}
    for edge in edges:
        if edge.relation not in DECIDES:
            continue
        follows = Side.YES if edge.relation is Relation.ENTAILS else Side.NO
        for agent, side in sides[edge.from_crux].items():
            there = sides[edge.to_crux].get(agent, Side.UNCERTAIN)
            if side is Side.YES and there not in (follows, Side.UNCERTAIN):
                why = f"YES to the first means {follows} to the second, not {there}: {edge.sketch}"
                yield Contradiction(agent=agent, first=named[edge.from_crux], second=named[edge.to_crux], why=why)
