"""The gate: what is asked of it, what it answers, and what it remembers of both."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final

from cruxfinder.errors import BadInput
from cruxfinder.gate import failing, planning
from cruxfinder.gate.actions import ACTION_MAX, Action
from cruxfinder.gate.csp import write
from cruxfinder.gate.failures import (
    DEBATED_AT,
    ESCALATED_AT,
    Failure,
    FailureStreak,
    ResetReason,
    failure_streak,
    open_tasks,
    reset_reason,
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
from cruxfinder.gate.task_ids import canonical_text, most_similar_task, task_id

TASK_MAX: Final = 1_000  # characters
ERROR_MAX: Final = 4_000
READ_MAX: Final = 8 * ACTION_MAX  # characters in which secrets are looked for before an action is cut

Choosing = Callable[[tuple[FiredRule, ...]], GateMind | None]  # a mind for an action, or None for the house


def now() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True, kw_only=True)
class Gate:
    """One gate: its rules, its memory, and who thinks. `choose` gives the mind for an action; None is the house.

    Where it has `approvals`, a PROCEED leaves one for the exact call. `judge` names who thinks in all its debates.
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
        routing = routing or self.route(action)
        level = max(routing.stakes, stakes or Stakes.LOW, key=lambda s: list(Stakes).index(s))
        text = without_secrets(action.text.strip() or action.tool)
        if self.disabled or (not routing.debate and stakes is None):
            return self._let_through(text, routing, level)
        request = PlanRequest(proposal=text, rounds=rounds or planning.ROUNDS[level], stakes=level)
        verdict = await self._hold_debate(request, routing, reason, checked or {})
        if routing.debate:
            self._approve(self.warrant(action, routing), verdict)
        return verdict

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
        request = PlanRequest(proposal=call.text, rounds=planning.ROUNDS[stakes], stakes=stakes)
        verdict = await self._hold_debate(request, routing, reason, checked or {})
        self._approve(call.warrant, verdict)
        return verdict

    async def _hold_debate(
        self, request: PlanRequest, routing: Routing, reason: str, checked: Mapping[str, str]
    ) -> GateVerdict:
        seen, why = self._evidence(checked), redact(reason)
        house = House(fired=routing.fired, unread=routing.unread, checked=seen, reason=why)
        chosen = self.choose(routing.fired) if house.has_remedies else None  # else no model can talk it through
        mind = chosen or HouseMind(house)
        notes = tuple(f"checked {id}: {told}" for id, told in seen.items())
        # Whoever thinks, what the house knows against it stands until it was checked: a model may obey the text.
        standing = house.open_objections if mind.name != HOUSE and routing.debate else ()
        decision = await run_debate(planning.debate(request, (why, *notes) if why else notes, standing), mind)
        at = self.clock()
        self.memory.log(planning_lines(f"{at.astimezone():%H:%M}", decision), at)
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
        return self._record_verdict(with_synthesis(verdict, decision.synthesis, mind.usage), at)

    def _evidence(self, checked: Mapping[str, str]) -> dict[str, str]:
        """What was checked; a name that no rule knows is a slip."""
        found = evidence(checked)
        known = {mode.id for rule in self.rules.rules for mode in rule.fails} | {mode.id for mode in UNKNOWN}
        if strange := sorted(set(found) - known):
            raise BadInput(f"nothing to check is called {strange[0]!r}; `crux gate rules RULE` names what there is")
        return found

    def _let_through(self, text: str, routing: Routing, level: Stakes) -> GateVerdict:
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
        return self._record_verdict(verdict, self.clock(), off=True)

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
        like = self._similar_task(text, id) if not same_as else ""
        if error is not None:
            self.memory.add_failure(
                task_id=id,
                task=text,
                error=redact(error)[:ERROR_MAX],
                approach=redact(approach)[:TASK_MAX],
                now=self.clock(),
            )
        here = self._failure_streak(id)
        seen = fingerprint(redact(error)) if error is not None else ""
        return TaskStatus(
            task_id=id,
            task=text,
            failures=here.count,
            due=here.due,
            stale=here.stale,
            resembles=like,
            resembled_task=self._task_text(like),
            fingerprint=seen,
            same_error=sum(fingerprint(f.error) == seen for f in here.failures) if seen else 0,
        )

    async def failure(
        self,
        task: str,
        *,
        attempts: tuple[tuple[str, str], ...] = (),
        next_approach: str = "",
        same_as: str = "",
    ) -> GateVerdict:
        """Hold the failure debate of a task: over what is remembered, or over the attempts and errors given."""
        text, id = self._task(task, same_as)
        here = self._failure_streak(id)
        tried = tuple((redact(a), redact(e)) for a, e in attempts) or tuple(
            (f.approach, f.error) for f in here.failures
        )
        verdict = GateVerdict(
            debate_id=new_id(),
            type="failure",
            task=text,
            task_id=id,
            failures=len(tried),
            stale=here.stale and not attempts,
            resembles="" if same_as else self._similar_task(text, id),
        )
        if self.disabled or len(tried) < DEBATED_AT:
            why = f"{DISABLED} is set" if self.disabled else f"{len(tried)} of {DEBATED_AT} failures: no debate is due"
            return replace(verdict, resolution=GateResolution.RETRY, rationale=why)
        at = self.clock()
        clock = f"{at.astimezone():%H:%M}"
        errors = tuple(e for _, e in tried)
        if len(tried) >= ESCALATED_AT:
            self.memory.log(escalation_lines(clock, text, len(tried), errors), at)
            return self._record_verdict(with_synthesis(verdict, failing.automatic_escalation(len(tried))), at)
        request = FailureRequest(task=text, attempts=tuple(a for a, _ in tried), errors=errors)
        would = redact(next_approach)
        mind = self.choose(()) or HouseMind(House(errors=self.rules.errors, next_approach=would))
        decision = await run_debate(failing.debate(request, (f"I would now {would}",) if would else ()), mind)
        self.memory.log(failure_lines(clock, decision, len(tried)), at)
        said = (Exchange(advocate=write(decision.diagnosis), critic=write(decision.pattern)),)
        verdict = replace(verdict, debated=True, thought_by=mind.name, rounds=said)
        return self._record_verdict(with_synthesis(verdict, decision.synthesis, mind.usage), at)

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
        if outcome == "success" and found.task_id and self._failure_streak(found.task_id).count:
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
        because = reset_reason(said, self._failure_streak(id))
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
        known = self._tasks()
        id = same_as if same_as in known else task_id(one_line(same_as))
        if id not in known:
            raise BadInput(f"no task is known as {same_as!r}")
        return text, id

    def _tasks(self) -> dict[str, str]:
        """Known tasks and their words, those that failed last at the end."""
        return {f.task_id: f.task or f.task_id for f in self.memory.failures() if isinstance(f, Failure)}

    def _task_text(self, id: str) -> str:
        return self._tasks().get(id, "") if id else ""

    def _similar_task(self, text: str, id: str) -> str:
        past = self.memory.failures()
        known = {f.task_id for f in past if isinstance(f, Failure)}
        return "" if id in known else most_similar_task(text, open_tasks(past)) or ""

    def _failure_streak(self, id: str) -> FailureStreak:
        return failure_streak(self.memory.failures(), id, int(self.clock().timestamp() * 1000))

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
