"""The options that choose messages of a run, the same for every command that shows them."""

import re
from dataclasses import dataclass
from typing import Annotated, Final

import typer

from cruxfinder.app import stored_runs
from cruxfinder.errors import BadInput
from cruxfinder.ports import RunLogs
from cruxfinder.protocols.registry import fold, protocol_of
from cruxfinder.telling.message_filter import MessageFilter, resolve_filter

Threads = Annotated[
    list[str] | None, typer.Option("--thread", metavar="ID", help="Only messages of this thread; may be repeated.")
]
Topics = Annotated[
    list[str] | None, typer.Option("--topic", metavar="ID", help="Only messages on this topic; may be repeated.")
]
Since = Annotated[
    str | None, typer.Option("--since", metavar="TIME", help="Only messages from this debate time on: 1:30 or 90s.")
]
Agents = Annotated[
    list[str] | None, typer.Option("--agent", metavar="NAME", help="Only what this agent says; may be repeated.")
]
Mentions = Annotated[str | None, typer.Option("--mentions", metavar="NAME", help="Only what speaks of this agent.")]

CLOCK: Final = re.compile(r"([0-9]{1,6}):([0-5][0-9](?:\.[0-9]{1,3})?)")
SPAN: Final = re.compile(r"(?:([0-9]{1,6}(?:\.[0-9]{1,3})?) ?m(?:in)?)? ?(?:([0-9]{1,9}(?:\.[0-9]{1,3})?) ?s?)?")


def parse_debate_time(text: str) -> int:
    """Debate time in ms: 1:30, 90s, 90, 1m30s or 1.5m."""
    told = CLOCK.fullmatch(text.strip()) or SPAN.fullmatch(text.strip())
    if told is None or not any(told.groups()):
        raise BadInput(f"--since {text!r} is no time of a debate; write it as 1:30, 90s or 1m30s")
    return round((float(told[1] or 0) * 60 + float(told[2] or 0)) * 1000)


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageFlags:
    """Everything given must hold; of a flag that is given several times, one is enough."""

    thread: Threads = None
    topic: Topics = None
    since: Since = None
    agent: Agents = None
    mentions: Mentions = None

    @property
    def filter(self) -> MessageFilter:
        given = (("--thread", self.thread), ("--topic", self.topic), ("--agent", self.agent))
        for option, names in (*given, ("--mentions", [self.mentions])):
            if "" in (names or ()):
                raise BadInput(f"{option} lacks a name")
        return MessageFilter(
            threads=tuple(self.thread or ()),
            topics=tuple(self.topic or ()),
            since_ms=0 if self.since is None else parse_debate_time(self.since),
            agents=tuple(self.agent or ()),
            mentions=self.mentions or "",
        )


def filter_for_run(only: MessageFilter, run: str, logs: RunLogs, *, follow: bool) -> MessageFilter | None:
    """The filter against what the run holds; None where nothing is asked for. A run that goes on may open threads."""
    if not only.has_criteria:
        return None
    events = stored_runs.events_of(stored_runs.load_log(run, logs))
    if not events:
        raise BadInput(f"run {run} has no events yet")
    debate = fold(events)
    return resolve_filter(
        only, debate.seats, None if follow and debate.complete is None else protocol_of(debate.started).threads(debate)
    )
