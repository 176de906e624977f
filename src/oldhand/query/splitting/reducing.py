"""Fetches no more rows than can find a partner among those that are there already."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from oldhand.query.form import Comparison, Query, Scalar
from oldhand.query.known import known_table
from oldhand.query.splitting.split import Link, Piece
from oldhand.query.walk import relations
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases import QueryResult

MOST_KEYS = 500
"""Keys that are written into a statement; with more, all rows are fetched."""
FEW_KEYS = 20
"""Keys that are written into a statement even when the table is small."""
SMALL_TABLE = 20_000
"""Rows up to which fetching all of them is no burden."""


def reduced(
    piece: Piece, fetched: Mapping[int, QueryResult], schemas: Sequence[DatabaseSchema]
) -> Piece:
    """`piece`, restricted to the keys that earlier steps brought when they are few.

    Rows without a partner can't reach the answer, since the steps are joined by equality. Where the earlier rows are
    not all at hand nothing is restricted.
    """
    query = piece.query
    if not isinstance(query, Query):
        return piece
    for link in piece.links:
        keys = _keys(fetched[link.step], link) if link.step in fetched else None
        if keys is not None and (len(keys) <= FEW_KEYS or _is_large(query, schemas)):
            query = replace(query, where=(*query.where, Comparison(link.own, "in", keys)))
    return replace(piece, query=query)


def _is_large(query: Query, schemas: Sequence[DatabaseSchema]) -> bool:
    tables = [known_table(one, schemas) for one in relations(query, inner=True) if one.database]
    return any(t is None or t.row_count is None or t.row_count > SMALL_TABLE for t in tables)


def _keys(fetched: QueryResult, link: Link) -> tuple[Scalar, ...] | None:
    """The keys of an earlier step; None when they are too many, or not all known."""
    if fetched.truncated or link.column not in fetched.columns:
        return None
    place = fetched.columns.index(link.column)
    keys = dict.fromkeys(row[place] for row in fetched.rows if row[place] is not None)
    plain = [key for key in keys if isinstance(key, int | str) and not isinstance(key, bool)]
    return tuple(plain) if len(plain) == len(keys) and len(keys) <= MOST_KEYS else None
