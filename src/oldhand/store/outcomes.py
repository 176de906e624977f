"""How answers fared that rest on a memory.

The votes of each memory are counted when something is said of an answer, for all memories that the answer rests on: a
lesson that is recalled for every question would else be counted through all answers with every question. What is counted
always follows from the feedback log; `recount` derives it anew.
"""

from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager
from functools import lru_cache

import sqlalchemy as sa

from oldhand.record.feedback import MACHINES, OF_STYLE, TRUSTED
from oldhand.record.lesson import Tally
from oldhand.store import tables
from oldhand.store.among import among
from oldhand.store.transactions import (
    corrects,
    is_corrected,
    is_tagged,
    is_whole,
    made_with,
    upsert,
)
from oldhand.store.work_tables import memory_votes

_COUNTED = ("clone_id", "memory_id", "ups", "downs")
_item = tables.recollection_items
_MAY_REST_ON = sa.and_(
    _item.c.clone_id == sa.bindparam("clone_id"), _item.c.kind == "memory", made_with(_item)
)


def load_tallies(
    connection: sa.Connection, clone_id: str, ids: Collection[str]
) -> Mapping[str, Tally]:
    """The tally of each of these memories; those without votes have an empty one."""
    asked = {"of_clone": clone_id, "ids": list(ids)}
    rows = connection.execute(_counted(connection.dialect.name), asked).all()
    return {**dict.fromkeys(ids, Tally()), **{one: Tally(ups, downs) for one, ups, downs in rows}}


@contextmanager
def counting(connection: sa.Connection, clone_id: str, episode_id: str) -> Generator[None]:
    """Let the tallies follow what is said of an answer meanwhile."""
    asked = {"clone_id": clone_id, "episode_id": episode_id}
    before = Tally(*connection.execute(_SAID, asked).one())
    yield
    after = Tally(*connection.execute(_SAID, asked).one())
    if after != before:
        more = {"more_ups": after.ups - before.ups, "more_downs": after.downs - before.downs}
        connection.execute(_count(connection.dialect.name), {**asked, **more})


def recount(connection: sa.Connection, clone_id: str) -> int:
    """Count all votes of a clone again; gives for how many memories there are some."""
    table = memory_votes
    connection.execute(sa.delete(table).where(table.c.clone_id == clone_id))
    rows = sa.insert(table).from_select(_COUNTED, _TALLIES)
    return connection.execute(rows, {"clone_id": clone_id}).rowcount


@lru_cache(maxsize=2)
def _counted(dialect: str) -> sa.Select[str, int, int]:
    """Built once: putting a statement together takes longer than running it."""
    table = memory_votes.c
    of_clone = table.clone_id == sa.bindparam("of_clone", type_=table.clone_id.type)
    return sa.select(table.memory_id, table.ups, table.downs).where(
        of_clone, among(table.memory_id, "ids", dialect)
    )


@lru_cache(maxsize=2)
def _count(dialect: str) -> sa.Executable:
    """Add to the tallies of all memories that an answer rests on."""
    insert = upsert(memory_votes, dialect)
    more = [sa.bindparam(name, type_=sa.BigInteger) for name in ("more_ups", "more_downs")]
    rows = (
        sa.select(_item.c.clone_id, _item.c.item_id, *more)
        .distinct()
        .where(_MAY_REST_ON, _item.c.episode_id == sa.bindparam("episode_id"))
    )
    total = {name: memory_votes.c[name] + insert.excluded[name] for name in ("ups", "downs")}
    return insert.from_select(_COUNTED, rows).on_conflict_do_update(
        index_elements=["clone_id", "memory_id"], set_=total
    )


def _tallies() -> sa.Select[str, str, int, int]:
    """The votes of one clone by memory: once for each, however often it was recalled for an answer."""
    vote, memory = tables.feedback, (_item.c.clone_id, _item.c.item_id)
    votes = (
        sa.select(*memory, vote.c.seq, vote.c.rating, vote.c.correction, vote.c.tags)
        .distinct()
        .join(vote, sa.and_(vote.c.clone_id == memory[0], vote.c.episode_id == _item.c.episode_id))
        .where(_MAY_REST_ON, _counts(vote))
        .subquery()
    )
    memory = (votes.c.clone_id, votes.c.item_id)
    totals = (sa.func.sum(_up(votes)), sa.func.sum(_down(votes)))
    return sa.select(*memory, *totals).group_by(*memory)


def _said() -> sa.Select[int, int]:
    """The votes on one answer."""
    vote = tables.feedback
    ups, downs = sa.func.sum(_up(vote)), sa.func.sum(_down(vote))
    return sa.select(sa.func.coalesce(ups, 0), sa.func.coalesce(downs, 0)).where(
        vote.c.clone_id == sa.bindparam("clone_id"),
        vote.c.episode_id == sa.bindparam("episode_id"),
        _counts(vote),
    )


def _counts(vote: sa.Table) -> sa.ColumnElement[bool]:
    """Whether it is the latest word of a trusted person."""
    trusted = vote.c.source.in_([one.value for one in TRUSTED])
    return sa.and_(trusted, is_whole(vote), ~_superseded(vote))


def _up(vote: sa.FromClause) -> sa.ColumnElement[int]:
    confirms = sa.and_(is_corrected(vote), sa.func.coalesce(vote.c.rating, 1) != -1)
    return sa.case((corrects(vote), 0), (vote.c.rating == 1, 1), (confirms, 1), else_=0)


def _down(vote: sa.FromClause) -> sa.ColumnElement[int]:
    of_style = is_tagged(vote, OF_STYLE)
    return sa.case((corrects(vote), 1), (of_style, 0), (vote.c.rating == -1, 1), else_=0)


def _superseded(vote: sa.Table) -> sa.Exists:
    """As in `oldhand.record.feedback.standing`; that a bare -1 agrees with a correction changes no tally."""
    later = tables.feedback.alias("later")
    return sa.exists().where(
        later.c.clone_id == vote.c.clone_id,
        later.c.episode_id == vote.c.episode_id,
        later.c.rater == vote.c.rater,
        later.c.seq > vote.c.seq,
        is_whole(later),
        # An evaluator may have the name of a person.
        later.c.source.not_in([one.value for one in MACHINES]),
        sa.or_(later.c.rating.is_not(None), is_corrected(later)),
    )


_TALLIES = _tallies()
_SAID = _said()
