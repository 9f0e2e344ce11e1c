"""What has to be read of a draft before it is decided on: the draft, and what of the debate it is read against."""

from cruxfinder.crux.law import falsifiers, message_redundancy, steelman, threads
from cruxfinder.crux.moves import Commit, Draft, ProposeCrux, Reframe, Steelman
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread, find_candidate
from cruxfinder.kernel.vocabulary import AgentId
from cruxfinder.language.reading import Passage


def draft_passage(debate: Debate, thread: Thread, agent: AgentId, draft: Draft) -> Passage:
    limits = debate.settings.redundancy
    weighed = limits is not None and draft.move.kind in message_redundancy.ARGUING
    question = draft.move.question if isinstance(draft.move, ProposeCrux | Reframe) else ""
    answers = (draft.move.yes_means, draft.move.no_means) if isinstance(draft.move, ProposeCrux) else ("", "")
    position, accounts = represented_position(thread, agent, draft)
    return Passage(
        text=draft.content,
        before=message_redundancy.texts_said(thread) if weighed else (),
        own=message_redundancy.places_of_own(thread, agent) if weighed else (),
        threshold=limits.similarity_threshold if limits is not None and weighed else None,
        must_add=weighed,
        falsifier=falsifiers.proposed_falsifier(draft),
        day=debate.started.day if falsifiers.proposed_falsifier(draft) is not None else "",
        question=question,
        asked=threads.open_questions(debate) if question else (),
        motion=debate.started.topic if question else "",
        answers=answers,
        subject=falsified_question(thread, draft),
        position=position,
        accounts=accounts,
    )


def falsified_question(thread: Thread, draft: Draft) -> str:
    """The locked question with its answers, where the draft says what would change a mind about it."""
    locked = find_candidate(thread, thread.crux)
    if locked is None or falsifiers.proposed_falsifier(draft) is None:
        return ""
    return f"{locked.question} {locked.yes_means} {locked.no_means}"


def represented_position(thread: Thread, agent: AgentId, draft: Draft) -> tuple[str, tuple[str, ...]]:
    """A recorded position, and what represents it: the steelman that is said, or all there are of who commits anew."""
    match draft.move:
        case Steelman() as move:
            return steelman.recorded_position(thread, move.target), (f"{move.claim} {move.reason}",)
        case Commit() as move:
            tries = steelman.tries_of(thread, agent)
            return f"{move.statement} {move.reason}", tuple(f"{t.claim} {t.reason}" for t in tries)
        case _:
            return "", ()
