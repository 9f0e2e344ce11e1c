"""The gate: what is asked of it, what it answers, and what it remembers of both."""

import asyncio
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final

from cruxfinder.errors import BadInput
from cruxfinder.gate import failure_debate, planning_debate
from cruxfinder.gate.actions import ACTION_MAX, Action
from cruxfinder.gate.csp import write
from cruxfinder.gate.failures import (
    DEBATED_AT,
    ESCALATED_AT,
    FailureStreak,
    Remembered,
    ResetReason,
    failure_streak,
    known_tasks,
    reset_reason,
    similar_task,
)
from cruxfinder.gate.fingerprints import fingerprint
from cruxfinder.gate.forms import FailureRequest, GateResolution, PlanRequest, Stakes
from cruxfinder.gate.house_critic import UNKNOWN, House
from cruxfinder.gate.records import (
    Feedback,
    Metric,
    Outcome,
    Report,
    did_help,
    escalation_lines,
    failure_lines,
    planning_lines,
    report,
)
from cruxfinder.gate.router import DISABLED, FiredRule, Routing, route
from cruxfinder.gate.rule_set import RuleSet
from cruxfinder.gate.runtime.approvals import Approvals, GateConfig, PendingCall, Warrant, digest_call, digest_rules
from cruxfinder.gate.runtime.gate_memory import Memory, stamp
from cruxfinder.gate.runtime.gate_place import is_disabled, memory_folder
from cruxfinder.gate.runtime.minds import HOUSE, GateMind, HouseMind, run_debate
from cruxfinder.gate.runtime.own_places import own_places
from cruxfinder.gate.runtime.verdicts import Exchange, GateVerdict, ResetDone, TaskStatus, with_synthesis
from cruxfinder.gate.secrets.redaction import redact
from cruxfinder.gate.task_ids import canonical_text, task_id

TASK_MAX: Final = 1_000  # characters
ERROR_MAX: Final = 4_000
READ_MAX: Final = 8 * ACTION_MAX  # characters in which secrets are looked for before an action is cut

Attempts = tuple[tuple[str, str], ...]  # what was tried, and how it failed
Choosing = Callable[[tuple[FiredRule, ...]], GateMind | None]  # a mind for an action, or None for the house


def now() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True, kw_only=True)
class Gate:
    """One gate: its rules, its memory, and who thinks. `choose` gives the mind for an action; None is the house.

    Where it has `approvals`, a PROCEED leaves one for the exact call. `judge` names who thinks in all its debates.
    What is asynchronous touches files in the memory's thread alone; asynchronous code calls the rest in that thread.
    """

    rules: RuleSet
    memory: Memory = field(default_factory=lambda: Memory(memory_folder()))
    choose: Choosing = lambda _: None
    judge: str = HOUSE
    approvals: Approvals | None = None
    disabled: bool = field(default_factory=is_disabled)
    clock: Callable[[], datetime] = now

    def route(self, action: Action) -> Routing:
        places = own_places(action, self.memory.folder)
        return route(action, self.rules, disabled=self.disabled, places=places)

    # ---- before an action

    async def plan(
        self,
        action: Action,
        *,
        stakes: Stakes | None = None,
        rounds: int | None = None,
        reason: str = "",
        checked: Mapping[str, str] | None = None,
        routing: Routing | None = None,
    ) -> GateVerdict:
        """Hold a planning debate where one is called for. `stakes` given by the caller can only raise those found."""
        if not action.text.strip() and not action.tool.strip():
            raise BadInput("there is no action to judge")
        routing = routing or await asyncio.to_thread(self.route, action)  # it looks up where links lead
        level = max(routing.stakes, stakes or Stakes.LOW, key=lambda s: list(Stakes).index(s))
        text = without_secrets(action.text.strip() or action.tool)
        if self.disabled or (not routing.debate and stakes is None):
            return await self._let_through(text, routing, level)
        request = PlanRequest(proposal=text, rounds=rounds or planning_debate.ROUNDS[level], stakes=level)
        warrant = self.warrant(action, routing) if routing.debate else None
        return await self._hold_debate(request, routing, reason, checked or {}, warrant)

    async def plan_again(
        self, call: PendingCall, *, reason: str = "", checked: Mapping[str, str] | None = None
    ) -> GateVerdict:
        """Debate a call that the hook turned back, with what was checked since."""
        if self.disabled:
            raise BadInput(f"{DISABLED} is set: no call is approved while the gate is off")
        if digest_rules(self.rules) != call.warrant.rules:
            raise BadInput("the rules are not those of the hook that turned the call back; let it judge the call again")
        if self.judge != call.warrant.judge:
            raise BadInput(f"the hook lets {call.warrant.judge} judge, and here it would be {self.judge}")
        fired = tuple(
            FiredRule(rule=found, at=call.text) for id in call.warrant.fired if (found := self.rules.rule(id))
        )
        stakes = Stakes(call.stakes)
        routing = Routing(stakes=stakes, fired=fired, debate=True, why=fired[0].rule.says if fired else "")
        request = PlanRequest(proposal=call.text, rounds=planning_debate.ROUNDS[stakes], stakes=stakes)
        return await self._hold_debate(request, routing, reason, checked or {}, call.warrant)

    async def _hold_debate(
        self,
        request: PlanRequest,
        routing: Routing,
        reason: str,
        checked: Mapping[str, str],
        warrant: Warrant | None,
    ) -> GateVerdict:
        """Where a warrant is given, the verdict approves what it is for, or takes an approval back."""
        seen, why = self._evidence(checked), redact(reason)
        house = House(fired=routing.fired, unread=routing.unread, checked=seen, reason=why)
        chosen = self.choose(routing.fired) if house.has_remedies else None  # else no model can talk it through
        mind = chosen or HouseMind(house)
        notes = tuple(f"checked {id}: {told}" for id, told in seen.items())
        # Whoever thinks, what the house knows against it stands until it was checked: a model may obey the text.
        standing = house.open_objections if mind.name != HOUSE and routing.debate else ()
        decision = await run_debate(planning_debate.debate(request, (why, *notes) if why else notes, standing), mind)
        at = self.clock()
        verdict = GateVerdict(
            debate_id=new_id(),
            type="planning",
            task=request.proposal,
            debated=True,
            thought_by=mind.name,
            stakes=request.stakes.value,
            rules=tuple(one.rule.id for one in routing.fired),
            dismissed=decision.dismissed,
            rounds=tuple(Exchange(advocate=write(r.claim), critic=write(r.objection)) for r in decision.rounds),
        )
        verdict = with_synthesis(verdict, decision.synthesis, mind.usage)
        logged = planning_lines(f"{at.astimezone():%H:%M}", decision)
        return await self.memory.thread.run(lambda: self._record_debate(logged, verdict, at, warrant))

    def _evidence(self, checked: Mapping[str, str]) -> dict[str, str]:
        """What was checked; a name that no rule knows is a slip."""
        found = evidence(checked)
        known = {mode.id for rule in self.rules.rules for mode in rule.fails} | {mode.id for mode in UNKNOWN}
        if strange := sorted(set(found) - known):
            raise BadInput(f"nothing to check is called {strange[0]!r}; `crux gate rules RULE` names what there is")
        return found

    async def _let_through(self, text: str, routing: Routing, level: Stakes) -> GateVerdict:
        verdict = GateVerdict(
            debate_id=new_id(),
            type="planning",
            task=text,
            resolution=GateResolution.PROCEED,
            rationale=f"{DISABLED} is set" if self.disabled else routing.why,
            stakes=level.value,
            rules=tuple(one.rule.id for one in routing.fired),
        )
        if not (self.disabled and routing.fired):
            return verdict
        return await self.memory.thread.run(lambda: self._record_verdict(verdict, self.clock(), off=True))

    # ---- approvals

    def warrant(self, action: Action, routing: Routing) -> Warrant:
        """What an approval of this call has to be for."""
        return Warrant(
            call=digest_call(action),
            fired=tuple(one.rule.id for one in routing.fired),
            rules=digest_rules(self.rules),
            judge=self.judge,
        )

    def use_approval(self, action: Action, routing: Routing) -> bool:
        """Was exactly this call approved by this gate a moment ago? The approval is spent by asking."""
        return self.approvals is not None and self.approvals.use(self.warrant(action, routing))

    def keep_call(self, action: Action, routing: Routing, config: GateConfig) -> str:
        """Keep a call that was turned back, for a debate with what was checked; its id."""
        assert self.approvals is not None
        text = without_secrets(action.text.strip() or action.tool)
        warrant = self.warrant(action, routing)
        return self.approvals.keep(PendingCall(warrant=warrant, text=text, stakes=routing.stakes.value, gate=config))

    def _approve(self, warrant: Warrant, verdict: GateVerdict) -> None:
        if self.approvals is None:
            return
        if verdict.resolution is GateResolution.PROCEED:
            self.approvals.grant(warrant)
        else:
            self.approvals.revoke(warrant)

    # ---- after failures

    def attempt(self, task: str, *, error: str | None = None, approach: str = "", same_as: str = "") -> TaskStatus:
        """Write down a failed attempt; without an error, only say where the task stands."""
        text, id = self._task(task, same_as)
        if error is None:
            known = past = self.memory.failures()
        else:
            past, made = self.memory.add_failure(
                task_id=id,
                task=text,
                error=redact(error)[:ERROR_MAX],
                approach=redact(approach)[:TASK_MAX],
                now=self.clock(),
            )
            known = (*past, made)
        here = self._failure_streak(known, id)
        like = "" if same_as else similar_task(past, text, id)
        seen = fingerprint(redact(error)) if error is not None else ""
        return TaskStatus(
            task_id=id,
            task=text,
            failures=here.count,
            due=here.due,
            stale=here.stale,
            resembles=like,
            resembled_task=known_tasks(known).get(like, ""),
            fingerprint=seen,
            same_error=sum(fingerprint(f.error) == seen for f in here.failures) if seen else 0,
        )

    async def failure(
        self,
        task: str,
        *,
        attempts: Attempts = (),
        next_approach: str = "",
        same_as: str = "",
    ) -> GateVerdict:
        """Hold the failure debate of a task: over what is remembered, or over the attempts and errors given."""
        given = tuple((redact(a), redact(e)) for a, e in attempts)
        verdict, tried = await self.memory.thread.run(lambda: self._failing_task(task, given, same_as))
        if self.disabled or len(tried) < DEBATED_AT:
            why = f"{DISABLED} is set" if self.disabled else f"{len(tried)} of {DEBATED_AT} failures: no debate is due"
            return replace(verdict, resolution=GateResolution.RETRY, rationale=why)
        at = self.clock()
        clock = f"{at.astimezone():%H:%M}"
        errors = tuple(e for _, e in tried)
        if len(tried) >= ESCALATED_AT:
            logged = escalation_lines(clock, verdict.task, len(tried), errors)
            over = with_synthesis(verdict, failure_debate.automatic_escalation(len(tried)))
            return await self.memory.thread.run(lambda: self._record_debate(logged, over, at))
        request = FailureRequest(task=verdict.task, attempts=tuple(a for a, _ in tried), errors=errors)
        would = redact(next_approach)
        mind = self.choose(()) or HouseMind(House(errors=self.rules.errors, next_approach=would))
        decision = await run_debate(failure_debate.debate(request, (f"I would now {would}",) if would else ()), mind)
        logged = failure_lines(clock, decision, len(tried))
        said = (Exchange(advocate=write(decision.diagnosis), critic=write(decision.pattern)),)
        verdict = replace(verdict, debated=True, thought_by=mind.name, rounds=said)
        verdict = with_synthesis(verdict, decision.synthesis, mind.usage)
        return await self.memory.thread.run(lambda: self._record_debate(logged, verdict, at))

    def _failing_task(self, task: str, given: Attempts, same_as: str) -> tuple[GateVerdict, Attempts]:
        """What a verdict begins with, and the attempts to debate: those given, else those that are remembered."""
        text, id = self._task(task, same_as)
        past = self.memory.failures()
        here = self._failure_streak(past, id)
        tried = given or tuple((f.approach, f.error) for f in here.failures)
        verdict = GateVerdict(
            debate_id=new_id(),
            type="failure",
            task=text,
            task_id=id,
            failures=len(tried),
            stale=here.stale and not given,
            resembles="" if same_as else similar_task(past, text, id),
        )
        return verdict, tried

    # ---- what came of it

    def outcome(self, debate_id: str, outcome: Outcome, useful: bool | None = None) -> Metric:
        """What came of what a debate decided; a success begins the count of its task again."""
        found = next((m for m in self.memory.metrics() if m.debate_id == debate_id), None)
        if found is None:
            raise BadInput(f"no debate has the id {debate_id!r}; `crux gate report` lists the last ones")
        said = did_help(found.resolution, outcome) if useful is None else useful
        self.memory.add_feedback(
            Feedback(
                debate_id=debate_id,
                type=found.type,
                task=found.task,
                resolution=found.resolution,
                outcome=outcome,
                helped=said,
            )
        )
        if outcome == "success" and found.task_id and self._failure_streak(self.memory.failures(), found.task_id).count:
            self.memory.reset(found.task_id, ResetReason.SUCCESS, f"debate {debate_id}", self.clock())
        return next(m for m in self.memory.metrics() if m.debate_id == debate_id)

    def success(self, task: str, same_as: str = "") -> ResetDone:
        _, id = self._task(task, same_as)
        return self._reset(id, ResetReason.SUCCESS, "the task succeeded")

    def reset(self, task: str, *, said: str = "", same_as: str = "") -> ResetDone:
        """Begin the count again: on the user's word, or where what the user said is a reason to."""
        _, id = self._task(task, same_as)
        if not said:
            return self._reset(id, ResetReason.USER, "the user's word")
        because = reset_reason(said, self._failure_streak(self.memory.failures(), id))
        if because is None:
            why = "nothing in it is new: saying it again, time and impatience begin no count again"
            return ResetDone(task_id=id, done=False, because="", why=why)
        return self._reset(id, because, redact(said)[:TASK_MAX])

    def _reset(self, id: str, because: ResetReason, told: str) -> ResetDone:
        self.memory.reset(id, because, told, self.clock())
        return ResetDone(task_id=id, done=True, because=because.value, why=told)

    def report(self) -> Report:
        return report(self.memory.metrics())

    # ---- tasks

    def _task(self, task: str, same_as: str) -> tuple[str, str]:
        """The text of a task and its id; `same_as` names a known one by its id or its words."""
        text = one_line(task)
        if not canonical_text(text):
            raise BadInput("a task needs words")
        if not same_as:
            return text, task_id(text)
        known = known_tasks(self.memory.failures())
        id = same_as if same_as in known else task_id(one_line(same_as))
        if id not in known:
            raise BadInput(f"no task is known as {same_as!r}")
        return text, id

    def _failure_streak(self, past: tuple[Remembered, ...], id: str) -> FailureStreak:
        return failure_streak(past, id, int(self.clock().timestamp() * 1000))

    # ---- what is written down

    def _record_debate(
        self, logged: str, verdict: GateVerdict, at: datetime, warrant: Warrant | None = None
    ) -> GateVerdict:
        self.memory.log(logged, at)
        self._record_verdict(verdict, at)
        if warrant is not None:
            self._approve(warrant, verdict)
        return verdict

    def _record_verdict(self, verdict: GateVerdict, at: datetime, *, off: bool = False) -> GateVerdict:
        self.memory.add_metric(
            Metric(
                debate_id=verdict.debate_id,
                type=verdict.type,
                task=verdict.task[:200],
                resolution=verdict.resolution,
                ts=stamp(at),
                task_id=verdict.task_id,
                stakes=verdict.stakes,
                rules=verdict.rules,
                by=verdict.thought_by,
                automatic=verdict.resolution is GateResolution.ESCALATE and not verdict.debated,
                disabled=off,
                calls=verdict.calls,
                tokens=verdict.tokens,
                dollars=verdict.dollars,
            )
        )
        return verdict


def one_line(text: str) -> str:
    """Without secrets, which a line break may set apart, and then on one line."""
    return " ".join(redact(text).split())[:TASK_MAX]


def evidence(checked: Mapping[str, str]) -> dict[str, str]:
    """What was checked, with evidence for it: a bare name is none."""
    if bare := [id for id, told in checked.items() if not told.strip()]:
        raise BadInput(f"say what was seen when {bare[0]!r} was checked: --checked '{bare[0]}: …'")
    return {id.strip(): redact(told.strip()) for id, told in checked.items()}


def without_secrets(text: str) -> str:
    """An action as it is debated and written down: cut first, as looking for secrets takes its time."""
    return redact(text[:READ_MAX])[:ACTION_MAX]


def new_id() -> str:
    return secrets.token_hex(4)
