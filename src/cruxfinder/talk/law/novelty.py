"""What a turn would add to a conversation, and which turns it may not repeat."""

from cruxfinder.kernel.redundancy_limits import Redundancy
from cruxfinder.language.redundancy import RECENT, Contribution, contribution_to_texts
from cruxfinder.talk.state import Talk


def recent_texts(talk: Talk) -> tuple[str, ...]:
    """The turns a draft may not repeat; a chair sums up, which is no repetition."""
    return tuple(turn.content for turn in talk.speaker_turns[-RECENT:])


def contribution(talk: Talk, content: str, vector: int | None, limits: Redundancy) -> Contribution:
    return contribution_to_texts(
        tuple(turn.content for turn in talk.speaker_turns), talk.graph, content, vector, limits
    )
