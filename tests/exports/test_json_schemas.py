"""API-1, API-2: what is written keeps to the schemas that ship, and what differs in any way does not."""

import json
import re
import tomllib
import typing
from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from cruxfinder.app.model_settings import from_file, setting_fields
from cruxfinder.crux.result import Result, result_of
from cruxfinder.errors import BadInput, LogFault
from cruxfinder.exports.schemas import SCHEMAS, SchemaName, schema_text
from cruxfinder.kernel import wire
from cruxfinder.kernel.settings import Settings
from cruxfinder.protocols.any_run import AnyEvent
from cruxfinder.protocols.registry import read_event
from cruxfinder.talk.minutes import Minutes, minutes_of
from docs.json_schemas import WIRE, write_schema
from tests.golden.logs import all_stored, events_of, stored
from tests.slices import crux_events, talk_events

Json = dict[str, typing.Any]
KINDS: dict[str, type] = {
    next(str(f.default) for f in fields(kind) if f.name == "kind"): kind for kind in typing.get_args(AnyEvent)
}


@cache
def root_of(name: SchemaName) -> Json:
    return json.loads(schema_text(name))


@cache
def validator(name: SchemaName) -> Draft202012Validator:
    return Draft202012Validator(root_of(name))


@cache
def validator_of_kind(kind: str) -> Draft202012Validator:
    """Of one sort of event: trying all of them on each of seven thousand takes long."""
    reference = {"$ref": f"#/$defs/{KINDS[kind].__name__}"}
    assert reference in root_of(SchemaName.EVENT)["oneOf"]
    return Draft202012Validator({"$defs": root_of(SchemaName.EVENT)["$defs"], **reference})


@pytest.mark.parametrize("name", SchemaName)
def test_a_schema_is_one_and_says_which(name: SchemaName) -> None:
    root = root_of(name)
    Draft202012Validator.check_schema(root)
    assert root["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert (root["$id"], root["title"]) == (f"urn:cruxfinder:{name}:1", SCHEMAS[name].title)


# ---- events


@pytest.mark.rule("API-1")
@pytest.mark.parametrize("name", all_stored())
def test_every_event_of_a_golden_log_keeps_to_the_schema(name: str) -> None:
    for line in stored(name):
        event = json.loads(line)
        validator_of_kind(event["kind"]).validate(event)


@cache
def one_of_each() -> dict[str, Json]:
    """The longest event of each kind in the golden logs."""
    lines = sorted((line for name in all_stored() for line in stored(name)), key=len)
    return {event["kind"]: event for event in map(json.loads, lines)}


@pytest.mark.rule("API-1")
def test_the_schema_knows_every_kind_of_event_and_no_other() -> None:
    listed = {option["$ref"].removeprefix("#/$defs/") for option in root_of(SchemaName.EVENT)["oneOf"]}
    assert listed == {kind.__name__ for kind in KINDS.values()}
    assert one_of_each().keys() == KINDS.keys()


def needed(kind: type) -> list[str]:
    return [f.name for f in fields(kind) if f.default is MISSING or f.name == "kind"]


@pytest.mark.rule("API-1")
@pytest.mark.parametrize("kind", KINDS)
def test_an_event_that_differs_does_not_keep_to_it(kind: str) -> None:
    event, check = one_of_each()[kind], validator(SchemaName.EVENT)
    assert check.is_valid(event)
    lacking: dict[str, Json] = {name: {k: v for k, v in event.items() if k != name} for name in needed(KINDS[kind])}
    odd: dict[str, Json] = {
        name: {**event, name: 5 if isinstance(held, dict) else {"x": []}} for name, held in event.items()
    }
    assert [name for name, value in lacking.items() if check.is_valid(value)] == []
    assert [name for name, value in odd.items() if check.is_valid(value)] == []
    assert not check.is_valid({**event, "kind": "guessed"})
    assert not check.is_valid({**event, "mood": "good"})
    for value in (*lacking.values(), *odd.values()):
        with pytest.raises(LogFault):
            read_event(json.dumps(value))


@pytest.mark.rule("API-1")
@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        ("first_position", "p_top", 1.5),
        ("probe_answered", "p_top", -0.1),
        ("falsifier_declared", "concreteness", 2),
        ("dcg_calculated", "gap", 1.01),
        ("stage_transition", "entered", "BREAK"),
        ("debate_complete", "verdict", "settled"),
        ("debate_started", "protocol", "shouting"),
        ("debate_started", "settings", {"max_messages": 3.5}),
        ("debate_started", "settings", {"mood": 1}),
        ("coalition_detected", "groups", [{"members": ["ann"], "positions": [["t1"]]}]),
        ("coalition_detected", "groups", [{"members": ["ann"], "positions": [["t1", "MAYBE"]]}]),
        ("message_posted", "move", {"kind": "SHOUT"}),
    ],
)
def test_a_value_out_of_its_range_is_found(kind: str, field: str, value: typing.Any) -> None:
    assert not validator(SchemaName.EVENT).is_valid({**one_of_each()[kind], field: value})


# ---- results and minutes


def variants(hint: typing.Any, value: typing.Any) -> Iterator[tuple[str, typing.Any]]:
    """Each way in which a value, or the first of those inside it, can stop being what its type says."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if isinstance(hint, typing.NewType):
        yield from variants(hint.__supertype__, value)
    elif value is None:
        yield "something for nothing", {"x": 1}
    elif type(None) in args:
        yield from variants(args[0], value)
    elif origin is typing.Literal or (isinstance(hint, type) and issubclass(hint, StrEnum)):
        yield "a word of its own", f"{value}!"
    elif origin is tuple:
        yield "a text for a list", "x"
        for n in range(len(value))[:1]:
            yield from ((f"{n}.{w}", [*value[:n], v, *value[n + 1 :]]) for w, v in variants(args[0], value[n]))
    elif origin is dict:
        yield "a list for a mapping", []
        for key in sorted(value)[:1]:
            yield from ((f"{key}.{what}", {**value, key: v}) for what, v in variants(args[1], value[key]))
    elif is_dataclass(hint):
        yield "a field more", {**value, "mood": "good"}
        hints = typing.get_type_hints(hint)
        for f in fields(hint):
            key = wire.camel_name(f.name)
            yield f"without {key}", {k: v for k, v in value.items() if k != key}
            yield from ((f"{key}.{what}", {**value, key: v}) for what, v in variants(hints[f.name], value[key]))
    else:
        yield "another type", {"x": value} if hint is not str else 5


@cache
def outcomes(name: SchemaName) -> tuple[Json, ...]:
    logs = [name for name in all_stored() if "/" not in name]
    if name is SchemaName.MINUTES:
        found = [minutes_of(talk_events(events_of(log))) for log in logs if log.startswith("talk-")]
    else:
        found = [result_of(crux_events(events_of(log))) for log in logs if not log.startswith("talk-")]
    return tuple(json.loads(json.dumps(wire.camel(outcome), allow_nan=False)) for outcome in found)


@pytest.mark.rule("API-2")
@pytest.mark.parametrize("name", [SchemaName.RESULT, SchemaName.MINUTES])
def test_what_every_golden_debate_came_to_keeps_to_the_schema(name: SchemaName) -> None:
    assert len(outcomes(name)) > 5
    for outcome in outcomes(name):
        validator(name).validate(outcome)


@pytest.mark.rule("API-2")
@pytest.mark.parametrize(
    ("name", "kind", "least"), [(SchemaName.RESULT, Result, 400), (SchemaName.MINUTES, Minutes, 150)]
)
def test_nothing_that_differs_keeps_to_it(name: SchemaName, kind: type, least: int) -> None:
    fullest = max(outcomes(name), key=lambda outcome: len(json.dumps(outcome)))
    tried = list(variants(kind, fullest))
    assert len(tried) > least
    assert [what for what, value in tried if validator(name).is_valid(value)] == []


# What the schema of results promised when it was written by hand: where a number may be.
PROMISED: typing.Final = """
0:   Result.duration totalMessages cost; Agent.messages; StageSpan.messages duration lockAttempts; Refusal.untilMs;
     FalsifierItem.number; SteelmanPair.attempts; Metrics.messagesBlocked messagesHeld messagesDropped falsifiersRefused
     cruxLockAttempts cruxLockSuccesses cruxLockFailures steelmanAttempts steelmanRetries steelmansContested
     dcgPromotions horizonMismatches horizonAlignments horizonSplits threadsProposed threadsOpened threadsMerged
     threadsStale replies concessions cheapConcessions objections agentsExcused askFailures steelmansPlanted
     steelmansPlantedCaught calls tokens tokensIn tokensOut callsUnpriced reasonsBlocked.* failureReasons.*
     interventions.* changes.*
0 1: CruxResult.confidence; Position.confidence; FalsifierItem.concreteness; Counterfactual.credence ifYes ifNo;
     Dcg.coverage polarity impact score; PrivatePosition.pTop pTopAfter; Metrics.steelmanAccuracyRate
-1 1: ThreadResult.gapBefore gapAfter
-1 2.5: CruxResult.rank; TestedCandidate.rank
"""


def promised() -> Iterator[tuple[str, str, list[float]]]:
    for bounds, places in re.findall(r"^([-\d. ]+):((?:.|\n )*)", PROMISED, re.MULTILINE):
        for part in places.split(";"):
            kind, _, names = part.strip().partition(".")
            yield from ((kind, name, [float(n) for n in bounds.split()]) for name in names.split())


@pytest.mark.rule("API-2")
@pytest.mark.parametrize(("kind", "name", "bounds"), list(promised()))
def test_no_number_of_a_result_may_be_more_than_it_could(kind: str, name: str, bounds: list[float]) -> None:
    root = root_of(SchemaName.RESULT)
    key, _, inside = name.partition(".")
    spec = (root if kind == "Result" else root["$defs"][kind])["properties"][key]
    spec = spec["additionalProperties"] if inside else spec
    low, high = [*bounds, None][:2]
    check = Draft202012Validator(spec)
    assert low is not None and check.is_valid(low) and not check.is_valid(low - 1)
    assert check.is_valid(high if high is not None else 10**9)
    assert high is None or not check.is_valid(high + 0.1)


# ---- settings of a run, and the settings file


def test_the_settings_of_every_golden_run_keep_to_the_schema() -> None:
    found = [json.loads(stored(name)[0])["settings"] for name in all_stored()]
    assert sum(map(bool, found)) > 5
    for settings in found:
        validator(SchemaName.SETTINGS).validate(settings)
    assert root_of(SchemaName.SETTINGS)["properties"].keys() == {f.name for f in fields(Settings)}


CONFIG = """
model = "openai:gpt-5"
judge_model = ""
fallback = ["anthropic:claude", "openai:gpt-5-mini"]
base_url = "http://localhost:11434/v1"
grammar = true
per_minute = 3
at_once = 2
deadline = 2.5
max_cost = 1.0
max_calls = 10
max_tokens = 1000
"""


def test_a_settings_file_that_keeps_to_the_schema_is_read(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(CONFIG)
    given = tomllib.loads(CONFIG)
    validator(SchemaName.CONFIG).validate(given)
    assert given.keys() == {f.setting for f in setting_fields()}
    read = from_file(path)
    said = {f.setting: getattr(read, f.name) for f in setting_fields()}
    assert {name: list(value) if isinstance(value, tuple) else value for name, value in said.items()} == given


@pytest.mark.parametrize("line", ['mood = "good"', "per_minute = []", "max_calls = 2.5", 'grammar = "perhaps"'])
def test_what_a_settings_file_may_not_say_its_schema_does_not_allow(line: str, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(line)
    assert not validator(SchemaName.CONFIG).is_valid(tomllib.loads(line))
    with pytest.raises(BadInput):
        from_file(path)


# ---- how a schema is made


def test_what_a_comment_says_of_a_field_describes_it() -> None:
    held = root_of(SchemaName.RESULT)
    assert held["properties"]["cost"]["description"] == "dollars, as far as prices are known"
    assert held["$defs"]["Change"]["description"] == "A public change of side and what moved it"
    assert "description" not in held["$defs"]["StageSpan"]


class Opaque:
    """Nothing a schema could be made of."""


@dataclass(frozen=True)
class HoldsOpaque:
    what: Opaque


def test_a_type_that_no_schema_can_say_is_refused() -> None:
    with pytest.raises(AssertionError, match=r"Opaque.* has no schema"):
        write_schema("odd", "Odd", HoldsOpaque, WIRE)
