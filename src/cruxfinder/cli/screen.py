"""The live view: where the debate stands, what was said last, who stands where and who owes what."""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import Console, ConsoleDimensions, ConsoleOptions, Group, RenderableType, RenderResult
from rich.layout import Layout
from rich.padding import Padding
from rich.segment import Segment
from rich.text import Text

from cruxfinder.cli import live_header
from cruxfinder.cli.palette import FAINT, seat_style, thread_style
from cruxfinder.cli.transcript_lines import block
from cruxfinder.crux.asks import Duty
from cruxfinder.crux.duties import Owed, open_duties
from cruxfinder.crux.law import lock, steelman, threads
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread
from cruxfinder.kernel.run_facts import Seat, name_of
from cruxfinder.kernel.vocabulary import ADVOCATE, AgentId, MoveKind, Side, Stage, TopSide
from cruxfinder.language.numerals import parse_whole_number
from cruxfinder.telling.event_lines import EventLine
from cruxfinder.telling.terminal_text import clean, cut

OWED: Final = {
    MoveKind.COMMIT_POSITION: "owes a position",
    MoveKind.DECLARE_FALSIFIER: "owes a falsifier",
    MoveKind.STEELMAN: "owes a steelman",
    MoveKind.GRADE_STEELMAN: "owes a grade",
}
WIDE: Final = 110  # columns from which there is room to spare
SIDE: Final = (30, 38)
NAME_MIN: Final = 8
TOPIC: Final = 8
TOPIC_SHORT: Final = 6
CRUX: Final = 4
TOPICS: Final = {TopSide.YES: "YES", TopSide.NO: "NO", TopSide.NUANCED: "~"}
SIDES: Final = {Side.YES: "YES", Side.NO: "NO", Side.UNCERTAIN: "?"}


def render_screen(debate: Debate, lines: Sequence[EventLine], run: str, size: ConsoleDimensions) -> RenderableType:
    agents = tuple(str(seat.id) for seat in debate.seats)
    side = SIDE[size.width >= WIDE]
    top = live_header.height(debate, size.height)
    layout = Layout()
    layout.split_column(Layout(name="head", size=top), Layout(name="body"), Layout(name="foot", size=1))
    tail = TranscriptTail(lines, agents, tagged=len(debate.threads) > 1)
    beside = table(debate, side - 2, size.height - top - 1)
    layout["body"].split_row(
        Layout(Padding(tail, (0, 2, 0, 1)), name="said"),
        Layout(Text("│\n" * size.height, FAINT), name="line", size=1),
        Layout(Padding(Group(*beside), (0, 1, 0, 1)), name="table", size=side),
    )
    layout["head"].update(Padding(live_header.head(debate, run, size.width - 2, size.height), (0, 1)))
    layout["foot"].update(Text(" Ctrl-C stops the debate and keeps what there is", FAINT))
    return layout


class TranscriptTail:
    """The last lines that fit, the newest at the bottom."""

    def __init__(self, lines: Sequence[EventLine], agents: tuple[str, ...], *, tagged: bool) -> None:
        self._lines = lines
        self._agents = agents
        self._tagged = tagged

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        height = options.height or options.max_height
        free = options.update(height=None)
        shown: list[list[Segment]] = []
        for line in reversed(self._lines):
            drawn = console.render_lines(block(line, self._agents, tagged=self._tagged), free)
            gap = 1 if shown and line.tone != "refusal" else 0
            shown = [*drawn, *([[]] * gap), *shown]
            if len(shown) >= height:
                break
        for row in shown[-height:]:
            yield from row
            yield Segment.line()


def table(debate: Debate, width: int, rows: int) -> Iterator[RenderableType]:
    """Everybody at the table: name, side of the topic, side of each question, and what is owed."""
    columns = questions(debate, width)
    thread = current_thread(debate)
    topic = TOPIC if len(debate.threads) < 2 else TOPIC_SHORT
    room = width - topic - CRUX * len(columns)
    heads = [("crux", FAINT)] if len(debate.threads) < 2 else [heading(t) for t in columns]
    yield Text.assemble(" " * room, ("topic".ljust(topic), FAINT), *pad_cells(heads))
    duties = duties_in_all_threads(debate)
    below = list(progress(debate, thread))
    allied = list(coalitions(debate, width))
    listed = len(debate.seats) + len(duties) + len(below) + len(allied) + 3 <= rows
    for seat in debate.seats:
        yield seat_row(debate, columns, seat, room, topic)
        if seat.id in duties and listed:
            yield Text(cut(f" {duty_text(debate, duties[seat.id])}", width), f"italic {FAINT}")
    if duties and not listed:
        yield count("owing", len(duties), len(debate.seats))
    left = rows - 2 - len(debate.seats) - (len(duties) if listed else bool(duties))
    for part in (below, allied):
        if part and len(part) < left:
            yield Text()
            yield from part
            left -= len(part) + 1


def questions(debate: Debate, width: int) -> tuple[Thread, ...]:
    """The threads with a column: those on which somebody took a side, the latest where there are too many."""
    if len(debate.threads) < 2:
        return tuple(debate.threads.values())
    asked = [t for t in debate.threads.values() if t.sides]
    most = (width - NAME_MIN - TOPIC_SHORT) // CRUX
    over_first = sorted(asked, key=lambda t: (not t.over, parse_whole_number(t.id[1:]) or 0))
    kept = {t.id for t in over_first[-most:]}
    return tuple(t for t in asked if t.id in kept)


def heading(thread: Thread) -> tuple[str, str]:
    return (thread.id, thread_style(thread.id))


def pad_cells(cells: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Cells of one width; what fills them up is not coloured."""
    for text, style in cells:
        yield text, style
        yield " " * (CRUX - len(text)), ""


def current_thread(debate: Debate) -> Thread | None:
    """The thread somebody spoke in last, of those that go on."""
    if len(debate.threads) < 2:
        return next(iter(debate.threads.values()), None)
    return max(debate.active, key=lambda t: t.messages[-1].at_ms if t.messages else t.created_ms, default=None)


def duties_in_all_threads(debate: Debate) -> Owed:
    """What everybody owes, in all threads together."""
    found: dict[AgentId, tuple[Duty, ...]] = {}
    for thread in debate.active:
        for agent, duties in open_duties(debate, thread).items():
            found[agent] = (*found.get(agent, ()), *duties)
    return found


def seat_row(debate: Debate, columns: tuple[Thread, ...], seat: Seat, room: int, topic: int) -> Text:
    agents = tuple(str(s.id) for s in debate.seats)
    top = debate.tops.get(seat.id)
    name = clean(seat.name)
    side = "·" if top is None else top.side.value if topic == TOPIC else TOPICS[top.side]
    held = [t.sides.get(seat.id) for t in columns]
    return Text.assemble(
        (cut(name, room - 1).ljust(room), f"bold {seat_style(agents, seat.id)}"),
        (side.ljust(topic), FAINT if top is None else ""),
        *pad_cells([("·", FAINT) if side is None else (SIDES[side], "") for side in held]),
    )


def duty_text(debate: Debate, duties: tuple[Duty, ...]) -> str:
    first = duties[0]
    whom = "" if first.about is None else f" → {clean(name_of(debate, first.about))}"
    more = f" +{len(duties) - 1}" if len(duties) > 1 else ""
    return f"{OWED.get(first.move, first.move.value)}{whom}{more}"


def progress(debate: Debate, thread: Thread | None) -> Iterator[RenderableType]:
    if thread is None or thread.over:
        return
    if len(debate.threads) > 1:
        yield Text.assemble(("in ", FAINT), heading(thread))
    match thread.stage:
        case Stage.DISCOVERY:
            yield count("claims", len(thread.claims))
            yield count("challenged", len(thread.challenged))
            yield count("questions", len(thread.candidates))
        case Stage.CRUX_LOCK:
            pairs = steelman.required_pairs(thread)
            firm = [a for a, side in thread.sides.items() if side.value != "UNCERTAIN" and a != ADVOCATE]
            yield count("positions", len(thread.commitments), len(threads.members(debate, thread)))
            yield count("falsifiers", len(firm) - len(lock.agents_without_falsifier(thread)), len(firm))
            yield count("steelmans", len(pairs) - len(steelman.missing_pairs(thread)), len(pairs))
            yield count("failed tries", thread.lock_failures, lock.FAILURES_MAX)
        case Stage.EVIDENCE:
            yield count("evidence", len(thread.evidence))
            yield count("answered", sum(m.id in thread.answered for m in thread.evidence), len(thread.evidence))
            yield count("concessions", len(thread.concessions))
            yield count("changed sides", len(thread.changes) + len(thread.unlabelled))


def coalitions(debate: Debate, width: int) -> Iterator[RenderableType]:
    """Who stands with whom on the questions, once that is known."""
    if debate.coalitions is None or not debate.coalitions.groups:
        return
    yield Text("coalitions" + (", so far" if debate.coalitions.preliminary else ""), FAINT)
    for group in debate.coalitions.groups:
        yield Text(cut(", ".join(clean(name_of(debate, a)) for a in group.members), width))


def count(what: str, number: int, of: int | None = None) -> Text:
    return Text.assemble((f"{what:<14}", FAINT), str(number), (f" of {of}" if of is not None else "", FAINT))
