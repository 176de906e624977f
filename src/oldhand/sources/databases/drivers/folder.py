"""Files of rows, and folders of them, as one database: they are copied into a DuckDB file, which is only read."""

import shutil
import tempfile
import threading
from pathlib import Path

import duckdb

from oldhand.errors import DatabaseUnreachable
from oldhand.sources.databases.address import Address
from oldhand.sources.databases.drivers.duckdb import CATALOGUE, DuckdbDriver
from oldhand.sources.databases.files import Stamp, stamp_of
from oldhand.sources.databases.row_files import load, row_files
from oldhand.sources.workers.client import WorkerSession

_OFFLINE: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}

_State = tuple[tuple[Path, Stamp], ...]


class FolderDriver:
    """Files of rows; when one of them changes, they are read again before the next query."""

    dialect = "duckdb"
    sessions = DuckdbDriver.sessions
    catalogue = CATALOGUE.read
    own_functions = None

    def __init__(self, address: Address) -> None:
        self._path = Path(address.database).expanduser()
        self._lock = threading.Lock()
        self._folder = Path(tempfile.mkdtemp(prefix="oldhand-"))
        self._copied: tuple[_State, Path] | None = None

    def connect(self) -> "FolderSession":
        """A session on a copy of what the files hold now.

        Raises:
            DatabaseUnreachable: there are no such files, or one of them cannot be read.
        """
        with self._lock:
            now = self.state()
            if self._copied is None or self._copied[0] != now:
                self._copied = now, self._copy(now)
            copy = self._copied[1]
        return FolderSession(copy, self, now)

    def state(self) -> _State:
        """Which files there are, and their times."""
        return tuple((file, stamp_of(file)) for file in row_files(self._path))

    def close(self) -> None:
        """Remove the copies."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _copy(self, files: _State) -> Path:
        copy = Path(tempfile.mkdtemp(dir=self._folder)) / "rows.duckdb"
        try:
            with duckdb.connect(str(copy), config=_OFFLINE) as database:
                load(database, [file for file, _ in files])
        except duckdb.Error as error:
            raise DatabaseUnreachable(f"{self._path}: {error}") from error
        return copy


class FolderSession(WorkerSession):
    """A session on a copy; it is of no more use once a file has changed."""

    def __init__(self, copy: Path, driver: FolderDriver, state: _State) -> None:
        super().__init__("duckdb", str(copy))
        self._driver = driver
        self._state = state

    @property
    def usable(self) -> bool:
        """False once a file has changed."""
        try:
            return super().usable and self._driver.state() == self._state
        except (DatabaseUnreachable, OSError):
            return False
