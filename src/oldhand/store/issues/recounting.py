"""Count issues anew, from the evaluations and draws on record."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.record.evaluation import Evaluation
from oldhand.store import tables
from oldhand.store.issues.counting import Counting, IssueScope, find_group, find_tally
from oldhand.store.issues.runs import Draw, note_draws
from oldhand.store.tables import issue_groups, issue_runs, issue_tallies
from oldhand.store.transactions import batches, record_of

_groups, _tallies, _runs = issue_groups, issue_tallies, issue_runs
_found = tables.evaluations


class _Drawn(NamedTuple):
    """A draw, by what outlives the tally it was made for."""

    episode_id: str
    key: str
    shown: bool
    chance: float
    at: datetime


def recount_in(connection: sa.Connection, scopes: Sequence[IssueScope]) -> None:
    """Drop the tallies of some scopes and count them again, in the order in which everything came.

    What evaluations added that were pruned since is lost.
    """
    for scope in scopes:
        known = find_group(connection, scope)
        if known is None:
            continue
        group, drawn = known.seq, list(_draws(connection, known.seq))
        same = (_found.c[name] == value for name, value in scope._asdict().items())
        query = sa.select(_found).where(*same).order_by(_found.c.seq)
        rows = connection.execute(query).mappings().all()
        connection.execute(sa.delete(_tallies).where(_tallies.c.group_seq == group))
        connection.execute(sa.delete(_groups).where(_groups.c.seq == group))
        # All evaluations are there, but each run is a new one when its time comes.
        runs = {row["episode_id"] for row in rows} | {one.episode_id for one in drawn}
        counting = Counting(connection, scope.clone_id, unknown=runs)
        for row in rows:
            one = record_of(Evaluation, row)
            while drawn and drawn[0].at <= one.created_at:
                _draw(connection, scope, drawn.pop(0), counting)
            counting.issues(scope, counting.run(scope, one.episode_id), one)
        for one in drawn:
            _draw(connection, scope, one, counting)
        counting.finish()


def scopes_in(
    connection: sa.Connection, clone_id: str, episode_ids: Sequence[str] | None = None
) -> list[IssueScope]:
    """The scopes in which issues are counted: all, or those of some runs."""
    names = [_found.c[name] for name in ("policy_model", "task_type", "evaluator_type")]
    grouped = [_groups.c[name] for name in ("policy_model", "task_type", "evaluator_type")]
    if episode_ids is None:
        query = sa.select(*grouped).where(_groups.c.clone_id == clone_id)
        return [IssueScope(clone_id, *row) for row in connection.execute(query)]
    scopes: dict[IssueScope, None] = {}
    for batch in batches(episode_ids):
        judged = sa.select(*names).where(
            _found.c.clone_id == clone_id, _found.c.episode_id.in_(batch)
        )
        shown = (
            sa.select(*grouped)
            .join_from(_runs, _tallies, _runs.c.tally_seq == _tallies.c.seq)
            .join(_groups, _groups.c.seq == _tallies.c.group_seq)
            .where(_runs.c.clone_id == clone_id, _runs.c.episode_id.in_(batch))
        )
        rows = connection.execute(sa.union(judged, shown))
        scopes |= dict.fromkeys(IssueScope(clone_id, *row) for row in rows)
    return list(scopes)


def _draws(connection: sa.Connection, group: int) -> Iterator[_Drawn]:
    query = (
        sa.select(_runs.c.episode_id, _tallies.c.key, _runs.c.shown, _runs.c.chance, _runs.c.at)
        .join_from(_runs, _tallies, _runs.c.tally_seq == _tallies.c.seq)
        .where(_tallies.c.group_seq == group, _runs.c.shown.is_not(None))
        .order_by(_runs.c.at, _tallies.c.seq)
    )
    return (_Drawn(*row) for row in connection.execute(query).all())


def _draw(connection: sa.Connection, scope: IssueScope, drawn: _Drawn, counting: Counting) -> None:
    """Draw again as it was drawn; nothing when its issue has not come in what is left."""
    group = counting.run(scope, drawn.episode_id)
    counting.flush()
    seq = find_tally(connection, group, drawn.key)
    if seq is not None:
        draw = Draw(seq, drawn.shown, drawn.chance)
        note_draws(connection, scope.clone_id, drawn.episode_id, [draw], drawn.at)
