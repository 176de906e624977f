"""That there are rows, `EXISTS`, as the rows of the form that a row has, or has not."""

from dataclasses import replace

from sqlglot import exp

from oldhand.query.form import ColumnRef, Comparison, Has, Predicate, Query, Value
from oldhand.query.lifting.scope import LiftScope
from oldhand.query.lifting.unfit import Unfit
from oldhand.query.walk import changed, equal_columns, is_measure, walk


def read_exists(node: exp.Exists, scope: LiftScope) -> Predicate:
    """That there are rows: by the equation that ties them to the row at hand, where there is one."""
    inner = node.this
    while isinstance(inner, exp.Subquery):
        inner = inner.this
    if not isinstance(inner, exp.Query):
        raise Unfit("exists")
    query = replace(scope.reader.query(inner, scope, scope.common), names=())
    grouped = query.group or query.having or any(map(is_measure, query.select))
    if grouped or query.compound or query.each or query.offset or query.limit == 0:
        raise Unfit("exists of more than rows")
    query = replace(query, order=(), limit=None, distinct=False)
    exact = not _is_affirmed(node)
    for place, one in enumerate(query.where):
        ends = _tie(one, query)
        if ends is None or (exact and not scope.never_missing(ends[1])):
            continue
        near, far = ends
        rest = query.where[:place] + query.where[place + 1 :]
        if exact and not _is_key(near, query, scope):
            rest += (Comparison(near, "not null"),)
        return Has(far, _apart(replace(query, select=(near,), where=rest)))
    return Has(Value(1), replace(query, select=(Value(1),)))


def _apart(query: Query) -> Query:
    """A query that no longer refers to the row around needs no roles to be told from it."""
    (first, *more) = query.rows.relations
    plain = replace(first, role="")
    tied_outside = any(
        isinstance(one, ColumnRef) and one.of == plain for one in walk(query, inner=True)
    )
    if not first.role or tied_outside or plain in more:
        return query
    return changed(query, lambda part: plain if part == first else part)


def _is_affirmed(node: exp.Expr) -> bool:
    """True where it makes no difference whether a condition fails, or can't be told."""
    parent = node.parent
    while isinstance(parent, exp.And | exp.Or | exp.Paren):
        parent = parent.parent
    return isinstance(parent, exp.Where | exp.Having | exp.Join)


def _is_key(column: ColumnRef, query: Query, scope: LiftScope) -> bool:
    """True when a column of the rows inside can't be missing."""
    if any(join.outer for join in query.rows.joins) or column.of.query is not None:
        return False
    table = exp.table_(column.of.table, db=column.of.schema, catalog=column.of.database)
    _, known = scope.reader.table(table)
    found = known.column(column.name) if known is not None else None
    return found is not None and not found.nullable and not found.primary_key


def _tie(predicate: Predicate, query: Query) -> tuple[ColumnRef, ColumnRef] | None:
    """A column of the rows and one of the row around that must be equal."""
    pair = equal_columns(predicate)
    if pair is None:
        return None
    own = query.rows.relations
    near, far = pair if pair[0].of in own else pair[::-1]
    return (near, far) if near.of in own and far.of not in own else None
