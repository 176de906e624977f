"""Two conditions that no single row meets: `customers who ordered both tents and boots`."""

from dataclasses import replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.pruning import multiplies
from oldhand.agent.analyst.candidates.sketch import Condition, Sketch, Term
from oldhand.agent.analyst.linking.joins import JoinTree


def both_met(asked: Asked, base: Sketch, one: Condition, two: Condition) -> Sketch:
    """The query for what meets both conditions, each by rows of its own.

    Things are told apart by their keys, as two of them may have the same name. What is no thing,
    such as a city, is compared as it is shown.

    Args:
        asked: the question.
        base: the query without the two conditions.
        one: the first condition.
        two: the second one.
    """
    thing = _thing(asked, base)
    if thing is None:
        first = replace(base, where=(*base.where, one), order=())
        second = replace(base, where=(*base.where, two), order=())
        return replace(first, compound=("intersect", second))
    table, key = thing
    own = [c for c in base.where if asked.column(c.term.column).table == table and c.query is None]
    others = tuple(c for c in base.where if c not in own)
    met = [_met(key, base, others, condition) for condition in (one, two)]
    return replace(base, tree=JoinTree((table,), ()), where=(*own, *met))


def _met(key: Term, base: Sketch, others: tuple[Condition, ...], condition: Condition) -> Condition:
    """That some row of a thing meets a condition; for `but no` that none does."""
    none = condition.operator in ("!=", "not in")
    inner = condition.negated() if none else condition
    return Condition(key, "not in" if none else "in", (), Sketch((key,), base.tree, (*others, inner)))  # fmt: skip


def _thing(asked: Asked, base: Sketch) -> tuple[int, Term] | None:
    """The table whose rows are shown, and its key, where a join repeats them."""
    shown = {
        asked.column(term.column).table for term in (*base.select, *(o.term for o in base.order))
    }
    if len(shown) != 1 or len(base.tree.tables) < 2:
        return None
    table = shown.pop()
    key = asked.key(table)
    entries = [asked.column(term.column) for term in base.select]
    named = any(entry.name_like or entry.column.primary_key for entry in entries)
    if not named or len(key) != 1 or not multiplies(asked, base.tree, table):
        return None
    return table, Term(key[0])
