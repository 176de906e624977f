"""Medians as they are written for databases that have no function for them: numbered rows, of which the middle ones count."""

from typing import cast

from sqlglot import exp

from oldhand.query.lifting.literals import scalar

_NAME, _PLACE, _SIZE, _MIDDLE = "sorted_rows", "place", "size", "middle"


def as_median(select: exp.Select) -> exp.Select:
    """A query over numbered rows as the query for a median that it stands for; any other as it is."""
    start = select.args.get("from_")
    derived = start.this if isinstance(start, exp.From) else None
    if not isinstance(derived, exp.Subquery) or derived.alias != _NAME:
        return select
    inner = derived.this
    where = select.args.get("where")
    if not isinstance(inner, exp.Select) or not isinstance(where, exp.Where):
        return select
    if select.args.get("joins") or where.this.sql() != _MIDDLE_ROWS:
        return select
    meant = {one.alias: one.this for one in inner.expressions if isinstance(one, exp.Alias)}
    if not _is_numbered(meant):
        return select
    value = meant[_MIDDLE]
    keys = {name: key for name, key in meant.items() if name.startswith("group_")}
    outer = select.copy()
    for node in list(outer.find_all(exp.Avg)):
        if isinstance(node.this, exp.Column) and node.this.name == _MIDDLE:
            node.replace(exp.Median(this=value.copy()))
    for column in list(outer.find_all(exp.Column)):
        if column.table == _NAME and column.name in keys:
            column.replace(keys[column.name].copy())
    return _over_rows(outer, inner, value) or select


_MIDDLE_ROWS = (
    "2 * sorted_rows.place IN (sorted_rows.size, sorted_rows.size + 1, sorted_rows.size + 2)"
)


def _is_numbered(meant: dict[str, exp.Expr]) -> bool:
    place, size = meant.get(_PLACE), meant.get(_SIZE)
    if not (isinstance(place, exp.Window) and isinstance(size, exp.Window) and _MIDDLE in meant):
        return False
    each = list(place.args.get("partition_by") or ())
    order = place.args.get("order")
    if not isinstance(order, exp.Order) or not isinstance(place.this, exp.RowNumber):
        return False
    sorted_by = order.expressions[-1].this
    keys = [key for name, key in meant.items() if name.startswith("group_")]
    counted = isinstance(size.this, exp.Count) and isinstance(size.this.this, exp.Star)
    same = each == list(size.args.get("partition_by") or ()) == keys
    return counted and same and sorted_by == meant[_MIDDLE] and scalar(sorted_by) is None


def _over_rows(outer: exp.Select, inner: exp.Select, value: exp.Expr) -> exp.Select | None:
    """The outer query over what the inner one reads, without the condition that there is a value."""
    present = exp.Not(this=exp.Is(this=value.copy(), expression=exp.Null()))
    where = inner.args.get("where")
    rest = where.this if isinstance(where, exp.Where) else None
    if isinstance(rest, exp.And) and rest.expression.unnest() == present:
        outer.set("where", exp.Where(this=rest.this.copy()))
    elif rest is not None and rest == present:
        outer.set("where", None)
    else:
        return None
    for clause in ("from_", "joins"):
        part = cast("exp.Expr | list[exp.Expr] | None", inner.args.get(clause))
        copied = (
            [one.copy() for one in part]
            if isinstance(part, list)
            else part.copy()
            if part
            else None
        )
        outer.set(clause, copied)
    extra = {k for k, v in inner.args.items() if v} - {"expressions", "from_", "joins", "where"}
    return None if extra or _still_reads(outer) else outer


def _still_reads(outer: exp.Select) -> bool:
    return any(column.table == _NAME for column in outer.find_all(exp.Column))
