"""Tables are read strictly: every spelling of a vote, and every fault with its line."""

from pathlib import Path

import pytest

from cruxfinder.adapters.tables import vote_files
from cruxfinder.errors import BadTable
from cruxfinder.tables.votes.vote_table import MISSING, from_mapping
from tests.tables.tables import write


@pytest.mark.parametrize(
    ("cells", "vote"),
    [
        pytest.param(("YES", "yes", "agree", "Agree", "1", "1.0", "+1", " yes "), 1, id="yes"),
        pytest.param(("NO", "no", "disagree", "-1", "-1.0"), -1, id="no"),
        pytest.param(("UNCERTAIN", "pass", "0", "0.0", "neutral"), 0, id="uncertain"),
        pytest.param(("", " "), MISSING, id="no vote"),
    ],
)
def test_a_vote_may_be_written_in_many_ways(tmp_path: Path, cells: tuple[str, ...], vote: int) -> None:
    path = write(tmp_path / "t.csv", "agent," + ",".join(f"q{n}" for n in range(len(cells))), "a," + ",".join(cells))
    assert vote_files.read(path).votes.tolist() == [[vote] * len(cells)]


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_cells_may_be_separated_in_three_ways_and_a_byte_order_mark_is_nothing(tmp_path: Path, mark: str) -> None:
    path = write(tmp_path / "t.csv", "\ufeffagent,q1,q2".replace(",", mark), "", "Ann,1,0".replace(",", mark))
    table = vote_files.read(path)
    assert (table.agents, table.questions, table.votes.tolist()) == (("Ann",), ("q1", "q2"), [[1, 0]])


BAD = [
    pytest.param("agent,q1\na,1\nb,1,1\n", 3, "the row has 3 cells, the header 2 cells", id="a ragged row"),
    pytest.param("agent,q1\na,1\n\na,0\n", 4, "'a' is there twice, first on line 2", id="an agent twice"),
    pytest.param("agent,q1,q2\na,1,maybe\n", 2, "'maybe' under 'q2' is no vote", id="an unknown value"),
    pytest.param("agent,q1\na,2\n", 2, "'2' under 'q1' is no vote", id="an unknown number"),
    pytest.param("agent,q1,q1\na,1,1\n", 1, "the question 'q1' is there twice", id="a question twice"),
    pytest.param("agent,,q1\na,1,1\n", 1, "column 2 has no name", id="a question without a name"),
    pytest.param("agent\na\n", 1, "there is no column with a question", id="no question"),
    pytest.param("participant,group-id\n1,0\n", 1, "there is no column with a question", id="no comment"),
    pytest.param("agent,q1\n", 1, "there is no agent", id="no agent"),
    pytest.param("agent,q1\n ,1\n", 2, "the agent has no name", id="an agent without a name"),
    pytest.param("name,q1\na,1\n", 1, "the first column is 'name'", id="no agent column"),
    pytest.param('agent,q1\na,1\nb,"1\n', 3, "this is no CSV", id="an open quote"),
    pytest.param("", 1, "the file is empty", id="an empty file"),
]


@pytest.mark.parametrize(("text", "line", "told"), BAD)
def test_a_fault_is_told_with_its_line(tmp_path: Path, text: str, line: int, told: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadTable) as bad:
        vote_files.read(path)
    assert bad.value.line == line
    assert told in bad.value.fault
    assert str(bad.value) == f"{path}, line {line}: {bad.value.fault}"


@pytest.mark.parametrize(
    ("data", "line", "told"),
    [
        pytest.param(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", 1, "UTF-8", id="a picture"),
        pytest.param(b"PK\x03\x04\x00\x00", 1, "binary", id="an archive"),
        pytest.param(b"agent,q1\na,1\nb,\x00\n", 3, "binary", id="a zero byte later on"),
        pytest.param("agent,q1\nJürgen,1\n".encode("latin-1"), 2, "not UTF-8", id="another encoding"),
        pytest.param(b"x" * (vote_files.LINE_MAX + 2), 1, "longer than 4 MB", id="an endless line"),
    ],
)
def test_what_is_no_text_is_told_at_once(tmp_path: Path, data: bytes, line: int, told: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(data)
    with pytest.raises(BadTable) as bad:
        vote_files.read(path)
    assert bad.value.line == line and told in bad.value.fault


def test_a_file_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    with pytest.raises(BadTable, match="line 1: the file has 200 MB, more than the 100 MB"):
        vote_files.read(path)


def test_a_table_with_too_many_votes_is_refused_where_they_become_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vote_files, "CELLS_MAX", 5)
    with pytest.raises(BadTable, match="line 4: the table has more than 5 votes"):
        vote_files.read(write(tmp_path / "t.csv", "agent,q1,q2", "a,1,1", "b,1,1", "c,1,1"))


def test_no_file_and_a_folder_without_tables_are_told(tmp_path: Path) -> None:
    with pytest.raises(BadTable, match="there is no such file"):
        vote_files.read(tmp_path / "nowhere.csv")
    with pytest.raises(BadTable, match="there is no CSV file in this folder"):
        vote_files.tables_in(tmp_path)


def test_a_polis_export_brings_its_texts_and_topic(tmp_path: Path) -> None:
    write(tmp_path / "participants-votes.csv", "participant,xid,group-id,n-votes,0,1", "4,,0,2,1,-1", "7,x,,1,,0")
    write(tmp_path / "comments.csv", "timestamp,comment-id,comment-body", '1,1,"Open it, soon"', "2,0,Close it")
    write(tmp_path / "summary.csv", "topic,The bridge", "url,none")
    (path,) = vote_files.tables_in(tmp_path)
    table = vote_files.read(path)
    assert table.agents == ("4", "7") and table.questions == ("0", "1")
    assert table.votes.tolist() == [[1, -1], [MISSING, 0]]
    assert table.texts == {"0": "Close it", "1": "Open it, soon"} and table.title == "The bridge"


def test_a_mapping_is_read_by_the_same_words() -> None:
    table = from_mapping({"a": {"q1": "YES", "q2": 0}, "b": {"q2": -1, "q3": None}})
    assert table.questions == ("q1", "q2", "q3")
    assert table.votes.tolist() == [[1, 0, MISSING], [MISSING, -1, MISSING]]
    with pytest.raises(BadTable, match="'perhaps' of 'a' on 'q1' is no vote"):
        from_mapping({"a": {"q1": "perhaps"}})
    with pytest.raises(BadTable, match="True of 'a'"):
        from_mapping({"a": {"q1": True}})
