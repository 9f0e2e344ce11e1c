"""A claim put as a yes-or-no question: for the moderator, and for a thread that nobody has a question for."""

from typing import Final

from cruxfinder.crux.moves import Claim, ProposeCrux

OPENERS: Final = frozenset(
    {"The", "A", "An", "It", "There", "This", "That", "These", "Those", "We", "Our", "Most", "No"}
)


def frame_as_question(claim: Claim) -> ProposeCrux:
    said = claim.proposition.strip().rstrip(".")
    lowered = said[:1].lower() + said[1:] if said[1:2].islower() and said.split()[0] in OPENERS else said
    return ProposeCrux(
        question=f"Is it true that {lowered}?",
        yes_means=f"{said}.",
        no_means=f"It is not so that {lowered}.",
    )
