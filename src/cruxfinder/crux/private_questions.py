"""Which private questions the thread waits for: before the lock, after a public change, and at its end."""

from collections.abc import Iterable
from dataclasses import dataclass

from cruxfinder.crux.asks import Question
from cruxfinder.crux.law import (
    candidates,
    changes,
    dependencies,
    planting,
    probe_rounds,
    probes,
    several_facts,
    shared_ground,
    stages,
    verdict,
)
from cruxfinder.crux.law.planting import Plant
from cruxfinder.crux.state import Debate, Pair
from cruxfinder.crux.thread import Candidate, Thread, find_candidate, rounds_before
from cruxfinder.kernel.vocabulary import AgentId, CandidateId, Phase


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
        return after_change(thread, thread.unlabelled[0].agent)
    if is_closing(debate, thread):
        if thread.extracted is not None:
            return Judgement(version=thread.extracted.version)
        return after_evidence(debate, thread)
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
    """The candidates; how they bear on each other, where none explains enough alone; the wording of the best one."""
    if Phase.BEFORE not in thread.figures:
        return about_candidates(debate, thread)
    if (linked := several_facts.questions_to_link(debate, thread)) and (due := about_links(debate, thread, linked)):
        return due
    if verdict.without_single_question(debate, thread) is not None or several_facts.should_look_again(debate, thread):
        return None
    best = find_candidate(thread, candidates.leading_candidate(thread, thread.figures[Phase.BEFORE].figures))
    assert best is not None, "figures name candidates of the thread"
    told = probes.agents_who_told_exact_reading(thread, best.id)
    agents = tuple(a for a in debate.agents if a not in told)
    return next_round(thread, Phase.WORDING, range(1, rounds_before(thread) + 1), agents, (best,))


def about_candidates(debate: Debate, thread: Thread) -> Probes | None:
    """What was named at a second look is asked about in rounds of its own."""
    look = thread.second_look
    asked = thread.candidates if look is None else thread.candidates[look.candidates :]
    earlier = 0 if look is None else look.rounds
    if not asked:
        return None
    count = probe_rounds.needed_rounds(debate, thread, Phase.BEFORE, earlier)
    return next_round(thread, Phase.BEFORE, range(earlier + 1, earlier + count + 1), debate.agents, asked)


def about_links(debate: Debate, thread: Thread, linked: tuple[CandidateId, ...]) -> Probes | None:
    earlier = 0 if thread.second_look is None else thread.second_look.links
    asked = tuple(c for c in thread.candidates if c.id in linked)
    rounds = range(earlier + 1, earlier + rounds_before(thread) + 1)
    return next_round(thread, Phase.LINKS, rounds, debate.agents, asked)


def after_change(thread: Thread, agent: AgentId) -> Probes | None:
    """As often as the answers it is compared with."""
    rounds = changes.rounds_of_change(thread, len(thread.changes))
    return next_round(thread, Phase.CHANGE, rounds, (agent,), thread.candidates)


def after_evidence(debate: Debate, thread: Thread) -> Probes | None:
    count = probe_rounds.needed_rounds(debate, thread, Phase.AFTER)
    return next_round(thread, Phase.AFTER, range(1, count + 1), debate.agents, thread.candidates)


def next_round(
    thread: Thread, phase: Phase, rounds: Iterable[int], asked: tuple[AgentId, ...], about: tuple[Candidate, ...]
) -> Probes | None:
    for number in rounds:
        answered = thread.probes.get((phase, number), {})
        agents = tuple(a for a in asked if a not in answered)
        if agents:
            return Probes(phase=phase, round=number, agents=agents, candidates=about)
    return None
