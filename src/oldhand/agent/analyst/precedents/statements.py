"""SQL that people wrote, as queries that can be compared and changed."""

from functools import lru_cache

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from oldhand.errors import QueryRefused
from oldhand.query.form import Query
from oldhand.query.lifting import lift, lift_tree
from oldhand.query.opaque import Opaque
from oldhand.query.spans import in_spans
from oldhand.query.walk import databases
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases import check_sql, find_errors

KEPT = 4096
"""Statements that are kept as they were read, for each set of schemas."""


class Statements:
    """Reads statements over the same schemas; the same ones come back for question after question."""

    def __init__(self, schemas: tuple[DatabaseSchema, ...]) -> None:
        self._schemas = {schema.name: schema for schema in schemas}
        self.query = lru_cache(maxsize=KEPT)(self._query)
        """The query of a statement and the database in whose dialect it is; None when it names its databases itself."""

    def _query(self, sql: str, database: str | None) -> Query | Opaque | None:
        """None when it may not run, or reads tables and columns that are not there."""
        if database is None:
            return self._spanning(sql)
        schema = self._schemas.get(database)
        if schema is None:
            return None
        try:
            check_sql(sql, schema.dialect)
        except QueryRefused:
            return None
        found = lift(sql, schema)
        if isinstance(found, Opaque):
            return None if find_errors(sql, schema) else found
        return in_spans(found)

    def _spanning(self, sql: str) -> Query | None:
        try:
            tree = parse_one(sql)
        except (SqlglotError, RecursionError):
            return None
        schemas = tuple(self._schemas.values())
        found = lift_tree(tree, schemas) if isinstance(tree, exp.Query) else None
        known = found is not None and self._schemas.keys() >= {*databases(found)}
        return in_spans(found) if found is not None and known else None


@lru_cache(maxsize=64)
def statements(schemas: tuple[DatabaseSchema, ...]) -> Statements:
    """The reader of statements over some schemas."""
    return Statements(schemas)
