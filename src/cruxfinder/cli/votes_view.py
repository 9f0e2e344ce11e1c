"""A map of votes for people: coalitions, what divides them, common ground, and who voted how."""

import textwrap
from collections.abc import Iterator
from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from cruxfinder.app.vote_maps import questions_in_order
from cruxfinder.cli.palette import ACCENT, FAINT, NEUTRAL, SEATS
from cruxfinder.kernel.vocabulary import Side
from cruxfinder.language.counts import count_phrase, percent
from cruxfinder.tables.votes.vote_map import DividingQuestion, VoteCoalition, VoteMap, VoteTally
from cruxfinder.telling.terminal_text import bar, clean, sentence
from cruxfinder.telling.wording import PRELIMINARY, count_people

WIDTH_MAX: Final = 140
PLAIN_WIDTH: Final = 96
CRUXES_SHOWN: Final = 10
GROUND_SHOWN: Final = 8
SHARED_SHOWN: Final = 3
AGENTS_SHOWN: Final = 40
BAR: Final = 8
TEXT_MIN: Final = 40
EDGE: Final = 19  # columns of a question's line beside its text and its coalitions
NAME_MAX: Final = 20
CELL_MAX: Final = 9
MARKS: Final = {1: "yes", -1: "no", 0: "?"}
MARK_STYLES: Final = {1: "bold", -1: FAINT, 0: FAINT}


def lines(found: VoteMap, width: int) -> Iterator[Text]:
    yield from heading(found, width)
    yield from coalitions(found, width)
    yield from divisive_questions(found, width)
    yield from common_ground(found, width)
    yield from grid(found, width)


def heading(found: VoteMap, width: int) -> Iterator[Text]:
    table = found.table
    filled = sum(found.cast) / max(1, table.votes.size)
    yield Text(fit_cell(clean(table.title or table.source), width).rstrip(), f"bold {ACCENT}")
    people, questions = count_people(len(table.agents)), count_phrase(len(table.questions), "question")
    yield Text(f"{people} · {questions} · {percent(filled)} of the cells hold a vote", FAINT)
    if found.why:
        yield from wrap_text(sentence(found.why), width)
    if found.preliminary and found.coalitions:
        yield from wrap_text(PRELIMINARY, width)


def wrap_text(text: str, width: int) -> Iterator[Text]:
    for line in textwrap.wrap(text, width):
        yield Text(line)


def title(text: str, note: str = "") -> Iterator[Text]:
    yield Text("")
    yield Text.assemble((text, "bold"), (f"  {note}" if note else "", FAINT))


def style(coalition: int | None) -> str:
    return NEUTRAL if coalition is None else SEATS[(coalition - 1) % len(SEATS)]


def fit_cell(text: str, width: int) -> str:
    """Exactly so many columns, with a sign where something is cut."""
    text = clean(text)
    return set_cell_size(text, width) if cell_len(text) <= width else f"{set_cell_size(text, width - 1)}…"


# ---------------------------------------------------------------- coalitions


def coalitions(found: VoteMap, width: int) -> Iterator[Text]:
    yield from title("COALITIONS", stability_note(found))
    if not found.coalitions:
        yield Text("  none", FAINT)
    cruxes = {crux.id: crux for crux in found.cruxes}
    texts = {crux.id: crux.text for crux in (*found.cruxes, *found.common_ground)}
    for coalition in found.coalitions:
        size = count_people(len(coalition.members))
        yield Text.assemble(
            (f"  #{coalition.id}  ", f"bold {style(coalition.id)}"), (clean(coalition.label), "bold"), f"  {size}"
        )
        if len(found.table.agents) <= AGENTS_SHOWN:
            for line in textwrap.wrap(", ".join(clean(m) for m in coalition.members), max(20, width - 6)):
                yield Text(f"      {line}")
        held = sorted(coalition.shared, key=lambda held: -distance_to_next(cruxes.get(held[0]), coalition))[
            :SHARED_SHOWN
        ]
        told = [f"{side.value} {question} {texts.get(question, '')}" for question, side in held]
        for line in told if any(texts.values()) else [" · ".join(told)]:
            yield Text(fit_indented(f"      {line}", width), FAINT)
    alone = [agent for agent, home in found.coalition_by_agent.items() if home is None]
    if alone and found.coalitions:
        told = ", ".join(clean(a) for a in alone) if len(alone) <= AGENTS_SHOWN // 2 else count_people(len(alone))
        yield Text(fit_indented(f"  –   in no coalition: {told}", width), FAINT)


def stability_note(found: VoteMap) -> str:
    """How like these the coalitions are when people are drawn anew."""
    if found.spread is None:
        return ""
    kept, index = percent(found.spread.pairs), f"{found.spread.index:.2f}"
    return f"with other people {kept} of pairs stand as here (adjusted Rand {index})"


def fit_indented(text: str, width: int) -> str:
    """Cut to the width, keeping the spaces in front."""
    lead = len(text) - len(text.lstrip())
    return " " * lead + fit_cell(text[lead:], width - lead).rstrip()


def distance_to_next(crux: DividingQuestion | None, coalition: VoteCoalition) -> float:
    """How far a coalition lies from the next one on a question, as a share of YES; one that divides nobody is None."""
    if crux is None:
        return 0.0
    own = yes_share(crux.coalitions[coalition.id - 1])
    others = [yes_share(t) for n, t in enumerate(crux.coalitions, start=1) if n != coalition.id and t.yes + t.no]
    return min((abs(own - other) for other in others), default=0.0)


# ---------------------------------------------------------------- questions


def divisive_questions(found: VoteMap, width: int) -> Iterator[Text]:
    note = "place here and with other people; share of YES among YES and NO" if found.cruxes else ""
    yield from title("WHAT DIVIDES THEM", note)
    if not found.cruxes:
        yield Text("  nothing: no question got both YES and NO", FAINT)
        return
    bars = BAR if width - EDGE - len(found.coalitions) * (BAR + 7) >= TEXT_MIN else 0  # figures alone leave more room
    shown = found.coalitions[: (width - EDGE - TEXT_MIN // 2) // (bars + 7)]
    room = width - EDGE - len(shown) * (bars + 7)
    heads = "  ".join(f"{f'#{c.id}':<{bars + 5}}" if bars else f"{f'#{c.id}':>5}" for c in shown)
    yield Text(f"{'':<{room + EDGE - 6}}{'all':>4}  {heads}".rstrip(), FAINT)
    for number, crux in enumerate(found.cruxes[:CRUXES_SHOWN], start=1):
        question = fit_cell(f"{crux.id}  {crux.text}", room)
        line = Text.assemble(
            (f"{number:>3} {place_span(crux):>7}  ", FAINT), question, f"{yes_percent(crux.everybody):>4}  "
        )
        for coalition, tally in zip(shown, crux.coalitions, strict=False):
            if bars:
                line.append(f"{bar(yes_share(tally), bars):<{bars}}", style(coalition.id))
            line.append(f" {yes_percent(tally):>4}  ", "" if bars else style(coalition.id))
        line.rstrip()
        yield line
    if len(found.cruxes) > CRUXES_SHOWN:
        yield Text(
            f"     and {count_phrase(len(found.cruxes) - CRUXES_SHOWN, 'question')} more; --json has them all", FAINT
        )


def place_span(crux: DividingQuestion) -> str:
    low, high = crux.rank.low, crux.rank.high
    return f"{low}–{high}" if low < high else str(low)


def yes_percent(tally: VoteTally) -> str:
    return percent(yes_share(tally)) if tally.yes + tally.no else "–"


def yes_share(tally: VoteTally) -> float:
    return tally.yes / max(1, tally.yes + tally.no)


def common_ground(found: VoteMap, width: int) -> Iterator[Text]:
    yield from title("COMMON GROUND", "at least so many of every coalition" if found.common_ground else "")
    if not found.common_ground:
        yield Text("  none: no side is held by three in four of every coalition", FAINT)
    for held in found.common_ground[:GROUND_SHOWN]:
        side = "YES" if held.side is Side.YES else "NO"
        yield Text(fit_indented(f"  {percent(held.share):>4} {side:<3}  {held.id}  {held.text}", width))
    if len(found.common_ground) > GROUND_SHOWN:
        more = count_phrase(len(found.common_ground) - GROUND_SHOWN, "question")
        yield Text(f"             and {more} more", FAINT)


# ---------------------------------------------------------------- who voted how


def grid(found: VoteMap, width: int) -> Iterator[Text]:
    """A row an agent, coalition by coalition, under the questions that divide most. A crowd is too long for it."""
    table = found.table
    if len(table.agents) > AGENTS_SHOWN:
        return
    column = {question: n for n, question in enumerate(table.questions)}
    order = questions_in_order(found)
    names = min(NAME_MAX, max(cell_len(clean(agent)) for agent in table.agents))
    cell = min(CELL_MAX, max(3, *(cell_len(clean(question)) for question in order))) + 1
    shown = order[: max(1, (width - names - 6) // cell)]
    yield from title("WHO VOTED HOW", "the questions that divide most, from the left" if found.cruxes else "")
    yield Text(f"  {'':<{names + 3}}" + "".join(f"{fit_cell(question, cell - 1)} " for question in shown), FAINT)
    homes = found.coalition_by_agent
    rows = sorted(range(len(table.agents)), key=lambda r: (homes[table.agents[r]] or len(table.agents) + 1, r))
    for row in rows:
        agent = table.agents[row]
        home = homes[agent]
        line = Text.assemble((f"  {home or '–'} ", f"bold {style(home)}"), (f"{fit_cell(agent, names)} ", style(home)))
        for question in shown:
            vote = int(table.votes[row, column[question]])
            line.append(f"{MARKS.get(vote, ''):<{cell}}", MARK_STYLES.get(vote, ""))
        line.rstrip()
        yield line
    if len(shown) < len(order):
        yield Text(f"  {count_phrase(len(order) - len(shown), 'question')} more did not fit", FAINT)
