"""The result of a debate as JSON: it keeps to the schema that ships, and says what the log says. API-2."""

import json
import types
import typing
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from cruxfinder import api
from cruxfinder.crux.asks import Judged
from cruxfinder.crux.events import (
    DcgCalculated,
    FirstPosition,
    LockAttempted,
    MessagePosted,
    ProbeAnswered,
    ThreadConverged,
    ThreadCreated,
)
from cruxfinder.crux.result import REGIMES, Result, result_of
from cruxfinder.exports.schemas import result_schema
from cruxfinder.kernel import wire
from cruxfinder.kernel.run_facts import DebateComplete
from cruxfinder.kernel.vocabulary import Ending, Grade, Phase, ProtocolName, Side, TopSide, Verdict
from cruxfinder.protocols.any_run import AnyEvent, Finished
from cruxfinder.protocols.registry import PROTOCOLS, read_event
from tests.law.build import (
    ANN,
    BOB,
    CAT,
    QUESTION,
    Mind,
    Play,
    claim,
    commit,
    concede,
    evidence,
    grade,
    mind,
    of,
    only,
    steelman,
)
from tests.slices import crux_events

Json = dict[str, typing.Any]

SEEDS = range(2)
WHOLE = [(pack, (), seed) for pack in ("bitcoin", "monolith", "free-will") for seed in SEEDS]
PAIRS = [
    ("bitcoin", ("holder", "economist"), 0),
    ("bitcoin", ("economist", "holder"), 1),
    ("monolith", ("platform", "architect"), 0),
    ("free-will", ("stoic", "baron"), 2),
]
EARLY = [("bitcoin", (), n) for n in (1, 3, 9, 14, 22, 30)]


@cache
def debated(pack: str, agents: tuple[str, ...] = (), seed: int = 0, max_messages: int | None = None) -> Finished:
    return api.debate(pack, agents=agents, seed=seed, max_messages=max_messages, run="r1")


@cache
def validator() -> Draft202012Validator:
    return Draft202012Validator(json.loads(result_schema()))


def as_json(result: Result) -> Json:
    """As a reader gets it: what JSON cannot say is an error."""
    return json.loads(json.dumps(wire.camel(result), allow_nan=False))


def faults(value: Json) -> list[str]:
    found: Iterator[ValidationError] = validator().iter_errors(value)
    return [f"{error.json_path}: {error.message}" for error in found]


# ---- every result keeps to the schema


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(json.loads(result_schema()))
    assert json.loads(result_schema())["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert result_schema() == files("cruxfinder").joinpath("exports/schemas/result.json").read_text(encoding="utf-8")


@pytest.mark.rule("API-2")
@pytest.mark.parametrize(("pack", "agents", "seed"), [*WHOLE, *PAIRS])
def test_every_result_keeps_to_the_schema(pack: str, agents: tuple[str, ...], seed: int) -> None:
    found = as_json(debated(pack, agents, seed).result)
    assert faults(found) == []
    assert (found["runId"], found["seed"], found["ending"]) == ("r1", seed, "natural")


@pytest.mark.rule("API-2")
@pytest.mark.parametrize(("pack", "agents", "messages"), EARLY)
def test_so_does_that_of_a_debate_that_ended_early(pack: str, agents: tuple[str, ...], messages: int) -> None:
    found = as_json(debated(pack, agents, 0, messages).result)
    assert faults(found) == []
    assert (found["ending"], found["confidence"], found["totalMessages"]) == ("messages", "LOW", messages)


@pytest.mark.rule("API-2")
@pytest.mark.parametrize("pack", ["bitcoin", "monolith", "free-will"])
def test_so_does_that_of_a_debate_still_under_way(pack: str) -> None:
    events = crux_events(debated(pack).events)
    for upto in range(1, len(events), 20):
        found = as_json(result_of(events[:upto]))
        assert faults(found) == []
        assert (found["ending"], found["verdict"], found["confidence"]) == ("unfinished", "undecided", "LOW")


def weighed(ann: Mind, bob: Mind) -> Play:
    play = Play(firsts=False)
    play.minds = {ANN: ann, BOB: bob}
    play.take_firsts()
    play.weigh()
    return play


def lost_lock() -> Play:
    play = Play()
    play.to_lock()
    play.sides[BOB] = Side.YES
    while play.serve():
        pass
    return play


def with_an_advocate_an_objection_and_a_change(moved: Mind) -> Play:
    play = Play(yes=(ANN, CAT))
    play.talk(6)
    play.post(BOB, claim(top_side=TopSide.NO))
    play.to_evidence()
    shown = play.post(ANN, evidence(BOB))
    play.minds[BOB] = moved
    play.post(BOB, concede(TopSide.NO, TopSide.YES), reply_to=shown)
    play.probe()
    play.to_closing()
    play.probe_all()
    play.judge({BOB: Judged(objection="not quite", side=Side.YES)})
    play.judge()
    return play


YES, NO = mind(0.9), mind(0.1)
PLAYS = {
    Verdict.NO_DISAGREEMENT: lambda: weighed(YES, mind(0.8)),
    Verdict.VALUES: lambda: weighed(mind(0.5, 0.9, 0.8), mind(0.5, 0.2, 0.1)),
    Verdict.DEFINITIONS: lambda: weighed(replace(YES, wording=0.5), replace(NO, wording=0.5)),
    Verdict.HORIZON: lambda: weighed(replace(YES, horizon=0.5), replace(NO, horizon=0.5)),
    Verdict.PARTIAL: lambda: weighed(Mind(p_top=0.8, c=0.95, p1=0.85, p0=0.35), Mind(p_top=0.2, c=0.6, p1=0.65, p0=0)),
    Verdict.FAILED_LOCK: lost_lock,
    Verdict.RESOLVED: lambda: with_an_advocate_an_objection_and_a_change(mind(0.8)),
    Verdict.HOLLOW: lambda: with_an_advocate_an_objection_and_a_change(replace(NO, public_side=TopSide.YES)),
}


@pytest.mark.rule("API-2")
@pytest.mark.parametrize("verdict", PLAYS)
def test_so_does_every_ending(verdict: Verdict) -> None:
    play = PLAYS[verdict]()
    found = result_of(play.events)
    assert found.verdict is verdict
    assert faults(as_json(found)) == []


@pytest.mark.rule("API-2")
@pytest.mark.parametrize(
    ("path", "value"),
    [
        pytest.param("verdict", "settled", id="a verdict of its own"),
        pytest.param("ending", None, id="no ending"),
        pytest.param("totalMessages", 3.5, id="half a message"),
        pytest.param("totalMessages", -1, id="fewer than none"),
        pytest.param("cost", "free", id="a cost in words"),
        pytest.param("threads.0.crux.dcg.score", 1.2, id="a gain above 1"),
        pytest.param("threads.0.crux.steelmanPairs.0.grade", "GOOD", id="a grade of its own"),
        pytest.param("threads.0.stages.cruxLock", None, id="a stage missing"),
        pytest.param("threads.0.tested.0.wouldFlip", "everybody", id="a text for a list"),
        pytest.param("agents.0.camp", "maybe", id="a camp of its own"),
        pytest.param("privatePositions.holder.pTop", 2, id="a chance above 1"),
        pytest.param("systemMetrics.reasonsBlocked.FLOOD-3", "many", id="a count in words"),
        pytest.param("notes", "hello", id="a field nobody knows"),
        pytest.param("threads.0.crux.mood", "good", id="a field nobody knows, further in"),
    ],
)
def test_what_does_not_keep_to_it_is_found(path: str, value: object) -> None:
    found = as_json(debated("bitcoin").result)
    *way, last = path.split(".")
    here: typing.Any = found
    for step in way:
        here = here[int(step)] if isinstance(here, list) else here[step]
    here[last] = value
    assert len(faults(found)) >= 1


@pytest.mark.rule("API-2")
@pytest.mark.parametrize("field", [f.name for f in fields(Result)])
def test_no_field_may_be_missing(field: str) -> None:
    found = as_json(debated("bitcoin").result)
    del found[wire.camel_name(field)]
    assert faults(found) == [f"$: '{wire.camel_name(field)}' is a required property"]


# ---- the schema is that of the dataclasses


def resolved(spec: Json, root: Json) -> Json:
    return root["$defs"][spec["$ref"].removeprefix("#/$defs/")] if "$ref" in spec else spec


def compared(hint: typing.Any, spec: Json, root: Json, where: str) -> Iterator[str]:
    """Every place at which a schema and a type differ; what is compared is yielded as `where: ok`."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    bare = {k: v for k, v in resolved(spec, root).items() if k not in ("minimum", "maximum", "description")}
    if hint is ProtocolName:
        yield "" if set(bare.get("enum", [bare.get("const")])) <= set(PROTOCOLS) else where
    elif isinstance(hint, typing.NewType):
        yield from compared(hint.__supertype__, spec, root, where)
    elif origin in (typing.Union, types.UnionType):
        (kept,) = [a for a in args if a is not types.NoneType]
        assert types.NoneType in args
        yield "" if bare.keys() == {"anyOf"} and bare["anyOf"][1] == {"type": "null"} else where
        yield from compared(kept, bare["anyOf"][0], root, where)
    elif origin is typing.Literal:
        yield "" if bare == {"enum": list(args)} else where
    elif origin is tuple:
        yield "" if bare.keys() == {"type", "items"} and bare["type"] == "array" and args[1:] == (...,) else where
        yield from compared(args[0], bare["items"], root, f"{where}[]")
    elif origin is dict:
        yield "" if bare.keys() == {"type", "additionalProperties"} and args[0] is str else where
        yield from compared(args[1], bare["additionalProperties"], root, f"{where}.*")
    elif is_dataclass(hint):
        hints = typing.get_type_hints(hint)
        names = {wire.camel_name(f.name): hints[f.name] for f in fields(hint)}
        same = list(bare["properties"]) == list(names) == bare["required"]
        yield "" if same and bare["type"] == "object" and bare["additionalProperties"] is False else where
        for name in names.keys() & bare["properties"].keys():
            yield from compared(names[name], bare["properties"][name], root, f"{where}.{name}")
    elif issubclass(hint, StrEnum):
        yield "" if bare == {"enum": [member.value for member in hint]} else where
    else:
        plain = {bool: "boolean", str: "string", int: "integer", float: "number"}[hint]
        yield "" if bare == {"type": plain} else where


@pytest.mark.rule("API-2")
def test_the_schema_has_the_fields_and_types_of_the_result() -> None:
    root = json.loads(result_schema())
    checked = list(compared(Result, root, root, "$"))
    assert len(checked) > 150
    assert [where for where in checked if where] == []


@dataclass(frozen=True)
class Older:
    run_id: str
    topic: str


@pytest.mark.rule("API-2")
def test_a_field_that_is_added_or_goes_is_noticed() -> None:
    root = json.loads(result_schema())
    assert "$" in list(compared(Older, root, root, "$"))
    del root["$defs"]["Dcg"]["properties"]["score"]
    assert "$.threads[].crux.dcg" in list(compared(Result, root, root, "$"))


# ---- every field the seed's sample shows, and those the specification adds

SAMPLE = """
topic duration totalMessages threads[].id threads[].topic threads[].participants[]
threads[].stages.discovery.messages threads[].stages.discovery.duration
threads[].stages.cruxLock.messages threads[].stages.cruxLock.duration threads[].stages.cruxLock.lockAttempts
threads[].stages.evidence.messages threads[].stages.evidence.duration
threads[].crux.question threads[].crux.positions.*.side threads[].crux.positions.*.confidence
threads[].crux.positions.*.statement threads[].crux.positions.*.falsifier.metric
threads[].crux.positions.*.falsifier.threshold threads[].crux.positions.*.falsifier.deadline
threads[].crux.positions.*.concessions[] threads[].crux.resolutionCriteria[]
threads[].crux.counterfactual.*.wouldFlip threads[].crux.counterfactual.*.why
threads[].crux.dcg.coverage threads[].crux.dcg.polarity threads[].crux.dcg.impact threads[].crux.dcg.score
threads[].crux.horizonByAgent.* threads[].crux.dominantHorizon threads[].crux.steelmanPairs[].from
threads[].crux.steelmanPairs[].to threads[].crux.steelmanPairs[].grade threads[].crux.steelmanPairs[].attempts
threads[].crux.validated commonGround[].statement commonGround[].agreement commonGround[].type
coalitions[].members[] coalitions[].label coalitions[].positions.* coalitions[].sharedBeliefs[]
regime regimeDescription irreducibleCruxes[] primaryCrux primaryCruxReason cost
systemMetrics.messagesBlocked systemMetrics.reasonsBlocked.* systemMetrics.cruxLockAttempts
systemMetrics.cruxLockSuccesses systemMetrics.cruxLockFailures systemMetrics.failureReasons.*
systemMetrics.steelmanAttempts systemMetrics.steelmanRetries systemMetrics.steelmanAccuracyRate
systemMetrics.dcgPromotions systemMetrics.horizonMismatches systemMetrics.horizonAlignments
"""
ADDED = """
runId seed ending threads[].crux.explainedShare threads[].crux.gapClosed threads[].crux.rank
threads[].tested[].question threads[].tested[].explainedShare threads[].tested[].gapClosed threads[].tested[].rank
privatePositions.*.pTop privatePositions.*.side privatePositions.*.reason
"""


def has(spec: Json, steps: list[str], root: Json) -> bool:
    spec = resolved(spec, root)
    if "anyOf" in spec:
        return any(has(option, steps, root) for option in spec["anyOf"])
    if not steps:
        return spec != {"type": "null"}
    step, *rest = steps
    inner = {"[]": spec.get("items"), "*": spec.get("additionalProperties")}.get(
        step, spec.get("properties", {}).get(step)
    )
    return isinstance(inner, dict) and has(inner, rest, root)


@pytest.mark.rule("API-2")
@pytest.mark.parametrize("path", (SAMPLE + ADDED).split())
def test_every_field_of_the_sample_is_there(path: str) -> None:
    root = json.loads(result_schema())
    steps = path.replace("[]", ".[]").split(".")
    assert has(root, steps, root)
    assert not has(root, [*steps[:-1], "nobodyKnows"], root)


# ---- what it says is what the log says


@cache
def logs() -> tuple[Finished, ...]:
    return tuple(debated(*run) for run in (*WHOLE[:: len(SEEDS)], *PAIRS[:2]))


def last(events: tuple[AnyEvent, ...]) -> DebateComplete:
    return only(events, DebateComplete)


def test_totals_are_those_of_the_log() -> None:
    for run in logs():
        events, found = run.events, run.result
        posted = of(events, MessagePosted)
        assert found.total_messages == len(posted)
        assert found.duration == events[-1].at_ms
        assert (found.verdict, found.why, found.ending) == (
            last(events).verdict,
            last(events).why,
            last(events).ending,
        )
        spoken = Counter(m.agent for m in posted)
        assert {a.id: a.messages for a in found.agents if a.messages} == dict(spoken)
        for thread in found.threads:
            said = [m for m in posted if m.thread == thread.id]
            assert set(thread.participants) == {m.agent for m in said}
            spans = (thread.stages.discovery, thread.stages.crux_lock, thread.stages.evidence)
            assert sum(s.messages for s in spans) == sum(m.counted for m in said)
            lasted = [e.at_ms for e in of(events, ThreadCreated) if e.thread == thread.id]
            ended = [e.at_ms for e in of(events, ThreadConverged) if e.thread == thread.id]
            assert sum(s.duration for s in spans) == ended[0] - lasted[0]
            tries = [e for e in of(events, LockAttempted) if e.thread == thread.id]
            assert thread.stages.crux_lock.lock_attempts == len(tries)


def test_private_positions_are_the_first_and_the_last() -> None:
    for run in logs():
        firsts = {e.agent: e for e in of(run.events, FirstPosition)}
        after = {e.agent: e.p_top for e in of(run.events, ProbeAnswered) if e.phase is Phase.AFTER}
        found = run.result.private_positions
        assert {a: (p.p_top, p.side, p.reason) for a, p in found.items()} == {
            a: (e.p_top, e.side, e.reason) for a, e in firsts.items()
        }
        assert {a: p.p_top_after for a, p in found.items()} == {a: pytest.approx(after[a]) for a in firsts}
        assert run.result.camps.yes == tuple(a for a, e in firsts.items() if e.p_top > 0.5)
        assert run.result.camps.no == tuple(a for a, e in firsts.items() if e.p_top < 0.5)


def test_the_primary_crux_is_the_locked_one_and_says_why() -> None:
    for run in logs():
        found = run.result
        locked = [t.crux for t in found.threads if t.crux is not None and t.verdict is Verdict.CRUX]
        best = max(locked, key=lambda c: c.rank)
        assert (found.primary_crux, found.primary_crux_question) == (best.id, best.question)
        assert f"{best.explained_share:.0%}" in found.primary_crux_reason
        assert found.primary_crux in found.irreducible_cruxes
        assert set(found.irreducible_cruxes) <= {c.id for c in locked}
        thread = found.threads[0]
        weighed = [e for e in of(run.events, DcgCalculated) if e.thread == thread.id]
        ranks = {p: {f.candidate: f.rank for e in weighed if e.phase is p for f in e.figures} for p in Phase}
        expected = ranks[Phase.BEFORE] | ranks[Phase.LOCKED]
        assert {t.id: t.rank for t in thread.tested} == {f"{thread.id}.{id}": rank for id, rank in expected.items()}
        locked_rows = {t.id: (t.rank, t.would_flip) for t in thread.tested if t.locked}
        crux = thread.crux
        assert locked_rows == ({} if crux is None else {crux.id: (crux.rank, crux.would_flip)})


def test_a_result_is_made_of_its_log_alone() -> None:
    for run in logs():
        assert result_of(crux_events(run.events), run_id="r1") == run.result
        again = crux_events(read_event(wire.dumps(event)) for event in run.events)
        assert result_of(again, run_id="r1") == run.result


@pytest.mark.parametrize(
    ("verdict", "regime"),
    [
        (Verdict.CRUX, "polarized"),
        (Verdict.VALUES, "polarized"),
        (Verdict.PARTIAL, "mixed"),
        (Verdict.HOLLOW, "mixed"),
        (Verdict.RESOLVED, "consensus"),
        (Verdict.NO_DISAGREEMENT, "consensus"),
        (Verdict.FAILED_LOCK, "inconclusive"),
        (Verdict.UNDECIDED, "inconclusive"),
    ],
)
def test_a_polarised_debate_is_never_a_consensus(verdict: Verdict, regime: str) -> None:
    assert REGIMES[verdict] == regime
    of_turns = {Verdict.RULED, Verdict.CONSENSUS, Verdict.NO_CONSENSUS, Verdict.DISCUSSED}
    assert REGIMES.keys() == set(Verdict) - of_turns


@pytest.mark.parametrize(
    ("credences", "shared"),
    [
        pytest.param((0.75, 0.9), "Holders stay.", id="everybody at .75 or more"),
        pytest.param((0.25, 0.1), "Holders leave.", id="everybody at .25 or less"),
        pytest.param((0.74, 0.9), None, id="one below .75"),
        pytest.param((0.9, 0.1), None, id="opposed"),
    ],
)
def test_common_ground_is_what_everybody_holds_in_private(credences: tuple[float, float], shared: str | None) -> None:
    ann, bob = (Mind(p_top=p, c=c, p1=p, p0=p) for p, c in zip((0.8, 0.2), credences, strict=True))  # explains nothing
    found = result_of(weighed(ann, bob).events).common_ground
    assert [s.statement for s in found] == ([] if shared is None else [shared])
    assert all(s.agrees == (ANN, BOB) and s.agreement == "all" for s in found)


def test_an_early_end_still_has_its_open_thread_and_low_confidence() -> None:
    play = Play()
    play.to_evidence()
    play.stop()
    found = result_of(play.events)
    assert (found.ending, found.verdict, found.confidence) == (Ending.STOPPED, Verdict.UNRESOLVED, "LOW")
    assert found.primary_crux_question == QUESTION
    assert found.threads[0].why.endswith("the debate ended before its evidence was heard out")
    crux = found.threads[0].crux
    assert crux is not None and not crux.validated and crux.validation_failures == ()


def test_a_crux_carries_what_was_committed() -> None:
    play = Play(yes=(ANN,), no=(BOB, CAT))
    play.to_lock()
    play.post(ANN, commit(ANN, Side.YES, confidence=0.9))
    play.to_evidence()
    crux = result_of(play.events).threads[0].crux
    assert crux is not None
    assert {a: (p.side, p.confidence) for a, p in crux.positions.items()} == {
        ANN: (Side.YES, 0.9),
        BOB: (Side.NO, 0.8),
        CAT: (Side.NO, 0.8),
    }
    assert {(p.from_, p.to, p.grade.value, p.attempts, p.graded_by) for p in crux.steelman_pairs} == {
        (a, b, "ACCURATE", 1, b) for a, b in ((ANN, BOB), (BOB, ANN), (ANN, CAT), (CAT, ANN))
    }
    assert {a: c.would_flip for a, c in crux.counterfactual.items()} == dict.fromkeys((ANN, BOB, CAT), True)
    assert (crux.dominant_horizon, set(crux.horizon_by_agent)) == ("5y", {ANN, BOB, CAT})
    assert crux.confidence == pytest.approx((0.9 + 0.8 + 0.8) / 3, abs=1e-4)
    assert len(crux.resolution_criteria) == 3


def test_a_steelman_pair_shows_its_last_grade_and_all_its_attempts() -> None:
    play = Play()
    play.to_lock()
    play.commit_all()
    play.post(BOB, grade(play.post(ANN, steelman(BOB)), Grade.INCOMPLETE))
    play.to_evidence()
    crux = result_of(play.events).threads[0].crux
    assert crux is not None
    assert [(p.from_, p.to, p.grade, p.attempts) for p in crux.steelman_pairs] == [
        (ANN, BOB, Grade.ACCURATE, 2),
        (BOB, ANN, Grade.ACCURATE, 1),
    ]


def test_the_library_can_be_called_by_its_short_name_again_and_again() -> None:
    import cruxfinder as cf

    first = cf.debate("bitcoin", seed=3, max_messages=2, run="r1")
    second = cf.debate("bitcoin", seed=3, max_messages=2, run="r1")
    assert first.events == second.events
