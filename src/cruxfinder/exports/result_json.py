"""A run as JSON: the result or the minutes, exactly as `crux show --json` prints them."""

from cruxfinder import wire
from cruxfinder.insight.minutes import Minutes
from cruxfinder.insight.result import Result
from cruxfinder.numerals import json_text


def written(outcome: Result | Minutes) -> str:
    return json_text(wire.camel(outcome), indent=2) + "\n"
