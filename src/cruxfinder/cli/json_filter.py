"""Commands as filters: JSON lines in on stdin, one line out for each."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import BufferedReader
from typing import Any, Final, cast

import typer
from pydantic import TypeAdapter, ValidationError

from cruxfinder.cli import exits
from cruxfinder.errors import BadInput

CHUNK: Final = 1 << 20
LINE_MAX: Final = 16 << 20  # bytes
TOGETHER: Final = 256  # lines answered in one go
Answer = dict[str, Any]


def answer_lines(kind: Any, wanted: str, answer: Callable[[Any], Answer], texts: list[str] | None) -> None:
    """One line out for each line in. A bad one is told, answered with its fault, and hides none of the others."""
    answer_batches(kind, wanted, lambda said: map(answer, said), texts)


def answer_batches(
    kind: Any, wanted: str, answers: Callable[[Sequence[Any]], Iterable[Answer]], texts: list[str] | None
) -> None:
    """As `answer_lines`, for what is answered faster for several at once."""
    if texts:
        raise BadInput("give texts or --jsonl, not both")
    reader: TypeAdapter[Any] = TypeAdapter(kind)
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
    bad = False
    for batch in batches(cast("BufferedReader", sys.stdin.buffer)):
        read: list[tuple[int, Any]] = []
        for number, line in batch:
            try:
                read.append((number, None if line is None else reader.validate_json(line, strict=False)))
            except ValidationError:
                read.append((number, None))
        too_long = {number for number, line in batch if line is None}
        found = iter(answers([said for _, said in read if said is not None]))
        for number, said in read:
            if said is None:
                bad = True
                fault = f"line {number} is {f'longer than {LINE_MAX} bytes' if number in too_long else f'not {wanted}'}"
                print(f"crux: {fault}", file=sys.stderr)
                print(encode({"error": fault, "line": number}))
            else:
                print(encode(next(found)))
        sys.stdout.flush()
    if bad:
        raise typer.Exit(exits.BAD_INPUT)


def batches(source: BufferedReader) -> Iterator[list[tuple[int, bytes | None]]]:
    """Lines with their numbers, as many as have arrived together; None for one that is too long to be kept."""
    number, rest, too_long = 0, b"", False
    while chunk := source.read1(CHUNK):
        first, *others = (rest + chunk).split(b"\n")
        lines: list[bytes | None] = [None if too_long else first, *others]
        too_long = lines[-1] is None or len(lines[-1]) > LINE_MAX
        last = lines.pop()
        rest = b"" if too_long or last is None else last
        for start in range(0, len(lines), TOGETHER):
            yield list(enumerate(lines[start : start + TOGETHER], number + start + 1))
        number += len(lines)
    if rest or too_long:
        yield [(number + 1, None if too_long else rest)]
