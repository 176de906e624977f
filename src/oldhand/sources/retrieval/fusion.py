"""Words and meaning, half and half."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Fusion(NamedTuple):
    """How the scores of one search become numbers from 0 to 1, stretched over its candidates.

    >>> fusion = Fusion.over([8.0, 2.0, 0.0], [0.9, 0.5, 0.1])
    >>> fusion.base(8.0, 0.9), fusion.base(2.0, 0.5), fusion.base(4.0, None)
    (1.0, 0.375, 0.5)
    """

    best: float
    """The highest score of the words."""
    low: float
    high: float
    """The lowest and the highest cosine."""

    @classmethod
    def over(cls, words: Iterable[float], cosines: Iterable[float]) -> "Fusion":
        """That of candidates with these scores."""
        known = list(cosines)
        return cls(max(words, default=0.0), min(known, default=0.0), max(known, default=0.0))

    def base(self, words: float, cosine: float | None) -> float:
        """Half the cosine and half the words; the words alone where there is no vector."""
        said = min(1.0, words / self.best) if self.best else 0.0
        if cosine is None:
            return said
        wide = self.high - self.low
        meant = min(1.0, max(0.0, (cosine - self.low) / wide)) if wide else 1.0
        return 0.5 * meant + 0.5 * said


def best_first(scores: Mapping[int, float], most: int) -> list[int]:
    """The numbers with the highest scores; of equal ones, the lower.

    >>> best_first({3: 0.5, 1: 0.5, 2: 0.9, 4: 0.1}, 3)
    [2, 1, 3]
    """
    return sorted(scores, key=lambda number: (-scores[number], number))[:most]
