"""How two results differ: the crux maps side by side."""

from dataclasses import dataclass

from cruxfinder.crux.result import Result
from cruxfinder.crux.thread_crux import TestedCandidate


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing that is not the same; None where one of the runs does not have it."""

    what: str
    before: str | None
    after: str | None


def differences(a: Result, b: Result) -> tuple[Difference, ...]:
    """What changed from the first result to the second, most important first."""
    found = [
        Difference(what=what, before=left, after=right)
        for what, left, right in (
            ("topic", a.topic, b.topic),
            ("verdict", a.verdict.value, b.verdict.value),
            ("ending", a.ending.value, b.ending.value),
            ("primary crux", a.primary_crux_question, b.primary_crux_question),
            ("regime", a.regime, b.regime),
        )
        if left != right
    ]
    return (*found, *questions(a, b), *positions(a, b), *private_differences(a, b))


def questions(a: Result, b: Result) -> list[Difference]:
    left, right = tested_by_question(a), tested_by_question(b)
    return [
        Difference(what=f"question: {q}", before=figure(left.get(q)), after=figure(right.get(q)))
        for q in dict.fromkeys((*left, *right))
        if figure(left.get(q)) != figure(right.get(q))
    ]


def tested_by_question(result: Result) -> dict[str, TestedCandidate]:
    """A question weighed in several threads counts where it was chosen, or else where it was weighed first."""
    found: dict[str, TestedCandidate] = {}
    for t in sorted((t for thread in result.threads for t in thread.tested), key=lambda t: not t.chosen):
        found.setdefault(t.question, t)
    return found


def figure(found: TestedCandidate | None) -> str | None:
    if found is None:
        return None
    states = (("locked", found.locked), ("chosen", found.chosen), ("partial", found.partial), ("tested", True))
    state = next(name for name, holds in states if holds)
    return f"{state}, rank {found.rank:.2f}, share {found.explained_share:.2f}, DCG {found.dcg.score:.2f}"


def positions(a: Result, b: Result) -> list[Difference]:
    left, right = sides(a), sides(b)
    return [
        Difference(what=f"position: {who}", before=left.get(who), after=right.get(who))
        for who in dict.fromkeys((*left, *right))
        if left.get(who) != right.get(who)
    ]


def sides(result: Result) -> dict[str, str]:
    return {
        f"{agent} on {thread.crux.question}": f"{p.side} → {p.side_after}"
        if p.side is not p.side_after
        else str(p.side)
        for thread in result.threads
        if thread.crux is not None
        for agent, p in thread.crux.positions.items()
    }


def private_differences(a: Result, b: Result) -> list[Difference]:
    def describe_position(result: Result, agent: str) -> str | None:
        held = result.private_positions.get(agent)
        if held is None:
            return None
        after = "" if held.p_top_after is None else f" → {held.p_top_after:.2f}"
        return f"{held.p_top:.2f}{after}"

    agents = dict.fromkeys((*a.private_positions, *b.private_positions))
    return [
        Difference(
            what=f"private P(top): {agent}", before=describe_position(a, agent), after=describe_position(b, agent)
        )
        for agent in agents
        if describe_position(a, agent) != describe_position(b, agent)
    ]
