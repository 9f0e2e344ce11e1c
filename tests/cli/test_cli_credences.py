"""`crux credences` and `crux survey`: the form goes out, the answers come back, and the verdict is told first."""

import json
from pathlib import Path

import pytest

from cruxfinder.cli import exits
from tests.cli.conftest import Crux
from tests.cli.terminal import in_terminal, plainly

TABLE = """\
agent;top;proposition;credence;top_if_true;top_if_false
Ada;80%;Will the sync bug be fixed by April?;85%;90%;30%
Ada;;The old editor can be kept running;0,9;0,8;0,75
Björn;0,7;Will the sync bug be fixed by April?;0,75;0,85;0,2
Björn;;The old editor can be kept running;0,85;0,7;0,7
Cleo;0,3;Will the sync bug be fixed by April?;0,2;0,8;0,15
Cleo;;The old editor can be kept running;0,95;0,3;0,3
Dan;0,2;Will the sync bug be fixed by April?;0,15;0,7;0,1
Dan;;The old editor can be kept running;;;
"""


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "table.csv"
    path.write_text(TABLE, encoding="utf-8")
    return str(path)


def test_the_verdict_comes_first_and_every_figure_is_shown(crux: Crux, table: str) -> None:
    said = crux("credences", table)
    assert said.code == exits.OK
    lines = said.out.splitlines()
    assert lines[0] == "CRUX: The disagreement turns on one question"
    assert lines[1].startswith('"Will the sync bug be fixed by April?" explains 78% of the gap; 4 would change')
    assert "4/4  Ada, Björn, Cleo and Dan" in said.out
    assert "[chosen] Will the sync bug be fixed by April?" in said.out
    assert "  - The old editor can be kept running." in said.out
    assert "(line 9)" in said.out
    assert max(len(line) for line in lines) <= 100


def test_json_names_things_as_the_result_of_a_debate_does(crux: Crux, table: str, run: str) -> None:
    told = json.loads(crux("credences", table, "--json").out)
    result = json.loads(crux("show", run, "--json").out)
    own = {"gap", "cut", "jointShare", "tested", "untested", "noise", "incoherent", "notes"}
    assert set(told) - own <= set(result)
    tested = {"answered", "yesCamp", "noCamp", "counterfactual"}
    assert set(told["tested"][0]) - tested <= set(result["threads"][0]["tested"][0])
    assert told["verdict"] == "crux"
    assert told["primaryCrux"] == told["tested"][0]["id"]
    assert told["tested"][0]["counterfactual"]["Ada"]["wouldFlip"] is True


@pytest.mark.parametrize("columns", [60, *(pytest.param(n, marks=pytest.mark.slow) for n in (80, 140))])
def test_in_a_terminal_it_is_a_panel_that_fits(store: Path, table: str, columns: int) -> None:
    Path(table).write_text(TABLE.replace("Dan", "Dan " + "of the long name " * 4), encoding="utf-8")
    with in_terminal(store, "credences", table, columns=columns) as terminal:
        assert terminal.end() == exits.OK
    lines = plainly(terminal.seen).splitlines()
    assert "CRUX" in lines[0]
    assert max(len(line.rstrip()) for line in lines) <= min(columns, 100)
    assert any("PROPOSITIONS, BEST FIRST" in line for line in lines)


def test_a_crowd_is_shown_as_camps(crux: Crux, tmp_path: Path) -> None:
    rows = [f"p{n},{0.9 if n % 2 else 0.1},q,{0.9 if n % 2 else 0.1},.8,.2" for n in range(40)]
    path = tmp_path / "crowd.csv"
    path.write_text("agent,top,proposition,credence,top_if_true,top_if_false\n" + "\n".join([*rows, "z,.5,q,.5,.5,.5"]))
    said = crux("credences", str(path))
    assert "YES: 20 people, on average 90%" in said.out
    assert "in neither camp: z" in said.out
    assert "34 more" in said.out


def test_a_form_is_written_filled_in_and_read(crux: Crux, tmp_path: Path) -> None:
    topic, form = tmp_path / "ship.yaml", tmp_path / "form.csv"
    topic.write_text(
        "topic: We ship in May\npropositions: [Is the bug fixed?, Do people want it?]\nagents: [Ada, Ben]\n"
    )
    said = crux("survey", str(topic), "-o", str(form))
    assert (said.code, said.out) == (exits.OK, "")
    for column in ("agent", "top", "credence", "top_if_true", "top_if_false", "70%"):
        assert column in said.err
    empty = crux("credences", str(form))
    assert empty.code == exits.BAD_INPUT
    assert empty.err.count("\n") == 1
    assert "not filled in: top is empty for Ada, Ben (lines 2, 4)" in empty.err
    text = form.read_text().replace("Ada,,", "Ada,.8,").replace("Ben,,", "Ben,.2,").replace("?,,,", "?,.5,.6,.4")
    form.write_text(text)
    assert crux("credences", str(form)).out.splitlines()[1] == "Topic: We ship in May"
    again = crux("survey", str(topic), "-o", str(form))
    assert again.code == exits.BAD_INPUT
    assert "exists already" in again.err
    assert form.read_text() == text


def test_a_form_can_be_printed_from_a_pack_for_people(crux: Crux) -> None:
    said = crux("survey", "monolith", "--agents", "Ada,Ben", "--semicolons")
    assert said.out.startswith("agent;top;proposition;credence;top_if_true;top_if_false")
    assert said.out.count("\nAda;;") == said.out.count("\nBen;;") > 1


@pytest.mark.parametrize(
    ("args", "told"),
    [
        pytest.param(("credences", "none.csv"), "there is no file none.csv", id="no table"),
        pytest.param(("credences", "."), "is a folder", id="a folder"),
        pytest.param(("survey", "bitcoyn"), "did you mean bitcoin", id="no pack"),
        pytest.param(("survey", "none.yaml"), "there is no file", id="no topic"),
        pytest.param(("survey", "bitcoin", "--agents", "a,A"), "named twice", id="a name twice"),
        pytest.param(("survey", "bitcoin", "--agents", ""), "lacks the name", id="no name"),
        pytest.param(("survey", "bitcoin", "-o", "no/such/form.csv"), "cannot be written", id="no folder for it"),
    ],
)
def test_bad_input_gets_one_sentence(crux: Crux, args: tuple[str, ...], told: str) -> None:
    said = crux(*args)
    assert (said.code, said.out) == (exits.BAD_INPUT, "")
    assert told in said.err
    assert said.err.count("\n") == 1


RESEARCHERS = """\
"person","Camp","ID","PU","Pc","PUc"
"Ann","a","bug fixed",0.8,0.9,0.85
"Ann","a","old editor",0.6,0.5,0.62
"Ben","a","bug fixed",0.7,0.8,0.8
"Ben","a","old editor",0.7,NA,NA
"Cleo","b","bug fixed",0.3,0.1,0.8
"Cleo","b","old editor",0.3,0.5,0.3
"Dan","b","bug fixed",0.2,0.2,0.7
"Dan","b","old editor",0.2,0.4,0.25
"""


@pytest.fixture
def researchers(tmp_path: Path) -> str:
    path = tmp_path / "forecasts.csv"
    path.write_text(RESEARCHERS, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("command", ["credences", "votes"])
def test_a_table_of_researchers_is_mapped_as_it_is(crux: Crux, researchers: str, command: str) -> None:
    said = crux(command, researchers)
    assert said.code == exits.OK
    assert said.out.startswith("CRUX: The disagreement turns on one question")
    assert "Ann   YES  70%  (mean of 2, 60% to 80%)" in said.out
    told = " ".join(said.out.split())
    assert '"PUc" is read as top_if_true' in told
    assert '"Camp" is not read' in told
    assert "only top_if_true is told" in told


def test_a_spread_is_in_the_json_too(crux: Crux, researchers: str) -> None:
    told = json.loads(crux("credences", researchers, "--json").out)
    spreads = {person["id"]: person["pTopSpread"] for person in told["agents"]}
    assert spreads["Ann"] == {"times": 2, "low": 0.6, "high": 0.8}
    assert spreads["Ben"] is None
    assert told["confidence"] == "HIGH"


def test_of_a_crowd_the_widest_spreads_are_shown(crux: Crux, tmp_path: Path) -> None:
    rows = [
        f"p{n},{0.9 - (n % 20) / 50 * spread if n % 2 else 0.1},{q},.5,.8,.2"
        for n in range(20)
        for q, spread in (("q", 0), ("r", 1))
    ]
    path = tmp_path / "crowd.csv"
    path.write_text("agent,top,proposition,credence,top_if_true,top_if_false\n" + "\n".join(rows))
    said = crux("credences", str(path))
    assert "Who told the topic's chance more than once" in said.out
    assert "  - p19: 71% (mean of 2, 52% to 90%)" in said.out
    assert "and 5 people whose answers lie nearer to each other" in said.out


def test_columns_and_topic_are_said_on_the_command_line(crux: Crux, researchers: str) -> None:
    text = Path(researchers).read_text().replace("person", "who")
    Path(researchers).write_text(text)
    asked = crux("credences", researchers)
    assert asked.code == exits.BAD_INPUT
    assert "say which: --columns agent=NAME" in asked.err
    said = crux("credences", researchers, "--columns", "agent=who", "--topic", "We ship in May")
    assert said.out.splitlines()[1] == "Topic: We ship in May"


def test_a_share_above_all_is_told_in_words_under_the_table(crux: Crux, tmp_path: Path) -> None:
    path = tmp_path / "more.csv"
    rows = "a,.7,q,.9,.95,.05\nb,.7,q,.9,.95,.05\nc,.3,q,.1,.95,.05\nd,.3,q,.1,.95,.05\n"
    path.write_text("agent,top,proposition,credence,top_if_true,top_if_false\n" + rows)
    said = crux("credences", str(path))
    assert "explains all of the gap, and more: another difference pulls the other way" in " ".join(said.out.split())
    assert "  * a share above 100%: all of it, and more" in said.out


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        pytest.param("agent", "takes pairs such as agent=Who", id="no pair"),
        pytest.param("agent=", "takes pairs such as agent=Who", id="half a pair"),
        pytest.param("agent=a,agent=b", "names a column twice", id="twice"),
        pytest.param("who=agent", '"who" is no column', id="turned round"),
        pytest.param("agent=nobody", 'no column is called "nobody"', id="no such column"),
        pytest.param("", "lacks a pair", id="nothing"),
    ],
)
def test_columns_said_wrongly_get_one_sentence(crux: Crux, researchers: str, columns: str, told: str) -> None:
    said = crux("credences", researchers, "--columns", columns)
    assert (said.code, said.out) == (exits.BAD_INPUT, "")
    assert told in said.err
    assert said.err.count("\n") == 1
