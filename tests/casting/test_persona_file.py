"""A file of personas: what it may say, and that every fault has its line."""

import re
from pathlib import Path

import pytest

from cruxfinder.adapters.casting.persona_file import read, read_personas
from cruxfinder.errors import BadInput, BadPack
from cruxfinder.kernel.pack import Persona
from cruxfinder.kernel.vocabulary import AgentId, Horizon

PAGE = Path(__file__).parent.parent.parent / "docs" / "guide" / "personas.md"
TWO = """\
personas:
  - name: Ines Abara
    about: on-call lead
    brief: Wants the split, since two teams wait for each other.
    interests: [incidents at night, who may deploy]
    model: openai:gpt-5-mini
    horizon: "1-3mo"
  - id: keeper
    name: Tomás
    about: wrote most of it
"""


def test_a_list_of_personas() -> None:
    ines, tomas = read(TWO, "two.yaml")
    assert ines == Persona(
        id=AgentId("ines-abara"),
        name="Ines Abara",
        about="on-call lead",
        brief="Wants the split, since two teams wait for each other.",
        interests=("incidents at night", "who may deploy"),
        model="openai:gpt-5-mini",
        horizon=Horizon.MONTHS,
    )
    assert (tomas.id, tomas.name, tomas.brief, tomas.horizon) == ("keeper", "Tomás", "", Horizon.FIVE_YEARS)


def test_one_persona_is_a_file_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "ines.yaml"
    path.write_text("name: Ines\nabout: on-call lead\n")
    (ines,) = read_personas(str(path))
    assert (ines.id, ines.name) == ("ines", "Ines")


def test_the_examples_of_the_page_are_read() -> None:
    blocks = re.findall(r"^```yaml\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert [len(read(block, "page")) for block in blocks] == [2, 1]


def test_ids_are_made_from_names_and_none_is_there_twice() -> None:
    names = ["Björn Åse", "bjorn-ase", "李雷", "韩梅梅", "Moderator", "9 to 5", "x" * 40]
    rows = "".join(f"  - {{name: '{name}', about: a voter}}\n" for name in names)
    found = read(f"personas:\n{rows}  - {{id: bjorn-ase, name: Other, about: a voter}}\n", "many.yaml")
    assert [p.id for p in found] == [
        "bjorn-ase-2",
        "bjorn-ase-3",
        "persona",
        "persona-2",
        "moderator-2",
        "persona-9-to-5",
        "x" * 40,
        "bjorn-ase",
    ]


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        pytest.param("name: A\nabout: b\nmood: c\n", 3, "unknown key 'mood'", id="an unknown key"),
        pytest.param(
            "personas:\n  - name: A\n    about: b\n    breif: x\n", 4, "did you mean 'brief'?", id="in a list"
        ),
        pytest.param("personas: []\ntopic: x\n", 2, "the file: unknown key 'topic'", id="beside the list"),
        pytest.param("personas: []\n", 1, "personas is empty", id="nobody"),
        pytest.param("personas:\n  a: {name: A, about: b}\n", 1, "personas must be a list", id="no list"),
        pytest.param("- name: A\n", 1, "the persona must be a mapping", id="a bare list"),
        pytest.param("about: b\n", 1, "the persona lacks name", id="no name"),
        pytest.param("name: A\nabout: yes\n", 2, 'put it in quotes: "yes"', id="no text"),
        pytest.param("name: A\nabout: b\nhorizon: soon\n", 3, "horizon must be one of 1-3mo", id="no horizon"),
        pytest.param("name: A\nabout: b\nmodel: a b\n", 3, "model is no model", id="no model"),
        pytest.param("name: A\nabout: b\nid: A B\n", 3, "'A B' is no id", id="no id"),
        pytest.param("name: A\nabout: b\nid: moderator\n", 3, "reserved", id="a reserved id"),
        pytest.param(
            "personas:\n  - {id: a, name: A, about: b}\n  - {id: a, name: B, about: b}\n",
            3,
            "'a' stands above",
            id="an id twice",
        ),
        pytest.param(
            "personas:\n  - {name: A, about: b}\n  - {name: a, about: b}\n", 3, "'a' stands above", id="a name twice"
        ),
        pytest.param(
            f"name: {'A' * 40}\nabout: {'b' * 160}\nbrief: {'c' * 300}\n",
            3,
            "together have 504 characters",
            id="too long",
        ),
        pytest.param("name: &a A\nabout: *a\n", 1, "refused", id="an alias"),
        pytest.param("name: [A\n", 2, "not YAML", id="broken"),
    ],
)
def test_a_fault_has_its_line(text: str, line: int, told: str) -> None:
    with pytest.raises(BadPack) as refused:
        read(text, "people.yaml")
    assert line in {at for at, _ in refused.value.faults}
    assert any(told in sentence for _, sentence in refused.value.faults), refused.value.faults
    assert str(refused.value).startswith("people.yaml, line ")


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(BadPack) as refused:
        read("personas:\n  - {name: A}\n  - {about: b, x: 1}\n", "people.yaml")
    assert [line for line, _ in refused.value.faults] == [2, 3, 3]


def test_thirteen_are_too_many_and_a_missing_file_is_told() -> None:
    rows = "".join(f"  - {{name: P{n}, about: a voter}}\n" for n in range(13))
    with pytest.raises(BadPack, match="line 14: personas has more than 12 items"):
        read(f"personas:\n{rows}", "people.yaml")
    with pytest.raises(BadInput, match=r"there is no file nobody\.yaml"):
        read_personas("nobody.yaml")
