"""What is read of a text before it is decided on, as values: what a reader is given, and the facts it answers with.

The law weighs these facts and calls no reader. Every fact that says nothing in particular is left out of the log.
"""

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.redundancy_limits import Entailment


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A draft, and what it is to be read against. What is left empty is not asked about."""

    text: str
    before: tuple[str, ...] = ()  # what was said before it, oldest first
    own: tuple[int, ...] = ()  # which of that its own speaker said
    threshold: float | None = None  # of likeness, as the limits have it; none: it may repeat what it likes
    must_add: bool = False  # something to what was said before
    falsifier: Falsifier | None = None
    day: str = ""  # it is said on
    question: str = ""
    asked: tuple[str, ...] = ()  # questions that it may ask again
    motion: str = ""  # the topic, where a question may ask it again
    answers: tuple[str, str] = ("", "")  # what YES and NO to the question are said to mean
    subject: str = ""  # the question a falsifier is for, with its YES and NO texts
    position: str = ""  # as recorded
    accounts: tuple[str, ...] = ()  # of that position, by others
    topics: tuple[str, ...] = ()  # one of which it should have to do with
    points: tuple[str, ...] = ()  # of others, one of which it should take up
    words_max: int = 0  # of a turn, which is read on its own
    sentences_max: int = 0


class Blemish(NamedTuple):
    """Words that say nothing."""

    kind: Literal["pleasantry", "filler", "emoji"]
    words: str


class Nearness(NamedTuple):
    """How near a draft is to an earlier text as a whole, how much of it it says again, and is it against it?"""

    whole: float
    again: float
    opposed: bool


class Retelling(NamedTuple):
    """How much of what its speaker said before a draft says again: of all of it, and of the turn nearest to it."""

    score: float = 0.0
    drawn: float = 1.0  # from where on that is a repetition
    turn: int = -1  # the nearest, by its place among what was said before; none without one
    again: float = 0.0  # how much of that turn's point is made again, on the scale of the last texts
    opposed: bool = False


class Additions(NamedTuple):
    """What a draft adds to what was said before: kinds of entailment, and claims and links nobody made."""

    entailments: tuple[Entailment, ...] = ()
    claims: int = 0
    links: int = 0


NO_ADDITIONS: Final = Additions()
NOT_RETOLD: Final = Retelling()


class Hedge(NamedTuple):
    """The word by which a part of a falsifier takes back what it says."""

    part: Literal["metric", "threshold", "deadline"]
    word: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FalsifierReading:
    named: int = 0  # things the metric names; two are plenty
    sharpness: float = 0.0  # how well the threshold says what has to happen, up to 1
    nearness: float = 0.0  # how well the deadline says by when, up to 1
    hedges: tuple[Hedge, ...] = ()
    compares: bool = False  # the threshold compares, if with a hedge
    no_such_day: str = ""  # a day no calendar has
    due: str = ""  # the last day its deadline allows; empty where it hangs on an event without a day


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionReading:
    """Of a question that is proposed."""

    asks_topic: Literal["", "same", "opposite"] = ""  # it asks the topic again, or its contrary
    near_topic: float = 0.0  # up to 1: how near its text is to that of the topic, whichever side either takes
    turned: tuple[str, ...] = ()  # questions asked before whose contrary it asks
    because: str = ""  # a reason it takes for granted
    hollow: tuple[str, ...] = ()  # answers, YES or NO, whose text says no more than that
    repeats: bool = False  # its answers only say the question over
    alike: bool = False  # its answers say one thing


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftReading:
    """What a draft says."""

    blemishes: tuple[Blemish, ...] = ()
    near: tuple[Nearness, ...] = ()  # to the last texts before it, oldest first
    drawn: float = 1.0  # from where on that is a repetition
    retold: Retelling = NOT_RETOLD
    adds: Additions = NO_ADDITIONS
    falsifier: FalsifierReading | None = None
    binary: bool = False  # its question asks for yes or no
    again: tuple[str, ...] = ()  # questions asked before that it asks again
    asks: QuestionReading | None = None  # of its question
    turns_to: str = ""  # what it would rather talk about
    carried: tuple[float, ...] = ()  # the share of the position that each account carries
    leaning: str = ""  # words that lean on an earlier text
    shared: int = 0  # words by which it takes up a point of others; two are plenty
    off_topic: bool = False
    shortened: str = ""  # its first sentences, where it is too long
    sentences: int = 0  # where their number counts


NOTHING_READ: Final = DraftReading()
OPEN_ENDED: Final = 0.5  # the nearness of an event without a day
RECENT: Final = 3  # texts a draft is compared with


def measure_nearest(reading: DraftReading) -> float:
    """How near it is to the nearest of the last texts."""
    return max((n.whole for n in reading.near), default=0.0)
