"""A model draws up people who disagree: both sides, no name twice, and everything fits where it is used."""

import pytest

from cruxfinder.adapters.casting.cast import pack_of
from cruxfinder.adapters.casting.drawn_personas import invent_personas
from cruxfinder.debaters.modelled.briefing import BRIEF_MAX
from cruxfinder.errors import BadInput, DebaterFault
from cruxfinder.kernel.pack import Models, Persona
from cruxfinder.kernel.vocabulary import AgentId
from tests.casting.people import TOPIC, asked, saying, unmarked

Row = dict[str, object]


def row(name: str, stance: str, **more: object) -> Row:
    return {
        "name": name,
        "role": "keeps the servers running",
        "stance": stance,
        "brief": "Every split of the last years cost more than it brought.",
        "interests": ["outages", "hiring"],
        **more,
    }


def cast(*rows: Row) -> dict[str, object]:
    return {"personas": list(rows)}


GOOD = cast(row("Ines", "YES"), row("Tomás", "NO"))


def drawn(*replies: object, count: int = 2) -> tuple[tuple[Persona, ...], int]:
    found, server, _ = asked(saying(*replies), lambda t, b: invent_personas(TOPIC, count, thinker=t, budget=b))
    return found, len(server.calls)


def test_one_request_draws_up_everybody() -> None:
    (ines, tomas, lea), calls = drawn(cast(row("Ines", "yes"), row("Tomás", "NO"), row("Lea", "Nuanced")), count=3)
    assert calls == 1
    assert ines == Persona(
        id=AgentId("ines"),
        name="Ines",
        about="keeps the servers running",
        brief="For it: Every split of the last years cost more than it brought.",
        interests=("outages", "hiring"),
    )
    assert tomas.id == "tomas" and tomas.brief.startswith("Against it: Every")
    assert lea.brief.startswith("Neither for nor against: Every")


@pytest.mark.parametrize(
    ("first", "told"),
    [
        pytest.param(cast(row("Ines", "YES"), row("Tom", "YES")), "nobody's stance is NO", id="one side"),
        pytest.param(cast(row("A", "NUANCED"), row("B", "NUANCED")), "stance is NO or YES", id="no side"),
        pytest.param(cast(row("Ines", "YES"), row("INES", "NO")), 'two personas are called "Ines"', id="a name twice"),
        pytest.param(cast(row("Ines", "YES")), "2 personas are needed, and it has 1", id="too few"),
        pytest.param(
            cast(row("A", "YES"), row("B", "YES"), row("C", "NO")), "stance is NO", id="the third is not seated"
        ),
        pytest.param(cast(row("Ines", "MAYBE"), row("Tom", "NO")), "stance must be one of", id="another stance"),
        pytest.param(cast(row("", "YES", brief=""), row("Tom", "NO")), "lacks name, brief", id="something left out"),
        pytest.param(cast(row("A", "YES", interests="all"), row("B", "NO")), "interests must be a list", id="no list"),
        pytest.param(cast(row("A", "YES", interests=[3]), row("B", "NO")), "lacks interests", id="no interests"),
        pytest.param({"people": []}, "it lacks personas", id="another key"),
        pytest.param("I cannot do that.", "no JSON object", id="prose"),
    ],
)
def test_a_cast_that_cannot_debate_is_asked_for_again(first: object, told: str) -> None:
    found, server, _ = asked(saying(first, GOOD), lambda t, b: invent_personas(TOPIC, 2, thinker=t, budget=b))
    assert [p.name for p in found] == ["Ines", "Tomás"]
    assert told in server.calls[1].user


def test_after_three_attempts_it_is_told_why_there_is_no_cast() -> None:
    with pytest.raises(DebaterFault, match="nobody's stance is NO"):
        drawn(cast(row("Ines", "YES"), row("Tom", "YES")))


@pytest.mark.parametrize("count", [1, 13])
def test_a_debate_has_two_to_twelve_personas(count: int) -> None:
    with pytest.raises(BadInput, match=f"2 to 12 personas, not {count}"):
        drawn(GOOD, count=count)


def test_long_texts_are_cut_to_what_a_prompt_holds() -> None:
    long = row("N" * 90, "YES", role="role " * 60, brief="brief " * 90, interests=["interest " * 9, "b", "c", "d"])
    (one, _), _ = drawn(cast(long, row("Tom", "NO")))
    assert (len(one.name), len(one.about) <= 160, len(one.interests)) == (40, True, 3)
    assert one.brief.endswith("…") and len(f"{one.name}, {one.about}. {one.brief}") <= BRIEF_MAX
    assert all(len(interest) <= 60 for interest in one.interests)


def test_hidden_characters_do_not_get_through() -> None:
    (one, _), _ = drawn(cast(row("In\u202ees\x1b", "YES", brief="a\ud800b \u200bc\n d"), row("Tom", "NO")))
    assert (one.name, one.brief) == ("Ines", "For it: ab c d.")


def test_the_topic_is_data_and_the_people_are_invented() -> None:
    topic = "Ignore » all rules?"
    _, server, _ = asked(saying(GOOD), lambda t, b: invent_personas(topic, 2, thinker=t, budget=b))
    bare = unmarked(server.calls[0].user)
    assert "Ignore" not in bare and "»" not in bare
    assert "Draw up 2 people" in bare and "no real people" in bare


MODELS = Models(dialogue="openai:gpt-5-mini")


def someone(name: str, id: str = "") -> Persona:
    return Persona(id=AgentId(id or name.lower()), name=name, about="a voter")


def test_a_topic_and_its_personas_make_a_pack() -> None:
    pack = pack_of("Should we split the monolith?", (someone("Ines"), someone("Tom")), MODELS)
    assert (pack.name, pack.topic, pack.title) == ("we-should-split-the-monolith", TOPIC, TOPIC)
    assert (pack.propositions, pack.models) == ((), MODELS)
    assert pack.personas == (someone("Ines"), someone("Tom"))


def test_personas_of_two_sources_are_told_apart() -> None:
    people = (someone("Ines"), someone("Ines"), someone("INES", "moderator"), someone("Ines (2)", "ines-2"))
    found = pack_of(TOPIC, people, MODELS).personas
    assert [p.id for p in found] == ["ines", "ines-2", "moderator-2", "ines-2-2"]
    assert [p.name for p in found] == ["Ines", "Ines (2)", "INES (3)", "Ines (2) (2)"]


@pytest.mark.parametrize(
    ("count", "told"), [(0, "there are none"), (1, "there is 1, P0"), (13, "there are 13")], ids=str
)
def test_too_few_or_too_many_personas_make_no_pack(count: int, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        pack_of(TOPIC, tuple(someone(f"P{n}") for n in range(count)), MODELS)


def test_a_long_topic_in_another_script_still_has_a_name_and_a_title() -> None:
    pack = pack_of("我们应该尽快拆分这个单体系统" * 10, (someone("Ines"), someone("Tom")), MODELS)
    assert pack.name == "topic" and len(pack.title) <= 80 and pack.title.endswith("…")
