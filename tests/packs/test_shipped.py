"""The packs that ship read like a debate: short lines, each said once, tests that can be failed, evidence both ways."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import pytest

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.crux.law import falsifiers
from cruxfinder.crux.law.crux_quality import MEASURES
from cruxfinder.debaters.simulated.speech import mid_sentence, shared_names
from cruxfinder.kernel.pack import Lines, Pack
from cruxfinder.language.english.texts import carried_share
from tests.law import read_falsifiers

NAMES = re.compile("Algeria|America|Argentin|Asia|Austral|Brit|Chin|Cyp|Europ|India|Japan|Nigeria|Tokyo|Turk|Yap")
BINARY = re.compile(r"(Is|Are|Does|Do|Can|Could) .*\?")


@pytest.fixture(params=pack_finder.names())
def pack(request: pytest.FixtureRequest) -> Pack:
    return pack_finder.find(request.param)[0]


def lines_of(pack: Pack) -> Iterator[tuple[str, Lines]]:
    for persona in pack.personas:
        for belief in persona.beliefs:
            yield f"{persona.id} on {belief.proposition}", belief.lines


def spoken(pack: Pack) -> Iterator[str]:
    for _, lines in lines_of(pack):
        yield from (lines.claim, lines.challenge, lines.reason, lines.statement)
    for proposition in pack.propositions:
        yield from (proposition.statement, proposition.denial, proposition.question)
        yield from (proposition.yes_means, proposition.no_means)
        for exhibit in proposition.exhibits:
            yield exhibit.text
            yield from (rebuttal.why for rebuttal in exhibit.rebuttals)


def sentences(text: str) -> int:
    return len(re.findall(r"[.!?](?=\s|$)", text))


def test_a_pack_is_named_as_its_file() -> None:
    assert [pack_finder.find(name)[0].name for name in pack_finder.names()] == list(pack_finder.names())


def test_there_are_five_to_seven_propositions_and_four_or_five_personas(pack: Pack) -> None:
    assert 5 <= len(pack.propositions) <= 7
    assert 4 <= len(pack.personas) <= 5


def test_everybody_has_interests_of_its_own(pack: Pack) -> None:
    """Public topics that its role lets one expect; nobody looks out for the same things as somebody else."""
    for persona in pack.personas:
        assert 4 <= len(persona.interests) <= 6, persona.id
        assert all(1 <= len(phrase.split()) <= 6 for phrase in persona.interests), persona.id
    for one, other in permutations(pack.personas, 2):
        assert len(set(one.interests) & set(other.interests)) <= 1, (one.id, other.id)


def test_names_keep_their_capital_inside_a_sentence(pack: Pack) -> None:
    """A speaker knows a name by its capital in the middle of a text: one that only begins texts would lose it."""
    known = shared_names(pack.propositions)
    for proposition in pack.propositions:
        for exhibit in proposition.exhibits:
            for text in (exhibit.text, *(rebuttal.why for rebuttal in exhibit.rebuttals)):
                assert mid_sentence(text, known) == text or not NAMES.match(text), text


def test_no_two_lines_are_the_same(pack: Pack) -> None:
    assert [text for text, times in Counter(spoken(pack)).items() if times > 1] == []


def test_everybody_has_all_lines_on_everything(pack: Pack) -> None:
    for where, lines in lines_of(pack):
        assert all((lines.claim, lines.reason, lines.challenge, lines.statement, lines.falsifier)), where


def test_what_is_said_has_the_length_of_a_remark(pack: Pack) -> None:
    for where, lines in lines_of(pack):
        for text in (lines.claim, lines.challenge):
            assert 120 <= len(text) <= 380, (where, text)
            assert 1 <= sentences(text) <= 2, (where, text)
        assert 8 <= len(lines.reason.split()) <= 25, (where, lines.reason)


def test_a_position_with_reason_and_falsifier_fits_into_a_message(pack: Pack) -> None:
    for where, lines in lines_of(pack):
        assert lines.falsifier is not None
        said = (lines.statement, lines.reason, *(text for _, text in falsifiers.parts(lines.falsifier)))
        assert sum(map(len, said)) <= 480, where


@pytest.mark.rule("FALS-1")
def test_falsifiers_are_concrete_and_dated_and_the_vague_ones_are_not(pack: Pack) -> None:
    for where, lines in lines_of(pack):
        assert lines.falsifier is not None
        assert list(read_falsifiers.faults(lines.falsifier)) == [], where
        assert re.search(r"\b20(2[7-9]|[3-9]\d)\b", lines.falsifier.deadline), where
        if lines.vague is not None:
            assert list(read_falsifiers.faults(lines.vague)), where


def test_everybody_is_careless_about_at_least_half_of_its_falsifiers(pack: Pack) -> None:
    for persona in pack.personas:
        vague = sum(belief.lines.vague is not None for belief in persona.beliefs)
        assert vague >= len(persona.beliefs) / 2, persona.id


def test_nobody_can_be_represented_by_another_persona_s_words(pack: Pack) -> None:
    """A steelman that repeats somebody else's position misses its target's: less than .3 of the words carry over."""
    for place, proposition in enumerate(pack.propositions):
        for one, other in permutations(pack.personas, 2):
            a, b = one.beliefs[place].lines, other.beliefs[place].lines
            shared = carried_share(f"{a.statement} {a.reason}", f"{b.statement} {b.reason}")
            assert shared < 0.3, (proposition.id, one.id, other.id, shared)


def test_questions_are_binary_and_ask_for_no_measurement(pack: Pack) -> None:
    for proposition in pack.propositions:
        assert BINARY.fullmatch(proposition.question), proposition.question
        assert not MEASURES.search(proposition.question), proposition.question
        assert " or " not in proposition.question, proposition.question


def test_evidence_points_both_ways_and_every_piece_can_be_answered(pack: Pack) -> None:
    for proposition in pack.propositions:
        assert 5 <= len(proposition.exhibits) <= 8, proposition.id
        assert {exhibit.points for exhibit in proposition.exhibits} == {"YES", "NO"}, proposition.id
        for exhibit in proposition.exhibits:
            assert 1 <= len(exhibit.rebuttals) <= 2, exhibit.text
            for text in (exhibit.text, *(rebuttal.why for rebuttal in exhibit.rebuttals)):
                assert len(text) <= 320, text
                assert 1 <= sentences(text) <= 2, text


def test_nobody_is_called_by_name_in_a_line(pack: Pack) -> None:
    """Any of them may be absent from a debate."""
    names = re.compile("|".join(rf"\b{re.escape(persona.name)}\b" for persona in pack.personas))
    assert [text for text in spoken(pack) if names.search(text)] == []
