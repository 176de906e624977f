"""Read back how the latest answers fared: all of them, or those that were made with something.

Nothing of this is stored as such: it follows from the episodes, the feedback log and the evaluations.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Literal, NamedTuple

import sqlalchemy as sa

from oldhand.record.answer import Outcome
from oldhand.record.fared import Fared
from oldhand.store import tables
from oldhand.store.conditions import made_with
from oldhand.store.transactions import Transactions
from oldhand.store.verdict_query import success_of, word_of

_Answers = sa.Select[*tuple[object, ...]]


class FaredReads:
    """What a `Store` knows of how answers fared."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def latest(self, clone_id: str, limit: int) -> tuple[Fared, ...]:
        """The latest answers of a clone, newest first."""
        with self._transactions.reading() as connection:
            return tuple(_fared(connection, _LATEST, {"clone_id": clone_id, "limit": limit}))

    def made_with(
        self, clone_id: str, item_ids: Sequence[str], *, kind: str, limit: int
    ) -> tuple[Fared, ...]:
        """The latest answers that were made with any of these; what was shown but cannot have been used is left out.

        One for each answer and item, newest first; `limit` of each item at most.
        """
        asked = {"clone_id": clone_id, "kind": kind, "limit": limit}
        with self._transactions.snapshot(), self._transactions.reading() as connection:
            found = [
                fared
                for one in item_ids
                for fared in _fared(connection, _MADE_WITH, {**asked, "ids": [one]})
            ]
        return tuple(sorted(found, key=lambda one: one.at, reverse=True))

    def tried(
        self, clone_id: str, item_ids: Sequence[str], *, kind: str, since: datetime
    ) -> Mapping[str, tuple[int, int]]:
        """How many answers were right and wrong that were made with each of these, where that was left to chance."""
        asked = {"clone_id": clone_id, "ids": list(item_ids), "kind": kind, "since": since}
        with self._transactions.reading() as connection:
            rows = connection.execute(_TRIED, asked).all()
        number = {(row.item_id, row.success): row.number for row in rows}
        return {one: (number.get((one, 1), 0), number.get((one, 0), 0)) for one in item_ids}


_READ = ("id", "created_at", "question", "model", "seconds", "outcome", "usage")


def _answers(*item: sa.ColumnElement[str] | sa.ColumnElement[float]) -> _Answers:
    episode = tables.episodes
    columns = (*(episode.c[name] for name in _READ), *item, success_of(episode), word_of(episode))
    return (
        sa.select(*columns)
        .where(episode.c.clone_id == sa.bindparam("clone_id"))
        .order_by(episode.c.seq.desc())
        .limit(sa.bindparam("limit", type_=sa.Integer))
    )


def _made_with() -> _Answers:
    item = tables.recollection_items
    made = _answers(item.c.item_id, item.c.chance)
    return made.join(item, _of_episode(item)).where(_is_used(item))


def _tried() -> _Answers:
    episode, item = tables.episodes, tables.recollection_items
    answers = (
        sa.select(item.c.item_id, success_of(episode).label("success"))
        .join(item, _of_episode(item))
        .where(_is_used(item), item.c.chance < 1, episode.c.created_at >= sa.bindparam("since"))
        .subquery()
    )
    counted: _Answers = sa.select(*answers.c, sa.func.count().label("number"))
    return counted.group_by(*answers.c)


def _of_episode(item: sa.Table) -> sa.ColumnElement[bool]:
    episode = tables.episodes
    return sa.and_(item.c.clone_id == episode.c.clone_id, item.c.episode_id == episode.c.id)


def _is_used(item: sa.Table) -> sa.ColumnElement[bool]:
    return sa.and_(
        item.c.clone_id == sa.bindparam("clone_id"),
        item.c.item_id.in_(sa.bindparam("ids", expanding=True)),
        item.c.kind == sa.bindparam("kind"),
        made_with(item),
    )


def _fared(
    connection: sa.Connection, query: _Answers, asked: Mapping[str, object]
) -> Iterator[Fared]:
    for row in map(_Told._make, connection.execute(query, asked)):
        yield Fared(
            episode_id=row.id,
            at=row.created_at,
            question=row.question,
            model=row.model,
            success=None if row.success is None else bool(row.success),
            feedback=_WORDS[row.word],
            cost=float(row.usage.get("cost", 0.0)),
            seconds=row.seconds,
            outcome=_OUTCOMES[row.outcome],
            requests=int(row.usage.get("requests", 0)),
            item_id=row.item_id,
            chance=row.chance,
        )


class _Told(NamedTuple):
    """A row by position: there are thousands, and looking names up takes longer than reading them."""

    id: str
    created_at: datetime
    question: str
    model: str
    seconds: float
    outcome: str
    usage: Mapping[str, float]
    item_id: str
    chance: float
    success: int | None
    word: int | None


_OUTCOMES = {one.value: one for one in Outcome}
_WORDS: Mapping[int | None, Literal["positive", "negative"] | None] = {
    None: None,
    0: "negative",
    1: "positive",
}

_LATEST = _answers(sa.literal(""), sa.literal(1.0))
_MADE_WITH, _TRIED = _made_with(), _tried()
"""Built once: putting them together takes longer than running them."""
