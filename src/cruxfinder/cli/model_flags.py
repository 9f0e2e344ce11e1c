"""The flags that name models, for every command that asks one."""

from typing import Annotated, Final

import typer

MODELS: Final = "Models"

Model = Annotated[
    list[str] | None,
    typer.Option(metavar="MODEL", help="provider:model that thinks; AGENT=MODEL for one.", rich_help_panel=MODELS),
]
JudgeModel = Annotated[
    str | None, typer.Option(metavar="MODEL", help="Another one for judgements.", rich_help_panel=MODELS)
]
Fallback = Annotated[
    list[str] | None, typer.Option(metavar="MODEL", help="Stands in when others fail.", rich_help_panel=MODELS)
]
BaseUrl = Annotated[
    str | None, typer.Option(metavar="URL", help="A server that speaks OpenAI's language.", rich_help_panel=MODELS)
]
NamedUrl = Annotated[
    str | None,
    typer.Option(metavar="URL", help="The address its models may be asked at, and a key sent to."),
]
Grammar = Annotated[
    bool, typer.Option("--grammar", help="Hold replies to a grammar (llama.cpp only).", rich_help_panel=MODELS)
]
