"""May a question stand as a candidate? SPEC §6: CRUX-10 not the topic again, CRUX-11 mirrors, CRUX-12 fit to debate.

What a question asks is read before; here the reading is weighed. A question that somebody asked already, in other words
or by its contrary, is that candidate: who proposes it is counted with its proposers, and no second one is probed.
"""

from collections.abc import Iterator
from typing import Final

from cruxfinder.crux.events import JoinedCandidate
from cruxfinder.crux.moves import Claim, Draft, ProposeCrux, Reframe
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Candidate, Thread
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.vocabulary import AgentId, RuleId, Stage
from cruxfinder.language.english import question_forms
from cruxfinder.language.reading import DraftReading, QuestionReading

AGAIN: Final = RuleId("CRUX-10")
MIRRORS: Final = RuleId("CRUX-11")
FIT: Final = RuleId("CRUX-12")
ABOUT_QUESTIONS: Final = frozenset({AGAIN, MIRRORS, FIT})


def check(debate: Debate, thread: Thread, agent: AgentId, draft: Draft, reading: DraftReading) -> Iterator[Refusal]:
    if not isinstance(draft.move, ProposeCrux):
        return
    if reading.asks is not None:
        yield from topic_faults(reading.asks)
        yield from form_faults(reading.asks)
    if reading.asks is not None and not reading.binary and draft.move.question.strip().endswith("?"):
        yield Refusal(
            rule=FIT,
            reason="it cannot be answered with YES or NO",
            remedy='begin it with "Is", "Does", "Will" or the like, and ask for one thing',
        )
    known = find_asked_candidate(debate, thread, draft, reading)
    if known is not None and agent in known.proposers:
        yield Refusal(
            rule=MIRRORS,
            reason=f"you have asked this already, as {known.id}",
            remedy="propose a question that differs, or argue",
        )


def topic_faults(asks: QuestionReading) -> Iterator[Refusal]:
    if asks.asks_topic:
        what = "the topic again" if asks.asks_topic == "same" else "the contrary of the topic"
        yield Refusal(
            rule=AGAIN,
            reason=f"it asks {what}: everybody would answer it as they answer the topic",
            remedy="ask what the topic depends on: something that would move somebody's answer to it, once it is known",
        )


def form_faults(asks: QuestionReading) -> Iterator[Refusal]:
    if asks.because:
        yield Refusal(
            rule=FIT,
            reason=f'it takes a reason for granted, "{asks.because}": who doubts that has no side',
            remedy="ask whether the reason holds, and leave out what is to follow from it",
        )
    if asks.hollow:
        yield Refusal(
            rule=FIT,
            reason=f"what {' and '.join(asks.hollow)} would mean is no more than the word",
            remedy="say for each answer what anybody would observe",
        )
    elif asks.alike:
        yield Refusal(
            rule=FIT, reason="YES and NO mean the same", remedy="say for each what only that answer would show"
        )
    elif asks.repeats:
        yield Refusal(
            rule=FIT,
            reason="YES and NO say the question over and name nothing that would count",
            remedy="name a finding, a figure or an event that would count for YES, and one for NO",
        )


# ---- one question, whoever asks it


def find_asked_candidate(debate: Debate, thread: Thread, draft: Draft, reading: DraftReading) -> Candidate | None:
    """The candidate of this thread that a proposal asks again in other words, or asks the contrary of. The same words
    again say nothing: they go back."""
    if MIRRORS in debate.settings.off or thread.stage is not Stage.DISCOVERY or not isinstance(draft.move, ProposeCrux):
        return None
    turned = reading.asks.turned if reading.asks is not None else ()
    again = {*reading.again, *turned} - {draft.move.question}
    return next((c for c in thread.candidates if c.question in again), None)


def joined_candidate(debate: Debate, thread: Thread, draft: Draft, reading: DraftReading) -> JoinedCandidate | None:
    """What a proposal that is no new candidate is counted with."""
    known = find_asked_candidate(debate, thread, draft, reading)
    if known is None:
        return None
    turned = reading.asks is not None and known.question in reading.asks.turned
    return JoinedCandidate(candidate=known.id, turned=turned)


def nearness_to_topic(thread: Thread, draft: Draft, reading: DraftReading) -> float:
    """Of a new candidate, for the day its answers are known; another message has none."""
    new = isinstance(draft.move, ProposeCrux) and thread.stage is Stage.DISCOVERY
    return reading.asks.near_topic if new and reading.asks is not None else 0.0


# ---- the topic in what somebody claims, where it is to be made a question


def asks_topic(debate: Debate, text: str) -> bool:
    """Would this, as a question, be the topic again?"""
    return AGAIN not in debate.settings.off and question_forms.asks_topic(text, debate.started.topic)


def question_source(debate: Debate, claim: Claim) -> Claim | None:
    """The claim to be put as a question: its reason, where it only claims the topic; None where that does too."""
    if not asks_topic(debate, claim.proposition):
        return claim
    if asks_topic(debate, claim.reason):
        return None
    return Claim(
        proposition=claim.reason,
        reason=claim.proposition,
        confidence=claim.confidence,
        top_side=claim.top_side,
        horizon=claim.horizon,
    )


def may_frame(debate: Debate, move: Reframe, reading: DraftReading) -> bool:
    """May a framing get a thread of its own? Not if it is the topic."""
    asked = reading.asks.asks_topic if reading.asks is not None else ""
    return reading.binary and (AGAIN in debate.settings.off or not asked)
