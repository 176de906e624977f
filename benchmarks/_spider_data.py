"""Spider's questions with their databases, and its rule for a right answer."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from oldhand.record.clone import DatabaseEntry
from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Table
from oldhand.sources.databases.opening import open_database
from oldhand.sources.databases.value_files import indexed_columns
from oldhand.sources.databases.values import ValueIndex

Rows = list[tuple[object, ...]]
MAX_ROWS = 20_000
MAX_STEPS = 3_000_000
"""Virtual machine steps after which a runaway query is stopped."""


@dataclass(frozen=True)
class Question:
    """One question with its gold query."""

    database: str
    text: str
    synonyms: str
    """The same question with the schema's words replaced by others; empty for some."""
    gold: str
    hardness: str = ""


class SpiderDatabase:
    """One database of Spider: its schema, its values, and a connection."""

    def __init__(self, name: str, file: Path, described: dict[str, Any] | None) -> None:
        self.name = name
        self.file = file
        self.described = described

    @cached_property
    def schema(self) -> DatabaseSchema:
        """As it is introspected, with the readable names and the keys that Spider adds."""
        plain = self._opened[0]
        return _with_names(plain, self.described) if self.described else plain

    @cached_property
    def values(self) -> ValueIndex:
        """The index of its values, in memory."""
        return self._opened[1]

    @cached_property
    def _opened(self) -> tuple[DatabaseSchema, ValueIndex]:
        entry = DatabaseEntry(name=self.name, url=f"sqlite:///{self.file}")
        database = open_database(entry)
        with closing(database):
            schema = database.introspect()
            columns = (
                (
                    s,
                    t,
                    c.name,
                    list(database.distinct_values(t, c.name, schema_name=s, limit=50_000)),
                )
                for s, t, c in indexed_columns(schema)
            )
            return schema, ValueIndex.in_memory(self.name, columns)

    @cached_property
    def connection(self) -> sqlite3.Connection:
        """Opened for reading; texts that are no UTF-8 are read as they are."""
        connection = sqlite3.connect(f"file:{self.file}?mode=ro&immutable=1", uri=True)
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        return connection

    def rows(self, sql: str) -> Rows | None:
        """What a query returns; None when it fails or takes too long."""
        steps = 0

        def watch() -> int:
            nonlocal steps
            steps += 10_000
            return steps > MAX_STEPS

        self.connection.set_progress_handler(watch, 10_000)
        try:
            return self.connection.execute(sql).fetchmany(MAX_ROWS)
        except (sqlite3.Error, sqlite3.Warning):
            return None


def load(folder: Path) -> tuple[list[Question], dict[str, SpiderDatabase]]:
    """The questions and databases in `folder`, such as `…/spider_dev`."""
    described = {d["db_id"]: d for d in json.loads((folder / "tables.json").read_text("utf-8"))}
    lines = (folder / "questions.jsonl").read_text("utf-8").splitlines()
    questions = [
        Question(
            row["db_id"],
            row["question"],
            row["question_syn"] or "",
            row["query"],
            row.get("hardness", ""),
        )
        for row in map(json.loads, lines)
    ]
    databases = {
        name: SpiderDatabase(name, folder / "database" / name / f"{name}.sqlite", described[name])
        for name in sorted({question.database for question in questions})
    }
    return questions, databases


def same_answer(gold: str, expected: Rows, found: Rows | None) -> bool:
    """True when the rows are those of the gold query.

    Columns must stand in the order of the gold query. Rows are compared as a multiset; their order
    counts only when the gold query sorts.

    >>> same_answer("SELECT a FROM t", [(1,), (2,)], [(2,), (1,)])
    True
    >>> same_answer("SELECT a FROM t ORDER BY a", [(1,), (2,)], [(2,), (1,)])
    False
    """
    if found is None or len(found) != len(expected):
        return False
    one, two = _comparable(expected), _comparable(found)
    if "order by" in " ".join(gold.casefold().split()):
        return one == two
    return Counter(one) == Counter(two)


def _comparable(rows: Rows) -> list[tuple[object, ...]]:
    return [tuple(round(c, 6) if isinstance(c, float) else c for c in row) for row in rows]


def _with_names(schema: DatabaseSchema, described: dict[str, Any]) -> DatabaseSchema:
    """Spider's readable names become descriptions where they say more than the name does."""
    names: dict[tuple[str, str], str] = {}
    tables = described["table_names_original"]
    readable_tables = dict(zip(map(str.casefold, tables), described["table_names"], strict=True))
    originals = described["column_names_original"]
    for (table, original), (_, readable) in zip(originals, described["column_names"], strict=True):
        if table >= 0:
            names[tables[table].casefold(), original.casefold()] = readable
    keys = list(declared_keys(schema, described))
    changed = tuple(
        table.model_copy(
            update={
                "description": readable_tables.get(table.name.casefold(), ""),
                "columns": tuple(_named(column, table.name, names) for column in table.columns),
                "foreign_keys": table.foreign_keys + tuple(_missing(table, keys)),
            }
        )
        for table in schema.tables
    )
    return schema.model_copy(update={"tables": changed})


def _named(column: Column, table: str, names: dict[tuple[str, str], str]) -> Column:
    readable = names.get((table.casefold(), column.name.casefold()), "")
    return column.model_copy(update={"description": readable})


def declared_keys(
    schema: DatabaseSchema, described: dict[str, Any]
) -> Iterator[tuple[str, ForeignKey]]:
    """The foreign keys that Spider's description of a database lists, each with its table."""
    if not described:
        return
    originals, tables = described["column_names_original"], described["table_names_original"]
    for source, target in described["foreign_keys"]:
        (one, column), (other, key) = originals[source], originals[target]
        found, goal = schema.table(tables[one]), schema.table(tables[other])
        if (
            found is None
            or goal is None
            or found.column(column) is None
            or goal.column(key) is None
        ):
            continue
        yield (
            found.name,
            ForeignKey(
                columns=(found.column(column).name,),
                database=schema.name,
                schema_name=goal.schema_name,
                table=goal.name,
                target_columns=(goal.column(key).name,),
            ),
        )


def _missing(table: Table, keys: list[tuple[str, ForeignKey]]) -> Iterator[ForeignKey]:
    known = {(key.columns, key.table.casefold()) for key in table.foreign_keys}
    for name, key in keys:
        if name == table.name and (key.columns, key.table.casefold()) not in known:
            yield key
