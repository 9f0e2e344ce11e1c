"""What a pack brings for a conversation: tensions, dilemmas, anchors and roles, and the faults of each."""

import pytest

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.packs.pack_reader import read
from cruxfinder.errors import BadPack
from cruxfinder.kernel.pack import Anchor, Dilemma, Pack, Tension
from cruxfinder.kernel.vocabulary import AgentId, Role

PACK = """\
pack: 1
name: quay
title: Free ferries
topic: Ferries should be free
summary: A purser and a pilot share a bench.
propositions:
  crowds:
    statement: Free ferries draw crowds
    denial: Free ferries draw nobody new
    question: Do free ferries draw crowds?
    yes_means: more people come
    no_means: the same people come
personas:
  edith: {name: Edith, about: purser, beliefs: {crowds: 0.8}}
  oskar: {name: Oskar, about: pilot, beliefs: {crowds: 0.2}}
  nora: {name: Nora, about: clerk, beliefs: {crowds: 0.5}}
"""
LAST = PACK.count("\n")  # so that the first line of what is added is the one after


def pack(more: str) -> Pack:
    return read(PACK + more, "quay.yaml")


def faults(more: str) -> list[tuple[int, str]]:
    """Faults, their lines counted from the first one added."""
    with pytest.raises(BadPack) as caught:
        pack(more)
    return [(line - LAST, fault) for line, fault in caught.value.faults]


# ---- what is read


def test_a_pack_may_bring_nothing_for_a_conversation() -> None:
    plain = pack("")
    assert (plain.tensions, plain.dilemmas, plain.anchors, plain.roles) == ((), (), (), ())
    assert plain.agenda.subjects == ("Do free ferries draw crowds?",)


def test_tensions_are_two_sides_with_the_words_that_tell() -> None:
    found = pack("tensions:\n  - price: [fares, toll gate]\n    access: [reach]\n  - {speed: [], calm: []}\n")
    assert found.tensions == (
        Tension(sides=("price", "access"), words=(("fares", "toll gate"), ("reach",))),
        Tension(sides=("speed", "calm"), words=((), ())),
    )
    assert found.agenda.tensions == found.tensions


def test_dilemmas_turn_on_a_proposition() -> None:
    found = pack(
        "dilemmas:\n  - text: Should a full ferry turn back?\n    turns_on: crowds\n"
        "    if_true: it should sail\n    if_false: it should wait\n"
    )
    assert found.dilemmas == (
        Dilemma(
            text="Should a full ferry turn back?",
            turns_on="crowds",
            if_true="it should sail",
            if_false="it should wait",
        ),
    )
    assert found.agenda.dilemmas == found.dilemmas


def test_anchors_have_a_source() -> None:
    found = pack("anchors:\n  - text: The ferryman counted his coins.\n    source: a fable told here\n")
    assert found.anchors == (Anchor(text="The ferryman counted his coins.", source="a fable told here"),)
    assert found.agenda.anchors == found.anchors


def test_roles_give_parts_to_personas() -> None:
    found = pack("roles: {host: nora, opponent: edith, voice-of-reason: oskar}\n")
    assert dict(found.roles) == {Role.HOST: "nora", Role.OPPONENT: "edith", Role.REASON: "oskar"}


def test_a_persona_has_an_icon_or_none() -> None:
    found = read(PACK.replace("name: Edith,", 'name: Edith, icon: "⛴",'), "quay.yaml")
    assert [p.icon for p in found.personas] == ["⛴", "", ""]


# ---- faults


@pytest.mark.parametrize(
    ("more", "found"),
    [
        pytest.param("tensions: price\n", [(1, "tensions must be a list")], id="tensions that are no list"),
        pytest.param(
            "tensions:\n  - price: [fares]\n",
            [(2, "tensions.1 needs two sides, each with a list of words")],
            id="a tension with one side",
        ),
        pytest.param(
            "tensions:\n  - {a: [], b: [], c: []}\n",
            [(2, "tensions.1 needs two sides, each with a list of words")],
            id="a tension with three",
        ),
        pytest.param(
            "tensions:\n  - price: fares\n    access: []\n",
            [(2, "tensions.1.price must be a list")],
            id="words that are no list",
        ),
        pytest.param(
            "tensions:\n  - price: [fares.]\n    access: [[reach]]\n",
            [
                (2, "tensions.1.price.1 is fitted into sentences: leave out the full stop at its end"),
                (3, "tensions.1.access.1 must be a text"),
            ],
            id="words that are none",
        ),
        pytest.param(
            "tensions:\n  - {price: [], price: []}\n",
            [
                (2, "tensions.1: 'price' stands here twice, first on line " + str(LAST + 2)),
                (2, "tensions.1 needs two sides, each with a list of words"),
            ],
            id="the same side twice",
        ),
        pytest.param(
            "dilemmas:\n  - text: Should it sail?\n    turns_on: crowds\n    if_true: yes it should\n",
            [(2, "dilemmas.1 lacks if_false")],
            id="a dilemma without an answer",
        ),
        pytest.param(
            "dilemmas:\n  - text: It should sail\n    turns_on: crowd\n    if_true: so\n    if_false: so\n",
            [
                (2, "dilemmas.1.text must end with a question mark"),
                (3, "dilemmas.1.turns_on must be one of crowds, not 'crowd'; did you mean 'crowds'?"),
            ],
            id="a dilemma that asks nothing and turns on nothing known",
        ),
        pytest.param(
            "dilemmas:\n  - {text: Why?, turns_on: crowds, if_true: so, if_false: so, why: x}\n",
            [(2, "dilemmas.1: unknown key 'why'; known are if_false, if_true, text, turns_on")],
            id="a dilemma with something unknown",
        ),
        pytest.param(
            "anchors:\n  - text: A fable.\n", [(2, "anchors.1 lacks source")], id="an anchor without a source"
        ),
        pytest.param(
            "anchors:\n  - A fable.\n",
            [(2, "anchors.1 must be a mapping of keys to values")],
            id="an anchor that is a text only",
        ),
        pytest.param(
            "anchors:\n  - text: ''\n    source: here.\n",
            [
                (2, "anchors.1.text is empty"),
                (3, "anchors.1.source is fitted into sentences: leave out the full stop at its end"),
            ],
            id="an anchor without words",
        ),
        pytest.param("roles: [host]\n", [(1, "roles must be a mapping of keys to values")], id="roles that are a list"),
        pytest.param(
            "roles:\n  hosts: nora\n", [(2, "roles.hosts is no role; did you mean 'host'?")], id="an unknown role"
        ),
        pytest.param(
            "roles:\n  host: noah\n",
            [(2, "roles.host must be one of edith, oskar, nora, not 'noah'; did you mean 'nora'?")],
            id="a role for nobody",
        ),
        pytest.param(
            "roles:\n  host: nora\n  voice-of-reason: nora\n",
            [(1, "roles gives two roles to one persona")],
            id="two roles for one",
        ),
    ],
)
def test_a_fault_is_told_with_its_line(more: str, found: list[tuple[int, str]]) -> None:
    assert faults(more) == found


def test_speaking_is_no_role_to_give() -> None:
    ((line, fault),) = faults("roles: {speaker: nora}\n")
    assert (line, fault.startswith("roles.speaker is no role;")) == (1, True)


@pytest.mark.parametrize(
    ("key", "item"),
    [
        ("tensions", "  - {a: [], b: []}\n"),
        ("dilemmas", "  - {text: Why?, turns_on: crowds, if_true: so, if_false: not}\n"),
        ("anchors", "  - {text: A fable., source: here}\n"),
    ],
)
def test_there_is_a_most_of_each(key: str, item: str) -> None:
    assert len(getattr(pack(f"{key}:\n{item * 40}"), key)) == 40
    assert faults(f"{key}:\n{item * 41}") == [(42, f"{key} has more than 40 items")]


def test_a_role_for_nobody_is_one_fault() -> None:
    assert [line for line, _ in faults("roles:\n  host: edith\n  voice-of-reason: noah\n")] == [3]


def test_an_icon_is_short() -> None:
    with pytest.raises(BadPack, match="icon has 9 characters, at most 8"):
        read(PACK.replace("name: Edith,", "name: Edith, icon: abcdefghi,"), "quay.yaml")


def test_every_dilemma_that_ships_turns_on_a_proposition_of_its_pack() -> None:
    for name in pack_finder.names():
        shipped = pack_finder.find(name)[0]
        known = {p.id for p in shipped.propositions}
        assert all(d.turns_on in known for d in shipped.dilemmas)
        assert all(AgentId(agent) in {p.id for p in shipped.personas} for _, agent in shipped.roles)
