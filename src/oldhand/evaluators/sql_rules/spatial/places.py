"""Find out the system of coordinates of an expression, as far as the query and the schema tell it."""

import re
from collections.abc import Iterable
from functools import partial

from sqlglot import exp

from oldhand.evaluators.sql_rules.derived import expression_behind
from oldhand.evaluators.sql_rules.spatial.calls import call_of
from oldhand.evaluators.sql_rules.spatial.coordinates import (
    SpatialType,
    named_system,
    written_system,
)
from oldhand.evaluators.sql_rules.spatial.makers import made_by
from oldhand.sources.databases.sql_issues import StatementReading

MAX_DEPTH = 30
"""Expressions inside of expressions that are looked into."""

_DECLARED = re.compile(r"\s*(geometry|geography)\b(?:.*?\b(\d{3,6})\b)?", re.IGNORECASE | re.DOTALL)
_IN_NAME = re.compile(r"(?:^|_)(\d{4,6})$")
_WRAPPERS = (exp.Paren, exp.Alias, exp.Array, exp.AggFunc, exp.Filter)
_THROUGH = (*_WRAPPERS, exp.Coalesce, exp.Case, exp.If, exp.Nullif)


def place_of(reading: StatementReading, node: exp.Expr, depth: int = 0) -> SpatialType | None:
    """The place of an expression; None when it has none, or nothing is known."""
    if depth > MAX_DEPTH:
        return None
    inner = partial(place_of, reading, depth=depth + 1)
    match node:
        case exp.Column():
            behind = expression_behind(reading, node)
            place = _column(reading, node) if behind is None else inner(behind)
        case exp.Cast():
            place = _cast(node, inner(node.this))
        case exp.Literal():
            srid = written_system(node.name) if node.is_string else None
            place = SpatialType(srid=srid) if srid else None
        case exp.Subquery():
            items = node.this.expressions if isinstance(node.this, exp.Select) else []
            place = inner(items[0].unalias()) if len(items) == 1 else None
        case exp.Dot():  # schema.function(…), or (record).field
            place = inner(node.expression if isinstance(node.this, exp.Identifier) else node.this)
        case _ if isinstance(node, _THROUGH):
            place = _first(map(inner, node.iter_expressions()))
        case _:
            call = call_of(reading, node)
            place = made_by(call, inner) if call else None
    return place


def _first(places: Iterable[SpatialType | None]) -> SpatialType | None:
    return next((place for place in places if place), None)


def _column(reading: StatementReading, node: exp.Column) -> SpatialType | None:
    """The place of a table's column: as it is declared, else as its name says."""
    column = reading.declared(node)
    declared = column.type if column else ""
    if (match := _DECLARED.match(declared)) is not None:
        srid = int(match[2]) if match[2] else named_system(declared.partition("'")[2])
        return _typed(match[1], srid)
    name = node.name.casefold()
    if "geog" in name:
        return SpatialType("geography", is_sure=False)
    number = _IN_NAME.search(name)
    return SpatialType(srid=int(number[1]), is_sure=False) if number else None


def _cast(node: exp.Cast, inner: SpatialType | None) -> SpatialType | None:
    match = _DECLARED.match(node.to.sql("postgres"))
    if match is None:
        return inner
    srid = int(match[2]) if match[2] else inner.srid if inner else None
    place = _typed(match[1], srid)
    if inner is not None and inner.looks_like_degrees and place.kind == "geometry":
        return SpatialType("geometry", srid, looks_like_degrees=True)
    return place


def _typed(written: str, srid: int | None) -> SpatialType:
    if written.lower() == "geography":
        return SpatialType("geography", srid or 4326)
    return SpatialType("geometry", srid or None)
