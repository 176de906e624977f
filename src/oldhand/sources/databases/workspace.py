"""Where rows of earlier steps meet: tables of a DuckDB in memory that reaches nothing outside of itself."""

import duckdb
from sqlglot import exp

from oldhand.errors import QueryFailed
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.arrow import arrow_table
from oldhand.sources.databases.database import Database
from oldhand.sources.databases.drivers.duckdb import CATALOGUE, SEALED, DuckdbSession
from oldhand.sources.databases.result import QueryResult

_ARRIVING = "arriving rows"


class Workspace(Database):
    """A database whose tables are results of other databases; its SQL is DuckDB's.

    >>> with Workspace() as workspace:
    ...     workspace.add("step_1", QueryResult(("city", "people"), (("Berlin", 3), ("Bonn", 1))))
    ...     workspace.fetch("SELECT sum(people) AS people FROM step_1", rows=10, seconds=5).rows
    ((4,),)
    """

    def __init__(self) -> None:
        self._memory = _MemoryDriver()
        super().__init__("workspace", self._memory)

    def add(self, name: str, result: QueryResult) -> None:
        """Make a result a table, in place of one of the same name.

        Types come from the values; columns of the same name are told apart (`name`, `name_2`) and blank ones named
        after their place (`column_3`), as `unique_names` says.

        Raises:
            QueryFailed: the rows do not fit into a table.
        """
        self._memory.add(name, result)

    def schema(self) -> DatabaseSchema:
        """The tables, as the minds read them; the database is called `workspace`."""
        return self.introspect()


class _MemoryDriver:
    dialect = "duckdb"
    sessions = 2
    catalogue = CATALOGUE.read

    def __init__(self) -> None:
        self._root = duckdb.connect(":memory:", config=SEALED)

    def add(self, name: str, result: QueryResult) -> None:
        table = exp.to_identifier(name, quoted=True)
        source = exp.select("*").from_(exp.to_identifier(_ARRIVING, quoted=True))
        create = exp.Create(
            this=exp.Table(this=table), kind="TABLE", replace=True, expression=source
        )
        try:
            with self._root.cursor() as cursor:
                cursor.register(_ARRIVING, arrow_table(result))
                cursor.execute(create.sql("duckdb"))
        except duckdb.Error as error:
            raise QueryFailed(f"The rows do not fit into the table {name}: {error}") from error

    def connect(self) -> DuckdbSession:
        return DuckdbSession(self._root.cursor())

    def close(self) -> None:
        self._root.close()
