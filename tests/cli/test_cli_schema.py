"""crux schema: prints what ships, lists what there is, and says which names there are."""

import json

import pytest

from cruxfinder.exports.schemas import SCHEMAS, SchemaName, schema_text
from tests.cli.conftest import Crux


@pytest.mark.parametrize("name", SchemaName)
def test_a_schema_is_printed_as_it_ships(crux: Crux, name: SchemaName) -> None:
    said = crux("schema", name.value)
    assert (said.code, said.out, said.err) == (0, schema_text(name), "")
    assert json.loads(said.out)["title"] == SCHEMAS[name].title


def test_without_a_name_all_are_listed(crux: Crux) -> None:
    said = crux("schema")
    assert said.code == 0 and said.err == ""
    assert [line.split()[0] for line in said.out.splitlines()] == ["schema", *SchemaName]


def test_another_name_is_refused_with_those_there_are(crux: Crux) -> None:
    said = crux("schema", "events")
    assert said.code == 2 and said.out == "" and said.err.count("\n") == 1
    assert all(name.value in said.err for name in SchemaName)
