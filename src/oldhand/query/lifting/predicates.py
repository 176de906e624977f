"""Predicates: comparisons with values, with other terms and with queries, and what they are joined to."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sqlglot import exp

from oldhand.query import form
from oldhand.query.compiling.conditions import COMPARISONS
from oldhand.query.form import ColumnRef, Comparison, Has, Predicate, Query, Value
from oldhand.query.lifting.literals import is_moment
from oldhand.query.lifting.measures import own_group
from oldhand.query.lifting.scope import LiftScope, Unfit, only
from oldhand.query.negating import MIRRORED, negated
from oldhand.query.walk import changed, equal_columns, is_measure, walk
from oldhand.record.schema import Kind

_OPERATORS: Mapping[type[exp.Expr], str] = {kind: name for name, kind in COMPARISONS.items()}
_DIGITS = {"year": 4, "month of the year": 2, "day of the month": 2, "hour": 2}
"""Parts of dates that are numbers, with the digits of their texts."""
_DATES = (exp.DType.DATE, exp.DType.TIMESTAMP, exp.DType.DATETIME, exp.DType.TIMESTAMPTZ)


def read_conjuncts(node: exp.Expr, scope: LiftScope) -> tuple[form.Predicate, ...]:
    """The predicates that must all hold for a condition to hold, in their order."""
    return _spans([scope.reader.predicate(part, scope) for part in _joined(node, exp.And)])


def _joined(node: exp.Expr, by: type[exp.Connector]) -> Iterator[exp.Expr]:
    """The conditions that are joined by AND, or by OR, however they are put in parentheses."""
    waiting = [node]
    while waiting:
        part = waiting.pop().unnest()
        if isinstance(part, by):
            waiting += [part.expression, part.this]
        else:
            yield part


def _spans(predicates: list[form.Predicate]) -> tuple[form.Predicate, ...]:
    """From one moment until before another: both together are one condition."""
    made: list[form.Predicate] = []
    for one in predicates:
        last = made[-1] if made else None
        if isinstance(one, form.Comparison) and isinstance(last, form.Comparison):
            both = last.left == one.left and (last.operator, one.operator) == (">=", "<")
            ends = last.values + one.values
            if both and len(ends) == 2 and all(map(is_moment, ends)):
                made[-1] = form.Comparison(one.left, "within", ends)
                continue
        made.append(one)
    return tuple(made)


def read_predicate(node: exp.Expr, scope: LiftScope) -> form.Predicate:
    """One condition.

    Raises:
        Unfit: it has no place in the form.
    """
    node = node.unnest()
    if isinstance(node, exp.And):
        every = read_conjuncts(node, scope)
        return every[0] if len(every) == 1 else form.AllOf(every)
    if isinstance(node, exp.Or):
        return form.AnyOf(
            tuple(scope.reader.predicate(one, scope) for one in _joined(node, exp.Or))
        )
    if isinstance(node, exp.Not):
        return negated(scope.reader.predicate(node.this, scope))
    if type(node) in _OPERATORS:
        return _comparison(node, scope)
    if isinstance(node, exp.In):
        return _among(node, scope)
    if isinstance(node, exp.Exists):
        return read_exists(node, scope)
    return _with_values(node, scope)


def _with_values(node: exp.Expr, scope: LiftScope) -> form.Predicate:
    reader = scope.reader
    if isinstance(node, exp.Between):
        only(node, ("this", "low", "high"))
        first, last = node.args["low"], node.args["high"]
        if isinstance(first, exp.Subquery) or isinstance(last, exp.Subquery):
            ends = ((exp.GTE, first), (exp.LTE, last))
            parts = [kind(this=node.this.copy(), expression=end.copy()) for kind, end in ends]
            return form.AllOf(tuple(reader.predicate(part, scope) for part in parts))
        left = reader.term(node.this, scope)
        low = compared(left, ">=", reader.term(_plain(first), scope))
        high = compared(left, "<=", reader.term(_plain(last), scope))
        if low.left == left and low.values and high.values:
            return form.Comparison(left, "between", low.values + high.values)
        return form.AllOf((low, high))
    if isinstance(node, exp.Like | exp.ILike):
        alike = _alike(node, scope)
        return negated(alike) if node.args.get("negate") else alike
    if isinstance(node, exp.Is):
        return _is(node, scope)
    return _truth(node, scope)


def _alike(node: exp.Like | exp.ILike, scope: LiftScope) -> form.Comparison:
    """A comparison with a pattern; without regard to letter case it is one of small letters."""
    only(node, ("this", "expression", "negate"))
    pattern = scope.reader.term(node.expression, scope)
    if not (isinstance(pattern, form.Value) and isinstance(pattern.value, str)):
        raise Unfit("pattern that is no text")
    left = scope.reader.term(node.this, scope)
    if isinstance(node, exp.Like):
        return form.Comparison(left, "like", (pattern.value,))
    if not pattern.value.isascii():
        raise Unfit("pattern that is no plain text")
    return form.Comparison(form.Function("lower", (left,)), "like", (pattern.value.lower(),))


def _is(node: exp.Is, scope: LiftScope) -> form.Predicate:
    only(node, ("this", "expression"))
    left = scope.reader.term(node.this, scope)
    if isinstance(node.expression, exp.Null):
        return form.Comparison(left, "null")
    if isinstance(node.expression, exp.Boolean) and scope.reader.dialect in ("postgres", "duckdb"):
        both = (
            form.Comparison(left, "not null"),
            form.Comparison(left, "=", (bool(node.expression.this),)),
        )
        return form.AllOf(both)
    raise Unfit("is")


def _truth(node: exp.Expr, scope: LiftScope) -> form.Predicate:
    """A value that is itself true or false."""
    if isinstance(node, exp.Boolean):
        return form.Comparison(form.Value(1), "=", (1 if node.this else 0,))
    if not isinstance(node, exp.Column):
        raise Unfit(f"condition {type(node).__name__.lower()}")
    term = scope.reader.term(node, scope)
    kind = scope.kind(term)
    if scope.reader.dialect in ("sqlite", "mysql"):
        if kind in (Kind.BOOLEAN, Kind.INTEGER, Kind.NUMBER):
            return form.Comparison(term, "!=", (0,))
    elif kind is Kind.BOOLEAN:
        return form.Comparison(term, "=", (True,))
    raise Unfit("condition that is a value")


def _comparison(node: exp.Expr, scope: LiftScope) -> form.Predicate:
    operator, reader = _OPERATORS[type(node)], scope.reader
    only(node, ("this", "expression"))
    one, two = node.this, node.expression
    if isinstance(two, exp.Any | exp.All):
        return _any_or_all(one, operator, two, scope)
    if isinstance(one, exp.Subquery) and not isinstance(two, exp.Subquery):
        one, two, operator = two, one, MIRRORED[operator]
    if isinstance(two, exp.Subquery) and isinstance(two.this, exp.Query):
        only(two, ("this",))
        left = reader.term(one, scope)
        right = own_group(two.this, scope)
        if right is not None:
            return form.Comparison(left, operator, right)
        return form.Comparison(left, operator, _one_column(two.this, scope))
    left, right = reader.term(_plain(one), scope), reader.term(_plain(two), scope)
    if isinstance(left, form.Value) and not isinstance(right, form.Value):
        left, right, operator = right, left, MIRRORED[operator]
    return compared(left, operator, right, kind=scope.kind(left))


def compared(
    left: form.Expression, operator: str, right: form.Expression, *, kind: Kind | None = None
) -> form.Comparison:
    """A comparison of two terms, of which the second one may be a value."""
    if not isinstance(right, form.Value) or right.value is None:
        return form.Comparison(left, operator, right)
    value = right.value
    if isinstance(value, float) and value.is_integer() and kind in (Kind.TEXT, None):
        number = not isinstance(left, form.ColumnRef)
        return form.Comparison(left, operator, (value,) if number else right)
    part = _numbered(left)
    if part is None or isinstance(value, bool) or not isinstance(value, int):
        return form.Comparison(left, operator, (value,))
    digits = _DIGITS[part.part]
    if len(str(value)) > digits or value < 0 or (digits > 2 and len(str(value)) < digits):
        return form.Comparison(left, operator, (value,))
    return form.Comparison(part, operator, (str(value).zfill(digits),))


def _numbered(left: form.Expression) -> form.DatePart | None:
    """The part of a date whose number is taken."""
    if isinstance(left, form.Function) and left.name in ("cast int", "cast bigint"):
        inner = left.of[0]
        if isinstance(inner, form.DatePart) and inner.part in _DIGITS:
            return inner
    return None


def _plain(node: exp.Expr) -> exp.Expr:
    """A day or a moment as its text."""
    if isinstance(node, exp.Cast) and not isinstance(node, exp.TryCast):
        inner = node.this
        if isinstance(inner, exp.Literal) and is_moment(inner.name) and node.to.is_type(*_DATES):
            return inner
    return node


def _any_or_all(
    one: exp.Expr, operator: str, among: exp.Any | exp.All, scope: LiftScope
) -> form.Predicate:
    inner = among.this
    inner = inner.this if isinstance(inner, exp.Subquery) else inner
    left = scope.reader.term(one, scope)
    if not isinstance(inner, exp.Query):
        return _element(left, operator, inner, scope)
    if operator == "=" and isinstance(among, exp.Any):
        return form.Has(left, _one_column(inner, scope))
    if operator == "!=" and isinstance(among, exp.All):
        return form.Has(left, _one_column(inner, scope), none=True)
    raise Unfit(f"{operator} {type(among).__name__.lower()}")


def _element(
    value: form.Expression, operator: str, array: exp.Expr, scope: LiftScope
) -> form.Predicate:
    """A value among the elements of a column that holds arrays."""
    held = scope.reader.term(array.unnest(), scope)
    looked_for = value.value if isinstance(value, form.Value) else None
    if operator != "=" or not isinstance(held, form.ColumnRef) or looked_for is None:
        raise Unfit("any of values")
    return form.Comparison(held, "=", (looked_for,))


def _among(node: exp.In, scope: LiftScope) -> form.Predicate:
    only(node, ("this", "expressions", "query"))
    left = scope.reader.term(node.this, scope)
    inner = node.args.get("query")
    if isinstance(inner, exp.Expr):
        inner = inner.this if isinstance(inner, exp.Subquery) else inner
        return form.Has(left, _one_column(inner, scope))
    terms = [scope.reader.term(_plain(one), scope) for one in node.expressions]
    if not terms:
        raise Unfit("in nothing")
    each = [compared(left, "=", term, kind=scope.kind(left)) for term in terms]
    if len(each) == 1:
        return each[0]
    if all(one.values for one in each) and len({one.left for one in each}) == 1:
        return form.Comparison(each[0].left, "in", sum((one.values for one in each), ()))
    return form.AnyOf(tuple(each))


def _one_column(node: exp.Expr, scope: LiftScope) -> form.Query:
    query = scope.reader.query(node, scope, scope.common)
    if len(query.select) != 1:
        raise Unfit("query of several columns as a value")
    return replace(query, names=())


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
