"""What votes have said of passages, by where their questions stand: read through a kernel over questions.

E_b(q, c) = Σ_j k_b(q, q_j) Δ_jc, kept within ±4
k_b = max(0, (cosine - threshold_b) / (1 - threshold_b)) ^ power_b
"""

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np

from oldhand.learning.credit.places import Floats, GrowingArray, Places, Point

BANDS = ((0.85, 1.0), (0.6, 3.0))
"""Threshold and power of each kernel: a narrow one for the same question, a wide one for similar ones."""


class QuestionEvidence:
    """Where votes were given, and what they said; votes on what is nearly one question share a place."""

    def __init__(self, merged: float, most: float) -> None:
        self._merged = merged
        self._most = most
        self._places: Places | None = None
        self._of, self._credit = GrowingArray(kind=np.intp), GrowingArray()
        self._entries: list[dict[int, int]] = []
        """For each place the entries of its passages."""
        self._number: dict[str, int] = {}
        self._chunks: list[str] = []
        self._known: dict[bytes, int] = {}
        """The places of questions that were asked just so before."""
        self._last_held: tuple[Point, Floats | None] | None = None

    def add(self, point: Point, told: Iterable[tuple[str, float]]) -> None:
        """Take in what a vote on a question says of passages."""
        if self._places is None:
            self._places = Places(len(point))
        self._last_held = None
        entries = self._entries[self._place(self._places, point)]
        for chunk, credit in told:
            number = self._numbered(chunk)
            if number in entries:
                self._credit.all[entries[number]] += credit
            else:
                self._of.add(number)
                entries[number] = self._credit.add(credit)

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

    def _place(self, places: Places, point: Point) -> int:
        """The place that is near enough to be the same, the nearest of several; else a new one."""
        key = point.tobytes()
        if key not in self._known:
            near, likeness = places.near(point, self._merged)
            if len(near):
                self._known[key] = int(near[likeness.argmax()])
            else:
                self._known[key] = places.add(point)
                self._entries.append({})
        return self._known[key]

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
        if self._places is None:
            return None
        near, likeness = self._places.near(point, min(threshold for threshold, _ in BANDS))
        if not len(near):
            return None
        held_at = [self._entries[int(at)] for at in near]
        entries = np.fromiter(chain.from_iterable(one.values() for one in held_at), np.intp)
        cosine = np.repeat(likeness, [len(one) for one in held_at])
        of, credit = self._of.all[entries], self._credit.all[entries]
        held = np.empty((len(BANDS), len(self._chunks)), dtype=np.float32)
        for band, (threshold, power) in enumerate(BANDS):
            kernel = np.clip((cosine - threshold) / (1 - threshold), 0.0, 1.0) ** power
            held[band] = np.bincount(of, kernel * credit, len(self._chunks))
        return np.clip(held, -self._most, self._most, out=held)
