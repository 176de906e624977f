"""Conditions on lists of values that are one parameter, however long the list is.

An `IN` with one parameter for each value is another statement for each length: SQLAlchemy puts it together anew each
time, and Postgres plans it anew.
"""

import json
from collections.abc import Collection, Mapping
from typing import NamedTuple

import sqlalchemy as sa


class _Json(sa.TypeDecorator[object]):
    """A list, or lists by key, as SQLite's `json_each` reads it."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: object, dialect: sa.Dialect) -> str:  # noqa: ARG002
        """Write it as JSON."""
        return json.dumps(value)


def among(
    column: sa.Column[str] | sa.Column[int], name: str, dialect: str
) -> sa.ColumnElement[bool]:
    """Whether a column is one of the values of a parameter; these must need no escaping, as names and numbers."""
    if dialect == "postgresql":
        kind = sa.BigInteger() if isinstance(column.type, sa.Integer) else sa.Text()
        return column == sa.any_(sa.bindparam(name, type_=sa.ARRAY(kind)))
    values = sa.func.json_each(sa.bindparam(name, type_=_Json())).table_valued("value")
    return column.in_(sa.select(values.c.value))


class Pairs(NamedTuple):
    """Pairs of whole numbers that are one parameter: the two columns, and the table that has them."""

    left: sa.ColumnElement[int]
    right: sa.ColumnElement[int]
    table: sa.FromClause


def pairs(name: str, dialect: str) -> Pairs:
    """A table of pairs to join with, which `given_pairs` fills."""
    if dialect == "postgresql":
        numbers = sa.ARRAY(sa.BigInteger())
        lists = [sa.bindparam(f"{name}_{side}", type_=numbers) for side in ("left", "right")]
        table = sa.func.unnest(*lists).table_valued("left", "right").render_derived()
        return Pairs(table.c.left, table.c.right, table)
    groups = sa.func.json_each(sa.bindparam(name, type_=_Json())).table_valued("key", "value")
    members = sa.func.json_each(groups.c.value).table_valued("value")
    left = sa.cast(groups.c.key, sa.BigInteger)
    return Pairs(left, members.c.value, groups.join(members, sa.true()))


def given_pairs(
    name: str, rights: Mapping[int, Collection[int]], dialect: str
) -> dict[str, object]:
    """The parameters for `pairs`.

    >>> given_pairs("asked", {1: [5, 6], 2: [7]}, "postgresql")
    {'asked_left': [1, 1, 2], 'asked_right': [5, 6, 7]}
    """
    if dialect == "postgresql":
        found = [(left, right) for left, some in rights.items() for right in some]
        lefts, others = zip(*found, strict=True) if found else ((), ())
        return {f"{name}_left": list(lefts), f"{name}_right": list(others)}
    return {name: {left: list(some) for left, some in rights.items()}}
