"""What requests look like: camelCase as in the result, lengths bounded, nothing unknown accepted."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, cast

from fastapi import Path, Query
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    SkipValidation,
    WithJsonSchema,
    create_model,
    model_validator,
)
from pydantic_core import PydanticCustomError

from cruxfinder.app.debate_request import SUBJECT_WANTED, check_subject, field_named, request_fields, spell_camel
from cruxfinder.app.options import Option, OptionField, SetBy, checked_value, describe_value, schema_of
from cruxfinder.app.server_setup import WITH_MODEL
from cruxfinder.errors import BadInput, BadOption
from cruxfinder.kernel.wire import camel_name
from cruxfinder.language.numerals import short_repr
from cruxfinder.protocols.registry import PROTOCOLS
from cruxfinder.server.problems import OPTION_FAULT, FieldFault, Problem

ID: Final = "^[a-z0-9][a-z0-9-]{0,63}$"
TOPIC_MAX: Final = 2_000
TEXT_MAX: Final = 4_000

PaceName = Literal["fast", "watch", "live"]
AnswerKind = Literal["drafted", "silence", "first", "probed", "judged", "related", "graded", "spoken", "consented"]
PACES: Final[dict[PaceName, float]] = {"fast": 0.0, "watch": 0.15, "live": 1.0}  # wall seconds a debate second


def check_protocol(name: str) -> str:
    if name not in PROTOCOLS:
        known = ", ".join(f"'{one}'" for one in PROTOCOLS)
        raise PydanticCustomError("literal_error", "Input should be {expected}", {"expected": known})
    return name


KnownProtocol = Annotated[
    str, AfterValidator(check_protocol), WithJsonSchema({"type": "string", "enum": list(PROTOCOLS)})
]
Run = Annotated[str, Path(pattern=ID, min_length=1, max_length=64, description="A run's id.")]
Agent = Annotated[
    str, Path(pattern=r"^[^\x00-\x1f/]{1,64}$", min_length=1, max_length=64, description="An agent's id or name.")
]
Word = Annotated[str, Field(min_length=1, max_length=80)]
Words = Annotated[list[Annotated[str, Query(max_length=200)]], Query(max_length=20)]
Change = Annotated[str, Field(min_length=1, max_length=600)]


# What the first design calls otherwise.
MESSAGES: Final = field_named("max_messages")
ATTENTION: Final = field_named("attention")
AGENTS: Final = field_named("agents")
DURATION: Final = OptionField(
    name="max_duration",
    kind="whole",
    option=Option(help="Milliseconds.", low=6_000, high=600_000_000),
    default=None,
)
CONVERGENCE: Final = 0.75


class RequestModel(BaseModel):
    model_config = ConfigDict(alias_generator=camel_name, extra="forbid", strict=True)


def checks(field: OptionField, key: str) -> PlainValidator:
    """An option is checked as on every other surface, and a fault is told in the same words."""

    def check(given: object) -> object:
        try:
            return checked_value(field, given)
        except BadOption as fault:
            raise option_fault(fault.sentence(lambda _: key)) from None

    return PlainValidator(check)


def schema(field: OptionField) -> WithJsonSchema:
    return WithJsonSchema(schema_of(field))


def check_named_subject(given: object) -> object:
    """What a debate is about, if that is said here."""
    try:
        return None if given is None else check_subject(given)
    except BadInput as fault:
        raise option_fault(str(fault)) from None


SUBJECT: Final = PlainValidator(check_named_subject)


def subject_schema(words: str) -> WithJsonSchema:
    text = {"type": "string", "minLength": 1, "maxLength": TOPIC_MAX, "pattern": "\\S"}
    return WithJsonSchema({"anyOf": [text, {"type": "null"}], "default": None, "description": words})


def option_fault(told: str) -> PydanticCustomError:
    """A fault that is told as it stands."""
    return PydanticCustomError(OPTION_FAULT, "{told}", {"told": told})


def check_convergence(given: object) -> object:
    if given not in (None, CONVERGENCE) or isinstance(given, bool):
        raise option_fault(f"convergenceThreshold is {CONVERGENCE}, not {describe_value(given)}: it is a rule's own")
    return given


def refuse_unknown_keys(model: type[BaseModel], given: object, what: str) -> object:
    """One that there is not is told, and what there is."""
    known = {field.alias or name for name, field in model.model_fields.items()}
    keys = set(cast("Mapping[str, object]", given)) if isinstance(given, Mapping) else set[str]()
    if strange := sorted(keys - known):
        raise option_fault(f"{what} has no {short_repr(strange[0])}; it has {', '.join(sorted(known))}")
    return cast("object", given)


class SeedConfig(RequestModel):
    """The `config` of the first design; the threshold of convergence is a rule's own and cannot be moved."""

    max_duration: Annotated[Any, checks(DURATION, "maxDuration"), schema(DURATION)] = None
    max_messages: Annotated[Any, checks(MESSAGES, "maxMessages"), schema(MESSAGES)] = None
    attention_threshold: Annotated[Any, checks(ATTENTION, "attentionThreshold"), schema(ATTENTION)] = None
    convergence_threshold: Annotated[
        Any, PlainValidator(check_convergence), WithJsonSchema({"enum": [CONVERGENCE, None], "default": None})
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, given: object) -> object:
        return refuse_unknown_keys(cls, given, "config")


class BeginBase(RequestModel):
    """A debate to be held: of a pack, by its name, or of a topic of one's own."""

    pack: Annotated[Any, SUBJECT, subject_schema("The name of a pack, or its topic.")] = None
    topic: Annotated[
        Any, SUBJECT, subject_schema("A claim as a sentence; the topic of a pack stands for that pack.")
    ] = None
    persona_ids: Annotated[Any, checks(AGENTS, "personaIds"), schema(AGENTS)] = None
    with_model: Annotated[Any, checks(WITH_MODEL, "withModel"), schema(WITH_MODEL)] = False
    pace: PaceName = "watch"
    config: SeedConfig | None = None

    @property
    def options(self) -> dict[str, Any]:
        """The options of the debate that the body names."""
        return {
            field.name: getattr(self, field.name)
            for field in request_fields(SetBy.HTTP)
            if field.name in self.model_fields_set
        }

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, given: object) -> object:
        return refuse_unknown_keys(cls, given, "a debate")

    @model_validator(mode="after")
    def _one_subject(self) -> "BeginBase":
        if (self.pack is None) == (self.topic is None):
            raise option_fault(f"{SUBJECT_WANTED}: one of the two")
        if self.options.get("agents") and self.persona_ids:
            raise option_fault("agents and personaIds are the same; give one of them")
        return self


if TYPE_CHECKING:
    BeginRequest = BeginBase
else:
    BeginRequest = create_model(
        "BeginRequest",
        __base__=BeginBase,
        __doc__=BeginBase.__doc__,
        **{
            field.name: (Annotated[Any, checks(field, spell_camel(field.name)), schema(field)], None)
            for field in request_fields(SetBy.HTTP)
        },
    )


class EmptyRequest(RequestModel):
    pass


class ResumeRequest(RequestModel):
    pace: PaceName = "watch"


class ForkRequest(RequestModel):
    at: Annotated[int, Field(ge=1, le=10_000_000)] = Field(description="How many events the two runs share.")
    changes: Annotated[list[Change], Field(min_length=1, max_length=50)] = Field(description="key=value")
    pace: PaceName = "watch"


class ReplyRequest(RequestModel):
    turn: Word
    text: Annotated[str, Field(min_length=1, max_length=TEXT_MAX)]


class GivenAnswer(BaseModel):
    """An answer in its wire form; what else it holds depends on its kind."""

    model_config = ConfigDict(extra="allow", strict=True)

    kind: AnswerKind


class SeatAnswerRequest(RequestModel):
    number: Annotated[int, Field(ge=0, le=10_000_000)] = Field(description="Which ask of this agent it answers.")
    answer: GivenAnswer


CELL_MAX: Final = 40
VOTE_NAME_MAX: Final = 400
Cell = Annotated[str, Field(max_length=CELL_MAX)] | Annotated[int, Field(ge=-1, le=1)] | None
VoteName = Annotated[str, Field(min_length=1, max_length=VOTE_NAME_MAX)]


class VotesRequest(RequestModel):
    """A table as CSV, a row a person; or {person: {question: vote}}, which `check_votes` looks at.

    Its cells are not looked at here: what is wrong with each of them would be told, and nobody else served meanwhile.
    """

    csv: Annotated[str, Field(min_length=1)] | None = None
    votes: SkipValidation[Annotated[dict[VoteName, dict[VoteName, Cell]], Field(min_length=1)]] | None = None

    @model_validator(mode="after")
    def _one_table(self) -> "VotesRequest":
        if (self.csv is None) == (self.votes is None):
            raise ValueError("give either csv or votes")
        return self


def check_votes(votes: object) -> dict[str, dict[str, Cell]]:
    """The votes, if they are some. Raise Problem with the first fault and no other."""
    if not isinstance(votes, dict) or not votes:
        raise fault_of("a table is an object with somebody in it")
    for person, row in cast("dict[str, object]", votes).items():
        if not 1 <= len(person) <= VOTE_NAME_MAX:
            raise fault_of(f"a name has 1 to {VOTE_NAME_MAX} characters")
        if not isinstance(row, dict):
            raise fault_of("the votes of a person are an object", person)
        for question, cell in cast("dict[str, object]", row).items():
            if not 1 <= len(question) <= VOTE_NAME_MAX:
                raise fault_of(f"a question has 1 to {VOTE_NAME_MAX} characters", person)
            if not is_cell(cell):
                raise fault_of("a vote is -1, 0, 1, a word, or nothing", person, question)
    return cast("dict[str, dict[str, Cell]]", votes)


def is_cell(value: object) -> bool:
    match value:
        case None:
            return True
        case str():
            return len(value) <= CELL_MAX
        case bool():
            return False
        case int():
            return -1 <= value <= 1
        case _:
            return False


def fault_of(fault: str, *names: str) -> Problem:
    """What is wrong with the votes, of the person and on the question that are named."""
    field = ".".join(("body", "votes", *(name[:80] for name in names)))
    return Problem(422, f"{field}: {fault}", errors=(FieldFault(field=field, fault=fault),))
