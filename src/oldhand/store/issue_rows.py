"""Count issues: one tally for each thing that goes wrong, kept in the transaction of the evaluation."""

from collections.abc import Sequence
from datetime import datetime
from hashlib import blake2b
from itertools import zip_longest
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.record.evaluation import Evaluation
from oldhand.store import tables
from oldhand.store.issue_search import find_by_words
from oldhand.store.issue_text import is_same_issue, issue_key, terms_of, words_to_find

_MOST_WORDS = 64
"""Words by which one issue can be found; an issue of many questions is found by them all soon enough."""

_groups, _tallies, _words, _runs = (
    tables.issue_groups,
    tables.issue_tallies,
    tables.issue_words,
    tables.issue_runs,
)


class Scope(NamedTuple):
    """Whose issues are counted together."""

    clone_id: str
    policy_model: str
    task_type: str
    evaluator_type: str


class Group(NamedTuple):
    """The issues of one scope, and how many runs there were."""

    seq: int
    runs: int
    last_run: str | None


_GROUP = sa.select(_groups.c.seq, _groups.c.runs, _groups.c.last_run).where(
    *(_groups.c[name] == sa.bindparam(name) for name in Scope._fields)
)


def find_group(connection: sa.Connection, scope: Scope) -> Group | None:
    """The group of that scope; None until something was evaluated in it."""
    row = connection.execute(_GROUP, scope._asdict()).one_or_none()
    return None if row is None else Group(*row)


def count_run(
    connection: sa.Connection, scope: Scope, run: str | None, *, is_known: bool, fading: int
) -> Group:
    """The group, with one more run when `run` is another than the last one and not known from before.

    Args:
        connection: In a transaction that writes.
        scope: Whose issues.
        run: The run's name; None for none at all.
        is_known: Whether something was recorded for this run before.
        fading: Runs without an issue after which it fades.
    """
    group = find_group(connection, scope)
    if group is None:
        values = {**scope._asdict(), "runs": 0, "last_run": None}
        done = connection.execute(sa.insert(_groups), values)
        group = Group(int((done.inserted_primary_key or (0,))[0]), 0, None)
    if run is None or group.last_run == run or is_known:
        return group
    counted = Group(group.seq, group.runs + 1, run)
    change = {"runs": counted.runs, "last_run": run}
    connection.execute(sa.update(_groups).where(_groups.c.seq == group.seq).values(change))
    _fade(connection, counted, fading)
    return counted


def _fade(connection: sa.Connection, group: Group, fading: int) -> None:
    """Take out what has not come for long; its words no longer find it."""
    table = _tallies
    query = sa.select(table.c.seq).where(
        table.c.group_seq == group.seq,
        table.c.faded.is_(sa.false()),
        table.c.last_run < group.runs - fading,
    )
    if gone := connection.scalars(query).all():
        for start in range(0, len(gone), 500):
            batch = gone[start : start + 500]
            connection.execute(sa.delete(_words).where(_words.c.tally_seq.in_(batch)))
            connection.execute(sa.update(table).where(table.c.seq.in_(batch)).values(faded=True))


def count_issues(
    connection: sa.Connection, scope: Scope, group: Group, evaluation: Evaluation
) -> None:
    """Add the issues of an evaluation to their tallies, each once."""
    keyed: dict[str, str] = {}
    for text, key in zip_longest(evaluation.issues, evaluation.keys, fillvalue=""):
        if text:
            keyed.setdefault(issue_key(key, text), text)
    for key, text in keyed.items():
        seq = _tally_called(connection, group, key)
        if seq is None and key.startswith("text:"):
            seq = _tally_like(connection, group, text)
        if seq is None:
            seq = _insert(connection, scope, group, key, text, evaluation)
            known: frozenset[str] = frozenset()
        else:
            again = _note_run(connection, scope.clone_id, seq, evaluation)
            _update(connection, group, seq, text, evaluation, recurred=again)
            known = frozenset(
                connection.scalars(sa.select(_words.c.word).where(_words.c.tally_seq == seq))
            )
        _add_words(
            connection, scope.clone_id, group.seq, seq, known, words_to_find(text, evaluation)
        )


_CALLED = sa.select(_tallies.c.seq).where(
    _tallies.c.group_seq == sa.bindparam("group_seq"), _tallies.c.key == sa.bindparam("key")
)


def _tally_called(connection: sa.Connection, group: Group, key: str) -> int | None:
    return connection.scalar(_CALLED, {"group_seq": group.seq, "key": key})


_TEXTS = sa.select(_tallies.c.seq, _tallies.c.text).where(
    _tallies.c.seq.in_(sa.bindparam("seqs", expanding=True)), _tallies.c.key.startswith("text:")
)


def _tally_like(connection: sa.Connection, group: Group, text: str) -> int | None:
    """The newest tally that says the same in other words."""
    longest = sorted(terms_of(text), key=len, reverse=True)
    near = find_by_words(connection, group.seq, longest)
    if not near:
        return None
    rows = connection.execute(_TEXTS, {"seqs": list(near)}).all()
    return max((row.seq for row in rows if is_same_issue(text, row.text)), default=None)


def _insert(
    connection: sa.Connection,
    scope: Scope,
    group: Group,
    key: str,
    text: str,
    evaluation: Evaluation,
) -> int:
    row: dict[str, object] = {
        "clone_id": scope.clone_id,
        "id": note_id(scope, key),
        "group_seq": group.seq,
        "key": key,
        "text": text,
        "count": 1,
        "worst_score": _score(evaluation),
        "first_seen": evaluation.created_at,
        "last_seen": evaluation.created_at,
        "last_run": group.runs,
        "shown": 0,
        "recurred": 0,
        "faded": False,
    }
    done = connection.execute(sa.insert(_tallies), row)
    seq = int((done.inserted_primary_key or (0,))[0])
    _note_run(connection, scope.clone_id, seq, evaluation)
    return seq


def note_id(scope: Scope, key: str) -> str:
    """The name of a note: the same in every store.

    >>> note_id(Scope("default", "gpt-4", "spatial_qa", "sqlvalidator"), "rule:degrees")
    'issue-94d2eafd7ce9ed4e'
    """
    name = "\x1f".join((*scope, key)).encode("utf-8", "surrogatepass")
    return f"issue-{blake2b(name, digest_size=8).hexdigest()}"


def _score(evaluation: Evaluation) -> float:
    return 1.0 if evaluation.score is None else evaluation.score


def _note_run(
    connection: sa.Connection, clone_id: str, tally_seq: int, evaluation: Evaluation
) -> bool:
    """Note that an issue came in a run; true when it had been shown there before."""
    if evaluation.episode_id is None:
        return False
    of_run = (
        _runs.c.clone_id == clone_id,
        _runs.c.episode_id == evaluation.episode_id,
        _runs.c.tally_seq == tally_seq,
    )
    row = connection.execute(sa.select(_runs.c.seen, _runs.c.shown).where(*of_run)).one_or_none()
    if row is None:
        values: dict[str, object] = {
            "clone_id": clone_id,
            "episode_id": evaluation.episode_id,
            "tally_seq": tally_seq,
            "seen": 1,
            "at": evaluation.created_at,
        }
        connection.execute(sa.insert(_runs), values)
        return False
    connection.execute(sa.update(_runs).where(*of_run).values(seen=row.seen + 1))
    return bool(row.shown)


def _update(
    connection: sa.Connection,
    group: Group,
    seq: int,
    text: str,
    evaluation: Evaluation,
    *,
    recurred: bool,
) -> None:
    table, score, at = _tallies, _score(evaluation), evaluation.created_at
    connection.execute(
        sa.update(table)
        .where(table.c.seq == seq)
        .values(
            text=text,
            count=table.c.count + 1,
            worst_score=sa.case((table.c.worst_score > score, score), else_=table.c.worst_score),
            last_seen=at,
            last_run=group.runs,
            recurred=table.c.recurred + int(recurred),
            faded=False,
        )
    )


def _add_words(
    connection: sa.Connection,
    clone_id: str,
    group_seq: int,
    tally_seq: int,
    known: frozenset[str],
    words: Sequence[str],
) -> None:
    room = _MOST_WORDS - len(known)
    new = [word for word in words if word not in known][: max(0, room)]
    if new:
        key = {"clone_id": clone_id, "group_seq": group_seq, "tally_seq": tally_seq}
        connection.execute(sa.insert(_words), [{**key, "word": word} for word in new])


class Draw(NamedTuple):
    """Whether a note is shown in a run; made once."""

    tally_seq: int
    shown: bool
    chance: float


def note_draws(
    connection: sa.Connection,
    clone_id: str,
    episode_id: str,
    draws: Sequence[Draw],
    at: datetime,
) -> dict[int, Draw]:
    """Keep draws of a run; a note that was drawn before, also by another process, keeps its first draw.

    Returns:
        the draws that hold, by tally.
    """
    of_run = (_runs.c.clone_id == clone_id, _runs.c.episode_id == episode_id)
    wanted = [one.tally_seq for one in draws]
    query = sa.select(_runs.c.tally_seq, _runs.c.shown, _runs.c.chance)
    rows = connection.execute(query.where(*of_run, _runs.c.tally_seq.in_(wanted))).all()
    before = {row.tally_seq: row for row in rows}
    held: dict[int, Draw] = {}
    for draw in draws:
        row = before.get(draw.tally_seq)
        if row is not None and row.shown is not None:
            held[draw.tally_seq] = Draw(draw.tally_seq, row.shown, row.chance)
            continue
        held[draw.tally_seq] = draw
        drawn = {"shown": draw.shown, "chance": draw.chance}
        if row is None:
            key = {"clone_id": clone_id, "episode_id": episode_id, "tally_seq": draw.tally_seq}
            connection.execute(sa.insert(_runs), {**key, **drawn, "seen": 0, "at": at})
        else:
            one = _runs.c.tally_seq == draw.tally_seq
            connection.execute(sa.update(_runs).where(*of_run, one).values(drawn))
        if draw.shown:
            tally = sa.update(_tallies).where(_tallies.c.seq == draw.tally_seq)
            connection.execute(tally.values(shown=_tallies.c.shown + 1))
    return held


def is_known_run(connection: sa.Connection, scope: Scope, group: Group, episode_id: str) -> bool:
    """Whether something of this group was recorded for a run."""
    judged = tables.evaluations
    of_scope = (judged.c[name] == value for name, value in scope._asdict().items())
    query = sa.select(sa.literal(1)).where(*of_scope, judged.c.episode_id == episode_id).limit(1)
    if connection.scalar(query) is not None:
        return True
    shown = sa.select(sa.literal(1)).join_from(_runs, _tallies, _runs.c.tally_seq == _tallies.c.seq)
    return (
        connection.scalar(
            shown.where(
                _runs.c.clone_id == scope.clone_id,
                _runs.c.episode_id == episode_id,
                _tallies.c.group_seq == group.seq,
            ).limit(1)
        )
        is not None
    )
