"""The models of one run: a connection for each name and a thinker for each debater; limits are everybody's."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cruxfinder.adapters.models import model_names
from cruxfinder.adapters.models.model_names import ModelName
from cruxfinder.adapters.models.rate_limits import RateLimiter, shared_limiter
from cruxfinder.adapters.models.retries import ModelThinker
from cruxfinder.errors import BadInput
from cruxfinder.kernel.optional_dependencies import require_extra
from cruxfinder.kernel.pack import Models

if TYPE_CHECKING:
    from cruxfinder.adapters.models.connection import ModelConnection

AT_ONCE: Final = 64
DEADLINE_S: Final = 60.0
DEADLINE_MIN_S: Final = 0.05
DEADLINE_MAX_S: Final = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestLimits:
    """How hard providers are pressed by all who share this pace, and how long an ask may take."""

    per_minute: int = 0  # requests; zero: as many as there are
    at_once: int = AT_ONCE
    deadline_s: float = DEADLINE_S

    def __post_init__(self) -> None:
        if self.per_minute < 0 or self.at_once < 1 or not DEADLINE_MIN_S <= self.deadline_s <= DEADLINE_MAX_S:
            raise BadInput(
                "requests a minute, requests at once and the deadline"
                f" ({DEADLINE_MIN_S:g} to {DEADLINE_MAX_S:g} s) must make sense"
            )


class ModelPool:
    """Made in the event loop it is used in, and closed there. A missing key is told before anything is asked."""

    def __init__(self, models: Models, pace: RequestLimits | None = None) -> None:
        require_extra("models")
        self._models = models
        self._pace = pace or RequestLimits()
        self._connections: dict[ModelName, ModelConnection] = {}
        self._thinkers: dict[str, ModelThinker] = {}

    def thinker(self, model: str = "") -> ModelThinker:
        """Who thinks for a debater; `model` is its own where it has one."""
        if model not in self._thinkers:
            own = self.connection_of(model or self._models.dialogue)
            judging = self._models.judgement
            self._thinkers[model] = ModelThinker(
                own,
                judgement=self.connection_of(judging) if judging else None,
                fallbacks=[self.connection_of(name) for name in self._models.fallbacks],
                deadline_s=self._pace.deadline_s,
            )
        return self._thinkers[model]

    def connection_of(self, text: str) -> "ModelConnection":
        name = model_names.read(text, self._models.base_url)
        if name not in self._connections:
            from cruxfinder.adapters.models.connection import ModelConnection  # noqa: PLC0415 - the extra `models`

            grammar = self._models.grammar and name.provider == "compatible"
            self._connections[name] = ModelConnection(name, self._limit(name), grammar=grammar)
        return self._connections[name]

    def _limit(self, name: ModelName) -> RateLimiter:
        place = model_names.address_of(name.base_url) if name.base_url else name.provider
        return shared_limiter(
            place, model_names.key_of(name), at_once=self._pace.at_once, per_minute=self._pace.per_minute
        )

    async def close(self) -> None:
        for connection in self._connections.values():
            await connection.close()
