"""Who gets a thread of its own: THR-1 of SPEC §10, each trigger and each gate."""

import pytest

from cruxfinder.crux.commands import OpenThread
from cruxfinder.crux.events import ThreadCreated, ThreadMerged, ThreadProposed
from cruxfinder.crux.law import threads
from cruxfinder.kernel.frozen_copies import copy_with
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, MessageId, Phase, ProposalId, RuleId, Side, Stage, TopSide, Trigger
from cruxfinder.language.english.questions import is_binary
from tests.law.build import (
    AGENTS,
    ANN,
    BOB,
    CAT,
    DAN,
    OTHER_QUESTIONS,
    QUESTION,
    T1,
    T2,
    Mind,
    Play,
    challenge,
    claim,
    clarify,
    concede,
    evidence,
    of,
    only,
    propose,
    reframe,
)

MONEY, ENERGY, KEYS = OTHER_QUESTIONS[:3]
ABOUT_MONEY = "Regulators tolerate private money wherever it pays taxes."
P1 = "p1"


def table(agents: int = 4, settings: Settings = Settings()) -> Play:
    half = (agents + 1) // 2
    return Play(yes=AGENTS[:half], no=AGENTS[half:agents], settings=settings)


def told(play: Play, id: str = P1) -> ThreadProposed:
    """A proposal as it stands."""
    return next(p.told for p in play.debate.proposals.values() if p.told.proposal == id)


def answer(play: Play, agent: AgentId, content: str = ABOUT_MONEY) -> None:
    """Somebody takes up what was said last, in words of their own."""
    play.post(agent, clarify(play.last, asks=False), content=content)


def framed(play: Play, question: str = MONEY) -> None:
    play.post(ANN, reframe(question))


def opened(play: Play, id: str = P1, distance: float = 1.0) -> bool:
    return bool(of(play.open(id, distance), ThreadCreated))


# ---- the triggers


@pytest.mark.rule("THR-1")
def test_a_framing_others_take_up_is_proposed_with_its_question() -> None:
    play = table()
    framed(play)
    first = only(play.events, ThreadProposed)
    assert (first.trigger, first.question, first.supporters, first.mentions) == (
        Trigger.FRAMING,
        MONEY,
        (ANN,),
        ("m1",),
    )
    assert first.yes_means and first.no_means
    answer(play, BOB)
    assert (told(play).supporters, told(play).mentions) == ((ANN, BOB), ("m1", "m2"))


@pytest.mark.rule("THR-1")
@pytest.mark.parametrize(
    ("content", "taken_up"),
    [
        pytest.param("Regulators tolerate plenty.", True, id="half of its words"),
        pytest.param("Regulators are tired.", False, id="one word of four"),
        pytest.param("Nothing of the kind.", False, id="none of its words"),
    ],
)
def test_who_speaks_of_something_else_takes_nothing_up(content: str, taken_up: bool) -> None:
    play = table()
    framed(play)
    answer(play, BOB, content)
    assert (BOB in told(play).supporters) == taken_up


@pytest.mark.rule("THR-1")
def test_a_message_on_the_same_topic_takes_it_up_in_any_words() -> None:
    play = table()
    play.post(ANN, reframe(MONEY), topics=("law",))
    play.post(BOB, claim(), topics=("law",))
    assert told(play).supporters == (ANN, BOB)


@pytest.mark.rule("THR-1")
def test_but_what_about_proposes_a_thread_that_still_lacks_its_question() -> None:
    play = table()
    play.post(ANN, claim(), content="Fine, but what about private money? It is old.")
    assert (told(play).trigger, told(play).topic, told(play).question) == (Trigger.WHAT_ABOUT, "private money", "")
    answer(play, BOB, "Private money has always been with us.")
    assert told(play).supporters == (ANN, BOB)
    assert not opened(play), "nobody has put it as a question"
    play.post(CAT, claim(proposition="The state tolerates private money"), content="Private money is tolerated.")
    assert is_binary(told(play).question) and "the state tolerates private money" in told(play).question
    assert opened(play)


@pytest.mark.rule("THR-1")
@pytest.mark.parametrize(
    "content",
    [
        pytest.param("What about private money?", id="without a but"),
        pytest.param("But what about it all", id="without an end"),
        pytest.param("But what about them?", id="about nothing that has a name"),
        pytest.param("I do not know what to say about money.", id="other words"),
    ],
)
def test_nothing_is_proposed_without_those_words(content: str) -> None:
    play = table()
    play.post(ANN, claim(), content=content)
    assert not of(play.events, ThreadProposed)


@pytest.mark.rule("THR-1")
@pytest.mark.parametrize(
    ("speakers", "proposed"),
    [
        pytest.param((ANN, BOB), True, id="two agents on one topic"),
        pytest.param((ANN, ANN), False, id="one agent, twice"),
    ],
)
def test_a_keyword_two_agents_share_and_no_question_covers_is_put_as_one(
    speakers: tuple[AgentId, AgentId], proposed: bool
) -> None:
    play = table()
    for agent, confidence in zip(speakers, (0.6, 0.9), strict=True):
        said = claim(confidence, proposition=f"Banks lend at {confidence}")
        play.post(agent, said, topics=("lending",))
    play.to_lock()
    found = [p for p in of(play.events, ThreadProposed) if p.trigger is Trigger.KEYWORD]
    assert [(p.topic, p.supporters) for p in found] == ([("lending", (ANN, BOB))] if proposed else [])
    assert all("0.9" in p.question for p in found), "the surest claim about it"


@pytest.mark.rule("THR-1")
def test_a_keyword_a_candidate_covers_is_no_proposal() -> None:
    play = table()
    play.post(ANN, propose(), topics=("lending",))
    for agent in (BOB, CAT):
        play.post(agent, claim(), topics=("lending",))
    play.to_lock(())
    assert not of(play.events, ThreadProposed)


# ---- stuck: more than 15 messages without convergence

WEAK = {Side.YES: (0.7, 0.8, 0.4), Side.NO: (0.3, 0.6, 0.2)}  # c2: a share of (.7 - .3) · .4 / .64 = .25
STRONG = {Side.YES: (0.9, 0.9, 0.1), Side.NO: (0.1, 0.9, 0.1)}


def leaving_energy_behind() -> Play:
    """EVIDENCE on c1; c2 was named by BOB alone, and explains a quarter of the gap."""
    play = table()
    for agent, side in play.sides.items():
        about = {"c1": STRONG[side], "c2": WEAK[side]}
        play.minds[agent] = Mind(p_top=0.82 if side is Side.YES else 0.18, c=0.5, p1=0.5, p0=0.5, about=about)
    play.to_lock((QUESTION, ENERGY))
    play.to_evidence()
    return play


def about_energy(play: Play, agent: AgentId) -> None:
    play.post(agent, evidence(ANN), content=f"Mining has stopped wasting energy, {agent} read.")


@pytest.mark.rule("THR-1")
def test_a_thread_of_more_than_15_messages_without_convergence_puts_up_what_it_left_behind() -> None:
    play = leaving_energy_behind()
    assert len(play.thread.messages) > 15 and not of(play.events, ThreadProposed), "one supporter"
    about_energy(play, DAN)
    found = only(play.events, ThreadProposed)
    assert (found.trigger, found.question, found.supporters) == (Trigger.STUCK, ENERGY, (BOB, DAN))
    assert found.rank == next(f.rank for f in play.thread.figures[Phase.BEFORE].figures if f.candidate == "c2")
    assert opened(play)


@pytest.mark.rule("THR-1")
def test_a_thread_that_converges_puts_up_nothing() -> None:
    play = leaving_energy_behind()
    for agent in (ANN, BOB, CAT):
        play.post(agent, concede(TopSide.YES, TopSide.NO))
        play.probe_all()
    about_energy(play, DAN)
    assert not of(play.events, ThreadProposed)


@pytest.mark.rule("THR-1")
@pytest.mark.parametrize(
    ("messages", "stuck"), [pytest.param(15, False, id="fifteen"), pytest.param(16, True, id="sixteen")]
)
def test_a_thread_is_stuck_after_more_than_fifteen_messages(messages: int, stuck: bool) -> None:
    play = table(settings=Settings(off=tuple(RuleId(id) for id in ("STAGE-2", "MOD-2", "CRUX-7", "MOD-4"))))
    for place in range(messages):
        play.post(play.agents[place % 4], clarify("m1") if place else claim())
    assert len(play.thread.messages) == messages
    assert threads.is_stuck(play.thread) == stuck


@pytest.mark.rule("THR-1")
def test_a_deeper_question_named_in_evidence_is_proposed() -> None:
    play = table()
    play.to_evidence()
    play.post(BOB, propose(MONEY), content=MONEY)
    found = only(play.events, ThreadProposed)
    assert (found.trigger, found.question, found.supporters) == (Trigger.DEEPER, MONEY, (BOB,))
    assert not opened(play), "one supporter"
    play.post(ANN, evidence(BOB), content=ABOUT_MONEY)
    assert opened(play)


# ---- the gates


def supported(play: Play, question: str = MONEY) -> None:
    """A framing that ANN and BOB spoke of."""
    framed(play, question)
    answer(play, BOB, f"On {question} I differ.")


@pytest.mark.rule("THR-1")
def test_a_proposal_that_lacks_nothing_gets_its_thread_and_knows_its_parent() -> None:
    play = table()
    supported(play)
    created = only(play.open(P1, 0.41), ThreadCreated)
    assert (created.thread, created.parent, created.trigger, created.proposal) == (T2, T1, Trigger.FRAMING, P1)
    assert (created.question, created.by, created.message) == (MONEY, ANN, "m1")
    assert (created.members, created.distance) == ((ANN, BOB), 0.41)
    spawned = play.debate.threads[T2]
    assert spawned.stage is Stage.DISCOVERY and [c.question for c in spawned.candidates] == [MONEY]
    assert threads.members(play.debate, spawned) == (ANN, BOB)
    assert threads.members(play.debate, play.thread) == play.agents, "everybody stays in the first"


@pytest.mark.rule("THR-1")
def test_a_proposal_gets_one_thread() -> None:
    play = table(8)
    supported(play)
    assert opened(play) and not opened(play)


@pytest.mark.rule("THR-1")
def test_one_supporter_is_not_enough_however_often_it_speaks() -> None:
    play = table()
    framed(play)
    play.post(ANN, claim(), content=ABOUT_MONEY)
    assert (told(play).supporters, len(told(play).mentions)) == ((ANN,), 2)
    assert not opened(play)
    answer(play, CAT, f"{ABOUT_MONEY} Or not.")
    assert opened(play)


@pytest.mark.rule("THR-1")
@pytest.mark.parametrize(
    ("supporters", "mentions", "enough"),
    [
        pytest.param(2, 2, True, id="two supporters, two mentions"),
        pytest.param(1, 2, False, id="one supporter"),
        pytest.param(2, 1, False, id="one mention"),
    ],
)
def test_a_thread_needs_two_supporters_and_two_mentions(supporters: int, mentions: int, enough: bool) -> None:
    play = table()
    framed(play)
    proposal = ThreadProposed(
        at_ms=0,
        proposal=told(play).proposal,
        thread=T1,
        trigger=Trigger.FRAMING,
        topic="law",
        question=MONEY,
        supporters=play.agents[:supporters],
        mentions=tuple(MessageId(f"m{n}") for n in range(1, mentions + 1)),
    )
    assert threads.has_support(proposal) == enough


@pytest.mark.rule("THR-1")
@pytest.mark.parametrize(
    ("question", "binary"),
    [
        pytest.param("Do regulators tolerate private money?", True, id="asks for yes or no"),
        pytest.param("  is it legal? ", True, id="in small letters, with spaces"),
        pytest.param("Do regulators tolerate private money", False, id="no question mark"),
        pytest.param("Who tolerates private money?", False, id="asks who"),
        pytest.param("How much money is private?", False, id="asks how much"),
        pytest.param("Does", False, id="a word"),
        pytest.param("Isolation pays?", False, id="begins like a verb"),
    ],
)
def test_a_binary_question_asks_for_yes_or_no(question: str, binary: bool) -> None:
    assert is_binary(question) == binary


@pytest.mark.rule("THR-1")
def test_a_framing_that_is_no_binary_question_waits_for_one() -> None:
    play = table()
    framed(play, "Who tolerates private money?")
    answer(play, BOB)
    assert told(play).question == "" and not opened(play)
    answer(play, CAT, "Private money is tolerated here.")
    play.post(DAN, claim(proposition="The state tolerates private money"), content="Private money is tolerated there.")
    assert is_binary(told(play).question) and opened(play)


@pytest.mark.rule("THR-1")
def test_a_deeper_question_that_is_not_binary_gets_no_thread() -> None:
    play = table()
    play.to_evidence()
    play.say(BOB, propose("Who tolerates private money?"), content="Who tolerates private money?")
    play.post(ANN, evidence(BOB), content=ABOUT_MONEY)
    assert not any(opened(play, p) for p in tuple(play.debate.proposals))


@pytest.mark.rule("THR-1")
def test_a_question_put_to_what_about_that_is_not_binary_gets_no_thread() -> None:
    play = table()
    play.to_evidence()
    play.post(ANN, evidence(BOB), content="Fine, but what about private money? It is old.")
    play.say(BOB, propose("Who tolerates private money?"), content="Who tolerates private money?")
    play.post(CAT, evidence(BOB), content=ABOUT_MONEY)
    assert not any(opened(play, p) for p in tuple(play.debate.proposals))


@pytest.mark.rule("THR-1")
@pytest.mark.parametrize(
    ("distance", "spawned"),
    [
        pytest.param(0.3, True, id="three tenths apart: a thread of its own"),
        pytest.param(0.29, False, id="closer: merged instead"),
        pytest.param(0.0, False, id="the same: merged instead"),
    ],
)
def test_a_question_lies_three_tenths_from_every_active_thread(distance: float, spawned: bool) -> None:
    play = table()
    supported(play)
    events = play.open(P1, distance)
    assert bool(of(events, ThreadCreated)) == spawned
    if not spawned:
        merged = only(events, ThreadMerged)
        assert (merged.into, merged.proposal, merged.thread, merged.distance) == (T1, P1, None, distance)
        assert [c.question for c in play.thread.candidates] == [MONEY], "it goes on as a candidate there"
        assert not opened(play), "it is settled"


@pytest.mark.rule("THR-1")
def test_the_nearest_thread_takes_it_and_one_that_is_over_does_not_count() -> None:
    play = table(6)
    supported(play)
    play.open(P1)
    supported(play, KEYS)
    apart = ((T1, 0.2), (T2, 0.1))
    merged = only(play.do(OpenThread(proposal=ProposalId("p2"), distances=apart)), ThreadMerged)
    assert merged.into == T2
    supported(play, ENERGY)
    play.merge(T2, T1)
    created = only(play.do(OpenThread(proposal=ProposalId("p3"), distances=((T1, 0.5), (T2, 0.1)))), ThreadCreated)
    assert created.distance == 0.5


@pytest.mark.rule("THR-1")
def test_where_a_question_is_merged_under_lock_it_is_no_candidate() -> None:
    play = table()
    supported(play)
    play.to_lock()
    merged = only(play.open(P1, 0.1), ThreadMerged)
    assert not merged.adds and MONEY not in [c.question for c in play.thread.candidates]
    assert play.open(P1) == (), "it is settled all the same"


@pytest.mark.rule("THR-1")
def test_no_more_threads_are_opened_than_may_be_active() -> None:
    play = table(4)
    supported(play)
    supported(play, ENERGY)
    assert opened(play) and not opened(play, "p2"), "two of two"
    play.merge(T2, T1)
    assert opened(play, "p2"), "one of them has ended"


@pytest.mark.rule("THR-1")
@pytest.mark.parametrize(
    ("now_ms", "room"),
    [
        pytest.param(150_000, True, id="150 s remain"),
        pytest.param(150_001, False, id="less remains"),
    ],
)
def test_a_thread_needs_150_s(now_ms: int, room: bool) -> None:
    play = table()
    supported(play)
    play.now_ms = now_ms
    assert opened(play) == room


@pytest.mark.rule("THR-1")
@pytest.mark.parametrize(
    ("agents", "needed"),
    [pytest.param(4, 44, id="four agents: 28 + 4 × 4"), pytest.param(6, 52, id="six agents: 28 + 4 × 6")],
)
@pytest.mark.parametrize("short", [pytest.param(0, id="enough"), pytest.param(1, id="one too few")])
def test_a_thread_needs_28_messages_and_4_an_agent(agents: int, needed: int, short: int) -> None:
    play = table(agents, Settings(max_messages=2 + needed - short))
    supported(play)
    assert play.debate.spoken == 2
    assert opened(play) == (not short)


@pytest.mark.rule("THR-1")
def test_a_candidate_is_not_opened_while_discovery_weighs_it() -> None:
    play = table()
    framed(play)
    answer(play, BOB)
    play.post(CAT, propose(MONEY), content=f"{MONEY} I ask.")
    assert not opened(play)


@pytest.mark.rule("THR-1")
def test_a_question_some_thread_has_locked_is_not_opened_again() -> None:
    play = table()
    framed(play, QUESTION)
    answer(play, BOB, f"On {QUESTION} I differ.")
    play.to_lock()
    assert not opened(play)


@pytest.mark.rule("THR-1")
def test_the_same_question_is_proposed_once() -> None:
    play = table()
    framed(play)
    play.post(BOB, reframe(MONEY), content="And again the same.")
    assert len(play.debate.proposals) == 1


@pytest.mark.rule("THR-1")
def test_a_thread_makes_eight_proposals_at_most() -> None:
    play = table(settings=Settings(off=(RuleId("STAGE-2"),)))
    for place in range(10):
        play.post(ANN, reframe(f"Is matter{place} settled{place}?"))
    assert len(play.debate.proposals) == 8


@pytest.mark.rule("THR-1")
def test_nothing_is_proposed_under_the_lock() -> None:
    play = table()
    play.to_lock()
    play.post(ANN, clarify("m1"), content="Fine, but what about private money? It is old.")
    assert not of(play.events, ThreadProposed)


@pytest.mark.rule("THR-1")
def test_left_out_of_an_ablation_there_is_one_thread() -> None:
    play = table(settings=Settings(off=(threads.SPAWN,)))
    supported(play)
    play.to_lock((QUESTION, ENERGY))
    assert not of(play.events, ThreadProposed)


@pytest.mark.rule("THR-1")
def test_left_out_later_nothing_more_is_opened() -> None:
    play = table()
    supported(play)
    play.debate = copy_with(play.debate, settings=Settings(off=(threads.SPAWN,)))
    assert not opened(play)


# ---- what the lock leaves behind


@pytest.mark.rule("THR-1")
def test_a_candidate_weighed_and_not_locked_is_proposed_where_two_spoke_of_it() -> None:
    play = leaving_energy_behind()
    assert not of(play.events, ThreadProposed), "one spoke of it"
    play = table()
    for agent, side in play.sides.items():
        about = {"c1": STRONG[side], "c2": WEAK[side]}
        play.minds[agent] = Mind(p_top=0.82 if side is Side.YES else 0.18, c=0.5, p1=0.5, p0=0.5, about=about)
    play.post(CAT, challenge(play.post(ANN, claim())), content="Mining has stopped wasting energy, they say.")
    play.to_lock((QUESTION, ENERGY))
    found = only(play.events, ThreadProposed)
    assert (found.trigger, found.question, found.supporters) == (Trigger.FRAMING, ENERGY, (BOB, CAT))
    assert found.rank is not None


@pytest.mark.rule("THR-1")
def test_who_named_a_question_supports_it_in_whatever_words() -> None:
    play = table()
    play.post(BOB, challenge(play.post(ANN, claim())))
    play.post(ANN, propose(MONEY), content="Here is one to answer.")
    assert threads.support(play.thread, play.thread.candidates[0])[0] == (ANN,)


@pytest.mark.rule("THR-1")
def test_a_proposal_that_was_weighed_is_opened_before_one_that_was_not() -> None:
    play = leaving_energy_behind()
    play.post(BOB, propose(MONEY), content=MONEY)
    play.post(ANN, evidence(BOB), content=ABOUT_MONEY)
    about_energy(play, DAN)
    assert [t.question for t in threads.openable_proposals(play.debate, play.now_ms)] == [ENERGY, MONEY]
