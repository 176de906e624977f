"""How many groups are large enough: `How many customers have more than 5 orders`."""

from collections.abc import Set as AbstractSet

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.query.form import Count, Expression, Has, Query
from oldhand.query.walk import attribute


def counted_groups(asked: Asked, whole: Query, counted: AbstractSet[int]) -> Query | None:
    """A query that counts the groups that meet a condition; None when none are counted.

    Args:
        asked: the question.
        whole: the query that counts rows, with conditions on its groups.
        counted: the table whose rows are counted, if any.
    """
    if not whole.having or asked.links.cues_of("per", "group") or len(whole.select) != 1:
        return None
    one = _one(asked, whole.select[0], counted)
    if one is None:
        return None
    groups = Query(whole.rows, (one,), whole.where, (one,), whole.having)
    entry = asked.entry(one)
    alone = entry.column.primary_key and len(asked.key(entry.table)) == 1
    count = Count() if alone else Count(one, distinct=True)
    return Query(asked.alone(entry.table), (count,), (Has(one, groups),))


def _one(asked: Asked, shown: Expression, counted: AbstractSet[int]) -> Expression | None:
    """What tells the groups apart that are counted."""
    if not isinstance(shown, Count):
        return None
    if shown.of is not None:
        return attribute(shown)
    keys = [key for table in counted for key in asked.key(table)]
    return asked.ref(keys[0]) if len(keys) == 1 else None
