"""How long it takes to put candidates in order by what votes have taught."""

import json
import random
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks._retrieval.stores import SIZE
from oldhand.learning.credit.events import CreditEvent, PassageCredit, ShownPassage
from oldhand.learning.credit.kernel import KernelRule
from oldhand.record.retrieval import AskedPoint, Embedder, PassageCandidate
from oldhand.settings.documents import KernelSettings

_TOPICS, _PASSAGES, _SHOWN, _CANDIDATES = 400, 10_000, 5, 50
ASKED = 200


class Reranking(NamedTuple):
    """A rule that knows so many votes."""

    drawn: str
    """Where the questions come from."""
    votes: int
    places: int
    """Where these stand: votes on what is nearly one question share a place."""
    median: float
    slowest: float
    processor: float
    """Milliseconds: of a question in the median, of a hundred the slowest, and of the processor in the median."""
    taken_up: float
    """Seconds in which all votes are taken up, as after a start."""


def drawn_points(count: int) -> np.ndarray:
    """Questions about some topics, which lie in all directions alike."""
    drawn = np.random.default_rng(3)
    topics = _unit(drawn.standard_normal((_TOPICS, SIZE)))
    of = topics[drawn.integers(0, _TOPICS, count)]
    return _unit(of + 0.02 * drawn.standard_normal((count, SIZE))).astype(np.float32)


def real_points(file: Path, embedder: Embedder, count: int) -> np.ndarray:
    """Questions that people asked, in no order."""
    questions = [json.loads(line)["text"] for line in file.read_text(encoding="utf-8").splitlines()]
    random.Random(3).shuffle(questions)
    return np.asarray(embedder.embed(questions[:count]), dtype=np.float32)


def reranking(drawn: str, points: np.ndarray) -> Reranking:
    """Votes on all questions but the last ones, and then these are asked."""
    draw, votes = random.Random(3), len(points) - ASKED

    def point(number: int) -> AskedPoint:
        return AskedPoint(f"question {number}", points[number], "given")

    events = []
    for number in range(votes):
        chunks = [str(draw.randrange(_PASSAGES)) for _ in range(_SHOWN)]
        shown = tuple(ShownPassage(one, 0.1 * at, at + 1) for at, one in enumerate(chunks))
        event = CreditEvent(f"f{number}", number, "ana", f"e{number}", point(number), shown, 1)
        events.append((event, {one: PassageCredit(0.8, 0.1, (0.0, 0.0)) for one in chunks}))
    rule = KernelRule(KernelSettings())
    began = time.perf_counter()
    rule.restore(events)
    taken_up = time.perf_counter() - began
    wall, processor = [], []
    for number in range(votes, len(points)):
        asked = point(number)
        drawn_chunks = draw.sample(range(_PASSAGES), _CANDIDATES)
        candidates = [
            PassageCandidate(str(one), 1 - at / _CANDIDATES, 0.5)
            for at, one in enumerate(drawn_chunks)
        ]
        began, used = time.perf_counter(), time.process_time()
        rule.evident(asked)
        rule.rank(asked, candidates)
        wall.append(time.perf_counter() - began)
        processor.append(time.process_time() - used)
    median, slowest = np.percentile(wall, [50, 99]) * 1_000
    places = sum(len(one._places) for one in rule._evidence.values() if one._places)
    return Reranking(
        drawn,
        votes,
        places,
        float(median),
        float(slowest),
        float(np.median(processor)) * 1_000,
        taken_up,
    )


def _unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
