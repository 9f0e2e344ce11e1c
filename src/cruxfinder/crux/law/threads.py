"""Threads beside one another. SPEC §10: THR-1 who gets one, THR-2 how near its end, THR-3 quiet, THR-4 two become one.

A question is talked over where it came up first. It may leave for a thread of its own once that thread has locked
another one, or at once if it is not a candidate there.
"""

from collections.abc import Callable, Iterator
from typing import Final

from cruxfinder.crux.events import ThreadProposed
from cruxfinder.crux.law import concessions, ending, flood, proposed_questions
from cruxfinder.crux.law.framing import frame_as_question
from cruxfinder.crux.moves import Claim, Concede, ProposeCrux, Reframe
from cruxfinder.crux.state import Debate, Proposal
from cruxfinder.crux.thread import Candidate, Message, Thread, find_candidate
from cruxfinder.kernel.frozen_copies import cache_on_value
from cruxfinder.kernel.vocabulary import ADVOCATE, MODERATOR, AgentId, MessageId, ProposalId, RuleId, Stage, Trigger
from cruxfinder.language.english.question_matching import compare_questions
from cruxfinder.language.english.questions import is_binary
from cruxfinder.language.english.texts import carried_share
from cruxfinder.language.reading import DraftReading

SPAWN: Final = RuleId("THR-1")
QUIET: Final = RuleId("THR-3")
MERGE: Final = RuleId("THR-4")

SUPPORTERS_MIN: Final = 2
MENTIONS_MIN: Final = 2
APART: Final = 0.3
ROOM_MS: Final = 150_000
ROOM_MESSAGES: Final = 28
ROOM_MESSAGES_AN_AGENT: Final = 4
STUCK_AFTER: Final = 15
PROPOSALS_MAX: Final = 8  # a thread
ABOUT: Final = 0.5  # of a question's words in a message that takes it up
RULED: Final = frozenset({Trigger.THREE_WAY})  # a rule opens these, nobody has to take them up

RECENT: Final = 8
ACKNOWLEDGED: Final = 3
CONCESSIONS: Final = 3
SIGNALS: Final = (0.95, 0.75, 0.6)

QUIET_MS: Final = 30_000

IsSame = Callable[[str], bool]  # is another question the same one?
VOICELESS: Final = frozenset({MODERATOR, ADVOCATE})  # who supports nothing


# ---------------------------------------------------------------- proposals


@cache_on_value
def question_of(thread: Thread) -> str:
    """What a thread is about: its locked question, the one it was opened for, or its topic."""
    locked = find_candidate(thread, thread.crux)
    if locked is not None:
        return locked.question
    return thread.candidates[0].question if thread.parent is not None and thread.candidates else thread.topic


def is_about(message: Message, topic: str, question: str) -> bool:
    return topic in message.topics or carried_share(question or topic, message.content) >= ABOUT


def open_questions(debate: Debate) -> tuple[str, ...]:
    """Every question there is: those of threads, their candidates, and those proposed."""
    found = [c.question for t in debate.threads.values() for c in t.candidates]
    found += [question_of(t) for t in debate.threads.values()]
    found += [p.told.question for p in debate.proposals.values() if p.told.question]
    return tuple(dict.fromkeys(found))


def reads_as(question: str, reading: DraftReading) -> IsSame:
    """Is another question the one a draft puts, or its contrary, as it was read?"""
    turned = reading.asks.turned if reading.asks is not None else ()
    return lambda other: other == question or other in reading.again or other in turned


def words_as(question: str) -> IsSame:
    """Is another question this one, or its contrary, by its words? For questions that are in the debate already."""
    return lambda other: compare_questions(other, question) != ""


def find_proposal(debate: Debate, is_same: IsSame) -> Proposal | None:
    return next((p for p in debate.proposals.values() if p.told.question and is_same(p.told.question)), None)


def find_candidate_thread(debate: Debate, is_same: IsSame) -> Thread | None:
    """The thread which has this question among its candidates."""
    return next((t for t in debate.threads.values() for c in t.candidates if is_same(c.question)), None)


def propose_from_message(
    debate: Debate, thread: Thread, message: Message, reading: DraftReading
) -> ThreadProposed | None:
    """The proposal a message makes: a framing, a "but what about …", or a deeper crux named in EVIDENCE."""
    if SPAWN in debate.settings.off or has_too_many_proposals(debate, thread) or message.agent in VOICELESS:
        return None
    topic = message.topics[0] if message.topics else ""
    match message.move:
        case ProposeCrux() as move if thread.stage is Stage.EVIDENCE:
            trigger, question, yes, no = Trigger.DEEPER, move.question, move.yes_means, move.no_means
        case Reframe() as move:
            question = move.question if proposed_questions.may_frame(debate, move, reading) else ""
            if reading.binary and not question:
                return None
            trigger, yes, no = Trigger.FRAMING, f"YES to: {question}", f"NO to: {question}"
            topic = topic or move.question
        case _:
            if not reading.turns_to:
                return None
            trigger, question, yes, no = Trigger.WHAT_ABOUT, "", "", ""
            topic = reading.turns_to
    is_same = reads_as(question, reading)
    if question and (find_candidate_thread(debate, is_same) is not None or find_proposal(debate, is_same) is not None):
        return None
    if not question and any(p.told.topic == topic for p in debate.proposals.values()):
        return None
    return ThreadProposed(
        at_ms=message.at_ms,
        proposal=next_id(debate),
        thread=thread.id,
        trigger=trigger,
        topic=topic or question,
        question=question,
        yes_means=yes if question else "",
        no_means=no if question else "",
        supporters=(message.agent,),
        mentions=(message.id,),
    )


def next_id(debate: Debate) -> ProposalId:
    return ProposalId(f"p{len(debate.proposals) + 1}")


def has_too_many_proposals(debate: Debate, thread: Thread) -> bool:
    return sum(p.told.thread == thread.id for p in debate.proposals.values()) >= PROPOSALS_MAX


def renewed_proposals(debate: Debate, message: Message, reading: DraftReading) -> Iterator[ThreadProposed]:
    """Proposals which a message supports, or puts as a question at last, told anew."""
    if message.agent in VOICELESS:
        return
    question_put = message.move.question if isinstance(message.move, ProposeCrux | Reframe) else ""
    asks_again = reads_as(question_put, reading)
    for proposal in debate.proposals.values():
        told = proposal.told
        move = message.move
        asked = isinstance(move, ProposeCrux | Reframe) and told.question and asks_again(told.question)
        if proposal.settled or message.id in told.mentions or (has_support(told) and told.question and not asked):
            continue
        if not asked and not is_about(message, told.topic, told.question):
            continue
        question, yes, no = told.question, told.yes_means, told.no_means
        if not question and isinstance(move, ProposeCrux) and reading.binary:
            question, yes, no = move.question, move.yes_means, move.no_means
        elif not question and isinstance(move, Claim):
            source = proposed_questions.question_source(debate, move)
            if source is None:
                continue
            framed = frame_as_question(source)
            question, yes, no = framed.question, framed.yes_means, framed.no_means
        yield ThreadProposed(
            at_ms=message.at_ms,
            proposal=told.proposal,
            thread=told.thread,
            trigger=told.trigger,
            topic=told.topic,
            question=question,
            yes_means=yes,
            no_means=no,
            supporters=tuple(dict.fromkeys((*told.supporters, message.agent))),
            mentions=(*told.mentions, message.id),
            rank=told.rank,
        )


def propose_unlocked_candidate(
    debate: Debate, thread: Thread, asked: Candidate, rank: float, trigger: Trigger, at_ms: int
) -> ThreadProposed | None:
    """A candidate that was weighed and not locked, as a proposal; None where nobody else took it up."""
    if SPAWN in debate.settings.off or has_too_many_proposals(debate, thread):
        return None
    agents, mentions = support(thread, asked)
    if trigger not in RULED and (len(agents) < SUPPORTERS_MIN or len(mentions) < MENTIONS_MIN):
        return None
    before = find_proposal(debate, words_as(asked.question))
    if before is not None and before.settled:
        return None
    return ThreadProposed(
        at_ms=at_ms,
        proposal=next_id(debate) if before is None else before.told.proposal,
        thread=thread.id,
        trigger=trigger,
        topic=topic_of(thread, asked),
        question=asked.question,
        yes_means=asked.yes_means,
        no_means=asked.no_means,
        supporters=agents,
        mentions=mentions,
        rank=rank,
    )


def topic_of(thread: Thread, asked: Candidate) -> str:
    said = next((m for m in thread.messages if m.id == asked.message), None)
    return said.topics[0] if said is not None and said.topics else asked.question


def support(thread: Thread, asked: Candidate) -> tuple[tuple[AgentId, ...], tuple[MessageId, ...]]:
    """Who spoke about a candidate, and in which messages."""
    topic = topic_of(thread, asked)
    said = [m for m in thread.messages if m.agent not in VOICELESS and is_about(m, topic, asked.question)]
    proposer = tuple(a for a in asked.proposers if a not in VOICELESS)
    own = () if asked.by in VOICELESS else (asked.message,)
    mentions = (*own, *(s.message for s in asked.seconded), *(m.id for m in said))
    return tuple(dict.fromkeys((*proposer, *(m.agent for m in said)))), tuple(dict.fromkeys(mentions))


def propose_shared_keyword(debate: Debate, thread: Thread, at_ms: int) -> ThreadProposed | None:
    """What two agents spoke about in DISCOVERY and no question covers: the surest claim about it, as a question."""
    if SPAWN in debate.settings.off or has_too_many_proposals(debate, thread):
        return None
    covered = {topic_of(thread, c) for c in thread.candidates} | {p.told.topic for p in debate.proposals.values()}
    by_topic: dict[str, list[Message]] = {}
    for message in thread.messages:
        for topic in message.topics:
            if topic not in covered and message.agent not in VOICELESS:
                by_topic.setdefault(topic, []).append(message)
    for topic, said in sorted(by_topic.items(), key=lambda item: (-len(item[1]), item[0])):
        agents = tuple(dict.fromkeys(m.agent for m in said))
        made = [m.move for m in said if isinstance(m.move, Claim)]
        claims = [c for c in made if not proposed_questions.asks_topic(debate, c.proposition)]
        if len(agents) < SUPPORTERS_MIN or not claims:
            continue
        asked = frame_as_question(max(claims, key=lambda c: c.confidence))
        is_same = words_as(asked.question)
        if find_candidate_thread(debate, is_same) is None and find_proposal(debate, is_same) is None:
            return ThreadProposed(
                at_ms=at_ms,
                proposal=next_id(debate),
                thread=thread.id,
                trigger=Trigger.KEYWORD,
                topic=topic,
                question=asked.question,
                yes_means=asked.yes_means,
                no_means=asked.no_means,
                supporters=agents,
                mentions=tuple(m.id for m in said),
            )
    return None


# ---------------------------------------------------------------- gates


def has_support(told: ThreadProposed) -> bool:
    if told.trigger in RULED:
        return True
    return len(told.supporters) >= SUPPORTERS_MIN and len(told.mentions) >= MENTIONS_MIN


def has_room(debate: Debate, now_ms: int) -> bool:
    """Enough time and messages left to bring one more thread to its end, and fewer threads than there may be."""
    needed = ROOM_MESSAGES + ROOM_MESSAGES_AN_AGENT * len(debate.agents)
    return (
        len(debate.active) < flood.active_threads_max(debate)
        and ending.time_ms_max(debate) - now_ms >= ROOM_MS
        and ending.messages_max(debate) - debate.spoken >= needed
    )


def openable_proposals(debate: Debate, now_ms: int) -> tuple[ThreadProposed, ...]:
    """Proposals that lack nothing but a look at how near they are to the threads there are; the best first."""
    if not debate.proposals or SPAWN in debate.settings.off or not has_room(debate, now_ms):
        return ()
    ready = [
        p.told
        for p in debate.proposals.values()
        if not p.settled
        and is_binary(p.told.question)
        and has_support(p.told)
        and not is_considered(debate, p.told.question)
    ]
    return tuple(sorted(ready, key=lambda t: (t.rank is None, -(t.rank or 0.0), -len(t.mentions), t.proposal)))


def is_considered(debate: Debate, question: str) -> bool:
    """Is it a candidate of a DISCOVERY still under way, or the question of some thread?"""
    return find_asking_thread(debate, words_as(question)) is not None


def find_asking_thread(debate: Debate, is_same: IsSame) -> Thread | None:
    """The thread that talks it over, or was about it."""
    for thread in debate.threads.values():
        if thread.stage is Stage.DISCOVERY and not thread.over:
            if any(is_same(c.question) for c in thread.candidates):
                return thread
        elif is_same(question_of(thread)):
            return thread
    return None


def is_stuck(thread: Thread) -> bool:
    """More than 15 messages and no sign of convergence: too broad for one thread."""
    return len(thread.messages) > STUCK_AFTER and convergence_signal(thread) == 0.0


def members(debate: Debate, thread: Thread) -> tuple[AgentId, ...]:
    """Who is expected to commit: everybody in the first thread, those who take part in a spawned one."""
    return debate.agents if thread.parent is None and not thread.only else thread_participants(thread, debate.agents)


@cache_on_value
def thread_participants(thread: Thread, agents: tuple[AgentId, ...]) -> tuple[AgentId, ...]:
    taking = thread.members if thread.only else thread.members | thread.speakers
    return tuple(a for a in agents if a in taking)


# ---------------------------------------------------------------- how it goes


def convergence_signal(thread: Thread) -> float:
    """How near a thread seems to its crux: question acknowledged, three concessions that count, a shrinking circle."""
    said = [m for m in thread.messages[-RECENT - 4 :] if m.agent != MODERATOR][-RECENT:]
    acknowledged, conceding, shrinking = SIGNALS
    if thread.stage is not Stage.DISCOVERY and len(thread.commitments) >= 2:
        if thread.stage is Stage.CRUX_LOCK or thread.extracted is not None:
            return acknowledged
    elif any(isinstance(m.move, ProposeCrux) and takes_up(said, n) for n, m in enumerate(said)):
        return acknowledged
    granted = [m.move for m in said if isinstance(m.move, Concede) and not concessions.is_cheap_concession(m.move)]
    if len(granted) >= CONCESSIONS:
        return conceding
    if len({m.agent for m in said}) <= 2 < len(thread.speakers) and len(said) == RECENT:
        return shrinking
    return 0.0


def takes_up(said: list[Message], place: int) -> bool:
    """Did one of the next three messages answer the proposal at this place?"""
    asked = said[place]
    assert isinstance(asked.move, ProposeCrux)
    topic = asked.topics[0] if asked.topics else asked.move.question
    question = asked.move.question
    return any(
        m.agent != asked.agent and (m.reply_to == asked.id or is_about(m, topic, question))
        for m in said[place + 1 : place + 1 + ACKNOWLEDGED]
    )


def is_quiet(debate: Debate, thread: Thread, now_ms: int, owing: bool = False) -> bool:
    """Nobody has spoken for 30 s of debate time an active thread, and no draft waits for its slot.

    What is owed keeps it open for as long again; after that whoever owes it has left.
    Under the lock silence is another matter: there somebody owes something, or the try has failed.
    """
    if QUIET in debate.settings.off or thread.stage is Stage.CRUX_LOCK or thread.stale or thread.held:
        return False
    last = max(thread.stage_ms, thread.messages[-1].at_ms if thread.messages else thread.created_ms)
    return now_ms - last >= QUIET_MS * len(debate.active) * (2 if owing else 1)


def mergeable_pairs(debate: Debate) -> Iterator[tuple[Thread, Thread]]:
    """Pairs of an older and a younger thread that are worth comparing: the younger has no lock to lose yet."""
    if MERGE in debate.settings.off:
        return
    active = debate.active
    for n, older in enumerate(active):
        for younger in active[n + 1 :]:
            split = younger.trigger is Trigger.HORIZON
            if younger.parent is not None and younger.stage is Stage.DISCOVERY and younger.candidates and not split:
                yield older, younger
