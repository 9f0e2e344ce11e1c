"""Gives the floor: asks for a turn, hands it to the rules, asks again where they send it back, and keeps the beat."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cruxfinder.kernel.effects import Dice, Do, Effect, Observation, PartOfScript, Pause, Read, Think
from cruxfinder.kernel.likeness import Likeness
from cruxfinder.kernel.pack import Agenda
from cruxfinder.kernel.run_facts import Failed, NoteFailure, Seat, name_of
from cruxfinder.kernel.vocabulary import USER, AgentId, Ending, Role, Verdict
from cruxfinder.language import speaker_pairs
from cruxfinder.language.reading import DraftReading, Passage, measure_nearest
from cruxfinder.talk import turn_tasks
from cruxfinder.talk.asks import AskTurn, AskUser, DueTurn, Spoken, UserSaid
from cruxfinder.talk.commands import Close, HearUser, Pivot, Speak
from cruxfinder.talk.decide import ATTEMPTS_MAX, is_barred, limits_of, talk_of
from cruxfinder.talk.events import (
    TurnRefused,
    TurnSpoken,
)
from cruxfinder.talk.law import acts, turn_form, turn_order, volleys
from cruxfinder.talk.law.turn_order import present_speakers
from cruxfinder.talk.state import Conversation, Talk
from cruxfinder.talk.turn_passage import turn_passage
from cruxfinder.talk.turns import CHAIRS, PivotKind, Turn, TurnDraft, TurnId, TurnType

THINK_MS: Final = (3_000, 8_000)
AUDIENCE_MAX: Final = 3  # questions to the user in one conversation


@dataclass(frozen=True, slots=True)
class RefusedDraft:
    """A draft that was sent back: how much stood against it, and the draft."""

    against: int
    near: float
    draft: TurnDraft


@dataclass(frozen=True, slots=True)
class BestDraft:
    """The best of the drafts for a turn, and whether the rules have nothing against it."""

    draft: TurnDraft
    settled: bool


ReadCommand = Generator[Effect[Conversation], Observation[Conversation], tuple[Observation[Conversation], Speak]]


class Floor:
    """One conversation. What it keeps beside the record are drafts nobody has been asked to say yet."""

    def __init__(self, dice: Dice, like: Likeness, agenda: Agenda) -> None:
        self.agenda = agenda
        self.like = like
        self._dice = dice
        self._offered: dict[DueTurn, TurnDraft] = {}

    # ---- turns

    def take(
        self, seen: Observation[Conversation], ask: AskTurn, command: Speak | None = None
    ) -> PartOfScript[Conversation]:
        """One turn: a draft and at most two revisions, then the best of them with a flag.

        Nobody is asked for a turn that no wording could make legal.
        """
        if is_barred(seen.debate, ask.agent, ask.type):
            return (yield Pause(0))
        like_this = command or Speak(agent=ask.agent, draft=TurnDraft(type=ask.type, content=""))
        seen, found = yield from self._revise(seen, ask, like_this)
        if found is None or found.settled:
            return seen
        seen, command = yield from self._read(seen, ask, replace(like_this, draft=found.draft, last=True))
        return (yield Do(command))

    def write_draft(
        self, seen: Observation[Conversation], ask: AskTurn
    ) -> Generator[Effect[Conversation], Observation[Conversation], tuple[Observation[Conversation], TurnDraft | None]]:
        """A draft as good as for a turn, revised like one, and not said yet."""
        trial = Speak(agent=ask.agent, draft=TurnDraft(type=ask.type, content=""), trial=True)
        seen, found = yield from self._revise(seen, ask, trial)
        return seen, None if found is None else found.draft

    def _revise(
        self, seen: Observation[Conversation], ask: AskTurn, like_this: Speak
    ) -> Generator[Effect[Conversation], Observation[Conversation], tuple[Observation[Conversation], BestDraft | None]]:
        """The draft that nothing stands against, else the best of all that were tried."""
        tried: list[RefusedDraft] = []
        ask = replace(ask, may_ask=ask.may_ask and can_ask_user(seen.debate))
        for attempt in range(1, ATTEMPTS_MAX + 1):
            draft = self._ready(ask) if attempt == 1 else None
            if draft is None:
                seen = yield Think((replace(ask, attempt=attempt, heard=len(turns_of(seen))),), self._length(ask.agent))
                draft = self._read_draft(seen, ask)
                if draft is None:
                    seen = yield from self._note_failure(seen, ask)
                    break
            seen, told = yield from self._read(seen, ask, replace(like_this, draft=draft, attempt=attempt))
            seen = yield Do(told)
            refused = next((e for e in seen.events if isinstance(e, TurnRefused)), None)
            if refused is None:
                return seen, BestDraft(draft, settled=True)
            tried.append(RefusedDraft(len(refused.refusals), measure_nearest(told.reading), draft))
            ask = replace(ask, refused=refused.refusals)
        best = min(tried, key=lambda t: (t.against, t.near), default=None)
        return seen, None if best is None else BestDraft(best.draft, settled=False)

    def take_all(
        self, seen: Observation[Conversation], asks: Sequence[AskTurn], *, then_chair: bool = False
    ) -> PartOfScript[Conversation]:
        """Everybody thinks at once, unheard by the others; then they speak in order."""
        put = [ask for ask in asks if due_turn(ask) not in self._offered]
        if put:
            seen = yield Think(tuple(put), self._length(put[0].agent))
            answers = seen.answers
            for ask, answer in zip(put, answers, strict=True):
                if isinstance(answer, Failed):
                    seen = yield Do(NoteFailure(agent=ask.agent, ask=ask.kind, reason=answer.reason))
                elif isinstance(answer, Spoken):
                    self._offered[due_turn(ask)] = answer.turn
        waiting = [ask for ask in asks if due_turn(ask) in self._offered]
        while waiting and may_speak(seen):
            ask = waiting.pop(0)
            seen = yield from self.take(seen, replace(ask, heard=len(turns_of(seen))))
            if asks_user(seen):  # the round is over; who has not spoken thinks again, with the answer
                waiting.append(ask)
            seen = yield from self.interlude(seen, chair_next=then_chair and not waiting)
        self._offered.clear()
        return seen

    def say(self, seen: Observation[Conversation], ask: AskTurn, command: Speak) -> PartOfScript[Conversation]:
        """A turn that was written already; it is taken even if a rule would have it reworded."""
        seen, told = yield from self._read(seen, ask, replace(command, last=True))
        return (yield Do(told))

    def _ready(self, ask: AskTurn) -> TurnDraft | None:
        """What was written for this turn along with another one."""
        draft = self._offered.pop(due_turn(ask), None)
        return None if draft is None else as_asked(draft, ask)

    def _read_draft(self, seen: Observation[Conversation], ask: AskTurn) -> TurnDraft | None:
        answer = seen.answers[0]
        if not isinstance(answer, Spoken):
            return None
        for offered in answer.also:
            if (wanted := DueTurn(offered.agent, offered.turn.type)) in ask.following:
                self._offered[wanted] = offered.turn
        return as_asked(answer.turn, ask)

    def _note_failure(self, seen: Observation[Conversation], ask: AskTurn) -> PartOfScript[Conversation]:
        answer = seen.answers[0]
        if isinstance(answer, Failed):
            return (yield Do(NoteFailure(agent=ask.agent, ask=ask.kind, reason=answer.reason)))
        return seen

    def _read(self, seen: Observation[Conversation], ask: AskTurn, command: Speak) -> ReadCommand:
        """The command with what its draft says; also of what is left of it, where it is too long and is taken."""
        planned = (seen.debate.started.topic, ask.subject, *self.agenda.subjects)
        passage = turn_passage(seen.debate, command.agent, command.draft, ask.sentences, planned)
        seen = yield Read(passage)
        reading = turn_reading(seen)
        shortened = None
        if reading.shortened and command.last:
            left = replace(passage, text=reading.shortened, threshold=None, topics=())
            seen = yield Read(left)
            shortened = turn_reading(seen)
        told = replace(command, reading=reading, shortened=shortened, sentences=ask.sentences)
        return seen, told

    def fit(
        self, seen: Observation[Conversation], draft: TurnDraft, words_max: int
    ) -> Generator[Effect[Conversation], Observation[Conversation], tuple[Observation[Conversation], TurnDraft]]:
        """A draft in so many words."""
        seen = yield Read(Passage(text=draft.content, words_max=words_max))
        shortened = turn_reading(seen).shortened
        return seen, replace(draft, content=shortened) if shortened else draft

    def _length(self, agent: AgentId) -> int:
        return self._dice.between(agent, "think", *THINK_MS)

    # ---- between turns

    def interlude(self, seen: Observation[Conversation], *, chair_next: bool = False) -> PartOfScript[Conversation]:
        """What the last turn calls for before the next speaker: the user's answer, a word of the chair, a synthesis.

        A chair that speaks next anyway need not lead back first.
        """
        if asks_user(seen):
            seen = yield from self._ask_user(seen)
        summing_up = acts.synthesis_due(talk_of(seen.debate), limits_of(seen.debate))
        if turn_form.has_strayed(talk_of(seen.debate)) and may_speak(seen) and not summing_up and not chair_next:
            ask = self.ask(seen, chair_of(seen.debate), TurnType.REACTION, turn_tasks.LEAD_BACK)
            seen = yield from self.take(seen, ask)
            summing_up = acts.synthesis_due(talk_of(seen.debate), limits_of(seen.debate))
        if summing_up and may_speak(seen):
            seen = yield from self.synthesise(seen, turn_tasks.SYNTHESIS)
        return seen

    def before_question(self, seen: Observation[Conversation]) -> PartOfScript[Conversation]:
        """A synthesis that would come between a question and its answers comes before the question."""
        if acts.synthesis_due(talk_of(seen.debate), limits_of(seen.debate), turns=2) and may_speak(seen):
            seen = yield from self.synthesise(seen, turn_tasks.SYNTHESIS)
        return seen

    def relieve(self, seen: Observation[Conversation]) -> PartOfScript[Conversation]:
        """Two have had their rounds and nobody else takes the floor: it is summed up, and they may go on."""
        if not exhausted_pair(seen) or not may_speak(seen):
            return seen
        by = name_of(seen.debate, summarising_seat(seen.debate).id)
        seen = yield Do(Pivot(cause=speaker_pairs.BUDGET, to=PivotKind.REASON, text=by))
        return (yield from self.synthesise(seen, turn_tasks.SYNTHESIS))

    def _ask_user(self, seen: Observation[Conversation]) -> PartOfScript[Conversation]:
        talk = talk_of(seen.debate)
        asked = talk.questions[-1]
        self._offered.clear()  # it was written without the answer
        seen = yield Think((AskUser(agent=USER, turn=asked.turn, question=asked.question),), 0)
        answer = seen.answers[0]
        text = answer.text if isinstance(answer, UserSaid) else ""
        return (yield Do(HearUser(turn=asked.turn, text=text)))

    def synthesise(
        self, seen: Observation[Conversation], task: str, *, closing: bool = False
    ) -> PartOfScript[Conversation]:
        """A word of whoever sums up here, in at most three sentences with a next step."""
        who = summarising_seat(seen.debate)
        ask = replace(self.ask(seen, who, TurnType.SYNTHESIS, task), sentences=acts.SENTENCES_MAX)
        empty = TurnDraft(type=TurnType.SYNTHESIS, content="")
        return (yield from self.take(seen, ask, Speak(agent=who.id, draft=empty, closing=closing)))

    def finish(self, seen: Observation[Conversation]) -> PartOfScript[Conversation]:
        """A closing word, and the end of a conversation that decides nothing."""
        seen = yield from self.synthesise(seen, turn_tasks.CLOSING, closing=True)
        told = next((s for s in talk_of(seen.debate).syntheses if s.closing), None)
        step = "" if told is None else told.next_step
        why = f"next: {step}" if step else "it is closed" if told is not None else "nobody closed it"
        return (yield from self.close(seen, Verdict.DISCUSSED, why))

    # ---- asks

    def ask(
        self,
        seen: Observation[Conversation],
        seat: Seat,
        type: TurnType,
        task: str,
        *,
        subject: str = "",
        answers: TurnId | None = None,
        following: Sequence[DueTurn] = (),
        owed: bool = False,
    ) -> AskTurn:
        debate = seen.debate
        return AskTurn(
            agent=seat.id,
            role=seat.role,
            type=type,
            words=turn_form.WORDS_MAX[type],
            heard=len(turns_of(seen)),
            task=task,
            subject=subject,
            answers=answers,
            may_ask=can_ask_user(debate) and type not in {TurnType.SYNTHESIS, TurnType.RULING},
            owed=owed or seat.role in CHAIRS,
            following=tuple(following) if debate.settings.together else (),
        )

    def close(
        self, seen: Observation[Conversation], verdict: Verdict, why: str, ending: Ending = Ending.NATURAL
    ) -> PartOfScript[Conversation]:
        reason = why_over(seen) or ending
        return (yield Do(Close(ending=reason, verdict=verdict, why=why)))


def turn_reading(seen: Observation[Conversation]) -> DraftReading:
    """What was read just now."""
    assert isinstance(seen.reading, DraftReading), "a turn is read as one"
    return seen.reading


def due_turn(ask: AskTurn) -> DueTurn:
    return DueTurn(ask.agent, ask.type)


def as_asked(draft: TurnDraft, ask: AskTurn) -> TurnDraft:
    """Of the type that was asked for, whatever its writer calls it; a question to the user may take its place."""
    if draft.to_user and ask.may_ask:
        return replace(draft, type=TurnType.QUESTION)
    return replace(draft, type=ask.type, to_user=False)


# ---- what the record says


def turns_of(seen: Observation[Conversation]) -> tuple[Turn, ...]:
    return talk_of(seen.debate).turns


def has_spoken(seen: Observation[Conversation]) -> bool:
    """Did the last effect become a turn?"""
    return any(isinstance(e, TurnSpoken) for e in seen.events)


def asks_user(seen: Observation[Conversation]) -> bool:
    talk = talk_of(seen.debate)
    return len(talk.questions) > len(talk.answers)


def can_ask_user(debate: Conversation) -> bool:
    """May the user still be asked something?"""
    return len(talk_of(debate).questions) < AUDIENCE_MAX


def exhausted_pair(seen: Observation[Conversation]) -> frozenset[AgentId]:
    """The two who have had their rounds; nobody where only two speak, or an ablation leaves the rule out."""
    if len(present_speakers(seen.debate)) <= speaker_pairs.PAIR or speaker_pairs.BUDGET in seen.debate.settings.off:
        return frozenset()
    return volleys.exhausted_pair(talk_of(seen.debate), limits_of(seen.debate))


def why_over(seen: Observation[Conversation]) -> Ending | None:
    """Why no speaker may go on; None while there is room, time and company."""
    settings = seen.debate.settings
    if len(present_speakers(seen.debate)) < 2:
        return Ending.FAULTS
    if settings.max_ms and seen.now_ms >= settings.max_ms:
        return Ending.TIME
    if settings.max_messages and len(turns_of(seen)) >= settings.max_messages - 1:
        return Ending.MESSAGES
    return None


def may_speak(seen: Observation[Conversation]) -> bool:
    return why_over(seen) is None and acts.turns_left(talk_of(seen.debate), limits_of(seen.debate)) > 0


def chair_of(debate: Conversation) -> Seat:
    return next(seat for seat in debate.seats if seat.role in turn_order.LEADS)


def summarising_seat(debate: Conversation) -> Seat:
    """The Voice of Reason where there is one, else the chair."""
    return next((seat for seat in debate.seats if seat.role == Role.REASON), None) or chair_of(debate)


def seat_in_role(debate: Conversation, part: str) -> Seat:
    return next(seat for seat in debate.seats if seat.role == part)


def turn_counts(talk: Talk) -> dict[AgentId, int]:
    found: dict[AgentId, int] = {}
    for turn in talk.turns:
        found[turn.agent] = found.get(turn.agent, 0) + 1
    return found
