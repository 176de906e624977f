"""Calls of functions, by their neutral names."""

from sqlglot import exp

from oldhand.query.compiling.functions import ARGUMENTS, NAMES
from oldhand.query.form import Function
from oldhand.query.lifting.scope import Scope
from oldhand.query.lifting.unfit import Unfit, only

_BY_KIND = {kind: name for name, kind in NAMES.items()}
_HARMLESS = frozenset({"is_null", "safe", "unit"})
_PLAIN_TYPES = frozenset({
    "int", "bigint", "smallint", "tinyint", "double", "float", "decimal", "text", "varchar", "char",
    "date", "datetime", "timestamp", "boolean",
})  # fmt: skip


def is_known(node: exp.Expr) -> bool:
    """True for a function that has a neutral name."""
    return type(node) in _BY_KIND


def read_function(node: exp.Expr, scope: Scope) -> Function:
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
    return Function(name, tuple(scope.reader.term(one, scope) for one in given))


def read_cast(node: exp.Cast, scope: Scope) -> Function:
    """A cast to a type that each dialect has.

    Raises:
        Unfit: the type has a length, or is one of few dialects.
    """
    only(node, ("this", "to"))
    return Function(f"cast {type_name(node)}", (scope.reader.term(node.this, scope),))


def type_name(node: exp.Cast) -> str:
    """The type that a value is cast to, as sqlglot calls it.

    Raises:
        Unfit: it has a length, or is one of few dialects.
    """
    name = node.to.sql().lower()
    if name not in _PLAIN_TYPES:
        raise Unfit(f"cast to {name}")
    return name
