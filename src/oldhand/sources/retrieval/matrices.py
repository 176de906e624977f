"""The vectors of clones in memory, one matrix for each, kept up to date with the store."""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from oldhand.models.embedding.vectors import unpacked_vectors
from oldhand.record.retrieval import AskedPoint
from oldhand.store.passage_vectors import PassageVectors
from oldhand.store.search.passages import PassageScan

_NO_ROW = -1


class PassageMatrix(NamedTuple):
    """The vectors of one clone; never changed, but replaced."""

    rows: NDArray[np.float32]
    """Of length 1; those of passages that are gone may be among them. Full precision: products of half take numpy ten times as
    long, and more."""
    numbers: NDArray[np.int64]
    """The number of the passage of each row."""
    row_of: NDArray[np.int64]
    """The row of each number; -1 where there is none."""
    last: int
    """The newest vector that it knows."""

    def cosines(self, asked: NDArray[np.float32]) -> NDArray[np.float32]:
        """How near each row is to a question."""
        return self.rows @ asked

    def nearest(self, cosines: NDArray[np.float32], readable: int, most: int) -> NDArray[np.int64]:
        """The numbers of the nearest passages among those that may be read; of equally near ones, the older."""
        size = len(self.row_of)
        data = (readable & ((1 << size) - 1)).to_bytes((size + 7) // 8, "little")
        bits = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")
        rows = np.flatnonzero(bits[self.numbers])
        if len(rows) > most:
            rows = rows[np.argpartition(-cosines[rows], most - 1)[:most]]
        order = np.lexsort((self.numbers[rows], -cosines[rows]))
        return self.numbers[rows[order]]

    def rows_of(self, numbers: Sequence[int]) -> list[int]:
        """The rows of some numbers; -1 where there is none."""
        size, row_of = len(self.row_of), self.row_of
        return [int(row_of[one]) if one < size else _NO_ROW for one in numbers]


class _NearInMatrix(NamedTuple):
    matrix: PassageMatrix
    all: NDArray[np.float32]
    numbers: Sequence[int]

    def cosines(self, numbers: Sequence[int]) -> dict[int, float | None]:
        """See `NearPassages`."""
        rows = zip(numbers, self.matrix.rows_of(numbers), strict=True)
        return {number: float(self.all[row]) if row >= 0 else None for number, row in rows}


class PassageMatrices:
    """The matrices that were used last, as many as there is room for. Threads may share it."""

    def __init__(self, vectors: PassageVectors, megabytes: float) -> None:
        self._vectors = vectors
        self._room = megabytes * 1e6
        self._kept: OrderedDict[tuple[str, str], PassageMatrix] = OrderedDict()
        self._lock = Lock()

    def catch_up(self, clone_id: str, model: str) -> None:
        """See `VectorSearch`: what is new is read with the next question."""

    def near(
        self, clone_id: str, asked: AskedPoint, scan: PassageScan, most: int
    ) -> _NearInMatrix | None:
        """See `VectorSearch`."""
        if asked.vector is None or asked.model is None:
            return None
        matrix = self.matrix(clone_id, asked.model, scan)
        if matrix is None:
            return None
        cosines = matrix.cosines(asked.vector)
        nearest = matrix.nearest(cosines, scan.readable, most).tolist()
        return _NearInMatrix(matrix, cosines, nearest)

    def matrix(self, clone_id: str, model: str, scan: PassageScan) -> PassageMatrix | None:
        """What the store holds in this snapshot, and maybe more; None when there is no vector.

        A passage keeps its number and its vector for ever, so that only what is new is read.
        """
        key = (clone_id, model)
        known = self._kept.get(key)
        if known is not None and len(known.numbers) > 2 * scan.passages + 1_000:
            known = None  # most of its passages are gone
        last = self._vectors.last(clone_id, model)
        if known is not None and known.last >= last and len(known.row_of) >= scan.numbers:
            with self._lock:
                if key in self._kept:
                    self._kept.move_to_end(key)
            return known
        found = self._grown(key, known, scan.numbers, last)
        if found is not None:
            self._keep(key, found)
        return found

    def _grown(
        self, key: tuple[str, str], known: PassageMatrix | None, numbers: int, last: int
    ) -> PassageMatrix | None:
        start, after = (0, 0) if known is None else (len(known.row_of), known.last)
        new = self._vectors.load(*key, numbers_from=start, after=after)
        if known is None and not new.numbers:
            return None  # no passage has one yet
        at = np.asarray(new.numbers, np.int64)
        rows = unpacked_vectors(new.vectors, len(new.numbers)) if new.numbers else None
        if known is not None:
            fresh = np.asarray(known.rows_of(new.numbers), np.int64) == _NO_ROW
            at = np.concatenate((known.numbers, at[fresh]))
            rows = known.rows if rows is None else np.concatenate((known.rows, rows[fresh]))
        assert rows is not None, "there are vectors, old or new"
        row_of = np.full(max(numbers, start, int(at.max()) + 1), _NO_ROW, np.int64)
        row_of[at] = np.arange(len(at))
        return PassageMatrix(rows, at, row_of, max(new.last, last))

    def _keep(self, key: tuple[str, str], matrix: PassageMatrix) -> None:
        with self._lock:
            self._kept[key] = matrix
            self._kept.move_to_end(key)
            size = sum(one.rows.nbytes for one in self._kept.values())
            while size > self._room and len(self._kept) > 1:
                _, gone = self._kept.popitem(last=False)
                size -= gone.rows.nbytes
