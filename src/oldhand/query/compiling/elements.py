"""Compares with the elements of an array what is compared with the array itself: `with the tag new`."""

from dataclasses import replace

from oldhand.query import form
from oldhand.query.compiling.functions import ANY
from oldhand.query.known import known_column
from oldhand.query.walk import changed
from oldhand.record.schema import DatabaseSchema


def with_elements(query: form.Query, schema: DatabaseSchema) -> form.Query:
    """A query in which a value is looked for among the elements of an array."""
    return changed(query, lambda node: _compared(node, schema))


def _compared(node: form.Node, schema: DatabaseSchema) -> form.Node:
    if not isinstance(node, form.Comparison) or not isinstance(node.left, form.ColumnRef):
        return node
    known = known_column(node.left, (schema,))
    if known is None or not known.is_array or node.operator not in ("=", "!=", "in", "not in"):
        return node
    held = form.Function(ANY, (node.left,))
    either = [replace(node, left=held, operator="=", right=(value,)) for value in node.values]
    made = either[0] if len(either) == 1 else form.AnyOf(tuple(either))
    return made if node.operator in ("=", "in") else form.Negation(made)
