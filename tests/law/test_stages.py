"""Which moves a stage allows, how many messages it has, and when it is left: SPEC §2."""

from collections.abc import Callable

import pytest

from cruxfinder.crux.due import Probes, due_in_thread
from cruxfinder.crux.events import (
    CruxPromoted,
    LockFailed,
    LockSucceeded,
    MessagePosted,
    MessageRefused,
    ModeratorIntervention,
    StageTransition,
)
from cruxfinder.crux.moves import Move
from cruxfinder.kernel.run_facts import DebateComplete
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import (
    ADVOCATE,
    Grade,
    MessageId,
    MoveKind,
    Phase,
    RuleId,
    Side,
    Stage,
    Status,
    TopSide,
)
from tests.law.build import (
    AGENTS,
    ANN,
    BOB,
    CAT,
    DAN,
    EVE,
    OTHER_QUESTIONS,
    QUESTION,
    Play,
    attack,
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
    update,
)

ALLOWED = {
    Stage.DISCOVERY: {"CLAIM", "CHALLENGE", "CLARIFY", "REFRAME", "PROPOSE_CRUX"},
    Stage.CRUX_LOCK: {"STEELMAN", "GRADE_STEELMAN", "COMMIT_POSITION", "DECLARE_FALSIFIER", "CLARIFY"},
    Stage.EVIDENCE: {
        "PROVIDE_EVIDENCE",
        "CHALLENGE_EVIDENCE",
        "UPDATE_POSITION",
        "CONCEDE",
        "PROPOSE_CRUX",
        "STEELMAN",
        "GRADE_STEELMAN",
    },
}


def bobs_turn(stage: Stage) -> tuple[Play, MessageId]:
    """Everything a stage allows is legal for Bob now; the message is the one of Ann's he can aim at."""
    play = Play()
    match stage:
        case Stage.DISCOVERY:
            return play, play.post(ANN, claim())
        case Stage.CRUX_LOCK:
            play.to_lock()
            play.post(ANN, commit(ANN, Side.YES))
            play.post(BOB, commit(BOB, Side.NO, falsifier=None))
            return play, play.post(ANN, steelman(BOB))
        case Stage.EVIDENCE:
            play.to_evidence()
            return play, play.post(ANN, evidence(BOB))


MOVES: dict[MoveKind, Callable[[MessageId], Move]] = {
    MoveKind.CLAIM: lambda target: claim(),
    MoveKind.CHALLENGE: challenge,
    MoveKind.CLARIFY: clarify,
    MoveKind.REFRAME: lambda target: reframe(),
    MoveKind.PROPOSE_CRUX: lambda target: propose(OTHER_QUESTIONS[0]),
    MoveKind.COMMIT_POSITION: lambda target: commit(BOB, Side.NO),
    MoveKind.DECLARE_FALSIFIER: lambda target: declare(),
    MoveKind.STEELMAN: lambda target: steelman(ANN),
    MoveKind.GRADE_STEELMAN: grade,
    MoveKind.PROVIDE_EVIDENCE: lambda target: evidence(ANN),
    MoveKind.CHALLENGE_EVIDENCE: attack,
    MoveKind.UPDATE_POSITION: lambda target: update(target, Side.NO, Side.UNCERTAIN),
    MoveKind.CONCEDE: lambda target: concede(),
}


@pytest.mark.rule("STAGE-1")
@pytest.mark.parametrize(
    ("stage", "kind"),
    [
        pytest.param(stage, kind, id=f"{stage} {'allows' if kind in ALLOWED[stage] else 'refuses'} {kind}")
        for stage in Stage
        for kind in MoveKind
    ],
)
def test_a_stage_allows_its_moves_and_refuses_any_other(stage: Stage, kind: MoveKind) -> None:
    play, target = bobs_turn(stage)
    if stage is Stage.EVIDENCE and kind is MoveKind.GRADE_STEELMAN:
        target = play.post(ANN, steelman(BOB))
    events = play.say(BOB, MOVES[kind](target))
    if kind in ALLOWED[stage]:
        assert refused(events) == set()
        assert only(events, MessagePosted).move.kind is kind
    else:
        assert "STAGE-1" in refused(events)
        assert not of(events, MessagePosted)


@pytest.mark.rule("STAGE-1")
def test_anything_else_is_refused_with_the_reason_and_a_remedy() -> None:
    play = Play()
    said = only(play.say(ANN, commit(ANN, Side.YES)), MessageRefused)
    refusal = next(r for r in said.refusals if r.rule == "STAGE-1")
    assert (said.move, said.outcome) == (MoveKind.COMMIT_POSITION, "revise")
    assert "COMMIT_POSITION" in refusal.reason and "DISCOVERY" in refusal.reason
    assert all(move in refusal.remedy for move in ALLOWED[Stage.DISCOVERY])


@pytest.mark.rule("STAGE-1")
@pytest.mark.parametrize(
    ("attempt", "outcome"),
    [
        pytest.param(1, "revise", id="a draft goes back to its debater"),
        pytest.param(2, "revise", id="its first revision goes back once more"),
        pytest.param(3, "dropped", id="its second revision is dropped"),
    ],
)
def test_a_refused_draft_is_revised_at_most_twice(attempt: int, outcome: str) -> None:
    play = Play()
    events = play.say(ANN, concede(), attempt=attempt)
    assert only(events, MessageRefused).outcome == outcome


# ---- STAGE-2: budgets


def clarify_until_a_lock_fails(play: Play) -> int:
    """How many counted messages the stage took before a try was counted. Each first CLARIFY is free."""
    for _ in range(200):
        for agent in play.agents:
            if of(play.say(agent, clarify(play.thread.messages[0].id)), LockFailed):
                return play.thread.counted
    raise AssertionError("the stage has no max")


@pytest.mark.rule("STAGE-2")
@pytest.mark.parametrize(
    ("yes", "no", "unsure", "most"),
    [
        pytest.param(1, 1, 0, 8, id="two committed agents: 8"),
        pytest.param(1, 1, 1, 3 + 3 * 2 + 2, id="an uncertain third: 3 commitments, 2 steelmans: 11"),
        pytest.param(2, 1, 0, 3 + 3 * 4 + 2, id="two against one: 3 commitments, 4 steelmans: 17"),
        pytest.param(2, 2, 0, 4 + 3 * 8 + 2, id="two against two: 4 commitments, 8 steelmans: 30"),
        pytest.param(3, 1, 0, 4 + 3 * 4 + 2, id="three against one, cover: 4 commitments, 4 steelmans: 18"),
        pytest.param(3, 2, 0, 5 + 3 * 5 + 2, id="three against two, cover: 5 commitments, 5 steelmans: 22"),
    ],
)
def test_the_max_of_crux_lock_is_commitments_and_three_for_each_required_steelman_and_two(
    yes: int, no: int, unsure: int, most: int
) -> None:
    play = Play(yes=AGENTS[:yes], no=AGENTS[yes : yes + no], unsure=AGENTS[yes + no : yes + no + unsure])
    play.to_lock()
    play.commit_all()
    assert clarify_until_a_lock_fails(play) == most


@pytest.mark.rule("STAGE-2")
def test_with_two_agents_the_lock_is_judged_at_eight_however_few_have_committed() -> None:
    play = Play()
    play.to_lock()
    assert clarify_until_a_lock_fails(play) == 8


@pytest.mark.rule("STAGE-2")
def test_one_clarify_an_agent_does_not_count_and_the_next_one_does() -> None:
    play = Play()
    first = play.post(ANN, claim())
    events = [play.say(agent, clarify(first)) for agent in (ANN, BOB, ANN)]
    assert [only(e, MessagePosted).counted for e in events] == [False, False, True]
    assert play.thread.counted == 2


@pytest.mark.rule("STAGE-2")
def test_the_free_clarify_comes_back_with_the_next_stage() -> None:
    play = Play()
    first = play.post(ANN, claim())
    play.post(ANN, clarify(first))
    play.to_lock()
    assert not only(play.say(ANN, clarify(first)), MessagePosted).counted
    assert only(play.say(ANN, clarify(first)), MessagePosted).counted


@pytest.mark.rule("STAGE-2")
def test_what_the_moderator_says_does_not_count() -> None:
    play = Play()
    play.to_lock()
    play.commit_all(falsifier=None)
    asked = of(play.events, ModeratorIntervention)
    assert len(asked) == 1 and len(play.thread.stage_messages) == 3
    assert play.thread.counted == 2


@pytest.mark.rule("STAGE-2")
@pytest.mark.parametrize(
    ("stage", "counted"),
    [
        pytest.param(Stage.CRUX_LOCK, True, id="in CRUX_LOCK steelman and grade count"),
        pytest.param(Stage.EVIDENCE, False, id="in EVIDENCE they are remedies and do not count"),
    ],
)
def test_remedies_in_evidence_do_not_count(stage: Stage, counted: bool) -> None:
    play = Play()
    play.to_lock()
    if stage is Stage.EVIDENCE:
        play.to_evidence()
    else:
        play.commit_all()
    attempt = only(play.say(ANN, steelman(BOB)), MessagePosted)
    graded = only(play.say(BOB, grade(attempt.id, Grade.WRONG)), MessagePosted)
    assert (attempt.counted, graded.counted) == (counted, counted)


@pytest.mark.rule("STAGE-2")
def test_a_stage_must_be_left_at_its_max() -> None:
    play = Play()
    play.talk(10)
    assert play.waiting
    assert refused(play.say(ANN, claim())) == {"STAGE-2"}


@pytest.mark.rule("STAGE-2")
def test_a_stage_at_its_max_refuses_what_counts_and_still_takes_a_free_clarify() -> None:
    play = Play()
    for _ in range(10):  # the other participant has not spoken, so the stage cannot be left
        play.post(ANN, reframe())
    assert not play.waiting
    assert refused(play.say(BOB, claim())) == {"STAGE-2"}
    assert refused(play.say(BOB, clarify(play.last))) == set()


@pytest.mark.rule("STAGE-2")
def test_a_lifted_thread_goes_on_in_evidence_past_its_max() -> None:
    play = Play(settings=Settings(lifted=True))
    play.to_evidence()
    evidence_rounds(play, 30)
    assert not play.waiting and play.thread.counted == 30


# ---- STAGE-3: DISCOVERY to CRUX_LOCK


def discovery(play: Play, proposals: dict[int, str], until: int) -> list[int]:
    """Talk with proposals at these places and a challenge second; the places after which DISCOVERY was over."""
    over: list[int] = []
    for place in range(1, until + 1):
        if play.waiting:
            break
        agent = (ANN, BOB)[(place - 1) % 2]
        move = challenge("m1") if place == 2 else propose(proposals[place]) if place in proposals else claim()
        play.post(agent, move)
        if play.waiting:
            over.append(place)
    return over


@pytest.mark.rule("STAGE-3")
@pytest.mark.parametrize(
    ("proposals", "left_at"),
    [
        pytest.param((1, 3), 6, id="two candidates early: left at the min of six"),
        pytest.param((1, 4), 7, id="the second one fourth: left once three messages brought no other"),
        pytest.param((3, 6), 9, id="the second one sixth: left at nine"),
        pytest.param((3, 9), 10, id="the second one ninth: left at the max of ten"),
        pytest.param((3,), 10, id="one candidate alone: left at the max of ten"),
        pytest.param((10,), 10, id="the only candidate at the last moment: left at the max of ten"),
        pytest.param((1, 3, 4, 5, 6), 6, id="five candidates: no more can come, left at the min"),
        pytest.param((3, 4, 5, 6, 7), 7, id="five candidates after the min: left at the fifth"),
    ],
)
def test_discovery_is_left_from_its_min_once_the_candidates_are_settled_and_at_its_max(
    proposals: tuple[int, ...], left_at: int
) -> None:
    play = Play()
    questions = (QUESTION, *OTHER_QUESTIONS)
    assert discovery(play, {place: questions[n] for n, place in enumerate(proposals)}, until=12) == [left_at]


@pytest.mark.rule("STAGE-3")
def test_without_a_candidate_discovery_goes_on_past_its_min() -> None:
    play = Play()
    assert discovery(play, {}, until=9) == []


@pytest.mark.rule("STAGE-3")
def test_at_the_max_without_a_candidate_the_moderator_frames_one_and_it_is_weighed() -> None:
    play = Play()
    assert discovery(play, {}, until=10) == [10]
    assert only(play.events, ModeratorIntervention).cause == "MOD-4"
    assert play.thread.candidates[0].by == "moderator"


@pytest.mark.rule("STAGE-3")
def test_without_a_candidate_and_a_moderator_to_frame_one_nothing_is_weighed() -> None:
    play = Play(settings=Settings(off=(RuleId("MOD-4"),)))
    assert discovery(play, {}, until=10) == []
    assert due_in_thread(play.debate, play.thread) is None


@pytest.mark.rule("STAGE-3")
def test_one_participant_alone_does_not_reach_the_lock_and_the_second_one_does() -> None:
    play = Play()
    play.post(ANN, propose())
    play.post(ANN, propose(OTHER_QUESTIONS[0]))
    for _ in range(6):
        play.post(ANN, claim())
    assert not play.waiting
    play.post(BOB, challenge("m1"))
    assert play.waiting


@pytest.mark.rule("STAGE-3")
def test_the_devils_advocate_is_not_a_participant() -> None:
    play = Play()
    play.post(ANN, propose())
    play.post(ANN, propose(OTHER_QUESTIONS[0]))
    for _ in range(6):
        play.post(ANN, claim())
    assert any(seat.id == ADVOCATE for seat in play.debate.seats)
    play.post(ADVOCATE, challenge("m1"))
    assert not play.waiting


@pytest.mark.rule("STAGE-3")
def test_discovery_leads_to_crux_lock_once_everybody_was_probed() -> None:
    play = Play()
    play.to_weighing()
    assert not of(play.probe(), StageTransition)
    wanted = due_in_thread(play.debate, play.thread)
    assert isinstance(wanted, Probes) and wanted.phase is Phase.WORDING
    entered = only(play.probe(), StageTransition)
    assert (entered.left, entered.entered, entered.candidate) == (Stage.DISCOVERY, Stage.CRUX_LOCK, "c1")
    assert (play.thread.stage, play.thread.status) == (Stage.CRUX_LOCK, Status.LOCKING)


@pytest.mark.rule("STAGE-3")
def test_nobody_speaks_while_the_candidates_are_weighed() -> None:
    play = Play()
    play.to_weighing()
    for agent in play.agents:
        assert refused(play.say(agent, claim())) == {"STAGE-2"}
        assert refused(play.say(agent, clarify("m1"))) == {"STAGE-2"}


# ---- STAGE-4: CRUX_LOCK to EVIDENCE


@pytest.mark.rule("STAGE-4")
def test_evidence_is_entered_through_the_lock() -> None:
    play = Play()
    play.to_evidence()
    kinds = [e.kind for e in play.events]
    entered = [e for e in of(play.events, StageTransition) if e.entered is Stage.EVIDENCE]
    assert len(entered) == 1 and len(of(play.events, LockSucceeded)) == 1
    assert kinds.index("lock_succeeded") < len(kinds) - 1 - kinds[::-1].index("stage_transition")


@pytest.mark.rule("STAGE-4")
def test_no_max_and_no_time_leads_to_evidence_without_the_lock() -> None:
    play = Play()
    play.to_lock()
    play.commit_all()
    for _ in range(40):
        for agent in play.agents:
            play.say(agent, clarify("m1"))
    assert play.thread.status is Status.FAILED_LOCK
    assert all(e.entered is not Stage.EVIDENCE for e in of(play.events, StageTransition))


# ---- STAGE-5: EVIDENCE to CONVERGED


def evidence_rounds(play: Play, count: int) -> None:
    """So many messages: evidence by Ann, its challenge by Bob, in turn."""
    for place in range(count):
        play.post(*((ANN, evidence(BOB)) if place % 2 == 0 else (BOB, attack(play.last))))


@pytest.mark.rule("STAGE-5")
def test_evidence_answered_throughout_is_stable_from_the_min_on() -> None:
    play = Play()
    play.to_evidence()
    evidence_rounds(play, 11)
    assert not play.waiting
    play.post(BOB, attack(play.last))
    assert play.waiting and play.thread.counted == 12


@pytest.mark.rule("STAGE-5")
def test_at_the_max_evidence_is_over_however_unsettled() -> None:
    play = Play()
    play.to_evidence()
    for place in range(16):
        assert not play.waiting
        play.post(play.agents[place % 2], evidence(play.agents[1 - place % 2]))
    assert play.waiting and play.thread.counted == 16


@pytest.mark.rule("STAGE-5")
@pytest.mark.parametrize(
    ("disturbance", "left_at"),
    [
        pytest.param(7, 12, id="a change of side at the seventh is settled by the twelfth"),
        pytest.param(8, 13, id="a change of side at the eighth keeps EVIDENCE open until the thirteenth"),
        pytest.param(11, 16, id="a change of side at the eleventh keeps EVIDENCE open until the max"),
    ],
)
def test_no_side_changed_in_the_last_five_messages(disturbance: int, left_at: int) -> None:
    play = Play()
    play.to_evidence()
    shown = play.post(ANN, evidence(BOB))
    for place in range(2, 20):
        if play.waiting:
            break
        agent, move = (BOB, update(shown, Side.NO, Side.UNCERTAIN)) if place == disturbance else (ANN, concede())
        play.post(agent, move)
    assert play.thread.counted == left_at


@pytest.mark.rule("STAGE-5")
@pytest.mark.parametrize(
    ("move", "left_at"),
    [
        pytest.param(lambda shown: update(shown, Side.NO, Side.NO), 12, id="a changed confidence is no change of side"),
        pytest.param(lambda shown: concede(), 12, id="a cheap concession changes no side"),
        pytest.param(
            lambda shown: update(shown, Side.NO, Side.YES), 16, id="a position updated to the other side changes it"
        ),
        pytest.param(
            lambda shown: concede(TopSide.YES, TopSide.NO),
            16,
            id="a concession that changes the top claim is a change of side",
        ),
    ],
)
def test_what_counts_as_a_change_of_side(move: Callable[[MessageId], Move], left_at: int) -> None:
    play = Play()
    play.to_evidence()
    shown = play.post(ANN, evidence(BOB))
    for place in range(2, 20):
        if play.waiting:
            break
        play.post(BOB, move(shown) if place == 11 else concede())
    assert play.thread.counted == left_at


@pytest.mark.rule("STAGE-5")
@pytest.mark.parametrize(
    ("shown_at", "answer", "left_at"),
    [
        pytest.param(7, None, 12, id="unanswered evidence before the last five is no longer fresh"),
        pytest.param(8, None, 13, id="unanswered evidence among the last five keeps EVIDENCE open"),
        pytest.param(8, "challenge", 12, id="challenged evidence is answered"),
        pytest.param(8, "concede in reply", 12, id="evidence conceded to in reply is answered"),
        pytest.param(8, "concede to nobody", 13, id="a concession to nobody answers no evidence"),
        pytest.param(8, "update", 12, id="evidence that moved somebody is answered"),
    ],
)
def test_no_fresh_evidence_went_unanswered_in_the_last_five_messages(
    shown_at: int, answer: str | None, left_at: int
) -> None:
    play = Play()
    play.to_evidence()
    shown = MessageId("")
    answers: dict[str, Callable[[], object]] = {
        "challenge": lambda: play.post(BOB, attack(shown)),
        "concede in reply": lambda: play.post(BOB, concede(), reply_to=shown),
        "concede to nobody": lambda: play.post(BOB, concede()),
        "update": lambda: play.post(BOB, update(shown, Side.NO, Side.NO)),
    }
    for place in range(1, 20):
        if play.waiting:
            break
        if place == shown_at:
            shown = play.post(ANN, evidence(BOB))
        elif place == shown_at + 1 and answer is not None:
            answers[answer]()
        else:
            play.post(BOB, concede())
    assert play.thread.counted == left_at


@pytest.mark.rule("STAGE-2")
def test_a_long_lock_takes_nothing_from_evidence() -> None:
    play = Play(yes=(ANN, CAT), no=(BOB,))
    play.to_lock()
    play.commit_all()
    for _ in range(3):  # three of these nine are free, the other six bring the lock to its max of 17
        for agent in play.agents:
            play.post(agent, clarify("m1"))
    play.to_evidence()
    assert sum(m.counted for m in play.thread.messages) == 10 + 17
    while not play.waiting:
        play.post(ANN, evidence(BOB))
    assert play.thread.counted == 16


@pytest.mark.rule("STAGE-5")
def test_remedies_do_not_bring_the_min_nearer() -> None:
    play = Play()
    play.to_evidence()
    evidence_rounds(play, 10)
    play.post(BOB, grade(play.post(ANN, steelman(BOB))))
    assert not play.waiting and len(play.thread.stage_messages) == 12


@pytest.mark.rule("STAGE-5")
def test_a_stable_thread_converges_after_its_last_probes_and_judgements() -> None:
    play = Play()
    play.to_closing()
    assert refused(play.say(ANN, concede())) == {"STAGE-2"}
    play.probe_all()
    assert play.thread.status is Status.LOCKED
    play.judge()
    assert play.thread.status is Status.CONVERGED
    assert only(play.events, DebateComplete).ending == "natural"


@pytest.mark.rule("STAGE-3")
def test_with_more_than_one_candidate_only_one_is_promoted() -> None:
    play = Play(yes=(ANN, CAT), no=(BOB, DAN), unsure=(EVE,))
    play.to_lock((QUESTION, OTHER_QUESTIONS[0]))
    assert only(play.events, CruxPromoted).candidate == play.thread.crux
