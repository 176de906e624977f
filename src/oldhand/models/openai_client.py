"""Clients for OpenAI's chat completions, and for Ollama and all other servers that speak like it."""

from openai import AsyncOpenAI, DefaultAsyncHttpxClient, OpenAIError
from pydantic_ai.models.ollama import OllamaModel
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.ollama import OllamaProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

from oldhand.models.clients import Form, ProviderClient, http_client
from oldhand.models.names import Endpoint
from oldhand.models.ollama_client import OllamaHttpClient

ERRORS: tuple[type[Exception], ...] = (OpenAIError,)


def connect(endpoint: Endpoint) -> ProviderClient:
    """See `ClientMaker.connect`."""
    ollama = endpoint.provider == "ollama"
    kind = OllamaHttpClient if ollama else DefaultAsyncHttpxClient
    client = AsyncOpenAI(
        api_key=endpoint.api_key,
        base_url=endpoint.base_url,
        max_retries=0,  # ours would multiply with theirs
        http_client=http_client(endpoint, kind) or (kind() if ollama else None),
    )
    model = _model(endpoint, client)
    return ProviderClient(
        model=model,
        close=client.close,
        form=_form(endpoint, model.profile.get("supports_json_schema_output", False)),
        takes_temperature=not model.profile.get("openai_supports_reasoning", False),
    )


def _model(endpoint: Endpoint, client: AsyncOpenAI) -> OpenAIChatModel:
    if endpoint.provider == "ollama":
        return OllamaModel(endpoint.model, provider=OllamaProvider(openai_client=client))
    if endpoint.own:
        return OpenAIChatModel(endpoint.model, provider=OpenAIProvider(openai_client=client))
    # Named `openai` so that a proxy's models are priced like those they stand for.
    provider = OpenAICompatibleProvider("openai", openai_client=client)
    return OpenAIChatModel(endpoint.model, provider=provider)


def _form(endpoint: Endpoint, native: bool) -> Form:
    """OpenAI's first chat models know tools but no schemas; other servers are tried with a schema."""
    first = endpoint.model == "gpt-4" or endpoint.model.startswith(("gpt-3.5", "gpt-4-"))
    return Form.NATIVE if native and not (endpoint.own and first) else Form.TOOL
