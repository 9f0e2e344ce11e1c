"""Every word the page has for a value, as a module beside its own (`vocabulary.js`)."""

from collections.abc import Mapping
from typing import TypeVar

from cruxfinder.protocols.protocol_list import NAMES, protocol_named
from cruxfinder.telling.figures import definitions
from cruxfinder.telling.wording import (
    BADGES,
    BEARS,
    DIRECTIONS,
    ENDINGS,
    FATES,
    FIELDS,
    GAUGES,
    GRADES,
    GROUPS,
    HEADLINES,
    HORIZONS,
    HOUSE,
    LABELS,
    LED_TO,
    MOVES,
    PEOPLE,
    PRELIMINARY,
    RELATIONS,
    RESOLUTIONS,
    RUN_STATES,
    SHARES,
    SIDES,
    SPAWNED,
    STAGES,
    STATUSES,
    TOP_SIDES,
    TRIGGERS,
)

Value = TypeVar("Value", bound=str)
Words = dict[str, str | list[str]]


def vocabulary() -> dict[str, Words]:
    """Every word the page has for a value, by what it is a word of."""
    return {
        "sides": words_of(SIDES) | words_of(TOP_SIDES),
        "stages": words_of(STAGES),
        "statuses": words_of(STATUSES),
        "runStates": words_of(RUN_STATES),
        "shares": words_of(SHARES),
        "headlines": words_of(HEADLINES),
        "endings": words_of(ENDINGS),
        "relations": words_of(RELATIONS) | {SPAWNED: "led to"},
        "bears": words_of(BEARS) | {SPAWNED: "{1} came up in {0}"},
        "labels": words_of(LABELS),
        "grades": words_of(GRADES),
        "directions": words_of(DIRECTIONS),
        "horizons": words_of(HORIZONS),
        "triggers": words_of(TRIGGERS),
        "ledTo": words_of(LED_TO),
        "fates": words_of(FATES),
        "moves": words_of(MOVES),
        "badges": words_of(BADGES),
        "fields": words_of(FIELDS),
        "resolutions": {resolution: list(words) for resolution, words in RESOLUTIONS.items()},
        "groups": words_of(GROUPS),
        "house": words_of(HOUSE),
        "gauges": {gauge: list(words) for gauge, words in GAUGES.items()},
        "figures": {figure.name: [figure.one, figure.many] for figure in definitions()},
        "tables": {"people": list(PEOPLE), "preliminary": PRELIMINARY},
        "protocols": {name: list(protocol_words(name)) for name in NAMES},
    }


def protocol_words(name: str) -> tuple[str, str]:
    """What a run comes to, and the figure that counts what is said in it."""
    protocol = protocol_named(name)
    return protocol.outcome_kind.value, protocol.said_figure


def words_of(words: Mapping[Value, str]) -> Words:
    return {str(value): word for value, word in words.items()}
