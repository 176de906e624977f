"""Let go of issues: of what they were counted to, and of what evaluators said."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

import sqlalchemy as sa

from oldhand.record.evaluation import Evaluation, IssueTally
from oldhand.store import tables
from oldhand.store.column_types import dump_json
from oldhand.store.issues.counting import IssueScope
from oldhand.store.issues.tables import issue_tallies
from oldhand.store.issues.text import is_same_issue, issue_key
from oldhand.store.reading import delete_among, record_of

_tallies, _found = issue_tallies, tables.evaluations


def by_scope(clone_id: str, tallies: Sequence[IssueTally]) -> dict[IssueScope, list[str]]:
    """The ids of tallies, by what is counted together."""
    found: dict[IssueScope, list[str]] = {}
    for one in tallies:
        scope = IssueScope(clone_id, one.policy_model, one.task_type, one.evaluator_type)
        found.setdefault(scope, []).append(one.id)
    return found


def forget_in(
    connection: sa.Connection, scope: IssueScope, ids: Sequence[str]
) -> dict[str, str | None]:
    """Delete tallies and take their issues out of all evaluations; gives the lines of records that change, None for those that go."""
    query = sa.select(_tallies.c.key, _tallies.c.text).where(
        _tallies.c.clone_id == scope.clone_id, _tallies.c.id.in_(ids)
    )
    doomed = {row.key: row.text for row in connection.execute(query)}
    delete_among(connection, _tallies, _tallies.c.id, ids, _tallies.c.clone_id == scope.clone_id)
    of_scope = [_found.c[name] == value for name, value in scope._asdict().items()]
    lines: dict[str, str | None] = {}
    for row in connection.execute(sa.select(_found).where(*of_scope)).mappings().all():
        before = record_of(Evaluation, row)
        after = _without(before, doomed)
        if after == before:
            continue
        own = _found.c.seq == row["seq"]
        if after.issues:
            changed = {"issues": after.issues, "keys": after.keys}
            connection.execute(sa.update(_found).where(own).values(**changed))
        else:
            connection.execute(sa.delete(_found).where(own))
        lines[dump_json(before.as_saved())] = dump_json(after.as_saved()) if after.issues else None
    return lines


def _without(one: Evaluation, doomed: Mapping[str, str]) -> Evaluation:
    told = list(zip_longest(one.issues, one.keys, fillvalue=""))
    kept = [(text, key) for text, key in told if not _is_among(text, key, doomed)]
    if len(kept) == len(told):
        return one
    keys = tuple(key for _, key in kept) if one.keys else ()
    return one.model_copy(update={"issues": tuple(text for text, _ in kept), "keys": keys})


def _is_among(text: str, key: str, doomed: Mapping[str, str]) -> bool:
    """Whether an issue was counted to one of those, be it in other words."""
    if issue_key(key, text) in doomed:
        return True
    free = (said for name, said in doomed.items() if name.startswith("text:"))
    return not key and any(is_same_issue(text, said) for said in free)
