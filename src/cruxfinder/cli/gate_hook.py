"""The gate as a PreToolUse hook: the call that an agent is about to make comes in as JSON, a decision goes out.

What calls for no debate, and what a debate lets through, gets no decision: the agent's own permissions stand. MODIFY
denies with what to do first, ESCALATE and everything the gate cannot decide ask the person.
"""

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from cruxfinder.dialectic.actions import Action
from cruxfinder.dialectic.router import route
from cruxfinder.errors import BadInput
from cruxfinder.gate.place import disabled, folder, rules_in_force

if TYPE_CHECKING:
    from cruxfinder.dialectic.rule_set import RuleSet
    from cruxfinder.gate.verdicts import Verdict

EVENT: Final = "PreToolUse"
INPUT_MAX: Final = 16 << 20  # bytes
SAID_FIRST: Final = ("command", "query", "sql", "statement", "script", "file_path", "path", "url", "text", "message")
Decision = Literal["deny", "ask"]


def main(args: Sequence[str]) -> None:
    """It runs before every call of a tool, so it reads its few flags itself and brings in no more than it needs."""
    given = flags().parse_args(args)
    try:
        action = read(sys.stdin.buffer.read(INPUT_MAX + 1))
        if action is not None:
            rules = rules_in_force(given.rules, given.off)
            if route(action, rules, disabled=disabled()).debate:
                decide(action, rules, given)
    except Exception as fault:  # whatever is broken: a gate that fails does not wave things through
        from cruxfinder.rules.secrets import redacted

        say("ask", f"The gate could not decide: {redacted(str(fault))}")


def flags() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="crux gate hook",
        description="A PreToolUse hook: the call an agent is about to make comes in as JSON on stdin. What calls for "
        "no debate, and what one lets through, gets no answer; MODIFY denies with what to do first, ESCALATE asks the "
        "person.",
    )
    parser.add_argument(
        "--memory", metavar="DIR", default="", help="where the gate remembers (CRUX_GATE_MEMORY; ./memory)"
    )
    parser.add_argument("--rules", metavar="FILE", default="", help="rules of your own, before those that ship")
    parser.add_argument("--off", metavar="RULE", action="append", default=[], help="switch a rule off")
    parser.add_argument(
        "--model", metavar="MODEL", default="", help="provider:model that debates, instead of the house"
    )
    parser.add_argument("--base-url", metavar="URL", default="", help="a server that speaks OpenAI's language")
    return parser


def decide(action: Action, rules: "RuleSet", given: argparse.Namespace) -> None:
    from cruxfinder.cli.gate_thinking import asked
    from cruxfinder.dialectic.forms import Resolution
    from cruxfinder.gate.gate import Gate
    from cruxfinder.gate.memory import Memory

    here = Gate(rules=rules, memory=Memory(folder(given.memory)))
    if here.passed(action):
        return
    wished = (given.model, None, None, given.base_url, False) if given.model else ()
    verdict = asked(here, wished, lambda gate: gate.plan(action))
    if verdict.resolution is Resolution.MODIFY:
        say("deny", modified(verdict))
    elif verdict.resolution is not Resolution.PROCEED:
        say("ask", f"{', '.join(verdict.rules)}: {verdict.rationale} (debate {verdict.debate_id})")


def modified(verdict: "Verdict") -> str:
    from cruxfinder.gate.gate import PASS

    minutes = int(PASS.total_seconds() // 60)
    steps = " ".join(f"{number}. {step}." for number, step in enumerate(verdict.modifications, 1))
    return (
        f"{', '.join(verdict.rules)}: {verdict.rationale} Do this first: {steps} Then tell the gate what you saw, one "
        "--checked for each name in brackets: crux gate plan ACTION --tool TOOL --checked 'ID: WHAT YOU SAW' (with "
        f"--arguments JSON where the tool is no shell). After a PROCEED the same call passes for {minutes} minutes. "
        f"(debate {verdict.debate_id})"
    )


def say(decision: Decision, reason: str) -> None:
    told = {"hookEventName": EVENT, "permissionDecision": decision, "permissionDecisionReason": reason}
    print(json.dumps({"hookSpecificOutput": told}, ensure_ascii=False))


def read(data: bytes) -> Action | None:
    """The action a hook is told of; None for an event that is no tool call. Raise ValueError for what is no event."""
    if len(data) > INPUT_MAX:
        raise ValueError("what the hook was given is too long to be read")
    value: object = json.loads(data)
    if not isinstance(value, dict):
        raise ValueError("the hook expects a JSON object with tool_name and tool_input")
    event = cast("dict[str, Any]", value)
    if (event.get("hook_event_name") or EVENT) != EVENT:
        return None
    tool, given = event.get("tool_name"), event.get("tool_input")
    if not isinstance(tool, str) or not isinstance(given, dict):
        raise ValueError("the hook expects a JSON object with tool_name and tool_input")
    held = {str(name): as_text(value) for name, value in cast("dict[str, Any]", given).items()}
    text = next((held[name] for name in SAID_FIRST if held.get(name)), " ".join(held.values()))
    return Action(text=text, tool=tool, arguments=tuple(held.items()))


def arguments_of(text: str) -> dict[str, str]:
    """A tool's arguments as somebody typed them."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise BadInput("the arguments of a tool are a JSON object")
    return {str(name): as_text(held) for name, held in cast("dict[str, Any]", value).items()}


def as_text(value: object) -> str:
    """An argument in words; a list of words is a command, as a shell would be told it."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(word, str) for word in cast("list[object]", value)):
        return shlex.join(cast("list[str]", value))
    return json.dumps(value, ensure_ascii=False)
