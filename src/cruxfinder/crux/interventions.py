"""The moderator speaks: one event, with its cause and all it brings about."""

from cruxfinder.crux.debate_recorder import Recorder
from cruxfinder.crux.events import ModeratorIntervention
from cruxfinder.crux.thread import Thread
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.vocabulary import AgentId, Horizon, MessageId, RuleId


def intervene(
    recorder: Recorder,
    thread: Thread,
    cause: RuleId,
    content: str,
    *,
    to: tuple[AgentId, ...] = (),
    recommit: bool = False,
    question: str = "",
    yes_means: str = "",
    no_means: str = "",
    drafted: tuple[tuple[AgentId, Falsifier], ...] = (),
    joined: AgentId | None = None,
    invites: bool = False,
    horizon: Horizon | None = None,
    keeps: tuple[AgentId, ...] = (),
    looks_again: bool = False,
) -> MessageId:
    id = MessageId(f"m{recorder.debate.numbered + 1}")
    recorder.write(
        ModeratorIntervention(
            at_ms=recorder.now_ms,
            thread=thread.id,
            id=id,
            cause=cause,
            content=content,
            to=to,
            recommit=recommit,
            question=question,
            yes_means=yes_means,
            no_means=no_means,
            drafted=drafted,
            joined=joined,
            invites=invites,
            horizon=horizon,
            keeps=keeps,
            looks_again=looks_again,
        )
    )
    return id
