"""Which turns a turn would add to."""

from cruxfinder.kernel.vocabulary import AgentId
from cruxfinder.talk.state import Talk


def texts_said(talk: Talk) -> tuple[str, ...]:
    """The turns a draft may not repeat and should add to; a chair sums up, which is no repetition."""
    return tuple(turn.content for turn in talk.speaker_turns)


def places_of_own(talk: Talk, agent: AgentId) -> tuple[int, ...]:
    """Which of these turns an agent spoke."""
    return tuple(n for n, turn in enumerate(talk.speaker_turns) if turn.agent == agent)
