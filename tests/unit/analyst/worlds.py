"""Databases that the analyst is asked about in these tests, and whether the rows that it brings are right."""

import sqlite3
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from itertools import permutations
from pathlib import Path

from sqlglot import exp, parse_one

from oldhand.agent.analyst import Understanding, understand
from oldhand.agent.analyst.conversation.reading import QuestionReader
from oldhand.agent.analyst.conversation.understood import UnderstoodQuestion
from oldhand.demo.home import describe, descriptions
from oldhand.query.compiling.numbers import with_numbers
from oldhand.query.compiling.render import rewritten
from oldhand.query.compiling.tree import to_tree
from oldhand.query.describing.found import FoundRows
from oldhand.query.describing.headings import headings
from oldhand.query.describing.sentences import phrase
from oldhand.query.form import Query
from oldhand.query.opaque import Opaque
from oldhand.query.walk import databases
from oldhand.record.base import Row
from oldhand.record.clone import DatabaseEntry
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.opening import open_database
from oldhand.sources.databases.value_files import indexed_columns
from oldhand.sources.databases.values import AllValues, ValueIndex

RowsFound = list[Row]
_VALUES = 50_000


@dataclass(frozen=True)
class World:
    """Databases that can be asked, attached to one connection, each under its own name."""

    schemas: tuple[DatabaseSchema, ...]
    values: AllValues
    connection: sqlite3.Connection
    today: date

    def understand(self, question: str) -> Understanding:
        """What the analyst makes of a question."""
        return understand(question, self.schemas, self.values, today=self.today)

    def read(self, question: str) -> UnderstoodQuestion:
        """What the analyst decides on a question."""
        return QuestionReader(self.schemas, self.values, self.today).read(question)

    def rows(self, query: str | Query | Opaque) -> RowsFound:
        """The rows of SQL over `database.table`, or of a query."""
        if isinstance(query, Query):
            read = databases(query)
            schemas = [one for one in self.schemas if (one.name,) == read]
            query = with_numbers(query, schemas[0]) if schemas else query
        sql = query if isinstance(query, str) else _local(query)
        return self.connection.execute(sql).fetchall()

    def told(self, question: str, query: Query) -> str:
        """The sentence for the rows of a query."""
        rows = self.rows(query)
        found = FoundRows(headings(query, self.schemas), tuple(rows), len(rows))
        return phrase(question, query, found, self.schemas)


def world_of(files: Mapping[str, Path], today: date, *, described: bool) -> World:
    """The world of these SQLite files, by the names of the databases."""
    connection = sqlite3.connect(":memory:")
    schemas: list[DatabaseSchema] = []
    indices: list[ValueIndex] = []
    for name, file in files.items():
        connection.execute(f"ATTACH '{file}' AS {name}")
        with closing(open_database(DatabaseEntry(name=name, url=f"sqlite:///{file}"))) as database:
            schema = database.introspect()
            columns = [
                (s, t, c.name, list(database.distinct_values(t, c.name, schema_name=s, limit=_VALUES)))
                for s, t, c in indexed_columns(schema)
            ]  # fmt: skip
        schemas.append(describe(schema, descriptions()[name]) if described else schema)
        indices.append(ValueIndex.in_memory(name, columns))
    return World(tuple(schemas), AllValues(indices), connection, today)


def are_right(expected: RowsFound, found: RowsFound, *, ordered: bool) -> bool:
    """Rows are right in any order of columns; one more column beside the wanted ones does no harm."""
    if len(expected) != len(found) or not expected:
        return not expected and not found
    expected, found = _rounded(expected), _rounded(found)
    width, given = len(expected[0]), len(found[0])
    for pick in permutations(range(given), width) if given <= width + 1 else ():
        rows = [tuple(row[i] for i in pick) for row in found]
        if rows == expected if ordered else Counter(rows) == Counter(expected):
            return True
    return False


def _local(query: Query | Opaque) -> str:
    tree = parse_one(query.sql) if isinstance(query, Opaque) else to_tree(query)
    for table in tree.find_all(exp.Table):
        table.set("db", exp.to_identifier(table.catalog))
        table.set("catalog", None)
    return rewritten(tree, "sqlite").sql("sqlite")


def _rounded(rows: RowsFound) -> RowsFound:
    return [tuple(round(c, 6) if isinstance(c, float) else c for c in row) for row in rows]
