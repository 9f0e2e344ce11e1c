"""Maps votes wherever they come from: a CSV file, the folder of a Polis export, or a mapping."""

from collections.abc import Mapping
from pathlib import Path

from cruxfinder.adapters.tables import vote_files
from cruxfinder.errors import BadTable
from cruxfinder.tables.votes.vote_map import VoteMap, map_table
from cruxfinder.tables.votes.vote_table import from_mapping


def map_votes(votes: str | Path | Mapping[str, Mapping[str, object]]) -> VoteMap:
    """The map of a CSV file, of a Polis export's folder, or of {agent: {question: vote}}."""
    match votes:
        case str() | Path():
            path = Path(votes)
            if path.is_dir():
                path, *more = vote_files.tables_in(path)
                if more:
                    raise BadTable(str(votes), 0, "the folder holds several tables: map them one by one")
            return map_table(vote_files.read(path))
        case Mapping():
            return map_table(from_mapping(votes))
        case _:  # pyright: ignore[reportUnnecessaryComparison]
            raise BadTable("votes", 0, f"a path or a mapping of agents is needed, not {type(votes).__name__}")


def questions_in_order(found: VoteMap) -> tuple[str, ...]:
    """All of them: those that divide most, what all share, then the others."""
    told = (*(crux.id for crux in found.cruxes), *(held.id for held in found.common_ground))
    return tuple(dict.fromkeys((*told, *found.table.questions)))
