"""Which question is locked, and when there is none to lock. SPEC §6: CRUX-6 three-way, CRUX-7, CRUX-8; §2: STAGE-6."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Final

from cruxfinder.crux.events import CandidateFigures, DcgCalculated
from cruxfinder.crux.law import crux_quality, probes, proposed_questions, stages, threads, topic_answers
from cruxfinder.crux.moves import Challenge, Draft, ProposeCrux
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.vocabulary import ADVOCATE, MODERATOR, AgentId, CandidateId, Phase, RuleId, Side, Stage
from cruxfinder.language.reading import DraftReading

THREE_WAY: Final = RuleId("CRUX-6")
IN_SIGHT: Final = RuleId("CRUX-7")
WHICH: Final = RuleId("CRUX-8")
DEEPER: Final = RuleId("STAGE-6")

WITHOUT_CHALLENGE: Final = 6
PARTIES: Final = 3


def check(debate: Debate, thread: Thread, agent: AgentId, draft: Draft, reading: DraftReading) -> Iterator[Refusal]:
    move = draft.move
    if not isinstance(move, ProposeCrux):
        return
    is_same = threads.reads_as(move.question, reading)
    elsewhere = threads.find_asking_thread(debate, is_same)
    if thread.stage is Stage.EVIDENCE:
        proposed = threads.find_proposal(debate, is_same)
        if threads.find_candidate_thread(debate, is_same) is not None or (
            proposed is not None and (proposed.settled or agent in proposed.told.supporters)
        ):
            yield Refusal(
                rule=DEEPER,
                reason="this question is known already",
                remedy="name a question behind it that nobody has asked, or argue",
            )
        if not reading.binary:
            yield Refusal(rule=DEEPER, reason="it does not ask for yes or no", remedy="put it as a yes-or-no question")
        return
    if elsewhere is not None and elsewhere.id != thread.id and not elsewhere.over:
        yield Refusal(
            rule=WHICH,
            reason=f"{elsewhere.id} asks this already",
            remedy=f"argue it in {elsewhere.id}, or propose a question that differs",
        )
    joins = proposed_questions.find_asked_candidate(debate, thread, draft, reading) is not None
    known = None if joins else next((c for c in thread.candidates if is_same(c.question)), None)
    if not joins and known is None and len(thread.candidates) >= stages.candidates_max(thread):
        yield Refusal(
            rule=WHICH,
            reason=f"there are {stages.candidates_max(thread)} candidate questions already",
            remedy="argue for or against one of them",
        )
    if known is not None:
        yield Refusal(
            rule=WHICH,
            reason=f"{known.id} asks this already",
            remedy="propose a question that differs, or argue",
        )
    if not move.question.strip().endswith("?"):
        yield Refusal(rule=WHICH, reason="it is not a question", remedy="end it with a question mark")


def nobody_disputes(debate: Debate, thread: Thread) -> bool:
    """Six messages of DISCOVERY without a challenge: time for a devil's advocate. A spawned thread has its question
    in sight from the start."""
    if IN_SIGHT in debate.settings.off or thread.stage is not Stage.DISCOVERY or thread.parent is not None:
        return False
    if any(seat.id == ADVOCATE for seat in debate.seats):
        return False
    said = [m for m in thread.stage_messages if m.agent != MODERATOR]
    return len(said) >= WITHOUT_CHALLENGE and not any(isinstance(m.move, Challenge) for m in said)


def calculate_figures(debate: Debate, thread: Thread, phase: Phase, at_ms: int) -> DcgCalculated:
    """The numbers of every candidate, best rank first; what is the topic again comes last."""
    given = probes.readings(thread, phase)
    camps = probes.camps(debate.firsts)
    rounds = probes.rounds_of(thread, phase)
    noise = probes.noise_of_rounds(rounds)
    again = {c.id for c in thread.candidates if topic_answers.repeats_topic(debate, c, given, noise, len(rounds))}
    rows = [
        replace(crux_quality.figures(c.id, given, camps, debate.agents, {}), repeats_topic=c.id in again)
        for c in thread.candidates
    ]
    return DcgCalculated(
        at_ms=at_ms,
        thread=thread.id,
        phase=phase,
        gap=round(probes.gap(given, camps), 4),
        noise=round(noise, 4),
        figures=tuple(sorted(rows, key=lambda f: (f.repeats_topic, -f.rank, f.candidate))),
        incoherent=probes.incoherent_agents(given),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The question to lock, if any, and those kept as partial cruxes."""

    lock: CandidateId | None
    partial: tuple[CandidateId, ...]


def choose(thread: Thread, figures: tuple[CandidateFigures, ...]) -> Choice:
    """The highest rank on which somebody stands on each side; one-sided ones that explain enough are kept."""
    telling = [f for f in figures if crux_quality.explains_enough(f)]
    two_sided = [f.candidate for f in telling if len(sides(thread, f.candidate)) == 2]
    return Choice(
        lock=two_sided[0] if two_sided else None,
        partial=tuple(f.candidate for f in telling if f.candidate not in two_sided),
    )


def is_three_way(debate: Debate, thread: Thread, one: CandidateId, other: CandidateId) -> bool:
    """Do two questions divide the agents into three parties or more? Then one binary question is not enough."""
    if THREE_WAY in debate.settings.off:
        return False
    given = probes.readings(thread, Phase.BEFORE).values()
    parties = {
        (probes.side_of(r.credences[one].c), probes.side_of(r.credences[other].c))
        for r in given
        if one in r.credences and other in r.credences
    }
    return len([p for p in parties if Side.UNCERTAIN not in p]) >= PARTIES


def leading_candidate(thread: Thread, figures: tuple[CandidateFigures, ...]) -> CandidateId:
    """The question whose wording is worth testing: the one to lock, else the best partial one, else the best."""
    choice = choose(thread, figures)
    return choice.lock or (*choice.partial, figures[0].candidate)[0]


def sides(thread: Thread, id: CandidateId, among: Collection[AgentId] | None = None) -> frozenset[Side]:
    """The sides somebody (of these agents) privately takes on a candidate."""
    given = probes.readings(thread, Phase.BEFORE)
    asked = (r for a, r in given.items() if id in r.credences and (among is None or a in among))
    found = (probes.side_of(r.credences[id].c) for r in asked)
    return frozenset(s for s in found if s is not Side.UNCERTAIN)


def divides(thread: Thread, id: CandidateId, agents: Collection[AgentId]) -> bool:
    return len(sides(thread, id, agents)) == 2
