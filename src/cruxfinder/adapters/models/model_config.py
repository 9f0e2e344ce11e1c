"""Where a wish for models comes from: flags first, then the environment, then a file of one's own."""

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from math import isfinite
from pathlib import Path
from typing import Final, TypeVar, cast

from cruxfinder.errors import BadInput

T = TypeVar("T")
VARIABLE: Final = "CRUX_CONFIG"
PREFIX: Final = "CRUX_"
FILE_MAX: Final = 64 * 1024
FLAGS: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfig:
    """Empty or zero: not said."""

    model: str = ""
    judge_model: str = ""
    fallback: tuple[str, ...] = ()
    base_url: str = ""
    grammar: bool = False
    per_minute: int = 0
    at_once: int = 0
    deadline: float = 0.0
    max_cost: float = 0.0
    max_calls: int = 0
    max_tokens: int = 0


def resolve_model_config(flags: ModelConfig, environment: Mapping[str, str] | None = None) -> ModelConfig:
    """Each wish from the first place that says it."""
    env = os.environ if environment is None else environment
    said = [flags, from_environment(env), from_file(config_path(env))]
    found = {f.name: next((v for w in said if (v := getattr(w, f.name))), f.default) for f in fields(ModelConfig)}
    return ModelConfig(**found)  # pyright: ignore[reportArgumentType]


def from_environment(env: Mapping[str, str]) -> ModelConfig:
    given = {f.name: env.get(f"{PREFIX}{f.name.upper()}", "").strip() for f in fields(ModelConfig)}
    return parse_model_config({name: text for name, text in given.items() if text}, PREFIX)


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


def from_file(path: Path | None) -> ModelConfig:
    if path is None:
        return ModelConfig()
    try:
        if path.stat().st_size > FILE_MAX:
            raise BadInput(f"{path} is too large for a settings file")
        found = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInput(f"{path} cannot be read: {error}") from None
    known = {f.name for f in fields(ModelConfig)}
    if strange := sorted(set(found) - known):
        raise BadInput(
            f"{path} says {strange[0]!r}; it may say {', '.join(sorted(known))}, and keys are never kept there"
        )
    return parse_model_config(found, f"{path}: ")


def parse_model_config(given: Mapping[str, object], where: str) -> ModelConfig:
    """Texts of the environment and values of a file, typed as the wishes are."""

    def read(name: str, kind: Callable[[object], T], default: T) -> T:
        if name not in given:
            return default
        try:
            return kind(given[name])
        except (KeyError, TypeError, ValueError):
            named = f"{where}{name.upper() if where == PREFIX else name}"
            raise BadInput(f"{named} cannot be {str(given[name])[:60]!r}") from None

    return ModelConfig(
        model=read("model", text, ""),
        judge_model=read("judge_model", text, ""),
        fallback=read("fallback", text_list, ()),
        base_url=read("base_url", text, ""),
        grammar=read("grammar", flag, False),
        per_minute=read("per_minute", whole, 0),
        at_once=read("at_once", whole, 0),
        deadline=read("deadline", number, 0.0),
        max_cost=read("max_cost", number, 0.0),
        max_calls=read("max_calls", whole, 0),
        max_tokens=read("max_tokens", whole, 0),
    )


def text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value.strip()


def flag(value: object) -> bool:
    return FLAGS[str(value).strip().casefold()]


def whole(value: object) -> int:
    return int(str(value))


def number(value: object) -> float:
    found = float(str(value))
    if not isfinite(found):
        raise ValueError
    return found


def text_list(value: object) -> tuple[str, ...]:
    parts = cast("list[object]", value) if isinstance(value, list) else str(value).split(",")
    return tuple(str(part).strip() for part in parts if str(part).strip())
