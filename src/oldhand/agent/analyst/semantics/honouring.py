"""Whether a query means by a stated name what people here mean by it."""

from collections.abc import Collection

from oldhand.agent.analyst.semantics.meanings import meanings
from oldhand.query.form import Column, Comparison, Query
from oldhand.query.walk import walk
from oldhand.record.schema import DatabaseSchema


def honours(query: Query, said: Collection[Column], schemas: tuple[DatabaseSchema, ...]) -> bool:
    """Whether a query uses each measure that a question names, and narrows or groups by each condition.

    Args:
        query: in which measures and conditions still go by their names.
        said: the columns that the question names in full.
        schemas: with what people have stated.
    """
    parts = [*walk(query, inner=True)]
    read = {one for one in parts if isinstance(one, Column)}
    told = {one.left for one in parts if isinstance(one, Comparison)} | {*query.group}
    for meaning in meanings(schemas):
        if meaning.column in said:
            used = read if meaning.term is not None else told
            if meaning.column not in used:
                return False
    return True
