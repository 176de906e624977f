"""Tables, columns, keys and comments of a DuckDB database, by its `duckdb_…()` functions."""

from collections import defaultdict
from typing import cast

from oldhand.sources.databases.session import FoundColumn, FoundKey, FoundTable, Read

_TABLES = """
SELECT schema_name, table_name, comment, estimated_size
FROM duckdb_tables() WHERE NOT internal AND database_name = current_database()
UNION ALL
SELECT schema_name, view_name, comment, NULL
FROM duckdb_views() WHERE NOT internal AND database_name = current_database()
ORDER BY schema_name <> 'main', schema_name, table_name
"""
_COLUMNS = """
SELECT schema_name, table_name, column_name, data_type, is_nullable, comment
FROM duckdb_columns() WHERE NOT internal AND database_name = current_database()
ORDER BY schema_name, table_name, column_index
"""
_KEYS = """
SELECT schema_name, table_name, constraint_type, constraint_column_names, referenced_table, referenced_column_names
FROM duckdb_constraints()
WHERE database_name = current_database() AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')
ORDER BY schema_name, table_name, constraint_index
"""


def duckdb_catalogue(read: Read) -> list[FoundTable]:
    """Tables and views of all schemas, `main` first."""
    columns: dict[tuple[object, object], list[FoundColumn]] = defaultdict(list)
    for schema, table, name, declared, nullable, comment in read(_COLUMNS):
        columns[schema, table].append(
            FoundColumn(str(name), str(declared), bool(nullable), str(comment or ""))
        )
    primary: dict[tuple[object, object], tuple[str, ...]] = {}
    unique: dict[tuple[object, object], set[str]] = defaultdict(set)
    foreign: dict[tuple[object, object], list[FoundKey]] = defaultdict(list)
    for schema, table, kind, names, target, targets in read(_KEYS):
        key = tuple(cast("list[str]", names))
        if kind == "PRIMARY KEY":
            primary[schema, table] = key
        elif kind == "FOREIGN KEY":
            there = tuple(cast("list[str]", targets))
            foreign[schema, table].append(FoundKey(key, str(schema), str(target), there))
        elif len(key) == 1:
            unique[schema, table].add(key[0])
    return [
        FoundTable(
            schema_name=str(schema),
            name=str(name),
            columns=tuple(columns[schema, name]),
            primary_key=primary.get((schema, name), ()),
            unique=frozenset(unique[schema, name]),
            foreign_keys=tuple(foreign[schema, name]),
            description=str(comment or ""),
            estimated_rows=cast("int | None", size),
        )
        for schema, name, comment, size in read(_TABLES)
    ]
