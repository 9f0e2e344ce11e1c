"""Who is meant by a name: an agent's id, or else its name, in any case, with or without an @."""

from collections.abc import Iterable


def match_agent(given: str, known: Iterable[tuple[str, str]]) -> str | None:
    """The id of the agent, from pairs of id and name; None for nobody. An id goes before a name."""
    said = given.strip().removeprefix("@").casefold()
    pairs = tuple(known)
    by_id = (id for id, _ in pairs if id.casefold() == said)
    by_name = (id for id, name in pairs if name.casefold() == said)
    return next(by_id, None) or next(by_name, None) if said else None
