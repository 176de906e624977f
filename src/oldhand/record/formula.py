"""Formulas and conditions of the semantic layer: columns of a table, or of one that it refers to, computed and compared, and rows of others that there are; nothing else."""

from collections.abc import Iterator
from functools import lru_cache

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

LONGEST = 1000
"""Characters of a formula or a condition."""
_COMPUTED = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Neg, exp.Paren)
_ADDED_UP = (exp.Sum, exp.Avg, exp.Min, exp.Max, exp.Count)
_SPANS = (exp.DateDiff, exp.Var)
"""The time from one moment to another of a row: `DATEDIFF(paid_on, ordered_on, DAY)`."""
_TERMS = (
    *_COMPUTED, *_ADDED_UP, *_SPANS, exp.Column, exp.Identifier, exp.Literal, exp.Boolean, exp.Null,
    exp.Coalesce, exp.Abs, exp.Round, exp.Nullif, exp.Star, exp.Distinct,
)  # fmt: skip
_COMPARED = (
    exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Like, exp.Is, exp.In, exp.Between,
)  # fmt: skip
_GLUE = (exp.And, exp.Or, exp.Not, exp.Paren)
_OF_OTHERS = (
    exp.Subquery, exp.Select, exp.From, exp.Join, exp.Where, exp.Group, exp.Having, exp.Table, exp.TableAlias,
)  # fmt: skip
"""Of what the rows of other tables are told by that a condition asks for."""


@lru_cache(maxsize=1024)
def read_formula(text: str) -> exp.Expr:
    """A formula as a tree that nobody may change.

    Raises:
        ValueError: it does not parse, or holds more than columns, numbers, + - * /, sum, avg, min, max, count, coalesce,
            abs, round, nullif, the time between two columns, and values that are taken where a condition holds.

    >>> read_formula("(price - cost) / price").sql()
    '(price - cost) / price'
    >>> read_formula("count(case when status = 'N' then 1 end) / count(*)").sql()
    "COUNT(CASE WHEN status = 'N' THEN 1 END) / COUNT(*)"
    >>> read_formula("price > 3")
    Traceback (most recent call last):
    ...
    ValueError: A formula computes with columns and numbers, and this does not: price > 3
    """
    tree = _parsed(text, "formula")
    reads = columns_of(tree) or tree.find(exp.Count)
    computes = all(_computes(node) for node in tree.walk(prune=_is_condition))
    if not computes or not reads:
        raise ValueError(f"A formula computes with columns and numbers, and this does not: {text}")
    return tree


@lru_cache(maxsize=1024)
def read_condition(text: str) -> exp.Expr:
    """A condition as a tree that nobody may change; unlike that of a default filter it may compute and compare columns.

    Rows of other tables are told by membership: `id IN (SELECT customer_id FROM orders GROUP BY customer_id HAVING COUNT(*) > 3)`.

    Raises:
        ValueError: it does not parse, or is more than comparisons joined by AND, OR and NOT.

    >>> read_condition("price - cost > 3 OR cost IS NULL").sql()
    'price - cost > 3 OR cost IS NULL'
    >>> read_condition("price - cost")
    Traceback (most recent call last):
    ...
    ValueError: A condition compares columns, and this does not: price - cost
    """
    tree = _parsed(text, "condition")
    known = (*_TERMS, *_COMPARED, *_GLUE, *_OF_OTHERS)
    plain = all(isinstance(node, known) for node in tree.walk())
    added_up = any(isinstance(node, _ADDED_UP) for node in own_parts(tree))
    if not plain or added_up or not _compares(tree) or not columns_of(tree):
        raise ValueError(f"A condition compares columns, and this does not: {text}")
    return tree


def columns_of(tree: exp.Expr) -> tuple[tuple[str, str], ...]:
    """Table and name of each column that a tree reads, each once; the table is empty where none is named.

    >>> columns_of(read_formula("price - products.cost"))
    (('', 'price'), ('products', 'cost'))
    """
    named = (one for one in own_parts(tree) if isinstance(one, exp.Column))
    return tuple(dict.fromkeys((one.table, one.name) for one in named))


def own_parts(tree: exp.Expr) -> Iterator[exp.Expr]:
    """The parts of a tree but for what stands inside of queries over other rows.

    >>> [part.sql() for part in own_parts(read_condition("id IN (SELECT customer_id FROM orders)"))][1:]
    ['id', '(SELECT customer_id FROM orders)', 'id']
    """
    return tree.walk(prune=lambda node: isinstance(node, exp.Query))


def reads_others(tree: exp.Expr) -> bool:
    """Whether a condition asks for rows of other tables."""
    return tree.find(exp.Query) is not None


def adds_up(tree: exp.Expr) -> bool:
    """Whether a formula is about many rows at once, as `sum(total) / count(*)` is."""
    return tree.find(*_ADDED_UP) is not None


def _is_condition(node: exp.Expr) -> bool:
    """Whether a node is what must hold for a value to be taken: `status = 'N'` of `CASE WHEN status = 'N' THEN 1 END`."""
    return isinstance(node.parent, exp.If) and node.arg_key == "this"


def _computes(node: exp.Expr) -> bool:
    if not _is_condition(node):
        return isinstance(node, (*_TERMS, exp.Case, exp.If))
    known = (*_TERMS, *_COMPARED, *_GLUE, *_OF_OTHERS)
    return _compares(node) and all(isinstance(part, known) for part in node.walk())


def _compares(tree: exp.Expr) -> bool:
    if isinstance(tree, _GLUE):
        return all(_compares(part) for part in tree.iter_expressions())
    return isinstance(tree, _COMPARED)


def _parsed(text: str, what: str) -> exp.Expr:
    if len(text) > LONGEST:
        raise ValueError(f"A {what} has {LONGEST} characters at most, and this one {len(text)}.")
    try:
        trees = sqlglot.parse(f"SELECT {text}")
    except (SqlglotError, RecursionError) as error:
        raise ValueError(f"This is no {what}: {text}") from error
    select = trees[0] if len(trees) == 1 else None
    said = [name for name, part in select.args.items() if part] if select is not None else []
    chosen = select.expressions if isinstance(select, exp.Select) else []
    if len(chosen) != 1 or said != ["expressions"]:
        raise ValueError(f"This is no {what}: {text}")
    tree = chosen[0]
    for node in tree.walk():
        node.comments = None
    return tree.copy()
