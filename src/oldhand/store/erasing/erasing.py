"""Erase a user: everything that is theirs or follows from what they said leaves the tables in one transaction.

What is left to do outside of it, in files and with what follows from the rest, is noted in that transaction, so that
whoever comes next can do it when the process dies.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

import sqlalchemy as sa

from oldhand.record.base import Record
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.consultation import Consultation, ConsultationState
from oldhand.record.document import EVERYONE, MEMBERS
from oldhand.record.ports import Clock
from oldhand.store import tables
from oldhand.store.clone_rows import load_clone, put_clone
from oldhand.store.credit.messages import drop_orphans, note_feedback
from oldhand.store.documents.documents import delete_document
from oldhand.store.engine import Access
from oldhand.store.erasing.files import rewrite_files
from oldhand.store.erasing.mentions import Marks, mentions
from oldhand.store.erasing.rows import (
    count_logs,
    delete_logs,
    delete_pending_lines,
    delete_scopes,
    digest,
    doomed_memories,
    marks_of,
    strip_lost,
    strip_notes,
    strip_runs,
)
from oldhand.store.issues.recounting import recount_in, scopes_in
from oldhand.store.journal.journal import Journal
from oldhand.store.memory_rows import load_stored
from oldhand.store.memory_writes import entry_of
from oldhand.store.outcomes import recount
from oldhand.store.reflection_queue import let_wait
from oldhand.store.search.index import add_entries, remove_entries
from oldhand.store.search.passages import index_documents
from oldhand.store.transactions import BATCH, Transactions, batches, delete_among
from oldhand.store.work_tables import (
    accounts,
    boards,
    consultation_asks,
    consultation_events,
    consultations,
    credentials,
    document_sources,
    documents,
    erasures,
    experts,
    identities,
    members,
    saved_questions,
)

_BESIDE = (erasures, accounts, identities)
"""Tables that may name an erased user: an account lets them into other assistants of the server, too."""


class ErasedCounts(Record):
    """How much was erased, or would be."""

    episodes: int = 0
    feedback: int = 0
    """What they said, and what others said of their answers."""
    evaluations: int = 0
    runs: int = 0
    """Of agents, not answered yet."""
    runs_of_nobody: int = 0
    """How many of these may be of others: what old versions have kept does not say whose it is, and goes with any user."""
    memories: int = 0
    """Of which nothing is left; some may be learned again from what others said."""
    versions: int = 0
    """Of memories."""


class Erasing:
    """What a `Store` does to erase users. Methods block, and may raise the errors of the store."""

    def __init__(
        self, transactions: Transactions, clock: Clock, journals: Sequence[Journal | None]
    ) -> None:
        self._transactions = transactions
        self._clock = clock
        self._journals = journals

    def would_erase(self, clone_id: str, user_id: str) -> ErasedCounts:
        """Say how much would be erased, without doing anything."""
        with self._transactions.reading() as connection:
            marks = marks_of(connection, clone_id, user_id)
            doomed, marks = doomed_memories(connection, clone_id, marks, ())
            counts = count_logs(connection, clone_id, user_id)
            counts["evaluations"] = len(marks.lines)
            return ErasedCounts(**counts, memories=len(marks.gone), versions=len(doomed))

    def begin(self, clone_id: str, user_id: str, *, reset: Iterable[str] = ()) -> ErasedCounts:
        """Take everything out of the tables; what is left to do is noted.

        Memories whose ids are in `reset` go whatever they say: notes on how far something has read.
        """
        at = self._clock.now()
        with self._transactions.writing(clone_id, Access.WRITE_DURABLY) as connection:
            marks = marks_of(connection, clone_id, user_id)
            notes = frozenset(reset)
            doomed, marks = doomed_memories(connection, clone_id, marks, notes)
            delete_pending_lines(connection, clone_id, marks)
            delete_versions(connection, clone_id, doomed)
            delete_scopes(connection, clone_id, user_id)
            strip_notes(connection, clone_id, user_id, sorted(set(doomed.values())))
            scopes = scopes_in(connection, clone_id, sorted(marks.ids))
            counts = delete_logs(connection, clone_id, marks)
            strip_runs(connection, clone_id, frozenset(doomed.values()), marks.ids | marks.gone)
            recount_in(connection, scopes)
            recount(connection, clone_id)
            drop_orphans(connection, clone_id)
            for episode_id in sorted(marks.judged):
                note_feedback(connection, clone_id, episode_id)
                let_wait(connection, clone_id, episode_id, at)
            _name_no_longer(connection, clone_id, user_id)
            _let_in_no_more(connection, clone_id, user_id)
            leave_documents(connection, clone_id, user_id)
            leave_saved(connection, clone_id, user_id, marks.ids)
            leave_consultations(connection, clone_id, user_id)
            versions = sum(one not in notes for one in doomed.values())
            counted = ErasedCounts(**counts, memories=len(marks.gone - notes), versions=versions)
            row = {
                "clone_id": clone_id,
                "user_digest": digest(user_id),
                "began_at": at,
                "counts": counted.model_dump(),
                "marks": {name: _listed(value) for name, value in marks._asdict().items()},
            }
            connection.execute(sa.insert(erasures), row)
        return counted

    def unfinished(self, clone_id: str) -> Mapping[int, Marks]:
        """What is left to do, by the `seq` of each erasure that is not finished."""
        query = sa.select(erasures.c.seq, erasures.c.marks).where(
            erasures.c.clone_id == clone_id, erasures.c.finished_at.is_(None)
        )
        with self._transactions.reading() as connection:
            found = connection.execute(query).all()
        return {
            row.seq: Marks(**{name: _as_set(one) for name, one in row.marks.items()})
            for row in found
        }

    def rewrite_files(self, clone_id: str, marks: Marks) -> int:
        """Take what goes out of the readable files; gives how many lines went. After an error, it can be done again."""
        journals = (one for one in self._journals if one is not None)
        return sum(rewrite_files(one, clone_id, marks) for one in journals)

    def finish(self, clone_id: str, seqs: Sequence[int]) -> None:
        """Note that nothing is left to do; by what it was found is forgotten, and freed space is overwritten.

        Answers of others no longer name lessons of which nothing is left.
        """
        with self._transactions.writing(clone_id, Access.WRITE_DURABLY) as connection:
            for marks in self.unfinished(clone_id).values():
                strip_lost(connection, clone_id, sorted(marks.gone))
            recount(connection, clone_id)
            done = sa.update(erasures).where(erasures.c.seq.in_(seqs))
            connection.execute(done.values(marks=None))
        self._transactions.scrub()
        with self._transactions.writing(clone_id) as connection:
            done = sa.update(erasures).where(erasures.c.seq.in_(seqs))
            connection.execute(done.values(finished_at=self._clock.now()))

    def traces(self, clone_id: str, marks: Marks) -> tuple[str, ...]:
        """The tables in which something of an erased user still stands; there should be none."""
        with self._transactions.reading() as connection:
            return tuple(
                table.name
                for table in tables.metadata.sorted_tables
                if table not in _BESIDE and _stands_in(connection, table, clone_id, marks)
            )


def delete_versions(connection: sa.Connection, clone_id: str, doomed: Mapping[int, str]) -> None:
    """Delete versions of memories; where an earlier one is left, it counts again."""
    ids = sorted(set(doomed.values()))
    table = tables.memories
    for batch in batches(ids):
        before = load_stored(connection, clone_id, batch)
        remove_entries(connection, [one.seq for one in before.values()])
        of_batch = frozenset(batch)
        seqs = [seq for seq, memory_id in doomed.items() if memory_id in of_batch]
        delete_among(connection, table, table.c.seq, seqs)
        left = load_stored(connection, clone_id, batch).values()
        add_entries(
            connection, [entry_of(one.memory, one.seq) for one in left if not one.forgotten]
        )


def _name_no_longer(connection: sa.Connection, clone_id: str, user_id: str) -> None:
    clone = load_clone(connection, clone_id)
    if clone is not None and user_id in clone.experts:
        experts = tuple(one for one in clone.experts if one != user_id)
        put_clone(connection, clone.model_copy(update={"experts": experts}))


def _let_in_no_more(connection: sa.Connection, clone_id: str, user_id: str) -> None:
    """Take away what lets a user into a clone; what lets them into others, and their account, are not of this one."""
    of = credentials.c
    own = sa.and_(of.clone_id == clone_id, of.user_id == user_id)
    connection.execute(sa.delete(credentials).where(own))
    member = sa.and_(members.c.clone_id == clone_id, members.c.user_id == user_id)
    connection.execute(sa.delete(members).where(member))


def _stands_in(connection: sa.Connection, table: sa.Table, clone_id: str, marks: Marks) -> bool:
    query = sa.select(*(one for one in table.c if not isinstance(one.type, sa.LargeBinary)))
    if "clone_id" in table.c:
        query = query.where(table.c.clone_id == clone_id)
    rows = connection.execution_options(yield_per=BATCH).execute(query).mappings()
    # What is of all is the default user's, too: names of columns tell nothing of that one.
    is_named = marks.user_id != DEFAULT_USER
    told = (dict(row) if is_named else list(row.values()) for row in rows)
    return any(mentions(one, marks.user_id, marks.ids) for one in told)


def _listed(value: str | frozenset[str]) -> str | list[str]:
    return value if isinstance(value, str) else sorted(value)


def _as_set(value: str | list[str]) -> Any:
    return value if isinstance(value, str) else frozenset(value)


# Of an erased user, neither what they asked people nor what they replied is left.
def leave_consultations(connection: sa.Connection, clone_id: str, user_id: str) -> None:
    """Delete what a user asked, and their part of what others asked."""
    table, events, asks = consultations, consultation_events, consultation_asks
    of_clone = table.c.clone_id == clone_id
    connection.execute(sa.delete(table).where(of_clone, table.c.asked_by == user_id))
    theirs = sa.and_(experts.c.clone_id == clone_id, experts.c.expert == user_id)
    connection.execute(sa.delete(experts).where(theirs))
    by_them = sa.or_(events.c.actor == user_id, events.c.expert == user_id)
    connection.execute(sa.delete(events).where(events.c.clone_id == clone_id, by_them))
    connection.execute(sa.delete(asks).where(asks.c.clone_id == clone_id, asks.c.expert == user_id))
    for row in connection.execute(sa.select(table.c.id, table.c.document).where(of_clone)).all():
        before = Consultation.model_validate(row.document)
        after = without(before, user_id)
        if after != before:
            this = sa.update(table).where(of_clone, table.c.id == row.id)
            kept = {"document": after.model_dump(mode="json"), "state": after.state.value}
            connection.execute(this.values(**kept, next_at=after.next_at))


def without(one: Consultation, user_id: str) -> Consultation:
    """A consultation as if somebody had never been asked."""
    asks = tuple(ask for ask in one.asks if ask.expert != user_id)
    remarks = tuple(it for it in one.remarks if it.by != user_id)
    learned = tuple(it for it in one.learned if it != user_id)
    after = one.model_copy(update={"asks": asks, "remarks": remarks, "learned": learned})
    if not asks and one.asks and not one.state.is_final:
        return after.model_copy(update={"state": ConsultationState.WITHDRAWN})
    return after


def leave_documents(connection: sa.Connection, clone_id: str, user_id: str) -> None:
    """Let no document name a user: neither as who added it, nor as who may read it; one for them only goes."""
    for table in (documents, document_sources):
        mine = sa.and_(table.c.clone_id == clone_id, table.c.added_by == user_id)
        connection.execute(sa.update(table).where(mine).values(added_by=DEFAULT_USER))
    if user_id in {EVERYONE, MEMBERS}:
        return  # that is what all of them are called
    for table, name in ((documents, documents.c.id), (document_sources, document_sources.c.source)):
        of_clone = table.c.clone_id == clone_id
        for key, readers in connection.execute(
            sa.select(name, table.c.readers).where(of_clone)
        ).all():
            left = [one for one in readers if one != user_id]
            if left == readers:
                continue
            this = sa.and_(of_clone, name == key)
            if left:
                connection.execute(sa.update(table).where(this).values(readers=left))
            elif table is document_sources:
                connection.execute(sa.delete(table).where(this))
            if table is documents and left:
                index_documents(connection, clone_id, [key])
            elif table is documents:
                delete_document(connection, clone_id, key)


def leave_saved(connection: sa.Connection, clone_id: str, user_id: str, ids: Set[str]) -> None:
    """Delete what a user saved, and what others saved of their answers; let readers and boards of others name them no more."""
    of = saved_questions.c
    own = sa.and_(of.clone_id == clone_id, of.user_id == user_id)
    connection.execute(sa.delete(saved_questions).where(own))
    delete_among(connection, saved_questions, of.episode_id, sorted(ids), of.clone_id == clone_id)
    theirs = sa.and_(boards.c.clone_id == clone_id, boards.c.user_id == user_id)
    connection.execute(sa.delete(boards).where(theirs))
    query = sa.select(of.id, of.readers).where(of.clone_id == clone_id)
    for saved_id, readers in connection.execute(query).all():
        if user_id in readers:
            this = sa.and_(of.clone_id == clone_id, of.id == saved_id)
            left = [one for one in readers if one != user_id]
            connection.execute(sa.update(saved_questions).where(this).values(readers=left))
