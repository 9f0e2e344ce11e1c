"""The commands of the gate: `crux gate route|plan|failure|attempt|outcome|reset|report|rules|fingerprint|csp|hook`."""

import sys
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cruxfinder.cli.debate_commands import Json
from cruxfinder.cli.json_filter import Answer, answer_lines
from cruxfinder.cli.model_flags import MODELS, BaseUrl, Fallback, Grammar, JudgeModel
from cruxfinder.errors import BadInput
from cruxfinder.gate.forms import Stakes

if TYPE_CHECKING:
    from cruxfinder.gate.actions import Action
    from cruxfinder.gate.router import Routing
    from cruxfinder.gate.runtime.approvals import Approvals
    from cruxfinder.gate.runtime.gate import Gate
    from cruxfinder.gate.runtime.verdicts import GateVerdict

commands = typer.Typer(invoke_without_command=True)

STDIN: Final = "-"
WORDS: Final = "What is at stake"
KEPT: Final = "Rules and memory"


class DecisionOutcome(StrEnum):
    SUCCESS = "success"
    FAILURE = "failure"


Task = Annotated[str, typer.Argument(metavar="TASK", help="The task, in words.")]
Tool = Annotated[str, typer.Option(metavar="NAME", help="The tool: bash, sql, Write …", rich_help_panel=WORDS)]
Paths = Annotated[
    list[str] | None, typer.Option("--path", metavar="PATH", help="A file it touches.", rich_help_panel=WORDS)
]
Environment = Annotated[
    str, typer.Option("--env", metavar="NAME", help="Where it happens: production …", rich_help_panel=WORDS)
]
Arguments = Annotated[str, typer.Option(metavar="JSON", help="The tool's arguments, an object.", rich_help_panel=WORDS)]
SameAs = Annotated[str, typer.Option(metavar="TASK", help="It is this known task, by its id or its words.")]
Memory = Annotated[
    str,
    typer.Option(metavar="DIR", help="Where the gate remembers (CRUX_GATE_MEMORY; ./memory).", rich_help_panel=KEPT),
]
Rules = Annotated[
    str, typer.Option(metavar="FILE", help="Rules of your own, before those that ship.", rich_help_panel=KEPT)
]
Off = Annotated[list[str] | None, typer.Option(metavar="RULE", help="Switch a rule off.", rich_help_panel=KEPT)]
House = Annotated[bool, typer.Option("--house", help="Ask no model, even if one is set up.", rich_help_panel=MODELS)]
OneModel = Annotated[
    str | None, typer.Option(metavar="MODEL", help="provider:model that debates.", rich_help_panel=MODELS)
]


@commands.callback()
def gate(ctx: typer.Context) -> None:
    """Debate a risky step before it is taken, and a task that failed twice."""
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())


# ---- before an action


@dataclass(frozen=True, slots=True)
class RouteInput:
    action: str
    tool: str = ""


@commands.command()
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
    here = build_gate("", rules, off)

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
        from cruxfinder.cli import output

        output.print_json({**routing_answer(found), "rules": [one.rule.id for one in found.fired]})
        return
    from cruxfinder.cli import gate_view

    gate_view.show_routing(found)


def routing_answer(found: "Routing") -> Answer:
    return {"stakes": found.stakes.value, "rule": found.rule, "debate": found.debate, "why": found.why}


@commands.command()
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
    memory: Memory = "",
    rules: Rules = "",
    off: Off = None,
    model: OneModel = None,
    judge_model: JudgeModel = None,
    fallback: Fallback = None,
    base_url: BaseUrl = None,
    grammar: Grammar = False,
    house: House = False,
    json: Json = False,
) -> None:
    """Debate an action before it is taken: PROCEED (0), MODIFY (10) or ESCALATE (20)."""
    from cruxfinder.cli.gate_thinking import decide_or_exit

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
            or memory
            or rules
            or off
            or model
            or base_url
        ):
            raise BadInput("--call names the call and its gate: beside it there are only --checked, --why and --json")
        plan_call(call, why, seen, json=json)
        return
    if action is None:
        raise BadInput("say what is to be done, or name a call that the hook turned back with --call")
    here = build_gate(memory, rules, off)
    act = action_of(text_or_stdin(action), tool, path, env, arguments)
    wished = () if house else (model, judge_model, fallback, base_url, grammar)
    verdict = decide_or_exit(
        here, wished, lambda g: g.plan(act, stakes=stakes, rounds=rounds, reason=why, checked=seen), json=json
    )
    show(verdict, here, json=json)


def plan_call(id: str, why: str, seen: dict[str, str], *, json: bool) -> None:
    """Debate a call again that the hook turned back, with the rules, the judge and the memory of that hook."""
    from cruxfinder.cli.gate_thinking import decide_or_exit

    pending = users_approvals().pending_call(id)
    config = pending.gate
    here = build_gate(config.memory, config.rules, list(config.off))
    wished = (config.model, None, None, config.base_url, False) if config.model else ()
    verdict = decide_or_exit(here, wished, lambda g: g.plan_again(pending, reason=why, checked=seen), json=json)
    show(verdict, here, json=json)


@commands.command(add_help_option=False, context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
def hook(ctx: typer.Context) -> None:
    """Stand before an agent's tool calls: a PreToolUse hook, JSON on stdin, the decision on stdout."""
    from cruxfinder.cli import hook_guard

    hook_guard.main(ctx.args)


# ---- after failures


@commands.command()
def attempt(
    task: Task,
    error: Annotated[str | None, typer.Option(metavar="TEXT", help="How it failed; - reads stdin.")] = None,
    approach: Annotated[str, typer.Option(metavar="TEXT", help="What was tried.")] = "",
    ok: Annotated[bool, typer.Option("--ok", help="It succeeded: the count begins again.")] = False,
    same_as: SameAs = "",
    memory: Memory = "",
    json: Json = False,
) -> None:
    """Note a failed attempt, or see where a task stands: 0 go on, 20 after the third failure."""
    from cruxfinder.cli import exits, gate_view, output
    from cruxfinder.gate.failures import FollowUp

    here = build_gate(memory, "", None)
    if ok:
        if error is not None:
            raise BadInput("it cannot have failed and succeeded: give --error or --ok")
        done = here.success(task, same_as)
        output.print_json(done) if json else gate_view.show_reset(done)
        return
    found = here.attempt(
        task, error=None if error is None else text_or_stdin(error), approach=approach, same_as=same_as
    )
    output.print_json(found) if json else gate_view.show_known(found, noted=error is not None)
    if found.due is FollowUp.ESCALATION:
        raise typer.Exit(exits.ESCALATE)


@commands.command()
def failure(
    task: Task,
    tried: Annotated[
        list[str] | None, typer.Option("--attempt", metavar="TEXT", help="An attempt, instead of those remembered.")
    ] = None,
    error: Annotated[list[str] | None, typer.Option(metavar="TEXT", help="How that attempt failed.")] = None,
    next: Annotated[str, typer.Option(metavar="TEXT", help="What would be tried now.")] = "",
    same_as: SameAs = "",
    memory: Memory = "",
    rules: Rules = "",
    model: OneModel = None,
    judge_model: JudgeModel = None,
    fallback: Fallback = None,
    base_url: BaseUrl = None,
    grammar: Grammar = False,
    house: House = False,
    json: Json = False,
) -> None:
    """Debate a task that failed twice: RETRY (0), PIVOT (11) or ESCALATE (20)."""
    from cruxfinder.cli.gate_thinking import decide_or_exit

    if len(tried or ()) != len(error or ()):
        raise BadInput("give an --error for each --attempt")
    here = build_gate(memory, rules, None)
    pairs = tuple(zip(tried or (), error or (), strict=True))
    wished = () if house else (model, judge_model, fallback, base_url, grammar)
    verdict = decide_or_exit(
        here, wished, lambda g: g.failure(task, attempts=pairs, next_approach=next, same_as=same_as), json=json
    )
    show(verdict, here, json=json)


@commands.command()
def reset(
    task: Task,
    said: Annotated[str, typer.Option(metavar="TEXT", help="What the user said; it must be a reason.")] = "",
    same_as: SameAs = "",
    memory: Memory = "",
    json: Json = False,
) -> None:
    """Begin the count of a task's failures again: on your word, or where what was said is a reason to (else 3)."""
    from cruxfinder.cli import exits, gate_view, output

    done = build_gate(memory, "", None).reset(task, said=said, same_as=same_as)
    output.print_json(done) if json else gate_view.show_reset(done)
    if not done.done:
        raise typer.Exit(exits.UNDECIDED)


# ---- what came of it


@commands.command()
def outcome(
    debate: Annotated[str, typer.Argument(metavar="ID", help="The id of a debate.")],
    came: Annotated[DecisionOutcome, typer.Argument(metavar="success|failure", help="What came of it.")],
    helped: Annotated[
        bool | None, typer.Option("--helped/--not-helped", help="Did the debate help? Without a word: by rule.")
    ] = None,
    memory: Memory = "",
    json: Json = False,
) -> None:
    """Tell the gate what came of what it decided."""
    from cruxfinder.cli import gate_view, output

    found = build_gate(memory, "", None).outcome(debate, came.value, helped)
    output.print_json(found) if json else gate_view.show_outcome(found)


@commands.command()
def report(memory: Memory = "", json: Json = False) -> None:
    """Whether the gate helps: how often it debates, what comes of it, which rules fire for nothing, what it costs."""
    from cruxfinder.cli import gate_view, output

    here = build_gate(memory, "", None)
    found = here.report()
    output.print_json(found) if json else gate_view.show_report(found, here.memory)


# ---- texts


@commands.command()
def rules(
    rule: Annotated[str | None, typer.Argument(metavar="RULE", help="One rule, with what it knows.")] = None,
    file: Rules = "",
    off: Off = None,
    json: Json = False,
) -> None:
    """List the rules, or show what one of them knows."""
    from cruxfinder.cli import gate_view

    gate_view.show_rules(build_gate("", file, off).rules, rule, json=json)


@commands.command()
def fingerprint(
    message: Annotated[str | None, typer.Argument(metavar="MESSAGE", help="An error; - reads stdin.")] = None,
    jsonl: Annotated[bool, typer.Option("--jsonl", help='A message a line in, {"fingerprint"} a line out.')] = False,
    json: Json = False,
) -> None:
    """What stays the same when an error comes back: paths, numbers and names are masked."""
    from cruxfinder.gate.fingerprints import fingerprint as of

    if jsonl:
        from cruxfinder.cli.gate_lines import print_fingerprints

        if message is not None:
            raise BadInput("give a message or --jsonl, not both")
        print_fingerprints()
        return
    if message is None:
        raise BadInput("give an error, or messages on stdin with --jsonl")
    found = of(text_or_stdin(message))
    if json:
        from cruxfinder.cli import output

        output.print_json({"fingerprint": found})
    else:
        print(found)


@commands.command()
def csp(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="CSP/1; without it, from stdin.")] = STDIN,
    json: Json = False,
) -> None:
    """Read a CSP/1 text strictly and write it as the gate does; what is wrong is told with its place."""
    from cruxfinder.cli import output
    from cruxfinder.gate.csp import BadText, read, write

    try:
        form = read(text_or_stdin(text))
    except BadText as fault:
        raise BadInput(str(fault)) from None
    if json:
        found: Any = output.as_json(form)
        output.print_json({"form": type(form).__name__, **found})
    else:
        print(write(form))


# ---- from words to values


def text_or_stdin(text: str) -> str:
    """What was typed, or stdin for a dash."""
    if text != STDIN:
        return text
    return sys.stdin.buffer.read().decode(errors="replace").rstrip("\n")


def action_of(
    text: str, tool: str = "", path: list[str] | None = None, environment: str = "", arguments: str = ""
) -> "Action":
    from cruxfinder.cli.gate_hook import arguments_of, as_text, working_folder
    from cruxfinder.gate.actions import Action, exact_arguments

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


def build_gate(memory: str, rules: str, off: list[str] | None) -> "Gate":
    from cruxfinder.app.gate_rules import rules_in_force
    from cruxfinder.gate.runtime.gate import Gate
    from cruxfinder.gate.runtime.gate_memory import Memory as Folder
    from cruxfinder.gate.runtime.gate_place import memory_folder

    return Gate(
        rules=rules_in_force(rules, off or ()), memory=Folder(memory_folder(memory)), approvals=users_approvals()
    )


def users_approvals() -> "Approvals":
    from cruxfinder.gate.runtime.approvals import Approvals
    from cruxfinder.gate.runtime.gate import now
    from cruxfinder.gate.runtime.gate_place import users_state_folder

    return Approvals(users_state_folder(), now)


def show(verdict: "GateVerdict", here: "Gate", *, json: bool) -> None:
    from cruxfinder.cli import exits, gate_view, output

    output.print_json(verdict) if json else gate_view.show_verdict(verdict, here)
    codes = {"MODIFY": exits.MODIFY, "PIVOT": exits.PIVOT, "ESCALATE": exits.ESCALATE}
    if code := codes.get(verdict.resolution.value):
        raise typer.Exit(code)
