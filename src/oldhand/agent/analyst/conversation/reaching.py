"""The tables that the rows of a query refer to, and how they come in."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from oldhand.agent.analyst.linking.joins import SHARED
from oldhand.agent.analyst.words.entries import TableEntry
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.query.form import Expression, Join, Predicate, Query, Relation, Rows
from oldhand.query.walk import columns
from oldhand.record.schema import DatabaseSchema, Table


def within_reach(
    query: Query, schemas: tuple[DatabaseSchema, ...]
) -> Mapping[Relation, tuple[Table, tuple[Join, ...]]]:
    """The tables beyond those of a query in which each of its rows has one partner, by the only way; nearest first.

    Such a table can be joined without a row coming twice.
    """
    words = vocabulary(schemas)
    numbers = {_relation(entry): entry.id for entry in words.tables}
    ways: dict[Relation, tuple[Join, ...]] = dict.fromkeys(query.rows.relations, ())
    waiting = list(ways)
    while waiting:
        relation = waiting.pop(0)
        number = numbers.get(relation, -1)
        for edge in words.joins.edges(number) if number >= 0 else ():
            other = _relation(words.tables[edge.right])
            refers = edge.left == number and edge.length < SHARED
            if refers and other not in ways and len(words.joins.between(number, edge.right)) == 1:
                ways[other] = (*ways[relation], Join(relation, other, edge.keys))
                waiting.append(other)
    return {one: (words.tables[numbers[one]].table, way) for one, way in ways.items() if way}


def _relation(entry: TableEntry) -> Relation:
    return Relation(entry.database, entry.table.schema_name, entry.table.name, entry.role)


def joined(query: Query, schemas: tuple[DatabaseSchema, ...]) -> Query | None:
    """The query with the tables that its parts name and its rows lack; None where one is out of reach."""
    named = [column.of for part in _parts(query) for column in columns(part)]
    missing = [one for one in dict.fromkeys(named) if one not in query.rows.relations]
    if not missing:
        return query
    reach = within_reach(query, schemas)
    if any(one not in reach for one in missing):
        return None
    joins = list(dict.fromkeys(join for one in missing for join in reach[one][1]))
    rows = Rows(
        (*query.rows.relations, *(join.right for join in joins)), (*query.rows.joins, *joins)
    )
    return replace(query, rows=rows)


def _parts(query: Query) -> Iterator[Expression | Predicate]:
    clauses: Sequence[Sequence[Expression | Predicate]] = (
        query.select, query.where, query.group, query.having, query.each,
    )  # fmt: skip
    for clause in clauses:
        yield from clause
    yield from (order.by for order in query.order)
