"""Fetches no more rows than can find a partner among those that are there already."""

from collections.abc import Iterable, Sequence

from sqlglot import exp

from oldhand.agent.analysis.mind import StepResult
from oldhand.agent.analyst.rendering.names import described, real_tables
from oldhand.agent.analyst.splitting.decompose import Link, Piece
from oldhand.record.base import Cell
from oldhand.record.schema import DatabaseSchema

MOST_KEYS = 500
"""Keys that are written into a statement; with more, all rows are fetched."""
FEW_KEYS = 20
"""Keys that are written into a statement even when the table is small."""
SMALL_TABLE = 20_000
"""Rows up to which fetching all of them is no burden."""


def reduced(
    piece: Piece, results: Iterable[StepResult], schemas: Sequence[DatabaseSchema]
) -> exp.Expr:
    """The query of `piece`, restricted to the keys that earlier steps brought when they are few.

    Rows without a partner can't reach the answer, since the steps are joined by equality. Where the earlier rows are
    not all at hand nothing is restricted.
    """
    query = piece.query
    if not isinstance(query, exp.Select):
        return query
    by_number = {result.step.number: result for result in results}
    for link in piece.links:
        result = by_number.get(link.step)
        keys = _keys(result, link) if result is not None else None
        if keys is not None and (len(keys) <= FEW_KEYS or _is_large(query, schemas)):
            query = query.where(_among(link.own, keys))
    return query


def _is_large(query: exp.Select, schemas: Sequence[DatabaseSchema]) -> bool:
    tables = [described(table, schemas) for table in real_tables(query)]
    return any(t is None or t.row_count is None or t.row_count > SMALL_TABLE for t in tables)


def _keys(result: StepResult, link: Link) -> list[Cell] | None:
    """The keys of an earlier step; None when they are too many, or not all known."""
    if result.truncated or len(result.rows) < result.row_count or link.column not in result.columns:
        return None
    place = result.columns.index(link.column)
    keys = list(dict.fromkeys(row[place] for row in result.rows if row[place] is not None))
    plain = all(isinstance(key, int | str) and not isinstance(key, bool) for key in keys)
    return keys if plain and len(keys) <= MOST_KEYS else None


def _among(column: exp.Column, keys: Sequence[Cell]) -> exp.Expr:
    if not keys:
        return exp.false()
    literals = [
        exp.Literal.number(key) if isinstance(key, int) else exp.Literal.string(str(key))
        for key in keys
    ]
    return exp.In(this=column.copy(), expressions=literals)
