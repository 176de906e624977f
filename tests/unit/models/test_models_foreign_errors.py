"""No error of pydantic-ai, the providers' clients or httpx gets out; none tells a key."""

import inspect
import traceback
from collections.abc import Iterator
from types import ModuleType

import anthropic
import httpx2
import openai
import pytest
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
from oldhand.models.foreign_errors import ProviderBoundary

KEY = "k3y-that-nobody-may-see"
EDGE = ProviderBoundary(
    "openai:m", "h:1", "OPENAI_API_KEY", (KEY,), (openai.OpenAIError, anthropic.AnthropicError)
)
REQUEST = httpx2.Request("POST", "http://h:1/v1", headers={"authorization": f"Bearer {KEY}"})


def errors_in(module: ModuleType) -> list[type[Exception]]:
    """All exceptions that `module` exports; warnings and control flow aside."""
    found = {
        value
        for name in dir(module)
        if inspect.isclass(value := getattr(module, name))
        and issubclass(value, Exception)
        and not issubclass(value, Warning)
        and value.__module__.partition(".")[0] == module.__name__.partition(".")[0]
    }
    return sorted(found, key=lambda error: error.__name__)


CONTROL_FLOW = {
    "ApprovalRequired",
    "CallDeferred",
    "ModelRetry",
    "RetryModelRequest",
    "SkipModelRequest",
    "SkipToolExecution",
    "SkipToolValidation",
    "ToolFailed",
    "ToolFailedError",
    "ToolRetryError",
    "FallbackExceptionGroup",
}
"""pydantic-ai raises these between an agent and its tools, which we do not use."""


def foreign() -> Iterator[type[Exception]]:
    yield from (e for e in errors_in(ai) if e.__name__ not in CONTROL_FLOW)
    yield from errors_in(openai)
    yield from errors_in(anthropic)
    yield from errors_in(httpx2)


FOREIGN = list(foreign())


def bare(kind: type[Exception]) -> Exception:
    """An error of `kind`, whatever its constructor wants: only the message is there."""
    error = kind.__new__(kind, f"boom, {KEY}")
    Exception.__init__(error, f"boom, {KEY}")
    return error


def test_there_are_errors_to_look_at() -> None:
    modules = {kind.__module__.partition(".")[0] for kind in FOREIGN}
    assert {"openai", "anthropic", "pydantic_ai", "httpx2"} <= modules
    assert len(FOREIGN) > 80


@pytest.mark.parametrize("kind", FOREIGN, ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
def test_no_foreign_error_gets_out(kind: type[Exception]) -> None:
    with pytest.raises(ModelError) as caught, EDGE.guard():
        raise bare(kind)
    assert KEY not in "".join(traceback.format_exception(caught.value))
    assert str(caught.value).startswith("openai:m at h:1: ")


@pytest.mark.parametrize(
    "kind",
    [
        IndexError,
        KeyError,
        AttributeError,
        TypeError,
        ValueError,
        UnicodeDecodeError,
        RecursionError,
    ],
)
def test_what_libraries_trip_over_is_a_malformed_answer(kind: type[Exception]) -> None:
    with pytest.raises(MalformedAnswer), EDGE.guard():
        raise bare(kind)


def test_our_own_errors_and_cancelling_pass() -> None:
    for error in (CutStream("cut"), KeyboardInterrupt()):
        with pytest.raises(type(error)) as caught, EDGE.guard():
            raise error
        assert caught.value is error


def http(status: int, message: str = "no", code: str | None = None) -> Exception:
    body = {"message": message, "code": code}
    return ai.ModelHTTPError(status_code=status, model_name="m", body=body)


@pytest.mark.parametrize(
    ("error", "ours"),
    [
        (http(400), ModelRefused),
        (http(401), ModelRefused),
        (http(403), ModelRefused),
        (http(404), ModelRefused),
        (http(408), ModelTimedOut),
        (http(409), ModelServerError),
        (http(422), ModelRefused),
        (http(429), RateLimited),
        (http(500), ModelServerError),
        (http(502), ModelServerError),
        (http(503), ModelServerError),
        (http(504), ModelTimedOut),
        (http(529), ModelServerError),
        (httpx2.ConnectError("refused"), ModelUnreachable),
        (httpx2.ReadTimeout("slow"), ModelTimedOut),
        (httpx2.RemoteProtocolError("broke off"), ModelUnreachable),
        (TimeoutError(), ModelTimedOut),
        (ConnectionResetError(), ModelUnreachable),
        (OSError("no route"), ModelUnreachable),
        (openai.APIConnectionError(request=REQUEST), ModelUnreachable),
        (openai.APITimeoutError(request=REQUEST), ModelTimedOut),
        (anthropic.APIConnectionError(request=REQUEST), ModelUnreachable),
        (anthropic.APITimeoutError(request=REQUEST), ModelTimedOut),
        (ai.ModelAPIError("m", "Failed to decode response as JSON: no"), MalformedAnswer),
        (ai.ModelAPIError("m", "overloaded", in_stream=True), ModelServerError),
        (ai.UnexpectedModelBehavior("odd"), MalformedAnswer),
        (ai.UserError("no such output mode"), ModelRefused),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else repr(value)[:60],
)
def test_each_error_is_named_for_what_to_do_next(error: Exception, ours: type[ModelError]) -> None:
    assert type(EDGE.translate(error)) is ours


@pytest.mark.parametrize(
    ("status", "message", "code"),
    [
        (400, "This model's maximum context length is 8192 tokens.", "context_length_exceeded"),
        (400, "too many messages", "context_length_exceeded"),
        (400, "prompt is too long: 208310 tokens > 200000 maximum", None),
        (400, "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000", None),
        (413, "Request exceeds the maximum size: request_too_large", None),
        (400, "the request exceeds the available context size, try increasing it", None),
        (500, "the input length exceeds the context length", None),
        (500, "prompt too long; exceeded max context length by 12 tokens", None),
        (400, "The prompt is longer than the maximum model length of 4096", None),
    ],
)
def test_a_prompt_that_does_not_fit_is_known_by_each_providers_words(
    status: int, message: str, code: str | None
) -> None:
    assert type(EDGE.translate(http(status, message, code))) is ContextTooLong


def test_other_refusals_are_not_taken_for_a_long_prompt() -> None:
    assert type(EDGE.translate(http(400, "temperature is too high"))) is ModelRefused
    assert type(EDGE.translate(http(429, "too many tokens per minute"))) is RateLimited


def test_the_wait_that_a_provider_asks_for_is_kept() -> None:
    error = ai.ModelHTTPError(429, "m", {"message": "slow down"}, headers={"Retry-After": "7"})
    ours = EDGE.translate(error)
    assert isinstance(ours, ModelUnavailable)
    assert ours.retry_after == 7.0


def test_a_refused_key_is_advised_but_not_shown() -> None:
    ours = EDGE.translate(http(401, f"Incorrect API key provided: {KEY}"))
    assert "Check OPENAI_API_KEY." in str(ours)
    assert KEY not in str(ours)


@pytest.mark.parametrize("shown", ["sk-proj-abcdefghijkl", "Bearer abc.def"])
def test_even_a_key_that_is_not_ours_is_not_shown(shown: str) -> None:
    assert shown not in str(EDGE.translate(http(400, f"bad header: {shown}")))


def test_a_long_page_is_cut() -> None:
    assert len(str(EDGE.translate(http(500, "x" * 100_000)))) < 600


@pytest.mark.parametrize("key", ["x", "no", "ollama", "11434"])
def test_a_placeholder_for_a_key_does_not_garble_the_message(key: str) -> None:
    edge = ProviderBoundary("ollama:m", "localhost:11434", "OLLAMA_API_KEY", (key,))
    assert "ollama:m at localhost:11434: no next text" in str(
        edge.translate(http(400, "no next text"))
    )


@pytest.mark.parametrize("key", ["sk-test", "geheim", "abc1"])
def test_a_short_key_is_hidden_as_well(key: str) -> None:
    edge = ProviderBoundary("openai:m", "h:1", "OPENAI_API_KEY", (key,))
    with pytest.raises(ModelRefused) as caught, edge.guard():
        raise http(401, f"Incorrect API key provided: {key}")
    assert key not in "".join(traceback.format_exception(caught.value))
