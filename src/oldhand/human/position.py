"""What of an archive was heard last."""

import fcntl
import os
from collections import OrderedDict
from pathlib import Path
from typing import TypeVar

from oldhand.human.message import Incoming

_T = TypeVar("_T")
REMEMBERED = 20_000
"""Messages whose repetition is noticed."""


class ArchivePosition:
    """What of the archive was heard last; this one forgets it with the process."""

    def __init__(self) -> None:
        self._last: str | None = None
        self._told = ""
        """What was handed on last, in the order of the archive."""
        self._behind: dict[str, str] = {}
        """What was heard live before, by the last one before it in the archive that was handed on."""

    def last(self) -> str | None:
        """The id of the last one; None when nothing was heard yet."""
        return self._last

    def tell(self, archive_id: str) -> None:
        """This one is handed on, in the order of the archive; empty for what comes in no order."""
        self._told = archive_id or self._told

    def meet(self, archive_id: str) -> None:
        """This one was heard live while the archive failed, and is met there now: it is the last one, once all before it is in safe hands."""
        if archive_id and self._told in ("", self._last):
            self.keep(archive_id)
            self._told = archive_id
        elif archive_id:
            self._behind[self._told] = archive_id

    def keep(self, archive_id: str) -> None:
        """All up to this one was heard, and is in safe hands."""
        self._last = self._behind.pop(archive_id, archive_id)

    def close(self) -> None:
        """Nothing more is heard; safe to call twice."""


class KeptPosition(ArchivePosition):
    """Remembers in a file what was heard last; one at a time, in whichever process, until it is closed or its process ends.

    Raises:
        BlockingIOError: another one has it.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._held = path.with_name(f"{path.name}.lock").open("w")
        try:
            fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._held.close()
            raise
        if path.is_file():
            self._last = path.read_text("utf-8", "replace").strip() or None

    def keep(self, archive_id: str) -> None:
        """All up to this one was heard, and is in the store."""
        super().keep(archive_id)
        draft = self._path.with_suffix(f".{os.getpid()}")
        draft.write_text(self._last or "", "utf-8")
        draft.replace(self._path)

    def close(self) -> None:
        """Let another one have it."""
        self._held.close()


# Which messages were heard before, live or out of the archive.
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
