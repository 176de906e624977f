"""Runs that are not answered yet, in the store."""

from typing import cast

import sqlalchemy as sa

from oldhand.record.checkpoint import Checkpoint
from oldhand.record.lesson import Lesson
from oldhand.record.ports import Clock
from oldhand.record.step import AgentState, Step
from oldhand.record.usage import LedgerEntry
from oldhand.store.engine import Access
from oldhand.store.run_tables import run_steps, runs
from oldhand.store.transactions import Transactions

_DERIVED = {"steps"}


class StoredCheckpoints:
    """Keeps the runs of one clone: each save is on the disk when it returns.

    A tool is called only after the step that calls it was saved, so that nothing is done that nobody knows of. Methods
    block, and may raise the errors of the store.
    """

    def __init__(self, transactions: Transactions, clone_id: str, clock: Clock) -> None:
        self._transactions = transactions
        self._clone_id = clone_id
        self._clock = clock

    def save(self, checkpoint: Checkpoint) -> None:
        """Keep a run as it is now, in place of what was kept of it; steps before the last one are not written again."""
        run_id = checkpoint.run_id
        head = {
            "saved_at": self._clock.now(),
            "state": checkpoint.state.model_dump(exclude=_DERIVED),
            "lessons": [lesson.model_dump(mode="json") for lesson in checkpoint.lessons],
            "ledger": [entry.model_dump(mode="json") for entry in checkpoint.ledger],
        }
        with self._transactions.writing(self._clone_id, Access.WRITE_DURABLY) as connection:
            changed = connection.execute(
                sa.update(runs).where(self._this(runs, run_id)).values(head)
            )
            if not changed.rowcount:
                named = {"clone_id": self._clone_id, "run_id": run_id}
                connection.execute(sa.insert(runs).values(named | head))
            self._put_steps(connection, run_id, checkpoint.state.steps)

    def load(self, run_id: str) -> Checkpoint | None:
        """The run as it was saved last; None when there is none."""
        steps = (
            sa.select(run_steps.c.step)
            .where(self._this(run_steps, run_id))
            .order_by(run_steps.c.number)
        )
        with self._transactions.reading() as connection:
            head = connection.execute(sa.select(runs).where(self._this(runs, run_id))).one_or_none()
            if head is None:
                return None
            taken = tuple(Step.model_validate(step) for step in connection.scalars(steps))
        state = AgentState.model_validate({**cast("dict[str, object]", head.state), "steps": taken})
        return Checkpoint(
            state=state,
            lessons=tuple(Lesson.model_validate(lesson) for lesson in head.lessons),
            ledger=tuple(LedgerEntry.model_validate(entry) for entry in head.ledger),
        )

    def drop(self, run_id: str) -> None:
        """Forget a run; one that is not there is no error."""
        with self._transactions.writing(self._clone_id) as connection:
            connection.execute(sa.delete(runs).where(self._this(runs, run_id)))

    def unfinished(self) -> tuple[str, ...]:
        """Ids of the runs that are kept, the one that was saved last first."""
        kept = (
            sa.select(runs.c.run_id)
            .where(runs.c.clone_id == self._clone_id)
            .order_by(runs.c.saved_at.desc(), runs.c.run_id)
        )
        with self._transactions.reading() as connection:
            return tuple(connection.scalars(kept))

    def _put_steps(self, connection: sa.Connection, run_id: str, steps: tuple[Step, ...]) -> None:
        """Write the steps that may have changed: the last one that is kept, and those behind it."""
        this = self._this(run_steps, run_id)
        kept = connection.scalar(sa.select(sa.func.max(run_steps.c.number)).where(this)) or 0
        connection.execute(sa.delete(run_steps).where(this, run_steps.c.number >= kept))
        new = [
            {
                "clone_id": self._clone_id,
                "run_id": run_id,
                "number": step.number,
                "step": step.model_dump(),
            }
            for step in steps
            if step.number >= kept
        ]
        if new:
            connection.execute(sa.insert(run_steps), new)

    def _this(self, table: sa.Table, run_id: str) -> sa.ColumnElement[bool]:
        return sa.and_(table.c.clone_id == self._clone_id, table.c.run_id == run_id)
