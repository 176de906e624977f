"""The results of evaluators: save them, count their issues, read them back."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal, NamedTuple

import sqlalchemy as sa
from pydantic import JsonValue

from oldhand.errors import UsageError
from oldhand.record.evaluation import SAVED, Evaluation, IssueTally, saved_record
from oldhand.record.file_names import file_name
from oldhand.store import tables
from oldhand.store.column_types import dump_json
from oldhand.store.issues.counting import FADING, Counting, IssueScope
from oldhand.store.issues.reads import Pool, TallyFilter, load_pool, load_tallies
from oldhand.store.issues.recounting import recount_in
from oldhand.store.issues.runs import Draw, note_draws, unknown_among, unknown_runs
from oldhand.store.issues.text import is_same_issue, issue_key
from oldhand.store.journal.journal import ResultsPlace
from oldhand.store.journal.outbox import Outbox
from oldhand.store.reflection_queue import let_wait
from oldhand.store.tables import issue_tallies
from oldhand.store.transactions import Transactions, delete_among, insert_all, record_of

_table = tables.evaluations
_tallies, _found = issue_tallies, tables.evaluations


class EvaluationFilter(NamedTuple):
    """Which evaluations are wanted; None means any."""

    policy_model: str | None = None
    task_type: str | None = None
    evaluator_type: str | None = None
    episode_id: str | None = None
    since: datetime | None = None
    sql_query: str | None = None


class Total(NamedTuple):
    """How many evaluations of a group there are."""

    name: str
    evaluations: int
    invalid: int
    """Those that call a step or a run invalid."""
    score: float | None
    """The mean of the known scores."""


_GROUPED: dict[str, tuple[sa.ColumnElement[str], ...]] = {
    "evaluator": (_table.c.evaluator_type,),
    "task": (_table.c.policy_model, _table.c.task_type),
    "day": (sa.cast(sa.func.date(_table.c.created_at), sa.Text),),
}


def _conditions(clone_id: str, wanted: EvaluationFilter) -> Iterator[sa.ColumnElement[bool]]:
    yield _table.c.clone_id == clone_id
    for name, value in wanted._asdict().items():
        if value is not None:
            yield _table.c.created_at >= value if name == "since" else _table.c[name] == value


def _row(clone_id: str, one: Evaluation) -> dict[str, object]:
    return {"clone_id": clone_id, **{name: getattr(one, name) for name in Evaluation.model_fields}}


def results_file(policy_model: str, task_type: str) -> str:
    """The name of the file in which the results of a model on one kind of task are.

    A model's part never holds `_`, so that two pairs never share a file.

    >>> results_file("gpt-4", "spatial_qa")
    'resultdicttojsonl_gpt-4_spatial_qa.jsonl'
    """
    model = file_name(policy_model, empty="model")
    task = file_name(task_type, marks="_-", empty="task")
    return f"resultdicttojsonl_{model}_{task}.jsonl"


class ResultStore:
    """What a `Store` does with evaluations; each method is one transaction."""

    def __init__(self, transactions: Transactions, outbox: Outbox) -> None:
        self._transactions = transactions
        self._outbox = outbox

    def add(
        self,
        clone_id: str,
        evaluations: Sequence[Evaluation],
        *,
        fading: int = FADING,
        source: Path | None = None,
    ) -> tuple[Evaluation, ...]:
        """Keep evaluations and count their issues; one that is there already changes nothing.

        Args:
            clone_id: whose.
            evaluations: in order of arrival.
            fading: runs without an issue after which it fades.
            source: the file that they were read from, if any: one that belongs to this store has their lines already.

        Returns:
            those that are new.

        Raises:
            UsageError: `keys` and `issues` of one differ in length.
        """
        for one in evaluations:
            if one.keys and len(one.keys) != len(one.issues):
                raise UsageError(
                    f"The evaluation {one.id!r} has another number of keys than issues."
                )
        with self._transactions.writing(clone_id) as connection:
            new = unknown_among(connection, clone_id, evaluations)
            runs = unknown_runs(connection, clone_id, new) if len(new) > 1 else ()
            counting = Counting(connection, clone_id, fading=fading, unknown=runs)
            lines: dict[str, list[str]] = {}
            for one in new:
                if one.policy_model and one.task_type:
                    scope = IssueScope(
                        clone_id, one.policy_model, one.task_type, one.evaluator_type
                    )
                    # Before the evaluation itself makes the run a known one.
                    counting.issues(scope, counting.run(scope, one.episode_id), one)
                    file = results_file(one.policy_model, one.task_type)
                    lines.setdefault(file, []).append(dump_json(one.as_saved()))
            counting.finish()
            for file, said in lines.items():
                place = ResultsPlace(clone_id, file)
                self._outbox.add_results(connection, place, said, source=source)
            insert_all(connection, _table, (_row(clone_id, one) for one in new))
            for one in new:
                if one.episode_id is not None and one.is_valid is False:
                    let_wait(connection, clone_id, one.episode_id, one.created_at)
        return tuple(new)

    def found(
        self, clone_id: str, wanted: EvaluationFilter, limit: int | None = None
    ) -> tuple[Evaluation, ...]:
        """Evaluations in order of arrival; with a limit, the newest ones."""
        query = sa.select(_table).where(*_conditions(clone_id, wanted))
        query = query.order_by(_table.c.seq.desc()).limit(limit)
        with self._transactions.reading() as connection:
            rows = connection.execute(query).mappings().all()
        return tuple(record_of(Evaluation, row) for row in reversed(rows))

    def records(self, clone_id: str, wanted: EvaluationFilter) -> list[dict[str, JsonValue]]:
        """As `found`, but only what stands in the files of results, for which a hundred thousand are quickly read."""
        query = sa.select(*(_table.c[name] for name in SAVED)).order_by(_table.c.seq)
        with self._transactions.reading() as connection:
            rows = connection.execute(query.where(*_conditions(clone_id, wanted))).all()
        return [saved_record(row) for row in rows]

    def tallies(
        self, clone_id: str, wanted: TallyFilter, limit: int | None = None
    ) -> tuple[IssueTally, ...]:
        """Issues with all their occurrences, those that come most often first."""
        with self._transactions.reading() as connection:
            return load_tallies(connection, clone_id, wanted, limit)

    def totals(
        self, clone_id: str, by: Literal["evaluator", "task", "day"], wanted: EvaluationFilter
    ) -> tuple[Total, ...]:
        """Numbers of evaluations, grouped; days in their order, others by the number of invalid ones."""
        columns = _GROUPED[by]
        invalid = sa.func.sum(sa.case((_table.c.is_valid.is_(sa.false()), 1), else_=0))
        order = columns if by == "day" else (invalid.desc(), *columns)
        query: sa.Select[*tuple[Any, ...]] = sa.select(
            sa.func.count(), invalid, sa.func.avg(_table.c.score), *columns
        )
        query = query.where(*_conditions(clone_id, wanted)).group_by(*columns).order_by(*order)
        with self._transactions.reading() as connection:
            rows = connection.execute(query).all()
        return tuple(
            Total(" · ".join(map(str, row[3:])), row[0], int(row[1]), row[2]) for row in rows
        )

    def pool(self, scope: IssueScope, episode_id: str | None, words: Sequence[str]) -> Pool:
        """The issues among which notes are chosen."""
        with self._transactions.reading() as connection:
            return load_pool(connection, scope, episode_id, list(words))

    def draw(
        self,
        scope: IssueScope,
        episode_id: str,
        draws: Sequence[Draw],
        *,
        at: datetime,
        fading: int = FADING,
    ) -> dict[int, Draw]:
        """Keep which notes are shown in a run; the first draw of each holds. Gives those that hold, by tally."""
        with self._transactions.writing(scope.clone_id, journalled=False) as connection:
            counting = Counting(connection, scope.clone_id, fading=fading)
            counting.run(scope, episode_id)
            counting.finish()
            return note_draws(connection, scope.clone_id, episode_id, draws, at)

    def prune(self, clone_id: str, before: datetime) -> int:
        """Delete evaluations that are older, and notes of what has not come since; says how many evaluations there were."""
        tallies = tables.issue_tallies
        notes = sa.delete(tallies).where(
            tallies.c.clone_id == clone_id, tallies.c.last_seen < before
        )
        old = sa.delete(_table).where(_table.c.clone_id == clone_id, _table.c.created_at < before)
        runs = tables.issue_runs
        past = sa.delete(runs).where(runs.c.clone_id == clone_id, runs.c.at < before)
        with self._transactions.writing(clone_id) as connection:
            connection.execute(past)
            connection.execute(notes)
            return connection.execute(old).rowcount

    def forget(self, clone_id: str, wanted: TallyFilter) -> int:
        """Let go of issues, in what evaluators said and in the files of results, too; gives how many issues there were."""
        self._outbox.deliver()
        with self._transactions.writing(clone_id) as connection:
            doomed = load_tallies(connection, clone_id, wanted, None)
            changed = [
                (results_file(one.policy_model, one.task_type), forget_in(connection, one, ids))
                for one, ids in by_scope(clone_id, doomed).items()
            ]
        for file, lines in changed:
            self._outbox.replace_results(ResultsPlace(clone_id, file), lines)
        return len(doomed)

    def remove(self, clone_id: str, evaluations: Sequence[Evaluation]) -> None:
        """Delete evaluations, and count the issues of those that are left anew."""
        with self._transactions.writing(clone_id) as connection:
            delete_among(
                connection,
                _table,
                _table.c.id,
                [one.id for one in evaluations],
                _table.c.clone_id == clone_id,
            )
            names = {(one.policy_model, one.task_type, one.evaluator_type) for one in evaluations}
            recount_in(connection, [IssueScope(clone_id, *one) for one in sorted(names)])

    def file_of(self, clone_id: str, policy_model: str, task_type: str) -> Path | None:
        """The file with the results of a model on one kind of task; None where none is kept, or its lines still wait."""
        return self._outbox.file_of(ResultsPlace(clone_id, results_file(policy_model, task_type)))


# Let go of issues: of what they were counted to, and of what evaluators said.
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
