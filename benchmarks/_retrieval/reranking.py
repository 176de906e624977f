"""How long it takes to put candidates in order by what votes have taught."""

import random
import time
from typing import NamedTuple

import numpy as np

from benchmarks._retrieval.stores import SIZE
from oldhand.learning.credit.events import CreditEvent, PassageCredit, ShownPassage
from oldhand.learning.credit.kernel import KernelRule
from oldhand.record.retrieval import AskedPoint, PassageCandidate
from oldhand.settings.credit import KernelSettings

_TOPICS, _PASSAGES, _SHOWN, _CANDIDATES = 400, 10_000, 5, 50
_ASKED = 200


class Reranking(NamedTuple):
    """A rule that knows so many votes."""

    votes: int
    median: float
    slowest: float
    processor: float
    """Milliseconds: of a question in the median, of a hundred the slowest, and of the processor in the median."""
    taken_up: float
    """Seconds in which all votes are taken up, as after a start."""


def reranking(votes: int) -> Reranking:
    """Votes on questions about some topics, and then questions about them."""
    draw, drawn = random.Random(3), np.random.default_rng(3)
    topics = _unit(drawn.standard_normal((_TOPICS, SIZE)))

    def point(number: int) -> AskedPoint:
        topic = topics[draw.randrange(_TOPICS)]
        near = _unit((topic + 0.02 * drawn.standard_normal(SIZE))[None])[0]
        return AskedPoint(f"question {number}", near.astype(np.float32), "given")

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
    for number in range(_ASKED):
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
    return Reranking(
        votes, float(median), float(slowest), float(np.median(processor)) * 1_000, taken_up
    )


def _unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
