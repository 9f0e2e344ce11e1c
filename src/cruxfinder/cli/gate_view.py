"""What the gate's commands print for a person, and the code they end with."""

import json as json_text
import os
import shlex
import sys
from typing import Final

import typer

from cruxfinder.app.model_request import ModelRequest
from cruxfinder.cli import exits, output
from cruxfinder.cli.gate_thinking import Call, call_gate, named_model
from cruxfinder.cli.plain_text import wrap_text
from cruxfinder.errors import BadInput, BudgetSpent, DebaterFault
from cruxfinder.gate.failures import FollowUp
from cruxfinder.gate.records import Metric, Report
from cruxfinder.gate.router import Routing
from cruxfinder.gate.rule_set import RuleSet, summaries
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import Memory
from cruxfinder.gate.runtime.verdicts import GateVerdict, ResetDone, TaskStatus
from cruxfinder.gate.secrets.redaction import redact
from cruxfinder.language.counts import count_phrase, percent
from cruxfinder.telling.terminal_text import clean
from cruxfinder.telling.wording import RESOLUTIONS

COLOURS: Final = {"PROCEED": "green", "RETRY": "green", "MODIFY": "yellow", "PIVOT": "yellow", "ESCALATE": "red"}
LAST: Final = 5
CODES: Final = {"MODIFY": exits.MODIFY, "PIVOT": exits.PIVOT, "ESCALATE": exits.ESCALATE}


def show_routing(found: Routing) -> None:
    if not found.debate:
        print(f"no debate: {clean(found.why)}{f' ({found.bypass})' if found.bypass else ''}")
        return
    print(f"debate: {found.stakes} stakes, {found.rule}: {clean(found.why)}")
    for one in found.fired:
        say(clean(redact(one.at)), f"  {one.rule.id} at: ")


def decide_or_exit(here: Gate, wished: ModelRequest | None, call: Call, *, json: bool) -> GateVerdict:
    """What cannot be decided ends with code 3."""
    try:
        return call_gate(here, named_model(wished), call)
    except DebaterFault as fault:
        reason = "budget" if isinstance(fault, BudgetSpent) else "model"
        if json:
            print(json_text.dumps({"resolution": None, "error": {"reason": reason, "message": str(fault)}}, indent=2))
        print(f"crux: the gate could not decide ({reason}): {fault}", file=sys.stderr)
        raise typer.Exit(exits.UNDECIDED) from None


def show_and_exit(verdict: GateVerdict, here: Gate, *, json: bool) -> None:
    """End with the exit code that the resolution has."""
    output.print_json(verdict) if json else show_verdict(verdict, here)
    if code := CODES.get(verdict.resolution.value):
        raise typer.Exit(code)


def show_verdict(verdict: GateVerdict, here: Gate) -> None:
    heading(verdict.resolution.value, f"{verdict.resolution}: {RESOLUTIONS[verdict.resolution][0]}")
    say(clean(verdict.task), "  ")
    say(clean(verdict.rationale))
    if not verdict.debated:
        if verdict.resembles:
            print(
                f"It resembles the known task {verdict.resembles}; if it is that one, add --same-as {verdict.resembles}"
            )
        return
    for number, step in enumerate(verdict.modifications, 1):
        say(clean(step), f"  {number}. ")
    if verdict.next_approach:
        say(clean(verdict.next_approach), "  Next: ")
    for one in verdict.dismissed:
        say(clean(f"{one.objection} ({one.reason})"), "  Set aside: ")
    if verdict.modifications and "[" in verdict.modifications[0]:
        print(f"Then: crux gate plan {shlex.quote(verdict.task)} --checked 'ID: WHAT YOU SAW'")
        print("      with one --checked for each name in brackets")
    if verdict.stale:
        print("The last failure is more than a day old; that alone begins no count again (`crux gate reset` does).")
    cost = f", {count_phrase(verdict.calls, 'call')}, ${verdict.dollars:.4f}" if verdict.calls else ""
    rules = f"{', '.join(verdict.rules)} at {verdict.stakes} stakes; " if verdict.rules else ""
    print(f"{rules}debated by the {verdict.thought_by}{cost}; noted in {here.memory.folder}.")
    print(f"Say what came of it: crux gate outcome {verdict.debate_id} success|failure")


def show_known(found: TaskStatus, *, noted: bool) -> None:
    due = {
        FollowUp.NOTHING: "go on",
        FollowUp.DEBATE: "a failure debate is due: crux gate failure " + shlex.quote(found.task),
        FollowUp.ESCALATION: "no further attempt: a human has to look at it",
    }[found.due]
    print(f"{count_phrase(found.failures, 'failure')} of {found.task_id}: {due}")
    if noted:
        mark = found.fingerprint or "(nothing in it stays the same)"
        print(f"  fingerprint: {mark}, seen {count_phrase(found.same_error, 'time')}")
    if found.stale:
        print("  the last one is more than a day old; that alone begins no count again")
    if found.resembles:
        say(clean(found.resembled_task), f"  it resembles the known task {found.resembles}: ")
        print(f"  if it is that one, say it again with --same-as {found.resembles}")


def show_reset(done: ResetDone) -> None:
    print(f"{'begun again' if done.done else 'not reset'}: {done.task_id}, {clean(done.why)}")


def show_outcome(found: Metric) -> None:
    helped = "it helped" if found.helped else "it did not help"
    print(f"{found.debate_id} ({found.resolution}): {found.outcome}, {helped}")


# ---- the report


def show_report(found: Report, memory: Memory) -> None:
    if not found.debates:
        print(f"No debate is noted in {memory.folder} yet.")
        return
    span = f"{found.first[:10]} to {found.last[:10]}" if found.first[:10] != found.last[:10] else found.first[:10]
    kinds = f"{found.planning} before an action, {found.failure} after failures"
    print(f"{count_phrase(found.debates, 'debate')} on {count_phrase(found.days, 'day')} ({span}): {kinds}")
    print(f"{count_phrase(found.escalations, 'escalation')}, {found.automatic} of them without a debate")
    print(f"{found.helped} of {found.known} with a known outcome helped")
    if found.calls:
        print(f"{count_phrase(found.calls, 'call')} of models, {found.tokens} tokens, ${found.dollars:.4f}")
    if found.disabled:
        print(f"{count_phrase(found.disabled, 'action')} passed while DISABLE_DEBATE was set")
    print()
    output.print_table(
        ("resolution", "debates", "outcome known", "succeeded"),
        [(e.resolution, str(e.debates), str(e.known), share(e.share)) for e in found.effects if e.debates],
    )
    if found.rules:
        print()
        output.print_table(
            ("rule", "debates", "outcome known", "for nothing"),
            [(r.rule, str(r.debates), str(r.known), share(r.false_positives)) for r in found.rules],
        )
    print("\nThe last ones:")
    for metric in memory.metrics()[-LAST:]:
        print(f"  {metric.debate_id}  {metric.resolution:<8}  {metric.outcome or 'open':<7}  {clean(metric.task)[:60]}")
    if torn := memory.torn_line_count():
        print(f"{count_phrase(torn, 'line')} could not be read: a writer did not live to finish them.")


def share(value: float | None) -> str:
    return "-" if value is None else percent(value)


# ---- the rules


def show_rules(found: RuleSet, wanted: str | None, *, json: bool) -> None:
    if wanted is None:
        if json:
            output.print_json(summaries(found))
            return
        rows = [(r.id, r.stakes, r.kind, "off" if r.off else "", r.says) for r in summaries(found)]
        output.print_table(("rule", "stakes", "kind", "", "what it says"), rows)
        return
    rule = found.rule(wanted)
    if rule is None:
        raise BadInput(f"there is no rule {wanted!r}; `crux gate rules` lists them")
    if json:
        output.print_json(rule)
        return
    heading("", f"{rule.id}: {rule.kind}, {rule.stakes} stakes{', off' if rule.id in found.off else ''}")
    say(rule.says)
    for mode in rule.fails:
        print(f"\n[{mode.id}]")
        say(mode.lost, "  Lost:  ")
        say(mode.first or "nothing is known to help: it goes to a human", "  First: ")
        say(mode.undo, "  Undo:  ")


# ---- lines


def heading(colour: str, text: str) -> None:
    plain_text = not output.in_terminal() or bool(os.environ.get("NO_COLOR"))
    print(text if plain_text else typer.style(text, fg=COLOURS.get(colour), bold=True))


def say(text: str, lead: str = "") -> None:
    for line in wrap_text(text, lead):
        print(line)
