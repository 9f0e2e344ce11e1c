"""One request: what one surface takes every surface takes, in the same sense; what one refuses all refuse, in one
sentence that spells the option as that surface does.
"""

import json
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from math import isfinite, isinf, nextafter
from pathlib import Path
from typing import Any, Final

import pytest
import typer
from fastapi.exceptions import RequestValidationError
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mcp.server.mcpserver.utilities.func_metadata import func_metadata
from pydantic import ValidationError
from typer.testing import CliRunner

import cruxfinder as cf
from cruxfinder.adapters.packs.pack_finder import find
from cruxfinder.adapters.stores.memory_store import MemoryStore
from cruxfinder.app import fork_changes
from cruxfinder.app.debate_plan import plan_debate, settings_of
from cruxfinder.app.debate_request import (
    DebateRequest,
    field_named,
    request_fields,
    spell_camel,
    spell_flag,
)
from cruxfinder.app.gate_rules import rules_in_force
from cruxfinder.app.model_request import ModelRequest
from cruxfinder.app.model_settings import from_environment, from_file, setting_fields, variable_of
from cruxfinder.app.options import (
    YES_OR_NO,
    OptionField,
    SetBy,
    in_digits,
    kind_of,
    options_of,
    spell_key,
    value_of_text,
)
from cruxfinder.app.server_setup import Setup
from cruxfinder.cli.flag_groups import expand_flag_groups
from cruxfinder.cli.request_flags import RequestFlags
from cruxfinder.errors import BadInput, BadOption
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.gate.runtime.gate_memory import Memory
from cruxfinder.kernel.settings import Settings
from cruxfinder.kernel.wire import camel_name
from cruxfinder.mcp import debate_tools
from cruxfinder.server.begin_request import debate_request
from cruxfinder.server.problem_handlers import unusable
from cruxfinder.server.problems import problem_of
from cruxfinder.server.request_shapes import BeginRequest

SUBJECT: Final = "bitcoin"
Wish = Mapping[str, Any]


@dataclass(frozen=True)
class Refused:
    """The sentence, with each option that it names spelt as in Python."""

    told: str


Answer = DebateRequest | Refused


# ---- the surfaces


def in_python(wish: Wish) -> Answer:
    try:
        return DebateRequest(SUBJECT, **wish)
    except BadInput as fault:
        return Refused(str(fault))


def unspelt(told: str, spell: Callable[[str], str], names: Sequence[str]) -> Refused:
    """Longest first, as one spelling may be the beginning of another."""
    asked = {spell(name) for name in names}
    others = [name for name in ("protocol", "people", "model") if spell(name) not in asked]
    for name in sorted((*names, *others), key=lambda name: -len(spell(name))):
        told = re.sub(rf"(?<![\w'-]){re.escape(spell(name))}(?![\w'-])", name, told)
    return Refused(told)


def over_http(wish: Wish) -> Answer:
    body = json.loads(json.dumps({"topic": SUBJECT, **{spell_camel(name): value for name, value in wish.items()}}))
    try:
        return debate_request(BeginRequest.model_validate(body))
    except ValidationError as fault:
        return unspelt(unusable(RequestValidationError(fault.errors())).detail, spell_camel, list(wish))
    except BadInput as fault:
        return unspelt(problem_of(fault).detail, spell_camel, list(wish))


def over_mcp(wish: Wish) -> Answer:
    def tool(**asked: Any) -> None: ...

    debate_tools.name_arguments(tool, request_fields(SetBy.MCP))
    arguments = func_metadata(tool).validate_arguments(json.loads(json.dumps(dict(wish))))
    try:
        return DebateRequest(SUBJECT, **arguments)
    except BadInput as fault:
        return Refused(str(fault))


def on_the_command_line(wish: Wish) -> Answer:
    """Parsed by the parser of the command, and not run."""
    heard: list[Answer] = []

    def listen(subject: str, *, asked: RequestFlags) -> None:
        heard.append(asked.request(subject))

    app = typer.Typer()
    app.command()(expand_flag_groups(listen))
    done = CliRunner().invoke(app, [SUBJECT, *(text for name, value in wish.items() for text in flags(name, value))])
    if isinstance(done.exception, BadOption):
        return unspelt(done.exception.sentence(spell_flag), spell_flag, list(wish))
    assert heard, done.output
    return heard[0]


def flags(name: str, value: Any) -> list[str]:
    field = field_named(name)
    match field.kind:
        case "flag":
            yes, _, no = field.flag.partition("/")
            return [yes] if value else [no] if no else []
        case "list" if field.option.commas:
            return [f"{field.flag}={','.join(value)}"] if value else []
        case "list":
            return [f"{field.flag}={word}" for word in value]
        case "map":
            return [f"{field.flag}={key}={word}" for key, word in value.items()]
        case _:
            return [f"{field.flag}={as_text(value)}"]


def as_text(value: Any) -> str:
    return repr(value) if isinstance(value, float) else str(value)


def in_the_environment(wish: Wish) -> Answer:
    env = {variable_of(field_named(name)): setting_text(value) for name, value in wish.items()}
    try:
        return with_settings(from_environment(env))
    except BadInput as fault:
        return unspelt(str(fault), lambda name: variable_of(field_named(name)), list(wish))


def setting_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(value) if isinstance(value, list) else as_text(value)


def in_the_settings_file(wish: Wish) -> Answer:
    lines = [f"{field_named(name).setting} = {toml(value)}" for name, value in wish.items()]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "crux.toml"
        path.write_text("\n".join(lines), "utf-8")
        try:
            return with_settings(from_file(path))
        except BadInput as fault:
            told = str(fault).removeprefix(f"{path}: ")
            return unspelt(told, lambda name: field_named(name).setting, list(wish))


def toml(value: Any) -> str:
    if isinstance(value, float) and not isfinite(value):
        return ("-" if value < 0 else "") + "inf" if isinf(value) else "nan"
    return as_text(value) if isinstance(value, float) else json.dumps(value)


def with_settings(found: Any) -> DebateRequest:
    said = {field.name: getattr(found, field.name) for field in setting_fields()}
    return replace(DebateRequest(SUBJECT), **said)


def as_fork_keys(wish: Wish) -> Settings | Refused:
    changes = [f"{spell_key(name)}={setting_text(value)}" for name, value in wish.items()]
    try:
        return fork_changes.apply(changes, PACK, Settings()).settings
    except BadInput as fault:
        return unspelt(str(fault), spell_key, list(wish))


PACK: Final = find(SUBJECT)[0]
SURFACES: Final[dict[SetBy, Callable[[Wish], Answer]]] = {
    SetBy.COMMAND: on_the_command_line,
    SetBy.HTTP: over_http,
    SetBy.MCP: over_mcp,
}


# ---- what is asked for


WORDS = st.sampled_from(
    [
        *("holder", "Ines", "host", "proponent", "a model", "openai:gpt-5-mini", "x" * 80, "x" * 81),
        *(" ", "\t", "\N{NO-BREAK SPACE}", " Ines ", "-x", "--seed", "a\tb", "a\nb", "\N{ZERO WIDTH SPACE}"),
        *("\N{ARABIC-INDIC DIGIT THREE}", "\N{HIRAGANA LETTER A}", "x" * 4_001),
    ]
)


def values_of(field: OptionField) -> st.SearchStrategy[Any]:
    """In the range, at its ends, just beyond them, far beyond them, and of another type."""
    option = field.option
    match field.kind:
        case "flag":
            return st.booleans()
        case "whole" | "number":
            low, high = option.range
            ends = [low, high, low - 1, high + 1, (low + high) / 2, -1, 0, -0.0, 1, 7.0, 1e30, -1e30, 2.5, 1e-300]
            if field.kind == "number":
                ends += [nextafter(low, -1e9), nextafter(high, 1e12), low + 1e-9]
            whole = [int(end) for end in ends if end == int(end)]
            texts = ("many", "two words", " ", "\N{FULLWIDTH DIGIT SEVEN} x", "1_000x")
            return st.one_of(st.sampled_from(ends), st.sampled_from(whole), st.sampled_from(texts))
        case "text" if option.choices:
            first = option.all_choices[0]
            return st.sampled_from((*option.all_choices, "magic", "", " ", first.upper(), f" {first} "))
        case "text":
            return WORDS
        case "list":
            most = min(option.entries_max or 3, 13)
            known = st.sampled_from(option.all_choices) if option.choices else WORDS
            return st.lists(st.one_of(known, st.just("nobody")), max_size=most + 1)
        case _:
            return st.dictionaries(WORDS.filter(lambda word: "=" not in word), WORDS, max_size=14)


def wishes(by: SetBy, most: int = 3) -> st.SearchStrategy[dict[str, Any]]:
    known = {field.name: field for field in request_fields(by)}
    return st.lists(st.sampled_from(sorted(known)), unique=True, max_size=most).flatmap(
        lambda names: st.fixed_dictionaries({name: values_of(known[name]) for name in names})
    )


def settable(wish: Wish, by: SetBy) -> bool:
    return all(by in field_named(name).option.by for name in wish)


def can_be_typed(wish: Wish) -> bool:
    """A flag without a value cannot be told to be false, nor a list to be empty: then it is left out."""
    return not any(value is False and "/" not in field_named(name).flag for name, value in wish.items())


def compare(wish: dict[str, Any], alone: bool) -> None:
    wanted = in_python(wish)
    for by, surface in SURFACES.items():
        if settable(wish, by):
            found = surface(wish)
            assert same(found, wanted, alone=alone), (by, wish, found, wanted)
    if wish and settable(wish, SetBy.SETTINGS):
        for surface in (in_the_environment, in_the_settings_file):
            found = surface(wish)
            assert same(found, wanted, alone=alone), (surface, wish, found, wanted)
    if wish and settable(wish, SetBy.FORK):
        changed = as_fork_keys(wish)
        assert same(changed, settings_of(wanted) if isinstance(wanted, DebateRequest) else wanted, alone=alone), wish


def same(found: object, wanted: object, *, alone: bool) -> bool:
    """The sentence is compared where one option is asked for: of several faults each surface tells one."""
    if isinstance(found, Refused) and isinstance(wanted, Refused) and not alone:
        return True
    return found == wanted


ANY: Final = SetBy.COMMAND  # every option that is not for Python alone


@settings(max_examples=150, deadline=None)
@given(wishes(ANY, most=1))
@example({"deadline_s": 0.001})
@example({"max_messages": 100_001})
@example({"roles": {"host": "Ines"}})
@example({"max_cost": 1e-9})
@example({"seed": 2**53})
def test_every_surface_takes_and_refuses_the_same(wish: dict[str, Any]) -> None:
    compare(wish, alone=True)


@settings(max_examples=60, deadline=None)
@given(st.one_of(*(wishes(by) for by in (ANY, SetBy.HTTP, SetBy.MCP, SetBy.SETTINGS, SetBy.FORK))))
def test_options_together_mean_the_same_everywhere(wish: dict[str, Any]) -> None:
    compare(wish, alone=False)


@pytest.mark.slow
@settings(max_examples=4_000, deadline=None)
@given(st.one_of(*(wishes(by, most=6) for by in (ANY, SetBy.HTTP, SetBy.MCP, SetBy.SETTINGS, SetBy.FORK))))
def test_options_together_mean_the_same_everywhere_at_length(wish: dict[str, Any]) -> None:
    compare(wish, alone=len(wish) < 2)


WRONG: Final[dict[str, list[Any]]] = {
    "flag": ["yes", 1, [], {}],
    "whole": [True, "7", 2.5, [], {}],
    "number": [True, "7", [], {}],
    "text": [5, True, [], {}],
    "list": ["holder,trader", 5, {}, [5], [[]], [""]],
    "map": ["host=ada", 5, [], {"host": 5}, {"": "ada"}],
}


@pytest.mark.parametrize("field", request_fields(SetBy.HTTP), ids=lambda field: field.name)
def test_a_value_of_another_type_is_refused_with_one_sentence(field: OptionField) -> None:
    for value in WRONG[field.kind]:
        wanted = in_python({field.name: value})
        assert isinstance(wanted, Refused) and wanted.told.startswith(f"{field.name} "), value
        assert over_http({field.name: value}) == wanted
        if SetBy.MCP in field.option.by:
            assert over_mcp({field.name: value}) == wanted


# ---- what is made from it


def test_every_flag_is_told_what_it_means() -> None:
    shown = {flag.name: flag.annotation.__metadata__[0].help for flag in RequestFlags.flag_parameters()}
    for field in request_fields(SetBy.COMMAND):
        if field.name != "models":  # shares `--model`
            assert field.option.help.removesuffix(".") in shown[field.name]
    assert "AGENT=MODEL" in shown["model"]


def test_the_body_of_a_request_has_each_option_with_its_words_and_its_range() -> None:
    shape = json.loads(json.dumps(BeginRequest.model_json_schema()))["properties"]
    for field in request_fields(SetBy.HTTP):
        told = shape[camel_name(field.name)]
        assert told["description"] == field.option.help
        if field.option.low is not None:
            assert (told["anyOf"][0]["minimum"], told["anyOf"][0]["maximum"]) == field.option.range


def test_callers_of_a_server_name_no_files_and_no_addresses() -> None:
    named = {field.name for by in (SetBy.HTTP, SetBy.MCP, SetBy.FORM, SetBy.FORK) for field in request_fields(by)}
    kept = {"personas", "positions", "transcript", "anchors", "limits", "base_url", "store", "model", "models"}
    assert named.isdisjoint(kept | {"judge_model", "fallbacks", "grammar", "run"})


def test_every_field_of_a_request_but_its_subject_is_an_option_with_words() -> None:
    assert {field.name for field in fields(DebateRequest)} - {"subject"} == {
        field.name for field in options_of(DebateRequest) if field.option.help
    }


def test_only_what_was_given_on_the_command_line_is_asked_for() -> None:
    given = {flag.name: flag.default for flag in RequestFlags.flag_parameters()}
    assert RequestFlags.from_flags(given).said == {}
    some = given | {"blind": True, "ask_user": False, "agents": "a, b", "roles": ["host=monk"], "seed": "3"}
    some |= {"model": ["openai:a", "Ada=openai:b"]}
    assert RequestFlags.from_flags(some).said == {
        "blind": True,
        "ask_user": False,
        "agents": ["a", "b"],
        "roles": {"host": "monk"},
        "seed": 3,
        "model": "openai:a",
        "models": {"Ada": "openai:b"},
    }


@pytest.mark.parametrize(
    ("hint", "kind"), [(bool, "flag"), (int | None, "whole"), (float | None, "number"), (str, "text")]
)
def test_the_kind_of_an_option_is_read_from_its_type(hint: Any, kind: str) -> None:
    assert kind_of(hint) == kind


@pytest.mark.parametrize(
    ("wish", "python", "flag"),
    [
        ({"max_messages": 0}, "max_messages takes a whole number from 1 to 100,000, not 0", "--max-messages takes"),
        ({"deadline_s": 0.001}, "deadline_s takes a number from 0.05 to 3,600, not 0.001", "--deadline takes"),
        ({"max_cost": 1e-9}, "max_cost takes a number from 0.000001 to 100,000, not 0.000000001", "--max-cost takes"),
        ({"planted": 13}, "planted takes a whole number from 0 to 12, not 13", "--plant takes"),
        (
            {"roles": {"host": "x"}},
            "roles goes with a conversation: add protocol r",
            "conversation: add --protocol",
        ),
        ({"people_wait_s": 3}, "people_wait_s goes with a seat for a person: add people", "add --people"),
        ({"embedder": "magic"}, "embedder takes no 'magic'; it takes static, keyword", "--embedder takes no"),
        ({"agents": "a,b"}, "agents takes a list of texts, not 'a,b'", "--agents takes"),
    ],
    ids=str,
)
def test_a_fault_is_told_in_digits_and_spells_the_option_as_the_surface_does(
    wish: Wish, python: str, flag: str
) -> None:
    with pytest.raises(BadOption) as fault:
        DebateRequest("bitcoin", **wish)
    assert str(fault.value).startswith(python)
    assert flag in fault.value.sentence(spell_flag)


@pytest.mark.parametrize(
    ("number", "told"), [(1_000_000, "1,000,000"), (0.05, "0.05"), (3600.0, "3,600"), (1e-9, "0.000000001"), (-7, "-7")]
)
def test_numbers_are_told_in_digits(number: float, told: str) -> None:
    assert in_digits(number) == told


SUBJECTS: Final = (
    "",
    "  ",
    "\t",
    5,
    True,
    ["bitcoin"],
    {},
    "bitcon",
    "no such",
    "x y" * 700,
    " Bitcoin ",
    "a b",
    "x" * 90,
)


@pytest.mark.parametrize("said", SUBJECTS, ids=lambda said: repr(said)[:20])
def test_what_a_debate_is_about_is_refused_in_one_sentence(said: Any) -> None:
    """By the library, in a body as topic and as pack, by the tool; only a person is told of files."""

    def told_by(ask: Callable[[], DebateRequest]) -> str:
        try:
            plan_debate(replace(ask(), model="openai:a"))
        except ValidationError as fault:
            return unusable(RequestValidationError(fault.errors())).detail
        except BadInput as fault:
            return str(fault).removesuffix(" (your own pack is the path of a .yaml file)")
        return ""

    def ask_tool() -> DebateRequest:
        wished = ModelRequest(model="openai:a")
        gate = Gate(rules=rules_in_force(), memory=Memory(Path("nowhere")), disabled=True)
        setup = Setup(gate=gate, store=MemoryStore(), wished=wished)
        return debate_tools.debate_request(setup, said, {"with_model": None})

    wanted = told_by(lambda: DebateRequest(said))
    assert bool(wanted) == (said != " Bitcoin ")
    assert told_by(lambda: debate_request(BeginRequest.model_validate({"topic": said}))) == wanted
    assert told_by(ask_tool) == wanted
    if not isinstance(said, str) or " " not in said.strip():
        assert told_by(lambda: debate_request(BeginRequest.model_validate({"pack": said}))) == wanted


def test_texts_stand_for_numbers_alike_wherever_they_are_typed() -> None:
    odd = [
        "\N{ARABIC-INDIC DIGIT THREE}",
        "1_000",
        "0x10",
        "1e2",
        "+7",
        "07",
        " 7 ",
        "7.",
        ".5",
        "1,000",
        "-",
        "\u22127",
    ]
    for name in ("max_calls", "max_cost", "max_tokens"):
        field = field_named(name)
        for text in (*odd, *YES_OR_NO, "NaN", "-inf", "1e999"):
            said = value_of_text(field.kind, text)
            wanted = in_python({name: said})
            as_flag = RequestFlags.from_flags(
                {f.name: f.default for f in RequestFlags.flag_parameters()} | {name: text}
            )
            assert as_flag.said == {name: said} or repr(as_flag.said) == repr({name: said}), text
            assert in_the_environment({name: text}) == wanted, text
            changed = as_fork_keys({name: text})
            assert changed == (settings_of(wanted) if isinstance(wanted, DebateRequest) else wanted), text


# ---- names


TOPIC: Final = "Bitcoin is a good store of value"


@pytest.mark.parametrize(
    "said", [TOPIC, f"  {TOPIC.lower()}.  ", f"{TOPIC}?", f"{TOPIC.upper()}!", "Bitcoin", "bitcoin"]
)
def test_a_topic_finds_its_pack(said: str) -> None:
    assert cf.debate(said, max_messages=5).result.topic == TOPIC
    assert debate_request(BeginRequest.model_validate({"topic": said})).pack == "bitcoin"
    assert RequestFlags({}).request(said).pack == "bitcoin"


def test_a_topic_with_personas_of_its_own_is_no_pack() -> None:
    with pytest.raises(BadInput, match="needs a model"):
        cf.debate(TOPIC, positions=["memo.md"])


def test_agents_are_named_by_id_or_name() -> None:
    by_id = cf.debate("bitcoin", agents=["holder", "trader"], max_messages=5)
    by_name = cf.debate("bitcoin", agents=["Ines", " RUFUS"], max_messages=5)
    assert by_name.result.agents == by_id.result.agents
    with pytest.raises(BadInput, match="an agent is named twice"):
        cf.debate("bitcoin", agents=["holder", "Ines"])
    talk = cf.debate("bitcoin", protocol="debate", roles={"Proponent": "Rufus", "opponent": "INES"}, max_messages=4)
    roles = {speaker.id: speaker.role for speaker in talk.minutes.agents}
    assert (roles["trader"], roles["holder"]) == ("proponent", "opponent")


def test_models_and_seats_are_given_to_agents_by_name() -> None:
    plan = plan_debate(
        DebateRequest(
            "bitcoin", model="openai:a", models={"INES": "openai:b"}, people=["@Rufus"], agents=["ines", "trader"]
        )
    )
    assert plan.pack is not None
    assert [(p.id, p.model, p.is_person) for p in plan.pack.personas] == [
        ("holder", "openai:b", False),
        ("trader", "", True),
    ]
    with pytest.raises(BadInput, match="an agent is given two models"):
        plan_debate(DebateRequest("bitcoin", model="openai:a", models={"Ines": "openai:b", "holder": "openai:c"}))


def test_a_fork_names_a_persona_by_its_name() -> None:
    by_name = fork_changes.apply(["persona.INES.openness=1"], PACK, Settings())
    assert by_name == fork_changes.apply(["persona.holder.openness=1"], PACK, Settings()) != PACK


# ---- the body of the first design


BODY: Final = {
    "topic": "Bitcoin is a good store of value.",
    "personaIds": ["Ines", "trader"],
    "config": {
        "maxDuration": 300_000,
        "maxMessages": 50,
        "attentionThreshold": 0.6,
        "convergenceThreshold": 0.75,
    },
}


def test_the_body_of_the_first_design_is_understood() -> None:
    assert debate_request(BeginRequest.model_validate(BODY)) == DebateRequest(
        "bitcoin", agents=["Ines", "trader"], max_messages=50, max_minutes=5.0, attention=0.6
    )


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({**BODY, "maxRounds": 3}, "a debate has no 'maxRounds'; it has agents, askUser, attention, "),
        ({**BODY, "config": {"maxRounds": 3}}, "config has no 'maxRounds'; it has attentionThreshold, convergenceThr"),
        ({**BODY, "config": {"maxMessages": 0}}, "maxMessages takes a whole number from 1 to 100,000, not 0"),
        ({**BODY, "config": {"maxDuration": 5}}, "maxDuration takes a whole number from 6,000 to 600,000,000, not 5"),
        (
            {**BODY, "config": {"convergenceThreshold": 0.8}},
            "convergenceThreshold is 0.75, not 0.8: it is",
        ),
        ({**BODY, "personaIds": "Ines"}, "personaIds takes a list of texts, not 'Ines'"),
    ],
)
def test_a_key_that_there_is_not_is_told_with_those_there_are(body: dict[str, Any], told: str) -> None:
    with pytest.raises(ValidationError) as fault:
        BeginRequest.model_validate(body)
    detail = unusable(RequestValidationError(fault.value.errors())).detail
    assert detail.startswith(told) and "\n" not in detail
