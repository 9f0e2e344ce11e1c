"""One request: every option of a debate, its meaning, its range, and who may set it.

The command line, HTTP bodies, the arguments of MCP, keyword arguments in Python, the keys of a fork and the form of the
page are made from it. A new option is a field here, and its use.
"""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Annotated, Final

from cruxfinder.app.model_request import ModelRequest, check_fields
from cruxfinder.app.options import Option, OptionField, SetBy, Spell, describe_value, option_named, options_of
from cruxfinder.errors import BadInput, BadOption
from cruxfinder.kernel.pack import Pack
from cruxfinder.kernel.redundancy_limits import Redundancy
from cruxfinder.kernel.vocabulary import AGENTS_MAX, AGENTS_MIN, CRUX, AgentId
from cruxfinder.kernel.wire import camel_name
from cruxfinder.language.calendar_days import read_day
from cruxfinder.language.numerals import SAFE_INTEGER, short_repr
from cruxfinder.ports import Debater, Inbox, Sitting, Store
from cruxfinder.protocols.protocol_list import NAMES, protocol_named, switches

WAIT_MAX_S: Final = 86_400.0
EMBEDDERS: Final = ("static", "keyword")


# Its options and those of models stand side by side as keyword arguments, flags and keys of a body.
@dataclass(frozen=True, slots=True)
class DebateRequest(ModelRequest):
    """A debate that is asked for: of a pack, or of a topic of one's own. Everything else may be left out."""

    subject: str | Pack
    _: KW_ONLY
    agents: Annotated[
        Sequence[str],
        Option(
            help="Only these agents, in this order.",
            metavar="A,B,…",
            commas=True,
            most=AGENTS_MAX,
            entry="the name of an agent",
        ),
    ] = ()
    seed: Annotated[
        int,
        Option(
            help="The same pack and seed give the same debate.",
            by=SetBy.ALL | SetBy.FORM,
            low=-SAFE_INTEGER,
            high=SAFE_INTEGER,
            label="Seed",
        ),
    ] = 0
    day: Annotated[
        str,
        Option(
            help="The day it is held, such as 2027-06-30; today if left out.",
            by=SetBy.ALL | SetBy.FORM,
            metavar="DATE",
            label="Day of the debate",
        ),
    ] = ""
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
    ] = None
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
    ] = None
    embedder: Annotated[
        str,
        Option(help="What tells that two texts are alike: the model shipped, or shared words.", choices=EMBEDDERS),
    ] = EMBEDDERS[0]
    off: Annotated[
        Sequence[str],
        Option(
            help="Leave these rules out, as an ablation.",
            by=SetBy.ALL | SetBy.FORM | SetBy.FORK,
            metavar="RULE,…",
            commas=True,
            choices=lambda: tuple(sorted(switches())),
            entry="a rule",
            label="Rules to leave out",
        ),
    ] = ()
    attention: Annotated[
        float | None,
        Option(
            help="How much a message must concern somebody to reach them.",
            by=SetBy.ALL | SetBy.FORK,
            low=0,
            high=1,
            metavar="X",
        ),
    ] = None
    blind: Annotated[
        bool, Option(help="Debaters do not see who spoke.", by=SetBy.ALL | SetBy.FORM, label="Nobody sees who spoke")
    ] = False
    planted: Annotated[
        int | None,
        Option(
            help="Wrong steelmans to test the graders with; 1 with models.",
            by=SetBy.ALL | SetBy.FORM,
            low=0,
            high=12,
            flag="--plant",
            metavar="N",
            label="Planted wrong steelmans",
        ),
    ] = None
    models: Annotated[
        Mapping[str, str] | None,
        Option(
            help="AGENT=MODEL for one.",
            by=SetBy.COMMAND,
            flag="--model",
            metavar="MODEL",
            most=AGENTS_MAX,
            entry="a model",
            group="models",
        ),
    ] = None
    debaters: Annotated[
        Mapping[AgentId, Debater] | None, Option(help="They stand in for the simulated ones.", by=SetBy.NOBODY)
    ] = None
    store: Annotated[
        Store | str | Path | None, Option(help="Where the run is kept: a store, or the path of one.", by=SetBy.NOBODY)
    ] = None
    run: Annotated[str, Option(help="The id of the run.", by=SetBy.NOBODY)] = ""
    personas: Annotated[
        Sequence[str],
        Option(
            help="Personas, as YAML.",
            by=SetBy.COMMAND,
            flag="--persona",
            metavar="FILE",
            entry="a file",
            group="personas",
        ),
    ] = ()
    positions: Annotated[
        Sequence[str],
        Option(
            help="A memo becomes a persona.",
            by=SetBy.COMMAND,
            flag="--position",
            metavar="FILE",
            entry="a file",
            group="personas",
        ),
    ] = ()
    transcript: Annotated[
        str, Option(help="Its speakers become personas.", by=SetBy.COMMAND, metavar="FILE", group="personas")
    ] = ""
    cast: Annotated[
        int | None,
        Option(
            help="How many personas to draw up for a topic.",
            low=AGENTS_MIN,
            high=AGENTS_MAX,
            metavar="N",
            group="personas",
        ),
    ] = None
    protocol: Annotated[
        str,
        Option(help="Look for the crux, or talk it over in turns.", choices=NAMES, group="turns"),
    ] = CRUX
    roles: Annotated[
        Mapping[str, str] | None,
        Option(
            help="Who argues which side, or leads.",
            metavar="ROLE=AGENT",
            most=AGENTS_MAX,
            entry="the name of an agent",
            group="turns",
        ),
    ] = None
    anchors: Annotated[
        str, Option(help="Texts a roundtable may quote from.", by=SetBy.COMMAND, metavar="DIR", group="turns")
    ] = ""
    limits: Annotated[
        str | Redundancy,
        Option(help="Limits on going in circles, as YAML.", by=SetBy.COMMAND, metavar="FILE", group="turns"),
    ] = ""
    redundancy: Annotated[bool, Option(help="Hold a crux debate to these limits too.", group="turns")] = False
    together: Annotated[
        bool, Option(help="One reply may hold the turns of several.", by=SetBy.COMMAND, group="turns")
    ] = False
    ask_user: Annotated[
        bool | None,
        Option(
            help="May it ask you? In a terminal it may.",
            by=SetBy.COMMAND | SetBy.HTTP,
            flag="--ask/--no-ask",
            group="turns",
        ),
    ] = None
    user: Annotated[Inbox | None, Option(help="How you are asked; without it through the store.", by=SetBy.NOBODY)] = (
        None
    )
    wait_s: Annotated[
        float | None,
        Option(
            help="How long for your answer.",
            by=SetBy.COMMAND | SetBy.HTTP,
            low=0,
            high=WAIT_MAX_S,
            flag="--wait",
            metavar="SECONDS",
            group="turns",
        ),
    ] = None
    people: Annotated[
        Sequence[str],
        Option(
            help="Take this seat yourself; may be given several times.",
            by=SetBy.COMMAND | SetBy.HTTP,
            metavar="NAME",
            most=AGENTS_MAX,
            entry="a name",
            group="seats",
        ),
    ] = ()
    sitting: Annotated[Sitting | None, Option(help="How the people at the seats are asked.", by=SetBy.NOBODY)] = None
    people_wait_s: Annotated[
        float | None,
        Option(
            help="Go on without an answer after so long; 0: as long as it takes.",
            by=SetBy.COMMAND | SetBy.HTTP,
            low=0,
            high=WAIT_MAX_S,
            flag="--people-wait",
            metavar="SECONDS",
            group="seats",
        ),
    ] = None

    def __post_init__(self) -> None:
        check_fields(self)
        check_subject(self.subject)
        if self.day and read_day(self.day) is None:
            raise BadOption("day", f"is no day: {short_repr(self.day)}; write it as 2027-06-30")
        check_protocol_options(self)
        if self.people_wait_s is not None and not self.people:
            raise BadOption("people_wait_s", lambda spell: f"goes with a seat for a person: add {spell('people')}")

    @property
    def pack(self) -> str | Pack | None:
        """The pack that is meant: by its name, its topic where it ships, or its path. None for a topic of one's own.

        A sentence that brings its own personas is a topic, whatever else it names.
        """
        from cruxfinder.adapters.packs import pack_finder  # noqa: PLC0415 - reads YAML: 40 ms that help does without

        if isinstance(self.subject, Pack):
            return self.subject
        if " " in self.subject.strip() and (self.personas or self.positions or self.transcript):
            return self.subject.strip() if self.subject.endswith(pack_finder.SUFFIXES) else None
        named = pack_finder.name_of(self.subject)
        known = named in pack_finder.names() or named.endswith(pack_finder.SUFFIXES) or " " not in named
        return named if known else None


@dataclass(frozen=True, slots=True)
class StabilityRequest(DebateRequest):
    """A debate that is held several times, with other seeds."""

    _: KW_ONLY
    runs: int


SUBJECT_WANTED: Final = "name a pack, or give a topic as a sentence"


def check_subject(subject: object) -> str | Pack:
    if not isinstance(subject, str | Pack):
        raise BadInput(f"{SUBJECT_WANTED}; {describe_value(subject)} is neither")
    if isinstance(subject, str) and not subject.strip():
        raise BadInput(SUBJECT_WANTED)
    return subject


def check_protocol_options(request: DebateRequest) -> None:
    """Nothing that was asked for is passed over in silence."""
    if protocol_named(request.protocol).in_turns:
        if request.planted is not None:
            raise BadOption("planted", said_of_crux)
        return
    for name in ("roles", "anchors", "together", "ask_user"):
        if getattr(request, name):
            raise BadOption(name, said_of_turns)
    if request.wait_s is not None:
        raise BadOption("wait_s", said_of_turns)


def said_of_crux(spell: Spell) -> str:
    return f"goes with a debate for its crux, where there are steelmans: leave out {spell('protocol')}"


def said_of_turns(spell: Spell) -> str:
    return f"goes with a conversation: add {spell('protocol')} roundtable, or another one"


# ---- how each surface spells an option


def request_fields(by: SetBy) -> tuple[OptionField, ...]:
    """The options that may be set there, in their order."""
    return tuple(field for field in options_of(DebateRequest) if by in field.option.by)


def field_named(name: str) -> OptionField:
    return option_named(DebateRequest, name)


def spell_flag(name: str) -> str:
    return field_named(name).shown_flag


def spell_camel(name: str) -> str:
    return camel_name(name)
