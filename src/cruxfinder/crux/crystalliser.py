"""The crystalliser: asks in private what threads wait for, looks across them, and opens and merges them."""

from collections.abc import Callable, Generator, Sequence
from typing import Final

from cruxfinder.crux.asks import (
    AskGrade,
    AskJudge,
    AskProbe,
    AskRelate,
    Graded,
    Judged,
    Probed,
    Question,
    Related,
)
from cruxfinder.crux.commands import Judge, MergeThreads, OpenThread, RecordProbe, RecordTest, Relate
from cruxfinder.crux.due import Compare, GroundProbes, Judgement, Probes, due_across_threads, due_in_thread
from cruxfinder.crux.law import crux_quality, threads
from cruxfinder.crux.law.planting import Plant
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Candidate, Thread, find_candidate
from cruxfinder.kernel.effects import Do, Effect, Observation, PartOfScript, Pause, Script, Spawn, Think, Watch
from cruxfinder.kernel.likeness import Likeness
from cruxfinder.kernel.run_facts import Failed, NoteFailure, lost_agents
from cruxfinder.kernel.vocabulary import ADVOCATE, AgentId, Phase, Side

ASKED_MAX: Final = 2


def crystalliser(like: Likeness, seat: Callable[[AgentId], Script[Debate]]) -> Script[Debate]:
    """Asks the private questions that threads wait for, opens and merges threads, and seats the devil's advocate."""
    joined = False
    seen = yield Pause(0)
    while True:
        debate = seen.debate
        if not joined and any(seat.id == ADVOCATE for seat in debate.seats):
            joined = True
            seen = yield Spawn(seat(ADVOCATE))
        needed = next(((t, d) for t in debate.active if (d := due_in_thread(debate, t)) is not None), None)
        if needed is not None and isinstance(needed[1], Probes):
            seen = yield from probe(debate, needed[0], needed[1])
        elif needed is not None:
            seen = yield from hear_judgements(debate, needed[0], needed[1])
        elif (step := next_rearrangement(debate, seen.now_ms, like)) is not None:
            seen = yield Do(step)
        elif (wider := due_across_threads(debate)) is not None:
            seen = yield from look_across(debate, wider, like)
        else:
            seen = yield Watch()


def next_rearrangement(debate: Debate, now_ms: int, like: Likeness) -> OpenThread | MergeThreads | None:
    """The next thread to open, or two to make one of."""
    told = next(iter(threads.openable_proposals(debate, now_ms)), None)
    if told is not None:
        apart = tuple((t.id, like.distance(told.question, threads.question_of(t))) for t in debate.active)
        return OpenThread(proposal=told.proposal, distances=apart)
    for older, younger in threads.mergeable_pairs(debate):
        distance = like.distance(threads.question_of(older), threads.question_of(younger))
        if distance < threads.APART:
            return MergeThreads(thread=younger.id, into=older.id, distance=distance)
    return None


def look_across(debate: Debate, wider: Compare | GroundProbes | Plant, like: Likeness) -> PartOfScript[Debate]:
    match wider:
        case Compare():
            return (yield from compare(debate, wider, like))
        case GroundProbes():
            return (yield from ask_common_ground(debate, wider))
        case Plant():
            return (yield from test_grading(debate, wider))


def test_grading(debate: Debate, plant: Plant) -> PartOfScript[Debate]:
    """Put a wrong steelman before the one it is said to be of."""
    ask = AskGrade(
        agent=plant.agent,
        thread=plant.thread,
        heard=len(debate.threads[plant.thread].messages),
        claim=plant.claim,
        reason=plant.reason,
        falsifier=plant.falsifier,
    )
    ((_, answer),) = yield from collect_answers(debate, (ask,))
    return (yield Do(RecordTest(plant=plant, graded=answer if isinstance(answer, Graded) else None)))


def compare(debate: Debate, needed: Compare, like: Likeness) -> PartOfScript[Debate]:
    """Everybody's private view of how two cruxes bear on each other."""
    pair = [debate.threads[id] for id in needed.pair]
    first, second = (as_question(c) for t in pair if (c := find_candidate(t, t.crux)) is not None)
    asks = tuple(
        AskRelate(agent=a, first=needed.pair[0], second=needed.pair[1], questions=(first, second))
        for a in debate.agents
    )
    answers = yield from collect_answers(debate, asks)
    given = tuple((a, answer if isinstance(answer, Related) else None) for a, answer in answers)
    distance = like.distance(first.question, second.question)
    return (yield Do(Relate(first=needed.pair[0], second=needed.pair[1], distance=distance, answers=given)))


def ask_common_ground(debate: Debate, needed: GroundProbes) -> PartOfScript[Debate]:
    """What everybody holds, in private, of the claims nobody disputed."""
    home = next(iter(debate.threads.values()))
    return (yield from put_questions(debate, home, Phase.GROUND, 1, needed.agents, needed.questions))


def probe(debate: Debate, thread: Thread, needed: Probes) -> PartOfScript[Debate]:
    questions = tuple(as_question(c) for c in needed.candidates)
    return (yield from put_questions(debate, thread, needed.phase, needed.round, needed.agents, questions))


def put_questions(
    debate: Debate,
    thread: Thread,
    phase: Phase,
    number: int,
    agents: tuple[AgentId, ...],
    questions: tuple[Question, ...],
) -> PartOfScript[Debate]:
    """Put the same private questions to each of these agents and record what they say."""
    asks = tuple(
        AskProbe(
            agent=agent,
            thread=thread.id,
            phase=phase,
            round=number,
            heard=len(thread.messages),
            questions=questions,
        )
        for agent in agents
    )
    answers = yield from collect_answers(debate, asks)
    records = [
        RecordProbe(
            agent=agent,
            thread=thread.id,
            phase=phase,
            round=number,
            probed=answer if isinstance(answer, Probed) else None,
        )
        for agent, answer in answers
    ]
    for record in records[:-1]:
        yield Do(record)
    return (yield Do(records[-1]))


def as_question(c: Candidate) -> Question:
    return Question(id=c.id, question=c.question, yes_means=c.yes_means, no_means=c.no_means)


def hear_judgements(debate: Debate, thread: Thread, needed: Judgement) -> PartOfScript[Debate]:
    question = find_candidate(thread, thread.crux)
    assert question is not None, "only a locked question is judged"
    told = crux_quality.earlier_judgements(thread)
    sides = crux_quality.positions_now(thread)
    members = threads.members(debate, thread)
    asks = tuple(
        AskJudge(
            agent=agent,
            thread=thread.id,
            heard=len(thread.messages),
            question=question.question,
            side=sides.get(agent, Side.UNCERTAIN),
            statement=crux_quality.statement(thread, agent),
            version=needed.version,
        )
        for agent in members
        if agent not in told
    )
    answers = dict((yield from collect_answers(debate, asks)))
    given = {**answers, **told}
    judged = tuple((a, answer if isinstance(answer := given[a], Judged) else None) for a in members)
    return (yield Do(Judge(thread=thread.id, judgements=judged)))


def collect_answers(
    debate: Debate, asks: Sequence[AskProbe | AskRelate | AskJudge | AskGrade]
) -> Generator[Effect[Debate], Observation[Debate], list[tuple[AgentId, object]]]:
    """What everybody says. Who cannot answer is asked once more, as much hangs on it; who is lost, not at all."""
    answers: dict[AgentId, object] = {ask.agent: Failed(reason="not asked any more") for ask in asks}
    for _ in range(ASKED_MAX):
        lost = lost_agents(debate)
        put = tuple(a for a in asks if isinstance(answers[a.agent], Failed) and a.agent not in lost)
        if not put:
            break
        seen = yield Think(put, 0)
        answers |= {ask.agent: answer for ask, answer in zip(put, seen.answers, strict=True)}
        for ask in put:
            if isinstance(answer := answers[ask.agent], Failed):
                seen = yield Do(NoteFailure(agent=ask.agent, ask=ask.kind, reason=answer.reason))
        debate = seen.debate
    return list(answers.items())
