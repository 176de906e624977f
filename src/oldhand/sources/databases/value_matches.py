"""What is found where the words of a question are looked up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class ValueMatch:
    """A value of the database that a phrase of the question may mean."""

    phrase: str
    database: str
    schema_name: str
    table: str
    column: str
    value: str
    """As it is written in the database."""
    score: float
    """1 for the very words, less when the phrase is a part of the value or misspelt."""


class Values(Protocol):
    """Where the words of a question are looked up."""

    def exact(self, phrases: Sequence[str]) -> tuple[ValueMatch, ...]:
        """Values that are one of `phrases`, letter case, accents and punctuation aside."""
        ...

    def containing(self, phrase: str, limit: int = 20) -> tuple[ValueMatch, ...]:
        """Values of several words that hold all words of `phrase`."""
        ...

    def similar(self, phrase: str, limit: int = 5) -> tuple[ValueMatch, ...]:
        """Values that are `phrase` with a letter or two wrong, best first."""
        ...


class AllValues:
    """The indices of several databases as one; equal when these are the same, so that results can be kept by it.

    >>> AllValues(()).exact(["Berlin"])
    ()
    """

    def __init__(self, indices: Sequence[Values]) -> None:
        self._indices = tuple(indices)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AllValues) and self._indices == other._indices

    def __hash__(self) -> int:
        return hash(self._indices)

    def exact(self, phrases: Sequence[str]) -> tuple[ValueMatch, ...]:
        """As `Values.exact`, over all databases."""
        return tuple(match for index in self._indices for match in index.exact(phrases))

    def containing(self, phrase: str, limit: int = 20) -> tuple[ValueMatch, ...]:
        """As `Values.containing`, over all databases."""
        return tuple(m for index in self._indices for m in index.containing(phrase, limit))

    def similar(self, phrase: str, limit: int = 5) -> tuple[ValueMatch, ...]:
        """As `Values.similar`, over all databases."""
        found = [m for index in self._indices for m in index.similar(phrase, limit)]
        return tuple(sorted(found, key=lambda match: -match.score)[:limit])
