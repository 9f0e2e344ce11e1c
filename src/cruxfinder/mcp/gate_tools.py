"""The gate as tools: plan, failure, attempt, outcome, report."""

import asyncio
import json
from typing import Annotated, Any, Literal, cast

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolResult, InputRequiredResult
from pydantic import BaseModel, Field

from cruxfinder.app.gate_rules import rules_in_force
from cruxfinder.app.hosting import DebateHost
from cruxfinder.app.server_setup import Setup
from cruxfinder.errors import BadInput
from cruxfinder.gate.actions import Action
from cruxfinder.gate.forms import Stakes
from cruxfinder.gate.house_critic import House
from cruxfinder.gate.records import Metric, Report, report
from cruxfinder.gate.runtime.approvals import Approvals, PendingCall
from cruxfinder.gate.runtime.gate import Gate, evidence, now
from cruxfinder.gate.runtime.gate_memory import Memory
from cruxfinder.gate.runtime.gate_place import memory_folder, users_state_folder
from cruxfinder.gate.runtime.verdicts import GateVerdict, TaskStatus
from cruxfinder.gate.secrets.redaction import redact
from cruxfinder.kernel import wire
from cruxfinder.mcp import tool_words
from cruxfinder.mcp.caller import AnswerNeeded
from cruxfinder.mcp.choosing import gate_for_call
from cruxfinder.mcp.tool_faults import as_tool_error, tool_result
from cruxfinder.mcp.tool_offer import NOTES, READS, REPEATS, THINKS, host_of, offer
from cruxfinder.mcp.tool_shapes import shape_of
from cruxfinder.telling import gate_words

Level = Literal["low", "medium", "high"]
Text = Annotated[str, Field(max_length=4_000)]
Task = Annotated[
    str, Field(min_length=1, max_length=4_000, description="The task, in words; the same words each time.")
]
SameAs = Annotated[str, Field(max_length=4_000, description="It is this known task, by its id or its words.")]


class Attempt(BaseModel):
    approach: str = Field(max_length=4_000, description="What was tried.")
    error: str = Field(max_length=20_000, description="How it failed.")


def add_gate_tools(server: MCPServer[DebateHost], setup: Setup) -> None:
    add_debates(server, setup)
    add_notes(server, setup)


def add_debates(server: MCPServer[DebateHost], setup: Setup) -> None:
    async def gate_plan(
        ctx: Context[DebateHost],
        action: Annotated[
            str, Field(max_length=50_000, description="A command, a statement, or plain words; empty with `call`.")
        ] = "",
        call: Annotated[
            str, Field(max_length=100, description="Instead of the action: the id with which the hook turned it back.")
        ] = "",
        tool: Annotated[str, Field(max_length=200, description="The tool it goes to: bash, sql, Write …")] = "",
        arguments: Annotated[dict[str, Any] | None, Field(description="What the tool is given, by name.")] = None,
        paths: Annotated[list[Text] | None, Field(max_length=100, description="Files it touches.")] = None,
        environment: Annotated[str, Field(max_length=200, description="Where: production, staging …")] = "",
        stakes: Annotated[Level | None, Field(description="At least this much is at stake; always debates.")] = None,
        rounds: Annotated[int | None, Field(ge=1, le=3, description="Instead of what the stakes call for.")] = None,
        reason: Annotated[str, Field(max_length=4_000, description="Why it should be done.")] = "",
        checked: Annotated[
            dict[str, Text] | None, Field(description="By the id in brackets of an earlier MODIFY: what you saw.")
        ] = None,
    ) -> Annotated[CallToolResult, shape_of(GateVerdict)] | InputRequiredResult:
        """Call this before an action that is hard to undo. Rules decide whether it calls for a debate; if it does, an
        advocate and a critic argue, and a fixed rule decides: PROCEED, MODIFY (do its modifications first, then call
        again with `checked`) or ESCALATE (ask a human). Nobody's prose can change that rule."""
        with as_tool_error(setup.gate.memory.folder):
            seen = checks(checked or {})
            if call:
                verdict = await plan_call(call, reason, seen)
                return tool_result(wire.camel(verdict), tool_words.join_lines(tool_words.verdict_lines(verdict)))
            if not action.strip():
                raise BadInput("say what is to be done: action, or call for one that the hook turned back")
            act = Action(
                text=action,
                tool=tool,
                arguments=as_texts(arguments or {}),
                paths=tuple(paths or ()),
                environment=environment,
            )
            level = None if stakes is None else Stakes(stakes)
            gate = gate_for_call(
                setup,
                host_of(ctx).model,
                ctx,
                lambda fired: House(fired=fired, checked=seen, reason=redact(reason)),
            )
            try:
                verdict = await gate.plan(act, stakes=level, rounds=rounds, reason=reason, checked=seen)
            except AnswerNeeded as question:
                return question.result
            return tool_result(wire.camel(verdict), tool_words.join_lines(tool_words.verdict_lines(verdict)))

    async def gate_failure(
        ctx: Context[DebateHost],
        task: Task,
        attempts: Annotated[
            list[Attempt] | None, Field(max_length=50, description="Instead of what gate_attempt noted.")
        ] = None,
        next_approach: Annotated[str, Field(max_length=4_000, description="What you would try now.")] = "",
        same_as: SameAs = "",
    ) -> Annotated[CallToolResult, shape_of(GateVerdict)] | InputRequiredResult:
        """Call this after the second failure of a task, before you try again: RETRY (one more attempt), PIVOT (take its
        next approach) or ESCALATE (ask a human). After a third failure it is ESCALATE without a debate."""
        with as_tool_error(setup.gate.memory.folder):
            gate = gate_for_call(
                setup,
                host_of(ctx).model,
                ctx,
                lambda _: House(errors=setup.gate.rules.errors, next_approach=redact(next_approach)),
            )
            pairs = tuple((one.approach, one.error) for one in attempts or ())
            try:
                verdict = await gate.failure(task, attempts=pairs, next_approach=next_approach, same_as=same_as)
            except AnswerNeeded as question:
                return question.result
            return tool_result(wire.camel(verdict), tool_words.join_lines(tool_words.verdict_lines(verdict)))

    offer(server, gate_plan, "Debate an action", THINKS)
    offer(server, gate_failure, "Debate a failing task", THINKS)


def add_notes(server: MCPServer[DebateHost], setup: Setup) -> None:
    memory = setup.gate.memory

    async def gate_attempt(
        task: Task,
        error: Annotated[
            str | None, Field(max_length=20_000, description="How it failed; without it, only say where it stands.")
        ] = None,
        approach: Annotated[str, Field(max_length=4_000, description="What was tried.")] = "",
        succeeded: Annotated[bool, Field(description="It succeeded: the count begins again.")] = False,
        same_as: SameAs = "",
    ) -> Annotated[CallToolResult, shape_of(TaskStatus)]:
        """Note a failed attempt at a task, or that it succeeded, and learn where it stands: go on, a debate is due, or
        stop and ask a human."""
        with as_tool_error(setup.gate.memory.folder):
            if succeeded and error is not None:
                raise BadInput("it cannot have failed and succeeded: give error or succeeded")

            def note_attempt() -> TaskStatus:
                if succeeded:
                    setup.gate.success(task, same_as)
                return setup.gate.attempt(task, error=error, approach=approach, same_as=same_as)

            known = await memory.thread.run(note_attempt)
            return tool_result(
                wire.camel(known), tool_words.join_lines(tool_words.known_lines(known, succeeded=succeeded))
            )

    async def gate_outcome(
        debate_id: Annotated[str, Field(min_length=1, max_length=100, description="The id a verdict came with.")],
        outcome: Annotated[Literal["success", "failure"], Field(description="What came of it.")],
        helped: Annotated[bool | None, Field(description="Did the debate help? Without a word: by rule.")] = None,
    ) -> Annotated[CallToolResult, shape_of(Metric)]:
        """Tell the gate what came of what it decided, so that gate_report can tell whether it helps."""
        with as_tool_error(setup.gate.memory.folder):
            metric = await memory.thread.run(lambda: setup.gate.outcome(debate_id, outcome, helped))
            return tool_result(wire.camel(metric), gate_words.outcome_line(metric))

    async def gate_report() -> Annotated[CallToolResult, shape_of(Report)]:
        """Whether the gate helps: how often it debates, what comes of it, which rules fire for nothing, what it
        costs."""
        with as_tool_error(setup.gate.memory.folder):
            metrics = await memory.thread.run(memory.metrics)
            found = report(metrics)
            return tool_result(wire.camel(found), tool_words.join_lines(tool_words.report_lines(found, metrics)))

    offer(server, gate_attempt, "Note an attempt", NOTES)
    offer(server, gate_outcome, "Tell what came of it", REPEATS)
    offer(server, gate_report, "Does the gate help?", READS)


async def plan_call(id: str, reason: str, seen: dict[str, str]) -> GateVerdict:
    """Debate a call again that the hook turned back, by the hook's own gate; only that gate's word counts there."""
    gate, pending = await asyncio.to_thread(open_hook_gate, id)
    return await gate.plan_again(pending, reason=reason, checked=seen)


def open_hook_gate(id: str) -> tuple[Gate, PendingCall]:
    approvals = Approvals(users_state_folder(), now)
    pending = approvals.pending_call(id)
    config = pending.gate
    if config.model:
        raise BadInput(f"its judge is {pending.warrant.judge}: debate it with `crux gate plan --call {id}`")
    rules, memory = rules_in_force(config.rules, config.off), Memory(memory_folder(config.memory))
    return Gate(rules=rules, memory=memory, approvals=approvals), pending


def checks(given: dict[str, str]) -> dict[str, str]:
    if bare := [id for id, told in given.items() if not told.strip()]:
        raise BadInput(f"say what was seen when {bare[0]!r} was checked")
    return evidence(given)


def as_texts(arguments: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, value if isinstance(value, str) else json.dumps(cast("object", value)))
        for name, value in arguments.items()
    )
