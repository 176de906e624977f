"""Tables, columns, keys and comments of a Postgres database, from `pg_catalog`."""

from collections import defaultdict
from typing import cast

from oldhand.sources.databases.session import FoundColumn, FoundKey, FoundTable, RawRow, Read

_TABLES = """
SELECT c.oid::bigint, n.nspname, c.relname, obj_description(c.oid, 'pg_class'),
       CASE WHEN c.relkind IN ('r', 'm', 'p') AND c.reltuples >= 0 THEN c.reltuples::bigint END
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND NOT c.relispartition
  AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
  AND n.nspname NOT LIKE 'pg\\_temp\\_%'
  AND has_schema_privilege(n.oid, 'USAGE')
  AND (has_table_privilege(c.oid, 'SELECT') OR has_any_column_privilege(c.oid, 'SELECT'))
  AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend AS d
                  WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
ORDER BY n.nspname = 'public' DESC, n.nspname, c.oid
"""
_COLUMNS = """
SELECT a.attrelid::bigint, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
       col_description(a.attrelid, a.attnum), format_type(b.oid, NULL), b.typtype::text
FROM pg_catalog.pg_attribute AS a
JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace AND n.nspname NOT IN ('pg_catalog', 'information_schema')
JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
JOIN pg_catalog.pg_type AS b ON b.oid = CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END
WHERE a.attnum > 0 AND NOT a.attisdropped AND has_column_privilege(a.attrelid, a.attnum, 'SELECT')
ORDER BY a.attrelid, a.attnum
"""
_KEYS = """
SELECT k.conrelid::bigint, k.contype::text, names.here, k.confrelid::bigint, names.there
FROM pg_catalog.pg_constraint AS k
JOIN pg_catalog.pg_namespace AS n ON n.oid = k.connamespace AND n.nspname NOT IN ('pg_catalog', 'information_schema')
CROSS JOIN LATERAL (
    SELECT array_agg(a.attname::text ORDER BY p.place) AS here, array_agg(f.attname::text ORDER BY p.place) AS there
    FROM unnest(k.conkey, coalesce(k.confkey, k.conkey)) WITH ORDINALITY AS p (here, there, place)
    JOIN pg_catalog.pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = p.here
    LEFT JOIN pg_catalog.pg_attribute AS f ON f.attrelid = k.confrelid AND f.attnum = p.there
) AS names
WHERE k.contype IN ('p', 'u', 'f') AND k.conrelid <> 0
ORDER BY k.conrelid, k.oid
"""
_UNIQUE = """
SELECT i.indrelid::bigint, a.attname
FROM pg_catalog.pg_index AS i
JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
WHERE i.indisunique AND i.indnkeyatts = 1 AND i.indpred IS NULL AND i.indexprs IS NULL AND i.indrelid >= 16384
"""


def postgres_catalogue(read: Read) -> list[FoundTable]:
    """Readable tables and views of all schemas but the system's, `public` first; partitions only by their parent."""
    columns: dict[object, list[FoundColumn]] = defaultdict(list)
    for oid, *column in read(_COLUMNS):
        columns[oid].append(_column(column))
    unique: dict[object, set[str]] = defaultdict(set)
    for oid, name in read(_UNIQUE):
        unique[oid].add(str(name))
    tables = read(_TABLES)
    names = {row[0]: (str(row[1]), str(row[2])) for row in tables}
    primary, foreign = _keys(read(_KEYS), names)
    return [
        FoundTable(
            schema_name=str(schema),
            name=str(name),
            columns=tuple(columns[oid]),
            primary_key=primary.get(oid, ()),
            unique=frozenset(unique[oid]),
            foreign_keys=tuple(foreign[oid]),
            description=str(comment or ""),
            estimated_rows=cast("int | None", estimate),
        )
        for oid, schema, name, comment, estimate in tables
    ]


def _column(row: list[object]) -> FoundColumn:
    name, declared, required, comment, base, typtype = row
    domain = declared != base and typtype == "b" and "(" not in str(declared)
    return FoundColumn(
        name=str(name),
        type=str(declared),
        nullable=not required,
        description=str(comment or ""),
        base_type=str(base) if domain else "text" if typtype == "e" else None,
    )


def _keys(
    rows: list[RawRow], names: dict[object, tuple[str, str]]
) -> tuple[dict[object, tuple[str, ...]], dict[object, list[FoundKey]]]:
    primary: dict[object, tuple[str, ...]] = {}
    foreign: dict[object, list[FoundKey]] = defaultdict(list)
    for oid, kind, here, target, there in rows:
        columns = tuple(cast("list[str]", here))
        if kind == "p":
            primary[oid] = columns
        elif kind == "f" and target in names:
            schema, table = names[target]
            foreign[oid].append(FoundKey(columns, schema, table, tuple(cast("list[str]", there))))
    return primary, foreign
