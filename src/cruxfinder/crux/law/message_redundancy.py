"""The redundancy rules on the messages of a crux debate, where a run is held to them."""

from collections.abc import Iterator
from typing import Final

from cruxfinder.crux.law import threads
from cruxfinder.crux.moves import Draft
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread
from cruxfinder.kernel.redundancy_limits import Redundancy
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.vocabulary import MODERATOR, AgentId, MoveKind
from cruxfinder.language import redundancy, speaker_pairs
from cruxfinder.language.reading import DraftReading

ARGUING: Final = frozenset(
    {
        MoveKind.CLAIM,
        MoveKind.CHALLENGE,
        MoveKind.REFRAME,
        MoveKind.PROVIDE_EVIDENCE,
        MoveKind.CHALLENGE_EVIDENCE,
    }
)
WORDING: Final = frozenset({redundancy.ENTAILMENT, redundancy.REPETITION, redundancy.GRAPH})


def check(debate: Debate, thread: Thread, agent: AgentId, draft: Draft, reading: DraftReading) -> Iterator[Refusal]:
    """What makes a message go in circles; nothing where the run is not held to it, or the move argues nothing."""
    limits = debate.settings.redundancy
    if limits is None or draft.move.kind not in ARGUING:
        return
    pair = exhausted_pair(debate, thread, limits)
    if agent in pair:
        yield speaker_pairs.refusal(pair, limits)
    adds = redundancy.counted_additions(reading.adds, limits)
    yield from redundancy.check(reading, adds, texts_said(thread), limits)


def exhausted_pair(debate: Debate, thread: Thread, limits: Redundancy) -> frozenset[AgentId]:
    """The two who have had their rounds in a thread; a word of the moderator frees them."""
    if len(threads.members(debate, thread)) <= 2:
        return frozenset()
    said = thread.messages
    since = next((n + 1 for n in range(len(said) - 1, -1, -1) if said[n].agent == MODERATOR), 0)
    return speaker_pairs.exhausted_speakers(speaker_pairs.alternating_tail([m.agent for m in said[since:]]), limits)


def texts_said(thread: Thread) -> tuple[str, ...]:
    """What agents said, the moderator's words aside."""
    return tuple(m.content for m in thread.messages if m.agent != MODERATOR)


def places_of_own(thread: Thread, agent: AgentId) -> tuple[int, ...]:
    """Which of these texts an agent said."""
    speakers = [m.agent for m in thread.messages if m.agent != MODERATOR]
    return tuple(n for n, speaker in enumerate(speakers) if speaker == agent)
