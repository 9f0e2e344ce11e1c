"""A sketch of a disagreement put into words: a pack that can be debated."""

import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Final, Literal

from cruxfinder.cruxbench.planted_subjects import PlantedSubject, PropositionText
from cruxfinder.cruxbench.world_sketches import Sketch
from cruxfinder.kernel.pack import Belief, Exhibit, Falsifier, Lines, Pack, Persona, Proposition, Rebuttal, Truth
from cruxfinder.kernel.vocabulary import AgentId, Attack, Horizon

NAMES: Final = "Ada Ben Cleo Dan Eve Finn Gus Hana Ivo June Kai Lena".split()
SOURCES: Final = (
    "the auditors' file",
    "a survey by the university",
    "a field trial",
    "the court records",
    "the register of the county",
    "a pilot last year",
    "the ledger",
    "an inspection",
)

DAY: Final = "2027-06-30"  # of every debate
OVER: Final = Falsifier(
    metric="the count of the county's register of permits",
    threshold="at least 40 permits are on it",
    deadline="2026-12-31",
)


def pack_of(sketch: Sketch, subject: PlantedSubject, rng: Random) -> Pack:
    texts = list(rng.sample(subject.propositions, sketch.count))
    if sketch.again is not None:
        texts[sketch.again] = topic_text(subject, sketch.again_turned, rng)
    for n in sketch.hollow:
        texts[n] = replace(texts[n], yes_means="yes, it is true", no_means="no, it is false")
    ids = [f"p{n + 1}" for n in range(sketch.count)]
    spans = rng.sample((Horizon.MONTHS, Horizon.YEAR, Horizon.DECADE), 2) if sketch.reading == "horizon" else []
    return Pack(
        name="planted-world",
        title=subject.topic,
        topic=subject.topic,
        summary="Drawn at random.",
        propositions=tuple(
            proposition_of(ids[n], text, sketch.truths.get(n, "OPEN"), sketch.reading == "sense" and n == sketch.hinge)
            for n, text in enumerate(texts)
        ),
        personas=tuple(persona_of(sketch, n, ids, spans) for n in range(len(sketch.camps))),
    )


def topic_text(subject: PlantedSubject, turned: bool, rng: Random) -> PropositionText:
    """The topic as one more proposition: asked anew, or asked the other way round."""
    question = rng.choice([q for q in subject.again if is_turned(q) is turned])
    for_it, against = f"{subject.topic}, all things weighed", f"{subject.topic}? No, all things weighed"
    statement, denial = (against, for_it) if turned else (for_it, against)
    return PropositionText(statement, denial, question, f"on balance, yes: {question[:-1].lower()}", "on balance, no")


def is_turned(question: str) -> bool:
    """Does it ask whether the topic is not so?"""
    return " wrong " in question or " mistake " in question


def proposition_of(id: str, text: PropositionText, truth: Truth, has_senses: bool) -> Proposition:
    senses = (("strict", "as an outside audit would count it"), ("loose", "as people on the spot would put it"))
    return Proposition(
        id=id,
        statement=text.statement,
        denial=text.denial,
        question=text.question,
        yes_means=text.yes_means,
        no_means=text.no_means,
        truth=truth,
        sense="strict" if has_senses else "",
        senses=senses if has_senses else (),
        exhibits=tuple(
            exhibit_of(text.yes_means if side == "YES" else text.no_means, source, side)
            for source in SOURCES
            for side in ("YES", "NO")
        ),
    )


def exhibit_of(shown: str, source: str, points: Literal["YES", "NO"]) -> Exhibit:
    return Exhibit(
        text=f"According to {source}, {shown}.",
        source=source,
        points=points,
        rebuttals=(Rebuttal(attacks=Attack.MEASUREMENT, why=f"{source} counted too few cases to show that {shown}."),),
    )


def persona_of(sketch: Sketch, person: int, ids: Sequence[str], spans: Sequence[Horizon]) -> Persona:
    rng = sketch.rng
    horizon = spans[sketch.camps[person]] if spans else Horizon.FIVE_YEARS
    beliefs: list[Belief] = []
    for n, held in enumerate(sketch.beliefs[person]):
        fixed = None if held.fixed is None else clip(held.fixed)
        by_sense = (
            (("strict", fixed), ("loose", clip(held.base))) if fixed is not None and sketch.reading == "sense" else ()
        )
        by_horizon = (
            ((Horizon.FIVE_YEARS, fixed), (horizon, clip(held.base)))
            if fixed is not None and sketch.reading == "horizon"
            else ()
        )
        beliefs.append(
            Belief(
                proposition=ids[n],
                credence=clip(held.base),
                weight=held.weight,
                by_sense=by_sense,
                by_horizon=by_horizon,
                links=tuple((ids[parent], strength) for parent, strength in held.links),
                lines=Lines(vague=OVER) if sketch.late else Lines(),
            )
        )
    name = NAMES[person]
    return Persona(
        id=AgentId(name.lower()),
        name=name,
        about="",
        bias=sketch.bias[person],
        openness=rng.uniform(*sketch.openness),
        conformity=rng.choice(sketch.conformity),
        trust=rng.uniform(*sketch.trust),
        horizon=horizon,
        beliefs=tuple(beliefs),
    )


def clip(log_odds: float) -> float:
    """A credence that no network takes for certainty."""
    return min(0.98, max(0.02, 1 / (1 + math.exp(-log_odds))))
