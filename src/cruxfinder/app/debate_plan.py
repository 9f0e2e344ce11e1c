"""What a request for a debate means, resolved once: its settings, protocol, models, limits, and who sits where.

What can be told to be wrong is told here, before anything is asked or paid for.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

from cruxfinder.adapters.casting.persona_sources import CAST, Sources, count_personas, with_models
from cruxfinder.adapters.casting.top_claim import top_claim
from cruxfinder.adapters.models.model_names import WAYS
from cruxfinder.adapters.models.model_pool import RequestLimits
from cruxfinder.adapters.packs import anchors, limits_file, pack_finder
from cruxfinder.app import fork_changes, participants, roles
from cruxfinder.app.debate_request import EMBEDDERS, DebateRequest, request_fields
from cruxfinder.app.options import SetBy, Spell
from cruxfinder.app.people import Participation
from cruxfinder.app.seats import Debaters
from cruxfinder.errors import BadInput, BadOption
from cruxfinder.kernel.optional_dependencies import require_extra
from cruxfinder.kernel.pack import Anchor, Models, Pack
from cruxfinder.kernel.protocol import AnyProtocol
from cruxfinder.kernel.redundancy_limits import Redundancy
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import CRUX, PROPOSITIONS_MAX, RESERVED, Role
from cruxfinder.protocols.protocol_list import protocol_named

NEEDS_ONE_FOR_OTHERS: Final = "gives an agent a model of its own: name one for the others, too"
NEEDS_MODEL: Final = ("models", "judge_model", "fallbacks", "base_url", "grammar")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """Who is to sit at the table, and what they bring."""

    agents: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    roles: Mapping[Role, str]
    models: Mapping[str, str]  # of single agents
    anchors: tuple[Anchor, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DebatePlan:
    """A debate as it will be held. It is of a pack, or of a topic for which the personas have to be made."""

    subject: str
    pack: Pack | None  # with everybody at the table
    sources: Sources
    seating: Seating
    models: Models | None
    expected: int  # agents
    protocol: AnyProtocol
    settings: Settings
    seed: int
    limits: RequestLimits
    participation: Participation
    debaters: Debaters | None
    run: str
    day: str


def plan_debate(request: DebateRequest) -> DebatePlan:
    """Raise BadInput for whatever cannot be debated so. Files are read here."""
    protocol = protocol_named(request.protocol)
    models = request.chosen_models
    check_models_named(request)
    if models is not None:
        require_extra("models")
    settings = settings_of(request)
    sources = sources_of(request)
    seating = seating_of(request, protocol)
    subject = request.pack
    pack = None if subject is None else lay_pack(resolve_pack(subject), request, models, seating, protocol)
    return DebatePlan(
        subject=request.subject.strip() if isinstance(request.subject, str) else request.subject.name,
        pack=pack,
        sources=sources,
        seating=seating,
        models=models,
        expected=check_topic(request, sources) if pack is None else len(pack.personas),
        protocol=protocol,
        settings=settings,
        seed=request.seed,
        limits=request.request_limits,
        participation=Participation(request.user, request.wait_s or 0.0, request.sitting, request.people_wait_s or 0.0),
        debaters=request.debaters,
        run=request.run,
        day=request.day or day_by_default(pack, models),
    )


def day_by_default(pack: Pack | None, models: Models | None) -> str:
    """Today, but for simulated believers: what they stake was written for the day of their pack."""
    simulated = pack is not None and pack.models is None and models is None
    return (pack.day if simulated and pack is not None else "") or date.today().isoformat()


def check_models_named(request: DebateRequest) -> None:
    if request.model:
        return
    for name in NEEDS_MODEL:
        if getattr(request, name):
            raise BadOption(name, needs_general_model if name != "models" else NEEDS_ONE_FOR_OTHERS)


def needs_general_model(spell: Spell) -> str:
    return f"goes with a model for all: add {spell('model')}"


def settings_of(request: DebateRequest) -> Settings:
    """What is not asked for is left to the rules' own values."""
    given: dict[str, Any] = {}
    for field in request_fields(SetBy.FORK):
        if (value := getattr(request, field.name)) != field.default:
            given |= fork_changes.setting(field.name, value)
    usual = 1 if request.model and request.protocol == CRUX else 0
    return Settings(
        **given,
        embedder="static" if request.embedder == EMBEDDERS[0] else "keyword",
        blind=request.blind,
        planted=usual if request.planted is None else request.planted,
        redundancy=limits_of(request),
        together=request.together,
        asks_user=bool(request.ask_user),
    )


def limits_of(request: DebateRequest) -> Redundancy | None:
    """The limits that were given; none where the protocol's own hold."""
    if isinstance(request.limits, Redundancy):
        return request.limits
    if request.limits:
        return limits_file.load(request.limits)
    return Redundancy() if request.redundancy else None


def sources_of(request: DebateRequest) -> Sources:
    return Sources(
        personas=tuple(request.personas),
        positions=tuple(request.positions),
        transcript=request.transcript,
        cast=request.cast or CAST,
    )


def seating_of(request: DebateRequest, protocol: AnyProtocol) -> Seating:
    if request.anchors and not protocol.quotes_passages:
        raise BadOption("anchors", lambda spell: f"goes with a roundtable: add {spell('protocol')} roundtable")
    return Seating(
        agents=tuple(request.agents),
        people=tuple(request.people),
        roles={roles.parse_role(part, protocol): agent for part, agent in (request.roles or {}).items()},
        models=request.models or {},
        anchors=anchors.load(request.anchors) if request.anchors else (),
    )


def lay_pack(
    pack: Pack, request: DebateRequest, models: Models | None, seating: Seating, protocol: AnyProtocol
) -> Pack:
    for name in ("personas", "positions", "transcript", "cast"):
        if getattr(request, name):
            raise BadOption(name, "goes with a topic of yours: a pack has its own personas")
    found = with_own(pack, models, seating)
    chosen = participants.with_agents(found, seating.agents)
    here = participants.with_people(chosen, seating.people)  # nobody takes a seat that is left out
    asked_for = {p.id for p in here.personas if seating.agents or p.is_person}
    roles.check_all_speak(here, protocol, seating.roles, asked_for)
    return roles.assign_roles(here, protocol, seating.roles)


def lay_topic(pack: Pack, plan: DebatePlan) -> Pack:
    """The pack that was made for a topic, with everybody at the table; people come as guests."""
    found = with_own(pack, plan.models, plan.seating)
    return roles.assign_roles(
        participants.with_agents(participants.with_guests(found, plan.seating.people), ()),
        plan.protocol,
        plan.seating.roles,
    )


def with_own(pack: Pack, models: Models | None, seating: Seating) -> Pack:
    """The texts to quote from travel with the pack, so that a run can be repeated without their folder."""
    thinking = pack if models is None else with_models(pack, models, seating.models)
    return replace(thinking, anchors=seating.anchors) if seating.anchors else thinking


def check_topic(request: DebateRequest, sources: Sources) -> int:
    """How many will debate a topic."""
    if not request.model:
        raise BadInput(f"a topic of your own needs a model to think about it; {WAYS}")
    if request.agents:
        raise BadOption("agents", "goes with a pack; a topic of yours is debated by everybody it brings")
    assert isinstance(request.subject, str)
    top_claim(request.subject)
    return count_personas(sources)


def resolve_pack(pack: str | Pack) -> Pack:
    """A pack by name or path, or one made in Python, which has not been through the reader's checks."""
    return pack_finder.find(pack_finder.name_of(pack))[0] if isinstance(pack, str) else checked_pack(pack)


def checked_pack(pack: Pack) -> Pack:
    ids = [p.id for p in pack.personas]
    known = {p.id for p in pack.propositions}
    if taken := [id for id in ids if id in RESERVED]:
        raise BadInput(f"the id {taken[0]!r} is taken by the engine")
    if len(set(ids)) != len(ids):
        raise BadInput("two personas have the same id")
    least = 0 if pack.models is not None else 1  # models bring what they believe along
    if not least <= len(known) <= PROPOSITIONS_MAX or len(known) != len(pack.propositions):
        raise BadInput(f"a pack has 1 to {PROPOSITIONS_MAX} propositions, each with its own id")
    if strange := [b.proposition for p in pack.personas for b in p.beliefs if b.proposition not in known]:
        raise BadInput(f"there is no proposition {strange[0]!r}")
    return pack


def require_crux_protocol(plan: DebatePlan) -> None:
    if plan.protocol.name != CRUX:
        raise BadInput("only debates for their crux are compared over several runs")
