"""Writes the pages that are made from the code: events, moves, commands, settings, the tour's stages, the demo's card.

`--check` writes nothing and fails where a page is stale.
"""

import re
import sys
from dataclasses import MISSING, fields
from pathlib import Path
from typing import get_args

from cruxfinder.crux.asks import Credence, First, FixedReading, Graded, Judged, Probed, Related
from cruxfinder.crux.events import PRIVATE, CandidateFigures, DebateCoalition, Dependency
from cruxfinder.crux.law.stages import ALLOWED, RANGE
from cruxfinder.crux.moves import MOVE_TYPES, Draft
from cruxfinder.kernel.field_meanings import MeantField, meant_fields
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.run_facts import Seat
from cruxfinder.kernel.vocabulary import Stage
from cruxfinder.protocols.any_run import AnyEvent
from cruxfinder.talk.asks import Consent
from cruxfinder.talk.events import Dissent
from cruxfinder.talk.turns import TurnDraft

DOCS = Path(__file__).parent

# ---- reference/events.md


def events_page() -> str:
    lines = [
        "# Events",
        "",
        "Made from `crux/events.py` and `talk/events.py` by `docs/generate.py`; do not edit.",
        "",
        "Every reader gets the same list: `crux events RUN --jsonl`, `cf.stream(...)`, the log. A field at its",
        "default is left out. `at_ms` is debate time. Fields in italics have a default. Private events are withheld",
        "from participants until the debate is over.",
        "",
        "| kind | fields | |",
        "|---|---|---|",
    ]
    for kind in get_args(AnyEvent):
        tag = next(f.default for f in fields(kind) if f.name == "kind")
        note = ". ".join(part for part in ("private" if kind in PRIVATE else "", docstring_of(kind)) if part)
        lines.append(f"| `{tag}` | {field_list(kind)} | {note} |")
    lines += ["", "Values inside events:", "", "| value | fields | |", "|---|---|---|"]
    for value in (Seat, CandidateFigures, Dependency, DebateCoalition, TurnDraft, Dissent):
        lines.append(f"| `{value.__name__}` | {field_list(value)} | {docstring_of(value)} |")
    return "\n".join(lines) + "\n"


def field_list(kind: type) -> str:
    named = [f for f in fields(kind) if f.name not in ("kind", "at_ms")]
    return ", ".join(f.name if f.default is MISSING else f"*{f.name}*" for f in named)


def docstring_of(kind: type) -> str:
    """What the code says of a value; a dataclass without a docstring gets one from Python, which says nothing."""
    text = " ".join((kind.__doc__ or "").split())
    return "" if text.startswith(f"{kind.__name__}(") else text.rstrip(".")


# ---- reference/moves.md

MOVES = """\
# Moves and answers

Made from `crux/moves.py`, `crux/asks.py`, `talk/asks.py` and `talk/turns.py` by `docs/generate.py`; do not edit.

What a debater says in a debate for its crux is a move with its fields; in a conversation it is a turn. The same table
makes the prompt of a model and the schema of its reply, the questions a person is asked in a terminal, and the form of
the page. A model replies with one JSON object: `{"move": "CLAIM", "content": …, …}` or `{"move": "SILENCE"}` in a
debate, `{"type": "rebuttal", "content": …, …}` or `{"type": "PASS"}` in a conversation. A name in brackets is that of a
model's reply where a log has a shorter one. Fields in italics may be left out; those marked *recorded* are known from
the record, and nobody is asked for them.

"""


def moves_page() -> str:
    lines = [MOVES + "## Moves", ""]
    for kind, move in MOVE_TYPES.items():
        stages = ", ".join(stage for stage in Stage if kind in ALLOWED[stage])
        lines += [f"### `{kind}`", "", f"{move.words.title}: {move.words.sentence} Stages: {stages}.", ""]
        lines += [*field_table(meant_fields(move)), ""]
    lines += ["Every move also has these:", "", *field_table(meant_fields(Draft)), "", "## Falsifiers", ""]
    lines += [*field_table(meant_fields(Falsifier)), "", "## Private answers", ""]
    for title, answer in ANSWERS.items():
        lines += [f"### {title}", "", *field_table(meant_fields(answer)), ""]
    lines += ["## Turns of a conversation", "", "Which of them are asked for follows from the type of the turn.", ""]
    return "\n".join([*lines, *field_table(meant_fields(TurnDraft))]) + "\n"


ANSWERS = {
    "First position": First,
    "Probe": Probed,
    "Each question of a probe": Credence,
    "The question read exactly": FixedReading,
    "Judgement of the crux": Judged,
    "How two cruxes bear on each other": Related,
    "Grade of a steelman": Graded,
    "Consent": Consent,
}


def field_table(found: tuple[MeantField, ...]) -> list[str]:
    rows = [f"| {field_name(f)} | {field_values(f)} | {f.meaning.means} | {f.meaning.asks} |" for f in found]
    return ["| field | value | for a model | for a person |", "|---|---|---|---|", *rows]


def field_name(field: MeantField) -> str:
    called = f" (`{field.meaning.called}`)" if field.meaning.called else ""
    name = f"*`{field.name}`*" if field.may_lack else f"`{field.name}`"
    return f"{name}{called}{', *recorded*' if field.meaning.recorded else ''}"


def field_values(field: MeantField) -> str:
    match field.kind:
        case "choice":
            return ", ".join(f"`{choice.value}`" for choice in field.choices)
        case "text":
            return f"text, at most {field.meaning.most} characters"
        case "chance":
            return "0 to 1"
        case "flag":
            yes, no = field.meaning.words
            return f"true ({yes}) or false ({no})"
        case "group":
            return ", ".join(f"`{part.name}`" for part in field.parts)
        case "message" | "turn" | "agent" | "count":
            return {"message": "a message, `m12`", "turn": "a turn, `n12`", "count": "a number"}.get(
                field.kind, "an agent"
            )


# ---- reference/commands.md


def commands_page() -> str:
    import typer
    from typer.main import get_command

    from cruxfinder.cli.main import app

    root = get_command(app)
    lines: list[str] = [
        "# Commands",
        "",
        "Made from the command line itself by `docs/generate.py`; do not edit.",
        "",
    ]

    def describe(command, path: str) -> None:
        context = typer.Context(command, info_name=path)
        usage = " ".join(command.collect_usage_pieces(context))
        help_text = (command.help or "").strip().split("\n\n")[0].replace("\n", " ")
        lines.extend([f"## `{path}`", "", help_text, "", f"    {path} {usage}".rstrip(), ""])
        for option in command.params:
            record = option.get_help_record(context)
            if record and option.name != "help":
                lines.append(f"- `{record[0]}`: {record[1]}" if record[1] else f"- `{record[0]}`")
        lines.extend(["", command.epilog or "", ""])
        for name in sorted(getattr(command, "commands", {})):
            describe(command.resolve_command(context, [name])[1], f"{path} {name}")

    describe(root, "crux")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n"


# ---- reference/settings.md

SETTINGS = """\
# Settings

Made from the code by `docs/generate.py`; do not edit.

## Models

Each of these is taken from the flag, else from the environment, else from the settings file: the file that
`CRUX_CONFIG` names, or `$XDG_CONFIG_HOME/cruxfinder/config.toml` (`~/.config/cruxfinder/config.toml`). A relative
`XDG_CONFIG_HOME` is ignored. A key the file may not have is refused, and API keys are never kept there.

| flag | environment | settings file | |
|---|---|---|---|
{models}

A list is separated by commas in the environment and is a list in the file. Yes or no is `true`, `yes`, `1`, or
`false`, `no`, `0`. A number of zero means: not set.

## API keys

Keys are read from the environment alone. [Where a key goes](../guide/models.md#where-a-key-goes) says which address
each is sent to.

| environment | for |
|---|---|
{keys}

## Runs, servers, the gate

| flag | environment | |
|---|---|---|
| `--store` | `CRUX_STORE` | the file with the runs. Without it `cruxfinder/runs.db` in `$XDG_DATA_HOME` \
(`~/.local/share`), on macOS in `~/Library/Application Support`, on Windows in `%LOCALAPPDATA%` |
| `--token` | `CRUX_TOKEN` | what callers of `crux serve` and `crux mcp --http` must know; at least {token} characters |
| `--memory` | `{memory}` | the folder in which the gate remembers; `./{folder}` without it |
| `--rules` | `{rules}` | a file with gate rules of your own |
| `--off` | `{off}` | gate rules to switch off, separated by commas |
| | `{disabled}` | `1` switches the whole gate off |
| | `XDG_STATE_HOME` | where the gate keeps its approvals, in `cruxfinder/gate` (`~/.local/state`); macOS and Windows \
as for runs |
| | `NO_COLOR` | set to anything: no colours |
"""

KEY_OWNERS = {"openai": "models named `openai:…`", "anthropic": "models named `anthropic:…`"}


def settings_page() -> str:
    from cruxfinder.adapters.models.model_config import PREFIX, ModelConfig
    from cruxfinder.adapters.models.model_names import KEYS
    from cruxfinder.app import gate_rules
    from cruxfinder.cli.command_table import COMMANDS
    from cruxfinder.cli.lazy_commands import load
    from cruxfinder.gate.router import DISABLED
    from cruxfinder.gate.runtime import gate_place
    from cruxfinder.server.guard import TOKEN_MIN

    debate = load(next(row for row in COMMANDS if row.name == "debate"))
    helps = {
        flag[2:].replace("-", "_"): getattr(option, "help", "") for option in debate.params for flag in option.opts
    }
    models = [
        f"| `--{f.name.replace('_', '-')}` | `{PREFIX}{f.name.upper()}` | `{f.name}` | {helps[f.name]} |"
        for f in fields(ModelConfig)
    ]
    keys = [
        f"| `{variable}` | {KEY_OWNERS.get(provider, 'a server named with `--base-url`')} |"
        for provider, variable in KEYS.items()
    ]
    return SETTINGS.format(
        models="\n".join(models),
        keys="\n".join(keys),
        token=TOKEN_MIN,
        memory=gate_place.FOLDER_VARIABLE,
        folder=gate_place.FOLDER,
        rules=gate_rules.RULES_VARIABLE,
        off=gate_rules.OFF_VARIABLE,
        disabled=DISABLED,
    )


# ---- assets/card.svg

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


def card_picture() -> str:
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


# ---- architecture/tour.md


def stage_diagram() -> str:
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


def tour_page() -> str:
    """The tour as it stands, with a fresh diagram between its two marks."""
    text = (DOCS / "architecture" / "tour.md").read_text("utf-8")
    start, end = "<!-- stages -->", "<!-- /stages -->"
    before, _, rest = text.partition(start)
    _, _, after = rest.partition(end)
    return f"{before}{start}\n{stage_diagram()}\n{end}{after}"


def main() -> int:
    pages = {
        "reference/events.md": events_page(),
        "reference/moves.md": moves_page(),
        "reference/commands.md": commands_page(),
        "reference/settings.md": settings_page(),
        "architecture/tour.md": tour_page(),
        "assets/card.svg": card_picture(),
    }
    stale = [
        name for name, text in pages.items() if not (DOCS / name).exists() or (DOCS / name).read_text("utf-8") != text
    ]
    if "--check" in sys.argv:
        for name in stale:
            print(f"docs/{name} is stale: run docs/generate.py")
        return 1 if stale else 0
    for name in stale:
        (DOCS / name).write_text(pages[name], "utf-8")
        print(f"wrote docs/{name}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
