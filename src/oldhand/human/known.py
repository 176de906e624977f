"""Which messages were heard before, live or out of the archive."""

from collections import OrderedDict
from typing import TypeVar

from oldhand.human.stanzas import Incoming

_T = TypeVar("_T")

REMEMBERED = 20_000
"""Messages whose repetition is noticed."""


class KnownMessages:
    """The last messages that were heard, each with whether it is in safe hands."""

    def __init__(self) -> None:
        self._settled: OrderedDict[str, bool] = OrderedDict()

    def __contains__(self, incoming: Incoming) -> bool:
        """Whether it was heard before."""
        return any(key in self._settled for key in _keys(incoming))

    def is_settled(self, incoming: Incoming) -> bool:
        """Whether it was heard before and is in safe hands."""
        return any(self._settled.get(key, False) for key in _keys(incoming))

    def note(self, incoming: Incoming, *, settled: bool) -> None:
        """It was heard, or is in safe hands now."""
        for key in _keys(incoming):
            remember(self._settled, key, settled)


def _keys(incoming: Incoming) -> list[str]:
    message = incoming.message
    keys = [f"archive {incoming.archive_id}"] if incoming.archive_id else []
    if message.id:
        keys.append(f"{incoming.kind} {message.sender_address} {incoming.about} {message.id}")
    return keys


def remember(kept: OrderedDict[str, _T], key: str, value: _T) -> None:
    """Keep something, and let go of the oldest."""
    kept[key] = value
    while len(kept) > REMEMBERED:
        kept.popitem(last=False)
