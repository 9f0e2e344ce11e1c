"""Which keys of models are set, and texts without them: no command shows one."""

import os
from typing import Final

from cruxfinder.adapters.models.model_names import KEYS
from cruxfinder.language.counts import join_names

KEY_MIN: Final = 6  # shorter ones are words such as "none", which servers of one's own are given


def describe_keys() -> str:
    """Which keys are set; what they are is never looked at."""
    there = [variable for variable in KEYS.values() if os.environ.get(variable, "").strip()]
    absent = [variable for variable in KEYS.values() if variable not in there]
    if not there:
        return "none is set; packs and most local servers need none"
    return f"{join_names(there)} {'is' if len(there) == 1 else 'are'} set" + (
        f", {join_names(absent)} not" if absent else ""
    )


def redact_keys(text: str) -> str:
    """Without any key of ours, wherever it may have been typed or sent back."""
    for variable in KEYS.values():
        key = os.environ.get(variable, "").strip()
        if len(key) >= KEY_MIN:
            text = text.replace(key, "…")
    return text
