"""What keeps a conversation from going in circles, in numbers; `limits.yaml` of a user says the same."""

from dataclasses import dataclass
from enum import StrEnum


class Entailment(StrEnum):
    IMPLICATION = "implication"
    APPLICATION = "application"
    COUNTEREXAMPLE = "counterexample"
    CONCESSION = "concession"  # counts wherever a counterexample does
    TEST = "test"


@dataclass(frozen=True, slots=True, kw_only=True)
class Redundancy:
    dyad_max_volleys: int = 2
    synthesis_interval: int = 12
    max_total_turns: int = 48
    similarity_threshold: float = 0.85  # .85 is where the embedder in use was calibrated to draw the line
    require_entailment: bool = True
    claim_graph_required: bool = True
    entailment_types: tuple[Entailment, ...] = (
        Entailment.IMPLICATION,
        Entailment.APPLICATION,
        Entailment.COUNTEREXAMPLE,
        Entailment.TEST,
    )
    on_tension_cycles: int = 2
    inject_dilemma: bool = True
    inject_retrieved_anchor: bool = True
