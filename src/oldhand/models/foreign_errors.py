"""Errors of pydantic-ai, the providers' clients and httpx become ours here; none goes further."""

import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias, cast

import httpx2
from pydantic_ai import exceptions as ai

from oldhand.errors import (
    ContextTooLong,
    CutStream,
    MalformedAnswer,
    ModelError,
    ModelRefused,
    ModelServerError,
    ModelTimedOut,
    ModelUnavailable,
    ModelUnreachable,
    RateLimited,
)
from oldhand.record.shortening import shortened

Kind: TypeAlias = type[ModelError]

FOREIGN: tuple[type[Exception], ...] = (
    ai.AgentRunError,
    httpx2.HTTPError,
    httpx2.InvalidURL,
    httpx2.CookieConflict,
    OSError,
    # What the libraries trip over when a server's answer is not of the form they expect: `choices: []` is an
    # IndexError, a missing field an AttributeError or TypeError, bad encoding a ValueError.
    LookupError,
    AttributeError,
    TypeError,
    ValueError,
    AssertionError,
    RuntimeError,
)
"""All that a request may raise, besides the errors of the provider's own client."""

_TOO_LONG = re.compile(
    r"context_length_exceeded|string_above_max_length|exceed_context_size"
    r"|maximum (context|model|prompt) length|max(imum)? context|context[ _-]?(length|window|size)"
    r"|prompt (is )?too long|input (is |length )?too long|input length and `?max_tokens`? exceed"
    r"|too many (input )?tokens|request_too_large|reduce the length of the (messages|prompt)",
    re.IGNORECASE,
)
"""How OpenAI, Anthropic, Ollama, llama.cpp and vLLM say that a prompt does not fit."""
_MAY_BE_TOO_LONG = {400, 413, 422, 500}
"""Ollama reports an overflow as 400 or 500, Anthropic as 400 or 413."""

_BY_TYPE: tuple[tuple[type[BaseException], Kind], ...] = (
    (ai.ModelTimeoutError, ModelTimedOut),
    (ai.ModelRequestTimeout, ModelTimedOut),
    (ai.ModelContextWindowExceededError, ContextTooLong),
    (ai.ModelRateLimitError, RateLimited),
    (ai.ModelQuotaExceededError, ModelRefused),
    (ai.ModelUnavailableError, ModelServerError),
    (ai.ModelServerError, ModelServerError),
    (ai.ModelConnectionError, ModelUnreachable),
    (ai.ModelRequestRejectedError, ModelRefused),
    (ai.ContentFilterError, ModelRefused),
    (ai.UserError, ModelRefused),
    (httpx2.TimeoutException, ModelTimedOut),
    (httpx2.DecodingError, MalformedAnswer),
    (httpx2.TransportError, ModelUnreachable),
    (httpx2.TooManyRedirects, ModelRefused),
    (httpx2.InvalidURL, ModelRefused),
    (TimeoutError, ModelTimedOut),
    (ConnectionError, ModelUnreachable),
)
_BY_NAME: dict[str, Kind] = {
    "APITimeoutError": ModelTimedOut,
    "APIConnectionError": ModelUnreachable,
    "APIResponseValidationError": MalformedAnswer,
    "APIError": ModelServerError,
}
"""Errors of the providers' clients by class name: either client may be missing here."""

_KEY_LIKE = re.compile(r"\b(sk-[\w*-]{6,}|Bearer\s+[^\s'\"]+)")
_LONGEST = 400


@dataclass(frozen=True)
class ProviderBoundary:
    """The edge between foreign code and ours, for one model."""

    name: str
    """The model, as it was asked for."""
    place: str
    """Host and port of its server."""
    key_variable: str = "the API key"
    """The variable that holds the key, for the advice to check it."""
    secrets: tuple[str, ...] = ()
    """Keys and passwords, never to be shown."""
    client_errors: tuple[type[Exception], ...] = ()
    """Base errors of the provider's own client."""

    @contextmanager
    def guard(self) -> Generator[None]:
        """Whatever foreign error is raised inside leaves as a `ModelError`."""
        try:
            yield
        except (*FOREIGN, *self.client_errors) as error:
            # A cause that shows a key would show it in every traceback.
            raise self.translate(error) from (None if self._tells_secrets(error) else error)

    def translate(self, error: Exception) -> ModelError:
        """The named error for `error`; says which model, where, and what the server said."""
        kind = _kind_of(error)
        advice = f" Check {self.key_variable}." if _status(error) in {401, 403} else ""
        advice += self._about_ollama(kind, _status(error))
        message = self.redact(f"{self.name} at {self.place}: {_said(error)}{advice}")
        retry_after = getattr(error, "retry_after", None)
        if issubclass(kind, ModelUnavailable):
            return kind(message, retry_after=_seconds(retry_after))
        return kind(message)

    def _about_ollama(self, kind: Kind, status: int | None) -> str:
        """What to do where it is the usual thing with Ollama: it is not running, or has not fetched the model."""
        provider, _, model = self.name.partition(":")
        if provider.casefold() != "ollama":
            return ""
        if kind is ModelUnreachable:
            return " Is Ollama running? `ollama serve` starts it; OLLAMA_BASE_URL says where it is."
        return f" `ollama pull {model}` fetches it." if status == 404 else ""

    def redact(self, text: str) -> str:
        """`text` without anything secret, on one line, cut to a readable length."""
        for secret in self._hidden:
            text = text.replace(secret, "***")
        text = " ".join(_KEY_LIKE.sub("***", text).split())
        return shortened(text, _LONGEST)

    @property
    def _hidden(self) -> list[str]:
        """The secrets that are some: a key such as `x` or `ollama` is none, and would garble every message."""
        public = f"{self.name} {self.place} {self.key_variable}"
        return [secret for secret in self.secrets if len(secret) >= 4 and secret not in public]

    def _tells_secrets(self, error: BaseException | None) -> bool:
        seen: set[int] = set()
        while error is not None and id(error) not in seen:
            seen.add(id(error))
            text = _text(error)
            if any(secret in text for secret in self._hidden) or _KEY_LIKE.search(text):
                return True
            error = error.__cause__ or error.__context__
        return False


def _kind_of(error: Exception) -> Kind:
    """Which of our errors it is."""
    status = _status(error)
    if status in _MAY_BE_TOO_LONG and _TOO_LONG.search(_said(error)):
        return ContextTooLong
    for foreign, kind in _BY_TYPE:
        if isinstance(error, foreign):
            return kind
    if status is not None:
        return _kind_of_status(status)
    if isinstance(error, ai.ModelAPIError):
        return _kind_of_api_error(error)
    return _kind_by_name(type(error))


def _kind_by_name(foreign: type[Exception]) -> Kind:
    for base in foreign.__mro__:
        if base.__name__ in _BY_NAME and base.__module__.split(".")[0] in {"openai", "anthropic"}:
            return _BY_NAME[base.__name__]
    return ModelUnreachable if issubclass(foreign, OSError) else MalformedAnswer


def _kind_of_status(status: int) -> Kind:
    if status == 429:
        return RateLimited
    if status in {408, 504}:
        return ModelTimedOut
    if status in {409, 425} or status >= 500:
        return ModelServerError
    return ModelRefused if status >= 300 else MalformedAnswer


def _kind_of_api_error(error: ai.ModelAPIError) -> Kind:
    """An error without a status: a body that is no JSON, or one that was sent inside a stream."""
    if _TOO_LONG.search(_said(error)):
        return ContextTooLong
    if getattr(error, "in_stream", False):
        return ModelServerError
    return CutStream if "finish_reason" in _text(error) else MalformedAnswer


def _status(error: Exception) -> int | None:
    found: object = getattr(error, "status_code", None)
    if found is None and isinstance(error, httpx2.HTTPStatusError):
        found = getattr(getattr(error, "response", None), "status_code", None)
    return found if isinstance(found, int) else None


def _said(error: Exception) -> str:
    """What the server said, else what the library says."""
    said = _message_in(getattr(error, "body", None))
    status = _status(error)
    if said:
        return f"{said} (status {status})" if status else said
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, ai.ModelConnectionError | OSError | httpx2.TransportError):
        return _reason(error)
    if isinstance(error, ai.AgentRunError | httpx2.HTTPError):
        return _text(error)
    return f"the server's answer cannot be read ({type(error).__name__}: {_text(error)})"


def _reason(error: BaseException) -> str:
    """Why there is no connection: the clients say "Connection error." and keep the reason as the cause."""
    reason = error
    while isinstance(reason.__cause__, Exception):
        reason = reason.__cause__
    return f"{_text(error) or 'no connection'} ({type(reason).__name__}: {_text(reason)})"


def _message_in(body: object) -> str:
    """The text of an error body: `{"error": {"message": …}}`, `{"error": …}`, `{"message": …}` or plain."""
    for _ in range(3):
        if not isinstance(body, dict):
            break
        fields = cast("dict[str, object]", body)
        code = fields.get("code")
        if isinstance(message := fields.get("message"), str):
            return f"{message} [{code}]" if isinstance(code, str) else message
        body = fields.get("error")
    return body if isinstance(body, str) else ""


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except AttributeError:  # an error that was never fully made
        return type(error).__name__


def _seconds(value: object) -> float | None:
    return max(0.0, float(value)) if isinstance(value, int | float) else None
