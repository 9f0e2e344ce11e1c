"""The options of a debate as flags, made from the one request; and what those that were given mean together."""

from dataclasses import dataclass, replace
from inspect import Parameter
from typing import Annotated, Any, Final, Self, cast

import typer

from cruxfinder.adapters.models.model_config import ModelConfig
from cruxfinder.app import request_settings as run_options
from cruxfinder.app.debate_request import (
    DebateRequest,
    Kind,
    RequestField,
    SetBy,
    checked_number,
    checked_whole,
    request_fields,
)
from cruxfinder.cli import configured_models, conversation_flags, model_options
from cruxfinder.cli.model_flags import MODELS, BaseUrl, Fallback, Grammar, JudgeModel, Model
from cruxfinder.cli.shared_flags import split_names
from cruxfinder.errors import BadInput

PANELS: Final = {
    "": None,
    "models": MODELS,
    "personas": "Personas of a free topic",
    "turns": "Conversations in turns",
    "seats": "A seat for a person",
}
TYPES: Final[dict[Kind, Any]] = {
    "flag": bool,
    "whole": int | None,
    "number": float | None,
    "text": str | None,
    "list": list[str] | None,
    "map": list[str] | None,
}
LISTED: Final = {"agents": "agent", "off": "rule"}  # what an entry of a list with commas is called


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFlags:
    """Which models think in a debate."""

    model: Model = None
    judge_model: JudgeModel = None
    fallback: Fallback = None
    base_url: BaseUrl = None
    grammar: Grammar = False

    def config(self, said: DebateRequest) -> tuple[ModelConfig, dict[str, str]]:
        """What the flags wish of models, and the models of single agents; caps and limits are among what is `said`."""
        wished, own = configured_models.from_flags(
            self.model, self.judge_model, self.fallback, self.base_url, grammar=self.grammar
        )
        limited = replace(
            wished,
            per_minute=said.get("per_minute", 0),
            at_once=said.get("at_once", 0),
            deadline=said.get("deadline_s", 0.0),
            max_cost=said.get("max_cost") or 0.0,
            max_calls=said.get("max_calls") or 0,
            max_tokens=said.get("max_tokens") or 0,
        )
        return limited, own


@dataclass(frozen=True, slots=True)
class RequestFlags:
    """What was asked for on the command line, and nothing else."""

    said: DebateRequest

    @classmethod
    def flag_parameters(cls) -> list[Parameter]:
        return [flag_of(field) for field in request_fields(SetBy.COMMAND)]

    @classmethod
    def from_flags(cls, given: dict[str, Any]) -> Self:
        said = {
            field.name: read_flag(field, given[field.name])
            for field in request_fields(SetBy.COMMAND)
            if given[field.name] is not None and (given[field.name] is not False or "/" in field.flag)
        }
        return cls(cast("DebateRequest", said))

    def resolve(self, subject: str, models: ModelFlags, *, quiet: bool, browser: bool) -> DebateRequest:
        """All options of the debate: the flags, and what the environment, the settings file and the terminal add."""
        config, own = models.config(self.said)
        options = model_options.options(config, own, for_pack=run_options.is_pack(subject, self.said))
        planted = 1 if options.get("model") else 0
        # Caps and limits on speed came with the models, from wherever they are set.
        others = {name: value for name, value in self.said.items() if name not in options}
        options |= cast("DebateRequest", {"planted": planted, **others})
        options |= conversation_flags.conversation_options(self.said, quiet=quiet)
        return options | conversation_flags.seat_options(self.said, quiet=quiet, browser=browser)


def flag_of(field: RequestField) -> Parameter:
    option = field.option
    kind: Any = TYPES["text"] if option.commas else TYPES[field.kind]
    two_sided = "/" in field.flag
    metavar = option.metavar or (f"[{'|'.join(option.choices)}]" if option.choices else None)
    shown = typer.Option(field.flag, help=option.help, metavar=metavar, rich_help_panel=PANELS[option.group])
    return Parameter(
        field.name,
        Parameter.KEYWORD_ONLY,
        default=False if field.kind == "flag" and not two_sided else None,
        annotation=Annotated[bool | None if two_sided else kind, shown],
    )


def read_flag(field: RequestField, given: Any) -> object:
    match field.kind:
        case "whole":
            return checked_whole(field.name, given, field.flag)
        case "number":
            return checked_number(field.name, given, field.flag)
        case "list" if field.option.commas:
            return split_names(given, LISTED[field.name])
        case "list":
            return tuple(given)
        case "map":
            return conversation_flags.parse_roles(given)
        case "text" if not given.strip():
            raise BadInput(f"{field.flag} lacks a name")
        case _:
            return given
