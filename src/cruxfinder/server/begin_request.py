"""What a request to begin a debate means as options of one; no file is ever read on a caller's word."""

from typing import Final, cast

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.app.debate_request import DebateRequest
from cruxfinder.app.hosting import HostingSettings
from cruxfinder.app.server_setup import Setup, within_server
from cruxfinder.errors import BadInput
from cruxfinder.server.request_shapes import PACES, BeginBase, SeedConfig

NO_CONFIG: Final = SeedConfig()
ANSWER_S: Final = 300.0  # for an answer to a question of a conversation


def subject(asked: BeginBase) -> str:
    """A pack's name, or a topic. The topic of a pack, or its name, stands for the pack."""
    if asked.pack is not None:
        given = asked.pack.strip()
        if given not in pack_finder.names():
            raise BadInput(f"there is no pack {given[:80]!r}; there are {', '.join(pack_finder.names())}")
        return given
    return pack_finder.name_of(asked.topic or "")


def options(asked: BeginBase, about: str, setup: Setup) -> DebateRequest:
    """What the caller wishes, within what the server allows."""
    said, config = asked.options, asked.config or NO_CONFIG
    agents = said.get("agents") or asked.persona_ids or ()
    found = within_server(setup, about, {**said, "agents": agents}, with_model=asked.with_model)
    found["max_messages"] = cast("int | None", either(said.get("max_messages"), config.max_messages, "maxMessages"))
    found["max_minutes"] = either(said.get("max_minutes"), minutes(config.max_duration), "maxMinutes and maxDuration")
    attention = either(said.get("attention"), config.attention_threshold, "attention and attentionThreshold")
    return found if attention is None else {**found, "attention": attention}


def either(one: float | None, other: float | None, name: str) -> float | None:
    if one is not None and other is not None and one != other:
        raise BadInput(f"{name}: it is given twice, and differs")
    return other if one is None else one


def minutes(ms: int | None) -> float | None:
    return None if ms is None else ms / 60_000


def manner(asked: BeginBase) -> HostingSettings:
    said = asked.options
    wait_s = said.get("wait_s", ANSWER_S if said.get("ask_user") else 0.0)
    return HostingSettings(pace=PACES[asked.pace], wait_s=wait_s, seat_s=said.get("people_wait_s", 0.0))
