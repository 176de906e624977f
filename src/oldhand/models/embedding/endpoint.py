"""A model of meaning behind an address that speaks as OpenAI's does."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random, SystemRandom

import numpy as np
from numpy.typing import NDArray
from openai import AsyncOpenAI, DefaultAsyncHttpxClient

from oldhand.models.blocking import blocking
from oldhand.models.clients import http_client
from oldhand.models.embedding.vectors import unit_vectors
from oldhand.models.foreign_errors import ProviderBoundary
from oldhand.models.names import Endpoint
from oldhand.models.openai_client import ERRORS
from oldhand.models.retries import Retries, Sleep
from oldhand.settings import ModelSettings

_BATCH = 128
"""Texts in one request."""
_LONGEST = 8_000
"""Characters of a text that are sent: more would not fit the models."""


@dataclass
class EndpointEmbedder:
    """An `Embedder` that asks a server; questions wait for it but a moment."""

    name: str
    endpoint: Endpoint
    settings: ModelSettings
    question_seconds: float = 5.0
    """Time that a question waits for its vector; then it is searched for by its words alone."""
    random: Random = field(default_factory=SystemRandom)
    sleep: Sleep = asyncio.sleep
    dimensions: int = 0
    """See `Embedder`; 0 until the first answer."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See `Embedder`."""
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        return self._embed(texts, self.settings)

    def embed_question(self, question: str) -> NDArray[np.float32]:
        """See `Embedder`."""
        wait = {"timeout_seconds": self.question_seconds, "total_seconds": self.question_seconds}
        hurried = self.settings.model_copy(update={**wait, "retries": 0})
        return self._embed([question], hurried)[0]

    def _embed(self, texts: Sequence[str], settings: ModelSettings) -> NDArray[np.float32]:
        sent = [text[:_LONGEST] or " " for text in texts]
        found = blocking(lambda: self._ask(sent, settings))
        rows = unit_vectors(found, len(texts), self.dimensions, self.name)
        self.dimensions = rows.shape[1]
        return rows

    async def _ask(self, texts: Sequence[str], settings: ModelSettings) -> list[list[float]]:
        end = self.endpoint
        edge = ProviderBoundary(self.name, end.place, end.key_variable, end.secrets, ERRORS)
        retries = Retries(settings, self.random, self.sleep)
        with edge.guard():
            client = AsyncOpenAI(
                api_key=end.api_key,
                base_url=end.base_url,
                max_retries=0,  # ours would multiply with theirs
                timeout=settings.timeout_seconds,
                http_client=http_client(end, DefaultAsyncHttpxClient),
            )

        async def attempt(batch: Sequence[str]) -> list[list[float]]:
            with edge.guard():
                answer = await client.embeddings.create(
                    input=list(batch), model=end.model, encoding_format="float"
                )
                return [one.embedding for one in sorted(answer.data, key=lambda one: one.index)]

        found: list[list[float]] = []
        async with client:
            for start in range(0, len(texts), _BATCH):
                batch = texts[start : start + _BATCH]
                found += await retries.run(lambda batch=batch: attempt(batch))
        return found
