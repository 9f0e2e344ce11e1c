"""A debate repeated with other seeds: the runs themselves, the report for people, and the same as JSON."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from cruxfinder.adapters.embeddings.embedders import embedder
from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.adapters.stores.sqlite_store import SqliteStore
from cruxfinder.app import repeats, run_starts, stored_runs
from cruxfinder.cli import stability_view
from cruxfinder.crux.stability import Stability, stability_of
from cruxfinder.errors import BadInput, DebaterFault
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import Ending, Verdict
from cruxfinder.ports import Store
from cruxfinder.protocols.any_run import Finished
from tests.whole.test_stability import PAID, QUIET, TRADE, TRADE_AGAIN, run

PACK = pack_finder.find("free-will")[0]


async def repeated(
    seeds: tuple[int, ...],
    *,
    store: Store | None = None,
    at_once: int = repeats.AT_ONCE,
    settings: Settings = Settings(),
) -> Stability:
    place = MemoryStore() if store is None else store

    async def start(seed: int) -> Finished:
        return await run_starts.start(PACK, place, seed=seed, settings=settings, run=f"run-{seed}")

    return await repeats.repeat(start, seeds, embedder(), at_once=at_once)


@cache
def three() -> Stability:
    return asyncio.run(repeated((0, 1, 2)))


@cache
def mixed() -> Stability:
    """Runs that do not agree."""
    runs = (
        run(0, TRADE, PAID),
        run(1, PAID, TRADE_AGAIN),
        run(3, TRADE),
        run(5, verdict=Verdict.VALUES),
        replace(run(8, TRADE, verdict=Verdict.UNDECIDED, locked=False), ending=Ending.TIME),
        run(9, QUIET),
    )
    return stability_of("The tram", runs, embedder())


def page(found: Stability, width: int = 80, suffix: str = "") -> str:
    return "\n".join(line.plain for line in stability_view.lines(found, width, suffix))


def flat(text: str) -> str:
    return " ".join(text.split())


# ---------------------------------------------------------------- the runs


@pytest.mark.rule("PLUS-7")
@pytest.mark.parametrize("runs", [1, 0, -1, 101, 2.5, True])
def test_a_debate_is_repeated_in_2_to_100_runs(runs: int) -> None:
    with pytest.raises(BadInput, match="2 to 100 runs"):
        repeats.seeds_from(0, runs)
    assert repeats.seeds_from(7, 2) == (7, 8)
    assert len(repeats.seeds_from(0, 100)) == 100


@pytest.mark.parametrize(
    ("seeds", "at_once", "why"),
    [
        pytest.param((4,), 4, "2 to 100 runs", id="one run"),
        pytest.param(tuple(range(101)), 4, "2 to 100 runs", id="too many runs"),
        pytest.param((4, 5, 4), 4, "same seed", id="a seed twice"),
        pytest.param((4, 5), 0, "at once", id="none at once"),
    ],
)
def test_what_cannot_be_repeated_starts_nothing(seeds: tuple[int, ...], at_once: int, why: str) -> None:
    store = MemoryStore()
    with pytest.raises(BadInput, match=why):
        asyncio.run(repeated(seeds, store=store, at_once=at_once))
    assert store.rows() == ()


@pytest.mark.rule("PLUS-7")
def test_every_run_is_kept_and_told_by_its_seed(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "runs.db")
    found = asyncio.run(repeated((5, 3, 4), store=store))
    assert [(o.seed, o.run_id) for o in found.outcomes] == [(3, "run-3"), (4, "run-4"), (5, "run-5")]
    assert {row.id: row.state for row in store.rows()} == {f"run-{n}": "complete" for n in (3, 4, 5)}
    assert found.topic == PACK.topic and found.runs == 3
    questions = {stored_runs.load_run(o.run_id, store).result.primary_crux_question for o in found.outcomes}
    assert found.primary_crux_question in questions
    store.close()


def test_runs_side_by_side_come_to_what_they_come_to_one_by_one() -> None:
    assert asyncio.run(repeated((0, 1, 2), at_once=1)) == asyncio.run(repeated((2, 1, 0), at_once=3)) == three()


def test_runs_cut_short_count_in_the_whole() -> None:
    found = asyncio.run(repeated((0, 1), settings=Settings(max_messages=5)))
    assert (found.without_crux, found.recurrence.runs, found.primary_crux) == (2, 0, None)
    assert found.verdicts == {"undecided": 2} and found.endings == {"messages": 2}
    assert "None of the 2 runs found a crux." in page(found)


@pytest.mark.parametrize("at_once", [1, 2, 4])
def test_no_more_runs_go_on_at_once_than_asked_for(at_once: int) -> None:
    finished = asyncio.run(run_starts.start(PACK, MemoryStore()))
    going, most, ended = 0, 0, list[int]()

    async def start(seed: int) -> Finished:
        nonlocal going, most
        going += 1
        most = max(most, going)
        for _ in range(20 - seed):  # the later a run starts the sooner it ends
            await asyncio.sleep(0)
        going -= 1
        ended.append(seed)
        return replace(finished, outcome=replace(finished.result, seed=seed))

    heard: list[int] = []
    seeds = tuple(range(8))
    found = asyncio.run(
        repeats.repeat(start, seeds, embedder(), at_once=at_once, heard=lambda ended: heard.append(ended.result.seed))
    )
    assert most == at_once
    assert heard == ended
    assert [o.seed for o in found.outcomes] == list(seeds)
    assert (ended == list(seeds)) == (at_once == 1)


def test_a_run_that_breaks_ends_the_others_and_says_why() -> None:
    begun, left = list[int](), list[int]()

    async def start(seed: int) -> Finished:
        begun.append(seed)
        if seed == 1:
            raise DebaterFault("nobody answers")
        try:
            await asyncio.Event().wait()
        finally:
            left.append(seed)
        raise AssertionError

    with pytest.raises(DebaterFault, match="nobody answers"):
        asyncio.run(repeats.repeat(start, range(10), embedder(), at_once=3))
    assert begun[:3] == [0, 1, 2]
    assert sorted(left) == sorted(seed for seed in begun if seed != 1)


# ---------------------------------------------------------------- the report


@pytest.mark.parametrize("width", [40, 60, 80, 110])
@pytest.mark.parametrize("found", [three, mixed])
def test_the_report_fits_its_width_and_loses_no_question(found: Callable[[], Stability], width: int) -> None:
    report = found()
    text = page(report, width)
    assert max(map(len, text.splitlines())) <= width
    for crux in report.cruxes:
        assert all(flat(wording.question) in flat(text).replace("or: ", "") for wording in crux.wordings)


def test_the_report_says_how_often_and_how_sure() -> None:
    text = flat(page(three()))
    assert "It is the primary crux in 3 of 3 runs: 100%, 95% interval 44% to 100%." in text
    assert "3 runs are too few to tell whether more than half of all seeds lead to it." in text
    assert "3 runs, seeds 0 to 2" in text
    assert "It was locked in" not in text and "found no crux" not in text and "Ended early" not in text


def test_a_report_of_runs_that_disagree_hides_nothing() -> None:
    text = page(mixed(), suffix=" --store other.db")
    assert "6 runs, seeds 0, 1, 3, 5, 8, 9" in text
    assert "It is the primary crux in 3 of 6 runs: 50%" in text
    assert "It was locked in 3 of the 4 runs that found it." in text
    assert "1 run found no crux and counts among the 6." in text
    assert "Ended early: 1 (time)." in text
    assert f"or: {TRADE_AGAIN}" in flat(text)
    rows = [line.split() for line in text.splitlines() if line.split()[1:2] in (["r1"], ["r5"], ["r8"])]
    assert rows == [["1", "r1", "crux", "#2", "#1"], ["5", "r5", "values", "none"],
                    ["8", "r8", "undecided", "(time)", "#1"]]  # fmt: skip
    assert text.endswith("crux show r0 --store other.db")


@pytest.mark.parametrize(
    ("first", "of", "said"),
    [
        pytest.param(9, 10, "More than half of all seeds can be expected to lead to it.", id="surely most"),
        pytest.param(5, 10, "too few to tell", id="perhaps most"),
        pytest.param(20, 90, "Less than half of all seeds can be expected to lead to it", id="surely not most"),
    ],
)
def test_the_reading_goes_no_further_than_the_interval(first: int, of: int, said: str) -> None:
    others = [f"Is planet number {n} made of {stuff}?" for n, stuff in enumerate("iron ice gas salt".split())]
    runs = [run(seed, TRADE if seed < first else others[seed % 4]) for seed in range(of)]
    found = stability_of("The tram", runs, embedder("keyword"))
    assert found.primary_crux_question == TRADE
    assert said in flat(page(found))


def test_a_tie_is_told() -> None:
    assert "#2 is primary as often:" in page(stability_of("T", (run(0, TRADE), run(1, PAID)), embedder()))
    three_ways = stability_of("T", (run(0, TRADE), run(1, PAID), run(2, QUIET)), embedder())
    assert "#2 and #3 are primary as often:" in page(three_ways)


def test_of_many_runs_only_those_that_came_to_something_else_are_listed() -> None:
    runs = [run(seed, PAID if seed in (7, 30) else TRADE) for seed in range(40)]
    text = page(stability_of("The tram", runs, embedder()))
    listed = text[text.index("RUNS THAT CAME TO SOMETHING ELSE") :]
    assert [line.split()[1] for line in listed.splitlines()[2:4]] == ["r7", "r30"]
    assert "r8 " not in listed
    assert "RUNS THAT" not in page(stability_of("The tram", [run(n, TRADE) for n in range(40)], embedder()))


def test_a_text_cannot_steer_the_terminal() -> None:
    sly = "Does \x1b[2Jthe tram\u202e bring trade?"
    text = page(stability_of("\x1b[31mThe tram", (run(0, sly), run(1, sly)), embedder()))
    assert "\x1b" not in text and "\u202e" not in text


@pytest.mark.rule("PLUS-7")
def test_the_json_has_the_whole_report(capsys: pytest.CaptureFixture[str]) -> None:
    stability_view.show(mixed(), json=True)
    said = json.loads(capsys.readouterr().out)
    assert said["runs"] == 6 and said["withoutCrux"] == 1 and said["primaryCruxQuestion"] == TRADE
    assert said["recurrence"] == {"runs": 3, "share": 0.5, "low": 0.1876, "high": 0.8124}
    assert said["verdicts"] == {"crux": 4, "undecided": 1, "values": 1}
    assert [crux["primary"]["runs"] for crux in said["cruxes"]] == [3, 1, 1]
    assert said["cruxes"][0]["wordings"] == [{"question": TRADE, "runs": 3}, {"question": TRADE_AGAIN, "runs": 1}]
    assert said["outcomes"][1] == {
        "runId": "r1",
        "seed": 1,
        "verdict": "crux",
        "ending": "natural",
        "primary": 2,
        "cruxes": [2, 1],
    }


def test_in_a_pipe_the_report_is_plain_text(capsys: pytest.CaptureFixture[str]) -> None:
    stability_view.show(mixed(), json=False)
    said = capsys.readouterr().out
    assert "\x1b" not in said and "PRIMARY CRUX" in said and flat(TRADE) in flat(said)
    assert max(map(len, said.splitlines())) <= stability_view.PLAIN_WIDTH


def test_progress_is_told_beside_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    finished = asyncio.run(run_starts.start(PACK, MemoryStore(), seed=3, run="r3"))
    progress = stability_view.RunProgress(5)
    progress.hear(finished)
    progress.hear(finished)
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines() == ["run 1 of 5: seed 3, crux, r3", "run 2 of 5: seed 3, crux, r3"]
