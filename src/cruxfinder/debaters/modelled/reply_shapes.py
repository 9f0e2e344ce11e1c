"""What a reply looks like, one table for three readers: a line in the prompt, a grammar, and the check of the reply."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from cruxfinder.kernel.vocabulary import Attack, Direction, Grade, Horizon, MoveKind, Side, TopSide

Kind = Literal["text", "chance", "message", "agent", "count", "flag", "choice", "falsifier"]


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    kind: Kind = "text"
    choices: tuple[str, ...] = ()
    optional: bool = False

    def told(self) -> str:
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


def choice(name: str, choices: Sequence[str], *, optional: bool = False) -> Field:
    return Field(name, "choice", tuple(str(c) for c in choices), optional)


GRADES: Final = (Grade.ACCURATE, Grade.INCOMPLETE, Grade.WRONG)
CONTENT: Final = Field("content")
SILENT: Final = "SILENCE"

MOVES: Final[dict[MoveKind, tuple[Field, ...]]] = {
    MoveKind.CLAIM: (
        Field("proposition"),
        Field("reason"),
        Field("confidence", "chance"),
        choice("top_side", tuple(TopSide)),
        choice("horizon", tuple(Horizon), optional=True),
    ),
    MoveKind.CHALLENGE: (Field("target", "message"), Field("disputes"), Field("why")),
    MoveKind.CLARIFY: (Field("target", "message"), Field("asks", "flag")),
    MoveKind.REFRAME: (Field("question"), Field("why")),
    MoveKind.PROPOSE_CRUX: (Field("question"), Field("yes_means"), Field("no_means")),
    MoveKind.COMMIT_POSITION: (
        choice("side", tuple(Side)),
        Field("statement"),
        Field("reason"),
        Field("confidence", "chance"),
        choice("horizon", tuple(Horizon)),
        Field("falsifier", "falsifier"),
    ),
    MoveKind.DECLARE_FALSIFIER: (Field("falsifier", "falsifier"),),
    MoveKind.STEELMAN: (Field("claim"), Field("reason"), Field("falsifier")),
    MoveKind.GRADE_STEELMAN: (choice("grade", GRADES), Field("missing", optional=True)),
    MoveKind.PROVIDE_EVIDENCE: (
        Field("evidence"),
        Field("source"),
        Field("falsifier_of", "agent"),
        Field("number", "count"),
        choice("direction", tuple(Direction)),
    ),
    MoveKind.CHALLENGE_EVIDENCE: (Field("target", "message"), choice("attacks", tuple(Attack)), Field("why")),
    MoveKind.UPDATE_POSITION: (
        choice("side_after", tuple(Side)),
        Field("confidence_after", "chance"),
        Field("moved_by", "message"),
    ),
    MoveKind.CONCEDE: (
        Field("proposition"),
        Field("top_changed", "flag"),
        choice("side_after", tuple(TopSide), optional=True),
    ),
}
TARGETED: Final = (Field("target", "agent"),)  # a steelman nobody asked for names whom it is of
MARKED: Final = (Field("target", "message"),)  # and a grade nobody asked for, which steelman

FIRST: Final = (Field("p_top", "chance"), choice("side", tuple(TopSide)), Field("reason"))
PUBLIC: Final = (choice("public_side", tuple(TopSide)),)
PROBE: Final = (Field("yes", "chance"), Field("top_if_yes", "chance"), Field("top_if_no", "chance"))
WORDED: Final = (Field("as_worded", "chance"), Field("in_its_time", "chance"))
JUDGE: Final = (
    Field("objection", optional=True),
    choice("side", tuple(Side), optional=True),
    Field("statement", optional=True),
)
RELATE: Final = (
    Field("second_if_yes", "chance"),
    Field("second_if_no", "chance"),
    Field("first_if_yes", "chance"),
    Field("first_if_no", "chance"),
    Field("sketch", optional=True),
    Field("back", optional=True),
)


def move_fields(move: MoveKind, *, owed: bool) -> tuple[Field, ...]:
    """What is owed has its target already."""
    if owed:
        return MOVES[move]
    more = {MoveKind.STEELMAN: TARGETED, MoveKind.GRADE_STEELMAN: MARKED}.get(move, ())
    return (*more, *MOVES[move])


def told(fields: Sequence[Field]) -> str:
    return ", ".join(field.told() for field in fields)


def one_move(move: MoveKind) -> str:
    return f'JSON: {{"move": "{move}", content, {told(MOVES[move])}}}'


def any_move(moves: Sequence[MoveKind]) -> str:
    lines = [f"{move}: {told(move_fields(move, owed=False))}" for move in moves]
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


def spelled(text: str) -> str:
    """A JSON string as a literal of the grammar."""
    return f'"\\"{text}\\""'


def value_rule(field: Field, agents: Sequence[str]) -> str:
    match field.kind:
        case "choice":
            return f"({' | '.join(spelled(c) for c in field.choices)})"
        case "agent":
            return f"({' | '.join(spelled(a) for a in agents)})"
        case "falsifier":
            return object_rule((Field("metric"), Field("threshold"), Field("deadline")), agents)
        case "text" if field.optional:
            return EMPTY_OR_TEXT
        case "text" | "chance" | "message" | "count" | "flag":
            return field.kind


def object_rule(fields: Sequence[Field], agents: Sequence[str], start: str = "") -> str:
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
