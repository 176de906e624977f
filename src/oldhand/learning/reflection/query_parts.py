"""A statement taken apart into what can be compared: conditions, joins, aggregates, what it shows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import Scope, traverse_scope

from oldhand.learning.same_query import qualified
from oldhand.record.schema import DatabaseSchema

End = tuple[str, str]
"""A table and one of its columns."""
Pair = tuple[End, End]
"""Two columns that are equal where their tables are joined, in alphabetical order."""
_BRANCHING = (exp.Query, exp.AggFunc, exp.Window, exp.Subquery)
_LITERALS = (exp.Literal, exp.Null, exp.Boolean)


@dataclass(frozen=True)
class Condition:
    """A condition on the rows of one table; its columns name no table."""

    table: str
    text: str
    """In sqlglot's own dialect."""
    columns: tuple[str, ...]
    shape: str
    """The same for conditions that differ in their values only."""
    literals: tuple[str, ...]
    """The values, in order; numbers as they are written."""


@dataclass(frozen=True)
class QueryParts:
    """What a statement consists of, names as the schema writes them."""

    tables: tuple[str, ...]
    """In the order in which they are named."""
    conditions: Mapping[tuple[str, str], Condition]
    """By table and text."""
    joins: frozenset[Pair]
    aggregates: tuple[str, ...]
    """What the result is computed by."""
    shown: frozenset[str]
    """Columns in the result that are not computed."""
    groups: frozenset[str]
    order: str
    """What it is sorted and cut by."""
    distinct: bool


def parts_of(sql: str, schema: DatabaseSchema) -> QueryParts | None:
    """The parts of a statement; None when it can't be read, or names a table twice, so that they can't be told apart.

    Args:
        sql: in the dialect of the database.
        schema: the database.

    >>> from oldhand.testing.records import example_schema
    >>> parts = parts_of("SELECT SUM(o.total) FROM orders o WHERE o.status <> 'cancelled'", example_schema())
    >>> [(one.table, one.text) for one in parts.conditions.values()], parts.aggregates
    ([('orders', "status <> 'cancelled'")], ('SUM(orders.total)',))
    """
    try:
        tree = qualified(sql, schema)
        scopes = [
            scope for scope in traverse_scope(tree) if isinstance(scope.expression, exp.Select)
        ]
        names: dict[int, dict[str, str]] = {}
        for scope in scopes:
            names[id(scope)] = _table_names(scope, schema)
        if any(len(set(of.values())) < len(of) for of in names.values()):
            return None
        for scope in scopes:
            _name_columns(scope, names[id(scope)], schema)
    except (SqlglotError, RecursionError):
        return None
    return _gathered(scopes, [name for of in names.values() for name in of.values()])


def _table_names(scope: Scope, schema: DatabaseSchema) -> dict[str, str]:
    """The tables of one SELECT as the schema writes them, by how the statement calls them."""
    found: dict[str, str] = {}
    for alias, source in scope.sources.items():
        if isinstance(source, exp.Table):
            known = schema.table(source.name)
            found[str(alias)] = known.name if known else source.name
    return found


def _name_columns(scope: Scope, names: Mapping[str, str], schema: DatabaseSchema) -> None:
    for column in scope.columns:
        if (name := names.get(column.table)) is None:
            continue
        table = schema.table(name)
        known = table.column(column.name) if table else None
        column.set("this", exp.to_identifier(known.name if known else column.name))
        column.set("table", exp.to_identifier(name))


def _gathered(scopes: list[Scope], tables: list[str]) -> QueryParts:
    conditions: dict[tuple[str, str], Condition] = {}
    joins: set[Pair] = set()
    for scope in scopes:
        for part in _conjuncts(scope.expression):
            if (pair := _pair(part)) is not None:
                joins.add(pair)
            elif (condition := _condition(part, set(tables))) is not None:
                conditions[condition.table, condition.text] = condition
    top = scopes[-1].expression if scopes else exp.Select()
    shown = [one.unalias() for one in top.expressions]
    aggregates = [agg.sql() for one in shown for agg in one.find_all(exp.AggFunc)]
    group = top.args.get("group")
    tail = (top.args.get("order"), top.args.get("limit"))
    return QueryParts(
        tables=tuple(dict.fromkeys(tables)),
        conditions=conditions,
        joins=frozenset(joins),
        aggregates=tuple(dict.fromkeys(aggregates)),
        shown=frozenset(one.sql() for one in shown if not one.find(exp.AggFunc)),
        groups=frozenset(one.sql() for one in group.expressions) if group else frozenset(),
        order=" ".join(one.sql() for one in tail if one is not None).strip(),
        distinct=top.args.get("distinct") is not None,
    )


def _conjuncts(select: exp.Expr) -> Iterator[exp.Expr]:
    """What must hold for a row to count, one by one."""
    where = select.args.get("where")
    wholes = [where.this] if where is not None else []
    wholes += [join.args["on"] for join in _joins(select) if join.args.get("on")]
    for whole in wholes:
        bare = whole.unnest()
        yield from bare.flatten() if isinstance(bare, exp.And) else (bare,)


def _joins(select: exp.Expr) -> list[exp.Join]:
    joins: list[object] = select.args.get("joins") or []
    return [join for join in joins if isinstance(join, exp.Join)]


def _pair(part: exp.Expr) -> Pair | None:
    part = part.unnest()
    if not isinstance(part, exp.EQ):
        return None
    left, right = part.left, part.right
    if not (isinstance(left, exp.Column) and isinstance(right, exp.Column)):
        return None
    if not left.table or not right.table or left.table == right.table:
        return None
    one, other = sorted(((left.table, left.name), (right.table, right.name)))
    return one, other


def _without_value(node: exp.Expr) -> exp.Expr:
    return exp.Placeholder() if isinstance(node, _LITERALS) else node


def _condition(part: exp.Expr, tables: set[str]) -> Condition | None:
    """The condition, when it compares columns of one table with values and does nothing else."""
    part = part.unnest()
    columns = list(part.find_all(exp.Column))
    of = {column.table for column in columns}
    if len(of) != 1 or not of <= tables or part.find(*_BRANCHING):
        return None
    bare = part.copy()
    for column in bare.find_all(exp.Column):
        column.set("table", None)
    shape = bare.transform(_without_value)
    return Condition(
        table=of.pop(),
        text=bare.sql(),
        columns=tuple(dict.fromkeys(column.name for column in columns)),
        shape=shape.sql(),
        literals=tuple(one.name for one in bare.find_all(exp.Literal)),
    )
