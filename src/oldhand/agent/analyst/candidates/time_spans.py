"""Writes a span of time between two columns, without regard to any dialect."""

from sqlglot import exp

from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.spans import UNITS


def span(until: exp.Expr, since: exp.Expr, entry: ColumnEntry) -> exp.Expr:
    """The time from `since` to `until` in the unit of `entry`: whole days between dates, with parts between moments."""
    if not entry.exact:
        return exp.DateDiff(this=until, expression=since, unit=exp.var("DAY"))
    seconds = exp.DateDiff(this=until, expression=since, unit=exp.var("SECOND"))
    length = exp.Literal.number(float(UNITS[entry.column.type]))
    return exp.Paren(this=exp.Div(this=seconds, expression=length, typed=False, safe=False))
