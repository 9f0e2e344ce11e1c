"""What everybody shares. SPEC §13, CRY-4: propositions spoken or probed on which all private credences agree."""

from typing import Final, Literal

from cruxfinder.crux.asks import Question
from cruxfinder.crux.law import threads
from cruxfinder.crux.law.framing import frame_as_question
from cruxfinder.crux.moves import Claim
from cruxfinder.crux.state import Debate
from cruxfinder.kernel.vocabulary import ADVOCATE, CandidateId, RuleId
from cruxfinder.language.english.texts import carried_share, content_words, same_question

GROUND: Final = RuleId("CRY-4")

SHARED_ABOVE: Final = 0.75
SHARED_BELOW: Final = 0.25
ASKED_MAX: Final = 8

VALUES: Final = frozenset(
    "should ought must better worse fair unfair right wrong worth worthwhile deserve good bad wise just acceptable"
    " important matter value desirable".split()
)


def undisputed_questions(debate: Debate) -> tuple[Question, ...]:
    """Claims nobody challenged and no candidate asks for, each as a question, in the order they were made."""
    if GROUND in debate.settings.off:
        return ()
    asked = [c.question for t in debate.threads.values() for c in t.candidates]
    disputed = {
        m.move.proposition
        for t in debate.threads.values()
        for m in t.claims
        if isinstance(m.move, Claim) and m.id in t.challenged
    }
    found: list[Question] = []
    for thread in debate.threads.values():
        for message in thread.claims:
            move = message.move
            assert isinstance(move, Claim), "claims are claims"
            if message.agent == ADVOCATE or move.proposition in disputed:
                continue
            framed = frame_as_question(move)
            if any(carried_share(move.proposition, q) >= threads.ABOUT for q in asked):
                continue
            if any(same_question(framed.question, q.question) for q in found):
                continue
            found.append(
                Question(
                    id=CandidateId(f"g{len(found) + 1}"),
                    question=framed.question,
                    yes_means=framed.yes_means,
                    no_means=framed.no_means,
                )
            )
    return tuple(found[:ASKED_MAX])


def shared_answer(credences: list[float]) -> bool | None:
    """True where all hold it, False where all reject it, None where they do not agree, or fewer than two answered."""
    if len(credences) < 2:
        return None
    return True if min(credences) >= SHARED_ABOVE else False if max(credences) <= SHARED_BELOW else None


def type_of(statement: str) -> Literal["factual", "empirical", "value"]:
    """A judgement of worth; a statement with a figure or a year in it; else something to be found out."""
    words = {w.lower().strip(".,;:") for w in statement.split()}
    if words & VALUES:
        return "value"
    return "factual" if any(word.isdigit() for word in content_words(statement)) else "empirical"
