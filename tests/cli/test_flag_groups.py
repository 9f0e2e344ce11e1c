"""A dataclass among a command's parameters is a flag a field, wherever the group of commands is loaded."""

from dataclasses import dataclass
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from cruxfinder.cli.flag_groups import expand_flag_groups


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    host: Annotated[str, typer.Option(metavar="HOST", help="Where to.")] = "here"
    names: Annotated[list[str] | None, typer.Option("--name")] = None


def send(text: str, loud: bool = False, *, where: Where) -> None:
    print(text, loud, where.host, where.names)


def call(*args: str) -> str:
    app = typer.Typer()
    app.command()(expand_flag_groups(send))
    done = CliRunner().invoke(app, args)
    return done.output if done.exit_code else done.stdout


@pytest.mark.parametrize(
    ("args", "printed"),
    [
        (("hello",), "hello False here None"),
        (("hello", "--loud", "--host", "there"), "hello True there None"),
        (("--name", "a", "hello", "--name", "b"), "hello False here ['a', 'b']"),
    ],
)
def test_a_command_gets_its_group_as_a_value(args: tuple[str, ...], printed: str) -> None:
    assert call(*args).strip() == printed


def test_the_flags_of_a_group_are_told_in_the_help() -> None:
    assert "--host" in call("--help") and "Where to." in call("--help") and "--where" not in call("--help")


def test_a_flag_of_no_group_is_unknown() -> None:
    assert "No such option" in call("hello", "--where", "x")


def test_a_command_without_groups_stays_as_it_is() -> None:
    assert expand_flag_groups(call) is call
