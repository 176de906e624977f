"""Read the issues that may become notes, and tallies for people."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from heapq import nlargest
from math import log2
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.record.evaluation import IssueTally
from oldhand.store.issues.counting import IssueScope, find_group
from oldhand.store.issues.runs import Draw
from oldhand.store.issues.search import MOST_FOUND, find_by_words
from oldhand.store.tables import issue_groups, issue_runs, issue_tallies

WORST = 20
NEWEST = 20
FITTING = 20
"""Issues looked at because they share words with the question, those with the rarest words first."""

_groups, _tallies, _runs = issue_groups, issue_tallies, issue_runs


class Counted(NamedTuple):
    """An issue that may become a note."""

    seq: int
    id: str
    text: str
    times: int
    worst_score: float
    last_run: int
    shown: int
    recurred: int
    shown_since: int = 0
    """Runs in which it was shown since it came last."""


class InRun(NamedTuple):
    """What happened to an issue in the present run."""

    seen: int
    draw: Draw | None


class Pool(NamedTuple):
    """The issues of one scope among which to choose."""

    runs: int
    """How many runs there were."""
    issues: Mapping[int, Counted]
    in_run: Mapping[int, InRun]
    found: Mapping[int, float]
    """How well an issue fits the question, where it shares words with it; the rarer they are, the better."""


_FIELDS = [_tallies.c["count" if name == "times" else name].label(name) for name in Counted._fields]
_FRESH = (_tallies.c.group_seq == sa.bindparam("group_seq"), _tallies.c.faded.is_(sa.false()))
_CHOSEN = sa.union_all(
    *(
        sa.select(
            sa.select(*_FIELDS)
            .where(*_FRESH)
            .order_by(order)
            .limit(sa.literal_column(str(most), sa.Integer))
            .subquery(name)
        )
        for name, order, most in (
            ("worst", _tallies.c.worst_score, WORST),
            ("newest", _tallies.c.last_run.desc(), NEWEST),
        )
    )
)
_PLACES = [f"seq_{number}" for number in range(FITTING)]
# Places instead of a list of any length, whose statement would be written anew each time.
_CALLED = sa.select(*_FIELDS).where(_tallies.c.seq.in_([sa.bindparam(name) for name in _PLACES]))
_IN_RUN = (
    sa.select(
        *_FIELDS, _tallies.c.group_seq, _runs.c.seen, _runs.c.shown.label("drawn"), _runs.c.chance
    )
    .join_from(_runs, _tallies, _runs.c.tally_seq == _tallies.c.seq)
    .where(
        _runs.c.clone_id == sa.bindparam("clone_id", type_=_runs.c.clone_id.type),
        _runs.c.episode_id == sa.bindparam("episode_id", type_=_runs.c.episode_id.type),
    )
)
"""Of all groups: asked for one, the planner would start from all of its issues."""


def load_pool(
    connection: sa.Connection, scope: IssueScope, episode_id: str | None, words: list[str]
) -> Pool:
    """The issues of this run, the worst, the newest, and those that share words with a question."""
    group = find_group(connection, scope)
    if group is None:
        return Pool(0, {}, {}, {})
    rows = connection.execute(_CHOSEN, {"group_seq": group.seq}).all()
    issues = {row[0]: Counted(*row) for row in rows}
    in_run: dict[int, InRun] = {}
    if episode_id is not None:
        given = {"clone_id": scope.clone_id, "episode_id": episode_id}
        for row in connection.execute(_IN_RUN, given).all():
            if row.group_seq != group.seq:
                continue
            issues[row.seq] = Counted(*row[: len(Counted._fields)])
            draw = None if row.drawn is None else Draw(row.seq, row.drawn, row.chance)
            in_run[row.seq] = InRun(row.seen, draw)
    found = _most_fitting(find_by_words(connection, group.seq, words))
    if missing := [seq for seq in found if seq not in issues]:
        given = dict.fromkeys(_PLACES, 0) | dict(zip(_PLACES, missing, strict=False))
        rows = connection.execute(_CALLED, given).all()
        issues |= {row[0]: Counted(*row) for row in rows}
    return Pool(group.runs, issues, in_run, found)


def _most_fitting(found: Mapping[str, Sequence[int]]) -> dict[int, float]:
    """The issues with the most telling words: the fewer issues have a word, the more it tells."""
    fitting: dict[int, float] = defaultdict(float)
    for seqs in found.values():
        weight = log2((MOST_FOUND + 1) / max(len(seqs), 1))
        for seq in seqs:
            fitting[seq] += weight
    return dict(nlargest(FITTING, fitting.items(), key=lambda item: (item[1], item[0])))


class TallyFilter(NamedTuple):
    """Which tallies are wanted; None means any."""

    policy_model: str | None = None
    task_type: str | None = None
    evaluator_type: str | None = None
    since: datetime | None = None
    """Only of issues that came since then."""
    only_recurring: bool = False
    """Only of issues that came again although they were shown."""
    id: str | None = None
    """Only the one of this id."""


def load_tallies(
    connection: sa.Connection, clone_id: str, wanted: TallyFilter, limit: int | None
) -> tuple[IssueTally, ...]:
    """The tallies of issues, those that come most often first."""
    joined = sa.join(_tallies, _groups, _tallies.c.group_seq == _groups.c.seq)
    query = sa.select(_tallies, _groups).select_from(joined).where(_tallies.c.clone_id == clone_id)
    theirs = [_groups.c[n] for n in ("policy_model", "task_type", "evaluator_type")]
    for column in (*theirs, _tallies.c.id):
        value = getattr(wanted, column.name)
        if value is not None:
            query = query.where(column == value)
    if wanted.since is not None:
        query = query.where(_tallies.c.last_seen >= wanted.since)
    order = _tallies.c.count
    if wanted.only_recurring:
        query, order = query.where(_tallies.c.recurred > 0), _tallies.c.recurred
    query = query.order_by(order.desc(), _tallies.c.last_seen.desc(), _tallies.c.seq.desc())
    own = [_tallies.c[n] for n in IssueTally.model_fields if n in _tallies.c]
    age = (_groups.c.runs - _tallies.c.last_run).label("runs_ago")
    rows = connection.execute(query.with_only_columns(*own, *theirs, age).limit(limit)).mappings()
    return tuple(IssueTally.model_validate(dict(row)) for row in rows)
