"""Public collections as passages, and their questions with and without the passages that answer them."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks._reading.passages import MemoryPassages
from oldhand.record.document import Passage


class CollectionQuestion(NamedTuple):
    """A question of a collection."""

    question: str
    relevant: frozenset[str]
    """Ids of the passages that answer it; none where it is asked of passages of which none does."""


def _lines(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def passages_of(folder: Path, keep: float, rng: Random) -> tuple[MemoryPassages, frozenset[str]]:
    """A part of a collection, by whole articles where it has them, and the ids of what is in it."""
    held, chosen, kept = MemoryPassages(), dict[str, bool](), set[str]()
    for one in _lines(folder / "corpus.jsonl"):
        article = one.get("doc") or one["id"].partition("c")[0] or one["id"]
        if chosen.setdefault(article, rng.random() < keep):
            kept.add(one["id"])
            held.put(Passage(chunk=one["id"], document_id=article, position=0, text=one["text"]))
    return held, frozenset(kept)


def questions_of(folder: Path, kept: frozenset[str]) -> Sequence[CollectionQuestion]:
    """The questions, each with what answers it in the part that was kept."""
    relevant: dict[str, set[str]] = {}
    for line in (folder / "qrels.tsv").read_text("utf-8").splitlines():
        query, document, *_ = line.split("\t")
        relevant.setdefault(query, set()).add(document)
    return [
        CollectionQuestion(one["text"], kept.intersection(relevant.get(one["id"], set())))
        for one in _lines(folder / "queries.jsonl")
    ]
