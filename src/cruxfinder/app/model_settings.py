"""Where options of models come from: flags first, then the environment, then a file of one's own."""

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeVar

from cruxfinder.app.model_request import ModelRequest, said_in
from cruxfinder.app.options import OptionField, SetBy, checked_value, options_of, value_of_text
from cruxfinder.errors import BadInput, BadOption

VARIABLE: Final = "CRUX_CONFIG"
PREFIX: Final = "CRUX_"
FILE_MAX: Final = 64 * 1024
R = TypeVar("R", bound=ModelRequest)


def setting_fields() -> tuple[OptionField, ...]:
    """What the environment and the settings file may say."""
    return tuple(field for field in options_of(ModelRequest) if SetBy.SETTINGS in field.option.by)


def variable_of(field: OptionField) -> str:
    return f"{PREFIX}{field.setting.upper()}"


def with_model_settings(flags: R, environment: Mapping[str, str] | None = None) -> R:
    """Each option from the first place that says it."""
    env = os.environ if environment is None else environment
    known = setting_fields()
    said = [said_in(request, known) for request in (from_file(config_path(env)), from_environment(env), flags)]
    return replace(flags, **{name: value for one in said for name, value in one.items()})


def from_environment(env: Mapping[str, str]) -> ModelRequest:
    """A variable that is empty is not set."""
    given = {field.name: env.get(variable_of(field), "") for field in setting_fields()}
    return read_settings({name: text for name, text in given.items() if text}, variable_of)


def config_path(env: Mapping[str, str]) -> Path | None:
    """The file named by CRUX_CONFIG, or cruxfinder/config.toml where such files live, if it is there."""
    if named := env.get(VARIABLE, "").strip():
        path = Path(named).expanduser()
        if not path.is_file():
            raise BadInput(f"{VARIABLE} names {named}, and there is no such file")
        return path
    # Relative folders are ignored, as the XDG specification says: the folder one works in may be anybody's.
    homes = (Path(env.get("XDG_CONFIG_HOME", "").strip()), Path(env.get("HOME", "")) / ".config")
    home = next((home for home in homes if home.is_absolute()), None)
    path = None if home is None else home / "cruxfinder" / "config.toml"
    return path if path is not None and path.is_file() else None


def from_file(path: Path | None) -> ModelRequest:
    if path is None:
        return ModelRequest()
    try:
        if path.stat().st_size > FILE_MAX:
            raise BadInput(f"{path} is too large for a settings file")
        found = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInput(f"{path} cannot be read: {error}") from None
    known = {field.setting: field.name for field in setting_fields()}
    if strange := sorted(set(found) - set(known)):
        raise BadInput(
            f"{path} says {strange[0]!r}; it may say {', '.join(sorted(known))}, and keys are never kept there"
        )
    given = {known[key]: value for key, value in found.items()}
    return read_settings(given, lambda field: f"{path}: {field.setting}")


def read_settings(given: Mapping[str, object], spell: Callable[[OptionField], str]) -> ModelRequest:
    """Texts, of the environment or in a file, stand for what they say; lists may be told with commas."""
    found: dict[str, Any] = {}
    for field in setting_fields():
        value = given.get(field.name)
        as_text = isinstance(value, str) and (spell is variable_of or field.kind in ("list", "flag"))
        try:
            found[field.name] = checked_value(field, value_of_text(field.kind, str(value)) if as_text else value)
        except BadOption as fault:
            raise BadInput(fault.sentence(lambda _, field=field: spell(field))) from None
    return ModelRequest(**found)
