"""Two threads become one, with all that was said and held in both."""

from cruxfinder.crux.moves import (
    ProposeCrux,
)
from cruxfinder.crux.thread import (
    Candidate,
    Message,
    Thread,
    number_of,
)
from cruxfinder.kernel.frozen_copies import copy_with
from cruxfinder.kernel.vocabulary import (
    AgentId,
    CandidateId,
    MessageId,
)


def join_threads(target: Thread, source: Thread, adds: bool) -> Thread:
    """All messages and positions of both; where an agent took one in each, the one in the target stands."""
    messages = tuple(sorted((*target.messages, *source.messages), key=lambda m: number_of(m.id)))
    place = {m.id: n for n, m in enumerate(messages)}

    def new_index(index: int) -> int:
        return place[target.messages[index].id] if 0 <= index < len(target.messages) else len(messages)

    more = source.candidates if adds else ()
    first = len(target.candidates) + 1
    new = tuple(renumber_candidate(c, first + n, c.by, c.message) for n, c in enumerate(more))
    return copy_with(
        target,
        messages=messages,
        stage_from=new_index(target.stage_from) if target.stage_from else 0,
        side_changed_at=new_index(target.side_changed_at) if target.side_changed_at >= 0 else -1,
        candidates=(*target.candidates, *new),
        claims=in_order((*target.claims, *source.claims)),
        challenged=target.challenged | source.challenged,
        commitments={**source.commitments, **target.commitments},
        falsifiers={**source.falsifiers, **target.falsifiers},
        tries={**source.tries, **target.tries},
        sides={**source.sides, **target.sides},
        evidence=in_order((*target.evidence, *source.evidence)),
        answered=target.answered | source.answered,
        concessions=in_order((*target.concessions, *source.concessions)),
        speakers=target.speakers | source.speakers,
        members=target.members if target.only else target.members | source.members,
        horizons={**source.horizons, **target.horizons},
    )


def in_order(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    return tuple(sorted(messages, key=lambda m: number_of(m.id)))


def renumber_candidate(asked: ProposeCrux | Candidate, number: int, by: AgentId, message: MessageId) -> Candidate:
    return Candidate(
        id=CandidateId(f"c{number}"),
        question=asked.question,
        yes_means=asked.yes_means,
        no_means=asked.no_means,
        by=by,
        message=message,
        near_topic=asked.near_topic if isinstance(asked, Candidate) else 0.0,
    )
