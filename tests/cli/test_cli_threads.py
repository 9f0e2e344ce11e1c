"""Debates in several threads, as they are shown: lines, the live view, and the map on the card."""

import io
import re
from collections.abc import Iterator
from functools import cache

import pytest
from rich.console import Console, RenderableType

from bench.many import many
from cruxfinder import api
from cruxfinder.cli import live_header
from cruxfinder.cli.debate_views import Fold
from cruxfinder.cli.plain_card import plain_card
from cruxfinder.cli.pretty_card import pretty_card
from cruxfinder.cli.screen import render_screen
from cruxfinder.cli.transcript_lines import block
from cruxfinder.crux.events import (
    PRIVATE,
    GlobalConvergence,
    MessagePosted,
    ModeratorIntervention,
    ThreadConverged,
    ThreadCreated,
)
from cruxfinder.crux.result import result_of
from cruxfinder.crux.state import Debate
from cruxfinder.protocols.any_run import AnyEvent, Finished
from cruxfinder.telling.card import Card, card_of
from cruxfinder.telling.event_lines import EventLine, line_of, plain_line
from cruxfinder.telling.thread_lines import has_several_threads
from tests.cli.conftest import Crux
from tests.golden.logs import events_of
from tests.golden.threads import SCENES
from tests.slices import crux_events

SIZES = [(80, 24), (100, 40), (140, 50)]


@cache
def played(scene: str) -> Finished:
    events = crux_events(events_of(scene))
    return Finished("harbour-1", events, result_of(events, run_id="harbour-1"))


@cache
def tram() -> Finished:
    """Twelve agents, three threads or more."""
    runs = (api.debate(many(12, seed), seed=seed) for seed in range(20))
    return next(run for run in runs if len(run.result.threads) > 2)


def moments(finished: Finished) -> Iterator[tuple[AnyEvent, Debate, EventLine]]:
    fold = Fold()
    for event in finished.events:
        debate = fold.hear(event)
        yield event, debate, line_of(debate, event)


def told(finished: Finished) -> list[str]:
    return [
        plain_line(line, 6, tagged=has_several_threads(debate))
        for _, debate, line in moments(finished)
        if not line.quiet
    ]


def drawn(shown: RenderableType, width: int, height: int = 200) -> list[str]:
    console = Console(file=io.StringIO(), width=width, height=height, force_terminal=True, color_system=None)
    with console.capture() as captured:
        console.print(shown, end="")
    return captured.get().splitlines()


# ---------------------------------------------------------------- lines


@pytest.mark.parametrize(
    ("scene", "line"),
    [
        ("two-threads", r"---- PROPOSED: a thread on \"Can the quay .*\?\": it was framed .*, raised by Bob and Cat"),
        ("two-threads", r"t2 +---- NEW THREAD: \"Can the quay .*\?\", from t1: it was framed .*; Bob and Cat"),
        ("two-threads", r"t2 +---- AGENDA: now a main dispute \(rank \d\.\d\d\): \"Can the quay .*\?\""),
        ("two-threads", r"t2 +Moderator  AGE-2 +Ann and Dan: .* Take a side: Can the quay .*"),
        ("two-threads", r"t1 +---- CONVERGED: crux: .*"),
        ("two-threads", r"s {7}---- COALITIONS: .*: Ann and Cat \(YES on t1 and t2\); .* \(preliminary\)"),
        ("two-threads", r"s {7}---- RELATED: a YES to t1 means a YES to t2; t1 lies behind t2; 90% sure: Whoever .*"),
        ("two-threads", r"s {7}---- ALL ENDED: 2 threads, 2 cruxes, and nothing more is proposed"),
        ("stuck", r"s {7}---- RELATED: t1 and t2 do not decide each other"),
        ("near", r"s  ---- MERGED: \"Would a rebuilt .*\?\" is what t1 asks already and is one of the questions there"),
        ("grown-together", r"t2 +---- MERGED: t2 asks what t1 asks: they go on as one"),
        ("left-alone", r"t2 +---- QUIET: nobody has more to say; the thread ends without a crux"),
        ("reopened", r"t2 +---- NEW THREAD: \"Can the quay .*\?\", from t1: every thread had stalled"),
        ("promoted", r"t\d +---- AGENDA: .*; it replaces t\d"),
        ("split", r"t2 +---- NEW THREAD: .*: some speak of another span of time, at 10y\+; only Eve, Fay, Gil and Hal"),
    ],
)
def test_what_happens_to_threads_is_told_in_a_sentence(scene: str, line: str) -> None:
    assert any(re.search(f"{line}$", said) for said in told(played(scene))), "\n".join(told(played(scene)))


@pytest.mark.parametrize(
    ("scene", "detail"),
    [
        ("horizons", "all at 10y+"),
        ("split", "split: Ann, Bob, Cat and Dan stay"),
        ("two-threads", "invites Ann and Dan"),
    ],
)
def test_what_the_moderator_changes_stands_beside_its_words(scene: str, detail: str) -> None:
    details = [
        line.detail for event, _, line in moments(played(scene)) if line and isinstance(event, ModeratorIntervention)
    ]
    assert detail in details


def test_nothing_private_is_told() -> None:
    private = [line for event, _, line in moments(tram()) if isinstance(event, PRIVATE)]
    assert len(private) > 24 and all(line.quiet and line.group == "private" for line in private)


def test_messages_are_tagged_once_there_are_two_threads() -> None:
    for event, debate, line in moments(tram()):
        if isinstance(event, MessagePosted):
            said = plain_line(line, 4, tagged=has_several_threads(debate))
            assert said.split()[1] == (event.thread if has_several_threads(debate) else line.name)
            assert drawn(block(line, (), tagged=True), 80)[0].startswith(f"{event.thread} {line.name}")
            assert drawn(block(line, ()), 80)[0].startswith(line.name)


def test_one_thread_is_shown_as_if_there_were_no_others() -> None:
    alone = api.debate("bitcoin", seed=6, off=["THR-1"])
    assert len(alone.result.threads) == 1
    for event, debate, line in moments(alone):
        assert not has_several_threads(debate)
        if isinstance(event, ThreadCreated | ThreadConverged | GlobalConvergence):
            assert line.quiet
    card = card_of(alone)
    assert card.map.cruxes == card.map.links == card.map.camps == card.map.coalitions == card.map.threads == ()
    for shown in (plain_card(card), "\n".join(drawn(pretty(alone), 100))):
        assert re.search(r"\bt1\b", shown) is None
        assert "regime" not in shown and "camps, by" not in shown.lower()


# ---------------------------------------------------------------- the live view


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_view_shows_where_every_thread_stands(width: int, height: int) -> None:
    lines: list[EventLine] = []
    looked = 0
    for number, (_, debate, line) in enumerate(moments(tram())):
        lines += [] if line.quiet else [line]
        if number % 29 or not has_several_threads(debate):
            continue
        shown = drawn(render_screen(debate, lines, "tram-1", Console(width=width, height=height).size), width, height)
        assert len(shown) == height and all(len(row) <= width for row in shown)
        assert [t.id for t in live_header.visible_threads(debate, height)] == list(debate.threads)
        for place, thread in enumerate(live_header.visible_threads(debate, height)):
            row = shown[3 + place]
            assert row.startswith(f" {thread.id} ")
            assert ("ended" if thread.over else thread.stage.value) in row
            assert thread.over or f"{thread.counted}" in row
            looked += 1
        for seat in debate.seats:
            assert any(f"│ {seat.name}" in row for row in shown)
    assert looked > 20


def test_the_view_tells_who_owes_something_even_where_it_is_crowded() -> None:
    lines: list[EventLine] = []
    crowded = ""
    for _, debate, line in moments(tram()):
        lines += [] if line.quiet else [line]
        if has_several_threads(debate) and all(t.commitments for t in debate.threads.values()):
            crowded = "\n".join(
                drawn(render_screen(debate, lines, "tram-1", Console(width=80, height=24).size), 80, 24)
            )
            break
    assert re.search(r"owing +\d+ of 12", crowded) and re.search(r"topic t1  t2  t3", crowded)


# ---------------------------------------------------------------- the card


def pretty(finished: Finished, width: int = 100) -> RenderableType:
    return pretty_card(card_of(finished), tuple(a.id for a in finished.result.agents), width)


@pytest.mark.parametrize("scene", SCENES)
def test_every_scene_has_a_card_that_fits(scene: str) -> None:
    finished = played(scene)
    assert max(len(line) for line in plain_card(card_of(finished)).splitlines()) <= 100
    for width in (60, 80, 100, 140):
        assert all(len(line.rstrip()) <= min(width, 100) for line in drawn(pretty(finished, width), width))


def test_the_card_is_a_map_of_the_cruxes() -> None:
    finished = played("two-threads")
    card = card_of(finished)
    for shown in (plain_card(card), "\n".join(drawn(pretty(finished), 100))):
        words = " ".join(shown.replace("│", " ").split())
        assert "CRUX" in shown and "The disagreement turns on 2 questions" in shown
        assert "Highest rank (" in words and "Behind t2 lies t1." in words
        assert "A YES to t1 means a YES to t2 (90% sure, Bob and Ann agree): Whoever ships through it" in words
        assert "camps, by the topic in private" in words.lower() and "coalitions, by the cruxes" in words.lower()
        assert "Ann and Cat (YES on t1 and t2)" in words
        assert "t2 from t1: it was framed as a question of its own · crux" in words
        assert "regime: polarized" in words and "crux events harbour-1 --thread t2" in words
    assert [(row.thread, row.primary) for row in card.map.cruxes] == [("t1", True), ("t2", False)]
    assert card.map.cruxes[1].sides == (("YES", "Ann and Cat"), ("NO", "Bob and Dan"))
    assert 0 < card.map.cruxes[1].share < 1 and card.map.cruxes[1].dcg > 0


def test_what_is_asked_twice_counts_once() -> None:
    card = card_of(played("asked-twice"))
    assert card.headline == "The disagreement turns on one question"
    assert "The same is asked in t1 and t2." in card.map.links


def test_the_primary_crux_is_at_the_top_whatever_thread_it_is_in() -> None:
    finished = next(f for f in map(played, SCENES) if (f.result.primary_crux or "t1.").partition(".")[0] != "t1")
    card = card_of(finished)
    assert card.question == finished.result.primary_crux_question and card.map.cruxes[0].primary


def test_questions_that_became_cruxes_are_not_listed_again() -> None:
    card = card_of(tram())
    assert not {row.question for row in card.map.cruxes} & {row.question for row in card.rows}
    assert len({row.question for row in card.rows}) == len(card.rows)


def test_beside_several_cruxes_a_long_list_of_tests_makes_room() -> None:
    card: Card = card_of(tram())
    assert card.tests == () and any("it would move" in asked for asked in card.next)
    assert card_of(played("two-threads")).tests


def test_an_end_by_cost_is_told() -> None:
    assert "It ended early: its budget was spent." in " ".join(plain_card(card_of(played("paid-for"))).split())


# ---------------------------------------------------------------- commands


def test_events_of_several_threads_name_theirs(crux: Crux, run: str) -> None:
    lines = crux("events", run).out.splitlines()
    opened = next(n for n, line in enumerate(lines) if " NEW THREAD " in line)
    after = [line for line in lines[opened + 1 :] if " steelman_graded " in line or " message_posted " in line]
    assert after and all(re.search(r"(steelman_graded|message_posted) +t\d ", line) for line in after)


def test_the_embedder_can_be_chosen(crux: Crux) -> None:
    out = crux("debate", "bitcoin", "--max-messages", "6", "--embedder", "keyword").out
    run = re.search(r"run (bitcoin-\w+)\)", out)
    assert run is not None
    assert '"embedder":"keyword' in crux("events", run[1], "--jsonl").out.splitlines()[0]
    assert crux("debate", "bitcoin", "--embedder", "magic").code == 2
    assert crux("debate", "bitcoin", "--max-calls", "0").code == 2


def test_a_fork_may_change_what_reaches_whom_and_what_may_be_paid(crux: Crux, run: str) -> None:
    for change in ("attention=0.4", "max-calls=100"):
        assert crux("fork", run, "--at", "20", "--set", change, "--set", "max-messages=14", "--json").code == 0
    for change in ("attention=2", "attention=high", "max-calls=0", "max-calls=1.5", "embedder=keyword"):
        assert crux("fork", run, "--at", "20", "--set", change).code == 2
