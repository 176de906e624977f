"""Corrections that ran too long, remembered so that nothing runs them again: by digests, no words of anybody's."""

from hashlib import sha256
from pathlib import Path

from oldhand.sources.databases.files import private_file


class EndlessStatements:
    """A file of digests, one on each line.

    >>> import tempfile
    >>> known = EndlessStatements(Path(tempfile.mkdtemp()) / "endless")
    >>> known.add("SELECT 1", seconds=30)
    >>> known.holds("SELECT  1", seconds=30), known.holds("SELECT 1", seconds=60)
    (True, False)
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def holds(self, statement: str, seconds: float) -> bool:
        """Whether it ran longer than `seconds` before."""
        return (
            self._path.is_file() and _digest(statement, seconds) in self._path.read_text().split()
        )

    def add(self, statement: str, seconds: float) -> None:
        """Remember it."""
        with private_file(self._path, "a") as file:
            file.write(f"{_digest(statement, seconds)}\n")


def _digest(statement: str, seconds: float) -> str:
    return sha256(f"{seconds:g} {' '.join(statement.split())}".encode()).hexdigest()
