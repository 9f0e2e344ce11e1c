"""What is said of a table of credences: the verdict, every proposition with its figures, and what to beware of."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cruxfinder.cli.plain_card import bullets, figures, section, stands, wrap_text
from cruxfinder.crux.law.crux_quality import SHARE_MIN
from cruxfinder.crux.law.probes import GAP_MIN
from cruxfinder.language.counts import (
    ALL_AND_MORE,
    count_phrase,
    decimals_beside,
    is_all_and_more,
    join_names,
    percent,
    percent_beside,
)
from cruxfinder.tables.credences.credence_map import CredenceMap, TopSpread, WeighedProposition
from cruxfinder.telling.card import Gauge, StandRow, gauges_of
from cruxfinder.telling.terminal_text import clean, cut, sentence
from cruxfinder.telling.wording import HEADLINES, count_people

PEOPLE_MAX: Final = 12  # more are shown as camps
NAMES_MAX: Final = 6
NAME_MAX: Final = 24
FLAGS_MAX: Final = 5
SHOWN_APART: Final = 0.005  # nearer chances look the same as whole percents
HEAD: Final = ("rank", "share", "closed", "DCG", "flips", "YES", "NO")


@dataclass(frozen=True, slots=True, kw_only=True)
class PropositionRow:
    """A proposition: its figures under HEAD, of which the last two are the camps' mean credences."""

    question: str
    figures: tuple[str, ...]
    mark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CredenceCard:
    verdict: str
    headline: str
    topic: str
    why: str
    question: str
    yes_means: str
    no_means: str
    agents: tuple[str, ...]
    stands: tuple[StandRow, ...]
    camps: tuple[str, ...]
    spreads: tuple[str, ...]  # of a crowd; else they stand with each person
    gauges: tuple[Gauge, ...]
    lines: tuple[PropositionRow, ...]
    share_note: str  # what a share above all means, where there is one
    untested: tuple[str, ...]
    shared: tuple[str, ...]
    contradictions: tuple[str, ...]
    notes: tuple[str, ...]
    facts: str


def card_of(found: CredenceMap) -> CredenceCard:
    best = next((w for w in found.tested if w.chosen), None)
    few = len(found.agents) <= PEOPLE_MAX
    return CredenceCard(
        verdict=found.verdict.value,
        headline=HEADLINES[found.verdict],
        topic=clean(found.topic),
        why=sentence(found.why),
        question="" if best is None else clean(best.question),
        yes_means="" if best is None else clean(best.yes_means),
        no_means="" if best is None else clean(best.no_means),
        agents=tuple(person.id for person in found.agents),
        stands=people(found) if few else (),
        camps=() if few else tuple(camps(found)),
        spreads=() if few else tuple(spreads(found)),
        gauges=() if best is None else gauges(best),
        lines=tuple(proposition_row(weighed) for weighed in found.tested),
        share_note=share_note(found),
        untested=tuple(unjudged_lines(found)),
        shared=tuple(sentence(s.statement) for s in found.common_ground),
        contradictions=tuple(contradictions(found)),
        notes=tuple(sentence(note) for note in found.notes),
        facts=facts(found),
    )


def people(found: CredenceMap) -> tuple[StandRow, ...]:
    told_apart = {person.id: spread_words(person.p_top_spread) for person in found.agents}
    told = [
        StandRow(
            agent=id,
            name=cut(clean(id), NAME_MAX),
            lean=2 * held.p_top - 1,
            figure=percent(held.p_top),
            note=told_apart[id],
        )
        for id, held in found.private_positions.items()
    ]
    return tuple(sorted(told, key=lambda stand: -stand.lean))


def camps(found: CredenceMap) -> Iterator[str]:
    for name, members in (("YES", found.camps.yes), ("NO", found.camps.no)):
        if members:
            mean = sum(found.private_positions[m].p_top for m in members) / len(members)
            yield f"{name}: {count_people(len(members))}, on average {percent(mean)}"
    neither = [p.id for p in found.agents if p.camp == "neither"]
    if neither:
        yield f"at 50%, in neither camp: {shorten_names(tuple(neither))}"


def spread_words(spread: TopSpread | None) -> str:
    """From where to where one person's P(topic) goes; nothing where that cannot be seen in whole percents."""
    if spread is None or spread.high - spread.low < SHOWN_APART:
        return ""
    return f"mean of {spread.times}, {percent(spread.low)} to {percent(spread.high)}"


def spreads(found: CredenceMap) -> Iterator[str]:
    """Who told P(topic) several times and not alike, the widest first."""
    told = [(person.id, person.p_top_spread) for person in found.agents if person.p_top_spread is not None]
    wide = sorted(((spread.high - spread.low, id, spread) for id, spread in told), key=lambda row: (-row[0], row[1]))
    shown = [(id, words) for _, id, spread in wide[:FLAGS_MAX] if (words := spread_words(spread))]
    for id, words in shown:
        yield f"{clean(id)}: {percent(found.private_positions[id].p_top)} ({words})"
    if shown and len(told) > len(shown):
        yield f"and {count_people(len(told) - len(shown))} whose answers lie nearer to each other"


def share_note(found: CredenceMap) -> str:
    above = any(is_all_and_more(weighed.explained_share) for weighed in found.tested)
    return f"a share above 100%: {ALL_AND_MORE.format('it')}" if above else ""


def gauges(best: WeighedProposition) -> tuple[Gauge, ...]:
    flips, who = len(best.would_flip), shorten_names(best.would_flip)
    return gauges_of(best.explained_share, best.gap_closed, best.dcg, flips, best.answered, who)


def shorten_names(names: tuple[str, ...]) -> str:
    shown = [clean(name) for name in names[:NAMES_MAX]]
    return join_names([*shown, f"{len(names) - NAMES_MAX} more"] if len(names) > NAMES_MAX else shown)


def proposition_row(found: WeighedProposition) -> PropositionRow:
    camps = ("-" if camp is None else percent(camp.credence) for camp in (found.yes_camp, found.no_camp))
    return PropositionRow(
        question=clean(found.question),
        figures=(
            two_decimals(found.rank),
            percent_beside(found.explained_share, SHARE_MIN),
            percent(found.gap_closed),
            two_decimals(found.dcg.score),
            f"{len(found.would_flip)}/{found.answered}",
            *camps,
        ),
        mark="chosen" if found.chosen else "partial" if found.partial else "",
    )


def two_decimals(figure: float) -> str:
    """Two decimals, and no zero below zero."""
    shown = f"{figure:.2f}"
    return "0.00" if shown == "-0.00" else shown


def unjudged_lines(found: CredenceMap) -> Iterator[str]:
    """What was not weighed, by the reason: many propositions often share one."""
    reasons: dict[str, list[str]] = {}
    for asked in found.untested:
        reasons.setdefault(asked.why, []).append(clean(asked.question))
    for why, questions in reasons.items():
        yield f"{questions[0]} ({why})" if len(questions) == 1 else f"{why}: {'; '.join(questions)}"


def contradictions(found: CredenceMap) -> Iterator[str]:
    for flag in found.incoherent[:FLAGS_MAX]:
        said = f"gives the topic {percent(flag.p_top)}, and the three answers make it {percent(flag.implied)}"
        yield f"{clean(flag.agent)} {said}: {clean(flag.question)}"
    if len(found.incoherent) > FLAGS_MAX:
        yield f"and {len(found.incoherent) - FLAGS_MAX} more answers"


def facts(found: CredenceMap) -> str:
    asked = count_phrase(len(found.tested) + len(found.untested), "proposition")
    gap = decimals_beside(found.gap, GAP_MIN)
    noise = "unknown" if found.noise is None else f"{found.noise:.2f}"
    told = (count_people(len(found.agents)), asked, f"gap {gap}", f"noise {noise}")
    return " · ".join((*told, f"{found.confidence.lower()} confidence"))


def plain(card: CredenceCard) -> str:
    return "\n".join(text.rstrip() for text in plain_lines(card))


def plain_lines(card: CredenceCard) -> Iterator[str]:
    yield f"{card.verdict.upper()}: {card.headline}"
    if card.topic:
        yield f"Topic: {card.topic}"
    yield from wrap_text(card.why)
    if card.question:
        yield ""
        yield from wrap_text(card.question)
        yield from wrap_text(card.yes_means, "  YES  ") if card.yes_means else ()
        yield from wrap_text(card.no_means, "  NO   ") if card.no_means else ()
    yield from section("Who stands where on the topic", stands(card.stands))
    yield from section("The camps on the topic", bullets(card.camps))
    yield from section("Who told the topic's chance more than once", bullets(card.spreads))
    yield from section("How much turns on it", figures(card.gauges))
    yield from section("Propositions, best first (YES, NO: the camps' mean credence)", table(card.lines))
    yield from wrap_text(card.share_note, "  * ") if card.share_note else ()
    yield from section("Not judged", bullets(card.untested))
    yield from section("What all hold", bullets(card.shared))
    yield from section("Answers that contradict each other", bullets(card.contradictions))
    yield from section("Keep in mind", bullets(card.notes))
    yield ""
    yield card.facts


def table(lines: tuple[PropositionRow, ...]) -> Iterator[str]:
    if not lines:
        return
    widths = [max(len(name), *(len(row.figures[n]) for row in lines)) for n, name in enumerate(HEAD)]
    yield "  " + "  ".join(name.rjust(width) for name, width in zip(HEAD, widths, strict=True))
    for row in lines:
        lead = "  " + "  ".join(cell.rjust(width) for cell, width in zip(row.figures, widths, strict=True)) + "  "
        mark = f"[{row.mark}] " if row.mark else ""
        yield from wrap_text(f"{mark}{row.question}", lead)
