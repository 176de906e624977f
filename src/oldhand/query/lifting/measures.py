"""Measures: counts, aggregates, shares, ratios, and measures of the row's own group."""

from collections.abc import Mapping
from dataclasses import replace

from sqlglot import exp

from oldhand.query.aggregates import AGGREGATES
from oldhand.query.compiling.tree import WHOLE
from oldhand.query.form import (
    Aggregate,
    AllOf,
    Arithmetic,
    Attribute,
    Case,
    Column,
    Count,
    Expression,
    OwnGroup,
    Predicate,
    Proportion,
    Ratio,
    Share,
    Value,
)
from oldhand.query.lifting.divisions import quotient
from oldhand.query.lifting.literals import scalar
from oldhand.query.lifting.scope import Scope
from oldhand.query.lifting.unfit import Unfit, only
from oldhand.query.walk import changed, columns, equal_columns, is_measure

_BY_TREE: Mapping[type[exp.Expr], str] = {one.tree: name for name, one in AGGREGATES.items()}


def read_measure(node: exp.Expr, scope: Scope) -> Expression | None:
    """A measure of many rows; None for everything else."""
    if isinstance(node, exp.Count):
        return _count(node, scope)
    if type(node) in _BY_TREE:
        return _aggregate(node, scope)
    if isinstance(node, exp.Filter):
        return _filtered(node, scope)
    if isinstance(node, exp.WithinGroup):
        return _middle(node, scope)
    return None


def _count(node: exp.Count, scope: Scope) -> Count:
    only(node, ("this", "big_int"))
    if isinstance(node.this, exp.Star):
        return Count()
    if isinstance(node.this, exp.Distinct):
        return Count(_distinct(node.this, scope), distinct=True)
    of = scope.reader.term(node.this, scope)
    constant = isinstance(of, Value) and of.value is not None
    return Count() if constant or scope.never_missing(of) else Count(of)


def _distinct(node: exp.Distinct, scope: Scope) -> Expression:
    only(node, ("expressions",))
    if len(node.expressions) != 1:
        raise Unfit("distinct of several")
    return scope.reader.term(node.expressions[0], scope)


def _aggregate(node: exp.Expr, scope: Scope) -> Expression:
    only(node, ("this",))
    function = _BY_TREE[type(node)]
    if isinstance(node.this, exp.Distinct):
        of = _distinct(node.this, scope)
        return Aggregate(function, of, distinct=function not in ("min", "max"))
    of = scope.reader.term(node.this, scope)
    if is_measure(of) and not isinstance(of, OwnGroup):
        raise Unfit("measure of a measure")
    when = _met(of, WHOLE) if function == "avg" else None
    return Share(when) if when is not None else Aggregate(function, of)


def _filtered(node: exp.Filter, scope: Scope) -> Expression:
    """A measure of some rows: of what a CASE leaves of them."""
    only(node, ("this", "expression"))
    when = scope.reader.conjuncts(node.expression.this, scope)
    measure = read_measure(node.this, scope)
    met = when[0] if len(when) == 1 else None
    if met is None:
        raise Unfit("filter by several")
    if isinstance(measure, Count):
        return Count(Case(((met, measure.of or Value(1)),)), measure.distinct)
    if isinstance(measure, Aggregate):
        return Aggregate(measure.function, Case(((met, measure.of),)), measure.distinct)
    raise Unfit("filtered measure")


def _middle(node: exp.WithinGroup, scope: Scope) -> Aggregate | None:
    """PostgreSQL's way to write a median."""
    inner, order = node.this, node.expression
    if not (isinstance(inner, exp.PercentileCont) and scalar(inner.this) == 0.5):
        return None
    if not isinstance(order, exp.Order) or len(order.expressions) != 1:
        return None
    return Aggregate("median", scope.reader.term(order.expressions[0].this, scope))


def _met(of: Expression, worth: float) -> tuple[Predicate, ...] | None:
    """The predicates of `CASE WHEN … THEN worth ELSE 0 END`."""
    if not (isinstance(of, Case) and len(of.when) == 1):
        return None
    ((predicate, value),) = of.when
    if value != Value(worth) or of.otherwise != Value(0):
        return None
    return all_of(predicate)


def all_of(predicate: Predicate) -> tuple[Predicate, ...]:
    """The predicates that must all hold for one to hold."""
    return predicate.predicates if isinstance(predicate, AllOf) else (predicate,)


def read_division(node: exp.Div, scope: Scope) -> Expression:
    """A quotient: a share or a proportion in percent, a ratio of measures, or arithmetic."""
    top, bottom = node.this, node.expression
    if (proportion := _proportion(top, bottom, scope)) is not None:
        return proportion
    made = quotient(node, scope)
    if isinstance(made, Ratio):
        return _share(made) or made
    return made


def _proportion(top: exp.Expr, bottom: exp.Expr, scope: Scope) -> Proportion | None:
    """The part of one group in all of them: `100.0 * m / SUM(m) OVER ()`."""
    window = bottom.this if isinstance(bottom, exp.Nullif) else bottom
    if not isinstance(window, exp.Window) or not isinstance(window.this, exp.Sum):
        return None
    only(window, ("this", "over"))
    part = top.this if isinstance(top, exp.Cast) else top
    part = part.unnest()
    if not isinstance(part, exp.Mul):
        return None
    own = scope.reader.term(part.expression, scope)
    whole = scope.reader.term(window.this.this, scope)
    percent = isinstance(part.this, exp.Literal) and scalar(part.this) == WHOLE
    if not percent or own != whole or not isinstance(own, Count | Aggregate):
        return None
    return Proportion(own)


def _share(ratio: Ratio) -> Share | None:
    """`100 * SUM(CASE …) / SUM(…)`, or by the number of rows."""
    part = _hundredfold(ratio.top)
    if part is None:
        return None
    if ratio.bottom == Count():
        if isinstance(part, Count) and isinstance(part.of, Case) and not part.distinct:
            (first, *more) = part.of.when
            constant = isinstance(first[1], Value) and first[1].value is not None
            plain = constant and not more and part.of.otherwise in (None, Value(None))
            return Share(all_of(first[0])) if plain else None
        met = _met(part.of, 1) if isinstance(part, Aggregate) and part.function == "sum" else None
        return Share(met) if met is not None else None
    if not (isinstance(part, Aggregate) and isinstance(ratio.bottom, Aggregate)):
        return None
    if part.function != "sum" or ratio.bottom.function != "sum" or part.distinct:
        return None
    of = ratio.bottom.of
    if not isinstance(part.of, Case) or len(part.of.when) != 1 or ratio.bottom.distinct:
        return None
    ((predicate, worth),) = part.of.when
    if worth != of or part.of.otherwise != Value(0) or not isinstance(of, Attribute):
        return None
    return Share(all_of(predicate), of)


def _hundredfold(top: Expression) -> Expression | None:
    if not (isinstance(top, Arithmetic) and top.operator == "*"):
        return None
    for one, other in ((top.left, top.right), (top.right, top.left)):
        if isinstance(one, Value) and one.value == WHOLE:
            return other
    return None


def own_group(select: exp.Expr, scope: Scope) -> OwnGroup | None:
    """A measure over the rows that agree with the row at hand: `(SELECT AVG(x) FROM t AS t2 WHERE t2.k = t1.k)`."""
    if not isinstance(select, exp.Select) or len(select.expressions) != 1:
        return None
    parts = {name for name, part in select.args.items() if part}
    start = select.args.get("from_")
    if parts != {"expressions", "from_", "where"} or not isinstance(start.this, exp.Table):  # pyright: ignore[reportOptionalMemberAccess]
        return None
    table: exp.Table = start.this  # pyright: ignore[reportOptionalMemberAccess]
    if table.name.casefold() in scope.common or not isinstance(table.this, exp.Identifier):
        return None
    relation, _ = scope.reader.table(table)
    alias = table.alias_or_name.casefold()
    bare = {s.name: s for s in scope.sources if replace(s.relation, role="") == relation}
    around = {c.table.casefold() for c in select.find_all(exp.Column)} & set(bare) - {alias}
    if len(around) != 1:
        return None
    source = bare[around.pop()]
    query = scope.reader.query(select, scope, scope.common)
    inner = query.rows.relations[0]
    same: list[Column] = []
    for predicate in query.where:
        pair = equal_columns(predicate)
        if pair is None:
            return None
        near, far = pair if pair[0].of == inner else pair[::-1]
        if near.of != inner or far.of != source.relation or near.name != far.name:
            return None
        same.append(far)
    (measure,) = query.select
    if not isinstance(measure, Count | Aggregate) or not same:
        return None
    if any(column.of != inner for column in columns(measure)):
        return None
    known = source.relation
    made = changed(measure, lambda part: known if part == inner else part)
    return OwnGroup(made, tuple(dict.fromkeys(same)))
