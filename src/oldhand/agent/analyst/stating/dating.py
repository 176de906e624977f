"""The date that rows go by: `jobs are dated by the day they were opened`."""

from collections.abc import Iterator, Sequence

from oldhand.agent.analyst.stating.named import columns_named, only_one, tables_meant
from oldhand.agent.analyst.stating.pointers import Pointer
from oldhand.agent.analyst.stating.sentences import Dating
from oldhand.agent.analyst.words.vocabulary import Vocabulary, vocabulary
from oldhand.errors import UnclearRule
from oldhand.lexicon.entries import words
from oldhand.lexicon.naming import name_words
from oldhand.lexicon.tokens import STOP_WORDS, tokenise
from oldhand.lexicon.wordlists import word_lists
from oldhand.record.schema import DATES, Column, DatabaseSchema, Table
from oldhand.record.semantics import DefaultDate


def date_stated(
    said: Dating, schemas: tuple[DatabaseSchema, ...], pointers: Sequence[Pointer]
) -> tuple[str, DefaultDate]:
    """The database, and the rule by which rows go by a date.

    Raises:
        UnclearRule: the rows or the date are not understood.
    """
    told = [(one.database, one.table, one.column) for one in pointers if one.column is not None]
    rows = {*name_words(said.rows)}
    named = tuple((name, one) for name, one, _ in told if rows & {*name_words(one.name)})
    tables = tables_meant(said.rows, schemas) or named
    if not tables:
        raise UnclearRule(f"No table is called {said.rows!r}.")
    here = {(database, table.name) for database, table in tables}
    written = ((one.database, one.table, one.column) for one in columns_named(said.date, schemas))
    found = [one for one in told or written if (one[0], one[1].name) in here]
    found = found or [*_dates_told(said.date, tables, schemas)]
    if not found:
        raise UnclearRule(f"{tables[0][1].name} has no column {said.date!r}.")
    only_one(said.date, [f"{table.name}.{column.name}" for _, table, column in found])
    database, table, column = found[0]
    if column.kind not in DATES:
        raise UnclearRule(f"{table.name}.{column.name} holds no dates.")
    return database, DefaultDate(table=table.name, column=column.name)


def _dates_told(
    said: str, tables: tuple[tuple[str, Table], ...], schemas: tuple[DatabaseSchema, ...]
) -> Iterator[tuple[str, Table, Column]]:
    """The dates of some rows that all words about them may mean: `the day they were opened`."""
    idle = STOP_WORDS | words("rules.dates") | words("time.units")
    told = (one for one in tokenise(said) if one.is_word and one.lower not in idle)
    # The day of the visit is any day of a visit: its own name tells no date from others.
    stems = [one.stem for one in told if not {*tables_meant(one.text, schemas)} & {*tables}]
    known, alike = vocabulary(schemas), word_lists().synonyms
    hit = [{one.column for one in known.hits(word) if one.column >= 0} for word in stems]
    near = [{one.column for said in (word, *alike.get(word, ())) for one in known.hits(said) if one.column >= 0} for word in stems]  # fmt: skip
    yield from [*_of_rows(hit, known, tables)] or _of_rows(near, known, tables)


def _of_rows(
    hit: Sequence[set[int]], known: Vocabulary, tables: tuple[tuple[str, Table], ...]
) -> Iterator[tuple[str, Table, Column]]:
    """The dates of some rows that are among what each of some words may mean."""
    for column in set[int].intersection(*hit) if hit else ():
        entry = known.columns[column]
        owner = known.tables[entry.table]
        for database, table in tables:
            own = table.column(entry.column.name) if entry.temporal and entry.since < 0 else None
            if own is not None and (owner.database, owner.table.name) == (database, table.name):
                yield database, table, own
