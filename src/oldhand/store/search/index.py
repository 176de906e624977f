"""The searches by words: which words occur in which memories and passages, kept up to date with each save.

It is an inverted index of our own rather than the database's: those of SQLite and Postgres count a word in all rows of
all clones before they score one, which takes too long where some words occur in most of them. Here every clone, user
and type has words, counts and lists of its own, so that a search costs what its own words cost.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.record.stemming import stemmed
from oldhand.store.column_types import SEQUENCE, AnyText
from oldhand.store.search.bits import BLOCK, packed, unpacked
from oldhand.store.tables import belongs_to, key, metadata, optional, required
from oldhand.store.transactions import batches, delete_among, rows_among, upsert


class SearchScope(NamedTuple):
    """To whom a memory belongs, and of which type it is; passages of a clone are in one scope."""

    clone_id: str
    user_id: str
    type: str


class IndexEntry(NamedTuple):
    """One version of a memory, or a passage, as it can be found."""

    seq: int
    """The key of its row."""
    scope: SearchScope
    words: Sequence[str]
    """Those by which it can be found, with repetitions."""
    phrase: str | None = None
    """Of an alias."""
    marks: Sequence[str] = ()
    """Terms that are no words, but by which it is told from others; they begin with `#`."""


HIDDEN = "#hidden"
"""The mark of what may not be shown with an answer; no word of a text is one of ours with this sign."""


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """What the forms of a word share, by Porter's rules.

    >>> stem("categories"), stem("category")
    ('categori', 'categori')
    """
    return stemmed(word, "porter")


class SearchTables(NamedTuple):
    """One inverted index: over memories, or over passages."""

    scopes: sa.Table
    postings: sa.Table
    documents: sa.Table


def _search_tables(prefix: str, of: str) -> SearchTables:
    """The index of what has a row in the table `of`."""
    scopes = sa.Table(
        f"{prefix}_scopes",
        metadata,
        sa.Column("id", SEQUENCE, primary_key=True),
        *required(AnyText, "clone_id", "user_id", "type"),
        # How many texts (memories, or passages) and words there are: what a score needs of the whole.
        *required(sa.BigInteger, "memories", "words"),
        # The next number for a document; numbers of those that are gone are not used again.
        *required(sa.BigInteger, "numbers"),
        sa.UniqueConstraint("clone_id", "user_id", "type"),
        sqlite_autoincrement=True,
    )
    postings = sa.Table(
        f"{prefix}_postings",
        metadata,
        *key(sa.BigInteger, "scope_id"),
        *key(sa.Text, "term"),
        *key(sa.BigInteger, "block"),
        # Which of the 4,096 numbers of the block have it: two bytes for each, or all bits.
        *required(sa.LargeBinary, "places"),
        belongs_to(scopes.name, scope_id="id"),
        sqlite_with_rowid=False,
    )
    documents = sa.Table(
        f"{prefix}_documents",
        metadata,
        *key(sa.BigInteger, "scope_id", "number"),
        # The row that counts: a version of a memory, or a passage.
        *required(sa.BigInteger, "seq"),
        # Stems with blanks between them, repetitions included: see `index.arranged`.
        *required(sa.Text, "terms"),
        # Of an alias.
        *optional(AnyText, "phrase"),
        sa.UniqueConstraint("seq"),
        belongs_to(of, seq="seq"),
        belongs_to(scopes.name, scope_id="id"),
        sqlite_with_rowid=False,
    )
    return SearchTables(scopes, postings, documents)


MEMORY_SEARCH = _search_tables("search", of="memories")

PASSAGE_SEARCH = _search_tables("passage_search", of="passages")

search_scopes, search_postings, search_documents = MEMORY_SEARCH


def add_entries(
    connection: sa.Connection, entries: Sequence[IndexEntry], tables: SearchTables = MEMORY_SEARCH
) -> None:
    """Let memories, or passages, be found; none of them can be yet."""
    scopes: defaultdict[SearchScope, list[IndexEntry]] = defaultdict(list)
    for entry in entries:
        scopes[entry.scope].append(entry)
    for scope, of_scope in scopes.items():
        _add(connection, tables, scope, [(one, tuple(_terms(one))) for one in of_scope])


def _terms(entry: IndexEntry) -> Iterator[str]:
    stems = [stem(word) for word in entry.words]
    yield from stems
    if entry.phrase is not None:
        yield size_term(len(set(stems)))
    yield from entry.marks


def size_term(size: int) -> str:
    """The term of aliases with so many different words: by it, those are told that a question has all words of.

    >>> size_term(2)
    '#2'
    """
    return f"#{size}"


def word_count(terms: Sequence[str]) -> int:
    """How many of the terms are words; the marks come last.

    >>> word_count(["order", "#2", "#hidden"])
    1
    """
    count = len(terms)
    while count and terms[count - 1].startswith("#"):
        count -= 1
    return count


def arranged(terms: Sequence[str]) -> str:
    """How the terms of one text are kept: words that occur several times, two blanks, those that occur once, the marks.

    How often a word occurs that is known to be there is looked up in the few before the two blanks.

    >>> arranged(["order", "shop", "order", "#2"])
    'order order  shop #2'
    """
    words = terms[: word_count(terms)]
    times = Counter(words)
    often = " ".join(one for one in words if times[one] > 1)
    once = " ".join(one for one in terms if times[one] < 2)
    return f"{often}  {once}"


def _add(
    connection: sa.Connection,
    tables: SearchTables,
    scope: SearchScope,
    entries: Sequence[tuple[IndexEntry, tuple[str, ...]]],
) -> None:
    dialect, size = connection.dialect.name, len(entries)
    words = sum(word_count(stems) for _, stems in entries)
    given = {**scope._asdict(), "memories": size, "words": words, "numbers": size}
    scope_id, numbers = connection.execute(_count_in_scope(tables.scopes, dialect), given).one()
    documents = list(enumerate(entries, numbers - size))
    pieces = _pieces((number, stems) for number, (_, stems) in documents)
    of_scope = {"scope_id": scope_id}
    if pieces:
        there = _load_pieces(connection, tables.postings, scope_id, pieces)
        lists = (
            (term, block, packed([*there.get((term, block), ()), *more]))
            for (term, block), more in pieces.items()
        )
        names = ("term", "block", "places")
        rows = [{**of_scope, **dict(zip(names, one, strict=True))} for one in lists]
        connection.execute(_put_posting(tables.postings, dialect), rows)
    rows = [
        {
            **of_scope,
            "number": number,
            "seq": one.seq,
            "terms": arranged(stems),
            "phrase": one.phrase,
        }
        for number, (one, stems) in documents
    ]
    connection.execute(sa.insert(tables.documents), rows)


def _pieces(documents: Iterable[tuple[int, Iterable[str]]]) -> dict[tuple[str, int], list[int]]:
    """Where each word is added to, or taken away from: places by word and block."""
    places: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for number, stems in documents:
        block, place = divmod(number, BLOCK)
        for term in set(stems):
            places[term, block].append(place)
    return places


def _load_pieces(
    connection: sa.Connection, lists: sa.Table, scope_id: int, wanted: Iterable[tuple[str, int]]
) -> dict[tuple[str, int], list[int]]:
    """What there is of these pieces of lists."""
    found: dict[tuple[str, int], list[int]] = {}
    blocks: defaultdict[int, list[str]] = defaultdict(list)
    for term, block in wanted:
        blocks[block].append(term)
    for block, terms in blocks.items():
        for batch in batches(terms):
            given = {"of_scope": scope_id, "of_block": block, "terms": batch}
            rows = connection.execute(_pieces_of(lists), given)
            found |= {(row.term, block): unpacked(row.places) for row in rows}
    return found


def remove_entries(
    connection: sa.Connection, seqs: Sequence[int], tables: SearchTables = MEMORY_SEARCH
) -> None:
    """Let them not be found any longer; those that could not be found are passed over."""
    table = tables.documents
    scopes: defaultdict[int, list[tuple[int, tuple[str, ...]]]] = defaultdict(list)
    for row in rows_among(connection, sa.select(table), table.c.seq, seqs):
        scopes[row["scope_id"]].append((row["number"], tuple(row["terms"].split())))
    for scope_id, documents in scopes.items():
        _remove(connection, tables, scope_id, documents)
    delete_among(connection, table, table.c.seq, seqs)


def _remove(
    connection: sa.Connection,
    tables: SearchTables,
    scope_id: int,
    documents: Sequence[tuple[int, tuple[str, ...]]],
) -> None:
    scopes, lists, _ = tables
    connection.execute(
        sa.update(scopes)
        .where(scopes.c.id == scope_id)
        .values(
            memories=scopes.c.memories - len(documents),
            words=scopes.c.words - sum(word_count(stems) for _, stems in documents),
        )
    )
    pieces = _pieces(documents)
    there = _load_pieces(connection, lists, scope_id, pieces)
    left, empty = list[Mapping[str, object]](), list[Mapping[str, object]]()
    for (term, block), gone in pieces.items():
        kept = set(there.get((term, block), ())) - set(gone)
        if kept:
            row = {"scope_id": scope_id, "term": term, "block": block, "places": packed(kept)}
            left.append(row)
        else:
            empty.append({"of_scope": scope_id, "of_term": term, "of_block": block})
    if left:
        connection.execute(_put_posting(lists, connection.dialect.name), left)
    if empty:
        connection.execute(_drop_posting(lists), empty)


@lru_cache(maxsize=4)
def _count_in_scope(scopes: sa.Table, dialect: str) -> sa.Executable:
    scope, counts = upsert(scopes, dialect), ("memories", "words", "numbers")
    more = {name: scopes.c[name] + scope.excluded[name] for name in counts}
    counted = scope.on_conflict_do_update(index_elements=list(SearchScope._fields), set_=more)
    return counted.returning(scopes.c.id, scopes.c.numbers)


@lru_cache(maxsize=4)
def _put_posting(postings: sa.Table, dialect: str) -> sa.Executable:
    lists = upsert(postings, dialect)
    return lists.on_conflict_do_update(
        index_elements=["scope_id", "term", "block"], set_={"places": lists.excluded.places}
    )


@lru_cache(maxsize=2)
def _drop_posting(lists: sa.Table) -> sa.Executable:
    return sa.delete(lists).where(
        lists.c.scope_id == sa.bindparam("of_scope"),
        lists.c.term == sa.bindparam("of_term"),
        lists.c.block == sa.bindparam("of_block"),
    )


@lru_cache(maxsize=2)
def _pieces_of(lists: sa.Table) -> sa.Select[str, bytes]:
    return sa.select(lists.c.term, lists.c.places).where(
        lists.c.scope_id == sa.bindparam("of_scope"),
        lists.c.block == sa.bindparam("of_block"),
        lists.c.term.in_(sa.bindparam("terms", expanding=True)),
    )
