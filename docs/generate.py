"""Writes what is made from the code: events, moves, commands, settings, schemas, the tour's stages, the demo's card.

`--check` writes nothing and fails where a page is stale.
"""

import re
import sys
from dataclasses import MISSING, fields
from os.path import normpath
from pathlib import Path
from typing import get_args

from json_schemas import RESULT, WIRE, as_file, docstring_of, of_options, write_schema

from cruxfinder.app.model_settings import setting_fields
from cruxfinder.crux.asks import Credence, First, FixedReading, Graded, Judged, Probed, Related
from cruxfinder.crux.events import PRIVATE, CandidateFigures, DebateCoalition, Dependency
from cruxfinder.crux.law.stages import ALLOWED, RANGE
from cruxfinder.crux.moves import MOVE_TYPES, Draft
from cruxfinder.crux.result import Result
from cruxfinder.exports.schemas import SCHEMAS, SchemaName
from cruxfinder.kernel.field_meanings import MeantField, meant_fields
from cruxfinder.kernel.pack import Falsifier
from cruxfinder.kernel.run_facts import Seat
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.vocabulary import Stage
from cruxfinder.protocols.any_run import AnyEvent
from cruxfinder.talk.asks import Consent
from cruxfinder.talk.events import Dissent
from cruxfinder.talk.minutes import Minutes
from cruxfinder.talk.turns import TurnDraft
from cruxfinder.telling.figures import definitions

DOCS = Path(__file__).parent
SHIPPED = "../src/cruxfinder/exports/schemas"

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
`false`, `no`, `0`. What is empty is not set.

## API keys

Keys are read from the environment alone. [Where a key goes](../guide/models.md#where-a-key-goes) says which address
each is sent to.

| environment | for |
|---|---|
{keys}

## Runs, servers, the gate

| flag | environment | |
|---|---|---|
| `--store` | `CRUX_STORE` | where the runs are: the path of a file, `sqlite:///PATH` (a fourth slash begins a path \
from the root), or `memory:` for a server whose runs end with it. Without it `cruxfinder/runs.db` in `$XDG_DATA_HOME` \
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
    from cruxfinder.adapters.models.model_names import KEYS
    from cruxfinder.app import gate_rules
    from cruxfinder.app.model_settings import variable_of
    from cruxfinder.gate.router import DISABLED
    from cruxfinder.gate.runtime import gate_place
    from cruxfinder.server.guard import TOKEN_MIN

    models = [
        f"| `{field.shown_flag}` | `{variable_of(field)}` | `{field.setting}` | {field.option.help} |"
        for field in setting_fields()
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


# ---- the schemas, which ship in the package, and reference/schemas.md

TYPES = {
    SchemaName.RESULT: (Result, RESULT),
    SchemaName.MINUTES: (Minutes, RESULT),
    SchemaName.EVENT: (AnyEvent, WIRE),
    SchemaName.SETTINGS: (Settings, WIRE),
}

SCHEMAS_PAGE = """\
# Schemas

Made from the code by `docs/generate.py`; do not edit.

JSON Schemas (2020-12) of what Cruxfinder writes and reads. They are made from the types, ship in the package, and are
printed by `crux schema NAME`.

| name | file | what keeps to it |
|---|---|---|
{rows}

A schema is strict: it knows every field, and a field that is not required may be left out where it is at its default.
The version at the end of `$id` rises when a field goes or changes its meaning; [added fields](compatibility.md) do not
raise it.
"""


def schema_files() -> dict[str, str]:
    config = as_file(SchemaName.CONFIG, SCHEMAS[SchemaName.CONFIG].title, of_options(setting_fields()), {})
    written = {name: write_schema(name, SCHEMAS[name].title, *TYPES[name]) for name in TYPES}
    return {f"{SHIPPED}/{name}.json": text for name, text in (written | {SchemaName.CONFIG: config}).items()}


def schemas_page() -> str:
    rows = [f"| `{name}` | [{name}.json](../{SHIPPED}/{name}.json) | {row.holds} |" for name, row in SCHEMAS.items()]
    return SCHEMAS_PAGE.format(rows="\n".join(rows))


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


# ---- reference/figures.md


def figures_page() -> str:
    lines = [
        "# Figures",
        "",
        "Made from `telling/figures.py` by `docs/generate.py`; do not edit.",
        "",
        "One number, one meaning: the terminal, the exports, the page, the report and the tools all take these from",
        "there. A figure that a protocol has none of is zero. Of a run that is not over each is counted up to now.",
        "",
        "| figure | is written | counts |",
        "|---|---|---|",
    ]
    for told in definitions():
        lines.append(f"| `{told.name}` | 1 {told.one}, 2 {told.many} | {told.meaning} |")
    lines += [
        "",
        "A thread's `messages` are those of agents in it; a thread that joined another keeps its own. Messages that",
        "count against the limit of a stage (`stages` in the result) may be fewer: repairs and first clarifications",
        "are free.",
        "",
        "Shares are written to the whole percent, a half to the even one. A question that was locked has the figures",
        "it was locked with, wherever it is shown; one that was only tested has those of the private answers before",
        "the evidence.",
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    pages = {
        "reference/events.md": events_page(),
        "reference/moves.md": moves_page(),
        "reference/commands.md": commands_page(),
        "reference/settings.md": settings_page(),
        "reference/schemas.md": schemas_page(),
        **schema_files(),
        "reference/figures.md": figures_page(),
        "architecture/tour.md": tour_page(),
        "assets/card.svg": card_picture(),
    }
    stale = [
        name for name, text in pages.items() if not (DOCS / name).exists() or (DOCS / name).read_text("utf-8") != text
    ]
    if "--check" in sys.argv:
        for name in stale:
            print(f"{normpath(f'docs/{name}')} is stale: run docs/generate.py")
        return 1 if stale else 0
    for name in stale:
        (DOCS / name).write_text(pages[name], "utf-8")
        print(f"wrote {normpath(f'docs/{name}')}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
