"""A rule about joins changes how two tables hang together, and nothing else."""

import pytest
from sqlglot import exp, parse_one

from oldhand.agent.analyst.effects.joining import rejoined
from oldhand.query.form import Query
from oldhand.query.lifting import lift_tree
from oldhand.query.normal import same
from oldhand.record.join_path import JoinPath, KeyPair
from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Kind, Table


def table(name: str, *columns: str) -> Table:
    made = (Column(name=one, type="INTEGER", kind=Kind.INTEGER) for one in ("id", *columns))
    return Table(name=name, schema_name="main", columns=tuple(made))


SHOP = DatabaseSchema(
    name="shop",
    dialect="sqlite",
    tables=(
        table("orders", "city_id", "home_id", "depot_id"),
        table("cities", "name"),
        table("depots", "city_id"),
        table("items", "order_id", "order_no"),
    ),
)


def join_path(tables: tuple[str, ...], *on: tuple[str, str, str, str]) -> JoinPath:
    pairs = tuple(
        KeyPair(table=table, column=column, other_table=other, other_column=its_column)
        for table, column, other, its_column in on
    )
    return JoinPath(database="shop", tables=tables, on=pairs)


HOME = join_path(("orders", "cities"), ("orders", "home_id", "cities", "id"))
DEPOT = join_path(
    ("orders", "depots", "cities"),
    ("orders", "depot_id", "depots", "id"),
    ("depots", "city_id", "cities", "id"),
)
BOTH = join_path(
    ("items", "orders"),
    ("items", "order_id", "orders", "id"),
    ("items", "order_no", "orders", "home_id"),
)
ORDERS, CITIES = "shop.main.orders AS o", "shop.main.cities AS c"
QUESTION = "How many orders are there for each town?"


def query_of(sql: str) -> Query:
    tree = parse_one(sql)
    assert isinstance(tree, exp.Query)
    found = lift_tree(tree, (SHOP,))
    assert found is not None
    return found


def changed(sql: str, path: JoinPath, question: str = QUESTION) -> Query | None:
    return rejoined(query_of(sql), path, question, (SHOP,))


@pytest.mark.parametrize(
    ("sql", "path", "after"),
    [
        (f"SELECT c.name, COUNT(*) FROM {ORDERS} JOIN {CITIES} ON o.city_id = c.id GROUP BY c.name", HOME, "home_id"),
        (f"SELECT 1 FROM {CITIES} LEFT JOIN {ORDERS} ON c.id = o.city_id WHERE o.id > 3", HOME, "home_id"),
        (f"SELECT c.name FROM {CITIES} WHERE NOT EXISTS(SELECT 1 FROM {ORDERS} WHERE o.city_id = c.id)", HOME, "home_id"),
        (f"SELECT 1 FROM {ORDERS} WHERE o.city_id IN (SELECT c.id FROM {CITIES})", HOME, "home_id"),
        (f"SELECT c.name FROM {CITIES} WHERE c.id IN (SELECT o.city_id FROM {ORDERS} GROUP BY o.city_id HAVING COUNT(*) > 3)", HOME, "home_id"),
    ],
)  # fmt: skip
def test_the_columns_that_tie_two_tables_are_exchanged(
    sql: str, path: JoinPath, after: str
) -> None:
    made = changed(sql, path)
    assert made is not None
    assert same(made, query_of(sql.replace("city_id", after)))


def test_a_key_of_two_columns_is_joined_by_both() -> None:
    sql = f"SELECT 1 FROM {ORDERS} JOIN shop.main.items AS i ON i.order_id = o.id"
    made = changed(sql, BOTH)
    assert made is not None
    assert same(made, query_of(f"{sql} AND i.order_no = o.home_id"))


@pytest.mark.parametrize(("first", "later"), [(ORDERS, CITIES), (CITIES, ORDERS)])
def test_a_way_over_another_table_takes_that_table_in(first: str, later: str) -> None:
    made = changed(f"SELECT COUNT(*) FROM {first} JOIN {later} ON o.city_id = c.id", DEPOT)
    depots = "JOIN shop.main.depots AS d ON o.depot_id = d.id"
    wanted = query_of(f"SELECT COUNT(*) FROM {ORDERS} {depots} JOIN {CITIES} ON d.city_id = c.id")
    assert made is not None
    assert same(made, wanted)
    assert [one.table for one in made.rows.relations][1] == "depots"


@pytest.mark.parametrize(
    ("sql", "after"),
    [
        (
            f"SELECT o.id FROM {ORDERS} WHERE o.city_id IN (SELECT c.id FROM {CITIES} WHERE c.name = 'Deal')",
            f"SELECT o.id FROM {ORDERS} WHERE o.depot_id IN (SELECT d.id FROM shop.main.depots AS d JOIN {CITIES} ON d.city_id = c.id WHERE c.name = 'Deal')",
        ),
        (
            f"SELECT c.name FROM {CITIES} WHERE NOT c.id IN (SELECT o.city_id FROM {ORDERS} WHERE NOT o.city_id IS NULL)",
            f"SELECT c.name FROM {CITIES} WHERE NOT c.id IN (SELECT d.city_id FROM shop.main.depots AS d JOIN {ORDERS} ON o.depot_id = d.id WHERE NOT d.city_id IS NULL)",
        ),
    ],
)  # fmt: skip
def test_rows_that_there_are_or_are_none_of_are_sought_over_another_table(
    sql: str, after: str
) -> None:
    made = changed(sql, DEPOT)
    assert made is not None
    assert same(made, query_of(after))


def test_whoever_wrote_the_keys_down_the_side_that_refers_is_known() -> None:
    turned = join_path(("cities", "orders"), ("cities", "id", "orders", "home_id"))
    key = ForeignKey(columns=("home_id",), database="shop", schema_name="main", table="cities", target_columns=("id",))  # fmt: skip
    orders = SHOP.tables[0].model_copy(update={"foreign_keys": (key,)})
    shop = SHOP.model_copy(update={"tables": (orders, *SHOP.tables[1:])})
    sql = f"SELECT c.name FROM {CITIES} JOIN {ORDERS} ON o.city_id = c.id"
    made = rejoined(query_of(sql), turned, QUESTION, (shop,))
    assert made is not None
    assert [(one.left.table, one.right.table) for one in made.rows.joins] == [("orders", "cities")]


@pytest.mark.parametrize(
    ("sql", "path"),
    [
        (f"SELECT 1 FROM {ORDERS} JOIN {CITIES} ON o.home_id = c.id", HOME),
        (f"SELECT 1 FROM {ORDERS} JOIN {CITIES} ON c.id = o.home_id", HOME),
        (f"SELECT 1 FROM {ORDERS}", HOME),
        (f"SELECT 1 FROM {ORDERS}, {CITIES}", HOME),
        (f"SELECT 1 FROM {ORDERS} JOIN {CITIES} ON o.city_id = c.id OR o.id = 1", HOME),
        (f"SELECT 1 FROM {ORDERS} JOIN {CITIES} ON o.city_id = c.id JOIN shop.main.cities AS d ON o.home_id = d.id", HOME),
        (f"SELECT 1 FROM {ORDERS} LEFT JOIN {CITIES} ON o.city_id = c.id", DEPOT),
        (f"SELECT 1 FROM {ORDERS} JOIN shop.main.depots AS d ON o.depot_id = d.id JOIN {CITIES} ON o.city_id = c.id", DEPOT),
        (f"SELECT 1 FROM crm.main.orders AS o JOIN {CITIES} ON o.city_id = c.id", HOME),
        (f"SELECT c.name FROM {CITIES} WHERE NOT EXISTS(SELECT 1 FROM {ORDERS}, shop.main.depots AS d WHERE o.city_id = c.id)", DEPOT),
    ],
)  # fmt: skip
def test_what_is_joined_so_already_or_otherwise_than_directly_is_left_as_it_is(
    sql: str, path
) -> None:
    assert changed(sql, path) is None


def test_a_rule_about_columns_that_are_gone_changes_nothing() -> None:
    sql = f"SELECT 1 FROM {ORDERS} JOIN {CITIES} ON o.city_id = c.id"
    smaller = SHOP.model_copy(update={"tables": SHOP.tables[1:]})
    assert rejoined(query_of(sql), HOME, QUESTION, (smaller,)) is None
    assert rejoined(query_of(sql), HOME, QUESTION, ()) is None


def test_who_names_the_columns_that_join_now_gets_them() -> None:
    sql = f"SELECT 1 FROM {ORDERS} JOIN {CITIES} ON o.home_id = c.id"
    other = join_path(("orders", "cities"), ("orders", "city_id", "cities", "id"))
    assert changed(sql, other, "How many orders by home town?") is None
    assert changed(sql, other) is not None
