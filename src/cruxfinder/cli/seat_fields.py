"""What each move needs of the person who makes it, as questions for a terminal."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

from cruxfinder.kernel.vocabulary import Attack, Direction, Grade, Horizon, MoveKind, Side, TopSide

Kind = Literal["text", "chance", "choice", "message", "agent", "falsifier", "number"]


@dataclass(frozen=True, slots=True)
class MoveField:
    name: str
    asks: str
    kind: Kind = "text"
    choices: tuple[str, ...] = ()
    may_lack: bool = False


def one_of(
    name: str, asks: str, words: type[StrEnum], *, without: tuple[StrEnum, ...] = (), may_lack: bool = False
) -> MoveField:
    return MoveField(name, asks, "choice", tuple(w.value for w in words if w not in without), may_lack)


TOP: Final = "Which side of the topic is that?"
FIELDS: Final[dict[MoveKind, tuple[MoveField, ...]]] = {
    MoveKind.CLAIM: (
        MoveField("proposition", "What do you claim?"),
        MoveField("reason", "Why?"),
        MoveField("confidence", "How sure are you?", "chance"),
        one_of("top_side", TOP, TopSide),
    ),
    MoveKind.CHALLENGE: (
        MoveField("target", "Which message?", "message"),
        MoveField("disputes", "What in it do you dispute?"),
        MoveField("why", "Why?"),
    ),
    MoveKind.CLARIFY: (
        MoveField("target", "Which message?", "message"),
        MoveField("asks", "Do you ask, or explain?", "choice", ("ask", "explain")),
    ),
    MoveKind.REFRAME: (MoveField("question", "What is the better question?"), MoveField("why", "Why?")),
    MoveKind.PROPOSE_CRUX: (
        MoveField("question", "Which yes-or-no question does it turn on?"),
        MoveField("yes_means", "What does YES mean?"),
        MoveField("no_means", "What does NO mean?"),
    ),
    MoveKind.COMMIT_POSITION: (
        one_of("side", "Your answer?", Side),
        MoveField("statement", "What do you hold?"),
        MoveField("reason", "Why?"),
        MoveField("confidence", "How sure are you?", "chance"),
        one_of("horizon", "Over what time?", Horizon),
        MoveField("falsifier", "What would change your mind?", "falsifier", may_lack=True),
    ),
    MoveKind.DECLARE_FALSIFIER: (MoveField("falsifier", "What would change your mind?", "falsifier"),),
    MoveKind.STEELMAN: (
        MoveField("target", "Whose view?", "agent"),
        MoveField("claim", "What do they hold?"),
        MoveField("reason", "What is their strongest reason?"),
        MoveField("falsifier", "What would change their mind?", may_lack=True),
    ),
    MoveKind.GRADE_STEELMAN: (
        MoveField("target", "Which steelman of you?", "message"),
        one_of("grade", "How well does it say what you hold?", Grade, without=(Grade.PENDING,)),
        MoveField("missing", "What is missing?", may_lack=True),
    ),
    MoveKind.PROVIDE_EVIDENCE: (
        MoveField("evidence", "What is known?"),
        MoveField("source", "Where from?"),
        MoveField("falsifier_of", "Whose test does it bear on?", "agent"),
        MoveField("number", "Which of their tests?", "number"),
        one_of("direction", "For the test being met, or against it?", Direction),
    ),
    MoveKind.CHALLENGE_EVIDENCE: (
        MoveField("target", "Which evidence?", "message"),
        one_of("attacks", "What is wrong with it?", Attack),
        MoveField("why", "Why?"),
    ),
    MoveKind.UPDATE_POSITION: (
        one_of("side_before", "Where did you stand?", Side),
        one_of("side_after", "Where do you stand now?", Side),
        MoveField("confidence_before", "How sure were you?", "chance"),
        MoveField("confidence_after", "How sure are you now?", "chance"),
        MoveField("moved_by", "Which message moved you?", "message"),
    ),
    MoveKind.CONCEDE: (
        MoveField("proposition", "What do you grant?"),
        MoveField("top_changed", "Does it change your side of the topic?", "choice", ("yes", "no")),
    ),
}
SIDES: Final = (
    one_of("side_before", "Which side was that?", TopSide),
    one_of("side_after", "And which is it now?", TopSide),
)
FALSIFIER: Final = (
    MoveField("metric", "What would have to be measured?"),
    MoveField("threshold", "Reaching what?"),
    MoveField("deadline", "By when?"),
)
BOOLEANS: Final[dict[str, Callable[[str], bool]]] = {
    "asks": lambda word: word == "ask",
    "top_changed": lambda word: word == "yes",
}
