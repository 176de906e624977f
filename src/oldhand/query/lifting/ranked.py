"""The first rows of each group, as they are written with RANK."""

from dataclasses import replace

from sqlglot import exp

from oldhand.query.compiling.places import PLACE, RANKED
from oldhand.query.form import Query
from oldhand.query.lifting.literals import scalar
from oldhand.query.lifting.scope import Common, LiftScope, PartReader, Unfit


def read_ranked(
    select: exp.Select, reader: PartReader, around: LiftScope | None, common: Common
) -> Query | None:
    """The query that is cut in each group, where a SELECT is the way to write that; None for all others."""
    start = select.args.get("from_")
    derived = start.this if isinstance(start, exp.From) else None
    if not isinstance(derived, exp.Subquery) or derived.alias != RANKED:
        return None
    inner = derived.this
    last = inner.expressions[-1] if isinstance(inner, exp.Select) and inner.expressions else None
    if not isinstance(inner, exp.Select) or not isinstance(last, exp.Alias):
        return None
    window = last.this
    if last.alias != PLACE or not isinstance(window, exp.Window):
        return None
    parts = {name for name, part in select.args.items() if part}
    order = window.args.get("order")
    plain = parts == {"expressions", "from_", "where", "order"} and not inner.args.get("order")
    if not plain or not isinstance(window.this, exp.Rank) or not isinstance(order, exp.Order):
        return None
    cut = _reached(select)
    each: list[exp.Expr] = list(window.args.get("partition_by") or ())
    if cut is None or not each:
        return None
    outputs = inner.expressions[:-1]
    rest, shown = inner.copy(), len(outputs)
    rest.set("expressions", [one.copy() for one in (*outputs, *each)])
    rest.set("order", order.copy())
    first = reader.query(rest, around, common)
    query = replace(first, select=first.select[:shown], each=first.select[shown:])
    names = _shown(select, [one.alias_or_name for one in outputs])
    if names is None or len(query.order) != 1 or not _in_group_order(select, query):
        raise Unfit("rank shown in another way")
    own = tuple(names) != tuple(f"c{place}" for place in range(1, shown + 1))
    limit, offset = cut
    return replace(query, names=tuple(names) if own else (), limit=limit, offset=offset)


def _reached(select: exp.Select) -> tuple[int, int] | None:
    """How many places are shown, and how many are passed over before."""
    reached = select.args["where"].this
    if not isinstance(reached, exp.LTE | exp.EQ) or reached.this.name != PLACE:
        return None
    last = scalar(reached.expression)
    if not isinstance(last, int) or last < 1:
        return None
    if isinstance(reached, exp.LTE):
        return last, 0
    return (1, last - 1) if last > 1 else None


def _shown(select: exp.Select, names: list[str]) -> list[str] | None:
    """The names of what is shown, when all that was ranked is, in its order."""
    inner = [one.this if isinstance(one, exp.Alias) else one for one in select.expressions]
    if [one.name for one in inner if isinstance(one, exp.Column)] != names:
        return None
    return [one.alias_or_name for one in select.expressions]


def _in_group_order(select: exp.Select, query: Query) -> bool:
    """True when the rows come by their groups, and by their places in each."""
    by = [one.this.name for one in select.args["order"].expressions]
    names = [
        one.this.name if isinstance(one, exp.Alias) else one.name for one in select.expressions
    ]
    groups = [name for name, term in zip(names, query.select, strict=True) if term in query.each]
    down = any(one.args.get("desc") for one in select.args["order"].expressions)
    return by == [*groups, PLACE] and not down
