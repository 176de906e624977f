"""A query over several databases, split into pieces, gives the rows that one database holding all would give."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlglot import exp, parse_one
from tests.unit.query.worlds import HOMES, TABLES, World, opened_in, relation

from oldhand.query.compiling.tree import to_tree
from oldhand.query.form import (
    Aggregate,
    AnyOf,
    ColumnRef,
    Comparison,
    Compound,
    Count,
    DatePart,
    Has,
    Join,
    Negation,
    Order,
    OwnGroup,
    Predicate,
    Query,
    Relation,
    Rows,
)
from oldhand.query.lifting import lift_tree
from oldhand.query.splitting.split import Piece, split
from oldhand.query.walk import databases
from oldhand.record.base import Row
from oldhand.record.schema import Kind

CUSTOMERS, REGIONS = relation("customers"), relation("regions")
ORDERS, LINES = relation("orders"), relation("lines")
TICKETS, VISITS = relation("tickets"), relation("visits")
OF_CUSTOMER = Join(ORDERS, CUSTOMERS, (("customer_id", "id"),))
NAME, CITY = ColumnRef(CUSTOMERS, "name"), ColumnRef(CUSTOMERS, "city")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with opened_in(tmp_path_factory.mktemp("databases")) as opened:
        yield opened


def lifted(sql: str, world: World) -> Query:
    tree = parse_one(sql)
    assert isinstance(tree, exp.Query)
    found = lift_tree(tree, world.schemas)
    assert found is not None
    return found


def written(piece: Piece) -> str:
    assert isinstance(piece.query, Query)
    return to_tree(piece.query).sql()


def rounded(rows: tuple[Row, ...]) -> Counter[tuple[object, ...]]:
    """Rows in any order, with numbers of one sort."""
    return Counter(
        tuple(round(float(c), 6) if isinstance(c, int | float) else c for c in row) for row in rows
    )


QUERIES = """
SELECT c.name, SUM(o.total) FROM crm.main.customers AS c JOIN shop.main.orders AS o ON o.customer_id = c.id WHERE c.city = 'Berlin' GROUP BY c.name
SELECT name, city FROM crm.main.customers WHERE id NOT IN (SELECT customer_id FROM shop.main.orders)
SELECT name FROM crm.main.customers WHERE id NOT IN (SELECT customer_id FROM shop.main.orders WHERE NOT customer_id IS NULL)
SELECT c.name FROM crm.main.customers AS c WHERE NOT EXISTS(SELECT 1 FROM shop.main.orders AS o WHERE o.customer_id = c.id AND o.total > 6)
SELECT c.name FROM crm.main.customers AS c WHERE EXISTS(SELECT 1 FROM shop.main.orders AS o WHERE o.total > 9)
SELECT id FROM crm.main.customers UNION SELECT customer_id FROM shop.main.orders
SELECT id FROM crm.main.customers EXCEPT SELECT customer_id FROM shop.main.orders ORDER BY id
SELECT id FROM crm.main.customers INTERSECT SELECT customer_id FROM shop.main.orders INTERSECT SELECT customer_id FROM care.main.tickets
SELECT c.name, b.name FROM crm.main.customers AS c JOIN crm.main.customers AS b ON c.boss = b.id JOIN shop.main.orders AS o ON o.customer_id = b.id
SELECT c.name FROM crm.main.customers AS c LEFT JOIN shop.main.orders AS o ON o.customer_id = c.id WHERE o.id IS NULL
SELECT c.name, o.id FROM crm.main.customers AS c RIGHT JOIN shop.main.orders AS o ON o.customer_id = c.id WHERE c.city = 'Berlin' OR c.id IS NULL
SELECT c.city, COUNT(DISTINCT l.product) AS n FROM crm.main.customers AS c JOIN shop.main.orders AS o ON o.customer_id = c.id JOIN shop.main.lines AS l ON l.order_id = o.id GROUP BY c.city HAVING COUNT(*) > 1 ORDER BY n DESC, c.city
SELECT c.name, l.name FROM crm.main.customers AS c, shop.main.orders AS o, shop.main.lines AS l WHERE c.id = o.customer_id AND l.order_id = o.id AND l.product = 'pen' AND c.city <> l.product
SELECT COUNT(*) FROM crm.main.customers AS c CROSS JOIN shop.main.orders AS o
SELECT r.region, AVG(o.total) FROM crm.main.regions AS r JOIN crm.main.customers AS c ON c.city = r.city JOIN shop.main.orders AS o ON o.customer_id = c.id WHERE o.total > (SELECT AVG(total) FROM shop.main.orders) GROUP BY r.region
SELECT c.name FROM crm.main.customers AS c JOIN (SELECT customer_id, SUM(total) AS s FROM shop.main.orders GROUP BY customer_id) AS t ON t.customer_id = c.id WHERE t.s > 6
SELECT t.city, t.n FROM (SELECT c.city, COUNT(*) AS n FROM crm.main.customers AS c JOIN shop.main.orders AS o ON c.id = o.customer_id GROUP BY c.city) AS t WHERE t.n = (SELECT MAX(hours) FROM care.main.tickets) OR t.n = 1
SELECT c.name FROM crm.main.customers AS c WHERE (SELECT COUNT(*) FROM shop.main.orders AS o WHERE o.customer_id = c.id) > 1
SELECT c.name FROM crm.main.customers AS c WHERE c.id IN (SELECT o.customer_id FROM shop.main.orders AS o WHERE o.id IN (SELECT t.customer_id FROM care.main.tickets AS t WHERE t.city = c.city))
WITH big AS (SELECT customer_id, SUM(total) AS s FROM shop.main.orders GROUP BY customer_id), top AS (SELECT * FROM big WHERE s > 5) SELECT c.name, top.s FROM crm.main.customers AS c JOIN top ON top.customer_id = c.id
SELECT DISTINCT c.city FROM crm.main.customers AS c JOIN care.main.tickets AS t ON t.customer_id = c.id ORDER BY c.city LIMIT 1
SELECT * FROM crm.main.customers AS c JOIN care.main.tickets AS t ON t.customer_id = c.id
SELECT COUNT(*) FROM crm.main.customers AS c JOIN care.main.tickets AS t ON t.city = c.city AND t.customer_id = c.id OR t.hours > 4
SELECT c.name, l.name FROM crm.main.customers AS c LEFT JOIN shop.main.orders AS o ON o.customer_id = c.id LEFT JOIN shop.main.lines AS l ON l.order_id = o.id WHERE l.product = 'pen' AND c.id < 3
SELECT c.name FROM crm.main.customers AS c WHERE c.city IN (SELECT t.city FROM care.main.tickets AS t UNION SELECT r.city FROM crm.main.regions AS r WHERE r.region = 'North')
SELECT CASE WHEN o.total > 6 THEN c.name ELSE 'small' END AS who FROM crm.main.customers AS c JOIN shop.main.orders AS o ON c.id = o.customer_id WHERE c.name LIKE 'A%' OR o.total < 8
""".strip().splitlines()


@pytest.mark.parametrize("sql", QUERIES, ids=range(len(QUERIES)))
def test_split_queries_give_the_rows_of_the_whole_query(sql: str, world: World) -> None:
    query = lifted(sql, world)
    found, pieces = world.apart(query)
    assert rounded(found) == rounded(world.attached(sql)), "\n".join(map(written, pieces))
    assert all(len(databases(p.query)) <= 1 for p in pieces if isinstance(p.query, Query))
    if query.order:
        assert found == world.attached(sql)


PATHS = (
    OF_CUSTOMER,
    Join(CUSTOMERS, REGIONS, (("city", "city"),)),
    Join(TICKETS, CUSTOMERS, (("customer_id", "id"),)),
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


def columns_of(*relations: Relation) -> list[ColumnRef]:
    return [ColumnRef(r, c) for r in relations for t, c in TYPED if t == r.table]


def kind(column: ColumnRef) -> Kind:
    return TYPED[column.of.table, column.name]


@st.composite
def inner_queries(draw: st.DrawFn, like: ColumnRef, around: list[ColumnRef]) -> Query:
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
def predicates(draw: st.DrawFn, around: list[ColumnRef], *, depth: int = 1) -> Predicate:
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
    taken = [draw(st.sampled_from([CUSTOMERS, REGIONS, ORDERS, LINES, TICKETS]))]
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
    shown = replace(plain, select=(column,))
    counts = (column, Count(), Count(other, distinct=True))
    order = (Order(other, descending=draw(st.booleans())),)
    kinds = st.sampled_from(["intersect", "union", "union all", "except"])
    second = replace(shown, where=(Comparison(other, "not null"),))
    shapes = (
        plain,
        replace(shown, distinct=True),
        replace(plain, select=counts, group=(column,)),
        replace(plain, select=(Count(), Aggregate("max", column))),
        replace(shown, group=(column,), having=(Comparison(Count(), ">", (1,)),)),
        replace(shown, compound=Compound(draw(kinds), second)),
        replace(plain, select=(column, other), order=order, each=(column,), limit=1),
    )
    return draw(st.sampled_from(shapes))


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=queries())
def test_any_query_gives_the_same_rows_apart_as_together(query: Query, world: World) -> None:
    found, pieces = world.apart(query)
    assert rounded(found) == rounded(world.together(query)), "\n".join(map(written, pieces))


def test_one_database_is_one_piece(world: World) -> None:
    query = lifted("SELECT c.name FROM crm.main.customers AS c", world)
    (piece,) = split(query, world.schemas)
    assert (piece.number, piece.database, piece.query) == (1, "crm", query)


def test_predicates_and_joins_are_left_to_the_database(world: World) -> None:
    query = lifted(
        "SELECT c.name FROM crm.main.customers AS c JOIN crm.main.regions AS r ON r.city = c.city"
        " JOIN shop.main.orders AS o ON o.customer_id = c.id WHERE r.region = 'North' AND o.total > 3",
        world,
    )
    first, second, last = split(query, world.schemas)
    assert written(first) == (
        "SELECT t1.name, t1.id FROM crm.main.customers AS t1 JOIN crm.main.regions AS t2"
        " ON t1.city = t2.city WHERE t2.region = 'North'"
    )
    assert written(second) == (
        "SELECT t1.customer_id FROM shop.main.orders AS t1 WHERE t1.total > 3"
    )
    assert second.links[0].step == 1
    assert written(last) == (
        "SELECT t1.name FROM step_1 AS t1 JOIN step_2 AS t2 ON t2.customer_id = t1.id"
    )


def test_later_steps_fetch_only_rows_that_can_find_a_partner(world: World) -> None:
    query = Query(
        Rows((CUSTOMERS, ORDERS), (OF_CUSTOMER,)),
        (Count(),),
        (Comparison(CITY, "=", ("Hamburg",)),),
    )
    found, (_, second, _) = world.apart(query)
    assert found == ((1,),)
    assert written(second).endswith("WHERE t1.customer_id IN (2)")


def test_the_measure_of_a_row_s_own_group_is_left_to_its_database(world: World) -> None:
    own = OwnGroup(Count(), (CITY,))
    rows = Rows((CUSTOMERS, ORDERS), (OF_CUSTOMER,))
    query = Query(rows, (NAME, own), (Comparison(ColumnRef(ORDERS, "total"), ">", (6,)),))
    found, (_, second, last) = world.apart(query)
    assert Counter(found) == Counter([("Ann", 2), ("Bob", 1)])
    assert "COUNT(*)" in written(second)
    assert "COUNT(*)" not in written(last)


VISITOR, TOWN = ColumnRef(VISITS, "visitor"), ColumnRef(VISITS, "town")


@pytest.mark.parametrize("outer", [False, True])
def test_keys_that_are_written_differently_meet_all_the_same(world: World, outer: bool) -> None:
    by_number = Join(VISITS, CUSTOMERS, (("visitor", "id"),), outer)
    found, _ = world.apart(Query(Rows((VISITS, CUSTOMERS), (by_number,)), (VISITOR, NAME)))
    assert set(found) == {("1", "Ann"), ("2", "Bob"), *([("x", None)] if outer else [])}


def test_keys_in_other_letters_meet_all_the_same(world: World) -> None:
    by_town = Join(VISITS, REGIONS, (("town", "city"),))
    region = ColumnRef(REGIONS, "region")
    found, _ = world.apart(Query(Rows((VISITS, REGIONS), (by_town,)), (TOWN, region)))
    assert set(found) == {("BERLIN", "East"), ("BREMEN", "North")}
    visited = Query(Rows((VISITS,)), (TOWN,))
    for none, regions in ((False, {"East", "North"}), (True, {"North"})):
        query = Query(
            Rows((REGIONS,)), (region,), (Has(ColumnRef(REGIONS, "city"), visited, none),)
        )
        assert set(world.apart(query)[0]) == {(name,) for name in regions}


def test_a_part_of_a_date_is_taken_of_dates_that_are_texts(world: World) -> None:
    by_number = Join(VISITS, CUSTOMERS, (("visitor", "id"),))
    month = DatePart(ColumnRef(VISITS, "day"), "month")
    query = Query(Rows((VISITS, CUSTOMERS), (by_number,)), (month, Count()), group=(month,))
    assert set(world.apart(query)[0]) == {("2024-01", 1), ("2024-02", 1)}
