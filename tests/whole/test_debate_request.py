"""One request: what one surface takes every surface takes, with the same range, and the same words explain it."""

import json
from typing import Any, Final, cast

import pytest
from pydantic import ValidationError

import cruxfinder as cf
from cruxfinder.app import fork_changes
from cruxfinder.app import request_settings as run_options
from cruxfinder.app.debate_request import (
    DebateRequest,
    RequestField,
    SetBy,
    checked_number,
    field_named,
    kind_of,
    request_fields,
)
from cruxfinder.cli.request_flags import RequestFlags, read_flag
from cruxfinder.errors import BadInput
from cruxfinder.kernel.wire import camel_name
from cruxfinder.server.request_shapes import BeginRequest

EVERYWHERE = [field for field in request_fields(SetBy.ALL) if field.kind in ("whole", "number")]


def http_takes(name: str, value: object) -> bool:
    try:
        BeginRequest.model_validate({"pack": "bitcoin", camel_name(name): value})
    except ValidationError:
        return False
    return True


def command_takes(field: RequestField, value: object) -> bool:
    try:
        read_flag(field, value)
    except BadInput:
        return False
    return True


def python_takes(name: str, value: Any) -> bool:
    try:
        run_options.settings(cast("DebateRequest", {name: value}))
    except BadInput:
        return False
    return True


@pytest.mark.parametrize("field", EVERYWHERE, ids=lambda field: field.name)
def test_a_range_is_the_same_on_every_surface(field: RequestField) -> None:
    low, high = field.option.range
    step = 1 if field.kind == "whole" else (high - low) / 1000
    kind = int if field.kind == "whole" else float
    for value in (low - step, low, (low + high) // 2 or 1, high, high + step):
        within = low <= value <= high
        assert http_takes(field.name, kind(value)) is within, value
        assert command_takes(field, kind(value)) is within, value


@pytest.mark.parametrize(
    "field", [f for f in EVERYWHERE if f.name not in ("seed", "cast")], ids=lambda field: field.name
)
def test_python_and_a_fork_keep_to_the_same_range(field: RequestField) -> None:
    low, high = field.option.range
    for value in (low, high, high + 1):
        within = value <= high
        assert python_takes(field.name, int(value) if field.kind == "whole" else value) is within
        if SetBy.FORK in field.option.by:
            try:
                fork_changes.setting_of(field, f"{value:.6f}".rstrip("0").rstrip("."), "a change")
                assert within
            except BadInput:
                assert not within


@pytest.mark.parametrize("given", [0, "many", -3])
def test_python_and_the_command_line_refuse_with_the_same_sentence(given: Any) -> None:
    told = []
    for refuse in (
        lambda: run_options.settings({"max_messages": given}),
        lambda: read_flag(field_named("max_messages"), given),
    ):
        with pytest.raises(BadInput) as fault:
            refuse()
        told.append(str(fault.value))
    assert told[0].removeprefix("max_messages") == told[1].removeprefix("--max-messages")
    assert told[0] != told[1]


def test_every_flag_is_told_what_it_means() -> None:
    for flag in RequestFlags.flag_parameters():
        (shown,) = flag.annotation.__metadata__
        assert shown.help == field_named(flag.name).option.help


def test_the_body_of_a_request_has_each_option_with_its_words() -> None:
    shape = json.loads(json.dumps(BeginRequest.model_json_schema()))["properties"]
    for field in request_fields(SetBy.HTTP):
        assert shape[camel_name(field.name)]["description"] == field.option.help


def test_callers_of_a_server_name_no_files_and_no_addresses() -> None:
    named = {field.name for by in (SetBy.HTTP, SetBy.MCP) for field in request_fields(by)}
    assert named.isdisjoint({"personas", "positions", "transcript", "anchors", "limits", "base_url", "store", "model"})


def test_only_what_was_given_on_the_command_line_is_asked_for() -> None:
    given = {flag.name: flag.default for flag in RequestFlags.flag_parameters()}
    assert RequestFlags.from_flags(given).said == {}
    some = given | {"blind": True, "ask_user": False, "agents": "a, b", "roles": ["host=monk"], "seed": 3}
    assert RequestFlags.from_flags(some).said == {
        "blind": True,
        "ask_user": False,
        "agents": ("a", "b"),
        "roles": {"host": "monk"},
        "seed": 3,
    }


@pytest.mark.parametrize(
    ("hint", "kind"), [(bool, "flag"), (int | None, "whole"), (float | None, "number"), (str, "text")]
)
def test_the_kind_of_an_option_is_read_from_its_type(hint: Any, kind: str) -> None:
    assert kind_of(hint) == kind


def test_a_range_is_told_in_full() -> None:
    with pytest.raises(BadInput, match=r"^max_messages takes a whole number from 1 to 100,000$"):
        checked_number("max_messages", 0)
    with pytest.raises(BadInput, match=r"^--deadline takes a number from 0\.05 to 3,600$"):
        checked_number("deadline_s", 0, "--deadline")


TOPIC: Final = "Bitcoin is a good store of value"


@pytest.mark.parametrize("said", [TOPIC, f"  {TOPIC.lower()}.  ", "Bitcoin", "bitcoin"])
def test_a_topic_finds_its_pack(said: str) -> None:
    assert cf.debate(said, max_messages=5).result.topic == TOPIC


def test_a_topic_with_personas_of_its_own_is_no_pack() -> None:
    with pytest.raises(BadInput, match="needs a model"):
        cf.debate(TOPIC, positions=["memo.md"])


def test_agents_are_named_by_id_or_name() -> None:
    by_id = cf.debate("bitcoin", agents=["holder", "trader"], max_messages=5)
    by_name = cf.debate("bitcoin", agents=["Ines", " Rufus"], max_messages=5)
    assert by_name.result.agents == by_id.result.agents
    with pytest.raises(BadInput, match="an agent is named twice"):
        cf.debate("bitcoin", agents=["holder", "Ines"])
    talk = cf.debate("bitcoin", protocol="debate", roles={"proponent": "Rufus", "opponent": "INES"}, max_messages=4)
    roles = {speaker.id: speaker.role for speaker in talk.minutes.agents}
    assert (roles["trader"], roles["holder"]) == ("proponent", "opponent")
