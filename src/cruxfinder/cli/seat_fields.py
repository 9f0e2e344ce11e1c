"""What each move needs of the person who makes it, as questions for a terminal."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

from cruxfinder.kernel.vocabulary import Attack, Direction, Grade, Horizon, MoveKind, Side, TopSide

Kind = Literal["text", "chance", "choice", "message", "agent", "falsifier", "number"]


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    asks: str
    kind: Kind = "text"
    choices: tuple[str, ...] = ()
    may_lack: bool = False


def one_of(
    name: str, asks: str, words: type[StrEnum], *, without: tuple[StrEnum, ...] = (), may_lack: bool = False
) -> Field:
    return Field(name, asks, "choice", tuple(w.value for w in words if w not in without), may_lack)


TOP: Final = "Which side of the topic is that?"
FIELDS: Final[dict[MoveKind, tuple[Field, ...]]] = {
    MoveKind.CLAIM: (
        Field("proposition", "What do you claim?"),
        Field("reason", "Why?"),
        Field("confidence", "How sure are you?", "chance"),
        one_of("top_side", TOP, TopSide),
    ),
    MoveKind.CHALLENGE: (
        Field("target", "Which message?", "message"),
        Field("disputes", "What in it do you dispute?"),
        Field("why", "Why?"),
    ),
    MoveKind.CLARIFY: (
        Field("target", "Which message?", "message"),
        Field("asks", "Do you ask, or explain?", "choice", ("ask", "explain")),
    ),
    MoveKind.REFRAME: (Field("question", "What is the better question?"), Field("why", "Why?")),
    MoveKind.PROPOSE_CRUX: (
        Field("question", "Which yes-or-no question does it turn on?"),
        Field("yes_means", "What does YES mean?"),
        Field("no_means", "What does NO mean?"),
    ),
    MoveKind.COMMIT_POSITION: (
        one_of("side", "Your answer?", Side),
        Field("statement", "What do you hold?"),
        Field("reason", "Why?"),
        Field("confidence", "How sure are you?", "chance"),
        one_of("horizon", "Over what time?", Horizon),
        Field("falsifier", "What would change your mind?", "falsifier", may_lack=True),
    ),
    MoveKind.DECLARE_FALSIFIER: (Field("falsifier", "What would change your mind?", "falsifier"),),
    MoveKind.STEELMAN: (
        Field("target", "Whose view?", "agent"),
        Field("claim", "What do they hold?"),
        Field("reason", "What is their strongest reason?"),
        Field("falsifier", "What would change their mind?", may_lack=True),
    ),
    MoveKind.GRADE_STEELMAN: (
        Field("target", "Which steelman of you?", "message"),
        one_of("grade", "How well does it say what you hold?", Grade, without=(Grade.PENDING,)),
        Field("missing", "What is missing?", may_lack=True),
    ),
    MoveKind.PROVIDE_EVIDENCE: (
        Field("evidence", "What is known?"),
        Field("source", "Where from?"),
        Field("falsifier_of", "Whose test does it bear on?", "agent"),
        Field("number", "Which of their tests?", "number"),
        one_of("direction", "For the test being met, or against it?", Direction),
    ),
    MoveKind.CHALLENGE_EVIDENCE: (
        Field("target", "Which evidence?", "message"),
        one_of("attacks", "What is wrong with it?", Attack),
        Field("why", "Why?"),
    ),
    MoveKind.UPDATE_POSITION: (
        one_of("side_before", "Where did you stand?", Side),
        one_of("side_after", "Where do you stand now?", Side),
        Field("confidence_before", "How sure were you?", "chance"),
        Field("confidence_after", "How sure are you now?", "chance"),
        Field("moved_by", "Which message moved you?", "message"),
    ),
    MoveKind.CONCEDE: (
        Field("proposition", "What do you grant?"),
        Field("top_changed", "Does it change your side of the topic?", "choice", ("yes", "no")),
    ),
}
SIDES: Final = (
    one_of("side_before", "Which side was that?", TopSide),
    one_of("side_after", "And which is it now?", TopSide),
)
FALSIFIER: Final = (
    Field("metric", "What would have to be measured?"),
    Field("threshold", "Reaching what?"),
    Field("deadline", "By when?"),
)
BOOLEANS: Final[dict[str, Callable[[str], bool]]] = {
    "asks": lambda word: word == "ask",
    "top_changed": lambda word: word == "yes",
}
