"""crux export: to the terminal and to a file, never over a file that is there, and all of it or nothing."""

import csv
import io
import json
from pathlib import Path

import pytest

from cruxfinder.exports.formats import Format
from tests.cli.conftest import Crux


def test_it_writes_markdown_unless_told_otherwise(crux: Crux, run: str) -> None:
    said = crux("export", run)
    assert said.code == 0 and said.err == "" and said.out.startswith("# Bitcoin is a good store of value\n")
    assert crux("export", run, "--format", "md", "-o", "-").out == said.out


def test_json_is_what_show_prints(crux: Crux, run: str) -> None:
    assert crux("export", run, "--format", "json").out == crux("show", run, "--json").out


@pytest.mark.parametrize("format", Format)
def test_a_file_holds_what_the_terminal_shows(crux: Crux, run: str, tmp_path: Path, format: Format) -> None:
    file = tmp_path / f"out{format.suffix}"
    said = crux("export", run, "--format", format.value, "-o", str(file))
    assert said.code == 0 and said.out == "" and str(file) in said.err
    shown = crux("export", run, "--format", format.value).out
    assert file.read_bytes().decode().replace("\r\n", "\n") == shown.replace("\r\n", "\n")
    assert [path.name for path in tmp_path.iterdir() if "out" in path.name] == [file.name]


def test_a_file_that_is_there_stays_unless_forced(crux: Crux, run: str, tmp_path: Path) -> None:
    file = tmp_path / "out.md"
    file.write_text("mine")
    said = crux("export", run, "-o", str(file))
    assert said.code == 2 and "--force" in said.err and file.read_text() == "mine"
    assert crux("export", run, "-o", str(file), "--force").code == 0
    assert file.read_text().startswith("# Bitcoin")


def test_lines_of_a_table_end_as_its_standard_wants(crux: Crux, run: str, tmp_path: Path) -> None:
    file = tmp_path / "out.csv"
    crux("export", run, "--format", "csv", "-o", str(file))
    text = file.read_bytes().decode()
    assert text.count("\r\n") == text.count("\n") == len(list(csv.reader(io.StringIO(text, newline=""))))


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        pytest.param(["no-such-run"], "no-such-run", id="no such run"),
        pytest.param(["../x"], "not a run id", id="no id at all"),
        pytest.param(["RUN", "--format", "pdf"], "pdf", id="no such format"),
        pytest.param(["RUN", "-o", "no/such/folder/x.md"], "no folder", id="no such folder"),
        pytest.param(["RUN", "-o", "."], "is a folder", id="a folder"),
        pytest.param(["RUN", "-o", ""], "needs the path", id="an empty name"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(crux: Crux, run: str, arguments: list[str], why: str) -> None:
    said = crux("export", *(run if word == "RUN" else word for word in arguments))
    assert said.code == 2 and why in said.err and said.err.count("\n") == 1 and said.out == ""


def test_a_conversation_is_written_too(crux: Crux) -> None:
    held = json.loads(crux("debate", "monolith", "--protocol", "debate", "--json").out)
    for format in Format:
        said = crux("export", held["runId"], "--format", format.value)
        assert said.code == 0 and "Petra" in said.out
