"""A query as the statement that would run, its columns called by the names that people have given."""

from oldhand.agent.analyst.semantics.expanding import folded
from oldhand.agent.analyst.semantics.extending import extended
from oldhand.query.compiling.compile import compile_query, ready
from oldhand.query.describing.headings import headings, ranked_heading
from oldhand.query.form import Query
from oldhand.query.opaque import Opaque
from oldhand.record.schema import DatabaseSchema


def named_headings(query: Query, schemas: tuple[DatabaseSchema, ...]) -> tuple[str, ...]:
    """What the columns of an answer are called."""
    return headings(folded(query, schemas), extended(schemas))


def named_ranking(query: Query | Opaque | None, schemas: tuple[DatabaseSchema, ...]) -> str:
    """What the figure is called that rows are sorted by and that they do not show; empty where there is none."""
    query = folded(query, schemas) if isinstance(query, Query) else query
    return ranked_heading(query, extended(schemas))


def statement(query: Query | Opaque, schema: DatabaseSchema) -> str:
    """The SQL of a query as it would run first on its database."""
    names = named_headings(query, (schema,)) if isinstance(query, Query) else ()
    return compile_query(ready(query, schema), (schema,), schema.dialect, names)
