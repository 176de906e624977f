"""Lines on their way into the journal: committed with what they tell, appended right after."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import sqlalchemy as sa

from oldhand.errors import StoreError
from oldhand.record.memory import Memory, MemoryType
from oldhand.store import tables
from oldhand.store.engine import Access, transaction
from oldhand.store.journal.journal import Journal, JournalPlace, PendingLine, ResultsPlace

logger = logging.getLogger(__name__)

_RESULT = "evaluation"
"""The type of a line about an evaluation; the name of its file stands where a memory has its user."""
_BATCH = 1_000
"""Lines appended before their rows are deleted."""

_table = tables.journal_outbox
# Built once: putting a statement together takes longer than running it.
_INSERT = sa.insert(_table)
_DONE = sa.delete(_table).where(_table.c.seq.in_(sa.bindparam("seqs", expanding=True)))
_PENDING = (
    sa.select(_table)
    .where(
        _table.c.journal_id == sa.bindparam("journal_id", type_=_table.c.journal_id.type),
        _table.c.seq > sa.bindparam("after"),
    )
    .order_by(_table.c.seq)
    .limit(_BATCH)
)


class Outbox:
    """The pending lines of one journal; without a journal there are none."""

    def __init__(self, engine: sa.Engine, journal: Journal | None) -> None:
        """Raises `JournalError` when the journal's folder cannot be written."""
        self._engine = engine
        self._journal = journal
        self._journal_id = journal.id() if journal else ""

    def add(self, connection: sa.Connection, memory: Memory, line: str) -> None:
        """Note a line about `memory`, in the transaction of what it tells."""
        self._add(connection, (memory.clone_id, memory.user_id, memory.type.value), [line])

    def add_results(
        self,
        connection: sa.Connection,
        place: ResultsPlace,
        lines: Sequence[str],
        *,
        source: Path | None = None,
    ) -> None:
        """Note lines about evaluations, in their transaction; not where the file that they were read from is their own."""
        if source is not None and self._journal is not None and self._journal.is_at(place, source):
            return
        self._add(connection, (place.clone_id, place.file, _RESULT), lines)

    def _add(
        self, connection: sa.Connection, where: tuple[str, str, str], lines: Sequence[str]
    ) -> None:
        if self._journal is not None and lines:
            names = ("journal_id", "clone_id", "user_id", "type")
            row = dict(zip(names, (self._journal_id, *where), strict=True))
            connection.execute(_INSERT, [{**row, "line": one} for one in lines])

    def replace_results(self, place: ResultsPlace, lines: Mapping[str, str | None]) -> None:
        """Put other lines about evaluations in place of some, or none; a file that can't be written keeps them."""
        if self._journal is None or not lines:
            return
        try:
            with self._journal.locked():
                self._journal.replace_lines(place, lines)
        except (StoreError, OSError) as error:
            logger.warning("journal_kept: %s still holds what was forgotten: %s", place.file, error)

    def file_of(self, place: ResultsPlace) -> Path | None:
        """The file of a place; None without a journal, or while lines wait for their files."""
        if self._journal is None or self.waiting():
            return None
        return self._journal.path(place)

    def deliver(self) -> None:
        """Append all pending lines, also those that a crash has left.

        What was committed stays committed when this fails: the lines wait for the next time.
        """
        if self._journal is None:
            return
        try:
            with self._journal.locked():
                self._deliver_to(self._journal)
        except StoreError as error:
            logger.warning("journal_pending: %s", error)

    def _deliver_to(self, journal: Journal) -> None:
        held_up: set[JournalPlace | ResultsPlace] = set()
        after: int | None = 0
        while after is not None:
            # The rows go when their lines are in the files: what fails in between leaves both, and neither doubled.
            with transaction(self._engine, Access.WRITE) as connection:
                after = self._deliver_batch(connection, journal, after, held_up)
            journal.settled()

    def _deliver_batch(
        self,
        connection: sa.Connection,
        journal: Journal,
        after: int,
        held_up: set[JournalPlace | ResultsPlace],
    ) -> int | None:
        """Append the lines after `after`; gives the last one when there may be more."""
        given = {"journal_id": self._journal_id, "after": after}
        batch = [
            PendingLine(row.seq, _place(row.clone_id, row.user_id, row.type), row.line)
            for row in connection.execute(_PENDING, given)
        ]
        ready = [line for line in batch if line.place not in held_up]
        done = journal.append(ready)
        if done:
            connection.execute(_DONE, {"seqs": done})
        # Later lines of a file must not overtake its earlier ones.
        held_up |= {line.place for line in ready if line.seq not in set(done)}
        return batch[-1].seq if len(batch) == _BATCH else None

    def waiting(self) -> int:
        """How many lines are committed but not yet in their files."""
        query = sa.select(sa.func.count()).where(_table.c.journal_id == self._journal_id)
        with transaction(self._engine, Access.READ) as connection:
            return connection.scalar(query) or 0


def _place(clone_id: str, user_id: str, kind: str) -> JournalPlace | ResultsPlace:
    if kind == _RESULT:
        return ResultsPlace(clone_id, file=user_id)
    return JournalPlace(clone_id, user_id, MemoryType(kind))
