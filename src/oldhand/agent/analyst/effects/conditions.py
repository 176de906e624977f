"""The condition of a rule as predicates of the query form."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from sqlglot import exp

from oldhand.query.form import ColumnRef, Comparison, Node, Predicate, Relation, Scalar
from oldhand.query.lifting import lift_tree
from oldhand.query.walk import changed, columns, walk
from oldhand.record.effect import DefaultFilter
from oldhand.record.filter_condition import read_filter
from oldhand.record.schema import NUMBERS, TIMES, DatabaseSchema, Kind, Table

_TEXTS = frozenset({Kind.TEXT, Kind.OTHER})


def condition_of(rule: DefaultFilter, table: Table) -> tuple[Predicate, ...] | None:
    """What the rows of a table meet that count; None where the table's columns don't fit the rule.

    >>> from oldhand.record.schema import Column
    >>> orders = Table(name="orders", schema_name="main", columns=(Column(name="paid", type="BOOL", kind=Kind.BOOLEAN),))
    >>> rule = DefaultFilter(database="shop", table="orders", condition="paid = 1")
    >>> condition_of(rule, orders)[0].values
    (True,)
    """
    return _read(rule.condition, rule.database, (table,))


@lru_cache(maxsize=4096)
def _read(text: str, database: str, tables: tuple[Table]) -> tuple[Predicate, ...] | None:
    (table,) = tables
    schema = DatabaseSchema(name=database, dialect="sqlite", tables=tables)
    named = exp.table_(table.name, db=table.schema_name, catalog=database)
    condition = read_filter(text).copy().transform(_with_nulls_out)
    found = lift_tree(exp.select("1").from_(named).where(condition), (schema,))
    if found is None or not all(_fits(one, table) for one in comparisons(found.where)):
        return None
    return tuple(changed(one, lambda part: _with_truths(part, table)) for one in found.where)


def on(relation: Relation, condition: Sequence[Predicate]) -> tuple[Predicate, ...]:
    """A condition for the rows of a relation."""

    def placed(part: Node) -> Node:
        return relation if isinstance(part, Relation) else part

    return tuple(changed(one, placed) for one in condition)


def comparisons(condition: Sequence[Predicate]) -> Iterator[Comparison]:
    """The single comparisons of a condition, in order."""
    return (part for one in condition for part in walk(one) if isinstance(part, Comparison))


def compared(one: Comparison) -> ColumnRef:
    """The column that a condition compares."""
    return columns(one.left)[0]


def is_amount(one: Comparison, table: Table) -> bool:
    """Whether a comparison sets a bound to an amount: to speak of amounts is not to speak of what is left out."""
    if one.operator.removeprefix("not ") in ("<", "<=", ">", ">=", "between", "within"):
        return True
    kind = _kind(one, table)
    flags = kind is Kind.INTEGER and {*one.values} <= {0, 1}
    return kind in NUMBERS and bool(one.values) and not flags


def _kind(one: Comparison, table: Table) -> Kind | None:
    known = table.column(compared(one).name)
    return known.kind if known is not None else None


def _with_nulls_out(node: exp.Expr) -> exp.Expr:
    """`IS TRUE` holds for no missing value, and neither does `IS FALSE`."""
    if not (isinstance(node, exp.Is) and isinstance(node.expression, exp.Boolean)):
        return node
    there = exp.Not(this=exp.Is(this=node.this.copy(), expression=exp.Null()))
    return exp.and_(exp.EQ(this=node.this, expression=node.expression), there)


def _fits(one: Comparison, table: Table) -> bool:
    """Whether every database would take the comparison: some refuse to compare text with numbers."""
    kind = _kind(one, table)
    if one.operator.removeprefix("not ") == "like":
        return kind in _TEXTS
    return all(_is_of_kind(value, kind) for value in one.values)


def _is_of_kind(value: Scalar, kind: Kind | None) -> bool:
    if isinstance(value, str):
        return kind in _TEXTS | TIMES
    if kind is Kind.BOOLEAN:
        return value in (0, 1)
    return kind in NUMBERS and not isinstance(value, bool)


def _with_truths(part: Node, table: Table) -> Node:
    """True for 1 and false for 0, which Postgres insists on."""
    if isinstance(part, Comparison) and _kind(part, table) is Kind.BOOLEAN:
        return Comparison(part.left, part.operator, tuple(map(bool, part.values)))
    return part
