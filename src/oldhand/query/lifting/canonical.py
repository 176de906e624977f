"""One way to write each query, so that what is only spelled differently is equal."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar, cast

from oldhand.query.form import (
    Aggregate,
    AllOf,
    AnyOf,
    Arithmetic,
    Column,
    Comparison,
    Count,
    Expression,
    Has,
    Join,
    Negation,
    Node,
    Predicate,
    Query,
    Relation,
    Rows,
    Scalar,
    Share,
    Worth,
)
from oldhand.query.lifting.tying import ends, tied
from oldhand.query.negating import negated
from oldhand.query.walk import changed, queries
from oldhand.record.schema import Column as Described
from oldhand.record.schema import DatabaseSchema, Kind

T = TypeVar("T")

_KEPT = 16_384
_FLIPPED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_ENDS = {"between": (">=", "<="), "within": (">=", "<")}
"""Conditions on two ends, by the condition on each."""


def canonical(query: Query, schemas: Sequence[DatabaseSchema] = ()) -> Query:
    """The same query in the one spelling that all its spellings have in common. It is for comparing, not for showing.

    Names of outputs, the order of conditions and of joins, the sides of an equation, and `IN` of one value are no difference.

    Args:
        query: any.
        schemas: where they are known, the number of values in a column that lacks none is the number of rows.

    >>> from oldhand.query.form import Rows
    >>> orders = Relation("shop", "main", "orders")
    >>> one, two = Comparison(Column(orders, "a"), "=", (1,)), Comparison(Column(orders, "b"), "in", (2,))
    >>> first = Query(Rows((orders,)), (Count(),), (one, two), names=("n",))
    >>> canonical(first) == canonical(Query(Rows((orders,)), (Count(),), (replace(two, operator="="), one)))
    True
    """
    filled = _filled_columns(schemas)
    plain = changed(changed(query, _by_place), _nameless)
    if filled:
        plain = changed(plain, lambda node: _counted(node, filled))
    return replace(_canonical(plain), names=())


def _by_place(node: Node) -> Node:
    """Columns of a query's rows go by their place."""
    if isinstance(node, Column):
        return replace(node, name=_place(node.of, node.name)) if node.of.query else node
    if isinstance(node, Join) and (node.left.query or node.right.query):
        keys = [(_place(node.left, one), _place(node.right, two)) for one, two in node.keys]
        return replace(node, keys=tuple(keys))
    return node


def _place(relation: Relation, name: str) -> str:
    query = relation.query
    if query is None or name not in query.names:
        return name
    return f"c{query.names.index(name) + 1}"


def _nameless(node: Node) -> Node:
    if isinstance(node, Relation) and node.query is not None:
        names = tuple(f"c{place}" for place in range(1, len(node.query.select) + 1))
        return replace(node, query=replace(node.query, names=names))
    return node


_Filled = frozenset[tuple[str, str, str, str]]


def _filled_columns(schemas: Sequence[DatabaseSchema]) -> _Filled:
    """Columns that have a value in each row, by database, schema, table and name."""
    return frozenset(
        (schema.name, table.schema_name, table.name, column.name)
        for schema in schemas
        for table in schema.tables
        for column in table.columns
        if not column.nullable and not _may_be_missing(column, schema.dialect)
    )


def _may_be_missing(column: Described, dialect: str) -> bool:
    """True for keys of texts in SQLite, which says nothing against rows without one."""
    return column.primary_key and dialect == "sqlite" and column.kind is not Kind.INTEGER


def _counted(node: Node, filled: _Filled) -> Node:
    """With counts of what no row lacks as counts of rows."""
    if not isinstance(node, Query):
        return node
    first, *others = node.rows.relations
    joined = zip(others, node.rows.joins, strict=True)
    present = {first, *(relation for relation, join in joined if not join.outer)}

    def has_value(column: Expression) -> bool:
        if not isinstance(column, Column) or column.of not in present:
            return False
        of = column.of
        return (of.database, of.schema, of.table, column.name) in filled

    def count(part: Node) -> Node:
        if isinstance(part, Count) and not part.distinct and part.of is not None:
            return Count() if has_value(part.of) else part
        return part

    shown = tuple(changed(one, count) for one in node.select)
    having = tuple(one if any(queries(one)) else changed(one, count) for one in node.having)
    order = tuple(
        changed(replace(one, nulls="") if has_value(one.by) else one, count) for one in node.order
    )
    return replace(node, select=shown, having=having, order=order)


@lru_cache(maxsize=_KEPT)
def _canonical(query: Query) -> Query:
    return changed(query, _one_way)


def _one_way(node: Node) -> Node:
    match node:
        case Query():
            return _query(node)
        case Comparison():
            return _comparison(node)
        case Negation(predicate=AllOf(predicates=inner)):
            return _one_way(AnyOf(tuple(_one_way_of(negated(one)) for one in inner)))
        case Negation(predicate=AnyOf(predicates=inner)):
            return _one_way(AllOf(tuple(_one_way_of(negated(one)) for one in inner)))
        case AnyOf():
            return _any_of(node)
        case AllOf():
            every = _sorted(_conjuncts(node.predicates))
            return every[0] if len(every) == 1 else AllOf(every)
        case Has(rows=rows):
            kept = rows.order if rows.limit is not None or rows.offset else ()
            bare = replace(rows, names=(), distinct=False, order=kept)
            return replace(node, rows=bare if rows.limit is None else replace(rows, names=()))
        case Share(when=when):
            return replace(node, when=_sorted(_conjuncts(when)))
        case Worth(factors=factors, off=off):
            return Worth(_by_text(factors), _by_text(off))
        case Arithmetic(operator="+" | "*", left=left, right=right):
            left, right = _by_text((left, right))
            return replace(node, left=left, right=right)
        case Aggregate(function="min" | "max", distinct=True):
            return replace(node, distinct=False)
        case _:
            return node


def _one_way_of(predicate: Predicate) -> Predicate:
    return cast("Predicate", _one_way(predicate))


def _comparison(node: Comparison) -> Predicate:
    right, operator = node.right, node.operator
    if isinstance(right, Query):
        return replace(node, right=replace(right, names=()))
    if not isinstance(right, tuple):
        if operator in _FLIPPED and repr(right) < repr(node.left):
            return Comparison(right, _FLIPPED[operator], node.left)
        return node
    plain = operator.removeprefix("not ")
    if plain in _ENDS:
        both = tuple(
            Comparison(node.left, one, (value,))
            for one, value in zip(_ENDS[plain], right, strict=True)
        )
        if plain == operator:
            return AllOf(_sorted(both))
        return AnyOf(_sorted(map(negated, both)))
    if plain == "in":
        values = tuple(sorted(set(right), key=_value_key))
        if len(values) == 1:
            return Comparison(node.left, "=" if plain == operator else "!=", values)
        return replace(node, right=values)
    return node


def _value_key(value: Scalar) -> tuple[str, float, str]:
    number = float(value) if isinstance(value, int | float) else 0.0
    return ("text" if isinstance(value, str) else "", number, str(value))


def _any_of(node: AnyOf) -> Predicate:
    """Alternatives, of which the values of one column are put together."""
    flat: list[Predicate] = []
    for one in node.predicates:
        flat += one.predicates if isinstance(one, AnyOf) else (one,)
    equal: dict[object, list[Scalar]] = {}
    rest: list[Predicate] = []
    for one in flat:
        if isinstance(one, Comparison) and one.operator in ("=", "in") and one.values:
            equal.setdefault(one.left, []).extend(one.values)
        else:
            rest.append(one)
    rest += [
        _comparison(Comparison(one.left, "in", tuple(values)))
        for one in flat
        if isinstance(one, Comparison) and (values := equal.pop(one.left, None)) is not None
    ]
    made = _sorted(rest)
    return made[0] if len(made) == 1 else AnyOf(made)


def _conjuncts(predicates: Iterable[Predicate]) -> list[Predicate]:
    flat: list[Predicate] = []
    for one in predicates:
        flat += _conjuncts(one.predicates) if isinstance(one, AllOf) else [one]
    return flat


def _sorted(predicates: Iterable[Predicate]) -> tuple[Predicate, ...]:
    return tuple(sorted(dict.fromkeys(predicates), key=repr))


def _by_text(parts: Iterable[T]) -> tuple[T, ...]:
    return tuple(sorted(parts, key=repr))


def _unwrapped(query: Query) -> Query:
    """The query inside, where one only shows all that another one does."""
    first = query.rows.relations[0]
    if first.query is None:
        return query
    shown = tuple(Column(first, name) for name in first.query.names)
    bare = Query(Rows((first,)), shown, names=query.names)
    return replace(first.query, names=query.names) if query == bare else query


def _query(query: Query) -> Query:
    query = _unwrapped(query)
    where = _conjuncts(query.where)
    rows = query.rows
    if any(join.outer for join in rows.joins):
        rows = replace(rows, joins=tuple(map(_sided, rows.joins)))
    else:
        rows, where = _joined(rows, where)
    order = {one.by: one for one in reversed(query.order)}
    kept = tuple(
        replace(one, nulls="") if isinstance(one.by, Count) else one
        for one in dict.fromkeys(query.order)
        if order[one.by] == one
    )
    compound = query.compound
    if compound is not None:
        compound = replace(compound, second=replace(compound.second, names=()))
    return replace(
        query,
        rows=rows,
        where=_sorted(where),
        group=_by_text(dict.fromkeys(query.group)),
        having=_sorted(_conjuncts(query.having)),
        order=kept,
        each=_by_text(dict.fromkeys(query.each)),
        compound=compound,
    )


def _sided(join: Join) -> Join:
    left, right, keys = join.left, join.right, join.keys
    if repr(right) < repr(left):
        left, right, keys = right, left, tuple((two, one) for one, two in keys)
    return replace(join, left=left, right=right, keys=_by_text(keys))


def _joined(rows: Rows, where: list[Predicate]) -> tuple[Rows, list[Predicate]]:
    """Inner joins in the order of their names, with the equations of WHERE among them."""
    equations = [
        Comparison(Column(join.left, left), "=", Column(join.right, right))
        for join in rows.joins
        for left, right in join.keys
    ]
    own = set(rows.relations)
    for one in where:
        pair = ends(one)
        if pair is not None and isinstance(one, Comparison) and {p.of for p in pair} <= own:
            equations.append(one)
    rest = [one for one in where if one not in equations]
    ordered = cast("list[Comparison]", list(_sorted(map(_comparison, equations))))
    made = tied(_by_text(rows.relations), ordered, (), lambda one, two: repr(one) < repr(two))
    joins = tuple(map(_sided, made.rows.joins))
    return replace(made.rows, joins=joins), [*rest, *map(_comparison, made.left_over)]
