"""What an observer is told of each event: one line, the same for pipes, transcripts, the live view, page and report."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal, assert_never

from cruxfinder.crux import events
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
from cruxfinder.crux.thread import Message, Thread, find_candidate, find_message
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.run_facts import (
    AskFailed,
    DebateComplete,
    DebateForked,
    DebateStarted,
    RunEvent,
    RunState,
    name_of,
)
from cruxfinder.kernel.vocabulary import MODERATOR, AgentId, CandidateId, MessageId, Stage, ThreadId
from cruxfinder.language.counts import count_phrase, percent
from cruxfinder.protocols.any_run import AnyEvent, AnyState
from cruxfinder.protocols.registry import evolve
from cruxfinder.talk.events import (
    PivotForced,
    SynthesisGiven,
    TurnRefused,
    TurnSpoken,
    UserAnswered,
    UserQuestion,
)
from cruxfinder.telling.terminal_text import clean, seconds
from cruxfinder.telling.thread_lines import ThreadNews, intervention_summary, news
from cruxfinder.telling.wording import DIRECTIONS, FATES, GRADES, HOUSE, MOVES, describe_move, side_word

Group = Literal[
    "messages", "refusals", "threads", "locks", "positions", "steelmans", "cruxes", "figures", "private", "debate"
]
Tone = Literal["message", "refusal", "moderator", "stage", "lock", "failure", "change", "note"]

PrivateAnswer = events.FirstPosition | events.ProbeAnswered | events.RelationAnswered | events.GradingTested
Effect = (
    events.CommitmentMade
    | events.FalsifierDeclared
    | events.SteelmanAttempt
    | events.SteelmanGraded
    | events.EvidenceProvided
    | events.Conceded
)
TurnEvent = TurnSpoken | TurnRefused | PivotForced | SynthesisGiven | UserQuestion | UserAnswered
DebateEvent = (
    events.ThreadEvent
    | ThreadNews
    | PrivateAnswer
    | Effect
    | events.MessagePosted
    | events.StageTransition
    | events.ModeratorIntervention
    | events.CruxExtracted
)

TAG: Final = 3  # t1 to t99
STAGES: Final = {
    Stage.DISCOVERY: "what it may turn on",
    Stage.CRUX_LOCK: "",  # the question itself
    Stage.EVIDENCE: "what bears on what would change their minds",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class EventLine:
    at_ms: int
    group: Group
    tone: Tone
    text: str
    agent: AgentId | None = None
    name: str = ""
    badge: str = ""
    detail: str = ""  # what the move says in one or two words: a side, a grade, whom it answers
    thread: ThreadId | None = None  # None: about the debate as a whole
    quiet: bool = False  # for whoever reads everything; a transcript leaves it out


def line_of(state: AnyState, event: AnyEvent) -> EventLine:
    """The line for an event, given the run right after it. Every event of every protocol has one."""
    match event:
        case DebateStarted() | DebateForked() | AskFailed() | DebateComplete():
            line = describe_run_event(state, event)
        case TurnSpoken() | TurnRefused() | PivotForced() | SynthesisGiven() | UserQuestion() | UserAnswered():
            line = describe_turn_event(state, event)
        case _:
            assert isinstance(state, Debate), "only a debate for its crux has such events"
            line = describe_event(state, event)
    thread: ThreadId | None = getattr(event, "thread", None)
    return line if thread is None else replace(line, thread=thread)


def lines_of(log: Iterable[AnyEvent]) -> Iterator[EventLine]:
    """The lines of a log, from its first event."""
    state: AnyState | None = None
    for event in log:
        state = evolve(state, event)
        yield line_of(state, event)


def line_fields(line: EventLine) -> dict[str, str]:
    """A line as it goes over the wire beside its event, which has its time, thread and agent."""
    held = {"group": line.group, "tone": line.tone, "name": line.name, "badge": line.badge, "detail": line.detail}
    return {name: text for name, text in {**held, "text": line.text}.items() if text}


def describe_event(debate: Debate, event: DebateEvent) -> EventLine:
    match event:
        case events.MessagePosted():
            return EventLine(
                at_ms=event.at_ms,
                group="messages",
                tone="message",
                agent=event.agent,
                name=clean(name_of(debate, event.agent)),
                badge=event.move.kind.value,
                detail=clean(detail(debate, debate.threads[event.thread], event.move)),
                text=clean(event.content),
            )
        case events.MessageRefused():
            return describe_refusal(debate, event)
        case events.ModeratorIntervention():
            return EventLine(
                at_ms=event.at_ms,
                group="messages",
                tone="moderator",
                agent=MODERATOR,
                name=HOUSE[MODERATOR],
                badge=event.cause,
                detail=intervention_summary(debate, event),
                text=clean(event.content),
            )
        case events.StageTransition():
            text = STAGES[event.entered] or question(debate.threads[event.thread], event.candidate)
            return note(event, "threads", "stage", event.entered.value, text)
        case events.LockAttempted():
            return note(event, "locks", "note", "LOCK", f"try {event.attempt}", quiet=True)
        case events.LockSucceeded():
            return note(event, "locks", "lock", "LOCKED", question(debate.threads[event.thread], event.candidate))
        case events.LockFailed():
            more = f"; {event.granted} more messages" if event.granted else ""
            text = f"try {event.attempt}: {reasons(event.missing)}{more}"
            return note(event, "locks", "failure", "LOCK FAILED", text)
        case events.PositionUpdated():
            text = f"{describe_move(event.before, event.after)} on the {event.on}: {event.label.value}"
            return agent_line(debate, event.at_ms, event.agent, "change", "CHANGED SIDE", text, group="positions")
        case events.CruxExtracted(failures=failures) if failures:
            return note(event, "cruxes", "failure", "NOT VALIDATED", reasons(failures))
        case events.CruxExtracted():
            asked = question(debate.threads[event.thread], event.candidate)
            return note(event, "cruxes", "lock", "CRUX", asked, quiet=True)
        case events.CruxChallenged():
            text = clean(event.objection)
            return agent_line(debate, event.at_ms, event.agent, "note", "OBJECTION", text, group="cruxes")
        case events.AgentSilent():
            text = f"owed {MOVES[event.owed]} for too long"
            return agent_line(debate, event.at_ms, event.agent, "note", "EXCUSED", text, group="positions")
        case events.DcgCalculated():
            weighed = count_phrase(len(event.figures), "question")
            text = f"the camps are {event.gap:.2f} apart in private, {weighed} tested ({event.phase.value.lower()})"
            again = [f.candidate for f in event.figures if f.repeats_topic]
            if again:
                text += (
                    f"; {' and '.join(again)} reads like the topic and is answered as it: no crux, but the topic again"
                )
            return note(event, "figures", "note", "WEIGHED", text, quiet=True)
        case events.FirstPosition() | events.ProbeAnswered() | events.RelationAnswered() | events.GradingTested():
            return describe_private_answer(debate, event)
        case (
            events.CommitmentMade()
            | events.FalsifierDeclared()
            | events.SteelmanAttempt()
            | events.SteelmanGraded()
            | events.EvidenceProvided()
            | events.Conceded()
        ):
            return describe_effect(debate, event)
        case (
            events.ThreadStale()
            | events.ThreadConverged()
            | events.ThreadFailed()
            | events.ThreadCreated()
            | events.ThreadProposed()
            | events.ThreadMerged()
        ):
            return thread_note(debate, event, "threads")
        case events.CruxPromoted() | events.CruxesRelated():
            return thread_note(debate, event, "cruxes")
        case events.CoalitionDetected():
            return thread_note(debate, event, "positions")
        case events.GlobalConvergence():
            return thread_note(debate, event, "debate")
        case _:
            assert_never(event)


def describe_private_answer(debate: Debate, event: PrivateAnswer) -> EventLine:
    """What was answered in private; it is told once the debate is over."""
    match event:
        case events.FirstPosition():
            badge, text = "FIRST", f"{percent(event.p_top)} for it ({side_word(event.side)}): {clean(event.reason)}"
        case events.ProbeAnswered():
            badge = "PROBE"
            held = "gave no answer" if event.failed else f"{percent(event.p_top)} for the topic"
            text = f"{held} ({event.phase.value.lower()})"
        case events.RelationAnswered():
            badge, text = "RELATION", f"weighs how {event.first} bears on {event.second}"
        case events.GradingTested():
            badge = "PLANTED"
            graded = "gave no answer" if event.grade is None else f"finds it {GRADES[event.grade]}"
            text = f"was given a wrong steelman and {graded}"
    return agent_line(debate, event.at_ms, event.agent, "note", badge, text, group="private", quiet=True)


def describe_effect(debate: Debate, event: Effect) -> EventLine:
    """What a message counts for, told beside the message itself."""
    thread = debate.threads[event.thread]
    group: Group = "positions"
    by = author_id(debate, thread, event.message)
    move = message_move(debate, thread, event.message)
    match event:
        case events.CommitmentMade():
            badge, text = "COMMITTED", side_word(move.side) if isinstance(move, Commit) else ""
        case events.FalsifierDeclared():
            said = None if by is None else next((f for f in thread.falsifiers[by] if f.number == event.number), None)
            badge = "TEST"
            text = "" if said is None else clean(f"{said.falsifier.metric}: {said.falsifier.threshold}")
        case events.SteelmanAttempt():
            group, badge = "steelmans", "STEELMAN"
            whom = clean(name_of(debate, move.target)) if isinstance(move, Steelman) else "somebody"
            text = f"of {whom}, try {event.attempt}"
        case events.SteelmanGraded():
            group, badge, by = "steelmans", "GRADED", event.by
            text = f"{clean(author_of(debate, thread, event.steelman))}'s steelman is {GRADES[event.grade]}"
        case events.EvidenceProvided():
            badge = "EVIDENCE"
            text = clean(detail(debate, thread, move)) if move is not None else ""
        case events.Conceded():
            badge, text = "GRANTED", "a point, at no cost" if event.cheap else "a point"
    who = MODERATOR if by is None else by
    return agent_line(debate, event.at_ms, who, "note", badge, text, group=group, quiet=True)


def thread_note(debate: Debate, event: ThreadNews, group: Group) -> EventLine:
    told = news(debate, event)
    return note(event, group, told.tone, told.badge, clean(told.text), quiet=told.quiet)


def describe_run_event(state: RunState, event: RunEvent) -> EventLine:
    """Lines for what happens in every run."""
    match event:
        case DebateStarted():
            return note(event, "debate", "stage", "START", clean(event.topic), quiet=True)
        case AskFailed():
            text = f"gave no answer ({event.ask}): {clean(event.reason)}"
            return agent_line(state, event.at_ms, event.agent, "failure", "FAILED", text, group="refusals")
        case DebateForked():
            text = f"from {event.parent} after event {event.at}: {clean(', '.join(event.changes)) or 'no change'}"
            return note(event, "debate", "stage", "FORK", text)
        case DebateComplete():
            return note(event, "debate", "stage", "END", clean(f"{event.verdict}: {event.why}"))


def describe_turn_event(state: RunState, event: TurnEvent) -> EventLine:
    """Lines for a conversation."""
    match event:
        case TurnSpoken():
            badge, text = event.turn.type.value.upper(), clean(event.turn.content)
            return agent_line(state, event.at_ms, event.agent, "message", badge, text, group="messages")
        case TurnRefused():
            rules = "; ".join(f"{r.rule} {clean(r.reason)}" for r in event.refusals)
            badge, text = event.type.value.upper(), f"sent back: {rules}"
            return agent_line(state, event.at_ms, event.agent, "refusal", badge, text, group="refusals")
        case PivotForced():
            source = f" ({clean(event.source)})" if event.source else ""
            text = f"{event.cause} to {event.to}: {clean(event.text)}{source}"
            return note(event, "threads", "moderator", "PIVOT", text)
        case SynthesisGiven():
            return note(event, "cruxes", "note", "NEXT STEP", clean(event.next_step))
        case UserQuestion():
            text = clean(event.question)
            return agent_line(state, event.at_ms, event.agent, "moderator", "ASKS YOU", text, group="messages")
        case UserAnswered():
            return note(event, "messages", "note", "YOU", clean(event.answer) or "no answer")


def note(event: AnyEvent, group: Group, tone: Tone, badge: str, text: str, *, quiet: bool = False) -> EventLine:
    """A line that nobody in particular says."""
    return EventLine(at_ms=event.at_ms, group=group, tone=tone, badge=badge, text=text, quiet=quiet)


def agent_line(
    state: RunState,
    at_ms: int,
    agent: AgentId,
    tone: Tone,
    badge: str,
    text: str,
    *,
    group: Group,
    quiet: bool = False,
) -> EventLine:
    name = HOUSE.get(agent) or clean(name_of(state, agent))
    return EventLine(at_ms=at_ms, group=group, tone=tone, agent=agent, name=name, badge=badge, text=text, quiet=quiet)


def describe_refusal(debate: Debate, event: events.MessageRefused) -> EventLine:
    rules = "; ".join(f"{r.rule} {clean(r.reason)}" for r in event.refusals)
    fate = FATES[event.outcome]
    return replace(
        agent_line(debate, event.at_ms, event.agent, "refusal", event.move.value, rules, group="refusals"), detail=fate
    )


def reasons(refusals: tuple[Refusal, ...]) -> str:
    return clean("; ".join(r.reason for r in refusals))


def question(thread: Thread, id: CandidateId) -> str:
    asked = find_candidate(thread, id)
    return "" if asked is None else clean(asked.question)


def detail(debate: Debate, thread: Thread, move: Move) -> str:
    match move:
        case Claim(top_side=side):
            return side_word(side)
        case Commit(side=side):
            return side_word(side)
        case Challenge(target=target) | ChallengeEvidence(target=target):
            return f"→ {author_of(debate, thread, target)}"
        case Steelman(target=target):
            return f"→ {name_of(debate, target)}"
        case GradeSteelman(target=target, grade=grade):
            return f"{grade.value} → {author_of(debate, thread, target)}"
        case ProvideEvidence(direction=direction, falsifier_of=owner):
            return f"{DIRECTIONS[direction]} {name_of(debate, owner)}'s test"
        case UpdatePosition(side_before=before, side_after=after) if before is not after:
            return describe_move(before, after)
        case UpdatePosition(side_after=side):
            return f"{side_word(side)} {percent(move.confidence_before)} → {percent(move.confidence_after)}"
        case Concede(top_changed=changed, side_after=after):
            return f"now {side_word(after)}" if changed and after is not None else ""
        case _:
            return ""


def posted_message(debate: Debate, thread: Thread, message: MessageId) -> Message | None:
    threads = (thread, *debate.threads.values())
    return next((m for t in threads if (m := find_message(t, message)) is not None), None)


def author_id(debate: Debate, thread: Thread, message: MessageId) -> AgentId | None:
    found = posted_message(debate, thread, message)
    return None if found is None else found.agent


def message_move(debate: Debate, thread: Thread, message: MessageId) -> Move | None:
    found = posted_message(debate, thread, message)
    return None if found is None else found.move


def author_of(debate: Debate, thread: Thread, message: MessageId) -> str:
    found = author_id(debate, thread, message)
    return "?" if found is None else name_of(debate, found)


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
