"""Written cases: the ones that come along are coherent, a finder sees no truth, and a broken case is refused."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import cruxfinder as cf
from cruxfinder.crux.law.probes import CampMeans, explained_share, mean
from cruxfinder.cruxbench.dispute_records import DisputeRecord
from cruxfinder.cruxbench.text_finders import TEXT_BASELINES
from cruxfinder.cruxbench.written_cases import CaseQuestion, CaseTruth, WrittenCase, read_cases
from cruxfinder.errors import BadInput
from cruxfinder.kernel.vocabulary import TopSide

CASES = Path(__file__).parents[2] / "bench" / "cases"
OFF_MAX = 0.05  # between what somebody holds of a question and of the topic
DECOY_MAX = 0.10  # of the gap


@pytest.fixture(scope="module", params=read_cases(CASES), ids=lambda case: case.name)
def case(request: pytest.FixtureRequest) -> WrittenCase:
    found: WrittenCase = request.param
    return found


def share(truth: CaseTruth, item: CaseQuestion) -> float | None:
    """The part of the gap a question explains, as the law counts it."""
    camps = [[n for n, p in truth.people.items() if p.side is side] for side in (TopSide.YES, TopSide.NO)]
    if not all(camps):
        return None
    yes, no = (
        CampMeans(
            c=mean([item.people[n].p_yes for n in camp]),
            p1=mean([item.people[n].top_if_yes for n in camp]),
            p0=mean([item.people[n].top_if_no for n in camp]),
        )
        for camp in camps
    )
    return explained_share(
        yes, no, mean([truth.people[n].top for n in camps[0]]) - mean([truth.people[n].top for n in camps[1]])
    )


def test_what_people_hold_adds_up(case: WrittenCase) -> None:
    for item in (*case.truth.cruxes, *case.truth.decoys):
        for name, held in item.people.items():
            implied = held.p_yes * held.top_if_yes + (1 - held.p_yes) * held.top_if_no
            assert implied == pytest.approx(case.truth.people[name].top, abs=OFF_MAX), (item.question, name)


def test_cruxes_explain_the_gap_and_decoys_do_not(case: WrittenCase) -> None:
    cruxes, decoys = ([share(case.truth, i) for i in items] for items in (case.truth.cruxes, case.truth.decoys))
    assert all(found is None or abs(found) < DECOY_MAX for found in decoys)
    assert len(decoys) >= 3
    told = [found for found in cruxes if found is not None]
    match case.truth.ending:
        case "no real disagreement":
            assert not cruxes
        case "several facts":
            assert len(told) >= 4 and all(0.15 <= found <= 0.25 for found in told)
        case _:
            assert told and max(told) >= 0.3 and sum(told) > 0.5


def test_quotes_of_the_truth_stand_in_the_texts(case: WrittenCase) -> None:
    def flat(text: str) -> str:
        return " ".join(text.replace("\n> ", " ").split())

    written = {name: flat(" ".join(r.text for r in case.said if r.who == name)) for name in case.people}
    evidence = json.loads((CASES / case.name / "truth.json").read_text())["evidence"]
    assert evidence and all(flat(quote["quote"]) in written[quote["who"]] for quote in evidence)


def test_all_kinds_of_endings_come_up() -> None:
    assert {case.truth.ending for case in read_cases(CASES)} == {
        "crux", "several facts", "values", "definitions", "no real disagreement",
    }  # fmt: skip


def test_a_right_answer_is_scored_as_right_and_a_decoy_as_one() -> None:
    truths = {case.topic: case.truth for case in read_cases(CASES)}
    shown: list[DisputeRecord] = []

    def knows(record: DisputeRecord) -> dict[str, object]:
        shown.append(record)
        truth = truths[record.topic]
        named = [item.question for item in truth.cruxes]
        sides = {name: person.side.value for name, person in truth.people.items()}
        return {"primary": named[0] if named else None, "cruxes": named, "ending": truth.ending, "sides": sides}

    def trapped(record: DisputeRecord) -> dict[str, object]:
        return {"primary": truths[record.topic].decoys[0].question}

    report = cf.bench(cases=CASES, runs=1, finders={"knows": knows, "trapped": trapped})
    assert {row.finder for row in report.rows} == {"knows", "trapped", *TEXT_BASELINES}
    told = {name: found.share for name, found in report.row("knows").measures.items()}
    right = ("primary right", "cruxes found", "ending right", "sides right")
    assert told == {**dict.fromkeys(right, 1.0), "false crux": 0.0, "decoy named": 0.0}
    wrong = report.row("trapped").measures
    assert (wrong["primary right"].share, wrong["decoy named"].share, wrong["false crux"].share) == (0.0, 1.0, 1.0)
    assert report.row("knows", "oat-mill").measures["cruxes found"].share == 1.0
    for record in shown:
        truth = truths[record.topic]
        assert record.private is None
        assert not any(i.question in remark.text for i in (*truth.cruxes, *truth.decoys) for remark in record.said)


def test_a_thread_is_read_post_by_post() -> None:
    thread = next(case for case in read_cases(CASES) if case.name == "old-plugin-interface")
    assert 25 <= len(thread.said) <= 35
    assert {remark.who for remark in thread.said} == set(thread.people)
    assert not any("**" in remark.text for remark in thread.said)


def test_a_kept_answer_is_not_asked_for_again_unless_the_case_changed(tmp_path: Path) -> None:
    shutil.copytree(CASES / "night-sort", tmp_path / "cases" / "night-sort")
    asked: list[str] = []

    def finder(record: DisputeRecord) -> dict[str, object]:
        asked.append(record.id)
        return {"ending": "crux"}

    def run() -> None:
        cf.bench(cases=tmp_path / "cases", runs=2, finders={"mine": finder}, keep=tmp_path / "runs.jsonl")

    run()
    run()
    assert len(asked) == len(set(asked)) == 2
    with (tmp_path / "cases" / "night-sort" / "memos" / "Meike.md").open("a") as memo:
        memo.write("\nOne more thing.\n")
    run()
    assert len(set(asked)) == 4


def without(truth: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in truth.items() if name != key}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda truth: without(truth, "cruxes"), "cruxes: "),
        (lambda truth: {**truth, "topic": "Another topic."}, "different topics"),
        (lambda truth: {**truth, "ending": "a draw"}, "no ending 'a draw'"),
        (lambda truth: {**truth, "people": without(truth["people"], "Meike")}, "are not the people"),
        (lambda truth: {**truth, "cruxes": [{**truth["cruxes"][0], "people": {}}]}, "of everybody"),
        (lambda truth: {**truth, "people": {**truth["people"], "Meike": {"top": 2, "side": "YES"}}}, "people.Meike"),
    ],
)
def test_a_broken_case_is_refused(tmp_path: Path, change: Any, told: str) -> None:
    place = tmp_path / "night-sort"
    shutil.copytree(CASES / "night-sort", place)
    path = place / "truth.json"
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    with pytest.raises(BadInput, match=told):
        read_cases(tmp_path)


def test_a_folder_without_cases_is_refused(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(BadInput, match="cases"):
            cf.bench(cases=place)
    (tmp_path / "truth.json").write_text("{")
    with pytest.raises(BadInput, match="cannot be read"):
        cf.bench(cases=tmp_path)
