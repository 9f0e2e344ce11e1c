"""Does a turn say anything of its own? Its words and its make-up, weighed together.

Agreement and repetition have more forms than any list of phrases: thanks, praise, votes, idioms, insistence. What they
have in common is the mix: little that is not about the speakers, their stance or the talk, and that over and over. So
what speaks for a turn and what speaks against it is added up. `scripts/weigh.py` finds the weights.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from cruxfinder.model.entailment import Entailment
from cruxfinder.rules.own_words import own
from cruxfinder.rules.restating import FIRST_PERSON
from cruxfinder.rules.substance_weights import BIAS, MAKE_UP, WORDS

SPEAKER: Final = FIRST_PERSON - {"mine"}  # which also yields coal
SECOND_PERSON: Final = frozenset("you your yours you're you've you'd you'll".split())
OWN_MAX: Final = 25  # what is beyond says nothing more
OWN_IN_ONE_MAX: Final = 10
FEW: Final = 4
SAYS_SOMETHING: Final = 3  # words of its own in a sentence about neither speaker nor listener
TOLD_MAX: Final = 5
JOINTS_MAX: Final = 3


class Sentence(Protocol):
    """A sentence of a turn: all its words, those of its own where it neither repeats nor agrees, and what it is."""

    @property
    def spoken(self) -> Sequence[str]: ...
    @property
    def own(self) -> frozenset[str]: ...
    @property
    def marked(self) -> bool: ...
    @property
    def turns(self) -> bool: ...
    @property
    def joints(self) -> int: ...


class MakeUp(NamedTuple):
    """What a turn is made of, in figures that `substance_weights` weighs."""

    own: int  # distinct words of its own
    few: bool
    own_share: float  # of all its words
    repeated: float  # of its own words, those said before in it
    most_own: int  # in one sentence that neither repeats nor agrees
    most_own_impersonal: int  # and does not speak of the speaker
    impersonal: float  # share of sentences that do not speak of the speaker
    states: bool  # a sentence about neither speaker nor listener says something
    first_person: float  # share of words
    second_person: float
    marked: float  # share of sentences that say of themselves that they repeat or agree, and no more
    any_marked: bool
    any_turned: bool  # a sentence agrees and then turns against that
    joints: int  # between a reason and its consequence, a rule and its exception
    told: int  # implications, applications and so on
    concedes: bool
    tests: bool
    asks: bool
    exclaims: bool


def carries(said: Sequence[Sentence], told: Sequence[Entailment], text: str) -> bool:
    """Does what speaks for it outweigh what speaks against it?"""
    return weighed(said, told, text) >= 0


def weighed(said: Sequence[Sentence], told: Sequence[Entailment], text: str) -> float:
    words = frozenset[str]().union(*(sentence.spoken for sentence in said))
    by_make_up = sum(weight * figure for weight, figure in zip(MAKE_UP, make_up(said, told, text), strict=True))
    return BIAS + by_make_up + sum(WORDS[word] for word in words & WORDS.keys())


def make_up(said: Sequence[Sentence], told: Sequence[Entailment], text: str) -> MakeUp:
    every = [word for sentence in said for word in sentence.spoken]
    owned = own(every)
    distinct = len(frozenset(owned))
    count = len(every) + 1
    impersonal = [s for s in said if SPEAKER.isdisjoint(s.spoken)]
    marked = sum(s.marked and not s.turns for s in said)
    return MakeUp(
        own=min(distinct, OWN_MAX),
        few=distinct < FEW,
        own_share=len(owned) / count,
        repeated=1 - distinct / len(owned) if owned else 0.0,
        most_own=most(said),
        most_own_impersonal=most([s for s in impersonal if not s.marked]),
        impersonal=len(impersonal) / max(1, len(said)),
        states=any(SECOND_PERSON.isdisjoint(s.spoken) and len(s.own) >= SAYS_SOMETHING for s in impersonal),
        first_person=sum(map(SPEAKER.__contains__, every)) / count,
        second_person=sum(map(SECOND_PERSON.__contains__, every)) / count,
        marked=marked / max(1, len(said)),
        any_marked=marked > 0,
        any_turned=any(s.turns for s in said),
        joints=min(JOINTS_MAX, sum(s.joints for s in said)),
        told=min(TOLD_MAX, len(told)),
        concedes=Entailment.CONCESSION in told,
        tests=Entailment.TEST in told,
        asks="?" in text,
        exclaims="!" in text,
    )


def most(said: Sequence[Sentence]) -> int:
    return min(OWN_IN_ONE_MAX, max((len(s.own) for s in said), default=0))
