"""Who stands together in a table: a panel by the rule the debates use, a crowd by its own; or why nobody can say."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from cruxfinder.kernel.vocabulary import AgentId, Side
from cruxfinder.tables import coalitions
from cruxfinder.tables.votes import crowd
from cruxfinder.tables.votes.shared_votes import shared_positions
from cruxfinder.tables.votes.vote_table import MISSING, NO, SIDES, YES, Table, Votes

PANEL_MAX: Final = 40  # agents up to which every pair is compared
PAIRS_MAX: Final = 1_000_000  # times questions
AGENTS_MIN: Final = 3
CONTESTED_MIN: Final = 2
COMMON_MIN: Final = 1.0
SHARED_MAX: Final = 12
ONE_CROWD: Final = (
    "one coalition guesses hidden votes as well as several, or the several agree too much to be coalitions"
)

Shared = tuple[tuple[str, Side], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentGroups:
    """Groups of rows, largest first, what each shares, and a reason where there are fewer than two."""

    groups: tuple[tuple[int, ...], ...] = ()
    shared: tuple[Shared, ...] = ()
    labels: tuple[str, ...] = ()
    why: str = ""
    preliminary: bool = False


def group_agents(table: Table) -> AgentGroups:
    if why := ungroupable_reason(table.votes):
        return AgentGroups(why=why)
    agents, questions = table.votes.shape
    if agents <= PANEL_MAX and agents * agents * questions <= PAIRS_MAX:
        return group_panel(table)
    return group_crowd(table)


def ungroupable_reason(votes: Votes) -> str:
    """Why coalitions cannot be told at all, or nothing."""
    given = votes != MISSING
    voting = int(given.any(1).sum())
    if voting < AGENTS_MIN:
        return f"too few people: {voting} of {len(votes)} voted, and three are needed"
    contested = int(((votes == YES).any(0) & (votes == NO).any(0)).sum())
    if contested < CONTESTED_MIN and has_enough_answers(votes):
        return ""
    if contested < CONTESTED_MIN:
        return f"too few questions: {contested} got both YES and NO, and two are needed"
    answered = given.sum(0).astype(np.float64)
    pairs = len(votes) * (len(votes) - 1) / 2
    in_common = float((answered * (answered - 1) / 2).sum() / pairs)
    if in_common < COMMON_MIN:
        return f"too few votes: two people have {in_common:.2f} questions in common on average, and one is needed"
    return ""


def has_enough_answers(votes: Votes) -> bool:
    """Two questions that somebody answered and hardly anybody disputes make one coalition of all."""
    return int(((votes != MISSING).sum(0) >= 2).sum()) >= CONTESTED_MIN


def group_panel(table: Table) -> AgentGroups:
    names = [AgentId(name) for name in table.agents]
    positions = {
        name: {q: SIDES[vote] for q, vote in zip(table.questions, row, strict=True) if vote != MISSING}
        for name, row in zip(names, table.votes.tolist(), strict=True)
    }
    found = coalitions.find_coalitions(positions, dict.fromkeys(table.questions, 1.0))
    row = {name: n for n, name in enumerate(names)}
    return AgentGroups(
        groups=tuple(tuple(sorted(row[member] for member in group.members)) for group in found.groups),
        shared=tuple(group.shared for group in found.groups),
        labels=tuple(coalitions.label_groups([group.shared for group in found.groups], table.texts)),
        why=found.why,
        preliminary=found.preliminary,
    )


def group_crowd(table: Table) -> AgentGroups:
    found = crowd.coalitions_of(table.votes)
    groups = tuple(tuple(int(row) for row in np.flatnonzero(found == n)) for n in range(int(found.max(initial=-1)) + 1))
    groups = tuple(group for group in groups if group)
    shared = [shared_sides(table, groups, number) for number in range(len(groups))]
    why = ""
    if len(groups) < 2:
        why = ONE_CROWD if groups else "nobody voted often enough"
    return AgentGroups(
        groups=groups, shared=tuple(shared), labels=tuple(coalitions.label_groups(shared, table.texts)), why=why
    )


def shared_sides(table: Table, groups: Sequence[Sequence[int]], number: int) -> Shared:
    """What a group shares, first what sets it apart from the rest."""
    votes = table.votes[list(groups[number])]
    rest = table.votes[[row for n, group in enumerate(groups) if n != number for row in group]]
    found = [(shared.column, shared.side) for shared in shared_positions(votes, ())]

    def elsewhere(column: int, side: Side) -> float:
        cast = rest[:, column]
        value = YES if side is Side.YES else NO
        return float((cast == value).sum()) / max(1, int((cast != MISSING).sum()))

    found.sort(key=lambda held: (round(elsewhere(*held), 6), held[0]))
    return tuple((table.questions[column], side) for column, side in found[:SHARED_MAX])
