"""A run as JSON: the result or the minutes, exactly as `crux show --json` prints them."""

import json

from cruxfinder import wire
from cruxfinder.insight.minutes import Minutes
from cruxfinder.insight.result import Result


def written(outcome: Result | Minutes) -> str:
    return json.dumps(wire.camel(outcome), ensure_ascii=False, indent=2) + "\n"
