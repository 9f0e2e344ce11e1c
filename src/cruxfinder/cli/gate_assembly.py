"""A gate from what the command line says of it: its rules, its memory, and what people allowed."""

from collections.abc import Sequence

from cruxfinder.app.gate_rules import rules_in_force
from cruxfinder.gate.runtime.approvals import Approvals
from cruxfinder.gate.runtime.gate import Gate, now
from cruxfinder.gate.runtime.gate_memory import Memory
from cruxfinder.gate.runtime.gate_place import memory_folder, users_state_folder


def build_gate(memory: str = "", rules: str = "", off: Sequence[str] | None = None) -> Gate:
    return Gate(
        rules=rules_in_force(rules, off or ()), memory=Memory(memory_folder(memory)), approvals=users_approvals()
    )


def users_approvals() -> Approvals:
    return Approvals(users_state_folder(), now)
