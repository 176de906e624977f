"""A stable order for the rows of an answer, so that the same question shows the same rows in the same order.

It is put on when a query is written out: what is compared and decomposed before stays plain.
"""

from collections.abc import Iterator, Sequence

from sqlglot import exp

from oldhand.agent.analyst.rendering.names import column_of
from oldhand.record.schema import DatabaseSchema, Kind

_NULLS_FIRST = frozenset({"sqlite", "mysql"})
"""Dialects that sort missing values first, so that nothing need be said of them."""
_STEADY = frozenset({"sqlite"})
"""Dialects that return rows that tie in the same order each time: that of the table."""
_UNSORTABLE = frozenset({Kind.JSON, Kind.BINARY, Kind.SPATIAL, Kind.OTHER})


def in_order(
    query: exp.Expr,
    dialect: str,
    schemas: Sequence[DatabaseSchema] = (),
    *,
    joined: bool = False,
) -> exp.Expr:
    """A copy of `query` whose rows come in the same order each time.

    Groups without an order come in the order of their keys. Rows that are sorted, and tie, come in the
    order of what is shown, unless the database keeps to the order of the table anyway.

    Args:
        query: neutral.
        dialect: of the database that will run it.
        schemas: what is known of the columns: those that can't be sorted by are left out.
        joined: True for rows of several databases, which come in no order at all unless they are sorted.

    >>> from sqlglot import parse_one
    >>> query = parse_one("SELECT c.city, COUNT(*) FROM customers AS c GROUP BY c.city")
    >>> in_order(query, "sqlite").sql("sqlite")
    'SELECT c.city, COUNT(*) FROM customers AS c GROUP BY c.city ORDER BY c.city'
    >>> query = parse_one("SELECT c.name FROM customers AS c ORDER BY c.age LIMIT 3")
    >>> in_order(query, "mysql").sql("mysql")
    'SELECT c.name FROM customers AS c ORDER BY c.age, c.name LIMIT 3'
    """
    tree = query.copy()
    if isinstance(tree, exp.SetOperation) and joined and not tree.args.get("order"):
        places = (exp.Literal.number(n) for n in range(1, len(tree.selects) + 1))
        return tree.order_by(*_ordered(places, dialect), copy=False)
    for select in list(tree.find_all(exp.Select)):
        if select is tree or (select.args.get("limit") and select.args.get("order")):
            keys = list(_keys(select, dialect, schemas, joined=joined and select is tree))
            if keys:
                select.order_by(*_ordered(keys, dialect), copy=False)
    return tree


def as_asked(query: exp.Expr, dialect: str) -> exp.Expr:
    """A copy of `query` without the order of rows that tie, which `in_order` has added.

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


def _keys(
    select: exp.Select, dialect: str, schemas: Sequence[DatabaseSchema], *, joined: bool
) -> Iterator[exp.Expr]:
    """What the rows of `select` are to be sorted by, after what they are sorted by already."""
    shown, groups = _shown(select), _group_keys(select)
    by = [term.this for term in _order_terms(select)]
    if not by and groups and not select.args.get("distinct"):
        named = [key for key in groups if key in shown] or groups
        yield from (_week(key) if isinstance(key, exp.Case) else key for key in named)
        return
    if not joined and (dialect in _STEADY or not by):
        return
    plain = [output for output in shown if not output.find(exp.AggFunc, exp.Star, exp.Literal)]
    aggregated = len(plain) < len(shown) and not select.args.get("distinct")
    if aggregated and not groups:
        return  # one row
    for key in dict.fromkeys((*plain, *groups) if aggregated else plain):
        if key not in by and (joined or _is_sortable(key, schemas)):
            yield key


def _week(key: exp.Case) -> exp.Expr:
    """Days of the week in their order, which is not that of their names."""
    week = key.this if isinstance(key.this, exp.DayOfWeekIso) else None
    return exp.Min(this=week.copy()) if week is not None else key


def _is_sortable(key: exp.Expr, schemas: Sequence[DatabaseSchema]) -> bool:
    columns = [column_of(column, schemas) for column in key.find_all(exp.Column)]
    return not any(column is not None and column.kind in _UNSORTABLE for column in columns)


def _ordered(keys: Iterator[exp.Expr] | Sequence[exp.Expr], dialect: str) -> list[exp.Ordered]:
    first = dialect in _NULLS_FIRST
    return [exp.Ordered(this=key.copy(), nulls_first=first) for key in keys]


def _shown(select: exp.Select) -> list[exp.Expr]:
    return [output.unalias() for output in select.selects]


def _group_keys(select: exp.Select) -> list[exp.Expr]:
    group = select.args.get("group")
    return list(group.expressions) if isinstance(group, exp.Group) else []


def _order_terms(select: exp.Select) -> list[exp.Ordered]:
    order = select.args.get("order")
    return list(order.expressions) if isinstance(order, exp.Order) else []
