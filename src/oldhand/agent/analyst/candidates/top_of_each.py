"""The first ones of each group: `the most expensive product of each category`, `top 2 customers per city`."""

from collections.abc import Sequence
from dataclasses import replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice
from oldhand.agent.analyst.candidates.pruning import multiplies
from oldhand.query.form import Column, Elapsed, Expression, Query
from oldhand.query.walk import is_measure


def cut_in_each(asked: Asked, groups: Sequence[Choice], plain: Query) -> bool:
    """True when things are sorted and cut in each group, not the groups themselves.

    `Which city has the most orders per customer` cuts the cities.

    Args:
        asked: the question.
        groups: the choices of what the groups are.
        plain: the query without its groups.
    """
    cut = plain.limit is not None and len(plain.order) == 1 and not plain.having
    if not cut or not groups or any(c.shown == "" for c in groups):
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
    whole: Query, groups: Sequence[Choice], keys: Sequence[Column | Elapsed], asked: Asked
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
