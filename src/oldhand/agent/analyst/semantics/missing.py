"""The empty text counts as no value where a column's values are written so."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from oldhand.query import form
from oldhand.query.known import profile_of
from oldhand.query.walk import replaced
from oldhand.record.schema import DatabaseSchema


def with_missing(query: form.Query, schemas: Sequence[DatabaseSchema]) -> form.Query:
    """A query in which rows without a value are also those with the empty text, as the profile says."""
    used = any(c.profile and c.profile.empty for s in schemas for t in s.tables for c in t.columns)
    if not used:
        return query
    return _valued(replaced(query, lambda node: _both(node, schemas)), schemas)


def _both(node: form.Node, schemas: Sequence[DatabaseSchema]) -> form.Node | None:
    match node:
        case form.Comparison(
            left=form.ColumnRef() as column, operator="null" | "not null" as operator
        ) if _may_be_empty(column, schemas):
            if operator == "null":
                return form.AnyOf((node, form.Comparison(column, "=", ("",))))
            return _has_value(column)
        case form.Comparison(right=form.Query() as inner):
            made = _valued(replaced(inner, lambda part: _both(part, schemas)), schemas)
            return replace(node, right=made)
        case _:
            return None


def _valued(query: form.Query, schemas: Sequence[DatabaseSchema]) -> form.Query:
    """A query for the first of an order, or for the least or greatest value, without rows that have no value there."""
    if any(join.outer for join in query.rows.joins):
        return query
    wanted = (_has_value(column) for column in _compared(query) if _may_be_empty(column, schemas))
    return replace(query, where=tuple(dict.fromkeys((*query.where, *wanted))))


def _compared(query: form.Query) -> Iterator[form.ColumnRef]:
    """The columns by whose values rows are told to be the first."""
    for order in query.order if query.limit is not None else ():
        if isinstance(order.by, form.ColumnRef) and order.by not in query.group:
            yield order.by
    measured = [*query.select, *(order.by for order in query.order)]
    found = {
        one.of
        for one in measured
        if isinstance(one, form.Aggregate) and one.function in ("min", "max")
    }
    measures = [one for one in measured if isinstance(one, form.Aggregate | form.Count)]
    if len(found) == 1 and all(one.of in found for one in measures):
        yield from (column for column in found if isinstance(column, form.ColumnRef))


def _may_be_empty(column: form.ColumnRef, schemas: Sequence[DatabaseSchema]) -> bool:
    profile = profile_of(column, schemas)
    return profile is not None and bool(profile.empty)


def _has_value(column: form.ColumnRef) -> form.Comparison:
    return form.Comparison(column, "!=", ("",))  # which no row without a value meets
