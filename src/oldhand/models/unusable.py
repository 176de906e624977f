"""A model that can't be asked as things stand, such as one without a key, in the place of the one that was named."""

from collections.abc import AsyncGenerator
from typing import NoReturn

from oldhand.errors import ModelRefused


class UnusableModel:
    """A `LanguageModel` that refuses whatever it is asked: whoever has others to choose from can go on with these.

    >>> import asyncio
    >>> from oldhand.models import Ledger
    >>> model = UnusableModel("openai:gpt-4o", ModelRefused("There is no API key."))
    >>> asyncio.run(model.complete([], stage="plan", ledger=Ledger()))
    Traceback (most recent call last):
        ...
    oldhand.errors.ModelRefused: There is no API key.
    """

    def __init__(self, name: str, why: ModelRefused) -> None:
        self.name = name
        self._why = str(why)

    async def complete(self, *_: object, **__: object) -> NoReturn:
        """Refuse."""
        raise ModelRefused(self._why)

    structured = complete

    async def stream(self, *_: object, **__: object) -> AsyncGenerator[str, None]:
        """Refuse."""
        raise ModelRefused(self._why)
        yield ""

    async def aclose(self) -> None:
        """There is nothing to let go of."""
