"""What a reply looks like, one table for three readers: a line in the prompt, a grammar, and the check of the reply."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from cruxfinder.kernel.vocabulary import Attack, Direction, Grade, Horizon, MoveKind, Side, TopSide

Kind = Literal["text", "chance", "message", "agent", "count", "flag", "choice", "falsifier"]


@dataclass(frozen=True, slots=True)
class ReplyField:
    name: str
    kind: Kind = "text"
    choices: tuple[str, ...] = ()
    optional: bool = False

    def describe(self) -> str:
        mark = "?" if self.optional else ""
        match self.kind:
            case "text":
                return f"{self.name}{mark}"
            case "chance":
                return f"{self.name}{mark} 0-1"
            case "message":
                return f"{self.name}{mark} mN"
            case "agent":
                return f"{self.name}{mark}"
            case "count":
                return f"{self.name}{mark} N"
            case "flag":
                return f"{self.name}{mark} true|false"
            case "choice":
                return f"{self.name}{mark} {'|'.join(self.choices)}"
            case "falsifier":
                return f"{self.name}{mark} {{metric, threshold, deadline}}"


def choice(name: str, choices: Sequence[str], *, optional: bool = False) -> ReplyField:
    return ReplyField(name, "choice", tuple(str(c) for c in choices), optional)


GRADES: Final = (Grade.ACCURATE, Grade.INCOMPLETE, Grade.WRONG)
CONTENT: Final = ReplyField("content")
SILENT: Final = "SILENCE"

MOVES: Final[dict[MoveKind, tuple[ReplyField, ...]]] = {
    MoveKind.CLAIM: (
        ReplyField("proposition"),
        ReplyField("reason"),
        ReplyField("confidence", "chance"),
        choice("top_side", tuple(TopSide)),
        choice("horizon", tuple(Horizon), optional=True),
    ),
    MoveKind.CHALLENGE: (ReplyField("target", "message"), ReplyField("disputes"), ReplyField("why")),
    MoveKind.CLARIFY: (ReplyField("target", "message"), ReplyField("asks", "flag")),
    MoveKind.REFRAME: (ReplyField("question"), ReplyField("why")),
    MoveKind.PROPOSE_CRUX: (ReplyField("question"), ReplyField("yes_means"), ReplyField("no_means")),
    MoveKind.COMMIT_POSITION: (
        choice("side", tuple(Side)),
        ReplyField("statement"),
        ReplyField("reason"),
        ReplyField("confidence", "chance"),
        choice("horizon", tuple(Horizon)),
        ReplyField("falsifier", "falsifier"),
    ),
    MoveKind.DECLARE_FALSIFIER: (ReplyField("falsifier", "falsifier"),),
    MoveKind.STEELMAN: (ReplyField("claim"), ReplyField("reason"), ReplyField("falsifier")),
    MoveKind.GRADE_STEELMAN: (choice("grade", GRADES), ReplyField("missing", optional=True)),
    MoveKind.PROVIDE_EVIDENCE: (
        ReplyField("evidence"),
        ReplyField("source"),
        ReplyField("falsifier_of", "agent"),
        ReplyField("number", "count"),
        choice("direction", tuple(Direction)),
    ),
    MoveKind.CHALLENGE_EVIDENCE: (ReplyField("target", "message"), choice("attacks", tuple(Attack)), ReplyField("why")),
    MoveKind.UPDATE_POSITION: (
        choice("side_after", tuple(Side)),
        ReplyField("confidence_after", "chance"),
        ReplyField("moved_by", "message"),
    ),
    MoveKind.CONCEDE: (
        ReplyField("proposition"),
        ReplyField("top_changed", "flag"),
        choice("side_after", tuple(TopSide), optional=True),
    ),
}
TARGETED: Final = (ReplyField("target", "agent"),)  # a steelman nobody asked for names whom it is of
MARKED: Final = (ReplyField("target", "message"),)  # and a grade nobody asked for, which steelman

FIRST: Final = (ReplyField("p_top", "chance"), choice("side", tuple(TopSide)), ReplyField("reason"))
PUBLIC: Final = (choice("public_side", tuple(TopSide)),)
PROBE: Final = (ReplyField("yes", "chance"), ReplyField("top_if_yes", "chance"), ReplyField("top_if_no", "chance"))
WORDED: Final = (ReplyField("as_worded", "chance"), ReplyField("in_its_time", "chance"))
JUDGE: Final = (
    ReplyField("objection", optional=True),
    choice("side", tuple(Side), optional=True),
    ReplyField("statement", optional=True),
)
RELATE: Final = (
    ReplyField("second_if_yes", "chance"),
    ReplyField("second_if_no", "chance"),
    ReplyField("first_if_yes", "chance"),
    ReplyField("first_if_no", "chance"),
    ReplyField("sketch", optional=True),
    ReplyField("back", optional=True),
)


def move_fields(move: MoveKind, *, owed: bool) -> tuple[ReplyField, ...]:
    """What is owed has its target already."""
    if owed:
        return MOVES[move]
    more = {MoveKind.STEELMAN: TARGETED, MoveKind.GRADE_STEELMAN: MARKED}.get(move, ())
    return (*more, *MOVES[move])


def describe_fields(fields: Sequence[ReplyField]) -> str:
    return ", ".join(field.describe() for field in fields)


def one_move(move: MoveKind) -> str:
    return f'JSON: {{"move": "{move}", content, {describe_fields(MOVES[move])}}}'


def any_move(moves: Sequence[MoveKind]) -> str:
    lines = [f"{move}: {describe_fields(move_fields(move, owed=False))}" for move in moves]
    return "\n".join(
        ('JSON: {"move": …, content, and the fields of that move}', *lines, f"{SILENT}: nothing new to say")
    )


# ---- grammars (GBNF), for servers that hold a model to one: no free white space, texts of bounded length

TEXT: Final = 'text ::= "\\"" [^"\\\\\\x00-\\x1F]{1,160} "\\""'
EMPTY_OR_TEXT: Final = '("\\"\\"" | text)'
CHANCE: Final = 'chance ::= "0." [0-9]{1,2} | "1"'
MESSAGE: Final = 'message ::= "\\"m" [1-9] [0-9]{0,2} "\\""'
COUNT: Final = "count ::= [1-9]"
FLAG: Final = 'flag ::= "true" | "false"'


def grammar(root: str, rules: Sequence[str] = ()) -> str:
    return "\n".join((f"root ::= {root}", *rules, TEXT, CHANCE, MESSAGE, COUNT, FLAG))


def json_literal(text: str) -> str:
    """A JSON string as a literal of the grammar."""
    return f'"\\"{text}\\""'


def value_rule(field: ReplyField, agents: Sequence[str]) -> str:
    match field.kind:
        case "choice":
            return f"({' | '.join(json_literal(c) for c in field.choices)})"
        case "agent":
            return f"({' | '.join(json_literal(a) for a in agents)})"
        case "falsifier":
            return object_rule((ReplyField("metric"), ReplyField("threshold"), ReplyField("deadline")), agents)
        case "text" if field.optional:
            return EMPTY_OR_TEXT
        case "text" | "chance" | "message" | "count" | "flag":
            return field.kind


def object_rule(fields: Sequence[ReplyField], agents: Sequence[str], start: str = "") -> str:
    """An object with all of its fields, in order."""
    parts = [f'"\\"{field.name}\\":" {value_rule(field, agents)}' for field in fields]
    inner = ' "," '.join(parts)
    return f'"{{{start}" {inner} "}}"'


def move_grammar(moves: Sequence[MoveKind], agents: Sequence[str], *, owed: bool) -> str:
    options = [
        object_rule((CONTENT, *move_fields(move, owed=owed)), agents, f'\\"move\\":\\"{move}\\",') for move in moves
    ]
    silent = [] if owed else [f'"{{\\"move\\":\\"{SILENT}\\"}}"']
    return grammar(" | ".join((*options, *silent)))
