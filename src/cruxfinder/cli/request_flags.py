"""The options of a debate as flags, made from the one request; and what the terminal and the settings add to them."""

from collections.abc import Mapping
from dataclasses import dataclass
from inspect import Parameter
from typing import Any, Self

from cruxfinder.app.debate_request import DebateRequest, request_fields
from cruxfinder.app.model_settings import with_model_settings
from cruxfinder.app.options import SetBy
from cruxfinder.cli import configured_models, conversation_flags
from cruxfinder.cli.option_flags import flag_parameters, read_flags


@dataclass(frozen=True, slots=True)
class RequestFlags:
    """What was asked for on the command line, and nothing else."""

    said: Mapping[str, Any]

    @classmethod
    def flag_parameters(cls) -> list[Parameter]:
        return flag_parameters(request_fields(SetBy.COMMAND))

    @classmethod
    def from_flags(cls, given: Mapping[str, Any]) -> Self:
        return cls(read_flags(request_fields(SetBy.COMMAND), given))

    def request(self, subject: str) -> DebateRequest:
        """What the flags ask for. Raise BadOption."""
        return DebateRequest(subject, **self.said)

    def resolve(self, subject: str, *, quiet: bool, browser: bool) -> DebateRequest:
        """The flags, and what the environment, the settings file and the terminal add."""
        request = with_models(self.request(subject))
        return conversation_flags.with_terminal(request, quiet=quiet, browser=browser)


def with_models(request: DebateRequest) -> DebateRequest:
    """A pack is debated by its believers unless a model is named on the command line; a topic takes what is set."""
    if request.pack is not None and not request.model:
        return request
    found = with_model_settings(request)
    if found.model:
        configured_models.check_usable(found, (found.models or {}).values())
    return found
