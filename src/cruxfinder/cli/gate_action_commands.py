"""The commands of the gate before an action: `crux gate route|plan`."""

from dataclasses import dataclass
from typing import Annotated

import typer

from cruxfinder.app.model_request import ModelRequest
from cruxfinder.cli import gate_view, output
from cruxfinder.cli.gate_assembly import build_gate, users_approvals
from cruxfinder.cli.gate_flags import (
    WORDS,
    Arguments,
    Environment,
    GateFiles,
    GateModelFlags,
    Off,
    Paths,
    Rules,
    Tool,
    text_or_stdin,
)
from cruxfinder.cli.gate_hook import arguments_of, as_text, working_folder
from cruxfinder.cli.json_filter import Answer, answer_lines
from cruxfinder.cli.shared_flags import Json
from cruxfinder.errors import BadInput
from cruxfinder.gate.actions import Action, exact_arguments
from cruxfinder.gate.forms import Stakes
from cruxfinder.gate.router import Routing


@dataclass(frozen=True, slots=True)
class RouteInput:
    action: str
    tool: str = ""


def route(
    action: Annotated[str | None, typer.Argument(metavar="ACTION", help="What is to be done; - reads stdin.")] = None,
    tool: Tool = "",
    path: Paths = None,
    env: Environment = "",
    rules: Rules = "",
    off: Off = None,
    jsonl: Annotated[bool, typer.Option("--jsonl", help='Lines {"action", "tool"} in, decisions out.')] = False,
    json: Json = False,
) -> None:
    """Does an action call for a debate, and by which rule?"""
    here = build_gate(rules=rules, off=off)

    def route_line(said: RouteInput) -> Answer:
        return routing_answer(here.route(action_of(said.action, said.tool)))

    if jsonl:
        answer_lines(
            RouteInput, "an object with an 'action' and perhaps a 'tool'", route_line, [action] if action else None
        )
        return
    if action is None:
        raise BadInput("say what is to be done, or give JSON lines on stdin with --jsonl")
    found = here.route(action_of(text_or_stdin(action), tool, path, env))
    if json:
        output.print_json({**routing_answer(found), "rules": [one.rule.id for one in found.fired]})
        return
    gate_view.show_routing(found)


def routing_answer(found: Routing) -> Answer:
    return {"stakes": found.stakes.value, "rule": found.rule, "debate": found.debate, "why": found.why}


def plan(
    action: Annotated[
        str | None, typer.Argument(metavar="ACTION", help="A command, a statement, plain words; - reads stdin.")
    ] = None,
    call: Annotated[
        str, typer.Option(metavar="ID", help="The call that the hook turned back, by the hook's own gate.")
    ] = "",
    tool: Tool = "",
    arguments: Arguments = "",
    path: Paths = None,
    env: Environment = "",
    stakes: Annotated[
        Stakes | None, typer.Option(help="At least this much is at stake; always debates.", rich_help_panel=WORDS)
    ] = None,
    rounds: Annotated[int | None, typer.Option(min=1, max=3, help="Not as many as the stakes call for.")] = None,
    why: Annotated[str, typer.Option(metavar="TEXT", help="Why it should be done.", rich_help_panel=WORDS)] = "",
    checked: Annotated[
        list[str] | None,
        typer.Option(metavar="'ID: EVIDENCE'", help="What was checked, and what was seen.", rich_help_panel=WORDS),
    ] = None,
    json: Json = False,
    *,
    files: GateFiles,
    models: GateModelFlags,
) -> None:
    """Debate an action before it is taken: PROCEED (0), MODIFY (10) or ESCALATE (20)."""
    seen = evidence(checked or [])
    if call:
        if (
            action
            or tool
            or arguments
            or path
            or env
            or stakes
            or rounds
            or files != GateFiles()
            or models.said.model
            or models.said.base_url
        ):
            raise BadInput("--call names the call and its gate: beside it there are only --checked, --why and --json")
        plan_call(call, why, seen, json=json)
        return
    if action is None:
        raise BadInput("say what is to be done, or name a call that the hook turned back with --call")
    here = build_gate(files.memory, files.rules, files.off)
    act = action_of(text_or_stdin(action), tool, path, env, arguments)
    verdict = gate_view.decide_or_exit(
        here, models.config, lambda g: g.plan(act, stakes=stakes, rounds=rounds, reason=why, checked=seen), json=json
    )
    gate_view.show_and_exit(verdict, here, json=json)


def plan_call(id: str, why: str, seen: dict[str, str], *, json: bool) -> None:
    """Debate a call again that the hook turned back, with the rules, the judge and the memory of that hook."""
    pending = users_approvals().pending_call(id)
    config = pending.gate
    here = build_gate(config.memory, config.rules, config.off)
    wished = ModelRequest(model=config.model, base_url=config.base_url) if config.model else None
    verdict = gate_view.decide_or_exit(
        here, wished, lambda g: g.plan_again(pending, reason=why, checked=seen), json=json
    )
    gate_view.show_and_exit(verdict, here, json=json)


def action_of(
    text: str, tool: str = "", path: list[str] | None = None, environment: str = "", arguments: str = ""
) -> Action:
    held = arguments_of(arguments) if arguments else {}
    return Action(
        text=text,
        tool=tool,
        paths=tuple(path or ()),
        environment=environment,
        arguments=tuple((name, as_text(value)) for name, value in held.items()),
        folder=working_folder(),
        exact=exact_arguments(held) if held else "",
    )


def evidence(checked: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in checked:
        id, colon, seen = one.partition(":")
        if not colon or not seen.strip():
            raise BadInput(f"say what was seen: --checked '{id.strip()}: …'")
        found[id.strip()] = seen.strip()
    return found
