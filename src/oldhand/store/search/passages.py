"""The search among passages by their words: who may read which is in the index, too."""

from collections.abc import Collection, Mapping, Sequence
from functools import reduce
from hashlib import blake2b
from itertools import islice
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.record.document import EVERYONE, MEMBERS
from oldhand.store.cache import Cache
from oldhand.store.search.bits import heaviest
from oldhand.store.search.documents import Place, SearchedDocument, load_documents, places
from oldhand.store.search.index import (
    PASSAGE_SEARCH,
    IndexEntry,
    SearchScope,
    add_entries,
    remove_entries,
)
from oldhand.store.search.search import (
    Area,
    ScopeLists,
    asked_words,
    bm25,
    load_lists,
    question_stems,
    rarities,
)
from oldhand.store.search.searched_text import MAX_WORDS, STOP_WORDS, words_of
from oldhand.store.transactions import rows_among
from oldhand.store.work_tables import documents, passages


def index_documents(connection: sa.Connection, clone_id: str, document_ids: Sequence[str]) -> None:
    """Let the passages of documents be found by those who may read them, in the transaction that wrote them.

    Also after readers or names have changed: what there was of them is replaced.
    """
    unindex_documents(connection, clone_id, document_ids)
    of, found = documents.c, passages.c
    query = (
        sa.select(found.seq, found.text, found.anchor, of.name, of.readers)
        .join_from(passages, documents, sa.and_(of.clone_id == found.clone_id, of.id == found.document_id))
        .where(found.clone_id == clone_id)
        .order_by(found.seq)
    )  # fmt: skip
    scope = SearchScope(clone_id, "", "passage")
    entries = [
        IndexEntry(
            row["seq"],
            scope,
            _words(row["name"], row["anchor"]["heading"], row["text"]),
            marks=tuple(map(_reader_mark, dict.fromkeys(row["readers"]))),
        )
        for row in rows_among(connection, query, found.document_id, document_ids)
    ]
    add_entries(connection, entries, PASSAGE_SEARCH)


def unindex_documents(
    connection: sa.Connection, clone_id: str, document_ids: Sequence[str]
) -> None:
    """Let the passages of documents not be found any longer; to be called before they are deleted."""
    found = passages.c
    query = sa.select(found.seq).where(found.clone_id == clone_id)
    seqs = [one["seq"] for one in rows_among(connection, query, found.document_id, document_ids)]
    remove_entries(connection, seqs, PASSAGE_SEARCH)


def _words(name: str, heading: Sequence[str], text: str) -> Sequence[str]:
    words = [
        word
        for word in islice(words_of("\n".join((text, *heading, name))), MAX_WORDS)
        if word not in STOP_WORDS
    ]
    return words or ["#"]  # a row without any term is none


def _reader_mark(reader: str) -> str:
    """The mark of what one group or user may read; names may hold any sign, and marks no blank.

    >>> _reader_mark("everyone"), _reader_mark("ben b.")
    ('#everyone', '#may:224f65c092ddeb3c')
    """
    if reader in {EVERYONE, MEMBERS}:
        return f"#{reader}"
    return f"#may:{blake2b(reader.encode(errors='surrogatepass'), digest_size=8).hexdigest()}"


class PassageScan(NamedTuple):
    """What the lists of a clone's words say of a question."""

    scope_id: int
    passages: int
    """How many the clone has."""
    numbers: int
    """All readable passages have numbers below that; a number is never used again."""
    readable: int
    """The numbers of the passages that the user may read, as bits."""
    weights: Mapping[str, float]
    """How much each word of the question tells; the rarest first."""
    lists: Mapping[str, int]
    """For each of these, the numbers of the passages that have it, as bits."""
    length: float
    """Words of a passage, on average."""

    def near(self, most: int) -> list[int]:
        """The numbers of the readable passages whose words tell most."""
        sets = [(self.lists[term], weight) for term, weight in self.weights.items()]
        return heaviest(sets, most, self.readable)


NOTHING_TO_READ = PassageScan(0, 0, 0, 0, {}, {}, 1.0)


def scan_passages(
    connection: sa.Connection, clone_id: str, question: str, readers: Collection[str]
) -> PassageScan:
    """Read the lists for a question of somebody who may read what is for these readers."""
    stems = question_stems(question)
    marks = [_reader_mark(one) for one in readers]
    found = load_lists(connection, Area(clone_id), None, (*stems, *marks), PASSAGE_SEARCH)
    return _scan(found[0], stems, marks) if found else NOTHING_TO_READ


def _scan(scope: ScopeLists, stems: Sequence[str], marks: Sequence[str]) -> PassageScan:
    counted = {term: scope.lists.get(term, 0).bit_count() for term in stems}
    weights = rarities(counted, scope.memories)
    readable = reduce(int.__or__, (scope.lists.get(one, 0) for one in marks))
    return PassageScan(
        scope_id=scope.scope_id,
        passages=scope.memories,
        numbers=readable.bit_length(),
        readable=readable,
        weights=weights,
        lists={term: scope.lists[term] for term in weights},
        length=max(1.0, scope.words / max(1, scope.memories)),
    )


def word_scores(
    connection: sa.Connection,
    scan: PassageScan,
    numbers: Collection[int],
    kept: Cache[Place, SearchedDocument],
) -> dict[int, float]:
    """How well the words of each of these passages fit the question, by BM25; those without any of them get 0."""
    size = max(numbers, default=0) // 8 + 1
    having = [
        (word, (scan.lists[term] & ((1 << 8 * size) - 1)).to_bytes(size, "little"))
        for term, word in zip(scan.weights, asked_words(scan.weights), strict=True)
    ]
    words = {
        number: [word for word, those in having if those[number >> 3] >> (number & 7) & 1]
        for number in numbers
    }
    wanted = [number for number, some in words.items() if some]
    asked = dict(zip(places(scan.scope_id, wanted), wanted, strict=True))
    found = load_documents(connection, asked, kept, PASSAGE_SEARCH.documents)
    scores = dict.fromkeys(numbers, 0.0)
    return scores | {
        asked[place]: bm25(one, words[asked[place]], scan.length, least=1)
        for place, one in found.items()
    }
