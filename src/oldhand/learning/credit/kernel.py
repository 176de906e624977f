"""The rule `kernel`: which of the passages an answer owes its success to, for questions like the one that was asked.

For a question q with base scores H, the log-odds that passage c helps are

    z_c = w·x_c + Σ_b v_b E_b(q, c)      p_c = 1 / (1 + exp(-z_c))
    x_c = [ (H_max - H_c) / .15 up to 8,  log2(place + 1),  (top cosine - .55) / .15,  1 ]

A vote on an answer is a noisy or: it was good when at least one of the passages helped. Each passage is credited with
what the vote says of it in particular, given what is known of the others. See docs/explanation/credit.md.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from oldhand.learning.credit.events import (
    CreditEvent,
    Credits,
    PassageCredit,
    ReplayedRule,
    ShownPassage,
    unlearned,
)
from oldhand.learning.credit.evidence import BANDS, QuestionEvidence
from oldhand.learning.credit.lexical import point_of, points_of, space_of
from oldhand.learning.credit.places import Floats, Point
from oldhand.record.retrieval import AskedPoint, PassageCandidate, RankedPassage
from oldhand.settings.documents import KernelSettings

_PRIOR = (-0.6, -0.35, 0.0, 0.6)
_LEAST = np.array([-np.inf, -np.inf, 0.0, -np.inf])
_MOST = np.array([-0.3, -0.05, np.inf, np.inf])
"""Where the weights may go: without evidence, a passage that fits less is never put above one that fits more."""
_OF_BANDS = (1.0, 0.6)
_GAP, _WIDEST = 0.15, 8.0
_USUAL_TOP = 0.55
_RATES = (0.3, 0.1)
"""Of the weights of the features, and of those of the evidence."""
_FOR_ALL = 0.8
"""Log-odds that a vote gives to all passages alike, as far as it is shared."""
_SURE = 30.0
"""Log-odds beyond which numbers would no longer be told apart."""


class KernelRule(ReplayedRule):
    """Credits passages by a noisy or, and recalls that for similar questions."""

    name = "kernel"

    def __init__(self, limits: KernelSettings) -> None:
        super().__init__()
        self._limits = limits
        self._clear()

    def evident(self, asked: AskedPoint) -> Sequence[str]:
        """Passages that were good for questions like this one."""
        if not self._events:
            return ()
        known = self._known(asked)
        weights, least = self._of_bands, self._limits.evident
        found = (one.above(point, weights, least) for one, point in known)
        return tuple(dict.fromkeys(chunk for some in found for chunk in some))

    def rank(
        self, asked: AskedPoint, candidates: Sequence[PassageCandidate]
    ) -> Sequence[RankedPassage]:
        """By the probability that they help, whether or not there is evidence for this question."""
        if not self._events or not candidates:
            return unlearned(candidates)
        chunks = [one.chunk for one in candidates]
        shown, top = features_of(candidates)
        prior = _described(shown, top) @ self._weights
        evidence = self._told(asked, chunks)
        learned = evidence @ self._of_bands
        if not learned.any():
            return unlearned(candidates)
        odds = np.clip(prior + learned, -_SURE, _SURE)
        helps, expected = _probability(odds), _probability(prior)
        order = np.lexsort((-prior, -odds)).tolist()
        return [
            RankedPassage(chunks[at], float(helps[at]), float(helps[at] - expected[at]))
            for at in order
        ]

    def _judge(self, event: CreditEvent) -> Credits:
        shown = [one for one in event.shown if event.passage in (None, one.chunk)]
        if not shown:
            return {}
        limits, positive = self._limits, event.rating > 0
        noise = limits.cited_noise if event.cites else limits.noise
        shared = limits.cited_shared if event.cites else limits.shared
        evidence = self._told(event.asked, [one.chunk for one in shown])
        odds = _described(shown, event.top) @ self._weights + evidence @ self._of_bands
        odds = np.clip(odds, -_SURE, _SURE)
        helps = _probability(odds)
        told: dict[str, PassageCredit] = {}
        for at, one in enumerate(shown):
            others = float(np.prod(1.0 - np.delete(helps, at)))
            most = max(-limits.most, min(limits.most, _explained(others, noise, positive=positive)))
            credit = (1 - shared) * most + shared * _FOR_ALL * event.rating
            credit = max(-limits.most, min(limits.most, credit * event.weight))
            surprise = float(_probability(odds[at] + credit) - helps[at])
            told[one.chunk] = PassageCredit(credit, surprise, tuple(map(float, evidence[at])))
        return told

    def _take(self, event: CreditEvent, told: Credits) -> None:
        shown = [one for one in event.shown if one.chunk in told]
        if not shown:
            return
        point = point_of(event.asked)
        space = space_of(event.asked)
        if space not in self._evidence:
            limits = self._limits
            self._evidence[space] = QuestionEvidence(limits.merged, limits.evidence)
        credited = ((one.chunk, told[one.chunk].credit) for one in shown)
        self._evidence[space].add(point, credited)
        surprise = np.array([told[one.chunk].surprise for one in shown])
        known = np.array([told[one.chunk].evidence for one in shown])
        step = surprise @ _described(shown, event.top)
        self._squares += step**2
        self._weights += _RATES[0] * step / np.sqrt(self._squares)
        np.clip(self._weights, _LEAST, _MOST, out=self._weights)
        step = surprise @ known
        self._band_squares += step**2
        self._of_bands += _RATES[1] * step / np.sqrt(self._band_squares)
        np.maximum(self._of_bands, 0.0, out=self._of_bands)

    def _known(self, asked: AskedPoint) -> list[tuple[QuestionEvidence, Point]]:
        points = points_of(asked, self._evidence)
        return [(self._evidence[at], one) for at, one in points.items()]

    def _told(self, asked: AskedPoint, chunks: Sequence[str]) -> Floats:
        """What is known of passages for a question: one row for each, one column for each band."""
        none = np.zeros((len(chunks), len(BANDS)))
        return sum((one.of(point, chunks) for one, point in self._known(asked)), none)

    def _clear(self) -> None:
        self._evidence: dict[str, QuestionEvidence] = {}
        """What was said where questions stand by their meaning, and where by their words."""
        self._weights = np.array(_PRIOR)
        self._of_bands = np.array(_OF_BANDS)
        self._squares = np.ones(len(_PRIOR))
        self._band_squares = np.ones(len(BANDS))


def features_of(candidates: Iterable[PassageCandidate]) -> tuple[list[ShownPassage], float]:
    """Candidates as they stand by words and meaning alone, and the best cosine among them; 0 without an embedder."""
    some = list(candidates)
    if not some:
        return [], 0.0
    best = max(one.base for one in some)
    order = sorted(range(len(some)), key=lambda at: -some[at].base)
    place = {at: number for number, at in enumerate(order, 1)}
    shown = [ShownPassage(one.chunk, best - one.base, place[at]) for at, one in enumerate(some)]
    return shown, max((one.cosine for one in some if one.cosine is not None), default=0.0)


def _described(shown: Sequence[ShownPassage], top: float) -> Floats:
    gap = np.minimum(np.array([one.gap for one in shown]) / _GAP, _WIDEST)
    place = np.log2(np.array([one.place for one in shown]) + 1.0)
    likeness = (top - _USUAL_TOP) / _GAP if top else 0.0
    return np.column_stack([gap, place, np.full(len(shown), likeness), np.ones(len(shown))])


def _explained(others: float, noise: float, *, positive: bool) -> float:
    """What a vote says of one passage, in logits; `others` is the probability that none of the others helps."""
    if positive:
        return float(np.log((1 - noise) / ((1 - noise) * (1 - others) + noise * others)))
    return float(np.log(noise / (noise * (1 - others) + (1 - noise) * others)))


def _probability(odds: Floats | float) -> Floats:
    return 1.0 / (1.0 + np.exp(-np.asarray(odds)))
