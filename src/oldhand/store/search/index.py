"""The search over memories: which words occur in which of them, kept up to date with each save.

It is an inverted index of our own rather than the database's: those of SQLite and Postgres count a word in all rows of
all clones before they score one, which takes too long where some words occur in most of them. Here every clone, user
and type has words, counts and lists of its own, so that a search costs what its own words cost.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.record.memory import MemoryType
from oldhand.record.stemming import stemmed
from oldhand.store.reading import batches, delete_among, rows_among, upsert
from oldhand.store.search.bits import BLOCK, packed, unpacked
from oldhand.store.search.tables import search_documents, search_postings, search_scopes


class MemoryScope(NamedTuple):
    """To whom a memory belongs."""

    clone_id: str
    user_id: str
    type: MemoryType


class IndexEntry(NamedTuple):
    """One version of a memory, as it can be found."""

    seq: int
    """The key of the version."""
    scope: MemoryScope
    words: Sequence[str]
    """Those by which it can be found, with repetitions."""
    phrase: str | None = None
    """Of an alias."""
    hidden: bool = False
    """Whether it may not be shown with an answer."""


HIDDEN = "#hidden"
"""The term of all of those; no word of a text is one of ours with this sign."""


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """What the forms of a word share, by Porter's rules.

    >>> stem("categories"), stem("category")
    ('categori', 'categori')
    """
    return stemmed(word, "porter")


def add_entries(connection: sa.Connection, entries: Sequence[IndexEntry]) -> None:
    """Let memories be found; none of them can be yet."""
    scopes: defaultdict[MemoryScope, list[IndexEntry]] = defaultdict(list)
    for entry in entries:
        scopes[entry.scope].append(entry)
    for scope, of_scope in scopes.items():
        _add(connection, scope, [(one, tuple(_terms(one))) for one in of_scope])


def _terms(entry: IndexEntry) -> Iterator[str]:
    stems = [stem(word) for word in entry.words]
    yield from stems
    if entry.phrase is not None:
        yield size_term(len(set(stems)))
    if entry.hidden:
        yield HIDDEN


def size_term(size: int) -> str:
    """The term of aliases with so many different words: by it, those are told that a question has all words of.

    >>> size_term(2)
    '#2'
    """
    return f"#{size}"


def _add(
    connection: sa.Connection,
    scope: MemoryScope,
    entries: Sequence[tuple[IndexEntry, tuple[str, ...]]],
) -> None:
    dialect, size = connection.dialect.name, len(entries)
    words = sum(len(stems) for _, stems in entries)
    given = {**scope._asdict(), "memories": size, "words": words, "numbers": size}
    scope_id, numbers = connection.execute(_count_in_scope(dialect), given).one()
    documents = list(enumerate(entries, numbers - size))
    pieces = _pieces((number, stems) for number, (_, stems) in documents)
    of_scope = {"scope_id": scope_id}
    if pieces:
        there = _load_pieces(connection, scope_id, pieces)
        lists = (
            (term, block, packed([*there.get((term, block), ()), *more]))
            for (term, block), more in pieces.items()
        )
        names = ("term", "block", "places")
        rows = [{**of_scope, **dict(zip(names, one, strict=True))} for one in lists]
        connection.execute(_put_posting(dialect), rows)
    rows = [
        {
            **of_scope,
            "number": number,
            "seq": one.seq,
            "terms": " ".join(stems),
            "phrase": one.phrase,
        }
        for number, (one, stems) in documents
    ]
    connection.execute(sa.insert(search_documents), rows)


def _pieces(documents: Iterable[tuple[int, Iterable[str]]]) -> dict[tuple[str, int], list[int]]:
    """Where each word is added to, or taken away from: places by word and block."""
    places: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for number, stems in documents:
        block, place = divmod(number, BLOCK)
        for term in set(stems):
            places[term, block].append(place)
    return places


def _load_pieces(
    connection: sa.Connection, scope_id: int, wanted: Iterable[tuple[str, int]]
) -> dict[tuple[str, int], list[int]]:
    """What there is of these pieces of lists."""
    found: dict[tuple[str, int], list[int]] = {}
    blocks: defaultdict[int, list[str]] = defaultdict(list)
    for term, block in wanted:
        blocks[block].append(term)
    for block, terms in blocks.items():
        for batch in batches(terms):
            given = {"of_scope": scope_id, "of_block": block, "terms": batch}
            rows = connection.execute(_PIECES, given)
            found |= {(row.term, block): unpacked(row.places) for row in rows}
    return found


def remove_entries(connection: sa.Connection, seqs: Sequence[int]) -> None:
    """Let versions not be found any longer; those that could not be found are passed over."""
    table = search_documents
    scopes: defaultdict[int, list[tuple[int, tuple[str, ...]]]] = defaultdict(list)
    for row in rows_among(connection, sa.select(table), table.c.seq, seqs):
        scopes[row["scope_id"]].append((row["number"], tuple(row["terms"].split())))
    for scope_id, documents in scopes.items():
        _remove(connection, scope_id, documents)
    delete_among(connection, table, table.c.seq, seqs)


def _remove(
    connection: sa.Connection, scope_id: int, documents: Sequence[tuple[int, tuple[str, ...]]]
) -> None:
    scopes, lists = search_scopes, search_postings
    connection.execute(
        sa.update(scopes)
        .where(scopes.c.id == scope_id)
        .values(
            memories=scopes.c.memories - len(documents),
            words=scopes.c.words - sum(len(stems) for _, stems in documents),
        )
    )
    pieces = _pieces(documents)
    there = _load_pieces(connection, scope_id, pieces)
    for (term, block), gone in pieces.items():
        kept = set(there.get((term, block), ())) - set(gone)
        this = (lists.c.scope_id == scope_id, lists.c.term == term, lists.c.block == block)
        if kept:
            connection.execute(sa.update(lists).where(*this).values(places=packed(kept)))
        else:
            connection.execute(sa.delete(lists).where(*this))


@lru_cache(maxsize=2)
def _count_in_scope(dialect: str) -> sa.Executable:
    scope, counts = upsert(search_scopes, dialect), ("memories", "words", "numbers")
    more = {name: search_scopes.c[name] + scope.excluded[name] for name in counts}
    counted = scope.on_conflict_do_update(index_elements=list(MemoryScope._fields), set_=more)
    return counted.returning(search_scopes.c.id, search_scopes.c.numbers)


@lru_cache(maxsize=2)
def _put_posting(dialect: str) -> sa.Executable:
    lists = upsert(search_postings, dialect)
    return lists.on_conflict_do_update(
        index_elements=["scope_id", "term", "block"], set_={"places": lists.excluded.places}
    )


_PIECES = sa.select(search_postings.c.term, search_postings.c.places).where(
    search_postings.c.scope_id == sa.bindparam("of_scope"),
    search_postings.c.block == sa.bindparam("of_block"),
    search_postings.c.term.in_(sa.bindparam("terms", expanding=True)),
)
