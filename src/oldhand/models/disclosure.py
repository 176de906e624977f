"""What language models may learn of a database: names, values, or nothing."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from oldhand.lexicon.privacy import is_address, looks_private
from oldhand.record.base import Cell
from oldhand.record.schema import Column, DatabaseSchema, Disclosure, Kind, Same, Table

_PLAIN = frozenset({Kind.BOOLEAN, Kind.SPATIAL})
"""Kinds of values that are never private by their column's name."""


def disclosure_of(column: Column, table: Table, schema: DatabaseSchema) -> Disclosure:
    """What models may learn of a column: as the owner says of it, of its table or of its database; else by what it holds.

    What looks private is kept back unless the owner says otherwise of that very column.
    """
    if column.to_models is not None:
        return column.to_models
    said = table.to_models or schema.to_models or Disclosure.SAMPLES
    return Disclosure.NAMES if said is Disclosure.SAMPLES and _is_private(column) else said


def as_sent(schema: DatabaseSchema) -> DatabaseSchema:
    """The schema as models may see it: without what is kept back, keys and rules that speak of it among that.

    >>> from oldhand.record.schema import Kind
    >>> born = Column(name="born_on", type="DATE", kind=Kind.DATE, samples=("1990-04-05",))
    >>> staff = Table(name="staff", schema_name="main", columns=(born,))
    >>> sent = as_sent(DatabaseSchema(name="hr", dialect="sqlite", tables=(staff,)))
    >>> sent.tables[0].columns[0].samples
    ()
    """
    return _sent(Same((schema,)))


@lru_cache(maxsize=256)
def _sent(same: Same) -> DatabaseSchema:
    (schema,) = same.schemas
    tables = tuple(found for table in schema.tables if (found := _table(table, schema)).columns)
    gone = {name.casefold() for name in hidden_names((schema,))}
    told = ((rule, re.findall(r"\w+", rule.told.casefold())) for rule in schema.semantics.rules)
    rules = [rule for rule, words in told if gone.intersection(words)]
    lost = _lost(schema, tables)
    tables = tuple(_with_keys(table, lost) for table in tables)
    if tables == schema.tables and not rules:
        return schema
    semantics = schema.semantics.without(*rules)
    return schema.model_copy(update={"tables": tables, "semantics": semantics})


def kept_back(schemas: Iterable[DatabaseSchema]) -> Iterator[tuple[DatabaseSchema, Table, Column]]:
    """The columns of which models see no value."""
    for schema in schemas:
        yield from _kept_back(Same((schema,)))


@lru_cache(maxsize=256)
def _kept_back(same: Same) -> tuple[tuple[DatabaseSchema, Table, Column], ...]:
    (schema,) = same.schemas
    return tuple(
        (schema, table, column)
        for table in schema.tables
        for column in table.columns
        if disclosure_of(column, table, schema) is not Disclosure.SAMPLES
    )


def hidden_names(schemas: Iterable[DatabaseSchema]) -> frozenset[str]:
    """Names of tables and columns that models don't learn, and that nothing else goes by."""
    shown: set[str] = set()
    hidden: set[str] = set()
    for schema in schemas:
        for table in schema.tables:
            told = [disclosure_of(c, table, schema) for c in table.columns]
            for column, one in zip(table.columns, told, strict=True):
                (hidden if one is Disclosure.NOTHING else shown).add(column.name)
            (shown if set(told) - {Disclosure.NOTHING} else hidden).add(table.name)
    folded = {name.casefold() for name in shown}
    return frozenset(name for name in hidden if name.casefold() not in folded)


def _is_private(column: Column) -> bool:
    if column.kind in _PLAIN:
        return False
    if looks_private(column.name):
        return True
    return any(isinstance(value, str) and is_address(value) for value in _seen(column))


def _seen(column: Column) -> tuple[Cell, ...]:
    profile = column.profile
    return column.samples if profile is None else (*column.samples, *profile.values)


def _table(table: Table, schema: DatabaseSchema) -> Table:
    told = [(column, disclosure_of(column, table, schema)) for column in table.columns]
    if all(one is Disclosure.SAMPLES for _, one in told):
        return table
    columns = tuple(
        column if one is Disclosure.SAMPLES else without_values(column)
        for column, one in told
        if one is not Disclosure.NOTHING
    )
    return table.model_copy(update={"columns": columns})


def without_values(column: Column) -> Column:
    """The column without examples, ranges and keys of what it holds."""
    profile = column.profile
    if profile is not None:
        form = "" if profile.holds == "json" else profile.form
        bare = {"low": None, "high": None, "values": (), "form": form}
        profile = profile.model_copy(update=bare)
    return column.model_copy(update={"samples": (), "profile": profile})


def _lost(schema: DatabaseSchema, shown: Iterable[Table]) -> frozenset[tuple[str, str, str, str]]:
    """The columns that are not shown, each behind its database, schema and table."""

    def places(tables: Iterable[Table]) -> set[tuple[str, str, str, str]]:
        return {(schema.name, t.schema_name, t.name, c.name) for t in tables for c in t.columns}

    return frozenset(places(schema.tables) - places(shown))


def _with_keys(table: Table, lost: frozenset[tuple[str, str, str, str]]) -> Table:
    """Without keys of which one end is not shown."""
    keys = tuple(
        key
        for key in table.foreign_keys
        if all(map(table.column, key.columns))
        and not any(
            (key.database, key.schema_name, key.table, c) in lost for c in key.target_columns
        )
    )
    return table if keys == table.foreign_keys else table.model_copy(update={"foreign_keys": keys})
