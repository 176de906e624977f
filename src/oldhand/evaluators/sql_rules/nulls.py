"""Rules about NULL, which equals nothing, not even itself."""

from collections.abc import Iterator

from sqlglot import exp

from oldhand.sources.databases.sql_issues import Reading, SqlIssue

_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.ILike)


def comparison_with_null(reading: Reading) -> Iterator[SqlIssue]:
    """`= NULL` is never true, and neither is `<> NULL`, `IN (NULL)` or `NOT IN (1, NULL)`."""
    for node in reading.all(*_COMPARISONS):
        if _is_null(node.this) or _is_null(node.expression):
            instead = "IS NOT NULL" if isinstance(node, exp.NEQ) else "IS NULL"
            message = f"A comparison with NULL is never true: write {instead}."
            yield reading.issue("comparison_with_null", node, message)
    for node in reading.all(exp.In):
        nulls = sum(map(_is_null, node.expressions))
        if nulls and isinstance(node.parent, exp.Not):
            message = "NOT IN a list that holds NULL is never true: take NULL out of the list."
            yield reading.issue("comparison_with_null", node, message)
        elif nulls:
            message = "IN never finds the NULL of its list: add OR … IS NULL."
            yield reading.issue("comparison_with_null", node, message)
    for node in reading.all(exp.Case):
        if node.this is not None and any(_is_null(branch.this) for branch in node.args["ifs"]):
            message = "CASE x WHEN NULL is never true: write CASE WHEN x IS NULL."
            yield reading.issue("comparison_with_null", node, message)


def _is_null(node: exp.Expr | None) -> bool:
    while isinstance(node, exp.Cast | exp.Paren):
        node = node.this
    return isinstance(node, exp.Null)
