"""Read the words of memories that a search weighs."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import sqlalchemy as sa

from oldhand.store.among import given_pairs, pairs
from oldhand.store.cache import Cache
from oldhand.store.column_types import unescape_text
from oldhand.store.search_tables import search_documents

_LONGEST = 1_000
"""Letters of the words of what is kept: long texts would take the room of many."""


class SearchedDocument(NamedTuple):
    """One memory, as it can be found."""

    seq: int
    """The key of its version."""
    terms: str
    """With blanks between them, repetitions included."""
    phrase: str | None
    """Of an alias."""


Place: TypeAlias = tuple[int, int]
"""The scope of a memory, and its number there; never used twice."""


def load_documents(
    connection: sa.Connection,
    numbers: Mapping[int, Collection[int]],
    kept: Cache[Place, SearchedDocument],
) -> dict[Place, SearchedDocument]:
    """The documents of these numbers in each scope, in one statement.

    Args:
        connection: in a transaction that only reads.
        numbers: by scope.
        kept: what was read before, and then all that is read now.
    """
    places = [(scope_id, number) for scope_id, some in numbers.items() for number in some]
    found = kept.among(places)
    missing: defaultdict[int, list[int]] = defaultdict(list)
    for scope_id, number in places:
        if (scope_id, number) not in found:
            missing[scope_id].append(number)
    if missing:
        read = _read(connection, missing)
        kept.keep({at: one for at, one in read.items() if len(one.terms) <= _LONGEST})
        found |= read
    return found


def _read(
    connection: sa.Connection, numbers: Mapping[int, Collection[int]]
) -> dict[Place, SearchedDocument]:
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
