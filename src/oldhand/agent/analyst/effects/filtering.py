"""Adds the conditions of rules to each part of a query that reads their tables, or rows that refer to these."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import NamedTuple

from oldhand.agent.analyst.effects.conditions import (
    compared,
    comparisons,
    condition_of,
    is_amount,
    on,
)
from oldhand.query.form import (
    AllOf,
    AnyOf,
    Case,
    ColumnRef,
    Comparison,
    Has,
    Node,
    OwnGroup,
    Predicate,
    Query,
    Relation,
    Rows,
    Value,
)
from oldhand.query.known import known_table
from oldhand.query.walk import changed, children, equal_columns, relations, walk
from oldhand.record.effect import DefaultFilter
from oldhand.record.schema import DatabaseSchema, Table

_Conditions = Mapping[Relation, tuple[Predicate, ...]]
"""What the rows of some relations must meet."""


class Filtered(NamedTuple):
    """A query and the rules that changed it."""

    query: Query
    rules: tuple[DefaultFilter, ...]


def filtered(
    query: Query, rules: Sequence[DefaultFilter], schemas: Sequence[DatabaseSchema]
) -> Filtered:
    """The query over only those rows that the rules let count.

    A rule is left alone where the query decides about its columns itself, and where it no longer fits the schemas. Each
    is applied by itself, so that their order changes nothing.

    >>> from oldhand.query.form import Count
    >>> from oldhand.record.schema import Column, Kind
    >>> status = Column(name="status", type="TEXT", kind=Kind.TEXT)
    >>> table = Table(name="orders", schema_name="main", columns=(status,))
    >>> shop = DatabaseSchema(name="shop", dialect="sqlite", tables=(table,))
    >>> rule = DefaultFilter(database="shop", table="orders", condition="status <> 'cancelled'")
    >>> query = Query(Rows((Relation("shop", "main", "orders"),)), (Count(),))
    >>> filtered(query, [rule], [shop]).query.where[0].operator
    '!='
    """
    made, applied, seen = query, list[DefaultFilter](), list[_Conditions]()
    for rule in rules:
        conditions = _conditions(query, rule, schemas)
        if conditions and conditions not in seen and not _is_decided(query, conditions, schemas):
            seen.append(conditions)
            applied.append(rule)
            made = _under(made, conditions)
    return Filtered(made, tuple(applied))


def unfiltered(query: Query, rule: DefaultFilter, schemas: Sequence[DatabaseSchema]) -> Query:
    """The query without the condition that a rule has added to it; a query without it is left as it is."""
    conditions = _conditions(query, rule, schemas)

    def free(part: Node) -> Node:
        if not isinstance(part, Query):
            return part
        where = part.where
        for relation in part.rows.relations:
            condition = conditions.get(relation, ())
            if {*condition} <= {*where}:
                where = tuple(one for one in where if one not in condition)
        return replace(part, where=where)

    return changed(query, free)


def _conditions(
    query: Query, rule: DefaultFilter, schemas: Sequence[DatabaseSchema]
) -> _Conditions:
    """The rule's condition for each relation that it is about; none where it doesn't fit one of them."""
    found: dict[Relation, tuple[Predicate, ...]] = {}
    for relation in relations(query, inner=True):
        table = _ruled(relation, rule, schemas)
        if table is None:
            continue
        condition = condition_of(rule, table)
        if condition is None:
            return {}
        found[relation] = on(relation, condition)
    return found


def _ruled(
    relation: Relation, rule: DefaultFilter, schemas: Sequence[DatabaseSchema]
) -> Table | None:
    """The table of a relation that a rule is about; None for others."""
    table = known_table(relation, schemas) if relation.database == rule.database else None
    if table is None or table.name.casefold() != rule.table.casefold():
        return None
    return table if rule.schema_name in (None, table.schema_name) else None


def _is_decided(query: Query, conditions: _Conditions, schemas: Sequence[DatabaseSchema]) -> bool:
    """Whether the query compares, groups by or shows a column of the rule; to join by it or to add it up is nothing."""
    amounts = {
        compared(one): is_amount(one, table)
        for relation, condition in conditions.items()
        if (table := known_table(relation, schemas)) is not None
        for one in comparisons(condition)
    }
    return any(
        column in amounts and (bound or not amounts[column]) for column, bound in _said(query)
    )


def _said(node: Node) -> Iterator[tuple[ColumnRef, bool]]:
    """The columns that a query speaks of, and whether each is compared with values; not those that only tie rows."""
    bound = None
    if isinstance(node, Comparison):
        if equal_columns(node):
            return
        bound = node.left if node.values else None
    for child in children(node):
        if isinstance(child, ColumnRef):
            yield child, child is bound
        else:
            yield from _said(child)


def _under(query: Query, conditions: _Conditions) -> Query:
    """A query in each part of which only rows count that meet the conditions."""

    def restricted(part: Node) -> Node:
        if isinstance(part, OwnGroup):
            return _of_some(part, conditions.get(part.same[0].of, ()))
        if not isinstance(part, Query):
            return part
        about = [relation for relation in part.rows.relations if relation in conditions]
        return reduce(lambda made, one: _restricted(made, one, conditions[one]), about, part)

    return changed(query, restricted)


def _restricted(query: Query, relation: Relation, condition: tuple[Predicate, ...]) -> Query:
    """Rows that an outer join may leave out are left out before it joins, the others after."""
    place = query.rows.relations.index(relation)
    if not place or not query.rows.joins[place - 1].outer:
        return replace(query, where=(*query.where, *condition))
    join = query.rows.joins[place - 1]
    keys = [ColumnRef(relation, pair[join.right == relation]) for pair in join.keys]
    read = (
        one for one in walk(query, inner=True) if isinstance(one, ColumnRef) and one.of == relation
    )
    shown = tuple(dict.fromkeys([*keys, *read]))
    names = tuple(column.name for column in shown)
    few = Query(Rows((relation,)), shown, condition, names=names)
    counted = Relation("", "", "", relation.role, few)
    return changed(query, lambda part: counted if part == relation else part)


def _of_some(part: OwnGroup, condition: tuple[Predicate, ...]) -> OwnGroup:
    """A measure of those rows of a group that meet a condition: of the others it gets no value."""
    if not condition:
        return part
    of = Value(1) if part.measure.of is None else part.measure.of
    met = condition[0] if len(condition) == 1 else AllOf(condition)
    return replace(part, measure=replace(part.measure, of=Case(((met, of),))))


def ruled_beyond(
    query: Query, rule: DefaultFilter, schemas: Sequence[DatabaseSchema]
) -> Predicate | None:
    """What rows of a query must refer to by a rule on the rows of another table; None where that is read, or no single key leads there.

    Rows that refer to nothing stay.
    """
    read = {one.table.casefold() for one in relations(query, inner=True)}
    if rule.table.casefold() in read or query.compound is not None:
        return None
    found: list[Predicate] = []
    for relation in query.rows.relations:
        table = known_table(relation, schemas) if relation.database == rule.database else None
        if table is None:
            continue
        keys = [key for key in table.foreign_keys if key.table.casefold() == rule.table.casefold()]
        ends = [pair for key in keys for pair in zip(key.columns, key.target_columns, strict=False)]
        if not keys:
            continue
        target = Relation(keys[0].database, keys[0].schema_name, keys[0].table)
        other = known_table(target, schemas)
        condition = condition_of(rule, other) if other is not None else None
        if condition is None or len(ends) != 1:
            return None
        ((mine, theirs),) = ends
        own, rows = ColumnRef(relation, mine), Rows((target,))
        led = Has(own, Query(rows, (ColumnRef(target, theirs),), on(target, condition)))
        known = table.column(mine)
        always = known and known.profile and known.profile.never_missing
        found.append(led if always else AnyOf((Comparison(own, "null"), led)))
    return found[0] if len(found) == 1 else None
