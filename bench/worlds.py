"""Random disagreements with a known answer: which question, if any, they turn on.

The truth of a world is computed from its belief networks: the argmax of gap closed, and the verdict the exact private
answers call for. The engine under test sees neither.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final, Literal

from cruxfinder.crux.law.probes import CampMeans, explained_share, gap_closed, mean
from cruxfinder.debaters.simulated.network import Chances, Network, sigmoid
from cruxfinder.kernel.pack import Belief, Exhibit, Pack, Persona, Proposition, Rebuttal
from cruxfinder.kernel.vocabulary import AgentId, Attack, Verdict

Kind = Literal["crux", "agreement", "values", "meanings"]
NAMES: Final = "amber birch cedar delta ember fjord grove heron inlet juniper kelp larch".split()
PEOPLE: Final = "ada ben cleo dan eve finn gus hana ivo june kai lena".split()
SIZES: Final = (2, 2, 3, 3, 4, 5, 5, 6, 8, 10, 12)
MARGIN: Final = 0.05  # by which the crux of a world leads, and by which verdicts clear their thresholds
TRIES_MAX: Final = 200


@dataclass(frozen=True)
class World:
    kind: Kind
    pack: Pack
    crux: str | None
    verdict: Verdict


def worlds(count: int, seed: int = 7) -> Iterator[World]:
    """Two thirds with a crux; the rest agree, differ in values, or mean two things by one word."""
    others: tuple[Kind, ...] = ("agreement", "values", "meanings")
    for n in range(count):
        kind: Kind = "crux" if n % 3 else others[(n // 3) % 3]
        yield world(kind, Random(f"{seed}/{n}"))


def world(kind: Kind, rng: Random, agents: int | None = None) -> World:
    for _ in range(TRIES_MAX):
        pack = draw(kind, rng, rng.choice(SIZES) if agents is None else agents)
        found = truth(kind, pack)
        if found is not None:
            return found
    raise AssertionError(f"no {kind} world in {TRIES_MAX} draws")


def draw(kind: Kind, rng: Random, agents: int) -> Pack:
    count = rng.randint(5, 8)
    hinge = rng.randrange(count)
    shared = [rng.uniform(-1.5, 1.5) for _ in range(count)]
    weights = [rng.uniform(-1.0, 1.0) for _ in range(count)]
    weights[hinge] = rng.choice((-1, 1)) * rng.uniform(0.8, 2.0)
    camps = [n % 2 == 0 for n in range(agents)]
    rng.shuffle(camps)
    apart = rng.uniform(0.6, 2.2)
    links = linked(rng, count, hinge)
    personas = tuple(
        persona(kind, rng, PEOPLE[n], camps[n], hinge, shared, weights, apart, links) for n in range(agents)
    )
    return Pack(
        name=f"world-{kind}",
        title=f"A {kind} world",
        topic="The plan works",
        summary="Generated.",
        propositions=tuple(proposition(n, meanings=kind == "meanings" and n == hinge) for n in range(count)),
        personas=personas,
    )


def linked(rng: Random, count: int, hinge: int) -> dict[int, tuple[tuple[str, float], ...]]:
    """In a third of the worlds one rival follows from another."""
    rivals = [n for n in range(count) if n != hinge]
    if rng.random() > 0.33:
        return {}
    child, parent = rng.sample(rivals, 2)
    return {child: ((NAMES[parent], rng.uniform(0.3, 0.8)),)}


def persona(
    kind: Kind,
    rng: Random,
    name: str,
    yes: bool,
    hinge: int,
    shared: list[float],
    weights: list[float],
    apart: float,
    links: dict[int, tuple[tuple[str, float], ...]],
) -> Persona:
    sign = 1.0 if yes else -1.0
    bias = rng.gauss(0.0, 0.25)
    if kind == "values":
        bias = sign * rng.uniform(0.9, 1.8)
    if kind == "agreement":
        bias = 1.4 + rng.gauss(0.0, 0.1)
    spread = 0.6 if kind == "crux" else 0.1
    beliefs: list[Belief] = []
    for n, base in enumerate(shared):
        own = base + rng.gauss(0.0, spread)
        by_sense: tuple[tuple[str, float], ...] = ()
        if n == hinge and kind in ("crux", "meanings"):
            own = sign * apart + rng.gauss(0.0, 0.3)
            if weights[hinge] < 0:
                own = -own
        if n == hinge and kind == "meanings":
            by_sense = (("strict", clip(sigmoid(base + rng.gauss(0.0, 0.1)))), ("loose", clip(sigmoid(own))))
        if n == hinge and kind == "values":
            own = base
        beliefs.append(
            Belief(
                proposition=NAMES[n],
                credence=clip(sigmoid(own)),
                weight=weights[n] * rng.uniform(0.8, 1.2),
                by_sense=by_sense,
                links=links.get(n, ()),
            )
        )
    return Persona(
        id=AgentId(name),
        name=name.capitalize(),
        about="",
        bias=bias,
        openness=rng.uniform(0.2, 1.0),
        conformity=rng.choice((0.0, 0.5, 1.0, 1.0, 2.0)),
        trust=rng.uniform(0.4, 1.0),
        beliefs=tuple(beliefs),
    )


def clip(p: float) -> float:
    return min(0.98, max(0.02, p))


def proposition(n: int, *, meanings: bool) -> Proposition:
    name = NAMES[n]
    return Proposition(
        id=name,
        statement=f"The {name} effect is real",
        denial=f"There is no {name} effect",
        question=f"Is there a real {name} effect?",
        yes_means=f"The {name} effect shows up in blind trials.",
        no_means=f"The {name} effect vanishes in blind trials.",
        truth="OPEN",
        sense="strict" if meanings else "",
        senses=(("strict", "in blind trials"), ("loose", "in practice")) if meanings else (),
        exhibits=tuple(exhibit(name, k, points) for k in range(8) for points in ("YES", "NO")),
    )


def exhibit(name: str, k: int, points: Literal["YES", "NO"]) -> Exhibit:
    showed = "showed it" if points == "YES" else "failed to show it"
    return Exhibit(
        text=f"Trial {k + 1} of the {name} series {showed}.",
        source=f"{name} report {k + 1}",
        points=points,
        rebuttals=(
            Rebuttal(attacks=Attack.MEASUREMENT, why=f"trial {k + 1} of {name} ({points}) was read off by hand."),
        ),
    )


@dataclass(frozen=True)
class Figures:
    gap: float
    share: dict[str, float]
    closed: dict[str, float]


def exact(pack: Pack) -> tuple[dict[str, Chances], Figures]:
    known = {str(p.id): chances(p, pack) for p in pack.personas}
    yes = [k for k in known.values() if k.p_top > 0.5]
    no = [k for k in known.values() if k.p_top < 0.5]
    gap = mean([k.p_top for k in yes]) - mean([k.p_top for k in no]) if yes and no else 0.0
    share: dict[str, float] = {}
    closed: dict[str, float] = {}
    for n, p in enumerate(pack.propositions):
        if yes and no:
            bars = [
                CampMeans(
                    c=mean([k.c[n] for k in camp]), p1=mean([k.p1[n] for k in camp]), p0=mean([k.p0[n] for k in camp])
                )
                for camp in (yes, no)
            ]
            share[p.id] = explained_share(bars[0], bars[1], gap)
            closed[p.id] = gap_closed(bars[0], bars[1], gap)
    return known, Figures(gap, share, closed)


def chances(persona: Persona, pack: Pack) -> Chances:
    network = Network(persona, pack.propositions)
    return network.chances(network.beta, network.bias)


def truth(kind: Kind, pack: Pack) -> World | None:
    """The world with its answer, or None where a draw is not what it was meant to be."""
    known, found = exact(pack)
    best = sorted(found.closed, key=lambda id: -found.closed[id])
    share = max(found.share.values(), default=0.0)
    clear = all(abs(k.p_top - 0.5) > 0.01 for k in known.values())
    match kind:
        case "agreement":
            fits = abs(found.gap) < 0.15 - MARGIN
            return World(kind, pack, None, Verdict.NO_DISAGREEMENT) if fits else None
        case "values":
            fits = found.gap > 0.15 + MARGIN and share < 0.20 - MARGIN
            return World(kind, pack, None, Verdict.VALUES) if fits and clear else None
        case "meanings":
            fits = found.gap > 0.15 + MARGIN and share > 0.20 + MARGIN
            hinge = next(p for p in pack.propositions if p.senses)
            if not (fits and clear and best[0] == hinge.id and found.share[hinge.id] == share):
                return None
            return World(kind, pack, None, Verdict.DEFINITIONS) if sharply_differ(pack, hinge.id, known) else None
        case "crux":
            lead = found.closed[best[0]] - found.closed[best[1]] if len(best) > 1 else 0.0
            if not (clear and found.gap > 0.15 + MARGIN and lead > MARGIN and found.share[best[0]] > 0.20 + MARGIN):
                return None
            verdict = Verdict.CRUX if two_sided(pack, best[0], known) else Verdict.PARTIAL
            return World(kind, pack, best[0], verdict)


def two_sided(pack: Pack, id: str, known: dict[str, Chances]) -> bool:
    n = [p.id for p in pack.propositions].index(id)
    firm = [k for k in known.values() if not 0.45 <= k.c[n] <= 0.55]
    flips = sum(max(k.p1[n], k.p0[n]) > 0.55 and min(k.p1[n], k.p0[n]) < 0.45 for k in firm)
    return any(k.c[n] > 0.55 for k in firm) and any(k.c[n] < 0.45 for k in firm) and flips >= 2


def sharply_differ(pack: Pack, id: str, known: dict[str, Chances]) -> bool:
    """Own readings far apart, the fixed one close: fixing the wording takes away more than half."""
    n = [p.id for p in pack.propositions].index(id)
    camps = [[p for p in pack.personas if (known[p.id].p_top > 0.5) is side] for side in (True, False)]
    own = abs(mean([known[p.id].c[n] for p in camps[0]]) - mean([known[p.id].c[n] for p in camps[1]]))
    strict = [mean([dict(p.beliefs[n].by_sense)["strict"] for p in camp]) for camp in camps]
    return abs(strict[0] - strict[1]) < 0.4 * own
