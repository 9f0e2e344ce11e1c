"""What the flags say of a conversation in turns, and how a question is put to whoever sits at the terminal."""

import sys
from collections.abc import Mapping, Sequence
from typing import Final

from cruxfinder.app.fork_changes import SECONDS
from cruxfinder.app.options import Options
from cruxfinder.app.people import Participation
from cruxfinder.cli import output
from cruxfinder.cli.keyboard import hold_keyboard, read_line
from cruxfinder.cli.seat import ask_person
from cruxfinder.errors import BadInput
from cruxfinder.protocols.registry import protocol_named
from cruxfinder.talk.asks import AskUser

AT_TERMINAL_S: Final = 300.0
FROM_ELSEWHERE_S: Final = 30.0
WAIT_MAX_S: Final = SECONDS[1]


def options(
    protocol: str,
    roles: Sequence[str] | None,
    anchors: str | None,
    limits: str | None,
    *,
    redundancy: bool,
    together: bool,
    ask: bool | None,
    wait: float | None,
    plant: int | None,
    quiet: bool,
) -> Options:
    if wait is not None and not 0 <= wait <= WAIT_MAX_S:
        raise BadInput(f"--wait must be between 0 and {WAIT_MAX_S:g} seconds")
    if not protocol_named(protocol).in_turns:
        given = {"--roles": roles, "--anchors": anchors, "--together": together, "--ask": ask, "--wait": wait}
        refuse(given, "goes with a conversation: add --protocol roundtable, or another one")
    else:
        refuse({"--plant": plant}, "goes with a debate for its crux, where there are steelmans: leave out --protocol")
    for flag, path in (("--anchors", anchors), ("--limits", limits)):
        if path is not None and not path.strip():
            raise BadInput(f"{flag} lacks a name")
    there = has_user_at_terminal(quiet=quiet)
    asked = there if ask is None else ask
    found: Options = {
        "protocol": protocol,
        "roles": parse_roles(roles or ()),
        "anchors": anchors or "",
        "limits": limits or "",
        "redundancy": redundancy,
        "together": together,
        "ask_user": asked and protocol_named(protocol).in_turns,
        "user": ask_at_keyboard if there else None,
        "wait_s": wait if wait is not None else answer_timeout_s(there=there) if asked else 0.0,
    }
    return found


def refuse(given: Mapping[str, object], why: str) -> None:
    """Nothing that was asked for is passed over in silence."""
    if strange := [flag for flag, value in given.items() if value is not None and value is not False]:
        raise BadInput(f"{strange[0]} {why}")


def seats(people: Sequence[str] | None, wait: float | None, *, quiet: bool, browser: bool) -> Options:
    """Which seats people take, at this terminal or in a browser."""
    if not people:
        if wait is not None:
            raise BadInput("--people-wait goes with a seat for a person: add --people NAME")
        return {}
    check_wait(wait)
    if browser:
        return {"people": tuple(people), "seat_s": wait or 0.0}
    if not has_user_at_terminal(quiet=quiet):
        raise BadInput("--people needs a terminal to ask in, or a browser: add --browser")
    return {"people": tuple(people), "sitting": ask_person, "seat_s": wait or 0.0}


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
