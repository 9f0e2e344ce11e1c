"""What a tool says it answers is what the gate's own values hold, every field of them."""

from dataclasses import dataclass, fields

import pytest

from cruxfinder.gate.records import Metric, Report
from cruxfinder.gate.runtime.verdicts import GateVerdict, TaskStatus
from cruxfinder.kernel.wire import camel_name
from cruxfinder.mcp.tool_shapes import FIELD_NOTES, shape_of


@pytest.mark.parametrize("kind", [GateVerdict, TaskStatus, Metric, Report])
def test_a_shape_has_every_field_and_no_other(kind: type) -> None:
    schema = shape_of(kind).model_json_schema()
    named = {camel_name(f.name) for f in fields(kind)}
    assert set(schema["properties"]) == set(schema["required"]) == named
    assert schema["additionalProperties"] is False
    for inner in schema.get("$defs", {}).values():
        if "enum" not in inner:
            assert set(inner["required"]) == set(inner["properties"]) and inner["additionalProperties"] is False


def test_what_a_client_has_to_know_of_a_field_is_told() -> None:
    schema = shape_of(GateVerdict).model_json_schema()
    for name, note in FIELD_NOTES[GateVerdict].items():
        assert schema["properties"][camel_name(name)]["description"] == note
    assert schema["$defs"]["GateResolution"]["enum"] == ["PROCEED", "MODIFY", "RETRY", "PIVOT", "ESCALATE"]


@dataclass(frozen=True)
class Renamed:
    verdict: str


def test_a_note_on_a_field_that_is_gone_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FIELD_NOTES, Renamed, {"resolution": "Go on."})
    with pytest.raises(AssertionError, match="lacks a field that is described"):
        shape_of(Renamed)
