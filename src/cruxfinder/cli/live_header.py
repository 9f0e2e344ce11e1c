"""The head of the live view: topic, limits, and where each thread stands."""

import textwrap
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cruxfinder.cli.palette import ACCENT, FAINT, SIGNALLED, thread_style
from cruxfinder.crux.law import ending, stages, threads
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread, find_candidate
from cruxfinder.kernel.vocabulary import Stage, Status
from cruxfinder.language.counts import count_phrase
from cruxfinder.telling.figures import count_said
from cruxfinder.telling.terminal_text import bar, clean, clock
from cruxfinder.telling.wording import STATUSES

STAGES: Final = tuple(Stage)
ONE: Final = 7  # lines of the head with one thread
FRAME: Final = 4  # and with several, beside a line for each
SIGNAL: Final = 5  # cells


def height(debate: Debate, rows: int) -> int:
    """Lines the head takes of a screen of so many rows."""
    return (
        ONE
        if len(debate.threads) < 2
        else FRAME + len(visible_threads(debate, rows)) + bool(hidden_thread_count(debate, rows))
    )


def threads_max(rows: int) -> int:
    """Threads a screen of so many rows has room for."""
    return max(3, rows // 6)


def visible_threads(debate: Debate, rows: int) -> tuple[Thread, ...]:
    """Every thread that goes on, then the latest that ended, in the order of their opening."""
    ended = [t for t in debate.threads.values() if t.over]
    passed_over = max(0, len(debate.threads) - max(threads_max(rows), len(debate.active)))
    gone = {t.id for t in ended[:passed_over]}
    return tuple(t for t in debate.threads.values() if t.id not in gone)


def hidden_thread_count(debate: Debate, rows: int) -> int:
    return len(debate.threads) - len(visible_threads(debate, rows))


def head(debate: Debate, run: str, width: int, rows: int) -> RenderableType:
    started = debate.started
    title = Table.grid(expand=True)
    title.add_column(no_wrap=True, overflow="ellipsis")
    title.add_column(no_wrap=True, justify="right")
    title.add_row(Text(clean(started.topic), "bold"), Text(f"  {started.pack} · seed {started.seed}", FAINT))
    limit = f"{count_said(debate)} of {ending.messages_max(debate)} messages"
    time = f"{clock(debate.now_ms)} of {clock(ending.time_ms_max(debate))}"
    title.add_row(Text(run, FAINT), Text(f"  {limit} · {time}", FAINT))
    if len(debate.threads) > 1:
        return Group(title, board(debate, width, rows))
    below: list[RenderableType] = [title, Text()]
    for thread in debate.threads.values():
        below.append(stage_bar(debate, thread, width))
        below.append(Text(fit_two_lines(current_question(thread), width), ACCENT))
    return Group(*below)


def fit_two_lines(text: str, width: int) -> str:
    """At most two lines of it."""
    first, *rest = textwrap.wrap(text, width)
    return "\n".join([first, *textwrap.wrap(" ".join(rest), width, max_lines=1, placeholder=" …")])


def current_question(thread: Thread) -> str:
    """What the talk is about now."""
    if thread.parent is not None or find_candidate(thread, thread.crux) is not None:
        return clean(threads.question_of(thread))
    if not thread.candidates:
        return "Looking for the question it turns on"
    return f"{count_phrase(len(thread.candidates), 'question')} on the table"


# ---------------------------------------------------------------- several threads


def board(debate: Debate, width: int, rows: int) -> RenderableType:
    """A row each: stage, messages of its budget, how near to its end it seems, and its question."""
    cells = max(4, min(16, width // 12))
    grid = Table.grid(padding=(0, 1, 0, 0), expand=True)
    grid.add_column(no_wrap=True, width=3)
    grid.add_column(no_wrap=True, width=max(len(s) for s in STAGES))
    grid.add_column(no_wrap=True, width=len("99/99"), justify="right")
    grid.add_column(no_wrap=True, width=cells)
    grid.add_column(no_wrap=True, width=len("signal"))
    grid.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    titles = ("", "stage", "said", "", "signal", "question")
    grid.add_row(*(Text(title, FAINT) for title in titles))
    for thread in visible_threads(debate, rows):
        grid.add_row(Text(thread.id, thread_style(thread.id)), *thread_cells(debate, thread, cells))
    more = hidden_thread_count(debate, rows)
    return Group(grid, Text(f"    and {count_phrase(more, 'thread')} that ended before", FAINT)) if more else grid


def thread_cells(debate: Debate, thread: Thread, cells: int) -> tuple[Text, ...]:
    question = current_question(thread)
    if thread.over:
        return (
            Text("ended", FAINT),
            Text(),
            Text(),
            Text(),
            Text.assemble((thread_outcome(thread), "bold"), f"  {question}"),
        )
    count, budget = thread.counted, stages.messages_max(debate, thread)
    near = bar(threads.convergence_signal(thread), SIGNAL)
    return (
        Text(thread.stage.value, f"bold {ACCENT}"),
        Text(figure(count, budget)),
        progress_bar(count, budget, cells),
        Text.assemble((near, SIGNALLED), ("·" * (SIGNAL - len(near)), FAINT)),
        Text(question, ACCENT),
    )


def thread_outcome(thread: Thread) -> str:
    if thread.merged_into is not None:
        return STATUSES[Status.MERGED].format(thread.merged_into)
    if thread.status in (Status.FAILED_LOCK, Status.STALE):
        return STATUSES[thread.status]
    return "" if thread.outcome is None else thread.outcome.value


def progress_bar(count: int, budget: int, cells: int) -> Text:
    full = round(cells * min(1.0, count / budget)) if budget else cells
    return Text.assemble(("━" * full, ACCENT), ("─" * (cells - full), FAINT))


# ---------------------------------------------------------------- one thread


def stage_bar(debate: Debate, thread: Thread, width: int) -> Text:
    """DISCOVERY ▸ CRUX_LOCK ▸ EVIDENCE, each with its messages and its budget."""
    done = {stage: messages for stage, messages, _ in thread.stages}
    labels: list[tuple[Stage, int, int]] = []
    for stage in STAGES:
        if stage in done:
            labels.append((stage, done[stage], done[stage]))
        elif stage is thread.stage:
            labels.append((stage, thread.counted, stages.messages_max(debate, thread)))
        else:
            labels.append((stage, 0, stages.RANGE[stage][1]))
    fixed = sum(len(stage) + len(figure(*rest)) + 2 for stage, *rest in labels) + 3 * (len(labels) - 1)
    cells = max(3, (width - fixed) // len(labels))
    line = Text(no_wrap=True, overflow="ellipsis")
    for number, (stage, count, budget) in enumerate(labels):
        if number:
            line.append(" ▸ ", FAINT)
        current = stage is thread.stage and not thread.over
        line.append(stage.value, f"bold {ACCENT}" if current else "" if stage in done or thread.over else FAINT)
        line.append(f" {figure(count, budget)} ", "" if current else FAINT)
        line.append_text(progress_bar(count, budget, cells))
    return line


def figure(count: int, budget: int) -> str:
    return str(count) if count == budget else f"{count}/{budget}"
