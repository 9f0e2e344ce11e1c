"""The public part of a debate: what a debater may see of it."""

from cruxfinder.model.altering import altered
from cruxfinder.model.record import Debate
from cruxfinder.model.thread import Thread


def public(debate: Debate) -> Debate:
    """Without first positions, probes, their figures and what was concluded from them."""
    threads = {id: public_thread(thread) for id, thread in debate.threads.items()}
    return altered(debate, firsts={}, relations={}, threads=threads)


def public_thread(thread: Thread) -> Thread:
    return altered(thread, probes={}, figures={}, changes=(), unlabelled=())
