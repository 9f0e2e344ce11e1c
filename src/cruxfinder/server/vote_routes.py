"""The route of votes: the map of a table, where its people stand on a plane, and the table itself as far as shown."""

from io import BytesIO
from typing import Any, Final

from fastapi import APIRouter
from starlette.responses import Response

from cruxfinder.adapters.tables import vote_files
from cruxfinder.app.vote_maps import questions_in_order
from cruxfinder.errors import BadInput
from cruxfinder.server.bodies import JsonRoute
from cruxfinder.server.debate_routes import POSTED
from cruxfinder.server.problems import responses
from cruxfinder.server.request_shapes import VotesRequest, check_votes
from cruxfinder.server.response_shapes import LeftOutShape, MatrixShape, PositionShape, VotesShape
from cruxfinder.server.server_state import Now, run_in_thread
from cruxfinder.tables.votes import projection, vote_map
from cruxfinder.tables.votes.vote_table import MISSING, from_mapping

router = APIRouter(route_class=JsonRoute, tags=["votes"])

SOURCE: Final = "votes"
PEOPLE_MAX: Final = 2_000
QUESTIONS_MAX: Final = 200
CELLS_MAX: Final = 2_000_000


@router.post("/votes", response_model=VotesShape, responses=responses(*POSTED))
async def votes(now: Now, asked: VotesRequest) -> Response:
    """Coalitions, what divides and what unites them, and everybody's place."""
    async with now.tables:
        return Response(await run_in_thread(map_votes, asked), media_type="application/json")


def map_votes(asked: VotesRequest) -> str:
    if asked.csv is not None:
        table = vote_files.read_wide_table(SOURCE, BytesIO(asked.csv.encode()))
    else:
        given = check_votes(asked.votes)
        if len(given) * len({question for row in given.values() for question in row}) > CELLS_MAX:
            raise BadInput(f"the table has more than {CELLS_MAX:,} cells")
        table = from_mapping(given, SOURCE)
    found = vote_map.map_table(table)
    cast = found.cast
    rows = sorted(sorted(range(len(table.agents)), key=lambda row: -cast[row])[:PEOPLE_MAX])
    column = {question: n for n, question in enumerate(table.questions)}
    columns = [column[question] for question in questions_in_order(found)[:QUESTIONS_MAX]]
    places, homes = projection.positions(table.votes), found.coalition_by_agent
    cells = table.votes[rows][:, columns].tolist()
    more: dict[str, Any] = found.to_json()
    return VotesShape(
        positions=[
            PositionShape(
                id=table.agents[row],
                x=float(places[row, 0]),
                y=float(places[row, 1]),
                coalition=homes[table.agents[row]],
            )
            for row in rows
        ],
        matrix=MatrixShape(
            people=[table.agents[row] for row in rows],
            questions=[table.questions[n] for n in columns],
            votes=[[None if vote == MISSING else vote for vote in row] for row in cells],
        ),
        left_out=LeftOutShape(people=len(table.agents) - len(rows), questions=len(table.questions) - len(columns)),
        **more,
    ).model_dump_json(by_alias=True)
