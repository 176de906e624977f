"""Count issues: one tally for each thing that goes wrong, kept in the transaction of the evaluation."""

from collections.abc import Collection, Sequence
from hashlib import blake2b
from itertools import zip_longest
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.record.evaluation import Evaluation
from oldhand.store.column_types import AnyText
from oldhand.store.issues.runs import is_known_run, note_in_run
from oldhand.store.issues.search import find_by_words
from oldhand.store.issues.text import is_same_issue, issue_key, terms_of, words_to_find
from oldhand.store.tables import issue_groups, issue_tallies, issue_words
from oldhand.store.transactions import batches, insert_all

FADING = 50
"""Runs without an issue after which it fades, unless the caller says otherwise."""
_MOST_WORDS = 64
"""Words by which one issue can be found; an issue of many questions is found by them all soon enough."""

CLEAN_RUNS = 3
"""Runs without an issue and without its note after which the note may fade: what it prevents would have come again."""

_groups, _tallies, _words = issue_groups, issue_tallies, issue_words


class IssueScope(NamedTuple):
    """Whose issues are counted together."""

    clone_id: str
    policy_model: str
    task_type: str
    evaluator_type: str


class IssueGroup(NamedTuple):
    """The issues of one scope, and how many runs there were."""

    seq: int
    runs: int
    last_run: str | None


# Statements are built once: putting one together takes longer than running it.
_GROUP = sa.select(_groups.c.seq, _groups.c.runs, _groups.c.last_run).where(
    *(_groups.c[name] == sa.bindparam(name, type_=AnyText) for name in IssueScope._fields)
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


def find_group(connection: sa.Connection, scope: IssueScope) -> IssueGroup | None:
    """The group of that scope; None until something was evaluated in it."""
    row = connection.execute(_GROUP, scope._asdict()).one_or_none()
    return None if row is None else IssueGroup(*row)


class Counting:
    """Counts runs and issues within one transaction; what changes is written when all are counted.

    Args:
        connection: of the transaction.
        clone_id: whose.
        fading: runs without an issue after which it fades, unless its note was shown in nearly all of them.
        unknown: runs of which nothing is recorded yet, as far as that is known beforehand.
    """

    def __init__(
        self,
        connection: sa.Connection,
        clone_id: str,
        *,
        fading: int = FADING,
        unknown: Collection[str] = (),
    ) -> None:
        self._connection = connection
        self._clone_id = clone_id
        self._fading = fading
        self._unknown = frozenset(unknown)
        self._groups: dict[IssueScope, IssueGroup] = {}
        self._counted: set[tuple[IssueScope, str]] = set()
        self._tallies: dict[tuple[int, str], int] = {}
        self._words: dict[int, set[str]] = {}
        self._seen: list[dict[str, object]] = []

    def run(self, scope: IssueScope, run: str | None) -> IssueGroup:
        """The group of a scope, with one more run when nothing was recorded for `run` so far."""
        group = self._groups.get(scope) or find_group(self._connection, scope)
        if group is None:
            values = {**scope._asdict(), "runs": 0, "last_run": None}
            done = self._connection.execute(_NEW_GROUP, values)
            group = IssueGroup(int((done.inserted_primary_key or (0,))[0]), 0, None)
        if run is not None and run != group.last_run and not self._is_known(scope, group, run):
            self._counted.add((scope, run))
            group = IssueGroup(group.seq, group.runs + 1, run)
        self._groups[scope] = group
        return group

    def _is_known(self, scope: IssueScope, group: IssueGroup, run: str) -> bool:
        if (scope, run) in self._counted:
            return True
        if run in self._unknown:
            return False
        return is_known_run(self._connection, scope._asdict(), group.seq, run)

    def issues(self, scope: IssueScope, group: IssueGroup, evaluation: Evaluation) -> None:
        """Add the issues of an evaluation to their tallies, each once."""
        keyed: dict[str, str] = {}
        for text, key in zip_longest(evaluation.issues, evaluation.keys, fillvalue=""):
            if text:
                keyed.setdefault(issue_key(key, text), text)
        for key, text in keyed.items():
            seq = self._tally(group, key, text)
            if seq is None:
                seq = _insert(self._connection, scope, group, key, text, evaluation)
                self._tallies[group.seq, key] = seq
                self._words[seq] = set()
            else:
                seen: dict[str, object] = {
                    "of_tally": seq,
                    "new_text": text,
                    "new_score": _score(evaluation),
                    "at": evaluation.created_at,
                    "run": group.runs,
                    "again": int(note_in_run(self._connection, self._clone_id, seq, evaluation)),
                }
                self._seen.append(seen)
            self._find_by(group, seq, words_to_find(text, evaluation))

    def _tally(self, group: IssueGroup, key: str, text: str) -> int | None:
        place = (group.seq, key)
        if place not in self._tallies:
            seq = find_tally(self._connection, group, key)
            if seq is None and key.startswith("text:"):
                self.flush()
                seq = _tally_like(self._connection, group, text)
            if seq is None:
                return None
            self._tallies[place] = seq
        return self._tallies[place]

    def _find_by(self, group: IssueGroup, seq: int, words: Sequence[str]) -> None:
        """Let an issue be found by these words."""
        if seq not in self._words:
            self._words[seq] = set(self._connection.scalars(_WORDS, {"tally_seq": seq}))
        known = self._words[seq]
        new = [word for word in words if word not in known][: max(0, _MOST_WORDS - len(known))]
        known.update(new)
        row = {"clone_id": self._clone_id, "group_seq": group.seq, "tally_seq": seq}
        insert_all(self._connection, issue_words, [{**row, "word": word} for word in new])

    def flush(self) -> None:
        """Write what was seen so far."""
        if self._seen:
            self._connection.execute(_SEEN, self._seen)
            self._seen = []

    def finish(self) -> None:
        """Write what has changed, and let issues fade that have not come for long."""
        self.flush()
        for scope in {scope for scope, _ in self._counted}:
            group = self._groups[scope]
            named = {"of_group": group.seq, "now": group.runs, "name": group.last_run}
            self._connection.execute(_COUNTED, named)
            _fade(self._connection, group, self._fading)


def _fade(connection: sa.Connection, group: IssueGroup, fading: int) -> None:
    """Take out what has not come for long; its words no longer find it."""
    given = {"group_seq": group.seq, "before": group.runs - fading, "runs": group.runs}
    for seqs in batches(connection.scalars(_UNSEEN, given).all()):
        connection.execute(_FORGET_WORDS, {"seqs": seqs})
        connection.execute(_FADE, {"seqs": seqs})


_NEW_TALLY = sa.insert(_tallies)
_WORDS = sa.select(_words.c.word).where(_words.c.tally_seq == sa.bindparam("tally_seq"))
_CALLED = sa.select(_tallies.c.seq).where(
    _tallies.c.group_seq == sa.bindparam("group_seq"), _tallies.c.key == sa.bindparam("key")
)


def find_tally(connection: sa.Connection, group: IssueGroup, key: str) -> int | None:
    """The `seq` of the tally of that key; None when its issue has not come yet."""
    return connection.scalar(_CALLED, {"group_seq": group.seq, "key": key})


_TEXTS = sa.select(_tallies.c.seq, _tallies.c.text).where(
    _tallies.c.seq.in_(sa.bindparam("seqs", expanding=True)), _tallies.c.key.startswith("text:")
)


def _tally_like(connection: sa.Connection, group: IssueGroup, text: str) -> int | None:
    """The newest tally that says the same in other words."""
    longest = sorted(terms_of(text), key=len, reverse=True)
    near = {seq for seqs in find_by_words(connection, group.seq, longest).values() for seq in seqs}
    if not near:
        return None
    rows = connection.execute(_TEXTS, {"seqs": list(near)}).all()
    return max((row.seq for row in rows if is_same_issue(text, row.text)), default=None)


def _insert(
    connection: sa.Connection,
    scope: IssueScope,
    group: IssueGroup,
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


def note_id(scope: IssueScope, key: str) -> str:
    """The name of a note: the same in every store.

    >>> note_id(IssueScope("default", "gpt-4", "spatial_qa", "sqlvalidator"), "rule:degrees")
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
