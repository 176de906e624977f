"""What was read lately and never changes, kept in memory."""

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping
from threading import Lock
from typing import Generic, TypeVar

_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V")


class Cache(Generic[_K, _V]):
    """The rows that were used last, by key; those that were used longest ago make room. Threads may share it.

    For rows that never change while their keys are never used twice: nothing gets stale then, and what has vanished is no
    longer asked for. Only what is committed may be kept.

    >>> cache = Cache[int, str](most=1)
    >>> cache.keep({7: "a", 8: "b"})
    >>> cache.among([7, 8])
    {8: 'b'}
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._rows: OrderedDict[_K, _V] = OrderedDict()
        self._lock = Lock()

    def among(self, keys: Iterable[_K]) -> dict[_K, _V]:
        """Those of these rows that are kept."""
        with self._lock:
            found = {key: self._rows[key] for key in keys if key in self._rows}
            for key in found:
                self._rows.move_to_end(key)
            return found

    def keep(self, rows: Mapping[_K, _V]) -> None:
        """Keep these rows."""
        with self._lock:
            self._rows.update(rows)
            while len(self._rows) > self._most:
                self._rows.popitem(last=False)
