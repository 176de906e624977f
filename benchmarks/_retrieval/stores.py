"""Stores full of passages, with vectors of a model or drawn at random."""

import random
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from oldhand.learning.credit.events import NoRule
from oldhand.models.embedding.vectors import packed_vector
from oldhand.record.document import Anchor, Document, DocumentState, Passage
from oldhand.record.retrieval import AskedPoint
from oldhand.sources.retrieval import ByMeaning, Retriever
from oldhand.sources.retrieval.matrices import PassageMatrices
from oldhand.sources.retrieval.meaning import PassageMeaning
from oldhand.store import Store, sqlite_url
from oldhand.testing import FixedClock
from oldhand.testing.records import NOON

SIZE = 384
MODEL = "given"
_PER_DOCUMENT, _AT_ONCE = 100, 40
"""Passages of a document, and documents that are written at once, as many as come in: a word that several have is written once."""
_VOCABULARY = 30_000
_WORDS = 90
"""Words of a passage of 187 tokens, small words aside."""


class Given:
    """An embedder whose vectors were made before."""

    name = MODEL
    dimensions = SIZE

    def __init__(self, vectors: dict[str, np.ndarray]) -> None:
        self._vectors = vectors

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """See `Embedder`."""
        return np.stack([self._vectors[text] for text in texts])

    def embed_question(self, question: str) -> np.ndarray:
        """See `Embedder`."""
        return self._vectors[question]


def open_store(folder: Path) -> Store:
    """A store in a folder."""
    return Store.open(sqlite_url(folder / "store.db"), clock=FixedClock(), lock_seconds=60)


def retriever(
    store: Store, clone_id: str, embedder: Given | None, megabytes: float = 8_000
) -> Retriever:
    """What finds passages; by their words alone without an embedder."""
    if embedder is None:
        return Retriever(clone_id, store.passages, NoRule())
    meaning = PassageMeaning(store.vectors, embedder, FixedClock())
    by_meaning = ByMeaning(meaning, PassageMatrices(store.vectors, megabytes))
    return Retriever(clone_id, store.passages, NoRule(), by_meaning)


def put(store: Store, clone_id: str, texts: Sequence[tuple[str, str, str]], first: int = 0) -> None:
    """Passages in documents of a hundred, all written at once: for each, its hash, heading and text."""
    parts = [texts[at : at + _PER_DOCUMENT] for at in range(0, len(texts), _PER_DOCUMENT)]
    held = [_document(clone_id, f"d{first + at * _PER_DOCUMENT}", one) for at, one in enumerate(parts)]  # fmt: skip
    for document, _ in held:
        store.documents.add(document)
    store.documents.replace_all(clone_id, held)


def _document(
    clone_id: str, name: str, texts: Sequence[tuple[str, str, str]]
) -> tuple[Document, list[Passage]]:
    document = Document(
        id=name,
        clone_id=clone_id,
        name=name,
        source=name,
        media="text/plain",
        digest=name,
        state=DocumentState.READY,
        added_by="ana",
        added_at=NOON,
    )
    passages = [
        Passage(
            chunk=chunk,
            document_id=name,
            position=at,
            text=text,
            anchor=Anchor(heading=(heading,) if heading else ()),
        )
        for at, (chunk, heading, text) in enumerate(texts)
    ]
    return document, passages


def generated(seed: int) -> Iterator[str]:
    """Texts whose words are as unevenly spread as those of a language."""
    draw = random.Random(seed)
    words = [f"w{number}" for number in range(_VOCABULARY)]
    weights = np.cumsum(1.0 / np.arange(1, _VOCABULARY + 1)).tolist()
    while True:
        yield " ".join(draw.choices(words, cum_weights=weights, k=_WORDS))


def parts(passages: int, seed: int) -> Iterator[tuple[int, list[str], np.ndarray]]:
    """Generated passages with random vectors, some at a time, and the number of the first of these."""
    texts, drawn = generated(seed), np.random.default_rng(seed)
    at_once = _PER_DOCUMENT * _AT_ONCE
    for start in range(0, passages, at_once):
        some = list(islice(texts, min(at_once, passages - start)))
        rows = drawn.standard_normal((len(some), SIZE), np.float32)
        yield start, some, rows / np.linalg.norm(rows, axis=1, keepdims=True)


def fill(store: Store, clone_id: str, passages: int, seed: int = 0) -> None:
    """Generated passages with random vectors."""
    for start, some, rows in parts(passages, seed):
        named = [(f"{clone_id}-{start + at}", "", text) for at, text in enumerate(some)]
        put(store, clone_id, named, start)
        packed = {chunk: packed_vector(row) for (chunk, _, _), row in zip(named, rows, strict=True)}
        store.vectors.save(clone_id, MODEL, packed)


def questions(count: int, seed: int = 7) -> dict[str, np.ndarray]:
    """Questions of eight words with random vectors."""
    draw, drawn = random.Random(seed), np.random.default_rng(seed)
    found: dict[str, np.ndarray] = {}
    for text in islice(generated(seed), count):
        row = drawn.standard_normal(SIZE).astype(np.float32)
        found[" ".join(draw.sample(text.split(), 8))] = row / np.linalg.norm(row)
    return found


def asked(text: str, vector: np.ndarray) -> AskedPoint:
    """A question with its vector."""
    return AskedPoint(text, vector, MODEL)
