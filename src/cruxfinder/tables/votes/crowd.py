"""Coalitions of a crowd: tables too large for a look at every pair, most of whose votes are missing.

People are laid out on the two main lines of division, gathered in groups there, and then each goes to the group whose
answers explain their own votes best. The number of groups is the smallest that guesses votes hidden from it about as
well as any other number does.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from cruxfinder.tables import separation
from cruxfinder.tables.votes.vote_table import MISSING, NO, UNCERTAIN, YES, Votes

Floats = npt.NDArray[np.float32]
Labels = npt.NDArray[np.intp]

VOTES_MIN: Final = 5  # fewer, and nobody can say where somebody stands
MEMBERS_MIN: Final = 5  # of a coalition in a crowd
COALITIONS_MAX: Final = 5
LINES: Final = 2
ROUNDS_MAX: Final = 40
PRIOR: Final = 4.0  # votes of everybody that are added to those of a group
SPARED: Final = 0.1  # of what the best number of coalitions gains, a smaller number may miss
FOLDS: Final = 3
PARTS: Final = 10  # a tenth of the votes is hidden at a time
SEED: Final = 7


def coalitions_of(votes: Votes) -> Labels:
    """The coalition of each agent, numbered by size, or -1; all in 0 where no number guesses better than one."""
    labels = np.full(len(votes), -1, np.intp)
    active = np.flatnonzero((votes != MISSING).sum(1) >= min(VOTES_MIN, max(1, votes.shape[1] // 2)))
    if len(active) < 2 * MEMBERS_MIN:
        return labels
    chosen = votes[active]
    answers = VoteMatrices(chosen)
    found = groups_by_count(chosen, answers)
    fitting = best_group_count(chosen)
    counted = join_undistinguished(found[max(count for count in found if count <= fitting)], answers)
    sizes = np.bincount(counted)
    rank = {int(old): new for new, old in enumerate(np.argsort(-sizes, kind="stable"))}
    for agent, coalition in zip(active.tolist(), counted.tolist(), strict=True):
        labels[agent] = rank[coalition] if sizes[coalition] >= MEMBERS_MIN else -1
    return labels


def join_undistinguished(labels: Labels, answers: "VoteMatrices") -> Labels:
    """The groups that lie far enough apart, and everybody in the one that explains their votes best."""
    home = separation.merge_undistinguished(answers.tallies(labels), [1.0] * answers.yes.shape[1])
    if len(set(home)) == len(home):
        return labels
    return answers.explain(np.array(home, np.intp)[labels])


def best_group_count(votes: Votes) -> int:
    """How many coalitions, by votes hidden and guessed: the fewest that guess about as well as the best number.

    That is within one standard error, or, where there are so many votes that hardly any error is left, by all but a
    small part of what the best number gains over a single group.
    """
    hits: dict[int, list[npt.NDArray[np.bool_]]] = {}
    agents, questions = np.nonzero((votes == YES) | (votes == NO))
    part = scatter_in_parts(len(agents))
    for fold in range(FOLDS):
        hidden = part == fold
        kept = votes.copy()
        kept[agents[hidden], questions[hidden]] = MISSING
        truth = votes[agents[hidden], questions[hidden]] == YES
        answers = VoteMatrices(kept)
        for count, labels in groups_by_count(kept, answers).items():
            guess = answers.tendencies(labels)[labels[agents[hidden]], questions[hidden]] > 0.5
            hits.setdefault(count, []).append(guess == truth)
    whole = {count: np.concatenate(parts) for count, parts in hits.items() if len(parts) == FOLDS}
    best = whole[max(whole, key=lambda count: (float(whole[count].mean()), -count))]
    gained = float(best.mean()) - float(whole[1].mean())
    for count in sorted(whole):
        behind = best.astype(np.float64) - whole[count]
        error = behind.std() / max(1.0, np.sqrt(len(behind)))
        if behind.mean() <= max(error, SPARED * gained):
            return count
    raise AssertionError("the best number is within its own error")


def scatter_in_parts(votes: int) -> Labels:
    """A part for each vote, always the same. Counted along the table, a whole question could be one part."""
    return np.random.default_rng(SEED).integers(0, PARTS, votes)


class VoteMatrices:
    """Who said YES and who said NO, as numbers that can be added up group by group."""

    def __init__(self, votes: Votes) -> None:
        self.yes: Floats = (votes == YES).astype(np.float32)
        self.no: Floats = (votes == NO).astype(np.float32)
        self.unsure: npt.NDArray[np.bool_] = votes == UNCERTAIN
        said, against = self.yes.sum(0), self.no.sum(0)
        self.overall: Floats = (said + 1) / (said + against + 2)

    def tendencies(self, labels: Labels) -> Floats:
        """The share of YES among YES and NO, group by question, leaning on everybody's where a group said little."""
        members = np.eye(int(labels.max()) + 1, dtype=np.float32)[labels].T
        said, against = members @ self.yes, members @ self.no
        return ((said + PRIOR * self.overall) / (said + against + PRIOR)).astype(np.float32)

    def tallies(self, labels: Labels) -> list[list[separation.Counts]]:
        """How often each group said YES, NO and UNCERTAIN to each question."""
        groups = [labels == group for group in range(int(labels.max()) + 1)]
        counted = [np.stack([part[g].sum(0) for part in (self.yes, self.no, self.unsure)], 1) for g in groups]
        return [[(float(y), float(n), float(u)) for y, n, u in rows.tolist()] for rows in counted]

    def explain(self, labels: Labels) -> Labels:
        """Everybody in the group whose answers make their own votes most likely."""
        for _ in range(ROUNDS_MAX // 2):
            chance = self.tendencies(labels)
            likely = self.yes @ np.log(chance).T + self.no @ np.log(1 - chance).T
            likely += np.log(np.bincount(labels, minlength=len(chance)) + 1)
            better = likely.argmax(1)
            if (better == labels).all():
                break
            labels = better
        return np.unique(labels, return_inverse=True)[1]


def groups_by_count(votes: Votes, answers: VoteMatrices) -> dict[int, Labels]:
    """The groups for each number of groups, from one on."""
    places = principal_positions(votes)
    labels = np.zeros(len(votes), np.intp)
    found = {1: labels}
    for count in range(2, COALITIONS_MAX + 1):
        labels = split_widest_group(places, labels, count - 1)
        if labels.max() < count - 1:
            break
        found[count] = answers.explain(labels)
    return {count: group for count, group in found.items() if len(np.unique(group)) == count}


def principal_positions(votes: Votes) -> Floats:
    """Places on the first principal components; who has voted little is moved out from the middle to make up for it."""
    given = votes != MISSING
    around = np.where(given, votes, 0).astype(np.float32)
    around -= np.where(given, around.sum(0) / np.maximum(given.sum(0), 1), 0).astype(np.float32)
    spread = (around * around).sum(0)
    basis = around[:, np.argsort(-spread, kind="stable")[:LINES]]
    for _ in range(ROUNDS_MAX):
        basis = np.linalg.qr(around @ (around.T @ basis))[0]
    lines = np.linalg.svd(around.T @ basis, full_matrices=False)[0]
    fuller = np.sqrt(votes.shape[1] / np.maximum(given.sum(1), 1)).astype(np.float32)
    return (around @ lines) * fuller[:, None]


def split_widest_group(places: Floats, labels: Labels, count: int) -> Labels:
    """One group more: the one spread widest is cut across its long axis, then everybody goes to the nearest centre."""
    scatter = [float(places[labels == g].var(0).sum()) * int((labels == g).sum()) for g in range(count)]
    widest = int(np.argmax(scatter))
    inside = np.flatnonzero(labels == widest)
    off = places[inside] - places[inside].mean(0)
    axis = np.linalg.svd(off, full_matrices=False)[2][0]
    found = labels.copy()
    found[inside[off @ axis > 0]] = count
    for _ in range(ROUNDS_MAX):
        if len(np.unique(found)) <= count:
            return labels
        centres = np.array([places[found == g].mean(0) for g in range(count + 1)])
        nearest = ((places[:, None] - centres[None]) ** 2).sum(2).argmin(1)
        if (nearest == found).all():
            break
        found = nearest
    return found
