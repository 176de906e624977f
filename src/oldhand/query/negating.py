"""The predicate that holds when another one does not."""

from dataclasses import replace
from typing import overload

from oldhand.query.form import Comparison, Has, Negation, Predicate

OPPOSITE = {
    "=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<", "like": "not like",
    "not like": "like", "in": "not in", "not in": "in", "null": "not null", "not null": "null",
    "between": "not between", "not between": "between", "within": "not within",
    "not within": "within",
}  # fmt: skip
"""Each operator with the one that holds when it does not."""
MIRRORED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""Each operator with the one that says the same from the other side."""


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
