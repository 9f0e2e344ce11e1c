"""Who sits at the table: simulated believers, models, or whoever is handed in. DESIGN §5."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from cruxfinder.adapters.models.model_pool import ModelPool
from cruxfinder.app.roles import NAMES, vacant_chairs
from cruxfinder.crux.protocol_row import PROTOCOL as CRUX_PROTOCOL
from cruxfinder.debaters.modelled.modelled_debater import ModelDebater
from cruxfinder.debaters.people.person import NOBODY, User
from cruxfinder.debaters.scripted import AbsentDebater, AbsentModel
from cruxfinder.debaters.simulated.advocate import Advocate
from cruxfinder.debaters.simulated.chair import Chair
from cruxfinder.errors import BadInput
from cruxfinder.kernel.pack import Pack, Persona
from cruxfinder.kernel.protocol import AnyProtocol
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import ADVOCATE, USER, AgentId, Role
from cruxfinder.ports import Debater

if TYPE_CHECKING:
    from cruxfinder.adapters.models.model_pool import RequestLimits

Debaters = Mapping[AgentId, Debater]
NO_PEOPLE: Final[Debaters] = {}

BRIEFS = {
    Role.ARBITRATOR: "Leads a debate, takes no side until the ruling, and rules on what was said alone.",
    Role.FACILITATOR: "Leads the conversation, takes no side, and never claims an agreement that is not there.",
    Role.HOST: "Hosts the table: calls on people, brings cases and passages, takes no side.",
    Role.REASON: "Sums up what advanced, names what is open, takes no side.",
}


@asynccontextmanager
async def seat_debaters(
    pack: Pack,
    seed: int,
    settings: Settings,
    protocol: AnyProtocol = CRUX_PROTOCOL,
    *,
    debaters: Debaters | None = None,
    paid: frozenset[str] = frozenset(),
    asking: bool = True,
    thinking: "ModelPool | RequestLimits | None" = None,
    user: User = NOBODY,
    people: Debaters = NO_PEOPLE,
) -> AsyncGenerator[dict[AgentId, Debater]]:
    """A debater for every seat. Where nothing may be asked, nobody sits there for answers that were paid for.

    A pool that is handed in serves several runs, which then share its limits; it is closed by whoever made it.
    """
    house = {ADVOCATE: Advocate(), USER: user, **chair_debaters(pack, protocol)}
    if debaters is not None:
        yield {**house, **people, **check_debaters(pack, debaters, people)}
    elif pack.models is not None and asking:
        pool = thinking if isinstance(thinking, ModelPool) else ModelPool(pack.models, thinking)
        try:
            yield {**house, **model_debaters(pack, settings, pool, protocol), **people}
        finally:
            if pool is not thinking:
                await pool.close()
    elif pack.models is not None:
        away = (*(p.id for p in pack.personas), *(AgentId(part.value) for part in vacant_chairs(pack, protocol)))
        yield {**house, **{id: AbsentModel() for id in away}}
    else:
        free = simulated_debaters(pack, seed)
        yield {**house, **{id: AbsentDebater() if id in paid else debater for id, debater in free.items()}, **people}


def away_people(pack: Pack) -> Debaters:
    """For a run whose people have said all they will."""
    return {p.id: AbsentModel() for p in pack.personas if p.is_person}


def chair_debaters(pack: Pack, protocol: AnyProtocol) -> dict[AgentId, Debater]:
    return {AgentId(part.value): Chair() for part in vacant_chairs(pack, protocol)}


def chair_persona(part: Role) -> Persona:
    """A chair for a model to speak for."""
    return Persona(
        id=AgentId(part.value), name=NAMES[part], about=f"the {part.value.replace('-', ' ')}", brief=BRIEFS[part]
    )


def simulated_debaters(pack: Pack, seed: int) -> dict[AgentId, Debater]:
    """Each debater gets its own persona and the propositions everybody knows, and nothing of the others."""
    from cruxfinder.debaters.simulated.debater import SimulatedDebater  # noqa: PLC0415 - numpy: 90 ms that showing a run saves

    return {p.id: SimulatedDebater(p, pack.propositions, seed, pack.dilemmas) for p in pack.personas}


def model_debaters(pack: Pack, settings: Settings, pool: ModelPool, protocol: AnyProtocol) -> dict[AgentId, Debater]:
    people = (*pack.personas, *(chair_persona(part) for part in vacant_chairs(pack, protocol)))
    return {
        p.id: ModelDebater(p, pack, pool.thinker(p.model), blind=settings.blind, turns=protocol.in_turns)
        for p in people
    }


def check_debaters(pack: Pack, debaters: Debaters, people: Debaters = NO_PEOPLE) -> Debaters:
    if missing := [p.id for p in pack.personas if p.id not in debaters and p.id not in people]:
        raise BadInput(f"there is no debater for {', '.join(missing)}")
    return debaters


def with_new_personas(pack: Pack, seats: Debaters) -> Debaters:
    """The seats after a turn: a debater whose persona changed looks at the record with new eyes."""
    from cruxfinder.debaters.simulated.debater import SimulatedDebater  # noqa: PLC0415 - numpy, as above

    personas = {p.id: p for p in pack.personas}

    def seat(id: AgentId, debater: Debater) -> Debater:
        match debater:
            case SimulatedDebater():
                return debater.with_persona(personas[id], pack.propositions)
            case ModelDebater() if id in personas:
                return debater.with_persona(personas[id], pack)
            case _:
                return debater

    return {id: seat(id, debater) for id, debater in seats.items()}
