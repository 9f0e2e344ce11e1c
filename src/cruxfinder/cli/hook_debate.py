"""Debates the call that a hook was told of, and says what the agent is told: nothing, deny or ask."""

import argparse
import json
from pathlib import Path
from typing import Literal

from cruxfinder.app.gate_rules import rules_named
from cruxfinder.app.model_request import ModelRequest
from cruxfinder.cli.gate_hook import EVENT
from cruxfinder.cli.gate_thinking import call_gate, named_model
from cruxfinder.errors import DebaterFault
from cruxfinder.gate.actions import Action
from cruxfinder.gate.forms import GateResolution
from cruxfinder.gate.router import Routing
from cruxfinder.gate.rule_set import RuleSet
from cruxfinder.gate.runtime.approvals import APPROVED, Approvals, GateConfig
from cruxfinder.gate.runtime.gate import Gate, now
from cruxfinder.gate.runtime.gate_memory import Memory
from cruxfinder.gate.runtime.gate_place import memory_folder, users_state_folder
from cruxfinder.gate.runtime.minds import HOUSE
from cruxfinder.gate.runtime.verdicts import GateVerdict
from cruxfinder.gate.secrets.redaction import redact

Decision = Literal["deny", "ask"]


def decide(action: Action, rules: RuleSet, routing: Routing, given: argparse.Namespace) -> str:
    model = named_model(ModelRequest(model=given.model, base_url=given.base_url) if given.model else None)
    here = Gate(
        rules=rules,
        memory=Memory(memory_folder(given.memory)),
        judge=HOUSE if model is None else model.judge,
        approvals=Approvals(users_state_folder(), now),
    )
    if here.use_approval(action, routing):
        return ""
    try:
        verdict = call_gate(here, model, lambda gate: gate.plan(action, routing=routing))
    except DebaterFault as fault:
        return decision_json("ask", f"The gate could not decide: {fault}")
    if verdict.resolution is GateResolution.MODIFY:
        return decision_json("deny", describe_remedy(verdict, here.keep_call(action, routing, config_of(given))))
    if verdict.resolution is GateResolution.PROCEED:
        here.use_approval(action, routing)  # it passes now; nothing is left for another time
        return ""
    return decision_json("ask", f"{', '.join(verdict.rules)}: {verdict.rationale} (debate {verdict.debate_id})")


def config_of(given: argparse.Namespace) -> GateConfig:
    """How this hook was started, in words that mean the same in another folder."""
    rules, off = rules_named(given.rules, given.off)
    return GateConfig(
        memory=str(memory_folder(given.memory).absolute()),
        rules=str(Path(rules).absolute()) if rules else "",
        off=tuple(off),
        model=given.model,
        base_url=given.base_url,
    )


def describe_remedy(verdict: GateVerdict, call: str) -> str:
    minutes = int(APPROVED.total_seconds() // 60)
    steps = " ".join(f"{number}. {step}." for number, step in enumerate(verdict.modifications, 1))
    return (
        f"{', '.join(verdict.rules)}: {verdict.rationale} Do this first: {steps} Then tell the gate what you saw, one "
        f"--checked for each name in brackets: crux gate plan --call {call} --checked 'ID: WHAT YOU SAW'. After a "
        f"PROCEED exactly this call passes, once, within {minutes} minutes. (debate {verdict.debate_id})"
    )


def decision_json(decision: Decision, reason: str) -> str:
    told = {"hookEventName": EVENT, "permissionDecision": decision, "permissionDecisionReason": redact(reason)}
    return json.dumps({"hookSpecificOutput": told}, ensure_ascii=False)
