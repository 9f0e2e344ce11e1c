"""What simulated speakers and chairs say of one another is so: read from whole conversations, with the pack in hand."""

import asyncio
import re
from functools import cache

import pytest

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.packs.pack_reader import read
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import run_starts
from cruxfinder.app.roles import assign_roles
from cruxfinder.kernel.pack import Pack
from cruxfinder.kernel.vocabulary import AgentId, ProtocolName, Role, TopSide, Verdict
from cruxfinder.language.english.texts import sentences
from cruxfinder.protocols.any_run import Finished
from cruxfinder.protocols.protocol_list import protocol_named
from cruxfinder.talk.turns import CONSENSUS, DEBATE, DISCUSSION, ROUNDTABLE, TurnType
from tests.whole.said_oracle import Oracle, Side, plain, quotes

PACKS = ("free-will", "bitcoin", "monolith")
TALKS = (DEBATE, CONSENSUS, DISCUSSION, ROUNDTABLE)
SEEDED = pytest.mark.parametrize("seed", [0, pytest.param(7, marks=pytest.mark.slow)])
NAMED = pytest.mark.parametrize("name", PACKS)
EVERY = pytest.mark.parametrize("protocol", TALKS)
SUMMED_UP = pytest.mark.parametrize("protocol", TALKS[1:])


def held(pack: Pack, protocol: ProtocolName, seed: int) -> Finished:
    return asyncio.run(run_starts.start(pack, MemoryStore(), seed=seed, protocol=protocol))


@cache
def heard(name: str, protocol: ProtocolName, seed: int) -> Oracle:
    pack = assign_roles(pack_finder.find(name)[0], protocol_named(protocol), {})
    return Oracle(pack, held(pack, protocol, seed))


# ---- speakers


@NAMED
@EVERY
@SEEDED
def test_nobody_is_said_to_hold_what_they_have_not_said(name: str, protocol: ProtocolName, seed: int) -> None:
    assert heard(name, protocol, seed).false_attributions() == []


@SEEDED
def test_two_who_agree_do_not_rebut_a_view_that_neither_holds(seed: int) -> None:
    """The Stoic and the Scot both believe in free will, for reasons that differ on one proposition only."""
    pair = {Role.PROPONENT: AgentId("stoic"), Role.OPPONENT: AgentId("scot")}
    pack = assign_roles(pack_finder.find("free-will")[0], protocol_named(DEBATE), pair)
    talk = Oracle(pack, held(pack, DEBATE, seed))
    assert talk.false_attributions() == []
    assert talk.turns[-1].turn.side is TopSide.NUANCED and "nobody contested it" in talk.turns[-1].turn.content


@NAMED
@EVERY
@SEEDED
def test_nobody_says_the_same_line_twice(name: str, protocol: ProtocolName, seed: int) -> None:
    assert heard(name, protocol, seed).repeated() == []


@SEEDED
def test_two_who_talk_all_evening_do_not_repeat_themselves(seed: int) -> None:
    pack = pack_finder.find("free-will")[0]
    agents = (AgentId("baron"), AgentId("scot"))
    run = run_starts.start(pack, MemoryStore(), seed=seed, agents=agents, protocol=ROUNDTABLE)
    assert Oracle(pack, asyncio.run(run)).repeated() == []


def test_whoever_has_nothing_left_to_say_lets_the_turn_pass() -> None:
    """Three speakers and one proposition: the table runs out of things to say, and the talk ends."""
    lines = "statement: {0} draw crowds, denial: {0} draw nobody new, question: 'Do {0} draw crowds?'".format(
        "Free ferries"
    )
    pack = read(
        "pack: 1\nname: quay\ntitle: Quay\ntopic: Ferries should be free\nsummary: A bench.\npropositions:\n"
        f"  crowds: {{{lines}, yes_means: more people come, no_means: the same people come}}\npersonas:\n"
        "  edith: {name: Edith, about: purser, beliefs: {crowds: 0.8}}\n"
        "  oskar: {name: Oskar, about: pilot, beliefs: {crowds: 0.2}}\n"
        "  nora: {name: Nora, about: clerk, beliefs: {crowds: 0.6}}\n",
        "quay.yaml",
    )
    talk = Oracle(pack, held(pack, ROUNDTABLE, 0))
    assert len(talk.turns) < 12
    assert talk.repeated() == []


@NAMED
@EVERY
@SEEDED
def test_no_speaker_ends_as_the_one_before_did(name: str, protocol: ProtocolName, seed: int) -> None:
    assert heard(name, protocol, seed).neighbours_with_one_ending() == []


@NAMED
@SEEDED
def test_a_question_gets_an_answer_to_that_question(name: str, seed: int) -> None:
    """Yes and no are said to what was asked, and the first answer is about it."""
    talk = heard(name, DISCUSSION, seed)
    for turn in talk.said:
        assert not re.search(r"\bcome down (?:for|against) it\b|^(?:For|Against) it\.", turn.turn.content)
        if turn.turn.type is TurnType.POSITION:
            asked = talk.asked(turn)
            assert asked in {side.proposition for side in talk.asserted(turn)}


@NAMED
@SEEDED
def test_a_passage_is_said_to_show_only_what_it_bears_on(name: str, seed: int) -> None:
    """Evidence fits those whose side it speaks for; of a story nobody says that it shows anything."""
    talk = heard(name, ROUNDTABLE, seed)
    exhibits = {plain(x.text): Side(p.id, x.points == "YES") for p in talk.pack.propositions for x in p.exhibits}
    for passage in talk.passages:
        points = exhibits.get(plain(passage.text))
        for turn in (t for t in talk.said[: len(talk.turns)] if t.turn.type is TurnType.REACTION):
            if talk.turns.index(turn) < passage.number or "passage" not in turn.turn.content:
                continue
            if not is_about(talk, turn.id, passage.number):
                continue
            fits = re.match(r"The passage fits|Such a finding|That is what one would find", turn.turn.content)
            if fits:
                assert points in talk.reasoned(turn) + talk.owned(turn)
            if points is None:
                assert not fits and not re.search(r"[Tt]he passage (?:is right|fits|shows, if)", turn.turn.content)


def is_about(talk: Oracle, turn: str, number: int) -> bool:
    later = [p.number for p in talk.passages if p.number > number]
    at = next(n for n, t in enumerate(talk.turns) if t.id == turn)
    return number <= at < min(later, default=len(talk.turns))


# ---- chairs


@NAMED
@SUMMED_UP
@SEEDED
def test_a_test_is_named_only_where_somebody_staked_a_view_on_it(name: str, protocol: ProtocolName, seed: int) -> None:
    talk = heard(name, protocol, seed)
    for turn in talk.syntheses():
        assert not re.search(r"test .+ named", turn.turn.next_step)
        if "refutation" in turn.turn.next_step:
            (seen,) = quotes(turn.turn.next_step)
            (by,) = talk.quoted_from(seen)
            staked = [b.lines.falsifier for b in talk.persona[by.agent].beliefs if b.lines.falsifier]
            assert any(plain(f.threshold) in plain(seen) for f in staked)


@NAMED
@SUMMED_UP
@SEEDED
def test_a_synthesis_quotes_each_once_and_calls_open_what_is_not_among_them(
    name: str, protocol: ProtocolName, seed: int
) -> None:
    talk = heard(name, protocol, seed)
    for turn in talk.syntheses():
        shown, _, left = turn.turn.content.partition("Open is")
        assert len(set(quotes(shown))) == len(quotes(shown))
        assert not set(quotes(shown)) & set(quotes(left))
        for by in (talk.quoted_from(quote)[0] for quote in quotes(left)):
            assert by.turn.type is not TurnType.CONCESSION
            assert not any(t.turn.reply_to == by.id for t in talk.turns[: talk.turns.index(turn)])


@NAMED
@SEEDED
def test_the_closing_word_begins_with_the_last_act(name: str, seed: int) -> None:
    talk = heard(name, ROUNDTABLE, seed)
    shown = quotes(talk.syntheses()[-1].turn.content.partition("Open is")[0])
    places = [talk.turns.index(talk.quoted_from(quote)[-1]) // 12 for quote in shown]
    assert places == sorted(places, reverse=True) and places[0] == 3
    assert len(set(places)) > 1, "and draws on others"


@NAMED
@SEEDED
def test_an_arbitrator_says_what_stands_and_nothing_twice(name: str, seed: int) -> None:
    talk = heard(name, DEBATE, seed)
    first, second = (
        t.turn.content for t in talk.turns if t.role is Role.ARBITRATOR and t.turn.type is TurnType.REACTION
    )
    pair = [talk.persona[t.agent].name for t in talk.said[:2]]
    assert "stand against each other" in first and all(name in first for name in pair)
    assert second != first and f"{pair[1]}'s" in second, "whose last point nobody can have met"
    assert "each point was met" not in first + second


@NAMED
@SEEDED
def test_a_divided_table_is_said_to_be_divided(name: str, seed: int) -> None:
    talk = heard(name, CONSENSUS, seed)
    sides = {t.agent: t.turn.side for t in talk.said}
    merged = talk.syntheses()[-1].turn
    assert merged.side is (next(iter(sides.values())) if len(set(sides.values())) == 1 else None)
    if merged.side is None:
        assert "we are divided" in merged.content
        assert all(re.search(r"\b(?:is|are|stands?)\b", part) for part in sentences(merged.content)[0].split(";"))
    assert f'"{talk.pack.topic}"' in merged.content, "its capitals are kept"


@NAMED
def test_where_all_do_not_take_one_side_nobody_calls_it_consensus(name: str) -> None:
    pack = assign_roles(pack_finder.find(name)[0], protocol_named(CONSENSUS), {})
    finished = held(pack, CONSENSUS, 0)
    sides = {t.turn.side for t in Oracle(pack, finished).said}
    assert len(sides) > 1
    assert finished.minutes.verdict is Verdict.NO_CONSENSUS


@NAMED
def test_an_opening_names_a_pull_only_where_there_is_one(name: str) -> None:
    talk = heard(name, ROUNDTABLE, 0)
    opening = talk.turns[0].turn.content
    assert opening.count(talk.pack.topic) == 1
    assert ("etween" in opening) is bool(talk.pack.tensions)
