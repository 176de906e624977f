"""Databases in files: each session is a process of its own."""

from oldhand.errors import DatabaseUnreachable
from oldhand.sources.databases.address import Address
from oldhand.sources.databases.files import Kind, check_format, database_file
from oldhand.sources.workers.client import WorkerSession


class LocalDriver:
    """A file of one kind; it is never created."""

    sessions = 8

    def __init__(self, address: Address, kind: Kind) -> None:
        self.dialect = kind
        self._kind: Kind = kind
        self._path = database_file(address, kind).absolute()

    def connect(self) -> WorkerSession:
        """Open the file for reading.

        Raises:
            DatabaseUnreachable: it is gone, locked, or not such a database.
        """
        try:
            return WorkerSession(self._kind, str(self._path))
        except DatabaseUnreachable:
            check_format(self._path, self._kind)
            raise

    def close(self) -> None:
        """Sessions share nothing."""
