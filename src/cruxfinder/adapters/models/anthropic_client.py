"""A model at Anthropic. The client follows the rules of `openai_client`: no retries, no redirects, one deadline."""

from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient, Timeout
from pydantic_ai.models import Model
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider

from cruxfinder.adapters.models.model_names import ModelName
from cruxfinder.adapters.models.model_replies import CONNECT_S


def model_of(name: ModelName, key: str) -> Model:
    staying = DefaultAsyncHttpxClient(follow_redirects=False)
    patient = Timeout(None, connect=CONNECT_S)
    own = AsyncAnthropic(api_key=key, max_retries=0, http_client=staying, timeout=patient)
    return AnthropicModel(name.model, provider=AnthropicProvider(anthropic_client=own))
