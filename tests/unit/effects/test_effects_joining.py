"""A rule about joins changes how two tables hang together, and nothing else."""

import pytest
from sqlglot import exp, parse_one

from oldhand.agent.analyst.effects.joining import rejoined
from oldhand.learning.effects import join_path
from oldhand.record.schema import Column, DatabaseSchema, Kind, Table


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
HOME = join_path("shop", ("orders", "cities"), [("orders", "home_id", "cities", "id")], (SHOP,))
DEPOT = join_path(
    "shop",
    ("orders", "depots", "cities"),
    [("orders", "depot_id", "depots", "id"), ("depots", "city_id", "cities", "id")],
    (SHOP,),
)
BOTH = join_path(
    "shop",
    ("items", "orders"),
    [("items", "order_id", "orders", "id"), ("items", "order_no", "orders", "home_id")],
    (SHOP,),
)
ORDERS, CITIES = "shop.main.orders AS o", "shop.main.cities AS c"
QUESTION = "How many orders are there for each town?"


def changed(sql: str, path, question: str = QUESTION) -> str | None:
    found = rejoined(parse_one(sql), path, question, (SHOP,))
    assert found is None or isinstance(found, exp.Query)
    return None if found is None else found.sql()


def test_the_columns_that_join_two_tables_are_exchanged() -> None:
    assert changed(f"SELECT c.name, COUNT(*) FROM {ORDERS} JOIN {CITIES} ON o.city_id = c.id GROUP BY c.name", HOME) == (
        f"SELECT c.name, COUNT(*) FROM {ORDERS} JOIN {CITIES} ON o.home_id = c.id GROUP BY c.name"
    )  # fmt: skip


def test_other_conditions_of_the_join_stay() -> None:
    sql = f"SELECT 1 FROM {CITIES} LEFT JOIN {ORDERS} ON c.id = o.city_id AND o.id > 3"
    assert (
        changed(sql, HOME)
        == f"SELECT 1 FROM {CITIES} LEFT JOIN {ORDERS} ON o.home_id = c.id AND o.id > 3"
    )


def test_a_query_inside_is_joined_with_the_one_around_it_as_the_rule_says() -> None:
    sql = f"SELECT c.name FROM {CITIES} WHERE NOT EXISTS(SELECT 1 FROM {ORDERS} WHERE o.city_id = c.id)"
    assert changed(sql, HOME) == sql.replace("city_id", "home_id")


def test_a_key_of_two_columns_is_joined_by_both() -> None:
    sql = f"SELECT 1 FROM {ORDERS} JOIN shop.main.items AS i ON i.order_id = o.id"
    assert changed(sql, BOTH) == f"{sql} AND i.order_no = o.home_id"


@pytest.mark.parametrize(("first", "later"), [(ORDERS, CITIES), (CITIES, ORDERS)])
def test_a_way_over_another_table_takes_that_table_in(first: str, later: str) -> None:
    sql = changed(f"SELECT COUNT(*) FROM {first} JOIN {later} ON o.city_id = c.id", DEPOT)
    assert sql is not None
    assert sql.startswith(f"SELECT COUNT(*) FROM {first} JOIN shop.main.depots AS depots ON ")
    assert "o.depot_id = depots.id" in sql
    assert "depots.city_id = c.id" in sql
    assert "o.city_id" not in sql


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
        (f"SELECT 1 FROM {ORDERS} WHERE o.city_id IN (SELECT c.id FROM {CITIES})", HOME),
    ],
)  # fmt: skip
def test_what_is_joined_so_already_or_otherwise_than_directly_is_left_as_it_is(
    sql: str, path
) -> None:
    assert changed(sql, path) is None


def test_a_rule_about_columns_that_are_gone_changes_nothing() -> None:
    sql = f"SELECT 1 FROM {ORDERS} JOIN {CITIES} ON o.city_id = c.id"
    smaller = SHOP.model_copy(update={"tables": SHOP.tables[1:]})
    assert rejoined(parse_one(sql), HOME, QUESTION, (smaller,)) is None
    assert rejoined(parse_one(sql), HOME, QUESTION, ()) is None


def test_who_names_the_columns_that_join_now_gets_them() -> None:
    sql = f"SELECT 1 FROM {ORDERS} JOIN {CITIES} ON o.home_id = c.id"
    other = join_path(
        "shop", ("orders", "cities"), [("orders", "city_id", "cities", "id")], (SHOP,)
    )
    assert changed(sql, other, "How many orders by home town?") is None
    assert changed(sql, other) is not None
