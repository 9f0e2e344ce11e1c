"""Where the gate's rules and memory are, and whether it is switched off: from flags, else from the environment."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cruxfinder.dialectic.router import DISABLED
from cruxfinder.dialectic.rule_set import RuleSet
from cruxfinder.gate.rule_file import rules

FOLDER: Final = "memory"
FOLDER_VARIABLE: Final = "CRUX_GATE_MEMORY"
RULES_VARIABLE: Final = "CRUX_GATE_RULES"
OFF_VARIABLE: Final = "CRUX_GATE_OFF"
OFF_WORDS: Final = frozenset({"", "0", "false", "no", "off"})


def folder(named: str = "") -> Path:
    return Path(named or os.environ.get(FOLDER_VARIABLE, "") or FOLDER)


def rules_in_force(path: str = "", off: Sequence[str] = ()) -> RuleSet:
    """Files of rules are named, never found: what an agent can write must not switch its gate off."""
    switched = [rule.strip() for rule in os.environ.get(OFF_VARIABLE, "").split(",") if rule.strip()]
    return rules(path or os.environ.get(RULES_VARIABLE, ""), [*switched, *off])


def disabled() -> bool:
    return os.environ.get(DISABLED, "").strip().lower() not in OFF_WORDS
