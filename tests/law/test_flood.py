"""How fast people may talk, on debate time: SPEC §8."""

import heapq
from random import Random

import pytest

from cruxfinder.adapters.embeddings.embedders import embedder
from cruxfinder.crux.asks import AskDraft, Duty
from cruxfinder.crux.commands import Say
from cruxfinder.crux.events import MessagePosted, MessageRefused, ModeratorIntervention
from cruxfinder.crux.focus import AgentAttention
from cruxfinder.crux.law import flood
from cruxfinder.crux.moves import Draft, Move
from cruxfinder.crux.script import choose_ask, speaker
from cruxfinder.kernel.effects import Effect, Observation, Pause, Think
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, MoveKind, RuleId, Side, Stage
from tests.law.build import (
    AGENTS,
    ANN,
    BOB,
    CAT,
    DAN,
    EVE,
    OTHER_QUESTIONS,
    T1,
    Play,
    challenge,
    claim,
    clarify,
    commit,
    concede,
    declare,
    evidence,
    of,
    only,
    own_falsifier,
    propose,
    reframe,
    refused,
    steelman,
)

WINDOW_MS = 30_000
LIKE = embedder("keyword")

# ---- FLOOD-1: two direct replies a message


@pytest.mark.rule("FLOOD-1")
def test_a_message_has_two_direct_replies_and_no_third() -> None:
    play = Play(yes=(ANN, CAT), no=(BOB, DAN))
    first = play.post(ANN, claim())
    play.post(BOB, claim(), reply_to=first)
    play.post(DAN, claim(), reply_to=first)
    said = only(play.say(CAT, claim(), reply_to=first), MessageRefused)
    assert ([r.rule for r in said.refusals], said.outcome) == (["FLOOD-1"], "revise"), "waiting would not help"


@pytest.mark.rule("FLOOD-1")
@pytest.mark.parametrize(
    "remedy",
    [
        pytest.param({"reply_to": "m2"}, id="answering another message"),
        pytest.param({}, id="speaking to the thread"),
        pytest.param({"refs": ("m1",)}, id="referring to it without replying"),
    ],
)
def test_the_remedies_of_a_third_reply_are_open(remedy: dict[str, object]) -> None:
    play = Play(yes=(ANN, CAT), no=(BOB, DAN))
    first = play.post(ANN, claim())
    play.post(BOB, claim(), reply_to=first)
    play.post(DAN, claim(), reply_to=first)
    play.post(CAT, claim(), **remedy)


@pytest.mark.rule("FLOOD-1")
def test_references_and_targets_are_no_replies() -> None:
    play = Play(yes=(ANN, CAT), no=(BOB, DAN))
    first = play.post(ANN, claim())
    for agent in (BOB, DAN, CAT):
        play.post(agent, challenge(first), refs=(first,))
    play.post(BOB, claim(), reply_to=first)


@pytest.mark.rule("FLOOD-1")
@pytest.mark.parametrize(
    ("owed", "allowed"),
    [
        pytest.param(MoveKind.STEELMAN, True, id="what is owed is exempt"),
        pytest.param(MoveKind.COMMIT_POSITION, False, id="another move than the owed one is not"),
        pytest.param(None, False, id="what is not owed is not"),
    ],
)
def test_what_is_owed_is_exempt(owed: MoveKind | None, allowed: bool) -> None:
    play = Play()
    play.to_lock()
    play.commit_all()
    stated = play.thread.commitments[BOB].message
    for agent in play.agents:
        play.post(agent, clarify(stated), reply_to=stated)
    duty = None if owed is None else Duty(move=owed, thread=T1)
    events = play.say(ANN, steelman(BOB), reply_to=stated, duty=duty)
    assert refused(events) == (set() if allowed else {"FLOOD-1"})


@pytest.mark.rule("FLOOD-1")
def test_answers_to_the_moderator_are_exempt() -> None:
    play = Play(yes=(ANN, CAT), no=(BOB, DAN))
    play.to_lock()
    play.commit_all(falsifier=None)
    asked = only(play.events, ModeratorIntervention).id
    for agent in play.agents:
        play.post(agent, declare(own_falsifier(agent)), reply_to=asked)
    assert sum(m.reply_to == asked for m in play.thread.messages) == 4


@pytest.mark.rule("FLOOD-1")
def test_an_ablation_may_leave_it_out() -> None:
    play = Play(settings=Settings(off=(RuleId("FLOOD-1"),)))
    first = play.post(ANN, claim())
    for _ in range(4):
        play.post(BOB, claim(), reply_to=first)


# ---- FLOOD-2: the cooldown


@pytest.mark.rule("FLOOD-2")
@pytest.mark.parametrize(
    ("after_ms", "held"),
    [
        pytest.param(0, True, id="at once"),
        pytest.param(7_999, True, id="a moment before its end"),
        pytest.param(8_000, False, id="at its end"),
    ],
)
def test_an_agent_is_held_during_its_cooldown(after_ms: int, held: bool) -> None:
    play = Play()
    spoke_ms = play.now_ms + 3_000
    play.post(ANN, claim(), cooldown_ms=8_000)
    events = play.say(ANN, claim(), after_ms=after_ms)
    assert refused(events) == ({"FLOOD-2"} if held else set())
    if held:
        said = only(events, MessageRefused)
        assert (said.outcome, said.refusals[0].until_ms) == ("held", spoke_ms + 8_000)


@pytest.mark.rule("FLOOD-2")
def test_the_cooldown_is_the_agents_own() -> None:
    play = Play()
    play.post(ANN, claim(), cooldown_ms=8_000)
    assert refused(play.say(BOB, claim(), after_ms=0)) == set()


@pytest.mark.rule("FLOOD-2")
def test_a_draft_held_for_its_authors_cooldown_holds_nobody_else() -> None:
    play = Play()
    play.post(ANN, claim(), cooldown_ms=8_000)
    assert refused(play.say(ANN, claim(), after_ms=1_000)) == {"FLOOD-2"}
    assert refused(play.say(BOB, claim(), after_ms=1_000)) == set()


@pytest.mark.rule("FLOOD-2")
def test_a_cooldown_is_drawn_between_6_and_12_s_and_kept_with_the_message() -> None:
    assert flood.COOLDOWN_MS == (6_000, 12_000)
    play = Play()
    posted = only(play.say(ANN, claim(), cooldown_ms=6_500), MessagePosted)
    assert (posted.cooldown_ms, flood.ready_ms(play.debate, ANN)) == (6_500, posted.at_ms + 6_500)


class FixedDice:
    """Every thought takes 5 s."""

    def between(self, who: str, purpose: str, low: int, high: int) -> int:
        assert low <= 5_000 <= high or purpose != "think"
        return 5_000 if purpose == "think" else low


@pytest.mark.rule("FLOOD-2")
@pytest.mark.parametrize(
    ("cooldown_ms", "effect"),
    [
        pytest.param(12_000, Pause(7_000), id="at the cooldown's end minus its length"),
        pytest.param(6_000, Pause(1_000), id="shortly, to end with the cooldown"),
        pytest.param(4_000, Think, id="now, when the thought outlasts the cooldown"),
    ],
)
def test_a_thought_overlaps_the_cooldown_and_starts(cooldown_ms: int, effect: Effect | type[Effect]) -> None:
    play = Play()
    play.post(ANN, claim(), cooldown_ms=cooldown_ms)
    play.post(BOB, claim(), after_ms=0)  # so that Ann has somebody to answer
    script = speaker(ANN, FixedDice(), LIKE)
    next(script)
    begun = script.send(Observation(debate=play.debate, now_ms=play.now_ms))
    assert begun == effect if isinstance(effect, Pause) else isinstance(begun, Think)


# ---- FLOOD-3: twelve messages in 30 s


def burst(apart_ms: int = 100) -> tuple[Play, int]:
    """CRUX_LOCK, twelve agents, twelve commitments in quick succession from the given moment on."""
    play = Play(yes=AGENTS[:6], no=AGENTS[6:12])
    play.to_lock()
    play.wait(WINDOW_MS)
    start = play.now_ms
    for place, agent in enumerate(play.agents):
        play.post(agent, commit(agent, play.sides[agent]), after_ms=apart_ms if place else 0)
    return play, start


@pytest.mark.rule("FLOOD-3")
@pytest.mark.parametrize(
    ("at_ms", "held"),
    [
        pytest.param(5_000, True, id="the thirteenth within 30 s waits"),
        pytest.param(29_999, True, id="a moment before the first is 30 s old it still waits"),
        pytest.param(30_000, False, id="once the first is 30 s old there is room"),
    ],
)
def test_a_thread_takes_twelve_messages_in_30_s(at_ms: int, held: bool) -> None:
    play, start = burst()
    events = play.say(ANN, steelman(AGENTS[6]), after_ms=start + at_ms - play.now_ms)
    assert refused(events) == ({"FLOOD-3"} if held else set())
    if held:
        said = only(events, MessageRefused)
        assert (said.outcome, said.refusals[0].until_ms) == ("held", start + WINDOW_MS)


@pytest.mark.rule("FLOOD-3")
def test_what_the_moderator_says_takes_no_slot() -> None:
    play = Play(yes=AGENTS[:6], no=AGENTS[6:11])
    play.to_lock()
    play.wait(WINDOW_MS)
    for agent in play.agents:
        play.post(agent, commit(agent, play.sides[agent], falsifier=None), after_ms=0)
    assert of(play.events, ModeratorIntervention)
    assert refused(play.say(ANN, declare(), after_ms=0)) == set(), "the twelfth of an agent"
    assert refused(play.say(BOB, declare(), after_ms=0)) == {"FLOOD-3"}


@pytest.mark.rule("FLOOD-3")
def test_held_drafts_get_the_slots_in_the_order_they_came() -> None:
    play, start = burst(apart_ms=1_000)
    wishes = [(EVE, AGENTS[6]), (ANN, AGENTS[7]), (CAT, AGENTS[8])]
    until = []
    for agent, target in wishes:
        said = only(play.say(agent, steelman(target), after_ms=500), MessageRefused)
        until.append(max(r.until_ms for r in said.refusals) - start)
    assert until == [30_000, 31_000, 32_000]
    for (agent, target), at_ms in zip(wishes, until, strict=True):
        play.post(agent, steelman(target), after_ms=start + at_ms - play.now_ms)


@pytest.mark.rule("FLOOD-3")
def test_a_newcomer_does_not_take_the_slot_of_a_held_draft() -> None:
    play, start = burst(apart_ms=1_000)
    play.say(EVE, steelman(AGENTS[6]), after_ms=500)
    newcomer = only(play.say(ANN, steelman(AGENTS[7]), after_ms=start + 30_000 - play.now_ms), MessageRefused)
    assert newcomer.refusals[0].until_ms == start + 31_000
    play.post(EVE, steelman(AGENTS[6]), after_ms=0)
    play.post(ANN, steelman(AGENTS[7]), after_ms=1_000)


@pytest.mark.rule("FLOOD-3")
def test_a_held_draft_that_comes_back_early_keeps_its_place() -> None:
    play, start = burst(apart_ms=1_000)
    play.say(EVE, steelman(AGENTS[6]), after_ms=500)
    play.say(ANN, steelman(AGENTS[7]), after_ms=500)
    again = only(play.say(EVE, steelman(AGENTS[6]), after_ms=500), MessageRefused)
    assert again.refusals[0].until_ms == start + 30_000


@pytest.mark.rule("FLOOD-3")
@pytest.mark.parametrize(
    "cooldown", [pytest.param((0, 0), id="no cooldown"), pytest.param((6_000, 12_000), id="6–12 s")]
)
@pytest.mark.parametrize("seed", range(4))
def test_there_are_never_more_than_twelve_in_any_30_s_and_nobody_waits_in_vain(
    seed: int, cooldown: tuple[int, int]
) -> None:
    chance = Random(seed)
    play = Play(yes=AGENTS[:3], no=AGENTS[3:6], settings=Settings(lifted=True, stagnation_messages=1_000))
    play.to_evidence()
    play.wait(WINDOW_MS)
    start, waiting, posted, came = play.now_ms, [], [], 0
    held_first: dict[int, int] = {}
    published: list[int] = []

    def wish(agent: AgentId, at_ms: int, move: Move) -> None:
        nonlocal came
        came += 1
        heapq.heappush(waiting, (at_ms, came, agent, move))

    for agent in play.agents:
        wish(agent, start + chance.randint(0, 2_000), evidence(agent))
    for _ in range(2_000):
        if waiting[0][0] >= start + 4 * WINDOW_MS:
            break
        at_ms, number, agent, move = heapq.heappop(waiting)
        events = play.say(agent, move, after_ms=at_ms - play.now_ms, cooldown_ms=chance.randint(*cooldown))
        if refused(events):
            said = only(events, MessageRefused)
            assert said.outcome == "held" and refused(events) <= {"FLOOD-2", "FLOOD-3"}
            held_first.setdefault(number, len(held_first))
            heapq.heappush(waiting, (max(r.until_ms for r in said.refusals), number, agent, move))
        else:
            posted.append(at_ms)
            published.append(number)
            wish(agent, at_ms + chance.randint(0, 2_000), evidence(agent))
    assert all(later - first >= WINDOW_MS for first, later in zip(posted, posted[12:], strict=False))
    assert len(posted) == 4 * 12, "every slot is used while people want to speak"
    if cooldown == (0, 0):
        order = [held_first[n] for n in published if n in held_first]
        assert order == sorted(order), "held drafts are published in the order they were held"


# ---- who reserves a slot before thinking


def crowded(last: Move) -> Play:
    """EVIDENCE with twelve messages at one moment, the last one Ann's and of this kind."""
    play = Play(yes=(ANN, CAT), no=(BOB, DAN))
    play.to_evidence()
    play.wait(WINDOW_MS)
    for place in range(11):
        play.post(play.agents[place % 4], evidence(BOB), after_ms=0)
    play.post(ANN, last, after_ms=0)
    return play


def wish(play: Play, agent: AgentId, after_ms: int) -> AskDraft | None:
    """What an agent would draft now, to be published so much later."""
    mind = AgentAttention(agent, FixedDice(), LIKE, play.debate)
    return choose_ask(Observation(debate=play.debate, now_ms=play.now_ms), agent, after_ms, mind)[0]


@pytest.mark.rule("FLOOD-3")
@pytest.mark.parametrize(
    ("at_ms", "asked"),
    [
        pytest.param(5_000, False, id="no slot will be free when the thought ends: silent"),
        pytest.param(30_000, True, id="there will be one: asked"),
    ],
)
def test_a_draft_nobody_owes_reserves_its_slot_before_the_thought_starts(at_ms: int, asked: bool) -> None:
    play = crowded(concede())
    assert (wish(play, BOB, at_ms) is not None) == asked


@pytest.mark.rule("FLOOD-3")
def test_an_owed_message_is_drafted_all_the_same_and_waits_for_the_next_slot() -> None:
    play = crowded(steelman(CAT))
    ask = wish(play, CAT, 5_000)
    assert isinstance(ask, AskDraft) and ask.duty is not None and ask.duty.move is MoveKind.GRADE_STEELMAN


@pytest.mark.rule("FLOOD-3")
@pytest.mark.parametrize(
    ("said", "reserved", "room"),
    [
        pytest.param(9, 2, True, id="nine said and two promised: one slot left"),
        pytest.param(9, 3, False, id="nine said and three promised: none left"),
        pytest.param(11, 0, True, id="eleven said: one slot left"),
        pytest.param(12, 0, False, id="twelve said: none left"),
    ],
)
def test_slots_promised_to_thoughts_under_way_are_taken(said: int, reserved: int, room: bool) -> None:
    play = Play(yes=AGENTS[:6], no=AGENTS[6:12])
    play.to_lock()
    play.wait(WINDOW_MS)
    for agent in play.agents[:said]:
        play.post(agent, commit(agent, play.sides[agent]), after_ms=0)
    assert flood.has_slot(play.debate, play.thread, play.now_ms + 5_000, reserved) == room


@pytest.mark.rule("FLOOD-5")
def test_no_thought_is_spent_while_held_drafts_fill_the_next_slots() -> None:
    play, start = burst(apart_ms=1_000)
    play.say(EVE, steelman(AGENTS[6]), after_ms=0)
    at_ms = start + 30_500  # one of twelve has left the window by then, and its slot is promised
    assert not flood.has_slot(play.debate, play.thread, at_ms, 0)
    assert flood.has_slot(play.debate, play.thread, at_ms + 1_000, 0)


@pytest.mark.rule("FLOOD-3")
def test_the_moderators_messages_do_not_hide_a_full_window() -> None:
    play = Play(yes=AGENTS[:6], no=AGENTS[6:12])
    play.to_lock()
    play.wait(WINDOW_MS)
    for agent in play.agents:
        play.post(agent, commit(agent, play.sides[agent], falsifier=None), after_ms=0)
    assert of(play.events, ModeratorIntervention)
    assert not flood.has_slot(play.debate, play.thread, play.now_ms + 5_000, 0)


# ---- FLOOD-5: held drafts


@pytest.mark.rule("FLOOD-5")
def test_a_draft_refused_only_for_time_is_held_and_published_when_the_limit_allows() -> None:
    play, start = burst()
    said = only(play.say(ANN, steelman(AGENTS[6]), after_ms=0), MessageRefused)
    assert said.outcome == "held" and ANN in play.thread.held
    events = play.say(ANN, steelman(AGENTS[6]), after_ms=start + WINDOW_MS - play.now_ms)
    assert only(events, MessagePosted).agent == ANN and ANN not in play.thread.held


@pytest.mark.rule("FLOOD-5")
def test_a_third_attempt_is_held_like_any_other() -> None:
    play, _ = burst()
    assert only(play.say(ANN, steelman(AGENTS[6]), after_ms=0, attempt=3), MessageRefused).outcome == "held"


@pytest.mark.rule("FLOOD-5")
def test_a_held_draft_is_published_only_if_it_is_still_legal() -> None:
    play = Play(yes=AGENTS[:3], no=AGENTS[3:6], settings=Settings(off=(RuleId("CRUX-11"),)))
    play.post(ANN, claim(), cooldown_ms=6_000)
    assert refused(play.say(ANN, propose(), after_ms=0)) == {"FLOOD-2"}
    play.wait(6_000)
    play.post(BOB, propose(), after_ms=0)
    said = only(play.say(ANN, propose(), after_ms=0), MessageRefused)
    assert ([r.rule for r in said.refusals], said.outcome) == (["CRUX-8"], "revise")
    assert ANN not in play.thread.held, "it gave its place back"


@pytest.mark.rule("FLOOD-5")
def test_a_draft_its_stage_has_left_behind_is_refused_for_good() -> None:
    play = Play()
    play.to_lock()
    play.post(ANN, commit(ANN, Side.YES), cooldown_ms=12_000)
    assert refused(play.say(ANN, clarify("m1"), after_ms=1_000)) == {"FLOOD-2"}
    play.post(BOB, commit(BOB, Side.NO), after_ms=12_000)
    play.to_evidence()
    assert play.thread.stage is Stage.EVIDENCE
    assert refused(play.say(ANN, clarify("m1"))) == {"STAGE-1"}


@pytest.mark.rule("FLOOD-5")
def test_a_draft_refused_for_more_than_time_is_not_held() -> None:
    play = Play()
    play.post(ANN, claim(), cooldown_ms=8_000)
    said = only(play.say(ANN, commit(ANN, Side.YES), after_ms=0), MessageRefused)
    assert ([r.rule for r in said.refusals], said.outcome) == (["STAGE-1"], "revise")
    assert ANN not in play.thread.held


@pytest.mark.rule("FLOOD-5")
def test_a_draft_that_has_waited_long_enough_is_dropped_and_holds_nobody_up() -> None:
    play = Play()
    play.post(ANN, claim(), cooldown_ms=8_000)
    draft = Draft(move=claim(), content="Ann tries once more.")
    said = Say(agent=ANN, thread=play.thread.id, draft=draft, waits=False)
    assert only(play.do(said), MessageRefused).outcome == "dropped"
    assert ANN not in play.thread.held


@pytest.mark.rule("FLOOD-5")
@pytest.mark.parametrize("off", ["FLOOD-2", "FLOOD-3"])
def test_an_ablation_may_leave_a_limit_of_time_out(off: str) -> None:
    play = Play(settings=Settings(off=(RuleId(off),), lifted=True))
    play.to_evidence()
    play.wait(WINDOW_MS)
    found = set[str]()
    for place in range(14):
        agent = play.agents[place % 2]
        found |= refused(play.say(agent, evidence(BOB), after_ms=0, cooldown_ms=6_000))
    assert found == {"FLOOD-2", "FLOOD-3"} - {off}


# ---- FLOOD-4: active threads


@pytest.mark.rule("FLOOD-4")
@pytest.mark.parametrize(
    ("agents", "most"),
    [
        pytest.param(2, 1, id="two agents: one"),
        pytest.param(3, 1, id="three agents: one, half of them is less than two"),
        pytest.param(4, 2, id="four agents: half of them"),
        pytest.param(7, 3, id="seven agents: three"),
        pytest.param(8, 4, id="eight agents: four"),
        pytest.param(12, 4, id="twelve agents: four"),
    ],
)
def test_active_threads_are_four_or_half_the_agents_but_one_always(agents: int, most: int) -> None:
    play = Play(yes=AGENTS[:1], no=AGENTS[1:agents])
    assert flood.active_threads_max(play.debate) == most


@pytest.mark.rule("FLOOD-4")
@pytest.mark.parametrize(
    ("agents", "threads"),
    [
        pytest.param(3, 1, id="three agents stay in the one they have"),
        pytest.param(4, 2, id="four agents get a second, and no third"),
        pytest.param(6, 3, id="six agents get a third"),
    ],
)
def test_no_thread_is_opened_beyond_that(agents: int, threads: int) -> None:
    play = Play(yes=AGENTS[:1], no=AGENTS[1:agents])
    for question in OTHER_QUESTIONS[:2]:
        play.post(ANN, reframe(question))
        play.post(BOB, clarify(play.last), content=f"On {question} I differ.")
    for proposal in tuple(play.debate.proposals):
        play.open(proposal)
    assert len(play.debate.active) == threads


@pytest.mark.rule("FLOOD-4")
def test_the_devils_advocate_does_not_make_room_for_a_thread() -> None:
    play = Play(yes=(ANN,), no=(BOB, CAT))
    play.talk(6)
    assert len(play.debate.seats) == 4, "the advocate sits at the table"
    assert flood.active_threads_max(play.debate) == 1


@pytest.mark.rule("FLOOD-4")
def test_without_it_there_are_four_at_most() -> None:
    play = Play(settings=Settings(off=(RuleId("FLOOD-4"),)))
    assert flood.active_threads_max(play.debate) == 4


@pytest.mark.rule("FLOOD-3")
@pytest.mark.parametrize(
    ("waited", "length"),
    [
        pytest.param(24_000, 8_000, id="a slot will be free after a longer thought: it takes that long"),
        pytest.param(26_000, 5_000, id="there will be one when the thought ends: no longer than that"),
    ],
)
def test_where_slots_are_scarce_a_thought_is_made_longer(waited: int, length: int) -> None:
    play = crowded(concede())
    play.wait(waited)
    mind = AgentAttention(BOB, FixedDice(), LIKE, play.debate)
    ask, taken = choose_ask(Observation(debate=play.debate, now_ms=play.now_ms), BOB, 5_000, mind)
    assert ask is not None and taken == length
