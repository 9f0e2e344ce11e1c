"""A conversation in turns in Markdown: what it came to, who stands where, who dissents, how it kept to the rules."""

from collections.abc import Iterator
from typing import Final

from cruxfinder.exports.markdown_text import bullets, part, said, table
from cruxfinder.language.counts import counted, listed
from cruxfinder.talk.minutes import Minutes
from cruxfinder.talk.turns import CHAIRS, PivotKind, TurnType
from cruxfinder.telling.outcomes import ENDINGS, MEANINGS, Names, headline, over, somebody_spoke
from cruxfinder.telling.safe_text import clock, sentence

LED_TO: Final = {
    PivotKind.DILEMMA: "a dilemma",
    PivotKind.ANCHOR: "a passage",
    PivotKind.TENSION: "another tension",
    PivotKind.SPEAKER: "somebody new",
    PivotKind.REASON: "the voice of reason",
}


def minutes(run: str, told: Minutes, names: Names) -> Iterator[str]:
    yield from top(run, told)
    yield from part(2, "What it came to", came_to(told, names))
    yield from part(2, "Who stands where", table(("who", "role", "part", "side", "turns"), stands(told, names)))
    yield from part(2, "What was granted", bullets(granted(told, names)))
    yield from part(2, "Who dissents", bullets(dissent(told, names)))
    yield from part(2, "What to do next", bullets(next_steps(told)))
    yield from part(2, "Questions to the user", bullets(questions(told)))
    yield from part(2, "Where it was led", bullets(led(told)))
    yield from part(2, "How it went", went(told))


def top(run: str, told: Minutes) -> Iterator[str]:
    yield f"# {said(told.topic)}"
    yield ""
    verdict = told.verdict.value if over(told) else "none yet"
    yield f"**Verdict: {verdict}.** {headline(told)}."
    yield ""
    if over(told):
        yield MEANINGS[told.verdict]
        yield ""
    if ENDINGS[told.ending]:
        yield f"**{ENDINGS[told.ending]}**"
        yield ""
    speaking = said(listed([a.name for a in told.agents if a.part not in CHAIRS]))
    length = f"{counted(told.total_turns, 'turn')} in {clock(told.duration)} of debate time"
    yield f"Run `{run}`, {told.protocol} of {speaking}, seed {told.seed}: {length}."
    yield ""
    yield from bullets(f"Note: {said(sentence(w))}" for w in told.warnings)


def came_to(told: Minutes, names: Names) -> Iterator[str]:
    """The ruling, and the last synthesis."""
    known = {turn.id: turn for turn in told.turns}
    ruled = next((t for t in reversed(told.turns) if t.type is TurnType.RULING), None)
    spoken = [*((ruled,) if ruled is not None else ()), *(known[s.turn] for s in told.syntheses[-1:])]
    for turn in spoken:
        yield f"> **{said(names.get(turn.agent, turn.agent))}**: {said(turn.content)}"
        yield ""
    accepted = [names.get(a, a) for s in told.syntheses[-1:] for a in s.accepted]
    if accepted:
        yield f"Accepted by {said(listed(accepted))}."
        yield ""


def stands(told: Minutes, names: Names) -> Iterator[tuple[str, ...]]:
    for agent in told.agents:
        side = "" if agent.side is None else agent.side.value
        yield said(names[agent.id]), said(agent.role), agent.part.value, side, str(agent.turns)


def granted(told: Minutes, names: Names) -> Iterator[str]:
    for agent, what in told.conceded.items():
        yield f"**{said(names.get(agent, agent))}** grants: {said(sentence(what))}"


def dissent(told: Minutes, names: Names) -> Iterator[str]:
    for given in told.syntheses[-1:]:
        for row in given.dissent:
            why = said(sentence(row.why)) if row.why else "gave no reason."
            yield f"**{said(names.get(row.agent, row.agent))}**: {why}"


def next_steps(told: Minutes) -> Iterator[str]:
    yield from dict.fromkeys(said(sentence(s.next_step)) for s in reversed(told.syntheses) if s.next_step)


def questions(told: Minutes) -> Iterator[str]:
    for asked in told.questions:
        answer = said(sentence(asked.answer)) if asked.answer else "nobody answered."
        yield f"{said(asked.question)} **Answer:** {answer}"


def led(told: Minutes) -> Iterator[str]:
    for pivot in told.pivots:
        source = f" ({said(pivot.source)})" if pivot.source else ""
        yield f"After turn {pivot.after_turn}, to {LED_TO[pivot.to]}: {said(sentence(pivot.text))}{source}"


def went(told: Minutes) -> Iterator[str]:
    if somebody_spoke(told):
        yield from table(
            ("what must hold", "holds", "figure"),
            ((said(c.line), "yes" if c.holds else "no", said(c.figure)) for c in told.checklist),
        )
    else:  # every line would hold of nothing
        yield "No speaker said anything."
        yield ""
    metrics = told.system_metrics
    price = f", ${told.cost:.4f}" if told.cost else ""  # a price that is not known is not told as none
    yield from bullets(
        line
        for number, line in (
            (metrics.turns_refused, f"{counted(metrics.turns_refused, 'draft')} sent back by a rule"),
            (metrics.turns_flagged, f"{counted(metrics.turns_flagged, 'turn')} taken with something still against it"),
            (metrics.claims, f"{counted(metrics.claims, 'claim')} and {counted(metrics.links, 'link')} between them"),
            (metrics.off_topic, f"{counted(metrics.off_topic, 'turn')} off the topic"),
            (metrics.calls, f"{counted(metrics.calls, 'call')} of models{price}"),
        )
        if number
    )
