"""Conditions that a rule may add to queries: comparisons of one table's columns with literals, and nothing else."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

LONGEST = 500
"""Characters of a condition."""
MOST_PARTS = 50
"""Comparisons in a condition."""

_COMPARED = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Like, exp.ILike)
_OPERATORS = {"=": exp.EQ, ">": exp.GT, ">=": exp.GTE, "<": exp.LT, "<=": exp.LTE}
_SAID = re.compile(r"(?P<does>leave out|take only) (?P<rows>.+?) with (?P<condition>.+)", re.IGNORECASE)  # fmt: skip
_GLUE = (exp.And, exp.Or, exp.Not, exp.Paren)


@lru_cache(maxsize=4096)
def read_filter(text: str) -> exp.Expr:
    """The condition as a tree that nobody may change: copy it before it becomes part of a query.

    Raises:
        ValueError: it does not parse, or is more than comparisons, IN, BETWEEN, IS and LIKE of columns with literals,
            joined by AND, OR and NOT.

    >>> read_filter("status <> 'cancelled'").sql()
    "status <> 'cancelled'"
    >>> read_filter("status = (SELECT 1)")
    Traceback (most recent call last):
    ...
    ValueError: A rule compares columns with literals, and not: status = (SELECT 1)
    """
    if len(text) > LONGEST:
        raise ValueError(f"A condition has {LONGEST} characters at most, and this one {len(text)}.")
    try:
        trees = sqlglot.parse(text)
    except (SqlglotError, RecursionError) as error:
        raise ValueError(f"This is no condition: {text}") from error
    if len(trees) != 1 or trees[0] is None:
        raise ValueError(f"This is no condition: {text}")
    tree = trees[0]
    for number, part in enumerate(comparisons(tree)):
        if number >= MOST_PARTS:
            raise ValueError(f"A condition has {MOST_PARTS} comparisons at most.")
        if not _is_plain(part):
            raise ValueError(f"A rule compares columns with literals, and not: {part.sql()}")
    for node in tree.walk():
        node.comments = None
    return tree


def comparisons(condition: exp.Expr) -> Iterator[exp.Expr]:
    """The single comparisons of a condition, in order.

    >>> [part.sql() for part in comparisons(read_filter("a = 1 AND NOT (b IN (2, 3) OR c IS NULL)"))]
    ['a = 1', 'b IN (2, 3)', 'c IS NULL']
    """
    if not isinstance(condition, _GLUE):
        yield condition
        return
    for part in condition.iter_expressions():
        yield from comparisons(part)


def columns_of(condition: exp.Expr) -> tuple[str, ...]:
    """Names of the columns that are compared, each once.

    >>> columns_of(read_filter("a = 1 AND (b > 2 OR a IS NULL)"))
    ('a', 'b')
    """
    # Not `find_all`, which goes by levels.
    named = [column.name for part in comparisons(condition) for column in part.find_all(exp.Column)]
    return tuple(dict.fromkeys(named))


def compared(column: exp.Column, operator: str, values: Sequence[object]) -> exp.Expr:
    """A column compared with one value, or with the two ends of a range.

    >>> compared(exp.column("total"), "between", (1, 2)).sql()
    'total BETWEEN 1 AND 2'
    """
    found = [exp.convert(value) for value in values]
    if operator == "between":
        return exp.Between(this=column.copy(), low=found[0], high=found[1])
    return _OPERATORS[operator](this=column.copy(), expression=found[0])


def said_of(condition: exp.Expr, rows: str) -> str:
    """What a query with the condition takes or leaves out, for people to read.

    >>> said_of(read_filter("status <> 'cancelled'"), "orders")
    "Leave out orders with status = 'cancelled'"
    >>> said_of(read_filter("status <> 'cancelled' OR status IS NULL"), "orders")
    "Leave out orders with status = 'cancelled'"
    >>> said_of(read_filter("NOT status IN ('void', 'test') AND total > 0"), "orders")
    "Take only orders with NOT status IN ('void', 'test') AND total > 0"
    """
    if (left_out := what_is_left_out(condition)) is not None:
        return f"Leave out {rows} with {left_out.sql()}"
    return f"Take only {rows} with {condition.sql()}"


def condition_said(text: str) -> tuple[str, str, bool] | None:
    """What `said_of` says, read back: whose rows, the condition, and whether those that meet it alone count.

    >>> condition_said("Leave out orders with status = 'cancelled'."), condition_said("Leave out cancelled orders")
    (('orders', "status = 'cancelled'", False), None)
    """
    found = _SAID.fullmatch(" ".join(text.split()).rstrip(".!"))
    if found is None:
        return None
    try:
        condition = read_filter(found["condition"]).sql()
    except ValueError:
        return None
    return found["rows"], condition, found["does"].casefold() == "take only"


def what_is_left_out(condition: exp.Expr) -> exp.Expr | None:
    """The condition of the rows that are left out, where the condition is said by that; else None.

    >>> what_is_left_out(read_filter("a <> 1 AND b IS NOT NULL")).sql()
    'a = 1 OR b IS NULL'
    """
    inner = condition.unnest()
    if isinstance(inner, exp.And):
        sides = [what_is_left_out(side) for side in (inner.this, inner.expression)]
        return None if None in sides else exp.or_(*sides)
    if isinstance(inner, exp.Or):
        return _without_empty(inner)
    if isinstance(inner, exp.NEQ):
        return exp.EQ(this=inner.this.copy(), expression=inner.expression.copy())
    return inner.this.unnest().copy() if isinstance(inner, exp.Not) else None


def _without_empty(either: exp.Or) -> exp.Expr | None:
    """What is left out by `a <> 1 OR a IS NULL`, which only keeps the rows that say nothing."""
    for one, other in ((either.this, either.expression), (either.expression, either.this)):
        empty = isinstance(other, exp.Is) and isinstance(other.expression, exp.Null)
        if empty and columns_of(one) == columns_of(other):
            return what_is_left_out(one)
    return None


def _is_plain(part: exp.Expr) -> bool:
    """Whether one column is compared with literals."""
    if not _is_column(part.this):
        return False
    if isinstance(part, _COMPARED):
        return _is_literal(part.expression)
    if isinstance(part, exp.Is):
        return isinstance(part.expression, (exp.Null, exp.Boolean))
    if isinstance(part, exp.Between):
        return _is_literal(part.args["low"]) and _is_literal(part.args["high"])
    if not isinstance(part, exp.In) or part.args.get("query") or part.args.get("unnest"):
        return False
    return bool(part.expressions) and all(map(_is_literal, part.expressions))


def _is_column(node: object) -> bool:
    return isinstance(node, exp.Column) and isinstance(node.this, exp.Identifier) and not node.table


def _is_literal(node: object) -> bool:
    inner = node.this if isinstance(node, exp.Neg) else node
    return isinstance(inner, (exp.Literal, exp.Boolean))
