"""Which rows of one table words mean: `cancelled orders`, `orders over 1000`, `customers without an email`."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import sqlglot
from sqlglot import exp

from oldhand.agent.analyst.deciding import ASK_FROM
from oldhand.agent.analyst.understanding import understand
from oldhand.lexicon.wording import human, plural
from oldhand.query.compiling.compile import spelled
from oldhand.query.form import Count, Query, Relation, Rows
from oldhand.query.walk import columns, relations
from oldhand.record.formula import read_condition
from oldhand.record.schema import DatabaseSchema, Table
from oldhand.sources.databases.values import Values


@dataclass(frozen=True, slots=True)
class Things:
    """Rows of one table."""

    database: str
    table: str
    condition: str
    """What tells them from others, in neutral SQL without the name of the table."""
    sure: float


def things_meant(
    words: str,
    schemas: tuple[DatabaseSchema, ...],
    values: Values,
    tables: tuple[tuple[str, Table], ...] = (),
) -> Things | None:
    """What rows some words mean; None when not all words are understood, or they take several tables.

    Args:
        words: such as `cancelled orders`, or `not closed`.
        schemas: the databases that they may speak of.
        values: what these hold.
        tables: whose rows they are, where the words don't say so.
    """
    found = [
        things
        for question in _questions(words, tables)
        if (things := _read(question, schemas, values)) is not None
    ]
    return max(found, key=lambda things: things.sure, default=None)


def _questions(words: str, tables: tuple[tuple[str, Table], ...]) -> Iterator[str]:
    yield f"How many {words} are there?"
    for _, table in tables:
        rows = plural(human(table.name))
        yield f"How many {words} {rows} are there?"
        yield f"How many {rows} are {words}?"
        yield f"How many {rows} {words} are there?"


def _read(question: str, schemas: tuple[DatabaseSchema, ...], values: Values) -> Things | None:
    found = understand(question, schemas, values, limit=1)
    unread = found.unknown_words or found.left_out or found.compares
    if not found.candidates or unread or found.confidence < ASK_FROM:
        return None
    query = found.candidates[0].query
    if not isinstance(query, Query) or not query.where or query.having or query.limit is not None:
        return None
    read = {relation for one in query.where for relation in relations(one, inner=True)}
    if len(read) != 1 or not all(columns(one) for one in query.where):
        return None
    (relation,) = read
    if {one.of for part in query.select for one in columns(part)} - {relation}:
        return None
    condition = condition_text(query, relation)
    try:
        read_condition(condition)
    except ValueError:
        return None  # such as rows that are counted
    return Things(relation.database, relation.table, condition, found.confidence)


def condition_text(query: Query, relation: Relation) -> str:
    """The conditions of a query as neutral SQL, without the name of the table."""
    bare = replace(Query(Rows((relation,)), (Count(),)), where=query.where)
    where = sqlglot.parse_one(spelled(bare)).args["where"].this
    return where.transform(_unqualified).sql()


def _unqualified(node: exp.Expr) -> exp.Expr:
    return exp.column(node.name) if isinstance(node, exp.Column) else node
