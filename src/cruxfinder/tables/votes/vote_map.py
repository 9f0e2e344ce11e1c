"""The map of a table of votes: coalitions, the questions that divide them, and what they share."""

from dataclasses import dataclass

import numpy as np

from cruxfinder.kernel.vocabulary import Side
from cruxfinder.tables.votes import grouping, ranking, redraws, shared_votes
from cruxfinder.tables.votes.redraws import GroupingSpread, RankSpread
from cruxfinder.tables.votes.vote_table import MISSING, NO, UNCERTAIN, YES, Table

Json = str | int | float | bool | None | list["Json"] | dict[str, "Json"]


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteTally:
    """How some agents voted on one question."""

    yes: int
    no: int
    uncertain: int

    def to_json(self) -> dict[str, Json]:
        return {"yes": self.yes, "no": self.no, "uncertain": self.uncertain}


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteCoalition:
    id: int
    label: str
    members: tuple[str, ...]
    shared: tuple[tuple[str, Side], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DividingQuestion:
    """A question that divides: `score` 0 to 1, places with other people, votes of all and of each coalition."""

    id: str
    text: str
    score: float
    rank: RankSpread
    everybody: VoteTally
    coalitions: tuple[VoteTally, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonQuestion:
    """A side every coalition takes; `share` is that of the coalition which holds it least."""

    id: str
    text: str
    side: Side
    share: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class VoteMap:
    """`why` says what keeps there from being two coalitions; two questions alone make it `preliminary`.

    `spread` is how like these the coalitions of other draws of people are; None where there are fewer than two.
    """

    table: Table
    coalitions: tuple[VoteCoalition, ...]
    cruxes: tuple[DividingQuestion, ...]
    common_ground: tuple[CommonQuestion, ...]
    why: str
    preliminary: bool
    spread: GroupingSpread | None

    @property
    def coalition_by_agent(self) -> dict[str, int | None]:
        """The coalition of each agent, in the order of the table."""
        home = {member: coalition.id for coalition in self.coalitions for member in coalition.members}
        return {agent: home.get(agent) for agent in self.table.agents}

    @property
    def cast(self) -> list[int]:
        """How many votes each agent cast."""
        return (self.table.votes != MISSING).sum(1).tolist()

    def to_json(self) -> dict[str, Json]:
        return {
            "file": self.table.source,
            "title": self.table.title or None,
            "agents": {
                agent: {"coalition": home, "votes": votes}
                for (agent, home), votes in zip(self.coalition_by_agent.items(), self.cast, strict=True)
            },
            "coalitions": [
                {
                    "id": coalition.id,
                    "label": coalition.label,
                    "size": len(coalition.members),
                    "members": list(coalition.members),
                    "shared": [{"id": question, "side": side.value} for question, side in coalition.shared],
                }
                for coalition in self.coalitions
            ],
            "cruxes": [
                {
                    "id": crux.id,
                    "text": crux.text or None,
                    "score": round(crux.score, 4),
                    "rank": {"low": crux.rank.low, "high": crux.rank.high, "topThree": round(crux.rank.top, 4)},
                    **crux.everybody.to_json(),
                    "coalitions": {
                        str(coalition.id): tally.to_json()
                        for coalition, tally in zip(self.coalitions, crux.coalitions, strict=True)
                    },
                }
                for crux in self.cruxes
            ],
            "commonGround": [
                {"id": held.id, "text": held.text or None, "side": held.side.value, "share": round(held.share, 4)}
                for held in self.common_ground
            ],
            "why": self.why or None,
            "preliminary": self.preliminary,
            "stability": self.spread
            and {
                "adjustedRandIndex": round(self.spread.index, 4),
                "pairs": round(self.spread.pairs, 4),
                "draws": self.spread.draws,
            },
        }


def map_table(table: Table) -> VoteMap:
    found = grouping.group_agents(table)
    figures = ranking.division_scores(table.votes)
    coalitions = tuple(
        VoteCoalition(id=n, label=label, members=tuple(table.agents[row] for row in rows), shared=shared)
        for n, (rows, shared, label) in enumerate(zip(found.groups, found.shared, found.labels, strict=True), start=1)
    )
    everybody = tallies(table, None)
    by_coalition = [tallies(table, rows) for rows in found.groups]
    ranked = ranking.ranked_columns(figures)
    return VoteMap(
        table=table,
        coalitions=coalitions,
        cruxes=tuple(
            DividingQuestion(
                id=table.questions[n],
                text=table.texts.get(table.questions[n], ""),
                score=float(figures[n]),
                rank=spread,
                everybody=everybody[n],
                coalitions=tuple(tally[n] for tally in by_coalition),
            )
            for n, spread in zip(ranked, redraws.rank_spreads(table, ranked), strict=True)
        ),
        common_ground=tuple(
            CommonQuestion(
                id=table.questions[held.column],
                text=table.texts.get(table.questions[held.column], ""),
                side=held.side,
                share=held.share,
            )
            for held in shared_votes.shared_positions(table.votes, found.groups)
        ),
        why=found.why,
        preliminary=found.preliminary,
        spread=redraws.grouping_spread(table, found),
    )


def tallies(table: Table, rows: tuple[int, ...] | None) -> list[VoteTally]:
    votes = table.votes if rows is None else table.votes[np.array(rows, np.intp)]
    counts = [(votes == value).sum(0).tolist() for value in (YES, NO, UNCERTAIN)]
    return [VoteTally(yes=yes, no=no, uncertain=uncertain) for yes, no, uncertain in zip(*counts, strict=True)]
