"""What happened to an issue in one run: how often it came, and whether it was shown; drawn once."""

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.record.evaluation import Evaluation
from oldhand.store import tables
from oldhand.store.column_types import AnyText
from oldhand.store.transactions import rows_among, upsert

_runs, _tallies, _judged = tables.issue_runs, tables.issue_tallies, tables.evaluations


class Draw(NamedTuple):
    """Whether a note is shown in a run; made once."""

    tally_seq: int
    shown: bool
    chance: float


# Statements are built once: putting one together takes longer than running it.
_EPISODE = (
    _runs.c.clone_id == sa.bindparam("of_clone", type_=AnyText),
    _runs.c.episode_id == sa.bindparam("of_episode", type_=AnyText),
)
_OF_RUN = (*_EPISODE, _runs.c.tally_seq == sa.bindparam("of_tally"))
_INSERT = sa.insert(_runs)
# Of all issues of the run, which are few: a list of any length makes the statement be written anew.
_DRAWN_BEFORE = sa.select(_runs.c.tally_seq, _runs.c.shown, _runs.c.chance).where(*_EPISODE)
_DRAW = (
    sa.update(_runs)
    .where(*_OF_RUN)
    .values(
        shown=sa.bindparam("is_shown"),
        chance=sa.bindparam("its_chance"),
        # What came before the draw came without being shown.
        at=sa.bindparam("drawn_at", type_=_runs.c.at.type),
    )
)
_COUNT_SHOWN = (
    sa.update(_tallies)
    .where(_tallies.c.seq == sa.bindparam("of_tally"))
    .values(shown=_tallies.c.shown + 1, shown_since=_tallies.c.shown_since + 1)
)
# Only the run is looked for in the database, whose planner would otherwise start from all issues of a group.
_NAMES = ("policy_model", "task_type", "evaluator_type")
_JUDGED = sa.select(*(_judged.c[name] for name in _NAMES)).where(
    _judged.c.clone_id == sa.bindparam("of_clone", type_=AnyText),
    _judged.c.episode_id == sa.bindparam("of_episode", type_=AnyText),
)
_SHOWN = (
    sa.select(_tallies.c.group_seq)
    .join_from(_runs, _tallies, _runs.c.tally_seq == _tallies.c.seq)
    .where(*_EPISODE)
    .distinct()
)


def note_in_run(
    connection: sa.Connection, clone_id: str, tally_seq: int, evaluation: Evaluation
) -> bool:
    """Note that an issue came in a run; true when it had been shown there before."""
    if evaluation.episode_id is None:
        return False
    key = _key(clone_id, evaluation.episode_id, tally_seq)
    values = {**key, "seen": 1, "shown": None, "chance": None, "at": evaluation.created_at}
    return bool(connection.scalar(_seen(connection.dialect.name), values))


@lru_cache(maxsize=2)
def _seen(dialect: str) -> sa.Executable:
    """Counts an issue in a run, and tells whether it was shown there."""
    counted = upsert(_runs, dialect).on_conflict_do_update(
        index_elements=["clone_id", "episode_id", "tally_seq"], set_={"seen": _runs.c.seen + 1}
    )
    return counted.returning(_runs.c.shown)


def _key(clone_id: str, episode_id: str, tally_seq: int) -> dict[str, object]:
    return {"clone_id": clone_id, "episode_id": episode_id, "tally_seq": tally_seq}


def note_draws(
    connection: sa.Connection,
    clone_id: str,
    episode_id: str,
    draws: Sequence[Draw],
    at: datetime,
) -> dict[int, Draw]:
    """Keep draws of a run; a note that was drawn before, also by another process, keeps its first draw. Gives those that hold, by tally."""
    run = {"of_clone": clone_id, "of_episode": episode_id}
    before = {row.tally_seq: row for row in connection.execute(_DRAWN_BEFORE, run).all()}
    held: dict[int, Draw] = {}
    inserted: list[dict[str, object]] = []
    updated: list[dict[str, object]] = []
    shown: list[dict[str, object]] = []
    for draw in draws:
        seq, row = draw.tally_seq, before.get(draw.tally_seq)
        if row is not None and row.shown is not None:
            held[seq] = Draw(seq, row.shown, row.chance)
            continue
        held[seq] = draw
        if row is None:
            key = _key(clone_id, episode_id, seq)
            inserted.append(
                {**key, "shown": draw.shown, "chance": draw.chance, "seen": 0, "at": at}
            )
        else:
            drawn = {"is_shown": draw.shown, "its_chance": draw.chance, "drawn_at": at}
            updated.append({**run, "of_tally": seq, **drawn})
        if draw.shown:
            shown.append({"of_tally": seq})
    for statement, rows in ((_INSERT, inserted), (_DRAW, updated), (_COUNT_SHOWN, shown)):
        if rows:
            connection.execute(statement, rows)
    return held


def is_known_run(
    connection: sa.Connection, names: dict[str, str], group_seq: int, episode_id: str
) -> bool:
    """Whether something was recorded for a run: a judgement or a note."""
    of_run = {"of_clone": names["clone_id"], "of_episode": episode_id}
    wanted = tuple(names[name] for name in _NAMES)
    if any(tuple(row) == wanted for row in connection.execute(_JUDGED, of_run)):
        return True
    return group_seq in connection.scalars(_SHOWN, of_run).all()


def unknown_among(
    connection: sa.Connection, clone_id: str, evaluations: Sequence[Evaluation]
) -> list[Evaluation]:
    """Those that are not in the store, each once."""
    query = sa.select(_judged.c.id).where(_judged.c.clone_id == clone_id)
    ids = [one.id for one in evaluations]
    known = {row["id"] for row in rows_among(connection, query, _judged.c.id, ids)}
    first: dict[str, Evaluation] = {}
    for one in evaluations:
        first.setdefault(one.id, one)
    return [one for one in first.values() if one.id not in known]


def unknown_runs(
    connection: sa.Connection, clone_id: str, evaluations: Sequence[Evaluation]
) -> frozenset[str]:
    """The runs of evaluations of which nothing is recorded: neither a judgement nor a note."""
    runs = {one.episode_id for one in evaluations if one.episode_id is not None}
    known: set[str] = set()
    for table in (_judged, _runs):
        query = sa.select(table.c.episode_id).where(table.c.clone_id == clone_id)
        found = rows_among(connection, query, table.c.episode_id, sorted(runs))
        known |= {row["episode_id"] for row in found}
    return frozenset(runs - known)
