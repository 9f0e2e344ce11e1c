"""What to ask next: tests that would settle a crux, questions nobody opened, locks that failed."""

from dataclasses import dataclass
from typing import Final

from cruxfinder.crux.law import agenda, crux_quality, dependencies, threads
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread, find_candidate
from cruxfinder.crux.thread_crux import crux_id, locked_id, tested_candidates
from cruxfinder.kernel.run_facts import name_of
from cruxfinder.kernel.vocabulary import Status
from cruxfinder.language.counts import explains_words
from cruxfinder.language.english.texts import same_question

QUESTIONS_MAX: Final = 8
TESTED_MAX: Final = 2  # cruxes whose tests are listed


@dataclass(frozen=True, slots=True, kw_only=True)
class NextQuestion:
    question: str
    why: str
    crux: str | None  # what it would settle


def next_questions(debate: Debate) -> tuple[NextQuestion, ...]:
    found = agenda.sort_by_rank(dependencies.crystallised_threads(debate))
    asked = [n for t in found[:TESTED_MAX] for n in falsifier_questions(debate, t)]
    asked += [n for t in debate.threads.values() for n in untried_questions(debate, t)]
    asked += [n for t in debate.threads.values() if t.status is Status.FAILED_LOCK for n in failed_lock_questions(t)]
    asked += [
        NextQuestion(question=p.told.question, why=f"raised in {p.told.thread}, never opened", crux=None)
        for p in debate.proposals.values()
        if not p.settled and p.told.question and p.told.rank is None
    ]
    once = {n.question: n for n in reversed(asked)}
    return tuple(once[question] for question in dict.fromkeys(n.question for n in asked))[:QUESTIONS_MAX]


def falsifier_questions(debate: Debate, thread: Thread) -> list[NextQuestion]:
    """The falsifiers of a crux as questions: the first of each side."""
    named = locked_id(thread)
    sides = crux_quality.positions(thread)
    found: dict[str, NextQuestion] = {}
    for agent, helds in thread.falsifiers.items():
        side = sides.get(agent)
        if helds and side is not None and side not in found:
            f = helds[-1].falsifier
            question = f"{f.metric.rstrip('. ')}: {f.threshold.rstrip('. ')} ({f.deadline.rstrip('. ')})?"
            found[side] = NextQuestion(
                question=question, why=f"it would move {name_of(debate, agent)} off {side}", crux=named
            )
    return list(found.values())


def untried_questions(debate: Debate, thread: Thread) -> list[NextQuestion]:
    """Questions that were weighed, matter, and never got a thread."""
    others = [threads.question_of(t) for t in debate.threads.values() if t.crux is not None]
    return [
        NextQuestion(question=t.question, why=f"{explains_words(t.explained_share)}; never locked", crux=t.id)
        for t in tested_candidates(thread)
        if not t.chosen
        and t.explained_share >= crux_quality.SHARE_MIN
        and not any(same_question(t.question, q) for q in others)
    ]


def failed_lock_questions(thread: Thread) -> list[NextQuestion]:
    asked = find_candidate(thread, thread.crux)
    if asked is None:
        return []
    return [NextQuestion(question=asked.question, why=f"not locked: {thread.why}", crux=crux_id(thread, asked.id))]
