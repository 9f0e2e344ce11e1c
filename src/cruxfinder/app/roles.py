"""Who takes which part in a conversation: as the user says, else as the pack does, else as the beliefs suggest."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

from cruxfinder.app.participants import agent_named
from cruxfinder.errors import BadInput
from cruxfinder.kernel.pack import Pack, Persona
from cruxfinder.kernel.protocol import AnyProtocol
from cruxfinder.kernel.run_facts import Seat
from cruxfinder.kernel.vocabulary import AGENTS_MIN, AgentId, Role
from cruxfinder.talk.turns import CHAIRS

NAMES: Final = {
    Role.ARBITRATOR: "Arbitrator",
    Role.FACILITATOR: "Facilitator",
    Role.HOST: "Host",
    Role.REASON: "Voice of Reason",
}
NO_ROLES: Final = "the crux protocol has no roles to give; choose another protocol"


def assign_roles(pack: Pack, protocol: AnyProtocol, given: Mapping[Role, str]) -> Pack:
    """The pack with everybody's part settled, and only with those who take one."""
    if not protocol.roles:
        if given:
            raise BadInput(NO_ROLES)
        return pack
    named = {part: agent_named(pack, agent).id for part, agent in given.items()}
    here = {p.id for p in pack.personas} - set(named.values())
    taking = {part: id for part, id in pack.roles if part in protocol.roles and id in here} | named
    check(protocol, taking)
    if not protocol.pair:
        return with_roles(pack, pack.personas, taking)
    free = [p for p in pack.personas if p.id not in taking.values()]
    for part, persona in zip(
        [p for p in protocol.pair if p not in taking], opponents(pack, free, taking), strict=False
    ):
        taking[part] = persona.id
    return with_roles(pack, tuple(p for p in pack.personas if p.id in taking.values()), taking)


def check_all_speak(pack: Pack, protocol: AnyProtocol, given: Mapping[Role, str], asked_for: Collection[str]) -> None:
    """Whoever was asked for by name sits at the table: a debate is argued by two."""
    here = {p.id for p in assign_roles(pack, protocol, given).personas}
    if idle := [p.id for p in pack.personas if p.id in asked_for and p.id not in here]:
        raise BadInput(
            f"a {protocol.name} is argued by two: leave {idle[0]} out, or give {idle[0]} a role with --roles"
        )


def parse_role(word: str, protocol: AnyProtocol) -> Role:
    """A part by its name; what else there is to give is told for this protocol."""
    said = word.strip().casefold()
    if said in tuple(Role):
        return Role(said)
    if not protocol.roles:
        raise BadInput(NO_ROLES)
    raise BadInput(f"{word!r} is no role; those of a {protocol.name} are {', '.join(protocol.roles)}")


def with_roles(pack: Pack, personas: tuple[Persona, ...], taking: Mapping[Role, AgentId]) -> Pack:
    speaking = sum(p.id not in {id for part, id in taking.items() if part in CHAIRS} for p in personas)
    if speaking < AGENTS_MIN:
        raise BadInput(f"a conversation takes at least {AGENTS_MIN} speakers beside those who lead it")
    return replace(pack, personas=personas, roles=tuple(sorted(taking.items())))


def check(protocol: AnyProtocol, taking: Mapping[Role, AgentId]) -> None:
    for part in taking:
        if part not in protocol.roles:
            raise BadInput(f"a {protocol.name} has no {part}; its roles are {', '.join(protocol.roles)}")
    if len(set(taking.values())) != len(taking):
        raise BadInput("somebody takes two roles")


def opponents(pack: Pack, free: list[Persona], taking: Mapping[Role, AgentId]) -> list[Persona]:
    """For the roles nobody has: who believes the topic most, and who least; without beliefs, in their order."""
    if not pack.propositions or not any(p.beliefs for p in free):
        return free[:2]
    from cruxfinder.debaters.simulated.network import Network  # noqa: PLC0415 - numpy: 90 ms that showing a run saves

    def topic_credence(persona: Persona) -> float:
        network = Network(persona, pack.propositions)
        return network.chances(network.beta, network.bias).p_top

    ranked = sorted(free, key=topic_credence, reverse=True)
    if Role.PROPONENT in taking:
        return ranked[-1:]
    return ranked[:1] if Role.OPPONENT in taking else [ranked[0], ranked[-1]]


def seats(pack: Pack, protocol: AnyProtocol) -> tuple[Seat, ...]:
    """Everybody at the table; chairs nobody of the pack takes come last."""
    shared = "" if pack.models is None else pack.models.dialogue
    part = {id: part for part, id in pack.roles} if protocol.in_turns else {}
    at_table = tuple(
        Seat(
            id=p.id,
            name=p.name,
            about=p.about,
            interests=p.interests,
            model=(p.model or shared) if shared and not p.is_person else "",
            role=part.get(p.id, Role.SPEAKER),
            icon=p.icon if protocol.in_turns else "",
            is_person=p.is_person,
        )
        for p in pack.personas
    )
    return (*at_table, *(chair_seat(c, pack) for c in vacant_chairs(pack, protocol)))


def vacant_chairs(pack: Pack, protocol: AnyProtocol) -> tuple[Role, ...]:
    """The chairs that the house fills."""
    taken = {part for part, _ in pack.roles}
    return tuple(part for part in protocol.chairs if part not in taken)


def chair_seat(part: Role, pack: Pack) -> Seat:
    model = "" if pack.models is None else pack.models.judgement or pack.models.dialogue
    return Seat(id=AgentId(part.value), name=NAMES[part], about=part.value.replace("-", " "), role=part, model=model)
