"""Conditions on lists of values that are one parameter, however long the list is.

An `IN` with one parameter for each value is another statement for each length: SQLAlchemy puts it together anew each
time, and Postgres plans it anew.
"""

import json
from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY


class _JsonList(sa.TypeDecorator[Sequence[str] | Sequence[int]]):
    """A list as SQLite's `json_each` reads it."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(
        self,
        value: Sequence[str] | Sequence[int] | None,
        dialect: sa.Dialect,  # noqa: ARG002
    ) -> str:
        """Write the list as JSON."""
        return json.dumps(list(value or ()))


def among(
    column: sa.Column[str] | sa.Column[int], name: str, dialect: str
) -> sa.ColumnElement[bool]:
    """Whether a column is one of the values of a parameter; these must need no escaping, as names and numbers.

    Args:
        column: of text or whole numbers.
        name: of the parameter, which is given a list.
        dialect: `postgresql` or `sqlite`.
    """
    if dialect == "postgresql":
        kind = sa.BigInteger() if isinstance(column.type, sa.Integer) else sa.Text()
        return column == sa.any_(sa.bindparam(name, type_=ARRAY(kind)))
    values = sa.func.json_each(sa.bindparam(name, type_=_JsonList())).table_valued("value")
    return column.in_(sa.select(values.c.value))
