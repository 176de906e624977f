"""Which column a phrase of a rule names."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from oldhand.agent.analyst.linking.question import link
from oldhand.agent.analyst.words.entries import TableEntry, WordHit
from oldhand.agent.analyst.words.links import Links, bits, spans
from oldhand.agent.analyst.words.naming import amounts
from oldhand.agent.analyst.words.shortened import AMBIGUOUS, SYNONYM
from oldhand.agent.analyst.words.vocabulary import Vocabulary, vocabulary
from oldhand.errors import UnclearRule
from oldhand.lexicon.entries import words
from oldhand.lexicon.naming import name_words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import STOP_WORDS, stem, word_stems
from oldhand.query.form import ColumnRef
from oldhand.record.schema import NUMBERS, Column, DatabaseSchema, Table, schema_of
from oldhand.sources.databases.values import AllValues, Values

LINKED, ALIKE = AMBIGUOUS, 0.9
"""How well a name must fit words that are short for it, at least, and against the best that they may mean."""
_AMOUNTS = word_stems("money.worth") | word_stems("money.prices")
"""A name may have one of these beside what it is for."""
TABLES = 4
"""Tables that are tried where no rows are named, but a column of theirs."""
THINGS = 3
"""Words of the name of a table at most."""


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
            # A visit is dated, not numbered: `days between booking and visit`.
            told = [one for one in fitting if one.fit == 1.0 or not one.column.primary_key]
            fitting = told or fitting
            best = max((one.fit for one in fitting), default=0.0)
            found += [one for one in fitting if one.fit == best]
    if "_" in phrase:  # `from_apiary_id` is no `apiary_id`
        written = [one for one in found if one.column.name.casefold() == _folded(phrase)]
        found = written or found
    return (*_stated(phrase, schemas), *found) or tuple(_linked(phrase, schemas))


def _stated(phrase: str, schemas: tuple[DatabaseSchema, ...]) -> Iterator[NamedColumn]:
    """The columns for which people use a phrase as a word."""
    for schema in schemas:
        for word in schema.semantics.synonyms:
            table = schema.table(word.table) if _bare(word.name) == _bare(phrase) else None
            column = table.column(word.column or "") if table is not None else None
            if table is not None and column is not None:
                yield NamedColumn(schema.name, table, column, 1.0)


def _linked(phrase: str, schemas: tuple[DatabaseSchema, ...]) -> Iterator[NamedColumn]:
    """The columns that all words of a phrase would mean in a question: `final amount` for `fin_amt`; `labour` for `lbr_amt`."""
    if "." in phrase or not words("rules.denying").isdisjoint(phrase.casefold().split()):
        return
    known = vocabulary(schemas)
    links = link(phrase, known, AllValues(()), None)
    said = bits(1 << at for at, one in enumerate(links.tokens) if one.lower not in STOP_WORDS)
    mention = next((m for m in links.columns if not said & ~(m.span.mask | _owner(links))), None)
    if mention is None:
        return
    stems = {one.stem for one in links.tokens}
    sure = {one.id: max(one.score, _told(known, one.id, stems)) for one in mention.options}
    best = max(sure.values())
    for column, score in sure.items():
        entry = known.columns[column]
        if score >= max(LINKED, ALIKE * best) and isinstance(entry.ref, ColumnRef):
            owner = known.tables[entry.table]
            table = _own(owner, schemas)
            own = table and table.column(entry.column.name)
            if table is not None and own is not None:
                yield NamedColumn(owner.database, table, own, min(score, ALIKE))


def _told(known: Vocabulary, column: int, stems: set[str]) -> float:
    """How surely words are all of a name but what sort of amount it is: `labour` of `lbr_amt`, `capacity` of `cap_kg`."""
    forms = known.columns[column].forms
    hits = (hit for word in stems for hit in known.hits(word) if hit.column == column)
    told = (hit.strength for hit in hits if hit.strength > SYNONYM and _is_all_but_amount(hit, forms[hit.form], stems))  # fmt: skip
    return max(told, default=0.0)


def _is_all_but_amount(hit: WordHit, form: tuple[str, ...], stems: set[str]) -> bool:
    """Whether a word is all of a name but the amount that it is: `labour` of `lbr_amt` and of `prc_lab`, but no other word for a price."""
    rest = {*form} - {form[hit.word]}
    return len(form) == 2 and len(rest) == 1 and rest <= (_AMOUNTS | amounts()) - stems


def _owner(links: Links) -> int:
    """The places of the things of which a column is named: `the volume of a job`."""
    behind = (m for m in links.tables if m.span.start > 1)
    return spans(m for m in behind if "of" in (links.tokens[m.span.start - 1].lower, links.tokens[m.span.start - 2].lower))  # fmt: skip


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
        or tuple(_linked_tables(phrase, schemas))
    )


def _linked_tables(phrase: str, schemas: tuple[DatabaseSchema, ...]) -> Iterator[tuple[str, Table]]:
    """The tables that all words of a phrase would mean in a question: `storage` for `stg`."""
    if not STOP_WORDS.isdisjoint(_bare(phrase)):
        return
    known = vocabulary(schemas)
    links = link(phrase, known, AllValues(()), None)
    said = bits(1 << at for at, one in enumerate(links.tokens) if one.lower not in STOP_WORDS)
    for mention in links.tables:
        for option in mention.options if said and not said & ~mention.span.mask else ():
            entry = known.tables[option.id]
            table = _own(entry, schemas)
            if option.score >= max(LINKED, ALIKE * mention.best.score) and not entry.role and table:
                yield entry.database, table


def _own(entry: TableEntry, schemas: tuple[DatabaseSchema, ...]) -> Table | None:
    """A table as these schemas have it."""
    schema = schema_of(entry.database, schemas)
    return schema and schema.table(entry.table.name, entry.table.schema_name)


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


def tables_last(
    said: Sequence[str], schemas: tuple[DatabaseSchema, ...]
) -> tuple[int, tuple[tuple[str, Table], ...]]:
    """How many of the last words name things, and the tables that these are."""
    for size in range(min(THINGS, len(said)), 0, -1):
        if tables := tables_meant(" ".join(said[-size:]), schemas):
            return size, tables
    return 0, ()


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


def _bare(phrase: str) -> list[str]:
    """The words of a phrase without articles."""
    return [word for word in phrase.casefold().split() if word not in words("function_words.determiners")]  # fmt: skip


def _spelled(schema: DatabaseSchema, table: Table, column: Column) -> Iterator[str]:
    yield column.name.casefold()
    yield f"{table.name}.{column.name}".casefold()
    yield f"{schema.name}.{table.name}.{column.name}".casefold()


def _folded(phrase: str) -> str:
    return " ".join(phrase.casefold().split())


def is_one_of(column: str, values: Sequence[str | float]) -> str:
    """What rows meet that have one of some values in a column, in neutral SQL.

    >>> is_one_of("status", ["D"]), is_one_of("Level", [1, 2])
    ("status = 'D'", '"Level" IN (1, 2)')
    """
    name = exp.column(exp.to_identifier(column, quoted=not column.islower()))
    some = [exp.convert(one) for one in values]
    return (name.eq(some[0]) if len(some) == 1 else name.isin(*some)).sql()


def values_said(said: Iterable[str], column: NamedColumn, values: Values) -> list[str | float]:
    """The values of a column that some words are, as the column has them; words that are none are left out."""
    if column.column.kind in NUMBERS:
        numbers = (one for one in said if re.fullmatch(r"-?\d+(?:\.\d+)?", one))
        return [float(one) if "." in one else int(one) for one in numbers]
    plain = [*said]
    held = {
        str(one.value).casefold(): str(one.value)
        for one in values.exact(plain)
        if (one.database, one.table, one.column) == (column.database, column.table.name, column.column.name)
    }  # fmt: skip
    return [held[one.casefold()] for one in plain if one.casefold() in held]


def only_one(said: str, found: list[str]) -> None:
    """Nothing where there is one.

    Raises:
        UnclearRule: words may be several of them.
    """
    if len(found) > 1:
        names = ", ".join(found[:5])
        raise UnclearRule(f"{said!r} may be one of: {names}. Name it in full.")
