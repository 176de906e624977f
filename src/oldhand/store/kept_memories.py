"""Memories that were found lately: what a version of a memory says never changes."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from threading import Lock

from oldhand.record.memory import Memory, MemoryType

MOST = 4_096
"""Versions that are kept; those that were found longest ago make room."""


class KeptMemories:
    """The versions that were found last, by the key of their row. Threads may share it.

    Rules that are shown with every question are found with every question; reading them takes longer than finding them.
    Keys are never used twice, and rows only vanish, so nothing gets stale; what is erased is no longer found. Only what is
    committed may be kept.

    Args:
        most: how many.

    >>> from oldhand.testing.records import example_memory
    >>> kept = KeptMemories(most=1)
    >>> kept.keep({7: example_memory("a"), 8: example_memory("b")})
    >>> [(seq, memory.id) for seq, memory in kept.among([7, 8]).items()]
    [(8, 'b')]
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._memories: OrderedDict[int, Memory] = OrderedDict()
        self._lock = Lock()

    def among(self, seqs: Iterable[int]) -> dict[int, Memory]:
        """Those of these versions that are kept."""
        with self._lock:
            found = {seq: self._memories[seq] for seq in seqs if seq in self._memories}
            for seq in found:
                self._memories.move_to_end(seq)
            return found

    def keep(self, memories: Mapping[int, Memory]) -> None:
        """Keep these versions; not those of episodes, of which signals say more from day to day."""
        with self._lock:
            for seq, memory in memories.items():
                if memory.type is not MemoryType.EPISODIC:
                    self._memories[seq] = memory
            while len(self._memories) > self._most:
                self._memories.popitem(last=False)
