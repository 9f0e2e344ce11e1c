"""The fingerprints of many messages, one a line: a log as it is, or JSON strings."""

import json
import sys
from io import BufferedReader
from typing import cast

from cruxfinder.cli.json_lines import numbered
from cruxfinder.dialectic.fingerprints import fingerprint


def fingerprints() -> None:
    encode = json.encoder.encode_basestring
    made: list[str] = []
    for _, line, more in numbered(cast("BufferedReader", sys.stdin.buffer)):
        made.append(f'{{"fingerprint":{encode(fingerprint(message(line)))}}}\n')
        if not more:
            sys.stdout.write("".join(made))
            sys.stdout.flush()
            made.clear()


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
