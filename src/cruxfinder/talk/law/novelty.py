"""Which turns a turn would add to."""

from cruxfinder.talk.state import Talk


def texts_said(talk: Talk) -> tuple[str, ...]:
    """The turns a draft may not repeat and should add to; a chair sums up, which is no repetition."""
    return tuple(turn.content for turn in talk.speaker_turns)
