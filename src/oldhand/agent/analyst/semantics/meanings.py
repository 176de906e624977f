"""What the column of a measure or of a condition stands for, in the query form."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from sqlglot import exp

from oldhand.agent.analyst.semantics.extending import column_of
from oldhand.query import form
from oldhand.query.describing.describing import describe
from oldhand.query.lifting import lift_tree
from oldhand.record.formula import (
    columns_of,
    own_parts,
    read_condition,
    read_formula,
    reads_others,
)
from oldhand.record.schema import DatabaseSchema, Same, Table
from oldhand.record.semantics import Measure, NamedCondition, Rule


@dataclass(frozen=True, slots=True)
class Meaning:
    """A measure or condition over the rows of its table."""

    column: form.ColumnRef
    """What stands for it."""
    term: form.Expression | None
    """What a measure is; None for a condition."""
    where: tuple[form.Predicate, ...]
    """What a condition asks; empty for a measure."""
    joins: tuple[form.Join, ...]
    """What leads to the other tables that it reads."""


def meanings(schemas: tuple[DatabaseSchema, ...]) -> tuple[Meaning, ...]:
    """All measures and conditions that the form can hold."""
    if not any(schema.semantics.rules for schema in schemas):
        return ()
    return _of_same(Same(schemas))


@lru_cache(maxsize=16)
def _of_same(same: Same) -> tuple[Meaning, ...]:
    found = (
        meaning_of(one, schema)
        for schema in same.schemas
        for one in (*schema.semantics.measures, *schema.semantics.conditions)
    )
    return tuple(one for one in found if one is not None)


def meaning_of(rule: Measure | NamedCondition, schema: DatabaseSchema) -> Meaning | None:
    """What a rule stands for; None where the form can't hold it, or the schema no longer knows its columns.

    >>> from oldhand.record.schema import Column, Kind
    >>> columns = tuple(Column(name=name, type="REAL", kind=Kind.NUMBER) for name in ("price", "cost"))
    >>> shop = DatabaseSchema(name="shop", dialect="sqlite",
    ...                       tables=(Table(name="orders", schema_name="main", columns=columns),))
    >>> meaning_of(Measure(name="profit", table="orders", formula="price - cost"), shop).term.operator
    '-'
    """
    table = schema.table(rule.table)
    if table is None:
        return None
    measure = isinstance(rule, Measure)
    tree = read_formula(rule.formula) if measure else read_condition(rule.condition)
    others = tuple(_referred(tree, table, schema))
    placed = _qualified(tree.copy(), table.name, schema)
    chosen = exp.select(placed if measure else "1").from_(_named(table, schema))
    for join, other in others:
        chosen = chosen.join(_named(other, schema), on=_on(join))
    found = lift_tree(chosen if measure else chosen.where(placed), (schema,))
    if found is None:
        return None
    own = form.Relation(schema.name, table.schema_name, table.name)
    column = form.ColumnRef(own, column_of(rule))
    joins = tuple(join for join, _ in others)
    return Meaning(column, found.select[0] if measure else None, found.where, joins)


def in_words(rule: Rule, schema: DatabaseSchema) -> str:
    """What a rule says; what it says of other tables' rows, of some rows among all, or of the time between two days, in words, not in SQL."""
    if not isinstance(rule, Measure | NamedCondition):
        return rule.told
    tree = read_formula(rule.formula) if isinstance(rule, Measure) else read_condition(rule.condition)  # fmt: skip
    meaning = meaning_of(rule, schema)
    hard = tree.find(exp.Case) if isinstance(rule, Measure) else reads_others(tree) or tree.find(exp.DateDiff)  # fmt: skip
    if meaning is None or not hard:
        return rule.told
    others = tuple(join.right for join in meaning.joins)
    rows = form.Rows((meaning.column.of, *others), meaning.joins)
    shown = (form.Count(),) if meaning.term is None else (meaning.term,)
    said = describe(form.Query(rows, shown, meaning.where), (schema,))
    if meaning.term is not None:
        return f"'{rule.name}' is the {said}"
    return f"'{rule.name}' means {said.removeprefix('number of ')}"


def _referred(
    tree: exp.Expr, table: Table, schema: DatabaseSchema
) -> Iterator[tuple[form.Join, Table]]:
    """The other tables that a formula reads, each with what leads to it."""
    own = form.Relation(schema.name, table.schema_name, table.name)
    names = {other.casefold() for other, _ in columns_of(tree)}
    for name in sorted(names - {"", table.name.casefold()}):
        for key in table.foreign_keys:
            if key.database == schema.name and key.table.casefold() == name:
                other = schema.table(key.table, key.schema_name)
                if other is not None:
                    there = form.Relation(schema.name, other.schema_name, other.name)
                    keys = tuple(zip(key.columns, key.target_columns, strict=False))
                    yield form.Join(own, there, keys), other
                    break


def _named(table: Table, schema: DatabaseSchema) -> exp.Table:
    return exp.table_(table.name, db=table.schema_name, catalog=schema.name)


def _qualified(tree: exp.Expr, table: str, schema: DatabaseSchema) -> exp.Expr:
    for one in tuple(tree.find_all(exp.Table)):
        if (known := schema.table(one.name, one.db or None)) is not None and not one.catalog:
            one.set("db", exp.to_identifier(known.schema_name))
            one.set("catalog", exp.to_identifier(schema.name))
    for one in tuple(own_parts(tree)):
        if isinstance(one, exp.Column) and not one.table:
            one.set("table", exp.to_identifier(table))
    return tree


def _on(join: form.Join) -> exp.Expr:
    pairs = (
        exp.column(one, table=join.left.table).eq(exp.column(two, table=join.right.table))
        for one, two in join.keys
    )
    return exp.and_(*pairs)
