"""Queries whose rows are set against each other: UNION, INTERSECT, EXCEPT."""

from dataclasses import replace

from sqlglot import exp

from oldhand.query.compiling.tree import COMPOUNDS
from oldhand.query.form import ColumnRef, Compound, Order, Query, Relation, Rows
from oldhand.query.lifting.literals import scalar
from oldhand.query.lifting.rows import output_names
from oldhand.query.lifting.scope import Common, LiftScope, PartReader
from oldhand.query.lifting.selects import cut, in_direction, order_terms
from oldhand.query.lifting.unfit import Unfit, only

_CLAUSES = frozenset({"this", "expression", "distinct", "order", "limit", "offset", "with_"})
_KINDS: dict[tuple[type[exp.Expr], bool], str] = {kind: name for name, kind in COMPOUNDS.items()}


def read_compound(
    node: exp.SetOperation, reader: PartReader, around: LiftScope | None, common: Common
) -> Query:
    """Two queries, the second one set against the first.

    Raises:
        Unfit: one of them doesn't fit, or they are combined in another way.
    """
    only(node, _CLAUSES)
    kind = _KINDS.get((type(node), bool(node.args.get("distinct"))))
    if kind is None:
        raise Unfit(f"{type(node).__name__.lower()} all")
    first = reader.query(node.this, around, common)
    second = reader.query(node.expression, around, common)
    if len(first.select) != len(second.select):
        raise Unfit("queries of different widths")
    if first.compound or first.order or first.limit is not None or first.offset or first.each:
        first = as_rows(first)
    made = replace(first, compound=Compound(kind, replace(second, names=())))
    order = tuple(_order(one, made) for one in order_terms(node))
    return cut(replace(made, order=order), node)


def as_rows(query: Query) -> Query:
    """A query that shows the rows of another one."""
    names = _output_names(query)
    relation = Relation("", "", "", query=replace(query, names=names))
    shown = tuple(ColumnRef(relation, name) for name in names)
    return Query(Rows((relation,)), shown, names=query.names)


def _output_names(query: Query) -> tuple[str, ...]:
    names = output_names(query)
    if len({name.casefold() for name in names}) < len(names):
        return tuple(f"c{place}" for place in range(1, len(names) + 1))
    return names


def _order(node: exp.Ordered, query: Query) -> Order:
    """Rows of two queries are sorted by an output of the first."""
    by = node.this
    place = scalar(by) if isinstance(by, exp.Literal) else None
    if isinstance(place, int) and 1 <= place <= len(query.select):
        return in_direction(node, query.select[place - 1], None)
    if not isinstance(by, exp.Column):
        raise Unfit("order of two queries by more than a name")
    names = [name.casefold() for name in _output_names(query)]
    if names.count(by.name.casefold()) != 1:
        raise Unfit("order of two queries by more than a name")
    return in_direction(node, query.select[names.index(by.name.casefold())], None)
