"""How two results differ, most important first."""

from dataclasses import replace
from functools import cache

import pytest

from cruxfinder import api
from cruxfinder.crux.compare import Difference, differences
from cruxfinder.crux.result import PrivatePosition, Result, result_of
from cruxfinder.kernel.vocabulary import Ending, Side, TopSide, Verdict
from tests.law.build import ANN, BOB, OTHER_QUESTIONS, QUESTION, Play, evidence, mind, update


@cache
def plain() -> Result:
    play = Play()
    play.to_end()
    return result_of(play.events)


def what(a: Result, b: Result) -> list[str]:
    return [d.what for d in differences(a, b)]


def test_a_result_does_not_differ_from_itself() -> None:
    assert differences(plain(), plain()) == ()
    again = api.debate("bitcoin", seed=1, run="r1").result
    assert differences(again, api.debate("bitcoin", seed=1, run="r2").result) == ()


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        pytest.param(
            {"topic": "Gold"}, Difference(what="topic", before="Bitcoin stores value", after="Gold"), id="topic"
        ),
        pytest.param(
            {"verdict": Verdict.RESOLVED}, Difference(what="verdict", before="crux", after="resolved"), id="verdict"
        ),
        pytest.param({"ending": Ending.TIME}, Difference(what="ending", before="natural", after="time"), id="ending"),
        pytest.param(
            {"primary_crux_question": None},
            Difference(what="primary crux", before=QUESTION, after=None),
            id="one run has no primary crux",
        ),
        pytest.param({"regime": "mixed"}, Difference(what="regime", before="polarized", after="mixed"), id="regime"),
        pytest.param({"run_id": "another", "seed": 9}, None, id="run and seed are no difference"),
    ],
)
def test_one_thing_that_differs(changed: dict[str, object], expected: Difference | None) -> None:
    other = replace(plain(), **changed)  # pyright: ignore[reportArgumentType]
    assert differences(plain(), other) == (() if expected is None else (expected,))


def test_the_verdict_comes_before_the_questions_and_these_before_positions() -> None:
    play = Play()
    play.to_lock((QUESTION, OTHER_QUESTIONS[0]))
    play.to_evidence()
    shown = play.post(ANN, evidence(BOB))
    play.minds[BOB] = mind(0.8)
    play.post(BOB, update(shown, Side.NO, Side.YES))
    play.probe()
    play.to_end()
    found = what(plain(), result_of(play.events))
    assert found == [
        "verdict",
        "regime",
        f"question: {OTHER_QUESTIONS[0]}",
        f"position: bob on {QUESTION}",
        "private P(top): bob",
    ]


def test_a_question_only_one_of_them_tested_has_nothing_on_the_other_side() -> None:
    play = Play()
    play.to_lock((QUESTION, OTHER_QUESTIONS[0]))
    play.to_end()
    other = result_of(play.events)
    there = Difference(
        what=f"question: {OTHER_QUESTIONS[0]}", before=None, after="tested, rank 1.45, share 1.00, DCG 0.90"
    )
    assert differences(plain(), other) == (there,)
    assert differences(other, plain()) == (replace(there, before=there.after, after=None),)


def test_a_changed_side_is_shown_as_a_step() -> None:
    play = Play()
    play.to_evidence()
    shown = play.post(ANN, evidence(BOB))
    play.post(BOB, update(shown, Side.NO, Side.UNCERTAIN))
    play.probe()
    play.to_end()
    found = {d.what: (d.before, d.after) for d in differences(plain(), result_of(play.events))}
    assert found == {f"position: bob on {QUESTION}": ("NO", "NO → UNCERTAIN")}


def test_private_positions_are_compared_to_two_places() -> None:
    held = plain().private_positions
    near = {**held, ANN: replace(held[ANN], p_top=held[ANN].p_top + 0.001)}
    far = {**held, ANN: replace(held[ANN], p_top=0.7)}
    assert differences(plain(), replace(plain(), private_positions=near)) == ()
    assert differences(plain(), replace(plain(), private_positions=far)) == (
        Difference(what="private P(top): ann", before="0.82 → 0.82", after="0.70 → 0.82"),
    )


def test_somebody_who_sat_in_one_of_them_only() -> None:
    held = plain().private_positions
    cat = PrivatePosition(p_top=0.4, side=TopSide.NO, reason="so", p_top_after=None)
    more = replace(plain(), private_positions={**held, "cat": cat})
    assert differences(plain(), more) == (Difference(what="private P(top): cat", before=None, after="0.40"),)


def test_different_packs_differ_in_everything_that_matters() -> None:
    found = what(api.debate("bitcoin", seed=2).result, api.debate("monolith", seed=2).result)
    assert found[:2] == ["topic", "primary crux"]
    assert any(w.startswith("question:") for w in found) and any(w.startswith("private") for w in found)


def test_a_question_weighed_in_two_threads_counts_where_it_was_chosen() -> None:
    [thread] = plain().threads
    weighed = replace(
        thread, id="t2", crux=None, tested=tuple(replace(t, chosen=False, rank=0.0) for t in thread.tested)
    )
    for threads in ((thread, weighed), (weighed, thread)):
        assert differences(plain(), replace(plain(), threads=threads)) == ()
