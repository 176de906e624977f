"""Tables and views of a warehouse, as its SQLAlchemy dialect finds them."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from sqlalchemy import Dialect, Engine, inspect
from sqlalchemy.engine.interfaces import ReflectedColumn, ReflectedForeignKeyConstraint, TableKey
from sqlalchemy.engine.reflection import Inspector, ObjectKind
from sqlalchemy.exc import CompileError

from oldhand.sources.databases.session import FoundColumn, FoundKey, FoundTable

_SYSTEM = re.compile(r"information_schema|sys|guest|db_\w+", re.IGNORECASE)
_T = TypeVar("_T")


def found_tables(engine: Engine, only: str) -> list[FoundTable]:
    """The tables and views of one schema, or of all that hold data."""
    inspector = inspect(engine)
    schemas = [only] if only else inspector.get_schema_names()
    kept = [schema for schema in schemas if not _SYSTEM.fullmatch(schema)]
    return [table for schema in kept for table in _of_schema(inspector, schema)]


def _of_schema(inspector: Inspector, schema: str) -> list[FoundTable]:
    dialect = inspector.dialect
    columns = inspector.get_multi_columns(schema=schema, kind=ObjectKind.ANY)
    primary = _told(inspector.get_multi_pk_constraint, schema)
    foreign = _told(inspector.get_multi_foreign_keys, schema)
    indexes = _told(inspector.get_multi_indexes, schema)
    unique = _told(inspector.get_multi_unique_constraints, schema)
    comments = _told(inspector.get_multi_table_comment, schema)
    found: list[FoundTable] = []
    for key, described in columns.items():
        alone = [one["column_names"] for one in unique.get(key, ())]
        alone += [[*map(str, one["column_names"])] for one in indexes.get(key, ()) if one["unique"]]
        own = primary[key]["constrained_columns"] if key in primary else []
        found.append(
            FoundTable(
                _name(schema, dialect),
                _name(key[1], dialect),
                # BigQuery also lists the parts of records.
                tuple(_column(one, dialect) for one in described if "." not in one["name"]),
                _names(own, dialect),
                frozenset(_name(one[0], dialect) for one in alone if len(one) == 1),
                tuple(_key(one, schema, dialect) for one in foreign.get(key, ())),
                (comments[key].get("text") if key in comments else None) or "",
            )
        )
    return found


def _told(ask: Callable[..., Mapping[TableKey, _T]], schema: str) -> Mapping[TableKey, _T]:
    """What a dialect knows of the tables of a schema; nothing where it was never taught to look."""
    try:
        return ask(schema=schema, kind=ObjectKind.ANY)
    except NotImplementedError:
        return {}


def _column(column: ReflectedColumn, dialect: Dialect) -> FoundColumn:
    try:
        declared = column["type"].compile(dialect=dialect)
    except CompileError:
        declared = str(column["type"])
    shown = declared.partition(" COLLATE ")[0]
    return FoundColumn(
        _name(column["name"], dialect), shown, column["nullable"], column.get("comment") or ""
    )


def _key(key: ReflectedForeignKeyConstraint, schema: str, dialect: Dialect) -> FoundKey:
    return FoundKey(
        _names(key["constrained_columns"], dialect),
        _name(key["referred_schema"] or schema, dialect),
        _name(key["referred_table"], dialect),
        _names(key["referred_columns"], dialect),
    )


def _names(names: Iterable[str], dialect: Dialect) -> tuple[str, ...]:
    return tuple(_name(name, dialect) for name in names)


def _name(name: str, dialect: Dialect) -> str:
    """As the server has it: SQLAlchemy writes names that are all upper case in lower case."""
    return str(dialect.denormalize_name(name) if dialect.requires_name_normalize else name)
