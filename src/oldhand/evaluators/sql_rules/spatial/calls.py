"""Spatial functions as they are called: their names as written and their arguments, whatever node the parser made."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from oldhand.sources.databases.sql_issues import StatementReading

_DISTANCE_NAMES = frozenset({
    "distance", "distance_of_srid", "distance_meters", "distance_metres", "radius", "radius_of_buffer",
    "radius_of_buffer_in_meters", "tolerance", "eps", "units_to_expand",
})  # fmt: skip
_WORDS = re.compile(
    r"\bst_|<->|&&|distance|buffer|area|perimeter|length|makepoint|transform|srid", re.IGNORECASE
)
_NAMED = (exp.Kwarg, exp.PropertyEQ)


@dataclass(frozen=True)
class SpatialCall:
    """One call of a function or operator."""

    node: exp.Expr
    name: str
    """In lower case, as written; operators as they are."""
    arguments: tuple[exp.Expr, ...]
    """In the order of the text, without their names."""
    named_distance: exp.Expr | None = None
    """The argument that was given as the distance by name."""


def call_of(reading: StatementReading, node: exp.Expr) -> SpatialCall | None:
    """The node as a call; None when it is none."""
    if isinstance(node, exp.Distance):
        return SpatialCall(node, "<->", (node.this, node.expression))
    if isinstance(node, exp.ArrayOverlaps) and "start" not in node.meta:
        return SpatialCall(node, "&&", (node.this, node.expression))
    if not isinstance(node, exp.Func) or isinstance(node, exp.Cast | exp.Binary):
        return None
    distance: exp.Expr | None = None
    positional: list[exp.Expr] = []
    for argument in _arguments(node):
        if isinstance(argument, _NAMED) and argument.this.name.casefold() in _DISTANCE_NAMES:
            distance = argument.expression
        else:
            positional.append(argument.expression if isinstance(argument, _NAMED) else argument)
    return SpatialCall(node, _name(reading, node), tuple(positional), distance)


def spatial_calls(reading: StatementReading) -> Iterator[SpatialCall]:
    """Every call of the query that may be about places; none at all when the text holds no such word."""
    if _WORDS.search(reading.sql) is None:
        return
    for node in reading.all(exp.Func, exp.Distance, exp.ArrayOverlaps):
        if call := call_of(reading, node):
            yield call


def shown_name(call: SpatialCall) -> str:
    """The name as PostGIS writes it, whatever the letter case of the query was.

    >>> from sqlglot import exp
    >>> shown_name(SpatialCall(exp.Null(), "st_dwithin", ()))
    'ST_DWithin'
    """
    return _SPELLED.get(call.name, call.name)


_SPELLED = {
    name.lower(): name
    for name in (
        "ST_DWithin", "ST_DFullyWithin", "ST_3DDWithin", "ST_3DDFullyWithin", "ST_Distance", "ST_MaxDistance",
        "ST_3DDistance", "ST_3DMaxDistance", "ST_HausdorffDistance", "ST_FrechetDistance", "ST_Length", "ST_Length2D",
        "ST_3DLength", "ST_Perimeter", "ST_Perimeter2D", "ST_Area", "ST_Area2D", "ST_Buffer", "ST_Expand",
        "ST_OffsetCurve", "ST_ClusterDBSCAN", "ST_ClusterWithin", "ST_Intersects", "ST_Contains", "ST_Within",
        "ST_Intersection", "ST_Union", "ST_Collect", "ST_MakeLine", "ST_Covers", "ST_CoveredBy", "ST_Touches",
        "ST_MakePoint", "ST_Point", "Distance", "Buffer", "Area", "GLength",
    )
}  # fmt: skip


def _arguments(node: exp.Expr) -> list[exp.Expr]:
    if isinstance(node, exp.Anonymous):
        return list(node.expressions)
    return [child for child in node.iter_expressions() if not isinstance(child, exp.Identifier)]


def _name(reading: StatementReading, node: exp.Expr) -> str:
    """The name from the text: the parser has one node for ST_Point and ST_MakePoint."""
    start, end = node.meta.get("start"), node.meta.get("end")
    if isinstance(start, int) and isinstance(end, int):
        return reading.sql[start : end + 1].casefold()
    return node.name.casefold() if isinstance(node, exp.Anonymous) else node.key


_PLAIN = {
    "<<->>": " <-> ", "<<#>>": " <-> ", "<#>": "<->", "|=|": "<->", "&&&": "&& ", "&<|": "&& ", "|&>": "&& ",
    "<<|": "&& ", "|>>": "&& ", "~=": "&&", " @ ": " = ", " ~ ": " = ",
}  # fmt: skip
_FOUND = re.compile(
    r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|(?P<operator>""" + "|".join(map(re.escape, _PLAIN)) + ")"
)


def with_plain_operators(sql: str) -> str:
    """The text with operators that can be parsed in place of those of PostGIS; every position stays where it was.

    >>> with_plain_operators("SELECT a &&& b, 'x ~= y' FROM t ORDER BY a <<->> b")
    "SELECT a &&  b, 'x ~= y' FROM t ORDER BY a  <->  b"
    """

    def plain(match: re.Match[str]) -> str:
        return _PLAIN[match["operator"]] if match["operator"] else match[0]

    return _FOUND.sub(plain, sql)
