"""Whether a query fits the schemas, and its names in the letter case in which they are declared."""

from collections.abc import Iterator, Sequence

from sqlglot import exp

from oldhand.agent.analyst.rendering.names import described, real_tables, sources
from oldhand.record.schema import DatabaseSchema, Table


def as_declared(tree: exp.Expr, schemas: Sequence[DatabaseSchema]) -> exp.Expr:
    """A copy of `tree` whose tables and columns are written as the schemas declare them.

    A name in double quotes that no table has as a column is the text that SQLite takes it for.
    """
    tree = tree.copy()
    for node in real_tables(tree):
        if not node.alias:
            node.set("alias", exp.TableAlias(this=exp.to_identifier(node.name)))
    tables = list(_described(tree, schemas))
    columns = {c.name.casefold(): c.name for _, table in tables for c in table.columns}
    for node, table in tables:
        node.set("this", exp.to_identifier(table.name))
        node.set("db", exp.to_identifier(table.schema_name))
    made = _made_names(tree)
    for column in list(tree.find_all(exp.Column)):
        folded = column.name.casefold()
        identifier = column.this
        if not isinstance(identifier, exp.Identifier):
            continue
        if folded in columns and folded not in made:
            identifier.replace(exp.to_identifier(columns[folded]))
        elif identifier.args.get("quoted") and not column.table and folded not in made:
            column.replace(exp.Literal.string(column.name))
    _fold_aliases(tree)
    return tree


def fits(query: exp.Query, schemas: Sequence[DatabaseSchema]) -> bool:
    """True when every table and column of a qualified query is one of the schemas' or made in the query."""
    defined = {cte.alias.casefold() for cte in query.find_all(exp.CTE)}
    for table in query.find_all(exp.Table):
        known = described(table, schemas) if table.catalog else None
        if known is None and table.name.casefold() not in defined:
            return False
    return all(_is_known(column, schemas) for column in query.find_all(exp.Column))


def _described(
    tree: exp.Expr, schemas: Sequence[DatabaseSchema]
) -> Iterator[tuple[exp.Table, Table]]:
    for node in real_tables(tree):
        if (table := described(node, schemas)) is not None:
            yield node, table


def _made_names(tree: exp.Expr) -> set[str]:
    """Names that the query itself gives to what it computes."""
    return {alias.alias.casefold() for alias in tree.find_all(exp.Alias)}


def _fold_aliases(tree: exp.Expr) -> None:
    """Aliases of tables in lower case: SQL does not tell `T1.name` from `t1.name`."""
    for table in tree.find_all(exp.Table, exp.Subquery, exp.CTE):
        if table.alias:
            table.args["alias"].set("this", exp.to_identifier(table.alias.lower()))
    for column in tree.find_all(exp.Column):
        if column.table:
            column.set("table", exp.to_identifier(column.table.lower()))


def _is_known(column: exp.Column, schemas: Sequence[DatabaseSchema]) -> bool:
    """True for a column of one of the tables around it, or one that a derived table or an alias made."""
    node: exp.Expr | None = column.parent
    while node is not None:
        if isinstance(node, exp.Select) and _is_in(column, node, schemas):
            return True
        if _stands_alone(node):
            return False
        node = node.parent
    return False


def _stands_alone(node: exp.Expr) -> bool:
    """True for a query that cannot see the tables beside it."""
    derived = isinstance(node, exp.Subquery) and isinstance(node.parent, (exp.From, exp.Join))
    return derived or isinstance(node, exp.CTE)


def _is_in(column: exp.Column, select: exp.Select, schemas: Sequence[DatabaseSchema]) -> bool:
    for source in sources(select):
        if column.table not in ("", source.alias):
            continue
        if source.table is None or not source.table.catalog:
            return True  # what a derived table yields is checked where it is made
        table = described(source.table, schemas)
        if table is not None and table.column(column.name) is not None:
            return True
    aliases = {alias.alias for alias in select.find_all(exp.Alias)}
    return not column.table and column.name in aliases
