"""What a body that begins a debate asks for; no file is ever read on a caller's word."""

from typing import Any, Final

from cruxfinder.adapters.packs import pack_finder
from cruxfinder.app.debate_request import DebateRequest
from cruxfinder.app.hosting import HostingSettings
from cruxfinder.app.server_setup import Setup, within_server
from cruxfinder.errors import BadInput
from cruxfinder.server.request_shapes import PACES, BeginBase, SeedConfig

NO_CONFIG: Final = SeedConfig()
ANSWER_S: Final = 300.0  # for an answer to a question of a conversation


def debate_request(asked: BeginBase) -> DebateRequest:
    """Reads packs, to know the topic of one from a topic of the caller's own."""
    said, config = asked.options, asked.config or NO_CONFIG
    same: dict[str, Any] = {
        "agents": said.get("agents") or asked.persona_ids or (),
        "max_messages": either(said.get("max_messages"), config.max_messages, "maxMessages"),
        "max_minutes": either(said.get("max_minutes"), minutes(config.max_duration), "maxMinutes and maxDuration"),
        "attention": either(said.get("attention"), config.attention_threshold, "attention and attentionThreshold"),
    }
    return DebateRequest(subject(asked), **{**said, **same})


def subject(asked: BeginBase) -> str:
    """A pack's name, or a topic. The topic of a pack, or its name, stands for the pack."""
    if asked.pack is None:
        return pack_finder.name_of(asked.topic or "")
    named = pack_finder.name_of(asked.pack)
    if named not in pack_finder.names():
        raise BadInput(pack_finder.unknown_pack(named))
    return named


def hosted_request(asked: BeginBase, setup: Setup) -> DebateRequest:
    """What the caller wishes, within what the server allows."""
    return within_server(setup, debate_request(asked), with_model=asked.with_model)


def either(one: Any, other: Any, name: str) -> Any:
    if one is not None and other is not None and one != other:
        raise BadInput(f"{name}: it is given twice, and differs")
    return other if one is None else one


def minutes(ms: int | None) -> float | None:
    return None if ms is None else ms / 60_000


def manner(asked: BeginBase, request: DebateRequest) -> HostingSettings:
    usual = ANSWER_S if request.ask_user else 0.0
    return HostingSettings(
        pace=PACES[asked.pace],
        wait_s=usual if request.wait_s is None else request.wait_s,
        seat_s=request.people_wait_s or 0.0,
    )
