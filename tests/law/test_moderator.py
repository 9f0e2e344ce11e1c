"""When the moderator steps in, and when a devil's advocate joins: SPEC §11, and CRUX-7 of §6."""

from collections.abc import Callable

import pytest

from cruxfinder.crux.due import Probes, due_in_thread
from cruxfinder.crux.events import CruxExtracted, DcgCalculated, ModeratorIntervention, StageTransition
from cruxfinder.crux.law import moderator
from cruxfinder.kernel.altering import copy_with
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import ADVOCATE, MODERATOR, AgentId, Grade, Horizon, MoveKind, RuleId, Side, Stage
from tests.law.build import (
    AGENTS,
    ANN,
    BOB,
    CAT,
    FALSIFIER,
    OTHER_QUESTIONS,
    VAGUE,
    Play,
    challenge,
    claim,
    clarify,
    commit,
    concede,
    declare,
    evidence,
    grade,
    of,
    only,
    propose,
    reframe,
    refused,
    steelman,
)


def steps(play: Play, cause: str) -> list[ModeratorIntervention]:
    return [e for e in of(play.events, ModeratorIntervention) if e.cause == cause]


# ---- MOD-1: orbiting


def circle(play: Play, count: int, *, repeats: bool = True) -> None:
    """So many messages, a challenge first: two words in each of them and a third of its own, or just their own."""
    evidences = play.thread.stage is Stage.EVIDENCE
    for place in range(count):
        agent = play.agents[place % len(play.agents)]
        move = evidence(agent) if evidences else challenge("m1") if place == 1 else claim()
        own = f"fact{play.debate.spoken}"
        play.post(agent, move, content=f"Demand grows, {own}." if repeats else f"{own} and {own}.")


@pytest.mark.rule("MOD-1")
@pytest.mark.parametrize("stage", [Stage.DISCOVERY, Stage.EVIDENCE])
@pytest.mark.parametrize(
    ("messages", "asked"),
    [pytest.param(7, False, id="seven messages"), pytest.param(8, True, id="eight messages")],
)
def test_eight_messages_that_repeat_themselves_are_asked_for_a_question(
    stage: Stage, messages: int, asked: bool
) -> None:
    play = Play()
    if stage is Stage.EVIDENCE:
        play.to_evidence()
    circle(play, messages)
    assert [e.thread for e in steps(play, "MOD-1")] == ([play.at] if asked else [])
    assert not asked or "circles" in steps(play, "MOD-1")[0].content


@pytest.mark.rule("MOD-1")
def test_words_said_twice_each_are_not_too_many() -> None:
    play = Play()
    circle(play, 9, repeats=False)
    assert not steps(play, "MOD-1"), "a repetition of 2.0 is not above it"


@pytest.mark.rule("MOD-1")
@pytest.mark.parametrize(
    ("place", "asked"),
    [
        pytest.param(0, True, id="nine messages ago"),
        pytest.param(1, False, id="eight messages ago"),
        pytest.param(7, False, id="of late"),
    ],
)
def test_who_has_just_proposed_a_question_goes_in_no_circle(place: int, asked: bool) -> None:
    play = Play()
    for turn in range(9):
        move = propose() if turn == place else challenge("m1") if turn == 3 else claim()
        play.post(play.agents[turn % 2], move, content=f"Demand grows, fact{turn}.")
    assert bool(steps(play, "MOD-1")) == asked


@pytest.mark.rule("MOD-1")
def test_who_has_just_conceded_goes_in_no_circle() -> None:
    play = Play()
    play.to_evidence()
    play.post(ANN, concede(), content="Demand grows, so much is true.")
    circle(play, 7)
    assert not steps(play, "MOD-1")
    circle(play, 1)
    assert len(steps(play, "MOD-1")) == 1


@pytest.mark.rule("MOD-1")
def test_a_thread_is_told_again_only_after_eight_more() -> None:
    play = Play(settings=Settings(lifted=True))
    play.to_evidence()
    circle(play, 15)
    assert len(steps(play, "MOD-1")) == 1
    circle(play, 1)
    assert len(steps(play, "MOD-1")) == 2


@pytest.mark.rule("MOD-1")
def test_under_the_lock_nobody_is_told_to_move_on() -> None:
    play = Play(settings=Settings(off=(RuleId("MOD-1"),)))
    circle(play, 8)
    debate = copy_with(play.debate, settings=Settings())
    locking = copy_with(play.thread, stage=Stage.CRUX_LOCK)
    assert moderator.is_orbiting(debate, play.thread) and not moderator.is_orbiting(debate, locking)


@pytest.mark.rule("MOD-1")
def test_words_of_the_stage_before_do_not_count() -> None:
    play = Play()
    play.to_evidence()
    circle(play, 4)
    assert not steps(play, "MOD-1")


# ---- MOD-2: twelve messages without a signal


def drift(play: Play, count: int, horizon: Horizon | None = None) -> None:
    """So many messages of DISCOVERY, most of them free of charge; a challenge, no question."""
    first = play.post(ANN, claim(horizon=horizon))
    play.post(BOB, challenge(first))
    for agent in play.agents[: count - 2]:
        play.post(agent, clarify(first))
    for place in range(count - 2 - len(play.agents)):
        play.post(play.agents[place % len(play.agents)], claim())


@pytest.mark.rule("MOD-2")
@pytest.mark.parametrize(
    ("messages", "asked"), [pytest.param(11, False, id="eleven"), pytest.param(12, True, id="twelve")]
)
def test_twelve_messages_without_a_signal_are_asked_for_their_span_of_time(messages: int, asked: bool) -> None:
    play = Play(yes=AGENTS[:3], no=AGENTS[3:6])
    drift(play, messages)
    said = steps(play, "MOD-2")
    assert len(said) == asked
    if asked:
        assert (said[0].horizon, set(said[0].to)) == (None, set(play.agents))
        assert "span of time" in said[0].content and play.thread.horizon is None


@pytest.mark.rule("MOD-2")
def test_where_somebody_named_a_span_the_question_is_taken_at_that() -> None:
    play = Play(yes=AGENTS[:3], no=AGENTS[3:6])
    drift(play, 12, Horizon.YEAR)
    assert steps(play, "MOD-2")[0].horizon is Horizon.YEAR
    assert play.thread.horizon is Horizon.YEAR


@pytest.mark.rule("MOD-2")
def test_a_thread_that_gives_a_signal_is_not_asked() -> None:
    play = Play(yes=AGENTS[:3], no=AGENTS[3:6])
    drift(play, 10)
    asked = play.post(CAT, propose())
    play.post(BOB, claim(), reply_to=asked)
    assert len(play.thread.messages) == 12 and not steps(play, "MOD-2")


@pytest.mark.rule("MOD-2")
def test_it_is_asked_once_in_a_discovery_and_never_after() -> None:
    play = Play(yes=AGENTS[:3], no=AGENTS[3:6])
    drift(play, 13)
    assert len(steps(play, "MOD-2")) == 1
    play.to_evidence()
    for agent in play.agents * 2:
        play.post(agent, evidence(agent))
    assert len(steps(play, "MOD-2")) == 1


@pytest.mark.rule("MOD-2")
def test_an_ablation_may_leave_the_spans_unasked() -> None:
    play = Play(yes=AGENTS[:3], no=AGENTS[3:6], settings=Settings(off=(RuleId("MOD-2"),)))
    drift(play, 14)
    assert not steps(play, "MOD-2")


# ---- MOD-3: falsifiers


@pytest.mark.rule("MOD-3")
@pytest.mark.parametrize(
    ("ann", "bob", "asked"),
    [
        pytest.param(None, None, (ANN, BOB), id="two commitments without falsifiers: both are asked"),
        pytest.param(FALSIFIER, None, (BOB,), id="one without: that one is asked"),
        pytest.param(FALSIFIER, VAGUE, (BOB,), id="a vague one was not accepted: asked"),
        pytest.param(FALSIFIER, FALSIFIER, (), id="none without: nobody is asked"),
    ],
)
def test_commitments_without_falsifiers_are_asked_for_them(
    ann: Falsifier | None, bob: Falsifier | None, asked: tuple[AgentId, ...]
) -> None:
    play = Play()
    play.to_lock()
    play.say(ANN, commit(ANN, Side.YES, ann))
    play.say(BOB, commit(BOB, Side.NO, bob))
    said = steps(play, "MOD-3")
    assert [e.to for e in said] == ([asked] if asked else [])
    assert all(name.title() in said[0].content for name in asked)


@pytest.mark.rule("MOD-3")
def test_an_uncertain_agent_is_not_asked() -> None:
    play = Play(unsure=(CAT,))
    play.to_lock()
    play.commit_all(falsifier=None)
    assert steps(play, "MOD-3")[0].to == (ANN, BOB)


@pytest.mark.rule("MOD-3")
def test_nobody_is_asked_before_all_have_committed() -> None:
    play = Play(unsure=(CAT,))
    play.to_lock()
    for agent in (ANN, BOB):
        play.post(agent, commit(agent, play.sides[agent], falsifier=None))
    assert not steps(play, "MOD-3")
    play.tick(after_ms=30_000 - (play.now_ms - play.thread.stage_ms))
    assert play.thread.excused == {CAT}, "nobody waits for an excused agent"
    assert len(steps(play, "MOD-3")) == 1


@pytest.mark.rule("MOD-3")
def test_it_is_asked_once() -> None:
    play = Play()
    play.to_lock()
    play.commit_all(falsifier=None)
    for agent in play.agents:
        play.post(agent, clarify("m1"))
    assert len(steps(play, "MOD-3")) == 1
    play.post(ANN, declare())
    assert len(steps(play, "MOD-3")) == 1


# ---- MOD-4: the question


def talk(play: Play, count: int) -> None:
    """So many counted messages, a challenge among them and no question."""
    first = play.post(ANN, claim())
    play.post(BOB, challenge(first))
    play.talk(count - 2)


@pytest.mark.rule("MOD-4")
@pytest.mark.parametrize(
    ("count", "framed"),
    [
        pytest.param(9, False, id="a message before the max of DISCOVERY it waits"),
        pytest.param(10, True, id="at the max it frames the question"),
    ],
)
def test_discovery_at_its_max_without_a_candidate_is_given_a_question(count: int, framed: bool) -> None:
    play = Play()
    talk(play, count)
    said = steps(play, "MOD-4")
    assert len(said) == framed
    assert len(play.thread.candidates) == framed
    if framed:
        question = play.thread.candidates[0]
        assert (question.by, question.message) == (MODERATOR, said[0].id)
        assert question.question.endswith("?") and question.question in said[0].content
        assert (question.yes_means, question.no_means) == (said[0].yes_means, said[0].no_means)


@pytest.mark.rule("MOD-4")
def test_a_thread_with_a_candidate_is_given_none() -> None:
    play = Play()
    play.post(ANN, propose())
    talk(play, 9)
    assert play.waiting and not steps(play, "MOD-4")


@pytest.mark.rule("MOD-4")
@pytest.mark.parametrize(
    ("clarified", "framed"),
    [
        pytest.param(10, False, id="nineteen messages, nine of which count"),
        pytest.param(11, True, id="twenty messages, nine of which count"),
    ],
)
def test_twenty_messages_of_a_thread_without_a_candidate_bring_a_question_too(clarified: int, framed: bool) -> None:
    play = Play(yes=AGENTS[:6], no=AGENTS[6:12])
    talk(play, 9)
    for agent in play.agents[:clarified]:
        play.post(agent, clarify("m1"))
    assert play.thread.counted == 9
    assert bool(steps(play, "MOD-4")) == framed


@pytest.mark.rule("MOD-4")
@pytest.mark.parametrize(
    ("first", "challenged", "second", "framed"),
    [
        pytest.param(0.9, False, 0.2, "Coins are worthless", id="a challenged claim before a confident one"),
        pytest.param(
            0.2, True, 0.9, "the state tolerates coins", id="a challenged claim before a confident one, first"
        ),
    ],
)
def test_the_question_is_about_the_most_disputed_claim(
    first: float, challenged: bool, second: float, framed: str
) -> None:
    play = Play()
    one = play.post(ANN, claim(first, proposition="The state tolerates coins."))
    other = play.post(BOB, claim(second, proposition="Coins are worthless"))
    play.post(*((BOB, challenge(one)) if challenged else (ANN, challenge(other))))
    play.talk(7)
    assert steps(play, "MOD-4")[0].question == f"Is it true that {framed}?"


@pytest.mark.rule("MOD-4")
def test_among_equally_disputed_claims_the_most_confident_is_asked_about() -> None:
    play = Play()
    for agent, confidence, proposition in ((ANN, 0.6, "Gold lasts"), (BOB, 0.8, "Coins fade"), (ANN, 0.7, "Tin wins")):
        said = play.post(agent, claim(confidence, proposition=proposition))
        play.post(BOB if agent == ANN else ANN, challenge(said))
    play.talk(4)
    assert steps(play, "MOD-4")[0].question == "Is it true that Coins fade?"


@pytest.mark.rule("MOD-4")
def test_a_discovery_of_nothing_but_reframings_is_given_a_question_too() -> None:
    play = Play()
    for place in range(10):
        play.post(play.agents[place % 2], reframe())
    assert len(steps(play, "MOD-4")) == 1


# ---- MOD-5: every intervention is an event with its cause


def lock_without_falsifiers(play: Play) -> None:
    play.to_lock()
    play.commit_all(falsifier=None)


def lock_on_one_side(play: Play) -> None:
    play.to_lock()
    for agent in play.agents:
        play.post(agent, commit(agent, Side.YES))


def lock_contested(play: Play) -> None:
    play.to_lock()
    play.commit_all()
    for _ in range(3):
        play.post(BOB, grade(play.post(ANN, steelman(BOB)), Grade.WRONG))


@pytest.mark.rule("MOD-5")
@pytest.mark.parametrize(
    ("drive", "cause"),
    [
        pytest.param(lock_without_falsifiers, "MOD-3", id="falsifiers are asked for"),
        pytest.param(lambda play: talk(play, 10), "MOD-4", id="a question is framed"),
        pytest.param(lambda play: play.talk(6), "CRUX-7", id="a devil's advocate joins"),
        pytest.param(lock_on_one_side, "LOCK-6", id="a lock fails"),
        pytest.param(lock_contested, "STEEL-2", id="a contested steelman is graded"),
    ],
)
def test_every_intervention_is_an_event_with_its_cause(drive: Callable[[Play], None], cause: str) -> None:
    play = Play()
    drive(play)
    said = of(play.events, ModeratorIntervention)
    assert cause in [e.cause for e in said]
    spoken = [m for m in play.thread.messages if m.agent == MODERATOR]
    assert [(m.id, m.content) for m in spoken] == [(e.id, e.content) for e in said], "nothing is said off the record"
    assert [i.cause for i in play.thread.interventions] == [e.cause for e in said]
    assert all(m.content and not m.counted for m in spoken)


@pytest.mark.rule("MOD-5")
def test_a_debate_that_needs_no_moderator_has_no_intervention() -> None:
    play = Play()
    play.to_end()
    assert not of(play.events, ModeratorIntervention)


@pytest.mark.rule("MOD-5")
@pytest.mark.parametrize(
    ("off", "drive"),
    [
        pytest.param("MOD-3", lock_without_falsifiers, id="without MOD-3 falsifiers are not asked for"),
        pytest.param("MOD-4", lambda play: talk(play, 10), id="without MOD-4 no question is framed"),
        pytest.param("CRUX-7", lambda play: play.talk(6), id="without CRUX-7 no advocate joins"),
    ],
)
def test_an_ablation_may_leave_an_intervention_out(off: str, drive: Callable[[Play], None]) -> None:
    play = Play(settings=Settings(off=(RuleId(off),)))
    drive(play)
    assert not of(play.events, ModeratorIntervention)


# ---- CRUX-7: the devil's advocate


def joined(play: Play) -> bool:
    return any(seat.id == ADVOCATE for seat in play.debate.seats)


@pytest.mark.rule("CRUX-7")
@pytest.mark.parametrize(
    ("challenge_at", "joins_at"),
    [
        pytest.param(None, 6, id="no challenge in the first six messages"),
        pytest.param(7, 6, id="a challenge that comes seventh is too late"),
        pytest.param(6, None, id="a challenge that comes sixth is in time"),
        pytest.param(2, None, id="a challenge that comes second"),
    ],
)
def test_six_messages_without_a_challenge_bring_in_a_devils_advocate(
    challenge_at: int | None, joins_at: int | None
) -> None:
    play = Play()
    found: int | None = None
    for place in range(1, 10):
        agent = (ANN, BOB)[(place - 1) % 2]
        other = f"m{place - 1}" if found is None else "m1" if agent == BOB else "m2"
        play.post(agent, challenge(other) if place == challenge_at else claim())
        if found is None and joined(play):
            found = place
    assert found == joins_at
    assert [e.joined for e in steps(play, "CRUX-7")] == ([ADVOCATE] if joins_at else [])


@pytest.mark.rule("CRUX-7")
def test_the_advocate_is_marked_as_such() -> None:
    play = Play()
    play.talk(6)
    seat = next(s for s in play.debate.seats if s.id == ADVOCATE)
    assert "advocate" in seat.name.lower() and "no vote" in seat.about
    assert "devil's advocate" in only(play.events, ModeratorIntervention).content


@pytest.mark.rule("CRUX-7")
def test_the_advocate_joins_once_and_speaks_under_the_same_rules() -> None:
    play = Play()
    play.talk(6)
    assert refused(play.say(ADVOCATE, challenge("m1"))) == set()
    assert refused(play.say(ADVOCATE, commit(ADVOCATE, Side.NO))) == {"STAGE-1"}
    play.talk(2)
    assert len(steps(play, "CRUX-7")) == 1


def advised() -> Play:
    """In CRUX_LOCK after a DISCOVERY with the advocate, who proposed the second candidate."""
    play = Play()
    play.post(ANN, propose())
    play.talk(5)
    play.post(ADVOCATE, challenge("m2"))
    play.post(ADVOCATE, propose(OTHER_QUESTIONS[0]))
    while not play.waiting:
        play.talk(1)
    wanted = due_in_thread(play.debate, play.thread)
    assert isinstance(wanted, Probes) and wanted.agents == (ANN, BOB), "the advocate is not probed"
    play.probe_all()
    assert play.thread.stage is Stage.CRUX_LOCK
    return play


@pytest.mark.rule("CRUX-7")
def test_the_advocate_counts_in_no_camp_dcg_or_share() -> None:
    play, plain = advised(), Play()
    plain.to_lock()
    assert play.debate.agents == (ANN, BOB)
    for phase in (e.phase for e in of(plain.events, DcgCalculated)):
        (with_it,) = (e for e in of(play.events, DcgCalculated) if e.phase is phase)
        (without,) = (e for e in of(plain.events, DcgCalculated) if e.phase is phase)
        assert with_it.figures[0] == without.figures[0]


@pytest.mark.rule("CRUX-7")
def test_the_lock_does_not_wait_for_the_advocate() -> None:
    play = advised()
    assert play.owed(ADVOCATE) == ()
    assert [d.move for d in play.owed(ANN)] == [MoveKind.COMMIT_POSITION]
    play.to_evidence()
    assert of(play.events, StageTransition)[-1].entered is Stage.EVIDENCE
    assert not of(play.events, CruxExtracted)


@pytest.mark.rule("CRUX-7")
def test_nobody_steelmans_the_advocate() -> None:
    play = advised()
    play.commit_all()
    assert refused(play.say(ANN, steelman(ADVOCATE))) == {"VOC-1"}
    assert refused(play.say(ANN, steelman(BOB))) == set()
