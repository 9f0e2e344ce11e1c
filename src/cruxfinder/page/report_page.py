"""A debate as one HTML file that needs nothing else: the page's own code, the events, and what they came to."""

import base64
import json
from hashlib import sha256
from html import escape
from typing import Final

from cruxfinder.kernel import wire
from cruxfinder.page.bundle import bundle_script, styles
from cruxfinder.protocols.any_run import AnyEvent, Outcome
from cruxfinder.protocols.protocol_list import protocol_named
from cruxfinder.telling.brief import brief_of
from cruxfinder.telling.event_lines import line_fields, lines_of

TEMPLATE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style>
</head>
<body class="report">
<main id="main"></main>
<noscript><p class="banner">This report is drawn by the script it holds. Switch JavaScript on to see it.</p></noscript>
<script type="application/json" id="run">{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def report(run: str, events: tuple[AnyEvent, ...], outcome: Outcome) -> str:
    """The whole file as text. Nothing is loaded from anywhere, and no script but the one inside may run."""
    script, style = bundle_script("report.js"), styles()
    topic = outcome.topic
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src 'sha256-{fingerprint(script)}'",
            f"style-src 'sha256-{fingerprint(style)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    return TEMPLATE.format(
        policy=policy,
        title=escape(f"{topic}: {describe_contents(outcome)}"),
        style=style,
        data=embed_run(run, events, outcome),
        script=script,
    )


def describe_contents(outcome: Outcome) -> str:
    """What the file shows, in a word or two."""
    return protocol_named(outcome.protocol).title


def embed_run(run: str, events: tuple[AnyEvent, ...], outcome: Outcome) -> str:
    """JSON that no text in it can break out of: a script element ends at its first closing tag."""
    lines = map(line_fields, lines_of(events))
    frames = [
        {"n": n, "event": wire.plain_value(event), "line": line}
        for n, (event, line) in enumerate(zip(events, lines, strict=True), start=1)
    ]
    whole = {"v": 1, "id": run, "frames": frames, "result": wire.camel(outcome), "brief": wire.camel(brief_of(outcome))}
    text = json.dumps(whole, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def fingerprint(text: str) -> str:
    return base64.b64encode(sha256(text.encode()).digest()).decode()
