"""How the right statement differs from the one that was wrong: what there is to learn from a correction."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from sqlglot import exp

from oldhand.query.compiling.names import bare_condition, named_tree
from oldhand.query.difference import Exchange, difference
from oldhand.query.form import (
    AllOf,
    AnyOf,
    ColumnRef,
    Comparison,
    Has,
    Join,
    Negation,
    Predicate,
    Query,
)
from oldhand.query.lifting import lift
from oldhand.query.normal import PRESENCE
from oldhand.query.opaque import Opaque
from oldhand.query.parts import Part, parts
from oldhand.query.walk import all_queries, columns, measures, relations, walk
from oldhand.record.schema import DatabaseSchema

End = tuple[str, str]
"""A table and one of its columns."""
Pair = tuple[End, End]
"""Two columns that are equal where their tables are joined, in alphabetical order."""


@dataclass(frozen=True)
class ColumnCondition:
    """A condition that compares columns of one table with values and does nothing else."""

    table: str
    predicate: Predicate

    @cached_property
    def text(self) -> str:
        """In sqlglot's own dialect; its columns name no table."""
        return bare_condition(self.predicate)

    @property
    def columns(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(column.name for column in columns(self.predicate))

    @property
    def literals(self) -> tuple[str, ...]:
        """The values, in order; numbers as they are written."""
        compared = (one for one in walk(self.predicate) if isinstance(one, Comparison))
        return tuple(str(value) for one in compared for value in one.values)

    @property
    def leaves_out(self) -> bool:
        """True when it says which rows don't count rather than which ones do."""
        compared = (one for one in walk(self.predicate) if isinstance(one, Comparison))
        return any(one.operator in ("!=", "null") or one.operator[:3] == "not" for one in compared)


@dataclass(frozen=True)
class Statement:
    """A statement as far as it is compared."""

    query: Query

    @cached_property
    def tables(self) -> tuple[str, ...]:
        """In the order in which they are named."""
        return tuple(dict.fromkeys(one.table for one in relations(self.query, inner=True)))

    @cached_property
    def conditions(self) -> tuple[ColumnCondition, ...]:
        """Those that concern one table each."""
        found = (_condition(part) for part in parts(self.query))
        return tuple(one for one in found if one is not None)

    @cached_property
    def joins(self) -> frozenset[Pair]:
        """The columns by which tables are joined."""
        joins = (part.node for part in parts(self.query) if isinstance(part.node, Join))
        return frozenset(pair for join in joins for pair in _pairs(join))

    @property
    def ties(self) -> frozenset[Pair]:
        """The columns by which tables are joined, or rows looked for in other tables."""
        looked_for = (
            ((one.left.of.table, one.left.name), (key.of.table, key.name))
            for one in walk(self.query, inner=True)
            if isinstance(one, Has) and isinstance(one.left, ColumnRef)
            for key in one.rows.select[:1]
            if isinstance(key, ColumnRef)
        )
        return self.joins.union((min(pair), max(pair)) for pair in looked_for)

    def narrowed_by(self, table: str) -> set[str]:
        """The columns of a table by whose values its rows are narrowed or grouped: whether there is one at all says nothing of it."""
        told = (
            part.node for part in parts(self.query) if part.kind in ("where", "having", "group")
        )
        plain = [node for node in told if not isinstance(node, int)]
        present = {one.left for node in plain for one in walk(node, inner=True) if isinstance(one, Comparison) and one.operator in PRESENCE}  # fmt: skip
        read = {one for node in plain for one in columns(node)} - present
        return {one.name for one in read if one.of.table == table}

    @cached_property
    def joined_outside(self) -> frozenset[str]:
        """The tables of which there may be no row."""
        joins = [part.node for part in parts(self.query) if isinstance(part.node, Join)]
        ends = (one for join in joins if join.outer for one in (join.left, join.right))
        first = {one.rows.relations[0] for one in all_queries(self.query)}
        return frozenset(one.table for one in ends if one not in first)

    @cached_property
    def _written(self) -> exp.Select:
        return named_tree(self.query).find(exp.Select) or exp.Select()

    @cached_property
    def aggregates(self) -> tuple[str, ...]:
        """What the result is computed by."""
        found = [agg.sql() for one in self._written.selects for agg in one.find_all(exp.AggFunc)]
        return tuple(dict.fromkeys(found))

    @cached_property
    def shown(self) -> frozenset[str]:
        """What is in the result and not computed from many rows."""
        outputs = (one.unalias() for one in self._written.selects)
        return frozenset(one.sql() for one in outputs if not one.find(exp.AggFunc))

    @cached_property
    def groups(self) -> frozenset[str]:
        """What is grouped by."""
        group = self._written.args.get("group")
        return frozenset(one.sql() for one in group.expressions) if group else frozenset()

    @cached_property
    def order(self) -> str:
        """What it is sorted and cut by."""
        tail = (self._written.args.get("order"), self._written.args.get("limit"))
        return " ".join(one.sql() for one in tail if one is not None).strip()


def statement_of(sql: str, schema: DatabaseSchema) -> Statement | None:
    """A statement that can be compared; None when it can't be read, or names a table twice, so that they can't be told apart.

    >>> from oldhand.testing.records import example_schema
    >>> found = statement_of("SELECT SUM(o.total) FROM orders o WHERE o.status <> 'cancelled'", example_schema())
    >>> [(one.table, one.text) for one in found.conditions], found.aggregates
    ([('orders', "status <> 'cancelled'")], ('SUM(orders.total)',))
    """
    query = lift(sql, schema)
    if isinstance(query, Opaque):
        return None
    for one in all_queries(query):
        tables = [relation.table for relation in one.rows.relations]
        if len(set(tables)) < len(tables):
            return None
    return Statement(query)


def _condition(part: Part) -> ColumnCondition | None:
    """The condition that a part is; None for other parts, and where several tables or queries are in it."""
    node = part.node
    if part.kind != "where" or not isinstance(node, Comparison | AnyOf | AllOf | Negation):
        return None
    of = {column.of for column in columns(node)}
    inside = any(isinstance(one, Query) for one in walk(node))
    if len(of) != 1 or inside or measures(node):
        return None
    (relation,) = of
    return ColumnCondition(relation.table, node)


def _pairs(join: Join) -> Iterator[Pair]:
    for left, right in join.keys:
        one, other = sorted(((join.left.table, left), (join.right.table, right)))
        yield one, other


@dataclass(frozen=True)
class QueryDifference:
    """What only one of two statements says; `given` is the wrong one."""

    given: Statement
    right: Statement
    missing: tuple[ColumnCondition, ...]
    """Conditions that the wrong one lacked."""
    extra: tuple[ColumnCondition, ...]
    """Conditions that nobody wanted."""
    values: tuple[tuple[ColumnCondition, ColumnCondition], ...]
    """The same conditions with other values, the wrong ones first."""
    path: tuple[str, ...]
    """The tables of a way to join that was right in place of another one, in order; empty when it was not that."""
    path_pairs: tuple[Pair, ...]
    """What joins them."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing that can be named is different."""
        return not (self.missing or self.extra or self.values or self.path or any(self.words()))

    def words(self) -> Iterable[str]:
        """What else is different, a sentence each."""
        given, right = self.given, self.right
        if set(given.aggregates) != set(right.aggregates):
            was = given.aggregates or given.shown
            wanted = right.aggregates or right.shown
            yield f"It showed {_named(was)} instead of {_named(wanted)}."
        elif given.shown != right.shown:
            yield f"It showed {_named(given.shown)} instead of {_named(right.shown)}."
        if (lacking := set(right.tables) - set(given.tables)) and not self.path:
            yield f"It did not look at {_named(lacking)}."
        if (needless := set(given.tables) - set(right.tables)) and not self.path:
            yield f"It looked at {_named(needless)}, which is not needed."
        if given.joins != right.joins and set(given.tables) == set(right.tables) and not self.path:
            yield f"It joined on {_joined(given.joins)} instead of {_joined(right.joins)}."
        if given.groups != right.groups:
            yield f"It counted by {_named(given.groups)} instead of {_named(right.groups)}."
        if given.order != right.order:
            yield f"It sorted or cut by {given.order or 'nothing'} instead of {right.order or 'nothing'}."
        if given.query.distinct != right.query.distinct:
            yield "Rows that are the same should " + (
                "count once." if right.query.distinct else "all count."
            )


def difference_of(given: Statement, right: Statement) -> QueryDifference:
    """Compare the wrong statement with the right one."""
    found = difference(given.query, right.query)
    same = [one for one in found.exchanged if one.what in ("value", "time")]
    others = [one for one in found.exchanged if one.what not in ("value", "time")]
    missing = [_condition(part) for part in (*found.only_other, *(one.other for one in others))]
    extra = [_condition(part) for part in (*found.only_one, *(one.one for one in others))]
    path = _path(given, right)
    on = tuple(sorted(one for one in right.joins if {one[0][0], one[1][0]} <= set(path)))
    return QueryDifference(
        given,
        right,
        tuple(one for one in missing if one is not None),
        tuple(one for one in extra if one is not None),
        tuple(_exchanged(same)),
        path,
        on if path else (),
    )


def _exchanged(found: Iterable[Exchange]) -> Iterator[tuple[ColumnCondition, ColumnCondition]]:
    for one in found:
        wrong, right = _condition(one.one), _condition(one.other)
        if wrong is not None and right is not None:
            yield wrong, right


def _path(given: Statement, right: Statement) -> tuple[str, ...]:
    """The tables of the other way, when both statements go from one same table to another, by different columns."""
    new, old = right.joins - given.joins, given.joins - right.joins
    if not new or not old:
        return ()
    near: defaultdict[str, set[str]] = defaultdict(set)
    for (one, _), (other, _) in new:
        near[one].add(other)
        near[other].add(one)
    ends = [table for table, beside in near.items() if len(beside) == 1]
    shared = set(given.tables) & set(right.tables)
    if (
        len(ends) != 2
        or not set(ends) <= shared
        or any(len(beside) > 2 for beside in near.values())
    ):
        return ()
    if not _are_joined(ends, old):
        return ()
    ends.sort(key=right.tables.index)
    way = [ends[0]]
    while way[-1] != ends[1]:
        onward = near[way[-1]] - set(way)
        if not onward:
            return ()  # the ends belong to two ways
        way.append(onward.pop())
    return tuple(way) if len(way) == len(near) else ()


def _are_joined(ends: Iterable[str], joins: Iterable[Pair]) -> bool:
    """Whether these joins, too, lead from one end to the other."""
    start, goal = ends
    reached, before = {start}, 0
    while len(reached) > before:
        before = len(reached)
        for (one, _), (other, _) in joins:
            if reached & {one, other}:
                reached |= {one, other}
    return goal in reached


def _named(texts: Iterable[str]) -> str:
    return ", ".join(sorted(texts)) or "nothing"


def _joined(pairs: Iterable[Pair]) -> str:
    return " and ".join(f"{a}.{b} = {c}.{d}" for (a, b), (c, d) in sorted(pairs)) or "no columns"
