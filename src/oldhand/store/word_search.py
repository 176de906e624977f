"""Find the memories whose words fit a question best."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import starmap
from math import log
from operator import itemgetter
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.record.memory import MemoryType
from oldhand.store.search_tables import (
    search_documents,
    search_postings,
    search_scopes,
    search_terms,
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
    known = _load_known(connection, wanted, tuple(dict.fromkeys(map(stem, words))))
    most = max(_WEIGHED, _PER_WANTED * limit) if phrase is None else _PHRASES
    hits = [
        Hit(one.seq, known.score(one.terms.split(" ")))
        for scope_id, numbers in _near(connection, known, wanted, most, phrase is not None).items()
        for one in _load(connection, scope_id, numbers, with_phrase=phrase is not None)
        if phrase is None or phrase(one.phrase)
    ]
    hits.sort(key=itemgetter(1, 0), reverse=True)
    return hits[:limit]


class _Known(NamedTuple):
    """What is known of the words of a question in what is searched."""

    scopes: tuple[int, ...]
    length: float
    """Words of a memory, on average."""
    holders: Mapping[str, int]
    """How many memories have each word, the rarest first."""
    weights: Mapping[str, float]
    """How much each word tells: the logarithm of how rare it is, in nats."""

    def score(self, terms: Sequence[str]) -> float:
        """How well the words of one memory fit."""
        slowness = _K1 * (1 - _B + _B * len(terms) / self.length)
        score = 0.0
        for term, weight in self.weights.items():
            if times := terms.count(term):
                score += weight * times * (_K1 + 1) / (times + slowness)
        return score


def _load_known(connection: sa.Connection, wanted: Wanted, stems: Sequence[str]) -> _Known:
    statement = _counts(wanted.user_ids is not None, wanted.types is not None)
    rows = connection.execute(statement, _asked(wanted, stems)).all()
    scopes = {row.id: row for row in rows if row.memories}
    total = sum(row.memories for row in scopes.values())
    counted: Counter[str] = Counter()
    for row in rows:
        if row.term is not None:
            counted[row.term] += row.holders
    holders = dict(sorted(counted.items(), key=itemgetter(1, 0)))
    weights = {
        term: log(1 + (total - count + 0.5) / (count + 0.5)) for term, count in holders.items()
    }
    words = sum(row.words for row in scopes.values())
    return _Known(tuple(scopes), max(1.0, words / max(1, total)), holders, weights)


def _near(
    connection: sa.Connection, known: _Known, wanted: Wanted, most: int, whole_only: bool
) -> dict[int, list[int]]:
    """For each scope, the numbers of the memories whose words tell most.

    Args:
        connection: in a transaction.
        known: what is known of the words.
        wanted: what is searched.
        most: numbers of each scope, at most.
        whole_only: only aliases that the question has all words of.
    """
    if not known.weights:
        return {}
    chosen = list(known.weights)
    marked = [] if wanted.marked is None else [stem(wanted.marked)]
    sizes = {size: size_term(size) for size in range(1, len(chosen) + 1)} if whole_only else {}
    given = {"scopes": known.scopes, "terms": [*chosen, *marked, *sizes.values()]}
    lists: defaultdict[int, defaultdict[str, dict[int, bytes]]]
    lists = defaultdict(lambda: defaultdict(dict))
    for scope_id, term, block, piece in connection.execute(_LISTS, given):
        lists[scope_id][term][block] = piece
    near: dict[int, list[int]] = {}
    for scope_id, pieces in lists.items():
        sets = [(joined(pieces[term]), known.weights[term]) for term in chosen]
        within = joined(pieces[marked[0]]) if marked else None
        if whole_only:
            of_size = {size: joined(pieces[term]) for size, term in sizes.items() if term in pieces}
            within = whole((bits for bits, _ in sets), of_size)
        near[scope_id] = heaviest(sets, most, within)
    return near


class _Document(NamedTuple):
    seq: int
    terms: str
    phrase: str = ""


def _load(
    connection: sa.Connection, scope_id: int, numbers: Sequence[int], *, with_phrase: bool
) -> Iterator[_Document]:
    query = _ALIASES if with_phrase else _DOCUMENTS
    for start in range(0, len(numbers), _PAGE):
        given = {"of_scope": scope_id, "numbers": numbers[start : start + _PAGE]}
        yield from starmap(_Document, connection.execute(query, given).all())


_OF_NUMBERS = (
    search_documents.c.scope_id == sa.bindparam("of_scope"),
    search_documents.c.number.in_(sa.bindparam("numbers", expanding=True)),
)
_DOCUMENTS = sa.select(search_documents.c.seq, search_documents.c.terms).where(*_OF_NUMBERS)
_ALIASES = sa.select(
    search_documents.c.seq, search_documents.c.terms, search_documents.c.phrase
).where(*_OF_NUMBERS, search_documents.c.phrase.is_not(None))
_LISTS = sa.select(
    search_postings.c.scope_id,
    search_postings.c.term,
    search_postings.c.block,
    search_postings.c.places,
).where(
    search_postings.c.scope_id.in_(sa.bindparam("scopes", expanding=True)),
    search_postings.c.term.in_(sa.bindparam("terms", expanding=True)),
)


@lru_cache(maxsize=4)
def _counts(users: bool, types: bool) -> sa.Select[*tuple[object, ...]]:
    """Built once: putting a statement together takes longer than running it.

    Args:
        users: whether only some users' memories are wanted.
        types: whether only memories of some types are.
    """
    scope, term = search_scopes.c, search_terms.c
    asked = sa.and_(
        term.scope_id == scope.id, term.term.in_(sa.bindparam("of_terms", expanding=True))
    )
    conditions = [scope.clone_id == sa.bindparam("of_clone", type_=scope.clone_id.type)]
    if users:
        some = sa.bindparam("of_users", expanding=True, type_=scope.user_id.type)
        conditions.append(scope.user_id.in_(some))
    if types:
        conditions.append(scope.type.in_(sa.bindparam("of_types", expanding=True)))
    return (
        sa.select(
            scope.id,
            scope.memories,
            scope.words,
            scope.numbers,
            term.term,
            term.memories.label("holders"),
        )
        .outerjoin_from(search_scopes, search_terms, asked)
        .where(*conditions)
    )


def _asked(wanted: Wanted, stems: Sequence[str]) -> dict[str, str | Sequence[str]]:
    asked: dict[str, str | Sequence[str]] = {"of_clone": wanted.clone_id, "of_terms": stems}
    if wanted.user_ids is not None:
        asked["of_users"] = list(wanted.user_ids)
    if wanted.types is not None:
        asked["of_types"] = [one.value for one in wanted.types]
    return asked
