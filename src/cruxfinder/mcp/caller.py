"""The caller's own model as a mind of the gate (DIA-9), in both protocol eras, within ten questions a call.

Up to 2025-11-25 a question goes out while the call waits. From 2026-07-28 a call ends with its question and comes again
with the answer: the debate is then held anew, and the answers so far travel in a sealed state. Such a state can be
sent twice, so nothing may be written down before the debate is decided.
"""

import hashlib
from dataclasses import replace
from typing import Any, Final, Protocol

from mcp.server.mcpserver import Context
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import (
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    CreateMessageResultWithTools,
    InputRequiredResult,
    InputResponse,
    SamplingMessage,
    TextContent,
)
from mcp_types.version import is_version_at_least
from pydantic import BaseModel, Field, ValidationError

from cruxfinder.adapters.models.retries import UNREADABLE_MAX, correction_prompt
from cruxfinder.errors import DebaterFault
from cruxfinder.gate.forms import Answer
from cruxfinder.gate.router import FiredRule
from cruxfinder.gate.runtime.gate_prompts import prompt_of, reply_reader
from cruxfinder.gate.runtime.minds import Ask, GateMind
from cruxfinder.ports import Prompt, UnreadableReply, Usage

CALLER: Final = "caller"
ROUNDS_FROM: Final = "2026-07-28"
QUESTIONS_MAX: Final = 10  # clients give up after ten rounds
ANSWER_S_MAX: Final = 60.0
REPLY_MAX: Final = 8_000  # characters of an answer that are kept


class CallerChannel(Protocol):
    """How a question reaches the caller's model."""

    @property
    def fresh(self) -> bool:
        """Whether the last reply came just now, not from an earlier round."""
        ...

    async def reply(self, prompt: Prompt) -> str | None:
        """None: the caller answers no more, because it declined or its questions are used up."""
        ...


class AnswerNeeded(BaseException):
    """Ends a round with its question. No Exception: whoever catches those must not swallow it."""

    def __init__(self, result: InputRequiredResult) -> None:
        super().__init__("the caller's model must answer first")
        self.result: Final = result


class KeptAnswer(BaseModel):
    """An answer, and which question it is to."""

    digest: str
    text: str


class SamplingState(BaseModel):
    """What rides in the state: the answers so far, the question now open, how many were asked."""

    kept: list[KeptAnswer] = Field(default_factory=list[KeptAnswer], max_length=QUESTIONS_MAX)
    open: str = ""
    asked: int = 0


class BackChannel:
    """Up to 2025-11-25: the question goes out while the call waits."""

    def __init__(self, context: Context[Any, Any]) -> None:
        self.fresh = True
        self._context = context
        self._asked = 0

    async def reply(self, prompt: Prompt) -> str | None:
        if self._asked >= QUESTIONS_MAX:
            return None
        self._asked += 1
        try:
            result = await self._context.session.send_request(
                sampling_request(prompt),
                CreateMessageResult,
                request_read_timeout_seconds=ANSWER_S_MAX,
                metadata=ServerMessageMetadata(related_request_id=self._context.request_id),
            )
        except (MCPError, ValidationError, TimeoutError):
            return None
        return text_of(result)


class RoundTripChannel:
    """From 2026-07-28: the call ends with the question and comes again with the answer."""

    def __init__(self, context: Context[Any, Any]) -> None:
        self.fresh = False
        state = context.request_state
        self._progress = SamplingState() if state is None else SamplingState.model_validate_json(state)
        self._came = (context.input_responses or {}).get(question_key(self._progress.asked))
        self._at = 0

    async def reply(self, prompt: Prompt) -> str | None:
        digest = digest_of(prompt)
        kept = self._progress.kept
        here, self._at = self._at, self._at + 1
        self.fresh = not (here < len(kept) and kept[here].digest == digest)
        if not self.fresh:
            return kept[here].text
        del kept[here:]  # what is remembered changed between two rounds: the answers after it were to something else
        if self._came is not None and self._progress.open == digest:
            text, self._came = text_of(self._came), None
            if text is not None:
                kept.append(KeptAnswer(digest=digest, text=text))
            return text
        if self._progress.asked >= QUESTIONS_MAX:
            return None
        raise AnswerNeeded(self._question(prompt, digest))

    def _question(self, prompt: Prompt, digest: str) -> InputRequiredResult:
        number = self._progress.asked + 1
        state = SamplingState(kept=self._progress.kept, open=digest, asked=number)
        return InputRequiredResult(
            input_requests={question_key(number): sampling_request(prompt)}, request_state=state.model_dump_json()
        )


def channel_to(context: Context[Any, Any]) -> CallerChannel | None:
    """The way to the caller's model, where the client offers one."""
    capabilities = context.client_capabilities
    if capabilities is None or capabilities.sampling is None:
        return None
    version = context.protocol_version
    if version is not None and is_version_at_least(version, ROUNDS_FROM):
        return RoundTripChannel(context)
    return BackChannel(context) if context.session.can_send_request else None


class CallerMind:
    """The caller's model; where it answers no more, another mind answers the rest."""

    def __init__(self, line: CallerChannel, stand_in: GateMind, fired: tuple[FiredRule, ...]) -> None:
        self._line = line
        self._stand_in = stand_in
        self._fired = fired
        self._over = False
        self._replies = 0

    @property
    def name(self) -> str:
        if not self._over:
            return CALLER
        return f"{CALLER}, then {self._stand_in.name}" if self._replies else self._stand_in.name

    @property
    def usage(self) -> Usage:
        return self._stand_in.usage + Usage(calls=self._replies)

    @property
    def fresh(self) -> bool:
        return self._over or self._line.fresh

    async def answer(self, ask: Ask) -> Answer:
        prompt = prompt_of(ask, self._fired)
        read = reply_reader(ask)
        asked, told = prompt, ""
        for _ in range(UNREADABLE_MAX):
            reply = None if self._over else await self._line.reply(asked)
            if reply is None:
                self._over = True
                return await self._stand_in.answer(ask)
            self._replies += 1
            try:
                return read(reply)
            except UnreadableReply as fault:
                told = str(fault)
                asked = replace(prompt, user=correction_prompt(prompt.user, reply, told))
        raise DebaterFault(f"the caller's model answered what cannot be used: {told}", self.usage)


def sampling_request(prompt: Prompt) -> CreateMessageRequest:
    message = SamplingMessage(role="user", content=TextContent(type="text", text=prompt.user))
    params = CreateMessageRequestParams(messages=[message], system_prompt=prompt.system, max_tokens=prompt.tokens_out)
    return CreateMessageRequest(params=params)


def text_of(response: InputResponse) -> str | None:
    """The text of an answer; None where the client sent something else."""
    match response:
        case CreateMessageResult(content=TextContent(text=text)):
            return text[:REPLY_MAX]
        case CreateMessageResultWithTools():
            blocks = response.content if isinstance(response.content, list) else [response.content]
            return "".join(block.text for block in blocks if isinstance(block, TextContent))[:REPLY_MAX] or None
        case _:
            return None


def question_key(number: int) -> str:
    return f"question-{number}"


def digest_of(prompt: Prompt) -> str:
    return hashlib.sha256(f"{prompt.system}\0{prompt.user}".encode(errors="replace")).hexdigest()[:32]
