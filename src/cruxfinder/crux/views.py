"""The public part of a debate: what a debater may see of it."""

from dataclasses import replace

from cruxfinder.crux.state import Debate, Proposal
from cruxfinder.crux.thread import Message, Thread, number_of
from cruxfinder.kernel.altering import cache_on_value, copy_with


@cache_on_value
def public_debate(debate: Debate) -> Debate:
    """Without first positions, probes, their figures and what was concluded from them."""
    threads = {id: public_thread(thread) for id, thread in debate.threads.items()}
    proposals = {id: public_proposal(p) for id, p in debate.proposals.items()}
    return copy_with(debate, firsts={}, relations={}, related={}, tested=(), proposals=proposals, threads=threads)


def public_proposal(proposal: Proposal) -> Proposal:
    if proposal.told.rank is None:
        return proposal
    return replace(proposal, told=replace(proposal.told, rank=None))


@cache_on_value
def public_thread(thread: Thread) -> Thread:
    return copy_with(thread, probes={}, figures={}, changes=(), unlabelled=())


def all_messages(debate: Debate) -> tuple[Message, ...]:
    """Everything said in a debate, in order; what two threads share stands once."""
    said = {message.id: message for thread in debate.threads.values() for message in thread.messages}
    return tuple(sorted(said.values(), key=lambda message: number_of(message.id)))
