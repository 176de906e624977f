"""Where a time lies behind all that a database holds: the answer is no zero, the data ended before."""

from collections.abc import Sequence
from datetime import date, timedelta

from oldhand.query.describing.found import FoundRows
from oldhand.query.form import ColumnRef, Comparison, Query
from oldhand.query.known import profile_of
from oldhand.query.opaque import Opaque
from oldhand.query.walk import walk
from oldhand.record.schema import DatabaseSchema

_LONGEST_MONTH = timedelta(days=31)
_SHORTEST_YEAR = timedelta(days=365)


def where_data_ends(
    query: Query | Opaque | None, found: FoundRows, schemas: Sequence[DatabaseSchema]
) -> str:
    """The day on which the data ends, and the last time like the one asked for that has data; empty where rows were found."""
    nothing = all(not cell for row in found.rows for cell in row)
    for one in walk(query) if isinstance(query, Query) and nothing else ():
        if not isinstance(one, Comparison) or one.operator not in ("within", ">=", ">"):
            continue
        last = _last_day(one, schemas)
        days = [_day(value) for value in one.right] if isinstance(one.right, tuple) else []
        if last and days and days[0] and days[0] > last:
            instead = _instead(last, days[0], days[-1]) if len(days) > 1 else ""
            return f"The data ends on {last.day} {last:%B %Y}{instead}."
    return ""


def _last_day(condition: Comparison, schemas: Sequence[DatabaseSchema]) -> date | None:
    profile = profile_of(condition.left, schemas) if isinstance(condition.left, ColumnRef) else None
    return _day(profile.high) if profile is not None and not profile.form else None


def _day(value: object) -> date | None:
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        return None


def _instead(last: date, start: date, end: date | None) -> str:
    """The last month or year that has data, where one was asked for."""
    length = end - start if end else timedelta()
    if length >= _SHORTEST_YEAR:
        return f"; the last year with data is {last.year}"
    months = timedelta(days=1) < length <= _LONGEST_MONTH
    return f"; the last month with data is {last:%B %Y}" if months else ""
