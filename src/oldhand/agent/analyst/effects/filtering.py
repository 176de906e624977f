"""Adds the conditions of rules to each part of a query that reads their tables."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlglot import exp

from oldhand.agent.analyst.effects.mentions import is_measure
from oldhand.agent.analyst.rendering.names import (
    conjuncts,
    described,
    home,
    joins,
    real_tables,
    sources,
)
from oldhand.record.effect import DefaultFilter
from oldhand.record.filter_condition import columns_of, comparisons, read_filter
from oldhand.record.schema import NUMBERS, TIMES, Column, DatabaseSchema, Kind, Table

_TEXTS = frozenset({Kind.TEXT, Kind.OTHER})


class Filtered(NamedTuple):
    """A query and the rules that changed it."""

    query: exp.Expr
    rules: tuple[DefaultFilter, ...]


class _Place(NamedTuple):
    """A table of a query, and the condition for its rows there."""

    table: exp.Table
    condition: exp.Expr


def filtered(
    query: exp.Expr, rules: Sequence[DefaultFilter], schemas: Sequence[DatabaseSchema]
) -> Filtered:
    """The query over only those rows that the rules let count.

    A rule is left alone where the query decides about its columns itself, where a condition cannot be put into the
    query without changing more than the rows of that table, and where it no longer fits the schemas.

    Args:
        query: over `database.schema.table`, each with an alias; it is not changed.
        rules: each is applied by itself, so that their order changes nothing.
        schemas: the databases.

    >>> from sqlglot import parse_one
    >>> orders = Table(name="orders", schema_name="main",
    ...                columns=(Column(name="status", type="TEXT", kind=Kind.TEXT),))
    >>> shop = DatabaseSchema(name="shop", dialect="sqlite", tables=(orders,))
    >>> rule = DefaultFilter(database="shop", table="orders", condition="status <> 'cancelled'")
    >>> filtered(parse_one("SELECT COUNT(*) FROM shop.main.orders AS o"), [rule], [shop]).query.sql()
    "SELECT COUNT(*) FROM shop.main.orders AS o WHERE o.status <> 'cancelled'"
    """
    tree = query.copy()
    chosen = [(rule, places) for rule in rules if (places := _places(tree, rule, schemas))]
    applied: list[DefaultFilter] = []
    seen: set[tuple[int, str]] = set()
    for rule, places in chosen:
        new = [place for place in places if (id(place.table), place.condition.sql()) not in seen]
        for place in new:
            seen.add((id(place.table), place.condition.sql()))
            _add(place)
        applied += [rule] if new else []
    return Filtered(tree if applied else query, tuple(applied))


def unfiltered(query: exp.Expr, rule: DefaultFilter, schemas: Sequence[DatabaseSchema]) -> exp.Expr:
    """The query without the condition that a rule has added to it; a query without it is left as it is."""
    tree = query.copy()
    for node in _tables(tree, rule, schemas):
        condition = _condition(rule, node, schemas)
        select = _select_of(node)
        where = select.args.get("where") if select is not None else None
        if condition is None or select is None or not isinstance(where, exp.Where):
            continue
        parts = conjuncts(where.this)
        kept = [part for part in parts if part.unnest() != condition.unnest()]
        if len(kept) < len(parts):
            left = exp.Where(this=exp.and_(*kept, copy=True)) if kept else None
            select.set("where", left)
    return tree


def _places(tree: exp.Expr, rule: DefaultFilter, schemas: Sequence[DatabaseSchema]) -> list[_Place]:
    """Where the rule's condition goes; nowhere when one of the places does not take it, or the query decides itself."""
    tables = list(_tables(tree, rule, schemas))
    if not tables or _decides_itself(tree, rule, tables, schemas):
        return []
    found: list[_Place] = []
    for table in tables:
        condition = _condition(rule, table, schemas)
        if condition is None or not _takes(table):
            return []
        found.append(_Place(table, condition))
    return found


def _tables(
    tree: exp.Expr, rule: DefaultFilter, schemas: Sequence[DatabaseSchema]
) -> Iterator[exp.Table]:
    wanted = rule.table.casefold()
    for node in list(real_tables(tree)):
        known = described(node, schemas)
        if node.catalog != rule.database or known is None or known.name.casefold() != wanted:
            continue
        if rule.schema_name in (None, known.schema_name):
            yield node


def _decides_itself(
    tree: exp.Expr,
    rule: DefaultFilter,
    tables: Sequence[exp.Table],
    schemas: Sequence[DatabaseSchema],
) -> bool:
    """Whether the query compares, groups by or shows a column of the rule; to join by it or to add it up is nothing."""
    known = described(tables[0], schemas)
    condition = read_filter(rule.condition)
    amounts = {
        part.this.name.casefold(): known is not None
        and is_measure(part, known.column(part.this.name))
        for part in comparisons(condition)
    }
    for column in tree.find_all(exp.Column):
        name = column.name.casefold()
        if name not in amounts or _is_joined_by(column) or not _is_of(column, tables):
            continue
        if not amounts[name] or _is_bound(column):
            return True
    return False


def _is_of(column: exp.Column, tables: Sequence[exp.Table]) -> bool:
    select = home(column) if column.table else column.find_ancestor(exp.Select)
    found = sources(select) if select is not None else ()
    own = [s for s in found if column.table in ("", s.alias)]
    return any(source.table is table for source in own for table in tables)


def _is_joined_by(column: exp.Column) -> bool:
    parent = column.parent
    return isinstance(parent, exp.EQ) and all(
        isinstance(side, exp.Column) for side in (parent.this, parent.expression)
    )


def _is_bound(column: exp.Column) -> bool:
    """Whether the column itself is compared with a literal."""
    parent = column.parent
    if not isinstance(parent, (exp.Predicate, exp.In, exp.Between)):
        return False
    return any(isinstance(side, exp.Literal) for side in parent.iter_expressions())


def _condition(
    rule: DefaultFilter, node: exp.Table, schemas: Sequence[DatabaseSchema]
) -> exp.Expr | None:
    """The rule's condition for one table of a query; None when the table's columns don't fit it."""
    table = described(node, schemas)
    tree = read_filter(rule.condition).copy()
    if table is None or not all(_fits(part, table) for part in comparisons(tree)):
        return None
    for part in list(comparisons(tree)):
        known = table.column(part.this.name)
        assert known is not None, "it fits"
        if known.kind is Kind.BOOLEAN:
            _with_truths(part)
        part.set("this", exp.column(known.name, table=node.alias_or_name))
    return exp.paren(tree, copy=False) if isinstance(tree, exp.Or) else tree


def _fits(part: exp.Expr, table: Table) -> bool:
    """Whether every database would take the comparison: some refuse to compare text with numbers."""
    column = table.column(columns_of(part)[0])
    if column is None:
        return False
    if isinstance(part, exp.Is):
        return isinstance(part.expression, exp.Null) or column.kind is Kind.BOOLEAN
    if isinstance(part, (exp.Like, exp.ILike)):
        return column.kind in _TEXTS
    return all(
        _is_of_kind(value, column) for value in part.iter_expressions() if value is not part.this
    )


def _is_of_kind(value: exp.Expr, column: Column) -> bool:
    if isinstance(value, exp.Boolean):
        return column.kind is Kind.BOOLEAN
    literal = value.this if isinstance(value, exp.Neg) else value
    if not isinstance(literal, exp.Literal):
        return False
    if column.kind is Kind.BOOLEAN:
        return literal.name in ("0", "1") and not literal.is_string
    if literal.is_string:
        return column.kind in _TEXTS | TIMES
    return column.kind in NUMBERS


def _with_truths(part: exp.Expr) -> None:
    """Write TRUE for 1 and FALSE for 0, which Postgres insists on."""
    for literal in list(part.find_all(exp.Literal)):
        literal.replace(exp.Boolean(this=literal.name == "1"))


def _select_of(node: exp.Table) -> exp.Select | None:
    parent = node.parent
    select = parent.parent if isinstance(parent, (exp.From, exp.Join)) else None
    return select if isinstance(select, exp.Select) else None


def _takes(node: exp.Table) -> bool:
    """Whether a condition for the table's rows can be put into its SELECT."""
    select, parent = _select_of(node), node.parent
    if select is None:
        return False
    after = joins(select)
    if isinstance(parent, exp.Join):
        after = after[after.index(parent) :]
        if parent.side == "LEFT":
            after = after[1:]
            if parent.args.get("on") is None:
                return False
        elif parent.side == "RIGHT":
            after = after[1:]
    return not any(join.side in ("RIGHT", "FULL") for join in after)


def _add(place: _Place) -> None:
    """Rows that an outer join may leave out are left out before it joins, the others by WHERE."""
    parent, select = place.table.parent, _select_of(place.table)
    assert select is not None, "the place takes it"
    if isinstance(parent, exp.Join) and (parent.side == "LEFT" or parent.kind in ("SEMI", "ANTI")):
        on = parent.args["on"]
        parent.set("on", exp.and_(on, place.condition))
        return
    select.where(place.condition, copy=False)
