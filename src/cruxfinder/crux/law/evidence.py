"""What evidence and a challenge to it must name (EVID-1), and what each falsifier has gathered (EVID-2). SPEC §7."""

from collections.abc import Iterator
from typing import Final

from cruxfinder.crux.moves import ChallengeEvidence, Draft, ProvideEvidence
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Message, Thread, find_message
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.vocabulary import AgentId, Direction, MessageId, RuleId, Stage

TIED: Final = RuleId("EVID-1")


def check(debate: Debate, thread: Thread, agent: AgentId, draft: Draft) -> Iterator[Refusal]:
    if thread.stage is not Stage.EVIDENCE:
        return
    match draft.move:
        case ProvideEvidence(falsifier_of=owner, number=number):
            known_as = next((m.id for m in thread.evidence if evidence_text(m) == draft.move.evidence), None)
            if known_as is not None:
                yield Refusal(rule=TIED, reason=f"{known_as} brought this already", remedy="bring something new")
            held = thread.falsifiers.get(owner, ())
            if not any(a.number == number for a in held):
                known = ", ".join(f"{a} {h.number}" for a, hs in thread.falsifiers.items() for h in hs)
                yield Refusal(
                    rule=TIED,
                    reason=f"there is no falsifier {number} of {owner}",
                    remedy=f"name one that stands: {known or 'none yet'}",
                )
        case ChallengeEvidence(target=target, why=why):
            again = next((m.id for m in thread.stage_messages if raises(m, target, why)), None)
            if again is not None:
                yield Refusal(rule=TIED, reason=f"{again} raised this already", remedy="say something else against it")
            said = find_message(thread, target)
            if said is None or not isinstance(said.move, ProvideEvidence):
                yield Refusal(rule=TIED, reason=f"{target} is not evidence", remedy="name a piece of evidence")
        case _:
            pass


def raises(message: Message, target: MessageId, why: str) -> bool:
    """Does a message raise this point against that piece of evidence?"""
    move = message.move
    return isinstance(move, ChallengeEvidence) and (move.target, move.why) == (target, why)


def evidence_text(message: Message) -> str:
    return message.move.evidence if isinstance(message.move, ProvideEvidence) else ""


def evidence_by_direction(thread: Thread, agent: AgentId, number: int) -> dict[Direction, tuple[Message, ...]]:
    """The evidence for and against one falsifier being met."""
    bearing = [
        m
        for m in thread.evidence
        if isinstance(m.move, ProvideEvidence) and (m.move.falsifier_of, m.move.number) == (agent, number)
    ]
    return {
        way: tuple(m for m in bearing if isinstance(m.move, ProvideEvidence) and m.move.direction is way)
        for way in Direction
    }
