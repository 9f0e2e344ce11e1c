"""A model at OpenAI, or at a server that speaks its language.

The client retries nothing by itself: one deadline and one count of attempts hold for each ask. It follows no redirect:
one to another place would take the prompt there, and with some clients the key, too.
"""

from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Timeout
from pydantic_ai.models import Model
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

from cruxfinder.adapters.models.model_names import ModelName
from cruxfinder.adapters.models.model_replies import CONNECT_S


def model_of(name: ModelName, key: str) -> Model:
    http = DefaultAsyncHttpxClient(follow_redirects=False)
    timeout = Timeout(None, connect=CONNECT_S)
    if name.provider == "openai":
        own = AsyncOpenAI(api_key=key, max_retries=0, http_client=http, timeout=timeout)
        return OpenAIChatModel(name.model, provider=OpenAIProvider(openai_client=own))
    url, secret = name.base_url, key or "none"
    client = AsyncOpenAI(base_url=url, api_key=secret, max_retries=0, http_client=http, timeout=timeout)
    client.organization = client.project = None  # what the environment says of an account at OpenAI concerns no other
    profile = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=False)  # few servers know it
    provider = OpenAICompatibleProvider("compatible", openai_client=client, profile=profile)
    return OpenAIChatModel(name.model, provider=provider)
