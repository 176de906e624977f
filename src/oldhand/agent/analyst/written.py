"""The candidates as trees of expressions, for those who read queries that way."""

from dataclasses import replace

from sqlglot import exp

from oldhand.agent.analyst.rendering.headings import headings
from oldhand.lexicon.wording import human, plural
from oldhand.query.compiling.tree import to_tree
from oldhand.query.form import Count, Expression, Query


def written(query: Query) -> exp.Query:
    """The tree of a query; what is cut in each group has names for its columns."""
    return to_tree(query, _names(query) if query.each else ())


def _names(query: Query) -> list[str]:
    plain = replace(query, each=(), order=(), limit=None, offset=0)
    rows = to_tree(plain)
    named = headings(rows)
    return [_called(term, query) or name for term, name in zip(query.select, named, strict=True)]


def _called(term: Expression, query: Query) -> str:
    """`number_of_orders` for a count of joined rows: those that refer to the others; else empty."""
    referred = [join.right for join in query.rows.joins]
    rows = [relation for relation in query.rows.relations if relation not in referred]
    if term != Count() or len(rows) != 1:
        return ""
    return f"number of {plural(human(rows[0].table))}".replace(" ", "_")
