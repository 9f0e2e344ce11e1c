"""What the flags say of a conversation in turns, and how a question is put to whoever sits at the terminal."""

import sys
from dataclasses import replace
from typing import Final

from cruxfinder.app.debate_request import DebateRequest, field_named
from cruxfinder.app.options import checked_value, value_of_text
from cruxfinder.app.people import Participation
from cruxfinder.cli import output
from cruxfinder.cli.keyboard import hold_keyboard, read_line
from cruxfinder.cli.seat import ask_person
from cruxfinder.errors import BadInput
from cruxfinder.protocols.protocol_list import protocol_named
from cruxfinder.talk.asks import AskUser

AT_TERMINAL_S: Final = 300.0
FROM_ELSEWHERE_S: Final = 30.0


def with_terminal(request: DebateRequest, *, quiet: bool, browser: bool) -> DebateRequest:
    """Who may be asked here, and for how long; and how those who take a seat are asked, here or in a browser."""
    there = has_user_at_terminal(quiet=quiet)
    if request.people and not browser and not there:
        raise BadInput("--people needs a terminal to ask in, or a browser: add --browser")
    found = replace(
        request,
        user=ask_at_keyboard if there else None,
        sitting=ask_person if request.people and not browser else None,
    )
    if not protocol_named(request.protocol).in_turns:
        return found
    asked = there if request.ask_user is None else request.ask_user
    usual = answer_timeout_s(there=there) if asked else 0.0
    return replace(found, ask_user=asked, wait_s=usual if request.wait_s is None else request.wait_s)


def people_at_terminal(*, quiet: bool, people_wait: str | None = None) -> Participation:
    """For a run that goes on."""
    there = has_user_at_terminal(quiet=quiet)
    return Participation(
        ask_at_keyboard if there else None,
        answer_timeout_s(there=there),
        ask_person if there else None,
        read_people_wait(people_wait),
    )


def read_people_wait(given: str | None) -> float:
    field = field_named("people_wait_s")
    return 0.0 if given is None else checked_value(field, value_of_text(field.kind, given))


def answer_timeout_s(*, there: bool) -> float:
    return AT_TERMINAL_S if there else FROM_ELSEWHERE_S


def has_user_at_terminal(*, quiet: bool) -> bool:
    return not quiet and output.in_terminal() and sys.stdin.isatty()


async def ask_at_keyboard(ask: AskUser) -> str:
    """One line, typed by whoever is there; an empty one passes."""
    async with hold_keyboard():
        return await read_line("Your answer (Enter to pass): ")
