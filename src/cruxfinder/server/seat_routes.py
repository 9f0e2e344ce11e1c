"""The routes of people at seats: what they are asked, and what they answer."""

from typing import Any, cast

from fastapi import APIRouter

from cruxfinder.app import stored_runs
from cruxfinder.crux.thread import find_candidate
from cruxfinder.debaters.people.desk import OpenAsk
from cruxfinder.debaters.people.seat_form import form_for
from cruxfinder.errors import BadInput, LogFault
from cruxfinder.kernel import wire
from cruxfinder.kernel.agent_names import match_agent
from cruxfinder.kernel.vocabulary import ThreadId
from cruxfinder.protocols.any_ask import AnyAnswer, debate_in, read_answer
from cruxfinder.server.bodies import JsonRoute
from cruxfinder.server.debate_routes import POSTED
from cruxfinder.server.problems import Problem, responses
from cruxfinder.server.request_shapes import Agent, GivenAnswer, Run, SeatAnswerRequest
from cruxfinder.server.response_shapes import RunStateShape, SeatShape, SeatsShape, SeatThreadShape, ViewShape
from cruxfinder.server.server_state import Now

router = APIRouter(route_class=JsonRoute, tags=["seats"])


@router.get("/debates/{run}/seats", response_model_exclude_defaults=True, responses=responses(404, 422, 503))
async def seats(now: Now, run: Run) -> SeatsShape:
    """What waits for a person, as it stands now."""
    await now.host.state(run)
    held = now.host.find_debate(run)
    return SeatsShape(seats=[seat(asked) for asked in held.desk.open_asks()] if held is not None else [])


def seat(asked: OpenAsk) -> SeatShape:
    record = asked.record
    agent = asked.ask.agent
    return SeatShape(
        agent=agent,
        name=next((s.name for s in record.seats if s.id == agent), agent),
        ask=cast("dict[str, Any]", wire.plain_value(asked.ask)),
        form=form_for(asked.ask, record),
        seconds_left=asked.seconds_left,
        view=ViewShape(topic=record.started.topic, thread=thread(asked)),
    )


def thread(asked: OpenAsk) -> SeatThreadShape | None:
    """The thread the ask is about, where there is one."""
    id: str = getattr(asked.ask, "thread", "")
    if not id:
        return None
    found = debate_in(asked.record).threads[ThreadId(id)]
    crux = find_candidate(found, found.crux)
    return SeatThreadShape(
        id=found.id, topic=found.topic, stage=found.stage.value, question="" if crux is None else crux.question
    )


@router.post("/debates/{run}/seats/{agent}", status_code=202, responses=responses(404, 409, *POSTED))
async def answer_seat(now: Now, run: Run, agent: Agent, asked: SeatAnswerRequest) -> RunStateShape:
    """Answer for the agent of a seat. 409 where nobody waits for it any more, 422 where it cannot be used."""
    state = await now.host.state(stored_runs.checked_run(run))
    held = now.host.find_debate(run)
    if held is None:
        raise Problem(409, f"this server does not hold run {run}")
    seats = [(one.ask.agent, seat(one).name) for one in held.desk.open_asks()]
    await held.desk.answer(match_agent(agent, seats) or agent, asked.number, parse_answer(asked.answer))
    return RunStateShape(id=run, state=state)


def parse_answer(given: GivenAnswer) -> AnyAnswer:
    try:
        return read_answer(wire.ENCODER.encode(given.model_dump()))
    except LogFault as fault:
        raise BadInput(str(fault)) from None
