"""The crux protocol: speakers who serve what they owe and else choose, a moderator's watch, a crystalliser.

A thought runs inside the cooldown before it, so that more of them overlap; private questions take no debate time.
"""

from dataclasses import replace
from typing import Final

from cruxfinder.crux.asks import AskDraft, AskFirst, Drafted, Duty, First
from cruxfinder.crux.commands import RecordFirst, Say, Tick
from cruxfinder.crux.crystalliser import crystalliser
from cruxfinder.crux.draft_faults import ATTEMPTS_MAX
from cruxfinder.crux.draft_passage import draft_passage
from cruxfinder.crux.duties import open_duties
from cruxfinder.crux.events import MessagePosted, MessageRefused
from cruxfinder.crux.focus import AgentAttention
from cruxfinder.crux.law import falsifiers, flood, message_redundancy, stages
from cruxfinder.crux.moves import Draft
from cruxfinder.crux.private_questions import is_waiting
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread
from cruxfinder.kernel.effects import (
    Dice,
    Do,
    Observation,
    PartOfScript,
    Pause,
    PendingThought,
    Read,
    Script,
    Spawn,
    Think,
)
from cruxfinder.kernel.likeness import Likeness
from cruxfinder.kernel.run_facts import Failed, NoteFailure, lost_agents
from cruxfinder.kernel.vocabulary import ADVOCATE, MODERATOR, AgentId, Stage, ThreadId
from cruxfinder.language.reading import DraftReading

THINK_MS: Final = (3_000, 8_000)
IDLE_MS: Final = (1_500, 4_000)
START_MS: Final = (0, 4_000)
TICK_MS: Final = 5_000
AT_ONCE: Final = {
    Stage.DISCOVERY: 3,
    Stage.EVIDENCE: 4,
}  # thoughts nobody owes: they overlap, and still hear each other
HOLDS_MAX: Final = 20
MONOLOGUE_MS: Final = 15_000


def opening(agents: tuple[AgentId, ...], dice: Dice, like: Likeness) -> Script[Debate]:
    """First positions are taken before anybody speaks; then everything starts."""
    asks = tuple(AskFirst(agent=a) for a in agents)
    seen = yield Think(asks, 0)
    firsts = [(ask.agent, answer) for ask, answer in zip(asks, seen.answers, strict=True)]
    for agent, answer in firsts:
        if isinstance(answer, Failed):
            yield Do(NoteFailure(agent=agent, ask="first", reason=answer.reason))
    yield Do(RecordFirst(firsts=tuple((agent, answer) for agent, answer in firsts if isinstance(answer, First))))
    yield Spawn(crystalliser(like, lambda agent: speaker(agent, dice, like)))
    yield Spawn(moderator_clock())
    for agent in agents:
        yield Spawn(speaker(agent, dice, like))


def moderator_clock() -> Script[Debate]:
    """Lets the moderator's clock run, for those who owe something and stay silent."""
    seen = yield Pause(TICK_MS)
    while True:
        thinking = frozenset(t.thread for t in seen.thoughts if t.thread is not None)
        yield Do(Tick(thinking=thinking))
        seen = yield Pause(TICK_MS)


def speaker(me: AgentId, dice: Dice, like: Likeness) -> Script[Debate]:
    """Serve what is owed; else speak where it fits; else stay silent."""
    seen = yield Pause(dice.between(me, "start", *START_MS))
    mind = AgentAttention(me, dice, like, seen.debate)
    while True:
        length = dice.between(me, "think", *THINK_MS)
        early = flood.ready_ms(seen.debate, me) - length - seen.now_ms
        if early > 0:
            seen = yield Pause(early)
        if me in lost_agents(seen.debate):
            return
        wish, length = choose_ask(seen, me, length, mind)
        if wish is None:
            seen = yield Pause(dice.between(me, "idle", *IDLE_MS))
        else:
            seen = yield from speak(me, wish, length, dice, mind)


def urgent_duties(seen: Observation[Debate], me: AgentId) -> list[tuple[Thread, Duty]]:
    """The most urgent thing it owes in each thread, the one owed for longest first."""
    found: list[tuple[Thread, Duty]] = []
    for thread in seen.debate.active:
        if not is_waiting(seen.debate, thread):
            duties = open_duties(seen.debate, thread).get(me, ())
            found += [(thread, duties[0])] if duties else []
    return sorted(found, key=lambda f: f[1].since_ms)


def choose_ask(
    seen: Observation[Debate], me: AgentId, length: int, mind: AgentAttention
) -> tuple[AskDraft | None, int]:
    """What is owed first, unless it would only queue there while another thread has room; and how long to think."""
    duties = urgent_duties(seen, me)
    for thread, duty in duties:
        under_way = sum(t.thread == thread.id for t in seen.thoughts)
        if flood.has_slot(seen.debate, thread, seen.now_ms + length, under_way):
            return ask_for(thread, me, duty), length
    wish, longer = unprompted_ask(seen, me, length, mind)
    if wish is not None or not duties:
        return wish, longer
    return ask_for(duties[0][0], me, duties[0][1]), length


def unprompted_ask(
    seen: Observation[Debate], me: AgentId, length: int, mind: AgentAttention
) -> tuple[AskDraft | None, int]:
    """What to draft unasked; None is silence. Where slots are scarce it pays to think longer, for a later one."""
    for ms in dict.fromkeys((length, THINK_MS[1])):
        open_ = [t for t in seen.debate.active if free_to_speak(seen, t, me, seen.now_ms + ms)]
        if open_:
            drawn = mind.choose_target(seen, open_)
            wish = None if drawn is None else replace(ask_for(drawn.thread, me, None), answers=drawn.message)
            return wish, ms
    return None, length


def ask_for(thread: Thread, me: AgentId, duty: Duty | None) -> AskDraft:
    allowed = stages.ALLOWED[thread.stage] if duty is None else (duty.move,)
    return AskDraft(agent=me, thread=thread.id, allowed=allowed, heard=len(thread.messages), duty=duty)


def free_to_speak(seen: Observation[Debate], thread: Thread, me: AgentId, at_ms: int) -> bool:
    """No call is spent on a draft that could not be published: budget and slot are reserved first."""
    if thread.stage is Stage.CRUX_LOCK or (me == ADVOCATE and thread.stage is not Stage.DISCOVERY):
        return False
    if is_waiting(seen.debate, thread) or (thread.only and me not in thread.members):
        return False
    limits = seen.debate.settings.redundancy
    if limits is not None and me in message_redundancy.exhausted_pair(seen.debate, thread, limits):
        return False
    unowed = count_unowed_thoughts(seen.thoughts, thread.id)
    if unowed >= AT_ONCE[thread.stage] or stages.messages_left(seen.debate, thread) <= unowed:
        return False
    said = [m for m in thread.messages if m.agent != MODERATOR][-1:]
    # two would else take turns, one call at a time; at a larger table somebody else is there to speak
    answered = len(seen.debate.agents) == 2 and any(t.thread == thread.id and t.agent != me for t in seen.thoughts)
    monologue = not answered and bool(said) and said[0].agent == me and seen.now_ms - said[0].at_ms < MONOLOGUE_MS
    return not monologue and flood.has_slot(seen.debate, thread, at_ms, unowed)


def count_unowed_thoughts(thoughts: tuple[PendingThought, ...], thread: ThreadId) -> int:
    return sum(t.thread == thread and not t.owed for t in thoughts)


def speak(me: AgentId, wish: AskDraft, length: int, dice: Dice, mind: AgentAttention) -> PartOfScript[Debate]:
    """Think, say it, and revise it as long as a rule sends it back with a remedy."""
    ask = wish
    cooldown_ms = dice.between(me, "cooldown", *flood.COOLDOWN_MS)
    while True:
        seen = yield Think((ask,), length)
        answer = seen.answers[0]
        if isinstance(answer, Failed):
            seen = yield Do(NoteFailure(agent=me, ask="draft", reason=answer.reason))
        if not isinstance(answer, Drafted):
            return (yield Pause(cooldown_ms))
        aim = mind.aim(seen, seen.debate.threads[ask.thread], answer.draft.reply_to) if ask.duty is None else None
        seen = yield from publish(me, ask, answer.draft, seen, cooldown_ms, aim)
        refused = last_refusal(seen, me)
        if refused is None:
            mind.note_own_message(seen)
            return seen
        if refused.outcome != "revise" or not still_wanted(seen.debate, ask):
            return (yield Pause(cooldown_ms))
        length = dice.between(me, "think", *THINK_MS)
        heard = len(seen.debate.threads[ask.thread].messages)
        ask = replace(ask, refused=refused.refusals, attempt=ask.attempt + 1, heard=heard)


def publish(
    me: AgentId,
    ask: AskDraft,
    draft: Draft,
    seen: Observation[Debate],
    cooldown_ms: int,
    aim: float | None,
) -> PartOfScript[Debate]:
    """Say it, waiting for as long as only time stands against it. A draft its stage has left behind is dropped."""
    draft = falsifiers.with_parts(draft)
    for hold in range(HOLDS_MAX):
        seen = yield Read(draft_passage(seen.debate, seen.debate.threads[ask.thread], me, draft))
        reading = seen.reading
        assert isinstance(reading, DraftReading), "a draft is read as one"
        attempt = ask.attempt if still_wanted(seen.debate, ask) else ATTEMPTS_MAX
        say = Say(
            agent=me,
            thread=ask.thread,
            draft=draft,
            duty=ask.duty,
            attempt=attempt,
            cooldown_ms=cooldown_ms,
            attention=aim,
            reading=reading,
            waits=hold + 1 < HOLDS_MAX,
        )
        seen = yield Do(say)
        refused = last_refusal(seen, me)
        if refused is None or refused.outcome != "held":
            return seen
        until = max(r.until_ms for r in refused.refusals)
        seen = yield Pause(until - seen.now_ms)
    return seen


def still_wanted(debate: Debate, ask: AskDraft) -> bool:
    """Is the ask still in season, and what it serves still owed?"""
    thread = debate.threads[ask.thread]
    if thread.over or is_waiting(debate, thread):
        return False
    if ask.duty is None:
        return ask.allowed == stages.ALLOWED[thread.stage]
    return any(
        (d.move, d.about, d.message) == (ask.duty.move, ask.duty.about, ask.duty.message)
        for d in open_duties(debate, thread).get(ask.agent, ())
    )


def last_refusal(seen: Observation[Debate], me: AgentId) -> MessageRefused | None:
    """The refusal of the draft just said, if it was not published."""
    if any(isinstance(e, MessagePosted) for e in seen.events):
        return None
    return next((e for e in seen.events if isinstance(e, MessageRefused) and e.agent == me), None)
