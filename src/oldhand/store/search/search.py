"""Find the memories whose words fit a question best."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import log
from operator import itemgetter
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.record.lesson import Search
from oldhand.record.memory import MemoryType
from oldhand.store.among import among
from oldhand.store.cache import Cache
from oldhand.store.search.bits import heaviest, joined, whole
from oldhand.store.search.documents import Place, SearchedDocument, load_documents, places
from oldhand.store.search.index import HIDDEN, MEMORY_SEARCH, SearchTables, size_term, stem
from oldhand.store.search.searched_text import question_terms

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


class SearchHit(NamedTuple):
    """A version of a memory that was found."""

    seq: int
    score: float
    """BM25: comparable within one search only."""


# Read the lists of words of a search: which memories or passages of a clone have which of some words.
class Area(NamedTuple):
    """Whose memories are searched."""

    clone_id: str
    user_ids: Collection[str] | None = None
    """None means those of all users."""


class ScopeLists(NamedTuple):
    """The lists of one user and type."""

    scope_id: int
    type: str
    memories: int
    """How many there are."""
    words: int
    """How many these have, repetitions included."""
    lists: Mapping[str, int]
    """For each term that there is, the numbers of the memories that have it, as bits."""


def load_lists(
    connection: sa.Connection,
    area: Area,
    types: Collection[MemoryType] | None,
    terms: Iterable[str],
    tables: SearchTables = MEMORY_SEARCH,
) -> list[ScopeLists]:
    """All lists of some terms, in one statement."""
    asked: dict[str, object] = {"of_clone": area.clone_id, "of_terms": list(terms)}
    if area.user_ids is not None:
        asked["of_users"] = list(area.user_ids)
    if types is not None:
        asked["of_types"] = [one.value for one in types]
    statement = _lists(
        tables, connection.dialect.name, area.user_ids is not None, types is not None
    )
    totals: dict[int, tuple[str, int, int]] = {}
    pieces: defaultdict[int, defaultdict[str, dict[int, bytes]]]
    pieces = defaultdict(lambda: defaultdict(dict))
    rows = connection.execute(statement, asked)
    for scope_id, kind, memories, words, term, block, piece in rows.all():
        totals[scope_id] = (kind, memories, words)
        if term is not None:  # pyright: ignore[reportUnnecessaryComparison] (an outer join)
            pieces[scope_id][term][block] = piece
    return [
        ScopeLists(
            scope_id, *of_scope, {term: joined(one) for term, one in pieces[scope_id].items()}
        )
        for scope_id, of_scope in totals.items()
    ]


@lru_cache(maxsize=10)
def _lists(
    tables: SearchTables, dialect: str, users: bool, types: bool
) -> sa.Select[int, str, int, int, str, int, bytes]:
    """Built once: putting a statement together takes longer than running it."""
    scope, of_word = tables.scopes.c, tables.postings.c
    asked = sa.and_(of_word.scope_id == scope.id, among(of_word.term, "of_terms", dialect))
    conditions = [scope.clone_id == sa.bindparam("of_clone", type_=scope.clone_id.type)]
    if users:
        conditions.append(among(scope.user_id, "of_users", dialect))
    if types:
        conditions.append(among(scope.type, "of_types", dialect))
    of_scope = (scope.id, scope.type, scope.memories, scope.words)
    return (
        sa.select(*of_scope, of_word.term, of_word.block, of_word.places)
        .outerjoin_from(tables.scopes, tables.postings, asked)
        .where(*conditions)
    )


def find_each(
    connection: sa.Connection,
    area: Area,
    searches: Sequence[Search],
    kept: Cache[Place, SearchedDocument],
) -> list[list[SearchHit]]:
    """For each search, the memories that share words with its text and fit best, best first; of equally good ones, the newer.

    The score is Okapi BM25 as in Robertson and Zaragoza, “The Probabilistic Relevance Framework: BM25 and Beyond”
    (2009), with 1 added inside the logarithm so that no word counts against a text. How rare a word is, and how long
    texts are, is counted over what is searched only: the wanted clone, users and types.

    Exact where at most 64 memories share words with the text, or four times the limit. Where there are more, those
    with the rarest words of the text are weighed.
    """
    stems = {text: question_stems(text) for text in {one.text for one in searches}}
    wanted = [_Wanted(one, stems[one.text]) for one in searches]
    asked = [one for one in wanted if not one.is_nothing]
    if not asked:
        return [[] for _ in searches]
    terms = dict.fromkeys(term for one in asked for term in one.terms())
    scopes = load_lists(connection, area, _types(asked), terms)
    weighings = [None if one.is_nothing else _weighing(one, scopes) for one in wanted]
    near = {place for one in weighings if one is not None for place in one.near}
    documents = load_documents(connection, near, kept)
    return [[] if one is None else one.hits(documents) for one in weighings]


def question_stems(text: str) -> tuple[str, ...]:
    """The stems of the words to look for, each once."""
    return tuple(dict.fromkeys(map(stem, question_terms(text))))


class _Wanted(NamedTuple):
    """A search, and the stems of its words, each once."""

    search: Search
    stems: Sequence[str]

    @property
    def is_nothing(self) -> bool:
        """Whether no memory can be wanted."""
        search = self.search
        nothing = search.types is not None and not search.types
        return nothing or search.limit < 1 or not self.stems

    def terms(self) -> Iterator[str]:
        """The terms whose lists it takes, those of marks, of sizes of aliases and of what is hidden as well."""
        yield from self.stems
        only = self.search.only
        if only.marked is not None:
            yield stem(only.marked)
        if only.shown:
            yield HIDDEN
        if only.phrase is not None:
            yield from map(size_term, range(1, len(self.stems) + 1))


def _types(asked: Sequence[_Wanted]) -> frozenset[MemoryType] | None:
    """All types that are searched; None means any."""
    types: set[MemoryType] = set()
    for one in asked:
        if one.search.types is None:
            return None
        types.update(one.search.types)
    return frozenset(types)


class _Weighing(NamedTuple):
    """What one search weighs, and how."""

    search: Search
    length: float
    """Words of a memory, on average."""
    weights: Mapping[str, float]
    """How much each word tells: the logarithm of how rare it is, in nats; the rarest first."""
    near: Sequence[Place]
    """The memories whose words tell most."""

    def hits(self, documents: Mapping[Place, SearchedDocument]) -> list[SearchHit]:
        """What it finds among these, by place."""
        phrase = self.search.only.phrase
        near = [documents[place] for place in self.near if place in documents]
        if phrase is not None:
            near = [one for one in near if one.phrase is not None and phrase(one.phrase)]
        weights = asked_words(self.weights)
        found = [(bm25(one, weights, self.length), one.seq) for one in near]
        found.sort(reverse=True)
        return [SearchHit(seq, score) for score, seq in found[: self.search.limit]]


class WeighedWord(NamedTuple):
    """A word of a question, as it is counted in the words of a memory or passage."""

    alone: str
    """With a blank before and behind it."""
    twice: str
    """Where the blank between counts for both."""
    weight: float


def asked_words(weights: Mapping[str, float]) -> list[WeighedWord]:
    """Those of a question with their weights."""
    return [WeighedWord(f" {one} ", f" {one} {one} ", weight) for one, weight in weights.items()]


def bm25(
    one: SearchedDocument, asked: Sequence[WeighedWord], length: float, least: int = 0
) -> float:
    """How well the words of one memory or passage fit, by the weights of those of a question.

    Args:
        one: its words.
        asked: words of the question.
        length: of a memory or passage, usually.
        least: how often a word occurs that is not found: 1 where all are known to be there and may have been left out.
    """
    slowness = _K1 * (1 - _B + _B * one.words / length)
    terms = one.terms
    count = terms.count
    score = 0.0
    for alone, twice, weight in asked:
        if times := count(alone) or least:
            if twice in terms:
                times = terms.split(" ").count(alone[1:-1])
            score += weight * times * (_K1 + 1) / (times + slowness)
    return score


def _weighing(wanted: _Wanted, scopes: Sequence[ScopeLists]) -> _Weighing:
    search, types = wanted.search, wanted.search.types
    mine = [one for one in scopes if types is None or one.type in types]
    memories, words = sum(one.memories for one in mine), sum(one.words for one in mine)
    counted = {
        term: sum(one.lists.get(term, 0).bit_count() for one in mine) for term in wanted.stems
    }
    weights = rarities(counted, memories)
    near = [
        place for one in mine for place in places(one.scope_id, _near(one.lists, weights, search))
    ]
    return _Weighing(search, max(1.0, words / max(1, memories)), weights, near)


def rarities(counted: Mapping[str, int], of: int) -> dict[str, float]:
    """How much each word tells that occurs in so many of the texts: the rarest first.

    >>> {word: round(weight, 2) for word, weight in rarities({"the": 9, "tractor": 1}, 10).items()}
    {'tractor': 1.99, 'the': 0.15}
    """
    return {
        term: log(1 + (of - count + 0.5) / (count + 0.5))
        for term, count in sorted(counted.items(), key=itemgetter(1, 0))
        if count
    }


def _near(lists: Mapping[str, int], weights: Mapping[str, float], search: Search) -> list[int]:
    """The numbers of the memories of a scope whose words tell most.

    With a phrase, only aliases that it has all words of are near.
    """
    sets = [(lists[term], weight) for term, weight in weights.items() if term in lists]
    phrase, marked = search.only.phrase, search.only.marked
    most = max(_WEIGHED, _PER_WANTED * search.limit) if phrase is None else _PHRASES
    within = None if marked is None else lists.get(stem(marked), 0)
    if phrase is not None:
        sizes = {size: lists.get(size_term(size), 0) for size in range(1, len(sets) + 1)}
        within = whole((bits for bits, _ in sets), sizes)
    if search.only.shown and (hidden := lists.get(HIDDEN)):
        within = ~hidden if within is None else within & ~hidden
    return heaviest(sets, most, within)
