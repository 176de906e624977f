"""Times in one form: a day whose year, or whose month, is compared lies within that year or month."""

import re
from datetime import date, timedelta

from oldhand.query.form import ColumnRef, Comparison, DatePart, Node, Query
from oldhand.query.walk import changed

_LENGTHS = {"year": 4, "month": 7, "day": 10}
"""Parts of dates that tell a span of time by themselves, with the characters of their texts."""
_STARTED = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")


def in_spans(query: Query) -> Query:
    """A query in which dates lie within years, months and days.

    >>> from oldhand.query.form import Count, Relation, Rows
    >>> ordered = ColumnRef(Relation("shop", "main", "orders"), "ordered_on")
    >>> may = Comparison(DatePart(ordered, "month"), "=", ("2024-05",))
    >>> in_spans(Query(Rows((ordered.of,)), (Count(),), (may,))).where[0].right
    ('2024-05-01', '2024-06-01')
    """
    return changed(query, _in_span)


def _in_span(node: Node) -> Node:
    match node:
        case Comparison(
            left=DatePart(of=ColumnRef() as column, part=part), operator="=", right=(str(text),)
        ):
            ends = _ends(text) if len(text) == _LENGTHS.get(part) else None
        case Comparison(left=ColumnRef() as column, operator="like", right=(str(text),)) if (
            text.endswith("%")
        ):
            ends = _ends(text.rstrip("%").rstrip("-"))
        case _:
            return node
    return node if ends is None else Comparison(column, "within", ends)


def _ends(text: str) -> tuple[str, str] | None:
    """The first day of a span, and the first one after it; None for what is no time."""
    if (found := _STARTED.fullmatch(text)) is None:
        return None
    year, month, day = (int(part) if part else None for part in found.groups())
    try:
        first = date(year or 0, month or 1, day or 1)
        last = date(first.year, 12 if month is None else first.month, 1) if day is None else first
    except ValueError:
        return None
    after = (
        (last.replace(day=28) + timedelta(4)).replace(day=1)
        if day is None
        else first + timedelta(1)
    )
    return first.isoformat(), after.isoformat()
