"""How fast passages come in and are found, and how much room they take."""

import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from benchmarks._own_process import peak_mib
from benchmarks._retrieval.stores import Given, fill, generated, open_store, questions, retriever
from oldhand import Oldhand

_QUESTIONS = 200
_WORDS_OF_TITLE = 3


class Speed(NamedTuple):
    """Questions over stores of one size."""

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
        wall, processor = [], []
        for at, text in enumerate(asked):
            began, used = time.perf_counter(), time.process_time()
            known[at % len(known)].find(text, "ana", True)
            wall.append(time.perf_counter() - began)
            processor.append(time.process_time() - used)
        median, slowest = np.percentile(wall, [50, 99]) * 1_000
        return Speed(
            passages,
            clones,
            float(median),
            float(slowest),
            float(np.median(processor)) * 1_000,
            float(np.median(first)) * 1_000,
            peak_mib(),
        )


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
