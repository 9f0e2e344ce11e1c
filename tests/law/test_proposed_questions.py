"""May a question stand as a candidate: CRUX-10 not the topic again, CRUX-11 mirrors, CRUX-12 fit to be debated."""

import pytest

from cruxfinder.crux.events import JoinedCandidate, MessagePosted, MessageRefused, ThreadProposed
from cruxfinder.crux.evolve import fold
from cruxfinder.crux.law import moderator, threads
from cruxfinder.crux.moves import ProposeCrux
from cruxfinder.crux.private_questions import Probes, due_in_thread
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import RuleId, TopSide
from tests.law.build import (
    ANN,
    BOB,
    C1,
    CAT,
    DAN,
    OTHER_QUESTIONS,
    QUESTION,
    Play,
    claim,
    of,
    only,
    propose,
    reframe,
    refused,
)

TOPIC = "Bitcoin stores value"  # of every Play
MIRROR = "Does anchored demand fail to survive another winter?"


def without(rule: str) -> Settings:
    return Settings(off=(RuleId(rule),))


# ---- CRUX-10: not the topic again


@pytest.mark.rule("CRUX-10")
@pytest.mark.parametrize(
    ("question", "again"),
    [
        pytest.param("Does Bitcoin store value?", True, id="the topic"),
        pytest.param("Is it true that Bitcoin stores value?", True, id="the topic in a frame"),
        pytest.param("Does the evidence show that Bitcoin stores value?", True, id="the topic as what evidence shows"),
        pytest.param("Does Bitcoin fail to store value?", True, id="its negation"),
        pytest.param("Does Ether store value?", False, id="another subject"),
        pytest.param("Does Bitcoin store value in wartime?", False, id="a narrower question"),
        pytest.param("Should Bitcoin store value?", False, id="what ought to be"),
        pytest.param(QUESTION, False, id="what it may depend on"),
    ],
)
def test_a_question_that_asks_the_topic_is_no_candidate(question: str, again: bool) -> None:
    play = Play()
    events = play.say(ANN, propose(question))
    assert refused(events) == ({"CRUX-10"} if again else set())
    assert [c.question for c in play.thread.candidates] == ([] if again else [question])


@pytest.mark.rule("CRUX-10")
def test_the_remedy_asks_what_the_topic_depends_on() -> None:
    play = Play()
    (found,) = only(play.say(ANN, propose("Does Bitcoin store value?")), MessageRefused).refusals
    assert "depends on" in found.remedy


@pytest.mark.rule("CRUX-10")
def test_left_out_of_an_ablation_the_topic_is_a_candidate() -> None:
    play = Play(settings=without("CRUX-10"))
    assert not refused(play.say(ANN, propose("Does Bitcoin store value?")))


@pytest.mark.rule("CRUX-10")
def test_in_evidence_the_topic_is_no_deeper_question() -> None:
    play = Play(yes=(ANN, CAT), no=(BOB, DAN))
    play.to_evidence()
    assert refused(play.say(BOB, propose("Does Bitcoin store value?"))) == {"CRUX-10"}


@pytest.mark.rule("CRUX-10")
def test_a_framing_that_is_the_topic_gets_no_thread() -> None:
    play = Play()
    assert not of(play.say(ANN, reframe("Does Bitcoin store value?")), ThreadProposed)
    assert of(play.say(BOB, reframe("Does Bitcoin store heat?")), ThreadProposed)


@pytest.mark.rule("CRUX-10")
@pytest.mark.parametrize(
    ("also", "framed"),
    [
        pytest.param("Miners go home", "Is it true that Miners go home?", id="a claim that is another"),
        pytest.param("Bitcoin does store value", "Is it true that Reserves grow?", id="the reason, where all claim it"),
    ],
)
def test_the_moderator_frames_no_claim_that_is_the_topic(also: str, framed: str) -> None:
    play = Play()
    play.post(ANN, claim(0.9, TopSide.YES, TOPIC))
    play.post(BOB, claim(0.6, TopSide.NO, also))
    found = moderator.frame_question(play.debate, play.thread)
    assert found is not None and found.question == framed


# ---- CRUX-11: one question, whoever asks it


def seconded(question: str, settings: Settings = Settings()) -> tuple[Play, MessagePosted]:
    play = Play(settings=settings)
    play.post(ANN, propose(QUESTION))
    return play, only(play.say(BOB, propose(question)), MessagePosted)


@pytest.mark.rule("CRUX-11")
@pytest.mark.parametrize(
    ("question", "turned"),
    [
        pytest.param("Is it true that anchored demand survives another winter?", False, id="a paraphrase"),
        pytest.param(MIRROR, True, id="its negation"),
    ],
)
def test_a_question_asked_again_joins_its_candidate(question: str, turned: bool) -> None:
    play, said = seconded(question)
    (only_one,) = play.thread.candidates
    assert said.joins == JoinedCandidate(candidate=C1, turned=turned)
    assert only_one.proposers == (ANN, BOB)
    assert [(s.agent, s.message, s.turned) for s in only_one.seconded] == [(BOB, said.id, turned)]
    assert (only_one.question, only_one.by) == (QUESTION, ANN)


@pytest.mark.rule("CRUX-11")
@pytest.mark.parametrize(
    "question", ["Does anchored demand survive another summer?", "Does anchored demand survive two winters?"]
)
def test_another_question_stands_on_its_own(question: str) -> None:
    play, said = seconded(question)
    assert said.joins is None and len(play.thread.candidates) == 2


@pytest.mark.rule("CRUX-11")
def test_nobody_proposes_one_question_twice() -> None:
    play, _ = seconded(MIRROR)
    for agent in (ANN, BOB):
        assert refused(play.say(agent, propose(MIRROR))) == {"CRUX-11"}
        assert refused(play.say(agent, propose(QUESTION))) == {"CRUX-8"}, "in the same words it is not heard twice"


@pytest.mark.rule("CRUX-11")
def test_everybody_is_probed_on_the_one_candidate_only() -> None:
    play = Play(yes=(ANN, CAT))
    play.post(BOB, propose(MIRROR))
    play.to_weighing((QUESTION, OTHER_QUESTIONS[0]))
    wanted = due_in_thread(play.debate, play.thread)
    assert isinstance(wanted, Probes)
    assert [c.question for c in wanted.candidates] == [MIRROR, OTHER_QUESTIONS[0]]


@pytest.mark.rule("CRUX-11")
def test_who_joins_counts_as_a_supporter_and_the_fold_of_the_log_knows_it() -> None:
    play, said = seconded(MIRROR)
    agents, mentions = threads.support(play.thread, play.thread.candidates[0])
    assert set(agents) == {ANN, BOB} and said.id in mentions
    assert fold(play.events).threads == play.debate.threads


@pytest.mark.rule("CRUX-11")
def test_a_fifth_candidate_takes_no_room_from_who_joins() -> None:
    play = Play()
    for question in (QUESTION, *OTHER_QUESTIONS[:4]):
        play.post(ANN, propose(question))
    assert only(play.say(BOB, propose(MIRROR)), MessagePosted).joins == JoinedCandidate(candidate=C1, turned=True)


@pytest.mark.rule("CRUX-11")
def test_left_out_of_an_ablation_a_question_asked_again_is_refused_as_known() -> None:
    play = Play(settings=without("CRUX-11"))
    play.post(ANN, propose(QUESTION))
    assert refused(play.say(BOB, propose(MIRROR))) == {"CRUX-8"}


@pytest.mark.rule("CRUX-11")
def test_in_evidence_whoever_asks_a_proposed_question_again_supports_it() -> None:
    play = Play(yes=(ANN, CAT), no=(BOB, DAN))
    play.to_evidence()
    play.post(ANN, propose("Do savers bear the loss?"))
    told = only(play.say(BOB, propose("Is it false that savers bear the loss?")), ThreadProposed)
    assert (told.question, told.supporters) == ("Do savers bear the loss?", (ANN, BOB))
    assert refused(play.say(BOB, propose("Do savers bear the loss?"))) == {"STAGE-6"}


# ---- CRUX-12: fit to be debated


def asked(question: str, yes: str = "Holders stay.", no: str = "Holders leave.") -> ProposeCrux:
    return ProposeCrux(question=question, yes_means=yes, no_means=no)


@pytest.mark.rule("CRUX-12")
@pytest.mark.parametrize(
    ("move", "fit"),
    [
        pytest.param(asked(QUESTION), True, id="a plain question"),
        pytest.param(asked("How long does demand survive?"), False, id="no yes or no to it"),
        pytest.param(asked("Is demand anchored because reserves grow?"), False, id="a reason taken for granted"),
        pytest.param(
            asked("Is demand there because reserves grow, rather than because prices do?"),
            True,
            id="a reason against another",
        ),
        pytest.param(asked("Is demand low because of the tax?"), True, id="a cause"),
        pytest.param(asked(QUESTION, "Yes.", "No."), False, id="bare answers"),
        pytest.param(asked(QUESTION, "Yes, it is true.", "Holders leave."), False, id="one bare answer"),
        pytest.param(
            asked(QUESTION, f"YES to: {QUESTION}", f"NO to: {QUESTION}"), False, id="answers that say the question over"
        ),
        pytest.param(asked(QUESTION, "Holders stay.", "Holders stay."), False, id="one text for both"),
    ],
)
def test_what_a_question_needs_to_be_debated(move: ProposeCrux, fit: bool) -> None:
    events = Play().say(ANN, move)
    assert refused(events) == (set() if fit else {"CRUX-12"})
    assert all(r.remedy for e in of(events, MessageRefused) for r in e.refusals)


@pytest.mark.rule("CRUX-12")
def test_left_out_of_an_ablation_bare_answers_pass() -> None:
    assert not refused(Play(settings=without("CRUX-12")).say(ANN, asked(QUESTION, "Yes.", "No.")))
