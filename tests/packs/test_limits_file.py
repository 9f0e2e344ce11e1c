"""The limits of a conversation from YAML: the documented file as it stands, and every fault with its line."""

from pathlib import Path

import pytest

from cruxfinder.adapters.packs.limits_file import load, read
from cruxfinder.errors import BadInput, BadPack
from cruxfinder.kernel.redundancy_limits import Entailment, Redundancy

USUAL = Redundancy()

# Word for word the configuration that conversations are specified with.
SEED = """\
limits:
  dyad_max_volleys: 2
  synthesis_interval: 12
  max_total_turns: 48

novelty:
  similarity_threshold: 0.85
  require_entailment: true
  claim_graph_required: true

entailment_types:
  - implication
  - application
  - counterexample
  - test

pivots:
  on_tension_cycles: 2
  inject_dilemma: true
  inject_retrieved_anchor: true
"""


def faults_of(text: str) -> list[tuple[int, str]]:
    with pytest.raises(BadPack) as caught:
        read(text, "limits.yaml")
    return list(caught.value.faults)


def test_the_documented_file_says_what_holds_without_one() -> None:
    assert read(SEED, "limits.yaml") == USUAL


def test_everything_may_be_another_way() -> None:
    text = """\
limits: {dyad_max_volleys: 3, synthesis_interval: 6, max_total_turns: 30}
novelty: {similarity_threshold: 0.9, require_entailment: false, claim_graph_required: no}
entailment_types: [test, concession]
pivots: {on_tension_cycles: 4, inject_dilemma: off, inject_retrieved_anchor: False}
"""
    assert read(text, "limits.yaml") == Redundancy(
        dyad_max_volleys=3,
        synthesis_interval=6,
        max_total_turns=30,
        similarity_threshold=0.9,
        require_entailment=False,
        claim_graph_required=False,
        entailment_types=(Entailment.TEST, Entailment.CONCESSION),
        on_tension_cycles=4,
        inject_dilemma=False,
        inject_retrieved_anchor=False,
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("limits: {max_total_turns: 20}\n", Redundancy(max_total_turns=20)),
        ("novelty: {require_entailment: false}\n", Redundancy(require_entailment=False)),
        ("novelty: {claim_graph_required: on}\n", USUAL),
        ("pivots: {inject_dilemma: yes, inject_retrieved_anchor: TRUE}\n", USUAL),
        ("limits: {}\n", USUAL),
        ("{}\n", USUAL),
    ],
)
def test_what_is_left_out_keeps_its_default(text: str, found: Redundancy) -> None:
    assert read(text, "limits.yaml") == found


@pytest.mark.parametrize(
    ("section", "key", "least", "most"),
    [
        ("limits", "dyad_max_volleys", 1, 12),
        ("limits", "synthesis_interval", 3, 100),
        ("limits", "max_total_turns", 4, 400),
        ("pivots", "on_tension_cycles", 1, 20),
    ],
)
def test_a_number_lies_between_its_ends(section: str, key: str, least: int, most: int) -> None:
    for number in (least, most):
        assert getattr(read(f"{section}:\n  {key}: {number}\n", "limits.yaml"), key) == number
    for number in (least - 1, most + 1):
        found = faults_of(f"{section}:\n  {key}: {number}\n")
        assert found[0] == (2, f"{section}.{key} must be between {least} and {most}, not {number}")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("limit: {}\n", [(1, "the file: unknown key 'limit'; did you mean 'limits'?")], id="a section"),
        pytest.param(
            "limits:\n  max_turns: 3\n",
            [(2, "limits: unknown key 'max_turns'; did you mean 'max_total_turns'?")],
            id="a key",
        ),
        pytest.param(
            "novelty:\n  inject_dilemma: true\n",
            [
                (
                    2,
                    "novelty: unknown key 'inject_dilemma'; known are claim_graph_required, require_entailment, "
                    "similarity_threshold",
                )
            ],
            id="a key of another section",
        ),
        pytest.param("limits: 3\n", [(1, "limits must be a mapping of keys to values")], id="a section that is none"),
        pytest.param(
            "limits:\n", [(1, "limits must be a mapping of keys to values")], id="a section with nothing in it"
        ),
        pytest.param("- limits\n", [(1, "the file must be a mapping of keys to values")], id="a list"),
        pytest.param("", [(1, "the file is empty")], id="an empty file"),
        pytest.param(
            "limits:\n  max_total_turns: many\n",
            [(2, "limits.max_total_turns must be a plain number between 4 and 400 without quotes, not 'many'")],
            id="a word for a number",
        ),
        pytest.param(
            'limits:\n  max_total_turns: "48"\n',
            [(2, "limits.max_total_turns must be a plain number between 4 and 400 without quotes, not '48'")],
            id="a number in quotes",
        ),
        pytest.param(
            "limits:\n  max_total_turns: 4.5\n",
            [(2, "limits.max_total_turns must be a whole number between 4 and 400")],
            id="half a turn",
        ),
        pytest.param(
            "limits:\n  max_total_turns: [48]\n",
            [(2, "limits.max_total_turns must be a number between 4 and 400")],
            id="a list for a number",
        ),
        pytest.param(
            "novelty:\n  similarity_threshold: 1\n",
            [(2, "novelty.similarity_threshold must be strictly between 0 and 1, not 1")],
            id="a threshold nothing reaches",
        ),
        pytest.param(
            "novelty:\n  similarity_threshold: 0\n",
            [(2, "novelty.similarity_threshold must be strictly between 0 and 1, not 0")],
            id="a threshold everything reaches",
        ),
        pytest.param(
            "novelty:\n  require_entailment: 1\n",
            [(2, "novelty.require_entailment must be true or false")],
            id="a number for a flag",
        ),
        pytest.param(
            'pivots:\n  inject_dilemma: "true"\n',
            [(2, "pivots.inject_dilemma must be true or false")],
            id="a flag in quotes",
        ),
        pytest.param(
            "pivots:\n  inject_retrieved_anchor:\n",
            [(2, "pivots.inject_retrieved_anchor must be true or false")],
            id="a flag that says nothing",
        ),
        pytest.param(
            "entailment_types: []\n",
            [(1, "entailment_types is an empty list; to ask for none set require_entailment: false")],
            id="no type",
        ),
        pytest.param("entailment_types: test\n", [(1, "entailment_types must be a list")], id="one type and no list"),
        pytest.param(
            "entailment_types:\n  - test\n  - test\n", [(1, "entailment_types names one twice")], id="a type twice"
        ),
        pytest.param(
            "limits:\n  max_total_turns: 20\n  max_total_turns: 30\n",
            [(3, "limits: 'max_total_turns' stands here twice, first on line 2")],
            id="a key twice",
        ),
        pytest.param(
            "limits: &l {}\npivots: *l\n",
            [
                (1, "the anchor &l is refused; write the value out"),
                (2, "the alias *l is refused; write the value out"),
            ],
            id="an alias",
        ),
        pytest.param(
            "limits: !!python/name:os.system {}\n",
            [
                (
                    1,
                    "the tag tag:yaml.org,2002:python/name:os.system is refused; plain text, numbers, lists and "
                    "mappings are enough",
                )
            ],
            id="a tag",
        ),
        pytest.param(
            "limits: {}\n---\nlimits: {}\n", [(2, "a second document starts here; a file holds one")], id="two"
        ),
    ],
)
def test_a_fault_is_told_with_its_line(text: str, found: list[tuple[int, str]]) -> None:
    assert faults_of(text) == found


def test_all_faults_are_told_at_once_in_the_order_of_their_lines() -> None:
    text = """\
pivots:
  inject_dilemma: maybe
limits:
  max_total_turns: 1
  rounds: 2
entailment_types: [test, prophecy]
"""
    assert [line for line, _ in faults_of(text)][:4] == [2, 4, 5, 6]


@pytest.mark.parametrize("key", ["dyad_max_volleys", "synthesis_interval"])
def test_a_number_out_of_range_is_one_fault(key: str) -> None:
    assert len(faults_of(f"limits:\n  {key}: 1000\n")) == 1


def test_an_unknown_type_is_one_fault() -> None:
    found = faults_of("entailment_types:\n  - implication\n  - prophecy\n")
    assert [line for line, _ in found] == [3]


def test_an_unknown_type_is_told_with_those_there_are() -> None:
    (line, fault), *_ = faults_of("entailment_types:\n  - prophecy\n")
    assert line == 2
    assert fault == (
        "entailment_types.1 must be one of implication, application, counterexample, concession, test, not 'prophecy'"
    )


@pytest.mark.parametrize(("slip", "meant"), [("tests", "test"), ("Test", "test"), ("implicaton", "implication")])
def test_a_slip_in_a_type_is_told_with_what_may_be_meant(slip: str, meant: str) -> None:
    [(_, fault)] = faults_of(f"entailment_types:\n  - {slip}\n")
    assert fault.endswith(f", not {slip!r}; did you mean {meant!r}?")


def test_a_file_is_read_from_its_path(tmp_path: Path) -> None:
    path = tmp_path / "limits.yaml"
    path.write_text(SEED.replace("48", "24"))
    assert load(str(path)) == Redundancy(max_total_turns=24)
    with pytest.raises(BadInput, match="there is no file"):
        load(str(tmp_path / "missing.yaml"))
    path.write_bytes(b"limits:\xff\n")
    with pytest.raises(BadInput, match="not UTF-8"):
        load(str(path))
