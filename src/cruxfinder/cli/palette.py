"""Colours that read on dark and on light: every one has about the same contrast to black as to white."""

from typing import TYPE_CHECKING, Final

from cruxfinder.kernel.vocabulary import ADVOCATE, MODERATOR
from cruxfinder.language.numerals import parse_whole_number

if TYPE_CHECKING:
    from cruxfinder.telling.event_lines import Tone

# One a seat, in order, whatever side it takes.
SEATS: Final = tuple(f"color({n})" for n in (31, 166, 133, 64, 63, 168, 29, 130, 97, 67, 161, 30))
# One a thread, by its number; reversed, so that no thread looks like a speaker.
THREADS: Final = tuple(f"reverse color({n})" for n in (31, 133, 64, 130, 63, 161, 30, 97))
NEUTRAL: Final = "color(102)"
ACCENT: Final = "color(31)"
SIGNALLED: Final = "color(29)"
FAINT: Final = "dim"

TONES: Final[dict["Tone", str]] = {
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
