"""The store: one transaction for each method, feedback durable before it returns."""

from collections.abc import Sequence
from datetime import datetime
from typing import Self

import sqlalchemy as sa

from oldhand.errors import UnknownEpisode, UnknownMemory
from oldhand.record.clone import Clone
from oldhand.record.episode import Episode
from oldhand.record.evaluation import Evaluation
from oldhand.record.feedback import Feedback
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.ports import Clock, NewId
from oldhand.record.recollection import Recollection
from oldhand.store import episode_reads as reads
from oldhand.store import episode_writes as writes
from oldhand.store.clone_rows import load_clone, put_clone
from oldhand.store.engine import Access, open_engine
from oldhand.store.episodic import episodic_memory
from oldhand.store.journal import Journal, random_id
from oldhand.store.lines import journal_line
from oldhand.store.memory_rows import Filter, load_memories, load_stored
from oldhand.store.memory_writes import Change, forget_in, save_in
from oldhand.store.outbox import Outbox
from oldhand.store.revision import at_head
from oldhand.store.transactions import Transactions
from oldhand.store.verdict import verdict


class Store:
    """Everything that is kept, of all clones.

    Methods block: call them in a thread from async code. Every method may raise `StoreLocked`,
    `StoreFull`, `StoreUnreachable` or plain `StoreError`; nothing was written then.

    >>> from oldhand.testing.clock import FixedClock
    >>> clock = FixedClock()
    >>> with Store.open(f"sqlite:///{getfixture('tmp_path')}/oldhand.db", clock=clock) as store:
    ...     store.save_clone(Clone(owner="ana", created_at=clock.now()))
    ...     store.clone("default").owner
    'ana'
    """

    def __init__(
        self, engine: sa.Engine, *, clock: Clock, new_id: NewId, journal: Journal | None
    ) -> None:
        """Use `Store.open`, which also brings the tables up to date."""
        self._clock = clock
        self._new_id = new_id
        self._outbox = Outbox(engine, journal)
        self._transactions = Transactions(engine, self._outbox)

    @classmethod
    def open(
        cls,
        url: str,
        *,
        clock: Clock,
        new_id: NewId = random_id,
        journal: Journal | None = None,
        lock_seconds: float = 10.0,
    ) -> Self:
        """Open the store at `url`, run pending migrations, and append pending journal lines.

        Args:
            url: `sqlite:///path` (the folder must exist) or `postgresql://user@host/database`.
            clock: dates versions of memories.
            new_id: names messages.
            journal: the readable files that follow each commit; None keeps none.
            lock_seconds: how long to wait while another process holds the store.

        Raises:
            UsageError: the address is not one of a store.
            MissingExtra: Postgres' driver is not installed.
            StoreTooNew: the store was written by a newer version.
            JournalError: the journal's folder cannot be written.
        """
        engine = open_engine(url, lock_seconds=lock_seconds)
        try:
            if not at_head(engine):
                # Alembic takes a sixth of the time of a start, and there is rarely something to migrate.
                from oldhand.store.migrate import upgrade  # noqa: PLC0415

                upgrade(engine)
            store = cls(engine, clock=clock, new_id=new_id, journal=journal)
            store._outbox.deliver()
        except BaseException:
            engine.dispose()
            raise
        return store

    def close(self) -> None:
        """Close all connections."""
        self._transactions.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def record_episode(
        self,
        episode: Episode,
        recollection: Recollection | None = None,
        evaluations: Sequence[Evaluation] = (),
    ) -> None:
        """Keep an episode, its episodic memory, what was recalled for it and how it was judged.

        Recording the same episode again changes nothing.

        Raises:
            UsageError: parts belong to another episode, or the id is taken by a different one.
        """
        writes.check_parts(episode, recollection, evaluations)
        clone_id = episode.clone_id
        with self._transactions.writing(clone_id) as connection:
            if reads.is_recorded(connection, episode):
                return
            writes.insert_episode(connection, episode, self._new_id)
            writes.insert_evaluations(connection, clone_id, evaluations)
            if recollection is not None:
                writes.insert_recollection(connection, clone_id, recollection)
            memory = episodic_memory(episode, verdict((), evaluations, episode.success))
            save_in(connection, [memory], self._outbox, at=self._clock.now())

    def episode(self, clone_id: str, episode_id: str) -> Episode:
        """The episode of that id, or of the only id that begins like that (4 characters or more).

        Raises:
            UnknownEpisode: there is none.
            UsageError: several ids begin like that.
        """
        with self._transactions.reading() as connection:
            found = reads.full_id(connection, clone_id, episode_id)
            episode = reads.load_episode(connection, clone_id, found)
        if episode is None:
            raise UnknownEpisode
        return episode

    def episodes(
        self,
        clone_id: str,
        user_id: str | None = None,
        session_id: str | None = None,
        limit: int | None = 50,
    ) -> tuple[Episode, ...]:
        """The newest episodes, newest first."""
        newest = reads.newest_episodes(clone_id, user_id, session_id).limit(limit)
        with self._transactions.reading() as connection:
            return tuple(reads.load_episodes(connection, clone_id, newest))

    def recollection(self, clone_id: str, episode_id: str) -> Recollection | None:
        """What was recalled for an episode; None when that was not recorded."""
        with self._transactions.reading() as connection:
            return reads.load_recollection(connection, clone_id, episode_id)

    def evaluations(self, clone_id: str, episode_id: str) -> tuple[Evaluation, ...]:
        """What evaluators found in an episode, in order of arrival."""
        with self._transactions.reading() as connection:
            return reads.load_evaluations(connection, clone_id, episode_id)

    def add_feedback(self, feedback: Feedback) -> None:
        """Add one signal to the log; it is on the disk when this returns.

        A later signal of the same rater supersedes this one. The same id again changes nothing.

        Raises:
            UnknownEpisode: there is no such episode.
            UsageError: the id is taken by different feedback.
        """
        clone_id, episode_id = feedback.clone_id, feedback.episode_id
        with self._transactions.writing(clone_id, Access.WRITE_DURABLY) as connection:
            if reads.is_given(connection, feedback):
                return
            signals = reads.load_signals(connection, clone_id, [episode_id]).get(episode_id)
            if signals is None:
                raise UnknownEpisode(f"No answer with the id {episode_id!r} is in the store.")
            writes.insert_feedback(connection, feedback)
            if signals.and_also(feedback).verdict() != signals.verdict():
                stored = load_stored(connection, clone_id, [episode_id])[episode_id]
                if stored.forgotten_at is None:
                    self._outbox.add(connection, stored.memory, journal_line(stored.memory))

    def feedback_on(self, clone_id: str, episode_id: str) -> tuple[Feedback, ...]:
        """All signals on an episode in order of arrival, superseded ones included."""
        with self._transactions.reading() as connection:
            return reads.load_feedback(connection, clone_id, episode_id)

    def save_memory(self, memory: Memory) -> Change:
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
        imported: bool = False,
    ) -> tuple[Change, ...]:
        """Keep all of these memories of one clone or, on an error, none.

        Args:
            clone_id: the clone of all of them.
            memories: each id at most once.
            forgotten: ids to forget; those that are not there are passed over.
            imported: they come from a file, which knows times to the second only; what was
                forgotten here stays forgotten.

        Returns:
            what became of each of `memories`, then of each of `forgotten`.

        Raises:
            MemoryConflict: an id belongs to another user, or to another type of memory.
        """
        with self._transactions.writing(clone_id) as connection:
            at = self._clock.now()
            saved = save_in(connection, memories, self._outbox, at=at, imported=imported)
            return (*saved, *forget_in(connection, clone_id, forgotten, self._outbox, at=at))

    def owners(self, clone_id: str, ids: Sequence[str]) -> dict[str, str]:
        """The users to whom these memories belong, forgotten ones included."""
        with self._transactions.reading() as connection:
            stored = load_stored(connection, clone_id, ids)
        return {one: found.memory.user_id for one, found in stored.items()}

    def memory(self, clone_id: str, memory_id: str) -> Memory:
        """The memory of that id.

        Raises:
            UnknownMemory: there is none, or it was forgotten.
        """
        with self._transactions.reading() as connection:
            stored = load_stored(connection, clone_id, [memory_id]).get(memory_id)
        if stored is None or stored.forgotten_at is not None:
            raise UnknownMemory(f"No memory with the id {memory_id!r} is in the store.")
        return stored.memory

    def memories(
        self,
        clone_id: str,
        user_id: str | None = None,
        type: MemoryType | None = None,  # noqa: A002
        tag: str | None = None,
        text: str | None = None,
        limit: int | None = 100,
    ) -> tuple[Memory, ...]:
        """The newest memories that are not forgotten, newest first.

        Args:
            clone_id: whose.
            user_id: only of this user; the clone's own lie under `default`.
            type: only of this type.
            tag: only those with this tag.
            text: only those in which all of these words occur, letter case aside.
            limit: how many at most; None for all.
        """
        with self._transactions.reading() as connection:
            wanted = Filter(user_id, type, tag, text)
            return tuple(load_memories(connection, clone_id, wanted, limit))

    def forget_memory(self, clone_id: str, memory_id: str) -> None:
        """Forget a memory: a tombstone hides it, and no import brings it back.

        Raises:
            UnknownMemory: there is none.
        """
        self.memory(clone_id, memory_id)
        self.save_memories(clone_id, (), forgotten=[memory_id])

    def save_clone(self, clone: Clone) -> None:
        """Keep a clone, in place of what was known of it."""
        with self._transactions.writing(clone.id) as connection:
            put_clone(connection, clone)

    def clone(self, clone_id: str) -> Clone | None:
        """The clone of that id; None until it is saved."""
        with self._transactions.reading() as connection:
            return load_clone(connection, clone_id)

    def usage_totals(
        self, clone_id: str, since: datetime | None = None
    ) -> tuple[reads.UsageTotal, ...]:
        """What language models have cost, by stage and model."""
        with self._transactions.reading() as connection:
            return reads.load_usage(connection, clone_id, since)

    def pending_journal_lines(self) -> int:
        """Lines that are committed but could not be appended to their files yet."""
        return self._outbox.waiting()
