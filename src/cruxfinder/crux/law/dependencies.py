"""How two cruxes bear on each other. SPEC §13, CRY-2: duplicates, dependencies with a sketch and a second opinion.

Everybody is asked for P(second | first) and back. A relation stands when two agents hold it, of both camps if it can
be; numbers and the sketch come from the one who is less sure, so that nothing is claimed beyond what both hold.
"""

from collections.abc import Mapping
from itertools import combinations
from typing import Final

from cruxfinder.crux.events import CruxesRelated, Dependency, RelationAnswered
from cruxfinder.crux.law import probes
from cruxfinder.crux.law.threads import question_of
from cruxfinder.crux.state import Debate, Pair
from cruxfinder.crux.thread import Thread
from cruxfinder.kernel.vocabulary import AgentId, Phase, Relation, RuleId, Status, ThreadId
from cruxfinder.language.english.texts import same_question

RELATED: Final = RuleId("CRY-2")

EVERY: Final = 20  # messages between two looks across threads
CONFIDENCE_MIN: Final = 0.8
SKETCH_MIN: Final = 20
BEARS: Final = 0.2  # the least difference the first answer must make to the second
SAME_BELOW: Final = 0.1  # distance of two questions
BEHIND: Final = 0.5


def crystallised_threads(debate: Debate) -> tuple[Thread, ...]:
    """Threads that ended with a locked crux."""
    return tuple(t for t in debate.threads.values() if t.status is Status.CONVERGED and t.extracted is not None)


def distinct_cruxes(debate: Debate) -> tuple[Thread, ...]:
    """The same without those that ask what an earlier one asked."""
    copies = {r.second for r in debate.related.values() if r.same}
    return tuple(t for t in crystallised_threads(debate) if t.id not in copies)


def uncompared_pairs(debate: Debate) -> tuple[Pair, ...]:
    """Pairs of cruxes nobody has compared yet."""
    if RELATED in debate.settings.off:
        return ()
    pairs = combinations((t.id for t in crystallised_threads(debate)), 2)
    return tuple(p for p in pairs if p not in debate.related)


def is_comparison_due(debate: Debate) -> bool:
    """Is it time for a look across threads? Every 20 messages, and when nobody speaks any more."""
    begun = bool(debate.related) and debate.spoken == debate.related_at  # one look compares all pairs
    return not debate.active or begun or debate.spoken - debate.related_at >= EVERY


def relate_cruxes(debate: Debate, pair: Pair, distance: float, at_ms: int) -> CruxesRelated:
    """What the answers say of two cruxes."""
    first, second = (debate.threads[id] for id in pair)
    given = {a: answer for a, answer in debate.relations.get(pair, {}).items() if not answer.failed}
    alike = distance < SAME_BELOW or same_question(question_of(first), question_of(second))
    same = alike and first.horizon is second.horizon
    kept = () if same else (forward_dependency(debate, pair, given), backward_dependency(debate, pair, given))
    return CruxesRelated(
        at_ms=at_ms,
        first=pair[0],
        second=pair[1],
        distance=round(distance, 4),
        same=same,
        root=None if same else root(first, second, given),
        dependencies=tuple(d for d in kept if d is not None),
    )


Opinion = tuple[Relation, float, str]


def opinion(if_yes: float, if_no: float, sketch: str) -> Opinion | None:
    """What one agent holds of a YES here for a YES there; None where it hardly matters, or is not argued."""
    slope = if_yes - if_no
    if abs(slope) < BEARS or len(sketch.strip()) < SKETCH_MIN:
        return None
    if slope < 0:
        relation, confidence = Relation.CONTRADICTS, 1 - if_yes
    elif if_yes >= CONFIDENCE_MIN:
        relation, confidence = Relation.ENTAILS, if_yes
    else:
        relation, confidence = Relation.SUPPORTS, 0.5 + slope
    return (relation, confidence, sketch.strip()) if confidence >= CONFIDENCE_MIN else None


def forward_dependency(debate: Debate, pair: Pair, given: Mapping[AgentId, RelationAnswered]) -> Dependency | None:
    held = {a: opinion(x.second_if_yes, x.second_if_no, x.sketch) for a, x in given.items()}
    return agreed_dependency(debate, pair[0], pair[1], held)


def backward_dependency(debate: Debate, pair: Pair, given: Mapping[AgentId, RelationAnswered]) -> Dependency | None:
    held = {a: opinion(x.first_if_yes, x.first_if_no, x.back) for a, x in given.items()}
    return agreed_dependency(debate, pair[1], pair[0], held)


def agreed_dependency(
    debate: Debate, from_: ThreadId, to: ThreadId, held: Mapping[AgentId, Opinion | None]
) -> Dependency | None:
    """The relation two agents hold with most confidence, and the two: one of each camp where it can be."""
    camps = probes.camps(debate.firsts)
    opinions = [(a, o) for a, o in held.items() if o is not None]
    best: tuple[bool, float, AgentId, AgentId, Opinion] | None = None
    for (one, a), (other, b) in combinations(opinions, 2):
        if a[0] is not b[0]:
            continue
        across = {one, other} & set(camps.yes) != set() and {one, other} & set(camps.no) != set()
        weaker, by, second = (a, other, one) if a[1] <= b[1] else (b, one, other)
        if best is None or (across, weaker[1]) > best[:2]:
            best = (across, weaker[1], by, second, weaker)
    if best is None:
        return None
    _, confidence, by, second, (relation, _, sketch) = best
    return Dependency(
        from_crux=from_,
        to_crux=to,
        relation=relation,
        confidence=round(confidence, 4),
        sketch=sketch,
        by=by,
        second=second,
    )


def root(first: Thread, second: Thread, given: Mapping[AgentId, RelationAnswered]) -> ThreadId | None:
    """Which of the two lies behind the other: it explains at least half of the other's gap, and more than it does."""
    in_first, in_second = credences(first), credences(second)
    forth = share(in_second, in_first, {a: x.second_if_yes - x.second_if_no for a, x in given.items()})
    back = share(in_first, in_second, {a: x.first_if_yes - x.first_if_no for a, x in given.items()})
    if forth >= BEHIND and forth > back:
        return first.id
    return second.id if back >= BEHIND and back > forth else None


def credences(thread: Thread) -> dict[AgentId, float]:
    asked = thread.crux
    assert asked is not None, "only locked questions are compared"
    read = probes.readings(thread, Phase.BEFORE)
    return {a: r.credences[asked].c for a, r in read.items() if asked in r.credences}


def share(of: Mapping[AgentId, float], by: Mapping[AgentId, float], slopes: Mapping[AgentId, float]) -> float:
    """The explained share with a crux in the place of the topic: how much of its gap another one accounts for."""
    agents = [a for a in slopes if a in of and a in by]
    yes, no = [a for a in agents if of[a] > 0.5], [a for a in agents if of[a] < 0.5]
    if not yes or not no:
        return 0.0
    means = [[probes.mean([x[a] for a in camp]) for camp in (yes, no)] for x in (of, by, slopes)]
    (of_yes, of_no), (by_yes, by_no), (slope_yes, slope_no) = means
    gap = of_yes - of_no
    return (by_yes - by_no) * (slope_yes + slope_no) / 2 / gap if gap > 1e-9 else 0.0
