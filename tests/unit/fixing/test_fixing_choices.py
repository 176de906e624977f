"""What can be picked for the parts of a query: only what makes another whole query."""

from dataclasses import replace

from oldhand.agent.fixing import Exchangeable, Read, exchangeable
from oldhand.query.compiling.compile import compile_query
from oldhand.query.form import ColumnRef, Comparison, Count, Has, Join, Order, Query, Relation, Rows
from oldhand.query.normal import same
from oldhand.query.parts import is_whole
from oldhand.record.schema import Column as Described
from oldhand.record.schema import ColumnProfile, DatabaseSchema, ForeignKey, Kind, Table

CUSTOMERS, ORDERS = Relation("shop", "main", "customers"), Relation("shop", "main", "orders")


def _key(column: str) -> ForeignKey:
    return ForeignKey(
        columns=(column,),
        database="shop",
        schema_name="main",
        table="customers",
        target_columns=("id",),
    )


DAYS = ColumnProfile(rows=9, low="2022-03-01", high="2024-10-30")
SHOP = DatabaseSchema(
    name="shop",
    dialect="sqlite",
    tables=(
        Table(
            name="customers",
            schema_name="main",
            columns=(
                Described(name="id", type="INT", kind=Kind.INTEGER, primary_key=True),
                Described(name="city", type="TEXT", kind=Kind.TEXT),
                Described(name="region", type="TEXT", kind=Kind.TEXT),
            ),
        ),
        Table(
            name="orders",
            schema_name="main",
            columns=(
                Described(name="id", type="INT", kind=Kind.INTEGER, primary_key=True),
                Described(name="buyer", type="INT", kind=Kind.INTEGER),
                Described(name="payer", type="INT", kind=Kind.INTEGER),
                Described(name="placed_on", type="DATE", kind=Kind.DATE, profile=DAYS),
                Described(name="paid_on", type="DATE", kind=Kind.DATE, profile=DAYS),
                Described(name="amount", type="REAL", kind=Kind.NUMBER),
                Described(name="status", type="TEXT", kind=Kind.TEXT),
            ),
            foreign_keys=(_key("buyer"), _key("payer")),
        ),
    ),
)
FEW = {
    ColumnRef(ORDERS, "status"): ("cancelled", "paid"),
    ColumnRef(CUSTOMERS, "city"): ("Berlin", "Rome"),
    ColumnRef(CUSTOMERS, "region"): ("Rome", "North"),
}
BOUGHT = Join(ORDERS, CUSTOMERS, (("buyer", "id"),))
IN_ROME = Comparison(ColumnRef(CUSTOMERS, "city"), "=", ("Rome",))
IN_2024 = Comparison(ColumnRef(ORDERS, "placed_on"), "within", ("2024-01-01", "2025-01-01"))
QUERY = Query(Rows((ORDERS, CUSTOMERS), (BOUGHT,)), (Count(),), (IN_ROME, IN_2024))


def parts(query: Query = QUERY) -> dict[str, Exchangeable]:
    """The parts by what they say."""
    found = exchangeable(Read("How many orders from Rome in 2024?", query), (), (SHOP,), FEW)
    return {one.says: one for one in found}


def says(part: str) -> list[str]:
    """What can be picked for a part."""
    return [choice.says for choice in parts()[part].choices]


def test_a_date_gives_way_to_another_date() -> None:
    assert "orders paid in 2024" in says("orders placed in 2024")


def test_a_value_gives_way_to_other_values_and_to_columns_that_hold_it() -> None:
    choices = says("customers with city 'Rome'")
    assert "customers with city 'Berlin'" in choices
    assert "customers with region 'Rome'" in choices
    assert choices[-1] == "leave this out"


def test_rows_that_are_counted_give_way_to_amounts_that_are_added_up() -> None:
    assert {"total amount of orders", "number of different customers"} <= set(
        says("number of rows")
    )


def test_a_join_gives_way_to_the_other_key() -> None:
    (join,) = (one for one in parts().values() if one.kind == "join")
    assert any("payer" in choice.says for choice in join.choices)


def test_the_absence_of_rows_goes_by_either_key() -> None:
    buyer, payer = ColumnRef(ORDERS, "buyer"), ColumnRef(ORDERS, "payer")
    bought = Query(Rows((ORDERS,)), (buyer,), (Comparison(buyer, "not null"),))
    lacking = Has(ColumnRef(CUSTOMERS, "id"), bought, none=True)
    found = exchangeable(
        Read("?", Query(Rows((CUSTOMERS,)), (Count(),), (lacking,))), (), (SHOP,), FEW
    )
    where = next(one for one in found if one.kind == "where")
    made = [choice.read.query.where for choice in where.choices]
    paid = Query(Rows((ORDERS,)), (payer,), (Comparison(payer, "not null"),))
    assert (Has(ColumnRef(CUSTOMERS, "id"), paid, none=True),) in made
    assert any("payer" in choice.says for choice in where.choices), where


def test_rows_can_be_left_out_that_nothing_in_the_question_speaks_of() -> None:
    assert "orders with status other than 'cancelled'" in says("a further condition")


def test_a_year_gives_way_to_other_years_of_the_data() -> None:
    others = [one for one in says("orders placed in 2024") if one.startswith("orders placed in")]
    assert others == ["orders placed in 2023", "orders placed in 2022"]


def test_rows_can_be_restricted_to_a_year_of_a_date_that_nothing_is_said_of() -> None:
    assert says("a time") == ["orders paid in 2024", "orders paid in 2023", "orders paid in 2022"]


def test_groups_can_be_restricted_to_those_of_many_rows() -> None:
    status = ColumnRef(ORDERS, "status")
    grouped = Query(Rows((ORDERS,)), (status, Count()), group=(status,))
    limits = [one.read.query for one in parts(grouped)["a limit for groups"].choices]
    few = [(Comparison(Count(), ">", (number,)),) for number in (1, 2, 3, 5, 10)]
    assert [one.having for one in limits] == few
    (more,) = (one for one in parts(limits[0]).values() if one.kind == "having")
    assert few[3] in [one.read.query.having for one in more.choices]
    assert "a limit for groups" not in parts()


def test_a_value_can_be_joined_by_another() -> None:
    assert "customers with city 'Rome' or 'Berlin'" in says("customers with city 'Rome'")


def test_figures_can_be_told_for_further_groups() -> None:
    assert {"status of orders", "region of customers"} <= set(says("a further group"))


def test_what_is_listed_can_show_more_in_another_order_and_fewer_rows() -> None:
    amount = ColumnRef(ORDERS, "amount")
    listed = Query(Rows((ORDERS,)), (ColumnRef(ORDERS, "status"),))
    found = parts(listed)
    assert "amount of orders" in [one.says for one in found["a further column"].choices]
    orders = [one.read.query.order for one in found["another order"].choices]
    assert (Order(amount, descending=True),) in orders
    assert "fewer rows" not in found
    first = parts(replace(listed, order=(Order(amount),)))["fewer rows"].choices
    assert [one.read.query.limit for one in first] == [1, 2, 3, 5, 10]
    more = parts(replace(listed, order=(Order(amount),), limit=1))
    limits = [one for part in more.values() if part.kind == "limit" for one in part.choices]
    assert {2, 3, 5, 10} <= {one.read.query.limit for one in limits}


def test_each_choice_makes_a_whole_query_of_another_meaning_that_can_be_run() -> None:
    for part in parts().values():
        queries = [choice.read.query for choice in part.choices]
        for place, query in enumerate(queries):
            assert is_whole(query)
            assert not any(same(query, other) for other in (QUERY, *queries[:place]))
            assert compile_query(query, (SHOP,), "sqlite")


def test_what_is_left_of_a_query_is_never_nothing() -> None:
    (shown,) = (one for one in parts().values() if one.kind == "select")
    assert "leave this out" not in [choice.says for choice in shown.choices]


def test_a_group_that_is_shown_is_one_part() -> None:
    city = ColumnRef(CUSTOMERS, "city")
    query = Query(Rows((CUSTOMERS,)), (city, Count()), group=(city,), order=(Order(city),))
    found = parts(query)
    assert [one.kind for one in found.values()].count("select") == 1
    (group,) = (one for one in found.values() if one.kind == "group")
    region = next(one for one in group.choices if one.says == "region of customers").read.query
    assert region.select[0] == region.group[0] == region.order[0].by == ColumnRef(CUSTOMERS, "region")  # fmt: skip
    without = next(one for one in group.choices if one.says == "leave this out").read.query
    assert (without.select, without.group, without.order) == ((Count(),), (), ())


def test_things_can_stand_in_the_order_of_what_belongs_to_them() -> None:
    city = ColumnRef(CUSTOMERS, "city")
    listed = Query(Rows((CUSTOMERS,)), (city,), order=(Order(city),), limit=2)
    (order,) = [one for one in exchangeable(Read("Top 2 cities by amount", listed), (), (SHOP,), FEW) if one.kind == "order"]  # fmt: skip
    chosen = {one.says: one.read.query for one in order.choices}
    made = chosen["sorted by total amount of orders, highest first"]
    assert made.group == (ColumnRef(CUSTOMERS, "id"), city)
    assert "SUM(t1.amount) DESC" in " ".join(compile_query(made, (SHOP,), "sqlite").split())
