"""Terms: columns, values, arithmetic, functions and cases; measures and times are read elsewhere."""

from collections.abc import Mapping
from functools import reduce

from sqlglot import exp

from oldhand.query.compiling.tree import COMPUTED
from oldhand.query.form import (
    Arithmetic,
    Case,
    Column,
    Expression,
    Predicate,
    Value,
    Worth,
)
from oldhand.query.lifting.dates import read_time
from oldhand.query.lifting.divisions import without_nothing
from oldhand.query.lifting.functions import is_known, read_cast, read_function
from oldhand.query.lifting.literals import scalar
from oldhand.query.lifting.measures import own_group, read_division, read_measure
from oldhand.query.lifting.scope import Scope
from oldhand.query.lifting.unfit import Unfit, only
from oldhand.query.negating import negated

_COMPUTED: Mapping[type[exp.Expr], str] = {kind: name for name, kind in COMPUTED.items()}
_CONDITIONS = (exp.Predicate, exp.Connector, exp.Not)


def read_term(node: exp.Expr, scope: Scope) -> Expression:
    """An attribute of one row, or a measure of many.

    Raises:
        Unfit: it has no place in the form.
    """
    while isinstance(node, exp.Paren):
        node = node.this
    if isinstance(node, exp.Column):
        return scope.column(node)
    if isinstance(node, exp.Null):
        return Value(None)
    if (value := scalar(node)) is not None:
        return Value(value)
    made = read_measure(node, scope) or read_time(node, scope)
    if made is not None:
        return made
    if type(node) in _COMPUTED:
        return _computed(node, scope)
    if isinstance(node, exp.Case | exp.If):
        return _case(node, scope)
    if is_known(node):
        return read_function(node, scope)
    if isinstance(node, exp.Cast) and not isinstance(node, exp.TryCast):
        return read_cast(node, scope)
    return _other(node, scope)


def _other(node: exp.Expr, scope: Scope) -> Expression:
    if isinstance(node, exp.Div):
        return read_division(node, scope)
    if isinstance(node, exp.Neg):
        return Arithmetic("-", Value(0), scope.reader.term(node.this, scope))
    if isinstance(node, exp.Subquery):
        only(node, ("this",))
        own = own_group(node.this, scope)
        if own is not None:
            return own
        raise Unfit("query as a value")
    if isinstance(node, _CONDITIONS) and scope.reader.dialect in ("sqlite", "mysql"):
        met = scope.reader.predicate(node, scope)
        return Case(((met, Value(1)), (negated(met), Value(0))))
    if isinstance(node, exp.Concat) and scope.reader.dialect == "mysql":
        parts = [scope.reader.term(one, scope) for one in node.expressions]
        return reduce(lambda one, two: Arithmetic("||", one, two), parts)
    if isinstance(node, exp.Anonymous):
        raise Unfit(f"function {node.name.lower()}")
    raise Unfit(type(node).__name__.lower())


def _computed(node: exp.Expr, scope: Scope) -> Expression:
    only(node, ("this", "expression", "safe"))
    operator = _COMPUTED[type(node)]
    if operator == "||" and scope.reader.dialect == "mysql":
        raise Unfit("|| of mysql")
    left = scope.reader.term(node.this, scope)
    by = without_nothing(node.expression) if operator == "%" else node.expression
    right = scope.reader.term(by, scope)
    if operator == "*":
        return _worth(left, right) or Arithmetic(operator, left, right)
    return Arithmetic(operator, left, right)


def _worth(left: Expression, right: Expression) -> Worth | None:
    """A product of columns, perhaps with rates taken off."""
    factors: tuple[Expression, ...] = ()
    off: tuple[Expression, ...] = ()
    for one in (left, right):
        if isinstance(one, Worth):
            factors, off = factors + one.factors, off + one.off
        elif isinstance(one, Column):
            factors += (one,)
        elif isinstance(one, Arithmetic) and one.operator == "-" and one.left == Value(1):
            off += (one.right,)
        else:
            return None
    plain = all(isinstance(one, Column) for one in (*factors, *off))
    return Worth(factors, off) if factors and plain else None  # pyright: ignore[reportArgumentType]


def _case(node: exp.Case | exp.If, scope: Scope) -> Case:
    reader = scope.reader
    if isinstance(node, exp.If):
        only(node, ("this", "true", "false"))
        ifs, default = [node], node.args.get("false")
    else:
        only(node, ("this", "ifs", "default"))
        ifs, default = node.args["ifs"], node.args.get("default")
    chosen = node.this if isinstance(node, exp.Case) else None
    when: list[tuple[Predicate, Expression]] = []
    for one in ifs:
        if isinstance(chosen, exp.Expr):
            met: Predicate = reader.predicate(
                exp.EQ(this=chosen.copy(), expression=one.this.copy()), scope
            )
        else:
            met = reader.predicate(one.this, scope)
        when.append((met, reader.term(one.args["true"], scope)))
    otherwise = reader.term(default, scope) if isinstance(default, exp.Expr) else None
    return Case(tuple(when), None if otherwise == Value(None) else otherwise)
