"""The numbers that rows are ranked by where no column shows them: `the 3 dearest products`, and what each of them costs."""

import asyncio
from dataclasses import dataclass
from typing import Protocol

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from oldhand.agent.analysis.mind import StepResult
from oldhand.errors import DatabaseError, QueryRefused
from oldhand.lexicon.wording import human, listed, value_text
from oldhand.record.answer import Ranking
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.cells import plain_cell
from oldhand.sources.databases import QueryResult
from oldhand.sources.databases.withholding import withheld

_MOST = 100
"""Rows of a ranking; what is longer is a list."""
_TOLD = 6
"""Numbers of a ranking that a sentence tells."""
_BY = "ranked_by"
LONGEST_LOOK = 5.0
"""Seconds that counting those who share the last place may take at most."""
_RANKED, _PLACE, _NUMBER = "ranked", "place", "number_of_rows"


# Whether a limit cuts through rows that share a place: `the customer with the most orders` may be three of them.
class StatementRunner(Protocol):
    """Something that runs a statement: a database, or the workspace."""

    async def execute(self, sql: str, *, rows: int, seconds: float) -> QueryResult:
        """Check and run one statement; cancelling the task interrupts it."""
        ...


@dataclass(frozen=True, slots=True)
class LastPlace:
    """The last place of rows that are sorted and cut."""

    wanted: int
    """Rows that the limit lets through."""
    sql: str
    """Counts the rows up to this place, those that share it included."""

    def said(self, number: int) -> str:
        """A sentence for those that the limit cut off; empty when there are none.

        >>> LastPlace(1, "").said(3), LastPlace(3, "").said(4), LastPlace(3, "").said(3)
        ('2 more share this place.', '1 more shares the last place.', '')
        """
        more = number - self.wanted
        if more <= 0:
            return ""
        shares = "shares" if more == 1 else "share"
        return f"{more:,} more {shares} {'this' if self.wanted == 1 else 'the last'} place."


async def sharing_last_place(
    result: StepResult, source: StatementRunner, dialect: str, seconds: float
) -> str:
    """A sentence for rows that share the last place of a result and were cut off; empty when there are none.

    The rows are there: what goes wrong while the others are counted costs nothing but the sentence.
    """
    found = await asyncio.to_thread(last_place, result.sql, dialect, result.row_count)
    if found is None or result.truncated:
        return ""
    try:
        counted = await source.execute(found.sql, rows=1, seconds=min(seconds, LONGEST_LOOK))
    except (QueryRefused, DatabaseError):
        return ""
    number = counted.values[0][0] if counted.values else None
    return found.said(number) if isinstance(number, int) else ""


def last_place(sql: str, dialect: str, row_count: int) -> LastPlace | None:
    """The last place of a statement's rows; None when nothing is cut off, or there are no places.

    Columns that only keep rows of one place in a steady order don't make places of their own.

    >>> found = last_place("SELECT name FROM staff ORDER BY salary DESC LIMIT 1", "sqlite", 1)
    >>> found.sql
    'SELECT COUNT(*) AS number_of_rows FROM (SELECT RANK() OVER (ORDER BY salary DESC) AS place FROM staff) AS ranked WHERE ranked.place <= 1'
    """
    try:
        tree = parse_one(sql, read=dialect)
    except SqlglotError:
        return None
    limit = tree.args.get("limit")
    order = tree.args.get("order")
    if not isinstance(tree, exp.Select) or not isinstance(order, exp.Order) or limit is None:
        return None
    wanted = _number(limit)
    plain = not (tree.args.get("offset") or tree.args.get("distinct") or tree.args.get("qualify"))
    if wanted is None or wanted != row_count or not plain or tree.find(exp.Window):
        return None
    return LastPlace(wanted, _counting(tree, places_of(tree, order), wanted).sql(dialect=dialect))


def _number(limit: exp.Expr) -> int | None:
    count = limit.expression if isinstance(limit, exp.Limit) else limit.args.get("count")
    whole = isinstance(count, exp.Literal) and not count.is_string and count.name.isdigit()
    return int(count.name) if whole and isinstance(count, exp.Literal) else None


def places_of(tree: exp.Select, order: exp.Order) -> list[exp.Expr]:
    """What the rows are sorted by, those columns aside that only tell rows of one place apart."""
    named = {output.alias: output.unalias() for output in tree.selects if output.alias}
    shown = [output.unalias() for output in tree.selects]
    group = tree.args.get("group")
    keys = [*shown, *(group.expressions if isinstance(group, exp.Group) else ())]
    terms: list[exp.Expr] = []
    for term in order.expressions:
        by = term.this
        if isinstance(by, exp.Literal) and by.name.isdigit() and 0 < int(by.name) <= len(shown):
            by = shown[int(by.name) - 1]
        elif isinstance(by, exp.Column) and not by.table and by.name in named:
            by = named[by.name]
        made = term.copy()
        made.set("this", by.copy())
        terms.append(made)
    while len(terms) > 1 and not terms[-1].args.get("desc") and terms[-1].this in keys:
        terms.pop()
    return terms


def _counting(tree: exp.Select, places: list[exp.Expr], wanted: int) -> exp.Select:
    inner = tree.copy()
    for clause in ("order", "limit"):
        inner.set(clause, None)
    place = exp.Window(this=exp.Rank(), order=exp.Order(expressions=places))
    inner.set("expressions", [exp.alias_(place, _PLACE)])
    ranked = exp.Subquery(this=inner, alias=exp.TableAlias(this=exp.to_identifier(_RANKED)))
    reached = exp.LTE(this=exp.column(_PLACE, _RANKED), expression=exp.Literal.number(wanted))
    return exp.select(exp.alias_(exp.Count(this=exp.Star()), _NUMBER)).from_(ranked).where(reached)


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
