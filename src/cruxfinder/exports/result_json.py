"""A run as JSON: the result or the minutes, exactly as `crux show --json` prints them."""

from typing import Any, Final

from cruxfinder.exports.exported_run import ExportedRun, Renderers
from cruxfinder.kernel import wire
from cruxfinder.kernel.protocol import OutcomeKind
from cruxfinder.language.numerals import json_text


def render(run: ExportedRun[Any]) -> str:
    return json_text(wire.camel(run.outcome), indent=2) + "\n"


RENDERERS: Final[Renderers] = dict.fromkeys(OutcomeKind, render)
