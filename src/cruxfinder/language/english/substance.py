"""Does a turn say anything of its own? Its words and its make-up, weighed together.

Agreement and repetition have more forms than any list of phrases: thanks, praise, votes, idioms, insistence. What they
have in common is the mix: little that is not about the speakers, their stance or the talk, and that over and over. So
what speaks for a turn and what speaks against it is added up, and so is what its vector says, where an embedder has
one. `scripts/weigh.py` finds the weights, one set with a vector and one without.
"""

from collections.abc import Sequence
from itertools import repeat
from operator import mul
from typing import Final, NamedTuple, Protocol

from cruxfinder.kernel.redundancy_limits import Entailment
from cruxfinder.language.english import substance_weights as alone
from cruxfinder.language.english import substance_weights_heard as heard
from cruxfinder.language.english.restating import FIRST_PERSON

SPEAKER: Final = FIRST_PERSON - {"mine"}  # which also yields coal
SECOND_PERSON: Final = frozenset("you your yours yourself yourselves you're you've you'd you'll".split())
OWN_MAX: Final = 25  # what is beyond says nothing more
OWN_IN_ONE_MAX: Final = 10
FEW: Final = 4
SAYS_SOMETHING: Final = 3  # words of its own in a sentence about neither speaker nor listener
TOLD_MAX: Final = 5
JOINTS_MAX: Final = 3


class Sentence(Protocol):
    """A sentence of a turn: all its words and the speaker's own among them; the own ones where it neither repeats nor
    agrees; whether it does, and whether it then turns against that; how many joints it has.
    """

    @property
    def all_words(self) -> Sequence[str]: ...
    @property
    def all_own_words(self) -> Sequence[str]: ...
    @property
    def own(self) -> frozenset[str]: ...
    @property
    def is_restatement(self) -> bool: ...
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
    most_own: int  # in one sentence, without what repeats or agrees
    most_own_impersonal: int  # in one that neither repeats nor agrees nor speaks of the speaker
    states: bool  # a sentence about neither speaker nor listener says something
    first_person: float  # share of words
    second_person: float
    marked: float  # share of sentences that say of themselves that they repeat or agree, and no more
    any_marked: bool
    any_turned: bool  # a sentence agrees and then turns against that
    joints: int  # between a reason and its consequence, a rule and its exception
    argues: bool  # it leaves people out and says what follows from what
    told: int  # implications, applications and so on
    concedes: bool
    tests: bool
    asks: bool


def weigh_turn(made: MakeUp, said: Sequence[Sentence], vector: int | None = None) -> float:
    """Above nought where what speaks for a turn outweighs what speaks against it."""
    words = frozenset[str]().union(*(sentence.all_words for sentence in said))
    by = alone if vector is None else heard
    return by.BIAS + (vector or 0) + sum(map(mul, by.MAKE_UP, made)) + sum(map(by.WORDS.get, words, repeat(0)))


def make_up(said: Sequence[Sentence], told: Sequence[Entailment], text: str, *, argues: bool) -> MakeUp:
    owned = [word for sentence in said for word in sentence.all_own_words]
    distinct = len(frozenset(owned))
    count = sum(len(s.all_words) for s in said) + 1
    impersonal = [s for s in said if SPEAKER.isdisjoint(s.all_words)]
    marked = sum(s.is_restatement and not s.turns for s in said)
    return MakeUp(
        own=min(distinct, OWN_MAX),
        few=distinct < FEW,
        own_share=len(owned) / count,
        repeated=1 - distinct / len(owned) if owned else 0.0,
        most_own=most_own_words(said),
        most_own_impersonal=most_own_words([s for s in impersonal if not s.is_restatement]),
        states=any(len(s.own) >= SAYS_SOMETHING and SECOND_PERSON.isdisjoint(s.all_words) for s in impersonal),
        first_person=count_mentions(SPEAKER, said) / count,
        second_person=count_mentions(SECOND_PERSON, said) / count,
        marked=marked / max(1, len(said)),
        any_marked=marked > 0,
        any_turned=any(s.turns for s in said),
        joints=min(JOINTS_MAX, sum(s.joints for s in said)),
        argues=argues,
        told=min(TOLD_MAX, len(told)),
        concedes=Entailment.CONCESSION in told,
        tests=Entailment.TEST in told,
        asks="?" in text,
    )


def count_mentions(people: frozenset[str], said: Sequence[Sentence]) -> int:
    """How often people are spoken of."""
    return sum(sum(map(people.__contains__, s.all_words)) for s in said if not people.isdisjoint(s.all_words))


def most_own_words(said: Sequence[Sentence]) -> int:
    return min(OWN_IN_ONE_MAX, max((len(s.own) for s in said), default=0))
