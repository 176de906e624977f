"""The one gateway to language models over the network: OpenAI, Anthropic, Ollama, and any server that speaks like OpenAI."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, field
from typing import cast
from weakref import WeakKeyDictionary

from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.messages import ModelResponse
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.settings import ModelSettings as WireSettings

from oldhand.errors import CutStream, MalformedAnswer, ModelRefused, ModelServerError
from oldhand.models import wire
from oldhand.models.clients import Form, ProviderClient, client_maker
from oldhand.models.foreign_errors import ProviderBoundary
from oldhand.models.language_model import Completion, FinishReason, ModelTool
from oldhand.models.ledger import Ledger
from oldhand.models.names import Endpoint
from oldhand.models.retries import Retries
from oldhand.models.streaming import TextStream
from oldhand.models.structured import (
    T,
    after_system,
    answer_dialogue,
    converse,
    schema_request,
)
from oldhand.record.episode import Message
from oldhand.record.usage import Usage
from oldhand.settings import ModelSettings


@dataclass
class _Call:
    """One call, with all its attempts."""

    stage: str
    ledger: Ledger
    spent: list[Usage] = field(default_factory=list[Usage])


class Gateway:
    """A `LanguageModel` behind a provider's API; made by `get_lm`."""

    def __init__(
        self, name: str, endpoint: Endpoint, settings: ModelSettings, retries: Retries
    ) -> None:
        self.name = name
        """The name by which it was asked for."""
        self._endpoint = endpoint
        self._settings = settings
        self._retries = retries
        self._maker = client_maker(endpoint.provider)
        self._edge = ProviderBoundary(
            name, endpoint.place, endpoint.key_variable, endpoint.secrets, self._maker.ERRORS
        )
        # Connections belong to the event loop they were opened in, and a sync caller has one loop per question.
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, ProviderClient] = (
            WeakKeyDictionary()
        )
        self._form: Form | None = None

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        stage: str,
        ledger: Ledger,
        tools: Sequence[ModelTool] = (),
    ) -> Completion:
        """See `LanguageModel.complete`."""
        call = _Call(stage, ledger)
        began = ledger.clock.monotonic()
        return self._completion(
            await self._request(messages, wire.with_tools(tools), call), call, began
        )

    async def complete_aloud(
        self,
        messages: Sequence[Message],
        heard: Callable[[str], None],
        *,
        stage: str,
        ledger: Ledger,
        tools: Sequence[ModelTool] = (),
    ) -> Completion:
        """See `SpeakingModel.complete_aloud`; an answer that breaks off is asked for once more, in one piece."""
        call = _Call(stage, ledger)
        began = ledger.clock.monotonic()
        parameters = wire.with_tools(tools)
        stream = await self._retries.run(lambda: self._open_stream(messages, call, parameters))
        try:
            while stream.piece is not None:
                heard(stream.piece)
                await stream.advance()
            response = self._accept(stream.response)
            call.spent.append(wire.usage_of(response))
        except CutStream:
            response = await self._request(messages, parameters, call)
        finally:
            await stream.close()
        return self._completion(response, call, began)

    def _completion(self, response: ModelResponse, call: _Call, began: float) -> Completion:
        reason = cast("FinishReason", response.finish_reason or "stop")
        text, calls = response.text or "", wire.tool_calls_of(response)
        if not text and not calls and reason != "length":
            raise MalformedAnswer(f"{self.name} answered nothing.")
        return Completion(
            text=text,
            tool_calls=calls,
            finish_reason=reason,
            usage=sum(call.spent, Usage()),
            seconds=call.ledger.clock.monotonic() - began,
        )

    async def structured(
        self, messages: Sequence[Message], schema: type[T], *, stage: str, ledger: Ledger
    ) -> T:
        """See `LanguageModel.structured`."""
        call = _Call(stage, ledger)

        async def ask(asked: Sequence[Message]) -> str:
            return await self._ask_for(schema, asked, call)

        return await converse(answer_dialogue(messages, schema), ask)

    async def stream(
        self, messages: Sequence[Message], *, stage: str, ledger: Ledger
    ) -> AsyncGenerator[str, None]:
        """See `LanguageModel.stream`."""
        call = _Call(stage, ledger)
        stream = await self._retries.run(lambda: self._open_stream(messages, call))
        try:
            while stream.piece is not None:
                yield stream.piece
                await stream.advance()
        finally:
            await stream.close()

    async def aclose(self) -> None:
        """Close the connections that were opened in the running event loop."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            with self._edge.guard():
                await client.close()

    async def _ask_for(self, schema: type[T], messages: Sequence[Message], call: _Call) -> str:
        """The text of an answer in the form of `schema`, by the best way that the server allows."""
        while True:
            form = self._form or self._client().form
            try:
                response = await self._request(*self._put(schema, messages, form), call)
            except ModelRefused as refused:
                easier = _easier(form, refused)
                if easier is None:
                    raise
                self._form = easier
                continue
            if response.finish_reason == "length":
                raise CutStream(f"{self.name}: the answer reached the limit of output tokens.")
            return wire.answer_text(response)

    def _put(
        self, schema: type[T], messages: Sequence[Message], form: Form
    ) -> tuple[Sequence[Message], ModelRequestParameters]:
        """The request for an answer in the form of `schema`."""
        if form is Form.TOOL:
            return messages, wire.with_answer_tool(schema)
        if form is Form.NATIVE and self._endpoint.own and self._endpoint.provider != "ollama":
            return messages, wire.with_native_schema(schema)
        # Some servers take a schema and ignore it, so they also get it in words.
        told = after_system(messages, schema_request(schema))
        if form is Form.NATIVE:
            return told, wire.with_native_schema(schema)
        return told, ModelRequestParameters()

    async def _request(
        self, messages: Sequence[Message], parameters: ModelRequestParameters, call: _Call
    ) -> ModelResponse:
        return await self._retries.run(lambda: self._attempt(messages, parameters, call))

    async def _attempt(
        self, messages: Sequence[Message], parameters: ModelRequestParameters, call: _Call
    ) -> ModelResponse:
        """One request; booked whatever comes of it."""
        client = self._client()
        attempt = call.ledger.start(call.stage, self.name)
        usage = Usage(requests=1)
        try:
            with self._edge.guard():
                async with asyncio.timeout(self._settings.timeout_seconds):
                    response = await model_request(
                        client.model,
                        wire.to_wire(messages),
                        model_settings=self._wire_settings(client, call),
                        model_request_parameters=parameters,
                    )
            usage = wire.usage_of(response)
            return self._accept(response)
        finally:
            call.spent.append(usage)
            attempt.close(usage)

    async def _open_stream(
        self,
        messages: Sequence[Message],
        call: _Call,
        parameters: ModelRequestParameters | None = None,
    ) -> TextStream:
        client = self._client()
        stream = TextStream(
            model_request_stream(
                client.model,
                wire.to_wire(messages),
                model_settings=self._wire_settings(client, call),
                model_request_parameters=parameters,
            ),
            self._edge,
            call.ledger.start(call.stage, self.name),
            self._settings.timeout_seconds,
            text_only=parameters is None,
        )
        await stream.open()
        return stream

    def _wire_settings(self, client: ProviderClient, call: _Call) -> WireSettings:
        """The settings of one request; the stage travels as a header, for proxies that count by it."""
        settings = client.settings.copy()
        settings["extra_headers"] = {"X-Oldhand-Stage": ascii(call.stage)[1:-1][:64]}
        if self._settings.temperature is not None and client.takes_temperature:
            settings["temperature"] = self._settings.temperature
        return settings

    def _accept(self, response: ModelResponse) -> ModelResponse:
        """Refuse what only looks like an answer."""
        if response.finish_reason == "content_filter":
            raise ModelRefused(f"{self.name}: the provider's content filter withheld the answer.")
        if response.finish_reason == "error":
            raise ModelServerError(f"{self.name}: the model broke off with an error.")
        if response.finish_reason is None and "finish_reason" not in (
            response.provider_details or {}
        ):
            # Anthropic's long answers are streamed behind the scenes: one that was cut looks complete.
            raise CutStream(f"{self.name}: the answer ended without a finish_reason.")
        return response

    def _client(self) -> ProviderClient:
        loop = asyncio.get_running_loop()
        client = self._clients.get(loop)
        if client is None:
            with self._edge.guard():
                client = self._clients[loop] = self._maker.connect(self._endpoint)
        return client


_FORMS = tuple(Form)
_ABOUT_THE_FORM = (
    "response_format",
    "json_schema",
    "output_config",
    "output_format",
    "schema",
    "tool",
)


def _easier(form: Form, refused: ModelRefused) -> Form | None:
    """The next way to ask for a schema, when the server refused the request because of this one."""
    said = str(refused).lower()
    if form is Form.TEXT or not any(word in said for word in _ABOUT_THE_FORM):
        return None
    return _FORMS[_FORMS.index(form) + 1]
