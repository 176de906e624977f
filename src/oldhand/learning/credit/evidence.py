"""What votes have said of passages, by where their questions stand: read through a kernel over questions.

E_b(q, c) = Σ_j k_b(q, q_j) Δ_jc, kept within ±4
k_b = max(0, (cosine - threshold_b) / (1 - threshold_b)) ^ power_b
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oldhand.learning.credit.lexical import Point

BANDS = ((0.85, 1.0), (0.6, 3.0))
"""Threshold and power of each kernel: a narrow one for the same question, a wide one for similar ones."""
_HEAD = 64
"""Numbers of a vector that are compared first."""
_ROUNDED = 0.01
"""What vectors of half precision may be away from length 1, twice."""
Floats = NDArray[np.floating[Any]]


class _Rows:
    """An array that grows at its end."""

    def __init__(self, *shape: int, kind: type[np.generic] = np.float32) -> None:
        self._room: NDArray[Any] = np.zeros((64, *shape), dtype=kind)
        self._count = 0

    @property
    def all(self) -> NDArray[Any]:
        return self._room[: self._count]

    def add(self, row: object) -> int:
        if self._count == len(self._room):
            self._room = np.concatenate([self._room, np.zeros_like(self._room)])
        self._room[self._count] = row
        self._count += 1
        return self._count - 1


class QuestionEvidence:
    """Where votes were given, and what they said; votes on what is nearly one question share a place."""

    def __init__(self, merged: float, most: float) -> None:
        self._merged = merged
        self._most = most
        self._points: _Rows | None = None
        self._at, self._of = _Rows(kind=np.intp), _Rows(kind=np.intp)
        self._credit, self._heads = _Rows(), _Rows()
        self._starts: _Rows | None = None
        """The first numbers of each point, side by side: apart they take several times as long to read."""
        self._entry: dict[tuple[int, int], int] = {}
        self._number: dict[str, int] = {}
        self._chunks: list[str] = []
        self._known: dict[bytes, int] = {}
        """The places of questions that were asked just so before."""
        self._last_held: tuple[Point, Floats | None] | None = None

    def add(self, point: Point, told: Iterable[tuple[str, float]]) -> None:
        """Take in what a vote on a question says of passages."""
        if self._points is None:
            self._points = _Rows(len(point))
            self._starts = _Rows(len(point[:_HEAD]))
        self._last_held = None
        place = self._place(point)
        for chunk, credit in told:
            number = self._numbered(chunk)
            entry = self._entry.get((place, number))
            if entry is None:
                self._at.add(place)
                self._of.add(number)
                self._entry[place, number] = self._credit.add(credit)
            else:
                self._credit.all[entry] += credit

    def of(self, point: Point, chunks: Sequence[str]) -> Floats:
        """For each passage what is known of it for this question: one row for each, one column for each band."""
        held = self._held(point)
        if held is None:
            return np.zeros((len(chunks), len(BANDS)), dtype=np.float32)
        numbers = np.array([self._number.get(one, -1) for one in chunks])
        found = held[:, numbers].T
        found[numbers < 0] = 0.0
        return found

    def above(self, point: Point, weights: Floats, least: float) -> list[str]:
        """The passages whose weighted evidence for this question exceeds a number, the most evident first."""
        held = self._held(point)
        if held is None:
            return []
        total = weights.astype(np.float32) @ held
        found = np.flatnonzero(total > least)
        return [self._chunks[at] for at in found[np.argsort(-total[found], kind="stable")]]

    def _place(self, point: Point) -> int:
        assert self._points is not None
        assert self._starts is not None
        key = point.tobytes()
        if key not in self._known:
            nearest = self._nearest(point)
            if nearest < 0:
                nearest = self._points.add(point)
                self._starts.add(point[:_HEAD])
                self._heads.add(point[:_HEAD] @ point[:_HEAD])
            self._known[key] = nearest
        return self._known[key]

    def _nearest(self, point: Point) -> int:
        """The place that is near enough to be the same, the nearest of several; -1 where there is none.

        Of places so near, the first numbers are no further apart than all of them: few are left to be compared whole.
        """
        assert self._points is not None
        assert self._starts is not None
        places, head = self._points.all, point[:_HEAD]
        apart = self._heads.all - 2.0 * (self._starts.all @ head) + head @ head
        some = np.flatnonzero(apart <= 2.0 * (1.0 - self._merged) + _ROUNDED)
        if not len(some):
            return -1
        likeness = places[some] @ point
        best = int(likeness.argmax())
        return int(some[best]) if likeness[best] >= self._merged else -1

    def _numbered(self, chunk: str) -> int:
        if chunk not in self._number:
            self._number[chunk] = len(self._chunks)
            self._chunks.append(chunk)
        return self._number[chunk]

    def _held(self, point: Point) -> Floats | None:
        """The evidence of all passages; None where nothing is near. Asked for twice in a row, too."""
        if self._last_held is None or self._last_held[0] is not point:
            self._last_held = point, self._summed(point)
        return self._last_held[1]

    def _summed(self, point: Point) -> Floats | None:
        if self._points is None:
            return None
        likeness = np.asarray(self._points.all @ point, dtype=np.float32)
        near = likeness > min(threshold for threshold, _ in BANDS)
        if not near.any():
            return None
        entries = np.flatnonzero(near[self._at.all])
        of, credit = self._of.all[entries], self._credit.all[entries]
        cosine = likeness[self._at.all[entries]]
        held = np.empty((len(BANDS), len(self._chunks)), dtype=np.float32)
        for band, (threshold, power) in enumerate(BANDS):
            kernel = np.clip((cosine - threshold) / (1 - threshold), 0.0, 1.0) ** power
            held[band] = np.bincount(of, kernel * credit, len(self._chunks))
        return np.clip(held, -self._most, self._most, out=held)
