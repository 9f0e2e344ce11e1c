"""The brief: what a run came to in a few strings, which every surface lays out and none words for itself."""

from dataclasses import dataclass

from cruxfinder.crux.result import Result
from cruxfinder.crux.thread_crux import CruxResult
from cruxfinder.language.counts import join_names
from cruxfinder.telling.card import Gauge, gauges_of
from cruxfinder.telling.export_text import clean, clock, sentence
from cruxfinder.telling.figures import Figures, figures_of, said_text
from cruxfinder.telling.outcomes import Outcome, cruxes, headline, is_over, names_of
from cruxfinder.telling.wording import ENDINGS, MEANINGS


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """`verdict` is a word, `headline` a sentence without its full stop; what does not apply is empty."""

    verdict: str
    headline: str
    meaning: str
    why: str
    ending: str
    question: str
    yes_means: str
    no_means: str
    gauges: tuple[Gauge, ...]  # of the question
    length: str
    figures: Figures


def brief_of(outcome: Outcome) -> Brief:
    over, found = is_over(outcome), figures_of(outcome)
    first = next(iter(cruxes(outcome)), None) if isinstance(outcome, Result) else None
    return Brief(
        verdict=outcome.verdict.value if over else "none yet",
        headline=headline(outcome),
        meaning=MEANINGS[outcome.verdict] if over else "",
        why=sentence(outcome.why) if over else "",
        ending=ENDINGS[outcome.ending],
        question="" if first is None else clean(first.crux.question),
        yes_means="" if first is None else sentence(first.crux.yes_means),
        no_means="" if first is None else sentence(first.crux.no_means),
        gauges=() if first is None else crux_gauges(outcome, first.crux),
        length=f"{said_text(outcome)} in {clock(outcome.duration)} of debate time",
        figures=found,
    )


def crux_gauges(outcome: Outcome, crux: CruxResult) -> tuple[Gauge, ...]:
    names = names_of(outcome)
    who = join_names([names.get(agent, agent) for agent in crux.would_flip])
    asked = len(crux.counterfactual)
    return gauges_of(crux.explained_share, crux.gap_closed, crux.dcg, len(crux.would_flip), asked, who)
