"""What the engine asks of a debater, and the types of its answers."""

from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Literal, NamedTuple

from cruxfinder.crux.moves import Draft, GivenGrade, WhatIsMissing
from cruxfinder.kernel.field_meanings import Meaning
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.run_facts import Failed, Silence
from cruxfinder.kernel.vocabulary import (
    AgentId,
    CandidateId,
    MessageId,
    MoveKind,
    Phase,
    Side,
    ThreadId,
    TopSide,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Duty:
    """One thing an agent owes now."""

    move: MoveKind
    thread: ThreadId
    about: AgentId | None = None  # whom to steelman
    message: MessageId | None = None  # which steelman to grade, which message to answer
    since_ms: int = 0
    note: str = ""  # a correction to heed, a falsifier the moderator drafted


@dataclass(frozen=True, slots=True, kw_only=True)
class AskFirst:
    """State, unseen by the others, how likely the topic's claim is, your side and your main reason."""

    kind: Literal["first"] = "first"
    agent: AgentId
    number: int = 0  # the n-th ask of this agent


@dataclass(frozen=True, slots=True, kw_only=True)
class AskDraft:
    """Draft one move of the allowed ones, or stay silent; serve the duty if there is one."""

    kind: Literal["draft"] = "draft"
    agent: AgentId
    number: int = 0  # the n-th ask of this agent
    thread: ThreadId
    allowed: tuple[MoveKind, ...]
    heard: int  # how many messages of the thread stood when the thought began
    duty: Duty | None = None
    answers: MessageId | None = None  # the message that caught its attention
    refused: tuple[Refusal, ...] = ()  # why the last draft was sent back
    attempt: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A candidate as it is put to a debater."""

    id: CandidateId
    question: str
    yes_means: str
    no_means: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskProbe:
    """Answer privately: P(top), and for each question P(yes), P(top | yes), P(top | no).

    In the WORDING phase the question is read as its YES and NO texts fix it, and its horizon likewise.
    In the CHANGE phase the public side on the topic is asked for once more; in the LINKS phase, for each pair of
    questions, P(second | first YES) and P(second | first NO), and nothing else.
    """

    kind: Literal["probe"] = "probe"
    agent: AgentId
    number: int = 0  # the n-th ask of this agent
    thread: ThreadId
    phase: Phase
    round: int
    heard: int
    questions: tuple[Question, ...]

    @property
    def pairs(self) -> tuple[tuple[Question, Question], ...]:
        """Every two of its questions, in their order."""
        return tuple(combinations(self.questions, 2)) if self.phase is Phase.LINKS else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskJudge:
    """Does the crux as extracted represent you? Object with a correction, or accept."""

    kind: Literal["judge"] = "judge"
    agent: AgentId
    number: int = 0  # the n-th ask of this agent
    thread: ThreadId
    heard: int
    question: str
    side: Side
    statement: str
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRelate:
    """Two cruxes: how likely is a YES to each, given the answer to the other, and how does one bear on the other?"""

    kind: Literal["relate"] = "relate"
    agent: AgentId
    number: int = 0  # the n-th ask of this agent
    first: ThreadId
    second: ThreadId
    questions: tuple[Question, Question]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskGrade:
    """Does this say what you hold? It is graded in private; nobody is told that it may be planted."""

    kind: Literal["grade"] = "grade"
    agent: AgentId
    number: int = 0  # the n-th ask of this agent
    thread: ThreadId
    heard: int
    claim: str
    reason: str
    falsifier: str


TopChance = Annotated[
    float, Meaning("how likely the topic's claim is true", "How likely is it that the topic's claim is true?")
]
Ask = AskFirst | AskDraft | AskProbe | AskJudge | AskRelate | AskGrade


@dataclass(frozen=True, slots=True, kw_only=True)
class First:
    kind: Literal["first"] = "first"
    p_top: TopChance
    side: Annotated[TopSide, Meaning("your side on that claim", "Which side of the topic are you on?")]
    reason: Annotated[str, Meaning("your main reason, in one sentence", "What is your main reason?")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    kind: Literal["drafted"] = "drafted"
    draft: Draft


class Credence(NamedTuple):
    """The private answers about one candidate: P(yes), P(top | yes), P(top | no). A row on the wire."""

    candidate: CandidateId
    c: Annotated[float, Meaning("how likely YES", "How likely is YES?", called="yes")]
    p1: Annotated[
        float,
        Meaning(
            "how likely the claim, once settled YES",
            "If it turns out YES, how likely is the topic's claim?",
            called="top_if_yes",
        ),
    ]
    p0: Annotated[
        float,
        Meaning(
            "how likely the claim, once settled NO",
            "If it turns out NO, how likely is the topic's claim?",
            called="top_if_no",
        ),
    ]


class FixedReading(NamedTuple):
    """P(yes) once the wording, and once the horizon, is fixed by the resolution criterion. A row on the wire."""

    candidate: CandidateId
    wording: Annotated[
        float,
        Meaning(
            "how likely YES, words exactly as YES and NO say",
            "How likely is YES, the words taken exactly as above?",
            called="as_worded",
        ),
    ]
    horizon: Annotated[
        float,
        Meaning(
            "how likely YES, time exactly as YES and NO say",
            "How likely is YES, within exactly that time?",
            called="in_its_time",
        ),
    ]


class QuestionLink(NamedTuple):
    """How one candidate bears on another: P(second | first YES), P(second | first NO). A row on the wire."""

    first: CandidateId
    second: CandidateId
    if_yes: Annotated[
        float,
        Meaning(
            "how likely YES to the second, the first settled YES",
            "If YES to the first, how likely is YES to the second?",
        ),
    ]
    if_no: Annotated[
        float,
        Meaning(
            "how likely YES to the second, the first settled NO",
            "If NO to the first, how likely is YES to the second?",
        ),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    kind: Literal["judged"] = "judged"
    objection: Annotated[
        str, Meaning('what is wrong with that, "" if nothing', "What is wrong with it?", may_be_empty=True)
    ] = ""
    side: Annotated[Side | None, Meaning("your side as it should be", "Which side are you on?")] = None
    statement: Annotated[str, Meaning("your position as it should be", "How should your position be put?")] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """What a debater tells beyond what was asked is not asked again: `fixed` in BEFORE, `judged` in AFTER."""

    kind: Literal["probed"] = "probed"
    p_top: TopChance
    credences: tuple[Credence, ...] = ()
    fixed: tuple[FixedReading, ...] = ()
    links: tuple[QuestionLink, ...] = ()
    public_side: Annotated[
        TopSide | None, Meaning("what you say of the claim in public", "Which side of the topic do you take in public?")
    ] = None
    judged: Judged | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    kind: Literal["related"] = "related"
    second_if_yes: Annotated[
        float,
        Meaning(
            "how likely the second is YES, the first settled YES",
            "If YES to the first, how likely is YES to the second?",
        ),
    ]
    second_if_no: Annotated[
        float,
        Meaning(
            "how likely the second is YES, the first settled NO",
            "If NO to the first, how likely is YES to the second?",
        ),
    ]
    first_if_yes: Annotated[
        float,
        Meaning(
            "how likely the first is YES, the second settled YES",
            "If YES to the second, how likely is YES to the first?",
        ),
    ]
    first_if_no: Annotated[
        float,
        Meaning(
            "how likely the first is YES, the second settled NO", "If NO to the second, how likely is YES to the first?"
        ),
    ]
    sketch: Annotated[
        str,
        Meaning("why the first makes the second YES or NO, if it does", "How does the first bear on the second?"),
    ] = ""
    back: Annotated[
        str,
        Meaning("the same the other way round, if so", "And how does the second bear on the first?"),
    ] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Graded:
    kind: Literal["graded"] = "graded"
    grade: GivenGrade
    missing: WhatIsMissing = ""


Answer = First | Drafted | Silence | Probed | Judged | Related | Graded | Failed
