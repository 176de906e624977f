"""Whether an answer is what a spec expects."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from oldhand.errors import DatabaseUnreachable, InvalidSpec, OldhandError
from oldhand.learning.confirmation import spelled_alike
from oldhand.learning.regression.rows import same_rows
from oldhand.learning.regression.spec import Expected
from oldhand.record.base import Row
from oldhand.record.route import RouteResponse
from oldhand.record.shortening import shortened
from oldhand.settings import QueryLimits
from oldhand.sources.databases import Catalog
from oldhand.sources.databases.guard import checked_text

_SHOWN_ROWS = 5
_SHOWN_TEXT = 300

RowsOf = Callable[[str, str], tuple[Row, ...]]
"""Runs a query, `(database, sql)`, and gives all its rows."""


class Mismatch(NamedTuple):
    """One thing that is not as expected."""

    field: str
    """The key under `expected` in the spec."""
    expected: str
    actual: str

    def __str__(self) -> str:
        return f"{self.field}: expected {self.expected}, was {self.actual}"


def mismatches(
    expected: Expected, response: RouteResponse, rows_of: RowsOf | None = None
) -> tuple[Mismatch, ...]:
    """All that is not as expected; empty when the spec holds.

    Raises:
        InvalidSpec: the spec has SQL, and there is nothing to run it.
        OldhandError: its SQL could not be run.

    >>> expected = Expected(model_used="granite-local", cost=0.0, tools_used=())
    >>> for one in mismatches(expected, RouteResponse(text="4", model_used="claude-opus", cost=0.03)):
    ...     print(one)
    model_used: expected granite-local, was claude-opus
    cost: expected at most 0.0, was 0.03
    """
    return (
        *_of_the_route(expected, response),
        *_of_the_text(expected, response),
        *_of_the_queries(expected, response),
        *_of_the_rows(expected, response, rows_of),
    )


def has_sql(piece: str, sql: str) -> bool:
    """Whether a piece of SQL stands in a statement; blanks, comments and letter case of keywords aside.

    >>> has_sql("select  count(*)", "SELECT COUNT(*) FROM customers"), has_sql("orders", "SELECT 1 FROM customers")
    (True, False)
    """
    return piece in sql or _spelled(piece) in _spelled(sql)


def same_sql(one: str, other: str) -> bool:
    """Whether two statements are the same; blanks, comments and letter case of keywords aside.

    >>> same_sql("select 1 -- one", "SELECT 1"), same_sql("SELECT 1", "SELECT 1 LIMIT 1")
    (True, False)
    """
    return _spelled(one) == _spelled(other)


def _spelled(sql: str) -> str:
    return " ".join(spelled_alike(sql).split())


def _of_the_route(expected: Expected, response: RouteResponse) -> Iterator[Mismatch]:
    if expected.outcome not in (None, response.outcome):
        yield Mismatch("outcome", expected.outcome.value, response.outcome.value)
    if expected.model_used not in (None, response.model_used):
        yield Mismatch("model_used", expected.model_used, response.model_used)
    if expected.cost is not None and response.cost > expected.cost + 1e-12:
        yield Mismatch("cost", f"at most {expected.cost}", str(response.cost))
    used = response.tools_used
    if expected.tools_used is not None and set(expected.tools_used) != set(used):
        yield Mismatch("tools_used", _listed(expected.tools_used), _listed(used))
    if unwanted := [tool for tool in expected.tools_not_used if tool in used]:
        yield Mismatch("tools_not_used", f"not {', '.join(unwanted)}", _listed(used))


def _of_the_text(expected: Expected, response: RouteResponse) -> Iterator[Mismatch]:
    text = response.text.casefold()
    for wanted in expected.response_contains:
        if wanted.casefold() not in text:
            yield Mismatch("response_contains", repr(wanted), _cut(repr(response.text)))
    for unwanted in expected.response_not_contains:
        if unwanted.casefold() in text:
            yield Mismatch("response_not_contains", f"not {unwanted!r}", _cut(repr(response.text)))


def _of_the_queries(expected: Expected, response: RouteResponse) -> Iterator[Mismatch]:
    ran = [step.sql for step in response.steps]
    for unwanted in expected.sql_not_contains:
        for sql in ran:
            if has_sql(unwanted, sql):
                yield Mismatch("sql_not_contains", f"not {unwanted}", _cut(sql))
    for unwanted in expected.sql_not_equals:
        for sql in ran:
            if same_sql(unwanted, sql):
                yield Mismatch("sql_not_equals", f"not {unwanted}", _cut(sql))
    asked = dict.fromkeys(step.database for step in response.steps)
    if expected.sql is None and expected.database not in (None, *asked):
        yield Mismatch("database", expected.database, _listed(tuple(asked)))


def _of_the_rows(
    expected: Expected, response: RouteResponse, rows_of: RowsOf | None
) -> Iterator[Mismatch]:
    if expected.sql is None and expected.rows is None:
        return
    field = "rows" if expected.sql is None else "sql"
    wanted = expected.rows if expected.sql is None else _rows_of(expected, rows_of)
    assert wanted is not None, "one of the two is given"
    if response.truncated or not same_rows(wanted, response.rows, ordered=expected.counts_order):
        actual = _rows(response.rows) if response.rows else _cut(repr(response.text))
        yield Mismatch(field, _rows(wanted), f"{actual}, cut" if response.truncated else actual)


def _rows_of(expected: Expected, rows_of: RowsOf | None) -> tuple[Row, ...]:
    if rows_of is None or expected.sql is None or expected.database is None:
        raise InvalidSpec("This spec has SQL, and there are no databases here to run it.")
    return rows_of(expected.database, expected.sql)


def _rows(rows: tuple[Row, ...]) -> str:
    shown = ", ".join(f"({', '.join(map(repr, row))})" for row in rows[:_SHOWN_ROWS])
    more = len(rows) - _SHOWN_ROWS
    rest = f" and {more:,} more" if more > 0 else ""
    return f"{len(rows):,} row{'' if len(rows) == 1 else 's'}: {_cut(shown)}{rest}"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names) or "none"


def _cut(text: str) -> str:
    return shortened(text, _SHOWN_TEXT)


@dataclass(frozen=True)
class SpecQueries:
    """Runs the SQL of specs on the databases of a home."""

    catalog: Catalog
    limits: QueryLimits

    def rows(self, database: str, sql: str) -> tuple[Row, ...]:
        """All rows of a query; blocks.

        Raises:
            InvalidSpec: it does more than read, the database rejects it, or there are too many rows to compare.
            DatabaseUnreachable: the database does not answer.
        """
        limit = max(self.limits.rows, self.limits.workspace_rows)
        try:
            opened = self.catalog.open(database)
            text = checked_text(sql, opened.dialect)
            result = opened.fetch(text, rows=limit, seconds=self.limits.seconds)
        except DatabaseUnreachable:
            raise
        except OldhandError as error:
            raise InvalidSpec(f"The SQL that is expected cannot be run: {error}") from error
        if result.truncated:
            raise InvalidSpec(f"The SQL that is expected has more than {limit:,} rows.")
        return result.rows
