"""Runs that are not answered yet, in the store."""

import sqlalchemy as sa

from oldhand.errors import RunTakenOver, UnknownRun
from oldhand.record.ports import Clock
from oldhand.record.step import AgentState, Checkpoint, KeptRun
from oldhand.store.column_types import AnyText
from oldhand.store.engine import Access
from oldhand.store.transactions import Transactions, fields_of, only_one
from oldhand.store.work_tables import run_steps, runs

_OF_CLONE = sa.bindparam("of_clone", type_=AnyText())
_OF_RUN = sa.bindparam("of_run", type_=AnyText())
_TAKEN_UP = sa.bindparam("times_taken_up", type_=sa.Integer())
_NUMBERED = sa.bindparam("numbered", type_=sa.Integer())


def _this(table: sa.Table) -> sa.ColumnElement[bool]:
    return sa.and_(table.c.clone_id == _OF_CLONE, table.c.run_id == _OF_RUN)


# Built once: putting a statement together takes longer than running it.
_CHANGE_RUN = (
    sa.update(runs)
    .where(_this(runs), runs.c.taken_up == _TAKEN_UP)
    .values({name: sa.bindparam(name) for name in ("saved_at", "state", "ledger", "recalled")})
)
_TAKE_UP = sa.update(runs).where(_this(runs)).values(taken_up=runs.c.taken_up + 1)
_ADD_RUN = sa.insert(runs)
_RUN = sa.select(runs).where(_this(runs))
_DROP_RUN = sa.delete(runs).where(_this(runs))
_CHANGE_STEP = (
    sa.update(run_steps)
    .where(_this(run_steps), run_steps.c.number == _NUMBERED)
    .values(step=sa.bindparam("step"))
)
_STEPS = sa.select(run_steps.c.step).where(_this(run_steps)).order_by(run_steps.c.number)
_LAST_STEP = sa.select(sa.func.max(run_steps.c.number)).where(_this(run_steps))


class StoredCheckpoints:
    """Keeps the runs of one clone. Methods block, and may raise the errors of the store."""

    def __init__(
        self, transactions: Transactions, clone_id: str, clock: Clock, user_id: str | None = None
    ) -> None:
        self._transactions = transactions
        self._clone_id = clone_id
        self._clock = clock
        self._user_id = user_id

    def begin(self, checkpoint: Checkpoint) -> None:
        """Keep a run from now on; one of the same name is forgotten."""
        named = {"clone_id": self._clone_id, "run_id": checkpoint.run_id, "user_id": self._user_id}
        once = checkpoint.model_dump(mode="json", include={"lessons", "instructions", "taken_up"})
        with self._transactions.writing(self._clone_id) as connection:
            connection.execute(_DROP_RUN, self._named(checkpoint.run_id))
            connection.execute(_ADD_RUN, named | once | self._head(checkpoint))
            self._put_steps(connection, checkpoint.state)

    def save(self, checkpoint: Checkpoint, *, durable: bool = False) -> None:
        """Keep a run as it is now, in place of what was kept of it; steps before the last one are not written again.

        Args:
            checkpoint: the run.
            durable: True to have it on the disk when this returns; else it survives the process, but perhaps not the
                power.

        Raises:
            RunTakenOver: somebody has taken it up since, or it is kept no longer.
        """
        mine = self._named(checkpoint.run_id) | {"times_taken_up": checkpoint.taken_up}
        access = Access.WRITE_DURABLY if durable else Access.WRITE
        with self._transactions.writing(self._clone_id, access) as connection:
            if not connection.execute(_CHANGE_RUN, mine | self._head(checkpoint)).rowcount:
                raise RunTakenOver(
                    f"Somebody else goes on with the run {checkpoint.run_id!r}, or has ended it."
                )
            self._put_steps(connection, checkpoint.state)

    def load(self, run_id: str) -> Checkpoint | None:
        """The run as it was saved last; None when there is none."""
        kept = self.kept(run_id)
        return None if kept is None else kept.checkpoint

    def take_up(self, run_id: str) -> Checkpoint | None:
        """As `load`, to go on with it: whoever did so before can change it no more."""
        with self._transactions.writing(self._clone_id) as connection:
            connection.execute(_TAKE_UP, self._named(run_id))
            kept = self._loaded(connection, run_id)
        return None if kept is None else kept.checkpoint

    def drop(self, run_id: str) -> None:
        """Forget a run; one that is not there is no error."""
        with self._transactions.writing(self._clone_id) as connection:
            connection.execute(_DROP_RUN, self._named(run_id))

    def unfinished(self) -> tuple[str, ...]:
        """Ids of the runs that are kept, the one that was saved last first."""
        kept = (
            sa.select(runs.c.run_id)
            .where(runs.c.clone_id == self._clone_id)
            .order_by(runs.c.saved_at.desc(), runs.c.run_id)
        )
        with self._transactions.reading() as connection:
            return tuple(connection.scalars(kept))

    def kept(self, run_id: str) -> KeptRun | None:
        """As `load`, with when it was saved, and who asked."""
        with self._transactions.reading() as connection:
            return self._loaded(connection, run_id)

    def find(self, given: str) -> KeptRun:
        """The one run whose id is `given`, or begins with it.

        Raises:
            UnknownRun: there is none.
            UsageError: several begin like that.
        """
        known = self.unfinished()
        alike = [one for one in known if one.startswith(given)]
        found = given if given in known else only_one(alike, "runs", given)
        kept = None if found is None else self.kept(found)
        if kept is None:
            raise UnknownRun(f"No unfinished run {given!r} is kept: answered ones are done with.")
        return kept

    def _head(self, checkpoint: Checkpoint) -> dict[str, object]:
        """What changes while a run goes on, but the steps."""
        return {
            "saved_at": self._clock.now(),
            "state": checkpoint.state.model_dump(exclude={"steps"}),
            **checkpoint.model_dump(mode="json", include={"recalled", "ledger"}),
        }

    def _loaded(self, connection: sa.Connection, run_id: str) -> KeptRun | None:
        this = self._named(run_id)
        head = connection.execute(_RUN, this).mappings().one_or_none()
        if head is None:
            return None
        steps = connection.scalars(_STEPS, this).all()
        known = {**fields_of(Checkpoint, head), "state": {**head["state"], "steps": steps}}
        return KeptRun.model_validate({**fields_of(KeptRun, head), "checkpoint": known})

    def _put_steps(self, connection: sa.Connection, state: AgentState) -> None:
        """Write the last step, or all that are new."""
        if not state.steps:
            return
        this, last = self._named(state.run_id), state.steps[-1]
        changed = {"numbered": last.number, "step": last.model_dump()}
        if connection.execute(_CHANGE_STEP, this | changed).rowcount:
            return
        known = connection.scalar(_LAST_STEP, this) or 0
        run = {"clone_id": self._clone_id, "run_id": state.run_id}
        new = [
            {**run, "number": step.number, "step": step.model_dump()}
            for step in state.steps
            if step.number > known
        ]
        connection.execute(sa.insert(run_steps), new)

    def _named(self, run_id: str) -> dict[str, object]:
        return {"of_clone": self._clone_id, "of_run": run_id}
