"""The command `crux`: its global options, and how every command ends."""

import errno
import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any, Final

import typer

from cruxfinder.cli import exits
from cruxfinder.cli.command_table import COMMANDS
from cruxfinder.cli.entry import NO_MEMORY, VERSION_LINE, is_out_of_memory
from cruxfinder.cli.lazy_commands import LazyCommandGroup
from cruxfinder.errors import BadInput, BadOption, CruxfinderError
from cruxfinder.telling.terminal_text import clean, cut

STORE: Final = "--store"
SENTENCE_MAX: Final = 1000
NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class CruxCommandGroup(LazyCommandGroup):
    """The group of all commands: one sentence and an exit code for whatever goes wrong, never a traceback."""

    rows = COMMANDS

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        given: list[str] = []
        try:
            given = hoist_store_option(sys.argv[1:] if args is None else args)
            code = super().main(given, prog_name or "crux", complete_var, False, windows_expand_args, **extra)
            sys.stdout.flush()
        except CruxfinderError as error:
            code = print_error(redact_gate_text(sentence_with_flags(error), given), exits.code_of(error))
        except typer.TyperException as error:
            from cruxfinder.cli import usage_faults  # noqa: PLC0415 - only what was mistyped pays for it

            code = print_error(redact_gate_text(usage_faults.usage_sentence(error, given), given), error.exit_code)
        except typer.Abort:
            code = exits.INTERRUPTED
        except BrokenPipeError:
            code = silence_stdout()
        except (MemoryError, ImportError, RuntimeError, SystemError, OSError) as error:
            if is_out_of_memory(error):
                code = print_error(NO_MEMORY, exits.FAULT)
            elif isinstance(error, OSError):
                code = print_error(sentence_of(error), exits.BAD_INPUT if error.errno in NO_ROOM else exits.FAULT)
                silence_stdout()
            else:
                raise
        sys.exit(code if isinstance(code, int) else exits.OK)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # Typer would make a fault of it; whoever reads has simply seen enough.
            return silence_stdout()


def sentence_of(error: OSError) -> str:
    """What the system reports: of a file that has a name, or else of what we print to."""
    if isinstance(error.filename, str):
        return f"{error.filename} cannot be read or written: {error.strerror}"
    return f"the output cannot be written: {error.strerror}"


def redact_gate_text(text: str, given: Sequence[str]) -> str:
    """What the gate was told may hold a secret; an error repeats it, and ends up in an agent's log."""
    if "gate" not in given[:3]:
        return text
    from cruxfinder.gate.secrets.redaction import redact  # noqa: PLC0415 - 25 ms that errors of the gate pay for

    return redact(text)


def sentence_with_flags(error: CruxfinderError) -> str:
    if not isinstance(error, BadOption):
        return exits.fault_sentence(error)
    from cruxfinder.app.debate_request import spell_flag  # noqa: PLC0415 - loaded by whoever raised it, else not needed

    return error.sentence(spell_flag)


def hoist_store_option(args: Sequence[str]) -> list[str]:
    """The arguments with --store in front, so that it may stand before and after the command."""
    front: list[str] = []
    rest = list(args)
    end = rest.index("--") if "--" in rest else len(rest)
    for place in range(end - 1, -1, -1):
        if rest[place].startswith(f"{STORE}="):
            front = [rest.pop(place), *front]
        elif rest[place] == STORE:
            if place + 1 >= end:
                raise BadInput(f"{STORE} needs the path of a file, or the URL of a store")
            front = [*rest[place : place + 2], *front]
            del rest[place : place + 2]
    return [*front, *rest]


def print_error(message: str, code: int) -> int:
    """One sentence on stderr."""
    print(f"crux: {cut(clean(message), SENTENCE_MAX)}", file=sys.stderr)
    return code


def silence_stdout() -> int:
    """Nobody reads our output any more: say nothing when it is flushed at the end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
    return exits.OK


app = typer.Typer(
    cls=CruxCommandGroup,
    add_completion=False,
    pretty_exceptions_enable=False,
    invoke_without_command=True,
    epilog=exits.HELP,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def print_version(wanted: bool) -> None:
    if wanted:
        print(VERSION_LINE)
        raise typer.Exit


@app.callback()
def root(
    ctx: typer.Context,
    store: Annotated[
        str | None,
        typer.Option(
            STORE,
            metavar="URL",
            help="Where runs are kept, a path or a URL, instead of CRUX_STORE; may follow the command.",
        ),
    ] = None,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=print_version, is_eager=True, help="Say which version this is."),
    ] = False,
) -> None:
    """Find what a disagreement really turns on."""
    ctx.obj = store
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())


def run() -> None:
    """The entry point of the installed command."""
    if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison] - closed by whoever called
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - for as long as the program runs
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison]
        sys.exit(print_error("there is nowhere to write to: the output is closed", exits.BAD_INPUT))
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")  # a narrow encoding shows a question mark, not a traceback
    app()
