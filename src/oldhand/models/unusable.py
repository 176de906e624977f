"""A model that can't be asked as things stand, such as one without a key, in the place of the one that was named."""

# ruff: noqa: ARG002 (whatever it is asked, it refuses)

from collections.abc import AsyncGenerator, Sequence

from oldhand.errors import ModelRefused
from oldhand.models.language_model import Completion, Tool
from oldhand.models.ledger import Ledger
from oldhand.models.structured import T
from oldhand.record.episode import Message


class UnusableModel:
    """A `LanguageModel` that refuses whatever it is asked: whoever has others to choose from can go on with these.

    >>> import asyncio
    >>> model = UnusableModel("openai:gpt-4o", ModelRefused("There is no API key."))
    >>> asyncio.run(model.complete([], stage="plan", ledger=Ledger()))
    Traceback (most recent call last):
        ...
    oldhand.errors.ModelRefused: There is no API key.
    """

    def __init__(self, name: str, why: ModelRefused) -> None:
        self.name = name
        self._why = str(why)

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        stage: str,
        ledger: Ledger,
        tools: Sequence[Tool] = (),
    ) -> Completion:
        """Refuse."""
        raise ModelRefused(self._why)

    async def structured(
        self, messages: Sequence[Message], schema: type[T], *, stage: str, ledger: Ledger
    ) -> T:
        """Refuse."""
        raise ModelRefused(self._why)

    async def stream(
        self, messages: Sequence[Message], *, stage: str, ledger: Ledger
    ) -> AsyncGenerator[str, None]:
        """Refuse."""
        raise ModelRefused(self._why)
        yield ""

    async def aclose(self) -> None:
        """There is nothing to let go of."""
