"""Which rows of one table words mean: `cancelled orders`, `orders over 1000`, `customers without an email`."""

from dataclasses import dataclass, replace

import sqlglot
from sqlglot import exp

from oldhand.agent.analyst.restriction import Restriction, RestrictionReader
from oldhand.query.compiling.compile import spelled
from oldhand.query.form import Comparison, Count, Elapsed, Node, Query, Relation, Rows
from oldhand.query.walk import changed, relations
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
    reader = RestrictionReader(schemas, values)
    own = [Relation(database, table.schema_name, table.name) for database, table in tables]
    read = (reader.of_any(words), *(reader.of(one, words) for one in own))
    found = [things for one in read if one is not None and (things := _of_one_table(one))]
    return max(found, key=lambda things: things.sure, default=None)


def _of_one_table(said: Restriction) -> Things | None:
    read = {relation for one in said.where for relation in relations(one, inner=True)}
    if read != {said.things}:
        return None
    condition = condition_text(Query(Rows((said.things,)), (Count(),), said.where), said.things)
    try:
        read_condition(condition)
    except ValueError:
        return None  # such as rows that are counted
    return Things(said.things.database, said.things.table, condition, said.sure)


def condition_text(query: Query, relation: Relation) -> str:
    """The conditions of a query as neutral SQL, without the name of the table."""
    where = tuple(changed(one, _compared) for one in query.where)
    bare = replace(Query(Rows((relation,)), (Count(),)), where=where)
    tree = sqlglot.parse_one(spelled(bare)).args["where"].this
    return tree.transform(_unqualified).sql()


def _compared(node: Node) -> Node:
    """Two moments that are compared by the time between them, compared as they are: `shipped > required`."""
    if isinstance(node, Comparison) and isinstance(node.left, Elapsed) and node.values == (0,):
        return Comparison(node.left.until, node.operator, node.left.since)
    return node


def _unqualified(node: exp.Expr) -> exp.Expr:
    return exp.column(node.name) if isinstance(node, exp.Column) else node
