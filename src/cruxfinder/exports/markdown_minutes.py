"""A conversation in turns in Markdown: what it came to, who stands where, who dissents, how it kept to the rules."""

from collections.abc import Iterator

from cruxfinder.exports.markdown_brief import opening
from cruxfinder.exports.markdown_text import bullets, escape, part, table
from cruxfinder.language.counts import count_phrase, join_names
from cruxfinder.talk.minutes import Minutes
from cruxfinder.talk.turns import CHAIRS, TurnType
from cruxfinder.telling.brief import brief_of
from cruxfinder.telling.export_text import sentence
from cruxfinder.telling.figures import figure_text, figures_of
from cruxfinder.telling.outcomes import Names, somebody_spoke
from cruxfinder.telling.wording import LED_TO


def minutes(run: str, told: Minutes, names: Names) -> Iterator[str]:
    yield from top(run, told)
    yield from part(2, "What it came to", outcome_lines(told, names))
    yield from part(2, "Who stands where", table(("who", "about", "role", "side", "turns"), stands(told, names)))
    yield from part(2, "What was granted", bullets(concession_lines(told, names)))
    yield from part(2, "Who dissents", bullets(dissent(told, names)))
    yield from part(2, "What to do next", bullets(next_steps(told)))
    yield from part(2, "Questions to the user", bullets(questions(told)))
    yield from part(2, "Where it was led", bullets(pivot_lines(told)))
    yield from part(2, "How it went", process_summary(told))


def top(run: str, told: Minutes) -> Iterator[str]:
    brief = brief_of(told)
    yield from opening(told.topic, brief, reason=False)
    speaking = escape(join_names([a.name for a in told.agents if a.role not in CHAIRS]))
    yield f"Run `{run}`, {told.protocol} of {speaking}, seed {told.seed}: {brief.length}."
    yield ""
    yield from bullets(f"Note: {escape(sentence(w))}" for w in told.warnings)


def outcome_lines(told: Minutes, names: Names) -> Iterator[str]:
    """The ruling, and the last synthesis."""
    known = {turn.id: turn for turn in told.turns}
    ruled = next((t for t in reversed(told.turns) if t.type is TurnType.RULING), None)
    spoken = [*((ruled,) if ruled is not None else ()), *(known[s.turn] for s in told.syntheses[-1:])]
    for turn in spoken:
        yield f"> **{escape(names.get(turn.agent, turn.agent))}**: {escape(turn.content)}"
        yield ""
    accepted = [names.get(a, a) for s in told.syntheses[-1:] for a in s.accepted]
    if accepted:
        yield f"Accepted by {escape(join_names(accepted))}."
        yield ""


def stands(told: Minutes, names: Names) -> Iterator[tuple[str, ...]]:
    for agent in told.agents:
        side = "" if agent.side is None else agent.side.value
        yield escape(names[agent.id]), escape(agent.about), agent.role.value, side, str(agent.turns)


def concession_lines(told: Minutes, names: Names) -> Iterator[str]:
    for agent, what in told.conceded.items():
        yield f"**{escape(names.get(agent, agent))}** grants: {escape(sentence(what))}"


def dissent(told: Minutes, names: Names) -> Iterator[str]:
    for given in told.syntheses[-1:]:
        for row in given.dissent:
            why = escape(sentence(row.why)) if row.why else "gave no reason."
            yield f"**{escape(names.get(row.agent, row.agent))}**: {why}"


def next_steps(told: Minutes) -> Iterator[str]:
    yield from dict.fromkeys(escape(sentence(s.next_step)) for s in reversed(told.syntheses) if s.next_step)


def questions(told: Minutes) -> Iterator[str]:
    for asked in told.questions:
        answer = escape(sentence(asked.answer)) if asked.answer else "nobody answered."
        yield f"{escape(asked.question)} **Answer:** {answer}"


def pivot_lines(told: Minutes) -> Iterator[str]:
    for pivot in told.pivots:
        source = f" ({escape(pivot.source)})" if pivot.source else ""
        yield f"After turn {pivot.after_turn}, to {LED_TO[pivot.to]}: {escape(sentence(pivot.text))}{source}"


def process_summary(told: Minutes) -> Iterator[str]:
    if somebody_spoke(told):
        yield from table(
            ("what must hold", "holds", "figure"),
            ((escape(c.line), "yes" if c.holds else "no", escape(c.figure)) for c in told.checklist),
        )
    else:  # every line would hold of nothing
        yield "No speaker said anything."
        yield ""
    found, metrics = figures_of(told), told.system_metrics
    price = f", ${told.cost:.4f}" if told.cost else ""  # a price that is not known is not told as none
    yield from bullets(
        line
        for number, line in (
            (found.refusals, figure_text(found, "refusals")),
            (
                metrics.turns_flagged,
                f"{count_phrase(metrics.turns_flagged, 'turn')} taken with something still against it",
            ),
            (
                metrics.claims,
                f"{count_phrase(metrics.claims, 'claim')} and {count_phrase(metrics.links, 'link')} between them",
            ),
            (metrics.off_topic, f"{count_phrase(metrics.off_topic, 'turn')} off the topic"),
            (found.calls, f"{figure_text(found, 'calls')} of models{price}"),
        )
        if number
    )
