"""Rows that only a key stands for are shown by their names."""

from dataclasses import replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.lexicon.entries import words
from oldhand.query.form import ColumnRef, Query, Rows
from oldhand.query.walk import is_measure

_KEYS = words("names.keys_asked")


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
