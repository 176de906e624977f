"""Vectors by number, and which of them are near another one, without reading most of their numbers.

Directions are chosen so that the first of them tell vectors apart best. By the Cauchy-Schwarz inequality the rest of a
product is at most the product of the lengths that are left:

    p·q = p₁·q₁ + p₂·q₂ <= p₁·q₁ + |p₂||q₂|

so that only vectors for which that exceeds what is looked for are compared whole. The answer is that of a full product.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Point = NDArray[np.float32]
_READ_OF = 3
"""One number of so many is compared first."""
_TURNED_AT = 256
"""Vectors from which on directions are worth choosing; they are chosen anew each time there are four times as many."""
_ROUNDED = 1e-4
"""What a bound may be off: many times the error of numbers of single precision."""


class GrowingArray:
    """An array that grows at its end."""

    def __init__(self, *shape: int, kind: type[np.generic] = np.float32) -> None:
        self._room: NDArray[Any] = np.zeros((64, *shape), dtype=kind)
        self._count = 0

    @property
    def all(self) -> NDArray[Any]:
        """Its rows; a view."""
        return self._room[: self._count]

    def add(self, row: object) -> int:
        """Add a row; gives its number."""
        if self._count == len(self._room):
            self._room = np.concatenate([self._room, np.zeros_like(self._room)])
        self._room[self._count] = row
        self._count += 1
        return self._count - 1


class Places:
    """Vectors of one size, each with a number that counts from 0."""

    def __init__(self, size: int) -> None:
        self._first = -(-size // _READ_OF)
        self._directions = np.eye(size, dtype=np.float32)
        self._heads, self._tails = GrowingArray(self._first), GrowingArray(size - self._first)
        self._left = GrowingArray()
        """The length of each tail."""
        self._turned_at = _TURNED_AT

    def __len__(self) -> int:
        return len(self._heads.all)

    def add(self, point: Point) -> int:
        """Add a vector; gives its number."""
        if len(self) == self._turned_at:
            self._turn()
        return self._add(self._directions @ point)

    def near(self, point: Point, least: float) -> tuple[NDArray[np.intp], Floats]:
        """The numbers of those whose product with a vector exceeds `least`, in their order, and these products."""
        turned = self._directions @ point
        head, tail = turned[: self._first], turned[self._first :]
        product = self._heads.all @ head
        bound = product + self._left.all * np.sqrt(tail @ tail)
        some = np.flatnonzero(bound > least - _ROUNDED)
        whole = product[some] + self._tails.all[some] @ tail
        near = whole > least
        return some[near], whole[near]

    def _add(self, turned: Floats) -> int:
        tail = turned[self._first :]
        self._tails.add(tail)
        self._left.add(np.sqrt(tail @ tail))
        return self._heads.add(turned[: self._first])

    def _turn(self) -> None:
        """Choose the directions in which the vectors differ most, those first that tell most."""
        known = np.hstack([self._heads.all, self._tails.all])
        _, found = np.linalg.eigh((known.T @ known).astype(np.float64))
        turn = found[:, ::-1].T.astype(np.float32)
        known = known @ turn.T
        self._directions = turn @ self._directions
        self._heads.all[:], self._tails.all[:] = np.split(known, [self._first], axis=1)
        self._left.all[:] = np.linalg.norm(self._tails.all, axis=1)
        self._turned_at *= 4
