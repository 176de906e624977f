"""A believable small company out of one seed: the same seed gives the same company, to the last cent.

>>> company = make_company(7)
>>> company == make_company(7)
True
>>> company.row_count > 30_000
True
"""

from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property
from random import Random

from oldhand.demo.objects import (
    Customer,
    Employee,
    OrderItem,
    Product,
    Purchase,
    Return,
    Shop,
    StockLevel,
    Supplier,
    Thing,
    Ticket,
)
from oldhand.demo.people import hire, open_tickets, sign_up
from oldhand.demo.sales import sell, send_back
from oldhand.demo.words import WORDS, City, Trade, cities_of

FOUNDED = date(2022, 1, 3)
TODAY = date(2026, 6, 30)
"""The last day in the company's books, unless another is given; no clock is read, so that a seed stays what it is."""


@dataclass(frozen=True)
class Company:
    """Everything the company keeps records of."""

    seed: int
    today: date
    """The last day in its books."""
    name: str
    trade: str
    country: str
    customers: tuple[Customer, ...]
    orders: tuple[Purchase, ...]
    order_items: tuple[OrderItem, ...]
    returns: tuple[Return, ...]
    suppliers: tuple[Supplier, ...]
    products: tuple[Product, ...]
    stores: tuple[Shop, ...]
    stock_levels: tuple[StockLevel, ...]
    employees: tuple[Employee, ...]
    tickets: tuple[Ticket, ...]

    @property
    def databases(self) -> dict[str, dict[str, tuple[Thing, ...]]]:
        """The objects by database and table, parents before children."""
        return {
            "shop": {
                "customers": self.customers,
                "orders": self.orders,
                "order_items": self.order_items,
                "returns": self.returns,
            },
            "warehouse": {
                "suppliers": self.suppliers,
                "products": self.products,
                "stores": self.stores,
                "stock_levels": self.stock_levels,
            },
            "support": {"employees": self.employees, "tickets": self.tickets},
        }

    @property
    def row_count(self) -> int:
        """Rows in all tables."""
        return sum(len(things) for tables in self.databases.values() for things in tables.values())

    @cached_property
    def customer(self) -> dict[int, Customer]:
        """Customers by id."""
        return {customer.customer_id: customer for customer in self.customers}

    @cached_property
    def product(self) -> dict[int, Product]:
        """Products by id."""
        return {product.product_id: product for product in self.products}

    @cached_property
    def store(self) -> dict[int, Shop]:
        """Stores by id."""
        return {store.store_id: store for store in self.stores}

    @cached_property
    def supplier(self) -> dict[int, Supplier]:
        """Suppliers by id."""
        return {supplier.supplier_id: supplier for supplier in self.suppliers}

    @cached_property
    def employee(self) -> dict[int, Employee]:
        """Employees by id."""
        return {employee.employee_id: employee for employee in self.employees}


def make_company(seed: int, today: date = TODAY) -> Company:
    """Invent the company of a seed, with all of its days so much later, or earlier, that its books end today.

    >>> make_company(7, date(2026, 7, 10)).orders[0].ordered_on - make_company(7).orders[0].ordered_on
    datetime.timedelta(days=10)
    """
    rng = Random(seed)  # noqa: S311  a believable company, not a secret
    country = rng.choice(sorted(WORDS.regions))
    known = cities_of(country)
    cities = tuple(rng.sample(known, len(known)))
    trade = rng.choice(WORDS.trades)
    suppliers = _suppliers(rng)
    products = _products(rng, trade, suppliers)
    stores = _stores(rng, cities)
    customers = sign_up(rng, cities, (FOUNDED, TODAY))
    orders, order_items = sell(rng, customers, products, stores, TODAY)
    employees = hire(rng, stores, (FOUNDED, TODAY))
    made = Company(
        seed=seed,
        today=TODAY,
        name=f"{rng.choice(WORDS.last_names)} {rng.choice(WORDS.company_endings)}",
        trade=trade.name,
        country=country,
        customers=customers,
        orders=orders,
        order_items=order_items,
        returns=send_back(rng, orders, order_items, TODAY),
        suppliers=suppliers,
        products=products,
        stores=stores,
        stock_levels=_stock(rng, stores, products),
        employees=employees,
        tickets=open_tickets(rng, customers, employees, TODAY),
    )
    return made if today == TODAY else _moved(made, today)


def _moved(company: Company, today: date) -> Company:
    days = today - company.today

    def later(thing: Thing) -> Thing:
        dated = {
            name: value + days
            for name, value in zip(thing._fields, thing, strict=True)
            if isinstance(value, date)
        }
        return thing._replace(**dated)

    things = {
        name: tuple(map(later, table))
        for tables in company.databases.values()
        for name, table in tables.items()
    }
    return replace(company, today=today, **things)  # pyright: ignore[reportArgumentType] - tables are fields


def _suppliers(rng: Random) -> tuple[Supplier, ...]:
    countries = rng.sample(WORDS.supplier_countries, 7)
    names = rng.sample(WORDS.series, 26)
    return tuple(
        Supplier(
            supplier_id=number,
            name=f"{name} {rng.choice(WORDS.supplier_kinds)}",
            country=rng.choices(countries, weights=(7, 6, 4, 3, 2, 2, 1))[0],
            lead_time_days=rng.randint(2, 60),
            email=None if rng.random() < 0.15 else f"sales@{name.lower()}.example",
        )
        for number, name in enumerate(names, 1)
    )


def _products(rng: Random, trade: Trade, suppliers: tuple[Supplier, ...]) -> tuple[Product, ...]:
    low, high = trade.price_range
    every = [
        (category, f"{series} {noun}")
        for category, nouns in trade.categories.items()
        for noun in nouns
        for series in WORDS.series
    ]
    cents: set[int] = set()
    products: list[Product] = []
    for number, (category, name) in enumerate(rng.sample(every, rng.randint(230, 290)), 1):
        price = round(100 * low * (high / low) ** rng.betavariate(1.6, 2.4)) // 10 * 10 - 1
        while price in cents:
            price += 10
        cents.add(price)
        products.append(
            Product(
                product_id=number,
                name=name,
                category=category,
                supplier_id=rng.choice(suppliers).supplier_id,
                price=price / 100,
                weight_kg=None if rng.random() < 0.2 else round(rng.lognormvariate(0.2, 0.9), 2),
                discontinued=rng.random() < 0.12,
                introduced_on=FOUNDED + timedelta(days=rng.randrange((TODAY - FOUNDED).days)),
            )
        )
    return tuple(products)


def _stores(rng: Random, cities: tuple[City, ...]) -> tuple[Shop, ...]:
    places = rng.sample(
        [(city, street) for city in cities[:8] for street in WORDS.streets[:3]], rng.randint(12, 18)
    )
    areas = rng.sample(range(80, 1400, 5), len(places))
    return tuple(
        Shop(
            store_id=number,
            name=f"{street} {number}",
            city=city.name,
            latitude=round(city.latitude + rng.uniform(-0.03, 0.03), 5),
            longitude=round(city.longitude + rng.uniform(-0.03, 0.03), 5),
            floor_area=area,
            opened_on=FOUNDED + timedelta(days=rng.randrange(1200)),
        )
        for number, ((city, street), area) in enumerate(zip(places, areas, strict=True), 1)
    )


def _stock(
    rng: Random, stores: tuple[Shop, ...], products: tuple[Product, ...]
) -> tuple[StockLevel, ...]:
    return tuple(
        StockLevel(
            store_id=store.store_id,
            product_id=product.product_id,
            quantity=0 if rng.random() < 0.07 else round(rng.expovariate(1 / 18)),
            counted_on=TODAY - timedelta(days=rng.randrange(90)),
        )
        for store in stores
        for product in products
        if rng.random() < 0.7
    )
