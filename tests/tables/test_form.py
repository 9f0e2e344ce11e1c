"""The form: what a topic file may say, what is written, and that a filled form is a table."""

import csv
import io
from pathlib import Path

import pytest

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.tables import credence_form, survey_topic
from cruxfinder.adapters.tables.credence_table import is_credences, read_text
from cruxfinder.errors import BadInput

SHIP = """\
topic: We should ship in May
propositions:
  - Will the sync bug be fixed by April?
  - proposition: Do most customers want it?
    yes_means: more than half keep it switched on
    no_means: half or more switch it off
agents: [Ada, Björn]
"""


def found(tmp_path: Path, text: str) -> survey_topic.SurveyTopic:
    path = tmp_path / "ship.yaml"
    path.write_text(text, encoding="utf-8")
    return survey_topic.find(str(path))


def rows(text: str, separator: str = ",") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter=separator))


@pytest.mark.parametrize("separator", [",", ";"])
def test_a_form_has_a_row_for_each_agent_and_proposition_and_reads_back(tmp_path: Path, separator: str) -> None:
    asked = found(tmp_path, SHIP)
    text = credence_form.form(asked, separator)
    told = rows(text, separator)
    assert is_credences(text.splitlines()[0].split(separator))
    assert [(r["agent"], r["proposition"]) for r in told] == [
        (a, p.text) for a in ("Ada", "Björn") for p in asked.propositions
    ]
    assert {r[c] for r in told for c in ("top", "credence", "top_if_true", "top_if_false")} == {""}
    for n, row in enumerate(told):
        row.update(top="80%" if n < 2 else "20%", credence="0,5", top_if_true="0,9", top_if_false="0,1")
    filled = io.StringIO()
    writer = csv.DictWriter(filled, told[0], delimiter=separator)
    writer.writeheader()
    writer.writerows(told)
    answers = read_text(filled.getvalue(), "form.csv")
    assert answers.topic == "We should ship in May"
    assert [a.yes_means for a in answers.asked] == ["", "more than half keep it switched on"]
    assert list(answers.tops.values()) == [0.8, 0.2]


def test_a_form_without_agents_has_each_proposition_once(tmp_path: Path) -> None:
    asked = found(tmp_path, SHIP.replace("agents: [Ada, Björn]\n", ""))
    assert [r["agent"] for r in rows(credence_form.form(asked))] == ["", ""]
    assert survey_topic.with_agents(asked, ("x", "y")).agents == ("x", "y")


def test_a_pack_gives_its_questions_and_not_its_believers(tmp_path: Path) -> None:
    pack, text = pack_finder.find("monolith")
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    for source in ("monolith", str(tmp_path / "mine.yaml")):
        asked = survey_topic.find(source)
        assert asked.topic == pack.topic
        assert [a.text for a in asked.propositions] == [p.question for p in pack.propositions]
        assert asked.agents == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("topic: x\n", "line 1: the survey lacks propositions", id="no propositions"),
        pytest.param("topic: x\npropositions: []\n", "propositions is empty", id="an empty list"),
        pytest.param("topic: x\npropositions: y\n", "propositions must be a list", id="no list"),
        pytest.param(
            "topic: x\npropositions: [a, a]\n",
            "propositions.2 says the same as propositions.1 on line 2",
            id="one line, twice",
        ),
        pytest.param("topic: x\npropositions:\n  - a\n  - A\n", "line 4: propositions.2 says the same", id="twice"),
        pytest.param("topic: x\npropositions: [yes]\n", "YAML reads a bare yes", id="a bare yes"),
        pytest.param("topic: x\npropositions: ['=1+1']\n", "for a formula", id="a formula"),
        pytest.param("topic: x\npropositions: [a]\nagents: ['@b']\n", "for a formula", id="a formula for a name"),
        pytest.param("topic: x\npropositions: [a]\nagent: [b]\n", "did you mean 'agents'?", id="a slip"),
        pytest.param("topic: &t x\npropositions: [*t]\n", "is refused", id="an alias"),
        pytest.param("topic: x\npropositions: [a]\nagents: [b, b]\n", "agents.2 says the same", id="two of a name"),
        pytest.param("- a\n", "must be a mapping", id="a list"),
        pytest.param("", "is empty", id="nothing"),
    ],
)
def test_a_faulty_topic_is_refused_with_its_line(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(BadInput) as raised:
        found(tmp_path, text)
    assert told in str(raised.value)
    assert "line" in str(raised.value)


@pytest.mark.parametrize("names", [("a", "A"), ("",), ("=x",), ("x" * 81,), ("a\nb",)], ids=repr)
def test_names_a_form_cannot_hold_are_refused(tmp_path: Path, names: tuple[str, ...]) -> None:
    with pytest.raises(BadInput):
        survey_topic.with_agents(found(tmp_path, SHIP), names)


def test_a_form_is_never_written_over_another_file(tmp_path: Path) -> None:
    path = tmp_path / "form.csv"
    credence_form.write(str(path), "é\n")
    assert path.read_bytes() == "é\n".encode("utf-8-sig")
    with pytest.raises(BadInput, match="exists already"):
        credence_form.write(str(path), "other\n")
    with pytest.raises(BadInput, match="cannot be written"):
        credence_form.write(str(tmp_path / "none" / "form.csv"), "x")
    assert path.read_bytes() == "é\n".encode("utf-8-sig")
