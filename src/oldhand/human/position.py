"""What of an archive was heard last."""

import os
from pathlib import Path


class ArchivePosition:
    """What of the archive was heard last; this one forgets it with the process."""

    def __init__(self) -> None:
        self._last: str | None = None

    def last(self) -> str | None:
        """The id of the last one; None when nothing was heard yet."""
        return self._last

    def keep(self, archive_id: str) -> None:
        """All up to this one was heard, and is in safe hands."""
        self._last = archive_id


class KeptPosition(ArchivePosition):
    """Remembers in a file what was heard last."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        if path.is_file():
            self._last = path.read_text("utf-8", "replace").strip() or None

    def keep(self, archive_id: str) -> None:
        """All up to this one was heard, and is in the store."""
        super().keep(archive_id)
        draft = self._path.with_suffix(f".{os.getpid()}")
        draft.write_text(archive_id, "utf-8")
        draft.replace(self._path)
