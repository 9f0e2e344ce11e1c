"""A pack: a topic, the propositions it may turn on, and the believers who disagree. Plain values."""

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from cruxfinder.kernel.field_meanings import Meaning
from cruxfinder.kernel.vocabulary import AgentId, Attack, Horizon, Role

Truth = Literal["YES", "NO", "OPEN"]
PropositionType = Literal["factual", "empirical", "value"]


IN_ONE_SENTENCE: Final = "something anybody can look up; or all of it in one sentence, and nothing below"


@dataclass(frozen=True, slots=True, kw_only=True)
class Falsifier:
    """What would change a mind: VOC-5. One sentence that says it all stands as the metric until it is taken apart."""

    metric: Annotated[
        str,
        Meaning("a measurable thing anybody can look up", "What would be measured?", IN_ONE_SENTENCE),
    ]
    threshold: Annotated[
        str,
        Meaning(
            "a number to pass, or a clear event",
            "What would it have to reach?",
            "a number, or something that happens",
            may_be_empty=True,
        ),
    ] = ""
    deadline: Annotated[
        str,
        Meaning(
            "a date, such as by 2030-12-31",
            "By when?",
            "a date, such as “by 31 December 2030”",
            rows=1,
            may_be_empty=True,
        ),
    ] = ""
    reasoning: Annotated[str, Meaning("why that would tell, in one sentence", "Why would that tell?")] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuttal:
    """What a critic can say against a piece of evidence."""

    attacks: Attack
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhibit:
    """A piece of evidence anybody may bring; `points` is the answer it speaks for."""

    text: str
    source: str
    points: Literal["YES", "NO"]
    rebuttals: tuple[Rebuttal, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposition:
    """A statement that may matter, and the yes/no question it answers."""

    id: str
    statement: str  # a sentence a believer would say, without a full stop
    denial: str  # how somebody who disbelieves it would put it
    question: str
    yes_means: str
    no_means: str
    type: PropositionType = "empirical"
    truth: Truth = "OPEN"
    sense: str = ""  # the sense its YES and NO texts fix, one of `senses`
    senses: tuple[tuple[str, str], ...] = ()  # name, what the words mean in it
    horizon: Horizon = Horizon.FIVE_YEARS  # the horizon its YES and NO texts fix
    exhibits: tuple[Exhibit, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """What a persona says about one proposition, in its own voice. Anything empty is worded plainly."""

    claim: str = ""
    reason: str = ""
    challenge: str = ""
    statement: str = ""
    falsifier: Falsifier | None = None
    vague: Falsifier | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """A credence in a proposition as the believer reads it, and in each other reading of it."""

    proposition: str
    credence: float
    weight: float = 0.0
    by_sense: tuple[tuple[str, float], ...] = ()
    by_horizon: tuple[tuple[Horizon, float], ...] = ()
    links: tuple[tuple[str, float], ...] = ()  # parent proposition, log-odds it adds
    lines: Lines = Lines()


@dataclass(frozen=True, slots=True, kw_only=True)
class Persona:
    id: AgentId
    name: str
    about: str
    bias: float = 0.0
    openness: float = 0.6
    conformity: float = 1.0
    trust: float = 0.7  # in a speaker it says nothing special about
    trust_in: tuple[tuple[AgentId, float], ...] = ()
    probe_noise: float = 0.0
    horizon: Horizon = Horizon.FIVE_YEARS
    interests: tuple[str, ...] = ()  # what it looks out for; its role, where none are given
    beliefs: tuple[Belief, ...] = ()
    brief: str = ""  # who it is and what it holds, for a model that speaks for it
    model: str = ""  # the model that speaks for it, where it has one of its own
    claims: tuple["QuotedClaim", ...] = ()
    icon: str = ""
    is_person: bool = False  # a person speaks for it, and neither beliefs nor a model


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedClaim:
    """A claim taken from what a person wrote, with the words it rests on and where they stand."""

    claim: str
    quote: str
    start: int  # characters from the beginning of the document
    end: int
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """Who thinks for the debaters of a pack. Keys are no part of it."""

    dialogue: str
    judgement: str = ""
    fallbacks: tuple[str, ...] = ()
    base_url: str = ""
    grammar: bool = False  # its server holds replies to a grammar (llama.cpp)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tension:
    """Two ideas a conversation is drawn between, and the words that tell which one a turn speaks of."""

    sides: tuple[str, str]
    words: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Dilemma:
    """A case to decide. Whoever holds the proposition it turns on comes out at `if_true`."""

    text: str
    turns_on: str = ""
    if_true: str = ""
    if_false: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """A passage to think about, word for word."""

    text: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Agenda:
    """What a conversation may be led to; everybody at the table may know it."""

    subjects: tuple[str, ...] = ()
    tensions: tuple[Tension, ...] = ()
    dilemmas: tuple[Dilemma, ...] = ()
    anchors: tuple[Anchor, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    name: str
    title: str
    topic: str  # the top claim, a statement
    summary: str
    propositions: tuple[Proposition, ...]
    personas: tuple[Persona, ...]
    models: Models | None = None  # none: simulated believers
    tensions: tuple[Tension, ...] = ()
    dilemmas: tuple[Dilemma, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    roles: tuple[tuple[Role, AgentId], ...] = ()  # personas that take a part of their own
    day: str = ""  # its simulated debates are held on, whose falsifiers have fixed dates; else on the day they start

    @property
    def agenda(self) -> Agenda:
        """Where a pack brings no passages, its evidence is what can be quoted."""
        subjects = tuple(p.question for p in self.propositions)
        shown = tuple(Anchor(text=x.text, source=x.source) for p in self.propositions for x in p.exhibits)
        anchors = self.anchors or shown
        return Agenda(subjects=subjects, tensions=self.tensions, dilemmas=self.dilemmas, anchors=anchors)
