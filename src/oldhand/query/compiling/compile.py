"""From a query of the form to SQL: the one place where it gets a dialect."""

from collections.abc import Sequence

from oldhand.query.compiling.dates import with_dates
from oldhand.query.compiling.elements import with_elements
from oldhand.query.compiling.numbers import with_numbers
from oldhand.query.compiling.render import default_schema, render
from oldhand.query.compiling.row_order import in_order
from oldhand.query.compiling.tree import to_tree
from oldhand.query.form import Query
from oldhand.query.opaque import Opaque
from oldhand.query.walk import databases
from oldhand.record.answer import WORKSPACE
from oldhand.record.schema import DatabaseSchema


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
