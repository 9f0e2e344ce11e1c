"""Runs one debate: kernel, journal and debaters joined; starting, resuming, replaying and forking are the same run."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from cruxfinder.errors import BudgetSpent, DebaterFault, Diverged, LogFault, StoreFault
from cruxfinder.kernel import wire
from cruxfinder.kernel.budget import RunBudget
from cruxfinder.kernel.caps import Caps
from cruxfinder.kernel.dice import SeededDice
from cruxfinder.kernel.effects import Ask, Event, Readable
from cruxfinder.kernel.journal import Journal, RecordedAnswer, ask_key
from cruxfinder.kernel.likeness import Likeness
from cruxfinder.kernel.loop import Kernel
from cruxfinder.kernel.pack import Agenda
from cruxfinder.kernel.protocol import AnyProtocol
from cruxfinder.kernel.run_facts import DebateStarted, Failed, Fork, RunState, Start, Stop
from cruxfinder.kernel.vocabulary import AgentId, Ending
from cruxfinder.ports import NOTHING, Debater, Onlooker, Reader, RunSignals, Spender, StopSignal, Usage

SEND_S: Final = 0.2  # how often a running debate lets readers catch up
ONE: Final = Usage(calls=1)
NO_AGENDA: Final = Agenda()
NO_CEILING: Final = Caps()
Listener = Callable[[Any], None]  # of the events of the protocol in use


@dataclass(frozen=True, slots=True)
class ForkPoint:
    """Where a fork leaves its parent: from so many events on, with these settings and the seats changed like this."""

    command: Fork
    seats: Callable[[Mapping[AgentId, Debater]], Mapping[AgentId, Debater]]


class Runner:
    """The world of one kernel. `pace` is how many wall seconds a debate second takes; at 0 nobody waits."""

    def __init__(
        self,
        *,
        protocol: AnyProtocol,
        started: DebateStarted,
        debaters: Mapping[AgentId, Debater],
        likeness: Likeness,
        reader: Reader,
        signals: RunSignals,
        run: str,
        journal: Journal,
        listener: Listener | None = None,
        pace: float = 0,
        turns: tuple[ForkPoint, ...] = (),
        inherited: tuple[Mapping[str, RecordedAnswer], ...] = (),
        spent: Usage = NOTHING,
        frozen: bool = False,
        agenda: Agenda = NO_AGENDA,
        ceiling: Caps = NO_CEILING,
    ) -> None:
        self._protocol = protocol
        self._started = started
        self._agenda = agenda
        self._likeness = likeness
        self._reader = reader
        self._signals = signals
        self._run = run
        self._journal = journal
        self._listener = listener
        self._pace = pace
        self._turns = turns  # a fork's own is the last; those of the forks it comes from are before it
        self._turned = 0
        self._inherited = inherited  # for each turn, the answers to asks made before it
        self._frozen = frozen  # nothing is asked that costs, nothing is written
        self._asked: dict[AgentId, int] = {}
        self._calls: dict[AgentId, asyncio.Task[object]] = {}
        self._sent_s = float("-inf")
        self._stop: StopSignal | None = None
        self._stopped = False
        self._paid = 0  # answers of others than models that cost something, asked for so far
        self._spent = False
        self._overdrawn = False  # a model's request could not be paid for
        self._begun = False
        if not frozen:
            journal.write_off(spent)
        self._ceiling = ceiling  # of whoever holds the run, whatever caps it has of its own
        self._budget = RunBudget(Caps.of(started.settings).within(ceiling), journal.usage, journal.hold)
        self._seat_debaters(debaters)

    def _seat_debaters(self, debaters: Mapping[AgentId, Debater]) -> None:
        self._debaters = debaters
        for debater in debaters.values():
            if isinstance(debater, Spender):
                debater.spend_from(self._budget)

    async def run(self) -> RunState:
        """Run to the end. Whatever happens, what is known so far is handed to the store."""
        if self._frozen:
            return await self._run_script()
        async with self._signals.watch_stop(self._run) as self._stop:
            return await self._run_script()

    async def _run_script(self) -> RunState:
        script = self._protocol.script(self._started, SeededDice(self._started.seed), self._likeness, self._agenda)
        kernel = Kernel(self._protocol, Start(started=self._started), script, self)
        try:
            debate = await kernel.run()
            self._journal.check_finished()
            await self._journal.settle()
            await self._drop_calls()
            if not self._frozen:
                self._journal.settle_up(self._budget.usage)  # with what nobody waited for any more
            await self._journal.settle()
            return debate
        except BaseException:
            with suppress(StoreFault):
                self._journal.close()
            raise
        finally:
            await self._drop_calls()

    @property
    def usage(self) -> Usage:
        """What it all took, as the log tells it; of a resumed run what came before, too."""
        return self._journal.usage

    async def _drop_calls(self) -> None:
        under_way = [call for call in self._calls.values() if not call.done()]
        for call in under_way:
            call.cancel()
        await asyncio.gather(*self._calls.values(), return_exceptions=True)

    def ask(self, ask: Ask, state: RunState) -> Awaitable[object]:
        """Start the call; asks of one debater are answered one after the other, in the order of asking."""
        number = self._asked[ask.agent] = self._asked.get(ask.agent, 0) + 1
        ask = cast("Ask", replace(cast("Any", ask), number=number))  # every ask is a dataclass
        before = self._calls.get(ask.agent)
        known = self._journal.recorded_answer(ask.agent, number)
        if known is None and self._turned < len(self._turns):
            known = self._inherited[self._turned].get(ask_key(ask.agent, number))
        debater = self._debaters[ask.agent]
        if debater.is_paid and not isinstance(debater, Spender) and not self._affordable(state):
            return unaffordable_answer()
        call = asyncio.ensure_future(self._call(ask, number, state, debater, known, before))
        self._calls[ask.agent] = call
        return call

    def _affordable(self, debate: RunState) -> bool:
        """Count one more answer to be paid for; at the cap nothing more is asked and the debate ends."""
        most = debate.settings.max_calls
        self._spent = bool(most) and self._paid >= most
        self._paid += not self._spent
        return not self._spent

    async def _call(
        self,
        ask: Ask,
        number: int,
        debate: RunState,
        debater: Debater,
        known: RecordedAnswer | None,
        before: asyncio.Task[object] | None,
    ) -> object:
        if before is not None and not before.done():
            await asyncio.wait([before])
        if known is not None:
            return self._read(self._journal.answer(known, ask.agent, number, ask))
        if self._frozen and debater.is_paid:
            raise Diverged(f"the log has no answer to ask {number} of {ask.agent} ({ask.kind})")
        if debater.is_paid and isinstance(debater, Onlooker) and debater.looks_on:
            await self._journal.settle()  # whoever answers from elsewhere has to see what it is about
        try:
            answer = self._usable_answer(
                ask, await debater.answer(ask, self._protocol.public(debate)), paid=debater.is_paid
            )
        except DebaterFault as fault:
            answer = Failed(reason=str(fault))
            self._overdrawn = self._overdrawn or isinstance(fault, BudgetSpent)
        if debater.is_paid:
            usage = debater.take_usage(ask) if isinstance(debater, Spender) else self._charge(ONE)
            await self._journal.keep(ask.agent, number, ask, answer, usage)
            if isinstance(debater, Onlooker):
                debater.confirm_stored(ask)
        return answer

    def _read(self, text: str) -> object:
        return wire.read(text, "answer", self._protocol.answers)

    def _usable_answer(self, ask: Ask, answer: object, *, paid: bool) -> object:
        """An answer as it can be used and kept; DebaterFault for anything else a debater may return."""
        if paid and isinstance(answer, self._protocol.answers):
            try:
                answer = self._read(wire.dumps(answer))
            except (LogFault, ValueError, TypeError, AssertionError):
                raise DebaterFault(f"its answer to {ask.kind} cannot be kept: it is not made of plain values") from None
        if fault := self._protocol.answer_fault(ask, answer):
            raise DebaterFault(f"its answer to {ask.kind} cannot be used: {fault}")
        return answer

    def _charge(self, usage: Usage) -> Usage:
        """An answer that was paid for in one piece."""
        self._budget.settle(NOTHING, usage)
        return usage

    def read(self, passage: Readable) -> object:
        """What a text says: as the log has it, wherever it was read before."""
        known = self._journal.recorded_reading(passage.text)
        if known is not None:
            self._journal.note_reading(passage.text, known.body, known.reader)
            return wire.read(known.body, "reading", self._protocol.readings, tagged=False)
        if self._frozen:
            raise Diverged("the log has no reading of what is said after its last event")
        reading = self._reader.read(passage)
        other = self._reader.name if self._reader.name != self._started.reader else ""
        body = wire.dumps(reading)
        kept = body.encode(errors="replace").decode()
        if kept != body:  # a draft may hold half a character, which no log can keep: what is decided on is what is kept
            reading = wire.read(kept, "reading", self._protocol.readings, tagged=False)
        self._journal.note_reading(passage.text, kept, other)
        return reading

    async def write(self, events: tuple[Event, ...]) -> None:
        self._journal.write(events)
        if not self._begun:
            self._begun = True
            await self._journal.settle()  # from here on the run can be resumed
        if self._listener is not None:
            for event in events:
                self._listener(event)

    def interruption(self, step: int, written: int) -> object | None:
        if self._turned < len(self._turns) and written >= self._turns[self._turned].command.at:
            turn = self._turns[self._turned]
            self._turned += 1
            self._seat_debaters(turn.seats(self._debaters))
            self._budget.set_caps(Caps.of(turn.command.settings).within(self._ceiling))
            return replace(turn.command, at=written)
        if self._stopped:
            return None
        if self._spent:
            self._stopped = True
            return Stop(ending=Ending.BUDGET)
        ending = self._stop_wanted(step)
        if ending is None:
            return None
        self._stopped = True
        return Stop(ending=ending)

    def _stop_wanted(self, step: int) -> Ending | None:
        """Why to stop before this step: the log says so, a cap has no more room, or the user wishes it."""
        if (told := self._journal.recorded_stop) is not None:
            return told.ending if told.step == step else None
        if self._journal.is_replaying or self._frozen:
            return None
        if self._overdrawn:
            self._journal.stop(step, Ending.BUDGET)
            return Ending.BUDGET
        now_s = time.monotonic()
        if now_s - self._sent_s >= SEND_S:
            self._sent_s = now_s
            self._journal.send()
        if self._stop is None or not self._stop.is_requested:
            return None
        self._journal.stop(step, Ending.STOPPED)
        return Ending.STOPPED

    async def wait(self, ms: int) -> None:
        if self._pace and not self._journal.is_catching_up:
            self._journal.send()  # whoever watches sees what happened, however long nothing happens then
            await asyncio.sleep(self._pace * ms / 1000)


def unaffordable_answer() -> Awaitable[object]:
    """Stands for an answer nobody is asked for; the debate may end before it is looked at."""
    answer: asyncio.Future[object] = asyncio.get_running_loop().create_future()
    answer.set_result(Failed(reason="the budget is spent"))
    return answer
