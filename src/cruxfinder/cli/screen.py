"""The live view: where the debate stands, what was said last, who stands where and who owes what."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import Console, ConsoleDimensions, ConsoleOptions, Group, RenderableType, RenderResult
from rich.layout import Layout
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from cruxfinder.cli.lines import Line
from cruxfinder.cli.palette import ACCENT, FAINT, seat_style
from cruxfinder.cli.text import clean, clock, cut
from cruxfinder.cli.transcript import block
from cruxfinder.debate.duties import Owed, owed
from cruxfinder.model.asks import Duty
from cruxfinder.model.events import Seat
from cruxfinder.model.record import Debate, name_of
from cruxfinder.model.thread import Thread, candidate
from cruxfinder.model.words import ADVOCATE, MoveKind, Side, Stage
from cruxfinder.rules import ending, lock, stages, steelman

STAGES: Final = tuple(Stage)
OWED: Final = {
    MoveKind.COMMIT_POSITION: "owes a position",
    MoveKind.DECLARE_FALSIFIER: "owes a falsifier",
    MoveKind.STEELMAN: "owes a steelman",
    MoveKind.GRADE_STEELMAN: "owes a grade",
}
WIDE: Final = 110  # columns from which there is room to spare
SIDE: Final = (30, 38)
HEAD: Final = 7
TOPIC: Final = 8
CRUX: Final = 4
SIDES: Final = {Side.YES: "YES", Side.NO: "NO", Side.UNCERTAIN: "?"}


def picture(debate: Debate, lines: Sequence[Line], run: str, size: ConsoleDimensions) -> RenderableType:
    thread = next(iter(debate.threads.values()), None)
    agents = tuple(str(seat.id) for seat in debate.seats)
    side = SIDE[size.width >= WIDE]
    layout = Layout()
    layout.split_column(Layout(name="head", size=HEAD), Layout(name="body"), Layout(name="foot", size=1))
    layout["body"].split_row(
        Layout(Padding(Tail(lines, agents), (0, 2, 0, 1)), name="said"),
        Layout(Text("│\n" * size.height, FAINT), name="line", size=1),
        Layout(Padding(Group(*table(debate, thread, side - 2)), (0, 1, 0, 1)), name="table", size=side),
    )
    layout["head"].update(Padding(head(debate, thread, run, size.width - 2), (0, 1)))
    layout["foot"].update(Text(" Ctrl-C stops the debate and keeps what there is", FAINT))
    return layout


def head(debate: Debate, thread: Thread | None, run: str, width: int) -> RenderableType:
    started = debate.started
    title = Table.grid(expand=True)
    title.add_column(no_wrap=True, overflow="ellipsis")
    title.add_column(no_wrap=True, justify="right")
    title.add_row(Text(clean(started.topic), "bold"), Text(f"  {started.pack} · seed {started.seed}", FAINT))
    limit = f"{debate.spoken} of {ending.messages(debate)} messages"
    time = f"{clock(debate.now_ms)} of {clock(ending.time_ms(debate))}"
    title.add_row(Text(run, FAINT), Text(f"  {limit} · {time}", FAINT))
    rows: list[RenderableType] = [title, Text()]
    if thread is not None:
        rows.append(stage_bar(debate, thread, width))
        rows.append(Text(fitted(about(thread), width), ACCENT))
    return Group(*rows)


def fitted(text: str, width: int) -> str:
    """At most two lines of it."""
    first, *rest = textwrap.wrap(text, width)
    return "\n".join([first, *textwrap.wrap(" ".join(rest), width, max_lines=1, placeholder=" …")])


def about(thread: Thread) -> str:
    """What the talk is about now."""
    asked = candidate(thread, thread.crux)
    if asked is not None:
        return clean(asked.question)
    if not thread.candidates:
        return "Looking for the question it turns on"
    return (
        f"{len(thread.candidates)} questions on the table" if len(thread.candidates) > 1 else "1 question on the table"
    )


def stage_bar(debate: Debate, thread: Thread, width: int) -> Text:
    """DISCOVERY ▸ CRUX_LOCK ▸ EVIDENCE, each with its messages and its budget."""
    done = {stage: messages for stage, messages, _ in thread.stages}
    labels: list[tuple[Stage, int, int]] = []
    for stage in STAGES:
        if stage in done:
            labels.append((stage, done[stage], done[stage]))
        elif stage is thread.stage:
            labels.append((stage, thread.counted, stages.most(debate, thread)))
        else:
            labels.append((stage, 0, stages.RANGE[stage][1]))
    fixed = sum(len(stage) + len(figure(*rest)) + 2 for stage, *rest in labels) + 3 * (len(labels) - 1)
    cells = max(3, (width - fixed) // len(labels))
    bar = Text(no_wrap=True, overflow="ellipsis")
    for number, (stage, count, most) in enumerate(labels):
        if number:
            bar.append(" ▸ ", FAINT)
        current = stage is thread.stage and not thread.over
        bar.append(stage.value, f"bold {ACCENT}" if current else "" if stage in done or thread.over else FAINT)
        bar.append(f" {figure(count, most)} ", "" if current else FAINT)
        full = round(cells * min(1.0, count / most)) if most else cells
        bar.append("━" * full, ACCENT)
        bar.append("─" * (cells - full), FAINT)
    return bar


def figure(count: int, most: int) -> str:
    return str(count) if count == most else f"{count}/{most}"


class Tail:
    """The last lines that fit, the newest at the bottom."""

    def __init__(self, lines: Sequence[Line], agents: tuple[str, ...]) -> None:
        self._lines = lines
        self._agents = agents

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        height = options.height or options.max_height
        free = options.update(height=None)
        shown: list[list[Segment]] = []
        for line in reversed(self._lines):
            drawn = console.render_lines(block(line, self._agents), free)
            gap = 1 if shown and line.tone != "refusal" else 0
            shown = [*drawn, *([[]] * gap), *shown]
            if len(shown) >= height:
                break
        for row in shown[-height:]:
            yield from row
            yield Segment.line()


def table(debate: Debate, thread: Thread | None, width: int) -> Iterator[RenderableType]:
    """Everybody at the table: name, side of the topic, side of the question, and what is owed."""
    duties: Owed = {} if thread is None else owed(debate, thread)
    room = width - TOPIC - CRUX
    yield Text.assemble(" " * room, ("topic".ljust(TOPIC), FAINT), ("crux", FAINT))
    for seat in debate.seats:
        yield place(debate, thread, seat, room)
        if seat.id in duties:
            yield Text(cut(f" {debt(debate, duties[seat.id])}", width), f"italic {FAINT}")
    yield Text()
    yield from progress(debate, thread)


def place(debate: Debate, thread: Thread | None, seat: Seat, room: int) -> Text:
    agents = tuple(str(s.id) for s in debate.seats)
    top = debate.tops.get(seat.id)
    side = None if thread is None else thread.sides.get(seat.id)
    name = clean(seat.name)
    return Text.assemble(
        (cut(name, room - 1).ljust(room), f"bold {seat_style(agents, seat.id)}"),
        ("·".ljust(TOPIC), FAINT) if top is None else top.side.value.ljust(TOPIC),
        ("·", FAINT) if side is None else SIDES[side],
    )


def debt(debate: Debate, duties: tuple[Duty, ...]) -> str:
    first = duties[0]
    whom = "" if first.about is None else f" → {clean(name_of(debate, first.about))}"
    more = f" +{len(duties) - 1}" if len(duties) > 1 else ""
    return f"{OWED.get(first.move, first.move.value)}{whom}{more}"


def progress(debate: Debate, thread: Thread | None) -> Iterator[RenderableType]:
    if thread is None or thread.over:
        return
    match thread.stage:
        case Stage.DISCOVERY:
            yield count("claims", len(thread.claims))
            yield count("challenged", len(thread.challenged))
            yield count("questions", len(thread.candidates))
        case Stage.CRUX_LOCK:
            pairs = steelman.required(thread)
            firm = [a for a, side in thread.sides.items() if side.value != "UNCERTAIN" and a != ADVOCATE]
            yield count("positions", len(thread.commitments), len(debate.agents))
            yield count("falsifiers", len(firm) - len(lock.unfalsified(thread)), len(firm))
            yield count("steelmans", len(pairs) - len(steelman.missing(thread)), len(pairs))
            yield count("failed tries", thread.lock_failures, lock.FAILURES_MAX)
        case Stage.EVIDENCE:
            yield count("evidence", len(thread.evidence))
            yield count("answered", sum(m.id in thread.answered for m in thread.evidence), len(thread.evidence))
            yield count("concessions", len(thread.concessions))
            yield count("changed sides", len(thread.changes) + len(thread.unlabelled))


def count(what: str, number: int, of: int | None = None) -> Text:
    return Text.assemble((f"{what:<14}", FAINT), str(number), (f" of {of}" if of is not None else "", FAINT))
