"""Measures: counts, aggregates, shares, ratios, and measures of the row's own group."""

from collections.abc import Mapping
from dataclasses import replace

from sqlglot import exp

from oldhand.query import form
from oldhand.query.aggregates import AGGREGATES
from oldhand.query.compiling.tree import WHOLE
from oldhand.query.lifting.literals import scalar
from oldhand.query.lifting.scope import LiftScope, Unfit, only
from oldhand.query.walk import changed, columns, equal_columns, is_measure

_BY_TREE: Mapping[type[exp.Expr], str] = {one.tree: name for name, one in AGGREGATES.items()}

_CASTS: Mapping[str, frozenset[str]] = {
    "sqlite": frozenset({"cast double", "cast float"}),
    "postgres": frozenset({"cast double", "cast float", "cast decimal"}),
    "duckdb": frozenset({"cast double"}),
    "tsql": frozenset({"cast double"}),
}
"""Casts of the top of a quotient that only make it a quotient of numbers with decimals."""


def read_measure(node: exp.Expr, scope: LiftScope) -> form.Expression | None:
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


def _count(node: exp.Count, scope: LiftScope) -> form.Count:
    only(node, ("this", "big_int"))
    if isinstance(node.this, exp.Star):
        return form.Count()
    if isinstance(node.this, exp.Distinct):
        return form.Count(_distinct(node.this, scope), distinct=True)
    of = scope.reader.term(node.this, scope)
    constant = isinstance(of, form.Value) and of.value is not None
    return form.Count() if constant or scope.never_missing(of) else form.Count(of)


def _distinct(node: exp.Distinct, scope: LiftScope) -> form.Expression:
    only(node, ("expressions",))
    if len(node.expressions) != 1:
        raise Unfit("distinct of several")
    return scope.reader.term(node.expressions[0], scope)


def _aggregate(node: exp.Expr, scope: LiftScope) -> form.Expression:
    only(node, ("this",))
    function = _BY_TREE[type(node)]
    if isinstance(node.this, exp.Distinct):
        of = _distinct(node.this, scope)
        return form.Aggregate(function, of, distinct=function not in ("min", "max"))
    of = scope.reader.term(node.this, scope)
    if is_measure(of) and not isinstance(of, form.OwnGroup):
        raise Unfit("measure of a measure")
    when = _met(of, WHOLE) if function == "avg" else None
    return form.Share(when) if when is not None else form.Aggregate(function, of)


def _filtered(node: exp.Filter, scope: LiftScope) -> form.Expression:
    """A measure of some rows: of what a CASE leaves of them."""
    only(node, ("this", "expression"))
    met = scope.reader.predicate(node.expression.this, scope)
    measure = read_measure(node.this, scope)
    if isinstance(measure, form.Count):
        return form.Count(form.Case(((met, measure.of or form.Value(1)),)), measure.distinct)
    if isinstance(measure, form.Aggregate):
        return form.Aggregate(measure.function, form.Case(((met, measure.of),)), measure.distinct)
    raise Unfit("filtered measure")


def _middle(node: exp.WithinGroup, scope: LiftScope) -> form.Aggregate | None:
    """PostgreSQL's way to write a median."""
    inner, order = node.this, node.expression
    if not (isinstance(inner, exp.PercentileCont) and scalar(inner.this) == 0.5):
        return None
    if not isinstance(order, exp.Order) or len(order.expressions) != 1:
        return None
    return form.Aggregate("median", scope.reader.term(order.expressions[0].this, scope))


def _met(of: form.Expression, worth: float) -> tuple[form.Predicate, ...] | None:
    """The predicates of `CASE WHEN … THEN worth ELSE 0 END`."""
    if not (isinstance(of, form.Case) and len(of.when) == 1):
        return None
    ((predicate, value),) = of.when
    if value != form.Value(worth) or of.otherwise != form.Value(0):
        return None
    return all_of(predicate)


def all_of(predicate: form.Predicate) -> tuple[form.Predicate, ...]:
    """The predicates that must all hold for one to hold."""
    return predicate.predicates if isinstance(predicate, form.AllOf) else (predicate,)


def read_division(node: exp.Div, scope: LiftScope) -> form.Expression:
    """A quotient: a share or a proportion in percent, a ratio of measures, or arithmetic."""
    top, bottom = node.this, node.expression
    if (proportion := _proportion(top, bottom, scope)) is not None:
        return proportion
    made = _quotient(node, scope)
    if isinstance(made, form.Ratio):
        return _share(made) or made
    return made


def _proportion(top: exp.Expr, bottom: exp.Expr, scope: LiftScope) -> form.Proportion | None:
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
    if not percent or own != whole or not isinstance(own, form.Count | form.Aggregate):
        return None
    return form.Proportion(own)


def _share(ratio: form.Ratio) -> form.Share | None:
    """`100 * SUM(CASE …) / SUM(…)`, or by the number of rows."""
    part = _hundredfold(ratio.top)
    if part is None:
        return None
    if ratio.bottom == form.Count():
        if isinstance(part, form.Count) and isinstance(part.of, form.Case) and not part.distinct:
            (first, *more) = part.of.when
            constant = isinstance(first[1], form.Value) and first[1].value is not None
            plain = constant and not more and part.of.otherwise in (None, form.Value(None))
            return form.Share(all_of(first[0])) if plain else None
        met = (
            _met(part.of, 1)
            if isinstance(part, form.Aggregate) and part.function == "sum"
            else None
        )
        return form.Share(met) if met is not None else None
    if not (isinstance(part, form.Aggregate) and isinstance(ratio.bottom, form.Aggregate)):
        return None
    if part.function != "sum" or ratio.bottom.function != "sum" or part.distinct:
        return None
    of = ratio.bottom.of
    if not isinstance(part.of, form.Case) or len(part.of.when) != 1 or ratio.bottom.distinct:
        return None
    ((predicate, worth),) = part.of.when
    if worth != of or part.of.otherwise != form.Value(0) or not isinstance(of, form.Attribute):
        return None
    return form.Share(all_of(predicate), of)


def _hundredfold(top: form.Expression) -> form.Expression | None:
    if not (isinstance(top, form.Arithmetic) and top.operator == "*"):
        return None
    for one, other in ((top.left, top.right), (top.right, top.left)):
        if isinstance(one, form.Value) and one.value == WHOLE:
            return other
    return None


def _quotient(node: exp.Div, scope: LiftScope) -> form.Expression:
    """A ratio when one side is a measure, else arithmetic; nothing where it would divide by nothing."""
    dialect = scope.reader.dialect
    left = scope.reader.term(node.this, scope)
    right = scope.reader.term(without_nothing(node.expression), scope)
    whole = bool(node.args.get("typed")) and not (_has_decimals(left) or _has_decimals(right))
    if whole:
        return form.Arithmetic("//", left, right)
    if dialect in _CASTS:
        left = _plain(left, dialect)
    if is_measure(left) and not isinstance(right, form.Value):
        return form.Ratio(left, right)
    return form.Arithmetic("/", left, right)


def without_nothing(by: exp.Expr) -> exp.Expr:
    """What is divided by, without NULLIF, which is written wherever that may be nothing."""
    while isinstance(by, exp.Paren) or (isinstance(by, exp.Nullif) and scalar(by.expression) == 0):
        by = by.this
    return by


def _plain(top: form.Expression, dialect: str) -> form.Expression:
    """The top of a quotient without what only makes it a number with decimals."""
    if isinstance(top, form.Function) and top.name in _CASTS.get(dialect, ()) and len(top.of) == 1:
        return top.of[0]
    if isinstance(top, form.Arithmetic) and top.operator == "*":
        for one, other in ((top.left, top.right), (top.right, top.left)):
            if isinstance(one, form.Value) and isinstance(one.value, float) and one.value == 1.0:
                return other
    return top


def _has_decimals(expression: form.Expression) -> bool:
    """True for what surely is a number with decimals, however whole it is."""
    match expression:
        case form.Value(value=value):
            return isinstance(value, float)
        case form.Function(name=name, of=of):
            cast = name in ("cast double", "cast float", "cast decimal")
            return cast or (name in ("abs", "round") and _has_decimals(of[0]))
        case form.Arithmetic(operator=operator, left=left, right=right):
            return operator == "/" or _has_decimals(left) or _has_decimals(right)
        case form.Aggregate(function="avg") | form.Share() | form.Ratio():
            return True
        case form.Aggregate(of=of):
            return _has_decimals(of)
        case _:
            return False


def own_group(select: exp.Expr, scope: LiftScope) -> form.OwnGroup | None:
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
    same: list[form.ColumnRef] = []
    for predicate in query.where:
        pair = equal_columns(predicate)
        if pair is None:
            return None
        near, far = pair if pair[0].of == inner else pair[::-1]
        if near.of != inner or far.of != source.relation or near.name != far.name:
            return None
        same.append(far)
    (measure,) = query.select
    if not isinstance(measure, form.Count | form.Aggregate) or not same:
        return None
    if any(column.of != inner for column in columns(measure)):
        return None
    known = source.relation
    made = changed(measure, lambda part: known if part == inner else part)
    return form.OwnGroup(made, tuple(dict.fromkeys(same)))
