"""One run of one planted world: the debate is held in memory, and what it came to is scored."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final

from cruxfinder.adapters.embeddings.embedders import embedder
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import run_starts
from cruxfinder.crux.asks import Drafted
from cruxfinder.crux.events import MessagePosted, MessageRefused, PositionUpdated, StageTransition
from cruxfinder.crux.moves import Concede
from cruxfinder.crux.state import Debate
from cruxfinder.cruxbench.answer_scoring import AnswerKey, Measure, Scores, score_answer
from cruxfinder.cruxbench.dispute_records import DisputeRecord, blind_id, private_answers, remarks_of
from cruxfinder.cruxbench.finder_answers import FinderAnswer, answer_of
from cruxfinder.cruxbench.outside_finders import OutsideFinder
from cruxfinder.cruxbench.planted_worlds import PlantedWorld
from cruxfinder.cruxbench.simple_finders import answers_in_run, simple_answers
from cruxfinder.cruxbench.world_truth import GAP_MIN, MARGIN, mean
from cruxfinder.cruxbench.world_wording import DAY
from cruxfinder.debaters.simulated.believer import Believer, exact_label
from cruxfinder.debaters.simulated.debater import SimulatedDebater
from cruxfinder.kernel.pack import Pack
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import ADVOCATE, MODERATOR, AgentId, Label, RuleId, TopSide, Verdict
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk, AnyRecord
from cruxfinder.protocols.any_run import AnyEvent, Finished
from cruxfinder.protocols.registry import fold

OURS: Final = "cruxfinder"
FIRM: Final = frozenset({TopSide.YES, TopSide.NO})


@dataclass(frozen=True, slots=True, kw_only=True)
class RunKey:
    """Which run: with the version of the code, all that its outcome depends on."""

    of: str  # a set of worlds, or written cases
    seed: int  # of the set of worlds
    kind: str
    number: int
    noise: float
    run: int  # the seed of the debate
    off: tuple[str, ...] = ()
    finder: str = OURS
    source: str = ""  # what else the outcome depends on: the command of a finder, the text of a written case
    private: bool = False  # is the finder told what everybody privately answers?

    @property
    def world(self) -> str:
        return f"{self.of}/{self.seed}/{self.kind}/{self.number}"


def keys_of_others(keys: Iterable[RunKey], finders: Sequence[OutsideFinder], *, private: bool) -> Iterator[RunKey]:
    """The same runs by other finders."""
    for key in keys:
        for finder in finders:
            yield replace(key, finder=finder.name, source=finder.source + key.source, private=private)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredRun:
    """A run, how right it was, and what it named; the same for each baseline. `failure` says why it has no answer."""

    key: RunKey
    size: int
    scores: Scores
    primary: str
    ending: str
    expected: str
    baselines: Mapping[str, tuple[Scores, str]]
    failure: str = ""
    course: str = ""  # the same where our debate took the same course


class LabelledDebater(SimulatedDebater):
    """A simulated debater that notes what really moved it whenever it changes sides on the topic."""

    def __init__(self, *made_of: Any) -> None:
        super().__init__(*made_of)
        self.moved_by: dict[str, Label] = {}

    async def answer(self, ask: AnyAsk, record: AnyRecord) -> AnyAnswer:
        found = self.reply(ask, record)
        if isinstance(found, Drafted) and isinstance(found.draft.move, Concede) and found.draft.move.top_changed:
            self.moved_by[found.draft.content] = exact_label(self.believer)
        return found


@dataclass(frozen=True, slots=True)
class HeldDebate:
    """A debate that was held, and its believers as it left them."""

    finished: Finished
    debaters: Mapping[AgentId, LabelledDebater]


def hold_debate(pack: Pack, seed: int, off: Sequence[str] = (), messages_max: int = 0) -> HeldDebate:
    debaters = {p.id: LabelledDebater(p, pack.propositions, seed) for p in pack.personas}
    settings = Settings(off=tuple(RuleId(rule) for rule in off), max_messages=messages_max)
    held = run_starts.start(
        pack, MemoryStore(), seed=seed, debaters=debaters, settings=settings, run="planted", day=DAY
    )
    return HeldDebate(asyncio.run(held), debaters)


def with_noise(pack: Pack, noise: float) -> Pack:
    return replace(pack, personas=tuple(replace(p, probe_noise=noise) for p in pack.personas))


@dataclass(frozen=True, slots=True, kw_only=True)
class FinderJob:
    """A record to put to a finder, and by what its answer is scored."""

    key: RunKey
    record: DisputeRecord
    answer_key: AnswerKey


def score_world(world: PlantedWorld, keys: Sequence[RunKey]) -> tuple[list[ScoredRun], list[FinderJob]]:
    """Hold each debate once: score our own answer where it is wanted, and make the records other finders are given."""
    runs: list[ScoredRun] = []
    jobs: list[FinderJob] = []
    together: dict[tuple[float, int, tuple[str, ...]], list[RunKey]] = {}
    for key in keys:
        together.setdefault((key.noise, key.run, key.off), []).append(key)
    for (noise, run, off), group in together.items():
        held = hold_debate(with_noise(world.pack, noise), run, off, world.messages_max)
        for key in group:
            if key.finder == OURS:
                runs.append(score_run(world, key, held))
            else:
                jobs.append(FinderJob(key=key, record=record_of(world, key, held), answer_key=world.answer_key))
    return runs, jobs


def score_run(world: PlantedWorld, key: RunKey, held: HeldDebate) -> ScoredRun:
    """What our debate of a world came to, and the baselines beside it."""
    likeness = embedder()
    result, debate = held.finished.result, fold(held.finished.events)
    assert isinstance(debate, Debate), "planted worlds are debated for their crux"
    answer = answer_of(result)
    scores, primary = score_answer(world.answer_key, answer, right_endings(world, held, debate), likeness)
    baselines: dict[str, tuple[Scores, str]] = {}
    if not key.off:
        asked = {p.id: p.question for p in world.pack.propositions}
        discussed = messages_before_choice(held.finished.events)
        for name, id in simple_answers(world.pack, discussed, key.noise, name_of_chance(key)).items():
            named = FinderAnswer(primary=asked[id], cruxes=(asked[id],))
            baselines[name] = score_answer(world.answer_key, named, frozenset(), likeness)
    return ScoredRun(
        key=key,
        size=len(world.pack.personas),
        scores=scores | label_scores(held),
        primary=primary,
        ending=answer.ending,
        expected=world.truth.ending,
        baselines=baselines,
        course=course_of(held.finished.events),
    )


def course_of(events: Iterable[AnyEvent]) -> str:
    """What was said and what was sent back, in short."""
    texts = (
        f"{e.agent} {e.content}" if isinstance(e, MessagePosted) else f"{e.agent} {[r.reason for r in e.refusals]}"
        for e in events
        if isinstance(e, MessagePosted | MessageRefused)
    )
    return sha256("\n".join(texts).encode()).hexdigest()[:12]


def name_of_chance(key: RunKey) -> str:
    return f"{key.world}/{key.noise}/{key.run}"


def record_of(world: PlantedWorld, key: RunKey, held: HeldDebate) -> DisputeRecord:
    id = blind_id(key.world, key.noise, key.run)
    told = answers_in_run(world.pack, key.noise, name_of_chance(key))[1] if key.private else None
    return DisputeRecord(
        id=id,
        topic=world.pack.topic,
        people=tuple(p.name for p in world.pack.personas),
        said=remarks_of(world.pack, messages_before_choice(held.finished.events)),
        private=None if told is None else private_answers(world.pack, told, id),
    )


def score_outside(job: FinderJob, answer: FinderAnswer | None, failure: str = "") -> ScoredRun:
    """Another finder's answer; none is scored as one that names nothing.

    A finder hears what was said before a question was chosen: it is right where it says how the networks would have it
    end, and need not know what the rest of our debate did to people.
    """
    expected = job.answer_key.truth.ending
    endings = frozenset({expected, *job.answer_key.also})
    scores, primary = score_answer(job.answer_key, answer or FinderAnswer(), endings, embedder())
    return ScoredRun(
        key=job.key,
        size=len(job.answer_key.people),
        scores=scores,
        primary=primary,
        ending=answer.ending if answer else "",
        expected=expected,
        baselines={},
        failure=failure,
    )


def messages_before_choice(events: Iterable[AnyEvent]) -> Iterator[MessagePosted]:
    """What people said until a question was chosen: what comes after tells our own choice."""
    for event in events:
        if isinstance(event, StageTransition):
            return
        if isinstance(event, MessagePosted) and event.agent not in (MODERATOR, ADVOCATE):
            yield event


# ---- how it should end


def right_endings(world: PlantedWorld, held: HeldDebate, debate: Debate) -> frozenset[str]:
    """The verdict that the networks call for; and where the evidence or the company has closed the gap since, that."""
    expected = world.truth.ending
    if expected not in (Verdict.CRUX, Verdict.PARTIAL):
        return frozenset({expected})
    gap, unpressed = (gap_left(held, sunk=sunk) for sunk in (True, False))
    found: set[str] = {expected} if gap > GAP_MIN - MARGIN else set()
    if gap < GAP_MIN + MARGIN:
        if unpressed < GAP_MIN + MARGIN:
            found.add(Verdict.RESOLVED.value)
        if unpressed > GAP_MIN - MARGIN or any_conformed(held):
            found.add(Verdict.HOLLOW.value)
    stated = {debate.tops[agent].side for agent in debate.agents if agent in debate.tops}
    private = {side_of_believer(d.believer) for d in held.debaters.values()}
    if len(stated) == 1 and (private & FIRM) - stated:
        found.add(Verdict.HOLLOW.value)
    if world.messages_max:
        found |= {Verdict.PARTIAL.value, Verdict.UNRESOLVED.value}  # as far as it got
    return frozenset(found)


def any_conformed(held: HeldDebate) -> bool:
    return any(label is Label.CONFORMED for d in held.debaters.values() for label in d.moved_by.values())


def side_of_believer(believer: Believer) -> TopSide:
    p_top = believer.private().p_top
    return TopSide.YES if p_top > 0.55 else TopSide.NO if p_top < 0.45 else TopSide.NUANCED


def gap_left(held: HeldDebate, *, sunk: bool) -> float:
    """How far the camps of the start stand apart in private now, with or without what conformity has left in them."""
    camps: dict[bool, list[float]] = {True: [], False: []}
    for debater in held.debaters.values():
        believer, network = debater.believer, debater.believer.network
        start = network.chances(network.beta, network.bias).p_top
        now = network.chances(believer.beta, network.bias + (believer.sunk if sunk else 0.0)).p_top
        camps[start > 0.5].append(now)
    return abs(mean(camps[True]) - mean(camps[False])) if all(camps.values()) else 0.0


# ---- what moved whom


def label_scores(held: HeldDebate) -> Scores:
    """How often the label told from private answers is what really moved whoever changed sides on the topic."""
    events = held.finished.events
    said = {e.id: e.content for e in events if isinstance(e, MessagePosted)}
    truth = {text: label for d in held.debaters.values() for text, label in d.moved_by.items()}
    pairs = [
        (truth[said[e.message]], e.label)
        for e in events
        if isinstance(e, PositionUpdated) and e.on == "topic" and said[e.message] in truth
    ]
    persuaded = [told for real, told in pairs if real is Label.PERSUADED]
    scores: Scores = {}
    if pairs:
        scores[Measure.LABELS] = sum(real is told for real, told in pairs), len(pairs)
    if persuaded:
        scores[Measure.PERSUADED] = sum(told is Label.PERSUADED for told in persuaded), len(persuaded)
    return scores
