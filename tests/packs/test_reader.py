"""What the pack reader takes and what it refuses, each fault with its line; hostile YAML; bad names and paths."""

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.packs.pack_reader import read
from cruxfinder.errors import BadInput, BadPack
from cruxfinder.kernel.pack import Exhibit, Rebuttal
from cruxfinder.kernel.vocabulary import Attack, Horizon

MANUAL = Path(__file__).resolve().parents[2] / "docs" / "guide" / "packs.md"

PACK = """\
pack: 1
name: tea
title: Milk first
topic: Milk belongs in the cup before the tea
summary: A grandmother and a chemist share one pot.
propositions:
  scalding:
    statement: Hot tea scalds the milk
    denial: Hot tea is cooled by the milk
    question: Does hot tea scald the milk?
    yes_means: the cups taste different
    no_means: the cups taste the same
    type: empirical
    truth: "OPEN"
    sense: strict
    senses:
      strict: the proteins change
      loose: somebody winces
    horizon: "12-18mo"
    evidence:
      - points: "YES"
        text: She named all eight cups rightly.
        source: an experiment of the 1920s
        rebuttals:
          - attacks: CAUSAL_LINK
            why: It need not have been the scalding.
  custom:
    statement: Customs are worth keeping
    denial: Customs may go
    question: Is a custom worth keeping because people kept it?
    yes_means: it binds us
    no_means: it has no use
personas:
  edith:
    name: Edith
    about: grandmother
    bias: -0.1
    openness: 0.5
    conformity: 0.3
    trust: 0.6
    trusts: {oskar: 0.8}
    probe_noise: 0.1
    horizon: "10y+"
    interests: [hot milk, the old ways]
    beliefs:
      scalding:
        credence: 0.85
        weight: 1.5
        senses: {loose: 0.9}
        horizons: {"5y": 0.4}
      custom: {credence: 0.8, weight: 0.4, links: {scalding: 0.3}}
    says:
      scalding:
        claim: Pour the tea on the milk.
        reason: the first drops are boiled
        challenge: You have measured a pot.
        statement: Tea boils milk
        falsifier:
          metric: cups told apart
          threshold: fewer than 60 percent
          deadline: by 31 December 2027
          reasoning: then nobody tastes it
        vague:
          metric: how it tastes
          threshold: it might be fine
          deadline: some day
  oskar:
    name: Oskar
    about: chemist
    beliefs:
      scalding: 0.2
      custom: 0.5
"""


def faults_of(text: str) -> tuple[tuple[int, str], ...]:
    with pytest.raises(BadPack) as caught:
        read(text, "tea.yaml")
    return caught.value.faults


def line_of(text: str, snippet: str) -> int:
    return text[: text.index(snippet)].count("\n") + 1


def edited(old: str, new: str) -> str:
    assert PACK.count(old) >= 1, old
    return PACK.replace(old, new, 1)


def test_a_sound_pack_becomes_its_values() -> None:
    pack = read(PACK, "tea.yaml")
    scalding, custom = pack.propositions
    assert (pack.name, pack.topic) == ("tea", "Milk belongs in the cup before the tea")
    assert (scalding.truth, scalding.sense, scalding.horizon) == ("OPEN", "strict", Horizon.YEAR)
    assert scalding.senses == (("strict", "the proteins change"), ("loose", "somebody winces"))
    assert scalding.exhibits == (
        Exhibit(
            points="YES",
            text="She named all eight cups rightly.",
            source="an experiment of the 1920s",
            rebuttals=(Rebuttal(attacks=Attack.CAUSAL_LINK, why="It need not have been the scalding."),),
        ),
    )
    assert (custom.type, custom.truth, custom.horizon, custom.sense) == ("empirical", "OPEN", Horizon.FIVE_YEARS, "")
    edith, oskar = pack.personas
    assert (edith.bias, edith.openness, edith.conformity, edith.trust) == (-0.1, 0.5, 0.3, 0.6)
    assert (edith.trust_in, edith.probe_noise, edith.horizon) == ((("oskar", 0.8),), 0.1, Horizon.DECADE)
    assert (edith.interests, oskar.interests) == (("hot milk", "the old ways"), ())
    first, second = edith.beliefs
    assert (first.credence, first.weight, first.by_sense) == (0.85, 1.5, (("loose", 0.9),))
    assert first.by_horizon == ((Horizon.FIVE_YEARS, 0.4),)
    assert second.links == (("scalding", 0.3),)
    assert first.lines.falsifier is not None
    assert first.lines.falsifier.deadline == "by 31 December 2027"
    assert second.lines.claim == ""
    assert [(b.proposition, b.credence, b.weight) for b in oskar.beliefs] == [("scalding", 0.2, 0), ("custom", 0.5, 0)]


ONE_FAULT = [
    # the head
    pytest.param("pack: 1", "pack: 2", "pack: 2", "format 2", id="a newer format"),
    pytest.param("pack: 1", "pack: one", "pack: one", "must be 1", id="a format that is no number"),
    pytest.param("pack: 1", "pack: 0", "pack: 0", "must be 1", id="a format that never was"),
    pytest.param("pack: 1\n", "", "name: tea", "the pack lacks pack", id="no format"),
    pytest.param("name: tea", "name: Tea", "name: Tea", "is no id", id="a name with a capital"),
    pytest.param("name: tea", "name: moderator", "name: mod", "reserved", id="a reserved name"),
    pytest.param("topic: Milk belongs", "topik: x\ntopic: Milk", "topik", "did you mean 'topic'?", id="unknown key"),
    pytest.param("summary: A grandmother and a chemist share one pot.", "summary:", "summary:", "empty", id="empty"),
    pytest.param("title: Milk first", f"title: {'x' * 81}", "title:", "81 characters, at most 80", id="long title"),
    pytest.param("title: Milk first", "title: 2027", "title:", "as a number; put it in quotes", id="number as text"),
    pytest.param("title: Milk first", "title: [a]", "title:", "must be a text", id="a list as text"),
    pytest.param("title: Milk first", "title: |\n  a\n  b", "title:", "must be one line", id="two lines"),
    pytest.param("title: Milk first", 'title: "a\\tb"', "title:", "hidden character U+0009", id="a tab inside"),
    pytest.param("title: Milk first", 'title: "a\\u202eb"', "title:", "U+202E", id="a hidden direction mark"),
    pytest.param("tea\nsummary", "tea.\nsummary", "topic:", "leave out the full stop", id="a clause with full stop"),
    # propositions
    pytest.param("the milk?", "the milk", "question:", "must end with a question mark", id="no question mark"),
    pytest.param("Does hot", f"Does {'x' * 200} hot", "question:", "at most 200", id="a long question"),
    pytest.param("statement: Hot", f"statement: {'x' * 160}", "statement:", "at most 160", id="a long statement"),
    pytest.param("    denial: Customs may go\n", "", "custom:\n", "custom lacks denial", id="no denial"),
    pytest.param("type: empirical", "type: emprical", "type:", "did you mean 'empirical'?", id="unknown type"),
    pytest.param("type: empirical", "type: {a: b}", "type:", "must be one of empirical", id="mapping as type"),
    pytest.param('truth: "OPEN"', "truth: no", "truth:", 'bare no as true or false; write "NO"', id="bare no"),
    pytest.param('truth: "OPEN"', "truth: Yes", "truth:", 'write "YES", in quotes', id="bare Yes"),
    pytest.param('truth: "OPEN"', 'truth: "no"', "truth:", "did you mean 'NO'?", id="small no in quotes"),
    pytest.param('truth: "OPEN"', "truth: off", "truth:", "put it in quotes", id="bare off"),
    pytest.param('truth: "OPEN"', "truth:", "truth:", "nothing stands here", id="no truth at all"),
    pytest.param('points: "YES"', "points: YES", "points:", 'write "YES", in quotes', id="bare YES"),
    pytest.param("sense: strict", "sense: strikt", "sense:", "did you mean 'strict'?", id="a sense unknown"),
    pytest.param("    sense: strict\n", "", "scalding:", "scalding lacks sense", id="senses without sense"),
    pytest.param("yes_means: it", "sense: a\n    yes_means: it", "sense: a", "no senses are listed", id="no senses"),
    pytest.param(
        "custom worth keeping because people kept it?",
        "custom worth?\n    sense: a\n    senses: {a: alone}",
        "senses: {a",
        "needs two senses or more",
        id="one sense",
    ),
    pytest.param('horizon: "12-18mo"', "horizon: 5", "horizon: 5", "as a number", id="a number as horizon"),
    pytest.param('horizon: "12-18mo"', 'horizon: "5yr"', "horizon: ", "did you mean '5y'?", id="unknown horizon"),
    pytest.param("attacks: CAUSAL_LINK", "attacks: causal_link", "attacks", "'CAUSAL_LINK'?", id="small attack"),
    pytest.param("        source: an experiment of the 1920s\n", "", "- points", "1 lacks source", id="no source"),
    pytest.param("an experiment", f"an {'x' * 120}", "source:", "at most 120", id="a long source"),
    pytest.param("text: She", f"text: {'x' * 360}", "text:", "at most 360", id="a long exhibit"),
    pytest.param(
        "rebuttals:\n          - attacks", "rebuttals:\n            attacks", "rebuttals:", "a list", id="no list"
    ),
    pytest.param(
        "no_means: it has no use", "no_means: none\n    no: x", "no: x", "bare no as true", id="a bare no as key"
    ),
    # personas
    pytest.param("name: Oskar", "name: edith", "  oskar:", "has the name of edith", id="one name for two"),
    pytest.param("    about: chemist\n", "", "  oskar:", "personas.oskar lacks about", id="no description"),
    pytest.param("bias: -0.1", "bias: -6.1", "bias:", "between -6 and 6, not -6.1", id="bias too low"),
    pytest.param("openness: 0.5", "openness: 1.01", "openness:", "between 0 and 1", id="openness too high"),
    pytest.param("conformity: 0.3", "conformity: 6", "conformity:", "between 0 and 5", id="conformity too high"),
    pytest.param("trust: 0.6", "trust: -1", "trust:", "between 0 and 1", id="trust below zero"),
    pytest.param("probe_noise: 0.1", "probe_noise: .6", "probe_noise", "between 0 and 0.5", id="too much noise"),
    pytest.param("bias: -0.1", 'bias: "0.1"', "bias:", "without quotes, not '0.1'", id="a number in quotes"),
    pytest.param("bias: -0.1", "bias: .nan", "bias:", "must be a plain number", id="not a number"),
    pytest.param("bias: -0.1", "bias: .inf", "bias:", "must be a plain number", id="infinity"),
    pytest.param("bias: -0.1", "bias: 1_0", "bias:", "must be a plain number", id="underscores"),
    pytest.param("bias: -0.1", f"bias: {'9' * 500}", "bias:", "between -6 and 6", id="a number without end"),
    pytest.param("bias: -0.1", "bias: [1]", "bias:", "must be a number", id="a list as number"),
    pytest.param("{oskar: 0.8}", "{oscar: 0.8}", "trusts", "did you mean 'oskar'?", id="trust in nobody"),
    pytest.param("{oskar: 0.8}", "{edith: 0.8}", "trusts", "names nothing known here", id="trust in oneself"),
    pytest.param("{oskar: 0.8}", "0.8", "trusts", "must be a mapping", id="trusts without names"),
    pytest.param("[hot milk, the old ways]", "tea", "interests", "must be a list", id="an interest without a list"),
    pytest.param("[hot milk, the old ways]", "[]", "interests", "an empty list; without", id="an empty list"),
    pytest.param("[hot milk, the old ways]", f"[{', '.join('abcdefghi')}]", "interests", "than 8", id="nine interests"),
    pytest.param("the old ways", "Hot Milk", "interests", "2 repeats personas.edith.interests.1", id="one twice"),
    pytest.param("the old ways", "x" * 61, "interests", "61 characters, at most 60", id="a long interest"),
    pytest.param("the old ways", "1984", "interests", "2 must be a text", id="a number as interest"),
    pytest.param("the old ways", "[milk]", "interests", "2 must be a text", id="a list as interest"),
    pytest.param("the old ways", "old ways.", "interests", "full stop", id="an interest with full stop"),
    # beliefs
    pytest.param("scalding: 0.2", "scalding: 0", "scalding: 0\n", "strictly between 0 and 1", id="credence nought"),
    pytest.param("scalding: 0.2", "scalding: 1.0", "scalding: 1", "strictly between", id="credence one"),
    pytest.param("scalding: 0.2", "scalding: sure", "scalding: sure", "plain number", id="credence in words"),
    pytest.param("      custom: 0.5\n", "", "beliefs:\n      scalding: 0.2", "lacks custom", id="no belief"),
    pytest.param("custom: 0.5", "custom: 0.5\n      costum: 0.4", "costum", "'custom'?", id="unknown proposition"),
    pytest.param("        credence: 0.85\n", "", "scalding:\n        weight", "lacks credence", id="no credence"),
    pytest.param("weight: 1.5", "weight: 7", "weight: 7", "between -6 and 6", id="too much weight"),
    pytest.param("{loose: 0.9}", "{lose: 0.9}", "{lose", "did you mean 'loose'?", id="a belief's sense unknown"),
    pytest.param(
        '{"5y": 0.4}', '{"6y": 0.4}', '{"6y"', "known are 1-3mo, 10y+, 12-18mo, 5y", id="a belief's horizon unknown"
    ),
    pytest.param('{"5y": 0.4}', '{"5y": 1}', '{"5y"', "strictly between", id="a certain horizon"),
    pytest.param("{scalding: 0.3}", "{custom: 0.3}", "{custom", "names nothing known", id="a link to itself"),
    pytest.param("{scalding: 0.3}", "{milk: 0.3}", "{milk", "names nothing known", id="a link to nothing"),
    pytest.param("{scalding: 0.3}", "{scalding: 9}", "{scalding: 9", "between -6 and 6", id="a link too strong"),
    pytest.param(
        "        weight: 1.5",
        "        weight: 1.5\n        links: {custom: 1}",
        "scalding:\n        credence",
        "run in a circle, scalding > custom > scalding",
        id="links in a circle",
    ),
    # lines
    pytest.param(
        "    says:\n      scalding", "    says:\n      scaldin", "scaldin:", "'scalding'?", id="lines on nothing"
    ),
    pytest.param("claim: Pour", "klaim: Pour", "klaim", "did you mean 'claim'?", id="an unknown line"),
    pytest.param("claim: Pour", f"claim: {'x' * 420}", "claim:", "at most 420", id="a long claim"),
    pytest.param("the first drops are boiled", "it is.", "reason:", "full stop", id="a reason with full stop"),
    pytest.param("          metric: cups told apart\n", "", "falsifier:", "lacks metric", id="half a falsifier"),
    pytest.param("by 31 December 2027", "2027-12-31", "deadline:", "as a date; put it", id="a bare date"),
    pytest.param("deadline: some day", "deadline: ~", "deadline: ~", "is empty", id="null as text"),
]


@pytest.mark.parametrize(("old", "new", "where", "says"), ONE_FAULT)
def test_a_fault_is_reported_once_with_its_line(old: str, new: str, where: str, says: str) -> None:
    text = edited(old, new)
    faults = faults_of(text)
    assert [line for line, _ in faults] == [line_of(text, where)], faults
    assert says in faults[0][1]


@pytest.mark.parametrize(
    ("old", "new", "where", "says"),
    [
        pytest.param("custom", "Custom", "Custom:", "'Custom' is no id", id="a capital in a proposition"),
        pytest.param("custom", "c" * 41, "c" * 41, "is no id", id="forty-one letters"),
        pytest.param("oskar", "9oskar", "  9oskar:", "'9oskar' is no id", id="a persona with a digit first"),
        pytest.param("oskar", '"oskar\\n"', '  "oskar', "'oskar\\n' is no id", id="a line break at the end"),
        pytest.param("oskar", "devils-advocate", "  devils", "reserved", id="a reserved persona"),
        pytest.param("loose", "Loose", "Loose:", "'Loose' is no id", id="a capital in a sense"),
    ],
)
def test_an_id_is_small_letters_digits_and_hyphens(old: str, new: str, where: str, says: str) -> None:
    text = PACK.replace(old, new)
    ((line, sentence),) = faults_of(text)
    assert line == line_of(text, where)
    assert says in sentence


def test_every_fault_is_reported_not_only_the_first() -> None:
    text = edited("Does hot tea scald the milk?", "Does it").replace("bias: -0.1", "bias: 60")
    text = text.replace("custom: 0.5", "custom: 1.5").replace("name: Oskar", "nam: Oskar")
    faults = faults_of(text)
    snippets = ["question:", "bias:", "  oskar:\n", "nam: Oskar", "custom: 1.5"]
    assert [line for line, _ in faults] == [line_of(text, snippet) for snippet in snippets]


def test_the_message_names_the_source_the_first_line_and_how_many_more() -> None:
    with pytest.raises(BadPack, match=r"^tea\.yaml, line 3: title .*\(and 1 more\)$"):
        read(edited("title: Milk first", "title:").replace("bias: -0.1", "bias: 60"), "tea.yaml")


@pytest.mark.parametrize(
    ("count", "says"),
    [pytest.param(1, "2 to 12 personas, not 1", id="one"), pytest.param(13, "not 13", id="thirteen")],
)
def test_a_pack_has_two_to_twelve_personas(count: int, says: str) -> None:
    start = PACK.index("personas:\n")
    body = "    about: r\n    beliefs: {scalding: 0.2, custom: 0.3}\n"
    text = PACK[:start] + "personas:\n" + "".join(f"  p{n}:\n    name: N{n}\n{body}" for n in range(count))
    ((line, sentence),) = faults_of(text)
    assert line == line_of(text, "personas:")
    assert says in sentence


@pytest.mark.parametrize(
    ("count", "sound"),
    [
        pytest.param(0, False, id="none"),
        pytest.param(1, True, id="one"),
        pytest.param(12, True, id="twelve"),
        pytest.param(13, False, id="thirteen"),
    ],
)
def test_a_pack_has_one_to_twelve_propositions(count: int, sound: bool) -> None:
    head = PACK[: PACK.index("propositions:\n")]
    fields = "statement: s, denial: d, question: 'q?', yes_means: a, no_means: b"
    claims = ", ".join(f"q{n}: {{{fields}}}" for n in range(count))
    beliefs = ", ".join(f"q{n}: 0.5" for n in range(count))
    people = "".join(f"  p{n}: {{name: N{n}, about: r, beliefs: {{{beliefs}}}}}\n" for n in range(2))
    text = f"{head}propositions: {{{claims}}}\npersonas:\n{people}"
    if sound:
        assert len(read(text, "many.yaml").propositions) == count
    else:
        assert f"1 to 12 propositions, not {count}" in faults_of(text)[0][1]


def test_a_list_has_a_bound() -> None:
    item = '      - {points: "NO", text: t, source: s}\n'
    text = edited("    evidence:\n", "    evidence:\n" + item * 40)
    ((line, sentence),) = faults_of(text)
    assert line == line_of(text, '- points: "YES"')
    assert "more than 40 items" in sentence


def test_eight_interests_are_allowed() -> None:
    pack = read(edited("[hot milk, the old ways]", f"[{', '.join('abcdefgh')}]"), "tea.yaml")
    assert pack.personas[0].interests == tuple("abcdefgh")


def test_a_folded_text_is_one_line() -> None:
    pack = read(edited("summary: A", "summary: >\n  A\n  very old\n "), "tea.yaml")
    assert pack.summary == "A very old grandmother and a chemist share one pot."


BOMB = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n"

HOSTILE = [
    pytest.param(BOMB, [1, 2, 2, 2, 3, 3, 3], "is refused; write the value out", id="an alias bomb"),
    pytest.param(edited("name: tea", "name: &n tea"), [2], "anchor &n", id="an anchor"),
    pytest.param("pack: 1\nx: *nobody\n", [2], "alias *nobody", id="an alias of nothing"),
    pytest.param("x: !!python/object/apply:os.system [ls]\n", [1], "the tag", id="a python tag"),
    pytest.param(edited("title: Milk", "title: !secret Milk"), [3], "the tag !secret", id="a private tag"),
    pytest.param(edited("bias: -0.1", "bias: !!float -0.1"), [37], "the tag", id="even a harmless tag"),
    pytest.param(edited("title: Milk first", "<<: {title: Milk}"), [1, 3], "", id="a merge key"),
    pytest.param(edited("title: Milk", "name: tee\ntitle: Milk"), [3], "twice, first on line 2", id="a key twice"),
    pytest.param(PACK + "---\n" + PACK, [PACK.count("\n") + 1], "second document", id="two documents"),
    pytest.param("x:\n  y: " + "[" * 11 + "]" * 11, [2], "nested deeper than 12", id="too deep"),
    pytest.param("[" * 900_000, [1], "nested deeper than 12", id="far too deep"),
    pytest.param("- " * 400_000 + "x", [1], "nested deeper than 12", id="a staircase"),
    pytest.param("x" * 10_000_000, [1], "at most 1 MB", id="ten megabytes"),
    pytest.param("é" * 600_000, [1], "at most 1 MB", id="one megabyte counted in bytes"),
    pytest.param("pack: 1\nname:\n\ttea\n", [3], "a tab indents this line", id="a tab"),
    pytest.param("pack: 1\n\x00\x01\x02\n", [2], "U+0000", id="a binary file"),
    pytest.param("pack: 1\n\n\x1b[31mred\n", [3], "U+001B", id="a terminal escape"),
    pytest.param("pack: \ud800\n", [1], "U+D800", id="half a character"),
    pytest.param("", [1], "is empty", id="an empty file"),
    pytest.param("# nothing\n", [1], "is empty", id="a comment only"),
    pytest.param("just words\n", [1], "must be a mapping", id="a text"),
    pytest.param("- pack: 1\n", [1], "must be a mapping", id="a list"),
    pytest.param('pack: 1\nname: "tea\n', [3], "this is not YAML", id="an open quote"),
    pytest.param("pack: 1\nname: a: b\n", [2], "this is not YAML", id="two colons"),
    pytest.param(
        edited("trusts: {oskar", "? [a]\n    : 1\n    trusts: {oskar"), [41], "must be a word", id="a list as key"
    ),
]


@pytest.fixture(params=[True, False], ids=["libyaml", "plain python"])
def either_loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param and not yaml.__with_libyaml__:
        pytest.skip("PyYAML was built without libyaml")
    monkeypatch.setattr(yaml, "__with_libyaml__", request.param)


@pytest.mark.usefixtures("either_loader")
@pytest.mark.parametrize(("text", "lines", "says"), HOSTILE)
def test_hostile_yaml_is_refused_with_its_line(text: str, lines: list[int], says: str) -> None:
    faults = faults_of(text)
    assert [line for line, _ in faults] == lines, faults
    assert all(says in sentence for _, sentence in faults)


@pytest.mark.usefixtures("either_loader")
def test_both_loaders_read_the_same_pack() -> None:
    assert read(PACK, "tea.yaml").personas[0].beliefs[0].lines.claim == "Pour the tea on the milk."
    assert read("\ufeff" + PACK, "tea.yaml") == read(PACK.replace("\n", "\r\n"), "tea.yaml")


def test_twelve_levels_are_allowed() -> None:
    faults = faults_of("x:\n  y: " + "[" * 10 + "]" * 10)
    assert not any("nested" in sentence for _, sentence in faults)


@given(st.text(max_size=200))
def test_no_text_makes_the_reader_fall_over(text: str) -> None:
    with pytest.raises(BadPack) as caught:
        read(text, "noise.yaml")
    assert caught.value.faults


@given(st.integers(0, len(PACK)), st.integers(0, 40), st.text("\t\n :-[]{}&*!|>'\"#%@no0.1", max_size=6))
def test_no_damage_to_a_pack_makes_the_reader_fall_over(at: int, length: int, put: str) -> None:
    text = PACK[:at] + put + PACK[at + length :]
    try:
        read(text, "damaged.yaml")
    except BadPack as bad:
        faults = bad.faults
    else:
        return
    assert faults
    assert all(1 <= line <= text.count("\n") + 2 and sentence for line, sentence in faults)


# ---- the shelf


def test_the_shelf_has_the_packs_that_ship() -> None:
    assert pack_finder.names() == ("bitcoin", "free-will", "monolith")


def test_a_pack_is_found_by_its_name_or_its_path(tmp_path: Path) -> None:
    shipped, text = pack_finder.find("monolith")
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    assert pack_finder.find(str(tmp_path / "mine.yaml")) == (shipped, text)


def test_a_file_with_faults_is_named_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.yml"
    path.write_text(edited("bias: -0.1", "bias: 60"))
    with pytest.raises(BadPack, match=r"mine\.yml, line 37: personas\.edith\.bias"):
        pack_finder.find(str(path))


def prepare(tmp_path: Path) -> None:
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "binary.yaml").write_bytes(b"\x89PNG\r\n\x00\x00")
    (tmp_path / "latin.yaml").write_bytes("pack: é".encode("latin-1"))
    (tmp_path / "huge.yaml").write_bytes(b"x" * 10_000_000)
    (tmp_path / "endless.yaml").symlink_to("/dev/zero")
    (tmp_path / "notes.txt").write_text(PACK)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        pytest.param("bitcion", "did you mean bitcoin?", id="a slip"),
        pytest.param("Monolith", "did you mean monolith?", id="a capital"),
        pytest.param("zebra", "there are bitcoin, free-will, monolith", id="nothing like it"),
        pytest.param("", "there is no pack ''", id="nothing"),
        pytest.param("notes.txt", "the path of a .yaml file", id="not a YAML file"),
        pytest.param("none.yaml", "there is no file", id="no such file"),
        pytest.param("../../etc/none.yaml", "there is no file", id="a path that climbs"),
        pytest.param("folder.yaml", "is a folder", id="a folder"),
        pytest.param("binary.yaml", "is not a text file", id="a binary file"),
        pytest.param("latin.yaml", "is not UTF-8 text", id="another encoding"),
        pytest.param("huge.yaml", "is larger than 1 MB", id="a huge file"),
        pytest.param("endless.yaml", "is not a regular file", id="a device"),
        pytest.param("a\nb", "there is no pack 'a\\nb'", id="a line break in a name"),
        pytest.param("a\nb.yaml", "there is no file 'a\\nb.yaml'", id="a line break in a path"),
        pytest.param("a\0b.yaml", "'a\\x00b.yaml'", id="a null in a path"),
        pytest.param("x" * 5000 + ".yaml", "cannot be read", id="a path without end"),
        pytest.param("reader", "there is no pack reader", id="a module is no pack"),
    ],
)
def test_a_pack_that_cannot_be_had_gets_one_sentence(
    name: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput) as caught:
        pack_finder.find(name)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


# ---- the example in the manual


def test_the_example_in_the_manual_is_a_sound_pack() -> None:
    (example,) = re.findall(r"^```yaml\n(.*?)^```", MANUAL.read_text("utf-8"), re.M | re.S)
    pack = read(example, MANUAL.name)
    assert len(pack.personas) == len(pack.propositions) == 2


def test_the_manual_names_every_key_of_the_example() -> None:
    manual = MANUAL.read_text("utf-8")
    tables = "\n".join(line for line in manual.splitlines() if line.startswith("|"))
    (example,) = re.findall(r"^```yaml\n(.*?)^```", manual, re.M | re.S)
    ids = {"scalding", "custom", "grandmother", "chemist", "at-home", "in-law"}
    keys = set(re.findall(r"([a-z][a-z_-]*):(?:\s|$)", re.sub(r"(?m)#.*$", "", example))) - ids
    assert {key for key in keys if f"`{key}`" not in tables} == set()
