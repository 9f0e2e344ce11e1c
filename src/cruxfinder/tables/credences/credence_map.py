"""What a table of credences comes to. It is read as a debate that ended after its private probes.

Every figure and the verdict are those of a debate, by the same rules. Two things are a table's own: whoever skipped a
proposition is left out of its figures, and whether wording or horizon is at issue cannot be asked.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from cruxfinder.crux.events import CandidateFigures, DcgCalculated, FirstPosition, ProbeAnswered
from cruxfinder.crux.law import candidates, crux_quality, probes, several_facts, verdict
from cruxfinder.crux.law.confidence import Confidence
from cruxfinder.crux.law.probes import Camps, ProbeReading
from cruxfinder.crux.result import CampsResult, CommonGround, PrivatePosition, common_ground
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Candidate, Thread
from cruxfinder.crux.thread_crux import Counterfactual, Dcg, counterfactuals, dcg_of
from cruxfinder.kernel.run_facts import DebateStarted, Seat
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import AgentId, CandidateId, MessageId, Phase, ThreadId, Verdict
from cruxfinder.language.counts import decimals_beside
from cruxfinder.tables.credences.answer_noise import Incoherence, incoherences, noise_of
from cruxfinder.tables.credences.credence_answers import SAME, SurveyAnswers, SurveyProposition
from cruxfinder.tables.credences.joint_share import JointShare, joint_share
from cruxfinder.tables.credences.map_notes import answer_notes, verdict_notes
from cruxfinder.tables.credences.topic_repeats import repeats_topic
from cruxfinder.tables.credences.verdict_margins import confidence_in, doubts_of

THREAD: Final = ThreadId("t1")
NOBODY: Final = AgentId("")
Readings = Mapping[AgentId, ProbeReading]


@dataclass(frozen=True, slots=True, kw_only=True)
class TopSpread:
    """P(topic) as one person told it several times: how often, and from where to where."""

    times: int
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Respondent:
    id: str
    camp: Literal["YES", "NO", "neither"]
    answered: int  # propositions
    p_top_spread: TopSpread | None  # None where P(topic) was told once, or always the same


@dataclass(frozen=True, slots=True, kw_only=True)
class CampMeanAnswers:
    """A camp's mean answers on one proposition."""

    credence: float
    if_yes: float
    if_no: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WeighedProposition:
    """A proposition with its figures, from those who answered it; a `chosen` one is what the verdict names."""

    id: str
    question: str
    yes_means: str
    no_means: str
    rank: float
    explained_share: float
    gap_closed: float
    dcg: Dcg
    would_flip: tuple[str, ...]
    answered: int
    partial: bool
    chosen: bool
    yes_camp: CampMeanAnswers | None  # None where nobody of the camp answered
    no_camp: CampMeanAnswers | None
    counterfactual: dict[str, Counterfactual]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnweighedProposition:
    """A proposition that cannot be judged, and why."""

    id: str
    question: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CredenceMap:
    topic: str
    verdict: Verdict
    why: str
    confidence: Confidence
    primary_crux: str | None
    primary_crux_question: str | None
    gap: float
    camps: CampsResult
    cut: float  # P(topic) between the camps
    agents: tuple[Respondent, ...]
    private_positions: dict[str, PrivatePosition]
    tested: tuple[WeighedProposition, ...]  # best rank first
    untested: tuple[UnweighedProposition, ...]
    joint_share: JointShare | None  # None where nothing was weighed
    common_ground: tuple[CommonGround, ...]
    noise: float | None  # None where nothing tells: each chance was told once and a part follows from the rest
    incoherent: tuple[Incoherence, ...]
    notes: tuple[str, ...]


def map_of(answers: SurveyAnswers) -> CredenceMap:
    debate, thread = debate_from_answers(answers)
    camps = probes.camps(debate.firsts)
    given = probes.readings(thread, Phase.BEFORE)
    unfit = {asked.id: why for asked in answers.asked if (why := unfit_reason(answers.topic, asked, given, camps))}
    texts = {asked.id: asked.text for asked in answers.asked}
    figures = weigh(tuple(id for id in texts if id not in unfit), given, camps, texts)
    noise = noise_of(answers)
    flagged = tuple(incoherences(answers, texts))
    told = DcgCalculated(
        at_ms=0,
        thread=thread.id,
        phase=Phase.BEFORE,
        gap=round(probes.gap(given, camps), 4),
        noise=round(noise or 0.0, 4),
        figures=figures,
        incoherent=tuple(dict.fromkeys(AgentId(flag.agent) for flag in flagged)),
    )
    thread = replace(thread, figures={Phase.BEFORE: told})
    choice = candidates.choose(thread, figures)
    joint = joint_share(figures, given, camps) if figures else None
    reached, chosen = reach_verdict(debate, thread, choice, texts, joint)
    near = doubts_of(reached.verdict, told.gap, deciding_share(figures, chosen), joint)
    doubts = tuple(f"not of high confidence: {doubt}" for doubt in near)
    return CredenceMap(
        topic=answers.topic,
        verdict=reached.verdict,
        why=reached.why,
        confidence=confidence_in(reached.verdict, doubts),
        primary_crux=chosen,
        primary_crux_question=None if chosen is None else texts[chosen],
        gap=told.gap,
        camps=CampsResult(yes=camps.yes, no=camps.no),
        cut=round(camps.cut, 4),
        agents=tuple(respondents(answers, given, camps)),
        private_positions={
            str(agent): PrivatePosition(p_top=top, side=probes.top_side_of(top), reason="", p_top_after=None)
            for agent, top in answers.tops.items()
        },
        tested=tuple(weighed_rows(answers, thread, given, camps, choice.partial, chosen)),
        untested=tuple(UnweighedProposition(id=id, question=texts[id], why=why) for id, why in unfit.items()),
        joint_share=joint,
        common_ground=shared_ground(debate, thread, given),
        noise=None if noise is None else round(noise, 4),
        incoherent=flagged,
        notes=(
            *doubts,
            *answers.notes,
            *answer_notes(answers, given, camps, noise),
            *verdict_notes(reached.verdict, joint),
        ),
    )


def weigh(
    asked: Sequence[CandidateId], given: Readings, camps: Camps, texts: Mapping[CandidateId, str]
) -> tuple[CandidateFigures, ...]:
    """The figures of each proposition, best rank first."""
    found = (crux_quality.figures(id, answered_readings(id, given), camps, tuple(given), {}) for id in asked)
    return tuple(sorted(found, key=lambda figure: (-figure.rank, texts[figure.candidate])))


def deciding_share(figures: Sequence[CandidateFigures], chosen: CandidateId | None) -> float | None:
    """The share the verdict hangs on: of the proposition it names, else the largest."""
    return max((f.share for f in figures if chosen in (None, f.candidate)), default=None)


def respondents(answers: SurveyAnswers, given: Readings, camps: Camps) -> Iterator[Respondent]:
    for agent, reading in given.items():
        yield Respondent(
            id=agent,
            camp="YES" if agent in camps.yes else "NO" if agent in camps.no else "neither",
            answered=len(reading.credences),
            p_top_spread=top_spread(answers, agent),
        )


def top_spread(answers: SurveyAnswers, agent: AgentId) -> TopSpread | None:
    told = answers.stated_tops[agent].values()
    low, high = min(told), max(told)
    return TopSpread(times=len(told), low=low, high=high) if high - low > SAME else None


def first_positions(answers: SurveyAnswers) -> dict[AgentId, FirstPosition]:
    return {
        agent: FirstPosition(at_ms=0, agent=agent, p_top=top, side=probes.top_side_of(top), reason="")
        for agent, top in answers.tops.items()
    }


def debate_from_answers(answers: SurveyAnswers) -> tuple[Debate, Thread]:
    """The table as a debate in which everything named was probed, and nothing said."""
    thread = Thread(
        id=THREAD,
        topic=answers.topic,
        created_ms=0,
        candidates=tuple(candidate(asked) for asked in answers.asked),
        probes={
            (Phase.BEFORE, 1): {
                agent: ProbeAnswered(
                    at_ms=0,
                    thread=THREAD,
                    phase=Phase.BEFORE,
                    round=1,
                    agent=agent,
                    p_top=top,
                    credences=tuple(answers.credences.get(agent, {}).values()),
                )
                for agent, top in answers.tops.items()
            }
        },
    )
    settings = Settings()
    seats = tuple(Seat(id=agent, name=agent) for agent in answers.tops)
    started = DebateStarted(
        at_ms=0, topic=answers.topic, seats=seats, seed=0, pack="", pack_sha="", settings=settings, format=0, kernel=0
    )
    debate = Debate(
        started=started, settings=settings, seats=seats, firsts=first_positions(answers), threads={thread.id: thread}
    )
    return debate, thread


def candidate(asked: SurveyProposition) -> Candidate:
    question = asked.text.endswith("?")
    return Candidate(
        id=asked.id,
        question=asked.text,
        yes_means=asked.yes_means or (f"Yes: {asked.text}" if question else asked.text),
        no_means=asked.no_means or (f"No: {asked.text}" if question else f"Not so: {asked.text}"),
        by=NOBODY,
        message=MessageId(""),
    )


def answered_readings(id: CandidateId, given: Readings) -> dict[AgentId, ProbeReading]:
    """Those who answered a proposition: the gap it is to explain is the gap between them."""
    return {agent: reading for agent, reading in given.items() if id in reading.credences}


def unfit_reason(topic: str, asked: SurveyProposition, given: Readings, camps: Camps) -> str:
    """Why a proposition cannot be judged; empty if it can. Half of each camp must have answered, and still differ."""
    if repeats_topic(topic, asked.text):
        return "it asks the topic again"
    answered = answered_readings(asked.id, given)
    if len(answered) == len(given):
        return ""
    groups = [("YES", camps.yes), ("NO", camps.no)] if camps.has_both_sides else [("", tuple(given))]
    for name, group in groups:
        there = sum(agent in answered for agent in group)
        if 2 * there < len(group):
            of = f"of the {len(group)} in the {name} camp" if name else f"of {len(group)}"
            return f"{there} {of} answered, fewer than half"
    gap = abs(probes.gap(answered, camps))
    whole = abs(probes.gap(given, camps))
    if camps.has_both_sides and round(gap, 4) < probes.GAP_MIN <= round(whole, 4):
        told = decimals_beside(gap, probes.GAP_MIN)
        return f"those who answered are {told} apart on the topic, less than {probes.GAP_MIN}"
    return ""


def reach_verdict(
    debate: Debate,
    thread: Thread,
    choice: candidates.Choice,
    texts: Mapping[CandidateId, str],
    joint: JointShare | None,
) -> tuple[verdict.ReasonedVerdict, CandidateId | None]:
    """The verdict of BELIEFS and the proposition it names, if any; its third step needs a question no table holds."""
    figures = thread.figures[Phase.BEFORE].figures
    reached = verdict.without_gap(debate, thread)
    if reached is not None:
        return reached, None
    if joint is None:
        why = "no proposition was answered by at least half of each camp"
        return verdict.ReasonedVerdict(verdict=Verdict.UNDECIDED, why=why), None
    if several_facts.lacks_single_question(figures):
        together = [f for f in figures if f.candidate in joint.facts]
        return verdict.several_together(together) if joint.carries else verdict.values(thread), None
    id = candidates.leading_candidate(thread, figures)
    found = next(f for f in figures if f.candidate == id)
    both = choice.lock is not None and len(found.flips) >= crux_quality.FLIPS_MIN
    why = verdict.explain(found, texts[id])
    return verdict.ReasonedVerdict(verdict=Verdict.CRUX if both else Verdict.PARTIAL, why=why), id


def weighed_rows(
    answers: SurveyAnswers,
    thread: Thread,
    given: Readings,
    camps: Camps,
    partial: Sequence[CandidateId],
    chosen: CandidateId | None,
) -> Iterator[WeighedProposition]:
    asked = {a.id: a for a in answers.asked}
    for found in thread.figures[Phase.BEFORE].figures:
        id = found.candidate
        yield WeighedProposition(
            id=id,
            question=asked[id].text,
            yes_means=asked[id].yes_means,
            no_means=asked[id].no_means,
            explained_share=found.share,
            gap_closed=found.gap_closed,
            dcg=dcg_of(found),
            rank=found.rank,
            would_flip=found.flips,
            partial=id in partial,
            chosen=id == chosen,
            answered=len(answered_readings(id, given)),
            yes_camp=means(given, camps.yes, id),
            no_camp=means(given, camps.no, id),
            counterfactual=counterfactuals(thread, id, found.flips),
        )


def means(given: Readings, camp: Sequence[AgentId], id: CandidateId) -> CampMeanAnswers | None:
    bars = probes.camp_means(given, camp, id)
    return bars and CampMeanAnswers(credence=round(bars.c, 4), if_yes=round(bars.p1, 4), if_no=round(bars.p0, 4))


def shared_ground(debate: Debate, thread: Thread, given: Readings) -> tuple[CommonGround, ...]:
    """Common ground among what at least half of all answered."""
    known = tuple(c for c in thread.candidates if 2 * len(answered_readings(c.id, given)) >= len(given))
    return common_ground(replace(debate, threads={thread.id: replace(thread, candidates=known)}))
