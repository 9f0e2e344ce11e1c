"""TURN-1 how long a turn of each type may be; TURN-3 who may take it, what it may lean on, and who steps in."""

from collections.abc import Sequence

import pytest

from cruxfinder.kernel.redundancy_limits import Redundancy
from cruxfinder.kernel.run_facts import Seat
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, ProtocolName, RuleId
from cruxfinder.language.english.texts import first_sentences, sentences
from cruxfinder.talk import turn_tasks
from cruxfinder.talk.asks import AskTurn, AskUser, TalkAnswer, TalkAsk, UserSaid
from cruxfinder.talk.events import TalkEvent, TurnRefused, TurnSpoken, UserAnswered, UserQuestion
from cruxfinder.talk.law.turn_form import WORDS_MAX, count_words, has_strayed
from cruxfinder.talk.state import Conversation
from cruxfinder.talk.turns import CHAIRS, CONSENSUS, DEBATE, DISCUSSION, ROUNDTABLE, TurnType
from tests.law.build import ANN, BOB, CAT, of, only
from tests.law.talk import (
    ARBITRATOR,
    FACILITATOR,
    HOST,
    REASON,
    Talking,
    flagged,
    fresh,
    order,
    refused,
    seats_for,
    spoken,
)

LIMITS = {
    TurnType.PROPOSITION: 150,
    TurnType.REBUTTAL: 150,
    TurnType.COUNTER: 150,
    TurnType.RULING: 200,
    TurnType.POSITION: 100,
    TurnType.EXPLORATION: 100,
    TurnType.CONCESSION: 75,
    TurnType.SYNTHESIS: 200,
    TurnType.REACTION: 50,
    TurnType.QUESTION: 50,
}
CHAIRED = {TurnType.RULING: ARBITRATOR, TurnType.SYNTHESIS: FACILITATOR}


def of_length(count: int) -> str:
    """So many words that add something, in one sentence that answers Bob."""
    lead = "Against Bob, if quays crumbled, then ferries moor beside"
    return f"{lead} {' '.join(f'pier{n}' for n in range(count - len(lead.split())))}."


def one_of(type: TurnType, count: int) -> tuple[TalkEvent, ...]:
    """A turn of so many words, after one of Bob's."""
    protocol = DEBATE if type is TurnType.RULING else DISCUSSION
    talk = Talking(ANN, BOB, protocol=protocol)
    talk.post(BOB)
    return talk.say(CHAIRED.get(type, ANN), of_length(count), type, next_step="weigh it")


# ---- TURN-1


def test_every_type_has_its_limit() -> None:
    assert WORDS_MAX == LIMITS == {type: LIMITS[type] for type in TurnType}


@pytest.mark.rule("TURN-1")
@pytest.mark.parametrize("type", TurnType)
def test_a_turn_as_long_as_its_type_allows_is_taken(type: TurnType) -> None:
    turn = only(one_of(type, LIMITS[type]), TurnSpoken).turn
    assert count_words(turn.content) == LIMITS[type]


@pytest.mark.rule("TURN-1")
@pytest.mark.parametrize("type", TurnType)
def test_a_word_more_is_sent_back_with_the_count(type: TurnType) -> None:
    events = one_of(type, LIMITS[type] + 1)
    assert refused(events) == {"TURN-1"}
    reason = only(events, TurnRefused).refusals[0].reason
    assert f"at most {LIMITS[type]} words, not {LIMITS[type] + 1}" in reason


@pytest.mark.rule("TURN-1")
@pytest.mark.parametrize("content", ["", "  \n\t ", "<!-- TURN_END -->"], ids=["empty", "blank", "markers only"])
@pytest.mark.parametrize("last", [False, True])
def test_an_empty_turn_is_never_taken(content: str, last: bool) -> None:
    talk = Talking()
    assert "TURN-1" in refused(talk.say(ANN, content, last=last))
    assert talk.talk.turns == ()


@pytest.mark.rule("TURN-1")
@pytest.mark.parametrize(
    ("told", "most", "no"),
    [
        pytest.param(1, 1, set(), id="one of one"),
        pytest.param(2, 1, {"TURN-1"}, id="two of one"),
        pytest.param(3, 3, set(), id="three of three"),
        pytest.param(4, 3, {"TURN-1"}, id="four of three"),
        pytest.param(9, 0, set(), id="as many as the words allow"),
    ],
)
def test_sentences_are_counted_where_their_number_is_asked_for(told: int, most: int, no: set[str]) -> None:
    content = " ".join(fresh(n) for n in range(told))
    assert refused(Talking().say(ANN, content, sentences=most)) == no


@pytest.mark.rule("TURN-1")
def test_where_no_draft_follows_the_whole_sentences_that_fit_are_taken_and_flagged() -> None:
    content = f"{fresh(1)} {fresh(2)} {of_length(40)}"
    assert count_words(content) > LIMITS[TurnType.REACTION]
    events = Talking().say(ANN, content, TurnType.REACTION, last=True)
    assert only(events, TurnSpoken).turn.content == f"{fresh(1)} {fresh(2)}"
    assert flagged(events) == {"TURN-1"}


def test_a_rule_that_is_switched_off_sends_nothing_back() -> None:
    settings = Settings(off=(RuleId("TURN-1"),))
    talk = Talking(settings=settings)
    assert refused(talk.say(ANN, of_length(151))) == set()
    assert count_words(talk.talk.turns[-1].content) == 151


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        pytest.param(
            "It costs 3.5 a day. So what",
            ["It costs 3.5 a day.", "So what"],
        ),
        ("She said “no.” He left…", ["She said “no.”", "He left…"]),
        ("No end", ["No end"]),
        ("  \n ", []),
    ],
)
def test_sentences_end_where_readers_end_them(text: str, found: list[str]) -> None:
    assert list(sentences(text)) == found


@pytest.mark.parametrize(
    ("text", "most", "of_sentences", "kept"),
    [
        pytest.param("One two. Three four. Five six.", 4, 0, "One two. Three four.", id="whole sentences"),
        pytest.param("One two. Three four.", 3, 0, "One two.", id="none in part"),
        pytest.param("One two three four.", 2, 0, "One two", id="the beginning of a long first one"),
        pytest.param("One. Two. Three.", 9, 2, "One. Two.", id="no more sentences than asked for"),
    ],
)
def test_what_is_too_long_is_cut_between_sentences(text: str, most: int, of_sentences: int, kept: str) -> None:
    assert first_sentences(text, most, of_sentences) == kept


# ---- TURN-3: nobody twice in a row


@pytest.mark.rule("TURN-3")
@pytest.mark.parametrize("type", [t for t in TurnType if t not in {TurnType.REBUTTAL, TurnType.COUNTER}])
@pytest.mark.parametrize("last", [False, True])
def test_nobody_speaks_twice_in_a_row(type: TurnType, last: bool) -> None:
    talk = Talking()
    talk.post(ANN)
    assert refused(talk.say(ANN, type=type, last=last)) == {"TURN-3"}
    assert len(talk.talk.turns) == 1


@pytest.mark.rule("TURN-3")
def test_after_somebody_else_it_may_speak_again() -> None:
    talk = Talking()
    talk.post(ANN, BOB, ANN, HOST, ANN)
    assert len(talk.talk.turns) == 5


@pytest.mark.rule("TURN-3")
@pytest.mark.parametrize(
    ("protocol", "chair", "type", "no"),
    [
        (DEBATE, ARBITRATOR, TurnType.RULING, set()),
        (DEBATE, ARBITRATOR, TurnType.SYNTHESIS, set()),
        (DEBATE, ARBITRATOR, TurnType.REACTION, set()),
        (DEBATE, ARBITRATOR, TurnType.QUESTION, {"TURN-3"}),
        (DISCUSSION, FACILITATOR, TurnType.SYNTHESIS, set()),
        (DISCUSSION, FACILITATOR, TurnType.REACTION, {"TURN-3"}),
        (DISCUSSION, FACILITATOR, TurnType.QUESTION, {"TURN-3"}),
        (ROUNDTABLE, REASON, TurnType.SYNTHESIS, set()),
        (ROUNDTABLE, REASON, TurnType.REACTION, {"TURN-3"}),
        (ROUNDTABLE, HOST, TurnType.SYNTHESIS, set()),
        (ROUNDTABLE, HOST, TurnType.QUESTION, {"TURN-3"}),
    ],
)
def test_a_chair_speaks_twice_in_a_row_only_to_sum_up(
    protocol: ProtocolName, chair: AgentId, type: TurnType, no: set[str]
) -> None:
    talk = Talking(ANN, BOB, protocol=protocol)
    talk.post(chair, type=TurnType.QUESTION)
    assert refused(talk.say(chair, type=type, next_step="weigh it")) == no


@pytest.mark.rule("TURN-3")
def test_a_question_to_the_user_has_the_user_between() -> None:
    talk = Talking()
    talk.post(ANN, type=TurnType.QUESTION, to_user=True)
    assert refused(talk.say(ANN)) == set()
    talk.post(BOB, type=TurnType.QUESTION)
    assert refused(talk.say(BOB)) == {"TURN-3"}, "a question to the table has nobody between"


# ---- TURN-3: a turn can be read on its own


@pytest.mark.rule("TURN-3")
@pytest.mark.parametrize(
    "leaning",
    [
        "As I was saying,",
        "As I said,",
        "As I have already said,",
        pytest.param(
            "As I have already argued,",
        ),
        "Like I said,",
        "As mentioned above,",
        "as already noted earlier,",
        "To continue where I left off,",
        "Picking up where we left off,",
        "See above:",
        "See my previous turn:",
        "My last message shows that",
        "What I just said before shows that",
        "Continued from the first round:",
        "More on that later;",
        pytest.param(
            "As before,",
        ),
        *("As I've said,", "As I’ve already said,", "As we've argued,", "As we have just noted,", "Like I've said,"),
        *("As mentioned,", "As noted,", "As already stated,", "But as previously noted,", "The quay is old. As noted,"),
        "The quay, as stated, is old;",
    ],
)
def test_a_turn_that_leans_on_an_earlier_one_is_sent_back(leaning: str) -> None:
    assert "TURN-3" in refused(Talking().say(ANN, f"{leaning} {fresh(1)}"))


@pytest.mark.rule("TURN-3")
@pytest.mark.parametrize(
    "content",
    [
        "If the quay was closed as before 1990, then ferries moor upstream.",
        "If I said nothing, then ferries would still sail empty at dawn.",
        "If tolls are continued, then ferries leave the upper harbour.",
        "If ferries call above the weir, then see how the lock leaks.",
        "If the quay leaks, as noted by the court, then ferries moor upstream.",
        "As noted by the court, the quay leaks, so ferries moor upstream.",
        "If the rule stands as stated, word for word, then ferries moor upstream.",
        "As we argued, the quay sank, so ferries moor upstream.",
    ],
)
def test_a_turn_that_can_be_read_on_its_own_passes(content: str) -> None:
    assert "TURN-3" not in refused(Talking().say(ANN, content))


# ---- TURN-3: an answer takes up a point


@pytest.mark.rule("TURN-3")
@pytest.mark.parametrize("type", [TurnType.REBUTTAL, TurnType.COUNTER])
@pytest.mark.parametrize(
    ("content", "no"),
    [
        pytest.param("Against Bob, if wages halve, then drivers quit.", set(), id="by name"),
        pytest.param("against bob, if wages halve, then drivers quit.", set(), id="by name, in small letters"),
        pytest.param("If ferries sink, then tides drown drivers.", set(), id="by two of its words"),
        pytest.param("If ferries halve, then drivers quit.", {"TURN-3"}, id="one shared word is chance"),
        pytest.param("If wages halve, then drivers quit.", {"TURN-3"}, id="not at all"),
        pytest.param("Against Cat, if wages halve, then drivers quit.", {"TURN-3"}, id="who has not spoken"),
        pytest.param("Ann knows that if wages halve, then drivers quit.", {"TURN-3"}, id="to itself"),
    ],
)
def test_an_answer_refers_to_somebody_elses_point(type: TurnType, content: str, no: set[str]) -> None:
    talk = Talking()
    talk.post(ANN)
    talk.say(BOB, "If ferries sail on Tuesday, then tides carry them.")
    assert refused(talk.say(ANN, content, type)) == no


@pytest.mark.rule("TURN-3")
@pytest.mark.parametrize(
    "type", [TurnType.PROPOSITION, TurnType.POSITION, TurnType.REACTION, TurnType.EXPLORATION, TurnType.CONCESSION]
)
def test_other_turns_need_not_refer_to_anybody(type: TurnType) -> None:
    talk = Talking()
    talk.post(BOB)
    assert refused(talk.say(ANN, "If wages halve, then drivers quit.", type)) == set()


@pytest.mark.rule("TURN-3")
def test_where_nobody_else_has_spoken_there_is_no_point_to_refer_to() -> None:
    talk = Talking()
    talk.post(ANN, HOST)
    assert refused(talk.say(ANN, "If wages halve, then drivers quit.", TurnType.REBUTTAL)) == set()


@pytest.mark.rule("TURN-3")
def test_a_surname_names_somebody_and_part_of_another_word_does_not() -> None:
    assert answer_to("Edna Ross", "Ross is wrong: if wages halve, then drivers quit.") == set()


@pytest.mark.rule("TURN-3")
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("Edna Ross", "If wages halve across the town, then drivers quit."),
        ("Ann", "If planning stops, then drivers quit."),
    ],
)
def test_a_name_inside_another_word_names_nobody(name: str, content: str) -> None:
    assert answer_to(name, content) == {"TURN-3"}


def answer_to(name: str, content: str) -> set[str]:
    seats = (Seat(id=ANN, name=name), Seat(id=BOB, name="Bob"), *seats_for(ROUNDTABLE, ())[-2:])
    talk = Talking(seats=seats)
    talk.post(ANN)
    return refused(talk.say(BOB, content, TurnType.REBUTTAL))


# ---- TURN-3: two turns off the topic bring in the chair


@pytest.mark.rule("TURN-3")
@pytest.mark.parametrize(
    ("likenesses", "off"),
    [
        pytest.param((0.0, 0.0), True, id="two"),
        pytest.param((0.0,), False, id="one"),
        pytest.param((0.0, 0.1), False, id="the second leads back itself"),
        pytest.param((0.1, 0.0), False, id="only the last"),
        pytest.param((0.1, 0.0, 0.0), True, id="two after one that was not"),
    ],
)
def test_two_turns_off_the_topic_in_a_row_are_a_drift(likenesses: Sequence[float], off: bool) -> None:
    talk = Talking()
    for agent, figure in zip((ANN, BOB, CAT), likenesses, strict=False):
        talk.say(agent, on_topic=figure)
    assert [t.off_topic for t in talk.talk.turns] == [figure <= 0 for figure in likenesses]
    assert has_strayed(talk.talk) == off


@pytest.mark.rule("TURN-3")
def test_a_word_of_the_chair_ends_the_drift_and_is_never_off_the_topic() -> None:
    talk = Talking()
    talk.say(ANN, on_topic=0)
    talk.say(BOB, on_topic=0)
    talk.say(HOST, type=TurnType.REACTION, on_topic=0)
    assert not talk.talk.turns[-1].off_topic
    assert not has_strayed(talk.talk)
    talk.say(CAT, on_topic=0)
    assert not has_strayed(talk.talk), "counted anew"


DRIFTS = [
    "If comets melt, then glaciers sing softly.",
    "If violins warp, then luthiers weep loudly.",
]


class Drifting:
    """Good answers, but the speakers' turns from a place on are these."""

    def __init__(self, talk: Talking, since: int, drifts: Sequence[str]) -> None:
        self.talk = talk
        self.since = since
        self.drifts = drifts
        self.asked: list[AskTurn] = []

    def __call__(self, ask: TalkAsk, debate: Conversation) -> TalkAnswer:
        if not isinstance(ask, AskTurn):
            return self.talk.well(ask, debate)
        self.asked.append(ask)
        place = len(self.talk.talk.turns) - self.since
        if ask.role in CHAIRS or not 0 <= place < len(self.drifts):
            return self.talk.well(ask, debate)
        return spoken(ask, self.drifts[place])


@pytest.mark.rule("TURN-3")
@pytest.mark.parametrize("drifts", [DRIFTS, DRIFTS[:1]], ids=["two turns", "one turn"])
@pytest.mark.parametrize(
    ("protocol", "chair", "since"),
    [(DISCUSSION, FACILITATOR, 1), (ROUNDTABLE, HOST, 1), (CONSENSUS, FACILITATOR, 3)],
)
def test_the_chair_leads_back_after_two_turns_off_the_topic(
    protocol: ProtocolName, chair: AgentId, since: int, drifts: list[str]
) -> None:
    talk = Talking(protocol=protocol, settings=Settings(redundancy=Redundancy(max_total_turns=12)))
    answers = Drifting(talk, since, drifts)
    events = talk.held(answers)
    back = [(ask.agent, ask.heard) for ask in answers.asked if ask.task == turn_tasks.LEAD_BACK]
    assert back == ([(chair, since + 2)] if drifts == DRIFTS else [])
    assert (order(events)[since + 2] == (chair, "reaction")) == (drifts == DRIFTS)


@pytest.mark.rule("TURN-3")
def test_a_drift_that_others_join_is_a_drift() -> None:
    talk = Talking(ANN, BOB, CAT, protocol=DISCUSSION)
    joined = ["If comets melt, then glaciers sing softly.", "Once comets vanish, glaciers crack in spring."]
    answers = Drifting(talk, 1, joined)
    talk.held(answers)
    assert [ask.agent for ask in answers.asked if ask.task == turn_tasks.LEAD_BACK] == [FACILITATOR]


# ---- TURN-3: a question to the user


class AskingUser:
    """Good answers, but one turn is a question to the user."""

    def __init__(self, talk: Talking, at: int) -> None:
        self.talk = talk
        self.at = at
        self.asked: list[TalkAsk] = []

    def __call__(self, ask: TalkAsk, debate: Conversation) -> TalkAnswer:
        self.asked.append(ask)
        if isinstance(ask, AskTurn) and len(self.talk.talk.turns) == self.at and ask.may_ask:
            return spoken(ask, "Which ferry did you take?", type=TurnType.QUESTION, to_user=True)
        if isinstance(ask, AskUser):
            return UserSaid(text="  The\nnight [/TURN] one. ")
        return self.talk.well(ask, debate)


@pytest.mark.rule("TURN-3")
@pytest.mark.parametrize(
    ("protocol", "at"),
    [(DEBATE, 1), (CONSENSUS, 3), (DISCUSSION, 2), (ROUNDTABLE, 2)],
)
def test_a_question_to_the_user_waits_for_the_user(protocol: ProtocolName, at: int) -> None:
    settings = Settings(asks_user=True, redundancy=Redundancy(max_total_turns=14))
    talk = Talking(*((ANN, BOB) if protocol == DEBATE else (ANN, BOB, CAT)), protocol=protocol, settings=settings)
    events = talk.held(AskingUser(talk, at))
    kinds = [e.kind for e in events if isinstance(e, TurnSpoken | UserQuestion | UserAnswered)]
    assert kinds[at : at + 4] == ["turn_spoken", "user_question", "user_answered", "turn_spoken"]
    assert only(events, UserQuestion).question == "Which ferry did you take?"
    assert only(events, UserAnswered).answer == "The night (/TURN) one."


@pytest.mark.rule("TURN-3")
def test_a_question_to_the_user_ends_the_round() -> None:
    talk = Talking(protocol=DISCUSSION, settings=Settings(asks_user=True))
    events = talk.held(AskingUser(talk, 1))  # instead of the first position
    assert order(events)[:3] == [("facilitator", "question"), ("ann", "question"), ("facilitator", "question")]


@pytest.mark.rule("TURN-3")
def test_whoever_waits_to_react_thinks_again_once_the_user_has_answered() -> None:
    talk = Talking(protocol=DISCUSSION, settings=Settings(asks_user=True))
    answers = AskingUser(talk, 2)  # Bob, while Cat's reaction is thought out already
    events = talk.held(answers)
    at = next(place for place, ask in enumerate(answers.asked) if isinstance(ask, AskUser))
    again = answers.asked[at + 1]
    assert isinstance(again, AskTurn) and (again.agent, again.type) == (CAT, TurnType.REACTION)
    assert order(events)[2:5] == [("bob", "question"), ("cat", "reaction"), ("bob", "reaction")]


@pytest.mark.rule("TURN-3")
def test_a_question_where_nobody_listens_is_recorded_and_the_talk_goes_on() -> None:
    talk = Talking(protocol=DISCUSSION, settings=Settings(asks_user=False))
    events = talk.held(AskingUser(talk, 2))
    assert len(of(events, UserQuestion)) == len(of(events, UserAnswered)) == 1


@pytest.mark.rule("TURN-3")
def test_the_user_is_asked_three_times_at_most() -> None:
    talk = Talking(settings=Settings(asks_user=True))

    def answering(ask: TalkAsk, debate: Conversation) -> TalkAnswer:
        if isinstance(ask, AskTurn) and ask.may_ask:
            return spoken(ask, "Which ferry did you take?", type=TurnType.QUESTION, to_user=True)
        return talk.well(ask, debate)

    assert len(of(talk.held(answering), UserQuestion)) == 3


@pytest.mark.parametrize("before", ["", "İİİ. "], ids=["plain", "letters that grow in lower case"])
def test_what_leans_is_quoted(before: str) -> None:
    told = str(Talking().say(ANN, f"{before}As I said, {fresh(1)}"))
    assert '"as i said" leans on' in told.lower()
