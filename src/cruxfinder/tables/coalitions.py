"""Which agents stand together, by their positions on several questions. SPEC §13 COAL-1.

Two agents are similar by the weighted share of common questions on which they take the same side; an UNCERTAIN
position counts half. Groups are the partition whose members lie closest together, where questions on the main lines of
division count more. How many there are is read from the positions: a split needs pairs who agree on one question to
agree on others too, more often than chance would have it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, sqrt
from types import MappingProxyType
from typing import Final

from cruxfinder.kernel.vocabulary import AgentId, Side
from cruxfinder.tables import separation

SIDES: Final = {Side.YES: 1, Side.NO: -1, Side.UNCERTAIN: 0}
TOGETHER: Final = 0.7  # the similarity from which a panel counts as agreed
APART: Final = 0.5  # and the one that a coin would give
ALONE: Final = 0.4  # who is nearer than this to nobody stands alone
BLOCK: Final = 0.65  # the similarity within two opposed blocks that need no further proof
SAME: Final = 0.9  # and within more than two, where so few questions were asked that only blocks can tell
FEW: Final = 3
CHANCE: Final = 0.0  # standard errors of coherence above which a panel is split
CHANCE_AGREED: Final = 2.0  # the same where most agree already, and for a third group
CLEARER: Final = 0.05  # silhouette that one more group has to bring
GROUPS_MAX: Final = 5
LINES: Final = 2  # main lines of division
ROUNDS_MAX: Final = 60
LEAST: Final = 0.6  # what a question off the main lines still counts, beside 1 + this for the one most on them
EXACT_MAX: Final = 12  # agents up to which every split in two is looked at
SHARED_BY: Final = 0.75
QUESTIONS_MIN: Final = 2
PRELIMINARY_BELOW: Final = 3
CLOSE: Final = 1e-9
NO_TEXTS: Final[Mapping[str, str]] = MappingProxyType({})

Row = Sequence[float]
Labels = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CoalitionGroup:
    """Agents that stand together, and the positions they share."""

    members: tuple[AgentId, ...]
    shared: tuple[tuple[str, Side], ...]
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CoalitionPartition:
    """The groups, largest first, and why there are not more of them where there are fewer than two."""

    groups: tuple[CoalitionGroup, ...]
    alone: tuple[AgentId, ...]
    why: str = ""
    preliminary: bool = False


def find_coalitions(
    positions: Mapping[AgentId, Mapping[str, Side]], weights: Mapping[str, float]
) -> CoalitionPartition:
    """The coalitions of a panel. A question with no weight, or weight 0, does not count."""
    asked = sorted(question for question, weight in weights.items() if weight > 0)
    everybody = sorted(positions)
    if len(asked) < QUESTIONS_MIN:
        return CoalitionPartition(groups=(), alone=tuple(everybody), why="fewer than two questions can be compared")
    firm_min = min(2, len(asked) - 1)
    agents = [a for a in everybody if sum(bool(SIDES[s]) for q, s in positions[a].items() if q in weights) >= firm_min]
    sides = [[SIDES[positions[a][q]] if q in positions[a] else None for q in asked] for a in agents]
    panel = Panel(sides, [weights[q] for q in asked])
    kept, labels, why = divide_panel(panel)
    named = {
        group: tuple(agents[i] for i, label in zip(kept, labels, strict=True) if label == group)
        for group in sorted(set(labels))
    }
    members = sorted((m for m in named.values() if len(m) > 1), key=lambda m: (-len(m), m))
    placed = {agent for group in members for agent in group}
    return CoalitionPartition(
        groups=describe_groups(members, positions, asked),
        alone=tuple(a for a in everybody if a not in placed),
        why=why,
        preliminary=len(asked) < PRELIMINARY_BELOW,
    )


# ---------------------------------------------------------------- similarity


class Panel:
    """Positions as numbers, 1 for YES and -1 for NO, a row an agent, and how far the agents lie apart."""

    def __init__(self, sides: Sequence[Sequence[int | None]], weights: Sequence[float]) -> None:
        self.sides = sides
        self.weights = weights
        self.apart = [[0.0] * len(sides) for _ in sides]
        for i, j in combinations(range(len(sides)), 2):
            self.apart[i][j] = self.apart[j][i] = 1 - similarity(sides[i], sides[j], weights)

    def __len__(self) -> int:
        return len(self.sides)

    def only(self, chosen: Sequence[int]) -> "Panel":
        return Panel([self.sides[i] for i in chosen], self.weights)


def similarity(one: Sequence[int | None], other: Sequence[int | None], weights: Row) -> float:
    """Same side 1, UNCERTAIN half, opposed 0; two who answered nothing in common are as near as by chance."""
    agreed = common = 0.0
    for a, b, weight in zip(one, other, weights, strict=True):
        if a is not None and b is not None:
            common += weight
            agreed += weight * (1 + a * b) / 2
    return agreed / common if common else APART


def coherence(panel: Panel) -> float:
    """Do pairs who agree on one question agree on the others? In standard errors from what chance gives.

    Were the questions independent, the agreements of a pair would add up like coin tosses. What their spread
    over the pairs has beyond that comes from questions that go together.
    """
    pairs = list(combinations(range(len(panel)), 2))
    total = [0.0] * len(pairs)
    spreads: list[float] = []
    for n, weight in enumerate(panel.weights):
        agreed = [
            None if (a := panel.sides[i][n]) is None or (b := panel.sides[j][n]) is None else weight * (1 + a * b) / 2
            for i, j in pairs
        ]
        known = [value for value in agreed if value is not None]
        mean = sum(known) / len(known) if known else 0.0
        off = [0.0 if value is None else value - mean for value in agreed]
        total = [t + o for t, o in zip(total, off, strict=True)]
        spreads.append(sum(o * o for o in off))
    beyond = sum(t * t for t in total) - sum(spreads)
    both = (sum(spreads) ** 2 - sum(s * s for s in spreads)) / 2
    return beyond / sqrt(8 * both) * len(panel) if both > CLOSE else 0.0


def participation(panel: Panel) -> list[float]:
    """How much each question takes part in the main lines of division: its length along the first two components."""
    columns: list[list[float]] = []
    for n in range(len(panel.weights)):
        given = [row[n] for row in panel.sides]
        known = [side for side in given if side is not None]
        mean = sum(known) / len(known) if known else 0.0
        columns.append([0.0 if side is None else side - mean for side in given])
    everybody = range(len(panel))
    gram = [[sum(c[i] * c[j] for c in columns) for j in everybody] for i in everybody]
    lines: list[list[float]] = []
    for _ in range(LINES):
        line = direction(gram)
        lines.append(line)
        along = [sum(row[j] * line[j] for j in everybody) for row in gram]
        reach = sum(a * b for a, b in zip(along, line, strict=True))
        gram = [[gram[i][j] - reach * line[i] * line[j] for j in everybody] for i in everybody]
    lengths = [sqrt(sum(sum(a * b for a, b in zip(c, line, strict=True)) ** 2 for line in lines)) for c in columns]
    longest = max(lengths)
    return [length / longest + LEAST if longest > CLOSE else 1.0 for length in lengths]


def direction(gram: Sequence[Row]) -> list[float]:
    """The unit vector along which the agents differ most, by power iteration from the agent that differs most."""
    line = list(max(gram, key=lambda row: round(sum(value * value for value in row), 6)))
    for _ in range(ROUNDS_MAX):
        length = sqrt(sum(value * value for value in line))
        if length < CLOSE:
            return [0.0] * len(line)
        unit = [value / length for value in line]
        line = [sum(a * b for a, b in zip(row, unit, strict=True)) for row in gram]
    length = sqrt(sum(value * value for value in line))
    return [value / length for value in line] if length > CLOSE else [0.0] * len(line)


# ---------------------------------------------------------------- how many groups


def divide_panel(panel: Panel) -> tuple[list[int], Labels, str]:
    """Who can be grouped, the group of each, and a reason where fewer than two groups came out."""
    everybody = range(len(panel))
    kept = [i for i in everybody if any(panel.apart[i][j] <= 1 - ALONE for j in everybody if j != i)]
    if len(kept) < 2:
        few = "fewer than two agents have positions" if len(panel) < 2 else "nobody agrees with anybody"
        return kept, tuple(range(len(kept))), few
    rest = panel.only(kept)
    alike = sum(pair_similarities(rest, within=True, labels=(0,) * len(rest))) / len(list(combinations(kept, 2)))
    weighed = Panel(rest.sides, [w * share for w, share in zip(rest.weights, participation(rest), strict=True)])
    cuts = partitions(weighed)
    for labels in cuts[2:] if len(rest.weights) <= FEW else ():
        if forms_blocks(rest, labels, SAME):
            return kept, labels, ""
    if len(cuts) > 1 and coherence(rest) > (CHANCE_AGREED if alike >= TOGETHER else CHANCE):
        labels = join_undistinguished(rest, best_partition(weighed, cuts))
        return kept, labels, "" if max(labels) else separation.TOO_CLOSE
    if len(cuts) > 1 and forms_blocks(rest, cuts[1], BLOCK):
        return kept, cuts[1], ""
    if alike >= TOGETHER:
        return kept, cuts[0], "they agree on most questions"
    return kept, tuple(range(len(kept))), "who agrees on one question does not agree on the next: no groups stand out"


def join_undistinguished(panel: Panel, labels: Labels) -> Labels:
    """The groups that lie far enough apart to be more than wings of one."""
    home = separation.merge_undistinguished(
        [
            [
                count_sides([panel.sides[i][n] for i, mine in enumerate(labels) if mine == group])
                for n in range(len(panel.weights))
            ]
            for group in range(max(labels) + 1)
        ],
        panel.weights,
    )
    return tuple(home[label] for label in labels)


def count_sides(sides: Sequence[int | None]) -> separation.Counts:
    return sides.count(1), sides.count(-1), sides.count(0)


def pair_similarities(panel: Panel, *, within: bool, labels: Labels) -> list[float]:
    """The similarities of pairs within the groups, or across them."""
    pairs = combinations(range(len(panel)), 2)
    return [1 - panel.apart[i][j] for i, j in pairs if (labels[i] == labels[j]) is within]


def forms_blocks(panel: Panel, labels: Labels, least: float) -> bool:
    """Do they agree within, and across no more than a coin would?"""
    inside, outside = (
        pair_similarities(panel, within=True, labels=labels),
        pair_similarities(panel, within=False, labels=labels),
    )
    return sum(inside) >= least * len(inside) and sum(outside) <= APART * len(outside)


def best_partition(panel: Panel, cuts: Sequence[Labels]) -> Labels:
    """Two groups, and one more as long as that is clearer and a group is itself divided beyond chance."""
    chosen = cuts[1]
    for labels in cuts[2:]:
        inner = [[i for i, label in enumerate(chosen) if label == group] for group in set(chosen)]
        divided_within = any(len(m) > 3 and coherence(panel.only(m)) > CHANCE_AGREED for m in inner)
        if not (divided_within and silhouette(panel.apart, labels) > silhouette(panel.apart, chosen) + CLEARER):
            break
        chosen = labels
    return chosen


def silhouette(apart: Sequence[Row], labels: Labels) -> float:
    """How much nearer agents are to their own group than to the next one, on average."""
    sizes = {group: labels.count(group) for group in set(labels)}
    score = 0.0
    for i, mine in enumerate(labels):
        sums = dict.fromkeys(sizes, 0.0)
        for j, other in enumerate(labels):
            sums[other] += apart[i][j]
        if sizes[mine] > 1:
            inside = sums[mine] / (sizes[mine] - 1)
            outside = min(sums[g] / sizes[g] for g in sizes if g != mine)
            score += (outside - inside) / max(inside, outside, CLOSE)
    return score / len(labels)


# ---------------------------------------------------------------- the closest groups


def partitions(panel: Panel) -> list[Labels]:
    """The closest partition into one group, two groups and so on, none of them with a single member."""
    cuts: list[Labels] = [(0,) * len(panel)]
    for count in range(2, min(GROUPS_MAX, len(panel) // 2) + 1):
        tries: list[tuple[float, Labels]] = []
        for group in range(count - 1):
            inside = [i for i, label in enumerate(cuts[-1]) if label == group]
            if len(inside) >= 4:
                halves = split_in_two([[panel.apart[i][j] for j in inside] for i in inside])
                labels = list(cuts[-1])
                for i, half in zip(inside, halves, strict=True):
                    labels[i] = count - 1 if half else group
                tries.append(improve_partition(panel.apart, labels) if count > 2 else (0.0, tuple(labels)))
        if not tries:
            break
        cuts.append(min(tries)[1])
    return cuts


def split_in_two(apart: Sequence[Row]) -> Labels:
    if len(apart) <= EXACT_MAX:
        return split_exhaustively(apart)
    starts: list[Labels] = []
    for row in apart:
        far = max(range(len(row)), key=lambda j: (row[j], -j))
        starts.append(tuple(int(row[j] > apart[far][j]) for j in range(len(row))))
    tries = [improve_partition(apart, s) for s in dict.fromkeys(starts) if 2 <= sum(s) <= len(s) - 2]
    return min(tries)[1] if tries else tuple(int(i >= len(apart) // 2) for i in range(len(apart)))


def split_exhaustively(apart: Sequence[Row]) -> Labels:
    """Every split in two, each one agent away from the one before (a Gray code), so that sums are carried along.

    The cost of a group is the sum of its members' distances divided by its size: what k-means makes small.
    """
    count = len(apart)
    second = [0] * count
    to_second = [0.0] * count
    to_first = [sum(row) for row in apart]
    first_sum, second_sum, size = sum(to_first) / 2, 0.0, 0
    lowest, chosen = float("inf"), tuple(second)
    for step in range(1, 1 << (count - 1)):
        i = (step & -step).bit_length()  # the last agent but never the first one, who stays where it is
        sign = -1 if second[i] else 1
        second_sum += to_second[i] * sign
        first_sum -= to_first[i] * sign
        second[i] ^= 1
        size += sign
        for j, distance in enumerate(apart[i]):
            to_second[j] += distance * sign
            to_first[j] -= distance * sign
        if 2 <= size <= count - 2:
            cost = first_sum / (count - size) + second_sum / size
            if cost < lowest + CLOSE:
                labels = tuple(second)
                if cost < lowest - CLOSE or labels < chosen:
                    lowest, chosen = min(cost, lowest), labels
    return chosen


def improve_partition(apart: Sequence[Row], start: Sequence[int]) -> tuple[float, Labels]:
    """The partition after moving single agents, then swapping two, as long as that brings members closer."""
    labels = list(start)
    everybody = range(len(labels))
    count = max(labels) + 1
    near = [[sum(row[j] for j in everybody if labels[j] == group) for group in range(count)] for row in apart]
    for _ in range(len(labels) ** 2):
        size = [labels.count(group) for group in range(count)]
        inside = [sum(near[i][g] for i in everybody if labels[i] == g) / 2 for g in range(count)]
        step = best_move(labels, near, size, inside) or best_swap(apart, labels, near, size, inside)
        if not step:
            break
        for i, group in step:
            for j in everybody:
                near[j][labels[i]] -= apart[i][j]
                near[j][group] += apart[i][j]
            labels[i] = group
    order = {group: n for n, group in enumerate(dict.fromkeys(labels))}
    cost = sum(near[i][labels[i]] / labels.count(labels[i]) for i in everybody) / 2
    return round(cost, 9), tuple(order[group] for group in labels)


Step = tuple[tuple[int, int], ...]


def best_move(labels: list[int], near: list[list[float]], size: list[int], inside: list[float]) -> Step:
    """The agent and the group whose move gains most, if any does."""
    gain, step = CLOSE, ()
    for i, mine in enumerate(labels):
        if size[mine] <= 2:
            continue
        left = inside[mine] / size[mine] - (inside[mine] - near[i][mine]) / (size[mine] - 1)
        for group, members in enumerate(size):
            if group != mine:
                joined = (inside[group] + near[i][group]) / (members + 1) - inside[group] / members
                if left - joined > gain + CLOSE:
                    gain, step = left - joined, ((i, group),)
    return step


def best_swap(
    apart: Sequence[Row], labels: list[int], near: list[list[float]], size: list[int], inside: list[float]
) -> Step:
    """The two agents of different groups whose exchange gains most, if any does."""
    gain, step = CLOSE, ()
    for i, j in combinations(range(len(labels)), 2):
        mine, yours = labels[i], labels[j]
        if mine != yours:
            mine_now = inside[mine] - near[i][mine] + near[j][mine] - apart[i][j]
            yours_now = inside[yours] - near[j][yours] + near[i][yours] - apart[i][j]
            gained = (inside[mine] - mine_now) / size[mine] + (inside[yours] - yours_now) / size[yours]
            if gained > gain + CLOSE:
                gain, step = gained, ((i, yours), (j, mine))
    return step


# ---------------------------------------------------------------- what they share


def describe_groups(
    members: Sequence[tuple[AgentId, ...]], positions: Mapping[AgentId, Mapping[str, Side]], asked: Sequence[str]
) -> tuple[CoalitionGroup, ...]:
    held = [shared_positions(group, positions, asked) for group in members]
    return tuple(
        CoalitionGroup(members=m, shared=own, label=label)
        for m, own, label in zip(members, held, label_groups(held), strict=True)
    )


def name_position(side: Side, question: str) -> str:
    """A position in the question's words."""
    return f'{side.value} on "{question.strip()}"'


def label_groups(held: Sequence[Sequence[tuple[str, Side]]], texts: Mapping[str, str] = NO_TEXTS) -> list[str]:
    """A name for each group: the position it shares that sets it most apart from the others, in the question's words.

    Where a question has no text, its name in the table is all the words there are.
    """
    names: list[str] = []
    for own in held:
        others = [dict(other) for other in held if other is not own]
        told = sorted(own, key=lambda p: -sum(o.get(p[0]) not in (None, p[1]) for o in others))
        free = (
            name
            for question, side in told
            if (name := name_position(side, texts.get(question) or question)) not in names
        )
        names.append(next(free, f"coalition {len(names) + 1}"))
    return names


def shared_positions(
    group: Sequence[AgentId], positions: Mapping[AgentId, Mapping[str, Side]], asked: Sequence[str]
) -> tuple[tuple[str, Side], ...]:
    """The sides which three in four of those who take one take, where half of the group do and at least two."""
    held: list[tuple[str, Side]] = []
    for question in asked:
        given = [positions[agent].get(question) for agent in group]
        for side in (Side.YES, Side.NO):
            firm = given.count(Side.YES) + given.count(Side.NO)
            if firm >= max(2, ceil(len(group) / 2)) and given.count(side) >= SHARED_BY * firm:
                held.append((question, side))
    return tuple(held)
