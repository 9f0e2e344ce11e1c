"""The thirteen moves, each its own type, so that a move without its fields cannot exist.

What a field means is said here and nowhere else: prompts, reply schemas, checks, the questions to a person and the
page's forms are made from it.
"""

from dataclasses import dataclass, fields
from typing import Annotated, ClassVar, Final, Literal, get_args

from cruxfinder.kernel.field_meanings import CONTENT_MAX, SURE, Meaning, MoveWords, Refers, When
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.vocabulary import (
    AgentId,
    Attack,
    Direction,
    Grade,
    Horizon,
    MessageId,
    MoveKind,
    Side,
    TopSide,
)

# ---- fields of more than one move or answer

Confidence = Annotated[float, Meaning("how sure you are of it", "How sure are you?", ends=SURE)]
Why = Annotated[str, Meaning("your reason, in one sentence", "Why?")]
TopSideNow = Annotated[TopSide, Meaning("your side on the topic's claim", "Which side of the topic are you on?")]
GivenGrade = Annotated[
    Grade,
    Meaning(
        "whether you would sign it as your position",
        "How well does it say what you hold?",
        without=(Grade.PENDING,),
    ),
]
WhatIsMissing = Annotated[
    str,
    Meaning(
        "what is missing or wrong, unless ACCURATE",
        "What is missing or wrong?",
        needed_if=When("grade", (Grade.INCOMPLETE, Grade.WRONG)),
    ),
]
YourFalsifier = Meaning("what would change your mind, unless you are UNCERTAIN", "What would change your mind?")
CHANGED: Final = When("top_changed", (True,))


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A proposition with its reason, and the side of the topic it is put forward for (the public top claim)."""

    words: ClassVar = MoveWords("Claim", "Say what you hold true about the topic, and why.")
    kind: Literal[MoveKind.CLAIM] = MoveKind.CLAIM
    proposition: Annotated[str, Meaning("what you hold true, in one sentence", "What do you claim?")]
    reason: Annotated[str, Meaning("your reason, in one sentence", "Why do you think so?")]
    confidence: Confidence
    top_side: TopSideNow
    horizon: Annotated[Horizon | None, Meaning("the time it speaks of, if it does", "Over what time does it hold?")] = (
        None
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    words: ClassVar = MoveWords("Challenge", "Dispute a point somebody made, and say why.")
    kind: Literal[MoveKind.CHALLENGE] = MoveKind.CHALLENGE
    target: Annotated[
        MessageId, Meaning("the message you dispute", "Which message do you dispute?", refers=Refers.OTHERS)
    ]
    disputes: Annotated[str, Meaning("the point of theirs you dispute", "Which point in it do you dispute?")]
    why: Why


@dataclass(frozen=True, slots=True, kw_only=True)
class Clarify:
    words: ClassVar = MoveWords("Clarify", "Ask what somebody means, or answer such a question.")
    kind: Literal[MoveKind.CLARIFY] = MoveKind.CLARIFY
    target: Annotated[
        MessageId, Meaning("the message it is about", "Which message is it about?", refers=Refers.MESSAGES)
    ]
    asks: Annotated[
        bool,
        Meaning(
            "true if you ask, false if you answer",
            "Do you ask what it means, or answer a question?",
            words=("I ask", "I answer"),
        ),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reframe:
    words: ClassVar = MoveWords("Reframe", "Say that the real question is another one.")
    kind: Literal[MoveKind.REFRAME] = MoveKind.REFRAME
    question: Annotated[str, Meaning("the question as it should be put", "How should the question be put?")]
    why: Annotated[str, Meaning("why that is the real question", "Why is that the real question?")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposeCrux:
    words: ClassVar = MoveWords("Propose a crux", "Put a yes-or-no question whose answer would change minds.")
    kind: Literal[MoveKind.PROPOSE_CRUX] = MoveKind.PROPOSE_CRUX
    question: Annotated[
        str, Meaning("a yes/no question whose answer changes minds", "Which yes-or-no question does it turn on?")
    ]
    yes_means: Annotated[str, Meaning("what anybody would observe if YES", "What would one see if the answer is YES?")]
    no_means: Annotated[str, Meaning("what anybody would observe if NO", "What would one see if the answer is NO?")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    words: ClassVar = MoveWords("Commit", "Take your side on the question, and say what would change your mind.")
    kind: Literal[MoveKind.COMMIT_POSITION] = MoveKind.COMMIT_POSITION
    side: Annotated[Side, Meaning("your answer to the question", "What is your answer to the question?")]
    statement: Annotated[str, Meaning("your position, in one sentence", "What do you hold, in one sentence?")]
    reason: Annotated[str, Meaning("your strongest reason, in one sentence", "What is your strongest reason?")]
    confidence: Confidence
    horizon: Annotated[Horizon, Meaning("the time your answer speaks of", "Over what time does it hold?")]
    falsifier: Annotated[Falsifier | None, YourFalsifier] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareFalsifier:
    words: ClassVar = MoveWords("Declare a falsifier", "Name something measurable that would change your mind.")
    kind: Literal[MoveKind.DECLARE_FALSIFIER] = MoveKind.DECLARE_FALSIFIER
    falsifier: Annotated[Falsifier, Meaning("what would change your mind", "What would change your mind?")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Steelman:
    """Another agent's claim, strongest reason and falsifier, as its author represents them."""

    words: ClassVar = MoveWords("Steelman", "Put somebody else's position as they would sign it.")
    kind: Literal[MoveKind.STEELMAN] = MoveKind.STEELMAN
    target: Annotated[AgentId, Meaning("whose position you put", "Whose position do you put?", refers=Refers.AGENTS)]
    claim: Annotated[str, Meaning("what they hold, as they would sign it", "What do they hold?")]
    reason: Annotated[str, Meaning("their strongest reason", "What is their strongest reason?")]
    falsifier: Annotated[
        str, Meaning("what would change their mind, if they said", "What would change their mind?")
    ] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeSteelman:
    words: ClassVar = MoveWords("Grade a steelman", "Say whether somebody has put your position right.")
    kind: Literal[MoveKind.GRADE_STEELMAN] = MoveKind.GRADE_STEELMAN
    target: Annotated[
        MessageId,
        Meaning("the message that puts your position", "Which message puts your position?", refers=Refers.STEELMANS),
    ]
    grade: GivenGrade
    missing: WhatIsMissing = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvideEvidence:
    words: ClassVar = MoveWords("Bring evidence", "Bring a finding, with its source, that bears on a falsifier.")
    kind: Literal[MoveKind.PROVIDE_EVIDENCE] = MoveKind.PROVIDE_EVIDENCE
    evidence: Annotated[str, Meaning("what was found, in one sentence", "What was found?")]
    source: Annotated[str, Meaning("where it can be looked up", "Where can it be looked up?")]
    falsifier_of: Annotated[
        AgentId,
        Meaning("whose falsifier it bears on", "Which falsifier does it bear on?", refers=Refers.FALSIFIERS),
    ]
    number: Annotated[
        int,
        Meaning("which of theirs: F1 is number 1", "Which of their falsifiers?", refers=Refers.FALSIFIERS),
    ]
    direction: Annotated[
        Direction, Meaning("for the falsifier being met, or against it", "What does it say of the falsifier?")
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeEvidence:
    words: ClassVar = MoveWords("Challenge evidence", "Dispute what a finding measures, or what follows from it.")
    kind: Literal[MoveKind.CHALLENGE_EVIDENCE] = MoveKind.CHALLENGE_EVIDENCE
    target: Annotated[
        MessageId, Meaning("the message with the finding", "Which finding do you dispute?", refers=Refers.EVIDENCE)
    ]
    attacks: Annotated[Attack, Meaning("how it was measured, or what follows from it", "What in it do you dispute?")]
    why: Why


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdatePosition:
    """A changed mind on the crux."""

    words: ClassVar = MoveWords("Update", "Say that you changed your mind, and what moved you.")
    kind: Literal[MoveKind.UPDATE_POSITION] = MoveKind.UPDATE_POSITION
    side_before: Annotated[Side, Meaning("your answer so far", "What was your answer so far?", recorded=True)]
    side_after: Annotated[Side, Meaning("your answer to the question now", "What is your answer now?")]
    confidence_before: Annotated[
        float, Meaning("how sure you were", "How sure were you so far?", ends=SURE, recorded=True)
    ]
    confidence_after: Annotated[float, Meaning("how sure you are now", "How sure are you now?", ends=SURE)]
    moved_by: Annotated[
        MessageId, Meaning("the message that moved you", "Which message moved you?", refers=Refers.OTHERS)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Concede:
    """A point granted; the sides of the topic are given exactly when the top claim changed."""

    words: ClassVar = MoveWords("Concede", "Grant a point.")
    kind: Literal[MoveKind.CONCEDE] = MoveKind.CONCEDE
    proposition: Annotated[str, Meaning("the point you grant, in one sentence", "Which point do you grant?")]
    top_changed: Annotated[
        bool,
        Meaning("whether it changes your side on the topic", "Does it change which side of the topic you are on?"),
    ]
    side_before: Annotated[
        TopSide | None,
        Meaning("your side on the topic so far", "Which side were you on?", asked_if=CHANGED, recorded=True),
    ] = None
    side_after: Annotated[
        TopSide | None,
        Meaning("your side now, exactly if it changed", "Which side are you on now?", asked_if=CHANGED),
    ] = None


Move = (
    Claim
    | Challenge
    | Clarify
    | Reframe
    | ProposeCrux
    | Commit
    | DeclareFalsifier
    | Steelman
    | GradeSteelman
    | ProvideEvidence
    | ChallengeEvidence
    | UpdatePosition
    | Concede
)
MOVE_TYPES: Final[dict[MoveKind, type[Move]]] = {
    MoveKind(next(str(f.default) for f in fields(move) if f.name == "kind")): move for move in get_args(Move)
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a debater would like to say."""

    move: Move
    content: Annotated[
        str,
        Meaning(
            "what you say to all, in one or two sentences",
            "And what do you say to everybody, in your own words?",
            "one or two plain sentences",
            most=CONTENT_MAX,
            rows=3,
        ),
    ]
    topics: tuple[str, ...] = ()
    reply_to: MessageId | None = None
    refs: tuple[MessageId, ...] = ()
