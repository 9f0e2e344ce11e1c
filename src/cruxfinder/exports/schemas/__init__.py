"""The JSON Schemas (2020-12) that the package ships. `docs/generate.py` writes them from the types."""

from enum import StrEnum
from importlib.resources import files
from typing import Final, NamedTuple


class SchemaName(StrEnum):
    RESULT = "result"
    MINUTES = "minutes"
    EVENT = "event"
    SETTINGS = "settings"
    CONFIG = "config"


class SchemaRow(NamedTuple):
    title: str
    holds: str  # what keeps to it


SCHEMAS: Final = {
    SchemaName.RESULT: SchemaRow(
        "Result of a debate",
        "what a debate for its crux came to: `crux show RUN --json`, `crux export RUN --format json`",
    ),
    SchemaName.MINUTES: SchemaRow(
        "Minutes of a conversation", "what a conversation in turns came to, from the same commands"
    ),
    SchemaName.EVENT: SchemaRow("Event of a run", "every line of `crux events RUN --jsonl`, of any protocol"),
    SchemaName.SETTINGS: SchemaRow("Settings of a run", "`settings` of `debate_started` and `debate_forked`"),
    SchemaName.CONFIG: SchemaRow("Settings file", "`config.toml`, with which models are chosen"),
}


def schema_text(name: SchemaName) -> str:
    return files(__name__).joinpath(f"{name}.json").read_text(encoding="utf-8")


def result_schema() -> str:
    """What a debate for its crux came to."""
    return schema_text(SchemaName.RESULT)


def minutes_schema() -> str:
    """What a conversation in turns came to."""
    return schema_text(SchemaName.MINUTES)
