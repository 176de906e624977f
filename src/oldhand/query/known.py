"""What the schemas say about the tables and columns of a query."""

from collections.abc import Sequence

from oldhand.lexicon.naming import name_words
from oldhand.query.form import ColumnRef, Query, Relation
from oldhand.record.join_path import KeyPair
from oldhand.record.schema import STATED, ColumnProfile, DatabaseSchema, Kind, Table
from oldhand.record.schema import Column as KnownColumn


def known_table(relation: Relation, schemas: Sequence[DatabaseSchema]) -> Table | None:
    """What the schemas say about the table of a relation; None for the rows of a query."""
    if relation.query is not None:
        return None
    for schema in schemas:
        if schema.name == relation.database:
            found = schema.table(relation.table, relation.schema or None)
            return found or schema.table(relation.table)
    return None


def passed_on(query: Query, name: str) -> ColumnRef | None:
    """The column that a query shows by `name`; None when it computes what it shows."""
    shown = dict(zip(query.names, query.select, strict=False)).get(name)
    return shown if isinstance(shown, ColumnRef) else None


def known_column(column: ColumnRef, schemas: Sequence[DatabaseSchema]) -> KnownColumn | None:
    """What the schemas say about a column; for one that a query passes on, about the column that it passes on."""
    inner = column.of.query
    if inner is not None:
        passed = passed_on(inner, column.name)
        return known_column(passed, schemas) if passed is not None else None
    table = known_table(column.of, schemas)
    return table.column(column.name) if table is not None else None


def kind_of(column: ColumnRef, schemas: Sequence[DatabaseSchema]) -> Kind | None:
    """What a column holds; None where nothing is known of it."""
    known = known_column(column, schemas)
    return known.kind if known is not None else None


def profile_of(column: ColumnRef, schemas: Sequence[DatabaseSchema]) -> ColumnProfile | None:
    """What the values of a column look like; None where they were not measured."""
    known = known_column(column, schemas)
    return known.profile if known is not None else None


def is_stated(column: ColumnRef, schemas: Sequence[DatabaseSchema]) -> bool:
    """True for a column that stands for a rule that people stated."""
    known = known_column(column, schemas)
    return known is not None and known.type == STATED


def as_key(pair: KeyPair, schema: DatabaseSchema) -> KeyPair | None:
    """The pair with the side that refers first, as an order does to its customer; None where no key is known that joins so."""
    turned = KeyPair(table=pair.other_table, column=pair.other_column, other_table=pair.table, other_column=pair.column)  # fmt: skip
    for one in (pair, turned):
        table = schema.table(one.table)
        for key in table.foreign_keys if table is not None else ():
            ends = zip(key.columns, key.target_columns, strict=False)
            led = key.table.casefold() == one.other_table.casefold()
            if led and (one.column, one.other_column) in ends:
                return one
    return None


def called_alike(one: ColumnRef, other: ColumnRef) -> bool:
    """Whether columns of two tables are called the same, their tables' own names aside: `city` and `site_city`."""
    return _told(one) == _told(other)


def _told(column: ColumnRef) -> frozenset[str]:
    own = frozenset(name_words(column.name))
    return own - frozenset(name_words(column.of.table)) or own
