"""What the card at the end says: the verdict, its question, who stands where, how to go on. Words, no layout."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cruxfinder.crux.events import StageTransition
from cruxfinder.crux.law import crux_quality
from cruxfinder.crux.result import Change, Result, ThreadResult
from cruxfinder.crux.thread_crux import CruxResult, Dcg, TestedCandidate
from cruxfinder.kernel.vocabulary import ADVOCATE, Ending, Side, Verdict
from cruxfinder.language.counts import count_phrase, join_names, percent, percent_beside
from cruxfinder.protocols.any_run import Finished
from cruxfinder.telling.crux_map import CruxMap, main_thread, map_of
from cruxfinder.telling.figures import figure_text, figures_of
from cruxfinder.telling.outcomes import headline, stands_on
from cruxfinder.telling.terminal_text import clean, clock, sentence
from cruxfinder.telling.wording import EARLY, ENDINGS, GAUGES, LABELS, describe_move, share_meaning, side_word

TESTS_MAX: Final = 6  # beside several cruxes


@dataclass(frozen=True, slots=True, kw_only=True)
class StandRow:
    """Where somebody stands: on the crux, or on the topic where there is no crux. `lean` is -1 (NO) to 1 (YES)."""

    agent: str
    name: str
    lean: float
    figure: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FalsifierRow:
    """What would change somebody's mind."""

    agent: str
    name: str
    text: str
    deadline: str
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TestedRow:
    """A question that was tested."""

    mark: str
    rank: float
    share: float
    question: str
    thread: str = ""  # where there are several
    stands: str = ""  # of one of several facts: who stands where


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
    stands: tuple[StandRow, ...]
    share: float | None
    gap_closed: float | None
    dcg: Dcg | None
    flips: tuple[str, ...]  # who would change sides on the topic with the answer
    asked_to_flip: int
    tests: tuple[FalsifierRow, ...]
    changes: tuple[str, ...]
    rows: tuple[TestedRow, ...]
    map: CruxMap
    shared: tuple[str, ...]
    doubts: tuple[str, ...]
    next: tuple[str, ...]  # questions to ask
    facts: str
    steps: tuple[str, ...]


def card_of(finished: Finished, *, suffix: str = "") -> Card:
    """The card of a run; `suffix` is what its commands need besides the run, such as --store."""
    result = finished.result
    names = {a.id: clean(a.name) for a in result.agents}
    thread = main_thread(result)
    crux = None if thread is None else thread.crux
    several = len(result.threads) > 1
    subject = "on the primary crux" if several else "on this question"
    listed_tests = () if crux is None else tests(crux, names)
    if several and len(listed_tests) > TESTS_MAX:
        listed_tests = ()  # what to ask next has the first of each side, for every crux
    over = result.ending is not Ending.UNFINISHED
    return Card(
        run=result.run_id,
        verdict=result.verdict.value if over else "not over",
        headline=headline(result),
        topic=clean(result.topic),
        seed=result.seed,
        why=why(result),
        question="" if crux is None else clean(crux.question),
        yes_means="" if crux is None else clean(crux.yes_means),
        no_means="" if crux is None else clean(crux.no_means),
        asked=subject if crux is not None and crux.positions else "on the topic, in private",
        stands=stands_on_crux(crux, names) if crux is not None and crux.positions else stands_on_topic(result, names),
        share=None if crux is None else crux.explained_share,
        gap_closed=None if crux is None else crux.gap_closed,
        dcg=None if crux is None else crux.dcg,
        flips=() if crux is None else tuple(names[a] for a in crux.would_flip),
        asked_to_flip=0 if crux is None else len(crux.counterfactual),
        tests=listed_tests,
        changes=changes(result.threads, names),
        rows=also_tested(result, names) if several else () if thread is None else rows(thread, names),
        map=map_of(result, names),
        shared=tuple(sentence(s.statement) for s in result.common_ground),
        doubts=tuple(doubts(result.threads, names)),
        next=tuple(next_questions(result, crux if listed_tests else None)),
        facts=facts(result),
        steps=steps(finished, suffix),
    )


def why(result: Result) -> str:
    early = ENDINGS[result.ending] if result.ending in EARLY else ""
    if result.verdict in (Verdict.CRUX, Verdict.PARTIAL) and not early:
        # of one question the figures say it
        return sentence(result.primary_crux_reason) if len(result.threads) > 1 and result.primary_crux else ""
    return f"{sentence(result.why)} {early}" if early else sentence(result.why)


def stands_on_crux(crux: CruxResult, names: dict[str, str]) -> tuple[StandRow, ...]:
    found: list[StandRow] = []
    for agent, held in crux.positions.items():
        sign = {Side.YES: 1.0, Side.NO: -1.0, Side.UNCERTAIN: 0.0}[held.side_after]
        unsure = held.side_after is Side.UNCERTAIN
        note = f"was {side_word(held.side)}" if held.side is not held.side_after else "excused" if held.excused else ""
        figure = "unsure" if unsure else percent(held.confidence)
        found.append(StandRow(agent=agent, name=names[agent], lean=sign * held.confidence, figure=figure, note=note))
    return tuple(sorted(found, key=lambda s: -s.lean))


def stands_on_topic(result: Result, names: dict[str, str]) -> tuple[StandRow, ...]:
    """Private answers on the topic itself: 50 % is the middle."""
    found: list[StandRow] = []
    for agent, held in result.private_positions.items():
        now = held.p_top if held.p_top_after is None else held.p_top_after
        note = "" if held.p_top_after is None else f"was {percent(held.p_top)}"
        found.append(StandRow(agent=agent, name=names[agent], lean=2 * now - 1, figure=percent(now), note=note))
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
    return gauges_of(card.share, card.gap_closed, card.dcg, len(card.flips), card.asked_to_flip, join_names(card.flips))


def gauges_of(share: float, closed: float, dcg: Dcg, flipping: int, asked: int, who: str) -> tuple[Gauge, ...]:
    """The four figures of a question; so many of those asked would change sides on the topic with it."""
    parts = f"coverage {dcg.coverage:.2f} × polarity {dcg.polarity:.2f} × impact {dcg.impact:.2f}"
    told = (
        ("share", share, percent_beside(share, crux_quality.SHARE_MIN), share_meaning(share)),
        ("gapClosed", closed, percent(closed), GAUGES["gapClosed"][1]),
        ("flips", flipping / asked if asked else 0.0, f"{flipping}/{asked}", who),
        ("dcg", dcg.score, f"{dcg.score:.2f}", parts),
    )
    return tuple(
        Gauge(name=GAUGES[gauge][0], share=filled, figure=figure, meaning=meaning)
        for gauge, filled, figure, meaning in told
    )


def tests(crux: CruxResult, names: dict[str, str]) -> tuple[FalsifierRow, ...]:
    """The last falsifier of each, with what was brought on it."""
    found: list[FalsifierRow] = []
    for agent in sorted(crux.positions, key=list(names).index):
        for item in crux.positions[agent].falsifiers[-1:]:
            brought = [
                f"{len(pieces)} {word}"
                for pieces, word in ((item.evidence_for, "for"), (item.evidence_against, "against"))
                if pieces
            ]
            found.append(
                FalsifierRow(
                    agent=agent,
                    name=names[agent],
                    text=f"{clean(item.metric)}: {clean(item.threshold)}",
                    deadline=clean(item.deadline),
                    evidence=f"evidence: {', '.join(brought)}" if brought else "",
                )
            )
    return tuple(found)


def changes(threads: tuple[ThreadResult, ...], names: dict[str, str]) -> tuple[str, ...]:
    told = [
        f"{names.get(c.agent, c.agent)}: {describe_move(c.before, c.after)} on {subject_of_change(c, t, threads)} "
        f"({LABELS[c.label]})"
        for t in threads
        for c in t.changes
    ]
    gaps = [(t, t.gap_before, t.gap_after) for t in threads if t.gap_before is not None and t.gap_after is not None]
    if gaps:
        begin = "" if told else "Nobody changed sides; "
        spans = [f"{before:.2f} apart and are {after:.2f} apart now" for _, before, after in gaps]
        if len(threads) > 1:
            spans = ["apart by " + ", ".join(f"{before:.2f} → {after:.2f} ({t.id})" for t, before, after in gaps)]
        told.append(sentence(f"{begin}in private the camps were {spans[0]}"))
    return tuple(told)


def subject_of_change(change: Change, thread: ThreadResult, threads: tuple[ThreadResult, ...]) -> str:
    return thread.id if change.on == "crux" and len(threads) > 1 else f"the {change.on}"


def thread_prefix(thread: ThreadResult, threads: tuple[ThreadResult, ...]) -> str:
    return f"{thread.id}: " if len(threads) > 1 else ""


def rows(thread: ThreadResult, names: dict[str, str]) -> tuple[TestedRow, ...]:
    """The questions tested, best first."""
    return tuple(row(found, names) for found in sorted(thread.tested, key=lambda found: -found.rank))


def row(found: TestedCandidate, names: dict[str, str], thread: str = "") -> TestedRow:
    return TestedRow(
        mark="joint"
        if found.joint
        else "locked"
        if found.locked
        else "chosen"
        if found.chosen
        else "partial"
        if found.partial
        else "",
        rank=found.rank,
        share=found.explained_share,
        question=clean(found.question),
        thread=thread,
        stands=clean(stands_on(found, names)) if found.joint else "",
    )


def also_tested(result: Result, names: dict[str, str]) -> tuple[TestedRow, ...]:
    """With several cruxes on the map: the questions that are none of them, each as it was weighed best."""
    cruxes = {t.crux.question for t in result.threads if t.crux is not None}
    found: dict[str, TestedRow] = {}
    weighed = [(t.id, tested) for t in result.threads for tested in t.tested if tested.question not in cruxes]
    for id, tested in sorted(weighed, key=lambda item: -item[1].rank):
        found.setdefault(tested.question, row(tested, names, id))
    return tuple(found.values())


def doubts(threads: tuple[ThreadResult, ...], names: dict[str, str]) -> Iterator[str]:
    """Why a locked question is no validated crux, and who does not see themselves in it."""
    for t in threads:
        if t.crux is not None:
            for f in t.crux.validation_failures:
                yield f"{thread_prefix(t, threads)}{sentence(f'{f.reason} ({f.rule})')}"
            for o in t.crux.objections:
                if o.stands:
                    yield f"{thread_prefix(t, threads)}{names[o.agent]} objects: {clean(o.objection)}"


def next_questions(result: Result, crux: CruxResult | None) -> Iterator[str]:
    """Questions to go on with; the tests of the crux at the top of the card are listed with it."""
    for asked in result.recommended_next_questions:
        if crux is None or asked.crux != crux.id:
            yield f"{clean(asked.question)} ({clean(asked.why)})" if len(result.threads) > 1 else clean(asked.question)


def facts(result: Result) -> str:
    found, metrics = figures_of(result), result.system_metrics
    told = [f"regime: {result.regime}"] if len(result.threads) > 1 else []
    told += [f"{figure_text(found, 'messages')} in {clock(result.duration)} of debate time"]
    if found.lock_tries:
        told.append(figure_text(found, "lock_tries"))
    if found.steelmans:
        retried = f", {metrics.steelman_retries} again" if metrics.steelman_retries else ""
        told.append(f"{figure_text(found, 'steelmans')}{retried}")
    if found.refusals:
        told.append(figure_text(found, "refusals"))
    if any(a.id == ADVOCATE for a in result.agents):
        told.append("with a devil's advocate")
    return " · ".join((*told, *model_usage(result)))


def model_usage(result: Result) -> Iterator[str]:
    """What models took, and whether they grade honestly."""
    metrics = result.system_metrics
    if metrics.steelmans_planted:
        yield (
            f"{metrics.steelmans_planted_caught} of "
            f"{count_phrase(metrics.steelmans_planted, 'planted steelman')} caught"
        )
    if metrics.ask_failures:
        yield figure_text(figures_of(result), "failures")
    if metrics.tokens:
        price = f", ${result.cost:.4f}" if metrics.calls > metrics.calls_unpriced else ""
        yield f"{count_phrase(metrics.calls, 'call')}, {metrics.tokens:,} tokens{price}"


def steps(finished: Finished, suffix: str) -> tuple[str, ...]:
    """How to go on. A fork is offered from the last change of stage, where a changed mind shows most."""
    run = f"{finished.run}{suffix}"
    if finished.result.ending is Ending.UNFINISHED:
        return (f"crux resume {run}", f"crux show {run} --messages")
    turns = [n for n, event in enumerate(finished.events, start=1) if isinstance(event, StageTransition)]
    who = finished.result.agents[0].id
    others = [t.id for t in finished.result.threads[1:]]
    one = (f"crux events {run} --thread {others[0]}",) if others else ()
    change = 'brief="…"' if finished.result.agents[0].model else "openness=1"
    fork = f"crux fork {run} --at {turns[-1] if turns else 1} --set persona.{who}.{change}"
    return (f"crux show {run} --messages", *one, f"crux replay {run}", fork)
