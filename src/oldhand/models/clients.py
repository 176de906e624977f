"""What the gateway needs of a provider's client, whichever it is."""

import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import import_module
from typing import Protocol, TypeVar, cast

from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from oldhand.errors import MissingExtra
from oldhand.models.names import Endpoint

H = TypeVar("H")


class Form(StrEnum):
    """The ways in which a model is held to a schema, best first."""

    NATIVE = "native"
    """The server keeps to the schema while it writes."""
    TOOL = "tool"
    """The answer is the arguments of a tool call."""
    TEXT = "text"
    """The schema stands in the prompt, and the JSON is looked for in the text."""


@dataclass(frozen=True)
class ProviderClient:
    """One provider's model with its open connections; belongs to one event loop."""

    model: Model
    close: Callable[[], Awaitable[None]]
    form: Form
    """The best way in which this model is held to a schema, as far as is known."""
    takes_temperature: bool
    settings: ModelSettings = field(default_factory=ModelSettings)
    """What every request says, such as marks of what is worth keeping for the next one."""


class ClientMaker(Protocol):
    """A module such as `openai_client`: it makes clients without retries of their own."""

    ERRORS: tuple[type[Exception], ...]
    """Base errors of the provider's client."""

    def connect(self, endpoint: Endpoint) -> ProviderClient:
        """A client for `endpoint`; opens no connection yet."""
        ...


_MODULES = {"openai": "openai", "ollama": "openai", "anthropic": "anthropic"}


def client_maker(provider: str) -> ClientMaker:
    """Load what speaks with `provider`.

    Raises:
        MissingExtra: its package is not installed.
    """
    package = _MODULES[provider]
    try:
        import_module(package)
    except ImportError as error:
        raise MissingExtra(f"The package {package}", provider) from error
    return cast("ClientMaker", import_module(f"oldhand.models.{package}_client"))


def http_client(endpoint: Endpoint, kind: Callable[..., H]) -> H | None:
    """Past any proxy when the server runs on this machine; None, for the client's own choice, when it does not.

    Reached by plain HTTP, it trusts nobody: that spares the 50 ms of loading whom to trust.
    """
    if not endpoint.local:
        return None
    return kind(trust_env=False, verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
