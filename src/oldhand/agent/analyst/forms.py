"""Readings as queries of the form, as far as they are trees still."""

from collections.abc import Sequence

from sqlglot import exp

from oldhand.agent.analyst.rendering.headings import headings
from oldhand.agent.analyst.rendering.names import databases_of
from oldhand.query.compiling.compile import compile_query, ready
from oldhand.query.compiling.render import default_schema, render
from oldhand.query.form import Opaque, Query
from oldhand.query.lifting import lift_tree
from oldhand.record.schema import DatabaseSchema


def form_of(tree: exp.Query, schemas: Sequence[DatabaseSchema]) -> Query | Opaque | None:
    """A tree in the form; SQL as it stands where the form can't hold it, and None when that would need several databases."""
    found = lift_tree(tree, schemas)
    read = databases_of(tree)
    schema = next((schema for schema in schemas if (schema.name,) == read), None)
    if found is not None or schema is None:
        return found
    return Opaque(schema.name, render(tree, schema.dialect, default_schema(schema)))


def names_for(
    query: Query | Opaque, tree: exp.Expr, schemas: Sequence[DatabaseSchema]
) -> tuple[str, ...]:
    """What the outputs of a query are called when people see them."""
    names = headings(tree, schemas)
    fit = isinstance(query, Query) and len(names) == len(query.select)
    return names if fit else ()


def sql_of(tree: exp.Query, schema: DatabaseSchema) -> str | None:
    """The SQL of a tree as it would run first; None for trees over other databases."""
    query = form_of(tree, (schema,)) if databases_of(tree) == (schema.name,) else None
    if query is None:
        return None
    shown = ready(query, schema)
    return compile_query(shown, (schema,), schema.dialect, names_for(query, tree, (schema,)))
