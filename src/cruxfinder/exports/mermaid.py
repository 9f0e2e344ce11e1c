"""A run as a Mermaid flowchart: the map of its cruxes with who stands where, or who answered whom in a conversation."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Final

from cruxfinder.crux.result import Result
from cruxfinder.exports.exported_run import Renderers, RunWithMinutes, RunWithResult
from cruxfinder.kernel.protocol import OutcomeKind
from cruxfinder.kernel.vocabulary import Side, TopSide
from cruxfinder.language.counts import count_phrase, explains_words, percent
from cruxfinder.talk.minutes import Minutes, TurnRow
from cruxfinder.talk.turns import CHAIRS
from cruxfinder.telling.export_text import clean, cut
from cruxfinder.telling.figures import figure_text, figures_of
from cruxfinder.telling.outcomes import (
    LEANS,
    Names,
    Outcome,
    agents_with_side,
    cruxes,
    groups,
    headline,
    is_over,
    mean_lean,
    names_of,
    other_questions,
    side_text,
    state,
)
from cruxfinder.telling.wording import BEARS

# What is a mark inside of quotes, too: of entities, HTML, Markdown (a label that looks like a list is not drawn at
# all), formulas, icons (fa:…), styles and directives (%%).
_MARKS: Final = re.compile(r"[\"#&<>`%:;\\$*_~]|^[-+](?=\s|$)|(?<=^\d)[.)](?=\s|$)")
LABEL_MAX: Final = 160
WIDTH: Final = 320  # of a label, in pixels
TURN_MAX: Final = 90
OTHERS_MAX: Final = 6  # questions that are no crux
CAMPS: Final = (
    "fill:#dbe9ff,stroke:#1f4e9c,color:#10243f",
    "fill:#ffe3d3,stroke:#a3420f,color:#431b06",
    "fill:#dff3dc,stroke:#2c6e2a,color:#12300f",
    "fill:#f3def3,stroke:#7a2f7c,color:#331134",
    "fill:#fff1c2,stroke:#7c5b00,color:#332600",
    "fill:#d9f2f2,stroke:#1d6a6b,color:#0a2e2f",
    "fill:#ececec,stroke:#555555,color:#222222",
)
# By rank: what matters most is drawn largest.
SIZES: Final = (
    (0.66, "large", "font-size:20px,stroke-width:4px"),
    (0.33, "medium", "font-size:16px,stroke-width:3px"),
    (0.0, "small", "font-size:13px,stroke-width:2px"),
)
SIDE_ARROWS: Final = {Side.YES: "-->", Side.NO: "--x", Side.UNCERTAIN: "-.->"}


def quote(text: str, most: int = LABEL_MAX) -> str:
    """A label in its quotes."""
    return f'"{_MARKS.sub(lambda mark: f"#{ord(mark[0])};", cut(text, most)) or "…"}"'


def lines(*parts: str, most: int = LABEL_MAX) -> str:
    """A label of several lines."""
    return '"' + "<br/>".join(quote(part, most)[1:-1] for part in parts if part) + '"'


def render_result(run: RunWithResult) -> str:
    return flowchart(run.outcome, crux_map(run.outcome))


def render_minutes(run: RunWithMinutes) -> str:
    return flowchart(run.outcome, talk(run.outcome))


def flowchart(outcome: Outcome, body: Iterable[str]) -> str:
    title = f"{clean(outcome.topic)} · {headline(outcome)}"
    quoted = json.dumps(title, ensure_ascii=False).replace("%", "\\u0025").replace("-", "\\u002d")
    head = ("---", f"title: {quoted}", "config:", "  flowchart:", f"    wrappingWidth: {WIDTH}", "---")
    return "\n".join((*head, *body)) + "\n"


def crux_map(result: Result) -> Iterator[str]:
    names = names_of(result)
    found = cruxes(result)
    many = count_phrase(len(found), "crux", "cruxes")
    yield "flowchart BT"
    yield f"  accTitle: Crux map with {many}"
    yield f"  accDescr: {figure_text(figures_of(result), 'agents')}, {many}, and what bears on what"
    yield f"  topic([{lines(result.topic, '' if is_over(result) else 'not over')}])"
    yield "  class topic topic"
    nodes = {asked.id: f"crux{number}" for number, asked in enumerate(found, start=1)}
    for asked in found:
        node, crux = nodes[asked.id], asked.crux
        first = f"★ {crux.question}" if asked.primary else crux.question
        figures = f"rank {crux.rank:.2f}, {explains_words(crux.explained_share)}, {state(asked)}"
        yield f"  {node}({lines(first, figures)})"
        yield f"  class {node} {size(crux.rank)}"
        lean = mean_lean(crux)
        if abs(lean) >= LEANS:
            yield f"  {node} ==>|{quote('YES speaks for it' if lean > 0 else 'YES speaks against it')}| topic"
        else:
            yield f"  {node} -.- topic"
    for d in result.dependencies:
        if d.from_ in nodes and d.to in nodes:
            word = f"{BEARS[d.type].format('this', 'that')} ({percent(d.confidence)} sure)"
            yield f"  {nodes[d.from_]} ==>|{quote(word)}| {nodes[d.to]}"
    if not found:
        yield from tested_nodes(result)
    yield from people(result, names, nodes)
    yield "  classDef topic fill:#ffffff,stroke:#222222,color:#111111,stroke-width:2px"
    yield from (f"  classDef {name} fill:#fffbe6,stroke:#6b5500,color:#2b2200,{style}" for _, name, style in SIZES)
    yield "  classDef tested fill:#f6f6f6,stroke:#777777,color:#333333,stroke-dasharray:4 3"


def size(rank: float) -> str:
    return next((name for least, name, _ in SIZES if rank >= least), SIZES[-1][1])


def tested_nodes(result: Result) -> Iterator[str]:
    """Where there is no crux: what was weighed and did not carry the disagreement."""
    for number, found in enumerate(other_questions(result)[:OTHERS_MAX], start=1):
        figures = f"rank {found.rank:.2f}, {explains_words(found.explained_share)}, no crux"
        yield f"  tested{number}[{lines(found.question, figures)}]"
        yield f"  class tested{number} tested"
        yield f"  tested{number} -.- topic"


def people(result: Result, names: Names, nodes: dict[str, str]) -> Iterator[str]:
    """Everybody, in the colour and under the letter of who they stand with, and what they say to each crux."""
    places = {agent.id: f"agent{number}" for number, agent in enumerate(result.agents, start=1)}
    together = groups(result)
    for number, (label, members) in enumerate(together):
        letter = chr(ord("A") + number)
        yield f"  subgraph camp{letter} [{quote(f'{letter}: {label}')}]"
        for agent in members:
            yield f"    {places[agent]}([{quote(f'{names[agent]} ({letter})')}])"
        yield "  end"
        yield f"  class {','.join(places[agent] for agent in members)} camp{letter}s"
        yield f"  classDef camp{letter}s {CAMPS[min(number, len(CAMPS) - 1)]}"
    for asked in cruxes(result):
        for agent in agents_with_side(asked.crux, names):
            held = asked.crux.positions[agent]
            if agent in places:
                yield f"  {places[agent]} {SIDE_ARROWS[held.side_after]}|{quote(side_text(held))}| {nodes[asked.id]}"
    if not nodes:
        for agent, private in result.private_positions.items():
            now = private.p_top if private.p_top_after is None else private.p_top_after
            arrow = "-->" if now > 0.5 else "--x"
            yield f"  {places[agent]} {arrow}|{quote(f'{percent(now)} in private')}| topic"


def talk(told: Minutes) -> Iterator[str]:
    """Every turn, and an arrow from it to the one it answers."""
    names = names_of(told)
    yield "flowchart RL"
    yield f"  accTitle: Who answered whom in {figure_text(figures_of(told), 'turns')}"
    yield f"  topic([{lines(told.topic, '' if is_over(told) else 'not over')}])"
    yield "  class topic topic"
    nodes = {turn.id: f"turn{turn.number}" for turn in told.turns}
    for turn in told.turns:
        node = nodes[turn.id]
        yield f"  {node}[{lines(head(turn, names), turn.content, most=TURN_MAX)}]"
        yield f"  class {node} {turn_class(turn)}"
        if turn.reply_to in nodes:
            yield f"  {node} -->|{quote(turn.type.value)}| {nodes[turn.reply_to]}"
        else:
            yield f"  {node} -.->|{quote(turn.type.value)}| topic"
    yield "  classDef topic fill:#ffffff,stroke:#222222,color:#111111,stroke-width:2px"
    for name, style in (("yes", CAMPS[0]), ("no", CAMPS[1]), ("open", CAMPS[4]), ("chair", CAMPS[6])):
        yield f"  classDef {name} {style}"


def head(turn: TurnRow, names: Names) -> str:
    side = "" if turn.side is None else f", {turn.side.value}"
    return f"{turn.id} {names.get(turn.agent, turn.agent)}{side}"


def turn_class(turn: TurnRow) -> str:
    if turn.role in CHAIRS:
        return "chair"
    return {TopSide.YES: "yes", TopSide.NO: "no"}.get(turn.side, "open") if turn.side is not None else "open"


RENDERERS: Final[Renderers] = {OutcomeKind.RESULT: render_result, OutcomeKind.MINUTES: render_minutes}
