"""Medians for databases that have no function for them: the mean of the middle row, or of the two middle ones."""

from sqlglot import exp

WITHOUT_MEDIAN = frozenset({"sqlite", "mysql", "tsql", "bigquery"})
"""Dialects without a function for the median of a group."""
SORTED, MIDDLE = "sorted_rows", "middle"
_PLACE, _SIZE = "place", "size"

_OUTSIDE = ("expressions", "group", "order", "limit", "offset", "distinct")
"""Clauses that are about the medians, not about the rows."""


def with_middle_rows(tree: exp.Expr) -> exp.Expr:
    """`tree` with the queries that ask for one median written with numbered rows; others are left as they are.

    >>> from sqlglot import parse_one
    >>> print(with_middle_rows(parse_one("SELECT MEDIAN(t.a) FROM t")).sql())
    SELECT AVG(sorted_rows.middle) FROM (SELECT t.a AS middle, ROW_NUMBER() OVER (ORDER BY t.a NULLS LAST) AS place, COUNT(*) OVER () AS size FROM t WHERE NOT t.a IS NULL) AS sorted_rows WHERE 2 * sorted_rows.place IN (sorted_rows.size, sorted_rows.size + 1, sorted_rows.size + 2)
    """
    return tree.copy().transform(_rewritten)


def _rewritten(node: exp.Expr) -> exp.Expr:
    if not isinstance(node, exp.Select):
        return node
    order = node.args.get("order")
    outputs = [*node.selects, *(order.expressions if isinstance(order, exp.Order) else ())]
    medians = list(dict.fromkeys(m for one in outputs for m in one.find_all(exp.Median)))
    if len(medians) != 1 or node.args.get("having"):
        return node
    group = node.args.get("group")
    keys = list(group.expressions) if isinstance(group, exp.Group) else []
    names: dict[exp.Expr, exp.Expr] = {
        key: exp.column(f"group_{number}", SORTED) for number, key in enumerate(keys, 1)
    }
    names[medians[0]] = exp.Avg(this=exp.column(MIDDLE, SORTED))
    outer = exp.Select(expressions=[_renamed(one, names) for one in node.selects])
    inner = _numbered(node, medians[0].this, keys).subquery(SORTED, copy=False)
    outer = outer.from_(inner, copy=False).where(_in_the_middle(), copy=False)
    if keys:
        outer = outer.group_by(*(names[key].copy() for key in keys), copy=False)
    for clause in ("order", "limit", "offset"):
        if (own := node.args.get(clause)) is not None:
            outer.set(clause, _renamed(own, names))
    return outer


def _numbered(node: exp.Select, value: exp.Expr, keys: list[exp.Expr]) -> exp.Select:
    """The rows with a value, numbered in the order of their values within each group."""
    order = exp.Order(expressions=[exp.Ordered(this=value.copy())])
    each, also = ([key.copy() for key in keys] for _ in range(2))
    place = exp.Window(this=exp.RowNumber(), partition_by=each, order=order)
    size = exp.Window(this=exp.Count(this=exp.Star()), partition_by=also)
    inner = node.copy()
    for clause in _OUTSIDE:
        inner.set(clause, None)
    groups = [exp.alias_(key.copy(), f"group_{n}") for n, key in enumerate(keys, 1)]
    middle = exp.alias_(value.copy(), MIDDLE)
    inner.set("expressions", [*groups, middle, exp.alias_(place, _PLACE), exp.alias_(size, _SIZE)])
    return inner.where(exp.Not(this=exp.Is(this=value.copy(), expression=exp.Null())), copy=False)


def _in_the_middle() -> exp.Expr:
    size = exp.column(_SIZE, SORTED)
    twice = exp.Mul(this=exp.Literal.number(2), expression=exp.column(_PLACE, SORTED))
    return exp.In(this=twice, expressions=[size, size.copy() + 1, size.copy() + 2])


def _renamed(node: exp.Expr, names: dict[exp.Expr, exp.Expr]) -> exp.Expr:
    def named(part: exp.Expr) -> exp.Expr:
        return names[part].copy() if part in names else part

    return node.copy().transform(named)
