"""Maps credences wherever they come from: a CSV file, or rows made in Python."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from cruxfinder.adapters.tables.credence_table import AS_NAMED, read, read_rows
from cruxfinder.errors import BadInput
from cruxfinder.tables.credences.credence_map import CredenceMap, map_of

TOPIC_MAX: Final = 400


def map_credences(
    table: str | Path | Iterable[Mapping[str, object]], *, columns: Mapping[str, str] = AS_NAMED, topic: str = ""
) -> CredenceMap:
    """The map of a table. `columns` says which of its columns is which, `topic` what it does not say itself."""
    answers = read(table, columns) if isinstance(table, str | Path) else read_rows(table, columns)
    said = " ".join(topic.split())
    if len(said) > TOPIC_MAX or not said.isprintable():
        raise BadInput(f"a topic is one line of at most {TOPIC_MAX} characters")
    if said and answers.topic and said != answers.topic:
        raise BadInput(f"the table says its topic itself: {answers.topic}")
    return map_of(replace(answers, topic=answers.topic or said))
