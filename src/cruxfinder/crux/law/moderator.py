"""When the moderator steps in and what it says: MOD-1 to MOD-4, and MOD-5 (each step is an event with its cause)."""

from typing import Final

from cruxfinder.crux.law import lock, proposed_questions, stages, threads
from cruxfinder.crux.law.framing import frame_as_question
from cruxfinder.crux.moves import Claim, Concede, ProposeCrux, Reframe
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Candidate, Thread
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.run_facts import name_of
from cruxfinder.kernel.vocabulary import MODERATOR, AgentId, RuleId, Side, Stage
from cruxfinder.language.english.texts import keywords

ORBIT: Final = RuleId("MOD-1")
ADRIFT: Final = RuleId("MOD-2")
ASK_FALSIFIERS: Final = RuleId("MOD-3")
FRAME: Final = RuleId("MOD-4")

ASK_SPAN: Final = "Which span of time do you speak of? Say it, and whether another one would change your answer."

ORBIT_MESSAGES: Final = 8
ORBIT_REPETITION: Final = 2.0
ADRIFT_AFTER: Final = 12
FRAME_AT: Final = 20


def has_intervened(thread: Thread, cause: RuleId) -> bool:
    return any(i.cause == cause and i.at_ms >= thread.stage_ms for i in thread.interventions)


def is_orbiting(debate: Debate, thread: Thread) -> bool:
    """Eight messages without a concession or a new question, and the same words over and over."""
    if ORBIT in debate.settings.off or thread.stage is Stage.CRUX_LOCK:
        return False
    said = [m for m in thread.stage_messages if m.agent != MODERATOR][-ORBIT_MESSAGES:]
    if len(said) < ORBIT_MESSAGES or any(isinstance(m.move, Concede | ProposeCrux) for m in said):
        return False
    if any(i.cause == ORBIT and i.at_ms >= said[0].at_ms for i in thread.interventions):
        return False
    words = [word for m in said for word in keywords(m.content)]
    return len(words) > ORBIT_REPETITION * len(set(words))


def orbit_text(thread: Thread) -> str:
    if thread.stage is Stage.EVIDENCE:
        return "This goes in circles. Say which point you grant, or name the question behind this one."
    return "This goes in circles. Commit to one question that can be answered with YES or NO, and say what each means."


def is_adrift(debate: Debate, thread: Thread) -> bool:
    """Twelve messages of DISCOVERY and no sign of convergence: do they speak of the same span of time?"""
    if ADRIFT in debate.settings.off or thread.stage is not Stage.DISCOVERY or has_intervened(thread, ADRIFT):
        return False
    said = sum(m.agent != MODERATOR for m in thread.messages)
    return said >= ADRIFT_AFTER and threads.convergence_signal(thread) == 0.0


def agents_to_ask_for_falsifiers(debate: Debate, thread: Thread) -> tuple[AgentId, ...]:
    """Everybody has committed and some commitments have no falsifier: ask for them, once a stage."""
    if (
        ASK_FALSIFIERS in debate.settings.off
        or thread.stage is not Stage.CRUX_LOCK
        or has_intervened(thread, ASK_FALSIFIERS)
    ):
        return ()
    waiting = [a for a in threads.members(debate, thread) if a not in thread.commitments and a not in thread.excused]
    return () if waiting else lock.agents_without_falsifier(thread)


def must_frame(debate: Debate, thread: Thread) -> bool:
    """DISCOVERY at its max, or 20 messages of a thread, and no candidate yet."""
    if FRAME in debate.settings.off or thread.stage is not Stage.DISCOVERY or thread.candidates:
        return False
    said = sum(m.agent != MODERATOR for m in thread.messages)
    spent = stages.messages_left(debate, thread) <= 0 or said >= FRAME_AT or thread.stale
    return spent and frame_question(debate, thread) is not None


def frame_question(debate: Debate, thread: Thread) -> ProposeCrux | None:
    """The most disputed claim as a question: one that is not the topic itself before the reason of one that is,
    challenged before unchallenged, then the most confident."""

    def dispute_rank(place: int) -> tuple[bool, bool, float, int]:
        message = thread.claims[place]
        assert isinstance(message.move, Claim)
        other = not proposed_questions.asks_topic(debate, message.move.proposition)
        return other, message.id in thread.challenged, message.move.confidence, -place

    for place in sorted(range(len(thread.claims)), key=dispute_rank, reverse=True):
        best = thread.claims[place].move
        assert isinstance(best, Claim)
        source = proposed_questions.question_source(debate, best)
        if source is not None:
            return frame_as_question(source)
    return frame_last_reframe(debate, thread)


def frame_last_reframe(debate: Debate, thread: Thread) -> ProposeCrux | None:
    """Nobody claimed anything but the topic: the last question somebody said matters more."""
    framings = [m.move.question.strip() for m in thread.messages if isinstance(m.move, Reframe)]
    asked = next((q for q in reversed(framings) if not proposed_questions.asks_topic(debate, q)), None)
    if asked is None:
        return None
    question = asked if asked.endswith("?") else f"{asked.rstrip('.')}?"
    return ProposeCrux(question=question, yes_means=f"YES to: {question}", no_means=f"NO to: {question}")


def framing_text(move: ProposeCrux) -> str:
    return f"Nobody has named the question yet, so here is one to disagree about: {move.question}"


def falsifier_text(debate: Debate, agents: tuple[AgentId, ...]) -> str:
    return (
        f"{join_names(debate, agents)}: what would change your mind? Name what you would watch, how much, and by when."
    )


def advocate_text() -> str:
    return (
        "Six messages and nobody disputes anything. A devil's advocate joins to argue the other side; it has no vote."
    )


def join_names(debate: Debate, agents: tuple[AgentId, ...]) -> str:
    said = [name_of(debate, a) for a in agents]
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"


def rung_text(question: Candidate, missing: tuple[Refusal, ...], rung: int) -> str:
    """What is said after the first, the second and the third failed lock."""
    open_points = "; ".join(m.remedy for m in missing)
    if rung == 1:
        return f"The question is not locked yet. Still open: {open_points}."
    if rung == lock.REFRAME_AT:
        yes, no = question.yes_means.rstrip(". "), question.no_means.rstrip(". ")
        choice = f"{question.question} YES: {yes}. NO: {no}."
        return f"Take it as a plain choice. {choice} Still open: {open_points}."
    drafted = "I have drafted the falsifiers that are missing; accept them or replace them."
    return f"Last round. {drafted if lacks_falsifiers(missing) else ''} Still open: {open_points}.".replace("  ", " ")


def lacks_falsifiers(missing: tuple[Refusal, ...]) -> bool:
    return any(m.rule == lock.FALSIFIABLE for m in missing)


def draft_falsifier(thread: Thread, agent: AgentId) -> Falsifier:
    """A falsifier in the agent's place: the other side's own, turned round, or the question's plain answer."""
    own = thread.commitments[agent]
    for agent_, helds in thread.falsifiers.items():
        rival = thread.commitments.get(agent_)
        if helds and rival is not None and rival.side is not own.side:
            f = helds[-1].falsifier
            return Falsifier(
                metric=f.metric,
                threshold=f"the opposite of this is recorded: {f.threshold}",
                deadline=f.deadline,
                reasoning="drafted by the moderator from the other side's falsifier",
            )
    other = Side.NO if own.side is Side.YES else Side.YES
    return Falsifier(
        metric="independent reviews of the locked question",
        threshold=f"at least two of them answer {other}",
        deadline="within 5 years",
        reasoning="drafted by the moderator from the question",
    )
