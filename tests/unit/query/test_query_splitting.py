"""A query over several databases, split into pieces, gives the rows that one database holding all would give."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oldhand.query.compiling.tree import to_tree
from oldhand.query.form import (
    Aggregate,
    AnyOf,
    Column,
    Comparison,
    Compound,
    Count,
    Expression,
    Has,
    Join,
    Negation,
    Order,
    OwnGroup,
    Predicate,
    Query,
    Relation,
    Rows,
    Value,
)
from oldhand.query.splitting.split import split
from oldhand.query.walk import databases
from oldhand.record.base import Row
from oldhand.record.schema import Kind
from tests.unit.query.worlds import HOMES, TABLES, World, opened_in, relation

CUSTOMERS, REGIONS = relation("customers"), relation("regions")
ORDERS, LINES, VISITS = relation("orders"), relation("lines"), relation("visits")
OF_CUSTOMER = Join(ORDERS, CUSTOMERS, (("customer_id", "id"),))
NAME, CITY = Column(CUSTOMERS, "name"), Column(CUSTOMERS, "city")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with opened_in(tmp_path_factory.mktemp("databases")) as opened:
        yield opened


def rounded(rows: tuple[Row, ...]) -> Counter[tuple[object, ...]]:
    """Rows in any order, with numbers of one sort."""
    return Counter(
        tuple(round(float(c), 6) if isinstance(c, int | float) else c for c in row) for row in rows
    )


PATHS = (
    OF_CUSTOMER,
    Join(CUSTOMERS, REGIONS, (("city", "city"),)),
    Join(LINES, ORDERS, (("order_id", "id"),)),
    Join(CUSTOMERS, relation("customers", "boss"), (("boss", "id"),)),
)
TYPED = {
    (table, column): kind
    for tables in TABLES.values()
    for table, columns in tables.items()
    for column, kind in columns.items()
    if table != "visits"
}
LITERALS = {Kind.INTEGER: (1, 2, 3), Kind.NUMBER: (5.5, 7), Kind.TEXT: ("Berlin", "pen", "Dan")}


def columns_of(*relations: Relation) -> list[Column]:
    return [Column(r, c) for r in relations for t, c in TYPED if t == r.table]


def kind(column: Column) -> Kind:
    return TYPED[column.of.table, column.name]


@st.composite
def inner_queries(draw: st.DrawFn, like: Column, around: list[Column]) -> Query:
    """A query that shows one column, and may lean on the query around it."""
    shown = [c for c in columns_of(*map(relation, HOMES)) if kind(c) is kind(like)]
    column = draw(st.sampled_from(shown))
    where: list[Predicate] = []
    if draw(st.booleans()):
        literal = draw(st.sampled_from(LITERALS[kind(column)]))
        where.append(Comparison(column, "!=", (literal,)))
    outside = [c for c in around if c.of != column.of]
    if outside and draw(st.booleans()):
        own = draw(st.sampled_from(columns_of(column.of)))
        alike = [c for c in outside if kind(c) is kind(own)]
        where += [Comparison(own, "=", draw(st.sampled_from(alike)))] if alike else []
    return Query(Rows((column.of,)), (column,), tuple(where))


@st.composite
def predicates(draw: st.DrawFn, around: list[Column], *, depth: int = 1) -> Predicate:
    column = draw(st.sampled_from(around))
    literal = draw(st.sampled_from(LITERALS[kind(column)]))
    sorts = ["=", "!=", "null", "in", "has", "none", "measure"] + ["any"] * depth
    match draw(st.sampled_from(sorts)):
        case "has" | "none" as sort:
            return Has(column, draw(inner_queries(column, around)), sort == "none")
        case "measure":
            if kind(column) is Kind.TEXT:
                return Negation(Comparison(column, "null"))
            inner = draw(inner_queries(column, around))
            least = replace(inner, select=(Aggregate("min", inner.select[0]),))
            same = draw(st.sampled_from(columns_of(column.of)))
            own = OwnGroup(Aggregate("max", replace(column, of=same.of)), (same,))
            return Comparison(column, ">=", draw(st.sampled_from((least, own))))
        case "any":
            some = st.lists(predicates(around, depth=0), min_size=2, max_size=2)
            return AnyOf(tuple(draw(some)))
        case operator:
            return Comparison(column, operator, () if operator == "null" else (literal,))


@st.composite
def rows(draw: st.DrawFn) -> Rows:
    taken = [draw(st.sampled_from([CUSTOMERS, REGIONS, ORDERS, LINES]))]
    joins: list[Join] = []
    for _ in range(draw(st.integers(0, 3))):
        paths = [p for p in PATHS if len({p.left, p.right} & set(taken)) == 1]
        path = draw(st.sampled_from(paths))
        joins.append(replace(path, outer=draw(st.sampled_from((False, False, True)))))
        taken.append(path.right if path.left in taken else path.left)
    return Rows(tuple(taken), tuple(joins))


@st.composite
def queries(draw: st.DrawFn) -> Query:
    read = draw(rows())
    around = columns_of(*read.relations)
    where = tuple(draw(st.lists(predicates(around), max_size=3)))
    column, other = draw(st.sampled_from(around)), draw(st.sampled_from(around))
    plain = Query(read, (column, *around), where)
    match draw(st.sampled_from(["rows", "distinct", "groups", "one", "having", "set", "each"])):
        case "distinct":
            return replace(plain, select=(column,), distinct=True)
        case "groups":
            select = (column, Count(), Count(other, distinct=True))
            return replace(plain, select=select, group=(column,))
        case "one":
            return replace(plain, select=(Count(), Aggregate("max", column)))
        case "having":
            several = Comparison(Count(), ">", (1,))
            return replace(plain, select=(column,), group=(column,), having=(several,))
        case "set":
            kinds = st.sampled_from(["intersect", "union", "union all", "except"])
            second = Query(read, (column,), (Comparison(other, "not null"),))
            compound = Compound(draw(kinds), second)
            return replace(plain, select=(column,), compound=compound)
        case "each":
            order = (Order(other, descending=draw(st.booleans())),)
            return replace(plain, select=(column, other), order=order, each=(column,), limit=1)
        case _:
            return plain


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=queries())
def test_any_query_gives_the_same_rows_apart_as_together(query: Query, world: World) -> None:
    found, pieces = world.apart(query)
    said = "\n".join(to_tree(piece.query).sql() for piece in pieces)
    assert rounded(found) == rounded(world.together(query)), said
    for piece in pieces:
        assert len(databases(piece.query)) <= 1
