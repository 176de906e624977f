"""Queries that are cut in each group: the places of the rows are numbered inside, and the first ones shown outside."""

from collections.abc import Iterator, Sequence

from sqlglot import exp

from oldhand.query.form import Order, Query

RANKED, PLACE = "ranked", "place"
"""What the query inside, and the place of a row in it, are called: by these it is known when it is read back."""


def cut_in_each(
    query: Query, rows: exp.Select, each: Sequence[exp.Expr], by: exp.Ordered, names: Sequence[str]
) -> exp.Select:
    """The rows of the first places in each group; those that tie share their place."""
    outputs = list(rows.selects)
    given = names or ("",) * len(outputs)
    names = [name or f"c{place}" for place, name in enumerate(given, 1)]
    order = exp.Order(expressions=[by])
    place = exp.Window(this=exp.Rank(), partition_by=list(each), order=order)
    ranked = [exp.alias_(one.copy(), name) for one, name in zip(outputs, names, strict=True)]
    rows.set("expressions", [*ranked, exp.alias_(place, PLACE)])
    last = query.offset + (query.limit or 1)
    shown = [exp.column(name, RANKED) for name in names]
    placed = exp.column(PLACE, RANKED)
    compare = exp.EQ if query.offset else exp.LTE
    reached = compare(this=placed, expression=exp.Literal.number(last))
    groups = [shown[n] for n, term in enumerate(query.select) if term in query.each]
    sorted_by = [in_direction(shown[n], tie) for n, tie in _shown(query.order[1:], query)]
    made = exp.Select(expressions=shown).from_(rows.subquery(RANKED, copy=False), copy=False)
    return made.where(reached, copy=False).order_by(
        *(g.copy() for g in groups), placed.copy(), *sorted_by, copy=False
    )


def _shown(ties: Sequence[Order], query: Query) -> Iterator[tuple[int, Order]]:
    """What rows of the same place are sorted by, with its place among the outputs."""
    for tie in ties:
        if tie.by in query.select and tie.by not in query.each:
            yield query.select.index(tie.by), tie


def in_direction(by: exp.Expr, order: Order) -> exp.Ordered:
    """What rows are sorted by, with its direction and the place of rows without a value."""
    first = {"first": True, "last": False}.get(order.nulls)
    return exp.Ordered(this=by, desc=order.descending or None, nulls_first=first)
