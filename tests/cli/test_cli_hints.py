"""What is told to go on with works when it is typed; and whatever is mistyped gets one sentence whose hint works."""

import re
from pathlib import Path

import pytest

from cruxfinder.cli import exits
from cruxfinder.cli.command_table import COMMANDS, GATE_COMMANDS
from tests.cli.conftest import Crux, Said
from tests.command_texts import Recommended, Text, commands_in, filled_in

GATE_CODES = (exits.OK, exits.MODIFY, exits.PIVOT, exits.ESCALATE)
PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the gate remembers, and where files are named without their folder."""
    monkeypatch.chdir(tmp_path)


def hints(said: Said) -> list[Recommended]:
    found = [hint for line in f"{said.out}\n{said.err}".splitlines() for hint in commands_in(Text("", line))]
    return list(dict.fromkeys(found))


def typed(crux: Crux, hint: Recommended) -> None:
    """What the hint leaves open is not the program's to know."""
    words = filled_in(hint.text)[0]
    codes = GATE_CODES if words[0] == "gate" else (exits.OK,)
    said = crux(*words)
    assert said.code in codes, f"crux {hint.text}: {said.err}"


@pytest.mark.parametrize(
    ("args", "least"),
    [
        pytest.param(("show", "RUN"), 4, id="a run"),
        pytest.param(("show", "RUN", "--messages"), 0, id="its messages"),
        pytest.param(("debate", "bitcoin", "--max-messages", "5"), 3, id="a debate cut short"),
        pytest.param(("debate", "free-will", "--protocol", "roundtable"), 2, id="a conversation"),
        pytest.param(("debate", "monolith", "--runs", "2"), 1, id="several runs"),
        pytest.param(
            ("debate", "monolith", "--protocol", "debate", "--max-messages", "4"), 2, id="a short conversation"
        ),
        pytest.param(("events", "RUN"), 0, id="its events"),
        pytest.param(("export", "RUN", "--format", "md"), 0, id="its Markdown"),
        pytest.param(("fork", "RUN", "--at", "20", "--set", "max-messages=9"), 3, id="a fork"),
        pytest.param(("replay", "RUN"), 0, id="a replay"),
        pytest.param(("doctor",), 1, id="the doctor"),
        pytest.param(("packs",), 0, id="the packs"),
        pytest.param(("list",), 0, id="the runs"),
        pytest.param(("gate", "attempt", "Fix it", "--error", "boom"), 0, id="an attempt"),
        pytest.param(("gate", "report"), 0, id="the gate's report"),
        pytest.param(("gate", "rules"), 0, id="the gate's rules"),
        pytest.param(("ledger",), 0, id="the ledger"),
        pytest.param(("packs", "show", "monolith"), 1, id="a pack"),
        pytest.param(("gate", "plan", "DROP TABLE users", "--tool", "sql"), 1, id="a plan"),
        pytest.param(("gate", "plan", "git status"), 0, id="a harmless plan"),
    ],
)
def test_what_is_told_to_go_on_with_works(crux: Crux, run: str, args: tuple[str, ...], least: int) -> None:
    found = hints(crux(*(run if word == "RUN" else word for word in args)))
    assert len(found) >= least
    for hint in found:
        if not PLACEHOLDER.search(hint.text):
            typed(crux, hint)


def test_where_there_is_nothing_yet_the_hint_makes_something(crux: Crux) -> None:
    (demo,) = hints(crux("list"))
    typed(crux, demo)
    assert "bitcoin" in crux("list").out


def test_an_empty_ledger_names_a_debate_that_fills_it(crux: Crux) -> None:
    (debate,) = hints(crux("ledger"))
    typed(crux, debate)
    assert "reference" in crux("ledger").out


def test_a_falsifier_that_is_due_is_resolved_as_the_hint_says(crux: Crux, run: str) -> None:
    (resolve,) = hints(crux("ledger", "due", "--on", "2099-01-01"))
    reference = next(line.split()[0] for line in crux("ledger").out.splitlines() if re.match(r" *t\d+\.", line))
    words = [{"RUN": run, "REFERENCE": reference}.get(word, word) for word in filled_in(resolve.text)[0]]
    said = crux(*words)
    assert said.code == exits.OK, said.err


def test_a_form_is_read_as_the_hint_says_once_it_is_filled_in(crux: Crux) -> None:
    (read,) = hints(crux("survey", "monolith", "--agents", "Ada,Ben", "-o", "form.csv"))
    said = crux(*filled_in(read.text)[0])
    assert said.code == exits.BAD_INPUT and "form.csv" in said.err and "filled in" in said.err


def test_a_failure_leads_from_hint_to_hint(crux: Crux) -> None:
    crux("gate", "attempt", "Fix it", "--error", "boom", "--approach", "a")
    (debate,) = hints(crux("gate", "attempt", "Fix it", "--error", "boom", "--approach", "b"))
    decided = crux(*filled_in(debate.text)[0])
    assert decided.code in GATE_CODES, decided.err
    (outcome,) = hints(decided)
    typed(crux, outcome)


MISTYPED = [
    pytest.param("packs lst", "there are show, check, and `crux packs` by itself", id="no such command of a group"),
    pytest.param("pack", "Did you mean 'packs'?", id="a command with a letter less"),
    pytest.param("debat bitcoin", "Did you mean 'debate'?", id="another"),
    pytest.param("sho RUN", "Did you mean 'show'?", id="and another"),
    pytest.param("gate plann x", "Did you mean 'plan'?", id="one of the gate's"),
    pytest.param("ledger lst", "there are due, resolve", id="one of the ledger's"),
    pytest.param("help", "No such command 'help'", id="a word other programs know"),
    pytest.param("debate", "PACK|TOPIC", id="a debate about nothing"),
    pytest.param("show", "'RUN'", id="to show nothing"),
    pytest.param("debate bitcon", "did you mean bitcoin?", id="a pack with a letter less"),
    pytest.param("debate note.txt", "a .yaml file", id="a file that is no pack"),
    pytest.param("debate missing.yaml", "there is no file missing.yaml", id="a file that is not there"),
    pytest.param("debate bitcoin --agents holdr,economist", "'holdr'; it has holder", id="an agent misspelt"),
    pytest.param("debate bitcoin --agent holder", "--agents", id="an option with a letter less"),
    pytest.param("debate bitcoin --seed x", "--seed takes a whole number", id="a seed in letters"),
    pytest.param("debate bitcoin --seed", "requires an argument", id="an option without its value"),
    pytest.param("debate bitcoin --protocol debat", "--protocol takes no 'debat'", id="no such protocol"),
    pytest.param("debate Should we?", "needs a model", id="a topic without a model"),
    pytest.param("show nope", "there is no run nope; `crux list` shows them", id="no such run"),
    pytest.param("show RUN --jsn", "--json", id="an option misspelt"),
    pytest.param("events RUN --thread t9", "there are t1, t2", id="no such thread"),
    pytest.param("events RUN --since soon", "write it as 1:30", id="no time"),
    pytest.param("export RUN --format pdf", "'pdf' is not one of 'json'", id="no such format"),
    pytest.param("export RUN -o .", "is a folder", id="a folder for a file"),
    pytest.param("fork RUN --at 99999 --set seed=3", "--at takes 1 to", id="beyond the end"),
    pytest.param("fork RUN --at 5 --set sed=3", "known keys: max-messages=N", id="no such setting"),
    pytest.param("diff RUN nope", "there is no run nope", id="a run beside none"),
    pytest.param("stop RUN", "is over already", id="to stop what is over"),
    pytest.param("answer RUN yes", "waits for no answer", id="an answer nobody waits for"),
    pytest.param("votes", "FILE|FOLDER", id="votes from nowhere"),
    pytest.param("votes empty", "no CSV file in this folder", id="votes in an empty folder"),
    pytest.param("votes odd.csv", "the first column is 'name'", id="a table with an odd header"),
    pytest.param("votes nofile.csv", "there is no such file", id="a table that is not there"),
    pytest.param("credences odd.csv", "the header lacks agent, top", id="a table of something else"),
    pytest.param("survey nopack", "there are bitcoin", id="a form of no pack"),
    pytest.param("ledger resolve RUN t1.holder.1 maybe", "met, unmet or void", id="no such outcome"),
    pytest.param("gate rules nope", "`crux gate rules` lists them", id="no such rule"),
    pytest.param("gate outcome x won", "'won' is not one of 'success'", id="no such outcome of the gate"),
    pytest.param("serve --port 99999999", "'99999999' should be less than or equal to 65535", id="no such port"),
    pytest.param("schema reslt", "'reslt' is not one of 'result'", id="no such schema"),
]


@pytest.mark.parametrize(("line", "told"), MISTYPED)
def test_what_is_mistyped_gets_one_sentence_whose_hint_works(
    crux: Crux, run: str, tmp_path: Path, line: str, told: str
) -> None:
    (tmp_path / "odd.csv").write_text("name,who,x\na,b,maybe\n")
    (tmp_path / "note.txt").write_text("hello")
    (tmp_path / "empty").mkdir()
    words = ["debate", "Should we?"] if line == "debate Should we?" else line.split()
    said = crux(*(run if word == "RUN" else word for word in words))
    assert (said.code, said.out) == (exits.BAD_INPUT, ""), said
    assert said.err.startswith("crux: ") and said.err.count("\n") == 1 and told in said.err
    assert "Value error" not in said.err and "Input should" not in said.err
    for hint in hints(Said(0, "", said.err.removeprefix("crux: "))):
        typed(crux, hint)


PATHS = [*(row.name for row in COMMANDS), *(f"gate {row.name}" for row in GATE_COMMANDS)]


@pytest.mark.parametrize("path", PATHS)
def test_the_help_of_the_command_that_was_mistyped_is_named(crux: Crux, path: str) -> None:
    said = crux(*path.split(), "--no-such-option")
    assert said.code == exits.BAD_INPUT and said.err.endswith(f"(see: crux {path} --help)\n")
    assert crux(*path.split(), "--help").code == exits.OK
