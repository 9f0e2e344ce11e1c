"""A run as JSON: the result or the minutes, exactly as `crux show --json` prints them."""

from cruxfinder.crux.result import Result
from cruxfinder.kernel import wire
from cruxfinder.language.numerals import json_text
from cruxfinder.talk.minutes import Minutes


def render(outcome: Result | Minutes) -> str:
    return json_text(wire.camel(outcome), indent=2) + "\n"
