"""Repairs the shape of a statement: grouping, DISTINCT, aggregates in the wrong place, subqueries."""

from sqlglot import exp

from oldhand.agent.analyst.repair.trees import joins

PATIENCE_ROWS = 1_000
"""Rows that a listing which took too long is cut to."""


def not_grouped(tree: exp.Expr) -> exp.Expr:
    """Group by what is shown; order by the least of what is not."""
    for select in tree.find_all(exp.Select):
        if _aggregates(select) or select.args.get("group"):
            _group_by_outputs(select)
    return tree


def _group_by_outputs(select: exp.Select) -> None:
    group = select.args.get("group")
    keys = list(group.expressions) if isinstance(group, exp.Group) else []
    shown = [output.unalias() for output in select.selects]
    plain = [node for node in shown if not node.find(exp.AggFunc, exp.Star, exp.Literal)]
    for node in plain:
        if node not in keys and not isinstance(node, exp.Query | exp.Subquery):
            keys.append(node.copy())
    if keys:
        select.set("group", exp.Group(expressions=keys))
    aliases = {output.alias for output in select.selects if isinstance(output, exp.Alias)}
    order = select.args.get("order")
    for ordered in order.expressions if isinstance(order, exp.Order) else ():
        node = ordered.this
        loose = isinstance(node, exp.Column) and node not in keys and node.name not in aliases
        if loose and not node.find_ancestor(exp.AggFunc):
            extreme = exp.Max if ordered.args.get("desc") else exp.Min
            ordered.set("this", extreme(this=node.copy()))


def _aggregates(select: exp.Select) -> bool:
    """True when an output of `select` itself is an aggregate."""
    return any(
        found.find_ancestor(exp.Select) is select and not found.find_ancestor(exp.Window)
        for output in select.selects
        for found in output.find_all(exp.AggFunc)
    )


def distinct_order(tree: exp.Expr) -> exp.Expr:
    """DISTINCT becomes GROUP BY, and what is ordered by its least or greatest of each group."""
    for select in tree.find_all(exp.Select):
        grouped = _aggregates(select) or select.args.get("group")
        if select.args.get("distinct") and select.args.get("order") and not grouped:
            select.set("distinct", None)
            _group_by_outputs(select)
    return tree


def aggregate_in_where(tree: exp.Expr) -> exp.Expr:
    """Conditions on aggregates belong into HAVING."""
    for select in tree.find_all(exp.Select):
        where = select.args.get("where")
        if not isinstance(where, exp.Where):
            continue
        parts = list(where.this.flatten()) if isinstance(where.this, exp.And) else [where.this]
        moved = [part for part in parts if _is_aggregate(part, select)]
        if moved:
            kept = [part.copy() for part in parts if not any(part is other for other in moved)]
            select.set("where", exp.Where(this=exp.and_(*kept)) if kept else None)
            select.having(*(part.copy() for part in moved), copy=False)
            _group_by_outputs(select)
    return tree


def _is_aggregate(part: exp.Expr, select: exp.Select) -> bool:
    return any(f.find_ancestor(exp.Select) is select for f in part.find_all(exp.AggFunc))


def nested_aggregate(tree: exp.Expr) -> exp.Expr:
    """`MAX(COUNT(*))` is the maximum over a query that counts."""
    if not isinstance(tree, exp.Select) or len(tree.selects) != 1:
        return tree
    shown = tree.selects[0]
    outer = shown.unalias().copy()
    if not isinstance(outer, exp.AggFunc) or not isinstance(outer.this, exp.AggFunc):
        return tree
    inner = tree.copy()
    inner.set("expressions", [outer.this.copy().as_("n")])
    inner.set("order", None)
    inner.set("limit", None)
    outer.set("this", exp.column("n", "each_group"))
    named = outer.as_(shown.alias) if isinstance(shown, exp.Alias) else outer
    return exp.select(named).from_(inner.subquery("each_group"))


def many_rows(tree: exp.Expr) -> exp.Expr:
    """Equal to one of several rows means IN."""
    for node in list(tree.find_all(exp.EQ, exp.NEQ)):
        left, right = node.this, node.expression
        if isinstance(left, exp.Subquery):
            left, right = right, left
        if isinstance(right, exp.Subquery) and not _one_row(right.this):
            within = exp.In(this=left.copy(), query=right.copy())
            node.replace(within if isinstance(node, exp.EQ) else exp.Not(this=within))
    return tree


def _one_row(query: exp.Expr) -> bool:
    return isinstance(query, exp.Select) and _aggregates(query) and not query.args.get("group")


def limit_in_subquery(tree: exp.Expr) -> exp.Expr:
    """MySQL takes a LIMIT one level further down."""
    for node in list(tree.find_all(exp.In)):
        query = node.args.get("query")
        inner = query.this if isinstance(query, exp.Subquery) else query
        if isinstance(inner, exp.Query) and inner.args.get("limit"):
            rows = exp.select("*").from_(inner.subquery("few"))
            node.set("query", exp.Subquery(this=rows))
    return tree


def timed_out(tree: exp.Expr) -> exp.Expr:
    """A plain listing needs its first rows only; aggregates and sorts can't be made cheaper so."""
    if not isinstance(tree, exp.Select) or tree.args.get("limit") or tree.args.get("group"):
        return tree
    sorted_rows = tree.args.get("order") or tree.args.get("distinct") or tree.find(exp.Window)
    if _aggregates(tree) or sorted_rows or any(join.side == "FULL" for join in joins(tree)):
        return tree
    return tree.limit(PATIENCE_ROWS)
