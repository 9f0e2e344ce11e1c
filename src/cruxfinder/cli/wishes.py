"""What flags, environment and settings file say about models, as options of a debate; and what is told first."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from cruxfinder.errors import BadInput
from cruxfinder.llm.config import Wishes, resolved

if TYPE_CHECKING:
    from cruxfinder.library import Options, Prepared
    from cruxfinder.llm.crew import Pace


ABOVE_NOTHING: Final = ("--per-minute", "--at-once", "--deadline", "--max-cost", "--max-calls", "--max-tokens")


def flags(
    model: Sequence[str] | None,
    judge_model: str | None,
    fallback: Sequence[str] | None,
    base_url: str | None,
    *,
    grammar: bool,
    per_minute: int | None = None,
    at_once: int | None = None,
    deadline: float | None = None,
    max_cost: float | None = None,
    max_calls: int | None = None,
    max_tokens: int | None = None,
) -> tuple[Wishes, dict[str, str]]:
    """The wishes of the command line, and the models of single agents (`--model ada=openai:…`)."""
    own: dict[str, str] = {}
    general = ""
    for given in model or ():
        agent, equals, name = given.partition("=")
        if equals and agent and name:
            own[agent.strip()] = name.strip()
        elif equals or general:
            raise BadInput(f"--model {given!r}: name one model for all, and others as AGENT=MODEL")
        else:
            general = given.strip()
    given = (per_minute, at_once, deadline, max_cost, max_calls, max_tokens)
    for value, name in zip(given, ABOVE_NOTHING, strict=True):
        if value is not None and value <= 0:
            raise BadInput(f"{name} must be above 0")
    said = Wishes(
        model=general,
        judge_model=judge_model or "",
        fallback=tuple(fallback or ()),
        base_url=base_url or "",
        grammar=grammar,
        per_minute=per_minute or 0,
        at_once=at_once or 0,
        deadline=deadline or 0.0,
        max_cost=max_cost or 0.0,
        max_calls=max_calls or 0,
        max_tokens=max_tokens or 0,
    )
    return said, own


def options(said: Wishes, own: dict[str, str], *, for_pack: bool) -> "Options":
    """A pack is debated by its believers unless a model is named on the command line; a topic takes what is set."""
    if for_pack and not said.model:
        if own:
            raise BadInput("--model AGENT=MODEL goes with a --model for the others")
        found: Options = {}
        if said.max_calls:
            found["max_calls"] = said.max_calls
        return found
    wished = resolved(said)
    found = {
        "model": wished.model,
        "models": own,
        "judge_model": wished.judge_model,
        "fallbacks": wished.fallback,
        "base_url": wished.base_url,
        "grammar": wished.grammar,
        "per_minute": wished.per_minute,
        "at_once": wished.at_once,
        "deadline_s": wished.deadline,
    }
    if wished.max_cost:
        found["max_cost"] = wished.max_cost
    if wished.max_calls:
        found["max_calls"] = wished.max_calls
    if wished.max_tokens:
        found["max_tokens"] = wished.max_tokens
    return found


def pace() -> "Pace":
    """How hard to press providers, for a run that goes on: from the environment or the settings file."""
    from cruxfinder import library

    return library.pace_of(options(Wishes(), {}, for_pack=False))


def announce(ready: "Prepared", options: "Options") -> None:
    """Who debates, what it will take, and what to keep in mind; on standard error, so that results stay alone."""
    from cruxfinder import app, library
    from cruxfinder.cli.text import clean
    from cruxfinder.llm.estimate import estimate
    from cruxfinder.rules.variety import warning

    pack = app.seated(ready.pack, options.get("agents", ()))
    if pack.models is None:
        return
    tell(f"Claim: {clean(pack.topic)}")
    for persona in pack.personas:
        own = f" [{persona.model}]" if persona.model else ""
        tell(
            f"  {clean(persona.name)}, {clean(persona.role)}{own}"
            + (f": {clean(persona.brief)}" if persona.brief else "")
        )
    for note in ready.notes:
        tell(f"Note: {clean(note)}")
    foreseen = estimate(len(pack.personas), pack.models, library.settings(options, ready.usage))
    tell(f"Estimate: {foreseen.told()}")
    if told := warning(app.seats_of(pack)):
        tell(f"Warning: {clean(told)} (--model AGENT=MODEL gives one of them another)")


def tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
