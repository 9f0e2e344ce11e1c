"""The fingerprints of many messages, one a line: a log as it is, or JSON strings."""

import json
import sys
from io import BufferedReader
from typing import cast

from cruxfinder.cli.json_filter import LINE_MAX, batches
from cruxfinder.errors import BadInput
from cruxfinder.gate.fingerprints import fingerprint


def print_fingerprints() -> None:
    encode = json.encoder.encode_basestring
    for batch in batches(cast("BufferedReader", sys.stdin.buffer)):
        made = [f'{{"fingerprint":{encode(fingerprint(message(require_short_line(*entry))))}}}\n' for entry in batch]
        sys.stdout.write("".join(made))
        sys.stdout.flush()


def require_short_line(number: int, line: bytes | None) -> bytes:
    if line is None:
        raise BadInput(f"line {number} is longer than {LINE_MAX} bytes")
    return line


def message(line: bytes) -> str:
    """The message of a line: a JSON string or an object that holds one; any other line is the message itself."""
    text = line.decode(errors="replace").removesuffix("\r")
    if text[:1] not in ('"', "{"):
        return text
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if isinstance(value, dict):
        held = cast("dict[str, object]", value)
        value = next((held[key] for key in ("message", "error", "text") if isinstance(held.get(key), str)), text)
    return value if isinstance(value, str) else text
