"""The gate as a PreToolUse hook: the call that an agent is about to make comes in as JSON, a decision goes out.

What calls for no debate, and what a debate lets through, gets no decision: the agent's own permissions stand. MODIFY
denies with what to do first, ESCALATE asks the person. Whatever goes wrong is raised: `hook_guard` blocks the call.
"""

import argparse
import json
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn, cast

from cruxfinder.app.gate_rules import rules_in_force, rules_named
from cruxfinder.errors import BadInput
from cruxfinder.gate.actions import Action, exact_arguments
from cruxfinder.gate.router import route
from cruxfinder.gate.runtime.gate_place import is_disabled, memory_folder
from cruxfinder.gate.runtime.own_places import own_places
from cruxfinder.language.numerals import read_json

if TYPE_CHECKING:
    from cruxfinder.gate.router import Routing
    from cruxfinder.gate.rule_set import RuleSet
    from cruxfinder.gate.runtime.approvals import GateConfig
    from cruxfinder.gate.runtime.verdicts import GateVerdict

EVENT: Final = "PreToolUse"
INPUT_MAX: Final = 16 << 20  # bytes
SAID_FIRST: Final = ("command", "query", "sql", "statement", "script", "file_path", "path", "url", "text", "message")
Decision = Literal["deny", "ask"]


def answer(data: bytes, args: Sequence[str]) -> str:
    """What the hook says to these bytes; nothing where the agent's own permissions stand."""
    given = read_flags(args)
    action = read_action(data)
    if action is None:
        return ""
    rules = rules_in_force(given.rules, given.off)
    places = own_places(action, memory_folder(given.memory))
    routing = route(action, rules, disabled=is_disabled(), places=places)
    return decide(action, rules, routing, given) if routing.debate else ""


def read_flags(args: Sequence[str]) -> argparse.Namespace:
    return parser_of_flags().parse_args(args)


def show_help_or_settings(args: Sequence[str]) -> None:
    """What a person asks for, not an agent."""
    if "--settings" not in args:
        return parser_of_flags().print_help()
    rest = [word for word in args if word != "--settings"]
    given = read_flags(rest)
    # Isolated, so that neither the working folder nor the environment says what is imported; and by its full name, so
    # that no other `crux` is found first. What cannot even start blocks, too.
    command = shlex.join([sys.executable, "-I", "-m", "cruxfinder", "gate", "hook", *rest])
    hook = {"type": "command", "command": f"{command} || exit 2", "timeout": int(deadline(given)) + 10}
    print(json.dumps({"hooks": {EVENT: [{"matcher": "*", "hooks": [hook]}]}}, indent=2))


def deadline(given: argparse.Namespace) -> float:
    from cruxfinder.cli.hook_guard import DEADLINE_S, MODEL_DEADLINE_S

    return given.deadline or (MODEL_DEADLINE_S if given.model else DEADLINE_S)


class FlagParser(argparse.ArgumentParser):
    """Raises what is wrong, as everything else here does."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{message}; see crux gate hook --help")


def parser_of_flags() -> FlagParser:
    parser = FlagParser(
        prog="crux gate hook",
        description="A PreToolUse hook: the call an agent is about to make comes in as JSON on stdin. What calls for "
        "no debate, and what one lets through, gets no answer; MODIFY denies with what to do first, ESCALATE asks the "
        "person. Whatever goes wrong blocks the call (exit code 2).",
    )
    parser.add_argument(
        "--memory", metavar="DIR", default="", help="where the gate remembers (CRUX_GATE_MEMORY; ./memory)"
    )
    parser.add_argument("--rules", metavar="FILE", default="", help="rules of your own, before those that ship")
    parser.add_argument("--off", metavar="RULE", action="append", default=[], help="switch a rule off")
    parser.add_argument(
        "--model", metavar="MODEL", default="", help="provider:model that debates beside the house critic"
    )
    parser.add_argument("--base-url", metavar="URL", default="", help="a server that speaks OpenAI's language")
    parser.add_argument(
        "--deadline",
        metavar="SECONDS",
        type=float,
        default=0.0,
        help="block the call if it is not judged by then (10; 50 with a model)",
    )
    parser.add_argument("--settings", action="store_true", help="print what belongs into the agent's settings file")
    return parser


def decide(action: Action, rules: "RuleSet", routing: "Routing", given: argparse.Namespace) -> str:
    from cruxfinder.app.gate_models import judge_name
    from cruxfinder.cli.gate_thinking import call_gate, models_for, options_for
    from cruxfinder.errors import DebaterFault
    from cruxfinder.gate.forms import GateResolution
    from cruxfinder.gate.runtime.approvals import Approvals
    from cruxfinder.gate.runtime.gate import Gate, now
    from cruxfinder.gate.runtime.gate_memory import Memory
    from cruxfinder.gate.runtime.gate_place import users_state_folder

    wished = (given.model, None, None, given.base_url, False) if given.model else ()
    here = Gate(
        rules=rules,
        memory=Memory(memory_folder(given.memory)),
        judge=judge_name(models_for(options_for(wished))),
        approvals=Approvals(users_state_folder(), now),
    )
    if here.use_approval(action, routing):
        return ""
    try:
        verdict = call_gate(here, wished, lambda gate: gate.plan(action, routing=routing))
    except DebaterFault as fault:
        return decision_json("ask", f"The gate could not decide: {fault}")
    if verdict.resolution is GateResolution.MODIFY:
        return decision_json("deny", describe_remedy(verdict, here.keep_call(action, routing, config_of(given))))
    if verdict.resolution is GateResolution.PROCEED:
        here.use_approval(action, routing)  # it passes now; nothing is left for another time
        return ""
    return decision_json("ask", f"{', '.join(verdict.rules)}: {verdict.rationale} (debate {verdict.debate_id})")


def config_of(given: argparse.Namespace) -> "GateConfig":
    """How this hook was started, in words that mean the same in another folder."""
    from cruxfinder.gate.runtime.approvals import GateConfig

    rules, off = rules_named(given.rules, given.off)
    return GateConfig(
        memory=str(memory_folder(given.memory).absolute()),
        rules=str(Path(rules).absolute()) if rules else "",
        off=tuple(off),
        model=given.model,
        base_url=given.base_url,
    )


def describe_remedy(verdict: "GateVerdict", call: str) -> str:
    from cruxfinder.gate.runtime.approvals import APPROVED

    minutes = int(APPROVED.total_seconds() // 60)
    steps = " ".join(f"{number}. {step}." for number, step in enumerate(verdict.modifications, 1))
    return (
        f"{', '.join(verdict.rules)}: {verdict.rationale} Do this first: {steps} Then tell the gate what you saw, one "
        f"--checked for each name in brackets: crux gate plan --call {call} --checked 'ID: WHAT YOU SAW'. After a "
        f"PROCEED exactly this call passes, once, within {minutes} minutes. (debate {verdict.debate_id})"
    )


def decision_json(decision: Decision, reason: str) -> str:
    from cruxfinder.gate.secrets.redaction import redact

    told = {"hookEventName": EVENT, "permissionDecision": decision, "permissionDecisionReason": redact(reason)}
    return json.dumps({"hookSpecificOutput": told}, ensure_ascii=False)


def read_action(data: bytes) -> Action | None:
    """The action a hook is told of; None for an event that is no tool call. Raise ValueError for what is no event."""
    if len(data) > INPUT_MAX:
        raise ValueError("what the hook was given is too long to be read")
    value = read_json(data)
    if not isinstance(value, dict):
        raise ValueError("the hook expects a JSON object with tool_name and tool_input")
    event = cast("dict[str, Any]", value)
    if (event.get("hook_event_name") or EVENT) != EVENT:
        return None
    tool, given = event.get("tool_name"), event.get("tool_input")
    if not isinstance(tool, str) or not isinstance(given, dict):
        raise ValueError("the hook expects a JSON object with tool_name and tool_input")
    # A shell that is handed a NUL leaves it out, and so does who reads for it.
    held = {str(name): as_text(value).replace("\0", "") for name, value in cast("dict[str, Any]", given).items()}
    text = next((held[name] for name in SAID_FIRST if held.get(name)), " ".join(held.values()))
    cwd = event.get("cwd")
    return Action(
        text=text,
        tool=tool,
        arguments=tuple(held.items()),
        folder=working_folder(cwd if isinstance(cwd, str) else ""),
        exact=exact_arguments(cast("dict[str, object]", given)),
    )


def working_folder(named: str = "") -> str:
    """The folder a call runs in, by its real name."""
    return os.path.realpath(named or os.getcwd())


def arguments_of(text: str) -> dict[str, Any]:
    """A tool's arguments as somebody typed them."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise BadInput("the arguments of a tool are a JSON object")
    return cast("dict[str, Any]", value)


def as_text(value: object) -> str:
    """An argument in words; a list of words is a command, as a shell would be told it."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(word, str) for word in cast("list[object]", value)):
        return shlex.join(cast("list[str]", value))
    return json.dumps(value, ensure_ascii=False)
