"""Find the memories whose words fit a question best."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import starmap
from math import log
from operator import itemgetter
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.record.memory import MemoryType
from oldhand.store.among import among
from oldhand.store.search_tables import (
    search_documents,
    search_postings,
    search_scopes,
)
from oldhand.store.word_bits import heaviest, joined, whole
from oldhand.store.word_index import size_term, stem

_K1 = 1.2
"""How soon repetitions of a word stop counting."""
_B = 0.75
"""How much long texts are held back."""
_WEIGHED = 64
"""Memories that are weighed to the full, at least; those that have the rarest words of the question."""
_PER_WANTED = 4
"""How many are weighed for one that is wanted."""
_PHRASES = 5_000
"""Aliases whose phrases are looked at, at most."""
_PAGE = 500
"""Databases limit how many keys a statement may name."""


class Wanted(NamedTuple):
    """Which memories are searched; None means any."""

    clone_id: str
    user_ids: Collection[str] | None = None
    types: Collection[MemoryType] | None = None
    marked: str | None = None
    """A word that they all have, such as `searched_text.PLAIN`."""

    @property
    def is_nothing(self) -> bool:
        """Whether no memory can be wanted."""
        return any(some is not None and not some for some in (self.user_ids, self.types))


class Hit(NamedTuple):
    """A version of a memory that was found."""

    seq: int
    score: float
    """BM25: comparable within one search only."""


def find(
    connection: sa.Connection,
    wanted: Wanted,
    words: Iterable[str],
    limit: int,
    phrase: Callable[[str], bool] | None = None,
) -> list[Hit]:
    """The memories in which any of `words` occurs and that fit best, best first; of equally good ones, the newer.

    The score is Okapi BM25 as in Robertson and Zaragoza, “The Probabilistic Relevance Framework: BM25 and Beyond”
    (2009), with 1 added inside the logarithm so that no word counts against a text. How rare a word is, and how long
    texts are, is counted over what is searched only: the wanted clone, users and types.

    Exact where at most 64 memories share words with the question, or four times `limit`. Where there are more, those
    with the rarest words of the question are weighed.

    Args:
        connection: in a transaction.
        wanted: what is searched.
        words: of the question.
        limit: how many at most.
        phrase: only aliases whose phrase passes this, and that the question has all words of.
    """
    stems = tuple(dict.fromkeys(map(stem, words)))
    read = _read(connection, wanted, stems, whole_only=phrase is not None)
    known = _known(read, stems)
    most = max(_WEIGHED, _PER_WANTED * limit) if phrase is None else _PHRASES
    hits = [
        Hit(one.seq, known.score(one.terms.split(" ")))
        for scope_id, lists in read.lists.items()
        for one in _load(
            connection, scope_id, _near(lists, known, wanted, most, phrase is not None), phrase
        )
        if phrase is None or phrase(one.phrase)
    ]
    hits.sort(key=itemgetter(1, 0), reverse=True)
    return hits[:limit]


class _Read(NamedTuple):
    """What was read of the lists of words."""

    memories: int
    """In what is searched."""
    words: int
    lists: Mapping[int, Mapping[str, int]]
    """For each scope and word, the memories that have it, as bits."""


def _read(
    connection: sa.Connection, wanted: Wanted, stems: Sequence[str], *, whole_only: bool
) -> _Read:
    """Read all lists at once, those of marks and of sizes of aliases as well."""
    sizes = map(size_term, range(1, len(stems) + 1)) if whole_only else ()
    marked = () if wanted.marked is None else (stem(wanted.marked),)
    users, types = wanted.user_ids is not None, wanted.types is not None
    statement = _lists(connection.dialect.name, users, types)
    totals: dict[int, tuple[int, int]] = {}
    pieces: defaultdict[int, defaultdict[str, dict[int, bytes]]]
    pieces = defaultdict(lambda: defaultdict(dict))
    rows = connection.execute(statement, _asked(wanted, (*stems, *marked, *sizes)))
    for scope_id, memories, words, term, block, piece in rows:
        totals[scope_id] = (memories, words)
        if term is not None:  # pyright: ignore[reportUnnecessaryComparison] (an outer join)
            pieces[scope_id][term][block] = piece
    return _Read(
        sum(memories for memories, _ in totals.values()),
        sum(words for _, words in totals.values()),
        {
            scope_id: {term: joined(found) for term, found in terms.items()}
            for scope_id, terms in pieces.items()
        },
    )


class _Known(NamedTuple):
    """What is known of the words of a question in what is searched."""

    length: float
    """Words of a memory, on average."""
    weights: Mapping[str, float]
    """How much each word tells: the logarithm of how rare it is, in nats; the rarest first."""

    def score(self, terms: Sequence[str]) -> float:
        """How well the words of one memory fit."""
        slowness = _K1 * (1 - _B + _B * len(terms) / self.length)
        score = 0.0
        for term, weight in self.weights.items():
            if times := terms.count(term):
                score += weight * times * (_K1 + 1) / (times + slowness)
        return score


def _known(read: _Read, stems: Sequence[str]) -> _Known:
    counted = {
        term: sum(lists.get(term, 0).bit_count() for lists in read.lists.values()) for term in stems
    }
    weights = {
        term: log(1 + (read.memories - count + 0.5) / (count + 0.5))
        for term, count in sorted(counted.items(), key=itemgetter(1, 0))
        if count
    }
    return _Known(max(1.0, read.words / max(1, read.memories)), weights)


def _near(
    lists: Mapping[str, int], known: _Known, wanted: Wanted, most: int, whole_only: bool
) -> list[int]:
    """The numbers of the memories of a scope whose words tell most.

    Args:
        lists: of the scope.
        known: what is known of the words.
        wanted: what is searched.
        most: numbers, at most.
        whole_only: only aliases that the question has all words of.
    """
    sets = [(lists[term], weight) for term, weight in known.weights.items() if term in lists]
    within = None if wanted.marked is None else lists.get(stem(wanted.marked), 0)
    if whole_only:
        sizes = {size: lists.get(size_term(size), 0) for size in range(1, len(sets) + 1)}
        within = whole((bits for bits, _ in sets), sizes)
    return heaviest(sets, most, within)


class _Document(NamedTuple):
    seq: int
    terms: str
    phrase: str = ""


def _load(
    connection: sa.Connection, scope_id: int, numbers: Sequence[int], phrase: object
) -> Iterator[_Document]:
    query = _documents(connection.dialect.name, phrase is not None)
    for start in range(0, len(numbers), _PAGE):
        given = {"of_scope": scope_id, "numbers": numbers[start : start + _PAGE]}
        yield from starmap(_Document, connection.execute(query, given).all())


@lru_cache(maxsize=4)
def _documents(dialect: str, with_phrase: bool) -> sa.Select[*tuple[object, ...]]:
    """Some documents of one scope; with phrases, only those that have one."""
    table = search_documents
    of_scope = table.c.scope_id == sa.bindparam("of_scope")
    some = sa.and_(of_scope, among(table.c.number, "numbers", dialect))
    if with_phrase:
        columns = (table.c.seq, table.c.terms, table.c.phrase)
        return sa.select(*columns).where(some, table.c.phrase.is_not(None))
    return sa.select(table.c.seq, table.c.terms).where(some)


@lru_cache(maxsize=8)
def _lists(dialect: str, users: bool, types: bool) -> sa.Select[int, int, int, str, int, bytes]:
    """Built once: putting a statement together takes longer than running it.

    Args:
        dialect: of the database.
        users: whether only some users' memories are wanted.
        types: whether only memories of some types are.
    """
    scope, of_word = search_scopes.c, search_postings.c
    asked = sa.and_(of_word.scope_id == scope.id, among(of_word.term, "of_terms", dialect))
    conditions = [scope.clone_id == sa.bindparam("of_clone", type_=scope.clone_id.type)]
    if users:
        conditions.append(among(scope.user_id, "of_users", dialect))
    if types:
        conditions.append(among(scope.type, "of_types", dialect))
    return (
        sa.select(
            scope.id, scope.memories, scope.words, of_word.term, of_word.block, of_word.places
        )
        .outerjoin_from(search_scopes, search_postings, asked)
        .where(*conditions)
    )


def _asked(wanted: Wanted, stems: Sequence[str]) -> dict[str, str | Sequence[str]]:
    asked: dict[str, str | Sequence[str]] = {"of_clone": wanted.clone_id, "of_terms": stems}
    if wanted.user_ids is not None:
        asked["of_users"] = list(wanted.user_ids)
    if wanted.types is not None:
        asked["of_types"] = [one.value for one in wanted.types]
    return asked
