"""Puts a free topic and its personas together as a pack, which is what a debate is started from."""

from collections.abc import Sequence
from dataclasses import replace

from cruxfinder.adapters.casting.ids import slug, unique_id
from cruxfinder.adapters.casting.short_texts import cut
from cruxfinder.adapters.casting.top_claim import top_claim
from cruxfinder.adapters.packs import pack_limits
from cruxfinder.errors import BadInput
from cruxfinder.kernel.pack import Models, Pack, Persona
from cruxfinder.kernel.vocabulary import AGENTS_MAX, AGENTS_MIN, AgentId


def pack_of(topic: str, personas: Sequence[Persona], models: Models) -> Pack:
    """Raise BadInput if the topic is none, or if there are too few or too many personas for a debate."""
    claim = top_claim(topic)
    if not AGENTS_MIN <= len(personas) <= AGENTS_MAX:
        there = f"there {'is' if len(personas) == 1 else 'are'} {len(personas) or 'none'}"
        alone = f", {personas[0].name}" if len(personas) == 1 else ""
        raise BadInput(f"a debate has {AGENTS_MIN} to {AGENTS_MAX} personas, and {there}{alone}")
    return Pack(
        name=slug(claim, "topic"),
        title=cut(claim, pack_limits.LABEL_MAX),
        topic=claim,
        summary=f"A free topic, for {len(personas)} personas.",
        propositions=(),
        personas=with_distinct_names(personas),
        models=models,
    )


def with_distinct_names(personas: Sequence[Persona]) -> tuple[Persona, ...]:
    """The same personas, each with an id and a name that no other has; two files may name the same person."""
    found: list[Persona] = []
    for persona in personas:
        names = {p.name.casefold() for p in found}
        numbered = (f"{cut(persona.name, pack_limits.NAME_MAX - 5)} ({n})" for n in range(2, len(personas) + 2))
        name = next(n for n in (persona.name, *numbered) if n.casefold() not in names)
        id = AgentId(unique_id(persona.id, [p.id for p in found]))
        found.append(replace(persona, id=id, name=name))
    return tuple(found)
