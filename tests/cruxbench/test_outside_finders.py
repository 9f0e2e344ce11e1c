"""Anybody's finder: what it is given, what may come back, and that whoever fails is scored as naming nothing."""

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

import cruxfinder as cf
from cruxfinder.cruxbench.dispute_records import DisputeRecord, NoAnswer, Remark, read_answer, record_line
from cruxfinder.cruxbench.finder_answers import FinderAnswer
from cruxfinder.cruxbench.outside_finders import BYTES_MAX, FinderProcess, read_command
from cruxfinder.cruxbench.planted_subjects import WorldSet
from cruxfinder.cruxbench.planted_worlds import draw_world
from cruxfinder.cruxbench.world_sketches import Kind
from cruxfinder.errors import BadInput

FEW: dict[str, Any] = {"worlds": 2, "kinds": ["one crux"], "noise": [0.1], "runs": 1, "of": "development"}
RECORD = DisputeRecord(
    id="abc", topic="Tea is better than coffee", people=("Ada", "Ben"), said=(Remark(who="Ada", text="Hm"),)
)

ECHO = """
import json, sys
print("started", file=open("starts.txt", "a"))
for line in sys.stdin:
    record = json.loads(line)
    asked = [said["question"] for said in record["said"] if said["question"]]
    print(json.dumps({"id": record["id"], "primary": asked[0], "sides": {record["people"][0]: "YES"}}), flush=True)
"""


def oracle(record: DisputeRecord) -> FinderAnswer:
    """It draws the worlds anew and so knows: what is right is scored as right."""
    for number in range(2):
        world = draw_world(WorldSet.DEVELOPMENT, 0, Kind.ONE_CRUX, number)
        if world.pack.topic == record.topic and {p.name for p in world.pack.personas} == set(record.people):
            asked = {p.id: p.question for p in world.pack.propositions}
            crux = world.truth.primary[0]
            sides = {p.name: world.truth.sides[p.id].value for p in world.pack.personas}
            on_crux = {p.name: world.truth.crux_sides[crux][p.id].value for p in world.pack.personas}
            named = tuple(asked[id] for id in world.truth.cruxes)
            return FinderAnswer(
                primary=asked[crux], cruxes=named, ending=world.truth.ending, sides=sides, crux_sides=on_crux
            )
    raise AssertionError(record.topic)


def test_a_function_stands_in_the_same_table() -> None:
    report = cf.bench(**FEW, finders={"oracle": oracle})
    measures = report.row("oracle").measures
    shares = {name: found.share for name, found in measures.items()}
    right = ("primary right", "cruxes found", "ending right", "sides right", "sides on crux right")
    assert shares == {**dict.fromkeys(right, 1.0), "false crux": 0.0}
    assert report.failures == ()
    assert report.row("cruxfinder").measures == cf.bench(**FEW).row("cruxfinder").measures


def test_a_record_tells_nothing_of_the_truth() -> None:
    """Neither kind nor number nor place of a proposition; private answers only where they are wanted."""
    seen: list[DisputeRecord] = []

    def listen(record: DisputeRecord) -> dict[str, object]:
        seen.append(record)
        return {"ending": "values"}

    cf.bench(**FEW, finders={"public": listen})
    cf.bench(**FEW, finders={"private": listen}, private=True)
    told = [json.loads(record_line(record)) for record in seen]
    assert all(set(one) == {"record", "id", "topic", "people", "said", "private"} for one in told)
    assert [one["private"] is None for one in told] == [True, True, False, False]
    assert all("one crux" not in line and '"p1"' not in line for line in map(record_line, seen))
    assert all(said["who"] in one["people"] for one in told for said in one["said"])
    private = told[-1]["private"]
    world = next(
        w
        for n in range(2)
        if (w := draw_world(WorldSet.DEVELOPMENT, 0, Kind.ONE_CRUX, n)).pack.topic == seen[-1].topic
        and len(w.pack.personas) == len(seen[-1].people)
    )
    assert {q["question"] for q in private["questions"]} == {p.question for p in world.pack.propositions}
    assert all(set(q["people"]) == set(seen[-1].people) == set(private["top"]) for q in private["questions"])


def test_a_program_is_started_once_a_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "echo.py").write_text(ECHO)
    monkeypatch.chdir(tmp_path)
    found = cf.bench(**{**FEW, "worlds": 4}, finders={"echo": f"{sys.executable} echo.py"}, keep="runs.jsonl")
    assert (tmp_path / "starts.txt").read_text().count("started") == 1
    assert found.failures == ()
    assert "primary right" in found.row("echo").measures
    again = cf.bench(**{**FEW, "worlds": 4}, finders={"echo": f"{sys.executable} echo.py"}, keep="runs.jsonl")
    assert again == found
    assert (tmp_path / "starts.txt").read_text().count("started") == 1  # nothing was left to ask


@pytest.mark.slow
def test_several_processes_ask_several_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "echo.py").write_text(ECHO)
    monkeypatch.chdir(tmp_path)
    named = {"echo": f"{sys.executable} echo.py"}
    assert cf.bench(**FEW, finders=named, jobs=2) == cf.bench(**FEW, finders=named)
    assert (tmp_path / "starts.txt").read_text().count("started") == 3


@pytest.mark.slow
def test_nothing_is_left_behind_when_the_benchmark_is_killed(tmp_path: Path) -> None:
    """Processes and programs it started share its output, which ends when the last of them does."""
    (tmp_path / "echo.py").write_text(ECHO)
    words = ["bench", "--worlds", "20", "--jobs", "2", "--keep", "runs.jsonl", "--finder", f"{sys.executable} echo.py"]
    command = [sys.executable, "-m", "cruxfinder", *words]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        late = Timer(60, process.kill)
        late.start()
        while process.poll() is None and len(lines_of(tmp_path / "runs.jsonl")) < 2:
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.1)
        process.kill()
        late.cancel()
        process.communicate(timeout=30)
    assert len(lines_of(tmp_path / "runs.jsonl")) >= 2


def lines_of(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


# ---- bad answers


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("not json", "no line of JSON"),
        ("[]", "no JSON object"),
        ("{}", "neither a primary question nor an ending"),
        ('{"primary": "Is it?", "crux": []}', "an answer has no 'crux'"),
        ('{"primary": 3}', "primary: "),
        ('{"ending": "a draw"}', "no ending 'a draw'"),
        ('{"primary": "Is it?", "sides": {"Zoe": "YES"}}', "nobody is called 'Zoe'"),
        ('{"primary": "Is it?", "sides": {"Ada": "MAYBE"}}', "sides.Ada: "),
        ('{"primary": "Is it?", "id": "xyz"}', "it answers record 'xyz'"),
        (json.dumps({"primary": "x" * 501}), "primary: "),
        (json.dumps({"primary": "Is it?", "cruxes": ["Is it?"] * 51}), "cruxes: "),
    ],
)
def test_a_bad_answer_is_told_in_a_sentence(given: str, told: str) -> None:
    with pytest.raises(NoAnswer, match=told):
        read_answer(given, RECORD)


def test_an_answer_may_be_short_and_names_its_primary_among_the_cruxes() -> None:
    short = read_answer('{"primary": " Is it? ", "cruxes": ["Was it?"], "cruxSides": {"Ada": "NO"}}', RECORD)
    assert short.cruxes == ("Is it?", "Was it?")
    assert short.crux_sides == {"Ada": "NO"}
    assert read_answer({"ending": "values", "crux_sides": {"Ada": "NO"}}, RECORD).ending == "values"


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("import sys; sys.exit(3)", "ended with code 3"),
        ("input(); print('half', end='')", "cut off"),
        (f"input(); print('x' * {BYTES_MAX + 10})", "longer than"),
        ("import time; time.sleep(60)", "within 0.5 seconds"),
        ("input(); print('no')", "no line of JSON"),
    ],
)
def test_a_program_that_fails_gives_no_answer_and_is_asked_again(program: str, told: str) -> None:
    with FinderProcess((sys.executable, "-c", program), 0.5 if "sleep" in program else 20.0) as process:
        for _ in range(2):
            with pytest.raises(NoAnswer, match=told):
                process.ask(RECORD)


def test_a_line_too_many_is_not_taken_for_the_next_answer() -> None:
    twice = 'import sys\nfor _ in sys.stdin:\n    print(\'{"ending": "values"}\\n{"ending": "crux"}\', flush=True)'
    with FinderProcess((sys.executable, "-c", twice), 20.0) as process:
        assert process.ask(RECORD).ending == "values"
        with pytest.raises(NoAnswer, match="before it was asked"):
            process.ask(RECORD)
        assert process.ask(RECORD).ending == "values"  # it was started anew


def test_whoever_fails_is_scored_as_naming_nothing_and_counted() -> None:
    seen: list[str] = []

    def fails_once(record: DisputeRecord) -> FinderAnswer:
        seen.append(record.id)
        if len(seen) == 1:
            raise ValueError("no idea")
        return oracle(record)

    report = cf.bench(**FEW, finders={"mine": fails_once})
    row = report.row("mine").measures
    assert [(f.finder, f.failed, f.of, f.first) for f in report.failures] == [
        ("mine", 1, 2, "it raised ValueError: no idea")
    ]
    for what in ("primary right", "ending right", "sides right"):  # an ending it did not give is a wrong one
        assert (row[what].share, row[what].of) == (0.5, 2)
    assert row["false crux"].share == 0.0


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"finders": {"x": "no-such-program-anywhere"}}, "cannot be started"),
        ({"finders": {"random": "true"}}, "already"),
        ({"finders": {"": "true"}}, "name of a finder"),
        ({"finders": {"x": "'"}}, "cannot be read"),
        ({"finders": {"x": "true"}, "seconds": 0}, "seconds for an answer"),
    ],
)
def test_finders_that_cannot_be_asked_are_refused_at_once(given: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        cf.bench(**{**FEW, **given})


def test_a_command_goes_by_its_name_or_by_the_programs() -> None:
    assert (read_command("my own=./find.sh --fast").name, read_command("bin/find --fast").name) == ("my own", "find")
    assert read_command("my own=./find.sh --fast").command == ("./find.sh", "--fast")
