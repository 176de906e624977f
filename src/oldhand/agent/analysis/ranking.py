"""The numbers that rows are ranked by where no column shows them: `the 3 dearest products`, and what each of them costs."""

import asyncio

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from oldhand.agent.analysis.mind import StepResult
from oldhand.agent.analysis.ties import LONGEST_LOOK, StatementRunner, places_of
from oldhand.errors import DatabaseError, QueryRefused
from oldhand.lexicon.wording import human, listed, value_text
from oldhand.record.answer import Ranking
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.cells import plain_cell
from oldhand.sources.databases.withholding import withheld

_MOST = 100
"""Rows of a ranking; what is longer is a list."""
_TOLD = 6
"""Numbers of a ranking that a sentence tells."""
_BY = "ranked_by"


async def ranking_of(
    result: StepResult,
    source: StatementRunner,
    dialect: str,
    schema: DatabaseSchema | None,
    called: str,
) -> Ranking | None:
    """What rows that are sorted and cut are sorted by; None where they show it, or models must not see it.

    The rows are there: what goes wrong while the numbers are read costs nothing but the numbers.
    """
    if not 0 < result.row_count <= _MOST or result.truncated:
        return None
    sql, name = await asyncio.to_thread(with_number, result.sql, dialect)
    width = len(result.columns)
    if not sql or (schema is not None and width in withheld(sql, schema, width + 1)):
        return None
    try:
        found = await source.execute(sql, rows=_MOST, seconds=LONGEST_LOOK)
    except (QueryRefused, DatabaseError):
        return None
    rows = [tuple(map(plain_cell, row)) for row in found.values]
    if tuple(row[:-1] for row in rows) != result.rows:
        return None  # of rows that share a place, others came now
    return Ranking(
        column=called if called not in ("", "result") else name,
        numbers=tuple(row[-1] for row in rows),
    )


def told(ranking: Ranking) -> str:
    """A sentence for what rows are ranked by.

    >>> told(Ranking(column="number_of_orders", numbers=(9, 7)))
    'By number of orders: 9 and 7.'
    """
    said = [value_text(number, ranking.column) for number in ranking.numbers]
    if len(said) > _TOLD:
        said = [*said[: _TOLD - 1], f"so on to {said[-1]}"]
    return f"By {human(ranking.column)}: {listed(said)}."


def with_number(sql: str, dialect: str) -> tuple[str, str]:
    """A statement that shows what its rows are ranked by as a further column, and what that is called.

    Both are empty when it shows it already, or ranks nothing.

    >>> with_number("SELECT name FROM staff ORDER BY salary DESC, name LIMIT 3", "sqlite")
    ('SELECT name, salary AS ranked_by FROM staff ORDER BY salary DESC, name LIMIT 3', 'salary')
    >>> with_number("SELECT name, salary FROM staff ORDER BY 2 LIMIT 3", "sqlite")
    ('', '')
    """
    try:
        tree = parse_one(sql, read=dialect)
    except SqlglotError:
        return "", ""
    order = tree.args.get("order")
    ranks = (
        isinstance(tree, exp.Select) and tree.args.get("limit") and not tree.args.get("distinct")
    )
    if not isinstance(tree, exp.Select) or not isinstance(order, exp.Order) or not ranks:
        return "", ""
    terms = (term.this for term in places_of(tree, order))
    by = next((term for term in terms if not term.find(exp.Is)), None)  # which puts gaps last
    shown = [output.unalias() for output in tree.selects]
    if by is None or by in shown or any(isinstance(one, exp.Star) for one in shown):
        return "", ""
    column = by.find(exp.Column)
    computed = column is not None and column is not by
    name = f"{by.key}_{column.name}" if computed and column else column.name if column else "number"
    return tree.select(exp.alias_(by.copy(), _BY)).sql(dialect=dialect), name
