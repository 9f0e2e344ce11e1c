"""What planted worlds speak about: topics with the propositions they may turn on, as `subjects.yaml` words them."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

import yaml
from pydantic import TypeAdapter, ValidationError


class WorldSet(StrEnum):
    """Whom worlds are for: anybody; whoever tunes a rule; whoever reports a table."""

    OPEN = "open"
    DEVELOPMENT = "development"
    REPORTED = "reported"


SUBJECTS: Final = Path(__file__).parent / "subjects.yaml"


@dataclass(frozen=True, slots=True)
class PropositionText:
    """A proposition in words."""

    statement: str
    denial: str
    question: str
    yes_means: str
    no_means: str


@dataclass(frozen=True, slots=True)
class PlantedSubject:
    """A topic, questions that ask no more than the topic itself, and what it may turn on."""

    topic: str
    again: tuple[str, ...]
    propositions: tuple[PropositionText, ...]


@dataclass(frozen=True, slots=True)
class SubjectRow:
    """A topic as the file has it: a proposition is one line."""

    topic: str
    again: tuple[str, ...]
    propositions: tuple[str, ...]


@cache
def subjects(of: WorldSet) -> tuple[PlantedSubject, ...]:
    """The topics of a set of worlds. Those anybody may use are all there are; the two others share none."""
    found = read_subjects()
    return tuple(s for group in found.values() for s in group) if of is WorldSet.OPEN else found[of]


@cache
def read_subjects() -> dict[str, tuple[PlantedSubject, ...]]:
    rows = TypeAdapter(dict[str, tuple[SubjectRow, ...]])
    try:
        groups = rows.validate_python(yaml.safe_load(SUBJECTS.read_text("utf-8")))
    except ValidationError as fault:
        raise AssertionError(f"{SUBJECTS.name} ships with the package and is broken") from fault
    return {name: tuple(map(subject_of, group)) for name, group in groups.items()}


def subject_of(row: SubjectRow) -> PlantedSubject:
    texts = tuple(PropositionText(*(part.strip() for part in line.split("|"))) for line in row.propositions)
    return PlantedSubject(topic=row.topic, again=row.again, propositions=texts)
