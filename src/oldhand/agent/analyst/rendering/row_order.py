"""The order that was asked for, without what was added to keep rows that tie in place."""

from sqlglot import exp

_STEADY = frozenset({"sqlite"})
"""Dialects to whose queries nothing is added."""


def as_asked(query: exp.Expr, dialect: str) -> exp.Expr:
    """A copy of `query` without the order of rows that tie, which was added before it ran.

    >>> from sqlglot import parse_one
    >>> query = parse_one("SELECT c.name FROM customers AS c ORDER BY c.age, c.name LIMIT 3")
    >>> as_asked(query, "mysql").sql()
    'SELECT c.name FROM customers AS c ORDER BY c.age LIMIT 3'
    """
    tree = query.copy()
    if dialect in _STEADY:
        return tree
    for select in tree.find_all(exp.Select):
        terms = _order_terms(select)
        shown = [*_shown(select), *_group_keys(select)]
        while len(terms) > 1 and not terms[-1].args.get("desc") and terms[-1].this in shown:
            terms.pop().pop()
    return tree


def _shown(select: exp.Select) -> list[exp.Expr]:
    return [output.unalias() for output in select.selects]


def _group_keys(select: exp.Select) -> list[exp.Expr]:
    group = select.args.get("group")
    return list(group.expressions) if isinstance(group, exp.Group) else []


def _order_terms(select: exp.Select) -> list[exp.Ordered]:
    order = select.args.get("order")
    return list(order.expressions) if isinstance(order, exp.Order) else []
