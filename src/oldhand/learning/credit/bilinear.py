"""Which directions of questions and passages belong together: A becomes .9999 A + Σ surprise · q̃ d̃ᵀ, both centred on the mean passage."""

from collections.abc import Sequence

import numpy as np

from oldhand.learning.credit.evidence import Floats
from oldhand.learning.credit.lexical import Point

_LEFT = 0.9999
"""Share of it that is left after a vote."""


class Bilinear:
    """Learns from the vectors of questions and passages; without them, or without their mean, it says nothing."""

    def __init__(self, centre: Point | None) -> None:
        self._centre = centre
        self._matrix: Floats | None = None
        self._waiting: list[tuple[Floats, Floats]] = []

    def add(
        self, question: Point | None, passages: Sequence[Point | None], surprise: Floats
    ) -> None:
        """Take in how much more, or less, each passage helped than was expected."""
        if (asked := self._centred(question)) is None:
            return
        told = np.zeros_like(asked)
        for vector, much in zip(passages, surprise, strict=True):
            if (passage := self._centred(vector)) is not None:
                told += np.float32(much) * passage
        self._waiting.append((asked, told))

    def of(self, question: Point | None, passages: Sequence[Point | None]) -> Floats | float:
        """The log-odds of each passage by that; 0 for all where nothing is known."""
        if (asked := self._centred(question)) is None or (matrix := self._settled()) is None:
            return 0.0
        seen = asked @ matrix
        rows = [self._centred(one) for one in passages]
        return np.array([0.0 if one is None else seen @ one for one in rows], dtype=np.float32)

    def _settled(self) -> Floats | None:
        """The matrix with all that waits: many are taken in at once far faster than one by one."""
        if self._waiting:
            age = np.arange(len(self._waiting) - 1, -1, -1, dtype=np.float32)
            left = (np.float32(_LEFT) ** age)[:, None]
            asked = np.stack([one for one, _ in self._waiting]) * left
            added = asked.T @ np.stack([one for _, one in self._waiting])
            before = self._matrix
            kept = added if before is None else before * np.float32(_LEFT ** len(age)) + added
            self._matrix, self._waiting = kept, []
        return self._matrix

    def _centred(self, vector: Point | None) -> Point | None:
        if vector is None or self._centre is None or vector.shape != self._centre.shape:
            return None
        away = vector - self._centre
        return away if bool(np.isfinite(away).all()) else None
