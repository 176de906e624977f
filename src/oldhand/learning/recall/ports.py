"""What recall needs from others: somebody who searches, and somebody who knows what has helped."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from oldhand.record.lesson import FoundMemory, Search, Tally


class Index(Protocol):
    """Searches the memories that one user of one clone may be shown."""

    def search_each(self, searches: Sequence[Search]) -> Sequence[Sequence[FoundMemory]]:
        """For each search, the memories that fit its text best, best first."""
        ...


class Credit(Protocol):
    """Knows how answers fared that rest on something."""

    def tallies(self, ids: Collection[str]) -> Mapping[str, Tally]:
        """The tally of each of these memories; those that nobody has voted on may be left out."""
        ...
