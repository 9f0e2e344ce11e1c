"""Which question is locked: CRUX-8; CRUX-7 when nobody disputes anything, CRUX-6 when three do, STAGE-6 later on."""

import pytest

from cruxfinder.crux.events import (
    CandidateFigures,
    CruxPromoted,
    DcgCalculated,
    Event,
    MessagePosted,
    ModeratorIntervention,
    StageTransition,
    ThreadConverged,
    ThreadCreated,
    ThreadProposed,
)
from cruxfinder.crux.law.candidates import choose
from cruxfinder.crux.moves import ProposeCrux
from cruxfinder.crux.private_questions import Probes, due_in_thread
from cruxfinder.crux.result import result_of
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import ADVOCATE, AgentId, CandidateId, Phase, RuleId, Side, Stage, Trigger, Verdict
from tests.law.build import (
    ANN,
    BOB,
    C1,
    CAT,
    DAN,
    EVE,
    FAY,
    OTHER_QUESTIONS,
    QUESTION,
    T1,
    T2,
    T3,
    Mind,
    Play,
    challenge,
    claim,
    evidence,
    of,
    only,
    propose,
    reframe,
    refused,
)

C2, C3 = CandidateId("c2"), CandidateId("c3")
Answers = tuple[float, float, float]  # P(yes), P(top | yes), P(top | no)


def believing(p_top: float, **about: Answers) -> Mind:
    return Mind(p_top=p_top, c=0.5, p1=p_top, p0=p_top, about=about)


# Two-sided, both flip, share (.9 - .1) · .8 / .6: more than the whole gap.
STRONG: tuple[Answers, Answers] = ((0.9, 0.9, 0.1), (0.1, 0.9, 0.1))
# Two-sided, nobody flips, share (.9 - .1) · .2 / .6 = .27.
MODEST: tuple[Answers, Answers] = ((0.9, 0.85, 0.65), (0.1, 0.35, 0.15))
# Two-sided, both flip, share (.56 - .44) · .8 / .6 = .16, but a gain of .56.
LOUD: tuple[Answers, Answers] = ((0.56, 0.9, 0.1), (0.44, 0.9, 0.1))
# Everybody says YES, share (.95 - .6) · .5 / .6 = .29.
ONE_SIDED: tuple[Answers, Answers] = ((0.95, 0.85, 0.35), (0.6, 0.65, 0.15))
# Explains nothing.
IDLE: tuple[Answers, Answers] = ((0.9, 0.8, 0.8), (0.1, 0.2, 0.2))


def weighed(*questions: tuple[Answers, Answers]) -> Play:
    """ANN at .8 and BOB at .2 on the topic, with these answers about c1, c2, …; everything answered."""
    play = Play()
    ids = [f"c{n}" for n in range(1, len(questions) + 1)]
    play.minds = {
        ANN: believing(0.8, **{id: q[0] for id, q in zip(ids, questions, strict=True)}),
        BOB: believing(0.2, **{id: q[1] for id, q in zip(ids, questions, strict=True)}),
    }
    play.weigh((QUESTION, *OTHER_QUESTIONS)[: len(questions)])
    return play


def figures(play: Play) -> tuple[CandidateFigures, ...]:
    return play.thread.figures[Phase.BEFORE].figures


# ---- what may be proposed


@pytest.mark.rule("CRUX-8")
def test_every_question_proposed_in_discovery_is_a_candidate() -> None:
    play = Play()
    for question in (QUESTION, *OTHER_QUESTIONS[:2]):
        play.post(ANN, propose(question))
    assert [(c.id, c.question, c.by) for c in play.thread.candidates] == [
        (C1, QUESTION, ANN),
        (C2, OTHER_QUESTIONS[0], ANN),
        (C3, OTHER_QUESTIONS[1], ANN),
    ]


@pytest.mark.rule("CRUX-8")
@pytest.mark.parametrize(
    ("standing", "question", "allowed"),
    [
        pytest.param(4, OTHER_QUESTIONS[4], True, id="a fifth one"),
        pytest.param(5, OTHER_QUESTIONS[4], False, id="a sixth one"),
        pytest.param(1, "Regulators tolerate private money", False, id="no question at all"),
        pytest.param(1, "Do regulators tolerate private money?  ", True, id="blanks after the mark"),
    ],
)
def test_which_questions_may_be_proposed(standing: int, question: str, allowed: bool) -> None:
    play = Play()
    for known in (QUESTION, *OTHER_QUESTIONS)[:standing]:
        play.post(ANN, propose(known))
    events = play.say(BOB, propose(question))
    assert refused(events) == (set() if allowed else {"CRUX-8"})
    assert len(play.thread.candidates) == standing + allowed


@pytest.mark.rule("CRUX-8")
def test_a_deeper_question_in_evidence_is_no_candidate_of_this_thread() -> None:
    play = Play()
    play.to_evidence()
    events = play.say(ANN, propose("Do savers bear the loss in the end?"))
    assert isinstance(only(events, MessagePosted).move, ProposeCrux)
    assert [c.id for c in play.thread.candidates] == [C1]


# ---- which one is locked


@pytest.mark.rule("CRUX-8")
def test_the_highest_rank_is_locked_and_the_others_are_kept_as_tested() -> None:
    play = weighed(IDLE, MODEST, STRONG)
    assert play.thread.stage is Stage.CRUX_LOCK
    assert play.thread.crux == C3
    assert [f.candidate for f in figures(play)] == [C3, C2, C1]
    promoted = only(play.events, CruxPromoted)
    assert (promoted.candidate, promoted.rank) == (C3, figures(play)[0].rank)
    tested = result_of(play.events).threads[0].tested
    assert [(t.id, t.chosen) for t in tested] == [("t1.c3", True), ("t1.c2", False), ("t1.c1", False)]
    assert not any(t.locked for t in tested)  # chosen to be locked; whether it will be is another matter
    play.to_evidence()
    assert [t.id for t in result_of(play.events).threads[0].tested if t.locked] == ["t1.c3"]


@pytest.mark.rule("CRUX-8")
def test_a_question_that_explains_too_little_is_not_locked_however_loud() -> None:
    play = weighed(LOUD, MODEST)
    assert [f.candidate for f in figures(play)] == [C1, C2]
    assert figures(play)[0].share < 0.2 <= figures(play)[1].share
    assert play.thread.crux == C2


@pytest.mark.rule("CRUX-8")
@pytest.mark.parametrize(
    "questions",
    [
        pytest.param((LOUD, MODEST), id="a louder one that explains too little comes first"),
        pytest.param((MODEST, ONE_SIDED), id="a one-sided one that explains more comes first"),
        pytest.param((STRONG, MODEST), id="the best comes first"),
    ],
)
def test_the_wording_that_is_tested_is_that_of_the_question_to_be_locked(
    questions: tuple[tuple[Answers, Answers], ...],
) -> None:
    play = weighed(*questions)
    asked = {f.candidate for a in play.thread.probes[Phase.WORDING, 1].values() for f in a.fixed}
    assert play.thread.stage is Stage.CRUX_LOCK
    assert asked == {play.thread.crux}


@pytest.mark.rule("CRUX-8")
def test_one_on_which_all_stand_on_one_side_is_kept_as_a_partial_crux_beside_the_locked_one() -> None:
    play = weighed(STRONG, ONE_SIDED)
    assert play.thread.crux == C1
    tested = result_of(play.events).threads[0].tested
    assert [(t.id, t.chosen, t.partial) for t in tested] == [("t1.c1", True, False), ("t1.c2", False, True)]


@pytest.mark.rule("CRUX-8")
def test_with_nothing_but_one_sided_questions_the_thread_ends_as_a_partial_crux() -> None:
    play = weighed(ONE_SIDED)
    ended = only(play.events, ThreadConverged)
    assert ended.verdict is Verdict.PARTIAL
    assert of(play.events, StageTransition) == of(play.events, CruxPromoted) == ()
    assert QUESTION in ended.why and "one side" in ended.why
    assert result_of(play.events).primary_crux == "t1.c1"


@pytest.mark.rule("CRUX-8")
def test_the_partial_crux_that_is_reported_is_the_one_sided_one() -> None:
    play = weighed(LOUD, ONE_SIDED)
    ended = only(play.events, ThreadConverged)
    assert ended.verdict is Verdict.PARTIAL
    assert OTHER_QUESTIONS[0] in ended.why and QUESTION not in ended.why


@pytest.mark.rule("CRUX-8")
def test_everybody_is_probed_once_on_all_of_them_when_discovery_ends() -> None:
    play = Play(yes=(ANN, CAT))
    play.to_weighing((QUESTION, OTHER_QUESTIONS[0]))
    wanted = due_in_thread(play.debate, play.thread)
    assert isinstance(wanted, Probes)
    assert (wanted.agents, [c.id for c in wanted.candidates]) == ((ANN, CAT, BOB), [C1, C2])
    assert refused(play.say(ANN, claim())) == {"STAGE-2"}  # nobody speaks meanwhile


@pytest.mark.rule("CRUX-8")
@pytest.mark.parametrize(
    ("share", "two_sided", "locked", "partial"),
    [
        pytest.param((0.5, 0.4), (True, True), C1, (), id="the first of two"),
        pytest.param((0.5, 0.4), (False, True), C2, (C1,), id="the first two-sided one"),
        pytest.param((0.1, 0.4), (True, False), None, (C2,), id="none that is two-sided and telling"),
        pytest.param((0.2, 0.1), (True, True), C1, (), id="exactly a fifth is enough"),
        pytest.param((0.1, 0.1), (True, False), None, (), id="nothing tells anything"),
    ],
)
def test_choosing_from_the_ranked_figures(
    share: tuple[float, float],
    two_sided: tuple[bool, bool],
    locked: CandidateId | None,
    partial: tuple[CandidateId, ...],
) -> None:
    c1, c2 = (STRONG if sides else ONE_SIDED for sides in two_sided)
    play = weighed(c1, c2)
    rows = tuple(
        CandidateFigures(
            candidate=id, share=x, gap_closed=x, coverage=1.0, polarity=1.0, impact=1.0, dcg=1.0, rank=x + 0.5
        )
        for id, x in zip((C1, C2), share, strict=True)
    )
    found = choose(play.thread, rows)
    assert (found.lock, found.partial) == (locked, partial)


@pytest.mark.rule("CRUX-8")
def test_equal_ranks_go_by_the_order_of_proposal() -> None:
    play = weighed(STRONG, STRONG)
    assert figures(play)[0].rank == figures(play)[1].rank
    assert play.thread.crux == C1


@pytest.mark.rule("CRUX-8")
def test_the_figures_are_those_of_the_answers() -> None:
    play = weighed(MODEST)
    drawn = next(e for e in play.events if isinstance(e, DcgCalculated))
    row = drawn.figures[0]
    assert drawn.gap == pytest.approx(0.6)
    assert row.share == pytest.approx(0.8 * 0.2 / 0.6, abs=1e-4)
    assert row.gap_closed == pytest.approx(1 - (0.5 * 0.5 + 0.5 * 0.5) / 0.6, abs=1e-4)
    assert (row.coverage, row.polarity, row.dcg) == (0.0, 1.0, 0.0)
    assert row.rank == pytest.approx(row.share)


# ---- CRUX-7: no crux in sight


@pytest.mark.rule("CRUX-7")
@pytest.mark.parametrize(
    ("messages", "disputed", "off", "joins"),
    [
        pytest.param(5, False, (), False, id="five messages"),
        pytest.param(6, False, (), True, id="six without a challenge"),
        pytest.param(6, True, (), False, id="six with one"),
        pytest.param(6, False, ("CRUX-7",), False, id="left out of an ablation"),
    ],
)
def test_a_devils_advocate_joins_when_nobody_disputes(
    messages: int, disputed: bool, off: tuple[str, ...], joins: bool
) -> None:
    play = Play(settings=Settings(off=tuple(RuleId(r) for r in off)))
    first = play.post(ANN, claim())
    if disputed:
        play.post(BOB, challenge(first))
    play.talk(messages - 1 - disputed)
    joined = [e for e in of(play.events, ModeratorIntervention) if e.joined == ADVOCATE]
    assert len(joined) == joins
    assert (ADVOCATE in {s.id for s in play.debate.seats}) is joins


@pytest.mark.rule("CRUX-7")
def test_it_joins_once() -> None:
    play = Play()
    play.talk(9)
    assert [s.id for s in play.debate.seats].count(ADVOCATE) == 1


# ---- CRUX-6: three parties

YES, NO, BETWEEN = 0.9, 0.1, 0.5


def parties(second: tuple[float, float, float, float], settings: Settings = Settings()) -> Play:
    """Four agents, two and two on c1, and so on c2; c1 is locked. Nobody but its author speaks of c2."""
    play = Play(yes=(ANN, CAT), no=(BOB, DAN), settings=settings)
    first = {ANN: YES, CAT: YES, BOB: NO, DAN: NO}
    for agent, of_second in zip((ANN, CAT, BOB, DAN), second, strict=True):
        p_top = 0.82 if agent in (ANN, CAT) else 0.18
        play.minds[agent] = believing(p_top, c1=(first[agent], 0.9, 0.1), c2=(of_second, 0.9, 0.1))
    play.to_lock((QUESTION, OTHER_QUESTIONS[0]))
    assert play.thread.crux == C1
    return play


@pytest.mark.rule("CRUX-6")
@pytest.mark.parametrize(
    ("second", "three"),
    [
        pytest.param((YES, NO, NO, NO), True, id="one camp is of two minds on the second: three parties"),
        pytest.param((YES, NO, NO, YES), False, id="four parties, but the second question explains nothing"),
        pytest.param((YES, YES, NO, NO), False, id="the same two parties twice"),
        pytest.param((YES, BETWEEN, NO, NO), False, id="who is uncertain is no party"),
    ],
)
def test_a_three_way_disagreement_is_split_into_binary_threads(
    second: tuple[float, float, float, float], three: bool
) -> None:
    play = parties(second)
    found = [e for e in of(play.events, ThreadProposed) if e.trigger is Trigger.THREE_WAY]
    assert [e.question for e in found] == ([OTHER_QUESTIONS[0]] if three else [])


@pytest.mark.rule("CRUX-6")
def test_the_second_thread_needs_no_supporters_and_has_everybody_in_it() -> None:
    play = parties((YES, NO, NO, NO))
    told = only(play.events, ThreadProposed)
    assert len(told.supporters) < 2
    created = only(play.open(told.proposal), ThreadCreated)
    assert (created.parent, created.trigger, created.members) == (T1, Trigger.THREE_WAY, play.agents)


@pytest.mark.rule("CRUX-6")
def test_left_out_of_an_ablation_three_parties_share_one_thread() -> None:
    play = parties((YES, NO, NO, NO), Settings(off=(RuleId("CRUX-6"),)))
    assert not of(play.events, ThreadProposed)


# ---- STAGE-6: a deeper question

DEEPER = OTHER_QUESTIONS[1]


def deeper(play: Play, by: AgentId = BOB) -> tuple[Event, ...]:
    return play.say(by, propose(DEEPER), content=DEEPER)


@pytest.mark.rule("STAGE-6")
def test_a_question_proposed_in_evidence_becomes_a_thread_proposal_and_no_candidate() -> None:
    play = Play(yes=(ANN, CAT), no=(BOB, DAN))
    play.to_evidence()
    told = only(deeper(play), ThreadProposed)
    assert (told.trigger, told.thread, told.question) == (Trigger.DEEPER, T1, DEEPER)
    assert [c.question for c in play.thread.candidates] == [QUESTION] and play.thread.crux == C1


@pytest.mark.rule("STAGE-6")
def test_in_discovery_the_same_question_is_a_candidate_and_no_proposal() -> None:
    play = Play()
    events = deeper(play)
    assert [c.question for c in play.thread.candidates] == [DEEPER] and not of(events, ThreadProposed)


@pytest.mark.rule("STAGE-6")
@pytest.mark.parametrize(
    "question",
    [
        pytest.param(QUESTION, id="the locked one"),
        pytest.param(OTHER_QUESTIONS[0], id="one that was weighed"),
        pytest.param(OTHER_QUESTIONS[3], id="one of another thread"),
    ],
)
def test_a_question_that_is_known_is_no_deeper_one(question: str) -> None:
    play = Play(yes=(ANN, CAT), no=(BOB, DAN))
    play.spawn(OTHER_QUESTIONS[3])
    play.post(ANN, reframe(OTHER_QUESTIONS[2]))
    play.to_lock((QUESTION, OTHER_QUESTIONS[0]))
    play.to_evidence()
    assert refused(play.say(BOB, propose(question))) == {"STAGE-6"}
    assert refused(deeper(play)) == set()


def beside(yes: float) -> Play:
    """A full agenda (ranks of 1.15 and 1.45), a deeper question than the first one's, and so many of it at YES."""
    long = Settings(max_ms=10**6, max_messages=10**4, stagnation_messages=10**4)
    play = Play(yes=(ANN, CAT, EVE), no=(BOB, DAN, FAY), settings=long)
    answering(play, 0.8)
    play.spawn(OTHER_QUESTIONS[0], by=(ANN, BOB))
    play.to_evidence()
    answering(play, 0.9)
    play.at = T2
    play.to_lock()
    play.at = T1
    deeper(play)
    play.post(ANN, evidence(BOB), content="Mining has stopped wasting energy.")
    play.open(of(play.events, ThreadProposed)[-1].proposal)
    answering(play, yes)
    play.at = T3
    play.to_lock()
    return play


def answering(play: Play, yes: float) -> None:
    """Whatever is asked decides the topic for all; a rank of (2 · yes - 1) · 1.25 + yes / 2."""
    for agent, side in play.sides.items():
        at_yes = side is Side.YES
        play.minds[agent] = Mind(p_top=0.82 if at_yes else 0.18, c=yes if at_yes else 1 - yes, p1=0.9, p0=0.1)


@pytest.mark.rule("STAGE-6")
@pytest.mark.parametrize(
    ("yes", "takes"),
    [
        pytest.param(0.85, True, id="ranked higher: it takes the place"),
        pytest.param(0.75, False, id="ranked lower: it does not"),
    ],
)
def test_a_deeper_question_takes_its_parents_place_only_if_it_ranks_higher(yes: float, takes: bool) -> None:
    play = beside(yes)
    assert play.thread.parent == T1 and play.thread.trigger is Trigger.DEEPER
    promoted = [(e.thread, e.replaces) for e in of(play.events, CruxPromoted)]
    assert promoted == [(T1, None), (T2, None), *([(T3, T1)] if takes else [])]
    assert (T1 in play.debate.agenda) != takes
