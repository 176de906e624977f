"""Answers that wait to be looked back on.

An answer waits from the transaction that records it, and again from each that says something of it, until the one
that saves its reflection: whatever is killed in between, it still waits. Who takes one up holds it for a while; when
that is over, because the process died, somebody else may. Only who still holds it can save.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.record.memory import Memory
from oldhand.record.ports import Clock
from oldhand.record.usage import LedgerEntry
from oldhand.store.journal.outbox import Outbox
from oldhand.store.memory_writes import save_in
from oldhand.store.tables import episodes, token_ledger
from oldhand.store.transactions import Transactions, insert_all, upsert
from oldhand.store.work_tables import waiting_reflections

LONGEST_CLAIM = timedelta(minutes=15)
"""A claim that ends later than this was made before the clock was set back."""

_table = waiting_reflections
_COLUMNS = ["clone_id", "episode_id", "since", "round", "tries", "for_model"]
_ANEW = {"round": _table.c.round + 1, "tries": 0, "for_model": False}


class Claim(NamedTuple):
    """An answer that somebody looks back on."""

    episode_id: str
    round: int
    """What had been said when it was taken up."""
    by: str
    """Who holds it."""
    for_model: bool
    """Whether rules have looked already, and a language model is to look again."""


def let_wait(connection: sa.Connection, clone_id: str, episode_id: str, at: datetime) -> None:
    """Let an answer wait, in the transaction of what there is to look at; one that is not recorded yet does not."""
    given = {"of_clone": clone_id, "of_episode": episode_id, "at": at}
    connection.execute(_let_wait(connection.dialect.name), given)


def call_row(entry: LedgerEntry) -> dict[str, object]:
    """What a call to a language model has cost, as the token ledger has it."""
    return {**entry.model_dump(exclude={"usage"}), **entry.usage.model_dump()}


def _longest_waiting(clone_id: str, tries: int) -> "sa.Select[str, int, bool]":
    return (
        sa.select(_table.c.episode_id, _table.c.round, _table.c.for_model)
        .where(_table.c.clone_id == clone_id, _table.c.tries < tries)
        .order_by(_table.c.for_model, _table.c.since, _table.c.episode_id)
        .limit(1)
    )


@lru_cache(maxsize=2)
def _let_wait(dialect: str) -> sa.Executable:
    """Built once: putting a statement together takes longer than running it."""
    insert = upsert(_table, dialect)
    at = sa.bindparam("at", type_=_table.c.since.type)
    first, no_tries, rules = sa.literal(1), sa.literal(0), sa.false()
    row = sa.select(episodes.c.clone_id, episodes.c.id, at, first, no_tries, rules)
    recorded = row.where(
        episodes.c.clone_id == sa.bindparam("of_clone", type_=episodes.c.clone_id.type),
        episodes.c.id == sa.bindparam("of_episode", type_=episodes.c.id.type),
    )
    return insert.from_select(_COLUMNS, recorded).on_conflict_do_update(
        index_elements=["clone_id", "episode_id"], set_=_ANEW
    )


class ReflectionQueue:
    """What a `Store` does with answers that wait. Methods block, and may raise the errors of the store."""

    def __init__(self, transactions: Transactions, outbox: Outbox, clock: Clock) -> None:
        self._transactions = transactions
        self._outbox = outbox
        self._clock = clock

    def claim(
        self,
        clone_id: str,
        by: str,
        *,
        seconds: float,
        tries: int,
        models: bool = False,
        episode_id: str | None = None,
    ) -> Claim | None:
        """Take up the answer that has waited longest, and hold it; None when there is none.

        Args:
            clone_id: whose.
            by: an id that nobody else uses.
            seconds: for how long it is held.
            tries: those that were taken up this often already are left aside.
            models: also those that wait for a language model only.
            episode_id: only this one.
        """
        now = self._clock.now()
        free = sa.or_(
            _table.c.claimed_until.is_(None),
            _table.c.claimed_until <= now,
            _table.c.claimed_until > now + LONGEST_CLAIM,
        )
        query = _longest_waiting(clone_id, tries).where(free)
        if not models:
            query = query.where(_table.c.for_model.is_(sa.false()))
        if episode_id is not None:
            query = query.where(_table.c.episode_id == episode_id)
        return self._taken(clone_id, by, query, until=now + timedelta(seconds=seconds))

    def take_over(self, clone_id: str, by: str, *, seconds: float, tries: int) -> Claim | None:
        """Take up an answer that the rules of somebody else are at, who then can't save it; None when there is none.

        It is for those who can't go on without its reflection: looking again takes no longer than waiting.
        """
        until = self._clock.now() + timedelta(seconds=seconds)
        query = _longest_waiting(clone_id, tries).where(
            _table.c.claimed_by != by, _table.c.for_model.is_(sa.false())
        )
        return self._taken(clone_id, by, query, until=until)

    def _taken(
        self, clone_id: str, by: str, query: "sa.Select[str, int, bool]", *, until: datetime
    ) -> Claim | None:
        with self._transactions.reading() as connection:
            if connection.execute(query).first() is None:
                return None  # mostly there is none, and looking makes nobody wait
        with self._transactions.writing(clone_id, journalled=False) as connection:
            found = connection.execute(query).first()
            if found is None:
                return None
            claim = Claim(found.episode_id, found.round, by, found.for_model)
            held = {"claimed_by": by, "claimed_until": until}
            connection.execute(self._of(clone_id, claim.episode_id, held, tried=1))
        return claim

    def hold(self, clone_id: str, claim: Claim, *, seconds: float) -> bool:
        """Hold it for longer; False when somebody else has it by now."""
        until = self._clock.now() + timedelta(seconds=seconds)
        with self._transactions.writing(clone_id, journalled=False) as connection:
            change = self._of(clone_id, claim.episode_id, {"claimed_until": until})
            return bool(connection.execute(change.where(_table.c.claimed_by == claim.by)).rowcount)

    def finish(
        self,
        clone_id: str,
        claim: Claim,
        memory: Memory,
        *,
        for_model: bool = False,
        ledger: Sequence[LedgerEntry] = (),
    ) -> bool:
        """Save the reflection and what it has cost; False when somebody else has the answer by now: nothing was saved then.

        The answer waits no longer, unless more was said meanwhile, or a language model is to look again (`for_model`).
        """
        with self._transactions.writing(clone_id) as connection:
            mine = sa.and_(_is(clone_id, claim.episode_id), _table.c.claimed_by == claim.by)
            row = connection.execute(sa.select(_table.c.round).where(mine)).first()
            if row is None:
                return False
            save_in(connection, [memory], self._outbox, at=self._clock.now())
            calls = ({"clone_id": clone_id, **call_row(one)} for one in ledger)
            insert_all(connection, token_ledger, calls)
            if row.round == claim.round and not for_model:
                connection.execute(sa.delete(_table).where(mine))
            else:
                later = {"claimed_by": None, "claimed_until": None, "tries": 0}
                if row.round == claim.round:
                    later["for_model"] = True
                connection.execute(sa.update(_table).where(mine).values(later))
        return True

    def let_go(self, clone_id: str, claim: Claim) -> None:
        """Give it back unfinished, for want of time: that is no try."""
        back = {"claimed_by": None, "claimed_until": None}
        with self._transactions.writing(clone_id, journalled=False) as connection:
            change = self._of(clone_id, claim.episode_id, back, tried=-1)
            connection.execute(change.where(_table.c.claimed_by == claim.by))

    def waiting(self, clone_id: str) -> int:
        """How many answers wait, those included that somebody is at, or that were left aside."""
        query = sa.select(sa.func.count()).where(_table.c.clone_id == clone_id)
        with self._transactions.reading() as connection:
            return connection.scalar(query) or 0

    def wait_again(self, clone_id: str, episode_id: str) -> None:
        """Let one recorded answer wait, whether it does already or not."""
        with self._transactions.writing(clone_id, journalled=False) as connection:
            let_wait(connection, clone_id, episode_id, self._clock.now())

    def _of(
        self, clone_id: str, episode_id: str, values: Mapping[str, object], *, tried: int = 0
    ) -> sa.Update:
        return (
            sa.update(_table)
            .where(_is(clone_id, episode_id))
            .values({**values, "tries": _table.c.tries + tried})
        )


def _is(clone_id: str, episode_id: str) -> sa.ColumnElement[bool]:
    return sa.and_(_table.c.clone_id == clone_id, _table.c.episode_id == episode_id)
