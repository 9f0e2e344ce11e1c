"""What a conversation came to, as text: the outcome, who dissents, where it was led, the checklist, how to go on."""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cruxfinder.kernel.vocabulary import Ending, Verdict
from cruxfinder.language.counts import count_phrase, join_names
from cruxfinder.protocols.any_run import Finished
from cruxfinder.talk.minutes import Minutes
from cruxfinder.talk.turns import CHAIRS
from cruxfinder.telling.figures import figure_text, figures_of
from cruxfinder.telling.outcomes import headline, somebody_spoke
from cruxfinder.telling.terminal_text import clean, clock, sentence
from cruxfinder.telling.wording import EARLY, ENDINGS, LED_TO

HELD, MISSED = "[x]", "[ ]"
HANGING: Final = 30  # columns a text needs beside its lead


@dataclass(frozen=True, slots=True)
class MinutesRow:
    """A text of the card, behind its lead; `strong` ones are headings, and `typed` ones are commands."""

    text: str
    lead: str = ""
    strong: bool = False
    typed: bool = False


def card(finished: Finished, suffix: str, width: int) -> Iterator[MinutesRow]:
    """Line by line, none longer than so many columns but for names, the topic and commands."""
    told = finished.minutes
    yield MinutesRow(f"{told.verdict.value.upper()}: {headline(told)}", strong=True)
    yield MinutesRow(f"Topic: {clean(told.topic)} ({told.protocol}, run {finished.run}, seed {told.seed})")
    if told.verdict in {Verdict.NO_CONSENSUS, Verdict.CONSENSUS, Verdict.UNDECIDED}:
        yield from lines(MinutesRow(sentence(told.why)), width)
    for title, body in (
        ("What it came to", outcome_rows(told)),
        ("What was granted", concession_rows(told)),
        ("Who still dissents", dissent(told)),
        ("Where it was led", pivot_rows(told)),
        ("Questions to you", questions(told)),
        ("Editor's checklist", checklist(told, width)),
    ):
        yield from section(title, body, width)
    yield MinutesRow("")
    yield from lines(MinutesRow(facts(told)), width)
    yield MinutesRow("Go on with:")
    for step in steps(finished, suffix):
        yield MinutesRow(f"  {step}", typed=True)


def section(title: str, body: Iterator[MinutesRow], width: int) -> Iterator[MinutesRow]:
    """A title and its lines; nothing at all where there are none."""
    for number, row in enumerate(body):
        if number == 0:
            yield MinutesRow("")
            yield MinutesRow(title, strong=True)
        yield from lines(row, width)


def lines(row: MinutesRow, width: int) -> Iterator[MinutesRow]:
    yield from map(MinutesRow, wrap_text(row.text, row.lead, width))


def wrap_text(text: str, lead: str, width: int) -> list[str]:
    """Lines below a lead are indented as it is; below one that leaves hardly any room, as the section is."""
    indent = " " * (len(lead) if width - len(lead) >= HANGING else len(lead) - len(lead.lstrip()) + 2)
    return textwrap.wrap(text, width, initial_indent=lead, subsequent_indent=indent, break_long_words=False)


def outcome_rows(told: Minutes) -> Iterator[MinutesRow]:
    names = {a.id: clean(a.name) for a in told.agents}
    ruled = next((t for t in reversed(told.turns) if t.type == "ruling"), None)
    if ruled is not None:
        yield MinutesRow(clean(ruled.content), f"  {names[ruled.agent]}: ")
    for given in told.syntheses[-1:] if ruled is None else ():
        by = next(t.agent for t in told.turns if t.id == given.turn)
        yield MinutesRow(clean(given.text), f"  {names[by]}: ")
        if given.next_step.strip():
            yield MinutesRow(sentence(given.next_step), "  Next step: ")


def concession_rows(told: Minutes) -> Iterator[MinutesRow]:
    names = {a.id: clean(a.name) for a in told.agents}
    for agent, what in told.conceded.items():
        yield MinutesRow(sentence(what), f"  {names[agent]} grants: ")


def dissent(told: Minutes) -> Iterator[MinutesRow]:
    for given in told.syntheses[-1:]:
        for row in given.dissent:
            yield MinutesRow(sentence(row.why) if row.why else "gave no reason", f"  {clean(row.name)}: ")


def pivot_rows(told: Minutes) -> Iterator[MinutesRow]:
    for pivot in told.pivots:
        source = f" ({clean(pivot.source)})" if pivot.source else ""
        text = f"to {LED_TO[pivot.to]}, {clean(pivot.text)}{source} [{pivot.cause}]"
        yield MinutesRow(text, f"  after turn {pivot.after_turn:>2}  ")


def questions(told: Minutes) -> Iterator[MinutesRow]:
    for asked in told.questions:
        none = "it is waited for" if asked.open else "nobody answered"
        yield MinutesRow(clean(asked.question), "  ")
        yield MinutesRow(clean(asked.answer) or none, "    answer: ")


def checklist(told: Minutes, width: int) -> Iterator[MinutesRow]:
    """The figures in a column where there is room for one; nothing where every line would hold of nothing."""
    if not somebody_spoke(told):
        return
    widest = max(len(check.line) for check in told.checklist)
    fits = len(f"  {HELD} ") + widest + 2 + max(len(check.figure) for check in told.checklist) <= width
    for check in told.checklist:
        text = f"{check.line.ljust(widest)}  {check.figure}" if fits else f"{check.line}: {check.figure}"
        yield MinutesRow(text, f"  {HELD if check.holds else MISSED} ")


def facts(told: Minutes) -> str:
    metrics = told.system_metrics
    reasons = ", ".join(f"{count}×{rule}" for rule, count in metrics.reasons_refused.items())
    price = f", ${told.cost:.4f}" if told.cost else ""  # a price that is not known is not told as none
    parts = [
        f"{turn_summary(told)}, {clock(told.duration)} of debate time",
        f"{figure_text(figures_of(told), 'refusals')}{f' (reasons: {reasons})' if reasons else ''}",
        f"{metrics.turns_flagged} taken with a flag" if metrics.turns_flagged else "",
        f"{count_phrase(metrics.claims, 'claim')} and {count_phrase(metrics.links, 'link')} between them",
        f"{count_phrase(metrics.calls, 'call')}{price}" if metrics.calls else "",
    ]
    counts = sentence("; ".join(part for part in parts if part))
    return f"{counts} {ENDINGS[told.ending]}".rstrip() if told.ending in EARLY else counts


def turn_summary(told: Minutes) -> str:
    """Who took how many turns; those who lead apart."""
    heard = [agent for agent in told.agents if agent.turns]
    chairs = [agent for agent in heard if agent.role in CHAIRS]
    led = sum(agent.turns for agent in chairs)
    of_chairs = f"{led} of the chair{'s' if len(chairs) > 1 else ''}"
    if not somebody_spoke(told):
        return f"no turn of a speaker, {of_chairs}" if led else "nothing was said"
    names = join_names([clean(agent.name) for agent in heard if agent not in chairs])
    everything = figure_text(figures_of(told), "turns")
    return f"{everything}: {told.total_turns - led} of {names}, {of_chairs}" if led else f"{everything} of {names}"


def steps(finished: Finished, suffix: str) -> Iterator[str]:
    if any(question.open for question in finished.minutes.questions):
        yield f'crux answer {finished.run} "…"{suffix}'
    if finished.minutes.ending is Ending.UNFINISHED:
        yield f"crux resume {finished.run}{suffix}"
        return
    yield f"crux show {finished.run} --messages{suffix}"
    yield f"crux replay {finished.run}{suffix}"
