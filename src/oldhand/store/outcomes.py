"""How answers fared that rest on a memory; always derived from the feedback log."""

from collections.abc import Mapping, Sequence

import sqlalchemy as sa

from oldhand.record.feedback import CONFIRMS, MACHINES, TRUSTED
from oldhand.record.lesson import Tally
from oldhand.store import tables

_BATCH = 500
"""Ids in one statement; databases limit how many there may be."""


def load_tallies(
    connection: sa.Connection, clone_id: str, ids: Sequence[str]
) -> Mapping[str, Tally]:
    """The tally of each of these memories; those without votes have an empty one."""
    found = dict.fromkeys(ids, Tally())
    for start in range(0, len(ids), _BATCH):
        asked = {"clone_id": clone_id, "ids": ids[start : start + _BATCH]}
        rows = connection.execute(_TALLIES, asked)
        found |= {row.item_id: Tally(row.ups, row.downs) for row in rows}
    return found


def count_uses(connection: sa.Connection, clone_id: str, memory_id: str) -> int:
    """How many answers rest on a memory, or may rest on it."""
    item = tables.recollection_items
    query = sa.select(sa.func.count(sa.distinct(item.c.episode_id))).where(
        item.c.clone_id == clone_id,
        item.c.item_id == memory_id,
        item.c.kind == "memory",
        item.c.shown,
        sa.func.coalesce(item.c.used, sa.true()),
    )
    return connection.scalar(query) or 0


def _tallies() -> sa.Select[str, int, int]:
    """Count votes by memory. A correction says that the answer was wrong, whatever the thumb, unless it is the answer's own."""
    votes = _votes().subquery()
    repeats = sa.type_coerce(votes.c.tags, sa.Text).contains(f'"{CONFIRMS}"')
    corrects = sa.func.coalesce(votes.c.correction, "") != ""
    wrong = sa.and_(corrects, ~repeats)
    confirms = sa.and_(corrects, repeats, sa.func.coalesce(votes.c.rating, 1) != -1)
    up = sa.case((wrong, 0), (votes.c.rating == 1, 1), (confirms, 1), else_=0)
    down = sa.case((wrong, 1), (votes.c.rating == -1, 1), else_=0)
    return sa.select(
        votes.c.item_id, sa.func.sum(up).label("ups"), sa.func.sum(down).label("downs")
    ).group_by(votes.c.item_id)


def _votes() -> sa.Select[*tuple[object, ...]]:
    """Each trusted person's latest word on each answer that rests, or may rest, on one of `ids`.

    Once for each memory, however often it was recalled for the answer.
    """
    item, vote = tables.recollection_items, tables.feedback
    of_episode = sa.and_(vote.c.clone_id == item.c.clone_id, vote.c.episode_id == item.c.episode_id)
    return (
        sa.select(item.c.item_id, vote.c.seq, vote.c.rating, vote.c.correction, vote.c.tags)
        .distinct()
        .join(vote, of_episode)
        .where(
            item.c.clone_id == sa.bindparam("clone_id"),
            item.c.item_id.in_(sa.bindparam("ids", expanding=True)),
            item.c.kind == "memory",
            item.c.shown,
            sa.func.coalesce(item.c.used, sa.true()),
            vote.c.source.in_([one.value for one in TRUSTED]),
            ~_superseded(vote),
        )
    )


def _superseded(vote: sa.Table) -> sa.Exists:
    """As in `oldhand.record.feedback.standing`; that a bare -1 agrees with a correction changes no tally."""
    later = tables.feedback.alias("later")
    return sa.exists().where(
        later.c.clone_id == vote.c.clone_id,
        later.c.episode_id == vote.c.episode_id,
        later.c.rater == vote.c.rater,
        later.c.seq > vote.c.seq,
        # An evaluator may have the name of a person.
        later.c.source.not_in([one.value for one in MACHINES]),
        sa.or_(later.c.rating.is_not(None), sa.func.coalesce(later.c.correction, "") != ""),
    )


_TALLIES = _tallies()
"""Built once: putting it together takes longer than running it."""
