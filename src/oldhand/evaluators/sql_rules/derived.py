"""What stands behind the columns of subqueries and CTEs."""

from collections.abc import Iterator

from sqlglot import exp

from oldhand.sources.databases.sql_issues import StatementReading
from oldhand.sources.databases.sql_issues.naming import NameMeaning, ResolvedName


def query_behind(node: exp.Expr) -> exp.Expr | None:
    """The query whose rows a table or subquery in FROM stands for; None for a table of the database."""
    if isinstance(node, exp.Subquery | exp.Lateral):
        return node.this if isinstance(node.this, exp.Query) else None
    holder = node.parent if isinstance(node, exp.Table) and not node.db else None
    while holder is not None:
        with_ = holder.args.get("with_")
        for cte in with_.expressions if isinstance(with_, exp.With) else ():
            if cte.alias.casefold() == node.name.casefold() and cte is not holder:
                return cte.this
        holder = holder.parent
    return None


def expression_behind(reading: StatementReading, column: exp.Expr) -> exp.Expr | None:
    """The expression that a name stands for, when a SELECT of the same text computes it."""
    found = reading.meaning.get(id(column))
    if found is None:
        return None
    if found.meaning is NameMeaning.OUTPUT:
        return found.expression
    return _computed(reading, found, column.name.casefold())


def _computed(reading: StatementReading, found: ResolvedName, name: str) -> exp.Expr | None:
    if len(found.sources) != 1:
        return None
    query = query_behind(found.sources[0].node)
    outputs = reading.gathered.outputs.get(id(query)) or ()
    return next((output.node for output in outputs if output.name == name), None)


def uses_of(reading: StatementReading, item: exp.Expr) -> Iterator[exp.Column]:
    """The columns elsewhere in the query that stand for `item`, one of the columns of a SELECT."""
    for use, _ in reading.meanings:
        if expression_behind(reading, use.column) is item and use.column is not item:
            yield use.column
