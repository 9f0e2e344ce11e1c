"""Commands as filters: JSON lines in on stdin, one line out for each."""

import sys
from collections.abc import Callable, Iterator
from io import BufferedReader
from typing import Any, Final, cast

import typer

from cruxfinder.errors import BadInput

CHUNK: Final = 1 << 20
LINE_MAX: Final = 16 << 20  # bytes
Answer = dict[str, Any]


def answer_lines(kind: Any, wanted: str, answer: Callable[[Any], Answer], texts: list[str] | None) -> None:
    """One line out for each line in. A bad one is told, answered with its fault, and hides none of the others."""
    import json

    from pydantic import TypeAdapter, ValidationError

    from cruxfinder.cli import exits

    if texts:
        raise BadInput("give texts or --jsonl, not both")
    reader: TypeAdapter[Any] = TypeAdapter(kind)
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    bad = False
    for number, line, more in numbered(cast("BufferedReader", sys.stdin.buffer)):
        try:
            said = reader.validate_json(line, strict=False)
        except ValidationError:
            bad = True
            fault = f"line {number} is not {wanted}"
            print(f"crux: {fault}", file=sys.stderr)
            print(encode({"error": fault, "line": number}))
        else:
            print(encode(answer(said)))
        if not more:
            sys.stdout.flush()
    if bad:
        raise typer.Exit(exits.BAD_INPUT)


def numbered(source: BufferedReader) -> Iterator[tuple[int, bytes, bool]]:
    """Each line with its number, and whether more have arrived with it: the last of a batch is answered at once."""
    number, rest = 0, b""
    while chunk := source.read1(CHUNK):
        *lines, rest = (rest + chunk).split(b"\n")
        if len(rest) > LINE_MAX:
            raise BadInput(f"line {number + len(lines) + 1} is longer than {LINE_MAX} bytes")
        for place, line in enumerate(lines, 1):
            number += 1
            yield number, line, place < len(lines)
    if rest:
        yield number + 1, rest, False
