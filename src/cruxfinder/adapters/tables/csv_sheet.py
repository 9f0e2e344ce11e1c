"""Reads the rows of a sheet saved as CSV, as spreadsheets write it: any separator, byte order marks, ragged rows."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cruxfinder.adapters.packs.pack_finder import file_bytes
from cruxfinder.adapters.tables.column_names import SheetHeader, count_known, read_header
from cruxfinder.errors import BadInput

if TYPE_CHECKING:
    from _csv import Reader

SEPARATORS: Final = (",", ";", "\t")
BYTES_MAX: Final = 10_000_000
SHOWN_MAX: Final = 80

Row = tuple[int, Mapping[str, str]]


def file_text(path: str | Path, shown: str) -> str:
    data = file_bytes(Path(path), shown, BYTES_MAX, "table")
    if len(data) > BYTES_MAX:
        raise BadInput(f"{shown} is larger than {BYTES_MAX // 1_000_000} MB")
    return decode_sheet(data, shown)


def decode_sheet(data: bytes, shown: str) -> str:
    """UTF-8, or UTF-16 where the file says so, as spreadsheets write either."""
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    if b"\0" in data and not wide:
        raise BadInput(f"{shown} is not a text file; save the sheet as CSV")
    try:
        return data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInput(f"{shown}, line {line}: this is not UTF-8; save the sheet as CSV UTF-8") from None


def read_sheet(text: str, source: str, chosen: Mapping[str, str]) -> tuple[SheetHeader, Iterator[Row]]:
    """The header, and the rows below it, each with the line it starts on; empty ones are passed over."""
    lines = io.StringIO(text, newline="")
    ahead = 0
    first = next(lines, "")
    if re.fullmatch(r"sep=.\s*", first):  # a spreadsheet's own note
        first, ahead = next(lines, ""), 1
    separator = max(SEPARATORS, key=lambda s: count_known(first.split(s), chosen))
    lines.seek(0)
    for _ in range(ahead):
        next(lines)
    reader = csv.reader(lines, delimiter=separator, strict=True, skipinitialspace=True)
    try:
        cells = next(reader, list[str]())
    except csv.Error as error:
        raise BadInput(f"{source}, line {ahead + 1}: this is not CSV: {error}") from None
    if not any(cell.strip() for cell in cells):
        raise BadInput(f"{source} is empty")
    header = read_header(cells, chosen, f"{source}, line {ahead + 1}")
    return header, rows_below(header, reader, source, ahead, separator)


def rows_below(header: SheetHeader, reader: "Reader", source: str, ahead: int, separator: str) -> Iterator[Row]:
    names, start = header.names, reader.line_num
    try:
        for cells in reader:
            line, start = start + ahead + 1, reader.line_num
            if not any(c.strip() for c in cells):
                continue
            if len(cells) < len(names) or any(c.strip() for c in cells[len(names) :]):
                raise BadInput(f"{source}, line {line}: {ragged_row_fault(cells, names, separator)}")
            yield line, {name: c.strip() for name, c in zip(names, cells, strict=False)}
    except csv.Error as error:
        line = start + ahead + 1
        raise BadInput(f"{source}, line {line}: this is not CSV: {error}") from None


def ragged_row_fault(cells: Sequence[str], header: Sequence[str], separator: str) -> str:
    told = f"{len(cells)} cells stand here, and {len(header)} in the header"
    commas = separator == "," and len(cells) > len(header) and any(re.fullmatch(r"\s*[01]", c) for c in cells)
    return f"{told}; decimal commas need quotes around the number, or semicolons between the cells" if commas else told


def clip_text(text: str) -> str:
    short = text if len(text) <= SHOWN_MAX else f"{text[:SHOWN_MAX]}…"
    return short if short.isprintable() else repr(short)
