"""A disagreement with several cruxes: many agents, four questions that each explain a part of it, and some that do not.

For measuring and testing debates in several threads; who believes what is drawn from a seed.
"""

from random import Random
from typing import Final, Literal

from cruxfinder.debaters.simulated.network import sigmoid
from cruxfinder.kernel.pack import Belief, Exhibit, Pack, Persona, Proposition, Rebuttal
from cruxfinder.kernel.vocabulary import AgentId, Attack, Horizon

HINGES: Final = 4
PEOPLE: Final = "ada ben cleo dan eve finn gus hana ivo june kai lena".split()
ROLES: Final = (
    ("traffic engineer", "passengers", "cars"),
    ("shop owner", "customers", "shops"),
    ("city treasurer", "construction cost", "budget"),
    ("doctor", "clean air", "health"),
    ("tenant", "rents", "housing"),
    ("gardener", "old trees", "parks"),
)
MATTERS: Final = (
    ("passengers", "More than forty thousand passengers a day will ride the tram", "Hardly anybody will ride the tram"),
    ("budget", "Construction stays within its budget", "Construction costs will double before it opens"),
    ("shops", "Shops along the line gain customers", "Shops along the line lose their customers to the building site"),
    ("cars", "Commuters leave their cars at home", "Commuters keep driving as before"),
    ("air", "The air in the centre becomes measurably cleaner", "The air in the centre stays as dirty as it is"),
    ("rents", "Rents near the stops remain affordable", "Rents near the stops become unaffordable"),
    ("trees", "The old avenue keeps its trees", "The old avenue loses its trees"),
    ("buses", "Electric buses cannot do the same job", "Electric buses could do the same job"),
)
QUESTIONS: Final = (
    "Will more than forty thousand passengers a day ride the tram?",
    "Does construction stay within its budget?",
    "Do shops along the line gain customers?",
    "Do commuters leave their cars at home?",
    "Does the air in the centre become measurably cleaner?",
    "Do rents near the stops remain affordable?",
    "Does the old avenue keep its trees?",
    "Is it beyond electric buses to do the same job?",
)


def many(agents: int, seed: int = 0) -> Pack:
    """A pack of so many agents. The first four matters decide the topic; who believes which is mixed."""
    rng = Random(f"many/{agents}/{seed}")
    return Pack(
        name="tram",
        title="The tram",
        topic="The city should build the tram",
        summary="Generated.",
        propositions=tuple(proposition(n) for n in range(len(MATTERS))),
        personas=tuple(persona(n, rng, yes=n % 2 == 0) for n in range(agents)),
    )


def persona(n: int, rng: Random, *, yes: bool) -> Persona:
    role, *interests = ROLES[n % len(ROLES)]
    dissents = rng.randrange(HINGES)  # one matter on which it differs from its own camp
    beliefs: list[Belief] = []
    for place, (id, _, _) in enumerate(MATTERS):
        with_camp = yes if place != dissents or rng.random() < 0.4 else not yes
        lean = (1.4 if with_camp else -1.4) + rng.gauss(0.0, 0.3)
        if place >= HINGES:
            lean = 2.2 if place == HINGES else rng.gauss(0.0, 0.6)
        weight = rng.uniform(0.9, 1.3) if place < HINGES else 0.1
        beliefs.append(Belief(proposition=id, credence=min(0.97, max(0.03, sigmoid(lean))), weight=weight))
    return Persona(
        id=AgentId(PEOPLE[n]),
        name=PEOPLE[n].capitalize(),
        about=role,
        openness=rng.uniform(0.2, 0.6),
        conformity=0.5,
        interests=tuple(interests),
        horizon=rng.choice((Horizon.FIVE_YEARS, Horizon.FIVE_YEARS, Horizon.DECADE)),
        beliefs=tuple(beliefs),
    )


def proposition(n: int) -> Proposition:
    id, statement, denial = MATTERS[n]
    return Proposition(
        id=id,
        statement=statement,
        denial=denial,
        question=QUESTIONS[n],
        yes_means=f"{statement}, counted five years after the opening",
        no_means=f"{denial}, counted five years after the opening",
        exhibits=tuple(exhibit(id, k, points) for k in range(10) for points in ("YES", "NO")),
    )


def exhibit(id: str, k: int, points: Literal["YES", "NO"]) -> Exhibit:
    found = "came out as promised" if points == "YES" else "came out worse than promised"
    return Exhibit(
        text=f"City number {k + 1} kept count of its {id}, and they {found}.",
        source=f"{id} report {k + 1}",
        points=points,
        rebuttals=(Rebuttal(attacks=Attack.MEASUREMENT, why=f"city {k + 1} counted {id} ({points}) on one weekday."),),
    )
