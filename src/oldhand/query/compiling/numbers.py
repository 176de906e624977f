"""Makes numbers of text where the database would not complain, but be wrong.

SQLite and MySQL take the average of `$1,200` for 0 or 1, and SQLite finds '7.25' greater than 10.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from oldhand.query import form
from oldhand.query.aggregates import AGGREGATES
from oldhand.query.compiling.conversion import how_written, needs_cleaning
from oldhand.query.compiling.functions import NUMBER
from oldhand.query.known import kind_of, known_column, profile_of
from oldhand.query.walk import attribute, changed, walk
from oldhand.record.schema import NUMBERS, DatabaseSchema, Kind

_SILENT = frozenset({"sqlite", "mysql", "tsql", "snowflake"})
"""Dialects that compute with text without a word, or until a text is no number."""
_ORDERED = frozenset({"<", "<=", ">", ">=", "between", "not between", "within", "not within"})
_DIGITS = re.compile(r"-?\d+(\.\d+)?")
_YIELDS: Mapping[str, Kind] = {
    "abs": Kind.NUMBER, "length": Kind.NUMBER, "round": Kind.NUMBER, NUMBER: Kind.NUMBER,
    "lower": Kind.TEXT, "trim": Kind.TEXT, "upper": Kind.TEXT,
}  # fmt: skip


def with_numbers(query: form.Query, schema: DatabaseSchema) -> form.Query:
    """A query with numbers made of text where it adds text up, or compares it with numbers."""
    change = _converted if schema.dialect in _SILENT else _sorted
    return changed(query, lambda node: change(node, schema))


def notes_on_numbers(query: form.Query) -> tuple[str, ...]:
    """What was made of text, in words."""
    made = [
        one
        for one in walk(query, inner=True)
        if isinstance(one, form.Function) and one.name == NUMBER
    ]
    columns = [column for one in made if isinstance(column := attribute(one), form.ColumnRef)]
    said = (f"{column.name} is text that holds numbers; it was converted." for column in columns)
    return tuple(dict.fromkeys(said))


def _converted(node: form.Node, schema: DatabaseSchema) -> form.Node:
    match node:
        case form.Aggregate(function=function, of=form.ColumnRef() as of) if AGGREGATES[
            function
        ].of_numbers:
            return replace(node, of=_cleaned(of, schema))
        case form.Function(name="abs" | "round", of=(form.ColumnRef() as of, *rest)):
            return replace(node, of=(_cleaned(of, schema), *rest))
        case form.Comparison(operator=operator) if operator in _ORDERED:
            sorted_ = _sorted(node, schema)
            return _compared(node, schema) if sorted_ is node else sorted_
        case _:
            return _sorted(node, schema)


def _sorted(node: form.Node, schema: DatabaseSchema) -> form.Node:
    """Text of which the profile says that it is numbers is put in order as numbers: every database sorts it silently."""
    match node:
        case form.Order(by=form.ColumnRef() as by) if _holds_numbers(by, schema):
            return replace(node, by=_number(by, schema))
        case form.Aggregate(function="min" | "max", of=form.ColumnRef() as of) if _holds_numbers(
            of, schema
        ):
            return replace(node, of=_number(of, schema))
        case form.Comparison(operator=operator, left=form.ColumnRef() as left) if (
            operator in _ORDERED and _holds_numbers(left, schema) and _are_numbers(node.values)
        ):
            values = tuple(
                float(value) if "." in str(value) else int(str(value)) for value in node.values
            )
            return replace(node, left=_number(left, schema), right=values)
        case _:
            return node


def _are_numbers(values: tuple[form.Scalar, ...]) -> bool:
    """Whether values can be compared as numbers, as `'100'` can."""
    return bool(values) and all(_DIGITS.fullmatch(str(value)) for value in values)


def _holds_numbers(column: form.ColumnRef, schema: DatabaseSchema) -> bool:
    """Whether a column is text, all of which is numbers."""
    profile = profile_of(column, (schema,))
    return profile is not None and profile.holds == "number"


def _cleaned(column: form.ColumnRef, schema: DatabaseSchema) -> form.Expression:
    """A column that is added up; text that converts as it stands is left to the database."""
    known = known_column(column, (schema,))
    if known is None or known.kind is not Kind.TEXT or not needs_cleaning(known.samples):
        return column
    return _number(column, schema)


def _compared(node: form.Comparison, schema: DatabaseSchema) -> form.Comparison:
    left = _kind(node.left, schema)
    right = _kind_of_right(node, schema)
    if left is Kind.TEXT and right in NUMBERS and not isinstance(node.left, form.Value):
        return replace(node, left=_number(node.left, schema))
    if left not in NUMBERS or right is not Kind.TEXT:
        return node
    if node.query is not None:
        (shown,) = node.query.select
        return replace(node, right=replace(node.query, select=(_number(shown, schema),)))
    if node.other is not None and not isinstance(node.other, form.Value):
        return replace(node, right=_number(node.other, schema))
    return node


def _kind_of_right(node: form.Comparison, schema: DatabaseSchema) -> Kind | None:
    if node.query is not None:
        return _kind(node.query.select[0], schema)
    shown = [form.Value(value) for value in node.values] if node.other is None else [node.other]
    kinds = {_kind(one, schema) for one in shown}
    return kinds.pop() if len(kinds) == 1 else None


def _number(expression: form.Expression, schema: DatabaseSchema) -> form.Function:
    column = attribute(expression)
    known = known_column(column, (schema,)) if isinstance(column, form.ColumnRef) else None
    if known is None or not needs_cleaning(known.samples):
        return form.Function(NUMBER, (expression,))
    return form.Function(NUMBER, (expression, *map(form.Value, how_written(known.samples))))


def _kind(expression: form.Expression, schema: DatabaseSchema) -> Kind | None:
    """What an expression yields, as far as it can be seen."""
    match expression:
        case form.ColumnRef():
            return kind_of(expression, (schema,))
        case form.Value(value=value):
            if isinstance(value, str):
                return Kind.TEXT
            return None if value is None or isinstance(value, bool) else Kind.NUMBER
        case form.Aggregate(function="min" | "max", of=of):
            return _kind(of, schema)
        case form.OwnGroup(measure=measure):
            return _kind(measure, schema)
        case form.Arithmetic(operator="||"):
            return Kind.TEXT
        case form.Function(name=name):
            return _YIELDS.get(name)
        case form.Aggregate() | form.Count() | form.Share() | form.Proportion() | form.Ratio() | form.Worth() | form.Arithmetic() | form.Elapsed():  # fmt: skip
            return Kind.NUMBER
        case _:
            return None
