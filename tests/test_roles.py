"""Who takes which role in a conversation: as the user says, else as the pack does, else as the beliefs suggest."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from cruxfinder.app.participants import with_agents
from cruxfinder.app.roles import assign_roles, check_all_speak, parse_role, seats, vacant_chairs
from cruxfinder.errors import BadInput
from cruxfinder.kernel.pack import Belief, Models, Pack, Persona, Proposition
from cruxfinder.kernel.vocabulary import CRUX, AgentId, ProtocolName, Role
from cruxfinder.protocols.protocol_list import NAMES, protocol_named
from cruxfinder.talk.turns import CHAIRS, CONSENSUS, DEBATE, DISCUSSION, ROUNDTABLE

ANN, BOB, CAT, DAN = (AgentId(name) for name in ("ann", "bob", "cat", "dan"))
TALKS = [name for name in NAMES if name != CRUX]
CROWDS = Proposition(
    id="crowds",
    statement="Crowds come",
    denial="Nobody comes",
    question="Do crowds come?",
    yes_means="so",
    no_means="not",
)


def persona(id: AgentId, credence: float | None = None) -> Persona:
    beliefs = () if credence is None else (Belief(proposition="crowds", credence=credence, weight=2.0),)
    return Persona(id=id, name=id.title(), about=f"{id} the sailor", beliefs=beliefs, interests=("tides",), icon="⛴")


def pack_of(*personas: Persona, parts: Mapping[Role, AgentId] | None = None) -> Pack:
    return Pack(
        name="quay",
        title="Quay",
        topic="Ferries should be free",
        summary="Boats.",
        propositions=(CROWDS,),
        personas=personas,
        roles=tuple(sorted((parts or {}).items())),
    )


FOUR = pack_of(persona(ANN, 0.6), persona(BOB, 0.9), persona(CAT, 0.1), persona(DAN, 0.4))
SILENT = pack_of(*(persona(id) for id in (ANN, BOB, CAT, DAN)))


def table(pack: Pack, protocol: ProtocolName, given: Mapping[Role, AgentId] | None = None) -> dict[str, Role]:
    found = assign_roles(pack, protocol_named(protocol), given or {})
    return {seat.id: seat.role for seat in seats(found, protocol_named(protocol))}


# ---- who takes which part


@pytest.mark.parametrize(
    ("pack", "given", "pro", "con"),
    [
        pytest.param(FOUR, {}, BOB, CAT, id="who believes the topic most against who does least"),
        pytest.param(FOUR, {Role.PROPONENT: DAN}, DAN, CAT, id="a proponent is given"),
        pytest.param(FOUR, {Role.OPPONENT: DAN}, BOB, DAN, id="an opponent is given"),
        pytest.param(FOUR, {Role.PROPONENT: CAT}, CAT, DAN, id="the one who believes it least is for it"),
        pytest.param(FOUR, {Role.PROPONENT: CAT, Role.OPPONENT: BOB}, CAT, BOB, id="both are given"),
        pytest.param(FOUR, {Role.ARBITRATOR: BOB}, ANN, CAT, id="who believes it most arbitrates"),
        pytest.param(SILENT, {}, ANN, BOB, id="without beliefs as they sit"),
        pytest.param(SILENT, {Role.OPPONENT: ANN}, BOB, ANN, id="without beliefs whoever is free"),
    ],
)
def test_a_debate_has_one_for_it_and_one_against(
    pack: Pack, given: Mapping[Role, AgentId], pro: AgentId, con: AgentId
) -> None:
    found = table(pack, DEBATE, given)
    assert {part: id for id, part in found.items() if part not in CHAIRS} == {Role.PROPONENT: pro, Role.OPPONENT: con}
    assert list(found.values()).count(Role.ARBITRATOR) == 1
    assert len(found) == 3, "nobody else sits at a debate"


@pytest.mark.parametrize(
    ("protocol", "chairs"),
    [
        (DEBATE, {"arbitrator": Role.ARBITRATOR}),
        (CONSENSUS, {"facilitator": Role.FACILITATOR}),
        (DISCUSSION, {"facilitator": Role.FACILITATOR}),
        (ROUNDTABLE, {"host": Role.HOST, "voice-of-reason": Role.REASON}),
    ],
)
def test_the_house_fills_the_chairs_nobody_takes(protocol: ProtocolName, chairs: dict[str, Role]) -> None:
    found = table(FOUR, protocol)
    assert {id: part for id, part in found.items() if part in CHAIRS} == chairs
    assert list(found)[-len(chairs) :] == list(chairs), "they come last"
    row = protocol_named(protocol)
    assert tuple(chairs.values()) == vacant_chairs(assign_roles(FOUR, row, {}), row)


@pytest.mark.parametrize("protocol", [CONSENSUS, DISCUSSION, ROUNDTABLE])
def test_elsewhere_everybody_speaks(protocol: ProtocolName) -> None:
    found = table(FOUR, protocol)
    assert [id for id, part in found.items() if part is Role.SPEAKER] == [ANN, BOB, CAT, DAN]


def test_a_persona_of_the_pack_may_lead() -> None:
    hosted = replace(FOUR, roles=((Role.HOST, CAT),))
    assert table(hosted, ROUNDTABLE) == {
        ANN: Role.SPEAKER,
        BOB: Role.SPEAKER,
        CAT: Role.HOST,
        DAN: Role.SPEAKER,
        "voice-of-reason": Role.REASON,
    }


def test_what_the_user_says_comes_before_what_the_pack_says() -> None:
    hosted = replace(FOUR, roles=((Role.HOST, CAT),))
    found = table(hosted, ROUNDTABLE, {Role.HOST: DAN})
    assert (found[DAN], found[CAT]) == (Role.HOST, Role.SPEAKER)


def test_parts_of_other_protocols_in_a_pack_are_left_aside() -> None:
    many = replace(FOUR, roles=((Role.FACILITATOR, ANN), (Role.HOST, CAT), (Role.OPPONENT, BOB)))
    assert table(many, CONSENSUS) == {
        ANN: Role.FACILITATOR,
        BOB: Role.SPEAKER,
        CAT: Role.SPEAKER,
        DAN: Role.SPEAKER,
    }
    assert table(many, DEBATE)[BOB] is Role.OPPONENT


def test_for_its_crux_a_debate_knows_no_parts() -> None:
    hosted = replace(FOUR, roles=((Role.HOST, CAT),))
    assert assign_roles(hosted, protocol_named(CRUX), {}) is hosted
    found = seats(hosted, protocol_named(CRUX))
    assert [(s.id, s.role, s.icon) for s in found] == [(id, Role.SPEAKER, "") for id in (ANN, BOB, CAT, DAN)]


def test_a_seat_has_what_its_persona_has() -> None:
    models = Models(dialogue="one", judgement="two")
    personas = (replace(FOUR.personas[0], model="own"), *FOUR.personas[1:])
    found = seats(replace(FOUR, personas=personas, models=models), protocol_named(DISCUSSION))
    assert (found[0].name, found[0].about, found[0].interests, found[0].icon) == (
        "Ann",
        "ann the sailor",
        ("tides",),
        "⛴",
    )
    assert [s.model for s in found] == ["own", "one", "one", "one", "two"], "chairs judge"
    assert [s.model for s in seats(FOUR, protocol_named(DISCUSSION))] == [""] * 5
    chair = seats(replace(FOUR, models=Models(dialogue="one")), protocol_named(ROUNDTABLE))[-1]
    assert (chair.name, chair.about, chair.model) == ("Voice of Reason", "voice of reason", "one")


# ---- refusals


@pytest.mark.parametrize(
    ("protocol", "given", "said"),
    [
        pytest.param(
            CRUX,
            {Role.HOST: ANN},
            "the crux protocol has no roles to give; choose another protocol",
            id="a part of a debate for its crux",
        ),
        pytest.param(
            DEBATE,
            {Role.HOST: ANN},
            "a debate has no host; its roles are arbitrator, proponent, opponent",
            id="a host of a debate",
        ),
        pytest.param(
            CONSENSUS,
            {Role.PROPONENT: ANN},
            "a consensus has no proponent; its roles are facilitator",
            id="a side of a consensus",
        ),
        pytest.param(
            ROUNDTABLE,
            {Role.SPEAKER: ANN},
            "a roundtable has no speaker; its roles are host, voice-of-reason",
            id="a part that is none",
        ),
        pytest.param(
            DEBATE,
            {Role.ARBITRATOR: AgentId("zoe")},
            "quay has no agent 'zoe'; it has ann, bob, cat, dan",
            id="somebody who is not there",
        ),
        pytest.param(
            DEBATE,
            {Role.PROPONENT: ANN, Role.ARBITRATOR: ANN},
            "somebody takes two roles",
            id="two parts for one",
        ),
    ],
)
def test_what_cannot_be_is_refused(protocol: ProtocolName, given: Mapping[Role, AgentId], said: str) -> None:
    with pytest.raises(BadInput) as caught:
        assign_roles(FOUR, protocol_named(protocol), given)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("protocol", "said"),
    [
        (DEBATE, "'king' is no role; those of a debate are arbitrator, proponent, opponent"),
        (ROUNDTABLE, "'king' is no role; those of a roundtable are host, voice-of-reason"),
        (CRUX, "the crux protocol has no roles to give; choose another protocol"),
    ],
)
def test_only_parts_that_can_be_given_are_offered(protocol: ProtocolName, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_role("king", protocol_named(protocol))
    assert str(caught.value) == said
    assert parse_role("host", protocol_named(protocol)) is Role.HOST


@pytest.mark.parametrize(
    ("protocol", "given", "asked_for", "idle"),
    [
        pytest.param(DEBATE, {}, (), "", id="nobody is asked for"),
        pytest.param(DEBATE, {}, (BOB, CAT), "", id="the two who argue"),
        pytest.param(DEBATE, {}, (ANN, BOB, CAT), ANN, id="one too many"),
        pytest.param(DEBATE, {Role.ARBITRATOR: ANN}, (ANN, BOB, CAT), "", id="the third rules"),
        pytest.param(DEBATE, {}, (DAN,), DAN, id="a person whom nobody would ask"),
        pytest.param(DISCUSSION, {}, (ANN, BOB, CAT, DAN), "", id="elsewhere everybody speaks"),
        pytest.param(CRUX, {}, (ANN, BOB, CAT, DAN), "", id="for a crux too"),
    ],
)
def test_whoever_is_asked_for_by_name_speaks(
    protocol: ProtocolName, given: Mapping[Role, AgentId], asked_for: tuple[str, ...], idle: str
) -> None:
    if not idle:
        check_all_speak(FOUR, protocol_named(protocol), given, asked_for)
        return
    with pytest.raises(BadInput, match=f"argued by two: leave {idle} out, or give {idle} a role with --roles"):
        check_all_speak(FOUR, protocol_named(protocol), given, asked_for)


@pytest.mark.parametrize("protocol", TALKS)
def test_those_who_lead_do_not_count_as_speakers(protocol: ProtocolName) -> None:
    chair = {DEBATE: Role.ARBITRATOR, ROUNDTABLE: Role.REASON}.get(protocol, Role.FACILITATOR)
    three = replace(FOUR, personas=FOUR.personas[:3])
    assert sum(part not in CHAIRS for part in table(three, protocol, {chair: ANN}).values()) == 2
    for pack in (FOUR, SILENT):
        with pytest.raises(BadInput, match="takes at least 2 speakers beside those who lead it"):
            assign_roles(replace(pack, personas=pack.personas[:2]), protocol_named(protocol), {chair: ANN})


def test_a_role_of_the_pack_falls_to_the_house_where_its_persona_is_left_out() -> None:
    hosted = with_agents(replace(FOUR, roles=((Role.HOST, CAT),)), (ANN, BOB))
    assert table(hosted, ROUNDTABLE)["host"] is Role.HOST


def test_whoever_the_user_gives_a_part_no_longer_has_the_packs() -> None:
    hosted = replace(FOUR, roles=((Role.REASON, CAT),))
    found = table(hosted, ROUNDTABLE, {Role.HOST: CAT})
    assert (found[CAT], found["voice-of-reason"]) == (Role.HOST, Role.REASON)
