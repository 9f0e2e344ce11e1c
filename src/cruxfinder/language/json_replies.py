"""Finds the JSON object in what a model replied; models like to dress it up."""

import json
import re
from collections.abc import Mapping
from typing import Final, cast

from cruxfinder.ports import UnreadableReply

REPLY_MAX: Final = 40_000  # characters; more is not looked at
OBJECT: Final = re.compile(r'\{\s*["}]')
Reply = Mapping[str, object]


def find_object(text: str) -> Reply:
    """The first JSON object in a text; models like to dress it up, and may use braces in prose."""
    start = OBJECT.search(text[:REPLY_MAX])
    if start is None:
        raise UnreadableReply("there is no JSON object in it")
    try:
        value, _ = json.JSONDecoder(strict=False).raw_decode(text[:REPLY_MAX], start.start())
    except (ValueError, RecursionError):
        raise UnreadableReply("the JSON in it is broken or incomplete") from None
    assert isinstance(value, dict), "what begins with a brace is an object"
    return cast("dict[str, object]", value)
