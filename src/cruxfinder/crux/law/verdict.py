"""What a disagreement amounts to. SPEC §6 CRUX-9 and §19 PLUS-4, in the order BELIEFS gives."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cruxfinder.crux.events import CandidateFigures
from cruxfinder.crux.law import candidates, crux_quality, probes, several_facts
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread, find_candidate
from cruxfinder.kernel.vocabulary import AgentId, CandidateId, Label, Phase, RuleId, TopSide, Verdict
from cruxfinder.language.counts import decimals_beside, explains_words, percent, percent_beside

LOCKED_COUNTS: Final = RuleId("CRUX-14")

CLOSER: Final = 0.5
ANSWERS_MIN: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonedVerdict:
    verdict: Verdict
    why: str


def without_gap(debate: Debate, thread: Thread) -> ReasonedVerdict | None:
    before = thread.figures[Phase.BEFORE]
    if min(len(debate.firsts), len(probes.readings(thread, Phase.BEFORE))) < ANSWERS_MIN:
        return ReasonedVerdict(verdict=Verdict.UNDECIDED, why="fewer than two gave private answers")
    if not probes.camps(debate.firsts).has_both_sides:
        answered, asked = len(debate.firsts), len(debate.agents)
        who = "everybody" if answered == asked else f"everybody who answered ({answered} of {asked})"
        return ReasonedVerdict(verdict=Verdict.NO_DISAGREEMENT, why=f"{who} stands on one side of the topic in private")
    if not both_answered(debate, thread, Phase.BEFORE):
        return ReasonedVerdict(verdict=Verdict.UNDECIDED, why="one of the camps gave no private answers")
    if is_closed(before.gap):
        told = decimals_beside(abs(before.gap), probes.GAP_MIN)
        why = f"in private the camps are {told} apart, less than {probes.GAP_MIN}"
        return ReasonedVerdict(verdict=Verdict.NO_DISAGREEMENT, why=why)
    return None


def without_single_question(debate: Debate, thread: Thread) -> ReasonedVerdict | None:
    """Verdict 2: several questions carry the gap together, or those named do not carry it at all."""
    figures = thread.figures[Phase.BEFORE].figures
    if several_facts.has_joint_explanation(debate, thread):
        linked = several_facts.linked_pairs(thread)
        return several_together(several_facts.joint_roots(figures, linked))
    return values(thread) if several_facts.lacks_single_question(figures) else None


def several_together(found: Sequence[CandidateFigures]) -> ReasonedVerdict:
    together, shares = several_facts.total_share(found), [f.share for f in found]
    least, most = percent(min(shares)), percent(max(shares))
    each = f"{least} each" if least == most else f"{least} to {most} each"
    why = f"{len(found)} questions explain {percent(together)} of the gap together, {each}; none carries it alone"
    return ReasonedVerdict(verdict=Verdict.SEVERAL_FACTS, why=why)


def values(thread: Thread) -> ReasonedVerdict:
    """Facts agreed, or the fact that matters was not named."""
    before = thread.figures[Phase.BEFORE]
    best, counted = crux_quality.best_of(before.figures), sum(not f.repeats_topic for f in before.figures)
    told = "" if best is None else percent_beside(best.share, crux_quality.SHARE_MIN)
    most = f"the best of {counted} explains {told}" if told else "none was named"
    why = f"no question tested explains the gap of {before.gap:.2f} ({most}): values, or a fact nobody named"
    return ReasonedVerdict(verdict=Verdict.VALUES, why=why)


def is_closed(gap: float) -> bool:
    return abs(gap) < probes.GAP_MIN


def after_wording(debate: Debate, thread: Thread) -> ReasonedVerdict | None:
    """Verdict 3: the difference halves once the wording, or the horizon, is fixed."""
    asked = find_candidate(thread, leading_candidate(thread))
    wording, horizon, apart = fixed_distances(debate, thread)
    question = "the question" if asked is None else asked.question
    if wording is not None and wording < CLOSER * apart:
        why = (
            f'"{question}" means two things: with its wording fixed the camps differ by {wording:.2f}, not {apart:.2f}'
        )
        return ReasonedVerdict(verdict=Verdict.DEFINITIONS, why=why)
    if horizon is not None and horizon < CLOSER * apart:
        why = f'"{question}" is answered for two horizons: on one the camps differ by {horizon:.2f}, not {apart:.2f}'
        return ReasonedVerdict(verdict=Verdict.HORIZON, why=why)
    return None


def leading_candidate(thread: Thread) -> CandidateId:
    return candidates.leading_candidate(thread, thread.figures[Phase.BEFORE].figures)


def fixed_distances(debate: Debate, thread: Thread) -> tuple[float | None, float | None, float]:
    """How far the camps differ on the leading question: its wording fixed, its horizon fixed, and as they read it."""
    id = leading_candidate(thread)
    camps, given = probes.camps(debate.firsts), probes.readings(thread, Phase.BEFORE)
    yes, no = probes.camp_means(given, camps.yes, id), probes.camp_means(given, camps.no, id)
    if yes is None or no is None:
        return None, None, 0.0
    answers = probes.fixed_answers(thread, id)

    def distance(by_agent: dict[AgentId, float]) -> float | None:
        sides = [[by_agent[a] for a in camp if a in by_agent] for camp in (camps.yes, camps.no)]
        return abs(probes.mean(sides[0]) - probes.mean(sides[1])) if all(sides) else None

    wording = distance({a: f.wording for a, f in answers.items()})
    horizon = distance({a: f.horizon for a, f in answers.items()})
    return wording, horizon, abs(yes.c - no.c)


def both_answered(debate: Debate, thread: Thread, phase: Phase) -> bool:
    """Somebody of each camp gave private answers in this phase."""
    given, camps = probes.readings(thread, phase), probes.camps(debate.firsts)
    return any(a in given for a in camps.yes) and any(a in given for a in camps.no)


def explain(found: CandidateFigures, question: str) -> str:
    flips = len(found.flips)
    return f'"{question}" {explains_words(found.share)}; {flips} would change their top claim with it'


def final_verdict(debate: Debate, thread: Thread) -> ReasonedVerdict:
    """The verdict that stood before EVIDENCE, unless the gap has gone since: resolved, or hollow agreement."""
    before, after = thread.figures[Phase.BEFORE], thread.figures.get(Phase.AFTER)
    labels = [change.label for change in thread.changes]
    persuaded, conformed = labels.count(Label.PERSUADED), labels.count(Label.CONFORMED)
    told = after is not None and both_answered(debate, thread, Phase.AFTER)
    if after is not None and told and is_closed(after.gap):
        moved = f"the gap went from {before.gap:.2f} to {after.gap:.2f}"
        if conformed > persuaded:
            return ReasonedVerdict(verdict=Verdict.HOLLOW, why=f"{moved}, more by conformity than by persuasion")
        by = "by persuasion" if persuaded else "without a public change of side that counts"
        return ReasonedVerdict(verdict=Verdict.RESOLVED, why=f"{moved} {by}")
    stated = {debate.tops[agent].side if agent in debate.tops else None for agent in debate.agents}
    private = {probes.top_side_of(r.p_top) for r in probes.readings(thread, Phase.AFTER).values()}
    firm = {TopSide.YES, TopSide.NO}
    if after is not None and told and conformed and len(stated) == 1 and stated <= firm and private & firm - stated:
        why = f"in public all say {next(iter(stated))}, in private the camps are {after.gap:.2f} apart"
        return ReasonedVerdict(verdict=Verdict.HOLLOW, why=why)
    locked = find_candidate(thread, thread.crux)
    assert locked is not None and thread.extracted is not None, "a thread converges with its crux extracted"
    found = thread.figures[Phase.LOCKED].figures[0]
    verdict = Verdict.CRUX if thread.extracted.validated else Verdict.PARTIAL
    return ReasonedVerdict(verdict=verdict, why=explain(found, locked.question))


ORDER: Final = (
    Verdict.CRUX,
    Verdict.UNRESOLVED,
    Verdict.PARTIAL,
    Verdict.SEVERAL_FACTS,
    Verdict.DEFINITIONS,
    Verdict.HORIZON,
    Verdict.FAILED_LOCK,
    Verdict.VALUES,
    Verdict.NO_DISAGREEMENT,
    Verdict.UNDECIDED,
)
CARRIES: Final = frozenset({Verdict.CRUX, Verdict.PARTIAL, Verdict.RESOLVED, Verdict.HOLLOW})


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadVerdict:
    """What a thread makes of the disagreement, whether it has ended or not."""

    thread: Thread
    reached: ReasonedVerdict


def debate_verdict(debate: Debate) -> ReasonedVerdict:
    found = deciding_thread(debate)
    return (
        found.reached
        if found
        else ReasonedVerdict(verdict=Verdict.UNDECIDED, why="it ended before a verdict was reached")
    )


def deciding_thread(debate: Debate) -> ThreadVerdict | None:
    """The most that any thread found, and of two alike the one ranked higher. That the gap is gone, or was never
    there, is believed only as long as the last private answers say so too."""
    ended = [t for t in debate.threads.values() if t.outcome is not None]
    apart = not is_closed(gap_now(debate))
    last = max((t for t in ended if Phase.AFTER in t.figures), key=lambda t: t.figures[Phase.AFTER].at_ms, default=None)
    gone = None if last is None else last.outcome
    if last is not None and (gone is Verdict.HOLLOW or (gone is Verdict.RESOLVED and not apart)):
        return ThreadVerdict(thread=last, reached=ReasonedVerdict(verdict=gone, why=last.why))
    found = [ThreadVerdict(thread=t, reached=current_verdict(t, apart)) for t in ended if speaks_for_debate(debate, t)]
    if LOCKED_COUNTS not in debate.settings.off:
        found += [ThreadVerdict(thread=t, reached=open_verdict(t)) for t in debate.active if t.crux is not None]
    best = min(
        range(len(found)),
        key=lambda n: (ORDER.index(found[n].reached.verdict), -best_rank(found[n].thread), n),
        default=None,
    )
    return None if best is None else found[best]


def speaks_for_debate(debate: Debate, thread: Thread) -> bool:
    """A side thread that tested one question, and found no crux in it, decides nothing for the debate."""
    if LOCKED_COUNTS in debate.settings.off or thread.parent is None:
        return True
    return thread.outcome in CARRIES or len(thread.candidates) > 1


def open_verdict(thread: Thread) -> ReasonedVerdict:
    """Of a thread whose question was chosen, and which had not ended when the debate did."""
    locked, figured = find_candidate(thread, thread.crux), thread.figures.get(Phase.LOCKED)
    assert locked is not None, "a thread past DISCOVERY has its question"
    if figured is not None:
        why = f"{explain(figured.figures[0], locked.question)}; the debate ended before its evidence was heard out"
        return ReasonedVerdict(verdict=Verdict.UNRESOLVED, why=why)
    found = next(f for f in thread.figures[Phase.BEFORE].figures if f.candidate == locked.id)
    why = f"{explain(found, locked.question)}; the debate ended before positions on it were locked"
    return ReasonedVerdict(verdict=Verdict.PARTIAL, why=why)


def gap_now(debate: Debate) -> float:
    """How far the camps stand apart by the last private answer of each agent."""
    held, camps = probes.latest_p_top(debate.threads.values()), probes.camps(debate.firsts)
    yes, no = ([held[a] for a in camp if a in held] for camp in (camps.yes, camps.no))
    return probes.mean(yes) - probes.mean(no) if yes and no else 0.0


def current_verdict(thread: Thread, apart: bool) -> ReasonedVerdict:
    """A thread's verdict in the light of where the camps stand now."""
    outcome = thread.outcome
    assert outcome is not None, "only ended threads are compared"
    if outcome in (Verdict.RESOLVED, Verdict.HOLLOW):
        validated = thread.extracted is not None and thread.extracted.validated
        locked, figured = find_candidate(thread, thread.crux), thread.figures.get(Phase.LOCKED)
        why = thread.why if locked is None or figured is None else explain(figured.figures[0], locked.question)
        return ReasonedVerdict(verdict=Verdict.CRUX if validated else Verdict.PARTIAL, why=why)
    if outcome is Verdict.NO_DISAGREEMENT and apart:
        return ReasonedVerdict(verdict=Verdict.UNDECIDED, why="the camps came apart after they had seemed to agree")
    return ReasonedVerdict(verdict=outcome, why=thread.why)


def best_rank(thread: Thread) -> float:
    figured = thread.figures.get(Phase.LOCKED, thread.figures.get(Phase.BEFORE))
    return max((f.rank for f in figured.figures if not f.repeats_topic), default=0.0) if figured is not None else 0.0
