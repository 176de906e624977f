"""Saved questions as they are kept: found by name or id, answered, and claimed by whoever asks or sends what is due.

Invariant: of several processes one asks a question that is due, once: it claims it for a while, and puts the answer, what is
to be sent, and the next time into the store in one transaction. While it is at it, it makes the claim longer; whoever dies
lets go of it by its end. The clock is looked at, and whose claim it is looked up, in the transaction that changes it: who was
slow till then changes nothing that others are at.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from oldhand.errors import UnknownSaved
from oldhand.record.answer import Outcome
from oldhand.record.ports import Clock
from oldhand.record.saved import (
    Board,
    Delivery,
    DeliveryState,
    SavedAnswer,
    SavedQuestion,
    Schedule,
)
from oldhand.store.engine import Access
from oldhand.store.saved.rows import (
    CLAIMED,
    Claimed,
    ClaimedDelivery,
    ClaimedQuestion,
    answer_of,
    check_free,
    delivery_of,
    delivery_row,
    drop_old,
    insert_answer,
    is_due,
    is_named,
    load_answers,
    row_of,
    saved_of,
)
from oldhand.store.transactions import StorePart, insert_all, only_one, record_of
from oldhand.store.work_tables import boards, saved_answers, saved_deliveries, saved_questions


class NextTry(NamedTuple):
    """When a saved question is asked next by itself."""

    due_at: datetime | None
    instead_of: datetime | None
    """When it was due; what somebody has changed meanwhile stays."""
    tries: int = 0
    """How often it failed in a row."""


class SavedStore(StorePart):
    """The saved questions of all clones. Methods block, and raise what those of the store do."""

    def add(self, clone_id: str, saved: SavedQuestion, first: SavedAnswer) -> None:
        """Keep a question with the answer that it was saved from.

        Raises:
            NameTaken: there is one of that name.
        """
        row = {**row_of(saved), "clone_id": clone_id, "tries": 0}
        with self._writing(clone_id) as connection:
            check_free(connection, clone_id, saved.name)
            connection.execute(sa.insert(saved_questions), row)
            insert_answer(connection, clone_id, saved.id, first)

    def get(self, clone_id: str, name: str) -> SavedQuestion:
        """The question of that name, or of the only id that begins so, with the rows of its latest answer.

        Raises:
            UnknownSaved: there is none.
            UsageError: there are several.
        """
        of = saved_questions.c
        query = sa.select(of.id, of.name).where(of.clone_id == clone_id)
        with self._transactions.reading() as connection:
            known = connection.execute(query).all()
            exact = [one for one, called in known if one == name or is_named(called, name)]
            begin = [one for one, _ in known if one.startswith(name)]
            found = only_one(exact or begin, "saved questions", name) if name else None
            if found is None:
                raise UnknownSaved(f"Nothing is saved as {name!r}: `oldhand saved list` names all.")
            whole = sa.select(saved_questions).where(of.clone_id == clone_id, of.id == found)
            row = connection.execute(whole).mappings().one()
            (latest,) = load_answers(connection, clone_id, found, 1) or (None,)
        return saved_of(row, latest)

    def list(self, clone_id: str) -> tuple[SavedQuestion, ...]:
        """All of them, pinned ones first, then by name; their latest answers without rows."""
        of, each = saved_questions.c, saved_answers.c
        query = sa.select(saved_questions).where(of.clone_id == clone_id)
        newest = sa.select(sa.func.max(each.seq)).where(each.clone_id == clone_id)
        plain = [one for one in saved_answers.c if one.name != "rows"]
        answers = sa.select(*plain).where(each.seq.in_(newest.group_by(each.saved_id)))
        with self._transactions.reading() as connection:
            latest = {
                row["saved_id"]: answer_of(row) for row in connection.execute(answers).mappings()
            }
            rows = connection.execute(query.order_by(of.pinned.desc(), of.name)).mappings()
            return tuple(saved_of(row, latest.get(row["id"])) for row in rows)

    def change(
        self, clone_id: str, saved: SavedQuestion, *fields: str, secret: str | None = None
    ) -> SavedQuestion:
        """Keep these fields of a question, which somebody changed; all else stays as it is by now.

        Raises:
            NameTaken: there is another one of that name.
        """
        of = saved_questions.c
        row = {name: it for name, it in row_of(saved).items() if name in fields}
        row |= {} if secret is None else {"secret": secret}
        row |= {"tries": 0, "claimed_until": None} if "due_at" in fields else {}
        with self._writing(clone_id) as connection:
            check_free(connection, clone_id, saved.name, but=saved.id)
            this = sa.and_(of.clone_id == clone_id, of.id == saved.id)
            connection.execute(sa.update(saved_questions).where(this).values(row))
        return saved

    def plan(
        self,
        clone_id: str,
        saved: SavedQuestion,
        schedule: Schedule | None = None,
        *,
        due_at: datetime | None = None,
        targets: Sequence[str] = (),
        secret: str | None = None,
    ) -> SavedQuestion:
        """Keep when a question is asked by itself, and where its answers are sent; without a schedule neither."""
        planned = {"schedule": schedule, "due_at": due_at, "targets": tuple(targets)}
        changed = saved.model_copy(update=planned)
        return self.change(clone_id, changed, *planned, secret=secret)

    def secret(self, clone_id: str, saved_id: str) -> str | None:
        """What webhooks of a question are signed with; None before there is any."""
        of = saved_questions.c
        with self._transactions.reading() as connection:
            return connection.scalar(
                sa.select(of.secret).where(of.clone_id == clone_id, of.id == saved_id)
            )

    def remove(self, clone_id: str, saved_id: str) -> None:
        """Remove a question with all its answers; boards show it no more."""
        of = saved_questions.c
        with self._writing(clone_id) as connection:
            this = sa.and_(of.clone_id == clone_id, of.id == saved_id)
            connection.execute(sa.delete(saved_questions).where(this))

    def answers(
        self, clone_id: str, saved_id: str, limit: int, outcome: Outcome | None = None
    ) -> tuple[SavedAnswer, ...]:
        """The latest answers of a question, newest first; only those that ended so, where that is given."""
        with self._transactions.reading() as connection:
            return load_answers(connection, clone_id, saved_id, limit, outcome)

    def add_answer(
        self,
        clone_id: str,
        saved_id: str,
        answer: SavedAnswer,
        *,
        kept: int,
        upcoming: NextTry | None = None,
        targets: Sequence[str] = (),
    ) -> SavedAnswer:
        """Keep an answer, with where it is sent, and when the question is asked next; nothing when it was removed meanwhile."""
        of = saved_questions.c
        this = sa.and_(of.clone_id == clone_id, of.id == saved_id)
        with self._writing(clone_id) as connection:
            known = connection.scalar(sa.select(of.id).where(this))
            if known is None:
                return answer
            if upcoming is not None:
                planned = sa.and_(this, of.due_at == upcoming.instead_of)
                values = {"due_at": upcoming.due_at, "tries": upcoming.tries, "claimed_until": None}
                done = connection.execute(sa.update(saved_questions).where(planned).values(values))
                if (
                    not done.rowcount
                ):  # somebody else has asked it at that time, or has planned it anew
                    targets = ()
            found = insert_answer(connection, clone_id, saved_id, answer)
            rows = [delivery_row(clone_id, saved_id, found, target) for target in targets]
            insert_all(connection, saved_deliveries, rows)
            drop_old(connection, clone_id, saved_id, kept)
        return found

    def due(self, now: datetime) -> tuple[str, ...]:
        """The clones of which something is due."""
        queries = [
            sa.select(table.c.clone_id).where(is_due(table, now))
            for table in (saved_questions, saved_deliveries)
        ]
        with self._transactions.reading() as connection:
            return tuple(sorted(set(connection.scalars(sa.union(*queries)))))

    def claim(self, clone_id: str, clock: Clock) -> ClaimedQuestion | None:
        """A question that is due; it is nobody else's for a while."""
        claimed = self._claimed(saved_questions, clone_id, clock)
        if claimed is None:
            return None
        row, until = claimed
        return ClaimedQuestion(saved_of(row, None), row["tries"], until)

    def claim_delivery(self, clone_id: str, clock: Clock) -> ClaimedDelivery | None:
        """An answer that is to be sent; it is nobody else's for a while."""
        claimed = self._claimed(saved_deliveries, clone_id, clock)
        if claimed is None:
            return None
        row, until = claimed
        of, each = saved_questions.c, saved_answers.c
        saved = sa.and_(of.clone_id == clone_id, of.id == row["saved_id"])
        query = sa.select(saved_questions).where(saved)
        answers = sa.select(saved_answers).where(each.seq == row["answer_id"])
        with self._transactions.reading() as connection:
            known = connection.execute(query).mappings().one_or_none()
            found = connection.execute(answers).mappings().one_or_none()
        if known is None or found is None:  # somebody has removed it just now
            return self.claim_delivery(clone_id, clock)
        answer = answer_of(found)
        saved_as, secret = saved_of(known, None), known["secret"] or ""
        return ClaimedDelivery(delivery_of(row), saved_as, answer, secret, until)

    def _claimed(
        self, table: sa.Table, clone_id: str, clock: Clock
    ) -> tuple[sa.RowMapping, datetime] | None:
        keys = [*table.primary_key.columns]
        with self._writing(clone_id) as connection:
            now = clock.now()
            due = sa.and_(table.c.clone_id == clone_id, is_due(table, now))
            query = sa.select(table).where(due).order_by(table.c.due_at, *keys).limit(1)
            row = connection.execute(query).mappings().one_or_none()
            if row is None:
                return None
            this = sa.and_(*(key == row[key.name] for key in keys))
            connection.execute(sa.update(table).where(this).values(claimed_until=now + CLAIMED))
        return row, now + CLAIMED

    def hold(self, clone_id: str, claimed: Claimed, clock: Clock) -> Claimed | None:
        """The claim, made longer; None where it is no longer ours, as somebody took it over, changed or removed what it is on."""
        if isinstance(claimed, ClaimedQuestion):
            table, this = saved_questions, saved_questions.c.id == claimed.saved.id
        else:
            table, this = saved_deliveries, saved_deliveries.c.seq == claimed.delivery.id
        ours = table.c.claimed_until == claimed.until
        held = sa.update(table).where(table.c.clone_id == clone_id, this, ours)
        with self._writing(clone_id) as connection:
            until = clock.now() + CLAIMED
            done = connection.execute(held.values(claimed_until=until))
        return claimed._replace(until=until) if done.rowcount else None

    def settle(self, clone_id: str, became: Delivery, until: datetime) -> bool:
        """Keep what became of a delivery, claimed until then; False, and nothing is kept, when it was not sent and is no longer ours.

        That it was sent is kept whosever it is, so that nobody sends it again.
        """
        of = saved_deliveries.c
        kept = became.model_dump(mode="python", exclude={"id", "answer_id", "target"})
        values = {**kept, "state": became.state.value, "claimed_until": None}
        this = sa.and_(of.clone_id == clone_id, of.seq == became.id)
        if became.state is not DeliveryState.SENT:
            this = sa.and_(this, of.claimed_until == until)
        with self._writing(clone_id) as connection:
            done = connection.execute(sa.update(saved_deliveries).where(this).values(values))
        return bool(done.rowcount)

    def deliveries(self, clone_id: str, saved_id: str, limit: int) -> tuple[Delivery, ...]:
        """The latest deliveries of a question, newest first."""
        of = saved_deliveries.c
        query = sa.select(saved_deliveries).where(of.clone_id == clone_id, of.saved_id == saved_id)
        with self._transactions.reading() as connection:
            rows = connection.execute(query.order_by(of.seq.desc()).limit(limit)).mappings()
            return tuple(map(delivery_of, rows))

    def put_board(self, clone_id: str, board: Board) -> None:
        """Keep a board, in place of one of that name."""
        values = {**board.model_dump(), "clone_id": clone_id, "questions": [*board.questions]}
        with self._writing(clone_id) as connection:
            _drop_board(connection, clone_id, board.name)
            connection.execute(sa.insert(boards), values)

    def boards(self, clone_id: str) -> tuple[Board, ...]:
        """All boards, by name."""
        query = sa.select(boards).where(boards.c.clone_id == clone_id).order_by(boards.c.name)
        with self._transactions.reading() as connection:
            return tuple(record_of(Board, row) for row in connection.execute(query).mappings())

    def remove_board(self, clone_id: str, name: str) -> None:
        """Remove a board; its questions stay."""
        with self._writing(clone_id) as connection:
            _drop_board(connection, clone_id, name)

    def _writing(self, clone_id: str) -> Any:
        return self._transactions.writing(clone_id, Access.WRITE_DURABLY, journalled=False)


def _drop_board(connection: sa.Connection, clone_id: str, name: str) -> None:
    of = boards.c
    known = connection.scalars(sa.select(of.name).where(of.clone_id == clone_id)).all()
    for one in known:
        if is_named(one, name):
            connection.execute(sa.delete(boards).where(of.clone_id == clone_id, of.name == one))
