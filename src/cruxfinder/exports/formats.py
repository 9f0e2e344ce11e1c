"""The front door: a run in the format that is asked for, with its media type and the ending of its file's name."""

from enum import StrEnum
from typing import Final

from cruxfinder.crux.result import Result
from cruxfinder.exports import argdown, csv_matrix, decision, graphml, markdown, mermaid, result_json
from cruxfinder.protocols.any_run import AnyEvent
from cruxfinder.talk.minutes import Minutes


class Format(StrEnum):
    JSON = "json"
    MARKDOWN = "md"
    ARGDOWN = "argdown"
    MERMAID = "mermaid"
    GRAPHML = "graphml"
    CSV = "csv"
    DECISION = "adr"

    @property
    def media_type(self) -> str:
        return MEDIA_TYPES[self]

    @property
    def suffix(self) -> str:
        """How the name of such a file ends."""
        return SUFFIXES[self]


MEDIA_TYPES: Final = {
    Format.JSON: "application/json",
    Format.MARKDOWN: "text/markdown; charset=utf-8",
    Format.ARGDOWN: "text/vnd.argdown; charset=utf-8",
    Format.MERMAID: "text/vnd.mermaid; charset=utf-8",
    Format.GRAPHML: "application/graphml+xml",
    Format.CSV: "text/csv; charset=utf-8; header=present",
    Format.DECISION: "text/markdown; charset=utf-8",
}
SUFFIXES: Final = {
    Format.JSON: ".json",
    Format.MARKDOWN: ".md",
    Format.ARGDOWN: ".argdown",
    Format.MERMAID: ".mmd",
    Format.GRAPHML: ".graphml",
    Format.CSV: ".csv",
    Format.DECISION: ".adr.md",
}


def export_run(run: str, events: tuple[AnyEvent, ...], outcome: Result | Minutes, format: Format) -> str:
    """The whole text of the file; it ends with a line break."""
    match format:
        case Format.JSON:
            return result_json.render(outcome)
        case Format.MARKDOWN:
            return markdown.render(run, events, outcome)
        case Format.ARGDOWN:
            return argdown.render(run, outcome)
        case Format.MERMAID:
            return mermaid.render(run, outcome)
        case Format.GRAPHML:
            return graphml.render(run, events, outcome)
        case Format.CSV:
            return csv_matrix.render(events, outcome)
        case Format.DECISION:
            return decision.render(run, outcome)
