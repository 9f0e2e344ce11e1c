"""Which column of a sheet is which: by our names, by those of researchers, or as its owner says. Nothing is guessed
in silence: a name read for another is told, two that could be meant are asked about."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from cruxfinder.errors import BadInput
from cruxfinder.language.counts import join_names

COLUMNS: Final = ("agent", "top", "proposition", "credence", "top_if_true", "top_if_false")
EXTRA: Final = ("topic", "yes_means", "no_means")  # a form of ours has them; a table may
OURS: Final = frozenset((*COLUMNS, *EXTRA))
CONDITIONAL: Final = ("top_if_true", "top_if_false")  # one of them is enough: the other follows
OTHER_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "agent": ("person", "respondent", "participant", "forecaster", "expert"),
    "proposition": ("question", "crux", "statement"),
    # U is the question asked about, c the one that may settle it
    "top": ("pu", "ptop", "ptopic", "pt"),
    "credence": ("pc", "pcrux", "pproposition"),
    "top_if_true": ("puc", "ptopc", "ptopicc", "ptc", "ptopcrux", "ptopiccrux", "ptoptrue", "puc1"),
    "top_if_false": ("punotc", "punc", "ptopnotc", "ptopicnotc", "ptnotc", "ptopnotcrux", "ptopfalse", "puc0"),
}
LAST_RESORTS: Final = {"proposition": ("id",)}  # of a person or of a question: only once the person is found
NEGATED: Final = re.compile(r"[~¬!]|(?<=\|)\s*[-\u2212]|\bnot\b")
GIVEN: Final = re.compile(r"\b(?:given|if)\b")
SPELLED: Final = re.compile(r"[a-z0-9\s().|]*")  # another sign may turn a name into its opposite
NAME_SHOWN_MAX: Final = 40
NAMES_SHOWN_MAX: Final = 8
COMMAND_HINT: Final = "--columns {0}={1}"
PYTHON_HINT: Final = 'columns={{"{0}": "{1}"}}'


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetHeader:
    """The header by our names; columns that are not read keep their own."""

    names: tuple[str, ...]
    notes: tuple[str, ...] = ()


def column(name: str) -> str:
    return re.sub(r"[\s_-]+", "_", name.strip().strip('"').lower())


def notation(name: str) -> str:
    """A name without its signs: P(U|~c) is punotc; empty where a sign is not understood."""
    text = GIVEN.sub("|", NEGATED.sub("not", name.strip().strip('"').lower().replace("_", " ")))
    return re.sub(r"[^a-z0-9]", "", text) if SPELLED.fullmatch(text) else ""


def read_header(cells: Sequence[str], chosen: Mapping[str, str], where: str, hint: str = COMMAND_HINT) -> SheetHeader:
    """Which column holds what. `chosen` is what the owner of the sheet says: our name, and the sheet's."""
    if not any(cell.strip() for cell in cells):
        raise BadInput(f"{where}: the header is empty")
    found = [column(cell) for cell in cells]
    apply_choices(found, cells, chosen, where)
    guessed = claim_columns(found, cells, OTHER_NAMES, where, hint)
    if {"agent", "credence"} <= set(found):
        guessed |= claim_columns(found, cells, LAST_RESORTS, where, hint)
    check_header(found, cells, where, hint)
    return SheetHeader(names=tuple(found), notes=tuple(header_notes(cells, found, {**guessed, **chosen})))


def claim_columns(
    found: list[str], cells: Sequence[str], names: Mapping[str, tuple[str, ...]], where: str, hint: str
) -> dict[str, str]:
    """Put our names where one column alone can be meant, and tell which that was."""
    claimed: dict[str, str] = {}
    for ours, others in names.items():
        places = [n for n, cell in enumerate(cells) if found[n] not in OURS and notation(cell) in others]
        if ours in found or not places:
            continue
        if len(places) > 1:
            told = join_names([quote_name(cells[n]) for n in places])
            which = hint.format(ours, cells[places[0]].strip())
            raise BadInput(f"{where}: {told} could each be {ours}; say which one, such as {which}")
        found[places[0]] = ours
        claimed[ours] = cells[places[0]]
    return claimed


def apply_choices(found: list[str], cells: Sequence[str], chosen: Mapping[str, str], where: str) -> None:
    """Put our names where the owner of the sheet says. A column of that name is then not read."""
    plain = [column(cell) for cell in cells]
    for ours, theirs in chosen.items():
        if ours not in OURS:
            raise BadInput(f"{quote_name(ours)} is no column of a table of credences; they are {', '.join(COLUMNS)}")
        if plain.count(column(theirs)) != 1:
            count = "no column" if column(theirs) not in plain else "more than one column"
            raise BadInput(f"{where}: {count} is called {quote_name(theirs)}; the header names {list_names(cells)}")
        if ours in found:
            found[found.index(ours)] = ""
        found[plain.index(column(theirs))] = ours
    if lost := [ours for ours in chosen if ours not in found]:
        raise BadInput(f"the column {quote_name(chosen[lost[0]])} cannot be {lost[0]} and something else")


def header_notes(cells: Sequence[str], found: Sequence[str], read_as: Mapping[str, str]) -> Iterator[str]:
    told = [f"{quote_name(theirs)} is read as {ours}" for ours, theirs in read_as.items() if column(theirs) != ours]
    if told:
        yield join_names(told)
    unread = [cell for cell, name in zip(cells, found, strict=True) if name not in OURS and cell.strip()]
    if unread:
        yield f"{list_names(unread)} {'is' if len(unread) == 1 else 'are'} not read"


def count_known(cells: Sequence[str], chosen: Mapping[str, str] = MappingProxyType({})) -> int:
    """How many of our columns these names may hold: the more, the likelier it is a table of credences."""
    plain = {column(cell) for cell in cells}
    spelled = {notation(cell) for cell in cells}
    others = [ours for ours, names in OTHER_NAMES.items() if ours not in plain and spelled & set(names)]
    return len(plain & set(COLUMNS)) + len(others) + len(plain & {column(name) for name in chosen.values()})


def holds_credences(cells: Sequence[str]) -> bool:
    """Whether a column holds P(proposition), which no table of votes has."""
    return any(column(cell) == "credence" or notation(cell) in OTHER_NAMES["credence"] for cell in cells)


def lacking_columns(names: Sequence[str]) -> list[str]:
    """What a table of credences cannot do without; one of the two conditional chances follows from the other."""
    either = any(name in names for name in CONDITIONAL)
    return [name for name in COLUMNS if name not in names and not (either and name in CONDITIONAL)]


def check_header(found: Sequence[str], cells: Sequence[str], where: str, hint: str) -> None:
    if lacking := lacking_columns(found):
        needed = [name for name in lacking if name not in CONDITIONAL]
        needed += [" or ".join(CONDITIONAL)] if set(CONDITIONAL) <= set(lacking) else []
        which = hint.format(lacking[0], "NAME")
        told = f"{where}: the header lacks {join_names(needed)}; it names {list_names(cells)}"
        raise BadInput(f"{told}; if one of these is meant, say which: {which}")
    if twice := [name for name in (*COLUMNS, *EXTRA) if list(found).count(name) > 1]:
        raise BadInput(f"{where}: the header names {twice[0]} twice")


def list_names(cells: Sequence[str]) -> str:
    names = [quote_name(cell) for cell in cells if cell.strip()]
    rest = len(names) - NAMES_SHOWN_MAX
    return join_names([*names[:NAMES_SHOWN_MAX], f"{rest} more"] if rest > 0 else names)


def quote_name(name: str) -> str:
    short = name.strip() if len(name.strip()) <= NAME_SHOWN_MAX else f"{name.strip()[:NAME_SHOWN_MAX]}…"
    return f'"{short}"' if short.isprintable() else repr(short)
