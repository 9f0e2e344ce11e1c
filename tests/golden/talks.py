"""Golden conversations: the packs in every protocol, and tables where somebody breaks each rule of turns once."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import run_starts
from cruxfinder.app.people import NOBODY, Participation
from cruxfinder.debaters.scripted import FunctionDebater
from cruxfinder.kernel.pack import Agenda, Anchor, Dilemma, Pack, Persona, Tension
from cruxfinder.kernel.redundancy_limits import Redundancy
from cruxfinder.kernel.run_facts import Failed, Silence
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, ProtocolName, TopSide
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk
from cruxfinder.protocols.any_run import AnyEvent
from cruxfinder.talk.asks import AskConsent, AskTurn, AskUser, Consent, Spoken
from cruxfinder.talk.turns import CHAIRS, CONSENSUS, DEBATE, DISCUSSION, ROUNDTABLE, TurnDraft, TurnType
from tests.golden.play import DAY, Off, Play, Scene

TOPIC: Final = "The harbour should be dredged"
NAMES: Final = {"ann": "Ann", "bob": "Bob", "cat": "Cat"}
INTERESTS: Final = {"ann": ("dredging the harbour",), "bob": ("what dredging costs",), "cat": ("the opera",)}
CASES: Final = (
    "If the channel silts up by {n} feet, then the ferry stops, because its keel needs the depth.",
    "In the port of Lym {n} barges were lost after dredging, so the pilots now wait for the tide.",
    "Unless the mud is carried {n} miles out, the oyster beds will choke within a winter.",
    "We could test it: sound the bar every {n} weeks and see whether the harbour grows shallower.",
    "If the wharf earns {n} crowns less, then the guild must close the school, because it pays the master.",
    "In the storm of year {n} the dredged harbour of Pell filled again in a night, so digging is no cure.",
    "Unless the crane is moved {n} yards, the dredger cannot pass the lock.",
    "We could test it: pay {n} boats to use the old channel and count the groundings.",
)
NOTHING_PLANNED: Final = Agenda()
Trick = Callable[[AskTurn, Any], AnyAnswer | None]


class Talker:
    """Says something new every time, unless a trick is left to play."""

    def __init__(
        self, id: str, *tricks: Trick, side: TopSide = TopSide.YES, agrees: bool = True, always: str | None = None
    ) -> None:
        self.id = AgentId(id)
        self._always = always
        self._tricks = list(tricks)
        self._side = side
        self._agrees = agrees
        self._said = 0

    def reply(self, ask: AnyAsk, record: Any) -> AnyAnswer:
        match ask:
            case AskTurn() if self._always is not None and ask.sentences != 1:
                return Spoken(turn=TurnDraft(type=ask.type, content=self._always))
            case AskTurn():
                answer = self._tricks[0](ask, record) if self._tricks and ask.attempt == 1 else None
                if answer is not None:
                    self._tricks.pop(0)
                    return answer
                return Spoken(turn=self.fresh(ask))
            case AskConsent():
                return Consent(agrees=self._agrees, why="" if self._agrees else "the mud has to go somewhere")
            case AskUser() | _:
                return Silence()

    def fresh(self, ask: AskTurn) -> TurnDraft:
        self._said += 1
        if ask.role in CHAIRS:
            return chaired(ask, self._said)
        number = 10 * self._said + sum(map(ord, self.id)) % 7
        content = CASES[(self._said + list(NAMES).index(self.id) * 3) % len(CASES)].format(n=number)
        if ask.answers is not None:
            content = f"{others(self.id)} leave something out. {content}"
        gives = "the ferry may wait" if ask.type is TurnType.CONCESSION and self._side is TopSide.NO else ""
        return TurnDraft(type=ask.type, content=content, reply_to=ask.answers, side=self._side, concedes=gives)


def others(id: str) -> str:
    return " and ".join(name for key, name in NAMES.items() if key != id)


def chaired(ask: AskTurn, number: int) -> TurnDraft:
    match ask.type:
        case TurnType.SYNTHESIS:
            content, step = f"The depth of the channel came up {number} times.", "sound the bar before the winter"
            return TurnDraft(type=ask.type, content=content, next_step=step, side=TopSide.NUANCED)
        case TurnType.RULING:
            return TurnDraft(type=ask.type, content="The harbour should be dredged, for the ferry.", side=TopSide.YES)
        case _:
            return TurnDraft(type=ask.type, content=f"What becomes of the harbour if the bar rises {number} feet?")


def saying(content: str, **more: object) -> Trick:
    return lambda ask, _: Spoken(turn=replace(TurnDraft(type=ask.type, content=content), **more))  # pyright: ignore[reportArgumentType]


def repeating(ask: AskTurn, record: Any) -> AnyAnswer | None:
    """What somebody else said last, word for word."""
    assert record.talk is not None
    said = [t for t in record.talk.speaker_turns if t.agent != ask.agent]
    return Spoken(turn=TurnDraft(type=ask.type, content=said[-1].content)) if said else None


def later(trick: Trick, turns: int) -> Trick:
    """The same once so many turns were taken; it stays waiting before that."""
    return lambda ask, record: trick(ask, record) if record.talk and len(record.talk.turns) >= turns else None


def failing(ask: AskTurn, record: Any) -> AnyAnswer:
    return Failed(reason="the line is down")


def asking_user(ask: AskTurn, record: Any) -> AnyAnswer:
    question = "How deep does your own boat draw?"
    return Spoken(turn=TurnDraft(type=TurnType.QUESTION, content=question, to_user=True))


def table_of(ids: Sequence[str]) -> Pack:
    personas = tuple(Persona(id=AgentId(id), name=NAMES[id], about="a citizen", interests=INTERESTS[id]) for id in ids)
    return Pack(name="harbour", title="Harbour", topic=TOPIC, summary="", propositions=(), personas=personas)


def talked(
    protocol: ProtocolName,
    talkers: Callable[[], Mapping[str, Talker]],
    settings: Settings = Settings(),
    user: Participation = NOBODY,
    agenda: Agenda = NOTHING_PLANNED,
) -> Play:
    def play(off: Off) -> tuple[AnyEvent, ...]:
        seats = talkers()
        plain = table_of([id for id in seats if id in NAMES])
        pack = replace(plain, tensions=agenda.tensions, dilemmas=agenda.dilemmas, anchors=agenda.anchors)
        return asyncio.run(
            run_starts.start(
                pack,
                MemoryStore(),
                seed=3,
                settings=replace(settings, off=off),
                debaters={AgentId(id): FunctionDebater(t.reply) for id, t in seats.items()},
                protocol=protocol,
                user=user,
                day=DAY,
            )
        ).events

    return play


def of_pack(name: str, protocol: ProtocolName, seed: int = 7) -> Play:
    def play(off: Off) -> tuple[AnyEvent, ...]:
        pack, settings = pack_finder.find(name)[0], Settings(off=off)
        return asyncio.run(
            run_starts.start(pack, MemoryStore(), seed=seed, settings=settings, protocol=protocol, day=DAY)
        ).events

    return play


def unruly() -> dict[str, Talker]:
    """Everything a turn must not be."""
    ann = Talker(
        "ann",
        saying("the " * 151),
        saying("As I was saying, if the bar rises, then the ferry stops."),
        saying("I agree with Bob, and that remains my view."),
        saying("Great point! If the lock jams, then the barges wait, because nobody can pass."),
    )
    bob = Talker("bob", later(repeating, 3), saying("I see it the same way."), side=TopSide.NO)
    reason = Talker("voice-of-reason", saying("Much was said."))
    return {
        "ann": ann,
        "bob": bob,
        "cat": Talker("cat", always="   "),
        "voice-of-reason": reason,
        "host": Talker("host"),
    }


def volleying() -> dict[str, Talker]:
    """Ann and Bob answer each other by name; Cat has little to do with it."""

    def at(name: str) -> Trick:
        text = f"{name} should say what the dredging of the harbour costs if the bar moves back every spring."
        return lambda ask, record: Spoken(
            turn=TurnDraft(type=ask.type, content=f"{text} Then {len(record.talk.turns) if record.talk else 0} more.")
        )

    ann, bob = (Talker(id, *[at(name)] * 12) for id, name in (("ann", "Bob"), ("bob", "Ann")))
    return {"ann": ann, "bob": bob, "cat": Talker("cat")}


def circling() -> dict[str, Talker]:
    """Nobody has anything to say but that depth and cost matter."""
    ann, bob, cat = (
        Talker(id, always=f"I agree with {name}: depth matters, cost matters, and that is all.")
        for id, name in (("ann", "Bob"), ("bob", "Cat"), ("cat", "Ann"))
    )
    return {"ann": ann, "bob": bob, "cat": cat}


def stubborn() -> dict[str, Talker]:
    return {
        "ann": Talker("ann", agrees=False),
        "bob": Talker("bob", agrees=False),
        "cat": Talker("cat"),
    }


def adrift() -> dict[str, Talker]:
    """Two turns about something else."""
    cakes = "If the oven is too hot, then the sponge cake burns, because sugar browns early."
    songs = "If a violin is damp, then its strings go flat, because gut swells."
    return {"ann": Talker("ann", saying(cakes)), "bob": Talker("bob", saying(songs)), "cat": Talker("cat")}


def broken() -> dict[str, Talker]:
    down = [failing] * 40
    return {"ann": Talker("ann", *down), "bob": Talker("bob"), "cat": Talker("cat", *down)}


def willing() -> dict[str, Talker]:
    return {"ann": Talker("ann"), "bob": Talker("bob", side=TopSide.NO), "cat": Talker("cat", side=TopSide.NO)}


def curious() -> dict[str, Talker]:
    return {"ann": Talker("ann", asking_user), "bob": Talker("bob", side=TopSide.NO)}


async def answered(ask: AskUser) -> str:
    return "four feet"


LED: Final = Agenda(
    tensions=(
        Tension(sides=("depth", "cost"), words=(("feet",), ("crowns",))),
        Tension(sides=("pilots", "oysters")),
    ),
    dilemmas=(Dilemma(text="Should the ferry be sold to pay for the dredger?"),),
    anchors=(Anchor(text="A harbour is a promise made to ships.", source="a saying of the quay"),),
)
SHORT: Final = Settings(redundancy=Redundancy(max_total_turns=16, synthesis_interval=8))
LONGER: Final = Settings(redundancy=Redundancy(max_total_turns=24, synthesis_interval=8))

SCENES: Final = {
    "talk-debate": Scene("a debate of the pack", of_pack("monolith", DEBATE)),
    "talk-consensus": Scene("a search for consensus", of_pack("free-will", CONSENSUS)),
    "talk-discussion": Scene("a led discussion", of_pack("bitcoin", DISCUSSION)),
    "talk-roundtable": Scene("tensions, dilemmas and passages", of_pack("free-will", ROUNDTABLE)),
    "talk-unruly": Scene("turns that are none", talked(ROUNDTABLE, unruly, LONGER)),
    "talk-volleying": Scene("two who keep it to themselves", talked(ROUNDTABLE, volleying, SHORT)),
    "talk-circling": Scene("nothing new, and so elsewhere", talked(ROUNDTABLE, circling, LONGER, agenda=LED)),
    "talk-stubborn": Scene("nobody concedes anything", talked(CONSENSUS, stubborn)),
    "talk-willing": Scene("everybody can live with it", talked(CONSENSUS, willing)),
    "talk-adrift": Scene("two turns off the topic", talked(DISCUSSION, adrift)),
    "talk-broken": Scene("fewer than two can still speak", talked(ROUNDTABLE, broken)),
    "talk-asking": Scene(
        "a question to the user",
        talked(DEBATE, curious, Settings(asks_user=True), Participation(answered, wait_s=5)),
    ),
}

BITES: Final = {
    "TURN-1": "talk-unruly",
    "TURN-3": "talk-unruly",
    "RED-1": "talk-volleying",
    "RED-2": "talk-unruly",
    "RED-3": "talk-unruly",
    "RED-4": "talk-unruly",
    "RED-6": "talk-unruly",
}
