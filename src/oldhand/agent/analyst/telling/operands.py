"""What stands on the two sides of a condition: a column, whatever converts it, and a plain value."""

from sqlglot import exp

from oldhand.agent.analyst.rendering.names import sources
from oldhand.record.base import Cell

_WRAPPERS = (exp.Cast, exp.TryCast, exp.Paren, exp.Nullif, exp.Trim, exp.Lower, exp.Substring, exp.Replace, exp.RegexpExtract, exp.StrToDate)  # fmt: skip
_CONVERTING = frozenset({"REPLACE", "REGEXP_EXTRACT", "REGEXP_SUBSTR", "TRY_STRPTIME"})


def plain_column(node: exp.Expr) -> exp.Column | None:
    """The column that `node` is, but for conversions of its type; None when something is computed from it."""
    while not isinstance(node, exp.Column):
        replacing = isinstance(node, exp.Anonymous) and node.name.upper() in _CONVERTING
        if replacing and node.expressions:
            node = node.expressions[0]
        elif isinstance(node, _WRAPPERS):
            node = node.this
        else:
            return None
    return node


def is_worth(node: exp.Expr) -> bool:
    """True for what lines are worth: the sum of a product of their columns.

    >>> from sqlglot import parse_one
    >>> is_worth(parse_one("SUM(i.price * i.quantity)")), is_worth(parse_one("SUM(i.price)"))
    (True, False)
    """
    return isinstance(node, exp.Sum) and isinstance(node.this, exp.Mul)


def column_name(node: exp.Expr) -> str | None:
    """The name of the column that `node` is, or whose part of a date it is."""
    inner = node.expression if isinstance(node, exp.Extract) else node
    if isinstance(inner, exp.TimeToStr | exp.ToChar):
        inner = inner.this
    column = plain_column(inner)
    return column.name if column is not None else None


def literal(node: exp.Expr) -> Cell:
    """The value that `node` writes out, or None."""
    if isinstance(node, exp.Cast):
        node = node.this
    if isinstance(node, exp.Boolean):
        return bool(node.this)
    if not isinstance(node, exp.Literal):
        return None
    if node.is_string:
        return node.name
    number = float(node.name)
    return int(number) if number.is_integer() else number


def is_average(node: exp.Expr, column: exp.Expr) -> bool:
    """True for the average of the same column over all rows of its table."""
    inner = node.unnest() if isinstance(node, exp.Subquery) else None
    select = column.find_ancestor(exp.Select)
    if not isinstance(inner, exp.Select) or select is None or len(inner.selects) != 1:
        return False
    average, mine = inner.selects[0].unalias(), plain_column(column)
    theirs = plain_column(average.this) if isinstance(average, exp.Avg) else None
    if theirs is None or mine is None or theirs.name != mine.name:
        return False
    tables = [s.table.name for s in sources(select) if s.alias == mine.table and s.table]
    read = [s.table.name for s in sources(inner) if s.table]
    return tables == read and not any(inner.args.get(key) for key in ("where", "group", "limit"))
