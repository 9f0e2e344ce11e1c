"""Do the models that are named answer as debaters must? One request to each, and for whatever fails what to do."""

import asyncio
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pydantic_ai.exceptions import ModelAPIError, ModelHTTPError

from cruxfinder.adapters.models import model_names
from cruxfinder.adapters.models.connection import ModelConnection, never_connected
from cruxfinder.adapters.models.model_names import ModelName
from cruxfinder.adapters.models.model_replies import Declined, Reply
from cruxfinder.adapters.models.prices import Price, price_of
from cruxfinder.app.model_request import ModelRequest
from cruxfinder.cli.doctor_keys import redact_keys
from cruxfinder.debaters.modelled import reply_shapes
from cruxfinder.debaters.modelled.debate_prompts import PRIVATE_TOKENS
from cruxfinder.debaters.modelled.field_reading import read_fields
from cruxfinder.errors import BadInput
from cruxfinder.language.counts import count_phrase
from cruxfinder.language.json_replies import find_object
from cruxfinder.ports import NANO, Prompt, UnreadableReply

DEADLINE_S: Final = 20.0
# What every debater is asked first, on a claim nobody has to think about for long.
REPLY: Final = reply_shapes.plain_variant(*reply_shapes.FIRST)
QUESTION: Final = Prompt(
    system="You are a guest in a debate on «Tea is better than coffee». Reply with one JSON object.",
    user=f"In private: where do you stand, and why, in at most ten words?\n{reply_shapes.describe_reply(REPLY)}",
    tokens_out=PRIVATE_TOKENS,
    grammar=reply_shapes.grammar_of([REPLY]),
    schema=reply_shapes.schema_of([REPLY]),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """How one of them is, in a sentence; where it is not well, with what to do."""

    well: bool
    told: str


async def examine_models(wished: ModelRequest, own: Sequence[str] = ()) -> tuple[Health, ...]:
    """Every model that is named, once, all at the same time."""
    found: dict[ModelName, None] = {}
    wrong: list[Health] = []
    for text in (*wished.model_names, *own):
        try:
            if text:
                found[model_names.read(text, wished.base_url)] = None
        except BadInput as error:
            wrong.append(Health(well=False, told=redact_keys(str(error))))
    answers = await asyncio.gather(*(ask_model(name, grammar=wished.grammar) for name in found))
    return (*dict.fromkeys(wrong), *answers)


def key_of(name: ModelName) -> str:
    return os.environ.get(name.key_variable, "").strip()


def key_trouble(name: ModelName) -> str:
    """What is wrong with the key before anything is asked; nothing where it may be one, or none is needed."""
    key = key_of(name)
    if not key and name.provider != "compatible":
        return f"{name} needs a key: set {name.key_variable}"
    if not all("!" <= letter <= "~" for letter in key):
        return f"{name.key_variable} holds what no key does, such as a space or a line break: copy the key anew"
    return ""


async def ask_model(name: ModelName, *, grammar: bool) -> Health:
    """One request, as a debate sends it; nothing is tried again."""
    if trouble := key_trouble(name):
        return Health(well=False, told=trouble)
    connection = ModelConnection(name, grammar=grammar and name.provider == "compatible")
    since = time.monotonic()
    try:
        async with asyncio.timeout(DEADLINE_S):
            reply = await connection.request(QUESTION)
    except TimeoutError:
        told = (
            f"{model_label(name)} gave no answer in {DEADLINE_S:g} s: is it loading or busy? Try again, or name another"
        )
        return Health(well=False, told=told)
    except Declined as declined:
        return Health(well=False, told=redact_keys(remedy(name, declined)))
    finally:
        await connection.close()
    return judge_reply(name, reply, time.monotonic() - since)


def model_label(name: ModelName) -> str:
    return f"{name} at {name.base_url}" if name.base_url else str(name)


def judge_reply(name: ModelName, reply: Reply, took_s: float) -> Health:
    """Is the reply what a debater would have to say?"""
    try:
        read_fields(find_object(reply.text), reply_shapes.FIRST)
    except UnreadableReply as fault:
        why = f"it was cut off after {count_phrase(QUESTION.tokens_out, 'token')}" if reply.cut else str(fault)
        instead = "use one that does not think at length" if reply.cut else "use another"
        hold = ", or --grammar with llama.cpp" if name.provider == "compatible" else ""
        told = f"{model_label(name)} answers, but not with the JSON it was asked for ({why}): {instead}{hold}"
        return Health(well=False, told=redact_keys(told))
    tokens = count_phrase(reply.usage.tokens, "token") if reply.has_usage else "tokens not counted by the server"
    return Health(
        well=True, told=f"{model_label(name)} answers with JSON in {took_s:.1f} s ({tokens}); {describe_price(name)}"
    )


def describe_price(name: ModelName) -> str:
    price: Price | None = price_of(name)
    if price is None:
        return "its price is not known, so --max-calls and --max-tokens bind and --max-cost does not"
    each, out = (per_token * 1_000_000 / NANO for per_token in (price.fresh, price.out))
    return f"${each:g} for a million tokens in, ${out:g} out"


# ---- what to do


def remedy(name: ModelName, declined: Declined) -> str:
    """What went wrong with a request, and what to do about it."""
    cause = declined.__context__  # the provider's own error, of which only the words were taken along
    if isinstance(cause, ModelHTTPError):
        return remedy_for_status(name, cause.status_code, declined, known=isinstance(cause.body, dict))
    if cause is not None and never_connected(cause):
        if name.base_url:
            return f"{name} cannot be reached: is the server running at {name.base_url}?"
        return f"{name} cannot be reached: is there a way to the network, or a proxy in between?"
    if not isinstance(cause, ModelAPIError):
        right = f"is {name.base_url} right, and does it end in /v1?" if name.base_url else "is a proxy in between?"
        return f"{name} is not what answered (the reply is not a model's): {right}"
    return f"{declined}: try again, and look at the server's log if it stays so"


def remedy_for_status(name: ModelName, status: int, declined: Declined, *, known: bool) -> str:
    """`known`: the error is one a provider of models writes."""
    if status in {401, 403}:
        if not key_of(name):
            return f"{model_label(name)} wants a key ({status}): put it into {name.key_variable}"
        return f"{model_label(name)} refused the key in {name.key_variable} ({status}): set one that is valid for it"
    if status == 404 and name.base_url and not known:
        return f"there is nothing at {name.base_url} (404): is the address right, and does it end in /v1?"
    if status == 404:
        return f"there is no model {model_label(name)} for you (404): name another"
    if status == 429:
        return f"{declined}: wait a little, and see whether your plan there still has room"
    if declined.kind != "refused":
        return f"{declined}: try again later, or name another"
    return f"{declined}; if that is about the model, name another"
