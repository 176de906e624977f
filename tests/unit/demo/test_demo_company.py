from datetime import datetime, time, timedelta

import pytest

from oldhand.demo.company import FOUNDED, TODAY, Company, make_company


@pytest.fixture(scope="module", params=[1, 23, 456])
def company(request: pytest.FixtureRequest) -> Company:
    return make_company(request.param)


def test_the_same_seed_gives_the_same_company_and_another_seed_another_one(
    company: Company,
) -> None:
    assert make_company(company.seed) == company
    other = make_company(company.seed + 1)
    assert other.customers != company.customers
    assert other.products != company.products


def test_there_are_tens_of_thousands_of_rows_in_three_databases(company: Company) -> None:
    assert company.row_count > 30_000
    assert list(company.databases) == ["shop", "warehouse", "support"]
    assert all(things for tables in company.databases.values() for things in tables.values())


def test_every_key_leads_somewhere_across_databases_too(company: Company) -> None:
    items = {item.order_item_id for item in company.order_items}
    assert all(order.customer_id in company.customer for order in company.orders)
    assert all(order.store_id in {None, *company.store} for order in company.orders)
    assert {item.order_id for item in company.order_items} == {o.order_id for o in company.orders}
    assert all(item.product_id in company.product for item in company.order_items)
    assert all(back.order_item_id in items for back in company.returns)
    assert all(product.supplier_id in company.supplier for product in company.products)
    assert all(person.store_id in {None, *company.store} for person in company.employees)
    assert all(person.manager_id in {None, *company.employee} for person in company.employees)
    assert all(ticket.customer_id in company.customer for ticket in company.tickets)
    assert all(ticket.employee_id in company.employee for ticket in company.tickets)


def test_nothing_happens_before_the_founding_or_after_today(company: Company) -> None:
    end = datetime.combine(TODAY, time.max)
    assert all(FOUNDED <= customer.signed_up_on <= TODAY for customer in company.customers)
    for order in company.orders:
        assert company.customer[order.customer_id].signed_up_on <= order.ordered_on <= TODAY
    assert all(back.returned_on <= TODAY for back in company.returns)
    assert all(ticket.opened_at <= end for ticket in company.tickets)
    assert all(t.closed_at is None or t.opened_at < t.closed_at <= end for t in company.tickets)


def test_the_data_are_skewed_and_have_gaps_as_real_data_do(company: Company) -> None:
    cities = [customer.city for customer in company.customers]
    per_city = sorted((cities.count(city) for city in set(cities)), reverse=True)
    assert per_city[0] > 3 * per_city[-1]
    assert any(customer.email is None for customer in company.customers)
    assert any(order.store_id is None for order in company.orders)
    assert any(back.reason is None for back in company.returns)
    assert any(ticket.closed_at is None for ticket in company.tickets)
    assert any(ticket.cost is None for ticket in company.tickets)


def test_nobody_shares_a_salary_a_price_or_a_floor_area_so_that_rankings_have_no_ties(
    company: Company,
) -> None:
    for things, attribute in (
        (company.employees, "salary"),
        (company.products, "price"),
        (company.stores, "floor_area"),
    ):
        values = [getattr(thing, attribute) for thing in things]
        assert len(set(values)) == len(values)


def test_stores_lie_on_the_map(company: Company) -> None:
    assert all(-90 <= store.latitude <= 90 for store in company.stores)
    assert all(-180 <= store.longitude <= 180 for store in company.stores)
    assert len({(store.latitude, store.longitude) for store in company.stores}) == len(
        company.stores
    )


def test_the_books_end_on_the_day_that_is_given_and_nothing_else_changes(company: Company):
    moved = make_company(company.seed, TODAY + timedelta(days=40))
    assert moved == make_company(company.seed, TODAY + timedelta(days=40))
    for before, after in zip(company.orders, moved.orders, strict=True):
        assert after == before._replace(ordered_on=before.ordered_on + timedelta(days=40))
    latest = max(order.ordered_on for order in moved.orders)
    assert timedelta() <= moved.today - latest < timedelta(days=5)
