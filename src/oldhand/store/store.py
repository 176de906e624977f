"""The store: one transaction for each method, feedback durable before it returns."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Self

import sqlalchemy as sa

from oldhand.errors import UnknownEpisode
from oldhand.record.clone import Clone
from oldhand.record.episode import Episode, Recollection
from oldhand.record.evaluation import Evaluation
from oldhand.record.feedback import Feedback
from oldhand.record.lesson import Tally
from oldhand.record.ports import Clock, NewId, random_id
from oldhand.store import episode_reads as reads
from oldhand.store import episode_writes as writes
from oldhand.store.access_store import AccessStore
from oldhand.store.checkpoints import StoredCheckpoints
from oldhand.store.clone_rows import load_clone, put_clone
from oldhand.store.consultations.ledger import ConsultationLedger
from oldhand.store.credit.counts import PassageCounts
from oldhand.store.credit.credit_store import CreditStore
from oldhand.store.documents.documents import DocumentStore
from oldhand.store.engine import Access, at_head, open_engine
from oldhand.store.erasing.erasing import Erasing
from oldhand.store.fared_reads import FaredReads
from oldhand.store.feedback_reads import FeedbackReads
from oldhand.store.journal.journal import Journal
from oldhand.store.journal.lines import journal_line
from oldhand.store.journal.outbox import Outbox
from oldhand.store.learning_lock import LearningLock
from oldhand.store.memory_rows import load_stored
from oldhand.store.memory_store import MemoryStore
from oldhand.store.memory_writes import save_in
from oldhand.store.outcomes import load_tallies
from oldhand.store.passage_reads import PassageReads
from oldhand.store.passage_vectors import PassagePoints, PassageVectors
from oldhand.store.reflection_queue import ReflectionQueue
from oldhand.store.result_store import ResultStore
from oldhand.store.saved.store import SavedStore
from oldhand.store.tables import messages
from oldhand.store.transactions import Transactions
from oldhand.store.trial_reads import TrialReads
from oldhand.store.verdict import verdict


class Store(MemoryStore, FeedbackReads):
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
        self,
        engine: sa.Engine,
        *,
        clock: Clock,
        new_id: NewId,
        journal: Journal | None,
        results: Journal | None = None,
    ) -> None:
        """Use `Store.open`, which also brings the tables up to date."""
        outbox = Outbox(engine, journal)
        super().__init__(Transactions(engine, outbox), outbox, clock)
        self._result_lines = Outbox(engine, results)
        self.results = ResultStore(Transactions(engine, self._result_lines), self._result_lines)
        """What evaluators found."""
        self.trials = TrialReads(self._transactions)
        """What was left to chance, and what came of it."""
        self.fared = FaredReads(self._transactions)
        """How the latest answers fared."""
        self.reflections = ReflectionQueue(self._transactions, outbox, clock)
        """Answers that wait to be looked back on."""
        self.passages = PassageReads(self._transactions)
        """The passages of documents, to be found."""
        self.documents = DocumentStore(self._transactions)
        """Documents and their passages."""
        self.vectors = PassageVectors(self._transactions)
        """What passages mean."""
        self.points = PassagePoints(self._transactions)
        """The same in pgvector, where it is there."""
        self.credit = CreditStore(self._transactions)
        """What votes have taught about passages."""
        self.passage_counts = PassageCounts(self._transactions)
        """How often they were shown, and how the search fares."""
        self.consultations = ConsultationLedger(self._transactions, outbox)
        """Questions to people."""
        self.erasing = Erasing(self._transactions, clock, (journal, results))
        """Users whose data is erased."""
        self.access = AccessStore(self._transactions, clock)
        """Who may come in over the network."""
        self.saved = SavedStore(self._transactions)
        """Saved questions."""
        self._new_id = new_id
        self._learning = LearningLock(engine)

    @classmethod
    def open(
        cls,
        url: str,
        *,
        clock: Clock,
        new_id: NewId = random_id,
        journal: Journal | None = None,
        results: Journal | None = None,
        lock_seconds: float = 10.0,
    ) -> Self:
        """Open the store at `url`, run pending migrations, and append pending journal lines.

        Args:
            url: `sqlite:///path` (the folder must exist) or `postgresql://user@host/database`.
            clock: dates versions of memories.
            new_id: names messages.
            journal: the readable files that follow each commit; None keeps none.
            results: the same for what evaluators found.
            lock_seconds: how long to wait while another process holds the store.

        Raises:
            UsageError: the address is not one of a store.
            MissingExtra: Postgres' driver is not installed.
            StoreTooNew, StoreTooOld: the store was written by another version.
            JournalError: the journal's folder cannot be written.
        """
        engine = open_engine(url, lock_seconds=lock_seconds)
        try:
            if not at_head(engine):
                # Alembic takes a sixth of the time of a start, and there is rarely something to migrate.
                from oldhand.store.migrate import upgrade  # noqa: PLC0415

                upgrade(engine)
            store = cls(engine, clock=clock, new_id=new_id, journal=journal, results=results)
            store._outbox.deliver()
            store._result_lines.deliver()
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

    def learning(self, clone_id: str) -> AbstractContextManager[None]:
        """Keep out everybody else who derives memories of a clone from what is stored, and saves them.

        Nothing else waits for it. It must not be taken twice by one thread.
        """
        return self._learning.held(clone_id)

    def night(self, clone_id: str) -> AbstractContextManager[bool]:
        """Be the only one who does the work of a night; False, at once, when somebody else is at it."""
        return self._learning.tried(f"{clone_id}.night")

    def checkpoints(self, clone_id: str, user_id: str | None = None) -> StoredCheckpoints:
        """Where runs of a tool-use agent for one user lie until they are answered."""
        return StoredCheckpoints(self._transactions, clone_id, self._clock, user_id)

    def record_episode(
        self,
        episode: Episode,
        recollection: Recollection | None = None,
    ) -> None:
        """Keep an episode, its episodic memory and what was recalled for it.

        Recording the same episode again changes nothing.

        Raises:
            UsageError: parts belong to another episode, or the id is taken by a different one.
        """
        writes.check_parts(episode, recollection)
        clone_id = episode.clone_id
        with self._transactions.writing(clone_id) as connection:
            if reads.is_recorded(connection, episode):
                return
            writes.insert_episode(connection, episode, self._new_id)
            if recollection is not None:
                writes.insert_recollection(connection, clone_id, recollection)
            judged = reads.load_evaluations(connection, clone_id, episode.id)
            memory = writes.episodic_memory(episode, verdict((), judged, episode.success))
            save_in(connection, [memory], self._outbox, at=self._clock.now())

    def episode(self, clone_id: str, episode_id: str) -> Episode:
        """The episode of that id, or of the only id that begins like that (4 characters or more).

        Raises:
            UnknownEpisode: there is none.
            UsageError: several ids begin like that.
        """
        with self._transactions.reading() as connection:
            found = reads.full_id(connection, clone_id, episode_id)
            episode = reads.load_episodes_called(connection, clone_id, [found]).get(found)
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

    def episodes_called(self, clone_id: str, ids: Sequence[str]) -> dict[str, Episode]:
        """The episodes of exactly these ids; unknown ones are left out."""
        with self._transactions.reading() as connection:
            return reads.load_episodes_called(connection, clone_id, ids)

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
            if feedback.passage is not None:
                return
            if signals.and_also(feedback).verdict() != signals.verdict():
                stored = load_stored(connection, clone_id, [episode_id])[episode_id]
                if stored.forgotten_at is None:
                    self._outbox.add(connection, stored.memory, journal_line(stored.memory))

    def save_clone(self, clone: Clone) -> None:
        """Keep a clone, in place of what was known of it."""
        with self._transactions.writing(clone.id) as connection:
            put_clone(connection, clone)

    def clone(self, clone_id: str) -> Clone | None:
        """The clone of that id; None until it is saved."""
        with self._transactions.reading() as connection:
            return load_clone(connection, clone_id)

    def episode_of_message(self, clone_id: str, message_id: str) -> str:
        """The id of the episode that has a message, or that is called so itself.

        Raises:
            UnknownEpisode: neither is there.
        """
        table = messages
        query = sa.select(table.c.episode_id).where(
            table.c.clone_id == clone_id,
            sa.or_(table.c.id == message_id, table.c.episode_id == message_id),
        )
        with self._transactions.reading() as connection:
            found = connection.scalars(query.limit(1)).one_or_none()
        if found is None:
            raise UnknownEpisode(f"There is no message {message_id!r}.")
        return found

    def outcomes(self, clone_id: str, item_ids: Sequence[str]) -> Mapping[str, Tally]:
        """How the answers fared that rest, or may rest, on each of these memories.

        An answer counts once for each owner or expert who has voted on it, with the latest vote; a correction counts
        as a vote against it. Answers for which a memory was recalled but not used don't count.
        """
        if not item_ids:
            return {}
        with self._transactions.reading() as connection:
            return load_tallies(connection, clone_id, item_ids)

    def usage_totals(
        self, clone_id: str, since: datetime | None = None
    ) -> tuple[reads.UsageTotal, ...]:
        """What language models have cost, by day, model and stage."""
        with self._transactions.reading() as connection:
            return reads.load_usage(connection, clone_id, since)

    def pending_journal_lines(self) -> int:
        """Lines that are committed but could not be appended to their files yet."""
        return self._outbox.waiting() + self._result_lines.waiting()
