"""Days of the calendar, as they are written everywhere: 2027-06-30."""

import re
from typing import Final, NamedTuple

ISO: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})")


class Day(NamedTuple):
    """A day of the calendar; days compare by their order."""

    year: int
    month: int
    day: int


def days_in(year: int, month: int) -> int:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 28 + leap if month == 2 else 30 if month in (4, 6, 9, 11) else 31


def iso(day: Day) -> str:
    return f"{day.year:04}-{day.month:02}-{day.day:02}"


def read_day(text: str) -> Day | None:
    """A day written as 2027-06-30; None for anything else."""
    told = ISO.fullmatch(text)
    if told is None:
        return None
    year, month, day = (int(part) for part in told.groups())
    return Day(year, month, day) if year and 1 <= month <= 12 and 1 <= day <= days_in(year, month) else None
