"""What a conversation came to, as text: the outcome, who dissents, where it was led, the checklist, how to go on."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cruxfinder.app import Finished
from cruxfinder.cli import plain
from cruxfinder.cli.card import ENDINGS
from cruxfinder.cli.text import clean, clock, counted, listed, sentence
from cruxfinder.exports.reading import HEADLINES, RULINGS
from cruxfinder.insight.minutes import Minutes
from cruxfinder.model.turns import CHAIRS, PivotKind
from cruxfinder.model.words import Ending, Verdict

LED_TO: Final = {
    PivotKind.DILEMMA: "a dilemma",
    PivotKind.ANCHOR: "a passage",
    PivotKind.TENSION: "another tension",
    PivotKind.SPEAKER: "somebody new",
    PivotKind.REASON: "the Voice of Reason",
}
HELD, MISSED = "[x]", "[ ]"


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the card; `strong` ones are headings."""

    text: str
    strong: bool = False


def card(finished: Finished, suffix: str) -> Iterator[Row]:
    told = finished.minutes
    yield Row(f"{told.verdict.value.upper()}: {headline(told)}", strong=True)
    yield Row(f"Topic: {clean(told.topic)} ({told.protocol}, run {finished.run}, seed {told.seed})")
    if told.verdict in {Verdict.NO_CONSENSUS, Verdict.CONSENSUS, Verdict.UNDECIDED}:
        yield from wrapped(sentence(told.why))
    yield from section("What it came to", came_to(told))
    yield from section("What was given up", given_up(told))
    yield from section("Who still dissents", dissent(told))
    yield from section("Where it was led", led(told))
    yield from section("Questions to you", questions(told))
    yield from section("Editor's checklist", checklist(told))
    yield Row("")
    yield from wrapped(facts(told))
    yield Row("Go on with:")
    for step in steps(finished, suffix):
        yield Row(f"  {step}")


def headline(told: Minutes) -> str:
    if told.ruling is not None:
        return RULINGS[told.ruling]
    return "It is not over" if told.ending is Ending.UNFINISHED else HEADLINES[told.verdict]


def section(title: str, body: Iterator[Row]) -> Iterator[Row]:
    """A title and its lines; nothing at all where there are none."""
    for number, row in enumerate(body):
        if number == 0:
            yield Row("")
            yield Row(title, strong=True)
        yield row


def wrapped(text: str, lead: str = "") -> Iterator[Row]:
    yield from map(Row, plain.wrapped(text, lead))


def came_to(told: Minutes) -> Iterator[Row]:
    names = {a.id: clean(a.name) for a in told.agents}
    ruled = next((t for t in reversed(told.turns) if t.type == "ruling"), None)
    if ruled is not None:
        yield from wrapped(clean(ruled.content), f"  {names[ruled.agent]}: ")
    for given in told.syntheses[-1:] if ruled is None else ():
        by = next(t.agent for t in told.turns if t.id == given.turn)
        yield from wrapped(clean(given.text), f"  {names[by]}: ")
        yield from wrapped(sentence(given.next_step), "  Next step: ")


def given_up(told: Minutes) -> Iterator[Row]:
    names = {a.id: clean(a.name) for a in told.agents}
    for agent, what in told.conceded.items():
        yield from wrapped(sentence(what), f"  {names[agent]} grants: ")


def dissent(told: Minutes) -> Iterator[Row]:
    for given in told.syntheses[-1:]:
        for row in given.dissent:
            yield from wrapped(sentence(row.why) if row.why else "gave no reason", f"  {clean(row.name)}: ")


def led(told: Minutes) -> Iterator[Row]:
    for pivot in told.pivots:
        source = f" ({clean(pivot.source)})" if pivot.source else ""
        text = f"to {LED_TO[pivot.to]}, {clean(pivot.text)}{source} [{pivot.cause}]"
        yield from wrapped(text, f"  after turn {pivot.after_turn:>2}  ")


def questions(told: Minutes) -> Iterator[Row]:
    for asked in told.questions:
        none = "it is waited for" if asked.open else "nobody answered"
        yield from wrapped(clean(asked.question), "  ")
        yield from wrapped(clean(asked.answer) or none, "    answer: ")


def checklist(told: Minutes) -> Iterator[Row]:
    widest = max(len(check.line) for check in told.checklist)
    for check in told.checklist:
        yield Row(f"  {HELD if check.holds else MISSED} {check.line.ljust(widest)}  {check.figure}")


def facts(told: Minutes) -> str:
    metrics = told.system_metrics
    speaking = [clean(a.name) for a in told.agents if a.part not in CHAIRS]
    reasons = ", ".join(f"{rule} {count}" for rule, count in metrics.reasons_refused.items())
    parts = [
        f"{counted(told.total_turns, 'turn')} of {listed(speaking)}, {clock(told.duration)} of debate time",
        f"{counted(metrics.turns_refused, 'draft')} sent back{f' ({reasons})' if reasons else ''}",
        f"{metrics.turns_flagged} taken with a flag" if metrics.turns_flagged else "",
        f"{counted(metrics.claims, 'claim')} and {counted(metrics.links, 'link')} between them",
        f"{counted(metrics.calls, 'call')}, ${told.cost:.4f}" if metrics.calls else "",
        ENDINGS[told.ending],
    ]
    return sentence("; ".join(part for part in parts if part))


def steps(finished: Finished, suffix: str) -> Iterator[str]:
    if any(question.open for question in finished.minutes.questions):
        yield f'crux answer {finished.run} "…"{suffix}'
    if finished.minutes.ending is Ending.UNFINISHED:
        yield f"crux resume {finished.run}{suffix}"
        return
    yield f"crux show {finished.run} --messages{suffix}"
    yield f"crux replay {finished.run}{suffix}"
