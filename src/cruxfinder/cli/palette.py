"""Colours that read on dark and on light: every one has about the same contrast to black as to white."""

from typing import Final

from cruxfinder.crux.law.stages import ALLOWED
from cruxfinder.kernel.vocabulary import ADVOCATE, MODERATOR, MoveKind, Stage
from cruxfinder.language.numerals import parse_whole_number
from cruxfinder.telling.event_lines import Tone

# One a seat, in order, whatever side it takes.
SEATS: Final = tuple(f"color({n})" for n in (31, 166, 133, 64, 63, 168, 29, 130, 97, 67, 161, 30))
# One a thread, by its number; reversed, so that no thread looks like a speaker.
THREADS: Final = tuple(f"reverse color({n})" for n in (31, 133, 64, 130, 63, 161, 30, 97))
NEUTRAL: Final = "color(102)"
ACCENT: Final = "color(31)"
SIGNALLED: Final = "color(29)"
FAINT: Final = "dim"

BADGES: Final = {
    Stage.DISCOVERY: "color(231) on color(24)",
    Stage.CRUX_LOCK: "color(231) on color(54)",
    Stage.EVIDENCE: "color(231) on color(23)",
}
TURNS: Final = (MoveKind.UPDATE_POSITION, MoveKind.CONCEDE)
TURN_BADGE: Final = "color(231) on color(94)"

TONES: Final[dict[Tone, str]] = {
    "message": "",
    "refusal": "dim",
    "moderator": "italic",
    "stage": f"bold {ACCENT}",
    "lock": f"bold {SIGNALLED}",
    "failure": "bold color(166)",
    "change": "bold color(133)",
    "note": "italic",
}


def seat_style(agents: tuple[str, ...], agent: str | None) -> str:
    if agent is None or agent in (MODERATOR, ADVOCATE) or agent not in agents:
        return NEUTRAL
    return SEATS[agents.index(agent) % len(SEATS)]


def thread_style(thread: str) -> str:
    number = (parse_whole_number(thread[1:]) or 1) - 1
    return THREADS[number % len(THREADS)]


def badge_style(move: str) -> str:
    if move in TURNS:
        return TURN_BADGE
    return next((BADGES[stage] for stage, moves in ALLOWED.items() if move in moves), "reverse")
