"""Keys of different databases that mean the same but are written differently.

A customer may be the number 7 in one database and the text '7' in another, `AB12` here and `ab12` there.
Before rows meet in the workspace, such sides of a comparison are brought to one form.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from oldhand.query.form import (
    ColumnRef,
    Comparison,
    DatePart,
    Expression,
    Function,
    Has,
    Join,
    Node,
    Query,
    Relation,
    Rows,
)
from oldhand.query.known import passed_on
from oldhand.query.walk import changed, replaced
from oldhand.record.base import Cell
from oldhand.record.schema import DATES, NUMBERS, Kind
from oldhand.record.schema import Column as KnownColumn

_TRY = "try cast "
_EXACT = f"{_TRY}decimal(38, 6)"
"""Exact for keys of up to 32 digits, which a floating-point number is not."""
_MOMENT = f"{_TRY}timestamp"
_LOWER = "lower"

Known = Mapping[str, Mapping[str, KnownColumn | None]]
"""The columns of each step with what is known of them, by its table and their names."""


def agreeing(query: Query, known: Known) -> Query:
    """A query over steps in which both sides of each comparison between them have one form."""

    def change(node: Node) -> Node:
        match node:
            case Comparison(right=Query() as rows):
                return _with_values_of(node, rows, known)
            case Comparison(left=left, right=ColumnRef() as right):
                one, other = _compared(left, right, known), _compared(right, left, known)
                return replace(node, left=one, right=other)
            case Has(rows=rows):
                return _with_values_of(node, rows, known)
            case DatePart(of=ColumnRef() as of):
                column = _of_step(of, known)
                dated = column is not None and column.kind in {*DATES, Kind.TEXT}
                # SQLite's dates are texts.
                return replace(node, of=_brought(of, _MOMENT)) if dated else node
            case Query():
                return _with_joins(node, known)
            case _:
                return node

    return changed(query, change)


def _with_values_of(node: Comparison | Has, rows: Query, known: Known) -> Comparison | Has:
    """An expression and the one output of a query that it is compared with."""
    shown, left = rows.select[0], node.left
    inner = replace(rows, select=(_compared(shown, left, known), *rows.select[1:]))
    if isinstance(node, Has):
        return replace(node, left=_compared(left, shown, known), rows=inner)
    return replace(node, left=_compared(left, shown, known), right=inner)


def _with_joins(query: Query, known: Known) -> Query:
    """Steps whose keys need another form are read with these as columns of their own."""
    made: dict[Relation, dict[str, Expression]] = {}

    def key(own: ColumnRef, far: ColumnRef) -> str:
        change = _change(own, far, known)
        if not change:
            return own.name
        name = f"{own.name}_as_{re.split(r'[ (]', change.removeprefix(_TRY))[0]}"
        made.setdefault(own.of, {})[name] = _brought(own, change)
        return name

    joins: list[Join] = []
    for join in query.rows.joins:
        pairs = [(ColumnRef(join.left, a), ColumnRef(join.right, b)) for a, b in join.keys]
        keys = tuple((key(left, right), key(right, left)) for left, right in pairs)
        joins.append(replace(join, keys=keys))
    read = {relation: _with_keys(relation, keys, known) for relation, keys in made.items()}
    rejoined = replace(query, rows=replace(query.rows, joins=tuple(joins)))
    return replaced(rejoined, lambda part: read.get(part) if isinstance(part, Relation) else None)


def _with_keys(relation: Relation, keys: Mapping[str, Expression], known: Known) -> Relation:
    """The rows of a relation with some keys beside what they have."""
    names = relation.query.names if relation.query is not None else known.get(relation.table, ())
    select = (*(ColumnRef(relation, name) for name in names), *keys.values())
    return Relation("", "", "", query=Query(Rows((relation,)), select, names=(*names, *keys)))


def _compared(own: Expression, far: Expression, known: Known) -> Expression:
    """One side of a comparison, as it must be to be compared with the other."""
    return _brought(own, _change(own, far, known))


def _change(own: Expression, far: Expression, known: Known) -> str:
    if not (isinstance(own, ColumnRef) and isinstance(far, ColumnRef)):
        return ""
    mine, theirs = _of_step(own, known), _of_step(far, known)
    return compared_as(mine, theirs) if mine is not None and theirs is not None else ""


def _of_step(column: ColumnRef, known: Known) -> KnownColumn | None:
    """What is known of a column of a step, or of one that a query over steps passes on."""
    inner = column.of.query
    if inner is None:
        return known.get(column.of.table, {}).get(column.name)
    passed = passed_on(inner, column.name)
    return _of_step(passed, known) if passed is not None else None


def compared_as(column: KnownColumn, other: KnownColumn) -> str:
    """What `column` must become to be compared with `other`: a function; empty when it may stay as it is."""
    kinds = {column.kind, other.kind}
    if column.kind is Kind.TEXT and other.kind in NUMBERS:
        return _EXACT
    if column.kind is Kind.TEXT and other.kind in DATES:
        return f"{_TRY}{other.kind.value}"
    if column.kind in DATES and other.kind is Kind.TEXT:
        return f"{_TRY}{column.kind.value}"  # SQLite's dates are texts themselves
    if column.kind is Kind.BOOLEAN and other.kind in NUMBERS:
        return f"{_TRY}int"
    if kinds == {Kind.TEXT} and _letter_case(column.samples) != _letter_case(other.samples):
        return _LOWER
    return ""


def _letter_case(samples: Iterable[Cell]) -> str:
    """`upper`, `lower`, or nothing when the samples don't tell."""
    words = [cell for cell in samples if isinstance(cell, str) and cell.lower() != cell.upper()]
    if words and all(word.isupper() for word in words):
        return "upper"
    return "lower" if words and all(word.islower() for word in words) else ""


def _brought(expression: Expression, change: str) -> Expression:
    if not change:
        return expression
    if change == _LOWER:
        expression = Function("trim", (expression,))
    return Function(change, (expression,))
