"""A run as an architecture decision record: what is to be decided, what for, by whom, and what would reopen it."""

from collections.abc import Iterator
from typing import Final

from cruxfinder.crux.result import Result
from cruxfinder.exports.decision_talk import record_of_talk
from cruxfinder.exports.exported_run import Renderers, RunWithMinutes, RunWithResult
from cruxfinder.exports.markdown_text import bullets, document, escape, part, table
from cruxfinder.kernel.protocol import OutcomeKind
from cruxfinder.kernel.vocabulary import ADVOCATE, Side, Verdict
from cruxfinder.language.counts import explains_words, join_names, percent
from cruxfinder.telling.brief import brief_of
from cruxfinder.telling.export_text import clean, decision_question, sentence, strip_period
from cruxfinder.telling.outcomes import (
    LEANS,
    CruxInThread,
    Names,
    agent_falsifiers,
    agents_with_side,
    confidence_text,
    cruxes,
    facts,
    is_over,
    mean_lean,
    names_of,
    other_questions,
    state,
)
from cruxfinder.telling.wording import BEARS, MEANINGS, SIDES

SURE: Final = 0.5  # a chance above it is for the topic

PENDING: Final = {
    Verdict.CRUX: "proposed (it waits for the answer to its crux)",
    Verdict.UNRESOLVED: "proposed (it waits for the answer to its crux, which was not argued to its end)",
    Verdict.SEVERAL_FACTS: "proposed (several answers would settle it together)",
    Verdict.PARTIAL: "proposed (an answer to its partial crux would narrow it down)",
    Verdict.VALUES: "proposed (it is a matter of what is wanted, and somebody has to choose)",
    Verdict.DEFINITIONS: "draft (its words have to be agreed on first)",
    Verdict.HORIZON: "draft (the span of time has to be agreed on first)",
    Verdict.HOLLOW: "proposed (in private the agreement is not meant)",
    Verdict.FAILED_LOCK: "draft (no question that decides it could be locked)",
    Verdict.UNDECIDED: "draft (the debate decided nothing)",
}


def render_result(run: RunWithResult) -> str:
    return document(record(run.id, run.outcome, names_of(run.outcome)))


def render_minutes(run: RunWithMinutes) -> str:
    return document(record_of_talk(run.id, run.outcome, names_of(run.outcome)))


def record(run: str, result: Result, names: Names) -> Iterator[str]:
    found = cruxes(result)
    yield f"# {escape(strip_period(result.topic))}"
    yield ""
    yield from bullets(
        (
            f"Status: {status(result)}",
            f"Deciders: {escape(join_names([names[a.id] for a in result.agents if a.id != ADVOCATE]))}",
            f"Source: {facts(result)}",
        )
    )
    yield from part(2, "Context", context(result))
    yield from part(2, "The question", question(result, found))
    yield from part(2, "Decision drivers", bullets(drivers(result, found)))
    yield from part(2, "Options", options(result, names))
    yield from part(2, "Decision", decision(result, found, names))
    yield from part(2, "Consequences", consequences(result, found, names))
    yield from part(
        2,
        "What would reopen this decision",
        table(("who", "stands on", "what", "when", "crux"), falsifier_rows(found, names)),
    )
    yield from part(2, "Still to find out", bullets(open_questions(result, found, names)))


def agreed_side(result: Result) -> Side | None:
    """The side that everybody is on in private at the end, if there is one."""
    chances = [p.p_top if p.p_top_after is None else p.p_top_after for p in result.private_positions.values()]
    if not chances:
        return None
    return Side.YES if min(chances) > SURE else Side.NO if max(chances) < SURE else None


def status(result: Result) -> str:
    if not is_over(result):
        return "draft (the debate is not over)"
    if result.verdict in PENDING:
        return PENDING[result.verdict]
    side = agreed_side(result)
    if side is None:
        return "proposed (the private answers are on no one side)"
    return "accepted" if side is Side.YES else "rejected"


def context(result: Result) -> Iterator[str]:
    told = brief_of(result)
    if told.why:
        yield f"{told.headline}. {escape(told.why)}"
        yield ""
    if told.ending:
        yield told.ending
        yield ""
    if result.common_ground:
        yield "Nobody disputes:"
        yield ""
        yield from bullets(escape(sentence(s.statement)) for s in result.common_ground)


def question(result: Result, found: tuple[CruxInThread, ...]) -> Iterator[str]:
    yield escape(decision_question(result.topic))
    yield ""
    if found:
        first = found[0].crux
        yield f"It turns on: **{escape(first.question)}**"
        yield ""
        yield from bullets((f"YES: {escape(sentence(first.yes_means))}", f"NO: {escape(sentence(first.no_means))}"))


def drivers(result: Result, found: tuple[CruxInThread, ...]) -> Iterator[str]:
    """What the decision hangs on, the weightiest first."""
    for asked in found:
        share = explains_words(asked.crux.explained_share, "the disagreement")
        yield (f"{escape(asked.crux.question)} ({asked.id}, {escape(state(asked))}, {share})")
    if not found:
        for t in other_questions(result):
            yield f"{escape(t.question)} (tested, {explains_words(t.explained_share, 'the disagreement')})"


def options(result: Result, names: Names) -> Iterator[str]:
    """For and against the topic, each with who is for it and why."""
    for word, members in (("For", result.camps.yes), ("Against", result.camps.no)):
        yield f"### {word}: {escape(strip_period(result.topic))}"
        yield ""
        yield f"In private at the start: {escape(join_names([names.get(a, a) for a in members]))}."
        yield ""
        reasons = [(a, result.private_positions[a]) for a in members if a in result.private_positions]
        yield from bullets(
            f"{escape(names.get(a, a))} ({chance(p.p_top, p.p_top_after)}): {escape(sentence(p.reason))}"
            for a, p in reasons
        )


def chance(first: float, last: float | None) -> str:
    return f"{percent(first)} for it" if last is None else f"{percent(first)} for it, at the end {percent(last)}"


def decision(result: Result, found: tuple[CruxInThread, ...], names: Names) -> Iterator[str]:
    side = agreed_side(result)
    settled = result.verdict in (Verdict.RESOLVED, Verdict.NO_DISAGREEMENT) and is_over(result)
    if settled and side is not None:
        yield f"Go {'with' if side is Side.YES else 'against'} it: in private everybody is on this side at the end."
    elif found and is_over(result):
        yield "None yet. Decide by the answer to the crux; until it is known, either option is a bet on it:"
        yield ""
        yield from bullets(bets(found[0], names))
    else:
        yield "None yet."
    yield ""


def bets(asked: CruxInThread, names: Names) -> Iterator[str]:
    """Who is on which side of a crux, and how sure."""
    held = asked.crux.positions
    for side in Side:
        who = [
            f"{escape(names.get(a, a))}{f' ({confidence_text(held[a])})' if confidence_text(held[a]) else ''}"
            for a in agents_with_side(asked.crux, names)
            if held[a].side_after is side
        ]
        if who:
            yield f"{SIDES[side]}: {', '.join(who)}"


def consequences(result: Result, found: tuple[CruxInThread, ...], names: Names) -> Iterator[str]:
    """What the verdict means for the decision, and what each answer would do to it, by the private answers."""
    if is_over(result):
        yield MEANINGS[result.verdict]
        yield ""
    for asked in found:
        crux, lean = asked.crux, mean_lean(asked.crux)
        speaks = f"a YES speaks {'for' if lean > 0 else 'against'} it" if abs(lean) >= LEANS else "it hardly matters"
        told = list(crux.counterfactual.values())
        if not told:
            continue
        yes, no = (sum(values) / len(told) for values in ([c.if_yes for c in told], [c.if_no for c in told]))
        flips = crux.would_flip
        yield f"### {asked.id}: {escape(crux.question)}"
        yield ""
        yield from bullets(
            (
                f"If YES, the mean chance of the topic is {percent(yes)}; if NO, {percent(no)}: {speaks}.",
                "Would change sides on the topic with the answer: "
                f"{escape(join_names([names.get(a, a) for a in flips]))}.",
            )
        )
    yield from bullets(
        f"{sentence(BEARS[d.type].format(d.from_, d.to))} {escape(sentence(d.entailment_sketch))}"
        for d in result.dependencies
    )


def falsifier_rows(found: tuple[CruxInThread, ...], names: Names) -> Iterator[tuple[str, ...]]:
    for asked in found:
        for m in agent_falsifiers(asked.crux, names):
            what = f"{escape(strip_period(m.item.metric))}: {escape(strip_period(m.item.threshold))}"
            when = "no date settles it" if m.item.open_ended else escape(m.item.deadline)
            yield escape(names.get(m.agent, m.agent)), SIDES[m.side], what, when, asked.id


def open_questions(result: Result, found: tuple[CruxInThread, ...], names: Names) -> Iterator[str]:
    """What to ask next, without the tests that are listed already."""
    tests = {clean(m.item.metric).rstrip(". ") for asked in found for m in agent_falsifiers(asked.crux, names)}
    for asked in result.recommended_next_questions:
        if not clean(asked.question).startswith(tuple(tests)):
            yield f"{escape(asked.question)} ({escape(asked.why)})"


RENDERERS: Final[Renderers] = {OutcomeKind.RESULT: render_result, OutcomeKind.MINUTES: render_minutes}
