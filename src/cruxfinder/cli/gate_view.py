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
from cruxfinder.gate.records import Metric, Report
from cruxfinder.gate.router import Routing
from cruxfinder.gate.rule_set import RuleSet, summaries
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import Memory
from cruxfinder.gate.runtime.verdicts import GateVerdict, ResetDone, TaskStatus
from cruxfinder.gate.secrets.redaction import redact
from cruxfinder.language.counts import count_phrase, percent
from cruxfinder.telling import gate_words
from cruxfinder.telling.terminal_text import clean

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
    heading(verdict.resolution.value, gate_words.resolution_line(verdict.resolution))
    say(clean(verdict.task), "  ")
    say(clean(verdict.rationale))
    if not verdict.debated:
        if verdict.resembles:
            print(gate_words.resemblance(verdict.resembles, f"add --same-as {verdict.resembles}"))
        return
    for lead, text in gate_words.advice_lines(verdict):
        say(clean(text), f"  {lead}")
    if gate_words.asks_for_checks(verdict):
        print(f"Then: crux gate plan {shlex.quote(verdict.task)} --checked 'ID: WHAT YOU SAW'")
        print("      with one --checked for each name in brackets")
    if verdict.stale:
        print(f"{gate_words.STALE} (`crux gate reset` does).")
    print(f"{gate_words.grounds(verdict)}; noted in {here.memory.folder}.")
    print(f"Say what came of it: crux gate outcome {verdict.debate_id} success|failure")


def show_known(found: TaskStatus, *, noted: bool) -> None:
    print(gate_words.failures_line(found, f"crux gate failure {shlex.quote(found.task)}"))
    if noted:
        print(f"  {gate_words.fingerprint_line(found)}")
    if found.stale:
        print(f"  {gate_words.STALE}.")
    if found.resembles:
        print(f"  {gate_words.resemblance(found.resembles, f'say it again with --same-as {found.resembles}')}:")
        say(clean(found.resembled_task), "    ")


def show_reset(done: ResetDone) -> None:
    print(f"{'begun again' if done.done else 'not reset'}: {done.task_id}, {clean(done.why)}")


def show_outcome(found: Metric) -> None:
    print(gate_words.outcome_line(found))


# ---- the report


def show_report(found: Report, memory: Memory) -> None:
    told = gate_words.brief_of_gate(found)
    if not told.figures:
        print(f"{told.span} in {memory.folder}.")
        return
    print(told.span)
    for figure in told.figures:
        print(f"  {figure.line}")
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
