"""What a fork may change: settings, personas, and what is true in the world. `key=value`, each checked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, TypeVar

from cruxfinder.app.debate_request import request_fields
from cruxfinder.app.options import OptionField, SetBy, checked_value, spell_key, value_of_text
from cruxfinder.errors import BadInput, BadOption
from cruxfinder.kernel.agent_names import match_agent
from cruxfinder.kernel.pack import Pack, Persona
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import RuleId
from cruxfinder.language.numerals import parse_number, short_repr
from cruxfinder.ports import NANO

Word = TypeVar("Word", bound=StrEnum)
PERSONA: Final = {
    "bias": (-6.0, 6.0),
    "openness": (0.0, 1.0),
    "conformity": (0.0, 5.0),
    "trust": (0.0, 1.0),
    "probe-noise": (0.0, 0.5),
}
BRIEF_MAX: Final = 420
SETTINGS: Final = {spell_key(field.name): field for field in request_fields(SetBy.FORK)}
KEYS: Final = (
    *(f"{key}={field.option.metavar}" for key, field in SETTINGS.items()),
    "persona.ID.brief=TEXT",
    f"persona.ID.{'|'.join(PERSONA)}=X",
    "persona.ID.belief.PROPOSITION=P",
    "persona.ID.weight.PROPOSITION=W",
    "proposition.ID.truth=YES|NO|OPEN",
)
KNOWN: Final = f"known keys: {', '.join(KEYS)}"


@dataclass(frozen=True, slots=True)
class RunInputs:
    pack: Pack
    settings: Settings


def apply(changes: Sequence[str], pack: Pack, settings: Settings) -> RunInputs:
    for change in changes:
        key, equals, value = change.partition("=")
        if not equals:
            raise BadInput(f"{change!r} is not key=value; {KNOWN}")
        match key.strip().split("."):
            case [option] if option in SETTINGS:
                settings = replace(settings, **setting_of(SETTINGS[option], value))
            case ["persona", id, name] if name in PERSONA:
                field, given = name.replace("-", "_"), number(value, *PERSONA[name], change)
                pack = with_persona(pack, id, change, setter(field, given))
            case ["persona", id, "brief"] if 0 < len(value.strip()) <= BRIEF_MAX:
                pack = with_persona(pack, id, change, brief_setter(value.strip()))
            case ["persona", id, "belief", proposition]:
                given = number(value, 0.001, 0.999, change)
                pack = with_persona(pack, id, change, belief_setter(proposition, change, credence=given))
            case ["persona", id, "weight", proposition]:
                given = number(value, -6.0, 6.0, change)
                pack = with_persona(pack, id, change, belief_setter(proposition, change, weight=given))
            case ["proposition", id, "truth"] if value in ("YES", "NO", "OPEN"):
                if id not in {p.id for p in pack.propositions}:
                    raise BadInput(f"{change!r}: there is no proposition {id!r}")
                there = tuple(replace(p, truth=value) if p.id == id else p for p in pack.propositions)
                pack = replace(pack, propositions=there)
            case _:
                raise BadInput(f"{change!r} changes nothing known; {KNOWN}")
    return RunInputs(pack, settings)


def setting_of(field: OptionField, text: str) -> dict[str, Any]:
    """The field of the settings that an option is, read from what stands behind its `=`."""
    try:
        return setting(field.name, checked_value(field, value_of_text(field.kind, text)))
    except BadOption as fault:
        raise BadInput(fault.sentence(spell_key)) from None


def setting(option: str, value: Any) -> dict[str, Any]:
    """As the settings of a run keep it: whole numbers, in the smallest unit."""
    match option:
        case "max_minutes":
            return {"max_ms": round(value * 60_000)}
        case "max_cost":
            return {"max_nanodollars": round(value * NANO)}
        case "off":
            return {"off": tuple(RuleId(id) for id in value)}
        case _:
            return {option: value}


def number(text: str, low: float, high: float, change: str) -> float:
    given = parse_number(text)
    if given is None:
        raise BadInput(f"{short_repr(change)}: {short_repr(text)} is not a number")
    if not low <= given <= high:
        raise BadInput(f"{short_repr(change)}: the number lies outside {low:g}…{high:g}")
    return given


def setter(field: str, given: float) -> Callable[[Persona], Persona]:
    named: dict[str, Any] = {field: given}
    return lambda persona: replace(persona, **named)


def brief_setter(text: str) -> Callable[[Persona], Persona]:
    """Another character for a debater that a model speaks for."""
    return lambda persona: replace(persona, brief=text)


def belief_setter(proposition: str, change: str, **given: float) -> Callable[[Persona], Persona]:
    named: dict[str, Any] = given

    def set_belief(persona: Persona) -> Persona:
        if proposition not in {b.proposition for b in persona.beliefs}:
            raise BadInput(f"{change!r}: {persona.id} holds no belief about {proposition!r}")
        beliefs = tuple(replace(b, **named) if b.proposition == proposition else b for b in persona.beliefs)
        return replace(persona, beliefs=beliefs)

    return set_belief


def with_persona(pack: Pack, agent: str, change: str, changed: Callable[[Persona], Persona]) -> Pack:
    id = match_agent(agent, ((p.id, p.name) for p in pack.personas))
    if id is None:
        known = ", ".join(p.id for p in pack.personas)
        raise BadInput(f"{change!r}: there is no persona {agent!r}; there are {known}")
    return replace(pack, personas=tuple(changed(p) if p.id == id else p for p in pack.personas))


def one_of(given: str, kind: type[Word], what: str) -> Word:
    """A word of a closed vocabulary."""
    try:
        return kind(given)
    except ValueError:
        raise BadInput(f"{given!r} is no {what}; there are {', '.join(kind)}") from None
