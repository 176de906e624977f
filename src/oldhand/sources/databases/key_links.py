"""Foreign keys across databases, which no database declares: guessed from names, confirmed by values."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from sqlglot import exp

from oldhand.errors import DatabaseError, DatabaseUnreachable
from oldhand.record.base import Cell, Record
from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Kind, Table
from oldhand.sources.cells import plain_cell
from oldhand.sources.databases.database import Database
from oldhand.sources.databases.schema_merge import with_foreign_keys

_CHECKED_VALUES = 200
_ENOUGH_VALUES = 2
_ENOUGH_OVERLAP = 0.8
_SECONDS = 10.0
_GENERIC = {"id", "code", "key", "name", "number", "no", "nr", "type", "status", "date", "uuid"}
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


class SuggestedKey(Record):
    """A foreign key into another database that names and values speak for."""

    database: str
    schema_name: str
    table: str
    key: ForeignKey
    overlap: float
    """Share of the values looked at that the other side holds, 0.8 to 1."""
    values: int
    """How many different values were looked at."""


def suggest_keys(
    schemas: Sequence[DatabaseSchema], source: Callable[[str], Database]
) -> tuple[SuggestedKey, ...]:
    """Keys from one database into another that no schema has yet, the surest first.

    Args:
        schemas: The databases to join.
        source: Opens a database by name.

    Raises:
        DatabaseUnreachable: one of the databases does not answer.
    """
    found: list[SuggestedKey] = []
    for here in schemas:
        for there in schemas:
            if here.name != there.name:
                found += _between(here, there, source)
    kept: dict[object, SuggestedKey] = {}
    for link in sorted(found, key=lambda link: -link.overlap):
        start, end = _ends(link)
        if (end, start) not in {_ends(other) for other in kept.values()}:  # not the way back
            kept.setdefault(start, link)
    return tuple(kept.values())


def with_keys(schema: DatabaseSchema, links: Sequence[SuggestedKey]) -> DatabaseSchema:
    """The schema with those of the suggested keys that start in it."""
    new: dict[tuple[str, str], list[ForeignKey]] = defaultdict(list)
    for link in links:
        if link.database == schema.name:
            new[link.schema_name, link.table].append(link.key)
    return with_foreign_keys(schema, lambda t: (*t.foreign_keys, *new[t.schema_name, t.name]))


def names_fit(column: str, table: str, target: str) -> bool:
    """Whether a column's name says that it holds the key `target` of `table`.

    >>> names_fit("customer_id", "customers", "id"), names_fit("custId", "orders", "id")
    (True, False)
    >>> names_fit("sku", "products", "SKU"), names_fit("id", "products", "id"), names_fit("country", "countries", "code")
    (True, False, True)
    """
    here, home, key = _words(column), _words(table), _words(target)
    if here == key:
        return not (len(key) == 1 and key[0] in _GENERIC)
    return here == home or here[-len(home + key) :] == home + key


def _between(
    here: DatabaseSchema, there: DatabaseSchema, source: Callable[[str], Database]
) -> Iterator[SuggestedKey]:
    for table in here.tables:
        linked = {key.columns for key in table.foreign_keys}
        for column in table.columns:
            if column.kind not in (Kind.INTEGER, Kind.TEXT) or (column.name,) in linked:
                continue
            for target, key in _targets(there):
                if key.kind is column.kind and names_fit(column.name, target.name, key.name):
                    link = _confirm((here, table, column), (there, target, key), source)
                    if link is not None:
                        yield link


def _targets(schema: DatabaseSchema) -> Iterator[tuple[Table, Column]]:
    for table in schema.tables:
        for column in table.columns:
            if column.unique or table.primary_key == (column.name,):
                yield table, column


def _confirm(
    here: tuple[DatabaseSchema, Table, Column],
    there: tuple[DatabaseSchema, Table, Column],
    source: Callable[[str], Database],
) -> SuggestedKey | None:
    database, table, column = here
    other, target, key = there
    try:
        values = set(
            source(database.name).distinct_values(
                table.name, column.name, schema_name=table.schema_name, limit=_CHECKED_VALUES
            )
        )
        shared = _held(source(other.name), target, key, values) if values else 0
    except DatabaseUnreachable:
        raise
    except DatabaseError:  # too slow, or no right to read it
        return None
    if len(values) < _ENOUGH_VALUES or shared / len(values) < _ENOUGH_OVERLAP:
        return None
    return SuggestedKey(
        database=database.name,
        schema_name=table.schema_name,
        table=table.name,
        key=ForeignKey(
            columns=(column.name,),
            database=other.name,
            schema_name=target.schema_name,
            table=target.name,
            target_columns=(key.name,),
        ),
        overlap=round(shared / len(values), 3),
        values=len(values),
    )


def _held(source: Database, table: Table, column: Column, values: set[Cell]) -> int:
    """How many of the values the column holds."""
    name = exp.column(column.name, quoted=True)
    query = (
        exp.select(name)
        .distinct()
        .from_(exp.table_(table.name, db=table.schema_name, quoted=True))
        .where(name.isin(*(exp.convert(value) for value in values)))
    )
    found = source.fetch(query.sql(source.dialect), rows=len(values), seconds=_SECONDS)
    return len(values & {plain_cell(value) for (value,) in found.values})


def _ends(link: SuggestedKey) -> tuple[tuple[object, ...], tuple[object, ...]]:
    key = link.key
    return (
        (link.database, link.schema_name, link.table, key.columns),
        (key.database, key.schema_name, key.table, key.target_columns),
    )


def _words(name: str) -> list[str]:
    return [_singular(word.casefold()) for word in _WORD.findall(name)] or [name.casefold()]


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
