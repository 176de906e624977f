"""How good the passages are that are found, on public collections, beside chromadb with the same vectors."""

import json
import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from benchmarks._retrieval.stores import MODEL, Given, open_store, put, retriever
from oldhand.models.embedding.choosing import choose_embedder
from oldhand.models.embedding.vectors import packed_vector
from oldhand.record.retrieval import Embedder
from oldhand.settings import DocumentSettings, Settings

NAMES = ("covidqa", "cranfield", "banking77")
MOST = 500
"""Questions of a collection, drawn at random."""


@dataclass(frozen=True)
class Collection:
    """Passages and questions with what is relevant."""

    name: str
    passages: list[tuple[str, str, str]]
    """Id, title and text."""
    questions: list[tuple[str, frozenset[str]]]


class Quality(NamedTuple):
    """One way to search one collection."""

    collection: str
    way: str
    ndcg: float
    success: float
    milliseconds: float
    """Median of a question, the embedder left out."""


def read(folder: Path, name: str) -> Collection:
    """One collection."""
    passages = [
        (one["id"], one.get("title") or "", one["text"])
        for one in _lines(folder / name / "corpus.jsonl")
    ]
    relevant: dict[str, set[str]] = {}
    for line in (folder / name / "qrels.tsv").read_text().splitlines():
        question, passage, gain = line.split("\t")
        if float(gain) > 0:
            relevant.setdefault(question, set()).add(passage)
    known = [
        (one["text"], frozenset(relevant[one["id"]]))
        for one in _lines(folder / name / "queries.jsonl")
        if one["id"] in relevant
    ]
    random.Random(7).shuffle(known)
    return Collection(name, passages, known[:MOST])


def measured(collection: Collection, embedder: Embedder) -> tuple[list[Quality], float]:
    """Each way to search it, and how many passages a second were embedded."""
    began = time.perf_counter()
    texts = [f"{title}\n{text}" if title else text for _, title, text in collection.passages]
    rows = embedder.embed(texts)
    rate = len(rows) / (time.perf_counter() - began)
    asked = {question: embedder.embed_question(question) for question, _ in collection.questions}
    ids = [one for one, _, _ in collection.passages]
    given = Given(asked)
    found: list[Quality] = []
    with TemporaryDirectory() as folder, open_store(Path(folder)) as store:
        put(store, "default", collection.passages)
        vectors = {one: packed_vector(row) for one, row in zip(ids, rows, strict=True)}
        store.vectors.save("default", MODEL, vectors)
        for way, searched in (
            ("words alone", retriever(store, "default", None)),
            ("half words, half meaning", retriever(store, "default", given)),
        ):

            def search(question: str, searched: object = searched) -> list[str]:
                hits = searched.find(question, "ana", True, 10)
                return [one.passage.chunk for one in hits]

            found.append(_judged(collection, way, search))
    matrix = rows.astype(np.float16).astype(np.float32)

    def nearest(question: str) -> list[str]:
        return [ids[at] for at in np.argsort(-(matrix @ asked[question]), kind="stable")[:10]]

    found.insert(1, _judged(collection, "meaning alone", nearest))
    if find_spec("chromadb"):
        found.append(_judged(collection, "chromadb", _chroma(ids, texts, rows, asked)))
    return found, rate


def local_embedder() -> Embedder | None:
    """The model on this machine; None where it is not installed."""
    return choose_embedder(Settings(documents=DocumentSettings(embedder="auto")))


def _chroma(
    ids: Sequence[str], texts: Sequence[str], rows: np.ndarray, asked: dict[str, np.ndarray]
) -> Callable[[str], list[str]]:
    import chromadb  # noqa: PLC0415 (only here)

    client = chromadb.EphemeralClient(chromadb.Settings(anonymized_telemetry=False))
    made = client.get_or_create_collection(
        f"c{random.Random(len(ids)).random()}", configuration={"hnsw": {"space": "cosine"}}
    )
    for start in range(0, len(ids), 1_000):
        part = slice(start, start + 1_000)
        made.add(ids=list(ids[part]), documents=list(texts[part]), embeddings=rows[part])

    def search(question: str) -> list[str]:
        return made.query(query_embeddings=asked[question][None], n_results=10)["ids"][0]

    return search


def _judged(collection: Collection, way: str, search: Callable[[str], Sequence[str]]) -> Quality:
    gains: list[float] = []
    hits: list[bool] = []
    seconds: list[float] = []
    search(collection.questions[0][0])
    for question, relevant in collection.questions:
        began = time.perf_counter()
        found = search(question)
        seconds.append(time.perf_counter() - began)
        gained = sum(1 / math.log2(at + 2) for at, one in enumerate(found[:10]) if one in relevant)
        best = sum(1 / math.log2(at + 2) for at in range(min(10, len(relevant))))
        gains.append(gained / best)
        hits.append(not relevant.isdisjoint(found[:5]))
    mean = float(np.mean(gains)), float(np.mean(hits))
    return Quality(collection.name, way, *mean, float(np.median(seconds)) * 1_000)


def _lines(file: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
