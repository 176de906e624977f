"""Rows that only a key stands for are shown by their names, and so are those of each of which one thing is told."""

from dataclasses import replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.words.links import Cue, Mention
from oldhand.lexicon.entries import words
from oldhand.query.form import ColumnRef, Elapsed, Query, Rows
from oldhand.query.walk import is_measure

_KEYS = words("names.keys_asked")
_FIGURES = words("leaving.answers") | words("names.of_amounts")
_THE, _WITH = words("function_words.determiners"), ("with", "and", "including", "plus", "showing")
_SURE = 0.8
"""How well a thing must be named to be shown beside what is told of it."""


def shown_by_name(asked: Asked, query: Query) -> Query:
    """The query with the name of the row that a key leads to in place of the key, unless the question asks for keys.

    `Which customer has the most savings` shows the customer, though savings hold nothing but the number of one.
    """
    plain = [term for term in query.select if not is_measure(term)]
    key = plain[0] if len(plain) == 1 else None
    if not isinstance(key, ColumnRef) or not asked.entry(key).key_like or asked.marked(_KEYS):
        return query
    edge = asked.leading_to_name(asked.entry(key))
    whole = query.each or query.compound is not None
    if edge is None or whole or asked.relation(edge.left) not in query.rows.relations:
        return query
    rows, there = query.rows, asked.relation(edge.right)
    if there not in rows.relations:
        rows = Rows((*rows.relations, there), (*rows.joins, edge.join))
    elif edge.join not in rows.joins:
        return query
    names = asked.names(edge.right)
    select = tuple(n for term in query.select for n in (names if term == key else (term,)))
    group = (*query.group, *names) if query.group else ()
    return replace(query, rows=rows, select=select, group=tuple(dict.fromkeys(group)))


def told_of_each(asked: Asked, query: Query) -> Query:
    """`The budget of each project`, `each person's manager`: with the names of the projects and the people."""
    plain = not any(map(is_measure, (*query.select, *(order.by for order in query.order))))
    cut = query.having or query.each or query.compound is not None or query.limit is not None
    for cue in asked.links.cues_of("per", "group") if plain and not cut else ():
        for mention in list(asked.tables_after(cue.span.end, 0))[:1]:
            names, sure = asked.names(mention.best.id), mention.best.score >= _SURE
            named = sure and all(entry.name_like for entry in asked.entries(names))
            told = query.select if query.select != names else _owned(asked, cue, mention)
            tables = {mention.best.id, *asked.owners(told)}
            if named and len(told) == 1 and tables <= {*asked.inside(query.rows)}:
                return replace(query, select=(*names, *told), group=(), distinct=False)
    return query


def with_its_figure(asked: Asked, query: Query) -> Query:
    """`The top 5 items by sales, with the number`: what they are ranked by is shown, too."""
    said = asked.words(0, len(asked.links.tokens))
    end = len(said) - (said[-1:] == ["?"])
    plain = not any(map(is_measure, query.select)) and query.compound is None and not query.each
    if len(query.order) == 1 and query.limit is not None and plain and end > 2:
        place = end - 2 - (said[end - 2] in _THE)
        if said[end - 1] in _FIGURES and said[place] in _WITH and is_measure(query.order[0].by):
            return replace(query, select=(*query.select, query.order[0].by), names=())
    return query


def _owned(asked: Asked, cue: Cue, each: Mention) -> tuple[ColumnRef | Elapsed, ...]:
    """The names of the projects in `each client's projects` and `projects of each client`; none where no such thing is named."""
    after = (
        list(asked.tables_after(each.span.end + 1, 0)) if asked.word(each.span.end) == "s" else []
    )
    before = [m for m in asked.links.tables if m.span.end == cue.span.start]
    return next((asked.names(thing.best.id) for thing in (*after, *before)), ())
