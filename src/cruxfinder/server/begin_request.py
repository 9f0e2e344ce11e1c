"""What a request to begin a debate means as options of one; no file is ever read on a caller's word."""

from functools import cache
from typing import Final, cast

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.app.hosting import HostingSettings
from cruxfinder.app.options import Options
from cruxfinder.app.server_setup import Setup, lowest_cap, model_options
from cruxfinder.errors import BadInput
from cruxfinder.kernel.pack import Pack
from cruxfinder.server.request_shapes import PACES, BeginRequest, SeedConfig

NO_CONFIG: Final = SeedConfig()
ANSWER_S: Final = 300.0  # for an answer to a question of a conversation


def subject(asked: BeginRequest) -> str:
    """A pack's name, or a topic. The topic of a pack, or its name, stands for the pack."""
    if asked.pack is not None:
        given = asked.pack.strip()
        if given not in pack_finder.names():
            raise BadInput(f"there is no pack {given[:80]!r}; there are {', '.join(pack_finder.names())}")
        return given
    given = (asked.topic or "").strip()
    known = {word.casefold(): pack.name for pack in packs() for word in (pack.name, pack.topic)}
    return known.get(given.casefold(), given)


@cache
def packs() -> tuple[Pack, ...]:
    """Those that ship, read once."""
    return tuple(pack_finder.find(name)[0] for name in pack_finder.names())


def options(asked: BeginRequest, about: str, setup: Setup) -> Options:
    """What the caller wishes, within what the server allows."""
    config = asked.config or NO_CONFIG
    found = model_options(setup, about, with_model=asked.with_model).copy()
    found |= {
        "agents": asked.agents or asked.persona_ids,
        "protocol": asked.protocol,
        "roles": asked.roles,
        "blind": asked.blind,
        "embedder": asked.embedder,
        "off": asked.off,
        "redundancy": asked.redundancy,
        "ask_user": asked.ask_user,
        "people": asked.people,
        "max_messages": cast("int | None", either(asked.max_messages, config.max_messages, "maxMessages")),
        "max_minutes": either(asked.max_minutes, minutes(config.max_duration), "maxMinutes and maxDuration"),
        "max_calls": lowest_cap(found.get("max_calls"), asked.max_calls),
        "max_tokens": lowest_cap(found.get("max_tokens"), asked.max_tokens),
        "max_cost": lowest_cap(found.get("max_cost"), asked.max_cost),
        "planted": asked.planted if asked.planted is not None else 1 if found.get("model") else 0,
    }
    if config.attention_threshold is not None:
        found["attention"] = config.attention_threshold
    if asked.cast is not None:
        found["cast"] = asked.cast
    return found


def either(one: float | None, other: float | None, name: str) -> float | None:
    if one is not None and other is not None and one != other:
        raise BadInput(f"{name}: it is given twice, and differs")
    return other if one is None else one


def minutes(ms: int | None) -> float | None:
    return None if ms is None else ms / 60_000


def manner(asked: BeginRequest) -> HostingSettings:
    wait_s = asked.wait_s if asked.wait_s is not None else ANSWER_S if asked.ask_user else 0.0
    return HostingSettings(pace=PACES[asked.pace], wait_s=wait_s, seat_s=asked.people_wait_s)
