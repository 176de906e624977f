"""From the names of measures and conditions to what they stand for, and back."""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from oldhand.agent.analyst.semantics.meanings import Meaning, meanings
from oldhand.query.describing.nouns import place_of
from oldhand.query.form import (
    Aggregate,
    AllOf,
    Arithmetic,
    Case,
    ColumnRef,
    Comparison,
    Expression,
    Function,
    Join,
    Node,
    Predicate,
    Query,
    Ratio,
    Relation,
    Rows,
    Value,
)
from oldhand.query.negating import negated
from oldhand.query.walk import changed, columns, holds_measure, is_measure, replaced, walk
from oldhand.record.schema import DatabaseSchema

_Known = Mapping[tuple[str, str, str, str], Meaning]


def expanded(query: Query, schemas: tuple[DatabaseSchema, ...], *, each: bool = False) -> Query:
    """A query in which measures and conditions are written out, with the joins that they need.

    Args:
        query: what a question means, by their names.
        schemas: with what people have stated.
        each: whether a sum of quotients is that of each row's, and no quotient of sums.
    """
    known = {_place(one.column): one for one in meanings(schemas)}
    if not known:
        return query
    return changed(query, lambda part: _written(part, known, each) if isinstance(part, Query) else part)  # fmt: skip


def folded(query: Query, schemas: tuple[DatabaseSchema, ...]) -> Query:
    """A query in which what has a name goes by it, for people to read."""
    made = query
    # What holds others comes before them: a margin before the profit in it.
    for meaning in sorted(meanings(schemas), key=_size, reverse=True):
        for relation in dict.fromkeys(r for r in walk(query, inner=True) if _is_its(r, meaning)):
            made = _named(made, meaning, cast("Relation", relation))
    return made


def _size(meaning: Meaning) -> int:
    parts = (meaning.term,) if meaning.term is not None else meaning.where
    return sum(1 for part in parts for _ in walk(part))


def _place(column: ColumnRef) -> tuple[str, str, str, str]:
    return column.of.database, column.of.schema, column.of.table, column.name


def _written(query: Query, known: _Known, each: bool) -> Query:
    """One part of a query, written out; what stands inside of it is so already."""
    used = {
        column: known[_place(column)]
        for column in columns(query)
        if column.of.query is None and _place(column) in known
    }
    if not used:
        return query
    rows, written = query.rows, dict[ColumnRef, _Placed]()
    for column, meaning in used.items():
        rows, placed = _joined(rows, column.of, meaning, each)
        written[column] = placed
    made = replaced(query, lambda part: _in_place(part, written, query))
    return _grouped(replace(made, rows=rows))


class _Placed:
    """A meaning over the relations of one query."""

    def __init__(self, meaning: Meaning, relations: Mapping[Relation, Relation], *, each: bool = False) -> None:  # fmt: skip
        def move(part: Node) -> Node:
            return relations.get(part, part) if isinstance(part, Relation) else part

        self.term = None if meaning.term is None else changed(meaning.term, move)
        self.where = tuple(changed(one, move) for one in meaning.where)
        many = self.term is None or is_measure(self.term)
        self.of_all = self.term if many or self.term is None else None if each else quotient(self.term)  # fmt: skip
        """A measure of all rows at once: itself where it is one, and of a quotient of two columns that of what each adds up to."""

    def condition(self, comparison: Comparison) -> Predicate:
        """What it means that a condition holds, or does not."""
        met = self.where[0] if len(self.where) == 1 else AllOf(self.where)
        truth = comparison.values[:1] not in ((False,), (0,))
        holds = truth is (comparison.operator in ("=", "in", "not null"))
        return met if holds else negated(met)

    @property
    def value(self) -> Expression:
        """What is shown of it."""
        if self.term is not None:
            return self.term
        met = self.where[0] if len(self.where) == 1 else AllOf(self.where)
        return Case(((met, Value("yes")),), Value("no"))


def _joined(rows: Rows, relation: Relation, meaning: Meaning, each: bool) -> tuple[Rows, _Placed]:  # fmt: skip
    """The rows with the tables that a meaning reads, which are taken where they are joined in the same way already."""
    relations = {meaning.column.of: relation}
    for needed in meaning.joins:
        there = [join for join in rows.joins if (join.left, join.keys) == (relation, needed.keys)]
        other = there[0].right if there else replace(needed.right, role="")
        relations[needed.right] = other
        if not there and other not in rows.relations:
            join = Join(relation, other, needed.keys)
            rows = Rows((*rows.relations, other), (*rows.joins, join))
    return rows, _Placed(meaning, relations, each=each)


def _in_place(part: Node, written: Mapping[ColumnRef, _Placed], whole: Query) -> Node | None:
    if isinstance(part, Query) and part is not whole:
        return part
    if isinstance(part, Comparison) and isinstance(part.left, ColumnRef) and part.left in written:
        placed = written[part.left]
        if placed.term is None:
            return placed.condition(part)
    if isinstance(part, Aggregate) and isinstance(part.of, ColumnRef) and part.of in written:
        placed = written[part.of]
        if placed.of_all is not None and (placed.term == placed.of_all or part.function == "sum"):
            return placed.of_all
    return written[part].value if isinstance(part, ColumnRef) and part in written else None


def quotient(term: Expression) -> Expression | None:
    """What a quotient of each row is of all rows: `sold / offered` is what was sold of all that was offered, and no sum of parts; None for what is none."""
    match term:
        case Arithmetic("/", left, right) if columns(right):
            return Ratio(Aggregate("sum", left), Aggregate("sum", right))
        case Arithmetic(operator, Value() as left, right) if inner := quotient(right):
            return Arithmetic(operator, left, inner)
        case Arithmetic(operator, left, Value() as right) if inner := quotient(left):
            return Arithmetic(operator, inner, right)
        case Function("round", (left, *digits)) if inner := quotient(left):
            return Function("round", (inner, *digits))
        case _:
            return None


def _grouped(query: Query) -> Query:
    """A query whose measures of many rows have their groups, and its conditions on them their place."""
    where = tuple(one for one in query.where if not holds_measure(one))
    having = tuple(one for one in query.where if holds_measure(one))
    group = query.group
    shown = (*query.select, *(order.by for order in query.order))
    if not group and (having or any(map(is_measure, shown))):
        group = tuple(one for one in query.select if not is_measure(one))
    return replace(query, where=where, having=(*query.having, *having), group=group)


def _is_its(part: Node, meaning: Meaning) -> bool:
    return isinstance(part, Relation) and place_of(part) == place_of(meaning.column.of)


def _named(query: Query, meaning: Meaning, relation: Relation) -> Query:
    """A query in which one meaning goes by its name."""
    column = replace(meaning.column, of=relation)
    placed = _Placed(meaning, {meaning.column.of: relation})
    if placed.term is not None and not columns(placed.term):
        return query  # a bare number of rows may be that of another table
    if placed.term is not None:
        same = [one for one in (placed.term, placed.of_all) if one is not None]
        return replaced(query, lambda part: column if part in same else None)
    wanted = set(placed.where)

    def short(part: Node) -> Node:
        if not isinstance(part, Query) or not wanted <= set(part.where):
            return part
        left = tuple(one for one in part.where if one not in wanted)
        return replace(part, where=(*left, Comparison(column, "=", (True,))))

    return changed(query, short)
