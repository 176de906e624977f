"""Where rows of earlier steps meet: tables of a DuckDB in memory that reaches nothing outside of itself."""

from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.database import Database
from oldhand.sources.databases.drivers.duckdb import CATALOGUE
from oldhand.sources.databases.result import QueryResult
from oldhand.sources.workers.client import WorkerSession
from oldhand.sources.workers.reading import FetchedRows


class Workspace(Database):
    """A database whose tables are results of other databases; its SQL is DuckDB's.

    >>> with Workspace() as workspace:
    ...     workspace.add("step_1", QueryResult(("city", "people"), (("Berlin", 3), ("Bonn", 1))))
    ...     workspace.fetch("SELECT sum(people) AS people FROM step_1", rows=10, seconds=5).rows
    ((4,),)
    """

    def __init__(self) -> None:
        self._tables: dict[str, QueryResult] = {}
        super().__init__("workspace", _MemoryDriver(self._tables))

    def add(self, name: str, result: QueryResult) -> None:
        """Make a result a table, in place of one of the same name.

        Types come from the values; columns of the same name are told apart (`name`, `name_2`) and blank ones named
        after their place (`column_3`), as `unique_names` says.
        """
        self._tables[name] = result

    def schema(self) -> DatabaseSchema:
        """The tables, as the minds read them; the database is called `workspace`."""
        return self.introspect()


class _MemoryDriver:
    dialect = "duckdb"
    sessions = 1
    own_functions = None
    catalogue = CATALOGUE.read

    def __init__(self, tables: dict[str, QueryResult]) -> None:
        self._tables = tables

    def connect(self) -> "_MemorySession":
        return _MemorySession(self._tables)

    def close(self) -> None:
        """The process ends with its session."""


class _MemorySession(WorkerSession):
    """A process that is given the tables which it does not have yet: one that was ended took its own with it."""

    def __init__(self, tables: dict[str, QueryResult]) -> None:
        super().__init__("duckdb", ":memory:")
        self._tables = tables
        self._held: dict[str, QueryResult] = {}

    def read(self, sql: str, rows: int, seconds: float) -> FetchedRows:
        for name, result in tuple(self._tables.items()):
            if self._held.get(name) is not result:
                self.add(name, result.columns, result.values)
                self._held[name] = result
        return super().read(sql, rows, seconds)
