"""What the flags say of a conversation in turns, and how a question is put to whoever sits at the terminal."""

import sys
from collections.abc import Mapping, Sequence
from typing import Final

from cruxfinder.api import Options
from cruxfinder.app.fork_changes import SECONDS
from cruxfinder.app.people import Participation
from cruxfinder.cli import output
from cruxfinder.cli.keyboard import hold_keyboard, read_line
from cruxfinder.cli.seat import ask_person
from cruxfinder.crux.asks import AskUser
from cruxfinder.errors import BadInput
from cruxfinder.talk.turns import Protocol

AT_TERMINAL_S: Final = 300.0
FROM_ELSEWHERE_S: Final = 30.0
WAIT_MAX_S: Final = SECONDS[1]


def options(
    protocol: str,
    role: Sequence[str] | None,
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
    if protocol == Protocol.CRUX:
        given = {"--role": role, "--anchors": anchors, "--together": together, "--ask": ask, "--wait": wait}
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
        "parts": parts(role or ()),
        "anchors": anchors or "",
        "limits": limits or "",
        "redundancy": redundancy,
        "together": together,
        "ask_user": asked and protocol != Protocol.CRUX,
        "user": ask_at_keyboard if there else None,
        "wait_s": wait if wait is not None else answer_timeout_s(there=there) if asked else 0.0,
    }
    return found


def refuse(given: Mapping[str, object], why: str) -> None:
    """Nothing that was asked for is passed over in silence."""
    if strange := [flag for flag, value in given.items() if value is not None and value is not False]:
        raise BadInput(f"{strange[0]} {why}")


def seats(human: Sequence[str] | None, wait: float | None, *, quiet: bool, browser: bool) -> Options:
    """Which seats people take, at this terminal or in a browser."""
    if not human:
        if wait is not None:
            raise BadInput("--human-wait goes with a seat for a person: add --human NAME")
        return {}
    check_wait(wait)
    if browser:
        return {"humans": tuple(human), "seat_s": wait or 0.0}
    if not has_user_at_terminal(quiet=quiet):
        raise BadInput("--human needs a terminal to ask in, or a browser: add --browser")
    return {"humans": tuple(human), "sitting": ask_person, "seat_s": wait or 0.0}


def check_wait(wait: float | None) -> None:
    if wait is not None and not 0 < wait <= WAIT_MAX_S:
        raise BadInput(f"--human-wait must be above 0 and at most {WAIT_MAX_S:g} seconds")


def parts(role: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for given in role:
        part, equals, agent = (piece.strip() for piece in given.partition("="))
        if not (part and equals and agent):
            raise BadInput(f"--role {given!r} is not PART=AGENT, for example host=monk")
        if part in found:
            raise BadInput(f"--role gives {part} twice")
        found[part] = agent
    return found


def people_at_terminal(*, quiet: bool, human_wait: float | None = None) -> Participation:
    """For a run that goes on."""
    check_wait(human_wait)
    there = has_user_at_terminal(quiet=quiet)
    return Participation(
        ask_at_keyboard if there else None,
        answer_timeout_s(there=there),
        ask_person if there else None,
        human_wait or 0.0,
    )


def answer_timeout_s(*, there: bool) -> float:
    return AT_TERMINAL_S if there else FROM_ELSEWHERE_S


def has_user_at_terminal(*, quiet: bool) -> bool:
    return not quiet and output.in_terminal() and sys.stdin.isatty()


async def ask_at_keyboard(ask: AskUser) -> str:
    """One line, typed by whoever is there; an empty one passes."""
    async with hold_keyboard():
        return await read_line("Your answer (Enter to pass): ")
