"""A store that many issues were found in, filled at once: saving them one by one takes minutes."""

import random
from collections import Counter
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.record.evaluation import Evaluation
from oldhand.record.schema import DatabaseSchema
from oldhand.store.engine import Access, open_engine, transaction
from oldhand.store.issues.counting import IssueScope, note_id
from oldhand.store.issues.text import issue_key, words_to_find
from oldhand.store.tables import evaluations, issue_groups, issue_tallies, issue_words

DIFFERENT = 0.4
"""Share of issues that are not one that is there already, at most: some mistakes come often, most are rare."""
RUNS = 1_000
RECENT = 5
"""Runs in which nearly all of them came last, so that hardly any fades meanwhile: the slowest case."""
FADING = 2
"""Issues of each of the older runs that have not faded yet."""
BATCH = 5_000
_MISSPELT = ("total", "name_of", "label", "city_id", "state", "kind", "code", "made_on")


class Filled(NamedTuple):
    """What a store holds."""

    issues: int
    different: int


class _Mistake(NamedTuple):
    number: int
    table: str
    column: str
    columns: str
    """Those that the table has."""
    question: str

    @property
    def text(self) -> str:
        """As the rules would say it."""
        return f"{self.table[0]} ({self.table}) has no column {self.column}. It has {self.columns}."

    @property
    def key(self) -> str:
        """As the rules would name it."""
        return f"column_not_in_table:company:{self.column}"


def fill(
    url: str,
    scope: IssueScope,
    schema: DatabaseSchema,
    issues: int,
    source: random.Random,
    at: datetime,
) -> Filled:
    """Put issues with all that belongs to them into an empty store, as `ResultStore.add` would."""
    mistakes = [_mistake(schema, number, source) for number in range(round(issues * DIFFERENT))]
    # Squared, so that the first ones come often.
    came = [mistakes[int(len(mistakes) * source.random() ** 2)] for _ in range(issues)]
    engine = open_engine(url)
    try:
        with transaction(engine, Access.WRITE) as connection:
            _put(connection, scope, came, at)
    finally:
        engine.dispose()
    return Filled(issues, len(set(came)))


def _mistake(schema: DatabaseSchema, number: int, source: random.Random) -> _Mistake:
    table = source.choice(schema.tables)
    column = f"{source.choice(_MISSPELT)}_{number}"
    known = source.choice(table.columns).name
    question = f"What is the {known.replace('_', ' ')} of {table.name} number {number % 997}?"
    columns = ", ".join(one.name for one in table.columns)
    return _Mistake(number, table.name, column, columns, question)


def _put(connection: sa.Connection, scope: IssueScope, came: list[_Mistake], at: datetime) -> None:
    if not came:
        return
    row = {**scope._asdict(), "seq": 1, "runs": RUNS, "last_run": "stored-last"}
    connection.execute(sa.insert(issue_groups), row)
    judged = [_evaluation(scope, number, mistake, at) for number, mistake in enumerate(came)]
    names = list(Evaluation.model_fields)
    rows: list[dict[str, object]] = [
        {"clone_id": scope.clone_id, **{n: getattr(e, n) for n in names}} for e in judged
    ]
    _insert(connection, evaluations, rows)
    first = dict(zip(reversed(came), reversed(judged), strict=True))
    times = Counter(came)
    tallies = {
        mistake: _tally(scope, number, mistake, times[mistake], at)
        for number, mistake in enumerate(first, 1)
    }
    _insert(connection, issue_tallies, list(tallies.values()))
    known = connection.execute(sa.select(issue_tallies.c.key, issue_tallies.c.seq))
    seqs = {row[0]: row[1] for row in known}
    words: list[dict[str, object]] = [
        {
            "group_seq": 1,
            "word": word,
            "tally_seq": seqs[tallies[mistake]["key"]],
            "clone_id": scope.clone_id,
        }
        for mistake, one in first.items()
        for word in words_to_find(mistake.text, one)
    ]
    _insert(connection, issue_words, sorted(words, key=lambda row: str(row["word"])))


def _insert(connection: sa.Connection, table: sa.Table, rows: list[dict[str, object]]) -> None:
    for start in range(0, len(rows), BATCH):
        connection.execute(sa.insert(table), rows[start : start + BATCH])


def _evaluation(scope: IssueScope, number: int, mistake: _Mistake, at: datetime) -> Evaluation:
    sql = f"SELECT {mistake.column} FROM {mistake.table} WHERE {mistake.table}_id = {number}"
    return Evaluation(
        id=f"stored-{number}",
        episode_id=f"stored-run-{number * RUNS // 100_000}",
        evaluator_type=scope.evaluator_type,
        granularity="step",
        policy_model=scope.policy_model,
        task_type=scope.task_type,
        query_idx=number // 100,
        question=mistake.question,
        step_number=number % 5 + 1,
        score=0.3 if mistake.number % 3 else 0.7,
        is_valid=False,
        issues=(mistake.text,),
        keys=(mistake.key,),
        sql_query=sql,
        created_at=at,
    )


def _tally(
    scope: IssueScope, number: int, mistake: _Mistake, times: int, at: datetime
) -> dict[str, object]:
    key = issue_key(mistake.key, mistake.text)
    last_run = RUNS - mistake.number % RECENT
    if number <= FADING * (50 - RECENT):
        last_run = RUNS - RECENT - number // FADING
    return {
        "clone_id": scope.clone_id,
        "id": note_id(scope, key),
        "group_seq": 1,
        "key": key,
        "text": mistake.text,
        "count": times,
        "worst_score": 0.3 if mistake.number % 3 else 0.7,
        "first_seen": at,
        "last_seen": at,
        "last_run": last_run,
        "shown": times % 7,
        "recurred": 0,
        "faded": False,
    }
