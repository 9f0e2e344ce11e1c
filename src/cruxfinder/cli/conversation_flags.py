"""What the flags say of a conversation in turns, and how a question is put to whoever sits at the terminal."""

import sys
from collections.abc import Sequence
from typing import Final

from cruxfinder.app.debate_request import WAIT_MAX_S, DebateRequest, field_named
from cruxfinder.app.people import Participation
from cruxfinder.cli import output
from cruxfinder.cli.keyboard import hold_keyboard, read_line
from cruxfinder.cli.seat import ask_person
from cruxfinder.errors import BadInput
from cruxfinder.kernel.vocabulary import CRUX
from cruxfinder.protocols.registry import protocol_named
from cruxfinder.talk.asks import AskUser

AT_TERMINAL_S: Final = 300.0
FROM_ELSEWHERE_S: Final = 30.0


def conversation_options(said: DebateRequest, *, quiet: bool) -> DebateRequest:
    """Who may be asked, and for how long. What does not go with the protocol is refused."""
    protocol = protocol_named(said.get("protocol", CRUX))
    if protocol.in_turns:
        refuse(said, ("planted",), "goes with a debate for its crux, where there are steelmans: leave out --protocol")
    else:
        only_in_turns = ("roles", "anchors", "together", "ask_user", "wait_s")
        refuse(said, only_in_turns, "goes with a conversation: add --protocol roundtable, or another one")
    there = has_user_at_terminal(quiet=quiet)
    asked = said.get("ask_user", there)
    return {
        "ask_user": asked and protocol.in_turns,
        "user": ask_at_keyboard if there else None,
        "wait_s": said.get("wait_s", answer_timeout_s(there=there) if asked else 0.0),
    }


def refuse(said: DebateRequest, names: Sequence[str], why: str) -> None:
    """Nothing that was asked for is passed over in silence."""
    for name in names:
        if said.get(name, False) is not False:
            raise BadInput(f"{field_named(name).flag.partition('/')[0]} {why}")


def seat_options(said: DebateRequest, *, quiet: bool, browser: bool) -> DebateRequest:
    """How those who take a seat are asked: at this terminal, or in a browser."""
    if not said.get("people"):
        if "people_wait_s" in said:
            raise BadInput("--people-wait goes with a seat for a person: add --people NAME")
        return {}
    check_wait(said.get("people_wait_s"))
    if browser:
        return {}
    if not has_user_at_terminal(quiet=quiet):
        raise BadInput("--people needs a terminal to ask in, or a browser: add --browser")
    return {"sitting": ask_person}


def check_wait(wait: float | None) -> None:
    if wait is not None and not 0 < wait <= WAIT_MAX_S:
        raise BadInput(f"--people-wait must be above 0 and at most {WAIT_MAX_S:g} seconds")


def parse_roles(roles: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for given in roles:
        part, equals, agent = (piece.strip() for piece in given.partition("="))
        if not (part and equals and agent):
            raise BadInput(f"--roles {given!r} is not ROLE=AGENT, for example host=monk")
        if part in found:
            raise BadInput(f"--roles gives {part} twice")
        found[part] = agent
    return found


def people_at_terminal(*, quiet: bool, people_wait: float | None = None) -> Participation:
    """For a run that goes on."""
    check_wait(people_wait)
    there = has_user_at_terminal(quiet=quiet)
    return Participation(
        ask_at_keyboard if there else None,
        answer_timeout_s(there=there),
        ask_person if there else None,
        people_wait or 0.0,
    )


def answer_timeout_s(*, there: bool) -> float:
    return AT_TERMINAL_S if there else FROM_ELSEWHERE_S


def has_user_at_terminal(*, quiet: bool) -> bool:
    return not quiet and output.in_terminal() and sys.stdin.isatty()


async def ask_at_keyboard(ask: AskUser) -> str:
    """One line, typed by whoever is there; an empty one passes."""
    async with hold_keyboard():
        return await read_line("Your answer (Enter to pass): ")
