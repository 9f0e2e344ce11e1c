"""What has to be read of a draft before it is decided on: the draft, and what of the debate it is read against."""

from cruxfinder.crux.law import falsifiers, message_redundancy, steelman, threads
from cruxfinder.crux.moves import Commit, Draft, ProposeCrux, Reframe, Steelman
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread
from cruxfinder.kernel.vocabulary import AgentId
from cruxfinder.language.reading import Passage


def draft_passage(debate: Debate, thread: Thread, agent: AgentId, draft: Draft) -> Passage:
    limits = debate.settings.redundancy
    weighed = limits is not None and draft.move.kind in message_redundancy.ARGUING
    question = draft.move.question if isinstance(draft.move, ProposeCrux | Reframe) else ""
    position, accounts = represented_position(thread, agent, draft)
    return Passage(
        text=draft.content,
        before=message_redundancy.texts_said(thread) if weighed else (),
        threshold=limits.similarity_threshold if limits is not None and weighed else None,
        must_add=weighed,
        falsifier=falsifiers.proposed_falsifier(draft),
        day=debate.started.day if falsifiers.proposed_falsifier(draft) is not None else "",
        question=question,
        asked=threads.open_questions(debate) if question else (),
        position=position,
        accounts=accounts,
    )


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
