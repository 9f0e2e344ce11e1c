"""On which day does a deadline run out? The last day its words allow; none where they name none, which is open-ended.

A day read too early is worse than one too late: what leaves room is read as the end of the span it names, and what
hangs on an event is not read at all.
"""

import re
from collections.abc import Iterator
from math import ceil
from typing import Final, NamedTuple

from cruxfinder.language.calendar_days import Day, days_in


class DaySpan(NamedTuple):
    """Two days and all between them."""

    first: Day
    last: Day


# Where a text names no day at all.
SOMEDAY: Final = re.compile(
    r"\b(?:someday|some day|some time|sometime|eventually|soon"
    r"|(?<!least )(?<!for )(?<!than )(?<!only )(?<!within )one day|in due course|over time|in the future"
    r"|in the long run|at some point|sooner or later|when the time comes|ultimately|for now|before long|after a while"
    r"|by then|in time|until further notice|next time(?! (?:the|an?|my|our|his|her|its|their|he|she|we"
    r"|they|it|i|you) )|(?:only )?a matter of time|when things change|at present"
    r"|by definition)\b",
    re.IGNORECASE,
)
YEAR_MAX: Final = 9999
LENGTH_MAX: Final = 500  # what is longer is a story, and slow to search

YEAR: Final = r"(?P<year>(?:19|20|21)\d\d)"
ANY_YEAR: Final = re.compile(YEAR)
MONTHS: Final[dict[str, int]] = {
    name: n for n, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), start=1)
}
MONTH: Final = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
MONTH_NUMBER: Final = r"(?P<month>0?[1-9]|1[0-2])"
DAY: Final = r"(?P<day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?\b"
NO_MONTH: Final = r"(?P<day>1[3-9]|2\d|3[01])"  # with strokes only such a number says which of the two is the day
QUARTER: Final = (
    r"(?:q(?P<quarter>[1-4])\b|(?P<nth_quarter>first|second|third|fourth|last|1st|2nd|3rd|4th)\s+quarter\b)"
)
HALF: Final = r"(?:h(?P<half>[12])\b|(?P<nth_half>first|second|last|1st|2nd)\s+half\b)"
SEASON: Final = r"(?P<season>spring|summer|autumn|fall|winter)"
# The first day and the last one, in the north; winter ends in the next year.
SEASONS: Final = {
    "spring": ((3, 20), (6, 20)),
    "summer": ((6, 21), (9, 21)),
    "autumn": ((9, 22), (12, 20)),
    "fall": ((9, 22), (12, 20)),
    "winter": ((12, 21), (3, 19)),
}
OF: Final = r"(?:\s*[,/-]\s*|\s+(?:of\s+)?(?:the\s+year\s+)?)"
NTH: Final = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}

PART: Final = r"(?:\b(?P<part>start|beginning|mid|middle|end|close)(?:\s+of\s+|\s*-\s*|\s+)(?:the\s+)?(?:year\s+)?)?"
# A day may be where something only begins, or the limit may lie before it.
LEAD: Final = (
    r"(?:\b(?P<begins>not\s+before|not\s+until|(?<!not\s)after|since|from|(?<!no\s)(?<!not\s)later\s+than|beyond"
    r"|starting(?:\s+(?:in|on|from))?)\s+|\b(?P<before>before|prior\s+to|ahead\s+of|earlier\s+than)\s+)?"
    rf"(?:\bthe\s+)?{PART}"
)


def _form(core: str, lead: str = LEAD) -> re.Pattern[str]:
    return re.compile(rf"{lead}(?<![\w.$€£]){core}", re.IGNORECASE)


# From the most exact: what one form has read the next ones no longer see.
WITH_YEAR: Final = (
    _form(rf"{YEAR}[-/]{MONTH_NUMBER}[-/]{DAY}"),
    _form(rf"{DAY}\.\s?{MONTH_NUMBER}\.\s?{YEAR}\b"),
    _form(rf"{NO_MONTH}/{MONTH_NUMBER}/{YEAR}\b"),
    _form(rf"{MONTH_NUMBER}/{NO_MONTH}/{YEAR}\b"),
    _form(rf"{DAY}\.?\s+(?:of\s+)?{MONTH},?\s+{YEAR}\b"),
    _form(rf"{MONTH}\s+{DAY},?\s+{YEAR}\b"),
    _form(rf"{MONTH}{OF}{YEAR}\b"),
    _form(rf"{QUARTER}{OF}{YEAR}\b"),
    _form(rf"{YEAR}\s*[-/]?\s*{QUARTER}"),
    _form(rf"{HALF}{OF}{YEAR}\b"),
    _form(rf"{YEAR}\s*[-/]?\s*{HALF}"),
    _form(rf"{YEAR}-{MONTH_NUMBER}\b(?!-)"),
    _form(rf"{SEASON}(?:\s+of)?\s+{YEAR}(?:[/-]\d\d)?\b"),
    re.compile(rf"{LEAD}(?<![\d.,$€£])\b{YEAR}[/-](?P<second>\d\d)\b(?![\d/-])", re.IGNORECASE),
    re.compile(rf"{LEAD}(?<![\d.,$€£])(?:\b|(?<=fy)){YEAR}(?P<decade>s)?(?![\w%]|[.,]\d)", re.IGNORECASE),
)
WITHOUT_YEAR: Final = (
    _form(rf"{DAY}\.?\s+(?:of\s+)?{MONTH}"),
    _form(rf"{MONTH}\s+{DAY}"),
    _form(QUARTER),
    _form(rf"{MONTH}(?!\s*\d)", rf"\b(?:by|in|until|till|this|next|(?P<before>before))\s+(?:the\s+)?{PART}"),
)
CALENDAR: Final = (
    re.compile(
        r"\b(?:(?P<next>(?<!the )next)|this|(?:the )?current|end of the) (?P<unit>year|quarter|month|decade)\b",
        re.IGNORECASE,
    ),
    re.compile(r"(?P<unit>year)(?:['’]s)?[ -]end\b", re.IGNORECASE),
)

WEEKDAYS: Final[tuple[str, ...]] = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
WEEKDAY: Final = re.compile(
    rf"\b(?:(?P<before>before)|by|until|till|on|this|(?P<next>next))\s+(?P<day>{'|'.join(WEEKDAYS)})day\b(?!\s+\d)",
    re.IGNORECASE,
)

ONES: Final = "one two three four five six seven eight nine".split()
TEENS: Final = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()
NUMBERS: Final = {
    **{word: n for n, word in enumerate((*ONES, *TEENS), start=1)},
    **{word: 10 * n for n, word in enumerate(TENS, start=2)},
    **{f"{ten}-{one}": 10 * n + m for n, ten in enumerate(TENS, start=2) for m, one in enumerate(ONES, start=1)},
    **{"a": 1.0, "an": 1.0, "the next": 1.0, "the coming": 1.0, "the following": 1.0},
    **{"half a": 0.5, "half": 0.5, "a half": 0.5, "a couple of": 2.0, "a hundred": 100.0},
}
IN_MONTHS: Final = {"decade": 120, "year": 12, "yr": 12, "y": 12, "semester": 6, "quarter": 3, "month": 1, "mo": 1}
IN_DAYS: Final = {"fortnight": 14.0, "week": 7.0, "day": 1.0, "hour": 1 / 24, "minute": 1 / 1440}
_WORDS: Final = "|".join(re.escape(word) for word in sorted(NUMBERS, key=len, reverse=True)).replace(r"\-", "[ -]")
_COUNT: Final = rf"(?:\d{{1,4}}(?:\.\d)?|{_WORDS})"
_UNIT: Final = "|".join(sorted((*IN_MONTHS, *IN_DAYS), key=len, reverse=True))
DURATION: Final = re.compile(
    rf"(?<![\w.])(?<!every )(?<!each )(?:\d{{1,4}}\s?-\s?|{_COUNT}\s+(?:to|or)\s+)?"
    rf"(?P<count>{_COUNT})(?P<half>\s+and\s+a\s+half)?[\s-]*"
    r"(?:(?:full|whole|more|further|calendar|consecutive|successive|trading|business|fiscal|financial)\s+)*"
    rf"(?P<unit>{_UNIT})s?\b(?P<more>\s+and\s+a\s+half)?",
    re.IGNORECASE,
)
AFTER: Final = re.compile(
    r"\s*(?:of|from|after|following|since)\s+(?P<now>now\b|today\b|th(?:e|is) (?:debate|run)\b)?", re.IGNORECASE
)


# ---- what a text says


def last_day(deadline: str, made: Day | None) -> Day | None:
    """The last day it allows, spans counted from the day it was made; of several days the last."""
    text = re.sub("[‐‑–—]", "-", " ".join(deadline[:LENGTH_MAX].split()))
    counting = (
        () if made is None or SOMEDAY.search(text) else (days_without_year(text, made), days_after_duration(text, made))
    )
    for found in (days_after_date(text), days_with_year(text), *counting):
        days = [day for day in found if day.year <= YEAR_MAX]
        if days:
            return max(days)
    return None


def hangs_on_event(deadline: str) -> bool:
    """Its span begins with something that has no day: "within 90 days of launch"."""
    afters = (AFTER.match(deadline, match.end()) for match in DURATION.finditer(deadline[:LENGTH_MAX]))
    return any(after is not None and after["now"] is None for after in afters)


def days_after_date(text: str) -> Iterator[Day]:
    """A span counted from a day that is named: "within two years of June 2027"."""
    for match in DURATION.finditer(text):
        after = AFTER.match(text, match.end())
        if after is None:
            continue
        for form in WITH_YEAR:
            if (named := form.match(text, after.end())) is not None:
                yield add_duration(span(named, int(named["year"])).last, match)
                break


def days_with_year(text: str) -> Iterator[Day]:
    if ANY_YEAR.search(text) is None:
        return
    for form in WITH_YEAR:
        matches = list(form.finditer(text))
        for match in matches:
            yield from limit(match, span(match, int(match["year"])))
        if matches:
            text = form.sub(lambda match: " " * len(match[0]), text)


def days_without_year(text: str, made: Day) -> Iterator[Day]:
    """A day without its year is the next such day; this and next year, quarter or month are those of the calendar."""
    for form in WITHOUT_YEAR:
        for match in form.finditer(text):
            nearest = (day for year in (made.year, made.year + 1) for day in limit(match, span(match, year)))
            yield from [day for day in nearest if day >= made][:1]
        text = form.sub(lambda match: " " * len(match[0]), text)
    for match in WEEKDAY.finditer(text):
        yield next_weekday(made, match)
    for form in CALENDAR:
        for match in form.finditer(text):
            length = IN_MONTHS[match["unit"].lower()]
            since_start = ((made.year % 10) * 12 + made.month - 1) % length
            ahead = 2 if match.groupdict().get("next") else 1
            yield month_end(made.year, made.month + ahead * length - since_start - 1)


def days_after_duration(text: str, made: Day) -> Iterator[Day]:
    """A span from the day it was made. One that follows something else, "two years after the merger", is no date."""
    if hangs_on_event(text):
        return
    for match in DURATION.finditer(text):
        yield add_duration(made, match)


# ---- from words to days


def span(match: re.Match[str], year: int) -> DaySpan:
    """The days a form names, in that year."""
    said = match.groupdict()
    if said.get("month"):
        name = str(said["month"])
        month = int(name) if name.isdigit() else MONTHS[name[:3].lower()]
        if said.get("day"):
            day = Day(year, month, min(int(str(said["day"])), days_in(year, month)))
            return DaySpan(day, day)
        return months(year, month, 1)
    if (quarter := part_of(said.get("quarter"), said.get("nth_quarter"), 4)) is not None:
        return months(year, 3 * quarter - 2, 3)
    if (half := part_of(said.get("half"), said.get("nth_half"), 2)) is not None:
        return months(year, 6 * half - 5, 6)
    if said.get("season"):
        first, last = SEASONS[str(said["season"]).lower()]
        return DaySpan(Day(year, *first), Day(year + (last < first), *last))
    if said.get("second") and int(str(said["second"])) == (year + 1) % 100:
        return months(year, 1, 24)
    return months(year, 1, 120 if said.get("decade") else 12)


def part_of(number: str | None, word: str | None, parts: int) -> int | None:
    return int(number) if number else NTH.get(word.lower(), parts) if word else None


def limit(match: re.Match[str], named: DaySpan) -> Iterator[Day]:
    """The last day that is not too late; nothing where the span is only a beginning."""
    said = match.groupdict()
    part = str(said.get("part") or "").lower()
    if said.get("begins"):
        return
    if part in ("mid", "middle"):
        yield middle(named)
    elif part in ("start", "beginning"):
        yield named.first
    elif said.get("before") and not part:
        yield day_before(named.first)
    else:
        yield named.last


def next_weekday(made: Day, match: re.Match[str]) -> Day:
    """The next such day, that of the week after where it is called the next one."""
    ahead = (WEEKDAYS.index(match["day"].lower()) - weekday(made)) % 7
    return (
        days_later(made, ahead + 7 * bool(match["next"]))
        if not match["before"]
        else day_before(days_later(made, ahead))
    )


def weekday(day: Day) -> int:
    """0 on a Monday."""
    year, month = (day.year, day.month) if day.month > 2 else (day.year - 1, day.month + 12)
    return (day.day + 13 * (month + 1) // 5 + year + year // 4 - year // 100 + year // 400 + 5) % 7


def add_duration(start: Day, duration: re.Match[str]) -> Day:
    word = " ".join(duration["count"].lower().split())
    count = float(word) if word[0].isdigit() else NUMBERS.get(word) or NUMBERS[word.replace(" ", "-")]
    if duration["half"] or duration["more"]:
        count += 0.5
    unit = duration["unit"].lower()
    if unit in IN_DAYS:
        return days_later(start, ceil(count * IN_DAYS[unit]))
    year, month = carry_months(start.year, start.month + ceil(count * IN_MONTHS[unit]))
    return Day(year, month, min(start.day, days_in(year, month)))


# ---- the calendar


def carry_months(year: int, month: int) -> tuple[int, int]:
    """A month counted beyond December, or before January, is one of another year."""
    years, rest = divmod(month - 1, 12)
    return year + years, rest + 1


def month_end(year: int, month: int) -> Day:
    year, month = carry_months(year, month)
    return Day(year, month, days_in(year, month))


def months(year: int, month: int, count: int) -> DaySpan:
    return DaySpan(Day(year, month, 1), month_end(year, month + count - 1))


def middle(named: DaySpan) -> Day:
    count = 12 * (named.last.year - named.first.year) + named.last.month - named.first.month + 1
    if count % 2 == 0:
        return month_end(named.first.year, named.first.month + count // 2 - 1)
    year, month = carry_months(named.first.year, named.first.month + count // 2)
    return min(Day(year, month, 15), named.last)


def day_before(day: Day) -> Day:
    return Day(day.year, day.month, day.day - 1) if day.day > 1 else month_end(day.year, day.month - 1)


def days_later(day: Day, count: int) -> Day:
    year, month, number = day.year, day.month, day.day + count
    while number > days_in(year, month):
        number -= days_in(year, month)
        year, month = carry_months(year, month + 1)
    return Day(year, month, number)
