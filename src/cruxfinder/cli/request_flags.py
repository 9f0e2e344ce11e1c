"""The options of a debate as flags, made from the one request."""

from collections.abc import Mapping
from dataclasses import dataclass
from inspect import Parameter
from typing import Any, Self

from cruxfinder.app.debate_request import DebateRequest, request_fields
from cruxfinder.app.options import SetBy
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
