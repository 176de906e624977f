"""Headings of trees: the names that their outputs bear when they are written out."""

from collections.abc import Sequence

from sqlglot import exp

from oldhand.query.describing.headings import headings, unlike
from oldhand.query.lifting import lift_tree
from oldhand.record.schema import DatabaseSchema


def tree_headings(query: exp.Expr, schemas: Sequence[DatabaseSchema] = ()) -> tuple[str, ...]:
    """A heading for each output of a tree, no two the same; a plain one for each where the form can't hold it."""
    form = lift_tree(query, schemas) if isinstance(query, exp.Query) else None
    if form is not None:
        return headings(form, schemas)
    select = _first_select(query)
    names: list[str] = []
    for output in select.selects if select is not None else ():
        names.append(unlike(output.alias_or_name or "result", names))
    return tuple(names)


def headed(query: exp.Expr, names: Sequence[str]) -> exp.Expr:
    """A copy of `query` whose computed outputs bear `names`; it is left alone when they don't fit."""
    tree = query.copy()
    select = _first_select(tree)
    if select is None or len(select.selects) != len(names):
        return tree
    if any(
        output.find(exp.Star)
        for output in select.selects
        if isinstance(output, exp.Column | exp.Star)
    ):
        return tree
    for output, name in zip(list(select.selects), names, strict=True):
        inner = output.unalias()
        if isinstance(inner, exp.Column) and inner.name == name:
            continue
        output.replace(exp.alias_(inner.copy(), name))
    return tree


def _first_select(query: exp.Expr) -> exp.Select | None:
    """The SELECT whose outputs give a query its headings."""
    while isinstance(query, exp.SetOperation | exp.Subquery):
        query = query.this
    return query if isinstance(query, exp.Select) else None
