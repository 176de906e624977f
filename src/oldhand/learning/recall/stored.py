"""Recall from the store."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from oldhand.record.clone import DEFAULT_USER
from oldhand.record.lesson import FoundMemory, Search, Tally
from oldhand.store import Store


@dataclass(frozen=True)
class StoreIndex:
    """The index over what a clone keeps for everybody and for one user; blocks."""

    store: Store
    clone_id: str
    user_id: str = DEFAULT_USER

    def search_each(self, searches: Sequence[Search]) -> Sequence[Sequence[FoundMemory]]:
        """For each search, the memories that fit its text best, best first.

        Raises:
            StoreError: the store cannot be read.
        """
        users = {DEFAULT_USER, self.user_id}
        return self.store.search_each(self.clone_id, searches, user_ids=users)


@dataclass(frozen=True)
class StoreCredit:
    """Tallies that follow from the feedback log of a clone; blocks."""

    store: Store
    clone_id: str

    def tallies(self, ids: Collection[str]) -> Mapping[str, Tally]:
        """The tally of each of these memories.

        Raises:
            StoreError: the store cannot be read.
        """
        return self.store.outcomes(self.clone_id, tuple(ids))
