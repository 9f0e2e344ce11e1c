"""The live view and the cards, drawn without a terminal."""

import io
from collections.abc import Iterator
from dataclasses import replace

import pytest
from rich.console import Console

from cruxfinder import api
from cruxfinder.cli.debate_commands import DEMO_SEED
from cruxfinder.cli.plain_card import plain_card
from cruxfinder.cli.pretty_card import pretty_card
from cruxfinder.cli.screen import render_screen
from cruxfinder.crux.events import Event, LockFailed, StageTransition, SteelmanAttempt
from cruxfinder.crux.evolve import evolve, start
from cruxfinder.crux.state import Debate
from cruxfinder.kernel.run_facts import DebateStarted
from cruxfinder.kernel.vocabulary import Ending, Stage, Status, Verdict
from cruxfinder.language.counts import join_names
from cruxfinder.protocols.any_run import Finished
from cruxfinder.telling.card import card_of
from cruxfinder.telling.event_lines import EventLine, line_of
from cruxfinder.telling.terminal_text import bar, bar_to_the_left, clean, clock, sentence
from cruxfinder.telling.wording import HEADLINES
from tests.slices import crux_events


@pytest.fixture(scope="module")
def finished() -> Finished:
    """A debate in one thread in which a lock fails and messages are refused."""
    runs = (api.debate("bitcoin", seed=seed, off=["THR-1"]) for seed in range(40))
    return next(
        run
        for run in runs
        if run.result.verdict is Verdict.CRUX
        if run.result.system_metrics.crux_lock_failures and run.result.system_metrics.messages_blocked
    )


def moments(finished: Finished) -> Iterator[tuple[Event, Debate, list[EventLine]]]:
    """The debate right after each event, with the lines so far."""
    first, *rest = crux_events(finished.events)
    assert isinstance(first, DebateStarted)
    debate = start(first)
    lines: list[EventLine] = []
    for event in rest:
        debate = evolve(debate, event)
        line = line_of(debate, event)
        lines += [] if line is None else [line]
        yield event, debate, lines


def drawn(debate: Debate, lines: list[EventLine], width: int, height: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width, height=height, force_terminal=True, color_system=None)
    with console.capture() as captured:
        console.print(render_screen(debate, lines, "bitcoin-1", console.size), end="")
    return captured.get().splitlines()


SIZES = [(80, 24), (100, 40), (140, 50)]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_view_fills_its_terminal_at_every_moment(finished: Finished, width: int, height: int) -> None:
    for _, debate, lines in list(moments(finished))[::7]:
        shown = drawn(debate, lines, width, height)
        assert len(shown) == height
        assert all(len(line) <= width for line in shown)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_view_shows_where_the_lock_stands_and_who_owes_what(finished: Finished, width: int, height: int) -> None:
    _, debate, lines = next(m for m in moments(finished) if isinstance(m[0], SteelmanAttempt))
    shown = "\n".join(drawn(debate, lines, width, height))
    seed = f"bitcoin · seed {finished.result.seed}"
    for word in ("DISCOVERY", "CRUX_LOCK", "EVIDENCE", seed, "bitcoin-1", "topic", "crux"):
        assert word in shown
    assert "STEELMAN " in shown and "owes a " in shown and "positions     5 of 5" in shown
    for seat in debate.seats:
        assert seat.name in shown


def test_the_newest_message_is_whole_and_last(finished: Finished) -> None:
    for _, debate, lines in list(moments(finished))[::5]:
        if lines and lines[-1].tone == "message":
            shown = " ".join(line.split("│")[0] for line in drawn(debate, lines, 80, 24)).split()
            assert " ".join(lines[-1].text.split()[-6:]) in " ".join(shown)


def test_a_failed_lock_and_a_refusal_are_told_with_their_reason(finished: Finished) -> None:
    failed = next(lines[-1] for event, _, lines in moments(finished) if isinstance(event, LockFailed))
    assert failed.badge == "LOCK FAILED" and "no accurate steelman" in failed.text
    refusals = [line for _, _, lines in list(moments(finished))[-1:] for line in lines if line.tone == "refusal"]
    assert refusals and all("-" in line.text.split()[0] for line in refusals)


def test_stages_are_announced(finished: Finished) -> None:
    told = [lines[-1].badge for event, _, lines in moments(finished) if isinstance(event, StageTransition)]
    assert told == [Stage.CRUX_LOCK.value, Stage.EVIDENCE.value]


def pretty(finished: Finished, width: int) -> str:
    console = Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None)
    with console.capture() as captured:
        console.print(pretty_card(card_of(finished), tuple(a.id for a in finished.result.agents), width))
    return captured.get()


def ending_as(finished: Finished, verdict: Verdict, *, crux: bool) -> Finished:
    thread = finished.result.threads[0]
    thread = replace(thread, verdict=verdict, crux=thread.crux if crux else None)
    if verdict is Verdict.FAILED_LOCK:
        never_locked = tuple(replace(t, locked=False) for t in thread.tested)
        thread = replace(thread, status=Status.FAILED_LOCK, tested=never_locked)
    why = "because of this and that"
    return replace(finished, outcome=replace(finished.result, verdict=verdict, why=why, threads=(thread,)))


@pytest.mark.parametrize("verdict", HEADLINES)
@pytest.mark.parametrize("crux", [True, False], ids=["with a question", "without a question"])
def test_every_ending_has_a_card(finished: Finished, verdict: Verdict, crux: bool) -> None:
    ended = ending_as(finished, verdict, crux=crux)
    cards = (plain_card(card_of(ended)), pretty(ended, 80), pretty(ended, 140))
    for card in cards:
        assert verdict.value.upper() in card and HEADLINES[verdict] in card
        assert "Questions tested" in card or "QUESTIONS TESTED" in card
        assert "Ines" in card and "crux replay" in card
        if verdict not in (Verdict.CRUX, Verdict.PARTIAL):
            assert "Because of this and that." in card
    assert ("How much turns on it" in cards[0]) == crux
    assert ("chosen" in cards[0]) == (verdict is Verdict.FAILED_LOCK)


@pytest.mark.parametrize("ending", [e for e in Ending if e not in (Ending.NATURAL, Ending.UNFINISHED)])
def test_an_early_end_is_told(finished: Finished, ending: Ending) -> None:
    ended = replace(
        finished, outcome=replace(finished.result, ending=ending, verdict=Verdict.UNDECIDED, why="no verdict")
    )
    assert "No verdict. " in plain_card(card_of(ended))


def test_an_unfinished_run_says_how_to_resume() -> None:
    from cruxfinder.crux.result import result_of

    whole = api.debate("bitcoin", seed=DEMO_SEED)
    half = crux_events(whole.events[:40])
    card = plain_card(card_of(Finished(whole.run, half, result_of(half, run_id=whole.run)), suffix=" --store x"))
    assert card.startswith("NOT OVER: The debate is not over")
    assert f"crux resume {whole.run} --store x" in card


def test_cards_keep_their_width(finished: Finished) -> None:
    for width in (60, 80, 100, 140):
        assert all(len(line.rstrip()) <= min(width, 100) for line in pretty(finished, width).splitlines())


def test_nothing_said_can_move_the_cursor() -> None:
    assert clean("a\x1b[2Jb\r\nc\x07\u202ed\u200be") == "a [2Jb c d e"


@pytest.mark.parametrize(
    ("made", "wanted"),
    [
        (bar(0.5, 4), "██"),
        (bar(1.7, 4), "████"),
        (bar(-1, 4), ""),
        (bar(0.53, 4), "██▏"),
        (bar_to_the_left(0.5, 3), "▐█"),
        (join_names(["a"]), "a"),
        (join_names(["a", "b", "c"]), "a, b and c"),
        (join_names([]), "nobody"),
        (sentence("so it is"), "So it is."),
        (clock(125_000), "2:05"),
    ],
)
def test_words_and_bars(made: str, wanted: str) -> None:
    assert made == wanted
