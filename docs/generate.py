"""Writes the pages that are made from the code: events, commands, the diagram of stages. `--check` only compares."""

import re
import sys
from dataclasses import MISSING, fields
from pathlib import Path
from typing import get_args

from cruxfinder.crux.events import PRIVATE, CandidateFigures, DebateCoalition, Dependency, Event, Seat
from cruxfinder.crux.law.stages import ALLOWED, RANGE
from cruxfinder.kernel.vocabulary import Stage
from cruxfinder.talk.events import Dissent
from cruxfinder.talk.turns import TurnDraft

DOCS = Path(__file__).parent


def events() -> str:
    lines = [
        "# Events",
        "",
        "Made from `src/cruxfinder/crux/events.py` and `turn_events.py` by `docs/generate.py`; do not edit.",
        "",
        "Every reader gets the same list: `crux events RUN --jsonl`, `cf.stream(...)`, the log. A field at its",
        "default is left out. `at_ms` is debate time. Fields in italics have a default. Private events are withheld",
        "from participants until the debate is over.",
        "",
        "| kind | fields | |",
        "|---|---|---|",
    ]
    for kind in get_args(Event):
        tag = next(f.default for f in fields(kind) if f.name == "kind")
        note = ". ".join(part for part in ("private" if kind in PRIVATE else "", said(kind)) if part)
        lines.append(f"| `{tag}` | {shown(kind)} | {note} |")
    lines += ["", "Values inside events:", "", "| value | fields | |", "|---|---|---|"]
    for value in (Seat, CandidateFigures, Dependency, DebateCoalition, TurnDraft, Dissent):
        lines.append(f"| `{value.__name__}` | {shown(value)} | {said(value)} |")
    return "\n".join(lines) + "\n"


def shown(kind: type) -> str:
    named = [f for f in fields(kind) if f.name not in ("kind", "at_ms")]
    return ", ".join(f.name if f.default is MISSING else f"*{f.name}*" for f in named)


def said(kind: type) -> str:
    """What the code says of a value; a dataclass without words of its own gets some from Python."""
    text = " ".join((kind.__doc__ or "").split())
    return "" if text.startswith(f"{kind.__name__}(") else text.rstrip(".")


def stages() -> str:
    lines = ["```text"]
    for stage in Stage:
        least, most = RANGE[stage]
        moves = ", ".join(ALLOWED[stage])
        lines.append(f"{stage:<10} {least}–{most} messages: {moves}")
        leads = {
            Stage.DISCOVERY: "candidates weighed in private: lock one, or end with the verdict",
            Stage.CRUX_LOCK: "commitments, steelmans, falsifiers: locked, or FAILED_LOCK after four tries",
            Stage.EVIDENCE: "stable, spent or quiet: probed again, crux extracted, CONVERGED",
        }[stage]
        lines.append(f"   └─ {leads}")
    return "\n".join([*lines, "```"])


def commands() -> str:
    import typer
    from typer.main import get_command

    from cruxfinder.cli.main import app

    root = get_command(app)
    found: list[str] = [
        "# Commands",
        "",
        "Made from the command line itself by `docs/generate.py`; do not edit.",
        "",
    ]

    def describe(command, path: str) -> None:
        context = typer.Context(command, info_name=path)
        usage = " ".join(command.collect_usage_pieces(context))
        help_text = (command.help or "").strip().split("\n\n")[0].replace("\n", " ")
        found.extend([f"## `{path}`", "", help_text, "", f"    {path} {usage}".rstrip(), ""])
        for option in command.params:
            record = option.get_help_record(context)
            if record and option.name != "help":
                found.append(f"- `{record[0]}`: {record[1]}" if record[1] else f"- `{record[0]}`")
        found.append("")
        for name, sub in sorted(getattr(command, "commands", {}).items()):
            if not sub.hidden:
                describe(sub, f"{path} {name}")

    describe(root, "crux")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(found)).rstrip() + "\n"


FRAME = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
 font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" /></clipPath>{lines}</defs>
<rect fill="#181a21" width="{width}" height="{height}" rx="8" />
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g>
</g>
</svg>
"""


NORMAL = (
    *((60, 64, 75), (240, 113, 120), (145, 200, 110), (229, 192, 105)),
    *((97, 175, 239), (198, 140, 230), (86, 196, 205), (200, 204, 212)),
)
BRIGHT = (
    *((120, 126, 140), (255, 140, 145), (165, 220, 130), (245, 212, 130)),
    *((125, 195, 255), (215, 165, 245), (115, 215, 222), (240, 242, 246)),
)


def picture() -> str:
    """The card of the demo, as a picture that needs nothing from anywhere."""
    import io

    from rich.console import Console
    from rich.terminal_theme import TerminalTheme

    from cruxfinder import api
    from cruxfinder.cli.debate_commands import DEMO_PACK, DEMO_SEED
    from cruxfinder.cli.pretty_card import pretty_card
    from cruxfinder.telling.card import card_of

    finished = api.debate(DEMO_PACK, seed=DEMO_SEED, run="bitcoin-demo")
    theme = TerminalTheme((24, 26, 33), (221, 225, 232), list(NORMAL), list(BRIGHT))
    width = 100
    console = Console(record=True, width=width, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(pretty_card(card_of(finished), tuple(a.id for a in finished.result.agents), width))
    svg = console.export_svg(title="", theme=theme, code_format=FRAME, unique_id="crux")
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


def tour_with(diagram: str) -> str:
    text = (DOCS / "tour.md").read_text()
    start, end = "<!-- stages -->", "<!-- /stages -->"
    before, _, rest = text.partition(start)
    _, _, after = rest.partition(end)
    return f"{before}{start}\n{diagram}\n{end}{after}"


def main() -> int:
    pages = {"events.md": events(), "commands.md": commands(), "tour.md": tour_with(stages()), "card.svg": picture()}
    stale = [name for name, text in pages.items() if not (DOCS / name).exists() or (DOCS / name).read_text() != text]
    if "--check" in sys.argv:
        for name in stale:
            print(f"docs/{name} is stale: run docs/generate.py")
        return 1 if stale else 0
    for name in stale:
        (DOCS / name).write_text(pages[name])
        print(f"wrote docs/{name}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
