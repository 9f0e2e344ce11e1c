"""What the card at the end says: the verdict, its question, who stands where, how to go on. Words, no layout."""

from dataclasses import dataclass
from typing import Final

from cruxfinder.app import Finished
from cruxfinder.cli.text import clean, clock, counted, listed, percent, sentence
from cruxfinder.insight.result import Result, ThreadResult
from cruxfinder.insight.thread_crux import Crux, Dcg
from cruxfinder.model.events import StageTransition
from cruxfinder.model.words import ADVOCATE, Ending, Label, Side, Verdict

HEADLINES: Final = {
    Verdict.CRUX: "The disagreement turns on one question",
    Verdict.PARTIAL: "One question explains a part of the disagreement",
    Verdict.VALUES: "No question of fact explains the disagreement",
    Verdict.DEFINITIONS: "The same words mean two things",
    Verdict.HORIZON: "They answer for different horizons",
    Verdict.NO_DISAGREEMENT: "There is no real disagreement",
    Verdict.RESOLVED: "The debate closed the gap",
    Verdict.HOLLOW: "They agree, but not out of conviction",
    Verdict.FAILED_LOCK: "No question could be locked",
    Verdict.UNDECIDED: "Nothing was decided",
}
ENDINGS: Final = {
    Ending.NATURAL: "",
    Ending.TIME: "the time ran out",
    Ending.MESSAGES: "the messages ran out",
    Ending.STAGNATION: "it went round in circles",
    Ending.STOPPED: "it was stopped",
    Ending.UNFINISHED: "",
}
LABELS: Final = {
    Label.PERSUADED: "persuaded: the private answers moved with the evidence",
    Label.CONFORMED: "conformed: the private answers did not follow",
    Label.NOISE: "noise: the private answers explain nothing of it",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """Where somebody stands: on the crux, or on the topic where there is no crux. `lean` is -1 (NO) to 1 (YES)."""

    agent: str
    name: str
    lean: float
    figure: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """What would change somebody's mind."""

    agent: str
    name: str
    text: str
    deadline: str
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A question that was tested."""

    mark: str
    rank: float
    share: float
    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    run: str
    verdict: str
    headline: str
    topic: str
    seed: int
    why: str
    question: str
    yes_means: str
    no_means: str
    asked: str  # what the stands are about
    stands: tuple[Stand, ...]
    share: float | None
    gap_closed: float | None
    dcg: Dcg | None
    flips: tuple[str, ...]  # who would change sides on the topic with the answer
    asked_to_flip: int
    tests: tuple[Test, ...]
    changes: tuple[str, ...]
    rows: tuple[Row, ...]
    shared: tuple[str, ...]
    doubts: tuple[str, ...]
    facts: str
    steps: tuple[str, ...]


def card_of(finished: Finished, *, suffix: str = "") -> Card:
    """The card of a run; `suffix` is what its commands need besides the run, such as --store."""
    result = finished.result
    names = {a.id: clean(a.name) for a in result.agents}
    thread = result.threads[0] if result.threads else None
    crux = None if thread is None else thread.crux
    over = result.ending is not Ending.UNFINISHED
    return Card(
        run=result.run_id,
        verdict=result.verdict.value if over else "not over",
        headline=HEADLINES[result.verdict] if over else "The debate is not over",
        topic=clean(result.topic),
        seed=result.seed,
        why=why(result),
        question="" if crux is None else clean(crux.question),
        yes_means="" if crux is None else clean(crux.yes_means),
        no_means="" if crux is None else clean(crux.no_means),
        asked="on this question" if crux is not None and crux.positions else "on the topic, in private",
        stands=stands_on_crux(crux, names) if crux is not None and crux.positions else stands_on_topic(result, names),
        share=None if crux is None else crux.explained_share,
        gap_closed=None if crux is None else crux.gap_closed,
        dcg=None if crux is None else crux.dcg,
        flips=() if crux is None else tuple(names[a] for a, c in crux.counterfactual.items() if c.would_flip),
        asked_to_flip=0 if crux is None else len(crux.counterfactual),
        tests=() if crux is None else tests(crux, names),
        changes=() if thread is None else changes(thread, names),
        rows=() if thread is None else rows(thread),
        shared=tuple(sentence(s.statement) for s in result.common_ground),
        doubts=() if crux is None else doubts(crux, names),
        facts=facts(result),
        steps=steps(finished, suffix),
    )


def why(result: Result) -> str:
    early = ENDINGS[result.ending]
    if result.verdict in (Verdict.CRUX, Verdict.PARTIAL) and not early:
        return ""  # the figures say it
    return f"{sentence(result.why)} {sentence(early)}" if early else sentence(result.why)


def stands_on_crux(crux: Crux, names: dict[str, str]) -> tuple[Stand, ...]:
    found: list[Stand] = []
    for agent, held in crux.positions.items():
        sign = {Side.YES: 1.0, Side.NO: -1.0, Side.UNCERTAIN: 0.0}[held.side_after]
        unsure = held.side_after is Side.UNCERTAIN
        note = f"was {held.side.value}" if held.side is not held.side_after else "excused" if held.excused else ""
        figure = "unsure" if unsure else percent(held.confidence)
        found.append(Stand(agent=agent, name=names[agent], lean=sign * held.confidence, figure=figure, note=note))
    return tuple(sorted(found, key=lambda s: -s.lean))


def stands_on_topic(result: Result, names: dict[str, str]) -> tuple[Stand, ...]:
    """Private answers on the topic itself: 50 % is the middle."""
    found: list[Stand] = []
    for agent, held in result.private_positions.items():
        now = held.p_top if held.p_top_after is None else held.p_top_after
        note = "" if held.p_top_after is None else f"was {percent(held.p_top)}"
        found.append(Stand(agent=agent, name=names[agent], lean=2 * now - 1, figure=percent(now), note=note))
    return tuple(sorted(found, key=lambda s: -s.lean))


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauge:
    """A figure of the crux: 0 to 1, how it is written, and what it means."""

    name: str
    share: float
    figure: str
    meaning: str


def gauges(card: Card) -> tuple[Gauge, ...]:
    if card.share is None or card.gap_closed is None or card.dcg is None:
        return ()
    dcg = card.dcg
    flipping = len(card.flips) / card.asked_to_flip if card.asked_to_flip else 0.0
    parts = f"coverage {dcg.coverage:.2f} × polarity {dcg.polarity:.2f} × impact {dcg.impact:.2f}"
    return (
        Gauge(
            name="explained share",
            share=card.share,
            figure=percent(card.share),
            meaning="of the gap comes from this question",
        ),
        Gauge(
            name="gap closed",
            share=card.gap_closed,
            figure=percent(card.gap_closed),
            meaning="of it would go if this were settled",
        ),
        Gauge(
            name="would flip",
            share=flipping,
            figure=f"{len(card.flips)}/{card.asked_to_flip}",
            meaning=listed(card.flips),
        ),
        Gauge(name="DCG", share=dcg.score, figure=f"{dcg.score:.2f}", meaning=parts),
    )


def tests(crux: Crux, names: dict[str, str]) -> tuple[Test, ...]:
    """The last falsifier of each, with what was brought on it."""
    found: list[Test] = []
    for agent in sorted(crux.positions, key=list(names).index):
        for item in crux.positions[agent].falsifiers[-1:]:
            brought = [
                f"{len(pieces)} {word}"
                for pieces, word in ((item.evidence_for, "for"), (item.evidence_against, "against"))
                if pieces
            ]
            found.append(
                Test(
                    agent=agent,
                    name=names[agent],
                    text=f"{clean(item.metric)}: {clean(item.threshold)}",
                    deadline=clean(item.deadline),
                    evidence=f"evidence: {', '.join(brought)}" if brought else "",
                )
            )
    return tuple(found)


def changes(thread: ThreadResult, names: dict[str, str]) -> tuple[str, ...]:
    told = [
        f"{names.get(c.agent, c.agent)}: {c.before} → {c.after} on the {c.on} ({LABELS[c.label]})"
        for c in thread.changes
    ]
    if thread.gap_before is not None and thread.gap_after is not None:
        begin = "" if told else "Nobody changed sides; "
        gap = f"in private the camps were {thread.gap_before:.2f} apart and are {thread.gap_after:.2f} apart now"
        told.append(sentence(f"{begin}{gap}"))
    return tuple(told)


def rows(thread: ThreadResult) -> tuple[Row, ...]:
    """The questions tested, best first."""
    return tuple(
        Row(
            mark="locked" if found.locked else "chosen" if found.chosen else "partial" if found.partial else "",
            rank=found.rank,
            share=found.explained_share,
            question=clean(found.question),
        )
        for found in sorted(thread.tested, key=lambda found: -found.rank)
    )


def doubts(crux: Crux, names: dict[str, str]) -> tuple[str, ...]:
    """Why a locked question is no validated crux, and who does not see themselves in it."""
    failed = [sentence(f"{f.reason} ({f.rule})") for f in crux.validation_failures]
    objected = [f"{names[o.agent]} objects: {clean(o.objection)}" for o in crux.objections if o.stands]
    return (*failed, *objected)


def facts(result: Result) -> str:
    metrics = result.system_metrics
    told = [f"{counted(result.total_messages, 'message')} in {clock(result.duration)} of debate time"]
    if metrics.crux_lock_attempts:
        told.append(f"{counted(metrics.crux_lock_attempts, 'lock try').replace('trys', 'tries')}")
    if metrics.steelman_attempts:
        retried = f", {metrics.steelman_retries} again" if metrics.steelman_retries else ""
        told.append(f"{counted(metrics.steelman_attempts, 'steelman')}{retried}")
    if metrics.messages_blocked:
        told.append(f"{counted(metrics.messages_blocked, 'message')} refused")
    if any(a.id == ADVOCATE for a in result.agents):
        told.append("with a devil's advocate")
    return " · ".join(told)


def steps(finished: Finished, suffix: str) -> tuple[str, ...]:
    """How to go on. A fork is offered from the last change of stage, where a changed mind shows most."""
    run = f"{finished.run}{suffix}"
    if finished.result.ending is Ending.UNFINISHED:
        return (f"crux resume {run}", f"crux show {run} --messages")
    turns = [n for n, event in enumerate(finished.events, start=1) if isinstance(event, StageTransition)]
    who = finished.result.agents[0].id
    fork = f"crux fork {run} --at {turns[-1] if turns else 1} --set persona.{who}.openness=1"
    return (f"crux show {run} --messages", f"crux replay {run}", fork)
