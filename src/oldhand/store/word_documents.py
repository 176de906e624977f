"""Read the words of memories that a search weighs."""

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import sqlalchemy as sa

from oldhand.store.among import given_pairs, pairs
from oldhand.store.column_types import unescape_text
from oldhand.store.search_tables import search_documents


class SearchedDocument(NamedTuple):
    """One memory, as it can be found."""

    seq: int
    """The key of its version."""
    terms: str
    """With blanks between them, repetitions included."""
    phrase: str | None
    """Of an alias."""


def load_documents(
    connection: sa.Connection, numbers: Mapping[int, Collection[int]]
) -> dict[tuple[int, int], SearchedDocument]:
    """The documents of these numbers in each scope, by scope and number, in one statement."""
    if not any(numbers.values()):
        return {}
    dialect = connection.dialect.name
    rows = connection.execute(_documents(dialect), given_pairs("asked", numbers, dialect)).all()
    return {
        (scope_id, number): SearchedDocument(seq, terms, phrase and unescape_text(phrase))
        for scope_id, number, seq, terms, phrase in rows
        if seq is not None  # pyright: ignore[reportUnnecessaryComparison] (an outer join)
    }


@lru_cache(maxsize=2)
def _documents(dialect: str) -> sa.Select[*tuple[Any, ...]]:
    """Built once: putting a statement together takes longer than running it.

    The join is an outer one, so that SQLite looks up each number and doesn't read the whole of a scope instead.
    """
    of, asked = search_documents.c, pairs("asked", dialect)
    this = sa.and_(of.scope_id == asked.left, of.number == asked.right)
    phrase = sa.type_coerce(of.phrase, sa.Text())  # few have one: it is read where there is one
    return sa.select(of.scope_id, of.number, of.seq, of.terms, phrase).select_from(
        asked.table.outerjoin(search_documents, this)
    )
