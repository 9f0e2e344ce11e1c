"""The card of a conversation: folded to any width, and nothing in it that is not so."""

from dataclasses import replace

import pytest

from cruxfinder.cli.minutes_view import MinutesRow, card, facts
from cruxfinder.protocols.any_run import Finished
from cruxfinder.talk.minutes import Minutes
from cruxfinder.talk.turns import CHAIRS
from tests.exports.runs import TALKS, run

DEBATE = run("talk-debate").minutes
CONSENSUS = run("talk-stubborn").minutes


def shown(told: Minutes, width: int = 96) -> list[MinutesRow]:
    return list(card(Finished("r1", (), told), "", width))


def lines(told: Minutes, width: int = 96) -> list[str]:
    return [row.text for row in shown(told, width)]


def without_turns_of(told: Minutes, *silent: str) -> Minutes:
    turns = tuple(turn for turn in told.turns if turn.agent not in silent)
    agents = tuple(replace(a, turns=0) if a.id in silent else a for a in told.agents)
    return replace(told, turns=turns, agents=agents, total_turns=len(turns), syntheses=(), ruling=None)


SPEAKERS = tuple(agent.id for agent in DEBATE.agents if agent.role not in CHAIRS)
EVERYBODY = tuple(agent.id for agent in DEBATE.agents)


# ---- folding


@pytest.mark.parametrize("width", [36, 60, 80, 96])
@pytest.mark.parametrize("name", TALKS)
def test_every_line_fits_its_width(name: str, width: int) -> None:
    told = run(name).minutes
    folded = [row for row in shown(told, width) if not (row.strong or row.typed or row.text.startswith("Topic: "))]
    assert max(len(row.text) for row in folded) <= width


@pytest.mark.parametrize(
    ("width", "indent"),
    [
        pytest.param(96, len("  Facilitator: "), id="below its lead where there is room"),
        pytest.param(36, 4, id="below the section where there is hardly any"),
    ],
)
def test_a_text_hangs(width: int, indent: int) -> None:
    found = lines(CONSENSUS, width)
    first = next(n for n, line in enumerate(found) if line.startswith("  Facilitator: "))
    below = found[first + 1]
    assert len(below) - len(below.lstrip()) == indent


def test_a_checklist_without_room_for_a_column_tells_its_figures_behind_the_lines() -> None:
    check = DEBATE.checklist[0]
    assert f"  [x] {check.line}  {check.figure}" in lines(DEBATE, 80)
    narrow = " ".join(line.strip() for line in lines(DEBATE, 50))
    assert f"[x] {check.line}: {check.figure} [x]" in narrow


def test_a_command_is_one_line_at_any_width() -> None:
    assert [row.text for row in shown(DEBATE, 20) if row.typed] == ["  crux show r1 --messages", "  crux replay r1"]


# ---- who spoke


@pytest.mark.parametrize(
    ("told", "begins"),
    [
        pytest.param(DEBATE, "9 turns: 6 of Petra and Noor, 3 of the chair, ", id="two and the chair"),
        pytest.param(without_turns_of(DEBATE, "arbitrator"), "6 turns of Petra and Noor, ", id="nobody led"),
        pytest.param(
            without_turns_of(DEBATE, SPEAKERS[0]), "6 turns: 3 of Noor, 3 of the chair, ", id="one of them never spoke"
        ),
        pytest.param(
            without_turns_of(DEBATE, *SPEAKERS), "No turn of a speaker, 3 of the chair, ", id="only the chair"
        ),
        pytest.param(without_turns_of(DEBATE, *EVERYBODY), "Nothing was said, ", id="nobody at all"),
    ],
)
def test_turns_are_told_of_those_who_took_them(told: Minutes, begins: str) -> None:
    assert facts(told).startswith(begins)


@pytest.mark.parametrize(
    ("silent", "listed"), [((), True), (SPEAKERS[:1], True), (SPEAKERS, False), (EVERYBODY, False)]
)
def test_a_checklist_is_not_held_by_what_nobody_said(silent: tuple[str, ...], listed: bool) -> None:
    assert ("Editor's checklist" in lines(without_turns_of(DEBATE, *silent))) == listed


# ---- figures


def test_reasons_are_not_told_as_drafts() -> None:
    metrics = replace(DEBATE.system_metrics, turns_refused=24, reasons_refused={"RED-3": 2, "TURN-5": 48})
    assert "24 drafts sent back (reasons: 2×RED-3, 48×TURN-5);" in facts(replace(DEBATE, system_metrics=metrics))


@pytest.mark.parametrize(
    ("cost", "told"),
    [pytest.param(0.0, "; 9 calls.", id="not known"), pytest.param(0.0123, "; 9 calls, $0.0123.", id="known")],
)
def test_a_price_that_is_not_known_is_not_told_as_none(cost: float, told: str) -> None:
    metrics = replace(DEBATE.system_metrics, calls=9)
    assert facts(replace(DEBATE, cost=cost, system_metrics=metrics)).endswith(told)


@pytest.mark.parametrize(("step", "told"), [("ask the crew", True), ("", False), ("  ", False)])
def test_a_synthesis_without_a_next_step_has_no_line_for_it(step: str, told: bool) -> None:
    last = replace(CONSENSUS.syntheses[-1], next_step=step)
    found = lines(replace(CONSENSUS, syntheses=(last,)))
    assert any(line.startswith("  Next step: ") for line in found) == told
