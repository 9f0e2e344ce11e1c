"""What an observer is told of each event: one line, the same for pipes, transcripts and the live view."""

from dataclasses import dataclass, replace
from typing import Final, Literal

from cruxfinder.crux.events import (
    AgentSilent,
    CruxChallenged,
    CruxExtracted,
    LockFailed,
    LockSucceeded,
    MessagePosted,
    MessageRefused,
    ModeratorIntervention,
    PositionUpdated,
    StageTransition,
)
from cruxfinder.crux.moves import (
    Challenge,
    ChallengeEvidence,
    Claim,
    Commit,
    Concede,
    GradeSteelman,
    Move,
    ProvideEvidence,
    Steelman,
    UpdatePosition,
)
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread, find_candidate, find_message
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.run_facts import AskFailed, DebateComplete, DebateForked, RunState, name_of
from cruxfinder.kernel.vocabulary import MODERATOR, AgentId, CandidateId, MessageId, Stage, ThreadId
from cruxfinder.language.counts import percent
from cruxfinder.protocols.any_run import AnyEvent, AnyState
from cruxfinder.talk.events import (
    PivotForced,
    SynthesisGiven,
    TurnRefused,
    TurnSpoken,
    UserAnswered,
    UserQuestion,
)
from cruxfinder.telling.terminal_text import clean, seconds
from cruxfinder.telling.thread_lines import intervention_summary, news
from cruxfinder.telling.wording import DIRECTIONS, FATES

Tone = Literal["message", "refusal", "moderator", "stage", "lock", "failure", "change", "note"]

TAG: Final = 3  # t1 to t99
STAGES: Final = {
    Stage.DISCOVERY: "what it may turn on",
    Stage.CRUX_LOCK: "",  # the question itself
    Stage.EVIDENCE: "what bears on what would change their minds",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class EventLine:
    at_ms: int
    tone: Tone
    text: str
    agent: AgentId | None = None
    name: str = ""
    badge: str = ""
    detail: str = ""  # what the move says in one or two words: a side, a grade, whom it answers
    thread: ThreadId | None = None  # None: about the debate as a whole


def line_of(state: AnyState, event: AnyEvent) -> EventLine | None:
    """The line for an event, given the run right after it; None where there is nothing to tell."""
    line = describe_event(state, event) if isinstance(state, Debate) else describe_turn_event(state, event)
    thread: ThreadId | None = getattr(event, "thread", None)
    return line if line is None or thread is None else replace(line, thread=thread)


def describe_event(debate: Debate, event: AnyEvent) -> EventLine | None:
    match event:
        case MessagePosted():
            return EventLine(
                at_ms=event.at_ms,
                tone="message",
                agent=event.agent,
                name=clean(name_of(debate, event.agent)),
                badge=event.move.kind.value,
                detail=clean(detail(debate, debate.threads[event.thread], event.move)),
                text=clean(event.content),
            )
        case MessageRefused():
            return describe_refusal(debate, event)
        case ModeratorIntervention():
            return EventLine(
                at_ms=event.at_ms,
                tone="moderator",
                agent=MODERATOR,
                name="Moderator",
                badge=event.cause,
                detail=intervention_summary(debate, event),
                text=clean(event.content),
            )
        case StageTransition():
            text = STAGES[event.entered] or question(debate.threads[event.thread], event.candidate)
            return EventLine(at_ms=event.at_ms, tone="stage", badge=event.entered.value, text=text)
        case LockSucceeded():
            asked = question(debate.threads[event.thread], event.candidate)
            return EventLine(at_ms=event.at_ms, tone="lock", badge="LOCKED", text=asked)
        case LockFailed():
            more = f"; {event.granted} more messages" if event.granted else ""
            text = f"try {event.attempt}: {reasons(event.missing)}{more}"
            return EventLine(at_ms=event.at_ms, tone="failure", badge="LOCK FAILED", text=text)
        case _:
            return note_of(debate, event)


def note_of(debate: Debate, event: AnyEvent) -> EventLine | None:
    """Lines for what is rarer than speech."""
    match event:
        case PositionUpdated():
            text = f"{event.before} → {event.after} on the {event.on}: {event.label.value}"
            return agent_line(debate, event.at_ms, event.agent, "change", "CHANGED SIDE", text)
        case CruxExtracted(failures=failures) if failures:
            return EventLine(at_ms=event.at_ms, tone="failure", badge="NOT VALIDATED", text=reasons(failures))
        case CruxChallenged():
            return agent_line(debate, event.at_ms, event.agent, "note", "OBJECTION", clean(event.objection))
        case AgentSilent():
            return agent_line(debate, event.at_ms, event.agent, "note", "EXCUSED", f"owed {event.owed} for too long")
        case _:
            told = news(debate, event)
            if told is None:
                return describe_run_event(debate, event)
            return EventLine(at_ms=event.at_ms, tone=told.tone, badge=told.badge, text=clean(told.text))


def describe_run_event(state: RunState, event: AnyEvent) -> EventLine | None:
    """Lines for what happens in every run."""
    match event:
        case AskFailed():
            text = f"gave no answer ({event.ask}): {clean(event.reason)}"
            return agent_line(state, event.at_ms, event.agent, "failure", "FAILED", text)
        case DebateForked():
            text = f"from {event.parent} after event {event.at}: {clean(', '.join(event.changes)) or 'no change'}"
            return EventLine(at_ms=event.at_ms, tone="stage", badge="FORK", text=text)
        case DebateComplete():
            return EventLine(at_ms=event.at_ms, tone="stage", badge="END", text=clean(f"{event.verdict}: {event.why}"))
        case _:
            return None


def describe_turn_event(state: RunState, event: AnyEvent) -> EventLine | None:
    """Lines for a conversation."""
    match event:
        case TurnSpoken():
            badge = event.turn.type.value.upper()
            return agent_line(state, event.at_ms, event.agent, "message", badge, clean(event.turn.content))
        case TurnRefused():
            rules = "; ".join(f"{r.rule} {clean(r.reason)}" for r in event.refusals)
            return agent_line(
                state, event.at_ms, event.agent, "refusal", event.type.value.upper(), f"sent back: {rules}"
            )
        case PivotForced():
            source = f" ({clean(event.source)})" if event.source else ""
            text = f"{event.cause} to {event.to}: {clean(event.text)}{source}"
            return EventLine(at_ms=event.at_ms, tone="moderator", badge="PIVOT", text=text)
        case SynthesisGiven():
            return EventLine(at_ms=event.at_ms, tone="note", badge="NEXT STEP", text=clean(event.next_step))
        case UserQuestion():
            return agent_line(state, event.at_ms, event.agent, "moderator", "ASKS YOU", clean(event.question))
        case UserAnswered():
            return EventLine(at_ms=event.at_ms, tone="note", badge="YOU", text=clean(event.answer) or "no answer")
        case _:
            return describe_run_event(state, event)


def agent_line(state: RunState, at_ms: int, agent: AgentId, tone: Tone, badge: str, text: str) -> EventLine:
    return EventLine(at_ms=at_ms, tone=tone, agent=agent, name=clean(name_of(state, agent)), badge=badge, text=text)


def describe_refusal(debate: Debate, event: MessageRefused) -> EventLine:
    rules = "; ".join(f"{r.rule} {clean(r.reason)}" for r in event.refusals)
    fate = FATES[event.outcome]
    return replace(agent_line(debate, event.at_ms, event.agent, "refusal", event.move.value, rules), detail=fate)


def reasons(refusals: tuple[Refusal, ...]) -> str:
    return clean("; ".join(r.reason for r in refusals))


def question(thread: Thread, id: CandidateId) -> str:
    asked = find_candidate(thread, id)
    return "" if asked is None else clean(asked.question)


def detail(debate: Debate, thread: Thread, move: Move) -> str:
    match move:
        case Claim(top_side=side):
            return side.value
        case Commit(side=side):
            return side.value
        case Challenge(target=target) | ChallengeEvidence(target=target):
            return f"→ {author_of(debate, thread, target)}"
        case Steelman(target=target):
            return f"→ {name_of(debate, target)}"
        case GradeSteelman(target=target, grade=grade):
            return f"{grade.value} → {author_of(debate, thread, target)}"
        case ProvideEvidence(direction=direction, falsifier_of=owner):
            return f"{DIRECTIONS[direction]} {name_of(debate, owner)}'s test"
        case UpdatePosition(side_before=before, side_after=after) if before is not after:
            return f"{before.value} → {after.value}"
        case UpdatePosition(side_after=side):
            return f"{side.value} {percent(move.confidence_before)} → {percent(move.confidence_after)}"
        case Concede(top_changed=changed, side_after=after):
            return f"now {after.value}" if changed and after is not None else ""
        case _:
            return ""


def author_of(debate: Debate, thread: Thread, message: MessageId) -> str:
    threads = (thread, *debate.threads.values())
    found = next((m for t in threads if (m := find_message(t, message)) is not None), None)
    return "?" if found is None else name_of(debate, found.agent)


def tag(line: EventLine) -> str:
    return "" if line.thread is None else str(line.thread)


def plain_line(line: EventLine, width: int, *, tagged: bool = False) -> str:
    """One unwrapped line for a pipe; `width` is that of the longest name, `tagged` names the thread."""
    at = f"{seconds(line.at_ms).rjust(8)}  {tag(line).ljust(TAG)}" if tagged else seconds(line.at_ms).rjust(8)
    match line.tone:
        case "stage" | "lock" | "failure" | "note" if not line.name:
            return f"{at}  ---- {line.badge}: {line.text}"
        case "refusal":
            return f"{at}  {line.name.ljust(width)}  {line.badge} {line.detail}: {line.text}"
        case _:
            return f"{at}  {line.name.ljust(width)}  {line.badge.ljust(18)}  {line.text}"
