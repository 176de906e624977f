"""What recall needs from others: somebody who searches, and somebody who knows what has helped."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from oldhand.record.lesson import ANYTHING, Found, Only, Tally
from oldhand.record.memory import MemoryType


class Index(Protocol):
    """Searches the memories that one user of one clone may be shown."""

    def search(
        self,
        text: str,
        *,
        types: Collection[MemoryType],
        limit: int,
        only: Only = ANYTHING,
    ) -> Sequence[Found]:
        """The memories that fit `text` best, best first; `text` is data, whatever it looks like.

        Args:
            text: usually a question.
            types: only these.
            limit: how many at most.
            only: what else they must be.
        """
        ...


class Credit(Protocol):
    """Knows how answers fared that rest on something."""

    def tallies(self, ids: Collection[str]) -> Mapping[str, Tally]:
        """The tally of each of these memories; those that nobody has voted on may be left out."""
        ...
