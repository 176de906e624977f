"""Count issues: one tally for each thing that goes wrong, kept in the transaction of the evaluation."""

from hashlib import blake2b
from itertools import zip_longest
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.record.evaluation import Evaluation
from oldhand.store.column_types import AnyText
from oldhand.store.issues.runs import is_known_run, note_in_run
from oldhand.store.issues.search import find_by_words
from oldhand.store.issues.tables import issue_groups, issue_tallies, issue_words
from oldhand.store.issues.text import is_same_issue, issue_key, terms_of, words_to_find
from oldhand.store.reading import batches, insert_all

FADING = 50
"""Runs without an issue after which it fades, unless the caller says otherwise."""
_MOST_WORDS = 64
"""Words by which one issue can be found; an issue of many questions is found by them all soon enough."""

CLEAN_RUNS = 3
"""Runs without an issue and without its note after which the note may fade: what it prevents would have come again."""

_groups, _tallies, _words = issue_groups, issue_tallies, issue_words


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


# Statements are built once: putting one together takes longer than running it.
_GROUP = sa.select(_groups.c.seq, _groups.c.runs, _groups.c.last_run).where(
    *(_groups.c[name] == sa.bindparam(name, type_=AnyText) for name in Scope._fields)
)


_NEW_GROUP = sa.insert(_groups)
_COUNTED = (
    sa.update(_groups)
    .where(_groups.c.seq == sa.bindparam("of_group"))
    .values(runs=sa.bindparam("now"), last_run=sa.bindparam("name"))
)
_UNSEEN = sa.select(_tallies.c.seq).where(
    _tallies.c.group_seq == sa.bindparam("group_seq"),
    _tallies.c.faded.is_(sa.false()),
    _tallies.c.last_run < sa.bindparam("before"),
    sa.bindparam("runs") - _tallies.c.last_run - _tallies.c.shown_since >= CLEAN_RUNS,
)

_FORGET_WORDS = sa.delete(_words).where(
    _words.c.tally_seq.in_(sa.bindparam("seqs", expanding=True))
)
_FADE = (
    sa.update(_tallies)
    .where(_tallies.c.seq.in_(sa.bindparam("seqs", expanding=True)))
    .values(faded=True)
)


def find_group(connection: sa.Connection, scope: Scope) -> Group | None:
    """The group of that scope; None until something was evaluated in it."""
    row = connection.execute(_GROUP, scope._asdict()).one_or_none()
    return None if row is None else Group(*row)


def count_run(connection: sa.Connection, scope: Scope, run: str | None, *, fading: int) -> Group:
    """The group of a scope, with one more run when nothing was recorded for `run` so far.

    An issue fades after so many runs without it, unless its note was shown in nearly all of them.
    """
    group = find_group(connection, scope)
    if group is None:
        values = {**scope._asdict(), "runs": 0, "last_run": None}
        done = connection.execute(_NEW_GROUP, values)
        group = Group(int((done.inserted_primary_key or (0,))[0]), 0, None)
    elif run is not None and run != group.last_run:
        run = None if is_known_run(connection, scope._asdict(), group.seq, run) else run
    if run is None or run == group.last_run:
        return group
    counted = Group(group.seq, group.runs + 1, run)
    connection.execute(_COUNTED, {"of_group": group.seq, "now": counted.runs, "name": run})
    _fade(connection, counted, fading)
    return counted


def _fade(connection: sa.Connection, group: Group, fading: int) -> None:
    """Take out what has not come for long; its words no longer find it."""
    given = {"group_seq": group.seq, "before": group.runs - fading, "runs": group.runs}
    for seqs in batches(connection.scalars(_UNSEEN, given).all()):
        connection.execute(_FORGET_WORDS, {"seqs": seqs})
        connection.execute(_FADE, {"seqs": seqs})


def count_issues(
    connection: sa.Connection, scope: Scope, group: Group, evaluation: Evaluation
) -> None:
    """Add the issues of an evaluation to their tallies, each once."""
    keyed: dict[str, str] = {}
    for text, key in zip_longest(evaluation.issues, evaluation.keys, fillvalue=""):
        if text:
            keyed.setdefault(issue_key(key, text), text)
    for key, text in keyed.items():
        seq = find_tally(connection, group, key)
        if seq is None and key.startswith("text:"):
            seq = _tally_like(connection, group, text)
        if seq is None:
            seq = _insert(connection, scope, group, key, text, evaluation)
            known: frozenset[str] = frozenset()
        else:
            seen: dict[str, object] = {
                "of_tally": seq,
                "new_text": text,
                "new_score": _score(evaluation),
                "at": evaluation.created_at,
                "run": group.runs,
                "again": int(note_in_run(connection, scope.clone_id, seq, evaluation)),
            }
            connection.execute(_SEEN, seen)
            known = frozenset(connection.scalars(_WORDS, {"tally_seq": seq}))
        room = max(0, _MOST_WORDS - len(known))
        new = [word for word in words_to_find(text, evaluation) if word not in known][:room]
        words = {"clone_id": scope.clone_id, "group_seq": group.seq, "tally_seq": seq}
        insert_all(connection, issue_words, [{**words, "word": word} for word in new])


_NEW_TALLY = sa.insert(_tallies)
_WORDS = sa.select(_words.c.word).where(_words.c.tally_seq == sa.bindparam("tally_seq"))
_CALLED = sa.select(_tallies.c.seq).where(
    _tallies.c.group_seq == sa.bindparam("group_seq"), _tallies.c.key == sa.bindparam("key")
)


def find_tally(connection: sa.Connection, group: Group, key: str) -> int | None:
    """The `seq` of the tally of that key; None when its issue has not come yet."""
    return connection.scalar(_CALLED, {"group_seq": group.seq, "key": key})


_TEXTS = sa.select(_tallies.c.seq, _tallies.c.text).where(
    _tallies.c.seq.in_(sa.bindparam("seqs", expanding=True)), _tallies.c.key.startswith("text:")
)


def _tally_like(connection: sa.Connection, group: Group, text: str) -> int | None:
    """The newest tally that says the same in other words."""
    longest = sorted(terms_of(text), key=len, reverse=True)
    near = {seq for seqs in find_by_words(connection, group.seq, longest).values() for seq in seqs}
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
        "shown_since": 0,
        "recurred": 0,
        "faded": False,
    }
    done = connection.execute(_NEW_TALLY, row)
    seq = int((done.inserted_primary_key or (0,))[0])
    note_in_run(connection, scope.clone_id, seq, evaluation)
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


_score_now = sa.bindparam("new_score", type_=sa.Float)
_SEEN = (
    sa.update(_tallies)
    .where(_tallies.c.seq == sa.bindparam("of_tally"))
    .values(
        text=sa.bindparam("new_text"),
        count=_tallies.c.count + 1,
        worst_score=sa.case(
            (_tallies.c.worst_score > _score_now, _score_now), else_=_tallies.c.worst_score
        ),
        last_seen=sa.bindparam("at"),
        last_run=sa.bindparam("run"),
        recurred=_tallies.c.recurred + sa.bindparam("again"),
        shown_since=0,
        faded=False,
    )
)
