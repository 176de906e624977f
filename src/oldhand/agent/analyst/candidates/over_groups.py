"""What is made of whole groups: the first ones of each, how many are large enough, or one row for each thing."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice
from oldhand.agent.analyst.candidates.pruning import multiplies
from oldhand.agent.analyst.candidates.superlative import is_said_last
from oldhand.query.form import ColumnRef, Count, Elapsed, Expression, Has, Query
from oldhand.query.walk import attribute, is_measure


def cut_in_each(asked: Asked, groups: Sequence[Choice], plain: Query) -> bool:
    """True when things are sorted and cut in each group, not the groups themselves.

    `Which city has the most orders per customer` cuts the cities, and so does `orders per city, top 5`.

    Args:
        asked: the question.
        groups: the choices of what the groups are.
        plain: the query without its groups.
    """
    cut = plain.limit is not None and len(plain.order) == 1 and not plain.having
    last = any(is_said_last(asked, cue) for cue in asked.links.cues_of("top"))
    if not cut or not groups or last or any(c.shown == "" for c in groups):
        return False
    by = plain.order[0].by
    named = {term for choice in groups for term in choice.terms}
    things = [term for term in plain.select if term not in named and term != by]
    if by in named or any(map(is_measure, things)):
        return False
    things = [term for term in things if not asked.entry(term).measures]
    if not things or _is_ratio(asked, groups, things[0], by):
        return False
    cues = [
        c
        for c in asked.links.cues_of("per", "group")
        if c.span.start in {g.position for g in groups}
    ]
    return len(cues) == len(groups)


def _is_ratio(asked: Asked, groups: Sequence[Choice], thing: Expression, by: Expression) -> bool:
    """True for `which store had the highest revenue per customer`: customers are in no one store."""
    if not is_measure(by) or asked.links.cues_of("top", "by"):
        return False
    owner = asked.entry(thing).table
    others = asked.owners(term for choice in groups for term in choice.terms)
    trees = [asked.tree({owner, other}) for other in others]
    per = asked.links.cues_of("per")
    return bool(per) and any(tree is None or multiplies(asked, tree, owner) for tree in trees)


def top_of_each(
    whole: Query, groups: Sequence[Choice], keys: Sequence[ColumnRef | Elapsed], asked: Asked
) -> Query:
    """The query that cuts in each group, with the group and what is sorted by beside what is asked for.

    Args:
        whole: the query that cuts all rows.
        groups: the choices of what the groups are.
        keys: the key of the things that are cut, when other rows are counted or added up for them.
        asked: the question.
    """
    named = [term for choice in groups for term in choice.terms]
    own = [asked.ref(k) for c in groups if c.table >= 0 for k in asked.key(c.table)]
    by = whole.order[0].by
    things = [term for term in whole.select if term not in named and term != by]
    select = tuple(dict.fromkeys([*named, *things, by]))
    each = tuple(dict.fromkeys([*own, *named]))
    group = tuple(dict.fromkeys([*keys, *each, *things])) if is_measure(by) else ()
    return replace(whole, select=select, each=each, group=group)


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


def told_apart(asked: Asked, query: Query) -> Query:
    """The query with one row for each thing, where it asked for different names of things that a join repeats.

    Things of the same name are shown, each of them, though the names are to be different ones.
    """
    shown = (*query.select, *(order.by for order in query.order))
    if not query.distinct or len(query.rows.relations) < 2:
        return query
    if not all(isinstance(one, ColumnRef | Elapsed) for one in shown):
        return query
    owners = asked.owners(shown)
    keys = [asked.ref(key) for key in asked.key(owners.pop())] if len(owners) == 1 else []
    named = any(entry.name_like for entry in asked.entries(query.select))
    if not named or len(keys) != 1:
        return query
    return replace(query, group=tuple(dict.fromkeys([*keys, *shown])), distinct=False)
