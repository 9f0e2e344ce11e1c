"""Every figure of a run is what its definition says, counted here from the raw log and from nothing else."""

import json
from collections import Counter
from dataclasses import asdict, fields

import pytest

from cruxfinder.app.stored_runs import outcome_of
from cruxfinder.crux.result import Result
from cruxfinder.kernel import wire
from cruxfinder.ports import NOTHING
from cruxfinder.protocols.registry import fold
from cruxfinder.telling.figures import Figures, count_said, definitions, figure_text, figures_of
from tests.golden.logs import all_stored, events_of

LOGS = all_stored()


def told(name: str, most: int | None = None) -> Figures:
    events = events_of(name)[:most]
    return figures_of(outcome_of(events, fold(events), name, NOTHING))


def raw(name: str, most: int | None = None) -> list[dict[str, object]]:
    return [json.loads(json.dumps(wire.plain_value(event))) for event in events_of(name)[:most]]


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize("half", [True, False], ids=["half of it", "all of it"])
def test_figures_are_counts_over_the_log(name: str, half: bool) -> None:
    most = len(events_of(name)) // 2 + 1 if half else None
    log, found = raw(name, most), told(name, most)
    kinds = Counter(str(event["kind"]) for event in log)
    refused = [event for event in log if event["kind"] in ("message_refused", "turn_refused")]
    outcomes = Counter(str(event.get("outcome", "revise")) for event in refused)
    assert found.messages == kinds["message_posted"]
    assert found.turns == kinds["turn_spoken"]
    assert found.interventions == kinds["moderator_intervention"]
    assert found.refusals == len(refused) - outcomes["held"]
    assert (found.held, found.dropped) == (outcomes["held"], outcomes["dropped"])
    assert found.threads == kinds["thread_created"]
    assert (found.lock_tries, found.locks) == (kinds["lock_succeeded"] + kinds["lock_failed"], kinds["lock_succeeded"])
    assert (found.steelmans, found.failures) == (kinds["steelman_attempt"], kinds["ask_failed"])
    assert count_said(fold(events_of(name)[:most])) == found.messages + found.turns


@pytest.mark.parametrize("name", LOGS)
def test_a_question_has_one_set_of_figures(name: str) -> None:
    events = events_of(name)
    result = outcome_of(events, fold(events), name, NOTHING)
    for thread in result.threads if isinstance(result, Result) else ():
        if thread.crux is None:
            continue
        (row,) = [t for t in thread.tested if t.id == thread.crux.id]
        crux = thread.crux
        assert (row.rank, row.explained_share, row.dcg, row.gap_closed) == (
            crux.rank,
            crux.explained_share,
            crux.dcg,
            crux.gap_closed,
        )
        assert row.would_flip == crux.would_flip
        assert {agent for agent, c in crux.counterfactual.items() if c.would_flip} == set(crux.would_flip)


def test_who_takes_no_side_is_not_said_to_change_it() -> None:
    """Eight answered in private and four of them committed: the crux, its verdict and every surface say four."""
    events = events_of("split")
    result = outcome_of(events, fold(events), "split", NOTHING)
    assert isinstance(result, Result)
    assert figures_of(result).flips == 4
    assert "4 would change their top claim" in result.why
    assert "4 would change their top claim" in result.primary_crux_reason


def test_every_figure_is_defined() -> None:
    known = {d.name: d for d in definitions()}
    assert set(known) == {field.name for field in fields(Figures)}
    assert all(d.one and d.many and d.meaning.endswith(".") for d in known.values())
    some = Figures(refusals=1, messages=2)
    assert (figure_text(some, "refusals"), figure_text(some, "messages")) == ("1 draft sent back", "2 messages")
    assert all(isinstance(value, int) for value in asdict(some).values())
