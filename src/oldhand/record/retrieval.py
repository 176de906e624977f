"""What joins the search among passages with what feedback has taught about them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from oldhand.record.base import Record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class AskedPoint(NamedTuple):
    """A question as the search sees it."""

    text: str
    vector: "NDArray[np.float32] | None"
    """Of length 1; None without an embedder."""
    model: str | None = None
    """The name of the embedder that the vector is of: those of different names are never compared."""


class PassageCandidate(NamedTuple):
    """A passage that may fit, before anything that was learned has a say."""

    chunk: str
    base: float
    """Half the cosine and half the score of the words, each stretched over the candidates to 0 … 1; larger is better."""
    cosine: float | None
    """Of the vectors of question and passage; None without an embedder."""


class RankedPassage(NamedTuple):
    """A candidate with what was learned about it."""

    chunk: str
    score: float
    """What to order by."""
    boost: float
    """What was learned, in the units of the score; 0 where nothing was."""


class PassageRanker(Protocol):
    """What feedback has taught about passages."""

    def evident(self, asked: AskedPoint) -> Sequence[str]:
        """Chunks that were good for questions like this one, so that they are candidates wherever the search puts them."""
        ...

    def rank(
        self, asked: AskedPoint, candidates: Sequence[PassageCandidate]
    ) -> Sequence[RankedPassage]:
        """All candidates, best first; without any feedback in the order that they come in, with no boost."""
        ...


class PassagesFoundBy(Record):
    """What the passages of an assistant are found by."""

    embedder: str | None
    """The model of meaning; None where words alone count."""
    passages: int
    """Those that say the same count once."""
    vectors: int
    """How many of them have one of this model."""

    @property
    def says(self) -> str:
        """In words.

        >>> PassagesFoundBy(embedder=None, passages=9, vectors=0).says
        'Passages are found by their words alone.'
        >>> PassagesFoundBy(embedder="all-MiniLM-L6-v2", passages=1200, vectors=900).says
        'Passages are found by their words and by what they mean to all-MiniLM-L6-v2; 300 of 1,200 wait for that.'
        """
        if self.embedder is None:
            return "Passages are found by their words alone."
        waiting = self.passages - self.vectors
        left = f"; {waiting:,} of {self.passages:,} wait for that" if waiting > 0 else ""
        return f"Passages are found by their words and by what they mean to {self.embedder}{left}."


class Embedder(Protocol):
    """Turns texts into vectors, so that texts of like meaning are near each other."""

    @property
    def name(self) -> str:
        """Which model it is: vectors of different names are never compared."""
        ...

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        ...

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """One row of length 1 for each text; blocks.

        Raises:
            ModelError: the model does not answer, or not with finite numbers of this size.
        """
        ...

    def embed_question(self, question: str) -> "NDArray[np.float32]":
        """The vector of a question; some models read questions otherwise than passages."""
        ...


class CrossEncoder(Protocol):
    """Reads a question together with each passage: slower than vectors, and more exact."""

    def fits(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """How well each text answers the question, from 0 to 1; blocks."""
        ...
