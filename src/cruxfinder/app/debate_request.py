"""One request: every option of a debate, its meaning, its range, and who may set it.

The command line, HTTP bodies, the arguments of MCP, keyword arguments in Python, the keys of a fork and the form of the
page are made from it. A new option is a line here, and its use.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Flag, auto
from functools import cache
from math import inf
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from typing_extensions import TypedDict

from cruxfinder.adapters.models.model_pool import DEADLINE_MAX_S, DEADLINE_MIN_S
from cruxfinder.debaters.people.person import Inbox, Sitting
from cruxfinder.errors import BadInput
from cruxfinder.kernel.redundancy_limits import Redundancy
from cruxfinder.kernel.vocabulary import AGENTS_MAX, AGENTS_MIN, AgentId
from cruxfinder.language.numerals import parse_number, short_repr
from cruxfinder.ports import Debater, Store
from cruxfinder.protocols.registry import PROTOCOLS, SWITCHES

SAFE_INTEGER: Final = 2**53 - 1  # beyond it a browser rounds
AMOUNT_MAX: Final = 1_000_000_000
WAIT_MAX_S: Final = 86_400.0
EMBEDDERS: Final = ("static", "keyword")

Group = Literal["", "models", "personas", "turns", "seats"]  # options that are shown together
Kind = Literal["flag", "whole", "number", "text", "list", "map"]


class SetBy(Flag):
    """Who may set an option; in Python all may be set. No caller of a server names files or addresses."""

    COMMAND = auto()
    HTTP = auto()
    MCP = auto()
    FORM = auto()  # of the page
    FORK = auto()
    CALLERS = HTTP | MCP
    ALL = COMMAND | HTTP | MCP


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """What an option means, in a few words, and what it may be."""

    help: str
    by: SetBy = SetBy.ALL
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    most: int = 0  # of a list or a map: entries
    flag: str = ""  # on the command line; else the name of the option
    metavar: str = ""
    commas: bool = False  # on the command line: one list with commas, not one flag an entry
    group: Group = ""
    label: str = ""  # on the form

    @property
    def range(self) -> tuple[float, float]:
        return -inf if self.low is None else self.low, inf if self.high is None else self.high


class DebateRequest(TypedDict, total=False):
    """How a debate is held. Everything may be left out."""

    agents: Annotated[
        Sequence[str],
        Option(help="Only these agents, in this order.", metavar="A,B,…", commas=True, most=AGENTS_MAX),
    ]
    seed: Annotated[
        int,
        Option(
            help="The same pack and seed give the same debate.",
            by=SetBy.ALL | SetBy.FORM,
            low=-SAFE_INTEGER,
            high=SAFE_INTEGER,
            label="Seed",
        ),
    ]
    max_messages: Annotated[
        int | None,
        Option(
            help="End after so many messages.",
            by=SetBy.ALL | SetBy.FORM | SetBy.FORK,
            low=1,
            high=100_000,
            metavar="N",
            label="Messages at most",
        ),
    ]
    max_minutes: Annotated[
        float | None,
        Option(
            help="End after so much debate time.",
            by=SetBy.ALL | SetBy.FORM | SetBy.FORK,
            low=0.1,
            high=10_000,
            metavar="X",
            label="Debate minutes at most",
        ),
    ]
    embedder: Annotated[
        str,
        Option(help="What tells that two texts are alike: the model shipped, or shared words.", choices=EMBEDDERS),
    ]
    off: Annotated[
        Sequence[str],
        Option(
            help="Leave these rules out, as an ablation.",
            by=SetBy.ALL | SetBy.FORM | SetBy.FORK,
            metavar="RULE,…",
            commas=True,
            most=len(SWITCHES),
            label="Rules to leave out",
        ),
    ]
    attention: Annotated[
        float,
        Option(
            help="How much a message must concern somebody to reach them.",
            by=SetBy.ALL | SetBy.FORK,
            low=0,
            high=1,
            metavar="X",
        ),
    ]
    blind: Annotated[
        bool, Option(help="Debaters do not see who spoke.", by=SetBy.ALL | SetBy.FORM, label="Nobody sees who spoke")
    ]
    planted: Annotated[
        int,
        Option(
            help="Wrong steelmans to test the graders with; 1 with models.",
            by=SetBy.ALL | SetBy.FORM,
            low=0,
            high=12,
            flag="--plant",
            metavar="N",
            label="Planted wrong steelmans",
        ),
    ]
    debaters: Mapping[AgentId, Debater] | None  # stand in for the simulated ones
    store: Store | str | Path | None
    run: str | None
    model: str  # "openai:gpt-5-mini", or any name of a server at base_url
    models: Mapping[str, str]  # for single agents
    judge_model: str
    fallbacks: Sequence[str]
    base_url: str
    grammar: bool
    max_cost: Annotated[
        float | None,
        Option(
            help="Never spend more dollars.",
            by=SetBy.ALL | SetBy.FORM | SetBy.FORK,
            low=0.000001,
            high=100_000,
            metavar="DOLLARS",
            group="models",
            label="Dollars at most",
        ),
    ]
    max_calls: Annotated[
        int | None,
        Option(
            help="Never send more requests to models.",
            by=SetBy.ALL | SetBy.FORM | SetBy.FORK,
            low=1,
            high=AMOUNT_MAX,
            metavar="N",
            group="models",
            label="Model calls at most",
        ),
    ]
    max_tokens: Annotated[
        int | None,
        Option(
            help="Never take more tokens.",
            by=SetBy.ALL | SetBy.FORM | SetBy.FORK,
            low=1,
            high=AMOUNT_MAX,
            metavar="N",
            group="models",
            label="Tokens at most",
        ),
    ]
    per_minute: Annotated[
        int,
        Option(help="Requests a minute.", by=SetBy.COMMAND, low=1, high=AMOUNT_MAX, metavar="N", group="models"),
    ]
    at_once: Annotated[
        int,
        Option(help="Requests at a time.", by=SetBy.COMMAND, low=1, high=AMOUNT_MAX, metavar="N", group="models"),
    ]
    deadline_s: Annotated[
        float,
        Option(
            help="For one answer, retries included.",
            by=SetBy.COMMAND,
            low=DEADLINE_MIN_S,
            high=DEADLINE_MAX_S,
            flag="--deadline",
            metavar="SECONDS",
            group="models",
        ),
    ]
    personas: Annotated[
        Sequence[str],
        Option(help="Personas, as YAML.", by=SetBy.COMMAND, flag="--persona", metavar="FILE", group="personas"),
    ]
    positions: Annotated[
        Sequence[str],
        Option(help="A memo becomes a persona.", by=SetBy.COMMAND, flag="--position", metavar="FILE", group="personas"),
    ]
    transcript: Annotated[
        str, Option(help="Its speakers become personas.", by=SetBy.COMMAND, metavar="FILE", group="personas")
    ]
    cast: Annotated[
        int,
        Option(
            help="How many personas to draw up for a topic.",
            low=AGENTS_MIN,
            high=AGENTS_MAX,
            metavar="N",
            group="personas",
        ),
    ]
    protocol: Annotated[
        str,
        Option(help="Look for the crux, or talk it over in turns.", choices=tuple(PROTOCOLS), group="turns"),
    ]
    roles: Annotated[
        Mapping[str, str],
        Option(help="Who argues which side, or leads.", metavar="ROLE=AGENT", most=AGENTS_MAX, group="turns"),
    ]
    anchors: Annotated[
        str, Option(help="Texts a roundtable may quote from.", by=SetBy.COMMAND, metavar="DIR", group="turns")
    ]
    limits: Annotated[
        str | Redundancy,
        Option(help="Limits on going in circles, as YAML.", by=SetBy.COMMAND, metavar="FILE", group="turns"),
    ]
    redundancy: Annotated[bool, Option(help="Hold a crux debate to these limits too.", group="turns")]
    together: Annotated[bool, Option(help="One reply may hold the turns of several.", by=SetBy.COMMAND, group="turns")]
    ask_user: Annotated[
        bool,
        Option(
            help="May it ask you? In a terminal it may.",
            by=SetBy.COMMAND | SetBy.HTTP,
            flag="--ask/--no-ask",
            group="turns",
        ),
    ]
    user: Inbox | None  # how they are asked; by default through the store
    wait_s: Annotated[
        float,
        Option(
            help="How long for your answer.",
            by=SetBy.COMMAND | SetBy.HTTP,
            low=0,
            high=WAIT_MAX_S,
            flag="--wait",
            metavar="SECONDS",
            group="turns",
        ),
    ]
    people: Annotated[
        Sequence[str],
        Option(
            help="Take this seat yourself; may be given several times.",
            by=SetBy.COMMAND | SetBy.HTTP,
            metavar="NAME",
            most=AGENTS_MAX,
            group="seats",
        ),
    ]
    sitting: Sitting | None  # how the people at the seats are asked
    people_wait_s: Annotated[
        float,
        Option(
            help="Go on without an answer after so long; 0: as long as it takes.",
            by=SetBy.COMMAND | SetBy.HTTP,
            low=0,
            high=WAIT_MAX_S,
            flag="--people-wait",
            metavar="SECONDS",
            group="seats",
        ),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestField:
    """An option by its name, and what kind of value it takes."""

    name: str
    kind: Kind
    option: Option

    @property
    def flag(self) -> str:
        return self.option.flag or f"--{self.name.replace('_', '-')}"


@cache
def request_fields(by: SetBy) -> tuple[RequestField, ...]:
    """The options that may be set there, in their order."""
    return tuple(field for field in all_fields() if by in field.option.by)


def all_fields() -> Iterator[RequestField]:
    for name, hint in get_type_hints(DebateRequest, include_extras=True).items():
        if get_origin(hint) is Annotated:
            value, option = get_args(hint)
            yield RequestField(name=name, kind=kind_of(value), option=option)


@cache
def field_named(name: str) -> RequestField:
    return next(field for field in all_fields() if field.name == name)


def checked_number(name: str, given: object, told: str = "") -> float:
    """A number within the range of its option; `told` is how the option is spelt there, if not by its name."""
    field = field_named(name)
    found, wanted = parse_number(str(given)), "whole number" if field.kind == "whole" else "number"
    if found is None:
        raise BadInput(f"{told or name}: {short_repr(str(given))} is not a number")
    low, high = field.option.range
    if not low <= found <= high:
        raise BadInput(f"{told or name} takes a {wanted} from {in_digits(low)} to {in_digits(high)}")
    return found


def checked_whole(name: str, given: object, told: str = "") -> int:
    found = checked_number(name, given, told)
    if found != int(found):
        raise BadInput(f"{told or name}: {short_repr(str(given))} is not a whole number")
    return int(found)


def in_digits(bound: float) -> str:
    return f"{int(bound):,}" if bound == int(bound) else f"{bound:f}".rstrip("0")


KINDS: Final[dict[Any, Kind]] = {
    bool: "flag",
    int: "whole",
    float: "number",
    str: "text",
    Sequence: "list",
    Mapping: "map",
}


def kind_of(hint: Any) -> Kind:
    origin = get_origin(hint)
    if origin in (UnionType, Union):
        return kind_of(get_args(hint)[0])
    return KINDS[origin or hint]
