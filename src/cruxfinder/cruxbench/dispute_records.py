"""What a finder is given, and how its answer is read. `docs/research/cruxbench.md` has the format.

A record says what was said before a question was chosen, or what people wrote. It never holds the truth, and its name
tells nothing of it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from random import Random
from typing import Annotated, Final

from pydantic import AliasChoices, ConfigDict, Field, TypeAdapter, ValidationError

from cruxfinder.crux.events import MessagePosted
from cruxfinder.crux.moves import Claim, ProposeCrux
from cruxfinder.cruxbench.finder_answers import FinderAnswer
from cruxfinder.cruxbench.simple_finders import AllAnswers
from cruxfinder.errors import DebaterFault
from cruxfinder.kernel.pack import Pack
from cruxfinder.kernel.vocabulary import Side, TopSide, Verdict
from cruxfinder.kernel.wire import ENCODER, camel

RECORD: Final = 1  # raised when a finder that reads the old form cannot read the new one
QUESTION_MAX: Final = 500  # characters
CRUXES_MAX: Final = 50
DIGITS: Final = 4  # of a private answer
ENDINGS: Final = tuple(v.value for v in Verdict if v is not Verdict.UNDECIDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """Something somebody said or wrote."""

    who: str
    text: str
    move: str = ""  # of a debate
    side: str = ""  # on the topic, where the move states it
    question: str = ""  # that it proposes


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateView:
    """What somebody privately answers on one question."""

    p_yes: float
    top_if_yes: float
    top_if_no: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """One of the questions of a planted world, and everybody's private answers."""

    question: str
    yes_means: str
    no_means: str
    people: Mapping[str, PrivateView]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateAnswers:
    """What the baselines are told, too: of everybody, on the topic and on every question there is."""

    top: Mapping[str, float]
    questions: tuple[AskedQuestion, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeRecord:
    """A disagreement as a finder gets it."""

    record: int = RECORD
    id: str
    topic: str
    people: tuple[str, ...]
    said: tuple[Remark, ...]
    private: PrivateAnswers | None = None


def record_line(record: DisputeRecord) -> str:
    return ENCODER.encode(camel(record))


def blind_id(*parts: object) -> str:
    """A name that is the same for the same run and does not tell its kind."""
    return sha256("/".join(map(str, parts)).encode()).hexdigest()[:16]


def remarks_of(pack: Pack, messages: Iterable[MessagePosted]) -> tuple[Remark, ...]:
    named = {p.id: p.name for p in pack.personas}
    return tuple(
        Remark(
            who=named[m.agent],
            text=m.content,
            move=m.move.kind.value,
            side=m.move.top_side.value if isinstance(m.move, Claim) else "",
            question=m.move.question if isinstance(m.move, ProposeCrux) else "",
        )
        for m in messages
    )


def private_answers(pack: Pack, told: AllAnswers, id: str) -> PrivateAnswers:
    """The questions in an order of their own: where a proposition stands in its world may tell what it is there for."""
    names = [p.name for p in pack.personas]
    places = list(range(len(pack.propositions)))
    Random(f"order of questions/{id}").shuffle(places)
    return PrivateAnswers(
        top={name: round(float(p), DIGITS) for name, p in zip(names, told.p_top, strict=True)},
        questions=tuple(
            AskedQuestion(
                question=pack.propositions[n].question,
                yes_means=pack.propositions[n].yes_means,
                no_means=pack.propositions[n].no_means,
                people={
                    name: PrivateView(
                        p_yes=round(float(told.c[k, n]), DIGITS),
                        top_if_yes=round(float(told.p1[k, n]), DIGITS),
                        top_if_no=round(float(told.p0[k, n]), DIGITS),
                    )
                    for k, name in enumerate(names)
                },
            )
            for n in places
        ),
    )


# ---- the answer

Question = Annotated[str, Field(max_length=QUESTION_MAX)]
FORM: Final = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerForm:
    """An answer as it comes in."""

    __pydantic_config__ = FORM

    id: str | None = None
    primary: Question | None = None
    cruxes: Annotated[tuple[Question, ...], Field(max_length=CRUXES_MAX)] = ()
    ending: str | None = None
    sides: dict[str, TopSide] = field(default_factory=dict[str, TopSide])
    crux_sides: Annotated[dict[str, Side], Field(validation_alias=AliasChoices("cruxSides", "crux_sides"))] = field(
        default_factory=dict[str, Side]
    )


class NoAnswer(DebaterFault):
    """A finder did not answer, or not in the form of an answer. The sentence says what was wrong."""


READER: Final = TypeAdapter(AnswerForm)


def read_answer(given: str | Mapping[str, object] | FinderAnswer, record: DisputeRecord) -> FinderAnswer:
    """The answer to a record, from a line of JSON or from a function. Raise NoAnswer where it is none."""
    try:
        form = READER.validate_json(given) if isinstance(given, str) else READER.validate_python(plain_mapping(given))
    except ValidationError as fault:
        raise NoAnswer(describe_fault(fault)) from None
    if form.id is not None and form.id != record.id:
        raise NoAnswer(f"it answers record {form.id[:40]!r}, and was asked {record.id!r}")
    if not (form.primary or form.ending):
        raise NoAnswer("it names neither a primary question nor an ending")
    if form.ending and form.ending not in ENDINGS:
        raise NoAnswer(f"there is no ending {form.ending[:60]!r}; there are {', '.join(ENDINGS)}")
    if strangers := sorted({*form.sides, *form.crux_sides} - set(record.people)):
        raise NoAnswer(f"nobody is called {strangers[0][:60]!r}; there are {', '.join(record.people)}")
    primary = (form.primary or "").strip()
    named = (primary, *(q.strip() for q in form.cruxes))
    return FinderAnswer(
        primary=primary,
        cruxes=tuple(dict.fromkeys(q for q in named if q)),
        ending=form.ending or "",
        sides={who: side.value for who, side in form.sides.items()},
        crux_sides={who: side.value for who, side in form.crux_sides.items()},
    )


def plain_mapping(given: Mapping[str, object] | FinderAnswer) -> object:
    """A function may answer with anything; the form refuses what is no mapping."""
    return asdict(given) if isinstance(given, FinderAnswer) else given


def describe_fault(fault: ValidationError) -> str:
    first = fault.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    if first["type"] == "json_invalid":
        return "its answer is no line of JSON"
    if first["type"] in ("dataclass_type", "dataclass_exact_type"):
        return "its answer is no JSON object"
    if first["type"] == "unexpected_keyword_argument":
        return f"an answer has no {where[:60]!r}; it may have primary, cruxes, ending, sides, cruxSides, id"
    return f"{where[:60]}: {first['msg'][:200]}"
