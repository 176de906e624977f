"""An embedder without a model, for tests: texts that share words are near each other."""

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from oldhand.errors import ModelUnreachable


class HashingEmbedder:
    """Gives each word a direction that follows from its letters alone.

    >>> rows = HashingEmbedder().embed(["goods go back", "goods go home", "we meet"])
    >>> [round(float(rows[0] @ other), 2) for other in rows]
    [1.0, 0.68, 0.01]
    """

    def __init__(self, name: str = "hashing", dimensions: int = 256) -> None:
        self.name = name
        self.dimensions = dimensions
        self.asked: list[str] = []
        """All texts that it was given."""
        self.fails = False
        """Whether it is out of reach."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See `Embedder`."""
        if self.fails:
            raise ModelUnreachable(f"{self.name} is out of reach.")
        self.asked.extend(texts)
        rows = np.stack(
            [sum(map(self._word, text.lower().split()), self._word("")) for text in texts]
        )
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def embed_question(self, question: str) -> NDArray[np.float32]:
        """See `Embedder`."""
        return self.embed([question])[0]

    def _word(self, word: str) -> NDArray[np.float32]:
        seed = blake2b(f"{self.name} {word}".encode(errors="surrogatepass"), digest_size=8).digest()
        drawn = np.random.default_rng(int.from_bytes(seed, "little"))
        length = 1.0 if word else 0.01
        return drawn.standard_normal(self.dimensions, np.float32) * np.float32(length)
