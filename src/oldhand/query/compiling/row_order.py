"""A stable order for the rows of an answer, so that the same question shows the same rows in the same order.

It is put on when a query is made ready to run: what is compared and split before stays plain.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from oldhand.query.form import Aggregate, DatePart, Expression, Node, Order, Query
from oldhand.query.known import known_column
from oldhand.query.walk import changed, columns, is_measure
from oldhand.record.schema import DatabaseSchema, Kind

_NULLS_FIRST = frozenset({"sqlite", "mysql", "tsql", "bigquery"})
"""Dialects that sort missing values first, so that nothing need be said of them."""
_STEADY = frozenset({"sqlite"})
"""Dialects that return rows that tie in the same order each time: that of the table."""
_UNSORTABLE = frozenset({Kind.JSON, Kind.BINARY, Kind.SPATIAL, Kind.OTHER})


def in_order(
    query: Query, dialect: str, schemas: Sequence[DatabaseSchema] = (), *, joined: bool = False
) -> Query:
    """`query` with rows that come in the same order each time.

    Groups without an order come in the order of their keys. Rows that are sorted, and tie, come in the
    order of what is shown, unless the database keeps to the order of the table anyway.

    Args:
        query: of the form.
        dialect: of the database that will run it.
        schemas: what is known of the columns: those that can't be sorted by are left out.
        joined: True for rows of several databases, which come in no order at all unless they are sorted.

    >>> from oldhand.query.form import ColumnRef, Count, Relation, Rows
    >>> city = ColumnRef(Relation("shop", "main", "customers"), "city")
    >>> query = Query(Rows((city.of,)), (city, Count()), group=(city,))
    >>> in_order(query, "sqlite").order == (Order(city, nulls="first"),)
    True
    >>> query = Query(Rows((city.of,)), (city,), order=(Order(ColumnRef(city.of, "age")),), limit=3)
    >>> [order.by.name for order in in_order(query, "mysql").order]
    ['age', 'city']
    """

    def ordered(node: Node) -> Node:
        if isinstance(node, Query) and node.order and node.limit is not None:
            return _ordered(node, dialect, schemas)
        return node

    return _ordered(changed(query, ordered), dialect, schemas, joined=joined)


def _ordered(
    query: Query, dialect: str, schemas: Sequence[DatabaseSchema], *, joined: bool = False
) -> Query:
    nulls = "first" if dialect in _NULLS_FIRST else ""
    steady = dialect in _STEADY and not joined
    keys = _keys(query, schemas, steady=steady, joined=joined)
    return replace(query, order=(*query.order, *(Order(key, nulls=nulls) for key in keys)))


def _keys(
    query: Query, schemas: Sequence[DatabaseSchema], *, steady: bool, joined: bool
) -> Iterator[Expression]:
    """What rows are to be sorted by, after what they are sorted by already."""
    by = [order.by for order in query.order]
    if query.compound is not None:
        yield from dict.fromkeys(query.select if joined and not by else ())
        return
    if not by and query.group and not query.distinct:
        shown = [key for key in query.group if key in query.select]
        yield from map(_in_week, shown or query.group)
        return
    if steady or not (by or joined):
        return
    plain = [one for one in query.select if columns(one) and not is_measure(one)]
    aggregated = any(map(is_measure, query.select)) and not query.distinct
    if aggregated and not query.group:
        return  # one row
    for key in dict.fromkeys((*plain, *query.group) if aggregated else plain):
        if key not in by and (joined or _is_sortable(key, schemas)):
            yield key


def _in_week(key: Expression) -> Expression:
    """Days of the week in their order, which is not that of their names."""
    if not isinstance(key, DatePart) or key.part != "weekday":
        return key
    return Aggregate("min", DatePart(key.of, "day of the week"))


def _is_sortable(key: Expression, schemas: Sequence[DatabaseSchema]) -> bool:
    known = [known_column(column, schemas) for column in columns(key)]
    return not any(column is not None and column.kind in _UNSORTABLE for column in known)
