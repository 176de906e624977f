"""What is near a question by its meaning, where the database compares vectors itself."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from oldhand.record.retrieval import AskedPoint
from oldhand.store.passage_vectors import PassagePoints, PassageVectors
from oldhand.store.search.passages import PassageScan


@dataclass(frozen=True)
class _NearInDatabase:
    points: PassagePoints
    scope_id: int
    model: str
    asked: Sequence[float]
    found: dict[int, float]

    @property
    def numbers(self) -> Sequence[int]:
        """See `NearPassages`."""
        return list(self.found)

    def cosines(self, numbers: Sequence[int]) -> dict[int, float | None]:
        """See `NearPassages`."""
        unknown = [one for one in numbers if one not in self.found]
        if unknown:
            self.found.update(self.points.cosines(self.model, self.scope_id, self.asked, unknown))
        return {one: self.found.get(one) for one in numbers}


@dataclass
class PassagesInDatabase:
    """Vectors that Postgres compares with pgvector: nothing is kept in memory. Threads may share it."""

    points: PassagePoints
    vectors: PassageVectors
    _taken: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    """The newest vector of each clone and model that the database can compare."""

    def catch_up(self, clone_id: str, model: str) -> None:
        """See `VectorSearch`."""
        last = self.vectors.last(clone_id, model)
        if self._taken.get((clone_id, model)) != last:
            while self.points.add_missing(clone_id, model):
                pass
            self._taken[clone_id, model] = last

    def near(
        self,
        clone_id: str,  # noqa: ARG002  the scan is of the clone
        asked: AskedPoint,
        scan: PassageScan,
        most: int,
    ) -> _NearInDatabase | None:
        """See `VectorSearch`."""
        if asked.vector is None or asked.model is None or not scan.readable:
            return None
        point = asked.vector.tolist()
        given = (asked.model, scan.scope_id, point)
        found = self.points.nearest(*given, scan.readable, most)
        return _NearInDatabase(self.points, scan.scope_id, asked.model, point, found)
