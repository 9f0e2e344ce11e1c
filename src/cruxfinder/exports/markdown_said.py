"""Everything that was said, as the appendix of a Markdown document: a thread at a time, or turn by turn."""

from collections.abc import Iterator
from typing import Final

from cruxfinder.crux.events import MessagePosted, ModeratorIntervention
from cruxfinder.crux.result import Result
from cruxfinder.exports.markdown_text import bullets, escape, part
from cruxfinder.kernel.vocabulary import MODERATOR
from cruxfinder.protocols.any_run import AnyEvent
from cruxfinder.talk.minutes import Minutes, TurnRow
from cruxfinder.telling.export_text import clean, clock
from cruxfinder.telling.outcomes import Names

HEADING: Final = "Appendix: what was said"


def threads_appendix(events: tuple[AnyEvent, ...], result: Result, names: Names) -> Iterator[str]:
    yield from part(2, HEADING, threads(events, result, names))


def turns_appendix(told: Minutes, names: Names) -> Iterator[str]:
    yield from part(2, HEADING, turns(told, names))


def threads(events: tuple[AnyEvent, ...], result: Result, names: Names) -> Iterator[str]:
    for thread in result.threads:
        lines = [
            message(e, names)
            for e in events
            if isinstance(e, MessagePosted | ModeratorIntervention) and e.thread == thread.id
        ]
        yield from part(3, f"{thread.id}: {escape(thread.topic)}", bullets(lines))


def message(event: MessagePosted | ModeratorIntervention, names: Names) -> str:
    if isinstance(event, ModeratorIntervention):
        return f"{clock(event.at_ms)} {event.id} **{names[MODERATOR]}** ({event.cause}): {escape(event.content)}"
    answers = f", to {event.reply_to}" if event.reply_to is not None else ""
    kind = clean(event.move.kind.value.replace("_", " ").lower())
    who = f"**{escape(names.get(event.agent, event.agent))}** ({kind}{answers})"
    return f"{clock(event.at_ms)} {event.id} {who}: {escape(event.content)}"


def turns(told: Minutes, names: Names) -> Iterator[str]:
    yield from bullets(turn(row, names) for row in told.turns)


def turn(row: TurnRow, names: Names) -> str:
    answers = f", to {row.reply_to}" if row.reply_to is not None else ""
    side = f", {row.side.value}" if row.side is not None else ""
    aside = " (off the topic)" if row.off_topic else ""
    return (
        f"{row.id} **{escape(names.get(row.agent, row.agent))}** ({row.type}{side}{answers}): "
        f"{escape(row.content)}{aside}"
    )
