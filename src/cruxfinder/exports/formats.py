"""The front door: a run in the format that is asked for. A new format is a file of its own and two lines here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cruxfinder.exports import argdown, csv_matrix, decision, graphml, markdown, mermaid, result_json
from cruxfinder.protocols.any_run import AnyEvent, Outcome


class Format(StrEnum):
    """In the order in which they are offered."""

    JSON = "json"
    MARKDOWN = "md"
    CSV = "csv"
    ARGDOWN = "argdown"
    MERMAID = "mermaid"
    GRAPHML = "graphml"
    DECISION = "adr"

    @property
    def label(self) -> str:
        """What a reader calls it."""
        return WRITERS[self].label

    @property
    def media_type(self) -> str:
        return WRITERS[self].media_type

    @property
    def suffix(self) -> str:
        """How the name of such a file ends."""
        return WRITERS[self].suffix


@dataclass(frozen=True, slots=True)
class ExportedRun:
    """What every format is made from."""

    id: str
    events: tuple[AnyEvent, ...]
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class FormatWriter:
    label: str
    media_type: str
    suffix: str
    render: Callable[[ExportedRun], str]


TEXT: Final = "text/markdown; charset=utf-8"

WRITERS: Final[Mapping[Format, FormatWriter]] = {
    Format.JSON: FormatWriter("JSON", "application/json", ".json", lambda run: result_json.render(run.outcome)),
    Format.MARKDOWN: FormatWriter(
        "Markdown", TEXT, ".md", lambda run: markdown.render(run.id, run.events, run.outcome)
    ),
    Format.CSV: FormatWriter(
        "CSV",
        "text/csv; charset=utf-8; header=present",
        ".csv",
        lambda run: csv_matrix.render(run.events, run.outcome),
    ),
    Format.ARGDOWN: FormatWriter(
        "Argdown",
        "text/vnd.argdown; charset=utf-8",
        ".argdown",
        lambda run: argdown.render(run.id, run.outcome),
    ),
    Format.MERMAID: FormatWriter(
        "Mermaid", "text/vnd.mermaid; charset=utf-8", ".mmd", lambda run: mermaid.render(run.id, run.outcome)
    ),
    Format.GRAPHML: FormatWriter(
        "GraphML",
        "application/graphml+xml",
        ".graphml",
        lambda run: graphml.render(run.id, run.events, run.outcome),
    ),
    Format.DECISION: FormatWriter("Decision record", TEXT, ".adr.md", lambda run: decision.render(run.id, run.outcome)),
}


def export_run(run: str, events: tuple[AnyEvent, ...], outcome: Outcome, format: Format) -> str:
    """The whole text of the file; it ends with a line break."""
    return WRITERS[format].render(ExportedRun(run, events, outcome))
