"""Tables, columns, keys and comments of a MySQL or MariaDB database, from `information_schema`."""

from collections import defaultdict
from typing import TypeAlias, cast

from sqlglot import exp

from oldhand.sources.databases.session import FoundColumn, FoundKey, FoundTable, RawRow, Read

_SYSTEM = ("information_schema", "mysql", "performance_schema", "sys")
_TABLES = """
SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, TABLE_COMMENT, TABLE_ROWS
FROM information_schema.TABLES ORDER BY TABLE_SCHEMA, CREATE_TIME IS NULL, TABLE_NAME
"""
_COLUMNS = """
SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_COMMENT
FROM information_schema.COLUMNS ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION
"""
_INDEXES = """
SELECT TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, COLUMN_NAME
FROM information_schema.STATISTICS WHERE NON_UNIQUE = 0 ORDER BY TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX
"""
_KEYS = """
SELECT TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME,
       REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
FROM information_schema.KEY_COLUMN_USAGE WHERE REFERENCED_TABLE_NAME IS NOT NULL
ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION
"""
_TableName: TypeAlias = tuple[str, str]


def mysql_catalogue(read: Read, database: str) -> list[FoundTable]:
    """Tables and views of `database`, or of all but the system's when it is empty."""
    columns: dict[_TableName, list[FoundColumn]] = defaultdict(list)
    for schema, table, name, declared, nullable, comment in read(_of(_COLUMNS, database)):
        columns[str(schema), str(table)].append(
            FoundColumn(str(name), str(declared), nullable == "YES", str(comment or ""))
        )
    indexes: dict[_TableName, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for schema, table, index, column in read(_of(_INDEXES, database)):
        indexes[str(schema), str(table)][str(index)].append(str(column))
    foreign = _foreign_keys(read(_of(_KEYS, database)))
    found: list[FoundTable] = []
    for schema, name, kind, comment, rows in read(_of(_TABLES, database)):
        table = (str(schema), str(name))
        found.append(
            FoundTable(
                schema_name=table[0],
                name=table[1],
                columns=tuple(columns[table]),
                primary_key=tuple(indexes[table].pop("PRIMARY", ())),
                unique=frozenset(key[0] for key in indexes[table].values() if len(key) == 1),
                foreign_keys=tuple(foreign[table].values()),
                description="" if kind == "VIEW" else str(comment or ""),
                estimated_rows=cast("int | None", rows),
            )
        )
    return found


def _foreign_keys(rows: list[RawRow]) -> dict[_TableName, dict[str, FoundKey]]:
    found: dict[_TableName, dict[str, FoundKey]] = defaultdict(dict)
    for row in rows:
        schema, table, name, column, target_schema, target, target_column = map(str, row)
        keys = found[schema, table]
        before = keys.get(name, FoundKey((), target_schema, target, ()))
        keys[name] = FoundKey(
            (*before.columns, column),
            target_schema,
            target,
            (*before.target_columns, target_column),
        )
    return found


def _of(query: str, database: str) -> str:
    schema = exp.column("TABLE_SCHEMA")
    wanted = schema.eq(database) if database else schema.isin(*_SYSTEM).not_()
    return cast("exp.Select", exp.maybe_parse(query, dialect="mysql")).where(wanted).sql("mysql")
