"""Which rules the gate goes by: from flags, else from the environment."""

import os
from collections.abc import Sequence
from typing import Final

from cruxfinder.adapters.packs.rule_file import rules
from cruxfinder.gate.rule_set import RuleSet

RULES_VARIABLE: Final = "CRUX_GATE_RULES"
OFF_VARIABLE: Final = "CRUX_GATE_OFF"


def rules_named(path: str = "", off: Sequence[str] = ()) -> tuple[str, list[str]]:
    """The file of rules and the rules switched off, from flags and environment."""
    switched = [rule.strip() for rule in os.environ.get(OFF_VARIABLE, "").split(",") if rule.strip()]
    return path or os.environ.get(RULES_VARIABLE, ""), [*switched, *off]


def rules_in_force(path: str = "", off: Sequence[str] = ()) -> RuleSet:
    """Files of rules are named, never found: what an agent can write must not switch its gate off."""
    return rules(*rules_named(path, off))
