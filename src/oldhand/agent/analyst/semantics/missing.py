"""The empty text counts as no value where a column's values are written so."""

from collections.abc import Sequence

from oldhand.query import form
from oldhand.query.known import known_column
from oldhand.query.walk import replaced
from oldhand.record.schema import DatabaseSchema


def with_missing(query: form.Query, schemas: Sequence[DatabaseSchema]) -> form.Query:
    """A query in which rows without a value are also those with the empty text, as the profile says."""
    used = any(c.profile and c.profile.empty for s in schemas for t in s.tables for c in t.columns)
    return replaced(query, lambda node: _both(node, schemas)) if used else query


def _both(node: form.Node, schemas: Sequence[DatabaseSchema]) -> form.Node | None:
    match node:
        case form.Comparison(
            left=form.ColumnRef() as column, operator="null" | "not null" as operator
        ):
            known = known_column(column, schemas)
            if known is None or known.profile is None or not known.profile.empty:
                return None
            if operator == "null":
                return form.AnyOf((node, form.Comparison(column, "=", ("",))))
            return form.Comparison(column, "!=", ("",))  # which no row without a value meets
        case _:
            return None
