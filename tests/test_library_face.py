"""The face of the library: what it lists, the signatures it shows, and the one name that is shared with a package."""

import inspect
import itertools
import subprocess
import sys

import pytest

import cruxfinder as cf
from cruxfinder.app.debate_request import DebateRequest
from cruxfinder.app.gate_calls import GateOptions
from cruxfinder.app.options import options_of

DEBATE = {field.name for field in options_of(DebateRequest)}
USES = (
    "import cruxfinder.gate.router",
    "from cruxfinder.gate import router; assert router.__name__ == 'cruxfinder.gate.router'",
    "import cruxfinder as cf; assert cf.gate('git status').resolution == 'PROCEED'",
)


def test_dir_lists_what_there_is() -> None:
    assert dir(cf) == sorted(cf.__all__)
    assert all(getattr(cf, name) is not None for name in dir(cf))


def test_what_there_is_not_is_told_as_python_tells_it() -> None:
    with pytest.raises(AttributeError, match="module 'cruxfinder' has no attribute 'debates'"):
        cf.debates  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize(
    ("function", "options"),
    [
        (cf.debate, DEBATE),
        (cf.adebate, DEBATE),
        (cf.stream, DEBATE | {"only"}),
        (cf.stability, DEBATE | {"runs"}),
        (cf.astability, DEBATE | {"runs"}),
        (cf.gate, set(GateOptions.__annotations__)),
        (cf.agate, set(GateOptions.__annotations__)),
    ],
    ids=lambda given: getattr(given, "__name__", "options"),
)
def test_a_signature_names_every_option(function: object, options: set[str]) -> None:
    given = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    named = {one.name for one in given if one.kind is inspect.Parameter.KEYWORD_ONLY}
    assert named == options
    assert not any(one.kind is inspect.Parameter.VAR_KEYWORD for one in given)
    assert inspect.getdoc(function)


def test_a_signature_says_what_an_option_takes_and_what_it_is_without() -> None:
    given = inspect.signature(cf.debate).parameters
    told = {name: (inspect.formatannotation(given[name].annotation), given[name].default) for name in ("seed", "blind")}
    assert told == {"seed": ("int", 0), "blind": ("bool", False)}
    assert given["subject"].default is inspect.Parameter.empty
    with pytest.raises(TypeError, match="there is no option 'sead'"):
        cf.debate("bitcoin", sead=3)  # type: ignore[call-arg]


def test_importing_the_package_loads_next_to_nothing() -> None:
    code = "import sys; before = set(sys.modules); import cruxfinder; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    ours = {name for name in done.stdout.split() if name.startswith("cruxfinder")}
    assert ours == {"cruxfinder", "cruxfinder.version"}


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))), ids=str)
def test_the_function_gate_and_the_package_gate_are_both_there_in_any_order(order: tuple[int, ...]) -> None:
    code = "\n".join(USES[n] for n in (*order, *order))
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_gate_can_be_replaced_as_any_other_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cf, "gate", print)
    assert cf.gate is print
    monkeypatch.undo()
    assert cf.gate.__module__ == "cruxfinder.app.gate_calls"
