"""One streamed answer, with every way in which it can end too early."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack

from pydantic_ai.messages import ModelResponse, ModelResponseStreamEvent
from pydantic_ai.models import StreamedResponse

from oldhand.errors import CutStream, MalformedAnswer, ModelError, ModelRefused, ModelTimedOut
from oldhand.models.foreign_errors import ProviderBoundary
from oldhand.models.ledger import BookedRequest
from oldhand.models.wire import piece_of, usage_of
from oldhand.record.usage import Usage


class TextStream:
    """Reads ahead by one piece, so that a stream which fails at its start can be asked for again."""

    def __init__(
        self,
        source: AbstractAsyncContextManager[StreamedResponse],
        edge: ProviderBoundary,
        attempt: BookedRequest,
        seconds: float,
        *,
        text_only: bool = True,
    ) -> None:
        self.piece: str | None = None
        """The next piece of text; None at the end."""
        self._said = False
        self._text_only = text_only
        self._source = source
        self._edge = edge
        self._attempt = attempt
        self._seconds = seconds
        self._stack = AsyncExitStack()
        self._response: StreamedResponse | None = None
        self._events: AsyncIterator[ModelResponseStreamEvent] | None = None

    @property
    def response(self) -> ModelResponse:
        """The whole answer, once it has ended."""
        assert self._response is not None, "it was opened"
        return self._response.get()

    async def open(self) -> None:
        """Send the request and wait for the first piece; closes itself when that fails."""
        opened = False
        try:
            with self._edge.guard():
                async with asyncio.timeout(self._seconds):
                    self._response = await self._stack.enter_async_context(self._source)
            self._events = aiter(self._response)
            await self._read()
            opened = True
        finally:
            if not opened:
                await self.close()

    async def advance(self) -> None:
        """Wait for the next piece.

        Raises:
            ModelTimedOut: it took too long.
            CutStream: the answer broke off; what came so far is not all of it.
        """
        try:
            await self._read()
        except (CutStream, ModelTimedOut, ModelRefused):
            raise
        except ModelError as error:
            raise CutStream(f"The answer broke off: {error}") from error

    async def close(self) -> None:
        """Book what was used and let go of the connection."""
        usage = Usage(requests=1) if self._response is None else usage_of(self._response.get())
        self._attempt.close(usage)
        with self._edge.guard():
            await self._stack.aclose()

    async def _read(self) -> None:
        assert self._events is not None
        self.piece = None
        while self.piece is None:
            with self._edge.guard():
                async with asyncio.timeout(self._seconds):
                    event = await anext(self._events, None)
            if event is None:
                self._check_end()
                return
            self.piece = piece_of(event) or None
        self._said = True

    def _check_end(self) -> None:
        """A stream that just stops is reported as complete: only the server's own word counts."""
        assert self._response is not None
        reason = self._response.finish_reason
        if reason == "content_filter":
            raise ModelRefused(
                f"{self._edge.name}: the provider's content filter stopped the answer."
            )
        if "finish_reason" not in (self._response.provider_details or {}):
            raise CutStream(f"{self._edge.name}: the answer ended without a finish_reason.")
        if not self._text_only:
            return  # what is no text counts as well, and whoever asked looks at the whole
        if not self._said and reason != "length":
            raise MalformedAnswer(f"{self._edge.name} answered nothing.")
        if reason == "length":
            raise CutStream(f"{self._edge.name}: the answer reached the limit of output tokens.")
