"""Read the words of memories and passages that a search weighs."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import sqlalchemy as sa

from oldhand.store.among import given_pairs, pairs
from oldhand.store.cache import Cache
from oldhand.store.column_types import unescape_text
from oldhand.store.search.index import MEMORY_SEARCH, PASSAGE_SEARCH

_LONGEST = 400
"""Words of what is kept: long texts would take the room of many."""


class SearchedDocument(NamedTuple):
    """One memory or passage, as it can be found."""

    seq: int
    """The key of its row."""
    terms: str
    """Stems, repetitions included, with a blank before and behind each: to count one in a text takes a tenth of a list's time.
    Of passages, those that occur once may be left out."""
    words: int
    """How many of them are words."""
    phrase: str | None
    """Of an alias."""


Place: TypeAlias = int
"""The scope of a memory and its number there, as one number: pairs would take longer. Never used twice."""
_NUMBER_BITS = 40


def places(scope_id: int, numbers: Iterable[int]) -> list[Place]:
    """Where the memories of these numbers stand.

    >>> places(1, [0, 5])
    [1099511627776, 1099511627781]
    """
    start = scope_id << _NUMBER_BITS
    return [start + number for number in numbers]


def load_documents(
    connection: sa.Connection,
    wanted: Collection[Place],
    kept: Cache[Place, SearchedDocument],
    table: sa.Table = MEMORY_SEARCH.documents,
) -> dict[Place, SearchedDocument]:
    """The documents at these places, in one statement."""
    found = kept.among(wanted)
    if missing := sorted(place for place in wanted if place not in found):
        read = _read(connection, table, missing)
        kept.keep({place: one for place, one in read.items() if one.words <= _LONGEST})
        found |= read
    return found


def _read(
    connection: sa.Connection, table: sa.Table, wanted: Iterable[Place]
) -> dict[Place, SearchedDocument]:
    numbers: defaultdict[int, list[int]] = defaultdict(list)
    for place in wanted:
        numbers[place >> _NUMBER_BITS].append(place & ((1 << _NUMBER_BITS) - 1))
    dialect, shown = connection.dialect.name, _often if table is PASSAGE_SEARCH.documents else str
    rows = connection.execute(
        _documents(table, dialect), given_pairs("asked", numbers, dialect)
    ).all()
    return {
        (scope_id << _NUMBER_BITS) + number: SearchedDocument(
            seq, f" {shown(terms)} ", _word_count(terms), phrase and unescape_text(phrase)
        )
        for scope_id, number, seq, terms, phrase in rows
        if seq is not None  # pyright: ignore[reportUnnecessaryComparison] (an outer join)
    }


def _word_count(terms: str) -> int:
    """As `index.word_count`, of a text; the marks come last.

    >>> [_word_count(one) for one in ("order order  return #2 #hidden", "  #", "order return", "order order  ")]
    [3, 0, 2, 2]
    """
    often, _, once = terms.rpartition("  ")
    marks = f" {once}".find(" #")
    alone = once.count(" ", 0, marks) if marks >= 0 else once.count(" ") + bool(once)
    return alone + often.count(" ") + bool(often)


def _often(terms: str) -> str:
    """What tells how often words occur, the rest once: all of them where they were kept as they came, by a version before.

    With two blanks between, so that each is counted at once.

    >>> _often("order order  return #2"), _often("order return order")
    ('order  order', 'order  return  order')
    """
    return terms.partition("  ")[0].replace(" ", "  ")


@lru_cache(maxsize=4)
def _documents(table: sa.Table, dialect: str) -> sa.Select[*tuple[Any, ...]]:
    """Built once: putting a statement together takes longer than running it.

    The join is an outer one, so that SQLite looks up each number and doesn't read the whole of a scope instead.
    """
    of, asked = table.c, pairs("asked", dialect)
    this = sa.and_(of.scope_id == asked.left, of.number == asked.right)
    phrase = sa.type_coerce(of.phrase, sa.Text())  # few have one: it is read where there is one
    return sa.select(of.scope_id, of.number, of.seq, of.terms, phrase).select_from(
        asked.table.outerjoin(table, this)
    )
