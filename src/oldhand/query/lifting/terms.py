"""Terms: columns, values, arithmetic, functions and cases; measures and times are read elsewhere."""

from collections.abc import Mapping
from functools import reduce

from sqlglot import exp

from oldhand.query import form
from oldhand.query.compiling.functions import ARGUMENTS, NAMES
from oldhand.query.compiling.tree import COMPUTED
from oldhand.query.lifting.dates import read_time
from oldhand.query.lifting.literals import scalar
from oldhand.query.lifting.measures import own_group, read_division, read_measure, without_nothing
from oldhand.query.lifting.scope import LiftScope
from oldhand.query.lifting.unfit import Unfit, only
from oldhand.query.negating import negated

_COMPUTED: Mapping[type[exp.Expr], str] = {kind: name for name, kind in COMPUTED.items()}
_CONDITIONS = (exp.Predicate, exp.Connector, exp.Not)

_BY_KIND = {kind: name for name, kind in NAMES.items()}
_HARMLESS = frozenset({"is_null", "safe", "unit"})
_PLAIN_TYPES = frozenset({
    "int", "bigint", "smallint", "tinyint", "double", "float", "decimal", "text", "varchar", "char",
    "date", "datetime", "timestamp", "boolean",
})  # fmt: skip
_SAME = {
    "sqlite": {"bigint": "int", "smallint": "int", "tinyint": "int", "float": "double"},
    "mysql": {"bigint": "int"},
}
"""Types that a dialect doesn't tell apart."""


def read_term(node: exp.Expr, scope: LiftScope) -> form.Expression:
    """An attribute of one row, or a measure of many.

    Raises:
        Unfit: it has no place in the form.
    """
    while isinstance(node, exp.Paren):
        node = node.this
    if isinstance(node, exp.Column):
        return scope.column(node)
    if isinstance(node, exp.Null):
        return form.Value(None)
    if (value := scalar(node)) is not None:
        return form.Value(value)
    made = read_measure(node, scope) or read_time(node, scope)
    if made is not None:
        return made
    if type(node) in _COMPUTED:
        return _computed(node, scope)
    if isinstance(node, exp.Case | exp.If):
        return _case(node, scope)
    if type(node) in _BY_KIND:
        return _function(node, scope)
    if isinstance(node, exp.Cast) and not isinstance(node, exp.TryCast):
        return _cast(node, scope)
    return _other(node, scope)


def _other(node: exp.Expr, scope: LiftScope) -> form.Expression:
    if isinstance(node, exp.Div):
        return read_division(node, scope)
    if isinstance(node, exp.Neg):
        return form.Arithmetic("-", form.Value(0), scope.reader.term(node.this, scope))
    if isinstance(node, exp.Subquery):
        only(node, ("this",))
        own = own_group(node.this, scope)
        if own is not None:
            return own
        raise Unfit("query as a value")
    if isinstance(node, _CONDITIONS) and scope.reader.dialect in ("sqlite", "mysql"):
        met = scope.reader.predicate(node, scope)
        return form.Case(((met, form.Value(1)), (negated(met), form.Value(0))))
    if isinstance(node, exp.Concat) and scope.reader.dialect == "mysql":
        parts = [scope.reader.term(one, scope) for one in node.expressions]
        return reduce(lambda one, two: form.Arithmetic("||", one, two), parts)
    if isinstance(node, exp.Anonymous):
        raise Unfit(f"function {node.name.lower()}")
    raise Unfit(type(node).__name__.lower())


def _computed(node: exp.Expr, scope: LiftScope) -> form.Expression:
    only(node, ("this", "expression", "safe"))
    operator = _COMPUTED[type(node)]
    if operator == "||" and scope.reader.dialect == "mysql":
        raise Unfit("|| of mysql")
    left = scope.reader.term(node.this, scope)
    by = without_nothing(node.expression) if operator == "%" else node.expression
    right = scope.reader.term(by, scope)
    if operator == "*":
        return _worth(left, right) or form.Arithmetic(operator, left, right)
    return form.Arithmetic(operator, left, right)


def _worth(left: form.Expression, right: form.Expression) -> form.Worth | None:
    """A product of columns, perhaps with rates taken off."""
    factors: tuple[form.Expression, ...] = ()
    off: tuple[form.Expression, ...] = ()
    for one in (left, right):
        if isinstance(one, form.Worth):
            factors, off = factors + one.factors, off + one.off
        elif isinstance(one, form.ColumnRef):
            factors += (one,)
        elif isinstance(one, form.Arithmetic) and one.operator == "-" and one.left == form.Value(1):
            off += (one.right,)
        else:
            return None
    plain = all(isinstance(one, form.ColumnRef) for one in (*factors, *off))
    return form.Worth(factors, off) if factors and plain else None  # pyright: ignore[reportArgumentType]


def _case(node: exp.Case | exp.If, scope: LiftScope) -> form.Case:
    reader = scope.reader
    if isinstance(node, exp.If):
        only(node, ("this", "true", "false"))
        ifs, default = [node], node.args.get("false")
    else:
        only(node, ("this", "ifs", "default"))
        ifs, default = node.args["ifs"], node.args.get("default")
    chosen = node.this if isinstance(node, exp.Case) else None
    when: list[tuple[form.Predicate, form.Expression]] = []
    for one in ifs:
        if isinstance(chosen, exp.Expr):
            met: form.Predicate = reader.predicate(
                exp.EQ(this=chosen.copy(), expression=one.this.copy()), scope
            )
        else:
            met = reader.predicate(one.this, scope)
        when.append((met, reader.term(one.args["true"], scope)))
    otherwise = reader.term(default, scope) if isinstance(default, exp.Expr) else None
    return form.Case(tuple(when), None if otherwise == form.Value(None) else otherwise)


def _function(node: exp.Expr, scope: LiftScope) -> form.Function:
    """The call of a function that has a neutral name.

    Raises:
        Unfit: it is called in a way of its own.
    """
    name = _BY_KIND[type(node)]
    arguments = ARGUMENTS.get(name, ("this",))
    only(node, {*arguments, *_HARMLESS})
    given: list[exp.Expr] = []
    for argument in arguments:
        part = node.args.get(argument)
        given += part if isinstance(part, list) else [part] if part is not None else []
    return form.Function(name, tuple(scope.reader.term(one, scope) for one in given))


def _cast(node: exp.Cast, scope: LiftScope) -> form.Function:
    """A cast to a type that each dialect has.

    Raises:
        Unfit: the type has a length, or is one of few dialects.
    """
    only(node, ("this", "to"))
    return form.Function(
        f"cast {_type_name(node, scope.reader.dialect)}", (scope.reader.term(node.this, scope),)
    )


def _type_name(node: exp.Cast, dialect: str) -> str:
    """The type that a value is cast to, as sqlglot calls it.

    Raises:
        Unfit: it has a length, or is one of few dialects.
    """
    name = node.to.sql().lower()
    if name not in _PLAIN_TYPES:
        raise Unfit(f"cast to {name}")
    return _SAME.get(dialect, {}).get(name, name)
