"""The first lines of a Markdown document: the topic and the brief, whatever the protocol."""

from collections.abc import Iterator

from cruxfinder.exports.markdown_text import escape
from cruxfinder.telling.brief import Brief


def opening(topic: str, told: Brief, *, reason: bool = True) -> Iterator[str]:
    """What a hurried reader takes away. `reason`: with why it is so; minutes tell that further down."""
    yield f"# {escape(topic)}"
    yield ""
    yield f"**Verdict: {told.verdict}.** {told.headline}."
    yield ""
    if told.question:
        yield f"> **{escape(told.question)}**"
        yield ">"
        yield f"> YES: {escape(told.yes_means)}"
        yield ">"
        yield f"> NO: {escape(told.no_means)}"
        yield ""
    for text in (told.meaning, escape(told.why) if reason else "", f"**{told.ending}**" if told.ending else ""):
        if text:
            yield text
            yield ""
