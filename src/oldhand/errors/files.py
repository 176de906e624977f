"""What keeps a file from being written, as an error that says what to do."""

import errno
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from oldhand.errors import StoreError, StoreFull

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_ADVICE = {
    errno.EISDIR: "It is a folder: name a file in it.",
    errno.ENOENT: "There is no such folder: make it first, or name another one.",
    errno.EEXIST: "A part of its path is a file: name another folder.",
    errno.ENOTDIR: "A part of its path is a file: name another folder.",
    errno.ENAMETOOLONG: "Name a shorter one.",
}
_ELSE = "Name another place, or change the owner or mode of this one."


@contextmanager
def written_to(path: Path, otherwise: type[StoreError] = StoreError) -> Generator[None]:
    """Let an error of the file system that comes out of the block say which file can't be written, and what to do.

    Raises:
        StoreFull: there is no room left.
        StoreError: it can't be written, for another reason; of the kind `otherwise`.

    >>> with written_to(Path("rows.csv")):
    ...     raise PermissionError(errno.EACCES, "Permission denied")
    Traceback (most recent call last):
    ...
    oldhand.errors.StoreError: rows.csv cannot be written: Permission denied. Name another place, or change the owner or mode of this one.
    """
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise StoreFull(f"There is no room left to write {path}; make some, or name another disk.") from error  # fmt: skip
        advice = _ADVICE.get(error.errno or 0, _ELSE)
        raise otherwise(f"{path} cannot be written: {error.strerror or error}. {advice}") from error  # fmt: skip


def is_taken(path: Path) -> bool:
    """Whether there is anything of that name, be it a link that leads nowhere.

    Raises:
        StoreError: there can't be.
    """
    with written_to(path):
        return path.exists() or path.is_symlink()
