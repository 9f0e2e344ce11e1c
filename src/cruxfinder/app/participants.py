"""Who takes part: the agents chosen from a pack, the seats left to people, and guests with views of their own."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cruxfinder.errors import BadInput
from cruxfinder.kernel.agent_names import match_agent
from cruxfinder.kernel.pack import Pack, Persona
from cruxfinder.kernel.vocabulary import AGENTS_MAX, AGENTS_MIN, RESERVED, AgentId

NAME_MAX: Final = 60
ID_MAX: Final = 40
NOT_IN_IDS: Final = re.compile(r"[^a-z0-9]+")


def with_agents(pack: Pack, agents: Sequence[str]) -> Pack:
    """The pack with only these personas, in this order; all of them if none are named."""
    chosen = tuple(agent_named(pack, agent) for agent in agents) or pack.personas
    if len({p.id for p in chosen}) != len(chosen):
        raise BadInput("an agent is named twice")
    if not AGENTS_MIN <= len(chosen) <= AGENTS_MAX:
        raise BadInput(f"a debate takes {AGENTS_MIN} to {AGENTS_MAX} agents, not {len(chosen)}")
    return replace(pack, personas=chosen)


def agent_named(pack: Pack, given: str) -> Persona:
    """The agent with this id, or else with this name, in any case."""
    found = match_agent(given, ((p.id, p.name) for p in pack.personas))
    if found is None:
        raise BadInput(f"{pack.name} has no agent {given!r}; it has {', '.join(p.id for p in pack.personas)}")
    return next(p for p in pack.personas if p.id == found)


def with_people(pack: Pack, names: Sequence[str]) -> Pack:
    """The pack with the seats of these agents, by id or name, left to people."""
    theirs = {agent_named(pack, name).id for name in names}
    return replace(pack, personas=tuple(replace(p, is_person=True) if p.id in theirs else p for p in pack.personas))


def with_guests(pack: Pack, names: Sequence[str]) -> Pack:
    """The pack with more people at the table, who bring their own views."""
    taken = {p.id for p in pack.personas} | RESERVED
    guests: list[Persona] = []
    for name in names:
        id = AgentId(slug(name))
        if not id or id in taken:
            raise BadInput(f"{name!r} cannot take a seat: {'it has no letters' if not id else 'the name is taken'}")
        taken |= {id}
        guests.append(Persona(id=id, name=name.strip()[:NAME_MAX], about="a person at the table", is_person=True))
    if len(pack.personas) + len(guests) > AGENTS_MAX:
        raise BadInput(f"a debate takes at most {AGENTS_MAX} agents, people included")
    return replace(pack, personas=(*pack.personas, *guests))


def slug(text: str) -> str:
    """A text as part of an id; empty where it has neither letters nor digits."""
    return NOT_IN_IDS.sub("-", text.lower()).strip("-")[:ID_MAX].strip("-")
