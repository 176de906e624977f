"""Files that several processes may write: whole or not at all, one writer at a time."""

import fcntl
import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple, TextIO, TypeAlias

from oldhand.errors import DatabaseUnreachable
from oldhand.errors.files import written_to
from oldhand.sources.databases.address import Address

_PRIVATE = 0o600

Stamp: TypeAlias = tuple[int, int, int]
"""Changes when a file does: our own writes replace it, so that its inode is another."""


def stamp_of(path: Path) -> Stamp:
    """What tells one version of a file from the next without reading it."""
    status = path.stat()
    return status.st_mtime_ns, status.st_size, status.st_ino


def write_atomically(path: Path, text: str, *, private: bool = False) -> None:
    """Replace a file in one go and put it on the disk; nobody ever sees half of it.

    Args:
        path: the file.
        text: all that is to stand in it.
        private: whether only its owner may read it, whoever could before.

    Raises:
        StoreError: as `replacing`.
    """
    with replacing(path, private=private) as file:
        file.write(text)


@contextmanager
def replacing(path: Path, *, private: bool = False) -> Generator[TextIO]:
    """Write a file that takes the place of `path` when the block ends well; else nothing has changed.

    A device or a pipe is written as it is.

    Raises:
        StoreFull: there is no room left.
        StoreError: the folder cannot be written, or `path` is one.
    """
    target = path.resolve()  # a link stays a link
    with written_to(path):
        if path.exists() and not path.is_file():
            with path.open("w", encoding="utf-8", newline="\n") as file:
                yield file
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            known = target.exists() and not private
            Path(name).chmod(target.stat().st_mode & 0o777 if known else _PRIVATE)
            Path(name).replace(target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def private_file(path: Path, mode: Literal["a", "w"]) -> TextIO:
    """A file to write that only its owner may read if it is new, whatever the folder and the umask say."""
    flags = os.O_CREAT | os.O_WRONLY | (os.O_APPEND if mode == "a" else os.O_TRUNC)
    return os.fdopen(os.open(path, flags, _PRIVATE), mode, encoding="utf-8", newline="")


@contextmanager
def locked(path: Path) -> Generator[None]:
    """Hold the lock file `path` while the block runs; other processes and threads wait.

    Raises:
        StoreError: the lock file cannot be made.
    """
    with written_to(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        file = private_file(path, "a")
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


Kind: TypeAlias = Literal["sqlite", "duckdb"]


class _Format(NamedTuple):
    name: str
    file: str
    """What such a file may be called."""
    start: int
    mark: bytes
    """Bytes that stand at `start` in each such file."""


_FORMATS: dict[Kind, _Format] = {
    "sqlite": _Format("SQLite", "shop.db", 0, b"SQLite format 3\x00"),
    "duckdb": _Format("DuckDB", "shop.duckdb", 8, b"DUCK"),
}


def database_file(address: Address, kind: Kind) -> Path:
    """The file at an address.

    It is not opened here: closing a file of SQLite would take away the locks that this program has on it.

    Raises:
        DatabaseUnreachable: none is named, there is none, or it is no file.
    """
    expected = _FORMATS[kind]
    path = Path(address.database).expanduser()
    if address.database in ("", ":memory:"):
        raise DatabaseUnreachable(
            f"A {expected.name} database in memory is empty: name a file, {kind}:///{expected.file}."
        )
    if path.is_dir():
        raise DatabaseUnreachable(f"{path} is a folder, not a {expected.name} file.")
    if not path.exists():
        raise DatabaseUnreachable(f"There is no {expected.name} file {path}.")
    if not path.is_file():
        raise DatabaseUnreachable(f"{path} is a pipe or a device, not a {expected.name} file.")
    return path


def check_format(path: Path, kind: Kind) -> None:
    """Say so if a file that could not be opened is a database of the other kind.

    Raises:
        DatabaseUnreachable: it is.
    """
    for other, found in _FORMATS.items():
        if other != kind and _has_mark(path, found):
            raise DatabaseUnreachable(f"{path} is a {found.name} file: write {other}:///{path}")


def _has_mark(path: Path, known: _Format) -> bool:
    try:
        with path.open("rb") as file:
            file.seek(known.start)
            return file.read(len(known.mark)) == known.mark
    except OSError:
        return False  # the driver says why it can't be read
