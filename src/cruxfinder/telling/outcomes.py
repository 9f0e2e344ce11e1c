"""What every format asks of a run: how people are called, which cruxes there are, who stands together."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, assert_never

from cruxfinder.crux.result import Result, ThreadResult
from cruxfinder.crux.thread_crux import CruxResult, FalsifierItem, Position, TestedCandidate
from cruxfinder.kernel.vocabulary import Ending, Side, Status, Verdict
from cruxfinder.language.counts import join_names, percent
from cruxfinder.talk.minutes import Minutes
from cruxfinder.talk.turns import CHAIRS
from cruxfinder.telling.export_text import clean
from cruxfinder.telling.figures import FOUND, found_in, said_text
from cruxfinder.telling.wording import HEADLINES, HOUSE, RULINGS, SEVERAL_HEADLINES, SIDES, STATUSES

Outcome = Result | Minutes
Names = dict[str, str]

LEANS: Final = 0.02  # less than this, an answer does not bear on the topic either way


@dataclass(frozen=True, slots=True, kw_only=True)
class CruxInThread:
    """A crux and the thread that it came up in."""

    thread: ThreadResult
    crux: CruxResult
    primary: bool

    @property
    def id(self) -> str:
        return self.crux.id


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentFalsifier:
    """What would change one mind on a crux."""

    agent: str
    side: Side
    item: FalsifierItem


def is_over(outcome: Outcome) -> bool:
    return outcome.ending is not Ending.UNFINISHED


def somebody_spoke(told: Minutes) -> bool:
    """Has anybody but the chairs taken a turn? Without one there is nothing to hold a conversation to."""
    return any(turn.role not in CHAIRS for turn in told.turns)


def names_of(outcome: Outcome) -> Names:
    """What everybody is called; where two are called the same, their ids tell them apart."""
    called = {a.id: clean(a.name) or a.id for a in outcome.agents}
    twice = {name for name in called.values() if sum(name == other for other in called.values()) > 1}
    names = {id: f"{name} ({id})" if name in twice else name for id, name in called.items()}
    return HOUSE | names


def headline(outcome: Outcome) -> str:
    """The verdict as a sentence without its full stop."""
    match outcome:
        case Minutes():
            return headline_of_minutes(outcome)
        case Result():
            return headline_of_result(outcome)
        case _:
            assert_never(outcome)


def headline_of_minutes(told: Minutes) -> str:
    if told.ruling is not None:
        return RULINGS[told.ruling]
    return HEADLINES[told.verdict] if is_over(told) else "The conversation is not over"


def headline_of_result(result: Result) -> str:
    if not is_over(result):
        return "The debate is not over"
    found = len(found_in(result))
    if found > 1 and result.verdict in SEVERAL_HEADLINES:
        return SEVERAL_HEADLINES[result.verdict].format(found)
    return HEADLINES[result.verdict]


def cruxes(result: Result) -> tuple[CruxInThread, ...]:
    """Every question that was locked or chosen to be: the primary one, then by rank. Copies of another are left out."""
    copies = {pair.copy for pair in result.duplicates}
    found = [
        CruxInThread(thread=t, crux=t.crux, primary=t.crux.id == result.primary_crux)
        for t in result.threads
        if t.crux is not None and t.merged_into is None and t.crux.id not in copies
    ]
    return tuple(sorted(found, key=lambda a: (not a.primary, -a.crux.rank)))


def is_locked(asked: CruxInThread) -> bool:
    return any(t.locked and t.id == asked.id for t in asked.thread.tested)


def state(asked: CruxInThread) -> str:
    """What a crux is, in a word or two."""
    verdict = asked.thread.verdict
    if verdict in FOUND:
        word = "crux" if verdict is Verdict.CRUX else "partial crux"
        return word if asked.crux.validated else f"{word}, not validated"
    if verdict is Verdict.UNDECIDED:
        return "locked, still open" if is_locked(asked) else "not locked yet"
    return verdict.value


def other_questions(result: Result) -> tuple[TestedCandidate, ...]:
    """Questions that were weighed and are none of the cruxes, each as it was weighed best."""
    known = {t.crux.question for t in result.threads if t.crux is not None}
    best: dict[str, TestedCandidate] = {}
    weighed = [t for thread in result.threads for t in thread.tested if t.question not in known]
    for found in sorted(weighed, key=lambda t: -t.rank):
        best.setdefault(found.question, found)
    return tuple(best.values())


def stands_on(found: TestedCandidate, names: Names) -> str:
    """Who stands where on a question that was tested, in private."""
    groups = (
        (word, [names.get(a, a) for a, held in found.sides.items() if held is side]) for side, word in SIDES.items()
    )
    return " · ".join(f"{word}: {join_names(who)}" for word, who in groups if who)


def mean_lean(crux: CruxResult) -> float:
    """How much likelier a YES to the crux makes the topic than a NO does, on average over the private answers."""
    found = [c.if_yes - c.if_no for c in crux.counterfactual.values()]
    return sum(found) / len(found) if found else 0.0


def agent_falsifiers(crux: CruxResult, names: Names) -> Iterator[AgentFalsifier]:
    """All falsifiers of a crux, in the order of the table."""
    for agent in agents_with_side(crux, names):
        held = crux.positions[agent]
        for item in held.falsifiers:
            yield AgentFalsifier(agent=agent, side=held.side, item=item)


def agents_with_side(crux: CruxResult, names: Names) -> list[str]:
    """Who took a side, in the order of the table."""
    order = list(names)
    return sorted(crux.positions, key=lambda a: order.index(a) if a in order else len(order))


def confidence_text(held: Position) -> str:
    """How sure somebody is of a side; who is unsure now is not said to be sure of anything."""
    return "" if held.side_after is Side.UNCERTAIN else percent(held.confidence)


def side_text(held: Position) -> str:
    """A side and how sure, in a word or two."""
    return " ".join(word for word in (SIDES[held.side_after], confidence_text(held)) if word)


def groups(result: Result) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Who stands together: by coalition where there are any, else by the sides of the topic; everybody is in one."""
    if result.coalitions:
        found = [
            (clean(c.label) or f"coalition {number}", c.members) for number, c in enumerate(result.coalitions, start=1)
        ]
    else:
        found = [("for it", result.camps.yes), ("against it", result.camps.no)]
    inside = {agent for _, members in found for agent in members}
    rest = tuple(a.id for a in result.agents if a.id not in inside)
    return tuple((label, members) for label, members in (*found, ("neither", rest)) if members)


def facts(outcome: Outcome) -> str:
    """Where it comes from, in a line."""
    named = f"run {outcome.run_id}, " if outcome.run_id else ""
    return f"{named}{outcome.protocol} protocol, seed {outcome.seed}, {said_text(outcome)}"


def thread_ending(thread: ThreadResult) -> str:
    """How a thread ended."""
    if thread.merged_into is not None:
        return STATUSES[Status.MERGED].format(thread.merged_into)
    if thread.status is Status.STALE:
        return STATUSES[Status.STALE]
    return "still open" if thread.status not in (Status.CONVERGED, Status.FAILED_LOCK) else thread.verdict.value
