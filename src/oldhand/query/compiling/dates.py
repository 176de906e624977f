"""Makes dates of text that writes them in another form than ISO's, where they are compared, sorted or taken apart."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from sqlglot import exp

from oldhand.query import form
from oldhand.query.compiling.conversion import parsed_date
from oldhand.query.compiling.functions import DATE
from oldhand.query.known import known_column
from oldhand.query.opaque import Opaque
from oldhand.query.walk import changed, walk
from oldhand.record.schema import DatabaseSchema

_ISO = re.compile(r"\d{4}-\d\d(-\d\d)?([T ].*)?")
_LENGTHS: Mapping[str, int] = {"Y": 4, "m": 2, "d": 2}


def with_dates(query: form.Query, schema: DatabaseSchema) -> form.Query:
    """A query with dates made of text, as the profile says that it is written."""
    written = any(c.profile and c.profile.form for t in schema.tables for c in t.columns)
    return changed(query, lambda node: _converted(node, schema)) if written else query


def makes_dates(query: form.Query | Opaque) -> bool:
    """Whether `with_dates` has changed it: what it wrote is not read back from SQL."""
    parts = walk(query, inner=True) if isinstance(query, form.Query) else ()
    return any(isinstance(one, form.Function) and one.name == DATE for one in parts)


def date_in_text(text: exp.Expr, pattern: str, dialect: str) -> exp.Expr:
    """The date that a text holds; SQLite gets ISO's text of it.

    >>> date_in_text(exp.column("born"), "%d/%m/%Y", "sqlite").sql("sqlite")
    "SUBSTRING(born, 7, 4) || '-' || SUBSTRING(born, 4, 2) || '-' || SUBSTRING(born, 1, 2)"
    """
    if dialect != "sqlite":
        return parsed_date(text, dialect, pattern)
    starts: dict[str, int] = {}
    place = 1
    for part in re.findall(r"%[Ymd]|.", pattern):
        starts[part[1:]] = place
        place += _LENGTHS.get(part[1:], 1)
    year, month, day = (
        exp.Substring(
            this=text.copy(),
            start=exp.Literal.number(starts[part]),
            length=exp.Literal.number(_LENGTHS[part]),
        )
        for part in ("Y", "m", "d")
    )
    dash = exp.Literal.string("-")
    joined: exp.Expr = year
    for piece in (dash, month, dash.copy(), day):
        joined = exp.DPipe(this=joined, expression=piece, safe=True)
    return joined


def _converted(node: form.Node, schema: DatabaseSchema) -> form.Node:
    match node:
        case form.Comparison(left=form.ColumnRef() as left) if _about_days(node):
            return replace(node, left=_date(left, schema))
        case form.DatePart(of=form.ColumnRef() as of):
            return replace(node, of=_date(of, schema))
        case form.Order(by=form.ColumnRef() as by):
            return replace(node, by=_date(by, schema))
        case form.Aggregate(function="min" | "max", of=form.ColumnRef() as of):
            return replace(node, of=_date(of, schema))
        case form.Elapsed(since=since, until=until):
            last = None if until is None else _date(until, schema)
            return replace(node, since=_date(since, schema), until=last)
        case _:
            return node


def _about_days(node: form.Comparison) -> bool:
    """Whether it compares with days as ISO writes them, and not with texts as they stand in the column."""
    values = node.values
    return bool(values) and all(isinstance(one, str) and _ISO.fullmatch(one) for one in values)


def _date(column: form.ColumnRef, schema: DatabaseSchema) -> form.ColumnRef:
    known = known_column(column, (schema,))
    if known is None or known.profile is None or known.profile.holds != "date":
        return column
    made = form.Function(DATE, (column, form.Value(known.profile.form)))
    return cast("form.ColumnRef", made)  # wherever a column may stand here, a function may
