"""Does somebody take back or change a claim of their own, and name it? That concedes, whatever else it sounds like.

"I take back what I said about the ferry" reads like a repetition and "I now see that …" like agreement. A change of
mind that is denied, or about nothing, is none.
"""

import re
from collections.abc import Sequence
from typing import Final

from cruxfinder.language.english.own_words import own_words, words_of
from cruxfinder.language.english.restating import FIRST_PERSON

NAMED: Final = 3  # words of its own by which a concession names what it concedes

CLAIM: Final = (
    "(?:claim|point|objection|argument|statement|remark|figure|estimate|charge|view|position|opposition|support"
    "|proposal|assumption|number|suggestion|prediction|accusation)s?"
)
SAID: Final = rf"(?:(?:everything|all|what) (?:that )?(?:i|we)|(?:my|our|the|that|this)(?: \w+)? {CLAIM}|that|this)"
REVISES: Final = re.compile(
    r"\b(?:"
    rf"(?:i|we)(?:'ll|'d| must| have to| should| will| hereby| now)? "
    rf"(?:take back|withdraw|retract|revise|drop|abandon|give up) {SAID}"
    rf"|(?:i'm|i am|we're|we are) (?:taking back|withdrawing|retracting|revising|dropping|giving up) {SAID}"
    r"|(?:i|we) take (?:that|it) back"
    r"|(?:i've been|i have been|i was|i'm|i am|we were|i may have been|i must have been)"
    r"(?: (?:simply|quite|just|plainly|clearly|also))? (?:wrong|mistaken) (?:about|on|that)"
    r"|i (?:now (?:accept|see|grant|concede|admit|recogni[sz]e)|see now) that|i no longer (?:think|believe|hold|claim)"
    r"|i(?:'ve| have) (?:come (?:round|around) (?:on|to(?! say))|changed my (?:mind|view|position|opinion))"
    r"|i stand corrected(?! by)|i made a mistake (?:about|on|in)"
    r"|my (?:own )?(?:views?|position|mind|opinion|thinking|stance) (?:(?:on|about) (?:\w+ ){1,6})?(?:has|have|did) "
    r"(?:now |since )?(?:shift(?:ed)?|changed?|moved?|softened)"
    rf"|giv(?:e|ing) up my {CLAIM}"
    r")\b"
)
# A revision holds one of them, and most sentences none.
TELLING: Final = frozenset(
    "take taking withdraw withdrawing retract retracting revise revising drop dropping abandon give giving wrong"
    " mistaken mistake now longer come changed corrected shifted shift change moved move softened".split()
)
DENIED: Final = re.compile(
    r"\b(?:not|no|nobody|none|never|nor|neither|hardly|cannot|if|whether|why|unless|refuse|\w+n't)\b"
)
NOTHING: Final = re.compile(r"\W*(?:nothing|none|anything|no|not|neither)\b")


def revises(lowered: str, words: Sequence[str]) -> bool:
    """`words` are those of the sentence."""
    if TELLING.isdisjoint(words) or FIRST_PERSON.isdisjoint(words):
        return False
    return any(
        not DENIED.search(clause_before(lowered, found.start()))
        and not NOTHING.match(lowered, found.end())
        and names_subject(lowered, found.end())
        for found in REVISES.finditer(lowered)
    )


def clause_before(lowered: str, end: int) -> str:
    return lowered[max(lowered.rfind(mark, 0, end) for mark in ",;:") + 1 : end]


def names_subject(lowered: str, start: int) -> bool:
    """Does what follows say what it is about?"""
    return len(own_words(words_of(lowered[start:]))) >= NAMED
