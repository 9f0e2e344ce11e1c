"""What a turn may add that was not there before."""

from enum import StrEnum


class Entailment(StrEnum):
    IMPLICATION = "implication"
    APPLICATION = "application"
    COUNTEREXAMPLE = "counterexample"
    CONCESSION = "concession"  # counts wherever a counterexample does
    TEST = "test"
