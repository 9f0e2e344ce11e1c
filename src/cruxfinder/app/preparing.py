"""From a subject and its options to a pack that can be debated, and on to a run, or several."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from cruxfinder.adapters.casting.persona_sources import CAST, Sources, count_personas, gather_personas, with_models
from cruxfinder.adapters.casting.top_claim import top_claim
from cruxfinder.adapters.embeddings.embedders import embedder
from cruxfinder.adapters.models.model_names import WAYS
from cruxfinder.adapters.models.model_pool import ModelPool
from cruxfinder.adapters.packs import anchors, pack_finder
from cruxfinder.app import participants, repeats, roles, run_starts
from cruxfinder.app.debate_request import DebateRequest
from cruxfinder.app.people import Participation
from cruxfinder.app.repeats import EndedRun
from cruxfinder.app.request_settings import (
    chosen_protocol,
    is_pack,
    models_of,
    pace_of,
    participation_of,
    role_assignments,
    settings,
    split_caps,
)
from cruxfinder.crux.stability import Stability
from cruxfinder.errors import BadInput
from cruxfinder.kernel.caps import Caps
from cruxfinder.kernel.optional_dependencies import require_extra
from cruxfinder.kernel.pack import Models, Pack
from cruxfinder.kernel.runner import Listener
from cruxfinder.kernel.vocabulary import PROPOSITIONS_MAX, RESERVED
from cruxfinder.ports import NOTHING, Store, Usage
from cruxfinder.protocols.any_run import Finished


@dataclass(frozen=True, slots=True)
class Prepared:
    """A pack that can be debated, and what was told and taken while it was made ready."""

    pack: Pack
    notes: tuple[str, ...] = ()
    usage: Usage = NOTHING


async def prepare(subject: str | Pack, options: DebateRequest) -> Prepared:
    """A pack by its name or path, with models to think for it where they are named; or a pack made for a topic."""
    models = models_of(options)
    if models is not None:
        require_extra("models")
    if isinstance(subject, str) and not is_pack(subject, options):
        return await prepare_topic(subject, models, options)
    if options.get("personas") or options.get("positions") or options.get("transcript"):
        raise BadInput("a pack has its own personas; files of personas go with a topic of yours")
    pack = with_anchors(with_own_models(subject, options), options)
    agents, people = options.get("agents", ()), options.get("people", ())
    chosen = participants.with_agents(pack, agents)
    here = participants.with_people(chosen, people)  # nobody takes a seat that is left out
    asked_for = {p.id for p in here.personas if agents or p.is_person}
    roles.check_all_speak(here, chosen_protocol(options), role_assignments(options), asked_for)
    return Prepared(participants.with_people(pack, people))


def with_anchors(pack: Pack, options: DebateRequest) -> Pack:
    """The texts to quote from travel with the pack, so that a run can be repeated without their folder."""
    folder = options.get("anchors", "")
    if not folder:
        return pack
    if not chosen_protocol(options).quotes_passages:
        raise BadInput("anchors are for a roundtable: add --protocol roundtable")
    return replace(pack, anchors=anchors.load(folder))


def agents_expected(subject: str | Pack, options: DebateRequest) -> int:
    """How many will debate, as far as it can be told before anything is asked; what stands against it is told too."""
    if not isinstance(subject, str) or is_pack(subject, options):
        pace_of(options)
        return len(participants.with_agents(with_own_models(subject, options), options.get("agents", ())).personas)
    return check_topic(subject, options)


def check_topic(topic: str, options: DebateRequest) -> int:
    """How many will debate a topic; what stands against it is told before anything is asked."""
    pace_of(options)
    top_claim(topic)
    return count_personas(sources_of(options))


def with_own_models(subject: str | Pack, options: DebateRequest) -> Pack:
    """A pack, and models to think for it where they are named."""
    models = models_of(options)
    if models is None:
        return resolve_pack(subject)
    return with_models(resolve_pack(subject), models, options.get("models", {}))


def sources_of(options: DebateRequest) -> Sources:
    return Sources(
        personas=tuple(options.get("personas", ())),
        positions=tuple(options.get("positions", ())),
        transcript=options.get("transcript", ""),
        cast=options.get("cast", CAST),
    )


async def prepare_topic(topic: str, models: Models | None, options: DebateRequest) -> Prepared:
    if models is None:
        raise BadInput(f"a topic of your own needs a model to think about it; {WAYS}")
    if options.get("agents"):
        raise BadInput("agents are chosen from a pack; a topic of yours is debated by everybody it brings")
    caps = Caps.of(settings(options))
    company = await gather_personas(topic, sources_of(options), models, caps=caps, pace=pace_of(options))
    if caps.exceeded_cap(company.usage + Usage(calls=1, tokens_in=1, nanodollars=1)):
        raise BadInput("making the personas took the whole budget")
    pack = with_anchors(with_models(company.pack, models, options.get("models", {})), options)
    return Prepared(participants.with_guests(pack, options.get("people", ())), company.notes, company.usage)


def resolve_pack(pack: str | Pack) -> Pack:
    """A pack by name or path, or one made in Python, which has not been through the reader's checks."""
    match pack:
        case str():
            return pack_finder.find(pack_finder.name_of(pack))[0]
        case Pack():
            return checked_pack(pack)
        case _:  # pyright: ignore[reportUnnecessaryComparison]
            raise BadInput(f"a pack is a name, a path or a Pack, not {type(pack).__name__}")


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


async def run_prepared(
    ready: Prepared,
    place: Store,
    options: DebateRequest,
    seed: int,
    run: str | None = None,
    listener: Listener | None = None,
    pace: float = 0,
    *,
    thinking: ModelPool | None = None,
    user: Participation | None = None,
) -> Finished:
    return await run_starts.start(
        ready.pack,
        place,
        agents=options.get("agents", ()),
        seed=seed,
        settings=settings(options),
        debaters=options.get("debaters"),
        thinking=thinking or (pace_of(options) if ready.pack.models is not None else None),
        spent=ready.usage,
        listener=listener,
        pace=pace,
        run=run or options.get("run"),
        protocol=chosen_protocol(options).name,
        taking=role_assignments(options),
        user=user or participation_of(options),
    )


async def repeat_debate(
    ready: Prepared,
    place: Store,
    options: DebateRequest,
    seeds: Sequence[int],
    heard: Callable[[EndedRun], None] | None = None,
) -> Stability:
    """The same debate with other seeds; models serve all runs within the same limits."""
    likeness = embedder(settings(options).embedder)
    once = Prepared(ready.pack, ready.notes)  # what was spent to make it ready is not spent again
    if ready.pack.models is None:
        return await repeats.repeat(lambda seed: run_prepared(once, place, options, seed), seeds, likeness, heard=heard)
    each = split_caps(options, len(seeds), ready.usage)
    crew = ModelPool(ready.pack.models, pace_of(options))
    try:
        return await repeats.repeat(
            lambda seed: run_prepared(once, place, each, seed, thinking=crew), seeds, likeness, heard=heard
        )
    finally:
        await crew.close()
