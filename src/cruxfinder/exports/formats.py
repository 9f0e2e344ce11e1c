"""The front door: a run in the format that is asked for. A new format is a file of its own and two lines here."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cruxfinder.exports import argdown, csv_matrix, decision, graphml, markdown, mermaid, result_json
from cruxfinder.exports.exported_run import ExportedRun, Renderers
from cruxfinder.protocols.any_run import AnyEvent, Outcome
from cruxfinder.protocols.protocol_list import protocol_named


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
class FormatWriter:
    label: str
    media_type: str
    suffix: str
    renderers: Renderers


TEXT: Final = "text/markdown; charset=utf-8"
SHEET: Final = "text/csv; charset=utf-8; header=present"

WRITERS: Final[Mapping[Format, FormatWriter]] = {
    Format.JSON: FormatWriter("JSON", "application/json", ".json", result_json.RENDERERS),
    Format.MARKDOWN: FormatWriter("Markdown", TEXT, ".md", markdown.RENDERERS),
    Format.CSV: FormatWriter("CSV", SHEET, ".csv", csv_matrix.RENDERERS),
    Format.ARGDOWN: FormatWriter("Argdown", "text/vnd.argdown; charset=utf-8", ".argdown", argdown.RENDERERS),
    Format.MERMAID: FormatWriter("Mermaid", "text/vnd.mermaid; charset=utf-8", ".mmd", mermaid.RENDERERS),
    Format.GRAPHML: FormatWriter("GraphML", "application/graphml+xml", ".graphml", graphml.RENDERERS),
    Format.DECISION: FormatWriter("Decision record", TEXT, ".adr.md", decision.RENDERERS),
}


def export_run(run: str, events: tuple[AnyEvent, ...], outcome: Outcome, format: Format) -> str:
    """The whole text of the file; it ends with a line break."""
    render = WRITERS[format].renderers[protocol_named(outcome.protocol).outcome_kind]
    return render(ExportedRun(run, events, outcome))
