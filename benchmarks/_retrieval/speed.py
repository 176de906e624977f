"""How fast passages come in and are found, and how much room they take."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from benchmarks._own_process import peak_mib
from benchmarks._retrieval.stores import (
    Given,
    fill,
    generated,
    open_store,
    parts,
    questions,
    retriever,
)
from oldhand import Oldhand

_QUESTIONS = 200
_FOUND = 5
"""Passages that are found for a question, as by default."""
_WORDS_OF_TITLE = 3


class Speed(NamedTuple):
    """Questions over stores of one size."""

    by: str
    """What searches."""
    passages: int
    clones: int
    median: float
    slowest: float
    """Of a hundred, the slowest; both in milliseconds."""
    processor: float
    """Milliseconds of the processor, in the median: other work on the machine lengthens them less."""
    first: float
    """Milliseconds of the first question, which reads the vectors of a clone."""
    mebibytes: float
    """The most memory that the process has had."""


def speed(passages: int, clones: int = 1) -> Speed:
    """Ask a store with so many passages, spread evenly over so many clones; in a process of its own."""
    with TemporaryDirectory() as folder, open_store(Path(folder)) as store:
        names = [f"c{number}" for number in range(clones)]
        for seed, name in enumerate(names):
            fill(store, name, passages // clones, seed)
        asked = questions(_QUESTIONS)
        given = Given(asked)
        search = {name: retriever(store, name, given) for name in names[:_QUESTIONS]}
        first: list[float] = []
        for name, one in search.items():
            began = time.perf_counter()
            one.find(next(iter(asked)), "ana", True)
            first.append(time.perf_counter() - began)
            if name == "c9":
                break
        known = list(search.values())[: len(first)]
        find = [partial(one.find, user="ana", member=True) for one in known]
        return _asked("Oldhand", (passages, clones), find, list(asked), float(np.median(first)))


def speed_of_chromadb(passages: int) -> Speed:
    """The same passages and questions in chromadb, on disk as well; in a process of its own."""
    import chromadb  # noqa: PLC0415 (only here)

    with TemporaryDirectory() as folder:
        client = chromadb.PersistentClient(folder, chromadb.Settings(anonymized_telemetry=False))
        made = client.create_collection("passages", configuration={"hnsw": {"space": "cosine"}})
        for start, some, rows in parts(passages, 0):
            ids = [f"c0-{start + at}" for at in range(len(some))]
            made.add(ids=ids, documents=some, embeddings=rows)
        asked = questions(_QUESTIONS)

        def find(text: str) -> object:
            return made.query(query_embeddings=asked[text][None], n_results=_FOUND)

        began = time.perf_counter()
        find(next(iter(asked)))
        first = time.perf_counter() - began
        return _asked("chromadb", (passages, 1), [find], list(asked), first)


def _asked(
    by: str,
    size: tuple[int, int],
    find: Sequence[Callable[[str], object]],
    asked: Sequence[str],
    first: float,
) -> Speed:
    """Ask each question, one clone after the other."""
    wall, processor = [], []
    for at, text in enumerate(asked):
        began, used = time.perf_counter(), time.process_time()
        find[at % len(find)](text)
        wall.append(time.perf_counter() - began)
        processor.append(time.process_time() - used)
    median, slowest = np.percentile(wall, [50, 99]) * 1_000
    cpu = float(np.median(processor)) * 1_000
    return Speed(by, *size, float(median), float(slowest), cpu, first * 1_000, peak_mib())


class Ingestion(NamedTuple):
    """Documents that are read from files."""

    documents: int
    passages: int
    seconds: float
    processor: float
    mebibytes: float


def ingestion(documents: int) -> Ingestion:
    """Add a folder of Markdown files, without vectors; in a process of its own."""
    texts = generated(1)
    with TemporaryDirectory() as folder:
        files = Path(folder) / "files"
        files.mkdir()
        for number in range(documents):
            sections = (f"## Section {at}\n\n{next(texts)}\n" for at in range(_WORDS_OF_TITLE))
            (files / f"{number}.md").write_text(f"# Document {number}\n\n" + "\n".join(sections))
        (Path(folder) / "home").mkdir()
        (Path(folder) / "home" / "settings.yaml").write_text("documents: {embedder: none}\n")
        with Oldhand(Path(folder) / "home") as old:
            began, used = time.perf_counter(), time.process_time()
            done = old.documents.add(files)
            wall, processor = time.perf_counter() - began, time.process_time() - used
    passages = sum(one.document.passages for one in done)
    return Ingestion(documents, passages, wall, processor, peak_mib())
