"""Databases that are single files."""

from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from oldhand.errors import DatabaseUnreachable
from oldhand.sources.databases.address import Address

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
    """The file at an address; whether it holds what it should, is told when it is opened.

    Raises:
        DatabaseUnreachable: none is named, it is a folder, there is none, or it is a database of the other kind.
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
    for other, found in _FORMATS.items():
        if other != kind and _has_mark(path, found):
            raise DatabaseUnreachable(f"{path} is a {found.name} file: write {other}:///{path}")
    return path


def _has_mark(path: Path, known: _Format) -> bool:
    try:
        with path.open("rb") as file:
            file.seek(known.start)
            return file.read(len(known.mark)) == known.mark
    except OSError:
        return False  # the driver says why it can't be read
