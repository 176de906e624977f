"""SQL that people wrote, as queries that can be compared and changed."""

from collections.abc import Sequence
from functools import lru_cache

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from oldhand.agent.analyst.mending.mending import neutral
from oldhand.errors import QueryRefused
from oldhand.query.compiling.tree import to_tree
from oldhand.query.form import Opaque, Query
from oldhand.query.lifting import lift, lift_tree
from oldhand.query.walk import databases
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases import check_sql, find_errors

KEPT = 4096
"""Statements that are kept as they were read."""


@lru_cache(maxsize=KEPT)
def read_statement(
    sql: str, database: str | None, schemas: tuple[DatabaseSchema, ...]
) -> Query | Opaque | None:
    """A statement as a query; None when it may not run, or reads tables and columns that are not there.

    Args:
        sql: in the dialect of the database.
        database: None where the statement names the databases of its tables itself.
        schemas: the databases that may be asked.
    """
    if database is None:
        return _spanning(sql, schemas)
    schema = next((s for s in schemas if s.name == database), None)
    if schema is None:
        return None
    try:
        check_sql(sql, schema.dialect)
    except QueryRefused:
        return None
    found = lift(sql, schema)
    return None if isinstance(found, Opaque) and find_errors(sql, schema) else found


def _spanning(sql: str, schemas: Sequence[DatabaseSchema]) -> Query | None:
    try:
        tree = parse_one(sql)
    except (SqlglotError, RecursionError):
        return None
    found = lift_tree(tree, schemas) if isinstance(tree, exp.Query) else None
    names = {schema.name for schema in schemas}
    return found if found is not None and names.issuperset(databases(found)) else None


def tree_of(query: Query | Opaque, schemas: Sequence[DatabaseSchema]) -> exp.Query:
    """A query without regard to a dialect; every table is `database.schema.table` with an alias."""
    if isinstance(query, Query):
        return to_tree(query)
    schema = next(schema for schema in schemas if schema.name == query.database)
    tree = neutral(query.sql, schema)
    return tree if isinstance(tree, exp.Query) else exp.select("*")
