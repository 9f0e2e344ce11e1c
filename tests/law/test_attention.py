"""What concerns whom, and whom an agent answers: SPEC §9."""

from collections.abc import Mapping, Sequence

import pytest

from cruxfinder.crux.focus import AgentAttention, AttentionTarget
from cruxfinder.crux.law import attention
from cruxfinder.crux.law.attention import Listener, ScoredMessage
from cruxfinder.crux.law.stages import ALLOWED
from cruxfinder.crux.moves import Move
from cruxfinder.crux.script import choose_ask
from cruxfinder.crux.thread import Message
from cruxfinder.kernel.effects import Observation
from cruxfinder.kernel.likeness import Likeness
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, MessageId, MoveKind, Side, Status, ThreadId
from tests.law.build import (
    ANN,
    BOB,
    CAT,
    DAN,
    OTHER_QUESTIONS,
    T1,
    T2,
    Play,
    attack,
    challenge,
    claim,
    clarify,
    commit,
    concede,
    evidence,
    propose,
    reframe,
    steelman,
    update,
)


class Told:
    """A measure that knows how alike two texts are, because the test says so; anything else is unrelated."""

    repetition: float = 0.25

    def __init__(self, alike: Mapping[str, float] | None = None, name: str = "told-v1") -> None:
        self.name = name
        self._alike = alike or {}

    def likeness(self, a: str, b: str) -> float:
        return self._alike.get(b, 0.0)

    def likenesses(self, text: str, others: Sequence[str]) -> tuple[float, ...]:
        return tuple(self.likeness(text, other) for other in others)

    def same_point(self, a: str, b: str) -> float:
        return self.likeness(a, b)

    def same_pairs(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        return tuple(self.likeness(a, b) for a, b in pairs)

    def substance_score(self, text: str) -> None: ...

    def event_score(self, text: str) -> None: ...

    def distance(self, a: str, b: str) -> float:
        return 1.0 - self.likeness(a, b)


KEYWORDS = Told(name="keyword-test")
HAYES = Listener(agent=ANN, name="Ann", interests={"macro": 1.0, "correlation": 1.0, "institutional": 1.0})
HEDGE = "Correlation with tech stocks proves that it is no hedge."


def message(move: Move | None = None, content: str = HEDGE, id: str = "m1", by: AgentId = BOB) -> Message:
    return Message(
        id=MessageId(id), at_ms=0, agent=by, thread=T1, move=challenge("m9") if move is None else move, content=content
    )


def scored(like: Likeness, said: Message, *, own: bool = False, age_ms: int = 0, disputes: Sequence[str] = ()) -> float:
    return attention.score(said, HAYES, like, own=own, age_ms=age_ms, disputes=disputes)


# ---- ATT-1: the score


@pytest.mark.rule("ATT-1")
def test_the_worked_example_scores_0645_and_is_delivered() -> None:
    found = scored(Told({"correlation": 0.85, "institutional": 0.4}), message())
    assert found == pytest.approx(0.645)
    assert found >= attention.threshold(Play().debate)


@pytest.mark.rule("ATT-1")
@pytest.mark.parametrize(
    ("semantic", "own", "recency", "priority", "score"),
    [
        pytest.param(1.0, False, 0.0, 0.0, 0.5, id="half is semantic"),
        pytest.param(0.0, True, 0.0, 0.0, 0.25, id="a quarter is the thread"),
        pytest.param(0.0, False, 1.0, 0.0, 0.15, id="0.15 is recency"),
        pytest.param(0.0, False, 0.0, 1.0, 0.1, id="a tenth is the move"),
        pytest.param(1.0, True, 1.0, 1.0, 1.0, id="all of it is 1"),
    ],
)
def test_a_score_is_weighed(semantic: float, own: bool, recency: float, priority: float, score: float) -> None:
    assert attention.weighted_score(semantic, own=own, recency=recency, priority=priority) == pytest.approx(score)


@pytest.mark.rule("ATT-1")
@pytest.mark.parametrize(
    ("age_ms", "recency"),
    [
        pytest.param(0, 1.0, id="just posted"),
        pytest.param(15_000, 0.5, id="15 s ago"),
        pytest.param(30_000, 0.0, id="30 s ago"),
        pytest.param(90_000, 0.0, id="long ago"),
    ],
)
def test_newer_messages_concern_more(age_ms: int, recency: float) -> None:
    assert scored(Told(), message(), age_ms=age_ms) == pytest.approx(0.15 * recency + 0.07)


@pytest.mark.rule("ATT-1")
def test_a_challenge_and_a_concession_come_before_a_claim_and_a_question_before_all() -> None:
    moves: tuple[Move, ...] = (propose(), concede(), evidence(ANN), challenge("m9"), reframe(), claim(), clarify("m9"))
    scores = [scored(Told(), message(move)) for move in moves]
    assert scores == sorted(scores, reverse=True) and len(set(scores)) == len(scores)


@pytest.mark.rule("ATT-1")
def test_every_move_has_a_priority() -> None:
    for move in (attack("m1"), update("m1", Side.YES, Side.NO), commit(ANN, Side.YES), steelman(BOB), concede()):
        assert 0.0 < attention.PRIORITIES[move.kind] <= 1.0
    assert set(attention.PRIORITIES) == set(MoveKind)
    assert {move for moves in ALLOWED.values() for move in moves} == set(MoveKind), "each may be made somewhere"


@pytest.mark.rule("ATT-1")
def test_an_interest_counts_by_its_weight_and_the_one_touched_most_decides() -> None:
    like = Told({"macro": 0.9, "law": 0.6})
    assert attention.similarity(HEDGE, {"macro": 0.5, "law": 1.0}, like) == pytest.approx(0.6)
    assert attention.similarity(HEDGE, {"macro": 1.0, "law": 1.0}, like) == pytest.approx(0.9)
    assert attention.similarity(HEDGE, {}, like) == 0.0


@pytest.mark.rule("ATT-1")
@pytest.mark.parametrize(
    ("content", "mentioned"),
    [
        pytest.param("What does @ann say?", True, id="by id"),
        pytest.param("Ann said so.", True, id="by name"),
        pytest.param("Anna said so.", False, id="another name"),
        pytest.param("Nobody said so.", False, id="nobody"),
    ],
)
@pytest.mark.parametrize("like", [Told(), KEYWORDS], ids=["an embedding", "keywords"])
def test_a_mention_is_1_outright(content: str, mentioned: bool, like: Told) -> None:
    found = scored(like, message(clarify("m9"), content), age_ms=10**6)
    assert (found == 1.0) == mentioned


@pytest.mark.rule("ATT-1")
@pytest.mark.parametrize(
    ("alike", "boost"),
    [
        pytest.param((1.0,), 0.2, id="about a dispute: 0.2"),
        pytest.param((0.5,), 0.1, id="half about it: half of it"),
        pytest.param((0.1, 1.0), 0.2, id="the nearest of two decides"),
        pytest.param((0.0,), 0.0, id="about something else: nothing"),
        pytest.param((), 0.0, id="no disputes: nothing"),
    ],
)
@pytest.mark.parametrize("name", ["told-v1", "keyword-test"])
def test_the_agenda_adds_up_to_02(alike: tuple[float, ...], boost: float, name: str) -> None:
    disputes = tuple(f"dispute {n}" for n in range(len(alike)))
    like = Told(dict(zip(disputes, alike, strict=True)), name)
    plain = scored(like, message())
    assert scored(like, message(), disputes=disputes) == pytest.approx(plain + boost)


@pytest.mark.rule("ATT-1")
@pytest.mark.parametrize("name", ["told-v1", "keyword-test"])
def test_a_score_is_capped_at_1(name: str) -> None:
    like = Told({"correlation": 1.0, "dispute": 1.0}, name)
    assert scored(like, message(propose()), own=True, disputes=("dispute",)) == 1.0


@pytest.mark.rule("ATT-1")
@pytest.mark.parametrize(
    ("settings", "from_"),
    [
        pytest.param(Settings(), 0.6, id="0.6 unless told otherwise"),
        pytest.param(Settings(attention=0.8), 0.8, id="as set"),
        pytest.param(Settings(off=(attention.SCORE,)), 0.0, id="without the rule everything is"),
    ],
)
def test_messages_are_delivered_from(settings: Settings, from_: float) -> None:
    assert attention.threshold(Play(settings=settings).debate) == from_


@pytest.mark.rule("ATT-1")
@pytest.mark.parametrize(
    ("scores", "share"),
    [
        pytest.param((0.7, 0.9, 0.69, 1.0), 0.75, id="three of four scored 0.7 or more"),
        pytest.param((), 0.0, id="no replies"),
    ],
)
def test_the_share_of_replies_to_what_concerned_their_author_is_told(scores: tuple[float, ...], share: float) -> None:
    assert attention.well_aimed_share(scores) == share


# ---- ATT-2: without an embedding


@pytest.mark.rule("ATT-2")
@pytest.mark.parametrize(
    ("move", "own", "age_ms", "content", "score"),
    [
        pytest.param(challenge("m9"), True, 0, "Nothing else.", 1.0, id="own thread .5, challenge .3, fresh .2"),
        pytest.param(concede(), False, 0, "Nothing else.", 0.5, id="a concession is high"),
        pytest.param(propose(), False, 0, "Nothing else.", 0.5, id="a question is high"),
        pytest.param(claim(), False, 0, "Nothing else.", 0.4, id="a claim is medium"),
        pytest.param(reframe(), False, 0, "Nothing else.", 0.4, id="a framing is medium"),
        pytest.param(clarify("m9"), False, 0, "Nothing else.", 0.3, id="anything else is low"),
        pytest.param(claim(), False, 9_999, "Nothing else.", 0.4, id="almost 10 s: fresh"),
        pytest.param(claim(), False, 10_000, "Nothing else.", 0.3, id="10 s: recent"),
        pytest.param(claim(), False, 29_999, "Nothing else.", 0.3, id="almost 30 s: recent"),
        pytest.param(claim(), False, 30_000, "Nothing else.", 0.2, id="30 s: neither"),
        pytest.param(claim(), False, 30_000, "Correlation it is.", 0.3, id="one word shared"),
        pytest.param(claim(), False, 30_000, "Macro correlation it is.", 0.4, id="two words shared"),
        pytest.param(
            claim(), False, 30_000, "Institutional macro correlation.", 0.4, id="three shared count no more than two"
        ),
    ],
)
def test_without_an_embedding_thread_move_age_and_words_make_the_score(
    move: Move, own: bool, age_ms: int, content: str, score: float
) -> None:
    assert scored(KEYWORDS, message(move, content), own=own, age_ms=age_ms) == pytest.approx(score)


@pytest.mark.rule("ATT-2")
def test_with_an_embedding_it_does_not() -> None:
    assert scored(Told(), message(claim(), "Macro correlation."), own=True) == pytest.approx(0.25 + 0.15 + 0.05)


@pytest.mark.rule("ATT-2")
def test_the_measure_that_ships_for_it_is_told_by_its_name() -> None:
    from cruxfinder.adapters.embeddings.embedders import embedder

    said = message(claim(), "Macro correlation.")
    assert scored(embedder("keyword"), said) == scored(KEYWORDS, said)


# ---- ATT-3: choosing a reply


def ranked(*scores: float, own: Sequence[int] = ()) -> list[ScoredMessage]:
    return [ScoredMessage(message(id=f"m{n}"), ThreadId("t1"), score, n in own) for n, score in enumerate(scores)]


@pytest.mark.rule("ATT-3")
@pytest.mark.parametrize(
    ("hundred", "place"),
    [
        pytest.param(1, 0, id="1: the best"),
        pytest.param(70, 0, id="70: the best"),
        pytest.param(71, 1, id="71: the second"),
        pytest.param(90, 1, id="90: the second"),
        pytest.param(91, 2, id="91: the third"),
        pytest.param(100, 2, id="100: the third"),
    ],
)
def test_the_best_of_three_is_answered_70_times_in_a_hundred_then_20_then_10(hundred: int, place: int) -> None:
    chosen_ = attention.choose(ranked(0.7, 0.9, 0.65, 0.8), hundred)
    assert chosen_ is not None
    assert chosen_.message.id == ("m1", "m3", "m0")[place]


@pytest.mark.rule("ATT-3")
@pytest.mark.parametrize("hundred", [1, 80, 100])
def test_one_message_is_answered_whatever_the_dice_say_and_none_not_at_all(hundred: int) -> None:
    chosen_ = attention.choose(ranked(0.7), hundred)
    assert chosen_ is not None and chosen_.message.id == "m0"
    assert attention.choose([], hundred) is None


@pytest.mark.rule("ATT-3")
@pytest.mark.parametrize(
    ("own", "elsewhere", "answered"),
    [
        pytest.param(0.7, 0.74, "m0", id="nearly as good in one's own thread: preferred"),
        pytest.param(0.7, 0.76, "m1", id="much better elsewhere: not"),
    ],
)
def test_messages_in_ones_own_threads_are_preferred(own: float, elsewhere: float, answered: str) -> None:
    chosen_ = attention.choose(ranked(own, elsewhere, own=(0,)), 1)
    assert chosen_ is not None and chosen_.message.id == answered


class Dice:
    """Shows what it is told for a purpose, else the least; it notes what it was rolled for."""

    def __init__(self, **shows: int) -> None:
        self._shows = shows
        self.rolled: list[str] = []

    def between(self, who: str, purpose: str, low: int, high: int) -> int:
        self.rolled.append(purpose)
        return self._shows.get(purpose, low)


def drawn(play: Play, mind: AgentAttention) -> AttentionTarget | None:
    return mind.choose_target(Observation(debate=play.debate, now_ms=play.now_ms), list(play.debate.active))


@pytest.mark.rule("ATT-3")
@pytest.mark.parametrize(
    ("messages", "answered"),
    [
        pytest.param(2, "m4", id="two messages since the last look: one of them is answered"),
        pytest.param(3, None, id="three: let others talk"),
    ],
)
def test_one_stays_silent_when_three_messages_arrived_since_the_last_look(
    messages: int, answered: MessageId | None
) -> None:
    play = Play(yes=(ANN, CAT), no=(BOB, DAN))
    play.post(ANN, claim())
    play.post(BOB, challenge("m1"))
    mind = AgentAttention(ANN, Dice(), KEYWORDS, play.debate)
    assert drawn(play, mind) == AttentionTarget(thread=play.thread, message=MessageId("m2"))
    for agent in (CAT, BOB, DAN)[:messages]:
        play.post(agent, challenge("m1"))
    found = drawn(play, mind)
    assert (None if found is None else found.message) == answered


@pytest.mark.rule("ATT-3")
def test_a_look_is_a_look_even_if_one_stays_silent() -> None:
    play = Play(yes=(ANN, CAT), no=(BOB, DAN))
    mind = AgentAttention(ANN, Dice(), KEYWORDS, play.debate)
    play.post(BOB, claim())
    drawn(play, mind)
    for agent in (BOB, CAT, DAN):
        play.post(agent, claim())
    assert drawn(play, mind) is None
    play.post(BOB, claim())
    found = drawn(play, mind)
    assert found is not None and found.message == "m5"


@pytest.mark.rule("ATT-3")
def test_what_does_not_concern_one_is_not_answered() -> None:
    play = Play(yes=(ANN, CAT), no=(BOB, DAN))
    play.spawn(OTHER_QUESTIONS[0], by=(BOB, CAT))
    play.at = T2
    play.post(BOB, claim())
    elsewhere = play.debate.threads[T2]
    seen = Observation(debate=play.debate, now_ms=play.now_ms)
    assert AgentAttention(DAN, Dice(), KEYWORDS, play.debate).choose_target(seen, [elsewhere]) is None
    found = AgentAttention(CAT, Dice(), KEYWORDS, play.debate).choose_target(seen, [elsewhere])
    assert found is not None and found.message == elsewhere.messages[0].id


@pytest.mark.rule("ATT-3")
def test_a_message_that_had_its_two_replies_is_not_answered_again() -> None:
    play = Play(yes=(ANN, CAT), no=(BOB, DAN))
    said = play.post(BOB, claim())
    play.post(CAT, challenge(said), reply_to=said)
    play.post(DAN, challenge(said), reply_to=said)
    found = drawn(play, AgentAttention(ANN, Dice(reply=100), KEYWORDS, play.debate))
    assert found is not None and found.message != said


def after_its_crux(eager: int) -> tuple[Play, Dice]:
    """Two threads; in the first a crux was found to which everybody had committed. A new message in the second."""
    play = Play(yes=(ANN, CAT), no=(BOB, DAN), settings=Settings(max_ms=10**6))
    play.spawn(OTHER_QUESTIONS[0], by=(BOB, CAT))
    play.to_end()
    assert play.thread.status is Status.CONVERGED
    play.at = T2
    play.post(BOB, claim(), content="What would Ann say?")
    return play, Dice(eager=eager)


@pytest.mark.rule("ATT-3")
@pytest.mark.parametrize(
    ("eager", "joins"),
    [pytest.param(50, True, id="half of the time"), pytest.param(51, False, id="and not the other half")],
)
def test_one_joins_in_less_eagerly_once_ones_crux_is_crystallised(eager: int, joins: bool) -> None:
    play, dice = after_its_crux(eager)
    assert (drawn(play, AgentAttention(ANN, dice, KEYWORDS, play.debate)) is not None) == joins


@pytest.mark.rule("ATT-3")
def test_before_that_one_joins_in_without_a_second_thought() -> None:
    play = Play(yes=(ANN, CAT), no=(BOB, DAN))
    play.post(BOB, claim())
    dice = Dice(eager=100)
    assert drawn(play, AgentAttention(ANN, dice, KEYWORDS, play.debate)) is not None
    assert "eager" not in dice.rolled


@pytest.mark.rule("ATT-3")
def test_a_lock_that_failed_crystallised_nothing_and_leaves_one_as_eager_as_before() -> None:
    play = Play(yes=(ANN, CAT), no=(BOB, DAN), settings=Settings(max_ms=10**6))
    play.spawn(OTHER_QUESTIONS[0], by=(BOB, CAT))
    play.to_lock()
    for agent in play.agents * 4:
        play.say(agent, commit(agent, Side.YES))
    assert play.thread.status is Status.FAILED_LOCK
    play.at = T2
    play.post(BOB, claim(), content="What would Ann say?")
    assert drawn(play, AgentAttention(ANN, Dice(eager=100), KEYWORDS, play.debate)) is not None


@pytest.mark.rule("ATT-3")
def test_what_is_owed_comes_before_what_concerns_one() -> None:
    play = Play(yes=(ANN, CAT), no=(BOB, DAN), settings=Settings(max_ms=10**6))
    play.spawn(OTHER_QUESTIONS[0], by=(BOB, CAT))
    play.to_lock()
    play.at = T2
    play.post(BOB, claim(), content="What would Ann say?")
    mind = AgentAttention(ANN, Dice(), KEYWORDS, play.debate)
    ask, _ = choose_ask(Observation(debate=play.debate, now_ms=play.now_ms), ANN, 0, mind)
    assert ask is not None and ask.thread == T1 and ask.duty is not None


@pytest.mark.rule("ATT-3")
def test_the_message_one_sets_out_to_answer_is_named_and_its_score_is_told() -> None:
    play = Play()
    said = play.post(BOB, claim(), content="What would Ann say?")
    mind = AgentAttention(ANN, Dice(), KEYWORDS, play.debate)
    seen = Observation(debate=play.debate, now_ms=play.now_ms)
    ask, _ = choose_ask(seen, ANN, 0, mind)
    assert ask is not None and ask.answers == said
    assert mind.aim(seen, play.thread, said) == 1.0
    assert mind.aim(seen, play.thread, None) is None


# ---- ATT-4: interests move

UNRELATED = Told()


def engaged(interests: Mapping[str, float], topics: Sequence[str], like: Told = UNRELATED) -> dict[str, float]:
    """Interests after a message on these topics; what its words touch besides is for `like` to say."""
    return attention.update_interests(interests, topics, "Any words.", like)


@pytest.mark.rule("ATT-4")
def test_topics_engaged_with_gain_weight() -> None:
    found = engaged({"macro": 0.5, "law": 0.5}, ("macro",))
    assert found["macro"] == pytest.approx(0.9 * 0.5 + 0.3)
    assert engaged({"macro": 0.9}, ("macro",))["macro"] == 1.0, "no more than 1"


@pytest.mark.rule("ATT-4")
def test_what_ones_words_touch_gains_by_how_near_it_lies() -> None:
    found = engaged({"macro": 0.5, "law": 0.5}, (), Told({"macro": 0.5}))
    assert found == pytest.approx({"macro": 0.9 * 0.5 + 0.15, "law": 0.9 * 0.5})


@pytest.mark.rule("ATT-4")
def test_a_topic_named_gains_all_of_it_however_near_the_words_lie() -> None:
    assert engaged({"macro": 0.5}, ("macro",), Told({"macro": 0.2})) == pytest.approx({"macro": 0.9 * 0.5 + 0.3})


@pytest.mark.rule("ATT-4")
def test_a_new_topic_becomes_an_interest_and_its_words_are_spaced() -> None:
    assert engaged({}, ("reserve-assets", "", " ")) == pytest.approx({"reserve assets": 0.9 * attention.NEW + 0.3})


@pytest.mark.rule("ATT-4")
def test_topics_ignored_decay_exponentially() -> None:
    interests: Mapping[str, float] = {"macro": 0.8, "law": 1.0}
    for turn in range(1, 11):
        interests = engaged(interests, ("law",))
        assert interests["macro"] == pytest.approx(0.8 * 0.9**turn)
    assert interests["law"] == 1.0


@pytest.mark.rule("ATT-4")
@pytest.mark.parametrize(
    ("weight", "kept"), [pytest.param(0.06, True, id="still there"), pytest.param(0.052, False, id="forgotten")]
)
def test_an_interest_that_has_faded_is_forgotten(weight: float, kept: bool) -> None:
    assert ("macro" in engaged({"macro": weight}, ("law",))) == kept


@pytest.mark.rule("ATT-4")
def test_twelve_interests_are_kept_the_strongest() -> None:
    many = {f"topic {n:02}": 0.1 + n / 20 for n in range(15)}
    found = engaged(many, ("law",))
    assert len(found) == 12 and "law" in found and "topic 03" not in found and "topic 04" in found


@pytest.mark.rule("ATT-4")
def test_what_an_agent_says_moves_what_concerns_it() -> None:
    play = Play()
    mind = AgentAttention(ANN, Dice(), Told({"law": 1.0}), play.debate)
    said = play.post(BOB, claim())
    before = mind.aim(Observation(debate=play.debate, now_ms=play.now_ms), play.thread, said)
    events = play.say(ANN, claim(), topics=("law",))
    mind.note_own_message(Observation(debate=play.debate, now_ms=play.now_ms, events=events))
    play.wait(-3_000)
    after = mind.aim(Observation(debate=play.debate, now_ms=play.now_ms), play.thread, said)
    gained = 0.9 * attention.NEW + 0.3
    assert before is not None and after == pytest.approx(before + 0.5 * gained, abs=0.001)


@pytest.mark.rule("ATT-4")
def test_the_sentence_a_move_is_about_becomes_an_interest() -> None:
    play = Play()
    mind = AgentAttention(ANN, Dice(), Told({"Demand is anchored": 1.0}), play.debate)
    said = play.post(BOB, claim())
    events = play.say(ANN, claim(proposition="Demand is anchored"))
    mind.note_own_message(Observation(debate=play.debate, now_ms=play.now_ms, events=events))
    assert mind.aim(Observation(debate=play.debate, now_ms=play.now_ms), play.thread, said) == pytest.approx(
        0.5 * (0.9 * attention.NEW + 0.3) + 0.25 + 0.15 * 0.9 + 0.05, abs=0.001
    )
