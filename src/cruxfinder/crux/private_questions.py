"""Which private questions the thread waits for: before the lock, after a public change, and at its end."""

from dataclasses import dataclass

from cruxfinder.crux.asks import Question
from cruxfinder.crux.law import candidates, dependencies, planting, probes, shared_ground, stages
from cruxfinder.crux.law.planting import Plant
from cruxfinder.crux.state import Debate, Pair
from cruxfinder.crux.thread import Candidate, Thread, find_candidate
from cruxfinder.kernel.vocabulary import AgentId, Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class Probes:
    """Ask these agents, in private, about these candidates."""

    phase: Phase
    round: int
    agents: tuple[AgentId, ...]
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Ask those who take part whether the crux as extracted represents them."""

    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Compare:
    """Ask everybody how two cruxes bear on each other."""

    pair: Pair


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundProbes:
    """Ask those who have not answered yet what they hold of the claims nobody disputed."""

    agents: tuple[AgentId, ...]
    questions: tuple[Question, ...]


def due_across_threads(debate: Debate) -> Compare | GroundProbes | Plant | None:
    """The private questions that belong to no single thread, and those that hold nobody up."""
    if debate.complete is not None:
        return None
    if (plant := planting.next_plant(debate)) is not None:
        return plant
    if len(debate.threads) > 1 and dependencies.is_comparison_due(debate):
        pairs = dependencies.uncompared_pairs(debate)
        if pairs:
            return Compare(pair=pairs[0])
    if debate.active or not debate.firsts:
        return None
    home = next(iter(debate.threads.values()))
    answered = home.probes.get((Phase.GROUND, 1), {})
    agents = tuple(a for a in debate.agents if a not in answered)
    questions = shared_ground.undisputed_questions(debate) if agents else ()
    return GroundProbes(agents=agents, questions=questions) if questions else None


def due_in_thread(debate: Debate, thread: Thread) -> Probes | Judgement | None:
    if thread.over or debate.complete is not None:
        return None
    if is_weighing(debate, thread):
        return before_lock(debate, thread)
    if thread.unlabelled:
        return Probes(
            phase=Phase.CHANGE,
            round=len(thread.changes) + 1,
            agents=(thread.unlabelled[0].agent,),
            candidates=thread.candidates,
        )
    if is_closing(debate, thread):
        if thread.extracted is not None:
            return Judgement(version=thread.extracted.version)
        return next_round(debate, thread, Phase.AFTER, asked_rounds(thread))
    return None


def is_weighing(debate: Debate, thread: Thread) -> bool:
    """DISCOVERY is over and its candidates are being weighed in private."""
    return stages.discovery_over(debate, thread) and stages.ready_for_lock(thread)


def is_closing(debate: Debate, thread: Thread) -> bool:
    """EVIDENCE is over and the thread waits for its last probes and judgements."""
    return stages.evidence_over(debate, thread)


def is_waiting(debate: Debate, thread: Thread) -> bool:
    """Nobody speaks while the thread waits for private answers."""
    return is_weighing(debate, thread) or is_closing(debate, thread)


def before_lock(debate: Debate, thread: Thread) -> Probes | None:
    if Phase.BEFORE not in thread.figures:
        return next_round(debate, thread, Phase.BEFORE, asked_rounds(thread))
    best = find_candidate(thread, candidates.leading_candidate(thread, thread.figures[Phase.BEFORE].figures))
    assert best is not None, "figures name candidates of the thread"
    told = probes.fixed_answers(thread, best.id)
    asked = thread.probes.get((Phase.WORDING, 1), {})
    agents = tuple(a for a in debate.agents if a not in told and a not in asked)
    return Probes(phase=Phase.WORDING, round=1, agents=agents, candidates=(best,)) if agents else None


def asked_rounds(thread: Thread) -> int:
    """One round, or three where the first one shows that the answers are noisy."""
    first = thread.probes.get((Phase.BEFORE, 1))
    if first is None:
        return 1
    given = probes.readings_of({1: first})
    return probes.rounds_needed(given)


def next_round(debate: Debate, thread: Thread, phase: Phase, count: int) -> Probes | None:
    for number in range(1, count + 1):
        found = missing_probes(debate, thread, phase, number, thread.candidates)
        if found is not None:
            return found
    return None


def missing_probes(
    debate: Debate, thread: Thread, phase: Phase, number: int, about: tuple[Candidate, ...]
) -> Probes | None:
    answered = thread.probes.get((phase, number), {})
    agents = tuple(a for a in debate.agents if a not in answered)
    return Probes(phase=phase, round=number, agents=agents, candidates=about) if agents else None
