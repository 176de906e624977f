"""From a query of the form to SQL: the one place where it gets a dialect."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from oldhand.query import form
from oldhand.query.compiling.conversion import with_dates
from oldhand.query.compiling.functions import ANY
from oldhand.query.compiling.numbers import with_numbers
from oldhand.query.compiling.render import default_schema, render
from oldhand.query.compiling.tree import to_tree
from oldhand.query.form import Aggregate, DatePart, Expression, Node, Order, Query
from oldhand.query.known import known_column
from oldhand.query.opaque import Opaque
from oldhand.query.walk import changed, columns, databases, is_measure
from oldhand.record.answer import WORKSPACE
from oldhand.record.schema import DatabaseSchema, Kind

_NULLS_FIRST = frozenset({"sqlite", "mysql", "tsql", "bigquery"})
"""Dialects that sort missing values first, so that nothing need be said of them."""
_STEADY = frozenset({"sqlite"})
"""Dialects that return rows that tie in the same order each time: that of the table."""
_UNSORTABLE = frozenset({Kind.JSON, Kind.BINARY, Kind.SPATIAL, Kind.OTHER})


def compile_query(
    query: Query | Opaque,
    schemas: Sequence[DatabaseSchema],
    dialect: str,
    names: Sequence[str] = (),
) -> str:
    """The SQL of a query over one database, or over the rows of earlier steps.

    Args:
        query: of the form, as it is to run; one that the form can't hold stands as it is.
        schemas: the databases at hand.
        dialect: as sqlglot calls it: `sqlite`, `postgres`, `mysql`, `duckdb`, `tsql`, `snowflake` or `bigquery`.
        names: what the outputs are called, where that must be said.

    >>> from oldhand.query.form import ColumnRef, Comparison, Count, Relation, Rows
    >>> status = ColumnRef(Relation("shop", "main", "orders"), "status")
    >>> query = Query(Rows((status.of,)), (Count(),), (Comparison(status, "in", ("paid", "sent")),))
    >>> print(compile_query(query, (), "sqlite", ("orders",)))
    SELECT
      COUNT(*) AS orders
    FROM orders AS t1
    WHERE
      t1.status IN ('paid', 'sent')
    """
    if isinstance(query, Opaque):
        return query.sql
    read = databases(query)
    homes = [default_schema(schema) for schema in schemas if schema.name in read]
    return render(to_tree(query, names), dialect, homes[0] if homes else "")


def spelled(query: Query | Opaque) -> str:
    """The SQL of a query in no dialect, on one line; every table is `database.schema.table`. It is for people and for tests.

    >>> from oldhand.query.form import Count, Relation, Rows
    >>> spelled(Query(Rows((Relation("shop", "main", "orders"),)), (Count(),)))
    'SELECT COUNT(*) FROM shop.main.orders AS t1'
    """
    return query.sql if isinstance(query, Opaque) else to_tree(query).sql()


def ready(query: Query | Opaque, schema: DatabaseSchema, *, shown: bool = True) -> Query | Opaque:
    """A query as it is to run: what is asked, with what the database needs to bring it right, and always alike.

    Args:
        query: over one database, or over the rows of earlier steps.
        schema: what is known of them.
        shown: True when people see the rows; False for rows that later steps work on.
    """
    if isinstance(query, Opaque):
        return query
    made = with_elements(with_dates(with_numbers(query, schema), schema), schema)
    joined = schema.name == WORKSPACE
    return in_order(made, schema.dialect, (schema,), joined=joined) if shown else made


def with_elements(query: form.Query, schema: DatabaseSchema) -> form.Query:
    """A query in which a value is looked for among the elements of an array."""
    return changed(query, lambda node: _compared(node, schema))


def _compared(node: form.Node, schema: DatabaseSchema) -> form.Node:
    if not isinstance(node, form.Comparison) or not isinstance(node.left, form.ColumnRef):
        return node
    known = known_column(node.left, (schema,))
    if known is None or not known.is_array or node.operator not in ("=", "!=", "in", "not in"):
        return node
    held = form.Function(ANY, (node.left,))
    either = [replace(node, left=held, operator="=", right=(value,)) for value in node.values]
    made = either[0] if len(either) == 1 else form.AnyOf(tuple(either))
    return made if node.operator in ("=", "in") else form.Negation(made)


# It is put on when a query is made ready to run: what is compared and split before stays plain.
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
