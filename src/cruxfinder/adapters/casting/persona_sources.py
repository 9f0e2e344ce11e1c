"""Who debates a free topic: personas from files, memos or a transcript, or drawn up by the model."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from cruxfinder.adapters.casting import text_files
from cruxfinder.adapters.casting.cast import pack_of
from cruxfinder.adapters.casting.drawn_personas import invent_personas
from cruxfinder.adapters.casting.memos import personas_of_memos
from cruxfinder.adapters.casting.persona_extraction import Portrait
from cruxfinder.adapters.casting.persona_file import read_personas
from cruxfinder.adapters.casting.top_claim import top_claim
from cruxfinder.adapters.casting.transcripts import personas_of_transcript, speakers
from cruxfinder.adapters.models import model_names
from cruxfinder.adapters.models.model_pool import ModelPool, RequestLimits
from cruxfinder.errors import BadInput
from cruxfinder.kernel.agent_names import match_agent
from cruxfinder.kernel.budget import RunBudget
from cruxfinder.kernel.caps import Caps
from cruxfinder.kernel.pack import Models, Pack, Persona
from cruxfinder.kernel.vocabulary import AGENTS_MAX, AGENTS_MIN
from cruxfinder.ports import Usage

CAST: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """Where the personas come from. With none of the files, the model draws up `people` of them."""

    personas: tuple[str, ...] = ()
    positions: tuple[str, ...] = ()
    transcript: str = ""
    cast: int = CAST

    @property
    def has_files(self) -> bool:
        return bool(self.personas or self.positions or self.transcript)


@dataclass(frozen=True, slots=True, kw_only=True)
class CastingResult:
    """A pack for a free topic, what should be known of how it came about, and what that took."""

    pack: Pack
    notes: tuple[str, ...]
    usage: Usage


def count_personas(sources: Sources) -> int:
    """How many personas there will be. What is wrong with the files is told here, before anything is paid for."""
    if not sources.has_files:
        if not AGENTS_MIN <= sources.cast <= AGENTS_MAX:
            raise BadInput(f"a debate has {AGENTS_MIN} to {AGENTS_MAX} personas, not {sources.cast}")
        return sources.cast
    for memo in sources.positions:
        text_files.read(memo)
    ready = sum(len(read_personas(path)) for path in sources.personas)
    spoke = len(speakers(text_files.read(sources.transcript).text, sources.transcript)) if sources.transcript else 0
    return min(AGENTS_MAX, ready + len(sources.positions) + spoke)


async def gather_personas(
    topic: str, sources: Sources, models: Models, *, caps: Caps, pace: RequestLimits | None = None
) -> CastingResult:
    """Raise BadInput, or DebaterFault where the model gave nothing to work with."""
    claim = top_claim(topic)
    ready = [persona for path in sources.personas for persona in read_personas(path)]
    budget = RunBudget(caps)
    pool = ModelPool(models, pace)
    try:
        thinker = pool.thinker()
        found: list[Portrait] = [Portrait(persona=persona) for persona in ready]
        if sources.positions:
            found += await personas_of_memos(sources.positions, topic=claim, thinker=thinker, budget=budget)
        if sources.transcript:
            found += await personas_of_transcript(sources.transcript, topic=claim, thinker=thinker, budget=budget)
        if not sources.has_files:
            drawn = await invent_personas(claim, sources.cast, thinker=thinker, budget=budget)
            found += [Portrait(persona=persona) for persona in drawn]
    finally:
        await pool.close()
    pack = pack_of(claim, [each.persona for each in found], models)
    return CastingResult(pack=pack, notes=tuple(note for each in found for note in each.notes), usage=budget.usage)


def with_models(pack: Pack, models: Models, own: Mapping[str, str]) -> Pack:
    """The pack with models to think for its personas; `own` names those that have one of their own."""
    found = {agent_with_model(pack, agent): model for agent, model in own.items()}
    if len(found) != len(own):
        raise BadInput("an agent is given two models")
    for name in (models.dialogue, models.judgement, *models.fallbacks, *found.values()):
        if name:
            model_names.read(name, models.base_url)

    def assign_model(persona: Persona) -> Persona:
        return replace(persona, model=found.get(persona.id, persona.model))

    return replace(pack, models=models, personas=tuple(assign_model(p) for p in pack.personas))


def agent_with_model(pack: Pack, given: str) -> str:
    found = match_agent(given, ((p.id, p.name) for p in pack.personas))
    if found is None:
        known = ", ".join(p.id for p in pack.personas)
        raise BadInput(f"there is no agent {given!r} to give a model to; there are {known}")
    return found
