"""Which questions ask for yes or no, and what somebody would rather talk about."""

import re
from typing import Final

from cruxfinder.language.english.texts import content_words

WHAT_ABOUT: Final = re.compile(r"\bbut what about ([^?.!]{3,120})[?.!]", re.IGNORECASE)
ASKS_YES_OR_NO: Final = re.compile(
    r"\b(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|shall|may|might|must)\b", re.IGNORECASE
)
ASKS_OTHERWISE: Final = re.compile(r"(?:what|why|how|who|whom|whose|which|when|where)\b", re.IGNORECASE)


def is_binary(question: str) -> bool:
    """A question that asks for yes or no."""
    asked = question.strip()
    open_ended = ASKS_OTHERWISE.match(asked) is not None
    return asked.endswith("?") and not open_ended and ASKS_YES_OR_NO.search(asked) is not None


def find_other_topic(text: str) -> str:
    """The topic of a "but what about …", where it names one."""
    found = WHAT_ABOUT.search(text)
    topic = "" if found is None else found.group(1).strip()
    return topic if content_words(topic) else ""
