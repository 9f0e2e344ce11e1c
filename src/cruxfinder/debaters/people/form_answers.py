"""From what a person has filled in to the answer on the wire; the page does the same (`page/seat-fields.js`)."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import cast

from cruxfinder.debaters.people.seat_form import FormCondition, FormField, Place, SeatForm

Json = str | float | bool | None | list["Json"] | dict[str, "Json"]
Values = Mapping[str, str]  # by the key of a field; an empty text is no value


def is_shown(condition: FormCondition | None, values: Values) -> bool:
    return condition is None or values.get(condition.key) in condition.values


def is_needed(field: FormField, values: Values) -> bool:
    """May it not be left out? A group that may be left out has to be whole once it is begun."""
    return not field.optional or (field.needed is not None and is_shown(field.needed, values))


def answer_from(form: SeatForm, values: Values) -> Json:
    answer: dict[str, Json] = {}
    if form.moves is not None:
        write_field(answer, form.moves, values)
    for group in form.groups:
        if not is_shown(group.shown, values):
            continue
        for fixed in group.fixed:
            if is_shown(fixed.shown, values):
                write_value(answer, fixed.place, fixed.value)
        for field in group.fields:
            if is_shown(field.shown, values):
                write_field(answer, field, values)
    return answer


def write_field(answer: dict[str, Json], field: FormField, values: Values) -> None:
    for part in field.parts:
        write_field(answer, part, values)
    given = values.get(field.key, "").strip()
    if given:
        for place, value in zip(field.places, wire_values(field, given), strict=False):
            write_value(answer, place, value)


def wire_values(field: FormField, given: str) -> Iterator[str | float | bool]:
    """What goes to each place of a field, in order."""
    match field.kind:
        case "falsifier":
            agent, _, number = given.rpartition("#")
            yield from (agent, int(number))
        case "chance":
            yield from [float(given)] * len(field.places)
        case "flag":
            yield from [given == "true"] * len(field.places)
        case "text" | "choice" | "reference" | "group":
            yield from [" ".join(given.split())] * len(field.places)


def write_value(answer: dict[str, Json], place: Place, value: str | float | bool) -> None:
    """Put a value where it belongs, with whatever has to be around it."""
    held: dict[str, Json] | list[Json] = answer
    for step, following in pairwise(place):
        if at(held, step) is None:
            put(held, step, [] if isinstance(following, int) else {})
        held = cast("dict[str, Json] | list[Json]", at(held, step))
    put(held, place[-1], value)


def at(held: dict[str, Json] | list[Json], step: str | int) -> Json:
    if isinstance(held, dict):
        return held.get(str(step))
    index = int(step)
    return held[index] if index < len(held) else None


def put(held: dict[str, Json] | list[Json], step: str | int, value: Json) -> None:
    if isinstance(held, dict):
        held[str(step)] = value
        return
    held.extend([None] * (int(step) + 1 - len(held)))
    held[int(step)] = value
