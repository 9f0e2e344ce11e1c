"""Builders for the tests of conversations in turns: turns go through `decide`, whole ones through their real script.

    talk = Talking(ANN, BOB, CAT)                # a roundtable, started; or protocol=DEBATE, …
    events = talk.say(ANN, "Ferries pay.")       # what `decide` answered; talk.talk has the turns so far
    assert refused(events) == {"RED-2"}          # rule ids; {} where the turn was taken as it is
    talk.post(BOB)                               # something new that no rule minds, and it is seen to be taken
    events = talk.held(answers)                  # the script of the protocol, to its end, with these answers

What nobody writes down is fresh: it shares a word with the topic and no other with any turn before it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from math import sqrt
from typing import Any, Final

from cruxfinder.app import roles
from cruxfinder.kernel.effects import Ask, Do, Observation, Pause, Read, Think
from cruxfinder.kernel.pack import Agenda
from cruxfinder.kernel.run_facts import DebateStarted, Seat, Start, name_of
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, ProtocolName, Role, RuleId, TopSide
from cruxfinder.language.english.english_reader import EnglishReader
from cruxfinder.language.english.polarity import are_opposed
from cruxfinder.language.english.texts import content_words
from cruxfinder.language.reading import DraftReading, Nearness, Passage
from cruxfinder.protocols.any_run import AnyEvent
from cruxfinder.protocols.protocol_list import protocol_named
from cruxfinder.talk.asks import AskConsent, AskTurn, AskUser, Consent, Spoken, TalkAnswer, TalkAsk, UserSaid
from cruxfinder.talk.commands import Pivot, Speak, TalkCommand
from cruxfinder.talk.decide import decide
from cruxfinder.talk.events import TalkEvent, TurnRefused, TurnSpoken
from cruxfinder.talk.state import Conversation, Talk
from cruxfinder.talk.turn_passage import turn_passage
from cruxfinder.talk.turns import DEBATE, ROUNDTABLE, PivotKind, TurnDraft, TurnType
from tests.law.build import ANN, BOB, CAT, of

TOPIC: Final = "Ferries should be free"
ARBITRATOR, FACILITATOR, HOST, REASON = (
    AgentId(part.value) for part in (Role.ARBITRATOR, Role.FACILITATOR, Role.HOST, Role.REASON)
)
STEPS_MAX: Final = 2_000
NO_AGENDA: Final = Agenda()
Answering = Callable[[TalkAsk, Conversation], TalkAnswer]


def fresh(number: int, name: str = "") -> str:
    """Says what follows from something, in words of its own."""
    lead = f"Against {name}, if" if name else "If"
    return f"{lead} quay{number} crumbled{number}, then ferries beyond{number} moor{number}."


def seats_for(protocol: ProtocolName, speakers: Sequence[AgentId]) -> tuple[Seat, ...]:
    pair = {0: Role.PROPONENT, 1: Role.OPPONENT} if protocol == DEBATE else {}
    at_table = tuple(
        Seat(id=agent, name=agent.title(), role=pair.get(place, Role.SPEAKER)) for place, agent in enumerate(speakers)
    )
    chairs = (
        Seat(id=AgentId(part.value), name=roles.NAMES[part], role=part) for part in protocol_named(protocol).chairs
    )
    return (*at_table, *chairs)


class Talking:
    """A conversation under way."""

    def __init__(
        self,
        *speakers: AgentId,
        protocol: ProtocolName = ROUNDTABLE,
        settings: Settings = Settings(),
        seats: Sequence[Seat] = (),
        topic: str = TOPIC,
    ) -> None:
        self._count = count(1)
        started = DebateStarted(
            at_ms=0,
            topic=topic,
            seats=tuple(seats) or seats_for(protocol, speakers or (ANN, BOB, CAT)),
            seed=1,
            pack="test",
            pack_sha="0" * 64,
            settings=settings,
            format=1,
            kernel=1,
            protocol=protocol,
        )
        self.debate: Conversation = decide(None, Start(started=started), 0).debate

    @property
    def talk(self) -> Talk:
        return self.debate.talk

    def do(self, command: TalkCommand) -> tuple[TalkEvent, ...]:
        decided = decide(self.debate, command, 0)
        self.debate = decided.debate
        return decided.events

    def fresh(self, name: str = "") -> str:
        return fresh(next(self._count), name)

    def say(
        self,
        agent: AgentId,
        content: str | None = None,
        type: TurnType = TurnType.PROPOSITION,
        *,
        near: Sequence[tuple[float, float]] = (),
        drawn: float = 1.0,
        vector: int | None = None,
        on_topic: float = 1.0,
        sentences: int = 0,
        attempt: int = 1,
        last: bool = False,
        **draft: Any,
    ) -> tuple[TalkEvent, ...]:
        content = self.fresh() if content is None else content
        if type is TurnType.RULING:
            draft.setdefault("side", TopSide.NUANCED)
        said = TurnDraft(type=type, content=content, **draft)
        reading = self.read(agent, said, near=near, drawn=drawn, vector=vector, sentences=sentences)
        shortened = None
        if reading.shortened:
            left = replace(said, content=reading.shortened)
            shortened = self.read(agent, left, sentences=sentences)
        return self.do(
            Speak(
                agent=agent,
                draft=said,
                reading=replace(reading, off_topic=on_topic <= 0),
                shortened=shortened,
                sentences=sentences,
                attempt=attempt,
                last=last,
            )
        )

    def read(
        self,
        agent: AgentId,
        draft: TurnDraft,
        *,
        near: Sequence[tuple[float, float]] = (),
        drawn: float = 1.0,
        vector: int | None = None,
        sentences: int = 0,
    ) -> DraftReading:
        """What a draft says, with these figures of the last turns: as a whole, and sentence by sentence."""
        passage = turn_passage(self.debate, agent, draft, sentences, (self.debate.started.topic,))
        recent = [turn.content for turn in self.talk.speaker_turns[-3:]]
        assert len(near) <= len(recent), "figures are of turns that were spoken"
        told = [*[(0.0, 0.0)] * (len(recent) - len(near)), *near]
        figures = tuple(
            Nearness(whole, again, are_opposed(draft.content, text))
            for (whole, again), text in zip(told, recent, strict=True)
        )
        reading = EnglishReader(Shared(vector)).read(passage)
        return replace(reading, near=figures, drawn=drawn)

    def post(self, *agents: AgentId, type: TurnType = TurnType.PROPOSITION, **how: Any) -> None:
        """Everybody says something new, and it is taken as it is."""
        for agent in agents:
            events = self.say(agent, type=type, **how)
            assert not refused(events), texts(events)

    def sum_up(self, by: AgentId = REASON) -> None:
        self.post(by, type=TurnType.SYNTHESIS, next_step="weigh it")

    def turn_to(self, to: PivotKind, text: str = "a case", cause: str = "RED-5") -> tuple[TalkEvent, ...]:
        return self.do(Pivot(cause=RuleId(cause), to=to, text=text))

    # ---- a whole conversation

    def held(
        self, answering: Answering | None = None, *, agenda: Agenda = NO_AGENDA, like: "Shared | None" = None
    ) -> tuple[TalkEvent, ...]:
        """Run the script of the protocol to its end, driven by hand: every ask answered, every command decided."""
        answer = answering or self.well
        reader = EnglishReader(like or Shared())
        script = protocol_named(self.debate.started.protocol).script(
            self.debate.started, Even(), like or Shared(), agenda
        )
        effect, now_ms = next(script), 0
        happened: list[TalkEvent] = []
        for _ in range(STEPS_MAX):
            answers, events, reading = (), (), None
            match effect:
                case Pause(ms=ms):
                    now_ms += ms
                case Think(asks=asks, ms=ms):
                    answers = tuple(answer(of_a_talk(ask), self.debate) for ask in asks)
                    now_ms += ms
                case Read(passage=passage):
                    assert isinstance(passage, Passage)
                    reading = reader.read(passage)
                case Do(command=command):
                    assert isinstance(command, TalkCommand), f"no conversation does {command}"
                    events = self.do(command)
                    happened += events
                case _:
                    raise AssertionError(f"no conversation does {effect}")
            if self.debate.complete is not None:
                return tuple(happened)
            seen = Observation(debate=self.debate, now_ms=now_ms, answers=answers, events=events, reading=reading)
            effect = script.send(seen)
        raise AssertionError("the conversation does not end")

    def well(self, ask: TalkAsk, debate: Conversation) -> TalkAnswer:
        """An answer nothing stands against."""
        match ask:
            case AskTurn():
                told = next((t for t in reversed(self.talk.speaker_turns) if t.agent != ask.agent), None)
                name = "" if told is None else name_of(debate, told.agent)
                return spoken(ask, self.fresh(name))
            case AskConsent():
                return Consent(agrees=True)
            case AskUser():
                return UserSaid(text="The second one.")


def of_a_talk(ask: Ask) -> TalkAsk:
    assert isinstance(ask, TalkAsk), f"no conversation asks {ask}"
    return ask


def spoken(ask: AskTurn, content: str, **draft: Any) -> Spoken:
    """A turn of the kind that is asked for, with what that kind needs."""
    needs: dict[TurnType, dict[str, Any]] = {
        TurnType.RULING: {"side": TopSide.YES},
        TurnType.SYNTHESIS: {"next_step": "weigh it"},
        TurnType.CONCESSION: {"concedes": "quays cost money"},
    }
    made = TurnDraft(type=ask.type, content=content, reply_to=ask.answers)
    return Spoken(turn=replace(made, **{**needs.get(ask.type, {}), **draft}))


class Even:
    """Dice that always show the least."""

    def between(self, who: str, purpose: str, low: int, high: int) -> int:
        return low


class Shared:
    """Likeness by content words in common, from 0 for none to 1 for all of them."""

    name = "shared"
    repetition = 0.8

    def __init__(self, vector: int | None = None) -> None:
        """`vector` is what the vector of any text says for it."""
        self._vector = vector

    def likeness(self, a: str, b: str) -> float:
        one, other = content_words(a), content_words(b)
        return len(one & other) / sqrt(len(one) * len(other)) if one & other else float(a == b)

    def likenesses(self, text: str, others: Sequence[str]) -> tuple[float, ...]:
        return tuple(self.likeness(text, other) for other in others)

    def distance(self, a: str, b: str) -> float:
        return 1 - self.likeness(a, b)

    def same_point(self, a: str, b: str) -> float:
        return self.likeness(a, b)

    def same_pairs(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        return tuple(self.likeness(a, b) for a, b in pairs)

    def substance_score(self, text: str) -> int | None:
        return self._vector

    def event_score(self, text: str) -> int | None:
        return None


# ---- reading events


def refused(events: Sequence[AnyEvent]) -> set[str]:
    """The rules that said no; empty when the turn was taken."""
    return {str(r.rule) for e in of(events, TurnRefused) for r in e.refusals}


def flagged(events: Sequence[AnyEvent]) -> set[str]:
    """The rules that still stood against a turn when it was taken."""
    return {str(r.rule) for e in of(events, TurnSpoken) for r in e.flags}


def texts(events: Sequence[AnyEvent]) -> list[str]:
    return [f"{r.rule}: {r.reason}; {r.remedy}" for e in of(events, TurnRefused) for r in e.refusals]


def order(events: Sequence[AnyEvent]) -> list[tuple[str, str]]:
    """Who spoke, and which kind of turn."""
    return [(str(e.agent), str(e.turn.type)) for e in of(events, TurnSpoken)]
