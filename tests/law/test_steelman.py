"""Who must represent whom, who grades, and what a passed steelman opens: SPEC §3."""

from collections import Counter
from dataclasses import replace

import pytest

from cruxfinder.crux.events import (
    LockSucceeded,
    MessagePosted,
    MessageRefused,
    ModeratorIntervention,
    SteelmanAttempt,
    SteelmanGraded,
)
from cruxfinder.crux.moves import Commit
from cruxfinder.kernel.vocabulary import MODERATOR, AgentId, Grade, MessageId, MoveKind, Side, Stage
from tests.law.build import (
    AGENTS,
    ANN,
    BOB,
    CAT,
    DAN,
    EVE,
    Play,
    attack,
    challenge,
    claim,
    commit,
    evidence,
    grade,
    of,
    only,
    refused,
    statement,
    steelman,
    update,
)


def committed(yes: int = 1, no: int = 1, unsure: int = 0) -> Play:
    """Everybody has committed, with a falsifier; the first agents stand at YES, the next at NO."""
    play = Play(yes=AGENTS[:yes], no=AGENTS[yes : yes + no], unsure=AGENTS[yes + no : yes + no + unsure])
    play.to_lock()
    play.commit_all()
    return play


def evidence_stage(yes: tuple[AgentId, ...], no: tuple[AgentId, ...], unsure: tuple[AgentId, ...] = ()) -> Play:
    play = Play(yes=yes, no=no, unsure=unsure)
    play.to_evidence()
    return play


# ---- STEEL-1: before a challenge comes an accurate steelman


@pytest.mark.rule("STEEL-1")
@pytest.mark.parametrize(
    ("author", "target", "allowed"),
    [
        pytest.param(ANN, BOB, True, id="a YES author who steelmanned this NO agent"),
        pytest.param(BOB, ANN, True, id="a NO author who steelmanned this YES agent"),
        pytest.param(ANN, CAT, True, id="a YES author who steelmanned some other NO agent"),
        pytest.param(EVE, BOB, False, id="an UNCERTAIN author without any steelman, against NO"),
        pytest.param(EVE, ANN, False, id="an UNCERTAIN author without any steelman, against YES"),
        pytest.param(ANN, DAN, False, id="an author of the same side needs one of its own side"),
        pytest.param(ANN, ANN, True, id="one's own evidence is not against an agent"),
    ],
)
def test_a_challenge_to_evidence_needs_an_accurate_steelman_of_somebody_on_that_side(
    author: AgentId, target: AgentId, allowed: bool
) -> None:
    # Three against two, so each owes one steelman only: Ann's is of Bob, and nobody's is of the own side.
    play = evidence_stage(yes=(ANN, DAN, AGENTS[5]), no=(BOB, CAT), unsure=(EVE,))
    assert (ANN, BOB) in play.thread.tries and (ANN, CAT) not in play.thread.tries
    shown = play.post(target, evidence(BOB))
    assert ("STEEL-1" not in refused(play.say(author, attack(shown)))) == allowed


@pytest.mark.rule("STEEL-1")
@pytest.mark.parametrize("of_whom", [pytest.param(ANN, id="of a YES agent"), pytest.param(BOB, id="of a NO agent")])
@pytest.mark.parametrize("against", [pytest.param(ANN, id="against YES"), pytest.param(BOB, id="against NO")])
def test_an_uncertain_author_needs_one_of_either_side(of_whom: AgentId, against: AgentId) -> None:
    play = evidence_stage(yes=(ANN,), no=(BOB,), unsure=(CAT,))
    shown = play.post(against, evidence(BOB))
    assert refused(play.say(CAT, attack(shown))) == {"STEEL-1"}
    play.post(of_whom, grade(play.post(CAT, steelman(of_whom))))
    assert refused(play.say(CAT, attack(shown))) == set()


@pytest.mark.rule("STEEL-1")
def test_the_remedy_offered_with_the_refusal_opens_the_challenge() -> None:
    play = evidence_stage(yes=(ANN, CAT), no=(BOB,))
    shown = play.post(CAT, evidence(BOB))
    said = only(play.say(ANN, attack(shown)), MessageRefused)
    assert [(r.rule, "steelman Cat" in r.remedy) for r in said.refusals] == [("STEEL-1", True)]
    attempt = play.post(ANN, steelman(CAT))
    assert refused(play.say(ANN, attack(shown))) == {"STEEL-1"}, "a pending steelman opens nothing"
    play.post(CAT, grade(attempt))
    assert refused(play.say(ANN, attack(shown))) == set()


@pytest.mark.rule("STEEL-1")
@pytest.mark.parametrize(
    ("grades", "allowed"),
    [
        pytest.param((Grade.INCOMPLETE,), False, id="INCOMPLETE opens nothing"),
        pytest.param((Grade.WRONG,), False, id="WRONG opens nothing"),
        pytest.param((Grade.WRONG, Grade.ACCURATE), True, id="the retry that is ACCURATE opens it"),
        pytest.param((Grade.ACCURATE, Grade.WRONG), False, id="the last grade counts"),
    ],
)
def test_only_a_steelman_graded_accurate_opens_a_challenge(grades: tuple[Grade, ...], allowed: bool) -> None:
    play = evidence_stage(yes=(ANN,), no=(BOB,), unsure=(CAT,))
    shown = play.post(BOB, evidence(BOB))
    for given in grades:
        play.post(BOB, grade(play.post(CAT, steelman(BOB)), given))
    assert (refused(play.say(CAT, attack(shown))) == set()) == allowed


@pytest.mark.rule("STEEL-1")
def test_an_author_who_changed_sides_needs_a_steelman_of_the_side_it_left() -> None:
    play = evidence_stage(yes=(ANN, CAT), no=(BOB,))
    shown = play.post(BOB, evidence(BOB))
    play.post(ANN, update(shown, Side.YES, Side.NO))
    play.probe_all()
    other = play.post(CAT, evidence(BOB))
    assert refused(play.say(ANN, attack(other))) == {"STEEL-1"}
    assert refused(play.say(ANN, attack(shown))) == set()


@pytest.mark.rule("STEEL-1")
@pytest.mark.parametrize(
    ("stage", "guarded"),
    [
        pytest.param(Stage.DISCOVERY, False, id="in DISCOVERY a challenge needs no steelman"),
        pytest.param(Stage.CRUX_LOCK, True, id="after DISCOVERY a CHALLENGE needs one too"),
    ],
)
def test_the_guard_begins_after_discovery(stage: Stage, guarded: bool) -> None:
    play = Play()
    first = play.post(ANN, claim())
    if stage is Stage.CRUX_LOCK:
        play.to_lock()
    assert ("STEEL-1" in refused(play.say(BOB, challenge(first)))) == guarded


# ---- STEEL-2: who grades, retries, contested pairs


@pytest.mark.rule("STEEL-2")
@pytest.mark.parametrize(
    ("by", "allowed"),
    [
        pytest.param(BOB, True, id="the target grades"),
        pytest.param(CAT, False, id="another agent of the target's side does not"),
        pytest.param(ANN, False, id="the author does not"),
        pytest.param(DAN, False, id="an uncertain agent does not"),
    ],
)
def test_only_the_target_grades(by: AgentId, allowed: bool) -> None:
    play = committed(yes=1, no=2, unsure=1)
    attempt = play.post(ANN, steelman(BOB))
    events = play.say(by, grade(attempt, Grade.WRONG))
    assert ("STEEL-2" not in refused(events)) == allowed
    assert len(of(events, SteelmanGraded)) == allowed


@pytest.mark.rule("STEEL-2")
def test_a_grade_names_a_steelman_that_waits_for_one() -> None:
    play = committed()
    statement_of_ann = play.thread.commitments[ANN].message
    assert refused(play.say(BOB, grade(statement_of_ann))) == {"STEEL-2"}
    attempt = play.post(ANN, steelman(BOB))
    play.post(BOB, grade(attempt, Grade.WRONG))
    assert refused(play.say(BOB, grade(attempt))) == {"STEEL-2"}, "it is graded already"


@pytest.mark.rule("STEEL-2")
def test_an_earlier_try_is_not_graded_in_the_place_of_the_last_one() -> None:
    play = committed()
    first = play.post(ANN, steelman(BOB))
    play.post(BOB, grade(first, Grade.WRONG))
    second = play.post(ANN, steelman(BOB))
    assert refused(play.say(BOB, grade(first))) == {"STEEL-2"}
    assert refused(play.say(BOB, grade(second))) == set()


@pytest.mark.rule("STEEL-2")
@pytest.mark.parametrize("given", [Grade.INCOMPLETE, Grade.WRONG])
def test_a_grade_below_accurate_obliges_a_retry_that_sees_the_correction(given: Grade) -> None:
    play = committed()
    attempt = play.post(ANN, steelman(BOB))
    assert play.owed(ANN) == (), "nothing is owed while the grade is out"
    graded = only(play.say(BOB, grade(attempt, given, missing="It is about reserves.")), SteelmanGraded)
    assert (graded.by, graded.steelman, graded.grade) == (BOB, attempt, given)
    (duty,) = play.owed(ANN)
    assert (duty.move, duty.about, duty.note) == (MoveKind.STEELMAN, BOB, "It is about reserves.")
    assert only(play.say(ANN, steelman(BOB)), SteelmanAttempt).attempt == 2


@pytest.mark.rule("STEEL-2")
def test_an_accurate_grade_obliges_nothing() -> None:
    play = committed()
    play.post(BOB, grade(play.post(ANN, steelman(BOB))))
    assert play.owed(ANN) == ()


@pytest.mark.rule("STEEL-2")
def test_the_target_owes_the_grade() -> None:
    play = committed()
    attempt = play.post(ANN, steelman(BOB))
    duty = play.owed(BOB)[0]
    assert (duty.move, duty.message, duty.about) == (MoveKind.GRADE_STEELMAN, attempt, ANN)


@pytest.mark.rule("STEEL-2")
def test_a_second_try_waits_for_the_grade_of_the_first() -> None:
    play = committed()
    first = play.post(ANN, steelman(BOB))
    assert refused(play.say(ANN, steelman(BOB))) == {"STEEL-2"}
    play.post(BOB, grade(first, Grade.WRONG))
    assert refused(play.say(ANN, steelman(BOB))) == set()


@pytest.mark.rule("STEEL-2")
def test_pending_is_not_a_grade() -> None:
    play = committed()
    attempt = play.post(ANN, steelman(BOB))
    assert refused(play.say(BOB, grade(attempt, Grade.PENDING))) == {"STEEL-2"}


def refuse_three_times(play: Play, carried: int) -> MessageId:
    """Ann tries three times to represent Bob, who takes none of them; the third try."""
    attempt = MessageId("")
    for _ in range(3):
        attempt = play.post(ANN, steelman(BOB, carried))
        play.post(BOB, grade(attempt, Grade.INCOMPLETE))
    return attempt


@pytest.mark.rule("STEEL-2")
def test_the_third_try_is_still_the_targets_to_grade() -> None:
    play = committed(yes=1, no=2)
    for _ in range(2):
        play.post(BOB, grade(play.post(ANN, steelman(BOB)), Grade.WRONG))
    third = play.post(ANN, steelman(BOB))
    assert refused(play.say(CAT, grade(third))) == {"STEEL-2"}
    assert refused(play.say(BOB, grade(third))) == set()


@pytest.mark.rule("STEEL-2")
def test_after_three_tries_another_agent_of_the_targets_side_grades() -> None:
    play = committed(yes=1, no=2)
    third = refuse_three_times(play, carried=5)
    duty = play.owed(CAT)[0]
    assert (duty.move, duty.message) == (MoveKind.GRADE_STEELMAN, third)
    assert not of(play.events, ModeratorIntervention)
    assert refused(play.say(BOB, grade(third))) == {"STEEL-2"}, "the target has had its say"
    graded = only(play.say(CAT, grade(third)), SteelmanGraded)
    assert (graded.by, graded.steelman, graded.grade) == (CAT, third, Grade.ACCURATE)
    assert all((duty.move, duty.about) != (MoveKind.STEELMAN, BOB) for duty in play.owed(ANN))


@pytest.mark.rule("STEEL-2")
def test_a_contested_pair_stays_with_the_peer_for_further_tries() -> None:
    play = committed(yes=1, no=2)
    third = refuse_three_times(play, carried=5)
    play.post(CAT, grade(third, Grade.WRONG, missing="Not yet."))
    assert (MoveKind.STEELMAN, BOB, "Not yet.") in [(d.move, d.about, d.note) for d in play.owed(ANN)]
    fourth = play.post(ANN, steelman(BOB))
    assert refused(play.say(BOB, grade(fourth))) == {"STEEL-2"}
    assert refused(play.say(CAT, grade(fourth))) == set()


@pytest.mark.rule("STEEL-2")
@pytest.mark.parametrize(
    ("carried", "given"),
    [
        pytest.param(2, Grade.ACCURATE, id="two of five content words: .4, taken as accurate"),
        pytest.param(1, Grade.INCOMPLETE, id="one of five content words: .2, not there yet"),
    ],
)
def test_without_a_peer_the_moderator_grades_by_overlap(carried: int, given: Grade) -> None:
    play = committed()
    third = refuse_three_times(play, carried)
    graded = of(play.events, SteelmanGraded)[-1]
    (said,) = (e for e in of(play.events, ModeratorIntervention) if e.cause == "STEEL-2")
    assert (graded.by, graded.grade, graded.steelman) == (MODERATOR, given, third)
    assert (said.to, graded.message) == ((ANN,), said.id)
    if given is Grade.INCOMPLETE:
        (duty,) = play.owed(ANN)
        assert duty.move is MoveKind.STEELMAN and statement(BOB) in duty.note
    else:
        assert play.owed(ANN) == ()


@pytest.mark.rule("STEEL-2")
def test_an_uncertain_agent_is_no_peer() -> None:
    play = committed(yes=1, no=1, unsure=1)
    refuse_three_times(play, carried=5)
    assert of(play.events, SteelmanGraded)[-1].by == MODERATOR


@pytest.mark.rule("STEEL-2")
def test_a_contested_remedy_in_evidence_is_graded_by_the_moderator_too() -> None:
    play = evidence_stage(yes=(ANN,), no=(BOB,), unsure=(CAT,))
    for _ in range(3):
        play.post(BOB, grade(play.post(CAT, steelman(BOB)), Grade.WRONG))
    last = play.thread.tries[CAT, BOB][-1]
    assert (len(play.thread.tries[CAT, BOB]), last.by, last.grade) == (3, MODERATOR, Grade.ACCURATE)


# ---- STEEL-3: grades are not cheap


def commit_in_words(agent: AgentId, side: Side, words: str) -> Commit:
    first, *rest = words.split()
    return replace(commit(agent, side), statement=first, reason=" ".join(rest))


@pytest.mark.rule("STEEL-3")
@pytest.mark.parametrize(
    ("carried", "allowed"),
    [
        pytest.param(0, False, id="nothing of the recorded position"),
        pytest.param(2, False, id="two of its ten content words"),
        pytest.param(3, True, id="three of its ten content words: .3 is enough"),
        pytest.param(10, True, id="all of it"),
    ],
)
def test_an_accurate_grade_is_refused_when_the_steelman_misses_the_recorded_position(
    carried: int, allowed: bool
) -> None:
    words = "alphas bravos charlies deltas echoes foxtrots golfs hotels indias juliets"
    play = Play()
    play.to_lock()
    play.post(ANN, commit(ANN, Side.YES))
    play.post(BOB, commit_in_words(BOB, Side.NO, words))
    said = " ".join(words.split()[:carried]) or "nothing"
    attempt = play.post(ANN, replace(steelman(BOB), claim=said, reason="elsewhere"))
    events = play.say(BOB, grade(attempt))
    assert refused(events) == (set() if allowed else {"STEEL-3"})
    if not allowed:
        assert refused(play.say(BOB, grade(attempt, Grade.INCOMPLETE))) == set()


@pytest.mark.rule("STEEL-3")
def test_the_reason_is_part_of_what_must_be_carried() -> None:
    play = committed()
    attempt = play.post(ANN, replace(steelman(BOB), claim="elsewhere", reason=statement(BOB)))
    assert refused(play.say(BOB, grade(attempt))) == set()


@pytest.mark.rule("STEEL-3")
def test_a_peer_is_bound_by_the_measure_too() -> None:
    play = committed(yes=1, no=2)
    third = refuse_three_times(play, carried=1)
    assert refused(play.say(CAT, grade(third))) == {"STEEL-3"}
    assert refused(play.say(CAT, grade(third, Grade.WRONG))) == set()


def firsts(play: Play, pairs: list[tuple[AgentId, AgentId]], wrong: int) -> None:
    """First attempts for these pairs; the first `wrong` of them are graded WRONG."""
    for place, (author, target) in enumerate(pairs):
        given = Grade.WRONG if place < wrong else Grade.ACCURATE
        play.post(target, grade(play.post(author, steelman(target)), given))


ORDERED = [
    *((y, n) for y in (ANN, BOB) for n in (CAT, DAN)),
    *((n, y) for n in (CAT, DAN) for y in (ANN, BOB)),
    (ANN, BOB),
    (BOB, ANN),
    (CAT, DAN),
    (DAN, CAT),
]


@pytest.mark.rule("STEEL-3")
@pytest.mark.parametrize(
    ("count", "wrong", "tightened"),
    [
        pytest.param(7, 0, False, id="seven of seven ACCURATE: too few first attempts"),
        pytest.param(8, 1, False, id="seven of eight ACCURATE: 88 %"),
        pytest.param(10, 1, False, id="nine of ten ACCURATE: 90 % is not over 90 %"),
        pytest.param(11, 1, True, id="ten of eleven ACCURATE: 91 %"),
    ],
)
def test_a_lenient_run_tightens_the_grading_brief(count: int, wrong: int, tightened: bool) -> None:
    play = committed(yes=2, no=2)
    firsts(play, ORDERED[:count], wrong)
    author, target = ORDERED[count]
    assert play.thread.stage is Stage.CRUX_LOCK
    play.post(author, steelman(target))
    assert ("strictly" in play.owed(target)[0].note) == tightened


@pytest.mark.rule("STEEL-3")
def test_eight_of_eight_first_attempts_tighten_the_brief_of_the_next() -> None:
    play = committed(yes=2, no=2)
    firsts(play, ORDERED[:8], wrong=0)
    assert play.thread.stage is Stage.EVIDENCE
    play.post(ANN, steelman(BOB))
    assert "strictly" in play.owed(BOB)[0].note


@pytest.mark.rule("STEEL-3")
def test_a_retry_does_not_make_up_for_a_first_attempt() -> None:
    play = committed(yes=2, no=2)
    firsts(play, ORDERED[:2], wrong=2)
    firsts(play, ORDERED[:2], wrong=0)
    firsts(play, [*ORDERED[2:7], ORDERED[8]], wrong=0)
    assert len(play.thread.tries) == 8 and all(t[-1].grade is Grade.ACCURATE for t in play.thread.tries.values())
    author, target = ORDERED[7]
    play.post(author, steelman(target))
    assert "strictly" not in play.owed(target)[0].note, "six of eight"


# ---- STEEL-4: who owes whom


def pairs_owed(play: Play) -> list[tuple[AgentId, AgentId]]:
    return [
        (agent, duty.about)
        for agent in play.agents
        for duty in play.owed(agent)
        if duty.move is MoveKind.STEELMAN and duty.about is not None
    ]


@pytest.mark.rule("STEEL-4")
@pytest.mark.parametrize(
    ("yes", "no"),
    [
        pytest.param(1, 1, id="one against one"),
        pytest.param(2, 1, id="two against one"),
        pytest.param(2, 2, id="two against two"),
    ],
)
def test_while_no_side_has_more_than_two_agents_each_pair_is_owed_both_ways(yes: int, no: int) -> None:
    play = committed(yes, no)
    sides = AGENTS[:yes], AGENTS[yes : yes + no]
    both = {(a, b) for a in sides[0] for b in sides[1]} | {(b, a) for a in sides[0] for b in sides[1]}
    owed = pairs_owed(play)
    assert set(owed) == both and len(owed) == len(both)


@pytest.mark.rule("STEEL-4")
@pytest.mark.parametrize(
    ("yes", "no"),
    [
        pytest.param(3, 1, id="three against one"),
        pytest.param(1, 3, id="one against three"),
        pytest.param(3, 2, id="three against two"),
        pytest.param(5, 2, id="five against two"),
        pytest.param(4, 4, id="four against four"),
    ],
)
def test_beyond_two_a_side_each_steelmans_one_opponent_spread_evenly(yes: int, no: int) -> None:
    play = committed(yes, no)
    sides = AGENTS[:yes], AGENTS[yes : yes + no]
    owed = pairs_owed(play)
    assert Counter(author for author, _ in owed) == Counter(play.agents), "one each"
    assert all((a in sides[0]) != (b in sides[0]) for a, b in owed), "of the other side"
    for side in sides:
        load = Counter(target for _, target in owed if target in side)
        counts = [load[agent] for agent in side]
        assert max(counts) - min(counts) <= 1


@pytest.mark.rule("STEEL-4")
def test_an_uncertain_agent_owes_no_steelman_and_is_owed_none() -> None:
    play = committed(yes=1, no=1, unsure=1)
    assert set(pairs_owed(play)) == {(ANN, BOB), (BOB, ANN)}


@pytest.mark.rule("STEEL-4")
def test_steelmans_are_owed_once_everybody_has_committed() -> None:
    play = Play(yes=(ANN,), no=(BOB,), unsure=(CAT,))
    play.to_lock()
    for agent in (ANN, BOB):
        play.post(agent, commit(agent, play.sides[agent]))
    assert pairs_owed(play) == []
    play.post(CAT, commit(CAT, Side.UNCERTAIN))
    assert len(pairs_owed(play)) == 2


def excuse(play: Play, absent: AgentId) -> None:
    """Everybody but one commits; 30 s later the missing one is excused."""
    for agent in play.agents:
        if agent != absent:
            play.post(agent, commit(agent, play.sides[agent]))
    play.tick(after_ms=30_000 - (play.now_ms - play.thread.stage_ms))
    assert play.thread.excused == {absent}


@pytest.mark.rule("STEEL-4")
def test_an_agent_who_commits_later_joins_a_large_table_by_one_steelman() -> None:
    play = Play(yes=(ANN, CAT, EVE), no=(BOB, DAN))
    play.to_lock()
    excuse(play, EVE)
    before = set(pairs_owed(play))
    assert len(before) == 8, "two against two: all pairs, both ways"
    for author, target in ((ANN, BOB), (CAT, DAN), (BOB, ANN), (DAN, CAT)):
        play.post(target, grade(play.post(author, steelman(target))))
    play.post(EVE, commit(EVE, Side.YES))
    owed = pairs_owed(play)
    assert len(owed) == 1 and owed[0][0] == EVE and owed[0][1] in (BOB, DAN), "what was passed stays passed"
    target = owed[0][1]
    events = play.say(target, grade(play.post(EVE, steelman(target))))
    assert of(events, LockSucceeded)


@pytest.mark.rule("STEEL-4")
def test_an_agent_who_commits_later_joins_a_small_table_by_one_steelman() -> None:
    play = Play(yes=(ANN, CAT), no=(BOB, DAN))
    play.to_lock()
    excuse(play, CAT)
    before = set(pairs_owed(play))
    play.post(CAT, commit(CAT, Side.YES))
    joined = set(pairs_owed(play)) - before
    assert len(joined) == 1 and joined <= {(CAT, BOB), (CAT, DAN)}


@pytest.mark.rule("STEEL-4")
def test_a_steelman_begun_keeps_its_pair_when_the_sides_shift() -> None:
    play = committed(yes=3, no=3)
    yes, no = AGENTS[:3], AGENTS[3:6]
    planned = dict(pairs_owed(play))
    assert planned == dict(zip((*yes, *no), (*no, *yes), strict=True))
    attempt = play.post(yes[2], steelman(no[2]))
    play.post(no[2], grade(attempt, Grade.WRONG))
    play.post(no[0], commit(no[0], Side.UNCERTAIN))
    shifted = dict(pairs_owed(play))
    assert shifted[yes[2]] == no[2], "begun with this opponent"
    assert no[0] not in shifted and no[0] not in shifted.values()


@pytest.mark.rule("STEEL-4")
def test_nothing_is_owed_while_only_one_side_is_taken() -> None:
    play = Play()
    play.to_lock()
    play.post(ANN, commit(ANN, Side.YES))
    play.post(BOB, commit(BOB, Side.UNCERTAIN))
    assert pairs_owed(play) == []
    assert not of(play.events, LockSucceeded)


@pytest.mark.rule("STEEL-2")
def test_a_steelman_and_its_grade_are_events_that_name_their_messages() -> None:
    play = committed()
    said = play.say(ANN, steelman(BOB))
    attempt, posted = only(said, SteelmanAttempt), only(said, MessagePosted)
    assert (attempt.message, attempt.attempt) == (posted.id, 1)
    assert [t.message for t in play.thread.tries[ANN, BOB]] == [posted.id]
    events = play.say(BOB, grade(posted.id))
    graded = only(events, SteelmanGraded)
    assert (graded.message, graded.steelman) == (only(events, MessagePosted).id, posted.id)
