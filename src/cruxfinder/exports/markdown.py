"""A run as a Markdown document: the verdict and the crux first, then the grounds for it, then everything said."""

from collections.abc import Iterator
from typing import Final

from cruxfinder.crux.result import CoalitionResult, Result, StageSpan, ThreadResult
from cruxfinder.exports.exported_run import Renderers, RunWithMinutes, RunWithResult
from cruxfinder.exports.markdown_brief import opening
from cruxfinder.exports.markdown_crux import section
from cruxfinder.exports.markdown_minutes import minutes
from cruxfinder.exports.markdown_said import threads_appendix, turns_appendix
from cruxfinder.exports.markdown_text import bullets, document, escape, part, table
from cruxfinder.kernel.protocol import OutcomeKind
from cruxfinder.language.counts import count_phrase, join_names, percent
from cruxfinder.telling.brief import brief_of
from cruxfinder.telling.export_text import clock, sentence
from cruxfinder.telling.figures import figure_text, figures_of
from cruxfinder.telling.outcomes import (
    Names,
    cruxes,
    is_over,
    names_of,
    other_questions,
    side_text,
    stands_on,
    thread_ending,
)
from cruxfinder.telling.wording import BEARS, LABELS, describe_move


def render_result(run: RunWithResult) -> str:
    names = names_of(run.outcome)
    return document((*debate(run.id, run.outcome, names), *threads_appendix(run.events, run.outcome, names)))


def render_minutes(run: RunWithMinutes) -> str:
    names = names_of(run.outcome)
    return document((*minutes(run.id, run.outcome, names), *turns_appendix(run.outcome, names)))


def debate(run: str, result: Result, names: Names) -> Iterator[str]:
    found = cruxes(result)
    yield from top(run, result)
    yield from part(
        2,
        "Who stands where",
        table(("who", "about", "on the topic", *(f"on {a.id}" for a in found)), stands(result, names)),
    )
    for asked in found:
        yield from section(asked, names)
    yield from part(2, "How the cruxes hang together", bullets(links(result, names)))
    yield from part(2, "Common ground", bullets(escape(sentence(s.statement)) for s in result.common_ground))
    yield from part(2, "Coalitions", bullets(coalition(c, names) for c in result.coalitions))
    yield from part(2, "Who changed sides", bullets(changes(result, names)))
    head = ("question", "rank", "explained", "would flip", "who stands where")
    yield from part(2, "Also tested", table(head, tested_rows(result, names)))
    yield from part(2, "What to ask next", bullets(next_questions(result)))
    yield from part(2, "How it went", process_summary(result, names))


def top(run: str, result: Result) -> Iterator[str]:
    """What a hurried reader takes away."""
    told = brief_of(result)
    yield from opening(result.topic, told)
    sure = "" if result.confidence == "HIGH" or not is_over(result) else " Confidence in this verdict is low."
    yield f"Run `{run}`, seed {result.seed}: {told.length}.{sure}"
    yield ""
    yield from bullets(f"Note: {escape(sentence(w))}" for w in result.warnings)


def stands(result: Result, names: Names) -> Iterator[tuple[str, ...]]:
    """The private chance of the topic, first and last, and the side of every crux."""
    for agent in result.agents:
        private = result.private_positions.get(agent.id)
        chance = "" if private is None else percent(private.p_top)
        if private is not None and private.p_top_after is not None:
            chance += f" → {percent(private.p_top_after)}"
        public = "" if agent.public_side is None else f"{agent.public_side.value} in public"
        sides = [
            "" if (held := asked.crux.positions.get(agent.id)) is None else side_text(held) for asked in cruxes(result)
        ]
        topic = ", ".join(word for word in (public, f"{chance} in private" if chance else "") if word)
        yield escape(names[agent.id]), escape(agent.about), topic, *sides


def links(result: Result, names: Names) -> Iterator[str]:
    for root, below in result.implications.items():
        if below:
            yield f"Behind {join_names(below)} lies {root}."
    for d in result.dependencies:
        who = escape(join_names([names.get(d.by, d.by), names.get(d.second_opinion, d.second_opinion)]))
        text = sentence(BEARS[d.type].format(d.from_, d.to))[:-1]
        yield f"{text} ({percent(d.confidence)} sure; {who} agree): {escape(sentence(d.entailment_sketch))}"
    for pair in result.duplicates:
        yield f"{pair.kept} and {pair.copy} ask the same."
    for c in result.contradictions:
        who = escape(names.get(c.agent, c.agent))
        yield f"{who} holds on {c.first} and {c.second} what does not go together: {escape(sentence(c.why))}"
    if len(result.irreducible_cruxes) > 1:
        apart = join_names(result.irreducible_cruxes)
        yield f"Nothing was found behind {apart}: each is settled by itself."


def coalition(held: CoalitionResult, names: Names) -> str:
    label = f"**{escape(held.label)}**: " if held.label else ""
    sides = ", ".join(f"{side} on {crux}" for crux, side in held.positions.items())
    text = f"{label}{escape(join_names([names.get(a, a) for a in held.members]))}{f' ({sides})' if sides else ''}."
    if held.shared_beliefs:
        text += f" They also hold: {'; '.join(escape(b) for b in held.shared_beliefs)}."
    return f"{text} Preliminary." if held.preliminary else text


def changes(result: Result, names: Names) -> Iterator[str]:
    for thread in result.threads:
        for c in thread.changes:
            on = "the topic" if c.on == "topic" else f"the crux of {thread.id}"
            moved = f"{describe_move(c.before, c.after)} on {on} ({LABELS[c.label]})"
            yield f"**{escape(names.get(c.agent, c.agent))}**: {moved}"


def tested_rows(result: Result, names: Names) -> Iterator[tuple[str, ...]]:
    for found in other_questions(result):
        kind = " (one of several)" if found.joint else " (partial)" if found.partial else ""
        flips, stands = str(len(found.would_flip)), escape(stands_on(found, names))
        yield f"{escape(found.question)}{kind}", f"{found.rank:.2f}", percent(found.explained_share), flips, stands


def next_questions(result: Result) -> Iterator[str]:
    for asked in result.recommended_next_questions:
        about = f", on {asked.crux}" if asked.crux is not None else ""
        yield f"{escape(asked.question)} ({escape(asked.why)}{about})"


def process_summary(result: Result, names: Names) -> Iterator[str]:
    head = ("thread", "about", "came to", "messages", "discovery", "lock", "evidence", "gap in private")
    yield from table(head, (thread_row(t) for t in result.threads))
    found, metrics = figures_of(result), result.system_metrics
    yield from bullets(
        line
        for number, line in (
            (found.refusals, figure_text(found, "refusals")),
            (
                found.lock_tries,
                f"{figure_text(found, 'lock_tries')} a question, {found.locks} of them held",
            ),
            (
                found.steelmans,
                f"{figure_text(found, 'steelmans')}, "
                f"{percent(metrics.steelman_accuracy_rate)} of them accurate at the first try",
            ),
            (found.concessions, figure_text(found, "concessions")),
            (
                found.interventions,
                f"the moderator spoke {count_phrase(found.interventions, 'time')}",
            ),
            (
                found.calls,
                f"{figure_text(found, 'calls')} of models, {found.tokens:,} tokens, ${result.cost:.4f}",
            ),
        )
        if number
    )


def thread_row(thread: ThreadResult) -> tuple[str, ...]:
    gaps = (thread.gap_before, thread.gap_after)
    gap = " → ".join(f"{g:.2f}" for g in gaps if g is not None)
    origin = thread.id if thread.parent is None else f"{thread.id}, from {thread.parent}"
    stages, said = thread.stages, str(thread.messages)
    tries = stages.crux_lock.lock_attempts
    lock = span(stages.crux_lock) + (f", {count_phrase(tries, 'try', 'tries')}" if tries else "")
    spans = span(stages.discovery), lock, span(stages.evidence)
    return origin, escape(thread.topic), thread_ending(thread), said, *spans, gap


def span(told: StageSpan) -> str:
    return clock(told.duration) if told.messages or told.duration else "–"


RENDERERS: Final[Renderers] = {OutcomeKind.RESULT: render_result, OutcomeKind.MINUTES: render_minutes}
