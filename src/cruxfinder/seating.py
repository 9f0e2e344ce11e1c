"""Who sits at the table: simulated believers, models, or whoever is handed in. DESIGN §5."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from cruxfinder.debaters.advocate import Advocate
from cruxfinder.debaters.scripted import Absent, Away
from cruxfinder.errors import BadInput
from cruxfinder.model.pack import Pack
from cruxfinder.model.settings import Settings
from cruxfinder.model.words import ADVOCATE, AgentId
from cruxfinder.ports import Debater

if TYPE_CHECKING:
    from cruxfinder.llm.crew import Crew, Pace

Debaters = Mapping[AgentId, Debater]


@asynccontextmanager
async def table(
    pack: Pack,
    seed: int,
    settings: Settings,
    *,
    debaters: Debaters | None = None,
    paid: frozenset[str] = frozenset(),
    asking: bool = True,
    thinking: "Crew | Pace | None" = None,
) -> AsyncGenerator[dict[AgentId, Debater]]:
    """A debater for every seat. Where nothing may be asked, nobody sits there for answers that were paid for.

    A crew that is handed in serves several runs, which then share its limits; it is closed by whoever made it.
    """
    if debaters is not None:
        yield {ADVOCATE: Advocate(), **checked(pack, debaters)}
    elif pack.models is not None and asking:
        from cruxfinder.llm.crew import Crew

        crew = thinking if isinstance(thinking, Crew) else Crew(pack.models, thinking)
        try:
            yield {ADVOCATE: Advocate(), **modelled(pack, settings, crew)}
        finally:
            if crew is not thinking:
                await crew.close()
    elif pack.models is not None:
        yield {ADVOCATE: Advocate(), **{p.id: Away() for p in pack.personas}}
    else:
        free = simulated(pack, seed)
        yield {ADVOCATE: Advocate(), **{id: Absent() if id in paid else debater for id, debater in free.items()}}


def simulated(pack: Pack, seed: int) -> dict[AgentId, Debater]:
    """Each debater gets its own persona and the propositions everybody knows, and nothing of the others."""
    from cruxfinder.debaters.simulated import Simulated  # brings numpy, which showing a run does without

    return {p.id: Simulated(p, pack.propositions, seed) for p in pack.personas}


def modelled(pack: Pack, settings: Settings, crew: "Crew") -> dict[AgentId, Debater]:
    from cruxfinder.debaters.modelled import Modelled

    return {p.id: Modelled(p, pack, crew.thinker(p.model), blind=settings.blind) for p in pack.personas}


def checked(pack: Pack, debaters: Debaters) -> Debaters:
    if missing := [p.id for p in pack.personas if p.id not in debaters]:
        raise BadInput(f"there is no debater for {', '.join(missing)}")
    return debaters


def amended(pack: Pack, seats: Debaters) -> Debaters:
    """The seats after a turn: a debater whose persona changed looks at the record with new eyes."""
    from cruxfinder.debaters.modelled import Modelled
    from cruxfinder.debaters.simulated import Simulated

    personas = {p.id: p for p in pack.personas}

    def seat(id: AgentId, debater: Debater) -> Debater:
        match debater:
            case Simulated():
                return debater.amended(personas[id], pack.propositions)
            case Modelled():
                return debater.amended(personas[id], pack)
            case _:
                return debater

    return {id: seat(id, debater) for id, debater in seats.items()}
