"""The page's reducer tells of a log what the engine's own fold tells of it."""

import json
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest

import cruxfinder as cf
from cruxfinder.app.stored_runs import outcome_of
from cruxfinder.crux.result import Result
from cruxfinder.crux.state import Debate
from cruxfinder.crux.thread import Thread
from cruxfinder.kernel import wire
from cruxfinder.language.counts import percent
from cruxfinder.ports import NOTHING
from cruxfinder.protocols.any_run import AnyEvent, AnyState
from cruxfinder.protocols.registry import fold
from cruxfinder.talk.state import Conversation, Talk
from cruxfinder.telling.figures import figures_of
from tests.golden.logs import all_stored, events_of

pytestmark = [
    pytest.mark.web,
    pytest.mark.skipif(shutil.which("node") is None, reason="the page's modules are run by node"),
]

VIEWER = Path(cf.__file__).parent / "page"
SCRIPT = Path(__file__).parent / "fold.mjs"
HELD = (
    ("bitcoin", 36, "crux"),
    ("bitcoin", 5, "crux"),
    ("free-will", 1, "crux"),
    ("monolith", 8, "crux"),
    ("monolith", 2, "debate"),
    ("monolith", 3, "consensus"),
    ("monolith", 4, "discussion"),
    ("monolith", 0, "roundtable"),
)

Picture = dict[str, Any]


def folded_by_page(logs: Sequence[Sequence[AnyEvent]]) -> list[Picture]:
    given = json.dumps([[wire.plain_value(event) for event in log] for log in logs])
    command = ["node", str(SCRIPT), str(VIEWER / "reducer.js")]
    told = subprocess.run(command, input=given, capture_output=True, text=True, timeout=120, check=False)
    assert told.returncode == 0, told.stderr
    return cast("list[Picture]", json.loads(told.stdout))


def thread_picture(thread: Thread) -> Picture:
    return {
        "topic": thread.topic,
        "parent": thread.parent,
        "trigger": thread.trigger,
        "stage": thread.stage,
        "status": thread.status,
        "crux": thread.crux,
        "messages": [m.id for m in thread.messages],
        "verdict": thread.outcome,
        "why": thread.why,
        "ended": thread.ended_ms,
        "mergedInto": thread.merged_into,
        "members": sorted(thread.members),
        "horizon": thread.horizon,
        "sides": dict(thread.sides),
        "candidates": [[c.id, c.question, c.yes_means, c.no_means, c.by, c.message] for c in thread.candidates],
        "commitments": {
            agent: [c.side, c.statement, c.reason, c.confidence, c.horizon, c.message]
            for agent, c in thread.commitments.items()
        },
        "falsifiers": {agent: [falsifier_picture(f) for f in held] for agent, held in thread.falsifiers.items()},
        "grades": {
            f"{author} {target}": [[t.message, t.grade, t.by, t.missing] for t in tries]
            for (author, target), tries in thread.tries.items()
        },
        "evidence": [m.id for m in thread.evidence],
        "objections": len(thread.objections),
        "changes": [[c.message, c.agent, c.before, c.after, c.label] for c in thread.changes],
        "failedLocks": thread.lock_failures,
        "validated": None if thread.extracted is None else thread.extracted.validated,
    }


def falsifier_picture(held: Any) -> list[object]:
    said = held.falsifier
    figures = (held.concreteness, held.open_ended, held.drafted, held.message)
    return [held.number, said.metric, said.threshold, said.deadline, *figures]


def talk_picture(talk: Talk) -> Picture:
    answers = {a.turn: a.answer for a in talk.answers}
    return {
        "turns": [
            [t.id, t.number, t.agent, t.role, t.type, t.content, t.draft.reply_to, t.draft.side, t.off_topic]
            for t in talk.turns
        ],
        "pivots": len(talk.pivots),
        "syntheses": [s.turn for s in talk.syntheses],
        "questions": [[q.turn, answers.get(q.turn)] for q in talk.questions],
    }


def debate_picture(debate: Debate) -> Picture:
    related = [d for pair in debate.related.values() for d in pair.dependencies]
    return {
        "order": debate.numbered,
        "tops": {agent: [top.side, top.statement] for agent, top in debate.tops.items()},
        "threads": {id: thread_picture(thread) for id, thread in debate.threads.items()},
        "settled": {id: proposal.settled for id, proposal in debate.proposals.items()},
        "promoted": list(debate.agenda),
        "coalitions": [] if debate.coalitions is None else [list(g.members) for g in debate.coalitions.groups],
        "relations": [[d.from_crux, d.to_crux, d.relation, d.confidence] for d in related],
    }


def picture(state: AnyState) -> Picture:
    """What one slice knows nothing of is empty."""
    started, settings, seats = state.started, state.settings, state.seats
    debate = state if isinstance(state, Debate) else Debate(started=started, settings=settings, seats=seats)
    talk = state.talk if isinstance(state, Conversation) else Talk()
    told = {
        "atMs": state.now_ms,
        "seats": [s.id for s in seats],
        "complete": None if state.complete is None else state.complete.verdict,
        **debate_picture(debate),
        **talk_picture(talk),
    }
    return cast("Picture", json.loads(json.dumps(told)))


def figures_picture(log: Sequence[AnyEvent], told: Picture) -> Picture:
    """Those of the figures that the page counts, as everybody else counts them."""
    state = fold(log)
    outcome = outcome_of(tuple(log), state, "r", NOTHING)
    everything = asdict(figures_of(outcome))
    threads = outcome.threads if isinstance(outcome, Result) else ()
    return {
        "run": {name: everything[name] for name in told["run"]},
        "threads": {t.id: t.messages for t in threads},
        "flips": {t.id: list(t.crux.would_flip) for t in threads if t.crux is not None},
    }


@cache
def held() -> tuple[tuple[AnyEvent, ...], ...]:
    return tuple(tuple(cf.debate(pack, seed=seed, protocol=protocol).events) for pack, seed, protocol in HELD)


def assert_told_alike(logs: Sequence[Sequence[AnyEvent]], names: Sequence[object]) -> None:
    for name, log, told in zip(names, logs, folded_by_page(logs), strict=True):
        assert told["end"] == picture(fold(log)), f"{name} at its end"
        # The page also has a state before the first event: the middle of n + 1 states follows n + 1 // 2 events.
        assert told["middle"] == picture(fold(log[: (len(log) + 1) // 2])), f"{name} in its middle"
        for at, events in (("end", log), ("middle", log[: (len(log) + 1) // 2])):
            assert told["figures"][at] == figures_picture(events, told["figures"][at]), f"{name}: figures, {at}"
        assert told["same"], f"{name}: folding it twice gives two states"
        assert told["signals"] == 0, f"{name}: how far a thread is lies between 0 and 1"


def test_debates_held_now_are_told_alike() -> None:
    assert_told_alike(held(), HELD)


def test_golden_logs_are_told_alike() -> None:
    """They hold what is rare: merged threads, splits, silence, forks, a devil's advocate, questions to the user."""
    names = all_stored()
    logs = [events_of(name) for name in names]
    seen = {event.kind for log in logs for event in log}
    assert {"thread_merged", "agent_silent", "debate_forked", "thread_failed", "thread_stale"} <= seen
    assert_told_alike(logs, names)


def test_numbers_are_written_alike() -> None:
    """To the last half: shares and figures are written on the page as everywhere."""
    numbers = [n / 1600 for n in range(-1600, 3201)] + [n / 1000 for n in range(1001)] + [0.0001, -0.0049, 1 / 3]
    command = ["node", str(SCRIPT), str(VIEWER / "reducer.js"), "numbers"]
    told = subprocess.run(command, input=json.dumps(numbers), capture_output=True, text=True, timeout=60, check=False)
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout) == [[percent(x), f"{x:.2f}"] for x in numbers]


def test_a_changed_log_is_told_otherwise() -> None:
    """The comparison can fail: a log without one of its commitments gives another picture."""
    log = held()[0]
    at = next(n for n, event in enumerate(log) if event.kind == "commitment_made")
    (told,) = folded_by_page([(*log[:at], *log[at + 1 :])])
    assert told["end"] != picture(fold(log))
