"""Which column a phrase of a rule names."""

from collections.abc import Iterator
from dataclasses import dataclass

from oldhand.errors import UnclearRule
from oldhand.lexicon.naming import name_words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import STOP_WORDS, stem
from oldhand.record.schema import Column, DatabaseSchema, Table

TABLES = 4
"""Tables that are tried where no rows are named, but a column of theirs."""


@dataclass(frozen=True, slots=True)
class NamedColumn:
    """A column that a phrase names."""

    database: str
    table: Table
    column: Column
    fit: float
    """1 for its very name, less for a part of it."""


def columns_named(phrase: str, schemas: tuple[DatabaseSchema, ...]) -> tuple[NamedColumn, ...]:
    """The columns that a phrase may name, only those that fit it best in each table.

    >>> from oldhand.record.schema import Kind
    >>> column = Column(name="unit_price", type="REAL", kind=Kind.NUMBER)
    >>> shop = DatabaseSchema(name="shop", dialect="sqlite",
    ...                       tables=(Table(name="products", schema_name="main", columns=(column,)),))
    >>> [[one.fit for one in columns_named(said, (shop,))] for said in ("products.unit_price", "Unit price", "price", "cost")]
    [[1.0], [1.0], [0.5], []]
    """
    found: list[NamedColumn] = []
    for schema in schemas:
        for table in schema.tables:
            fitting = [
                NamedColumn(schema.name, table, column, fit)
                for column in table.columns
                if (fit := _fit(phrase, schema, table, column))
            ]
            best = max((one.fit for one in fitting), default=0.0)
            found += [one for one in fitting if one.fit == best]
    return tuple(found)


def tables_named(phrase: str, schemas: tuple[DatabaseSchema, ...]) -> tuple[tuple[str, Table], ...]:
    """The tables that a phrase names, each after its database.

    >>> tables_named("Clients", ())
    ()
    """
    return tuple(
        (schema.name, table)
        for schema in schemas
        for table in schema.tables
        if _folded(phrase) in (table.name.casefold(), f"{schema.name}.{table.name}".casefold())
        or name_words(phrase) == name_words(table.name)
    )


def tables_meant(phrase: str, schemas: tuple[DatabaseSchema, ...]) -> tuple[tuple[str, Table], ...]:
    """The tables that a phrase names, else those for which people use it as a word, else those whose names end with it.

    >>> table = Table(name="apartment_bookings", schema_name="main", columns=())
    >>> inn = DatabaseSchema(name="inn", dialect="sqlite", tables=(table,))
    >>> [len(tables_meant(said, (inn,))) for said in ("bookings", "apartments", "apartment bookings")]
    [1, 0, 1]
    """
    said = name_words(phrase)
    stated = {
        (schema.name, word.table.casefold())
        for schema in schemas
        for word in schema.semantics.synonyms
        if word.column is None and name_words(word.name) == said
    }
    tables = [(schema.name, table) for schema in schemas for table in schema.tables]
    return (
        tables_named(phrase, schemas)
        or tuple(one for one in tables if (one[0], one[1].name.casefold()) in stated)
        or tuple(one for one in tables if name_words(one[1].name)[-len(said) :] == said)
    )


def tables_in(text: str, schemas: tuple[DatabaseSchema, ...]) -> tuple[tuple[str, Table], ...]:
    """The tables that words of a rule name."""
    words = split_name(text.casefold())
    said = {stem(word) for word in words}
    found = tuple(
        (schema.name, table)
        for schema in schemas
        for table in schema.tables
        if {stem(word) for word in split_name(table.name)} <= said
    )
    return found or next(filter(None, (tables_meant(word, schemas) for word in words)), ())


def tables_first(text: str, schemas: tuple[DatabaseSchema, ...]) -> tuple[tuple[str, Table], ...]:
    """The tables that the first words of a text name: `customers with more than 3 orders`."""
    said = text.split()
    named = (tables_meant(" ".join(said[:end]), schemas) for end in range(len(said) - 1, 0, -1))
    return next((found for found in named if found), ())


def tables_with(text: str, schemas: tuple[DatabaseSchema, ...]) -> tuple[tuple[str, Table], ...]:
    """The tables of which words of a rule name a column in full."""
    said = {stem(word) for word in split_name(text.casefold())}
    return tuple(
        (schema.name, table)
        for schema in schemas
        for table in schema.tables
        if any({stem(word) for word in split_name(one.name)} <= said for one in table.columns)
    )[:TABLES]


def _fit(phrase: str, schema: DatabaseSchema, table: Table, column: Column) -> float:
    names = tuple(_spelled(schema, table, column))
    if _folded(phrase) in names:
        return 1.0
    if "." in phrase:
        return 0.0
    head, of, whole = phrase.partition(" of ")
    if of and name_words(whole.removeprefix("the ")) == name_words(table.name):
        return _fit(head, schema, table, column)
    said, own = name_words(phrase), name_words(column.name)
    if said == own or (said == (*name_words(table.name), *own)):
        return 1.0
    plain = tuple(map(stem, split_name(column.name)))
    bare = tuple(one for one in said if one not in STOP_WORDS)  # number of employees
    if plain == tuple(map(stem, split_name(phrase))) or (len(own) > 1 and bare == own):
        return 1.0
    return 0.5 if set(said) < set(own) and len(own) == len(said) + 1 else 0.0


def _spelled(schema: DatabaseSchema, table: Table, column: Column) -> Iterator[str]:
    yield column.name.casefold()
    yield f"{table.name}.{column.name}".casefold()
    yield f"{schema.name}.{table.name}.{column.name}".casefold()


def _folded(phrase: str) -> str:
    return " ".join(phrase.casefold().split())


def only_one(said: str, found: list[str]) -> None:
    """Nothing where there is one.

    Raises:
        UnclearRule: words may be several of them.
    """
    if len(found) > 1:
        names = ", ".join(found[:5])
        raise UnclearRule(f"{said!r} may be one of: {names}. Name it in full.")
