"""The crux protocol: speakers who serve what they owe and else choose, a moderator's watch, a crystalliser.

A thought runs inside the cooldown before it, so that more of them overlap; private questions take no debate time.
"""

from dataclasses import replace
from typing import Final

from cruxfinder.debate.commands import Judge, NoteFailure, RecordFirst, RecordProbe, Say, Tick
from cruxfinder.debate.decide import ATTEMPTS_MAX
from cruxfinder.debate.due import Judgement, Probes, due, waits
from cruxfinder.debate.duties import owed
from cruxfinder.model.asks import (
    AskDraft,
    AskFirst,
    AskJudge,
    AskProbe,
    Drafted,
    Duty,
    Failed,
    First,
    Judged,
    Probed,
    Question,
)
from cruxfinder.model.events import MessagePosted, MessageRefused
from cruxfinder.model.moves import Draft
from cruxfinder.model.record import Debate
from cruxfinder.model.thread import Candidate, Thread, candidate
from cruxfinder.model.words import ADVOCATE, MODERATOR, AgentId, Side, Stage, ThreadId
from cruxfinder.protocols.effects import Dice, Do, Inner, Pause, Script, Seen, Spawn, Think, Thought, Watch
from cruxfinder.rules import crux, flood, stages

THINK_MS: Final = (3_000, 8_000)
IDLE_MS: Final = (1_500, 4_000)
START_MS: Final = (0, 4_000)
TICK_MS: Final = 5_000
AT_ONCE: Final = 3  # thoughts under way that nobody owes: enough to overlap, few enough to hear each other
HOLDS_MAX: Final = 20
MONOLOGUE_MS: Final = 15_000


def opening(agents: tuple[AgentId, ...], dice: Dice) -> Script:
    """First positions are taken before anybody speaks; then everything starts."""
    asks = tuple(AskFirst(agent=a) for a in agents)
    seen = yield Think(asks, 0)
    firsts = [(ask.agent, answer) for ask, answer in zip(asks, seen.answers, strict=True)]
    for agent, answer in firsts:
        if isinstance(answer, Failed):
            yield Do(NoteFailure(agent=agent, ask="first", reason=answer.reason))
    yield Do(RecordFirst(firsts=tuple((agent, answer) for agent, answer in firsts if isinstance(answer, First))))
    yield Spawn(crystalliser(dice))
    yield Spawn(watchman())
    for agent in agents:
        yield Spawn(speaker(agent, dice))


def watchman() -> Script:
    """Lets the moderator's clock run, for those who owe something and stay silent."""
    while True:
        yield Pause(TICK_MS)
        yield Do(Tick())


def crystalliser(dice: Dice) -> Script:
    """Asks the private questions a thread waits for, and brings in the devil's advocate once it has a seat."""
    joined = False
    seen = yield Pause(0)
    while True:
        if not joined and any(seat.id == ADVOCATE for seat in seen.debate.seats):
            joined = True
            seen = yield Spawn(speaker(ADVOCATE, dice))
        needed = next(((t, d) for t in seen.debate.active if (d := due(seen.debate, t)) is not None), None)
        if needed is None:
            seen = yield Watch()
        elif isinstance(needed[1], Probes):
            seen = yield from probe(needed[0], needed[1])
        else:
            seen = yield from hear_judgements(seen.debate, needed[0], needed[1])


def probe(thread: Thread, needed: Probes) -> Inner:
    asks = tuple(
        AskProbe(
            agent=agent,
            thread=thread.id,
            phase=needed.phase,
            round=needed.round,
            heard=len(thread.messages),
            questions=tuple(as_question(c) for c in needed.candidates),
        )
        for agent in needed.agents
    )
    seen = yield Think(asks, 0)
    for ask, answer in zip(asks, seen.answers, strict=True):
        if isinstance(answer, Failed):
            yield Do(NoteFailure(agent=ask.agent, ask="probe", reason=answer.reason))
        probed = answer if isinstance(answer, Probed) else None
        command = RecordProbe(agent=ask.agent, thread=thread.id, phase=ask.phase, round=ask.round, probed=probed)
        seen = yield Do(command)
    return seen


def as_question(c: Candidate) -> Question:
    return Question(id=c.id, question=c.question, yes_means=c.yes_means, no_means=c.no_means)


def hear_judgements(debate: Debate, thread: Thread, needed: Judgement) -> Inner:
    question = candidate(thread, thread.crux)
    assert question is not None, "only a locked question is judged"
    sides = crux.positions_now(thread)
    asks = tuple(
        AskJudge(
            agent=agent,
            thread=thread.id,
            heard=len(thread.messages),
            question=question.question,
            side=sides.get(agent, Side.UNCERTAIN),
            statement=crux.statement(thread, agent),
            version=needed.version,
        )
        for agent in debate.agents
    )
    seen = yield Think(asks, 0)
    judged: list[tuple[AgentId, Judged | None]] = []
    for ask, answer in zip(asks, seen.answers, strict=True):
        if isinstance(answer, Failed):
            yield Do(NoteFailure(agent=ask.agent, ask="judge", reason=answer.reason))
        judged.append((ask.agent, answer if isinstance(answer, Judged) else None))
    return (yield Do(Judge(thread=thread.id, judgements=tuple(judged))))


def speaker(me: AgentId, dice: Dice) -> Script:
    """Serve what is owed; else speak where it fits; else stay silent."""
    seen = yield Pause(dice.between(me, "start", *START_MS))
    while True:
        length = dice.between(me, "think", *THINK_MS)
        early = flood.ready_ms(seen.debate, me) - length - seen.now_ms
        if early > 0:
            seen = yield Pause(early)
        wish = wanted(seen, me, seen.now_ms + length)
        if wish is None:
            seen = yield Pause(dice.between(me, "idle", *IDLE_MS))
        else:
            seen = yield from speak(me, wish, length, dice)


def wanted(seen: Seen, me: AgentId, at_ms: int) -> AskDraft | None:
    """What to draft now, for publication at `at_ms`; None is silence."""
    for thread in seen.debate.active:
        if waits(seen.debate, thread):
            continue
        duties = owed(seen.debate, thread).get(me, ())
        if duties:
            return ask_for(thread, me, duties[0])
        if free_to_speak(seen, thread, me, at_ms):
            return ask_for(thread, me, None)
    return None


def ask_for(thread: Thread, me: AgentId, duty: Duty | None) -> AskDraft:
    allowed = stages.ALLOWED[thread.stage] if duty is None else (duty.move,)
    return AskDraft(agent=me, thread=thread.id, allowed=allowed, heard=len(thread.messages), duty=duty)


def free_to_speak(seen: Seen, thread: Thread, me: AgentId, at_ms: int) -> bool:
    """No call is spent on a draft that could not be published: budget and slot are reserved first."""
    if thread.stage is Stage.CRUX_LOCK or (me == ADVOCATE and thread.stage is not Stage.DISCOVERY):
        return False
    unowed = reserved(seen.thoughts, thread.id)
    if unowed >= AT_ONCE or stages.left(seen.debate, thread) <= unowed:
        return False
    said = [m for m in thread.messages if m.agent != MODERATOR][-1:]
    monologue = bool(said) and said[0].agent == me and seen.now_ms - said[0].at_ms < MONOLOGUE_MS
    return not monologue and flood.has_slot(seen.debate, thread, at_ms, unowed)


def reserved(thoughts: tuple[Thought, ...], thread: ThreadId) -> int:
    return sum(t.thread == thread and not t.owed for t in thoughts)


def speak(me: AgentId, wish: AskDraft, length: int, dice: Dice) -> Inner:
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
        seen = yield from publish(me, ask, answer.draft, seen, cooldown_ms)
        refused = last_refusal(seen, me)
        if refused is None:
            return seen
        if refused.outcome != "revise" or not still_wanted(seen.debate, ask):
            return (yield Pause(cooldown_ms))
        length = dice.between(me, "think", *THINK_MS)
        heard = len(seen.debate.threads[ask.thread].messages)
        ask = replace(ask, refused=refused.refusals, attempt=ask.attempt + 1, heard=heard)


def publish(me: AgentId, ask: AskDraft, draft: Draft, seen: Seen, cooldown_ms: int) -> Inner:
    """Say it, waiting for as long as only time stands against it. A draft its stage has left behind is dropped."""
    for hold in range(HOLDS_MAX):
        attempt = ask.attempt if still_wanted(seen.debate, ask) else ATTEMPTS_MAX
        say = Say(
            agent=me,
            thread=ask.thread,
            draft=draft,
            duty=ask.duty,
            attempt=attempt,
            cooldown_ms=cooldown_ms,
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
    if thread.over or waits(debate, thread):
        return False
    if ask.duty is None:
        return ask.allowed == stages.ALLOWED[thread.stage]
    return any(
        (d.move, d.about, d.message) == (ask.duty.move, ask.duty.about, ask.duty.message)
        for d in owed(debate, thread).get(ask.agent, ())
    )


def last_refusal(seen: Seen, me: AgentId) -> MessageRefused | None:
    """The refusal of the draft just said, if it was not published."""
    if any(isinstance(e, MessagePosted) for e in seen.events):
        return None
    return next((e for e in seen.events if isinstance(e, MessageRefused) and e.agent == me), None)
