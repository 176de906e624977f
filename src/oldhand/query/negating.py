"""The predicate that holds when another one does not."""

from dataclasses import replace
from typing import overload

from oldhand.query.form import AnyOf, Comparison, Has, Negation, Predicate

OPPOSITE = {
    "=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<", "like": "not like",
    "not like": "like", "in": "not in", "not in": "in", "null": "not null", "not null": "null",
    "between": "not between", "not between": "between", "within": "not within",
    "not within": "within",
}  # fmt: skip
"""Each operator with the one that holds when it does not."""
MIRRORED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""Each operator with the one that says the same from the other side."""


_EQUAL, _UNEQUAL = ("=", "in"), ("!=", "not in")


def excludes(one: Predicate, other: Predicate) -> bool:
    """Whether no row meets both, as far as that can be seen: `paid` and `not paid`, days of 2024 and of 2025.

    >>> from oldhand.query.form import ColumnRef, Relation
    >>> status = ColumnRef(Relation("shop", "main", "orders"), "status")
    >>> paid, others = Comparison(status, "=", ("paid",)), Comparison(status, "!=", ("paid",))
    >>> excludes(paid, others), excludes(others, Comparison(status, "in", ("paid", "open")))
    (True, False)
    """
    for either, rest in ((one, other), (other, one)):
        if isinstance(either, AnyOf):
            return all(excludes(part, rest) for part in either.predicates)
    if negated(one) == other or negated(other) == one:
        return True
    if not (
        isinstance(one, Comparison) and isinstance(other, Comparison) and one.left == other.left
    ):
        return False
    if one.operator == other.operator == "within":
        return str(one.values[0]) >= str(other.values[1]) or str(other.values[0]) >= str(
            one.values[1]
        )
    equal, rest = (one, other) if one.operator in _EQUAL else (other, one)
    if equal.operator not in _EQUAL or not equal.values:
        return False
    if rest.operator in _EQUAL:
        return bool(rest.values) and set(equal.values).isdisjoint(rest.values)
    return rest.operator == "null" or (
        rest.operator in _UNEQUAL and set(equal.values) <= set(rest.values)
    )


@overload
def negated(predicate: Comparison) -> Comparison: ...
@overload
def negated(predicate: Has) -> Has: ...
@overload
def negated(predicate: Comparison | Has) -> Comparison | Has: ...
@overload
def negated(predicate: Predicate) -> Predicate: ...
def negated(predicate: Predicate) -> Predicate:
    """The predicate that holds when another one does not.

    >>> from oldhand.query.form import ColumnRef, Relation
    >>> price = ColumnRef(Relation("shop", "main", "products"), "price")
    >>> negated(Comparison(price, "<", (10,))).operator
    '>='
    """
    match predicate:
        case Comparison(operator=operator):
            return replace(predicate, operator=OPPOSITE[operator])
        case Has(none=none):
            return replace(predicate, none=not none)
        case Negation(predicate=inner):
            return inner
        case _:
            return Negation(predicate)
