"""What answers look like, as types for clients: camelCase as in the result."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from cruxfinder.app.hosting import DebateState
from cruxfinder.app.options import Kind
from cruxfinder.debaters.people.seat_form import SeatForm
from cruxfinder.kernel.wire import camel_name
from cruxfinder.server.request_shapes import KnownProtocol


class ResponseShape(BaseModel):
    model_config = ConfigDict(alias_generator=camel_name, validate_by_name=True, extra="forbid", strict=True)


class HealthShape(ResponseShape):
    name: Literal["cruxfinder"]
    version: str
    model: bool = Field(description="A model is configured, so that topics of one's own can be debated.")
    token: bool = Field(description="Requests need the server's token.")


class PersonaShape(ResponseShape):
    id: str
    name: str
    about: str


class PackShape(ResponseShape):
    name: str
    title: str
    topic: str
    agents: list[PersonaShape]
    protocols: list[KnownProtocol]


class PacksShape(ResponseShape):
    packs: list[PackShape]


class OptionShape(ResponseShape):
    name: str = Field(description="As the body of a request names it.")
    kind: Kind
    label: str
    help: str
    low: float | None
    high: float | None


class ProtocolShape(ResponseShape):
    name: KnownProtocol
    label: str
    aim: str
    in_turns: bool = Field(description="One speaks after another, and whoever watches can be asked.")


class FormShape(ResponseShape):
    options: list[OptionShape]
    protocols: list[ProtocolShape]
    fork_keys: list[str] = Field(description="What a fork may change, each with what stands for its value.")


class FormatShape(ResponseShape):
    name: str
    label: str


class FormatsShape(ResponseShape):
    formats: list[FormatShape]


class NewDebateShape(ResponseShape):
    id: str
    topic: str
    state: DebateState
    url: str


class DebateRowShape(ResponseShape):
    id: str
    topic: str
    pack: str
    state: DebateState
    entries: int
    created: str
    updated: str
    parent: str
    protocol: KnownProtocol | None = Field(description="Not known before a debate begins.")
    waiting: int = Field(description="How many people are waited for.")


class DebateListShape(ResponseShape):
    debates: list[DebateRowShape]
    next: str | None = Field(description="Ask again with `before` set to it.")


class WaitingShape(ResponseShape):
    agent: str
    number: int
    kind: str
    seconds_left: float | None


class QuestionShape(ResponseShape):
    turn: str
    question: str


class UsageShape(ResponseShape):
    calls: int
    tokens_in: int
    tokens_out: int
    dollars: float


class DebateShape(ResponseShape):
    id: str
    topic: str
    pack: str
    state: DebateState
    why: str
    protocol: KnownProtocol | None = Field(description="Not known before a debate begins.")
    seed: int | None
    agents: list[dict[str, Any]] = Field(description="The seats.")
    settings: dict[str, Any]
    entries: int
    created: str
    updated: str
    parent: str
    usage: UsageShape
    waiting: list[WaitingShape]
    question: QuestionShape | None = Field(description="What the conversation waits to hear from whoever watches.")


class RunStateShape(ResponseShape):
    id: str
    state: DebateState


class SeatThreadShape(ResponseShape):
    id: str
    topic: str
    stage: str
    question: str


class ViewShape(ResponseShape):
    topic: str
    thread: SeatThreadShape | None


class SeatShape(ResponseShape):
    agent: str
    name: str
    ask: dict[str, Any] = Field(description="What is asked, in its wire form.")
    form: SeatForm = Field(description="The same as a form: its fields, and where in the answer each value belongs.")
    seconds_left: float | None
    view: ViewShape


class SeatsShape(ResponseShape):
    seats: list[SeatShape]


class PositionShape(ResponseShape):
    id: str
    x: float
    y: float
    coalition: int | None


class MatrixShape(ResponseShape):
    people: list[str]
    questions: list[str]
    votes: list[list[int | None]] = Field(description="1, -1, 0, or nothing.")


class LeftOutShape(ResponseShape):
    people: int
    questions: int


class VotesShape(BaseModel):
    """The map as `crux votes --json` has it, and where everybody stands."""

    model_config = ConfigDict(extra="allow", alias_generator=camel_name, validate_by_name=True)

    positions: list[PositionShape]
    matrix: MatrixShape
    left_out: LeftOutShape = Field(description="Not shown in positions and matrix: too many.")


class GateShape(ResponseShape):
    report: dict[str, Any]
    brief: dict[str, Any] = Field(description="The report in words, as terminal and tools have them.")
    debates: list[dict[str, Any]]
    days: list[str]


class DayShape(ResponseShape):
    day: str
    text: str
