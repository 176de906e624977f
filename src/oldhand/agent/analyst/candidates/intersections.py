"""Two conditions that no single row meets: `customers who ordered both tents and boots`."""

from dataclasses import replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.conditions import Condition, is_plain
from oldhand.agent.analyst.candidates.pruning import multiplies
from oldhand.query.form import Column, Comparison, Compound, Elapsed, Has, Query
from oldhand.query.negating import negated


def both_met(
    asked: Asked, base: Query, where: tuple[Condition, ...], one: Comparison, two: Comparison
) -> Query:
    """The query for what meets both conditions, each by rows of its own.

    Things are told apart by their keys, as two of them may have the same name. What is no thing,
    such as a city, is compared as it is shown.

    Args:
        asked: the question.
        base: the query without conditions.
        where: its other conditions.
        one: the first condition.
        two: the second one.
    """
    thing = _thing(asked, base)
    if thing is None:
        first, second = (replace(base, where=(*where, met), order=()) for met in (one, two))
        return replace(first, compound=Compound("intersect", second))
    table, key = thing
    own = tuple(c for c in where if is_plain(c) and asked.entry(c.left).table == table)
    others = tuple(c for c in where if c not in own)
    met = tuple(_met(key, base, others, condition) for condition in (one, two))
    return replace(base, rows=asked.alone(table), where=(*own, *met))


def _met(
    key: Column | Elapsed, base: Query, others: tuple[Condition, ...], condition: Comparison
) -> Has:
    """That some row of a thing meets a condition; for `but no` that none does."""
    none = condition.operator in ("!=", "not in")
    met = negated(condition) if none else condition
    return Has(key, Query(base.rows, (key,), (*others, met)), none)


def _thing(asked: Asked, base: Query) -> tuple[int, Column | Elapsed] | None:
    """The table whose rows are shown, and its key, where a join repeats them."""
    shown = asked.owners((*base.select, *(order.by for order in base.order)))
    if len(shown) != 1 or len(base.rows.relations) < 2:
        return None
    table = shown.pop()
    key = asked.key(table)
    named = any(e.name_like or e.column.primary_key for e in asked.entries(base.select))
    if not named or len(key) != 1 or not multiplies(asked, base.rows, table):
        return None
    return table, asked.ref(key[0])
