"""Vectors as they are compared and kept: of length 1, finite, of one size."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from oldhand.errors import MalformedAnswer


def unit_vectors(
    found: NDArray[np.float32] | Sequence[Sequence[float]], texts: int, dimensions: int, name: str
) -> NDArray[np.float32]:
    """One row of length 1 for each text; `dimensions` is 0 where any will do.

    >>> unit_vectors([[3.0, 4.0]], 1, 2, "small").round(1).tolist()
    [[0.6000000238418579, 0.800000011920929]]
    >>> unit_vectors([[3.0, float("nan")]], 1, 2, "small")
    Traceback (most recent call last):
    ...
    oldhand.errors.MalformedAnswer: small gave a vector that has no length or holds something that is no number.

    Raises:
        MalformedAnswer: they are not as many, not of this size, or not finite.
    """
    try:
        rows = np.asarray(found, np.float32)
    except (TypeError, ValueError) as error:
        raise MalformedAnswer(f"{name} gave vectors of different sizes, or none.") from error
    if rows.ndim != 2 or len(rows) != texts:
        raise MalformedAnswer(f"{name} gave {len(rows)} vectors for {texts} texts.")
    if dimensions and rows.shape[1] != dimensions:
        raise MalformedAnswer(
            f"{name} gave vectors of {rows.shape[1]} numbers, and those before have {dimensions}: "
            "give another model another name."
        )
    with np.errstate(over="ignore", invalid="ignore"):
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not (np.isfinite(lengths).all() and (lengths > 0).all()):
        raise MalformedAnswer(
            f"{name} gave a vector that has no length or holds something that is no number."
        )
    return rows / lengths


def packed_vector(row: NDArray[np.float32]) -> bytes:
    """A vector as it is stored, in half-precision.

    >>> len(packed_vector(np.ones(384, np.float32)))
    768
    """
    return row.astype("<f2").tobytes()


def unpacked_vectors(packed: bytes | bytearray, count: int) -> NDArray[np.float32]:
    """So many vectors that were packed, one behind the other: one row each.

    >>> unpacked_vectors(packed_vector(np.asarray([0.5, 1.0], np.float32)), 1).tolist()
    [[0.5, 1.0]]
    """
    return np.frombuffer(packed, "<f2").reshape(count, -1).astype(np.float32)
