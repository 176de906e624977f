"""The memories of the store: save, find, forget, and go back."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime

import sqlalchemy as sa

from oldhand.errors import UnknownMemory, UsageError
from oldhand.record.lesson import FoundMemory, Search
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.ports import Clock
from oldhand.store import tables
from oldhand.store.cache import Cache
from oldhand.store.journal.outbox import Outbox
from oldhand.store.lesson_reads import LessonReads, StoredTurn, load_turns
from oldhand.store.memory_rows import (
    Stored,
    has_tag,
    latest_versions,
    load_all,
    load_found,
    load_stored,
    load_versions,
)
from oldhand.store.memory_writes import (
    MemoryVersion,
    RolledBack,
    SavedChange,
    Undone,
    forget_in,
    load_changed_by_roll_back,
    roll_back_in,
    save_in,
)
from oldhand.store.rebuilding import StoreRebuilding
from oldhand.store.search.documents import Place, SearchedDocument
from oldhand.store.search.search import Area, find_each
from oldhand.store.transactions import Transactions

_AT_ONCE = 200
_MOST_WORDS = 100
"""Words that are searched for at once: each is a condition of its own."""
_MEMORIES_KEPT = 4_096
_DOCUMENTS_KEPT = 32_768
"""About 13 MB where memories have a few words each."""


class MemoryStore:
    """What a `Store` does with memories."""

    def __init__(self, transactions: Transactions, outbox: Outbox, clock: Clock) -> None:
        self._transactions = transactions
        self._outbox = outbox
        self._clock = clock
        self._memories = Cache[int, Memory](_MEMORIES_KEPT)
        self._documents = Cache[Place, SearchedDocument](_DOCUMENTS_KEPT)
        self.rebuilding = StoreRebuilding(transactions)
        """What can be derived from the logs again."""
        self.lessons = LessonReads(transactions)
        """Lessons as a whole: in the order of arrival, and how they were used."""

    def snapshot(self) -> AbstractContextManager[None]:
        """Let all that this thread reads meanwhile see one state of the store.

        Many small reads are faster inside of one; what is written meanwhile, also by this thread, is not seen.
        """
        return self._transactions.snapshot()

    def save_memory(self, memory: Memory) -> SavedChange:
        """Keep a memory, or a new version of it; one that was forgotten comes back.

        Raises:
            MemoryConflict: the id belongs to another user, or to another type of memory.
        """
        return self.save_memories(memory.clone_id, [memory])[0]

    def save_memories(
        self,
        clone_id: str,
        memories: Sequence[Memory],
        *,
        forgotten: Sequence[str] = (),
        files: Mapping[str, str] | None = None,
    ) -> tuple[SavedChange, ...]:
        """Keep all of these memories of one clone or, on an error, none.

        Args:
            clone_id: the clone of all of them.
            memories: each id at most once.
            forgotten: ids to forget; those that are not there are passed over.
            files: by id, the file that a memory is imported from: files know times to the second only, and what was
                forgotten here stays forgotten; None when they come from no files.

        Returns:
            what became of each of `memories`, then of each of `forgotten`.

        Raises:
            MemoryConflict: an id belongs to another user, or to another type of memory.
        """
        with self._transactions.writing(clone_id) as connection:
            at = self._clock.now()
            saved = save_in(connection, memories, self._outbox, at=at, files=files)
            return (*saved, *forget_in(connection, clone_id, forgotten, self._outbox, at=at))

    def known_memories(self, clone_id: str, ids: Sequence[str]) -> dict[str, tuple[Memory, ...]]:
        """All that these memories have been, oldest first, forgotten ones included."""
        with self._transactions.reading() as connection:
            found = load_versions(connection, clone_id, ids)
        return {one: tuple(version.memory for version in found[one]) for one in found}

    def memory(self, clone_id: str, memory_id: str) -> Memory:
        """The memory of that id.

        Raises:
            UnknownMemory: there is none, or it was forgotten.
        """
        with self._transactions.reading() as connection:
            stored = load_stored(connection, clone_id, [memory_id]).get(memory_id)
        if stored is None or stored.forgotten:
            raise _unknown(memory_id)
        return stored.memory

    def memories(  # noqa: PLR0913 (each narrows it down)
        self,
        clone_id: str,
        user_id: str | None = None,
        type: MemoryType | None = None,  # noqa: A002
        tag: str | None = None,
        text: str | None = None,
        limit: int | None = 100,
        *,
        types: Collection[MemoryType] = (),
        without: str | None = None,
        field: str | None = None,
        skip: int = 0,
    ) -> tuple[Memory, ...]:
        """The newest memories that are not forgotten, newest first; those of the clone itself are of the user `default`.

        Only those in whose summary or payload all words of `text` occur, letter case aside; of one of several `types`, if any,
        `without` a tag, and with no others than such as may have a `field` in their payload. The newest may be skipped.

        Raises:
            UsageError: `text` has too many words.
        """
        of = tables.memories.c
        query = latest_versions(clone_id).where(of.forgotten_at.is_(None))
        for column, value in ((of.user_id, user_id), (of.type, type)):
            if value is not None:
                query = query.where(column == value)
        if types:
            query = query.where(of.type.in_(types))
        if tag is not None:
            query = query.where(has_tag(tag))
        if without is not None:
            query = query.where(~has_tag(without))
        if field is not None:
            written = sa.type_coerce(of.payload, sa.Text)
            query = query.where(written.contains(f'"{field}":', autoescape=True))
        words = dict.fromkeys((text or "").casefold().split())
        if len(words) > _MOST_WORDS:
            raise UsageError(f"{len(words):,} words to search for; {_MOST_WORDS} are the most.")
        for word in words:
            query = query.where(of.words.contains(word, autoescape=True))
        query = query.order_by(of.created_at.desc(), of.seq.desc()).limit(limit).offset(skip)
        with self._transactions.reading() as connection:
            return tuple(one.memory for one in load_all(connection, query))

    def forget_memory(self, clone_id: str, memory_id: str) -> None:
        """Forget a memory: a tombstone hides it, and no import brings it back.

        Raises:
            UnknownMemory: there is none.
        """
        self.memory(clone_id, memory_id)
        self.save_memories(clone_id, (), forgotten=[memory_id])

    def search_each(
        self, clone_id: str, searches: Sequence[Search], *, user_ids: Collection[str] | None = None
    ) -> tuple[tuple[FoundMemory, ...], ...]:
        """For each search, the memories that share words with its text and fit it best, best first; at the price of few.

        The text is data: signs mean nothing, letter case, accents and endings are no difference; of a very long one, the
        first 64 different words count. A memory is searched by what says when it is of use: an example by its question,
        a rule by its text, an alias by its phrase. Scores are BM25 over what is searched: larger is better, and those of
        different searches cannot be compared.
        """
        with self._transactions.reading() as connection:
            hits = find_each(connection, Area(clone_id, user_ids), searches, self._documents)
            return tuple(map(tuple, load_found(connection, hits, self._memories)))

    def turns(
        self,
        clone_id: str,
        *,
        user_ids: Collection[str] | None = None,
        batch: int = 500,
    ) -> Iterator[StoredTurn]:
        """All questions with their answers, in order of arrival; some at a time are read, so that any number fits into memory."""
        after = 0
        while True:
            with self._transactions.reading() as connection:
                turns = load_turns(connection, clone_id, after, user_ids, batch)
            yield from turns
            if len(turns) < batch:
                return
            after = turns[-1].seq

    def memory_versions(self, clone_id: str, memory_id: str) -> tuple[MemoryVersion, ...]:
        """All that a memory has been, oldest first; the last version counts.

        Raises:
            UnknownMemory: there never was one of that id.
        """
        with self._transactions.reading() as connection:
            found = load_versions(connection, clone_id, [memory_id])
        if not found:
            raise _unknown(memory_id)
        return tuple(map(_version, found[memory_id]))

    def changed_since(self, clone_id: str, since: datetime) -> Iterator[tuple[MemoryVersion, ...]]:
        """All that the memories have been of which there is a version since then, the latest change first, read as they are taken; no episodes."""
        of = tables.memories.c
        changed = (
            sa.select(of.id)
            .where(of.clone_id == clone_id, of.saved_at >= since)
            .where(of.type.not_in([MemoryType.EPISODIC.value, MemoryType.REFLECTION.value]))
            .group_by(of.id)
            .order_by(sa.func.max(of.seq).desc())
        )
        with self._transactions.reading() as connection:
            ids = connection.scalars(changed).all()
        for start in range(0, len(ids), _AT_ONCE):
            batch = ids[start : start + _AT_ONCE]
            with self._transactions.reading() as connection:
                found = load_versions(connection, clone_id, batch)
            yield from (tuple(map(_version, found[one])) for one in batch if one in found)

    def changed_by_roll_back(self, clone_id: str, note_id: str) -> tuple[Undone, ...]:
        """What a roll-back has changed, by the id of a memory that was `noted` along with it.

        Raises:
            UnknownMemory: there never was such a memory.
        """
        with self._transactions.reading() as connection:
            notes = load_versions(connection, clone_id, [note_id])
            if not notes:
                raise _unknown(note_id)
            return tuple(load_changed_by_roll_back(connection, clone_id, notes[note_id][0]))

    def roll_back(self, clone_id: str, to: datetime, noted: Sequence[Memory] = ()) -> RolledBack:
        """Let everything that was learned be as it was at the moment `to`; the journal follows.

        Nothing is lost: the earlier state comes back as new versions, so that a roll-back can be rolled back.
        Episodes and feedback are history and stay.
        Changes at that very moment are kept; `noted` is saved along with it.
        """
        with self._transactions.writing(clone_id) as connection:
            at = self._clock.now()
            done = roll_back_in(connection, clone_id, to, self._outbox, at=at)
            save_in(connection, noted, self._outbox, at=at)
            return done


def _unknown(memory_id: str) -> UnknownMemory:
    return UnknownMemory(f"No memory with the id {memory_id!r} is in the store.")


def _version(one: Stored) -> MemoryVersion:
    return MemoryVersion(one.version, one.saved_at, one.forgotten_at, one.memory)
