"""Medians as they are written for databases that have no function for them: numbered rows, of which the middle ones count."""

from sqlglot import exp

from oldhand.query.compiling.medians import MIDDLE, SORTED, with_middle_rows


def as_median(select: exp.Select, dialect: str) -> exp.Select:
    """A query over numbered rows as the query for a median that it stands for; any other as it is."""
    start = select.args.get("from_")
    derived = start.this if isinstance(start, exp.From) else None
    inner = derived.this if isinstance(derived, exp.Subquery) else None
    if not isinstance(inner, exp.Select) or inner.parent is None or inner.parent.alias != SORTED:
        return select
    meant = {one.alias: one.this for one in inner.expressions if isinstance(one, exp.Alias)}
    where = inner.args.get("where")
    if MIDDLE not in meant or not isinstance(where, exp.Where):
        return select
    outer = select.copy()
    for node in list(outer.find_all(exp.Avg)):
        if node.this == exp.column(MIDDLE, SORTED):
            node.replace(exp.Median(this=meant[MIDDLE].copy()))
    for column in list(outer.find_all(exp.Column)):
        if column.table == SORTED and column.name in meant:
            column.replace(meant[column.name].copy())
    for clause in ("from_", "joins", "where"):
        outer.set(clause, inner.copy().args.get(clause))
    condition = where.this  # that there is a value comes last
    rest = condition.this if isinstance(condition, exp.And) else None
    outer.set("where", exp.Where(this=rest.copy()) if rest is not None else None)
    written = with_middle_rows(outer)
    return outer if written.sql(dialect) == select.sql(dialect) else select
