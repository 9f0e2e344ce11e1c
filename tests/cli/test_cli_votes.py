"""`crux votes`: one table, a folder of them, a Polis export, and bad files that hide no good ones."""

import json
import shutil
from pathlib import Path

import pytest

from cruxfinder.cli import exits
from tests.cli.conftest import Crux
from tests.cli.terminal import in_terminal, plainly
from tests.tables.tables import drawn, write

TOWN = Path(__file__).parent.parent.parent / "docs" / "assets" / "town-votes.csv"
WORDS = {1: "YES", -1: "NO", 0: "UNCERTAIN", 2: ""}


def saved(path: Path, seed: int, sizes: tuple[int, ...], questions: int) -> Path:
    table = drawn(seed, sizes, questions)
    rows = [
        ",".join((agent, *(WORDS[v] for v in row)))
        for agent, row in zip(table.agents, table.votes.tolist(), strict=True)
    ]
    return write(path, ",".join(("agent", *table.questions)), *rows)


def test_one_table_gives_one_object(crux: Crux) -> None:
    said = json.loads(crux("votes", str(TOWN), "--json").out)
    assert said["agents"]["Alder"]["coalition"] == said["agents"]["Elm"]["coalition"] == 1
    assert said["agents"]["Fir"]["coalition"] == said["agents"]["Linden"]["coalition"] == 2
    assert said["agents"]["Maple"] == {"coalition": None, "votes": 1}
    assert [camp["size"] for camp in said["coalitions"]] == [4, 4]
    assert {crux["id"] for crux in said["cruxes"][:2]} == {"bridge", "market"}
    assert [held["id"] for held in said["commonGround"]] == ["library", "street-lamps"]
    assert said["why"] is None


def test_a_folder_gives_a_line_a_file_and_a_bad_one_hides_none(crux: Crux, tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()
    saved(folder / "a.csv", 1, (4, 4), 10)
    write(folder / "b.csv", "agent,q1", "x,maybe")
    saved(folder / "c.csv", 2, (5, 4), 10)
    said = crux("votes", str(folder), "--json")
    first, second, third = (json.loads(line) for line in said.out.splitlines())
    assert [Path(line["file"]).name for line in (first, second, third)] == ["a.csv", "b.csv", "c.csv"]
    assert second["line"] == 2 and "'maybe'" in second["error"]
    assert len(first["coalitions"]) == len(third["coalitions"]) == 2
    assert said.code == exits.BAD_INPUT
    assert said.err.startswith("crux: ") and said.err.count("\n") == 1


def test_a_polis_export_is_one_table_with_its_texts(crux: Crux, tmp_path: Path) -> None:
    table = drawn(3, (30, 20), 12)
    rows = [",".join((str(n), "0", *map(str, row))) for n, row in enumerate(table.votes.tolist())]
    write(tmp_path / "participants-votes.csv", "participant,group-id," + ",".join(map(str, range(12))), *rows)
    write(tmp_path / "comments.csv", "comment-id,comment-body", *(f"{n},Plant tree number {n}" for n in range(12)))
    write(tmp_path / "summary.csv", "topic,Trees")
    (line,) = crux("votes", str(tmp_path), "--json").out.splitlines()
    assert len(json.loads(line)["coalitions"]) == 2 and json.loads(line)["title"] == "Trees"
    told = crux("votes", str(tmp_path)).out
    assert told.startswith("Trees\n50 people · 12 questions")
    assert "Plant tree number" in told and "WHO VOTED HOW" not in told


@pytest.mark.parametrize(
    ("make", "told"),
    [
        pytest.param(lambda p: p / "none.csv", "there is no such file", id="no file"),
        pytest.param(lambda p: p, "there is no CSV file in this folder", id="an empty folder"),
        pytest.param(lambda p: write(p / "t.csv", "agent,q1", "a,1", "a,1"), "line 3: the agent 'a'", id="a bad file"),
    ],
)
def test_bad_input_gets_one_sentence(crux: Crux, tmp_path: Path, make, told: str) -> None:
    said = crux("votes", str(make(tmp_path)))
    assert said.code == exits.BAD_INPUT and said.out == ""
    assert said.err.startswith("crux: ") and said.err.count("\n") == 1 and told in said.err


def test_plain_text_fits_and_has_no_colour(crux: Crux) -> None:
    told = crux("votes", str(TOWN)).out
    assert "\x1b" not in told
    assert max(map(len, told.splitlines())) <= 96
    for part in ("COALITIONS", "WHAT DIVIDES THEM", "COMMON GROUND", "WHO VOTED HOW", "in no coalition: Maple"):
        assert part in told


@pytest.mark.parametrize("columns", [60, *(pytest.param(n, marks=pytest.mark.slow) for n in (80, 140))])
def test_a_terminal_of_any_width_is_kept_to(tmp_path: Path, columns: int) -> None:
    path = saved(tmp_path / "wide.csv", 4, (8, 6, 5), 40)
    with in_terminal(tmp_path / "runs.db", "votes", str(path), columns=columns) as terminal:
        assert terminal.end() == exits.OK
    assert "\x1b[" in terminal.seen
    assert max(map(len, plainly(terminal.seen).splitlines())) <= columns


def test_no_color_is_respected(tmp_path: Path) -> None:
    with in_terminal(tmp_path / "runs.db", "votes", str(TOWN), extra={"NO_COLOR": "1"}) as terminal:
        assert terminal.end() == exits.OK
    assert "38;5" not in terminal.seen and "COALITIONS" in terminal.seen


def test_names_cannot_move_the_cursor(crux: Crux, tmp_path: Path) -> None:
    path = shutil.copy(TOWN, tmp_path / "t.csv")
    Path(path).write_text(TOWN.read_text().replace("Alder", "Al\x1b[2Jder"), encoding="utf-8")
    assert "\x1b" not in crux("votes", str(path)).out


def test_a_table_of_credences_is_known_by_its_header_and_shown_as_one(crux: Crux, tmp_path: Path) -> None:
    rows = [
        f"{agent},{top},{asked},{credence},0.9,0.1"
        for agent, top, credence in (("Ann", 0.9, 0.95), ("Ben", 0.85, 0.9), ("Cleo", 0.1, 0.05), ("Dan", 0.2, 0.1))
        for asked in ("The river rises",)
    ]
    path = write(tmp_path / "credences.csv", "agent,top,proposition,credence,top_if_true,top_if_false", *rows)
    assert crux("votes", str(path), "--json").out == crux("credences", str(path), "--json").out
    assert crux("votes", str(path)).out == crux("credences", str(path)).out
