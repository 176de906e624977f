"""Clients for Anthropic's messages API; loaded only when an `anthropic:` model is made."""

from anthropic import AnthropicError, AsyncAnthropic, DefaultAsyncHttpxClient
from pydantic_ai.models.anthropic import AnthropicModel, AnthropicModelSettings
from pydantic_ai.providers.anthropic import AnthropicProvider

from oldhand.models.clients import Form, ProviderClient, http_client
from oldhand.models.names import Endpoint

ERRORS: tuple[type[Exception], ...] = (AnthropicError,)


def connect(endpoint: Endpoint) -> ProviderClient:
    """See `ClientMaker.connect`."""
    client = AsyncAnthropic(
        api_key=endpoint.api_key,
        base_url=endpoint.base_url,
        max_retries=0,  # ours would multiply with theirs
        http_client=http_client(endpoint, DefaultAsyncHttpxClient),
    )
    model = AnthropicModel(endpoint.model, provider=AnthropicProvider(anthropic_client=client))
    native = model.profile.get("supports_json_schema_output", False)
    return ProviderClient(
        model=model,
        close=client.close,
        form=Form.NATIVE if native else Form.TOOL,
        settings=AnthropicModelSettings(
            anthropic_cache_instructions=True, anthropic_cache_tool_definitions=True
        ),
        takes_temperature=not model.profile.get("anthropic_disallows_sampling_settings", False),
    )
