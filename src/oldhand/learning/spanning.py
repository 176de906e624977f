"""Corrections over several databases: one SELECT that names each table as `database.table`."""

from collections.abc import Sequence
from contextlib import closing

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from oldhand.errors import QueryFailed
from oldhand.record.schema import DatabaseSchema, Table
from oldhand.settings import QueryLimits
from oldhand.sources.databases import Catalog, check_sql, find_errors, open_workspace
from oldhand.sources.databases.by_address import UrlDatabases

TRIED_ROWS = 1000
"""Rows of each table with which a statement is tried."""
HOW = (
    "Write one SELECT that names each table as database.table, such as"
    " SELECT … FROM shop.orders AS o JOIN support.tickets AS t ON t.customer_id = o.customer_id."
)
_DIALECT = "duckdb"
"""That of the workspace, where rows of several databases meet."""


def tables_in(sql: str) -> list[exp.Table]:
    """The tables that a statement names, those of its own WITH aside; none when it does not parse."""
    try:
        tree = parse_one(sql, read=_DIALECT)
    except (SqlglotError, RecursionError):
        return []
    named = {cte.alias for cte in tree.find_all(exp.CTE)}
    return [table for table in tree.find_all(exp.Table) if table.db or table.name not in named]


def is_one_figure(sql: str) -> bool:
    """Whether a statement gives one row of figures about all its rows.

    >>> is_one_figure("SELECT COUNT(*) FROM orders"), is_one_figure("SELECT city FROM orders GROUP BY city")
    (True, False)
    >>> is_one_figure("SELECT COUNT(*) OVER () FROM orders")
    False
    """
    try:
        tree = parse_one(sql, read=_DIALECT)
    except (SqlglotError, RecursionError):
        return False
    shown = tree.expressions if isinstance(tree, exp.Select) and not tree.args.get("group") else []
    figures = ([one for one in term.find_all(exp.AggFunc) if _is_own(one, tree)] for term in shown)
    return bool(shown) and all(figures)


def _is_own(aggregate: exp.AggFunc, tree: exp.Expr) -> bool:
    """Whether a figure is about all rows of a statement: of no window, and of no query inside."""
    return (
        aggregate.find_ancestor(exp.Select) is tree and aggregate.find_ancestor(exp.Window) is None
    )


def database_of(table: exp.Table) -> str:
    """What stands before the table's name, and before its schema's."""
    return table.catalog or table.db


def spans(sql: str, names: Sequence[str]) -> bool:
    """Whether a statement names registered databases before its tables.

    >>> spans("SELECT 1 FROM shop.orders AS o JOIN crm.main.calls AS c ON c.id = o.id", ["shop", "crm"])
    True
    >>> spans("SELECT 1 FROM main.orders", ["shop", "crm"])
    False
    """
    return any(database_of(table) in names for table in tables_in(sql))


def whole_query(
    sql: str, catalog: Catalog | UrlDatabases, limits: QueryLimits
) -> tuple[tuple[str, ...], str]:
    """A statement over several databases as it is kept: over `database.schema.table`, in no database's dialect.

    It is tried on the first rows of its tables.

    Returns:
        the databases, sorted, and the statement.

    Raises:
        OldhandError: it does more than read, names what is not there, or does not run; the message says which.
        DatabaseUnreachable: a database does not answer.
    """
    check_sql(sql, _DIALECT)
    tree = parse_one(sql, read=_DIALECT)
    named = {cte.alias for cte in tree.find_all(exp.CTE)}
    found: dict[tuple[str, str], tuple[DatabaseSchema, Table]] = {}
    for node in tree.find_all(exp.Table):
        if not node.db and node.name in named:
            continue
        found[database_of(node), node.name] = schema, table = _table(node, catalog)
        node.set("catalog", exp.to_identifier(schema.name))
        node.set("db", exp.to_identifier(table.schema_name))
        node.set("this", exp.to_identifier(table.name))
        if not node.alias:
            node.set("alias", exp.TableAlias(this=exp.to_identifier(node.name)))
    _try(tree, list(found.values()), catalog, limits)
    return tuple(sorted({schema.name for schema, _ in found.values()})), tree.sql()


def local_query(query: str, schema: DatabaseSchema) -> str:
    """A statement over `database.schema.table` of one database, as that database reads it."""
    tree = parse_one(query)
    for node in tree.find_all(exp.Table):
        node.set("catalog", None)
    return tree.sql(dialect=schema.dialect)


def _table(node: exp.Table, catalog: Catalog | UrlDatabases) -> tuple[DatabaseSchema, Table]:
    names = [entry.name for entry in catalog.list()]
    if database_of(node) not in names:
        raise QueryFailed(f"It does not say in which database {node.name} lies. {HOW}")
    schema = catalog.schema(database_of(node))
    table = schema.table(node.name, node.db if node.catalog else None)
    if table is None:
        known = ", ".join(one.name for one in schema.tables[:8])
        raise QueryFailed(f"The database {schema.name} has no table {node.name}. It has {known}.")
    return schema, table


def _try(
    tree: exp.Expr,
    found: Sequence[tuple[DatabaseSchema, Table]],
    catalog: Catalog | UrlDatabases,
    limits: QueryLimits,
) -> None:
    """Run a statement over the first rows of its tables, which lie side by side in a workspace."""
    local = tree.copy()
    for node in local.find_all(exp.Table):
        if node.catalog:
            node.set("this", exp.to_identifier(_local_name(node.catalog, node.name)))
            node.set("db", None)
            node.set("catalog", None)
    sql = local.sql(dialect=_DIALECT)
    with closing(open_workspace()) as workspace:
        for schema, table in found:
            columns = [exp.column(exp.to_identifier(c.name, quoted=True)) for c in table.columns]
            place = exp.table_(table.name, db=table.schema_name, quoted=True)
            rows = exp.select(*columns).from_(place).limit(TRIED_ROWS)
            read = catalog.open(schema.name).fetch(
                rows.sql(dialect=schema.dialect), rows=TRIED_ROWS, seconds=limits.seconds
            )
            workspace.add(_local_name(schema.name, table.name), read)
        if wrong := find_errors(sql, workspace.schema()):
            raise QueryFailed(" ".join(wrong))
        workspace.fetch(sql, rows=limits.rows, seconds=limits.seconds)


def _local_name(database: str, table: str) -> str:
    return f"{database}__{table}"
